"""The exact solution of baccarat chemin de fer, a game in which both sides may have a choice.

The player sees his own two cards and draws or stands. The banker then sees his
own two cards and the player's third, and does the same. The best play of each
depends on the play of the other, and may be to draw with some probability. The
solution is an equilibrium: a way to play for each, against which neither gains
by any other.

What a side gains by drawing, for all that it knows, is a sum with one part for
each probability with which the other side draws. So the solution is found by a
walk: bribe the player so well that he always draws, take the bribe back little
by little, and let the sides change their play in turn so that nobody ever
regrets a choice. How they play when the bribe is gone is the solution, and it
is checked before it is handed out.

Which moves are legal is asked of the caller. Here are only the sums of the cards.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations_with_replacement, groupby
from math import perm
from typing import NamedTuple

VALUES = range(10)  # of a card
THIRDS = (None, *VALUES)  # the player's third card; None if he stood
NATURAL = 8  # two cards that count this or more end the coup
DRAW, STAND = "draw", "stand"
ZERO, ONE = Fraction(0), Fraction(1)
BRIBE = "bribe"
MOST_CHOICES = 8  # of the player; the walk among more would take too long
MOST_STEPS = 10_000  # of the walk, which takes some dozens
PRIME = 2**61 - 1  # whose remainders of powers have no pattern

Pair = tuple[int, int]  # the values of two cards, the lower one first
Hand = int | Pair  # what a side knows of its own two cards: their count, or the cards
Sight = tuple[Hand, int | None]  # what the banker knows: his hand and the player's third card
PlayerMoves = Callable[[int], tuple[str, ...]]
BankerMoves = Callable[[int, int | None], tuple[str, ...]]


@dataclass(frozen=True)
class Outcomes:
    """How likely each result of a coup is."""

    banker: Fraction
    player: Fraction
    tie: Fraction


@dataclass(frozen=True)
class Equilibrium:
    """How each side should play, and what comes of it.

    The play is the probability of drawing, wherever the cards leave a choice.
    """

    player: Mapping[Hand, Fraction]
    banker: Mapping[Sight, Fraction]
    outcomes: Outcomes
    vigorish: Fraction = ZERO

    @property
    def value_to_player(self) -> Fraction:
        """What the player may expect from one unit of stake."""
        return self.outcomes.player - self.outcomes.banker

    @property
    def value_to_banker(self) -> Fraction:
        """What the banker may expect from one unit of stake, less vigorish."""
        return (1 - self.vigorish) * self.outcomes.banker - self.outcomes.player

    def describe(self) -> str:
        """Both ways to play, in a few sentences."""
        hands: dict[Sight, Fraction] = {(hand, None): play for hand, play in self.player.items()}
        player = _words(hands, lambda thirds: "")
        banker = _words(self.banker, _against)
        return f"The player {player}. The banker {banker}."


def solve(
    counts: Sequence[int],
    player_moves: PlayerMoves,
    banker_moves: BankerMoves,
    *,
    vigorish: Fraction = ZERO,
    replacement: bool = False,
    sees_cards: bool = True,
) -> Equilibrium:
    """The equilibrium for a shoe that holds `counts` cards of the values 0 to 9.

    `player_moves` tells the legal moves on a count, and `banker_moves` on a count
    against the player's third card (None if he stood). With `replacement` each
    card is drawn from the whole shoe again. With `sees_cards` a choice may depend
    on the two cards, without it only on their count.
    """
    _check(counts, vigorish, replacement)
    gone = 0 if replacement else 1
    # Cards that are put back tell no more than their count, so it is enough to solve for that.
    moves = _Moves.ask(player_moves, banker_moves, by_cards=sees_cards and not replacement)
    branches = _branches(counts, moves, gone)
    plays = _equilibrium(*_gains(branches, vigorish))
    sequences = sum(counts) ** 6 if replacement else perm(sum(counts), 6)
    outcomes = _outcomes(branches, plays, sequences)
    player = {each.player: plays[each.player] for each in branches if each.player is not None}
    banker = {each.banker: plays[each.banker] for each in branches if each.banker is not None}
    if sees_cards and replacement:
        player, banker = _by_cards(player, banker, [pair for pair, _ in _pairs(counts, gone)])
    return Equilibrium(
        {hand: player[hand] for hand in sorted(player, key=str)},
        {sight: banker[sight] for sight in sorted(banker, key=str)},
        outcomes,
        vigorish,
    )


def _check(counts: Sequence[int], vigorish: Fraction, replacement: bool) -> None:
    if len(counts) != len(VALUES) or min(counts) < 0:
        raise ValueError("A shoe is told by ten numbers of cards, for the values from 0 to 9.")
    least = 1 if replacement else 6
    if sum(counts) < least:
        raise ValueError(f"A coup may need {least} cards, and the shoe has {sum(counts)}.")
    if not 0 <= vigorish < 1:
        raise ValueError(f"The vigorish is a part of what the banker wins, and not {vigorish}.")


def _by_cards(
    player: Mapping[Hand, Fraction], banker: Mapping[Sight, Fraction], pairs: list[Pair]
) -> tuple[dict[Hand, Fraction], dict[Sight, Fraction]]:
    """The same play, told for every two cards that make a count."""
    return (
        {pair: player[_count(pair)] for pair in pairs if _count(pair) in player},
        {
            (pair, third): banker[_count(pair), third]
            for pair in pairs
            for third in THIRDS
            if (_count(pair), third) in banker
        },
    )


class Branch(NamedTuple):
    """Coups that are alike in what the sides could choose."""

    player: Hand | None  # what the player knew when he chose, None if he had no choice
    drew: bool  # whether the player drew
    banker: Sight | None  # what the banker knew when he chose, None if he had no choice


class Score(NamedTuple):
    """In how many sequences of six cards each side wins."""

    banker: int = 0
    player: int = 0

    def plus(self, other: "Score", times: int) -> "Score":
        return Score(self.banker + times * other.banker, self.player + times * other.player)


class Scores(NamedTuple):
    """A branch, if the banker stands and if he draws: the same twice if he has no choice."""

    stands: Score = Score()
    draws: Score = Score()

    def plus(self, other: "Scores", times: int) -> "Scores":
        return Scores(self.stands.plus(other.stands, times), self.draws.plus(other.draws, times))


@dataclass(frozen=True)
class _Moves:
    """The legal moves on every count, and whether a choice may depend on the cards."""

    player: Mapping[int, frozenset[str]]
    banker: Mapping[tuple[int, int | None], frozenset[str]]
    by_cards: bool

    @classmethod
    def ask(cls, player: PlayerMoves, banker: BankerMoves, by_cards: bool) -> "_Moves":
        counts = range(NATURAL)
        replies = {(n, third): _legal(banker(n, third)) for n in counts for third in THIRDS}
        return cls({n: _legal(player(n)) for n in counts}, replies, by_cards)

    def known(self, pair: Pair) -> Hand:
        """What the holder of these two cards may go by."""
        return pair if self.by_cards else _count(pair)


def _legal(moves: tuple[str, ...]) -> frozenset[str]:
    if not moves or not {DRAW, STAND}.issuperset(moves):
        raise ValueError(f"The moves are {DRAW}, {STAND} or both, and not {moves}.")
    return frozenset(moves)


def _count(pair: Pair) -> int:
    return sum(pair) % 10


def _pairs(shoe: Sequence[int], gone: int) -> Iterator[tuple[Pair, int]]:
    """Every two cards, and the ways to get them, if each card leaves `gone` fewer in the shoe."""
    for low, high in combinations_with_replacement(VALUES, 2):
        ways = shoe[low] * (shoe[low] - gone) if low == high else 2 * shoe[low] * shoe[high]
        if ways:
            yield (low, high), ways


def _less(shoe: Sequence[int], cards: Iterable[int], gone: int) -> list[int]:
    """The shoe after these cards have left it."""
    left = list(shoe)
    for card in cards:
        left[card] -= gone
    return left


def _branches(counts: Sequence[int], moves: _Moves, gone: int) -> dict[Branch, Scores]:
    """Every branch of the game, with the ways in which it can end."""
    found: dict[Branch, Scores] = {}
    for hand, ways in _pairs(counts, gone):
        shoe = _less(counts, hand, gone)
        for other, more in _pairs(shoe, gone):
            for branch, often, scores in _coups(hand, other, _less(shoe, other, gone), moves, gone):
                found[branch] = found.get(branch, Scores()).plus(scores, ways * more * often)
    return found


def _coups(
    hand: Pair, other: Pair, shoe: list[int], moves: _Moves, gone: int
) -> Iterator[tuple[Branch, int, Scores]]:
    """What may follow when the player holds `hand` and the banker `other`, and how often."""
    count, his, cards = _count(hand), _count(other), sum(shoe)
    if count >= NATURAL or his >= NATURAL:
        score = Score(his > count, his < count)
        yield Branch(None, False, None), cards * (cards - gone), Scores(score, score)
        return
    legal = moves.player[count]
    chooser = moves.known(hand) if len(legal) > 1 else None
    if STAND in legal:
        sight, scores = _reply(other, None, count, shoe, moves)
        yield Branch(chooser, False, sight), cards - gone, scores
    if DRAW in legal:
        for third in filter(shoe.__getitem__, VALUES):
            left = _less(shoe, [third], gone)
            sight, scores = _reply(other, third, (count + third) % 10, left, moves)
            yield Branch(chooser, True, sight), shoe[third], scores


def _reply(
    other: Pair, third: int | None, total: int, shoe: list[int], moves: _Moves
) -> tuple[Sight | None, Scores]:
    """What the banker knows, if he has a choice, and how he fares against the player's total."""
    his, cards = _count(other), sum(shoe)
    reaching = shoe[-his:] + shoe[:-his]  # cards that bring him to the counts from 0 to 9
    stands = Score(cards * (his > total), cards * (his < total))
    draws = Score(sum(reaching[total + 1 :]), sum(reaching[:total]))
    legal = moves.banker[his, third]
    if len(legal) > 1:
        return (moves.known(other), third), Scores(stands, draws)
    score = draws if DRAW in legal else stands
    return None, Scores(score, score)


