"""How a player plays: a strategy is asked what to do, and answers with a move.

    class Cautious(Strategy):
        def decide(self, seen: Seen) -> str:
            return "play" if "pair" in seen.hand else "fold"

It is told what a player at the table sees and nothing else. There are the best
one, those that people have published, what the rules do when nobody answers,
and a player's own function.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.equipment import Card, Chance
from croupier.rulebook import Choice, Fault, Game, PokerGame, Refusal, ShoeGame
from croupier.rulebook.refusal import brief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from croupier.simulation.published import Rule

OPTIMAL, HOUSE_WAY = "optimal", "house_way"


@dataclass(frozen=True)
class Seen:
    """What a player sees when he is asked to decide."""

    game: str
    question: str
    moves: tuple[str, ...]  # as the exact analysis names them: "fold", "bet 4x"
    cards: tuple[Card, ...] = ()  # his own
    board: tuple[Card, ...] = ()  # the community cards in view
    up: tuple[Card, ...] = ()  # the dealer's, or the other side's, that lie face up
    hand: str = ""  # what his cards and the board make, in words; or the situation
    stage: int = 0  # which decision of the round it is, from 0
    before: tuple[str, ...] = ()  # what he has decided in this round
    options: Mapping[str, Any] = field(default_factory=dict)
    deal: Any = None  # all that he knows of the deal, as a game of the shoe tells it
    chance: Chance | None = None  # his own, for whoever does now this and now that

    def __str__(self) -> str:
        """The situation, for a sentence: "with Qh 6d 4c (…), asked to play or fold"."""
        cards = [" ".join(map(str, some)) for some in (self.cards, self.board, self.up)]
        said = f"with {cards[0]}" if cards[0] else ""
        said += f" on a board of {cards[1]}" if cards[1] else ""
        said += f" against {cards[2]}" if cards[2] else ""
        hand = f"({self.hand})" if said and self.hand else self.hand
        asked = f"asked to {' or '.join(self.moves)}"
        return f"{' '.join(filter(None, (said, hand)))}, {asked}"


class Strategy:
    """Something that decides.

    For speed a strategy may also have a method `decide_many(stage, before, own, board, up)` that
    is given the cards of many hands as NumPy arrays, numbered as in `ranking.bulk`, and gives the
    place of each hand's move among those of the stage.
    """

    name: str = ""
    title: str = ""
    source: str = ""  # where it is published, or whose it is

    def decide(self, seen: Seen) -> str:
        raise NotImplementedError


def in_words(game: PokerGame, cards: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """What the cards in view make, if they are enough for a hand."""
    from croupier.ranking import rank

    in_view = (*cards, *board)
    return rank(in_view, game.ladder).describe() if len(in_view) >= game.ladder.size else ""


# What is wagered besides how it is played.


class Wagers(Mapping[str, Fraction]):
    """The wagers that are made in each round, each with its units of the stake."""

    def __init__(self, units: Mapping[str, Fraction | int]) -> None:
        if not units:
            raise Refusal(Fault.BAD_AMOUNT, "there is no wager to make")
        for label, number in units.items():
            if number <= 0:
                message = f"{number} units on {label} are not a wager: they must be above zero"
                raise Refusal(Fault.BAD_AMOUNT, message)
        self._units = {label: Fraction(number) for label, number in units.items()}

    @classmethod
    def read(cls, words: tuple[str, ...] | list[str]) -> "Wagers":
        """What a person wrote: `pass`, or `pass=1` and `field=1/2`."""
        units: dict[str, Fraction] = {}
        for word in words:
            label, equals, number = word.rpartition("=")
            try:
                units[label if equals else word] = Fraction(number) if equals else Fraction(1)
            except (ValueError, ZeroDivisionError):
                message = f"{brief(number)} is not a number of units: write pass=2 or pass=1/2"
                raise Refusal(Fault.BAD_AMOUNT, message) from None
        return cls(units)

    def __getitem__(self, label: str) -> Fraction:
        return self._units[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._units)

    def __len__(self) -> int:
        return len(self._units)

    def __str__(self) -> str:
        return " and ".join(
            label if number == 1 else f"{number} units of {label}" for label, number in self.items()
        )


# The best.


def optimal(game: Game, options: Any, engine: Any = None) -> Strategy:
    """The best decisions there are, by the exact solvers.

    An `engine` of the same table that has been set up already is asked instead of a new one.
    """
    if isinstance(game, PokerGame):
        return _BestHand(game, options, engine)
    if isinstance(game, ShoeGame):
        return _BestSides(game, options) if game.duel(options) else _BestDeal(game, options)
    return _Undecided()


class _Best(Strategy):
    name = OPTIMAL
    title = "Optimal"
    source = "the exact analysis"


class _Undecided(_Best):
    """For a game that leaves nobody a decision."""

    def decide(self, seen: Seen) -> str:
        return seen.moves[0]


class _BestHand(_Best):
    """By the solved game, which is set up when the first hand is to be decided."""

    def __init__(self, game: PokerGame, options: Any, engine: Any = None) -> None:
        self.game, self.options, self._engine = game, options, engine

    def decide(self, seen: Seen) -> str:
        best, nodes = self._solved
        return str(best(nodes[seen.before], seen.cards, seen.board, seen.up))

    @cached_property
    def _solved(self) -> tuple[Callable[..., Choice], dict[tuple[str, ...], int]]:
        """What is best at a node of the tree of decisions; and its nodes, by what led there."""
        from croupier.simulation.packs import Packs

        engine = self._engine or Packs(self.game, self.options, self.game.main[:1])
        return engine.best, {
            tuple(map(str, before)): node for node, before in enumerate(engine.tree.before)
        }


class _BestDeal(_Best):
    """By the exact count of the full shoe."""

    def __init__(self, game: ShoeGame, options: Any) -> None:
        self.game, self.options = game, options

    @cached_property
    def _moves(self) -> dict[Any, str]:
        from croupier.analysis.dealt import Dealt

        choices = Dealt(self.game, self.options).deals.choices
        return {choice.deal: choice.move for choice in choices}

    def decide(self, seen: Seen) -> str:
        return self._moves[seen.deal]


class _BestSides(_Best):
    """Both sides play the equilibrium: where that is mixed, chance says what is done now."""

    def __init__(self, game: ShoeGame, options: Any) -> None:
        self.game, self.options = game, options

    @cached_property
    def _draws(self) -> dict[Any, Fraction]:
        """How likely each side draws, by all that it knows."""
        from croupier.analysis.dealt import Dealt

        found = Dealt(self.game, self.options).equilibrium
        assert found is not None
        return {**found.player, **found.banker}

    def decide(self, seen: Seen) -> str:
        draws = self._draws[seen.deal]
        if draws in (0, 1):
            return "draw" if draws else "stand"
        if seen.chance is None:
            message = f"the best play is mixed {seen}, and there is no chance to mix it by"
            raise Refusal(Fault.NOT_NOW, message)
        return "draw" if seen.chance.below(draws.denominator) < draws.numerator else "stand"


# What the rules do when nobody answers.


class HouseWay(Strategy):
    """The first move of every question; where a tableau guides a banker, the tableau."""

    name = HOUSE_WAY
    title = "House way"
    source = "the rules: what is done when nobody answers"

    def decide(self, seen: Seen) -> str:
        return _tableau(seen) or seen.moves[0]


def _tableau(seen: Seen) -> str:
    """What punto banco's table of play tells a banker at chemin de fer."""
    from croupier.games.baccarat import BANKER_DRAWS

    if seen.game != "baccarat-chemin-de-fer" or not isinstance(seen.deal, tuple):
        return ""
    points, third = seen.deal
    draws = BANKER_DRAWS[points][0 if third is None else third + 1] == "D"
    return "draw" if draws else "stand"


