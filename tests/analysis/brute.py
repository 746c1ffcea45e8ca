"""A second way to everything that the poker solver says: deal a small pack, card by card.

Every deal is gone through. What it wins is not worked out: it is read off a live table, at which
the round was played with these cards and these moves. Then each decision is made for the best
over all deals that look alike to the player, from the last decision to the first. Nothing is
shared with the solver but the game itself.

Deals with hands of the same category and rank win the same if they compare alike, so only
the first of them is played live. `replayed` plays others, left to chance.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Any

from croupier.equipment import Card, deck
from croupier.games import find_game
from croupier.ranking import rank
from croupier.rulebook import Ask, Choice, Draw, Play, PokerGame, Result, Table

ANTE = 1000  # cents, with which every line can be paid exactly

# In which order cards leave the pack with one player at the table, as each rule has it:
# his own, the dealer's, those of the board, and burnt cards. An up card is the dealer's last.
LAID = {
    "three-card-poker": "ooo ddd",
    "caribbean-stud-poker": "ooooo ddddd",
    "four-card-poker": "ooooo ddddd d",
    "double-down-stud": "o bbbb",
    "let-it-ride-poker": "ooo bb x",
    "texas-hold-em-bonus-poker": "oo dd x bbb x b x b",
    "ultimate-texas-hold-em": "oo dd x bbb x bb",
    "premium-hold-em": "ooo ddd bbx bbx",
}

# How many community cards a player sees at each decision.
SEEN = {
    "three-card-poker": (0,),
    "caribbean-stud-poker": (0,),
    "four-card-poker": (0,),
    "double-down-stud": (3,),
    "let-it-ride-poker": (0, 1),
    "texas-hold-em-bonus-poker": (0, 3, 4),
    "ultimate-texas-hold-em": (0, 3, 5),
    "premium-hold-em": (0, 4),
}
SHOWS_A_CARD = ("caribbean-stud-poker", "four-card-poker")

Path = tuple[Choice, ...]
Cards = tuple[Card, ...]
Indexes = tuple[int, ...]  # of cards in a small pack
Dealt = tuple[Indexes, Indexes, Indexes]  # own cards, the dealer's, the board
View = tuple[Indexes, Indexes]  # own cards, and others that are in view
Views = tuple[View, ...]  # at each decision
Line = tuple[str, tuple[int, ...]]  # a category, and its rank; of a high card two
Won = tuple[int, int]  # in cents: the net of the seat, and what it has wagered in all


@dataclass(frozen=True)
class Deal:
    """Cards as they lie: the board in the order of the deal, the dealer's up card last."""

    own: Cards
    dealer: Cards
    board: Cards


class Live:
    """A table with one player, who does as he is told."""

    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        game = find_game(name)
        assert isinstance(game, PokerGame)
        self.game, self.table = game, Table(game, given)
        self.options = self.table.options
        self.stages = game.stages(self.options)
        # Where the one may not be wagered without the other. It does not count as the hand's.
        together = name == "three-card-poker" and self.options.version_20_6_f
        self.beside = ("pair_plus",) if together else ()

    def play(self, deal: Deal, path: Sequence[Choice]) -> Won:
        """Play a round with these cards and moves."""
        return self.decide(deal, lambda stage, deal: path[stage])

    def decide(self, deal: Deal, choose: Callable[[int, Deal], Choice]) -> Won:
        """Play a round in which `choose(stage, deal)` makes each decision."""
        table, game = self.table, self.game
        before = table.worth("1")
        table.open_betting()
        table.bet("1", game.main[0], ANTE)
        game.accompany(table, "1")
        for wager in self.beside:
            table.bet("1", wager, ANTE)
        play, cards, stage = Play(table), self._order(deal), 0
        while (request := play.request) is not None:
            if isinstance(request, Draw):
                play.answer(str(next(cards)))
            elif isinstance(request, Ask):
                choice = choose(stage, deal)
                (move,) = (each for each in request.moves if each.name == choice.move)
                play.answer(
                    {choice.move: choice.times * ANTE} if move.takes_amount else choice.move
                )
                stage += 1
            else:
                play.answer(None)
        settled = table.settlements
        assert table.worth("1") - before == sum(each.net for each in settled)
        of_the_hand = [each for each in settled if each.bet.wager.id not in self.beside]
        wagered = sum(each.stake for each in of_the_hand if each.result is not Result.VOID)
        return sum(each.net for each in of_the_hand), wagered

    def _order(self, deal: Deal) -> Iterator[Card]:
        """The cards as they leave the pack; what is burnt is a card that is not in play."""
        hands = {"o": iter(deal.own), "d": iter(deal.dealer), "b": iter(deal.board)}
        hands["x"] = iter(
            sorted(set(deck()) - {*deal.own, *deal.dealer, *deal.board}, reverse=True)
        )
        for letter in LAID[self.game.id].replace(" ", ""):
            yield next(hands[letter])