def _outcomes(
    branches: Mapping[Branch, Scores], plays: Mapping[Hashable, Fraction], sequences: int
) -> Outcomes:
    """How likely each result is when both sides play so."""
    banker_wins = player_wins = ZERO
    for branch, (stands, draws) in branches.items():
        chance = ONE
        if branch.player is not None:
            chance = plays[branch.player] if branch.drew else 1 - plays[branch.player]
        reply = ZERO if branch.banker is None else plays[branch.banker]
        banker_wins += chance * (stands.banker + reply * (draws.banker - stands.banker))
        player_wins += chance * (stands.player + reply * (draws.player - stands.player))
    banker_wins, player_wins = banker_wins / sequences, player_wins / sequences
    return Outcomes(banker_wins, player_wins, 1 - banker_wins - player_wins)


Choice = Hashable  # a hand of the player or a sight of the banker; none is both
Plays = dict[Choice, Fraction]  # the probability of drawing at each choice
# What a side gains by drawing: a part for each draw of the other side, and a fixed part for None.
Gain = dict[Choice, Fraction | int]
Gains = dict[Choice, Gain]


def _gains(branches: Mapping[Branch, Scores], vigorish: Fraction) -> tuple[Gains, Gains]:
    """What the player and the banker gain by drawing at each choice, in whole numbers."""
    player: defaultdict[Choice, Gain] = defaultdict(lambda: defaultdict(int))
    banker: defaultdict[Choice, Gain] = defaultdict(lambda: defaultdict(int))
    whole, kept = vigorish.denominator, vigorish.denominator - vigorish.numerator
    for branch, (stands, draws) in branches.items():
        wins, losses = draws.banker - stands.banker, draws.player - stands.player
        if branch.player is not None:
            way = 1 if branch.drew else -1
            player[branch.player][None] += way * (stands.player - stands.banker)
            player[branch.player][branch.banker] += way * (losses - wins)
        if branch.banker is not None:
            gain = kept * wins - whole * losses
            if branch.drew or branch.player is None:
                banker[branch.banker][branch.player] += gain
            else:
                banker[branch.banker][None] += gain
                banker[branch.banker][branch.player] -= gain
    return dict(player), dict(banker)


