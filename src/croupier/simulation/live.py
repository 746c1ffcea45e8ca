"""The faithful path: real rounds at a real table, with a seed for chance.

Every round is the one that a live table plays: the same wagers accepted and
refused, the same draws from the same equipment, every question asked, shoes
that are dealt down to the cut card, a meter that grows. It is slow, and it
shares nothing with the engines but the rules, so it is the second opinion on
all of them.

A wager is made whenever it is open and stays until it is decided. Wagers that
cannot lie side by side, or that would change each other, are made at tables of
their own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.report import Watch, analyze
from croupier.analysis.showdown import Poker
from croupier.equipment import Card
from croupier.rulebook import (
    BOARD,
    DEALER,
    PUSH,
    Ask,
    Bet,
    Choice,
    Fault,
    Game,
    May,
    PokerGame,
    Refusal,
    Result,
    Settlement,
    ShoeGame,
    Table,
    Wager,
    by_chance,
    play_round,
)
from croupier.rulebook.refusal import brief
from croupier.simulation.engine import Ending
from croupier.simulation.strategies import Seen, Strategy, in_words, optimal
from croupier.simulation.streams import SeededStream

NOT_OPEN = (Fault.NOT_NOW, Fault.NO_SUPPORT)  # the wager cannot be made now, at any amount
LONGEST = 100_000  # rounds for which wagers that stand at the end are waited for
PASS_SHOE = "pass_shoe"


class Proposition(NamedTuple):
    """What is wagered under one label: one wager, or several in equal amounts."""

    label: str
    wagers: tuple[Wager, ...]
    spots: tuple[str, ...] = ("",)  # all alike, and taken in turn
    is_counted: bool = True  # and not made only because another needs it

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(wager.id for wager in self.wagers)


@dataclass
class Made:
    """A proposition that lies on the layout: when it was made, and what has become of it."""

    proposition: Proposition
    number: int  # of the round
    stake: int  # of one wager
    decided: list[Settlement] = field(default_factory=list)


Key = tuple[str, str, str]  # of a bet: seat, wager and spot
Found = Mapping[str, list[tuple[int, Ending]]]  # by label: the round it was made in, the ending


class LiveRounds:
    """An engine that plays the rounds themselves.

    Its endings are those that have come up so far. `tally` counts them by what they are, for
    whoever adds up chunks that were played in different places.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        labels: Sequence[str] = (),
        *,
        strategy: Strategy | None = None,
        stake: int | None = None,
        watch: Watch | None = None,
    ) -> None:
        """With a `stake` in cents that is what is wagered; without, the least that is exact."""
        if stake is not None and stake < 1:
            raise Refusal(Fault.BAD_AMOUNT, f"{stake} is not a stake: it must be above zero")
        self.game, self.options, self.stake = game, options, stake
        self.given = options.as_json()
        self.poker = Poker(game, options, watch=watch) if isinstance(game, PokerGame) else None
        wanted = list(_propositions(game, options, labels))
        self.labels = tuple(each.label for each in wanted)
        self.tables = [_complete(game, group) for group in _apart(game, options, wanted)]
        self.strategy = strategy or optimal(game, options)
        self.stakes: dict[tuple[str, str], int] = {}  # by label and spot
        self._numbers: dict[str, dict[Ending, int]] = {label: {} for label in self.labels}
        self._lock = Lock()

    @property
    def endings(self) -> Mapping[str, tuple[Ending, ...]]:
        """Those that have come up so far, in that order."""
        return {label: tuple(found) for label, found in self._numbers.items()}

    def tally(self, seed: int, chunk: int, rounds: int) -> dict[str, Counter[Ending]]:
        """How often each ending came."""
        found = self._found(seed, chunk, rounds)
        return {label: Counter(ending for _, ending in found[label]) for label in self.labels}

    def count(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int64]]:
        """The same by the numbers of the endings."""
        played = self.play(seed, chunk, rounds)
        sizes = {label: len(self._numbers[label]) for label in self.labels}
        return {
            label: np.bincount(ends[ends >= 0], minlength=sizes[label]).astype(np.int64)
            for label, ends in played.items()
        }

    def play(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int32]]:
        """How the wager came out that was made in each round; -1 where none was."""
        found = self._found(seed, chunk, rounds)
        played = {}
        for label in self.labels:
            ends = played[label] = np.full(rounds, -1, np.int32)
            for number, ending in found[label]:
                ends[number] = self._number(label, ending)
        return played

    def _number(self, label: str, ending: Ending) -> int:
        numbers = self._numbers[label]
        with self._lock:
            return numbers.setdefault(ending, len(numbers))

    def _found(self, seed: int, chunk: int, rounds: int) -> Found:
        found: defaultdict[str, list[tuple[int, Ending]]] = defaultdict(list)
        for at, group in enumerate(self.tables):
            number = 2 * (chunk * len(self.tables) + at)  # a stream each for table and players
            streams = SeededStream(seed, number), SeededStream(seed, number + 1)
            for label, made_in, ending in Sitting(self, group, *streams).play(rounds):
                found[label].append((made_in, ending))
        return found


