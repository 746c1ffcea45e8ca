"""The rules of a table in plain words, as they follow from the game itself.

What a wager wins on is asked of the wager's own rule, outcome by outcome; the
procedure is told by a round that is dealt here and now; what an option may be
is asked of the game. Nothing is said here that the table would not do.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from croupier.equipment import Device, dollars
from croupier.rulebook import (
    Case,
    Draw,
    Event,
    Game,
    May,
    Play,
    Refusal,
    Request,
    Result,
    Table,
    Wager,
    onward,
)
from croupier.rulebook.options import Money, MoneyRange, Option, Schedule
from croupier.rulebook.wager import covered
from croupier.server import models

SEED = 7  # of the round that is dealt as an example
CITED = re.compile(r"^\d[^:]*: *")  # what a rule's own words may begin with
MOST_NAMED = 18  # outcomes that a sentence has room for


def rules(game: Game, options: Any) -> models.Rules:
    changed = chosen(game, options)
    return models.Rules(
        game=game.id,
        title=game.title,
        citation=str(game.cite),
        about=game.in_words,
        procedure=procedure(game, options),
        wagers=[
            models.RuledWager(
                id=wager.id, title=wager.title, citation=str(wager.cite),
                paid_by=str(wager.payment_rule(options)), offered=wager.offered(options),
                pays=pay_lines(wager, options), text=in_a_sentence(game, wager, options),
            )
            for wager in game.wagers
        ],
        options=[ruled(game, options, option, changed) for option in options.all().values()],
        irregularities=[
            models.RuledIrregularity(
                id=kind, trigger=rule.trigger, resolution=rule.says, citation=str(rule.cite)
            )
            for kind, rule in game.resolutions(options).items()
        ],
    )  # fmt: skip


def said(name: str) -> str:
    """`three_of_a_kind` is said three of a kind."""
    return name.replace("_", " ")


def listed(words: Iterable[str], last: str = "or") -> str:
    """2, 3 or 12."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def pay_lines(wager: Wager, options: Any) -> list[models.PayLine]:
    table = wager.pay_table(options)
    return [models.PayLine(line=said(line), odds=str(odds)) for line, odds in table.items()]


# Options.


def chosen(game: Game, options: Any) -> dict[str, Any]:
    """What a licensee must say to have this table; the rest follows, or is the default."""
    given: dict[str, Any] = options.as_json()
    for name, value in [*given.items()]:
        rest = {other: each for other, each in given.items() if other != name}
        if not game.check(rest) and game.options(rest).as_json()[name] == value:
            given = rest
    return given


def shown(option: Option[Any], value: Any) -> str:
    """A value as people read it; `value` is as scripts write it."""
    if isinstance(option, Money) or (isinstance(value, int) and "in cents" in option.title):
        return dollars(value)
    if isinstance(option, MoneyRange):
        return " to ".join(dollars(int(bound)) for bound in str(value).split("-"))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{said(str(key))}: {_one(each)}" for key, each in value.items())
    return listed(map(_one, value), "and") if isinstance(value, list) else _one(value)


def _one(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} pays {each}" for key, each in value.items())
    return said(str(value))


def ruled(
    game: Game, options: Any, option: Option[Any], changed: Mapping[str, Any]
) -> models.RuledOption:
    value = option.show(getattr(options, option.id))
    ends = not option.lawful or len(option.values) > 1
    return models.RuledOption(
        id=option.id,
        title=option.title or said(option.id),
        value=value,
        shown=_card(getattr(options, option.id)) if isinstance(option, Schedule)
        else shown(option, value),
        default=option.id not in changed,
        values=list(_values(game, option, value, changed)) if ends else [],
        lawful=option.lawful or None,
        citation=str(option.cite),
    )  # fmt: skip


def _card(card: Mapping[int, Mapping[int, Any]]) -> str:
    """A keno card: what is paid for one, by spots and catches."""
    return "; ".join(
        f"{spots} spot{'s' * (spots != 1)}: "
        + ", ".join(f"{caught} pays {pays} for 1" for caught, pays in row.items())
        for spots, row in card.items()
    )


def _values(
    game: Game, option: Option[Any], now: Any, changed: Mapping[str, Any]
) -> Iterator[models.OptionValue]:
    several = now if isinstance(now, list) else [now]
    for value in option.values:
        wrong = next(iter(game.check({**changed, option.id: value})), None)
        yield models.OptionValue(
            value=value, shown=shown(option, value), chosen=value in several, lawful=wrong is None,
            why=wrong.message if wrong else None,
            citation=str(wrong.cite if wrong else option.cite),
        )  # fmt: skip


