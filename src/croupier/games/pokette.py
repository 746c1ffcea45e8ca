"""Pokette, N.J.A.C. 19:47-12: a wheel of cards, bet like roulette and like a poker hand.

The wagers and odds of 12.6 have been read; nothing else of the subchapter is
at hand. That the wheel has 52 cards and four Jacers, and that a poker hand
wager is one on the next spin alone, are inferred from those odds (customary):
with these numbers of winning stops the poker hands return what the layout
wagers return, and any other reading would favor the player.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from croupier.equipment import Card, Odds, Wheel, deck
from croupier.ranking import completing_ranks
from croupier.rulebook import (
    LOSE,
    OPEN,
    WIN,
    Case,
    Decision,
    Game,
    Round,
    Table,
    TableOptions,
    Violation,
    Wager,
    Window,
    better_odds,
    by_option,
    carry_on,
    choice,
    custom,
    draw_again,
    flag,
    law,
    return_wager,
    shut,
    subset,
    whole,
)

RANKS = "AKQJT98765432"  # the rows of the layout, from the top (customary)
SUITS = "shcd"  # its columns (customary)
CARDS = tuple(str(card) for card in deck())
JACER = "jacer"


class PoketteOptions(TableOptions):
    """What the licensee chooses at a pokette wheel."""

    jacer_stops = whole(1, 8, default=4, cite=custom("12.2"), title="Jacer stops on the wheel")
    wheel_stops = whole(
        53, 100, default=56, follows=lambda options: 52 + options.jacer_stops, cite=custom("12.2"),
        title="stops on the wheel; those that are neither card nor Jacer win nothing",
    )  # fmt: skip
    jacer_wins_on = subset(
        JACER, *CARDS, default=frozenset({JACER}), cite=custom("12.5"),
        title="the stops on which a Jacer wager wins",
    )  # fmt: skip
    odds = better_odds(cite=law("12.6(b)"))
    cycle_on_jacer = choice(
        "end", "ignore_spin", cite=custom("12.8"), title="the poker hand when a Jacer comes"
    )
    ace_low_straight = flag(True, cite=custom("12.1"), title="A-2-3 is a straight", yes_no=True)
    split_corner_with_jacer = flag(
        False, cite=custom("12.5"), title="splits and corners with the Jacer row", yes_no=True
    )
    pointer_between_stops = choice(
        "void", "previous_stop", cite=custom("12.9"), title="when the pointer rests between stops"
    )

    without = ("higher_odds",)
    better_odds_option = "odds"

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.wheel_stops < 52 + self.jacer_stops:
            message = (
                f"52 cards and {self.jacer_stops} Jacers need more than {self.wheel_stops} stops"
            )
            yield Violation("wheel_stops", message, custom("12.2"))
        if not self.jacer_wins_on:
            message = "a Jacer wager must be able to win on some stop"
            yield Violation("jacer_wins_on", message, custom("12.5"))
        if self.split_corner_with_jacer and self.jacer_stops != len(SUITS):
            message = "splits and corners with Jacers need one Jacer stop for each suit"
            yield Violation("split_corner_with_jacer", message, custom("12.5"))


@dataclass(frozen=True)
class PoketteState:
    """What stands between spins: the cards of the poker hand so far."""

    spins: tuple[str, ...] = ()


# The layout: 13 rows of ranks by 4 columns of suits; the Jacer row heads it where it is used.

Spots = dict[str, frozenset[str]]


def _rows(options: PoketteOptions) -> list[list[str]]:
    jacers = [[f"{JACER}{n}" for n in range(1, 5)]] if options.split_corner_with_jacer else []
    return jacers + [[rank + suit for suit in SUITS] for rank in RANKS]


def _spots(sets: Iterable[tuple[str, ...]]) -> Spots:
    return {"-".join(stops): frozenset(stops) for stops in sets}


def single_cards(options: PoketteOptions) -> Spots:
    return _spots([(rank + suit,) for rank in RANKS for suit in SUITS])


def splits(options: PoketteOptions) -> Spots:
    rows = _rows(options)
    across = [(row[c], row[c + 1]) for row in rows for c in range(3)]
    along = [(rows[r][c], rows[r + 1][c]) for r in range(len(rows) - 1) for c in range(4)]
    return _spots([*across, *along])


def corners(options: PoketteOptions) -> Spots:
    rows = _rows(options)
    return _spots(
        [(*rows[r][c : c + 2], *rows[r + 1][c : c + 2])
         for r in range(len(rows) - 1) for c in range(3)]
    )  # fmt: skip


def of_ranks(ranks: str) -> frozenset[str]:
    return frozenset(rank + suit for rank in ranks for suit in SUITS)


def single_ranks(options: PoketteOptions) -> Spots:
    return {rank: of_ranks(rank) for rank in RANKS}


def double_ranks(options: PoketteOptions) -> Spots:
    pairs = pairwise(RANKS)
    return {f"{high}-{low}": of_ranks(high + low) for high, low in pairs}


def suits(options: PoketteOptions) -> Spots:
    return {suit: frozenset(rank + suit for rank in RANKS) for suit in SUITS}


def jacers(options: PoketteOptions) -> Spots:
    stops = {f"{JACER}{n}" for n in range(1, options.jacer_stops + 1)}
    wins = options.jacer_wins_on
    return {"": frozenset((stops if JACER in wins else set()) | (wins - {JACER}))}


# Poker hand wagers: the stops that complete the hand, which are none if it cannot be completed.

Spin = Case[str, PoketteState, PoketteOptions]
Spun = tuple[Card, ...]
Completes = Callable[[Spun, bool], frozenset[str]]  # by the cards spun, and whether aces are low


def _stops(ranks: frozenset[int], suits: str = SUITS) -> frozenset[str]:
    return frozenset(str(Card(rank, suit)) for rank in ranks for suit in suits)


def pair_in_two(spun: Spun, ace_low: bool) -> frozenset[str]:
    return _stops(frozenset({spun[0].rank})) if len(spun) == 1 else frozenset()


def pair_in_three(spun: Spun, ace_low: bool) -> frozenset[str]:
    ranks = frozenset(card.rank for card in spun)
    return _stops(ranks) if len(spun) == 2 and len(ranks) == 2 else frozenset()


def three_of_a_kind(spun: Spun, ace_low: bool) -> frozenset[str]:
    ranks = frozenset(card.rank for card in spun)
    return _stops(ranks) if len(spun) == 2 and len(ranks) == 1 else frozenset()


def _is_suited(spun: Spun) -> bool:
    return len(spun) == 2 and spun[0].suit == spun[1].suit


def flush(spun: Spun, ace_low: bool) -> frozenset[str]:
    return _stops(frozenset(range(2, 15)), spun[0].suit) if _is_suited(spun) else frozenset()


def straight(ends: int) -> Completes:
    """Open when two ranks complete it, inside when one does."""

    def completes(spun: Spun, ace_low: bool) -> frozenset[str]:
        if len(spun) != 2:
            return frozenset()
        ranks = completing_ranks(spun[0].rank, spun[1].rank, ace_low)
        return _stops(ranks) if len(ranks) == ends else frozenset()

    return completes


def straight_flush(ends: int) -> Completes:
    def completes(spun: Spun, ace_low: bool) -> frozenset[str]:
        suited = straight(ends)(spun, ace_low) if _is_suited(spun) else frozenset()
        return frozenset(stop for stop in suited if stop[1] == spun[0].suit)

    return completes


def _hand(id: str, title: str, completes: Completes, pays: int, when: str) -> Wager:
    """12.8: a wager that the next spin completes the hand, open only when it can."""

    @cache
    def wanted(spins: tuple[str, ...], ace_low: bool) -> frozenset[str]:
        return completes(tuple(map(Card.parse, spins)), ace_low)

    def decide(spin: Spin) -> Decision:
        stops = wanted(spin.state.spins, spin.options.ace_low_straight)
        return WIN if spin.outcome in stops else LOSE

    def window(state: PoketteState, spot: str, options: PoketteOptions) -> Window:
        if wanted(state.spins, options.ace_low_straight):
            return OPEN
        return shut(f"{title} may be bet only {when}", custom("12.8"))

    return Wager(id=id, title=title, decide=decide, pays=Odds(pays), window=window,
                 cite=law("12.6(b)"), paid_by=law("12.6(b)"))  # fmt: skip


def _layout(id: str, title: str, covers: Callable[[PoketteOptions], Spots] | frozenset[str],
            pays: int, *also: str) -> Wager:  # fmt: skip
    return Wager(id=id, title=title, covers=covers, pays=Odds(pays), also=also,
                 cite=law("12.6(b)"), paid_by=law("12.6(b)"))  # fmt: skip


HANDS = (
    _hand("pair_in_two", "Pair in two", pair_in_two, 11, "after the first spin of a hand"),
    _hand("pair_in_three", "Pair in three", pair_in_three, 5, "after two spins of two ranks"),
    _hand("three_of_a_kind", "Three of a kind", three_of_a_kind, 11, "after two spins of one rank"),
    _hand("flush", "Flush", flush, 3, "after two spins of one suit"),
    _hand("straight_open", "Straight, open", straight(2), 5,
          "after two spins that either of two ranks would make a straight"),
    _hand("straight_inside", "Straight, inside", straight(1), 11,
          "after two spins that one rank alone would make a straight"),
    _hand("straight_flush_open", "Straight flush, open", straight_flush(2), 24,
          "after two spins of one suit that either of two cards would make a straight flush"),
    _hand("straight_flush_inside", "Straight flush, inside", straight_flush(1), 49,
          "after two spins of one suit that one card alone would make a straight flush"),
)  # fmt: skip


def void_hand_wagers(table: Table) -> None:
    """Poker hand wagers made on a wrong display are returned."""
    for bet in [bet for bet in table.bets.values() if bet.wager in HANDS]:
        table.give_back(bet, custom("12.9"))


NO_SPIN = "No spin; the wheel is spun again"


class Pokette(Game):
    """Pokette, N.J.A.C. 19:47-12."""

    id = "pokette"
    title = "Pokette"
    cite = law("12.1")
    positions = 8
    family = "wheel"
    in_words = (
        "A wheel carries the 52 cards of a pack and some stops called Jacers. Players wager on the "
        "card at which it will stop, as at roulette: on one card, on cards that lie together, on "
        "ranks, a suit or a color. Once one or two spins have shown cards they may also wager that "
        "the next will make a pair, a straight or another poker hand of them."
    )
    Options = PoketteOptions
    State = PoketteState

    wagers = (
        _layout("single_card", "Single card", single_cards, 50, "card"),
        _layout("split", "Split", splits, 24),
        _layout("corner", "Corner", corners, 12),
        _layout("single_rank", "Single rank", single_ranks, 12, "rank"),
        _layout("double_rank", "Double rank", double_ranks, 5),
        _layout("rank_akq", "Ace, king or queen", of_ranks("AKQ"), 3),
        _layout("rank_jt9", "Jack, ten or nine", of_ranks("JT9"), 3),
        _layout("rank_876", "Eight, seven or six", of_ranks("876"), 3),
        _layout("rank_543", "Five, four or three", of_ranks("543"), 3),
        _layout("red", "Red", frozenset(c for c in CARDS if c[1] in "hd"), 1),
        _layout("black", "Black", frozenset(c for c in CARDS if c[1] in "sc"), 1),
        _layout("suit", "Suit", suits, 3),
        _layout("jacer", "Jacer", jacers, 12),
        *HANDS,
    )

    irregularities = {
        "too_few_revolutions": draw_again(
            "the wheel completes fewer than three revolutions", NO_SPIN, custom("12.9")
        ),
        "pointer_between_stops": by_option(
            "pointer_between_stops",
            void=draw_again("the pointer rests between two stops", NO_SPIN, custom("12.9")),
            previous_stop=carry_on(
                "the pointer rests between two stops", "The stop just passed wins", custom("12.9")
            ),
        ),
        "wheel_touched": draw_again(
            "the wheel is touched or obstructed while it spins", NO_SPIN, custom("12.9")
        ),
        "wrong_card_displayed": carry_on(
            "a wrong card was displayed for an earlier spin",
            "The display is corrected; poker hand wagers made on it are returned",
            custom("12.9"),
            void_hand_wagers,
        ),
        "hand_wager_not_open": return_wager(
            "a poker hand wager was placed when it was not open",
            "The wager is returned",
            custom("12.9"),
        ),
        "late_wager": return_wager("a wager was placed late", "It is returned", custom("12.9")),
    }

    def device(self, options: PoketteOptions) -> Wheel:
        """The cards suit by suit, each suit headed by a Jacer as far as they go (customary)."""
        extra = [f"{JACER}{n}" for n in range(1, options.jacer_stops + 1)]
        blanks = options.wheel_stops - 52 - len(extra)
        extra += [f"blank{n}" for n in range(1, blanks + 1)]
        columns = [[rank + suit for rank in RANKS] for suit in SUITS]
        rim = [stop for n, column in enumerate(columns) for stop in extra[n :: len(SUITS)] + column]
        return Wheel(
            "pokette wheel", rim, also={JACER: "jacer1", "Jacer": "jacer1", "blank": "blank1"}
        )

    def after(self, state: PoketteState, stop: str, options: PoketteOptions) -> PoketteState:
        """A hand is three spins; a Jacer ends it, or does not count."""
        if stop not in CARDS:
            return state if options.cycle_on_jacer == "ignore_spin" else PoketteState()
        return replace(state, spins=(*state.spins, stop) if len(state.spins) < 2 else ())

    def situations(
        self, wager: Wager, spot: str, options: PoketteOptions
    ) -> list[tuple[int, PoketteState]]:
        """Suits are alike: the first card may be a spade, the second another or one of three."""
        firsts = [rank + "s" for rank in RANKS]
        seconds = [(1, rank + "s") for rank in RANKS] + [(3, rank + "h") for rank in RANKS]
        one = [(4, PoketteState((first,))) for first in firsts]
        two = [(4 * n, PoketteState((first, then))) for first in firsts for n, then in seconds]
        return [(1, PoketteState()), *one, *two]

    def round(self, table: Table) -> Round:
        table.no_more_bets(custom("12.4"))
        table.step("The dealer spins the wheel at least three revolutions", custom("12.7"))
        stop = yield from table.draw(self.device(table.options))
        name = Card.parse(stop).title if stop in CARDS else stop.rstrip("0123456789").title()
        table.announce(name, custom("12.7"))
        yield from table.inspect()
        table.settle(stop, custom("12.7"))
        table.state = self.after(table.state, stop, table.options)
        if table.state.spins:
            shown = " ".join(table.state.spins)
            table.step(f"The cards displayed are {shown}", custom("12.2"))
            opened = [w.title for w in HANDS if w.window(table.state, "", table.options) is OPEN]
            if opened:
                table.announce(f"Open poker hand wagers: {'; '.join(opened)}", custom("12.8"))
