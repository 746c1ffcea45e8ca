"""A client of the floor, for programs that play, deal or watch.

It needs nothing of the house but its address. A command carries a key of its
own and is sent again, with the same key, until it is answered: it is done once
however often the line breaks. The events of a table come once each and in
order, over as many connections as that takes. Amounts are whole cents.

    floor = Floor("http://127.0.0.1:8047")
    floor.log_in("Ann", "ace of spades")
    table = floor.find("roulette")
    table.sit(buy_in=50_000)
    table.play_round({"straight:17": 500})
"""

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn, Self, TypeVar
from urllib.parse import quote

import httpx

from croupier import __version__

PATIENCE = 30.0  # seconds for which a house that does not answer is asked again
SHORTEST, LONGEST = 0.05, 2.0  # seconds between two tries
SILENCE = 45.0  # seconds without a sign of life after which a stream is taken up anew
NOT_NOW = {421, 429, 502, 503, 504}  # the same again, with the same key, in a moment
OVER = {"stale", "not_now"}  # what a question was answered with by the clock, before us
SEEN = {"draw", "look"}  # events that show a card to somebody

Wagers = Mapping[str, int]
Content = int | Sequence[str] | Mapping[str, Sequence[str]]  # an amount, cards, or a set hand
Said = str | Mapping[str, Content]  # a move: "fold", {"bet": 4000}, {"discard": ["7c"]}


