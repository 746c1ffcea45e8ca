"""What a licensee may choose at its table, and what it may not.

A game lists its options in a class:

    class Options(TableOptions):
        wheel = choice("double_zero", "single_zero", cite=law("5.2(b)"))

`options.wheel` is then the chosen value. A value that is not lawful, and a
combination that is not, become violations with the paragraph that forbids them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from croupier.equipment import Odds, dollars
from croupier.rulebook.citation import Citation, custom
from croupier.rulebook.refusal import Violation, brief

T = TypeVar("T")


class Option(Generic[T]):
    """One choice of the licensee's: its lawful values, its default, its citation."""

    id: str

    def __init__(
        self,
        default: T,
        cite: Citation,
        title: str = "",
        follows: "Callable[[Any], T] | None" = None,
    ) -> None:
        """The default may follow from the other options."""
        self.default = default
        self.cite = cite
        self.title = title
        self.follows = follows

    def __set_name__(self, owner: type, name: str) -> None:
        self.id = name

    @overload
    def __get__(self, options: None, owner: type) -> Self: ...
    @overload
    def __get__(self, options: "TableOptions", owner: type) -> T: ...
    def __get__(self, options: "TableOptions | None", owner: type) -> "Self | T":
        if options is None:
            return self
        if self.id not in options.given and self.follows is not None:
            return self.follows(options)
        value: T = options.given.get(self.id, self.default)
        return value

    lawful = ""  # in words, where there is no end to the lawful values

    @property
    def values(self) -> list[Any]:
        """The lawful values, or the default where there is no end to them."""
        return [self.show(self.default)]

    def parse(self, given: Any) -> T:
        """The value that a person or a script gave; ValueError says what is lawful."""
        raise NotImplementedError

    def show(self, value: T) -> Any:
        """The value as scripts write it."""
        return value


def _word(given: Any) -> str:
    """Option values are words in snake_case; spaces, hyphens and capitals do not matter."""
    if isinstance(given, bool):
        return "true" if given else "false"
    text = str(given).strip(" {}").lower().replace(", ", ",")
    return text.replace(" ", "_").replace("-", "_")


class Choice(Option[str]):
    """One of a few named values."""

    def __init__(
        self,
        names: tuple[str, ...],
        default: str,
        cite: Citation,
        title: str,
        follows: Callable[[Any], str] | None,
    ) -> None:
        super().__init__(default, cite, title, follows)
        self.names = names
        self._by_word = {_word(name): name for name in names}

    @property
    def values(self) -> list[Any]:
        return list(self.names)

    def parse(self, given: Any) -> str:
        several = isinstance(given, list) and any("," in name for name in self.names)
        word = _word(",".join(map(str, given)) if several else given)
        if word not in self._by_word:
            raise ValueError(f"must be {_either(self.names)}, not {given!r}")
        return self._by_word[word]


class Flag(Option[bool]):
    """Yes or no, in the words that the rule sheet uses for it."""

    words: tuple[Any, Any]

    def __init__(
        self,
        default: bool,
        cite: Citation,
        title: str,
        yes_no: bool,
        follows: Callable[[Any], bool] | None = None,
    ) -> None:
        super().__init__(default, cite, title, follows)
        self.words = ("yes", "no") if yes_no else (True, False)

    @property
    def values(self) -> list[Any]:
        return list(self.words)

    def parse(self, given: Any) -> bool:
        word = _word(given)
        if word not in ("true", "yes", "false", "no"):
            raise ValueError(f"must be {_either(tuple(map(_word, self.words)))}, not {given!r}")
        return word in ("true", "yes")

    def show(self, value: bool) -> Any:
        return self.words[not value]