class Brute(Live):
    """Everything about a game that is dealt from a few ranks and suits."""

    def __init__(
        self, name: str, given: Mapping[str, Any], ranks: str, suits: int, seed: int = 47
    ) -> None:
        super().__init__(name, given)
        self.pack = [Card.parse(r + s) for r in ranks for s in "cdhs"[:suits]]
        self.seen, self.shows_a_card = SEEN[name], name in SHOWS_A_CARD
        self.chance = Random(seed)
        self._paid_alike: dict[tuple[Line, Line, int], tuple[Won, ...]] = {}
        self._hands: dict[frozenset[int], tuple[int, Line]] = {}

    @cached_property
    def paths(self) -> list[Path]:
        """Every way through the decisions."""
        found: list[Path] = []
        open_ends: list[Path] = [()]
        for at, stage in enumerate(self.stages):
            onward = [(*path, choice) for path in open_ends for choice in stage.choices]
            over = at + 1 == len(self.stages)
            ended = [path for path in onward if over or path[-1].folds or path[-1].last]
            found += ended
            open_ends = [path for path in onward if path not in ended]
        return found

    def nodes(self, stage: int) -> list[Path]:
        """The ways to come to a decision."""
        return list(dict.fromkeys(path[:stage] for path in self.paths if len(path) > stage))

    # What a deal wins. Cards are told by where they stand in the pack.

    def deals(self) -> Iterator[Dealt]:
        """Every deal: own cards, the dealer's and the board, each in one order for all."""
        game, pack = self.game, set(range(len(self.pack)))
        for own in combinations(sorted(pack), game.own_cards):
            for dealer in combinations(sorted(pack.difference(own)), game.dealer_cards):
                left = sorted(pack.difference(own, dealer))
                for board in combinations(left, game.board_cards):
                    yield own, dealer, board

    def won(self, dealt: Dealt) -> tuple[Won, ...]:
        """What each path wins: what the live table paid on the first such deal that was met."""
        own, dealer, board = dealt
        mine = self._hand((*own, *board))
        his = self._hand((*dealer, *board)) if dealer else mine
        margin = (mine[0] > his[0]) - (mine[0] < his[0])
        alike = self._paid_alike.get(key := (mine[1], his[1], margin))
        if alike is None:
            alike = self._paid_alike[key] = tuple(
                self.play(self._laid(dealt), path) for path in self.paths
            )
        return alike

    def _hand(self, hand: Indexes) -> tuple[int, Line]:
        """What a hand is worth, and as much of it as any rule looks at."""
        key = frozenset(hand)
        if key not in self._hands:
            found = rank([self.pack[at] for at in hand], self.game.ladder)
            looked_at = 2 if found.category == "high_card" else 1
            self._hands[key] = found.strength, (found.category, found.ranks[:looked_at])
        return self._hands[key]

    def _laid(self, dealt: Dealt) -> Deal:
        """The cards of a deal, each hand in an order left to chance."""
        hands = [self.chance.sample([self.pack[at] for at in hand], len(hand)) for hand in dealt]
        own, dealer, board = map(tuple, hands)
        return Deal(own, dealer, board)

    def replayed(self, times: int) -> Iterator[tuple[Won, Won]]:
        """Deals left to chance: what was taken for them, and what they win at the live table."""
        game = self.game
        size = game.own_cards + game.dealer_cards + game.board_cards
        for _ in range(times):
            cards = self.chance.sample(range(len(self.pack)), size)
            own, dealer = game.own_cards, game.own_cards + game.dealer_cards
            dealt = tuple(cards[:own]), tuple(cards[own:dealer]), tuple(cards[dealer:])
            end = self.chance.randrange(len(self.paths))
            yield self.won(dealt)[end], self.play(self._laid(dealt), self.paths[end])

    # The best way to play.

    @cached_property
    def lying(self) -> dict[View, Counter[tuple[Won, ...]]]:
        """By own cards and the whole board, or the up card: what each path may win, how often."""
        found: defaultdict[View, Counter[tuple[Won, ...]]] = defaultdict(Counter)
        for dealt in self.deals():
            own, dealer, board = dealt
            won = self.won(dealt)
            for known in [(up,) for up in dealer] if self.shows_a_card else [board]:
                found[own, known][won] += 1
        return found

    @cached_property
    def views(self) -> list[tuple[Views, View]]:
        """What may be seen at the decisions of a round, in every order; and what it comes to."""
        return [
            (tuple((own, seen) for seen in boards), (own, known))
            for own, known in self.lying
            for boards in ([(known,)] if self.shows_a_card else self._boards(known, (), self.seen))
        ]

    def _boards(
        self, board: Indexes, seen: Indexes, sizes: Sequence[int]
    ) -> Iterator[tuple[Indexes, ...]]:
        if not sizes:
            yield ()
            return
        left = [card for card in board if card not in seen]
        for more in combinations(left, sizes[0] - len(seen)):
            now = tuple(sorted((*seen, *more)))
            for later in self._boards(board, now, sizes[1:]):
                yield (now, *later)

    @cached_property
    def best(self) -> dict[tuple[Path, View], Choice]:
        """The best move at every decision, by what is in view; the first listed of equal ones."""
        found: dict[tuple[Path, View], Choice] = {}
        worth = {
            view: [
                sum(times * won[end][0] for won, times in lying.items())
                for end in range(len(self.paths))
            ]
            for view, lying in self.lying.items()
        }
        for stage in reversed(range(len(self.stages))):
            choices = self.stages[stage].choices
            for node in self.nodes(stage):
                totals: dict[View, list[int]] = {}
                for views, lying in self.views:
                    ends = worth[lying]
                    total = totals.setdefault(views[stage], [0] * len(choices))
                    for k, choice in enumerate(choices):
                        total[k] += ends[self._end((*node, choice), views, found)]
                for view, total in totals.items():
                    found[node, view] = choices[total.index(max(total))]
        return found

    def _end(self, path: Path, views: Views, best: Mapping[tuple[Path, View], Choice]) -> int:
        """Where it leads to go on for the best."""
        while path not in self._ends:
            path = (*path, best[path, views[len(path)]])
        return self._ends[path]

    @cached_property
    def _ends(self) -> dict[Path, int]:
        return {path: end for end, path in enumerate(self.paths)}

    @cached_property
    def counted(self) -> Counter[tuple[int, int, int]]:
        """How often each end is reached, with each net and so much wagered."""
        found: Counter[tuple[int, int, int]] = Counter()
        reached: Counter[tuple[int, View]] = Counter()
        for views, lying in self.views:
            reached[self._end((), views, self.best), lying] += 1
        for (end, lying), often in reached.items():
            for won, times in self.lying[lying].items():
                found[end, *won[end]] += often * times
        return found

    # In the words of a report.

    @property
    def outcomes(self) -> dict[Fraction, Fraction]:
        """The chance of each net, in antes."""
        found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for (_, net, _), times in self.counted.items():
            found[Fraction(net, ANTE)] += Fraction(times, self.counted.total())
        return dict(found)

    @property
    def house_edge(self) -> Fraction:
        return -sum((net * chance for net, chance in self.outcomes.items()), Fraction(0))

    @property
    def wagered(self) -> Fraction:
        total = sum(wagered * times for (_, _, wagered), times in self.counted.items())
        return Fraction(total, ANTE * self.counted.total())

    @property
    def frequencies(self) -> dict[str, Fraction]:
        """How often each way is gone."""
        often: Counter[int] = Counter()
        for (end, _, _), times in self.counted.items():
            often[end] += times
        return {
            ", ".join(map(str, path)): Fraction(often[end], often.total())
            for end, path in enumerate(self.paths)
        }
