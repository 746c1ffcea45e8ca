"""Words: how people say a bet or a move, and how the house says what happens.

Everything here follows from a game's own data (the id, the title, the other
names and the spots of its wagers), so a new game is understood as it is. A
sentence that cannot be read is a `ValueError`; a wager that the rules refuse is
a `Refusal`. Neither changes anything.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import lcm
from typing import Any

from croupier.cli.pieces import how_to_say, read_pieces
from croupier.equipment import Odds, cents, dollars
from croupier.rulebook import (
    Ask,
    Bet,
    Case,
    Event,
    Game,
    Move,
    Opening,
    PackState,
    Refusal,
    Result,
    Settlement,
    ShoeState,
    Table,
    Wager,
)
from croupier.voice import happened, turned, whose

SEAT = "1"
VERBS = ("bet", "put", "place", "wager")
ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3"}
TOKEN = re.compile(r"[^\W_]+")
AMOUNT_FIRST = re.compile(r"\$?\d\S*\s+(on\b)?")
SEPARATOR = re.compile(r"(,\s+|,(?!\d{3}\b)|\s+and\s+)", re.IGNORECASE)

VIGORISH_ON = {  # by the scheme of the table, where it is not on every win
    "tie_vigorish": "; {} vigorish on a tie",
    "total_cards": ", less {} vigorish unless as much lies on total cards",
}

Words = tuple[str, ...]


# Reading.


def read_bets(table: Table, text: str) -> list[tuple[str, int]]:
    """Several bets: separated by commas or "and", which some wagers have in their names too."""
    pieces = SEPARATOR.split(text)
    bets = [pieces[0]]
    for separator, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        start = AMOUNT_FIRST.match(piece)
        if start and (start[1] or _is_bet(table, bets[-1])):
            bets.append(piece)
        else:
            bets[-1] += separator + piece
    return [read_bet(table, bet) for bet in bets]


def _is_bet(table: Table, text: str) -> bool:
    try:
        read_bet(table, text)
    except (ValueError, Refusal):
        return False
    return True


def read_bet(table: Table, text: str) -> tuple[str, int]:
    """The label and the cents of a bet in words: `5 on pass`, `$12 place 6`, `2.50 on 17-20`."""
    words = text.split()
    verb = words[0].lower() if words else ""
    alone = len(words) < 3 and verb != "place"  # that is a wager at craps
    if verb in VERBS and (alone or "on" in map(str.lower, words[2:4])):
        words = words[1:]
    if not words or not any(map(str.isdecimal, words[0])):
        return _only_amount(table, " ".join(words))
    if len(words[0]) > 20:
        raise ValueError("no chip has that many digits: write dollars, such as 5 or 12.50")
    amount, words = cents(words[0]), words[1:]
    for small in (("dollar", "dollars", "bucks"), ("on",), ("the",)):
        if words and words[0].lower() in small:
            words = words[1:]
    if not amount:
        raise ValueError("a bet is more than nothing: to take one down, say take down")
    if not words:
        raise ValueError(f"{dollars(amount)} on what? Say it as in: {examples(table)[0]}")
    return read_wager(table, " ".join(words)), amount


def _only_amount(table: Table, text: str) -> tuple[str, int]:
    """A wager without an amount, if only one is possible: `banco` is for the whole bank."""
    with contextlib.suppress(ValueError, Refusal):
        label = read_wager(table, text)
        for opening in table.openings(SEAT):
            if opening.wager.label(opening.spot) == label and opening.low == opening.high:
                return label, opening.low
    raise ValueError(_no_amount(table, text))


def _no_amount(table: Table, text: str) -> str:
    """What to say about words without an amount: perhaps they name a wager."""
    wager = text.removeprefix("on ")
    if not wager or wager == "on":
        return f"how much, and on what? Say it as in: {examples(table)[0]}"
    try:
        read_wager(table, wager)
    except (ValueError, Refusal):
        return f"{text!r} is neither a bet nor a command: bet as in {examples(table)[0]}, or help"
    return f"how much on {wager}? Say it as in: {examples(table)[0]}"


def read_wager(table: Table, text: str) -> str:
    """The label of the wager that these words mean."""
    game = table.game
    name, _, spot = text.partition(":")
    if name.lower() in game.by_id:
        return _label(table, game.by_id[name.lower()], spot.strip())
    if not words_of(text):
        raise ValueError(_unknown(table, text))
    named = _named(table, text)
    for wager, rest in named:
        try:
            return _label(table, wager, rest)
        except Refusal:
            continue
    if named:
        return _label(table, *named[0])
    return _bare_spot(table, text) or _loosely(table, text)


def _named(table: Table, text: str) -> list[tuple[Wager, str]]:
    """The wagers whose name begins or ends the text, with what is left; the longest name first."""
    text = _plain(text)
    spans = [match.span() for match in TOKEN.finditer(text)]
    words, found = words_of(text), []
    for wager in table.game.wagers:
        rank = not wager.offered(table.options)
        for name in names_of(wager):
            size = len(name)
            if words[:size] == name and _ends(text[spans[size - 1][1] :]):
                found.append((-size, rank, wager, text[spans[size - 1][1] :]))
            elif words[-size:] == name and _ends(text[: spans[-size][0]][::-1]):
                found.append((-size, rank, wager, text[: spans[-size][0]]))
    found.sort(key=lambda each: each[:2])
    return [(wager, rest.strip(" ,:()[]")) for _, _, wager, rest in found]


def _ends(rest: str) -> bool:
    """A name does not end in the middle of a spot: `straight 1` is not named by 1-2-3."""
    return rest[:1] not in tuple("-/*@+")


def _label(table: Table, wager: Wager, text: str) -> str:
    """The label of a wager on the spot that the text names; a refusal if it has no such spot."""
    refusals = []
    for spot in dict.fromkeys((text, re.sub(r"[\s,]+", "-", text), ORDINALS.get(text.lower(), ""))):
        if spot or not text:
            try:
                return wager.label(table.find(SEAT, wager.label(spot))[1])
            except Refusal as refusal:
                refusals.append(refusal)
    raise refusals[0]


def _bare_spot(table: Table, text: str, among: Iterable[Wager] | None = None) -> str | None:
    """The first wager in the game's order that has exactly this spot."""
    for wager in table.game.offered(table.options) if among is None else among:
        try:
            if not wager.dealt:
                return _label(table, wager, text)
        except Refusal:
            continue
    return None