def _at(gain: Gain, plays: Plays) -> Fraction:
    """The gain when the other side plays so."""
    # Most plays have the same denominator, so the numerators are added before they are divided.
    sums: defaultdict[int, Fraction | int] = defaultdict(int)
    for choice, part in gain.items():
        if choice is not None:
            sums[plays[choice].denominator] += part * plays[choice].numerator
    parts = (Fraction(total) / denominator for denominator, total in sums.items())
    return sum(parts, Fraction(gain.get(None, 0)))


def _equilibrium(player: Gains, banker: Gains) -> Plays:
    """Plays of both sides against which neither can gain."""
    if len(player) > MOST_CHOICES:
        raise ValueError(
            f"The player has {len(player)} choices, and only {MOST_CHOICES} can be solved."
        )
    mine, his = _start(player, banker)
    _walk(mine, his)
    plays = {choice: Fraction(round(play)) for choice, play in (mine.plays | his.plays).items()}
    plays |= _balance([banker[choice] for choice in his.free], mine.free, plays)
    plays |= _balance([player[choice] for choice in mine.free], his.free, plays)
    for choice, gain in (player | banker).items():
        if not _bears(plays[choice], _at(gain, plays)):
            raise ArithmeticError(f"No best play was found on {choice}.")
    return plays


