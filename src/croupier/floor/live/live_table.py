"""The live table itself: it checks a command, does it, numbers what is told, and remembers."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from croupier.equipment import Chance
from croupier.floor.events import LogEvent, canonical, chained, ordered
from croupier.floor.live import asking, rounds, seating, sight, supervision
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import DISPUTE, LIMITS, Chair, Input, Terms, Told, Wait, in_order
from croupier.floor.roles import Person, Role
from croupier.games import find_game
from croupier.rulebook import CAGE, HOUSE, Fault, Refusal, custom, owed_by, restore, save

MANY = 50  # inputs after which it is worth to remember how the table stands

Handler = Callable[[LiveState, Input, str, Chance | None], None]

HANDLERS: dict[str, Handler] = {
    "open": seating.open_table,
    "sit": seating.sit,
    "buy_in": seating.buy_in,
    "leave": seating.leave,
    "take_control": seating.take_control,
    "take_dealer": seating.take_dealer,
    "leave_dealer": seating.leave_dealer,
    "bet": rounds.bet,
    "ready": rounds.ready,
    "no_more_bets": rounds.no_more_bets,
    "move": rounds.move,
    "deal": rounds.deal,
    "report": rounds.report,
    "time_up": rounds.time_up,
    "post_notice": supervision.post_notice,
    "change": supervision.change,
    "withdraw_notice": supervision.withdraw_notice,
    "software": supervision.software,
    "freeze": supervision.freeze,
    "thaw": supervision.thaw,
    "dispute": supervision.dispute,
    "correct": supervision.correct,
    "approve": supervision.approve,
    "close_table": supervision.close_table,
}
PIT = {Role.FLOORPERSON, Role.SUPERVISOR}
OF_A_SEAT = {"buy_in", "bet", "ready", "move", "leave", "take_control"}
OF_THE_DEALER = {"no_more_bets", "deal", "report", "leave_dealer"}
OF_THE_PIT_TOO = {"report", "leave_dealer"}  # a dealer who has vanished can be relieved
ANY_TIME = {"dispute", "freeze", "thaw", "correct", "approve", "close_table"}


class LiveTable(LiveState):
    """A table of the floor."""

    # May they?

    def check(self, command: Mapping[str, Any], by: Person) -> None:
        """Refuse what this person may not do here and now. Roles are checked before this."""
        do = command["do"]
        if do in ANY_TIME or by.account in ("clock", "house"):
            return
        if self.status == "closed":
            raise Refusal(Fault.TABLE_CLOSED, "the table is closed", custom("8.2"))
        if self.status == "frozen" and do != "leave_dealer":
            why = "the table is frozen until a supervisor has looked into it; nothing is lost"
            raise Refusal(Fault.TABLE_FROZEN, why, DISPUTE)
        if command.get("round") not in (None, self.round):
            stale = f"that was for round {command['round']}, and this is round {self.round}"
            raise Refusal(Fault.STALE, stale)
        asking.check_current(self, command)
        if do in OF_A_SEAT:
            self._check_control(command.get("seat"), by, do)
        if do in OF_THE_DEALER and not (do in OF_THE_PIT_TOO and by.role in PIT):
            self._check_dealer(by)

    def _check_control(self, seat: Any, by: Person, do: str) -> None:
        chair = self.chairs.get(seat) if isinstance(seat, str) else None
        if chair is None or chair.account != by.account:
            raise Refusal(Fault.FORBIDDEN, "that seat is not yours")
        if do != "take_control" and chair.session != by.session:
            elsewhere = "this seat is played from another session; take control of it first"
            raise Refusal(Fault.NOT_CONTROLLING, elsewhere)

    def _check_dealer(self, by: Person) -> None:
        if self.dealer is None or self.dealer.account != by.account:
            who = "the house deals here" if self.terms.dealer == "house" else "you are not dealing"
            raise Refusal(Fault.FORBIDDEN, f"{who} at this table")
        if self.dealer.session != by.session:
            raise Refusal(Fault.NOT_CONTROLLING, "the dealer's chair is held by another session")

    # Do it.

    def step(
        self, command: Input, actor: str, at: str, request: str, chance: Chance | None = None
    ) -> list[LogEvent]:
        """Do what was allowed, and give the events that are to be written.

        Without chance, outcomes are those that the input holds, and so are the events and
        their hashes.
        """
        before = self.books
        if chance is not None:  # what is stored is what is done, whatever order its keys came in
            command = ordered(command)
        told = self.apply(command, actor, chance)
        self.books = self.accounts()
        self.posted = posted(before, self.books)
        rows = self._log(told, command, at, actor, request)
        if self.play is None and (self.memory is None or len(self.inputs) >= MANY):
            self.remember()
        return rows

    def apply(self, command: Input, actor: str, chance: Chance | None = None) -> list[Told]:
        """Do what was allowed, and give what is told, before it is numbered."""
        handler = HANDLERS.get(command["do"])
        if handler is None:
            raise Refusal(Fault.UNKNOWN_COMMAND, f"there is no command {command['do']!r}")
        self.told, self.transfers = [], []
        handler(self, command, actor, chance)
        if chance is not None and (seat := self.short()):
            raise Refusal(Fault.NO_FUNDS, f"seat {seat} cannot pay for that", LIMITS)
        self._settle_down()
        if command.get("answers") and not self.told:
            self.tell("inspected", None)  # the dealer looked, and nothing was irregular
        told, self.told = self.told, []
        if told:  # what tells nothing has changed nothing, and is not done again
            self.inputs.append((command, actor))
        return told

    def _settle_down(self) -> None:
        """Do what follows by itself: people leave, the table closes, the clock starts."""
        if self.status != "new" and self.play is None and self.status != "frozen":
            if self.status == "closing" and not self.table.bets:
                for chair in self.chairs.values():
                    chair.leaving = True
            seating.let_go(self)
            if self.status == "closing" and not self.table.bets:
                self.status = "closed"
                self.tell("closed", custom("8.2"))
            begun = bool(self.table.bets) or len(self.table.events) > rounds.MOST_CHANGES
            waiting = self.terms.dealer == "house" and begun
            if waiting and not self.counting:
                self.tell("betting_closes", None, seconds=self.terms.bet_seconds)
            elif self.counting and not waiting:
                self.tell("betting_goes_on", None)
            self.counting = waiting
        self.take_events()

    def _log(
        self, told: list[Told], command: Input, at: str, actor: str, request: str
    ) -> list[LogEvent]:
        """Number the events and chain them; the first holds the input and what was posted."""
        rows: list[LogEvent] = []
        causes = canonical(command), canonical(self.posted) if self.posted else None
        for each in told:
            self.number += 1
            event = chained(
                self.head,
                (self.stream, self.number, each.round, each.kind, at, actor, request,
                 str(each.cite) if each.cite else "", self.rules, each.seen_by,
                 canonical(each.data), *(causes if not rows else (None, None))),
            )  # fmt: skip
            self.head = event.hash
            if each.kind == asking.ASKED:
                asking.numbered(self, each.data)
            if each.kind == "round_over":
                self.round_began = self.number
            rows.append(event)
        return rows

    # What stands here, for whoever looks.

    def view(self, account: str, *, session: str = "", sees_all: bool = False) -> dict[str, Any]:
        """The table as somebody may see it. The cards are in the events of the round."""
        return sight.view(self, account, session=session, sees_all=sees_all)

    def openings(self, seat: str) -> list[dict[str, Any]]:
        """Every wager that a seat may make now, with the amounts that it can pay for."""
        return sight.openings(self, seat)

    @property
    def phase(self) -> str:
        """What goes on: betting, dealing, deciding, or nothing."""
        return sight.phase(self)

    def question(self, account: str, *, sees_all: bool = False) -> dict[str, Any] | None:
        """The first of them, or None if nothing is asked that they may see."""
        return next(iter(self.questions(account, sees_all=sees_all)), None)

    def questions(self, account: str, *, sees_all: bool = False) -> list[dict[str, Any]]:
        """What the round asks, as somebody may see it: what is theirs to answer comes first."""
        return asking.shown(self, account, sees_all=sees_all)

    def waits(self) -> list[Wait]:
        """What the clock will do if nobody does anything."""
        return asking.waits(self)

    # Remembering.

    KEPT: ClassVar = (
        "stream name private link opened_by status thaws_to given software round number head "
        "round_began asked_number notice counting proposed proposals"
    ).split()

    def remember(self) -> None:
        """Keep how the table stands, between rounds; the inputs before it are not needed again."""
        if self.play is None:
            self.memory, self.inputs = self._standing(), []

    def _standing(self) -> dict[str, Any]:
        return {
            **{key: getattr(self, key) for key in self.KEPT},
            "terms": asdict(self.terms),
            "chairs": {seat: asdict(chair) for seat, chair in self.chairs.items()},
            "dealer": asdict(self.dealer) if self.dealer else None,
            "game": self.table.game.id,
            "table": save(self.table),
        }

    def rebuilt(self) -> "LiveTable":
        """This table, as it was after the last input that went well."""
        fresh = LiveTable(self.stream) if self.memory is None else from_memory(self.memory)
        for command, actor in self.inputs:
            try:
                fresh.apply(command, actor)
            except Refusal as why:
                raise AssertionError(f"what went well is refused now: {why}") from why
        fresh.number, fresh.head, fresh.asked_number = self.number, self.head, self.asked_number
        fresh.asked_numbers, fresh.filed = dict(self.asked_numbers), self.filed
        fresh.round_began, fresh.books, fresh.transfers = self.round_began, self.books, []
        return fresh


def from_memory(memory: Mapping[str, Any]) -> LiveTable:
    """A table as it stood between two rounds."""
    live = LiveTable(memory["stream"])
    for key in LiveTable.KEPT:
        setattr(live, key, memory[key])
    live.terms = Terms(**memory["terms"])
    live.chairs = in_order({seat: Chair(**chair) for seat, chair in memory["chairs"].items()})
    live.dealer = Chair(**memory["dealer"]) if memory["dealer"] else None
    table = restore(find_game(memory["game"]), memory["given"], memory["table"])
    live.use_table(table, told=len(table.events))
    live.stamp()
    live.books = live.accounts()
    live.memory = dict(memory)
    return live


def posted(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """What was moved, by account."""
    changed = sorted({account for account, _ in before.items() ^ after.items()})
    moved = {account: after.get(account, 0) - before.get(account, 0) for account in changed}
    return {account: cents for account, cents in moved.items() if cents}


def may_overdraw(account: str) -> bool:
    """The house's own accounts and markers of vigorish may be below zero; nobody's stack may."""
    return account in (HOUSE, CAGE) or account.startswith(owed_by(""))