def _loosely(table: Table, text: str) -> str:
    """The one wager whose id or title holds these words, or begins with the first of them."""
    offered, words = table.game.offered(table.options), words_of(text)
    found = [w for w in offered if any(set(words) <= set(n) for n in _names(w.id, w.title))]
    if len(found) > 1:
        open_now = {opening.wager.id for opening in table.openings(SEAT)}
        found = [wager for wager in found if wager.id in open_now] or found
    if len(found) == 1:
        return _label(table, found[0], "")
    if found:
        shown = [wager.title for wager in found[:6]] + ["others"] * (len(found) > 6)
        raise ValueError(f"{text!r} could be {either(shown)}: say which")
    begin, _, rest = text.partition(" ")
    alike = [w for w in offered if any(name[:1] == words_of(begin) for name in names_of(w))]
    label = _bare_spot(table, rest, alike) if rest else None
    if label is None:
        raise ValueError(_unknown(table, text))
    return label


def _unknown(table: Table, text: str) -> str:
    known = [" ".join(name) for w in table.game.offered(table.options) for name in names_of(w)]
    said = " ".join(words_of(text))[:40]
    close = get_close_matches(said, list(dict.fromkeys(known)), 3, 0.6)
    if not close:
        return f"there is no wager {text!r} at this table; layout shows those there are"
    return f"there is no wager {text!r} at this table; is it {either(close)}?"


def read_lying(bets: Iterable[Bet], text: str) -> list[Bet]:
    """Those of these bets that the words mean: one named in full, or all that hold the words."""
    wanted = words_of(text)
    if not wanted:
        return []
    said = [(bet, [(*name, *words_of(bet.spot)) for name in names_of(bet.wager)]) for bet in bets]
    exact = [bet for bet, names in said if wanted in (*names, words_of(bet.spot))]
    return exact or [bet for bet, names in said if any(set(wanted) <= set(n) for n in names)]


# The names of things.


def _plain(text: str) -> str:
    return text.replace("'", "").replace("’", "")  # noqa: RUF001