# Wagers.


def in_a_sentence(game: Game, wager: Wager, options: Any) -> str | None:
    """What it wins on and when it may be made, as far as the game itself tells."""
    parts = [*_decided(game, wager, options), *_made(game, wager, options)]
    return " ".join(parts) or None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _made(game: Game, wager: Wager, options: Any) -> Iterator[str]:
    def title(name: str) -> str:
        return game.by_id[name].title.lower().removesuffix(" wager")

    if wager.supports:
        yield f"Made behind a {title(wager.supports)} wager."
    if wager.against:
        yield f"Made against the {title(wager.against)} wager of another player."
    if wager.equals:
        yield f"It must equal the {title(wager.equals)} wager."
    elif needs := wager.needs(options):
        yield f"Only beside the {listed(map(title, needs))} wager."
    if wager.paid_on:
        yield f"Nothing is staked on it: it is paid on the {title(wager.paid_on)} wager."
        return
    spot = next(iter(wager.shown(options)), "")
    window = wager.window(game.State(), spot, options)
    if window.may is not May.ANYTHING:
        yield _sentence(window.reason)


def _decided(game: Game, wager: Wager, options: Any) -> Iterator[str]:
    """In the words of its rule; else by what it covers, what the dice do, or what it pays on."""
    doc = " ".join((wager.decide.__doc__ or "").partition("\n\n")[0].split())
    doc = CITED.sub("", doc) if wager.decide is not covered else ""
    if game.family == "wheel":
        yield from _by_stops(game, wager, options)
    if doc and not doc[0].isdigit():
        yield _sentence(doc)
    elif game.family == "dice":
        yield from _by_dice(game, wager, options)
    elif len(lines := wager.pay_table(options)) > 1:
        yield f"Paid on {listed(map(said, lines))}."


def _results(game: Game, wager: Wager, options: Any) -> Mapping[Result, list[str]]:
    """What each outcome does to the wager, in a situation in which it is made and not off."""
    spot, covers = next(iter(wager.shown(options).items()))
    found: defaultdict[Result, list[str]] = defaultdict(list)
    device: Device[Any] = game.device(options)
    for _, state in game.situations(wager, spot, options):
        if wager.window(state, spot, options).may is not May.ANYTHING:
            continue
        found.clear()
        for _, outcome in device.ways():
            case = Case(outcome, state, options, spot=spot, covers=covers)
            found[wager.decide(case).result].append(str(outcome))
        if found.keys() - {Result.STANDING}:
            break
    return found


def _by_stops(game: Game, wager: Wager, options: Any) -> Iterator[str]:
    """A wheel: by the stops that win."""
    if not wager.is_always_open:
        return
    stops = sorted(_results(game, wager, options)[Result.WIN], key=_in_order)
    if len(wager.shown(options)) > 1:
        yield f"Wins on {_count(len(stops), 'the stop', 'any of the {} stops')} that it names."
    elif stops == [wager.id]:
        yield "Wins if the wheel stops at it."
    elif len(stops) <= MOST_NAMED:
        yield f"Wins on {listed(stops)}."
    else:
        yield f"Wins on {len(stops)} of {len(game.device(options).outcomes())} stops."


def _count(number: int, one: str, several: str) -> str:
    return one if number == 1 else several.format(number)


def _in_order(stop: str) -> tuple[int, str]:
    return int(stop) if stop.isdecimal() else 0, stop


def _by_dice(game: Game, wager: Wager, options: Any) -> Iterator[str]:
    """By what the next throw does to it."""
    if wager.supports:
        return
    found = _results(game, wager, options)
    every = [throw for throws in found.values() for throw in throws]
    verbs = {Result.WIN: "wins on", Result.LOSE: "loses on", Result.VOID: "is returned on"}
    stands = Result.STANDING in found
    told = {verb: _totals(found[result], every) for result, verb in verbs.items() if found[result]}
    if not stands and told.get("wins on"):
        yield f"Wins on {told['wins on']}, and loses on any other throw."
    elif stands and told and all(told.values()):
        words = [f"{verb} {on}" for verb, on in told.items()]
        yield f"On the next throw it {listed(words, 'and')}; any other leaves it standing."