def _bears(play: Fraction, gain: Fraction) -> bool:
    """Whether a side that gains so much by drawing has no reason to play otherwise."""
    return 0 <= play <= 1 and (gain <= 0 or play == 1) and (gain >= 0 or play == 0)


def _balance(gains: list[Gain], mixed: list[Choice], plays: Plays) -> Plays:
    """How often to draw where the play is mixed, for the other side to gain nothing by drawing."""
    others = plays | dict.fromkeys(mixed, ZERO)
    rows = [[gain.get(choice, 0) for choice in mixed] for gain in gains]
    return dict(zip(mixed, _linear(rows, [-_at(gain, others) for gain in gains]), strict=True))


def _linear(
    rows: Sequence[Sequence[Fraction | int]], sums: Sequence[Fraction | int]
) -> list[Fraction]:
    """The numbers that solve these equations, one row of factors and one sum for each."""
    table = [[Fraction(n) for n in (*row, total)] for row, total in zip(rows, sums, strict=True)]
    for at in range(len(table)):
        pivot = next((row for row in range(at, len(table)) if table[row][at]), None)
        if pivot is None:
            raise ArithmeticError("The choices of the two sides cannot be balanced.")
        table[at], table[pivot] = table[pivot], table[at]
        table[at] = [n / table[at][at] for n in table[at]]
        for row in range(len(table)):
            if row != at and (factor := table[row][at]):
                table[row] = [n - factor * m for n, m in zip(table[row], table[at], strict=True)]
    return [row[-1] for row in table]


@dataclass
class _Side:
    """One side on the walk: its gains by drawing, its play, and where it is free to change it.

    Where it is free it gains nothing by drawing and nothing by standing. Elsewhere it
    means to draw, or means to stand, and then does the other thing only by a slip.
    """

    gains: Gains
    plays: Plays
    slip: Fraction
    free: list[Choice] = field(default_factory=list)

    def limit(self, choice: Choice, rate: Fraction) -> Fraction | None:
        """How far a play can go that changes at this rate."""
        if choice == BRIBE:
            return ZERO if rate < 0 else None
        return 1 - self.slip if rate > 0 else self.slip

    def draws(self, choice: Choice) -> bool:
        """Whether it means to draw, where it is not free."""
        return self.plays[choice] == 1 - self.slip


