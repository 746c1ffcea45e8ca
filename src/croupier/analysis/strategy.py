"""How a poker game is best played, as people can use it.

A strategy by the very cards is a table of millions of entries. What can be
said in a sentence is said; what can be shown by starting hands, or by what the
cards in view promise, is a list of `Advice`; the rest is `croupier advise`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.report import Advice
from croupier.analysis.sets import canonical_sets, holdings, numbers_of, pack
from croupier.analysis.showdown import Poker
from croupier.equipment import RANKS
from croupier.ranking import PokerHand
from croupier.ranking.bulk import places, strengths

FEW_RUNS = 6  # that can be said in a sentence
TEN, ACE = 8, 12  # ranks, a two being 0
NAMES = "two three four five six seven eight nine ten jack queen king ace".split()


class Strategy:
    """How a game is best played, as people can use it."""

    def __init__(self, poker: Poker) -> None:
        self.poker, self.game = poker, poker.game
        self.stages = poker.game.stages(poker.options)

    def told(self) -> tuple[str, tuple[Advice, ...]]:
        if "chosen" in self.poker.solved:
            return f"Optimal: {self.by_hand()}.", ()
        if not self.game.dealer_cards:
            return "Optimal: by what the cards in view promise, as listed.", self.by_promise()
        advice = self.by_holding()
        if not advice or self.game.own_cards != 2:
            return "Optimal: every decision goes by all the cards in view.", advice
        moves: defaultdict[str, list[str]] = defaultdict(list)
        for each in advice:
            moves[each.move].append(each.situation)
        rarest = min(moves, key=lambda move: len(moves[move]))
        others = " or ".join(move for move in moves if move != rarest)
        first = f"{self.stages[0].title} {rarest} with {compact(moves[rarest])}, else {others}"
        return f"Optimal: {first}; after that by all the cards in view.", advice

    # With a hand of one's own, and perhaps a card of the dealer's in view.

    def by_hand(self) -> str:
        """From the lowest hand to the highest: what is best, or that it depends on the cards."""
        chosen = self.poker.solved["chosen"].sum(axis=0)  # by place and end
        held = [place for place in range(len(chosen)) if chosen[place].any()]
        runs: list[tuple[tuple[int, ...], int]] = []  # the best moves, and the hand they begin at
        for place in held:
            ends = tuple(np.flatnonzero(chosen[place]).tolist())
            if not runs or runs[-1][0] != ends:
                runs.append((ends, place))
        if len(runs) <= FEW_RUNS:
            return self._in_words(runs)
        (low, _), (_, between), (high, top) = runs[0], runs[1], runs[-1]
        return (
            f"{self._moves(low)} below {self._name(between)}; {self._moves(high)} with "
            f"{self._name(top)} or better; in between by the very cards, mostly "
            f"{self._mostly([place for place in held if between <= place < top], chosen)}"
        )

    def _moves(self, ends: Iterable[int]) -> str:
        return " or ".join(str(self.poker.tree.paths[end][-1]) for end in ends)

    def _in_words(self, runs: list[tuple[tuple[int, ...], int]]) -> str:
        told = []
        for at, (ends, place) in enumerate(runs):
            by_cards = ", by the very cards" if len(ends) > 1 else ""
            above = f" below {self._name(runs[at + 1][1])}" if at + 1 < len(runs) else ""
            from_ = f" with {self._name(place)} or better" if at else ""
            told.append(
                f"{self._moves(ends)}{from_}{',' if from_ and above else ''}{above}{by_cards}"
            )
        return "; ".join(told)

    def _mostly(self, held: list[int], chosen: NDArray[np.int64]) -> str:
        """What is best most of the time, by the highest card or the pair of a hand."""
        worths, ladder = strengths(self.game.ladder), self.game.ladder
        alike: dict[tuple[str, int], NDArray[np.int64]] = {}
        for place in held:
            hand = PokerHand(ladder, worths[place], ())
            key = hand.category, hand.ranks[0] if hand.ranks else 0
            alike[key] = alike.get(key, 0) + chosen[place]
        runs: list[tuple[str, str]] = []
        for (category, rank), often in alike.items():
            move = str(self.poker.tree.paths[int(often.argmax())][-1])
            if not runs or runs[-1][0] != move:
                made, card = category.replace("_", " "), rank - 2
                pair = f"{made} of {_plural(card)}"
                high = f"{NAMES[card]} high" if category == "high_card" else pair
                runs.append((move, high))
        return ", ".join(f"{move} from {hand}" for move, hand in runs)

    def _name(self, place: int) -> str:
        return name_of(PokerHand(self.game.ladder, strengths(self.game.ladder)[place], ()))

    # Against a table of payments, where one card is to come at the last decision.

    def by_promise(self) -> tuple[Advice, ...]:
        """What each move is worth by what the cards in view promise, at every decision."""
        found: list[Advice] = []
        for number, stage in enumerate(self.stages):
            known = self.game.own_cards + stage.board
            told = sorted(self._promised(known, stage.title, number), key=_most_staked_first)
            found += told
        return tuple(found)

    def _promised(self, known: int, title: str, stage: int) -> Iterable[Advice]:
        poker, dealt_from = self.poker, self.poker.pack
        cards = pack(dealt_from.ranks, dealt_from.suits)
        sets, ways = canonical_sets(cards, dealt_from.suits, known)
        if known == self.game.own_cards:  # as the solver has found it
            values = poker.solved["values"][:, numbers_of(sets)].T
            per = poker.deals // comb(dealt_from.cards, known)
        else:
            values, per = self._one_to_come(sets, cards, poker.tree.nodes(stage)[0])
        choices = poker.tree.choices[poker.tree.nodes(stage)[0]]
        alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for at, cards in enumerate(sets.tolist()):
            best = str(choices[int(values[at].argmax())])
            alike[promise(cards), best].append(at)
        alike = _in_fewer_words(alike)
        total, (_, scale) = int(ways.sum()), poker.pays
        for (what, move), same in alike.items():
            often = int(ways[same].sum())
            worth = {
                str(choice): Fraction(
                    int((values[same, k] * ways[same]).sum()), often * per * scale
                )
                for k, choice in enumerate(choices)
            }
            yield Advice(f"{title}: {what}", move, worth, Fraction(often, total))

    def _one_to_come(
        self, sets: NDArray[np.int64], cards: NDArray[np.int64], node: int
    ) -> tuple[NDArray[np.int64], int]:
        """What each move adds up to over all cards that may come last; and how many these are."""
        poker, ladder = self.poker, self.game.ladder
        ends = poker.tree.children[node][: poker.tree.moves[node]]
        classes, (pays, _) = poker.kinds[0], poker.pays
        found = np.zeros((len(sets), len(ends)), np.int64)
        for card in cards.tolist():
            fits = ~(sets == card).any(axis=1)
            last = np.full(int(fits.sum()), card, np.int64)
            ranked = places(np.column_stack([sets[fits], last]).astype(np.uint8), ladder)
            found[fits] += pays[ends][:, classes[ranked], 0].T
        return found, len(cards) - sets.shape[1]

    # Before any community card is seen.

    def by_holding(self) -> tuple[Advice, ...]:
        """What each first move is worth, by the cards held."""
        values = self.poker.solved["values"]
        if len(values) == 1:  # a board is seen before anything is decided
            return ()
        _, scale = self.poker.pays
        pack, game = self.poker.pack, self.game
        held, numbers = holdings(game.own_cards, pack.ranks, pack.suits)
        each = self.poker.deals // len(held)
        choices = self.poker.tree.choices[0]
        alike: defaultdict[str, list[int]] = defaultdict(list)
        for row, number in zip(held.tolist(), numbers.tolist(), strict=True):
            alike[holding(row)].append(number)
        found = []
        for name, same in alike.items():
            worth = {
                str(choice): Fraction(int(values[k, same].sum()), len(same) * each * scale)
                for k, choice in enumerate(choices)
            }
            best = max(worth, key=lambda move: worth[move])
            found.append(Advice(name, best, worth, Fraction(len(same), len(held))))
        return tuple(sorted(found, key=lambda advice: -max(advice.values.values())))


def holding(cards: Sequence[int]) -> str:
    """Own cards as players write them: `AKs`, `T9o`, `77`; three cards with their suits' shape."""
    held = Counter(each % 4 for each in cards)
    ordered = sorted(cards, key=lambda each: (-(each // 4), -held[each % 4], each % 4))
    ranks = "".join(RANKS[each // 4] for each in ordered)
    if len(cards) == 1:
        return ranks
    suits = [each % 4 for each in ordered]
    if len(cards) == 2:
        if ranks[0] == ranks[1]:
            return ranks
        return f"{ranks}{'s' if suits[0] == suits[1] else 'o'}"
    shape: dict[int, str] = {}
    for suit in suits:
        shape.setdefault(suit, "xyzw"[len(shape)])
    return f"{ranks} {''.join(shape[suit] for suit in suits)}"


def compact(holdings: Iterable[str]) -> str:
    """Two-card holdings as players write ranges: `33+, A2s+, K5o+`."""
    wanted = set(holdings)
    told = []
    pairs = [rank for rank in RANKS if rank * 2 in wanted]
    for run in _runs(pairs):
        more = "+" if run[-1] == "A" else f" to {run[-1] * 2}" if len(run) > 1 else ""
        told.append(f"{run[0] * 2}{more}")
    for high in reversed(RANKS):
        lower = RANKS[: RANKS.index(high)]
        for suited in "so":
            found = [low for low in lower if f"{high}{low}{suited}" in wanted]
            for run in _runs(found):
                reaches = run[-1] == lower[-1] and len(run) > 1
                more = "+" if reaches else f" to {high}{run[-1]}{suited}" if len(run) > 1 else ""
                told.append(f"{high}{run[0]}{suited}{more}")
    return ", ".join(told)


def _runs(ranks: Sequence[str]) -> list[list[str]]:
    runs: list[list[str]] = []
    for rank in ranks:
        if runs and RANKS.index(rank) == RANKS.index(runs[-1][-1]) + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs


def name_of(hand: PokerHand) -> str:
    """A hand by its ranks: "Q-6-4", "pair of tens", "straight to the jack"."""
    ranks = [RANKS[rank - 2] for rank in hand.ranks]
    if hand.category == "high_card":
        return "-".join(ranks)
    words = hand.category.replace("_", " ")
    return f"{words} {'-'.join(ranks)}" if ranks else words


def _most_staked_first(advice: Advice) -> tuple[bool, Fraction]:
    """The hands that stake more come first, and of each kind the best."""
    moves = list(advice.values)
    return advice.move == moves[0], -max(advice.values.values())


# Against a table of payments: what the cards in view may become.


def promise(cards: Sequence[int], size: int = 5) -> str:
    """Three or four cards in words: a pair, or how many they are short of a straight or a flush."""
    ranks = sorted(card // 4 for card in cards)
    counts = sorted((ranks.count(rank), rank) for rank in set(ranks))
    most, rank = counts[-1]
    if most > 1:
        pairs = [rank for number, rank in counts if number == 2]
        if most > 2:
            return f"{'three' if most == 3 else 'four'} of a kind"
        return "two pairs" if len(pairs) == 2 else f"pair of {_plural(rank)}"
    suited = len({card % 4 for card in cards}) == 1
    number = {3: "three", 4: "four"}[len(cards)]
    spread, highs = _spread(ranks), sum(rank >= TEN for rank in ranks)
    high = f", {highs} of them ten or higher" if highs else ""
    if suited and spread <= size and ranks[0] >= TEN:
        return f"{number} to a royal flush"
    if suited and spread <= size:
        return f"{number} suited over {spread} ranks{_which(ranks, size)}{high}"
    if suited:
        return f"{number} to a flush"
    if spread <= size and len(cards) == size - 1:
        return f"{number} over {spread} ranks{_which(ranks, size)}{high}"
    return "nothing of these"


def _spread(ranks: Sequence[int]) -> int:
    """Over how many ranks they go, the ace being low where that is closer."""
    low = [-1 if rank == ACE else rank for rank in ranks]
    return min(max(ranks) - min(ranks), max(low) - min(low)) + 1


def _which(ranks: Sequence[int], size: int) -> str:
    """Those at the end of the ranks are open on one side only, and so are named."""
    ace = ACE in ranks
    if ace or min(ranks) == 0:
        return f" ({'-'.join(RANKS[rank] for rank in ranks)})"
    return ""


def _plural(rank: int) -> str:
    return "sixes" if NAMES[rank] == "six" else f"{NAMES[rank]}s"


Alike = defaultdict[tuple[str, str], list[int]]


def _in_fewer_words(alike: Alike) -> Alike:
    """What need not be told apart, because the same move is best, is told as one."""
    moves: defaultdict[str, set[str]] = defaultdict(set)
    for what, move in alike:
        moves[_stem(what)].add(move)
    fewer: Alike = defaultdict(list)
    for (what, move), same in alike.items():
        if what.startswith("pair of "):
            what = _run_of_pairs(what, {w for w, m in alike if m == move})
        elif len(moves[_stem(what)]) == 1:
            what = _stem(what)
        fewer[what, move] += same
    return fewer


def _stem(what: str) -> str:
    return what.partition(" (")[0].partition(",")[0]


def _run_of_pairs(what: str, same: set[str]) -> str:
    """Pairs that follow one another, and are played alike."""
    pairs = [f"pair of {_plural(rank)}" for rank in range(len(NAMES))]
    low = high = pairs.index(what)
    while low and pairs[low - 1] in same:
        low -= 1
    while high < ACE and pairs[high + 1] in same:
        high += 1
    if low == high:
        return what
    return f"{pairs[low]} or better" if high == ACE else f"{pairs[low]} to {_plural(high)}"