class Subset(Option[frozenset[str]]):
    """Any of several things, or `none` of them; several are joined by a comma."""

    def __init__(
        self, names: tuple[str, ...], default: frozenset[str], cite: Citation, title: str
    ) -> None:
        super().__init__(default, cite, title)
        self.names = names
        self._by_word = {_word(name): name for name in names}

    @property
    def values(self) -> list[Any]:
        return ["none", *self.names]

    def parse(self, given: Any) -> frozenset[str]:
        parts = given if isinstance(given, list) else str(given).replace("+", ",").split(",")
        words = {_word(part) for part in parts} - {"none", ""}
        if unknown := words - set(self._by_word):
            raise ValueError(
                f"must be none or any of {', '.join(self.names)}, not {', '.join(sorted(unknown))}"
            )
        return frozenset(self._by_word[word] for word in words)

    def show(self, value: frozenset[str]) -> Any:
        return [name for name in self.names if name in value] or "none"


class Whole(Option[int]):
    """A whole number within bounds."""

    def __init__(
        self,
        low: int,
        high: int | None,
        default: int,
        cite: Citation,
        title: str,
        follows: Callable[[Any], int] | None = None,
    ) -> None:
        super().__init__(default, cite, title, follows)
        self.low, self.high = low, high
        least = f"at least {self._show(low)}"
        self.lawful = least if high is None else f"{least} and at most {self._show(high)}"

    def _show(self, number: int) -> str:
        return f"{number:,}"

    @property
    def values(self) -> list[Any]:
        if self.high is not None and self.high - self.low < 100:
            return list(range(self.low, self.high + 1))
        return super().values

    def parse(self, given: Any) -> int:
        try:
            number = int(given) if not isinstance(given, bool | float) else None
        except (TypeError, ValueError):
            number = None
        if number is None or len(str(given)) > 15:
            raise ValueError(f"must be a whole number, not {given!r}")
        if number < self.low or (self.high is not None and number > self.high):
            raise ValueError(f"must be {self.lawful}, not {self._show(number)}")
        return number


class Number(Option[int]):
    """One of a few numbers."""

    def __init__(self, numbers: tuple[int, ...], default: int, cite: Citation, title: str) -> None:
        super().__init__(default, cite, title)
        self.numbers = numbers

    @property
    def values(self) -> list[Any]:
        return list(self.numbers)

    def parse(self, given: Any) -> int:
        for number in self.numbers:
            if not isinstance(given, bool) and str(given).strip() == str(number):
                return number
        raise ValueError(f"must be {_either(tuple(map(str, self.numbers)))}, not {brief(given)}")


class Money(Whole):
    """An amount in cents."""

    def _show(self, number: int) -> str:
        return f"{number} cent{'s' * (number != 1)} ({dollars(number)})"


class MoneyRange(Option[tuple[int, int]]):
    """The least and the most, in cents, written `100-500`."""

    lawful = "the least and the most in cents, such as 100-500"

    def parse(self, given: Any) -> tuple[int, int]:
        parts = given if isinstance(given, list) else str(given).split("-")
        bound = Money(1, None, 1, self.cite, "")
        if len(parts) != 2:
            raise ValueError(f"must be two amounts, such as {self.show(self.default)}")
        low, high = map(bound.parse, parts)
        if low > high:
            raise ValueError(f"must rise from the least to the most, not {given!r}")
        return low, high

    def show(self, value: tuple[int, int]) -> Any:
        return f"{value[0]}-{value[1]}"


class MaybeMoney(Option[int | None]):
    """An amount in cents, or `none`."""

    lawful = "none, or any amount in cents"

    @property
    def values(self) -> list[Any]:
        return list(dict.fromkeys(["none", self.show(self.default)]))

    def parse(self, given: Any) -> int | None:
        if given is None or _word(given) == "none":
            return None
        try:
            return Money(1, None, 1, self.cite, "").parse(given)
        except ValueError as error:
            raise ValueError(f"{error}, or none") from None

    def show(self, value: int | None) -> Any:
        return "none" if value is None else value


class MaybeFraction(Option[Fraction | None]):
    """A fraction from 0 to 1, or `none`."""

    lawful = "none, or a fraction from 0 to 1, such as 1/4 or 0.25"

    def parse(self, given: Any) -> Fraction | None:
        if given is None or _word(given) == "none":
            return None
        try:
            fraction = _fraction(given)
        except (ValueError, ZeroDivisionError):
            fraction = Fraction(-1)
        if not 0 <= fraction <= 1:
            raise ValueError(f"must be none or a fraction from 0 to 1, not {given!r}")
        return fraction

    def show(self, value: Fraction | None) -> Any:
        return "none" if value is None else str(value)


