"""What a game is: wagers, options, irregularities and the procedure of a round.

A game is stateless. What lasts between rounds is its `State`, a small frozen
dataclass that lives with the table.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.equipment import Device
from croupier.rulebook.citation import Citation
from croupier.rulebook.irregularity import Resolution, Rule
from croupier.rulebook.options import TableOptions
from croupier.rulebook.refusal import Fault, Refusal, Unlawful, Violation
from croupier.rulebook.request import Request
from croupier.rulebook.wager import VOID, Bet, Decision, Wager

if TYPE_CHECKING:
    from croupier.rulebook.settlement import Settlement
    from croupier.rulebook.table import Table

Round = Generator[Request, Any, None]


@dataclass(frozen=True)
class NoState:
    """For a game in which nothing lasts from one round to the next."""


class Game:
    """One game of the chapter. Subclasses state what is theirs and nothing else."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[Citation]
    positions: ClassVar[int]  # how many seats the table has
    wagers: ClassVar[tuple[Wager, ...]]
    irregularities: ClassVar[Mapping[str, Rule]]
    Options: ClassVar[type[TableOptions]] = TableOptions
    State: ClassVar[type[Any]] = NoState

    # What every game must say.

    def device(self, options: Any) -> Device[Any]:
        """The equipment whose outcome decides a round, as it stands when the round begins."""
        raise NotImplementedError

    def round(self, table: "Table") -> Round:
        """The procedure, from "no more bets" to the last payment."""
        raise NotImplementedError

    # What a game may say differently.

    def void(self, bet: Bet) -> Decision:
        """What happens to a wager when the round is void."""
        return VOID

    def after(self, state: Any, outcome: Any, options: Any) -> Any:
        """The standing state after an outcome."""
        return state

    def pay(self, settlements: list["Settlement"], options: Any) -> list["Settlement"]:
        """The settlements of a round as they are paid; a limit on them all applies here."""
        return settlements

    def situations(self, wager: Wager, spot: str, options: Any) -> Iterable[tuple[int, Any]]:
        """The states in which a wager can be made, weighted by how often they arise."""
        return [(1, self.State())]

    def cases(self, covers: Any, options: Any) -> Iterable[tuple[int, Any]]:
        """Every outcome that a wager covering this may meet, with its number of ways."""
        return self.device(options).ways()

    # What follows from that.

    @cached_property
    def by_id(self) -> Mapping[str, Wager]:
        return {wager.id: wager for wager in self.wagers}

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Where each wager stands in the game's list."""
        return {wager.id: at for at, wager in enumerate(self.wagers)}

    def offered(self, options: Any) -> list[Wager]:
        """The wagers that a table with these options offers."""
        return [wager for wager in self.wagers if wager.offered(options)]

    def find(self, label: str, options: Any) -> tuple[Wager, str, Any]:
        """The wager, the spot and what it covers, of a label such as `straight:17`."""
        name, _, text = str(label).partition(":")
        wager = self.wager(name, options)
        spot, covers = wager.spot(text, options)
        return wager, spot, covers

    def wager(self, name: str, options: Any) -> Wager:
        """The wager of this id, if the table offers it."""
        wager = self.by_id.get(name)
        if wager is None:
            raise Refusal(
                Fault.UNKNOWN_WAGER, f"{self.title.lower()} has no wager {name!r}", self.cite
            )
        if not wager.offered(options):
            raise Refusal(
                Fault.NOT_OFFERED,
                f"{wager.title} ({name}) is not offered at this table",
                wager.offered_by or wager.cite,
            )
        return wager

    def resolutions(self, options: Any) -> dict[str, Resolution]:
        """What this table does about each irregularity."""
        return {kind: rule.under(options) for kind, rule in self.irregularities.items()}

    def check(self, given: Mapping[str, Any]) -> list[Violation]:
        """Everything that is unlawful about a table with these options."""
        return self._read(given)[1]

    def options(self, given: Mapping[str, Any] | None = None) -> Any:
        """The options of a lawful table, or `Unlawful` with every reason why it is not."""
        options, wrong = self._read(given or {})
        if wrong:
            raise Unlawful(wrong)
        return options

    def _read(self, given: Mapping[str, Any]) -> tuple[TableOptions, list[Violation]]:
        options, wrong = self.Options.read(given)
        return options, wrong + list(self._odds_too_low(options))

    def _odds_too_low(self, options: TableOptions) -> Iterable[Violation]:
        for key, odds in options.odds_above_minimum().items():
            name, dot, line = key.partition(".")
            wager = self.by_id.get(name)
            option = options.better_odds_option
            if wager is None or (dot and line not in wager.minimum(options)):
                yield Violation(option, f"{key} is not a wager, or a line of one", self.cite)
                continue
            for each, least in wager.minimum(options).items():
                if line in ("", each) and odds < least:
                    yield Violation(
                        option,
                        f"{key} would pay {odds}, and it may pay no less than {least}",
                        wager.paid_by,
                    )