class _Event(NamedTuple):
    """What ends a step of the walk, after a time."""

    time: Fraction
    choice: Choice
    is_limit: bool  # the side that moves can go no further; else the other side becomes free


def _start(player: Gains, banker: Gains) -> tuple[_Side, _Side]:
    """Both sides when the bribe for drawing is so high that the player always draws.

    The slips, and nudges to the gains that are smaller still, let no two things happen at once
    on the walk. They are finer than any difference that the whole numbers of the game can make.
    """
    numbers = [int(part) for gain in (player | banker).values() for part in gain.values()]
    digits = max((number.bit_length() for number in numbers), default=0) + 8
    slip = Fraction(1, 2 ** (4 * (len(player) + 2) * digits))
    mine = _Side(_nudged(player, slip), dict.fromkeys(player, 1 - slip), slip)
    his = _Side(_nudged(banker, slip), {}, slip)
    for choice, gain in his.gains.items():
        his.plays[choice] = 1 - slip if _at(gain, mine.plays) > 0 else slip
    his.gains = {choice: gain for choice, gain in his.gains.items() if _is_open(gain)}
    settled = {choice: play for choice, play in his.plays.items() if choice not in his.gains}
    mine.gains = {choice: _settle(gain, settled) for choice, gain in mine.gains.items()}
    his.plays[BRIBE] = 1 - min([ZERO, *(_at(gain, his.plays) for gain in mine.gains.values())])
    for gain in mine.gains.values():
        gain[BRIBE] = 1
    his.free.append(BRIBE)
    return mine, his


def _settle(gain: Gain, settled: Plays) -> Gain:
    """The same gain, with every part of a settled play in the fixed part."""
    fixed = {choice: part for choice, part in gain.items() if choice in settled or choice is None}
    return {choice: part for choice, part in gain.items() if choice not in fixed} | {
        None: _at(fixed, settled)
    }


def _nudged(gains: Gains, slip: Fraction) -> Gains:
    """Every gain made smaller by a hair, and each by another."""
    return {
        choice: {**gain, None: gain.get(None, 0) - slip**2 * pow(5, 50 + at, PRIME) / PRIME}
        for at, (choice, gain) in enumerate(gains.items())
    }


def _is_open(gain: Gain) -> bool:
    """Whether it depends on the other side what is better, to draw or to stand."""
    parts = [part for choice, part in gain.items() if choice is not None]
    least = gain[None] + sum(part for part in parts if part < 0)
    most = gain[None] + sum(part for part in parts if part > 0)
    return least <= 0 <= most


def _walk(player: _Side, banker: _Side) -> None:
    """Take the bribe back until it is gone, while the sides move in turn and regret nothing.

    The side that moves changes its play where it is free, in the one direction in which the
    other side stays free where it is. It moves until its play can go no further somewhere, or
    until the other side becomes free somewhere. Then it is the other side that has to move.
    """
    mover, other = banker, player
    row: list[Fraction | int] = [1]
    speed = -1
    for _ in range(MOST_STEPS):
        held = [other.gains[choice] for choice in other.free if choice != BRIBE]
        rows = [[gain.get(choice, 0) for choice in mover.free] for gain in held]
        rates = _linear([*rows, row], [0] * len(rows) + [speed])
        rate = dict(zip(mover.free, rates, strict=True))
        events = chain(_limits(mover, rate), _turns(other, mover, rate))
        event = min(events, key=lambda event: event.time)
        for choice in mover.free:
            mover.plays[choice] += event.time * rate[choice]
        if event.is_limit:
            mover.free.remove(event.choice)
            if event.choice == BRIBE:
                return
            # From now on there must be a reason for what it does there.
            row = [mover.gains[event.choice].get(choice, 0) for choice in other.free]
            speed = 1 if mover.draws(event.choice) else -1
        else:
            speed = -1 if other.draws(event.choice) else 1
            other.free.append(event.choice)
            row = [int(choice == event.choice) for choice in other.free]
        mover, other = other, mover
    raise ArithmeticError("The search for the best play does not end.")