def words_of(text: str) -> Words:
    # lowered one by one: a lowered text may fall into other words than it had (İa)
    return tuple(word.lower() for word in TOKEN.findall(_plain(text)))


@cache
def _names(*names: str) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(filter(None, map(words_of, names))))


def names_of(wager: Wager) -> tuple[Words, ...]:
    """Every name of a wager, in words."""
    return _names(wager.id, wager.title, *wager.also)


def title_of_label(game: Game, label: str) -> str:
    name, _, spot = label.partition(":")
    return game.by_id[name].titled(spot) if name in game.by_id else label


def either(names: Iterable[str], word: str = "or") -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def family(wager: Wager) -> tuple[str, str]:
    """`place_win_6` is number 6 of the family `place_win`, if its title says that number too."""
    stem, _, number = wager.id.rpartition("_")
    if stem and number.isdecimal() and all(digit in wager.title for digit in number):
        return stem, number
    return wager.id, ""


def families(wagers: Iterable[Wager]) -> list[list[Wager]]:
    """The wagers in their order, those of one family together."""
    once = list({wager.id: wager for wager in wagers}.values())
    return [list(group) for _, group in groupby(once, key=lambda wager: family(wager)[0])]


def family_title(wagers: list[Wager]) -> str:
    """What a family has in common: `Place to win`."""
    if len(wagers) == 1:
        return wagers[0].title
    titles = {re.sub(rf"\W{family(wager)[1]}$", "", wager.title) for wager in wagers}
    return titles.pop() if len(titles) == 1 else family(wagers[0])[0].replace("_", " ").capitalize()


