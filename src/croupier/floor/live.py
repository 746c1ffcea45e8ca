"""One live table: who sits where, what they may do, and the round in progress.

Nothing here reads a clock, a database or a network. A command that is allowed
becomes an *input*: a JSON value that holds all that is needed to do it again,
with every outcome that chance gave. `apply` does it and tells the events. The
same inputs, applied to a new table, always tell the same events, and that is
how a table comes back after a crash and how a log is proved ten years later.

    live.check(command, person)        # may he? a Refusal if not
    live.step(command, account, ...)   # do it; outcomes are written into the command

A `step` that raises may have changed something: the table is then built again
from `memory` and the inputs since.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from croupier.equipment import Chance, dollars
from croupier.floor.events import BEGINNING, NOBODY, LogEvent, canonical, chained, digest, ordered
from croupier.floor.roles import Person, Role
from croupier.games import find_game
from croupier.rulebook import (
    CAGE,
    HOUSE,
    Ask,
    Citation,
    Draw,
    Fault,
    Inspect,
    Move,
    Play,
    Refusal,
    Request,
    Table,
    carry_over,
    custom,
    law,
    owed_by,
    restore,
    save,
)

CORRECTED = law("13:69E-1.28P(d)")  # dealer errors and complaints can be put right
NOTICE = custom("8.3")
DISPUTE = law("13:69E-1.31(b)")
LIMITS = custom("8.2")

METER, RESERVE = "progressive meter", "progressive reserve"

MOST_CHANGES = 1000  # of wagers, until the betting closes
MANY = 50  # inputs after which it is worth to remember how the table stands

Input = dict[str, Any]


@dataclass(frozen=True)
class Terms:
    """How a table is run, beside the options of its game."""

    dealer: str = "house"  # or "person": somebody in the dealer's role deals, spins and reports
    equipment: str = "simulated"  # or "real": the dealer says what came
    bet_seconds: int = 20
    move_seconds: int = 30
    offer_seconds: int = 10
    most_buy_in: int = 10_000_000


@dataclass
class Chair:
    """A seat that somebody has taken, and the one session that acts for him."""

    account: str
    name: str
    session: str
    ready: bool = False  # he has wagered all he wants to in this round
    leaving: bool = False  # as soon as nothing of his is on the layout
    playing: bool = True  # he came in the middle of a round, if not, and waits for the next


@dataclass(frozen=True)
class Told:
    """An event before it is numbered."""

    kind: str
    data: dict[str, Any]
    cite: Citation | None
    seen_by: str | None
    round: int


@dataclass(frozen=True)
class Wait:
    """What a table waits for, and for how long; then the clock speaks."""

    key: str
    seconds: float


class LiveTable:
    """A table of the floor."""

    table: Table

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.name = ""
        self.private = False
        self.link: str | None = None  # the hash of the secret in a private table's link
        self.opened_by = ""
        self.status = "new"  # then open, closing, frozen, closed
        self.thaws_to = ""  # what it was before it was frozen
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
        self.asked_number = 0  # of the event that asks what the round waits for
        self.books: dict[str, int] = {}  # every account, after the last step
        self.posted: dict[str, int] = {}  # what the last step moved
        self.transfers: list[tuple[str, int]] = []  # and to whom from the cage, by account
        self.memory: dict[str, Any] | None = None  # how it stood
        self.inputs: list[tuple[Input, str]] = []  # with their actors, since then
        self._told: list[Told] = []
        self._taken = 0  # events of the table that have been told

    @property
    def request(self) -> Request | None:
        """What the round in progress waits for."""
        return self.play.request if self.play else None

    @property
    def listed(self) -> str:
        """Its status in the directory of tables, which knows no closing."""
        return "open" if self.status == "closing" else self.status

    # May he?

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
        if command.get("asked") not in (None, self.asked_number):
            raise Refusal(Fault.STALE, "that question is over")
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
        """The same, before it is written."""
        handler = HANDLERS.get(command["do"])
        if handler is None:
            raise Refusal(Fault.UNKNOWN_COMMAND, f"there is no command {command['do']!r}")
        self._told, self.transfers = [], []
        handler(self, command, actor, chance)
        if chance is not None and (seat := self.short()):
            raise Refusal(Fault.NO_FUNDS, f"seat {seat} cannot pay for that", LIMITS)
        self._settle_down()
        if command.get("answers") and not self._told:
            self._tell("inspected", None)  # the dealer looked, and nothing was irregular
        told, self._told = self._told, []
        if told:  # what tells nothing has changed nothing, and is not done again
            self.inputs.append((command, actor))
        return told

    def remember(self) -> None:
        """Keep how the table stands, between rounds; the inputs before it are not needed again."""
        if self.play is None:
            self.memory, self.inputs = self._standing(save(self.table)), []

    def rebuilt(self) -> "LiveTable":
        """This table, as it was after the last input that went well."""
        fresh = LiveTable(self.stream) if self.memory is None else from_memory(self.memory)
        for command, actor in self.inputs:
            try:
                fresh.apply(command, actor)
            except Refusal as why:
                raise AssertionError(f"what went well is refused now: {why}") from why
        fresh.number, fresh.head, fresh.asked_number = self.number, self.head, self.asked_number
        fresh.round_began, fresh.books, fresh.transfers = self.round_began, self.books, []
        return fresh

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
            if each.kind == "asked":
                self.asked_number = self.number
            if each.kind == "round_over":
                self.round_began = self.number
            rows.append(event)
        return rows

    # What stands here.

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
        return [seat for seat, chair in self.chairs.items() if chair.account == account]

    def free(self, seat: str) -> int:
        """What a seat may still wager: marked vigorish is not its own."""
        return self.table.money[seat] - self.table.owed(seat)

    def short(self) -> str | None:
        """A seat that has spent more than it has."""
        money = self.table.money
        return next((s for s in self.chairs if money[s] + money[owed_by(s)] < 0), None)

    def waits(self) -> list[Wait]:
        """What the clock will do if nobody does anything."""
        if self.status not in ("open", "closing"):
            return []
        request = self.request
        if isinstance(request, Ask):
            seconds = self.terms.offer_seconds if request.offer else self.terms.move_seconds
            return [Wait(self._waits_for(), seconds)]
        if self.counting:
            return [Wait(self._waits_for(), self.terms.bet_seconds)]
        return []

    def _waits_for(self) -> str:
        """The question of this number, or the wagers of this round."""
        return f"question {self.asked_number}" if self.play else f"wagers {self.round}"

    @property
    def may_change(self) -> bool:
        """Options change between rounds, and while nothing is on the layout."""
        return self.play is None and not self.table.bets and self.status == "open"

    def view(self, account: str, *, session: str = "", sees_all: bool = False) -> dict[str, Any]:
        """The table as somebody may see it. The cards are in the events of the round."""
        table = self.table
        public = table.view()
        meter = table.game.meter(table.state, table.options)
        return {
            "id": self.stream,
            "name": self.name,
            "game": table.game.id,
            "title": table.game.title,
            "options": public["options"],
            "terms": asdict(self.terms),
            "rules": self.rules,
            "status": self.status,
            "phase": self.phase,
            "round": self.round,
            "number": self.number,
            "round_began": self.round_began,
            "positions": table.positions,
            "seats": {seat: self._seen(seat, account, session) for seat in self.chairs},
            "dealer": self.dealer.name if self.dealer else None,
            "bets": public["bets"],
            "state": public["state"],
            "vigorish_owed": public["vigorish_owed"],
            "meter": meter.shown if meter else None,
            "asked": self._question(account, sees_all=sees_all),
            "notice": self.notice,
            "proposed": self.proposed,
            "irregularities": {
                kind: {"trigger": rule.trigger, "resolution": rule.says, "citation": str(rule.cite)}
                for kind, rule in table.irregularities.items()
            },
        }

    def openings(self, seat: str) -> list[dict[str, Any]]:
        """Every wager that a seat may make now, with the amounts that it can pay for."""
        if self.status != "open" or self.play is not None:
            return []
        found = []
        beside = Counter(wager.equals for wager in self.table.game.offered(self.table.options))
        for opening in self.table.openings(seat):
            bet = self.table.lying(seat, label := opening.wager.label(opening.spot))
            stake = bet.stake if bet else 0
            most = stake + self.free(seat) // (1 + beside[opening.wager.id])
            room = min(opening.high, most) - opening.low
            found.append({
                "wager": label,
                "title": opening.wager.title,
                "low": opening.low,
                "high": opening.low + room // opening.step * opening.step,
                "step": opening.step,
                "stake": stake,
                "removable": opening.removable,
                "citation": str(opening.wager.cite),
            })  # fmt: skip
        return found

    @property
    def phase(self) -> str:
        """What goes on: betting, dealing, deciding, or nothing."""
        if self.status != "open" and self.status != "closing":
            return self.status
        request = self.request
        if self.play is None:
            return "betting"
        return "deciding" if isinstance(request, Ask) and not request.private else "dealing"

    def _seen(self, seat: str, account: str, session: str) -> dict[str, Any]:
        chair = self.chairs[seat]
        return {
            "name": chair.name,
            "stack": self.table.money[seat],
            "ready": chair.ready,
            "leaving": chair.leaving,
            "waiting": not chair.playing,
            "yours": chair.account == account,
            "here": chair.account == account and chair.session == session,  # it controls the seat
        }

    def _question(self, account: str, *, sees_all: bool) -> dict[str, Any] | None:
        request = self.request
        if not isinstance(request, Ask):
            return None
        own = request.seat in self.seats_of(account)
        if request.private and not (own or sees_all):
            return None
        return {"number": self.asked_number, **self._asking(request)}

    def _asking(self, ask: Ask) -> dict[str, Any]:
        """A question, with the moves that the seat can pay for."""
        moves = [self._affordable(ask.seat, move) for move in ask.moves]
        return {
            "seat": ask.seat,
            "question": ask.question,
            "moves": [
                {
                    "move": move.name, "low": move.low, "high": move.high, "step": move.step,
                    "unit": move.unit, "costs": move.costs,
                }
                for move in moves if move
            ],
            "default": ask.default,
            "offer": ask.offer,
            "citation": str(ask.cite),
        }  # fmt: skip

    def _affordable(self, seat: str, move: Move) -> Move | None:
        """The move, with no greater amount than the seat has; None if it cannot pay for it."""
        if move.unit != "cents" or max(move.high, move.costs) <= (free := self.free(seat)):
            return move
        high = move.low + (free - move.low) // move.step * move.step
        return replace(move, high=high) if move.takes_amount and high >= move.low else None

    # The people.

    def _open(self, said: Input, actor: str, chance: Chance | None) -> None:
        game = find_game(said["game"])
        if said["terms"]["equipment"] == "real" and said["terms"]["dealer"] != "person":
            needed = "real equipment needs a person who deals and says what came"
            raise Refusal(Fault.NOT_NOW, needed, game.cite)
        self.table = Table(game, said["options"])
        self.given = dict(said["options"])
        self.terms = Terms(**said["terms"])
        self.name, self.software = said["name"], said["software"]
        self.private, self.link, self.opened_by = said["private"], said["link"], actor
        self.status = "open"
        self._stamp()
        self._tell(
            "opened", custom("8.2"), game=game.id, name=self.name,
            options=self.table.options.as_json(), terms=said["terms"],
        )  # fmt: skip

    def _sit(self, said: Input, actor: str, chance: Chance | None) -> None:
        seat = said["seat"]
        self.table.check_seat(seat)
        if self.status != "open":
            raise Refusal(Fault.TABLE_CLOSED, "the table takes no more players", custom("8.2"))
        if seat in self.chairs:
            taken = f"seat {seat} is taken by {self.chairs[seat].name}"
            raise Refusal(Fault.SEAT_TAKEN, taken)
        self.table.game.may_sit(seat, self.seats_of(actor), self.table.options)
        chair = Chair(actor, said["name"], said["session"], playing=self.play is None)
        if chair.playing:
            self.table.sit(seat, actor)
        self.chairs = in_order({**self.chairs, seat: chair})
        self._tell("seated", custom("8.2"), seat=seat, name=chair.name)
        if said.get("buy_in"):
            self._buy_in({"seat": seat, "amount": said["buy_in"]}, actor, chance)

    def _buy_in(self, said: Input, actor: str, chance: Chance | None) -> None:
        amount, most = said["amount"], self.terms.most_buy_in
        if type(amount) is int and amount > most:
            message = f"{dollars(amount)} is more than may be bought at once, {dollars(most)}"
            raise Refusal(Fault.ABOVE_MAXIMUM, message, LIMITS)
        self.table.buy_in(said["seat"], amount)
        self.transfers.append((self.chairs[said["seat"]].account, -amount))

    def _leave(self, said: Input, actor: str, chance: Chance | None) -> None:
        chair = self.chairs[said["seat"]]
        if not chair.leaving:
            chair.leaving = True
            self._tell("leaving", custom("8.2"), seat=said["seat"], idle=actor == "clock")

    def _take_control(self, said: Input, actor: str, chance: Chance | None) -> None:
        self.chairs[said["seat"]].session = said["session"]
        self._tell("control", None, seat=said["seat"])

    def _take_dealer(self, said: Input, actor: str, chance: Chance | None) -> None:
        if self.terms.dealer != "person":
            raise Refusal(Fault.FORBIDDEN, "the house deals at this table")
        if self.dealer is not None and self.dealer.account != actor:
            raise Refusal(Fault.SEAT_TAKEN, f"{self.dealer.name} deals at this table")
        self.dealer = Chair(actor, said["name"], said["session"])
        self._tell("dealer", None, name=said["name"])

    def _leave_dealer(self, said: Input, actor: str, chance: Chance | None) -> None:
        if self.dealer is None:
            raise Refusal(Fault.NOT_NOW, "nobody deals at this table", self._cite)
        self.dealer = None
        self._tell("dealer", None, name=None)

    def _let_go(self) -> None:
        """Who wants to leave, and has nothing on the layout, is paid what he has."""
        for seat, chair in [*self.chairs.items()]:
            if chair.leaving and not self.table.bets_of(seat):
                if chair.playing:
                    self.table.leave(seat)
                cash = self.table.cash_out(seat)
                if cash:
                    self.transfers.append((chair.account, cash))
                del self.chairs[seat]
                self._tell("left", custom("8.2"), seat=seat, name=chair.name, cash=cash)

    # The round.

    def _bet(self, said: Input, actor: str, chance: Chance | None) -> None:
        seat, table = said["seat"], self.table
        if len(table.events) > MOST_CHANGES:
            enough = "wagers were changed so often that the betting must close first"
            raise Refusal(Fault.NOT_NOW, enough, LIMITS)
        if self.status != "open":
            raise Refusal(Fault.TABLE_CLOSED, "the table takes no more wagers", custom("8.2"))
        if self.play is not None:
            late = "no wager may be made or changed: the round has begun"
            raise Refusal(Fault.NO_MORE_BETS, late, self._cite)
        down = {
            wager.id: 0  # what must equal a wager that is taken down goes with it
            for wager in table.game.wagers
            if wager.equals and said["wagers"].get(wager.equals) == 0
            and table.bets_of(seat, wager.id)
        }  # fmt: skip
        before = len(table.events)
        wagers = [*(down | said["wagers"]).items()]
        if len(wagers) > 1:
            wagers.sort(key=lambda each: table.order_of(seat, *each))
        for label, amount in wagers:
            table.bet(seat, label, amount)
        table.game.accompany(table, seat)
        if len(table.events) > before:
            self.chairs[seat].ready = False
        self._check_funds(seat)

    def _check_funds(self, seat: str) -> None:
        free = self.free(seat)
        if free < 0:
            owed = ", less the vigorish owed" if self.table.owed(seat) else ""
            message = f"that is {dollars(-free)} more than seat {seat} has{owed}"
            raise Refusal(Fault.NO_FUNDS, message, LIMITS)

    def _ready(self, said: Input, actor: str, chance: Chance | None) -> None:
        self._betting("nobody is asked for wagers")
        self.chairs[said["seat"]].ready = True
        self._tell("ready", None, seat=said["seat"])
        here = [chair for chair in self.chairs.values() if not chair.leaving]
        if self.terms.dealer == "house" and all(chair.ready for chair in here):
            self._start(said, chance)

    def _no_more_bets(self, said: Input, actor: str, chance: Chance | None) -> None:
        self._betting("the betting is closed already")
        self._start(said, chance)

    def _time_up(self, said: Input, actor: str, chance: Chance | None) -> None:
        request = self.request
        is_live = chance is not None  # what is in the log was in time
        if is_live and said.get("waits", now := self._waits_for()) != now:
            raise Refusal(Fault.STALE, "the time for something else was up")
        if isinstance(request, Ask):
            self._tell(
                "time_up", request.cite, seen_by=self._whose(request), seat=request.seat,
                move=request.default,
            )  # fmt: skip
            self._feed(said, [request.default], chance)
        else:
            self._betting("there is nothing to wait for")
            self._start(said, chance)

    def _move(self, said: Input, actor: str, chance: Chance | None) -> None:
        request = self.request
        if not isinstance(request, Ask) or request.seat != said["seat"]:
            raise Refusal(Fault.NOT_NOW, "you are not asked for anything now", self._cite)
        move = said["move"]
        request.check(move)
        name = next(iter(move)) if isinstance(move, dict) else move
        amount = move[name] if isinstance(move, dict) else 0
        for each in request.moves:
            cost = (amount or each.costs) if each.name == name and each.unit == "cents" else 0
            if cost > self.free(request.seat):
                have = dollars(self.free(request.seat))
                message = f"{name} costs {dollars(cost)}, and seat {request.seat} has {have}"
                raise Refusal(Fault.NO_FUNDS, message, LIMITS)
        self._feed(said, [move], chance)

    def _deal(self, said: Input, actor: str, chance: Chance | None) -> None:
        request = self._dealing()
        if self.terms.equipment == "real" and isinstance(request, Draw):
            if "outcome" not in said:
                raise Refusal(Fault.IMPOSSIBLE_OUTCOME, "say what came", self._cite)
            self._feed(said, [said["outcome"]], chance)
        elif said.get("outcome") is not None:
            chosen = "outcomes come by chance at this table, and nobody chooses them"
            raise Refusal(Fault.FORBIDDEN, chosen, self._cite)
        else:
            self._feed(said, [], chance, steps=said.get("count"))

    def _report(self, said: Input, actor: str, chance: Chance | None) -> None:
        self._dealing()
        about = {key: said[key] for key in ("seat", "wager") if said.get(key)}
        self._feed(said, [{"irregularity": said["irregularity"], **about}], chance, steps=0)

    def _betting(self, why_not: str) -> None:
        if self.play is not None:
            raise Refusal(Fault.NOT_NOW, f"{why_not}: a round is in progress", self._cite)

    def _dealing(self) -> Draw | Inspect:
        """What the dealer is to do next."""
        request = self.request
        if isinstance(request, Ask):
            raise Refusal(Fault.NOT_NOW, f"seat {request.seat} is to decide first", request.cite)
        if request is None:
            raise Refusal(Fault.NOT_NOW, "no round is in progress: close the betting", self._cite)
        return request

    @property
    def _cite(self) -> Citation:
        return self.table.game.cite

    def _start(self, said: Input, chance: Chance | None) -> None:
        """No more bets. What may not be played as it lies is returned first."""
        table = self.table
        for seat in table.clockwise():
            try:
                table.game.check_wagers(table, seat)
            except Refusal as refusal:
                for bet in table.bets_of(seat):
                    table.give_back(bet, refusal.cite or self._cite)
        self.counting = False
        self.play = Play(table)
        self._feed(said, [], chance, steps=0 if self.terms.dealer == "person" else None)

    def _feed(
        self, said: Input, first: list[Any], chance: Chance | None, steps: int | None = 0
    ) -> None:
        """Answer the round: as recorded or, live, with these answers and then as is dealt.

        The house deals until somebody must decide; a person so many steps as he asked for.
        """
        play = self.play
        assert play is not None
        if chance is None:
            for answer in said["answers"]:
                play.answer(answer)
        else:
            said["answers"] = given = []
            for answer in first:
                play.answer(answer)
                given.append(answer)
            left = None if self.terms.dealer == "house" else steps
            while left != 0 and isinstance(play.request, Draw | Inspect):
                drawing = isinstance(play.request, Draw)
                if drawing and self.terms.equipment == "real":
                    break
                answer = _dealt(play.request, chance)
                play.answer(answer)
                given.append(answer)
                left = left if left is None else left - 1
        if isinstance(play.request, Ask):
            self._ask(play.request)
        elif play.request is None:
            self._round_over()

    def _ask(self, ask: Ask) -> None:
        seconds = self.terms.offer_seconds if ask.offer else self.terms.move_seconds
        asking = self._asking(ask)
        del asking["citation"]
        self._tell("asked", ask.cite, seen_by=self._whose(ask), **asking, seconds=seconds)

    def _whose(self, ask: Ask) -> str | None:
        """The only account that may know of a question."""
        return self._holder(ask.seat) if ask.private else None

    def _holder(self, seat: str) -> str:
        """Who sees what that seat alone may see."""
        return self.chairs[seat].account if seat in self.chairs else NOBODY

    def _round_over(self) -> None:
        """The log of the round is closed, and betting on the next is open."""
        table = self.table
        self._take_events()
        settled = [each.as_json() for each in table.settlements]
        void = str(table.voided_by) if table.is_void else None
        table.open_betting()
        self.play, self._taken, self.counting = None, 0, False
        stacks = {seat: table.money[seat] for seat in self.chairs}
        self._tell("round_over", self._cite, void=void, settlements=settled, stacks=stacks)
        self.round += 1
        for seat, chair in self.chairs.items():
            chair.ready = False
            if not chair.playing:
                table.sit(seat, chair.account)
                chair.playing = True

    # The house.

    def _notice(self, said: Input, actor: str, chance: Chance | None) -> None:
        """8.3: a sign says what will change, and when."""
        changed = {**self.given, **said["options"]}
        self.table.game.options(changed)
        self.notice = {"options": said["options"], "effective_at": said["at"]}
        self._tell("notice", NOTICE, **self.notice)

    def _change(self, said: Input, actor: str, chance: Chance | None) -> None:
        """What the notice said comes into force."""
        if self.notice is None or self.notice["effective_at"] != said["effective_at"]:
            raise Refusal(Fault.STALE, "that notice does not hang any more", NOTICE)
        given = {**self.given, **self.notice["options"]}
        self.table = carry_over(self.table, given)
        self.given, self.notice, self._taken = given, None, 0
        self._stamp()
        self._tell("options_changed", NOTICE, options=self.table.options.as_json())

    def _withdraw_notice(self, said: Input, actor: str, chance: Chance | None) -> None:
        self.notice = None
        self._tell("notice_withdrawn", NOTICE, why=said["why"])

    def _software(self, said: Input, actor: str, chance: Chance | None) -> None:
        self.software = said["software"]
        self._stamp()
        self._tell("software", None, software=self.software)

    def _freeze(self, said: Input, actor: str, chance: Chance | None) -> None:
        if self.status == "closed":
            raise Refusal(Fault.TABLE_CLOSED, "the table is closed", DISPUTE)
        if self.status != "frozen":
            self.thaws_to, self.status = self.status, "frozen"
        about = {"about": said["about"]} if said.get("about") else {}
        self._tell("frozen", DISPUTE, why=said["why"], **about)

    def _thaw(self, said: Input, actor: str, chance: Chance | None) -> None:
        if self.status != "frozen":
            raise Refusal(Fault.NOT_NOW, "the table is not frozen", DISPUTE)
        self.status = self.thaws_to
        self._tell("thawed", DISPUTE, why=said["why"])

    def _dispute(self, said: Input, actor: str, chance: Chance | None) -> None:
        """A patron asks that a round be looked into; whether play stops is for the floorperson."""
        if said["about"] > self.round:
            raise Refusal(Fault.STALE, f"there is no round {said['about']} yet", DISPUTE)
        self._tell("dispute", DISPUTE, about=said["about"], why=said["why"])

    def _correct(self, said: Input, actor: str, chance: Chance | None) -> None:
        """A wrong payment is put right by a new one, to whoever sits there or from the cage."""
        account, cents = said.get("seat") or CAGE, said["cents"]
        if not cents:
            raise Refusal(Fault.BAD_AMOUNT, "a correction of nothing corrects nothing", CORRECTED)
        if account != CAGE and account not in self.chairs:
            raise Refusal(Fault.UNKNOWN_SEAT, f"nobody sits in seat {account}", CORRECTED)
        if account != CAGE and cents + self.free(account) < 0:
            message = f"seat {account} has only {dollars(self.free(account))}"
            raise Refusal(Fault.NO_FUNDS, message, CORRECTED)
        if said.get("second"):
            self.proposals += 1
            what = {"account": account, "cents": cents, "why": said["why"], "about": said["about"]}
            self.proposed = {"proposal": self.proposals, "by": actor, **what}
            self._tell("correction_proposed", CORRECTED, proposal=self.proposals, **what)
            return
        self.table.correct(account, cents, CORRECTED, why=said["why"], about=said["about"])
        if account == CAGE:
            self.transfers.append(("", cents))

    def _approve(self, said: Input, actor: str, chance: Chance | None) -> None:
        """A second person agrees to a correction that one may not make alone."""
        proposed = self.proposed
        if proposed is None or proposed["proposal"] != said["proposal"]:
            raise Refusal(Fault.STALE, "no such correction waits for a second person", CORRECTED)
        if proposed["by"] == actor:
            other = "whoever proposed the correction may not approve it: another person must"
            raise Refusal(Fault.FORBIDDEN, other, CORRECTED)
        account, self.proposed = proposed["account"], None
        self._correct(
            {**proposed, "seat": None if account == CAGE else account}, actor, chance
        )  # fmt: skip

    def _close(self, said: Input, actor: str, chance: Chance | None) -> None:
        if self.status == "closed":
            raise Refusal(Fault.TABLE_CLOSED, "the table is closed already")
        if self.status == "frozen":
            self.thaws_to = "closing"
        else:
            self.status = "closing"
        self._tell("closing", custom("8.2"), why=said["why"])

    # Inside.

    def _settle_down(self) -> None:
        """What follows by itself: people leave, the table closes, the clock starts."""
        if self.status != "new" and self.play is None and self.status != "frozen":
            if self.status == "closing" and not self.table.bets:
                for chair in self.chairs.values():
                    chair.leaving = True
            self._let_go()
            if self.status == "closing" and not self.table.bets:
                self.status = "closed"
                self._tell("closed", custom("8.2"))
            begun = bool(self.table.bets) or len(self.table.events) > MOST_CHANGES
            waiting = self.terms.dealer == "house" and begun
            if waiting and not self.counting:
                self._tell("betting_closes", None, seconds=self.terms.bet_seconds)
            elif self.counting and not waiting:
                self._tell("betting_goes_on", None)
            self.counting = waiting
        self._take_events()

    def _tell(
        self, kind: str, cite: Citation | None, *, seen_by: str | None = None, **data: Any
    ) -> None:
        self._take_events()
        self._told.append(Told(kind, data, cite, seen_by, self.round))

    def _take_events(self) -> None:
        """What the table has recorded since, with accounts for seats that see something alone."""
        for event in self.table.events[self._taken :]:
            seen_by = self._holder(event.seen_by) if event.seen_by is not None else None
            self._told.append(Told(event.kind, event.data, event.cite, seen_by, self.round))
        self._taken = len(self.table.events)

    def _stamp(self) -> None:
        """The hash of all that decides how a round is played and paid."""
        self.rules = digest(canonical(self.ruleset()))

    def ruleset(self) -> dict[str, Any]:
        table = self.table
        return {
            "game": table.game.id, "options": table.options.as_json(), "software": self.software
        }  # fmt: skip

    KEPT: ClassVar = (
        "stream name private link opened_by status thaws_to given software round number head "
        "round_began asked_number notice counting proposed proposals"
    ).split()

    def _standing(self, saved: dict[str, Any]) -> dict[str, Any]:
        return {
            **{key: getattr(self, key) for key in self.KEPT},
            "terms": asdict(self.terms),
            "chairs": {seat: asdict(chair) for seat, chair in self.chairs.items()},
            "dealer": asdict(self.dealer) if self.dealer else None,
            "game": self.table.game.id,
            "table": saved,
        }


def in_order(chairs: dict[str, Chair]) -> dict[str, Chair]:
    """By seat, however they came: what is done for all of them is done in one order."""
    return {seat: chairs[seat] for seat in sorted(chairs, key=int)}


def from_memory(memory: Mapping[str, Any]) -> LiveTable:
    """A table as it stood between two rounds."""
    live = LiveTable(memory["stream"])
    for key in LiveTable.KEPT:
        setattr(live, key, memory[key])
    live.terms = Terms(**memory["terms"])
    live.chairs = in_order({seat: Chair(**chair) for seat, chair in memory["chairs"].items()})
    live.dealer = Chair(**memory["dealer"]) if memory["dealer"] else None
    live.table = restore(find_game(memory["game"]), memory["given"], memory["table"])
    live._taken = len(live.table.events)
    live._stamp()
    live.books = live.accounts()
    live.memory = dict(memory)
    return live


def _dealt(request: Draw | Inspect, chance: Chance) -> Any:
    """The equipment gives what it gives, and nothing is irregular."""
    if isinstance(request, Draw):
        return request.device.say(request.device.draw(chance))
    return None


def posted(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """What was moved, by account."""
    changed = sorted({account for account, _ in before.items() ^ after.items()})
    moved = {account: after.get(account, 0) - before.get(account, 0) for account in changed}
    return {account: cents for account, cents in moved.items() if cents}


def may_overdraw(account: str) -> bool:
    """The house's own accounts and markers of vigorish may be below zero; nobody's stack may."""
    return account in (HOUSE, CAGE) or account.startswith(owed_by(""))


Handler = Callable[[LiveTable, Input, str, Chance | None], None]

HANDLERS: dict[str, Handler] = {
    "open": LiveTable._open,
    "sit": LiveTable._sit,
    "buy_in": LiveTable._buy_in,
    "bet": LiveTable._bet,
    "ready": LiveTable._ready,
    "move": LiveTable._move,
    "leave": LiveTable._leave,
    "take_control": LiveTable._take_control,
    "take_dealer": LiveTable._take_dealer,
    "leave_dealer": LiveTable._leave_dealer,
    "no_more_bets": LiveTable._no_more_bets,
    "deal": LiveTable._deal,
    "report": LiveTable._report,
    "time_up": LiveTable._time_up,
    "post_notice": LiveTable._notice,
    "change": LiveTable._change,
    "withdraw_notice": LiveTable._withdraw_notice,
    "software": LiveTable._software,
    "freeze": LiveTable._freeze,
    "thaw": LiveTable._thaw,
    "dispute": LiveTable._dispute,
    "correct": LiveTable._correct,
    "approve": LiveTable._approve,
    "close_table": LiveTable._close,
}
PIT = {Role.FLOORPERSON, Role.SUPERVISOR}
OF_A_SEAT = {"buy_in", "bet", "ready", "move", "leave", "take_control"}
OF_THE_DEALER = {"no_more_bets", "deal", "report", "leave_dealer"}
OF_THE_PIT_TOO = {"report", "leave_dealer"}  # a dealer who has vanished can be relieved
ANY_TIME = {"dispute", "freeze", "thaw", "correct", "approve", "close_table"}