class OddsAtLeast(Option[Odds]):
    """Odds that may be better than the minimum, never worse."""

    lawful = "these odds or better"

    def parse(self, given: Any) -> Odds:
        odds = Odds.parse(str(given))
        if odds < self.default:
            raise ValueError(f"must pay at least {self.default}, not {odds}")
        return odds

    def show(self, value: Odds) -> Any:
        return str(value)


class BetterOdds(Option[Mapping[str, Odds]]):
    """Odds above the regulated minimum, by wager, or by `wager.line` of its pay table.

    Written `any_seven: 5 to 1, field.two: 3 to 1`, or as a JSON object. Whether
    they are better is checked by the game, which knows its own minimums.
    """

    lawful = "none, or wager: odds, …, no worse than the minimum, such as any_seven: 5 to 1"

    def parse(self, given: Any) -> Mapping[str, Odds]:
        if given is None or given == {} or (isinstance(given, str) and _word(given) == "none"):
            return {}
        pairs = given
        if isinstance(given, str):
            parts = re.split(r",(?!\d{3}\b)", given)  # a comma, but not that of 1,000 to 1
            pairs = dict(part.rpartition(":")[::2] for part in parts)
        if not isinstance(pairs, Mapping):
            raise ValueError(f"must read wager: odds, such as any_seven: 5 to 1, not {given!r}")
        return {str(key).strip(): Odds.parse(str(odds)) for key, odds in pairs.items()}

    def show(self, value: Mapping[str, Odds]) -> Any:
        return {key: str(odds) for key, odds in value.items()} or "none"


PayCard = Mapping[int, Mapping[int, Fraction]]


class Schedule(Option[PayCard]):
    """A card of payments by spots and catches, "for" one unit: the stake is included."""

    def __init__(self, name: str, card: PayCard, most: int, cite: Citation, title: str) -> None:
        """`most` is the greatest number of spots that can all be caught."""
        super().__init__(card, cite, title)
        self.name, self.most = name, most

    lawful = 'any published card, as JSON: {"spots": {"catches": pays}}'

    def parse(self, given: Any) -> PayCard:
        if isinstance(given, str) and _word(given) == self.name:
            return self.default
        try:
            card = json.loads(given) if isinstance(given, str) else given
            rows = {
                int(spots): {int(caught): _fraction(pays) for caught, pays in row.items()}
                for spots, row in card.items()
            }
        except (ValueError, AttributeError, ZeroDivisionError, RecursionError):
            raise ValueError(
                f'must be {self.name} or a card such as {{"1": {{"1": 3}}}}, not {brief(given)}'
            ) from None
        for spots, row in rows.items():
            if not 1 <= spots <= self.most:
                raise ValueError(f"has a row of {spots} spots, and tickets have 1 to {self.most}")
            if any(not 0 <= caught <= spots or pays < 0 for caught, pays in row.items()):
                raise ValueError(f"pays for an impossible catch, or less than nothing, on {spots}")
        return rows

    def show(self, value: PayCard) -> Any:
        if value == self.default:
            return self.name
        return {
            str(spots): {str(caught): str(pays) for caught, pays in row.items()}
            for spots, row in value.items()
        }


def choice(
    *names: str,
    cite: Citation,
    default: str = "",
    title: str = "",
    follows: Callable[[Any], str] | None = None,
) -> Choice:
    """One of these values; the first is the default unless another is named or follows."""
    return Choice(names, default or names[0], cite, title, follows)


def flag(
    default: bool,
    *,
    cite: Citation,
    title: str = "",
    yes_no: bool = False,
    follows: Callable[[Any], bool] | None = None,
) -> Flag:
    """True or false, or yes and no where the rule sheet says so."""
    return Flag(default, cite, title, yes_no, follows)