def _totals(throws: list[str], every: list[str]) -> str:
    """`7 or 11`, `4 to 10 other than 2-2-2 or 3-3-3`, `2-2`; nothing if it would be long."""
    whole, but, single = list[int](), list[str](), list[str]()
    for total, some in groupby(sorted(every, key=_total), _total):
        here = [*some]
        won = [throw for throw in here if throw in throws]
        if 3 * len(won) >= 2 * len(here):
            whole.append(total)
            but += [throw for throw in here if throw not in throws]
        else:
            single += won
    if len(throws[0]) > len("1-1") and (single or len(throws) == 1):
        whole, but, single = [], [], throws  # three ones are not 3
    if len(single) > MOST_NAMED:
        return ""
    named = listed([*map(str, _runs(whole)), *single])
    return f"{named} other than {listed(but)}" if but else named


def _total(throw: str) -> int:
    return sum(map(int, throw.split("-")))


def _runs(totals: list[int]) -> list[str]:
    """4, 5, 6, 9 is 4 to 6, 9."""
    runs = [[at for _, at in run] for _, run in groupby(enumerate(totals), lambda e: e[1] - e[0])]
    return [
        part
        for run in runs
        for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]


# The procedure.


def procedure(game: Game, options: Any) -> list[models.Step]:
    """A round as it is dealt at such a table, step by step, each said once."""
    for players in (1, 4):  # where players play against one another, one is not enough
        table = Table(game, options.as_json())
        _play(table, players)
        if table.settlements:
            break
    steps: dict[str, models.Step] = {}
    for event in table.events:
        if text := _step(event, alone=players == 1):
            cite = str(event.cite) if event.cite else None
            steps.setdefault(text, models.Step(text=text, citation=cite))
    return [*steps.values()]


def _play(table: Table, players: int) -> None:
    for seat in table.positions[:players]:
        for opening in [*table.openings(seat)]:
            table.bet(seat, opening.wager.label(opening.spot), opening.low)
            table.game.accompany(table, seat)
            if _may_be_played(table, seat):
                break
    play, chance = Play(table), random.Random(SEED)
    while play.request is not None:
        play.answer(_answer(play.request, chance))


def _may_be_played(table: Table, seat: str) -> bool:
    """Whether nothing must lie beside what the seat has wagered."""
    try:
        table.game.check_wagers(table, seat)
    except Refusal:
        return False
    return True


def _answer(request: Request, chance: random.Random) -> Any:
    """Whoever is asked goes on, where they may."""
    if isinstance(request, Draw):
        outcomes = request.device.outcomes()
        return request.device.say(outcomes[chance.randrange(len(outcomes))])
    return onward(request)


def _step(event: Event, *, alone: bool) -> str:
    """An event as a step of the procedure, whoever it happens to."""
    text = STEPS.get(event.kind, _nothing)(event.data)
    return text.replace("Seat 1", "A player").replace("seat 1", "a player") if alone else text


def _nothing(data: Mapping[str, Any]) -> str:
    return ""


def _dealt(data: Mapping[str, Any]) -> str:
    if "to" not in data:
        return "A number is drawn"
    down = "" if "outcome" in data else ", face down"
    return f"A card is dealt to {_whose(data['to'])}{down}"


def _whose(hand: str) -> str:
    if hand.isdecimal():
        return f"seat {hand}"
    return HANDS.get(hand, said(hand))


HANDS = {
    "dealer": "the dealer", "board": "the board", "player": "the Player's Hand",
    "banker": "the Banker's Hand", "burn": "the discards, burnt",
    "first": "the table, the first", "second": "the table, the second",
    "third": "the table, the third",
}  # fmt: skip
SETTLED = "Every wager is settled: what has lost is collected, and what has won is paid"
STEPS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "wager": lambda data: "Players make their wagers",
    "announce": lambda data: f'The dealer announces "{data["text"]}"',
    "step": lambda data: str(data["text"]),
    "spin": lambda data: "The wheel stops",
    "throw": lambda data: "The dice come to rest",
    "draw": _dealt,
    "reveal": lambda data: f"The cards are turned: {_whose(data['hand'])}",
    "decision": lambda data: f"Each player is asked: {data['question']}",
    "vigorish": lambda data: f"Vigorish is {data['how']}",
    **dict.fromkeys(("collect", "pay", "return"), lambda data: SETTLED),
}
