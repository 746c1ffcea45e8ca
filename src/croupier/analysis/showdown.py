"""What the wagers of a poker table are worth, with every decision at its best.

The game says what its wagers do at a showdown; this module asks it once for
every hand and every way a hand can compare with the dealer's, and hands the
answers to a solver as tables. The solver counts, and what it has counted is
read off here as outcomes, edges and a strategy.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import community, stud
from croupier.analysis.chain import Ending
from croupier.analysis.report import Outcome, WagerReport, Watch
from croupier.analysis.solved import digest, solve_once
from croupier.analysis.tree import Tree
from croupier.equipment import InexactPayment, dollars
from croupier.ranking import PokerHand
from croupier.ranking.bulk import census, strengths, tables
from croupier.rulebook import (
    Case,
    Choice,
    Decision,
    Fault,
    Look,
    PokerGame,
    Refusal,
    Result,
    Showdown,
    Wager,
)

# How a player's hand can compare: with a dealer who qualifies, and with one who does not.
CELLS = ((1, True), (1, False), (0, True), (0, False), (-1, True), (-1, False))
MOST_UNITS = 1 << 62
RENAMINGS = 24  # of the four suits: as often the same deal may be added up

Judged = Mapping[str, Decision]  # what becomes of each wager


@dataclass(frozen=True)
class Pack:
    """The cards dealt from: all of them, or fewer ranks and suits, which can be dealt by hand."""

    ranks: tuple[int, ...] = tuple(range(13))  # a two is 0
    suits: int = 4

    @property
    def cards(self) -> int:
        return len(self.ranks) * self.suits


class Poker:
    """A poker game at a table with these options."""

    def __init__(
        self,
        game: PokerGame,
        options: Any,
        stake: int | None = None,
        state: Any = None,
        pack: Pack | None = None,
        watch: Watch | None = None,
    ) -> None:
        """With a `stake` in cents payments are rounded and limited as at the table."""
        if stake is not None and stake < 1:
            raise Refusal(Fault.BAD_AMOUNT, f"{stake} is not a stake: it must be above zero")
        self.game, self.options, self.stake = game, options, stake
        self.state = game.in_play(game.State()) if state is None else state
        self.pack = pack or Pack()
        self.watch = watch or Watch()
        self.tree = Tree.of(game.stages(options))
        self.main = game.main[0]

    # The tables that the game's own rules fill.

    @cached_property
    def hand_wagers(self) -> list[Wager]:
        """The wagers of the main hand, in the game's order."""
        offered = self.game.offered(self.options)
        return [w for w in offered if w.id in self.game.main or w.joins == self.main]

    @cached_property
    def judged(self) -> list[Wager]:
        """And those beside it that a fold loses, where they look at the same cards."""
        beside = [
            wager for wager in self.game.offered(self.options)
            if self.is_lost_by_fold(wager) and self.game.looks.get(wager.id) == self.whole_hand
        ]  # fmt: skip
        return [*self.hand_wagers, *beside]

    @property
    def whole_hand(self) -> Look:
        """All the cards that a player may use."""
        cards = self.game.own_cards + self.game.board_cards
        return Look("hand", cards, self.game.ladder)

    @cached_property
    def kinds(self) -> tuple[NDArray[np.uint8], list[list[Judged]]]:
        """The class of each place, and what each class does in each cell."""
        found: dict[tuple[Any, ...], int] = {}
        worths = strengths(self.game.ladder)
        classes = np.zeros(len(worths), np.uint8)
        decided: list[list[Judged]] = []
        has_dealer = bool(self.game.dealer_cards)
        for place in range(1, len(worths)):
            hand = PokerHand(self.game.ladder, worths[place], ())
            row = [
                self._judge(Showdown(hand, margin, qualifies))
                for margin, qualifies in (CELLS if has_dealer else CELLS[:1])
            ]
            key = tuple((d.result, d.line, d.net) for cell in row for d in cell.values())
            if key not in found:
                found[key] = len(found)
                decided.append(row if has_dealer else row * len(CELLS))
            classes[place] = found[key]
        return classes, decided

    def _judge(self, shown: Showdown) -> Judged:
        case = Case(shown, self.state, self.options)
        return {wager.id: wager.decide(case) for wager in self.judged}

    def staked(self, path: Sequence[Choice]) -> Counter[str]:
        """The units that lie on the main hand's wagers at the end of a path."""
        units = Counter(dict.fromkeys(self.game.main, 1))
        for choice in path:
            if choice.wager:
                units[choice.wager] += choice.times
            if choice.withdraws:
                del units[choice.withdraws]
        return units

    def worth(self, path: Sequence[Choice], judged: Judged) -> Fraction:
        """What the main hand wins at the end of a path, in units of its first wager."""
        units = self.staked(path)
        if path[-1].folds:
            lost = set(self.game.forfeited(self.options))
            return Fraction(-sum(number for name, number in units.items() if name in lost))
        paid = dict(units)
        for wager in self.hand_wagers:
            on = wager.paid_on
            if on and on in units and judged[wager.id].result is Result.WIN:
                paid[wager.id] = units[on]
        if self.stake is None:
            by_id = self.game.by_id
            return sum(
                (n * by_id[name].net(judged[name], self.options) for name, n in paid.items()),
                Fraction(0),
            )
        return Fraction(self._cents(paid, judged), self.stake)

    def _cents(self, paid: Mapping[str, int], judged: Judged) -> int:
        assert self.stake is not None
        won: dict[str, int] = {}
        for name, number in paid.items():
            wager = self.game.by_id[name]
            try:
                won[name], _ = wager.cents(judged[name], self.options, number * self.stake)
            except InexactPayment:
                message = f"{dollars(self.stake)} on {self.main} could not be paid exactly"
                cite = wager.payment_rule(self.options)
                raise Refusal(Fault.NOT_PAYABLE, message, cite) from None
        limit = self.game.payout_limit(self.options)
        if limit is None:
            return sum(won.values())
        names, most = limit
        above = sum(max(won.get(name, 0), 0) for name in names) - most
        return sum(won.values()) - max(above, 0)

    @cached_property
    def pays(self) -> tuple[NDArray[np.int64], int]:
        """What each end is worth, by class and cell, in whole units; and how many make one."""
        _, decided = self.kinds
        exact = [
            [[self.worth(path, judged) for judged in row] for row in decided]
            for path in self.tree.paths
        ]
        scale = lcm(*(value.denominator for end in exact for row in end for value in row))
        pays = np.array([[[int(v * scale) for v in row] for row in end] for end in exact], np.int64)
        of_one = self.deals // comb(self.pack.cards, self.game.own_cards)
        if int(np.abs(pays).max()) * of_one * RENAMINGS > MOST_UNITS:
            message = "these payments are too large, or too finely divided, to be counted exactly"
            raise Refusal(Fault.NOT_PAYABLE, message, self.game.cite)
        return pays, scale

    @cached_property
    def qualifies_from(self) -> int:
        """The lowest place at which the dealer plays; every higher hand does too."""
        if not self.game.dealer_cards:
            return 0
        ladder, worths = self.game.ladder, strengths(self.game.ladder)
        plays = [
            self.game.qualifies(PokerHand(ladder, worths[place], ()), self.options)
            for place in range(1, len(worths))
        ]
        lowest = plays.index(True) + 1 if True in plays else len(worths)
        if not all(plays[lowest - 1 :]):
            raise ValueError("a hand qualifies, and a higher one does not")
        return lowest if lowest > 1 else 0

    # The count.

    @property
    def deals(self) -> int:
        """How many ways there are to deal a player's and the dealer's cards, and the board."""
        game, left = self.game, self.pack.cards
        ways = comb(left, game.own_cards)
        left -= game.own_cards
        for cards in self._steps():
            ways *= comb(left, cards)
            left -= cards
        return ways

    def _steps(self) -> Iterator[int]:
        """How many cards come at a time after the player's own."""
        game = self.game
        seen = 0
        for stage in game.stages(self.options):
            if stage.board > seen:
                yield stage.board - seen
                seen = stage.board
        yield game.board_cards - seen
        yield game.up_cards
        yield game.dealer_cards - game.up_cards

    @cached_property
    def solved(self) -> Mapping[str, NDArray[Any]]:
        game, pack = self.game, self.pack
        classes, _ = self.kinds
        pays, _ = self.pays
        cards: Any
        if game.board_cards:
            seen = tuple(stage.board for stage in game.stages(self.options))
            cards = community.CommunityCards(
                game.own_cards, game.board_cards, bool(game.dealer_cards), seen, pack.ranks,
                pack.suits,
            )  # fmt: skip
        else:
            cards = stud.OwnHands(
                game.own_cards, game.dealer_cards, game.up_cards, pack.ranks, pack.suits
            )
        terms = (self.tree.children, classes, self.qualifies_from, pays)
        name = digest([cards, game.ladder, self.tree.stage_of, *terms, "with moves"])

        def solve() -> Mapping[str, NDArray[Any]]:
            self.watch.counts(self.deals)
            if isinstance(cards, community.CommunityCards):
                ranked = tables(game.ladder, game.own_cards + game.board_cards)
                counted = community.count(
                    cards, ranked, self.tree, classes, self.qualifies_from, pays, self.watch.done
                )
                return {
                    "tally": counted.tally, "values": counted.values, "middle": counted.middle,
                    "last": counted.last, "bounds": counted.bounds,
                }  # fmt: skip
            own, dealer = (tables(game.ladder, n) for n in (game.own_cards, game.dealer_cards))
            found = stud.count(
                cards, own, dealer, self.tree, classes, self.qualifies_from, pays, self.watch.done
            )
            return {
                "tally": found.tally, "chosen": found.chosen,
                "unsure": found.unsure, "by_suits": found.by_suits,
            }  # fmt: skip

        found = solve_once(name, type(cards).__name__, solve, self.watch.compiles)
        if int(found["tally"].sum()) != self.deals:
            raise AssertionError("the deals that were counted are not all deals")
        return found

    # What it comes to.

    def reports(self, labels: Sequence[str] = ()) -> list[WagerReport]:
        """Every wager that the table offers, or those named."""
        if not labels:
            labels = [w.id for w in self.game.offered(self.options) if not w.joins]
            if self.main not in labels:
                labels.insert(0, self.main)
        return [self.report(label) for label in labels]

    def report(self, label: str) -> WagerReport:
        wager = self.game.wager(label, self.options)
        if wager in self.hand_wagers:
            return self.main_report()
        table = self.side_table(wager)
        outcomes = tuple(
            Outcome(ending.line, ending.net, chance) for ending, chance in _ranked(table)
        )
        strategy = "Made and left until it is decided; no decision follows."
        if self.is_lost_by_fold(wager):
            strategy = (
                "Made beside the main hand, which is played for its own best; a fold loses it."
            )
        return WagerReport(wager.id, wager, ("",), outcomes, strategy)

    def main_report(self) -> WagerReport:
        table, wagered = self.main_table()
        outcomes = tuple(Outcome(e.line, e.net, chance) for e, chance in _ranked(table))
        from croupier.analysis.strategy import Strategy

        strategy, advice = Strategy(self).told()
        wager = self.game.by_id[self.main]
        often = self.frequencies()
        return WagerReport(self.main, wager, ("",), outcomes, strategy, wagered, advice, often)

    def main_table(self) -> tuple[dict[Ending, Fraction], Fraction]:
        """How the main hand comes out, and how much is finally wagered on it."""
        _, decided = self.kinds
        tally = self.solved["tally"]
        total = self.deals
        found: defaultdict[Ending, int] = defaultdict(int)
        wagered = Fraction(0)
        for end, path in enumerate(self.tree.paths):
            times = int(tally[end].sum())
            wagered += Fraction(times * sum(self.staked(path).values()), total)
            for kind, cell in zip(*np.nonzero(tally[end]), strict=True):
                judged = decided[kind][cell]
                ending = Ending(self.line(path, judged), self.worth(path, judged))
                found[ending] += int(tally[end, kind, cell])
        return {ending: Fraction(number, total) for ending, number in found.items()}, wagered

    def line(self, path: Sequence[Choice], judged: Judged) -> str:
        """An end in words: "check, bet 2x: ante win, play win, blind flush"."""
        moves = ", ".join(map(str, path))
        if path[-1].folds:
            return moves
        units = self.staked(path)
        told = [
            f"{wager.id} {judged[wager.id].line}"
            for wager in self.hand_wagers
            if wager.id in units
            or (wager.paid_on in units and judged[wager.id].result is Result.WIN)
        ]
        return f"{moves}: {', '.join(told)}"

    def frequencies(self) -> dict[str, Fraction]:
        """How often a hand goes each way."""
        tally = self.solved["tally"]
        return {
            ", ".join(map(str, path)): Fraction(int(tally[end].sum()), self.deals)
            for end, path in enumerate(self.tree.paths)
        }

    # Wagers beside the main hand.

    def is_lost_by_fold(self, wager: Wager) -> bool:
        """A wager that only lies beside the main hand, and goes with it."""
        lost = self.game.forfeited(self.options)
        return wager.id in lost and bool(wager.rests_on)

    def side_table(self, wager: Wager) -> dict[Ending, Fraction]:
        found: defaultdict[Ending, Fraction] = defaultdict(Fraction)
        cases = list(self.side_cases(wager))
        total = sum(ways for ways, _ in cases)
        for ways, decision in cases:
            net = wager.net(decision, self.options)
            found[Ending(decision.line, net)] += Fraction(ways, total)
        return dict(found)

    def side_cases(self, wager: Wager) -> Iterable[tuple[int, Decision]]:
        if wager in self.judged:
            yield from self._beside_the_main(wager)
            return
        look = self.game.looks.get(wager.id)
        if look is None:
            for ways, shown in self.game.side_cases(wager.id, self.options, self.state, self.folds):
                yield ways, wager.decide(Case(shown, self.state, self.options))
            return
        counted, worths = census(look.cards, look.ladder), strengths(look.ladder)
        for place in np.flatnonzero(counted):
            hand = PokerHand(look.ladder, worths[place], ())
            seen: dict[str, Any] = {look.at: hand}
            shown = Showdown(**seen)
            yield int(counted[place]), wager.decide(Case(shown, self.state, self.options))

    def _beside_the_main(self, wager: Wager) -> Iterable[tuple[int, Decision]]:
        """As often as the main hand, played for its own best, comes to each end."""
        _, decided = self.kinds
        tally = self.solved["tally"]
        for end, path in enumerate(self.tree.paths):
            for kind, cell in zip(*np.nonzero(tally[end]), strict=True):
                judged = LOST if path[-1].folds else decided[kind][cell][wager.id]
                yield int(tally[end, kind, cell]), judged

    def folds(self, cards: Iterable[int]) -> bool:
        """Whether the main hand is folded with these own cards, before any board is seen."""
        number = sum(comb(each, at) for at, each in enumerate(sorted(cards), 1))
        best = int(self.solved["values"][:, number].argmax())
        return self.tree.choices[0][best].folds


LOST = Decision(Result.LOSE, "folded", Fraction(-1))


def _ranked(table: Mapping[Ending, Fraction]) -> list[tuple[Ending, Fraction]]:
    return sorted(table.items(), key=lambda item: (-item[0].net, item[0].line))
