"""What a game is: wagers, options, irregularities and the procedure of a round.

A game is stateless. What lasts between rounds is its `State`, a small frozen
dataclass that lives with the table.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from croupier.equipment import Device
from croupier.rulebook.betting import unequal
from croupier.rulebook.citation import Citation
from croupier.rulebook.irregularity import Resolution, Rule
from croupier.rulebook.options import TableOptions
from croupier.rulebook.refusal import Fault, Refusal, Unlawful, Violation
from croupier.rulebook.request import Request
from croupier.rulebook.wager import VOID, Bet, Decision, Opening, Wager

if TYPE_CHECKING:
    from croupier.rulebook.progressive import Meter
    from croupier.rulebook.settlement import Settlement
    from croupier.rulebook.table import Table

Round = Generator[Request, Any, None]
Family = Literal["wheel", "dice", "drum", "shoe", "poker"]


@dataclass(frozen=True)
class NoState:
    """For a game in which nothing lasts from one round to the next."""


@dataclass(frozen=True)
class Posting:
    """A line of the table on the wall: wagers, as they may be offered, and by which rule."""

    title: str
    label: str  # one wager, or several that are made together
    options: Any  # of a table that offers it so
    cite: Citation
    is_here: bool  # the table in question offers it so


class Game:
    """One game of the chapter. Subclasses state what is theirs and nothing else."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[Citation]
    positions: ClassVar[int]  # how many seats the table has
    family: ClassVar[Family]  # what decides a round
    in_words: ClassVar[str]  # how it is played, for somebody who has never seen it
    wagers: ClassVar[tuple[Wager, ...]]
    irregularities: ClassVar[Mapping[str, Rule]]
    Options: ClassVar[type[TableOptions]] = TableOptions
    State: ClassVar[type[Any]] = NoState
    counts_against_the_clock: ClassVar[bool] = False  # seat 2 is to the right of seat 1
    settles_from_the_highest: ClassVar[bool] = False  # seat, and so downward
    out_of_cards: ClassVar[str] = ""  # the irregularity that an empty shoe is

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

    def in_play(self, state: Any) -> Any:
        """The standing state of a table that has been opened: where a script begins."""
        return state

    def due_for_shuffle(self, state: Any) -> Any:
        """The standing state of a table whose cards are to be shuffled before the next round."""
        raise Refusal(Fault.NOT_NOW, f"{self.title.lower()} has no cards to shuffle", self.cite)

    def posted(self, options: Any) -> "Iterable[Posting]":
        """Every way in which its wagers may be offered, where there are several to compare."""
        return ()

    def seats(self, options: Any) -> int:
        """How many seats a table with these options has."""
        return self.positions

    def may_sit(self, seat: str, held: list[str], options: Any) -> None:
        """Refuse a seat to a player who has these already, where a rule does."""

    def narrow(self, table: "Table", seat: str, opening: Opening) -> Opening:
        """The amounts, limited by who wagers and by what lies on the table; or a refusal."""
        return opening

    def meter(self, state: Any, options: Any) -> "Meter | None":
        """The progressive jackpot of a table, if it has one."""
        return None

    def check_wagers(self, table: "Table", seat: str) -> None:
        """Refuse the wagers of a seat that may not be played as they lie: unequal ones."""
        if self.has_relations and (refusal := unequal(table, seat)):
            raise refusal

    def accompany(self, table: "Table", seat: str) -> None:
        """Lay what must lie beside the wagers of a seat, in the amount that it must have."""
        if not self.has_relations:
            return
        for wager in self.offered(table.options):
            for other in table.bets_of(seat, wager.equals) if wager.equals else ():
                table.bet(seat, wager.id, other.stake)

    def settles_by_player(self, options: Any) -> bool:
        """One player is settled after another, and not all losers before all winners."""
        return False

    def vigorish_order(self, options: Any) -> tuple[bool, bool]:
        """Whether it is done for all seats together, and whether before they are paid."""
        return False, False

    def vigorish_cites(self) -> tuple[Citation, Citation]:
        """By which rules deferred vigorish is collected, and documented when it is not."""
        raise NotImplementedError

    def left(self, table: "Table", seat: str) -> None:
        """What else follows when a player leaves."""

    def voided(self, table: "Table") -> None:
        """What else follows when a round is void."""

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
    def has_relations(self) -> bool:
        """Whether a wager must lie beside another one."""
        return any(wager.rests_on or wager.equals for wager in self.wagers)

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

    def what_if(self, given: Mapping[str, Any]) -> tuple[Any, list[Violation]]:
        """The options of a table that may be unlawful, and all that is; to ask, never to play.

        What makes no sense at all is refused even so.
        """
        options, wrong = self._read(given)
        of_no_wager = [
            key for key in options.odds_above_minimum() if key.partition(".")[0] not in self.by_id
        ]
        if of_no_wager or any(each.option not in options.given for each in wrong):
            raise Unlawful(wrong)
        return options, wrong

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
                if (
                    line not in ("", each)
                    or odds == least
                    or (odds > least and not wager.pays_exactly)
                ):
                    continue
                rule = "pays exactly" if wager.pays_exactly else "may pay no less than"
                message = f"{key} would pay {odds}, and it {rule} {least}"
                yield Violation(option, message, wager.paid_by)