class Sitting:
    """One table, and those who play at it."""

    def __init__(
        self,
        live: LiveRounds,
        group: Sequence[Proposition],
        chance: SeededStream,
        own: SeededStream,
    ) -> None:
        self.live, self.group, self.own = live, group, own
        self.game, self.options = live.game, live.options
        self.table = Table(live.game, live.given)
        self.answer = by_chance(chance, self.decide)
        self.seats = self._seated()
        self.number = 0  # of the round
        self.turn: Counter[str] = Counter()  # how often each proposition was made
        self.lying: dict[Key, Made] = {}
        self.paths: defaultdict[str, list[Choice]] = defaultdict(list)  # what each seat decided

    def _seated(self) -> list[str]:
        """One player; where players play against one another, as many as it takes."""
        game = self.game
        if not (isinstance(game, ShoeGame) and game.duel(self.options)):
            return self.table.positions[:1]
        seated = self.table.positions[: max(2, getattr(self.options, "min_seated", 2))]
        for seat in seated:
            self.table.sit(seat, f"player {seat}")
        return seated[:2]

    def play(self, rounds: int) -> Iterator[tuple[str, int, Ending]]:
        """So many rounds, and then on without new wagers until the last one is decided."""
        for number in range(rounds):
            yield from self.round(number)
        for _ in range(LONGEST):
            if not self.lying:
                return
            yield from self.round(None)
        raise RuntimeError(f"{next(iter(self.lying))} is not decided after {LONGEST} rounds")

    def round(self, number: int | None) -> Iterator[tuple[str, int, Ending]]:
        self.table.open_betting()
        self.paths.clear()
        if number is not None:
            self.number = number
            for each in self.group:
                self.wager(each, number)
        play_round(self.table, self.answer)
        yield from self.settled()

    # Wagers.

    def wager(self, each: Proposition, number: int) -> None:
        """Make it, if it is open: on the next of its spots, or on each that chance has dealt."""
        first, *_ = each.wagers
        dealt = first.dealt is not None
        turn = self.turn[each.label] % len(each.spots)
        for spot in each.spots if dealt else each.spots[turn : turn + 1]:
            for seat in self.seats:
                if self._make(each, seat, spot, number):
                    self.turn[each.label] += 1
                    break

    def _make(self, each: Proposition, seat: str, spot: str, number: int) -> bool:
        table = self.table
        first, *others = each.wagers
        if (seat, first.id, spot) in table.bets:
            return False
        if first.keeps_score and table.bets_of(seat, first.id):
            return False
        if first.window(table.state, spot, self.options).may is not May.ANYTHING:
            return False
        flat = table.bets.get((seat, first.supports, spot)) if first.supports else None
        if first.supports and flat is None:
            return False
        try:
            stake = self.behind(first, spot, flat) if flat else self.stake(each, spot)
            table.bet(seat, first.label(spot), stake)
        except Refusal as refusal:
            if refusal.fault in NOT_OPEN:
                return False
            raise
        for wager in others:
            table.bet(seat, wager.id, stake)
        self.game.accompany(table, seat)
        if each.is_counted:
            made = Made(each, number, stake)
            self.lying |= {(seat, wager.id, spot): made for wager in each.wagers}
        return True

    def stake(self, each: Proposition, spot: str) -> int:
        """The stake that was asked for, or the least at which nothing has to be rounded."""
        kept = self.live.stakes
        if (each.label, spot) not in kept:
            covers = each.wagers[0].spot(spot, self.options)[1]
            limits = each.wagers[0].limits(self.options, covers)
            family = {
                other.id: other
                for wager in each.wagers
                for other in _family(self.game, wager, self.options)
            }
            asked = self.live.stake
            if asked is None or limits[0] == limits[1]:
                asked = self._least(*limits, [*family.values()], spot, covers)
            kept[each.label, spot] = asked
        return kept[each.label, spot]

    def behind(self, wager: Wager, spot: str, flat: Bet) -> int:
        """Odds behind a flat wager: the least that can be paid."""
        assert wager.ceiling is not None
        most = wager.ceiling(self.options, self.table.state, spot, flat.stake)
        return self._least(1, most, [wager], spot, ())

    def _least(self, low: int, high: int, wagers: list[Wager], spot: str, covers: Any) -> int:
        if low == high:
            return low
        units = [_payable(wager, self.table, spot, covers) for wager in wagers]
        step = lcm(self.options.increment, *units)
        least = -(-low // step) * step
        return least if least <= high else low

    # Decisions.

    def decide(self, ask: Ask) -> Any:
        """What whoever is asked does."""
        if ask.offer:
            return self.offered(ask)
        if isinstance(self.game, PokerGame):
            return self.in_poker(self.game, ask)
        assert isinstance(self.game, ShoeGame)
        looks = self.in_duel if self.game.duel(self.options) else self.in_shoe
        decided = self.asked(looks(self.game, ask))
        move = next(each for each in ask.moves if each.name == decided)
        return {move.name: move.high} if move.takes_amount else move.name

    def offered(self, ask: Ask) -> Any:
        """What need not be answered is left as it is, but for a wager that is to be made.

        A bank is passed on, for it would have to stay as it has grown.
        """
        for move in ask.moves:
            for each in self.group:
                if move.takes_amount and move.name in each.names and each.is_counted:
                    stake = self.live.stake or move.low
                    self.lying[ask.seat, move.name, ""] = Made(each, self.number, stake)
                    return {move.name: stake}
        passes = len(self.seats) > 1 and any(move.name == PASS_SHOE for move in ask.moves)
        return PASS_SHOE if passes else ask.default

    def asked(self, seen: Seen) -> str:
        """What the strategy does; it must be something that may be done."""
        move = self.live.strategy.decide(seen)
        if move not in seen.moves:
            message = f"{self.live.strategy.name} answered {brief(move)} {seen}"
            raise Refusal(Fault.ILLEGAL_MOVE, message, self.game.cite)
        return move

    def in_poker(self, game: PokerGame, ask: Ask) -> Any:
        table, seat = self.table, ask.seat
        decided, path = table.state.decided, self.paths[seat]
        stage = game.stages(self.options)[decided]
        choices = {str(choice): choice for choice in stage.choices}
        cards, board = tuple(table.hands[seat]), tuple(table.hands[BOARD][: stage.board])
        seen = Seen(
            game.id, ask.question, tuple(choices), cards, board, tuple(self.cards_shown(DEALER)),
            in_words(game, cards, board), decided, tuple(map(str, path)), self.live.given,
            chance=self.own,
        )  # fmt: skip
        choice = choices[self.asked(seen)]
        path.append(choice)
        move = next(each for each in ask.moves if each.name == choice.move)
        amount = choice.times * game.first_stake(table, seat)
        return {move.name: amount} if move.takes_amount else move.name

    def in_shoe(self, game: ShoeGame, ask: Ask) -> Seen:
        """The deal as its cards have come, one after another."""
        deal = game.begin()
        for card in self.cards_shown():
            deal = game.dealt(deal, game.value(card))
        moves = tuple(move.name for move in ask.moves)
        return Seen(game.id, ask.question, moves, hand=game.situation(deal),
                    options=self.live.given, deal=game.sight(deal), chance=self.own)  # fmt: skip

    def in_duel(self, game: ShoeGame, ask: Ask) -> Seen:
        """The player sees his own two cards; the banker also the player's third, if he drew."""
        hands, moves = self.table.hands, tuple(move.name for move in ask.moves)
        is_banker = ask.seat == self.table.state.banker
        deal = game.begin()
        for pair in zip(hands["player"][:2], hands["banker"][:2], strict=True):
            for card in pair:
                deal = game.dealt(deal, game.value(card))
        third = hands["player"][2:]
        if is_banker:
            deal = game.moved(deal, "draw" if third else "stand")
            for card in third:
                deal = game.dealt(deal, game.value(card))
        cards = tuple(hands["banker" if is_banker else "player"][:2])
        return Seen(game.id, ask.question, moves, cards, up=tuple(third), hand=game.situation(deal),
                    stage=int(is_banker), options=self.live.given, deal=game.sight(deal),
                    chance=self.own)  # fmt: skip

    def cards_shown(self, to: str = "") -> Iterator[Card]:
        """The cards of this round that lie face up, in the order in which they were dealt."""
        for event in self.table.events:
            if event.kind == "draw" and "outcome" in event.data:
                whose = event.data.get("to", "")
                if whose == to or not (to or whose == "burn"):
                    yield Card.parse(event.data["outcome"])

    # How it came out.

    def settled(self) -> Iterator[tuple[str, int, Ending]]:
        """What this round has decided, and where the rest lies now."""
        touched: dict[int, Made] = {}
        moved: dict[Key, Made] = {}
        for settled in self.table.settlements:
            bet = settled.bet
            made = self.lying.get((bet.seat, bet.wager.joins or bet.wager.id, bet.spot))
            if made is None:
                continue
            if settled.result is not Result.STANDING:
                made.decided.append(settled)
                touched[id(made)] = made
            if settled.decision.moves_to is not None:
                del self.lying[bet.key]
                moved[bet.seat, bet.wager.id, settled.decision.moves_to] = made
        self.lying |= moved
        for made in touched.values():
            keys = [key for key, each in self.lying.items() if each is made]
            if not any(key in self.table.bets for key in keys):
                for key in keys:
                    del self.lying[key]
                yield made.proposition.label, made.number, self.ending(made)

    def ending(self, made: Made) -> Ending:
        settled, names = made.decided, made.proposition.names
        path = self.paths[settled[0].bet.seat]
        taken_back = {choice.withdraws for choice in path}
        net = Fraction(sum(each.net for each in settled), made.stake)
        staked = sum(each.stake for each in settled if each.bet.wager.id not in taken_back)
        return Ending(self.line(settled, names, path, net), net, Fraction(staked, made.stake))

    def line(
        self, settled: Sequence[Settlement], names: Sequence[str], path: list[Choice], net: Fraction
    ) -> str:
        """As the exact analysis names it."""
        poker = self.live.poker
        if poker is not None and names[0] == poker.main:
            judged = dict.fromkeys((wager.id for wager in poker.hand_wagers), PUSH)
            judged |= {each.bet.wager.id: each.decision for each in settled}
            return poker.line(path, judged)
        folds = bool(path) and path[-1].folds
        if poker is not None and folds and names[0] in poker.game.forfeited(self.options):
            return "folded"
        if settled[0].decision.share != 1:
            return f"net_{net}"
        order = self.game.rank
        ranked = sorted(
            settled,
            key=lambda each: (each.bet.wager.id not in names, order[each.bet.wager.id]),
        )
        lines = [each.decision.line for each in ranked]
        return lines[0] if len({*lines}) == 1 else "+".join(lines)


# What is wagered.


def _propositions(game: Game, options: Any, labels: Sequence[str]) -> Iterator[Proposition]:
    """Every label that the exact analysis reports on, or those named."""
    if isinstance(game, PokerGame):
        poker = Poker(game, options)
        named = labels or [wager.id for wager in game.offered(options) if not wager.joins]
        ids = [
            poker.main if (wager := game.wager(label, options)) in poker.hand_wagers else wager.id
            for label in named
        ]
        for name in dict.fromkeys(ids):
            yield Proposition(name, (game.by_id[name],))
        return
    for report in analyze(game, options, labels):
        names = report.label.split("+") if isinstance(game, ShoeGame) else (report.wager.id,)
        yield Proposition(report.label, tuple(game.by_id[name] for name in names), report.choices)


def _apart(
    game: Game, options: Any, wanted: Sequence[Proposition]
) -> Iterator[Sequence[Proposition]]:
    """In as few groups as can lie side by side without changing each other."""
    groups: list[list[Proposition]] = []
    for each in wanted:
        for group in groups:
            if not any(_exclude(game, options, each, other) for other in group):
                group.append(each)
                break
        else:
            groups.append([each])
    yield from groups


def check_beside(game: Game, options: Any, labels: Sequence[str]) -> None:
    """Refuse wagers that one player cannot make together, or that would change each other."""
    wanted = list(_propositions(game, options, labels))
    for one, other in combinations(wanted, 2):
        if _exclude(game, options, one, other):
            message = (
                f"{one.label} and {other.label} change each other, or cannot lie side by side: "
                "look at one of them at a time"
            )
            raise Refusal(Fault.NOT_NOW, message, other.wagers[0].cite)


def _exclude(game: Game, options: Any, one: Proposition, other: Proposition) -> bool:
    names = {*one.names, *other.names}
    if set(one.names) & set(other.names):
        return True
    if isinstance(game, PokerGame):  # a fold would lose what can also be wagered alone
        lost = set(game.forfeited(options))
        alone = [each for each in (one, other) if not each.wagers[0].rests_on]
        return game.main[0] in names and len(alone) == 2 and names <= lost
    if isinstance(game, ShoeGame):
        if game.duel(options):  # one player covers the bank in one way
            return all(each.wagers[0].against for each in (one, other))
        # Wagers that are worth something else side by side are made together or apart.
        beside = [{*label.split("+")} for label in game.combined(options)]
        return len(names) > 2 or any(names <= some for some in beside)
    return False


def _complete(game: Game, group: Sequence[Proposition]) -> list[Proposition]:
    """With what the others rest on, in the order in which they can be made."""
    there = {name for each in group for name in each.names}
    needed = []
    for each in group:
        for wager in each.wagers:
            if wager.after and not wager.equals and not there & set(wager.after):
                first = game.by_id[wager.after[0]]
                needed.append(Proposition(first.id, (first,), is_counted=False))
                there.add(first.id)
    return sorted(
        [*needed, *group],
        key=lambda each: bool(each.wagers[0].after) and not each.wagers[0].equals,
    )


def _family(game: Game, wager: Wager, options: Any) -> list[Wager]:
    """A wager, and those whose stakes go by it."""

    def below(each: Wager) -> set[str | None]:
        return {each.joins, each.equals, each.against, *each.rests_on}

    return [
        each
        for each in game.offered(options)
        if each is wager or wager.id in below(each) or each.id in below(wager)
    ]


def _payable(wager: Wager, table: Table, spot: str, covers: Any) -> int:
    """What a stake must be a multiple of so that no payment and no vigorish is rounded."""
    options = table.options
    nets = [odds.net for odds in wager.pay_table(options).values()]
    parts = [*nets, Fraction(1, 2)]  # half may be lost
    vigorish = wager.vigorish(options)
    if vigorish:
        rate = vigorish.rate / max(vigorish.up_to, 1)
        parts += [rate, *(rate * net for net in nets)]
    return lcm(wager.unit(options, table.state, spot, covers), *(p.denominator for p in parts))