def examples(table: Table) -> list[str]:
    """Two bets that can be made now, as one would say them: a short one, and one on a number.

    Where no wager has a number, the first two.
    """
    openings = list(table.openings(SEAT))
    plain = [each for each in openings if not each.spot and family(each.wager)[1] == ""]
    said = [_as_said(min(plain, key=_shortness))] if plain else []
    of_many = [each for each in openings if each.spot or family(each.wager)[1]]
    if of_many:
        stem = family(of_many[0].wager)[0]
        alike = [each for each in of_many if family(each.wager)[0] == stem]
        said.append(_as_said(alike[len(alike) // 2]))
    elif len(plain) > 1:
        said = [_as_said(each) for each in plain[:2]]
    return said or ["5 on …"]


def _shortness(opening: Opening) -> tuple[bool, int]:
    title = opening.wager.title
    return not title.isalpha(), len(title)


def _as_said(opening: Opening) -> str:
    return f"{whole_dollars(opening)} on {opening.spot or short_name(opening.wager)}"


def short_name(wager: Wager) -> str:
    """What people call it: `banker`, `4 cards`, `place 8`."""
    if wager.title.isalpha():
        return wager.title.lower()
    names = (wager.title, *wager.also)
    return min((each.lower() for each in names if each not in VERBS), key=len)


def whole_dollars(opening: Opening, least: int = 0) -> str:
    """The least amount in whole dollars, if there is one, that the wager may be set to."""
    step = lcm(opening.step, 100)
    amount = -(-max(opening.low, least) // step) * step
    return dollars(amount if amount <= opening.high else opening.low).removeprefix("$")


# What a wager pays, as printed.


def odds_now(table: Table, opening: Opening) -> Mapping[str, Odds]:
    """The odds that a wager made now is paid at, by line."""
    wager, spot = opening.wager, opening.spot
    posted = wager.pay_table(table.options)
    if wager.line_from:
        return {"win": posted[wager.line_from(table.state, spot)]}
    return posted or dict(_by_outcome(table, opening))


def _by_outcome(table: Table, opening: Opening) -> Iterator[tuple[str, Odds]]:
    """For a wager that is paid by a card: what each outcome would win."""
    game, options, covers = table.game, table.options, opening.covers
    for _, outcome in game.cases(covers, options):
        case = Case(outcome, table.state, options, opening.spot, covers)
        decision = opening.wager.decide(case)
        if decision.result is Result.WIN:
            net = opening.wager.net(decision, options)
            yield decision.line, Odds(net.numerator, net.denominator)


def pays(table: Table, openings: list[Opening]) -> str:
    """What a family of wagers pays: one sentence for all, or by number, or from least to most."""
    vigorish = {_vigorish(table, opening.wager) for opening in openings}
    posted = [odds_now(table, opening) for opening in openings]
    return _odds_of_all(openings, posted) + (vigorish.pop() if len(vigorish) == 1 else "")


def _vigorish(table: Table, wager: Wager) -> str:
    """What the house takes of it: `, less 5% vigorish`."""
    rule = wager.vigorish(table.options)
    if rule is None:
        return ""
    less = VIGORISH_ON.get(getattr(table.options, "scheme", ""), ", less {} vigorish")
    return less.format(f"{float(rule.rate):.0%}")


def _odds_of_all(openings: list[Opening], posted: list[Mapping[str, Odds]]) -> str:
    by_text: dict[str, list[str]] = {}
    for opening, odds in zip(openings, posted, strict=True):
        number = opening.spot or family(opening.wager)[1]
        by_text.setdefault(_by_line(odds), []).append(number)
    if len(by_text) == 1:
        return next(iter(by_text))
    if any(len(odds) > 1 for odds in posted):
        return _from_to(each for odds in posted for each in odds.values())
    return "; ".join(f"{text} on {', '.join(numbers)}" for text, numbers in by_text.items())


def _by_line(odds: Mapping[str, Odds]) -> str:
    if len(odds) > 5:
        return _from_to(odds.values())
    lines: dict[Odds, list[str]] = {}
    for line, each in odds.items():
        lines.setdefault(each, []).append(line.replace("_", " "))
    if len(lines) == 1:
        return str(next(iter(lines)))
    return "; ".join(f"{odds} on {', '.join(names)}" for odds, names in lines.items())


def _from_to(odds: Iterable[Odds]) -> str:
    ranked = sorted(odds)
    return f"from {ranked[0]} up to {ranked[-1]}"


def menu(table: Table) -> Iterator[tuple[str, str, str]]:
    """What may be bet now, a row for each family of wagers: its names, what it pays, amounts."""
    openings = list(_shown(table))
    for wagers in families(opening.wager for opening in openings):
        ids = {wager.id for wager in wagers}
        these = [opening for opening in openings if opening.wager.id in ids]
        names = f"{family_title(wagers)} {_spots_in_words(wagers, these)}"
        yield names, pays(table, these), limits(these)


def later(table: Table) -> Iterator[tuple[str, str, str]]:
    """What may be bet only beside another wager that does not lie there yet."""
    open_now = {opening.wager.id for opening in table.openings(SEAT)}
    for wager in table.game.offered(table.options):
        needs = wager.needs(table.options) if not wager.equals else ()
        if needs and wager.id not in open_now and not table.bets_of(SEAT, wager.id):
            others = either(table.game.by_id[id].title for id in needs)
            posted = _by_line(wager.pay_table(table.options))
            yield wager.title, posted, f"needs {others}"


def _shown(table: Table) -> Iterator[Opening]:
    """Of spots without end only the samples: a ticket on the layout may pay in a million ways."""
    for opening in table.openings(SEAT):
        if opening.wager.reads is None or opening.spot in opening.wager.shown(table.options):
            yield opening


def limits(openings: list[Opening]) -> str:
    if not openings:
        return "no amount"
    low, high = min(o.low for o in openings), max(o.high for o in openings)
    return f"{dollars(low)} to {dollars(high)}" if low < high else dollars(low)


def _spots_in_words(wagers: list[Wager], openings: list[Opening]) -> str:
    spots = [opening.spot for opening in openings]
    if len(wagers) == 1:
        return _run(spots)
    numbers = _run([family(wager)[1] for wager in wagers])
    return f"{numbers}, as in {spots[len(spots) // 2]}" if any(spots) else numbers


def _run(spots: list[str]) -> str:
    """All of them, or the first, the next and the last."""
    shown = ", ".join(spots)
    return shown if len(shown) < 30 else f"{', '.join(spots[:2])} … {spots[-1]}"


def by_odds(table: Table) -> Iterator[tuple[str, str, str]]:
    """The same beside a felt that shows the spots: a row for all that pay alike."""
    rows: dict[tuple[str, str], list[str]] = {}
    openings = list(_shown(table))
    for id in dict.fromkeys(opening.wager.id for opening in openings):
        these = [opening for opening in openings if opening.wager.id == id]
        one = these[len(these) // 2]
        row = rows.setdefault((pays(table, these), limits(these)), [])
        row.append(one.wager.titled(one.spot))
    for (odds, amounts), titles in rows.items():
        yield ", ".join(titles), odds, amounts


# What happens, as a dealer would say it.


def told(game: Game, event: Event) -> tuple[str, str]:
    """An event as a dealer would say it to the player, and the style in which it is printed."""
    data, seat = event.data, event.data.get("seat", SEAT)
    title = title_of_label(game, str(data.get("wager", "")))
    of_whom = title if seat == SEAT else f"{title} of seat {seat}"
    amount = dollars(int(data.get("amount") or 0))
    match event.kind:
        case "announce":
            return f'"{_to_you(data["text"])}"', "bold"
        case "step":
            return f"{_to_you(data['text'])}.", "dim"
        case "spin" | "throw" | "draw" | "look":
            of = hand_title(data["to"]) if "to" in data else event.kind.capitalize()
            return f"{of}: {shown(data)}", "bold"
        case "set_aside":
            return f"{hand_title(data['to'])}: {shown(data)}, which was set aside.", "bold"
        case "reveal":
            return f"{hand_title(data['hand'])}: {turned(data)}", "bold"
        case "decision":
            return _decided(seat, data), ""
        case "irregularity":
            return f"{data['what'].capitalize()}: {data['resolution']}.", ""
        case "wager" | "reduce":
            return f"{dollars(data['stake'])} on {of_whom}.", ""
        case "take_down":
            return f"{of_whom} is taken down.", ""
        case "collect":
            rest = f" and returns {dollars(data['returned'])}" if "returned" in data else ""
            return f"The dealer takes {amount}{rest}: {of_whom}.", ""
        case "pay":
            odds = f", {data['odds']}" if "odds" in data else ""
            return f"The dealer pays {amount}: {of_whom}{odds}.", ""
        case "return":
            return f"The dealer returns {of_whom}.", ""
        case "refund":
            return f"The dealer returns {amount} of {of_whom}.", ""
        case "vigorish" if data["how"] == "collected":
            owed = "you owe" if seat == SEAT else f"seat {seat} owes"
            return f"The dealer collects the vigorish that {owed}: {amount}.", ""
        case "vigorish":
            verb = {"taken": "takes", "marked": "marks"}[data["how"]]
            return f"The dealer {verb} vigorish of {amount}: {of_whom}.", ""
        case "complimentary_vigorish":
            form = f"complimentary vigorish form {data['form']}"
            return f"Vigorish of {amount} is not collected, and documented on {form}.", ""
        case "score":
            return f"{of_whom} has {data['to'].replace('-', ', ')}.", ""
        case "travel":
            return f"{of_whom} moves to {title_of_label(game, data['to'])}.", ""
    return happened({"kind": event.kind, **data}, SEAT), ""


def shown(data: Mapping[str, Any]) -> str:
    """What the equipment gave: `17`, `3-4`, `Kh`; a card may lie face down."""
    outcome = data.get("outcome", "face down")
    return "-".join(map(str, outcome)) if isinstance(outcome, list) else str(outcome)


def hand_title(hand: str) -> str:
    """Whose cards: `You`, `Seat 3`, `Dealer`, `Player`."""
    return whose(hand, SEAT)


def _to_you(text: str) -> str:
    """`Seat 1 is the curator` is said to whoever sits there."""
    for pattern, you in TO_YOU:
        text = re.sub(pattern, you, text)
    return text


TO_YOU = (
    (rf"\bSeat {SEAT} is\b", "You are"),
    (rf"\bSeat {SEAT} has\b", "You have"),
    (rf"\bSeat {SEAT} (\w+)s\b", r"You \1"),
    (rf"\bseat {SEAT}\b", "you"),
)


def _decided(seat: str, data: Mapping[str, Any]) -> str:
    """`Seat 3: draw or stand? Draw.`"""
    move = str(data["move"]).replace("_", " ")
    if "amount" in data:
        move += f" {dollars(data['amount'])}"
    if "cards" in data:
        move += f" at card {data['cards']}"
    if str(data["question"]).endswith("?"):
        return f"{hand_title(seat)}, {data['question']} {move.capitalize()}."
    return f"{hand_title(seat)}, {data['question']}: {move}."


def standing(table: Table) -> Iterator[str]:
    """What stands at the table between rounds: `point: 6`, `curator: you`, `last hand`."""
    state = table.view(SEAT)["state"]
    if isinstance(table.state, ShoeState):
        yield from _standing_at_a_shoe(state)
        return
    if isinstance(table.state, PackState):
        if state.get("meter") is not None:
            yield f"jackpot {dollars(int(state['meter']))}"
        return
    for name, value in state.items():
        if not isinstance(value, bool) and value != []:
            shown = " ".join(map(str, value)) if isinstance(value, list) else value
            shown = "you" if value == SEAT else "none" if value is None else shown
            yield f"{name.replace('_', ' ')}: {shown}"


def _standing_at_a_shoe(state: Mapping[str, Any]) -> Iterator[str]:
    """Who deals, and how near the end is; the rest is housekeeping."""
    if curator := state.get("curator"):
        yield "curator: you" if curator == SEAT else f"curator: seat {curator}"
    if state["last_hand"]:
        yield "last hand of this shoe"
    elif state["shuffle_due"] and state["opened"]:
        yield "the cards are shuffled next"


# Questions and their answers.


class Unfinished(ValueError):
    """A move that was named, but not with an amount that it can have."""


def read_move(ask: Ask, text: str) -> Any:
    """`play`, `pass dice`, `raise 20`, `cut 50`; a bare amount if only one move takes one.

    A number at the end of a name may be left out, if that leaves no other move: `withdraw`.
    """
    words = text.lower().replace("_", " ").split()
    names = [(name.split(), move) for move in ask.moves for name in _names_of_move(ask, move)]
    for said in (words, [word for word in words if word != "it"]):  # let it ride
        for name, move in sorted(names, key=lambda each: -len(each[0])):
            if said[: len(name)] == name:
                return _with_amount(ask, move, said[len(name) :])
    with_amount = [move for move in ask.moves if move.takes_amount]
    if len(with_amount) == 1 and any(map(str.isdecimal, words[0] if words else "")):
        return _with_amount(ask, with_amount[0], words)
    raise ValueError(f"say {either(move_in_words(ask, move) for move in ask.moves)}")


def _names_of_move(ask: Ask, move: Move) -> list[str]:
    """The whole name, and the shortest that is its alone."""
    whole, short = move.name.lower().replace("_", " "), _short(move)
    alone = [_short(each) for each in ask.moves].count(short) == 1
    return [whole, short] if alone else [whole, whole]


def _short(move: Move) -> str:
    return re.sub(r" \d+$", "", move.name.lower().replace("_", " "))


def _with_amount(ask: Ask, move: Move, words: list[str]) -> Any:
    """A move, with the amount that was said if it takes one."""
    name, said = _names_of_move(ask, move)[1], " ".join(words)
    if move.takes_cards:
        answer = read_pieces(ask, move, words)
        try:
            ask.check(answer)
        except Refusal as refusal:
            raise Unfinished(f"{refusal.message}: say {how_to_say(move, name)}") from None
        return answer
    if not move.takes_amount:
        if words and not move.costs:
            raise ValueError(f"{name} takes no amount: say {name}")
        if words and _amount(ask, move, said) != move.costs:
            costs = _measured(move, move.costs)
            raise Unfinished(f"{name} is {costs} here: say {name} [{move.cite or ask.cite}]")
        return move.name
    if not words and move.low == move.high:
        return {move.name: move.low}
    if not words:
        raise Unfinished(f"{name} how much? Say {move_in_words(ask, move)}")
    amount = _amount(ask, move, said)
    if amount not in range(move.low, move.high + 1, move.step):
        not_so = f"{name} {_measured(move, amount)} is not possible: say {move_in_words(ask, move)}"
        raise Unfinished(f"{not_so} [{move.cite or ask.cite}]")
    return {move.name: amount}


def _amount(ask: Ask, move: Move, said: str) -> int:
    """In dollars, unless the move is measured in something else: `50 cards`."""
    if move.unit == "cents":
        try:
            return cents(said)
        except ValueError as why:
            raise Unfinished(str(why)) from None
    number = said.removesuffix(move.unit).strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        needed = move_in_words(ask, move)
        raise Unfinished(f"{said!r} is not a number of {move.unit}: say {needed}")
    return int(number)


def _measured(move: Move, amount: int) -> str:
    return dollars(amount) if move.unit == "cents" else str(amount)


FEW = 3  # amounts that are named one by one


def move_in_words(ask: Ask, move: Move) -> str:
    """`fold`, `bet $20`, `bet $30 or $40`, `raise $5 to $20`, `cut 10 to 406`."""
    name = _names_of_move(ask, move)[1]
    if move.takes_cards:
        return how_to_say(move, name)
    if not move.takes_amount:
        return f"{name} {_measured(move, move.costs)}" if move.costs else name
    amounts = range(move.low, move.high + 1, move.step)
    if len(amounts) <= FEW:
        return f"{name} {either(_measured(move, amount) for amount in amounts)}"
    low, high = _measured(move, move.low), _measured(move, move.high)
    step = f" in steps of {_measured(move, move.step)}" if move.step > 1 else ""
    return f"{name} {low} to {high}{step}"


def question(ask: Ask, about: Mapping[str, str] = {}) -> tuple[str, str]:
    """`The dice are offered`, and `[accept] / decline`, what Enter does being in brackets.

    There may be something to say `about` a move: `withdraw ($10 of Base 1)`.
    """
    moves = []
    for move in ask.moves:
        words = move_in_words(ask, move)
        words += f" ({about[move.name]})" if move.name in about else ""
        moves.append(f"[{words}]" if move.name == ask.default else words)
    words = " / ".join([*moves, *["always"] * ask.offer])
    return f"{ask.question[:1].upper()}{ask.question[1:]}", words


def explain(settled: Settlement, options: Any) -> str:
    """Why a wager was settled as it was: the odds applied, in money."""
    decision, net = settled.decision, settled.net
    stake = dollars(settled.stake)
    there = settled.bet.wager.titled(decision.moves_to) if decision.moves_to else ""
    if settled.result is Result.STANDING:
        return f"not decided; {stake} stands" + (f" and moves to {there}" if there else "")
    line = decision.line.replace("_", " ")
    on = "" if line == settled.result.value else f"{line}: "
    each = settled.bet.wager.net(replace(decision, charged=False), options)
    posted = settled.bet.wager.pay_table(options)
    if posted and decision.line not in posted and each > 0:  # a prize, and not odds
        text = f"{stake} wins {dollars(settled.gross)}, and comes back"
    elif settled.result is Result.WIN or each > 0:
        text = _won(settled, each)
    elif settled.vigorish:
        text = f"{stake} comes back, less vigorish of {dollars(settled.vigorish)}"
    elif -net == settled.stake:
        text = f"{stake} is lost"
    elif net:
        text = f"{dollars(-net)} of {stake} is lost, and {dollars(settled.stake + net)} comes back"
    else:
        text = f"{stake} comes back, neither won nor lost"
    return f"{on}{text}" + (f"; the rest stands as {there}" if there else "")


def _won(settled: Settlement, each: Fraction) -> str:
    """`$5 at 35 to 1 wins $175`, and what vigorish, a limit or a rounding made of it."""
    odds = Odds(each.numerator, each.denominator)
    if on := settled.bet.wager.paid_on:  # a bonus, on which nothing was staked
        return f"{odds} on the {on.replace('_', ' ')} wager wins {dollars(settled.gross)}"
    stake, exact = dollars(settled.stake), settled.stake * each
    if exact != settled.gross:
        paid = dollars(settled.stake + settled.net)
        return f"{stake} at {odds} would win {dollars(int(exact))}; {paid} is paid in all"
    sum_ = f" ({stake} / {odds.per} × {odds.win})" if odds.per > 1 else ""  # noqa: RUF001
    less = f", less vigorish of {dollars(settled.vigorish)}" if settled.vigorish else ""
    won = f"{stake} at {odds} wins {dollars(settled.gross)}{sum_}{less}"
    return f"{won}, and the {stake} comes back"
