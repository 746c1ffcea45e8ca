"""How a live table stands, and the verbs with which every command changes it."""

from collections import Counter
from typing import Any

from croupier.floor.events import BEGINNING, NOBODY, canonical, digest
from croupier.floor.live.terms import Chair, Input, Terms, Told
from croupier.rulebook import HOUSE, Citation, Play, Request, Table, owed_by

METER, RESERVE = "progressive meter", "progressive reserve"


class LiveState:
    """Everything that a live table knows. `LiveTable` adds how a command is checked and done."""

    table: Table

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.name = ""
        self.private = False
        self.link: str | None = None  # the hash of the secret in a private table's link
        self.opened_by = ""
        self.status = "new"  # then open, closing, frozen, closed
        self.filed = ""  # the status that the directory of tables has, as far as is known
        self.thaws_to = ""  # the status before the table was frozen
        self.given: dict[str, Any] = {}
        self.terms = Terms()
        self.software = ""
        self.rules = ""
        self.round = 1
        self.number = 0
        self.head = BEGINNING
        self.round_began = 0  # the number of the last event before this round
        self.play: Play | None = None
        self.chairs: dict[str, Chair] = {}
        self.dealer: Chair | None = None
        self.notice: dict[str, Any] | None = None
        self.proposed: dict[str, Any] | None = None  # a correction that needs a second person
        self.proposals = 0
        self.counting = False  # betting closes by the clock
        self.asked_number = 0  # the number of the event that asked what the round waits for
        self.asked_numbers: dict[str, int] = {}  # the same for each hand that was asked
        self.books: dict[str, int] = {}  # every account, after the last step
        self.posted: dict[str, int] = {}  # what the last step moved
        self.transfers: list[tuple[str, int]] = []  # what the last step paid from the cage, to whom
        self.memory: dict[str, Any] | None = None  # how the table stood when it was last kept
        self.inputs: list[tuple[Input, str]] = []  # the commands since then, with their actors
        self.told: list[Told] = []  # what the command in progress has told so far
        self._taken = 0  # how many events of `table` have been told

    @property
    def request(self) -> Request | None:
        """What the round in progress waits for."""
        return self.play.request if self.play else None

    @property
    def listed(self) -> str:
        """The table's status in the directory of tables, which knows no closing."""
        return "open" if self.status == "closing" else self.status

    @property
    def may_change(self) -> bool:
        """Options change between rounds, and while nothing is on the layout."""
        return self.play is None and not self.table.bets and self.status == "open"

    @property
    def cite(self) -> Citation:
        """The paragraph of the game that is played here."""
        return self.table.game.cite

    def ruleset(self) -> dict[str, Any]:
        """All that decides how a round is played and paid."""
        table = self.table
        return {
            "game": table.game.id, "options": table.options.as_json(), "software": self.software
        }  # fmt: skip

    # Money and seats.

    def accounts(self) -> dict[str, int]:
        """Every account at the table, in cents; their sum is zero."""
        if self.status == "new":
            return {}
        money = Counter(self.table.money)
        meter = self.table.game.meter(self.table.state, self.table.options)
        if meter is not None:
            held = {METER: meter.shown, RESERVE: int(meter.reserve)}
            money.update(held)
            money[HOUSE] -= sum(held.values())
        return dict(money)

    def seats_of(self, account: str) -> list[str]:
        """The seats that an account has taken."""
        return [seat for seat, chair in self.chairs.items() if chair.account == account]

    def holder(self, seat: str) -> str:
        """The account that sees what this seat alone may see."""
        return self.chairs[seat].account if seat in self.chairs else NOBODY

    def free(self, seat: str) -> int:
        """What a seat may still wager: marked vigorish is not its own."""
        return self.table.money[seat] - self.table.owed(seat)

    def short(self) -> str | None:
        """A seat that has spent more than it has."""
        money = self.table.money
        return next((s for s in self.chairs if money[s] + money[owed_by(s)] < 0), None)

    # Changing and telling.

    def use_table(self, table: Table, told: int = 0) -> None:
        """Go on with this table, of whose events so many have been told already."""
        self.table, self._taken = table, told

    def open_betting(self) -> None:
        """End the round in progress: its record is closed, and the layout is open."""
        self.table.open_betting()
        self.play, self._taken, self.counting = None, 0, False

    def stamp(self) -> None:
        """Compute the hash of the ruleset anew, which every event carries."""
        self.rules = digest(canonical(self.ruleset()))

    def tell(
        self, kind: str, cite: Citation | None, *, seen_by: str | None = None, **data: Any
    ) -> None:
        """Tell an event, after all that the table has recorded before it."""
        self.take_events()
        self.told.append(Told(kind, data, cite, seen_by, self.round))

    def take_events(self) -> None:
        """Tell what the table has recorded since, with accounts for seats that see it alone."""
        for event in self.table.events[self._taken :]:
            seen_by = self.holder(event.seen_by) if event.seen_by is not None else None
            self.told.append(Told(event.kind, event.data, event.cite, seen_by, self.round))
        self._taken = len(self.table.events)