# Those that people have published.


class Published(Strategy):
    """Who looks at the cards by a few rules: the same for one hand and for many."""

    def __init__(self, game: PokerGame, options: Any, about: "Words", rule: "Rule") -> None:
        self.name, self.title, self.source = about
        self._rule = rule
        self._moves = [tuple(map(str, stage.choices)) for stage in game.stages(options)]

    def decide(self, seen: Seen) -> str:
        import numpy as np

        from croupier.ranking.bulk import number

        some = [
            np.array([[number(card) for card in cards]], np.uint8)
            for cards in (seen.cards, seen.board, seen.up)
        ]
        return seen.moves[int(self.decide_many(seen.stage, seen.before, *some)[0])]

    def decide_many(
        self,
        stage: int,
        before: tuple[str, ...],
        own: "NDArray[np.uint8]",
        board: "NDArray[np.uint8]",
        up: "NDArray[np.uint8]",
    ) -> "NDArray[np.int8]":
        """The place of each hand's move among those of the stage."""
        import numpy as np

        from croupier.simulation.published import Hands

        moves = self._moves[stage]
        chosen = self._rule(Hands(stage, moves, own, board, up))
        found = np.zeros(len(own), np.int8)  # what no line is about is the rules' own default
        for move in reversed([*chosen]):
            found[chosen[move]] = moves.index(move)
        return found


class Words(NamedTuple):
    """How a strategy is called, and where it comes from."""

    name: str
    title: str
    source: str


class ByDeal(Strategy):
    """Who looks at the deal of a game of the shoe."""

    def __init__(self, about: Words, rule: Callable[[Seen], str]) -> None:
        self.name, self.title, self.source = about
        self._rule = rule

    def decide(self, seen: Seen) -> str:
        return self._rule(seen)