class Refused(Exception):
    """What was asked for is not done, and why. Nothing has changed."""

    def __init__(
        self, fault: str, message: str, citation: str = "", status: int = 0,
        field: str = "", violations: tuple[Mapping[str, str], ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(f"{message} [{citation}]" if citation else message)
        self.fault, self.message, self.citation, self.status = fault, message, citation, status
        self.field, self.violations = field, violations


class Unreachable(Exception):
    """The house did not answer. Whether a command was done, its key tells when it is sent again."""


# What comes back.


@dataclass(frozen=True, slots=True)
class Session:
    """Who this client speaks for."""

    account: str
    name: str
    role: str
    guest_of: str | None = None
    previous_login_at: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table, as the lobby shows it."""

    id: str
    name: str
    game: str
    title: str
    status: str
    private: bool
    phase: str | None = None
    seats: int | None = None
    taken: int | None = None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table; `data` is what it says beside this."""

    number: int
    round: int
    kind: str
    at: str
    citation: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """Something a seat may do.

    It names an amount where `high` is above zero, cards of the hand where there is `choose`, and
    the whole hand in parts where there are `parts`.
    """

    move: str
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = "cents"
    costs: int = 0
    choose: Mapping[str, int] | None = None  # the least and the most cards
    parts: Mapping[str, int] | None = None  # how many cards go into each part

    def of(self, content: Content) -> Said:
        """The move with this amount, these cards or these parts."""
        return {self.move: content}


@dataclass(frozen=True, slots=True)
class Question:
    """A seat is to decide, among these moves; the default is what silence means."""

    number: int
    seat: str
    question: str
    moves: tuple[Move, ...]
    default: str
    hand: str | None = None  # where it is not the seat's first hand
    holding: Sequence[str] | None = None  # what lies in the hand, where cards are chosen
    offer: bool = False
    citation: str = ""
    seconds: int | None = None
    # Every card of this round that the seat has seen, by the hand it went to.
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Move:
        return next(move for move in self.moves if move.move == name)

    def __contains__(self, name: str) -> bool:
        return any(move.move == name for move in self.moves)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a round did to one wager. `net` is what the seat's stack changed by."""

    seat: str
    wager: str
    stake: int
    result: str
    line: str
    pays: str
    net: int
    citation: str
    vigorish: int = 0
    hand: str | None = None  # where it is not the seat's first hand


@dataclass(frozen=True, slots=True)
class Opening:
    """A wager that a seat may make now, and the amounts."""

    wager: str
    title: str
    low: int
    high: int
    step: int
    stake: int
    removable: bool
    citation: str


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat that somebody has taken."""

    name: str
    stack: int
    ready: bool
    leaving: bool
    waiting: bool
    yours: bool


@dataclass(frozen=True, slots=True)
class View:
    """A table as this client may see it. How its cards came is in the events of the round."""

    id: str
    name: str
    game: str
    title: str
    options: Mapping[str, Any]
    terms: Mapping[str, Any]
    rules: str
    status: str
    phase: str
    round: int
    number: int
    round_began: int
    positions: tuple[str, ...]
    seats: Mapping[str, Chair]
    dealer: str | None
    bets: tuple[Mapping[str, Any], ...]
    hands: Mapping[str, Mapping[str, Any]]
    pots: tuple[Mapping[str, Any], ...]
    state: Mapping[str, Any]
    vigorish_owed: Mapping[str, int]
    meter: int | None
    asked: Question | None  # the first of the questions: this client's, if one is
    questions: tuple[Question, ...]
    notice: Mapping[str, Any] | None
    irregularities: Mapping[str, Mapping[str, str]]
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A command was done, and is on disk."""

    table: str
    number: int  # of the last event at the table
    round: int
    events: tuple[Event, ...]
    stacks: Mapping[str, int]  # cents in front of this account's seats


T = TypeVar("T")


def _read(kind: type[T], said: Mapping[str, Any], **read: Any) -> T:
    """A record of this kind. What a newer house says beside it is left out."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{key: value for key, value in said.items() if key in known} | read)


def _event(said: Mapping[str, Any]) -> Event:
    own = ("number", "round", "kind", "at", "citation")
    data = {key: value for key, value in said.items() if key not in own}
    return _read(Event, {"citation": "", **said}, data=data)


def _question(said: Mapping[str, Any]) -> Question:
    return _read(Question, said, moves=tuple(_read(Move, each) for each in said["moves"]))


def _reply(said: Mapping[str, Any]) -> Reply:
    return _read(Reply, said, events=tuple(map(_event, said["events"])))


def _view(said: Mapping[str, Any]) -> View:
    return _read(
        View, said,
        positions=tuple(said["positions"]), bets=tuple(said["bets"]),
        seats={seat: _read(Chair, each) for seat, each in said["seats"].items()},
        asked=_question(said["asked"]) if said["asked"] else None,
        questions=tuple(map(_question, said["questions"])), pots=tuple(said["pots"]),
    )  # fmt: skip


# The way there.


class Tries:
    """How long to go on asking, and how long to wait in between."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._pause = SHORTEST
        self.answered()

    def wait(self, error: Exception, at_least: float = 0.0) -> None:
        """Wait a while, longer each time; or give up with this error."""
        pause = max(at_least, self._pause * random.uniform(0.5, 1.0))
        if time.monotonic() + pause > self._end:
            raise error
        time.sleep(pause)
        self._pause = min(2 * self._pause, LONGEST)

    def answered(self) -> None:
        """There is somebody: the patience begins anew."""
        self._end = time.monotonic() + self._patience


class Floor:
    """A house, and whom this program speaks for there. Threads may share one."""

    def __init__(self, url: str, *, patience: float = PATIENCE, timeout: float = 10.0) -> None:
        self.patience = patience
        self._timeout = timeout
        self.session: Session | None = None
        self._token = ""
        self._renew_at = float("inf")
        self._renewing = threading.RLock()
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api", timeout=timeout,
            headers={"User-Agent": f"croupier-client/{__version__}"},
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go. The session goes on: `log_out` ends it."""
        self._http.close()

    # Who.

    def register(self, name: str, password: str) -> str:
        """Open an account as a patron; its id."""
        body = {"name": name, "password": password}
        return str(self.ask("POST", "/accounts", body, again=False)["account"])

    def appoint(self, name: str, password: str, role: str) -> str:
        """Open an account in any role, as a supervisor; its id."""
        body = {"name": name, "password": password, "role": role}
        return str(self.ask("POST", "/staff", body, again=False)["account"])

    def log_in(self, name: str, password: str) -> Session:
        """Begin a session, which renews its token by itself for as long as it is used."""
        return self._begin("/session", {"name": name, "password": password})

    def guest(self, table: str, link: str, name: str) -> "Table":
        """Come to one private table by its link; the table."""
        self._begin(f"/tables/{quote(table, safe='')}/guests", {"link": link, "name": name})
        return self.table(table)

    def log_out(self) -> None:
        """End the session."""
        self.ask("DELETE", "/session", again=False)
        self._token, self._renew_at, self.session = "", float("inf"), None

    def _begin(self, path: str, body: Mapping[str, Any]) -> Session:
        with self._renewing:
            said = self._answered("POST", path, body, again=False)
            self._take(said)
        self.session = _read(Session, said.json())
        return self.session

    def _take(self, said: httpx.Response) -> None:
        """Keep a token, and renew it when half of its time is over, by the house's clock."""
        token = said.json()
        now = datetime.now(UTC)
        if "date" in said.headers:
            now = parsedate_to_datetime(said.headers["date"])
        left = (datetime.fromisoformat(token["expires_at"]) - now).total_seconds()
        self._token, self._renew_at = token["token"], time.monotonic() + left / 2

    def stay(self) -> None:
        """Renew the token if it is time. Every request does so, and every sign of a stream."""
        if time.monotonic() < self._renew_at:
            return
        with self._renewing:
            if time.monotonic() < self._renew_at:
                return
            try:
                self._take(self._answered("POST", "/session/renew", again=False))
            except Unreachable:  # the old one is good for as long again
                self._renew_at = time.monotonic() + LONGEST

    def _is_renewed(self, token: str) -> bool:
        """Whether another thread has renewed this token; one that is about to is waited for."""
        with self._renewing:
            return self._token not in ("", token)

    # Where.

    def tables(self) -> list[Listed]:
        """The tables that may be visited."""
        return [_read(Listed, each) for each in self.ask("GET", "/tables")]

    def table(self, id: str) -> "Table":
        return Table(self, id)

    def find(self, game: str) -> "Table":
        """A table of this game that has a free seat."""
        for each in self.tables():
            free = each.seats is None or (each.taken or 0) < each.seats
            if each.game == game and each.status == "open" and free:
                return self.table(each.id)
        raise Refused("unknown_table", f"no table of {game} has a free seat", status=404)

    def open(
        self, game: str, name: str = "", *, options: Mapping[str, Any] | None = None,
        terms: Mapping[str, Any] | None = None, link: str | None = None, key: str | None = None,
    ) -> "Table":  # fmt: skip
        """Open a table. A link, which is a secret of at least 20 characters, makes it private."""
        body: dict[str, Any] = {"game": game, "name": name or game}
        said = {"options": options, "terms": terms, "link": link}
        body |= {word: value for word, value in said.items() if value is not None}
        return self.table(self.ask("POST", "/tables", body, key=key or new_key())["table"])

    # How.

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *,
        key: str = "", query: Mapping[str, Any] | None = None, again: bool = True,
    ) -> Any:  # fmt: skip
        """Ask the house, with patience; what it says, or `Refused`.

        What may be done twice, `again`, is sent again if the answer is lost on the way: what
        only looks, and what carries a key.
        """
        self.stay()
        return self._answered(method, path, body, key=key, query=query, again=again).json()

    def _answered(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *,
        key: str = "", query: Mapping[str, Any] | None = None, again: bool = True,
    ) -> httpx.Response:  # fmt: skip
        tries = Tries(self.patience)
        lost = httpx.TransportError if again else httpx.ConnectError
        while True:
            token = self._token
            try:
                said = self._http.request(
                    method, path, json=body, params=query, headers=self._headers(token, key)
                )
            except lost as error:
                tries.wait(_unreachable(error))
                continue
            except httpx.TransportError as error:
                raise _unreachable(error) from error
            if said.status_code in NOT_NOW:
                tries.wait(_refusal(said), _pause(said))
            elif said.status_code == 401 and self._is_renewed(token):
                continue
            elif said.is_success:
                return said
            else:
                raise _refusal(said)

    def _headers(self, token: str, key: str = "") -> dict[str, str]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return headers | ({"Idempotency-Key": key} if key else {})

    def listen(self, path: str, after: int) -> Generator[Event, None, None]:
        """The events after a number, over as many connections as it takes."""
        last, tries = after, Tries(self.patience)
        while True:
            token = self._token
            try:
                with closing(self._hear(path, last)) as heard:
                    for event in heard:
                        tries.answered()
                        if event is not None and event.number > last:
                            last, tries = event.number, Tries(self.patience)
                            yield event
                        self.stay()
                tries.wait(Unreachable("the stream ends as soon as it is opened"))
            except httpx.TransportError as error:
                tries.wait(_unreachable(error))
            except Refused as refused:
                renewed = refused.status == 401 and self._is_renewed(token)
                if refused.status not in NOT_NOW and not renewed:
                    raise
                tries.wait(refused)

    def _hear(self, path: str, after: int) -> Generator[Event | None, None, None]:
        """One connection: its events, and None for each sign that it is alive."""
        headers = self._headers(self._token) | {
            "Accept": "text/event-stream", "Last-Event-ID": str(after),
        }  # fmt: skip
        timeout = httpx.Timeout(self._timeout, read=SILENCE)
        with self._http.stream("GET", path, headers=headers, timeout=timeout) as said:
            if not said.is_success:
                said.read()
                raise _refusal(said)
            yield from _messages(said.iter_bytes())


def _messages(chunks: Iterator[bytes]) -> Iterator[Event | None]:
    """Server-sent events. One that is cut off by the end of the connection did not come."""
    waiting = b""
    for chunk in chunks:
        *whole, waiting = (waiting + chunk).split(b"\n\n")
        for message in whole:
            data = [line[5:] for line in message.split(b"\n") if line.startswith(b"data:")]
            yield _event(json.loads(b"\n".join(data))) if data else None


def _pause(said: httpx.Response) -> float:
    """How long the house wants to be left alone."""
    wanted = said.headers.get("retry-after", "")
    return min(float(wanted), 10.0) if wanted.isdigit() else 0.0


def _unreachable(error: httpx.TransportError) -> Unreachable:
    lost = Unreachable(f"the house does not answer: {error or type(error).__name__}")
    lost.__cause__ = error
    return lost


def _refusal(said: httpx.Response) -> Refused:
    """What the house says, or what stands between us and it, such as a proxy."""
    try:
        why = said.json()
        fault, message = str(why["fault"]), str(why["message"])
    except (ValueError, KeyError, TypeError):
        return Refused("not_the_house", f"HTTP {said.status_code}", status=said.status_code)
    return Refused(
        fault, message, why.get("citation") or "", said.status_code,
        field=why.get("field") or "", violations=tuple(why.get("violations") or ()),
    )  # fmt: skip


def new_key() -> str:
    """A key that no other command has."""
    return secrets.token_urlsafe(16)


# At a table.


class Table:
    """A table of a house, and the seat that this program has there."""

    def __init__(self, floor: Floor, id: str) -> None:
        self.floor, self.id = floor, id
        self.seat: str | None = None
        self._path = f"/tables/{quote(id, safe='')}"

    # To see.

    def view(self) -> View:
        """The table as it stands."""
        return _view(self.floor.ask("GET", self._path))

    def openings(self) -> list[Opening]:
        """Every wager that the seat may make now."""
        said = self.floor.ask("GET", f"{self._path}/openings", query={"seat": self._seated()})
        return [_read(Opening, each) for each in said]

    def events(self, after: int = 0) -> Generator[Event, None, None]:
        """What happens, as it happens, after an event's number; to the closing of the table.

        A connection that breaks is taken up where it broke: no event is lost, none comes twice.
        """
        with closing(self.floor.listen(f"{self._path}/stream", after)) as heard:
            for event in heard:
                yield event
                if event.kind == "closed":
                    return

    def rounds(self, last: int = 10) -> list[dict[str, Any]]:
        """The last rounds, with every card that this account may see."""
        found: list[dict[str, Any]] = self.floor.ask(
            "GET", f"{self._path}/rounds", query={"last": last}
        )
        return found

    def why(self, round: int, wager: str, seat: str | None = None) -> dict[str, Any]:
        """Why a wager came out as it did: the rule, the outcome and the arithmetic."""
        query = {"seat": seat or self._seated(), "wager": wager}
        found: dict[str, Any] = self.floor.ask(
            "GET", f"{self._path}/rounds/{round}/why", query=query
        )
        return found

    # To do.

    def do(self, command: str, *, key: str | None = None, **said: Any) -> Reply:
        """Any command, by its name. One who keeps the key can ask for the same answer later."""
        body = {"do": command} | {word: value for word, value in said.items() if value is not None}
        path = f"{self._path}/commands"
        return _reply(self.floor.ask("POST", path, body, key=key or new_key()))

    def sit(self, seat: str | None = None, buy_in: int = 0) -> Reply:
        """Take a seat, or the first that is free, with chips for so many cents."""
        if seat is not None:
            reply = self.do("sit", seat=seat, buy_in=buy_in or None)
            self.seat = seat
            return reply
        view = self.view()
        for free in [each for each in view.positions if each not in view.seats]:
            try:
                return self.sit(free, buy_in)
            except Refused as refused:
                if refused.fault != "seat_taken":
                    raise
        raise Refused("seat_taken", "every seat is taken", status=409)

    def take_control(self, seat: str | None = None) -> Reply:
        """Play a seat of this account from here: the one named, or the one it has."""
        if seat is None:
            seat = next((each for each, chair in self.view().seats.items() if chair.yours), None)
        if seat is None:
            self._no_seat()
        reply = self.do("take_control", seat=seat)
        self.seat = seat
        return reply

    def buy_in(self, amount: int) -> Reply:
        return self.do("buy_in", seat=self._seated(), amount=amount)

    def bet(
        self, wagers: Wagers | None = None, /, *, round: int | None = None, **more: int
    ) -> Reply:
        """Set wagers to amounts: `bet(red=1000)`, `bet({"straight:17": 500})`; all or none."""
        return self.do("bet", seat=self._seated(), wagers={**(wagers or {}), **more}, round=round)

    def ready(self, round: int | None = None) -> Reply:
        """No more wagers of this seat; when all say so, the round begins."""
        return self.do("ready", seat=self._seated(), round=round)

    def move(self, move: Said, asked: int | None = None, hand: str | None = None) -> Reply:
        """Answer what the seat is asked: `"fold"`, `{"bet": 4000}`, `{"discard": ["7c"]}`."""
        about = {"hand": hand} if hand else {}
        return self.do("move", seat=self._seated(), move=move, asked=asked, **about)

    def leave(self) -> Reply:
        """Cash out as soon as nothing of the seat is on the layout."""
        reply = self.do("leave", seat=self._seated())
        self.seat = None
        return reply

    def play_round(
        self, bets: Wagers | None = None,
        decide: Callable[[Question], Said] = lambda question: question.default,
    ) -> list[Settlement]:  # fmt: skip
        """Bet, be ready, answer what is asked, and wait for the end: what became of the wagers.

        Without bets, the wagers that stand are played on. In the middle of a round it waits for
        the next.
        """
        seat, cards = self._seated(), dict[str, tuple[str, ...]]()
        round, after = self._wager(bets)
        with closing(self.events(after)) as events:
            for event in events:
                said = event.data
                if event.round != round:
                    continue
                if event.kind in SEEN and isinstance(said.get("outcome"), str):
                    cards[said["to"]] = (*cards.get(said["to"], ()), said["outcome"])
                elif event.kind == "asked" and said["seat"] == seat:
                    self._decide(event, cards, decide)
                elif event.kind == "round_over":
                    settled = (_read(Settlement, each) for each in said["settlements"])
                    return [each for each in settled if each.seat == seat]
        raise Refused("table_closed", "the table was closed", status=409)

    def _wager(self, bets: Wagers | None) -> tuple[int, int]:
        """Bet and be ready: the round, and the last event before it could begin."""
        view = self._betting()
        round, after = view.round, view.number
        while bets:
            try:
                reply = self.bet(bets)
                round, after = reply.round, reply.number
                break
            except Refused as refused:
                if refused.fault != "no_more_bets":
                    raise
                self._betting()
        try:
            self.ready(round)
        except Refused as refused:
            if refused.fault not in OVER:  # the clock, or the dealer, was faster
                raise
        return round, after

    def _betting(self) -> View:
        """The table, when no round is in progress."""
        while (view := self.view()).phase in ("dealing", "deciding"):
            with closing(self.events(view.number)) as events:
                next(event for event in events if event.kind in ("round_over", "closed"))
        return view

    def _decide(
        self, event: Event, cards: Mapping[str, tuple[str, ...]],
        decide: Callable[[Question], Said],
    ) -> None:  # fmt: skip
        hand = event.data.get("hand")
        asked = {
            "number": event.number, "citation": event.citation, "cards": dict(cards),
            "holding": self._holding(event),
        }  # fmt: skip
        try:
            self.move(decide(_question({**event.data, **asked})), event.number, hand)
        except Refused as refused:
            if refused.fault not in OVER:
                raise

    def _holding(self, event: Event) -> Sequence[str] | None:
        """What lies in the hand, where a move names cards: some may have left it since."""
        if not any(each.get("choose") or each.get("parts") for each in event.data["moves"]):
            return None
        asked = self.view().questions
        return next((each.holding for each in asked if each.number == event.number), None)

    # To deal, and to watch over the table.

    def take_dealer(self) -> Reply:
        return self.do("take_dealer")

    def leave_dealer(self) -> Reply:
        return self.do("leave_dealer")

    def no_more_bets(self) -> Reply:
        return self.do("no_more_bets")

    def deal(self, count: int | None = None, outcome: Any = None) -> Reply:
        """The next outcomes, so many or until a player must decide; or what came, if it is real."""
        return self.do("deal", count=count, outcome=outcome)

    def report(self, irregularity: str, seat: str | None = None, wager: str | None = None) -> Reply:
        """Report an irregularity; the rule resolves it."""
        return self.do("report", irregularity=irregularity, seat=seat, wager=wager)

    def post_notice(self, options: Mapping[str, Any], at: str | None = None) -> Reply:
        """Announce a change of limits or rules."""
        return self.do("post_notice", options=options, at=at)

    def dispute(self, about: int, why: str) -> Reply:
        """Ask that a round be looked into."""
        return self.do("dispute", about=about, why=why)

    def freeze(self, why: str, about: int | None = None) -> Reply:
        return self.do("freeze", why=why, about=about)

    def thaw(self, why: str) -> Reply:
        return self.do("thaw", why=why)

    def correct(self, cents: int, why: str, about: int, seat: str | None = None) -> Reply:
        """Put a wrong payment right; without a seat, out of or into the cage."""
        return self.do("correct", seat=seat, cents=cents, why=why, about=about)

    def close(self, why: str) -> Reply:
        """Take no more wagers, play what stands to its end, cash everybody out."""
        return self.do("close_table", why=why)

    def _seated(self) -> str:
        if self.seat is None:
            self._no_seat()
        return self.seat

    def _no_seat(self) -> NoReturn:
        raise Refused("unknown_seat", "this client has no seat here: sit down first", status=422)