def subset(
    *names: str, cite: Citation, default: frozenset[str] = frozenset(), title: str = ""
) -> Subset:
    """Any of these, none by default."""
    return Subset(names, default, cite, title)


def number(*numbers: int, cite: Citation, default: int = 0, title: str = "") -> Number:
    """One of these numbers; the first is the default unless another is named."""
    return Number(numbers, default or numbers[0], cite, title)


def whole(
    low: int,
    high: int | None = None,
    *,
    default: int,
    cite: Citation,
    title: str = "",
    follows: Callable[[Any], int] | None = None,
) -> Whole:
    """A whole number from low to high."""
    return Whole(low, high, default, cite, title, follows)


def money(
    default: int,
    *,
    cite: Citation,
    title: str = "",
    low: int = 1,
    follows: Callable[[Any], int] | None = None,
) -> Money:
    """An amount in cents."""
    return Money(low, None, default, cite, title, follows)


def better_odds(*, cite: Citation) -> BetterOdds:
    """Odds above the minimum, none by default."""
    return BetterOdds({}, cite, "odds paid above the minimum")


class TableOptions:
    """The options of one table. Every table has limits; a game adds its own options."""

    better_odds_option: ClassVar[str] = "higher_odds"  # the one that holds odds above the minimum
    without: ClassVar[
        tuple[str, ...]
    ] = ()  # the options of every table that this game does not have

    table_min = money(1000, cite=custom("8.2"), title="least wager, in cents")
    table_max = money(500_000, cite=custom("8.2"), title="greatest wager, in cents")
    increment = money(1, cite=custom("8.2"), title="wagers are multiples of this, in cents")
    higher_odds = better_odds(cite=custom("8.3"))

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        """`given` holds parsed values. Tables are opened by `Game.options`, which checks them."""
        self.given = dict(given or {})
        self.spots: dict[Any, Any] = {}  # of wagers, worked out once for a table

    def but(self, **values: Any) -> Self:
        """The same table with other values, which are not checked: to compare what might be."""
        return type(self)({**self.given, **values})

    @classmethod
    def all(cls) -> dict[str, Option[Any]]:
        """Every option by id: the game's own first, then those of every table."""
        found: dict[str, Option[Any]] = {}
        for owner in cls.__mro__:
            for name, value in vars(owner).items():
                if isinstance(value, Option) and name not in cls.without:
                    found.setdefault(name, value)
        return found

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> tuple[Self, list[Violation]]:
        """The options as asked for, and everything that is wrong with them, all at once."""
        known, values, wrong = cls.all(), {}, []
        for name, value in given.items():
            option = known.get(name)
            if option is None:
                wrong.append(Violation(name, _unknown(name, known), custom("8.3")))
                continue
            try:
                values[name] = option.parse(value)
            except ValueError as error:
                wrong.append(Violation(name, f"{name} {error}", option.cite))
        options = cls(values)
        broken = {violation.option for violation in wrong}  # already told what is wrong with them
        return options, wrong + [v for v in options.combinations() if v.option not in broken]

    def combinations(self) -> Iterator[Violation]:
        """What is wrong with the values taken together. Games add their own."""
        if self.table_min > self.table_max:
            yield Violation(
                "table_max",
                f"table_max ({dollars(self.table_max)}) is below "
                f"table_min ({dollars(self.table_min)})",
                custom("8.2"),
            )

    def odds_above_minimum(self) -> Mapping[str, Odds]:
        """What this table pays above the minimum, by `wager` or `wager.line`."""
        odds: Mapping[str, Odds] = getattr(self, self.better_odds_option)
        return odds

    def as_json(self) -> dict[str, Any]:
        """Every option with its value, as scripts write it."""
        return {name: option.show(getattr(self, name)) for name, option in self.all().items()}


def _fraction(given: Any) -> Fraction:
    """A fraction of a size that people write."""
    text = str(given)
    fraction = Fraction(text) if len(text) < 100 and "e" not in text.lower() else None
    if fraction is None:
        raise ValueError(f"{text[:30]} is not a fraction that anybody writes")
    return fraction


def _either(words: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    return f"this game has no option {name}; its options are {', '.join(known)}"