def _raise_from(spread: int) -> Callable[[Seen], str]:
    return lambda seen: "raise" if seen.deal.spread >= spread else "call"


def _always(move: str) -> Callable[[Seen], str]:
    return lambda seen: move


def _on_five(move: str) -> Callable[[Seen], str]:
    return lambda seen: _tableau(seen) or move


LARGEST = 1 << 20  # characters of a file of somebody's own strategy
CUSTOM = "customary"
BY_DEAL: Mapping[str, tuple[tuple[Words, Callable[[Seen], str]], ...]] = {
    "red-dog": (
        (Words("raise_from_7", "Raise on a spread of seven or more",
               "Wizard of Odds, Red Dog"), _raise_from(7)),
        (Words("never_raise", "Never raise", CUSTOM), _always("call")),
    ),
    "casino-war": (
        (Words("go_to_war", "Always go to war", "Wizard of Odds, Casino War"),
         _always("go_to_war")),
        (Words("surrender", "Always surrender", CUSTOM), _always("surrender")),
    ),
    "baccarat-chemin-de-fer": (
        (Words("draw_on_5", "The player draws on five, the banker goes by the tableau", CUSTOM),
         _on_five("draw")),
        (Words("stand_on_5", "The player stands on five, the banker goes by the tableau", CUSTOM),
         _on_five("stand")),
    ),
}  # fmt: skip


def strategies(game: Game, options: Any) -> dict[str, Strategy]:
    """Every strategy that has a name at this table."""
    found: list[Strategy] = [optimal(game, options), HouseWay()]
    if isinstance(game, PokerGame):
        from croupier.simulation.published import PUBLISHED

        found += [Published(game, options, *each) for each in PUBLISHED.get(game.id, ())]
    found += [ByDeal(*each) for each in BY_DEAL.get(game.id, ())]
    return {each.name: each for each in found}


def named(game: Game, options: Any, name: str) -> Strategy:
    """The strategy of this name, or a player's own function: `file.py:function`.

    A function that is carried to another process brings its source along, after the first line.
    """
    first, _, code = name.partition("\n")
    if code:
        path, _, function = first.rpartition(":")
        return FromFunction(function_of(first, code), function, path)
    if ".py:" in first:
        return from_file(first)
    known = strategies(game, options)
    written = "_".join(name.lower().replace("-", " ").split())
    if written not in known:
        names = ", ".join(known)
        message = (
            f"{game.title.lower()} has no strategy {brief(name)}: write one of {names}, "
            "or file.py:function"
        )
        raise Refusal(Fault.ILLEGAL_MOVE, message, game.cite)
    return known[written]


# A player's own.


class FromFunction(Strategy):
    """A function that is asked what to do."""

    def __init__(self, function: Callable[[Seen], Any], name: str, source: str) -> None:
        self._function = function
        self.name, self.source = name, source
        self.title = (function.__doc__ or name).strip().partition("\n")[0]

    def decide(self, seen: Seen) -> str:
        try:
            move = self._function(seen)
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Refusal(Fault.BAD_SCRIPT, f"{self.name} failed {seen}: {what}") from error
        if not isinstance(move, str) or move not in seen.moves:
            message = f"{self.name} answered {brief(move)} {seen}"
            raise Refusal(Fault.ILLEGAL_MOVE, message)
        return move


def from_function(function: Callable[[Seen], Any]) -> Strategy:
    """A player's own strategy: a function that is given what is seen and answers with a move."""
    name = getattr(function, "__name__", "strategy")
    return FromFunction(function, name, getattr(function, "__module__", ""))


def from_file(place: str) -> Strategy:
    """The function of a Python file: `mine.py:careful`."""
    path, _, name = place.rpartition(":")
    return FromFunction(function_of(place), name, path)


def carried(name: str) -> str:
    """The name of a strategy as another process can use it: with the source of its file."""
    return f"{name}\n{_read(name)}" if ".py:" in name and "\n" not in name else name


def function_of(place: str, code: str | None = None) -> Callable[..., Any]:
    """The function that a place names, from its file or from the code that was brought along."""
    path, _, name = place.rpartition(":")
    module: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    try:
        exec(compile(_read(place) if code is None else code, path, "exec"), module)
    except Refusal:
        raise
    except Exception as error:
        line = f" on line {error.lineno}" if isinstance(error, SyntaxError) else ""
        message = f"{path} cannot be run: {type(error).__name__}{line}: {error}"
        raise Refusal(Fault.BAD_SCRIPT, message) from error
    function = module.get(name)
    if not callable(function):
        raise Refusal(Fault.BAD_SCRIPT, f"{path} has no function {name!r}")
    found: Callable[..., Any] = function
    return found


def _read(place: str) -> str:
    path, _, _ = place.rpartition(":")
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.read(LARGEST)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise Refusal(Fault.BAD_SCRIPT, f"{path} cannot be read: {why}") from None