def _limits(mover: _Side, rate: Plays) -> Iterator[_Event]:
    """When the side that moves can go no further."""
    for choice in mover.free:
        limit = mover.limit(choice, rate[choice]) if rate[choice] else None
        if limit is not None:
            yield _Event((limit - mover.plays[choice]) / rate[choice], choice, is_limit=True)


def _turns(other: _Side, mover: _Side, rate: Plays) -> Iterator[_Event]:
    """When the side that watches comes to doubt what it does."""
    for choice, gain in other.gains.items():
        if choice not in other.free:
            change = sum((gain.get(each, 0) * rate[each] for each in mover.free), ZERO)
            if change < 0 if other.draws(choice) else change > 0:
                yield _Event(-_at(gain, mover.plays) / change, choice, is_limit=False)


NAMES = "zero one two three four five six seven".split()


def _words(plays: Mapping[Sight, Fraction], against: Callable[[list[int | None]], str]) -> str:
    """A way to play, to follow the name of the side that plays it."""
    if not plays:
        return "has no choice"
    phrases = _phrases(plays, against)
    draws = [text for chance, text in sorted(phrases, key=lambda phrase: phrase[0] != 1) if chance]
    stands = [text for chance, text in phrases if not chance]
    return "; ".join([*draws, "otherwise stands"] if draws and stands else draws + stands)


def _phrases(
    plays: Mapping[Sight, Fraction], against: Callable[[list[int | None]], str]
) -> list[tuple[Fraction, str]]:
    """What to do where, with all that is alike in one phrase, and the chance to draw there."""
    thirds: defaultdict[tuple[Fraction, int, str], list[int | None]] = defaultdict(list)
    for count in range(NATURAL):
        for third in THIRDS:
            for chance, cards in _cards(plays, count, third):
                thirds[chance, count, cards].append(third)
    counts: defaultdict[tuple[Fraction, str], list[str]] = defaultdict(list)
    for (chance, count, cards), some in thirds.items():
        counts[chance, cards + against(some)].append(NAMES[count])
    return [
        (chance, f"{'draws' if chance else 'stands'} on {_list(names)}{rest}{_often(chance)}")
        for (chance, rest), names in counts.items()
    ]


def _cards(
    plays: Mapping[Sight, Fraction], count: int, third: int | None
) -> Iterator[tuple[Fraction, str]]:
    """Each play on this count against this card, with the two cards unless it is on all."""
    alike: defaultdict[Fraction, list[str]] = defaultdict(list)
    for (hand, seen), chance in plays.items():
        if seen == third and count == (_count(hand) if isinstance(hand, tuple) else hand):
            alike[chance].append("-".join(map(str, hand)) if isinstance(hand, tuple) else "")
    for chance, hands in alike.items():
        yield chance, "" if len(alike) == 1 else f" from {_list(hands)}"


def _against(thirds: list[int | None]) -> str:
    """The player's third cards, or his stand, in a few words."""
    if len(thirds) == len(THIRDS):
        return " against anything"
    names: list[str] = []
    cards = [card for card in VALUES if card in thirds]
    for _, pairs in groupby(enumerate(cards), key=lambda pair: pair[1] - pair[0]):
        run = [card for _, card in pairs]
        names += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return " against " + _list(names + ["a stand"] * (None in thirds))


def _often(chance: Fraction) -> str:
    """The probability, rounded if it is too long to read, unless it is 0 or 1."""
    if chance.denominator == 1:
        return ""
    number = str(chance) if chance.denominator < 10_000 else f"{float(chance):.4f}"
    return f" with probability {number}"


def _list(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
