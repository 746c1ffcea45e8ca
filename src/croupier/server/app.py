"""The API of the floor.

Commands are `POST`s with an `Idempotency-Key`: sent twice, they are done once.
Reads are `GET`s. `stream` tells what happens at a table as server-sent events,
and goes on from the last one that a reader has seen. Every error is JSON with a
`fault` for programs, a sentence for people and, where a rule refuses, its
citation.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from time import perf_counter
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Path, Query, Request
from fastapi import Response as Answer
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection
from starlette.exceptions import HTTPException as HttpError
from starlette.routing import Route

from croupier import __version__
from croupier.floor import clock as times
from croupier.floor import log, payout, recall
from croupier.floor.cage import FOREVER, Cage
from croupier.floor.commands import NOT_KNOWN, Command, ElsewhereOwned, Unavailable, opening
from croupier.floor.events import HOUSE, digest
from croupier.floor.live import DISPUTE, LiveTable
from croupier.floor.people import Welcome
from croupier.floor.roles import MAY, Denial, NotAllowed, Person, Role
from croupier.floor.storage import StorageDamaged, StorageError
from croupier.rulebook import Fault, Refusal, Unlawful
from croupier.server import models, strict_json
from croupier.server.config import Config
from croupier.server.guard import DEVICE_COOKIE as DEVICE
from croupier.server.guard import SESSION_COOKIE as COOKIE
from croupier.server.guard import Guard, Receive, Scope, Send
from croupier.server.house import House, Known
from croupier.server.metrics import Meters, metrics
from croupier.server.pages import pages
from croupier.server.places import Places

JSON = "application/json"
RELAYED = "x-croupier-relayed"
ABOUT_GAMBLING = "If gambling is no longer a game for you: 1-800-GAMBLER."

STATUS = {  # of a refusal; what is not listed is a command that makes no sense
    Fault.FORBIDDEN: 403,
    Fault.UNKNOWN_TABLE: 404,
    Fault.UNKNOWN_GAME: 404,
    Fault.NOT_NOW: 409,
    Fault.NO_MORE_BETS: 409,
    Fault.SEAT_TAKEN: 409,
    Fault.NOT_CONTROLLING: 409,
    Fault.STALE: 409,
    Fault.CONFLICT: 409,
    Fault.TABLE_CLOSED: 409,
    Fault.TABLE_FROZEN: 409,
    Fault.NOTICE_NEEDED: 409,
}
DENIED = {
    Denial.BAD_CREDENTIALS: 401,
    Denial.BAD_TOKEN: 401,
    Denial.LOCKED: 403,
    Denial.FORBIDDEN: 403,
    Denial.UNKNOWN_ACCOUNT: 404,
    Denial.NAME_TAKEN: 409,
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Error}
    for status in (400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 500, 503)
}


class StrictRequest(Request):
    """A body is read strictly: what one parser would take for another is refused."""

    async def json(self) -> Any:
        try:
            return strict_json.parse(await self.body())
        except strict_json.BadBody as bad:
            raise HTTPException(422, {"field": bad.field, "message": str(bad)}) from None


class StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Answer]]:
        handler = super().get_route_handler()

        async def strict(request: Request) -> Answer:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


router = APIRouter(route_class=StrictRoute, prefix="/api", responses=ERRORS)


# Who asks.


async def the_house(request: Request) -> House:
    house: House = request.app.state.house
    return house


InTheHouse = Annotated[House, Depends(the_house)]


def token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if token and scheme.lower() == "bearer":
        return token.strip()
    return request.cookies.get(COOKIE, "")


BEARER = HTTPBearer(auto_error=False)  # it only documents


async def who(
    request: Request, house: InTheHouse, _shown: Annotated[Any, Depends(BEARER)] = None
) -> Person:
    """The person whose token this is."""
    token = token_of(request)
    person = house.people.known(token)
    if person is None:
        person = await asyncio.to_thread(house.people.check, token)
    return person


Who = Annotated[Person, Depends(who)]
TableId = Annotated[str, Path(max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key", min_length=1, max_length=100, pattern=r"^[\x21-\x7e]+$",
        description="any text that no other command of yours has",
    ),
]  # fmt: skip


async def require(house: House, person: Person, command: str) -> None:
    if person.role not in MAY[command]:
        await asyncio.to_thread(house.people.require, person, command)


def may_know(row: Known, person: Person) -> bool:
    """Everyone knows of a public table; of a private one who opened it, its guests, and staff."""
    own = row.id == person.guest_of or row.opened_by == person.account
    return (person.role is not Role.PATRON or own or not row.private) and person.may_visit(row.id)


async def find_table(table: TableId, house: InTheHouse, person: Who) -> Known:
    """A table that this person may know of. Any other is as if it were not there."""
    if A_TABLE.fullmatch(table):
        known = await house.known(table)
        if may_know(known, person):
            return known
    raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {table!r}")


ATable = Annotated[Known, Depends(find_table)]
A_TABLE = re.compile(r"[0-9A-Za-z_-]{1,40}")
A_KEY = re.compile(r"[\x21-\x7e]{1,100}")
ANSWERED_AFTER = 0.25  # seconds, when a log-in has failed
KNOWN_FOR = 400 * 86_400  # seconds, which is what browsers allow
COMMAND: TypeAdapter[Any] = TypeAdapter(models.Command)


# Accounts and sessions.


def admitted(house: House, came: Welcome, answer: Answer) -> models.Session:
    """The token goes into a cookie that scripts cannot read, and into the reply for programs.

    Another cookie makes the device known: its holder is let in though the account is locked.
    """
    kept: dict[str, Any] = {
        "httponly": True, "samesite": "strict", "path": "/api",
        "secure": house.config.behind_proxy,
    }  # fmt: skip
    person, token = came.person, came.token
    answer.set_cookie(COOKIE, token.text, **kept)
    if came.device:
        answer.set_cookie(DEVICE, came.device, max_age=KNOWN_FOR, **kept)
    return models.Session(
        account=person.account, name=person.name, role=person.role, guest_of=person.guest_of,
        token=token.text, expires_at=token.expires_at, message=ABOUT_GAMBLING,
        previous_login_at=came.before,
    )  # fmt: skip


@router.post("/accounts", status_code=201, tags=["people"])
async def open_an_account(said: models.Credentials, house: InTheHouse) -> models.Account:
    """Open an account as a patron."""
    if not house.config.registration:
        raise NotAllowed(Denial.FORBIDDEN, "accounts are opened by the house here")
    account = await house.hashing(house.people.create, said.name, said.password)
    return models.Account(account=account)


@router.post("/staff", status_code=201, tags=["people"])
async def appoint(said: models.NewAccount, house: InTheHouse, person: Who) -> models.Account:
    """Open an account for somebody, in any role."""
    await require(house, person, "accounts")
    role = Role(said.role)
    account = await house.hashing(house.people.create, said.name, said.password, role, by=person)
    return models.Account(account=account)


@router.post("/accounts/{account}", tags=["people"])
async def change_an_account(
    account: TableId, said: models.ChangeAccount, house: InTheHouse, person: Who
) -> models.Account:
    """Unlock an account, close it, or give it another role. To unlock one takes two people."""
    await require(house, person, "unlock" if said.do == "unlock" else "accounts")
    people = house.people
    if said.do == "role":
        if said.role is None:
            raise HTTPException(422, {"field": "role", "message": "say which role"})
        await asyncio.to_thread(people.set_role, account, Role(said.role), by=person)
    elif said.do == "unlock":
        done = await asyncio.to_thread(people.unlock, account, by=person)
        return models.Account(account=account, pending=not done)
    else:
        await asyncio.to_thread(people.close_account, account, by=person)
    return models.Account(account=account)


@router.post("/session", tags=["people"])
async def log_in(
    said: models.Credentials, request: Request, house: InTheHouse, answer: Answer
) -> models.Session:
    """Log in. Every failure is answered after the same time, whatever it cost."""
    began, device = perf_counter(), request.cookies.get(DEVICE, "")
    try:
        came = await house.hashing(house.people.log_in, said.name, said.password, device)
    except NotAllowed:
        await asyncio.sleep(max(0.0, ANSWERED_AFTER - (perf_counter() - began)))
        raise
    return admitted(house, came, answer)


@router.get("/session", tags=["people"])
async def who_am_i(person: Who) -> models.Session:
    return models.Session(
        account=person.account, name=person.name, role=person.role, guest_of=person.guest_of
    )


@router.post("/session/renew", tags=["people"])
async def renew(request: Request, house: InTheHouse, person: Who, answer: Answer) -> models.Session:
    """Another token for the same session; the old one stops working at once."""
    token = await asyncio.to_thread(house.people.renew, token_of(request))
    return admitted(house, Welcome(person, token), answer)


@router.delete("/session", tags=["people"])
async def log_out(
    request: Request, house: InTheHouse, person: Who, answer: Answer
) -> models.Session:
    await asyncio.to_thread(house.people.log_out, token_of(request))
    answer.delete_cookie(COOKIE, path="/api")
    return models.Session(
        account=person.account, name=person.name, role=person.role, message=ABOUT_GAMBLING
    )


@router.post("/tables/{table}/guests", status_code=201, tags=["people"])
async def come_as_a_guest(
    table: TableId, said: models.Guest, house: InTheHouse, answer: Answer
) -> models.Session:
    """Visit one private table by its link, under any name."""

    no_such_link = Refusal(Fault.UNKNOWN_TABLE, "there is no such link")
    if not A_TABLE.fullmatch(table):
        raise no_such_link
    with suppress(Refusal):
        link = (await house.known(table)).link
        if link is not None and secrets.compare_digest(link, digest(said.link)):
            came = await asyncio.to_thread(house.people.guest, table, said.name)
            return admitted(house, came, answer)
    raise no_such_link


# The cage.


@router.get("/cage", tags=["people"])
async def my_account(house: InTheHouse, person: Who) -> models.AtTheCage:
    """What you have at the cage, and the limits that you have set yourself."""
    return await at_the_cage(house, person.account)


@router.post("/cage", tags=["house"])
async def pay_in(said: models.PayIn, key: Key, house: InTheHouse, person: Who) -> models.AtTheCage:
    """Pay money into somebody's account at the cage, or out of it."""
    await require(house, person, "cage")
    account = await asyncio.to_thread(house.people.find, said.name)
    fund = partial(Cage(house.log).fund, by=person, why=said.why, request=key)
    await asyncio.to_thread(fund, account, said.cents)
    return await at_the_cage(house, account)


@router.post("/limits", tags=["people"])
async def limit_myself(said: models.OwnLimit, house: InTheHouse, person: Who) -> models.AtTheCage:
    """Limit your buy-ins in 24 hours. A lower limit counts at once, a higher one in 24 hours."""
    await require(house, person, "buy_in")
    await asyncio.to_thread(Cage(house.log).limit, person, said.daily_buy_in)
    return await at_the_cage(house, person.account)


@router.post("/exclusion", tags=["people"])
async def exclude_myself(
    said: models.Exclusion, house: InTheHouse, person: Who
) -> models.AtTheCage:
    """Stay away from the tables for so many days, or for good. It counts at once."""
    await require(house, person, "buy_in")
    await asyncio.to_thread(Cage(house.log).exclude, person, days_from_now(house, said.days))
    return await at_the_cage(house, person.account)


async def at_the_cage(house: House, account: str) -> models.AtTheCage:
    """The log is read to its end for it, and nobody else waits meanwhile."""
    return models.AtTheCage(**await asyncio.to_thread(Cage(house.log).statement, account))


def days_from_now(house: House, days: int | None) -> str:
    if days is None:
        return FOREVER
    return times.written(times.read(house.clock.now()) + timedelta(days=days))


# The tables.


@router.get("/tables", tags=["tables"])
async def lobby(house: InTheHouse, person: Who) -> list[models.TableInLobby]:
    """The tables that you may visit."""

    found = []
    for row in await house.read(log.open_tables):
        # A table that cannot be read stays closed, and the others are there.
        with suppress(log.LogBroken, StorageDamaged, Refusal):
            if may_know(await house.known(row.id), person):
                found.append(await house.look(row.id, in_lobby))
    return found


def in_lobby(live: LiveTable) -> models.TableInLobby:
    options, game = live.table.options, live.table.game
    return models.TableInLobby(
        id=live.stream, name=live.name, game=game.id, title=game.title,
        private=live.private, status=live.status, phase=live.phase, taken=len(live.chairs),
        seats=len(live.table.positions), least=options.table_min, most=options.table_max,
    )  # fmt: skip


@router.post("/tables", status_code=201, tags=["tables"], response_model=models.Reply)
async def open_a_table(said: models.OpenTable, key: Key, house: InTheHouse, person: Who) -> Answer:
    """Open a table. One that the regulation does not allow is refused with every reason."""
    table = digest(f"{person.account}/{key}")[:12]
    link = digest(said.link) if said.link else None
    terms = house.terms(**said.terms.model_dump())
    body = opening(said.game, said.name, said.options, terms, private=bool(link), link=link)
    return Answer(await house.do(Command(table, person, key, body)), 201, media_type=JSON)


@router.get("/tables/{table}", tags=["tables"])
async def a_table(row: ATable, house: InTheHouse, person: Who) -> models.TableView:
    """The table as you may see it."""

    def look(live: LiveTable) -> dict[str, Any]:
        view = live.view(person.account, session=person.session, sees_all=person.sees_all)
        told = view["phase"] != "dealing"  # that somebody is asked in private is not
        return {**view, "seconds_left": house.pit.seconds_left(row.id) if told else None}

    return models.TableView(**await house.look(row.id, look))


@router.get("/tables/{table}/openings", tags=["tables"])
async def openings(
    row: ATable, house: InTheHouse, person: Who, seat: Annotated[str, Query(max_length=4)]
) -> list[models.Opening]:
    """Every wager that your seat may make now, and the amounts."""

    def look(live: LiveTable) -> list[dict[str, Any]]:
        if seat not in live.seats_of(person.account):
            raise Refusal(Fault.FORBIDDEN, "that seat is not yours")
        return live.openings(seat)

    return [models.Opening(**each) for each in await house.look(row.id, look)]


async def command(request: Request) -> Answer:
    """Do something at a table. The reply comes when it is on disk.

    Most of a floor's traffic is this, so it is read by hand: to have it taken apart by
    declaration would cost more than to decide it.
    """
    house: House = request.app.state.house
    person = await who(request, house)
    row = await find_table(request.path_params["table"], house, person)
    key = request.headers.get("idempotency-key", "")
    if not A_KEY.fullmatch(key):
        message = "a command needs an Idempotency-Key: 1 to 100 characters without a space"
        raise HTTPException(422, {"field": "Idempotency-Key", "message": message})
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise HTTPException(415, f"a command is sent as {JSON}")
    strict = StrictRequest(request.scope, request.receive)
    try:
        said = COMMAND.validate_python(await strict.json())
    except ValidationError as wrong:
        # A command is one of several, and its place begins with which.
        told = [{**each, "loc": each["loc"][1:] or ("do",)} for each in wrong.errors()]
        raise RequestValidationError(told) from None
    began = perf_counter()
    try:
        reply = await house.do(Command(row.id, person, key, said.model_dump(exclude_none=True)))
    except ElsewhereOwned as elsewhere:
        return await relay(elsewhere, strict)
    request.app.state.meters.latency.observe(perf_counter() - began)
    return Answer(reply, media_type=JSON)


async def relay(elsewhere: ElsewhereOwned, request: Request) -> JSONResponse:
    """Pass a command on to the server that runs the table."""
    import httpx

    if elsewhere.address is None or request.headers.get(RELAYED):
        raise elsewhere
    headers = {
        name: value for name, value in request.headers.items()
        if name in ("authorization", "cookie", "idempotency-key", "content-type")
    }  # fmt: skip
    who_asks = request.scope["state"]["address"]  # as the guard found it
    state = request.app.state
    if state.relays is None:
        client = httpx.AsyncClient(timeout=10, trust_env=False)
        state.relays = await state.until_closing.enter_async_context(client)
    try:
        answer = await state.relays.post(
            f"{elsewhere.address}{request.url.path}", content=await request.body(),
            headers=headers | {RELAYED: "1", "x-forwarded-for": who_asks},
        )  # fmt: skip
        return JSONResponse(answer.json(), answer.status_code)
    except (httpx.HTTPError, ValueError):
        raise Unavailable(f"the server that runs this table does not answer; {NOT_KNOWN}") from None


@router.get("/tables/{table}/events", tags=["tables"])
async def events(
    row: ATable, house: InTheHouse, person: Who,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> list[dict[str, Any]]:  # fmt: skip
    """What happened at a table, in order, as far as you may see it."""

    def look(conn: Connection) -> list[dict[str, Any]]:
        reader = None if person.sees_all else person.account
        found = log.read(conn, row.id, after=after, limit=limit, reader=reader)
        return [event.shown() for event in found]

    return await house.read(look)


@router.get(
    "/tables/{table}/stream", tags=["tables"], response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)  # fmt: skip
async def stream(
    row: ATable, house: InTheHouse, person: Who, request: Request,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    last: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> StreamingResponse:  # fmt: skip
    """What happens at a table, as it happens. Goes on after `Last-Event-ID`, or `after`."""
    since = min(int(last), 2**53) if last.isascii() and last.isdecimal() else after
    still = partial(house.people.still, person.session)
    told = house.broadcast.listen(row.id, since, person, still)
    return StreamingResponse(
        told, media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )  # fmt: skip


@router.get(
    "/tables/{table}/rounds", tags=["tables"], response_model=list[models.RecalledRound],
    response_model_exclude_unset=True,
)  # fmt: skip
async def rounds(
    row: ATable, house: InTheHouse, person: Who,
    last: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[dict[str, Any]]:  # fmt: skip
    """The last rounds, with every card that you may see, and what became of each wager."""

    return await house.read(
        lambda conn: recall.rounds(conn, row.id, person.account, person.sees_all, last)
    )


@router.get(
    "/tables/{table}/rounds/{round}/why", tags=["tables"], response_model=models.Why,
    response_model_exclude_unset=True,
)  # fmt: skip
async def why(
    row: ATable, house: InTheHouse, person: Who, round: Annotated[int, Path(ge=1, le=2**53)],
    seat: Annotated[str, Query(max_length=4)], wager: Annotated[str, Query(max_length=1000)],
) -> dict[str, Any]:  # fmt: skip
    """Why a wager came out as it did: the rule, the outcome and the arithmetic."""

    reader: dict[str, Any] = {"account": person.account, "sees_all": person.sees_all}
    return await house.read(lambda conn: recall.why(conn, row.id, round, seat, wager, **reader))


# The house.


@router.get("/house/events", tags=["house"])
async def house_events(
    house: InTheHouse, person: Who,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> list[dict[str, Any]]:  # fmt: skip
    """The house's own log: accounts, software, the clock, and what was tried and refused."""
    await require(house, person, "read_all")

    def look(conn: Connection) -> list[dict[str, Any]]:
        found = log.read(conn, HOUSE, after=after, limit=limit)
        return [{**event.shown(), "actor": event.actor} for event in found]

    return await house.read(look)


@router.get("/house/reports/{what}", tags=["house"])
async def report(
    what: Annotated[str, Path(pattern="^(win|funds|vigorish|meters)$")],
    house: InTheHouse, person: Who, theory: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Win against theory, funds on open games, vigorish owed, or meters."""
    from croupier.server import reports

    await require(house, person, "reports")

    return await house.read(lambda conn: reports.report(conn, what, theory=theory))


@router.get("/house/payouts/{table}", tags=["house"])
async def what_is_owed(table: TableId, house: InTheHouse, person: Who) -> dict[str, Any]:
    """Who has what at a table that cannot be opened, as far as its log still tells."""
    await require(house, person, "pay_out")
    check_it_is_broken(house, table)
    return (await house.read(lambda conn: payout.statement(conn, table))).as_json()


@router.post("/house/payouts/{table}", tags=["house"])
async def pay_a_table_out(
    table: TableId, said: models.PayOut, house: InTheHouse, person: Who
) -> dict[str, Any]:
    """Pay a table out that cannot be opened, to the accounts at the cage, and close it."""
    await require(house, person, "pay_out")
    check_it_is_broken(house, table)
    pay = partial(payout.pay_out, house.log, table, person, said.why, said.amounts)
    return await asyncio.to_thread(pay)


def check_it_is_broken(house: House, table: str) -> None:
    if table not in house.pit.broken:
        raise Refusal(Fault.NOT_NOW, "only a table that cannot be opened is paid out", DISPUTE)


@router.get("/house/disputes/{table}/{round}", tags=["house"], response_class=Answer)
async def dispute_bundle(
    row: ATable, round: Annotated[int, Path(ge=1, le=2**53)], house: InTheHouse, person: Who
) -> Answer:
    """Everything about a round, as a supervisor hands it over: a zip file."""
    from croupier.floor import dispute

    await require(house, person, "read_all")

    def is_open(live: LiveTable) -> bool:
        return round >= live.round and live.status not in ("frozen", "closed")

    if await house.look(row.id, is_open):
        open_still = "the round is not over: freeze the table first"
        raise Refusal(Fault.NOT_NOW, open_still, DISPUTE)

    kept = house.config.checkpoints
    return Answer(
        await house.read(lambda conn: dispute.zipped(conn, row.id, round, kept)),
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{row.id}-{round}.zip"'},
    )  # fmt: skip


# Errors.


def error(status: int, fault: str, message: str, **more: Any) -> JSONResponse:
    body = {"fault": fault, "message": message, **{k: v for k, v in more.items() if v}}
    retry = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse(body, status, headers=retry)


async def refused(request: Request, why: Exception) -> JSONResponse:
    assert isinstance(why, Refusal)
    violations = [v.as_json() for v in why.violations] if isinstance(why, Unlawful) else None
    return error(STATUS.get(why.fault, 422), why.fault, why.message,
                 citation=str(why.cite) if why.cite else None, violations=violations)  # fmt: skip


async def not_allowed(request: Request, why: Exception) -> JSONResponse:
    assert isinstance(why, NotAllowed)
    return error(DENIED.get(why.code, 422), why.code, str(why))


async def invalid(request: Request, why: Exception) -> JSONResponse:
    assert isinstance(why, RequestValidationError)
    first = why.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return error(422, "bad_request", f"{place or 'the body'}: {first['msg']}", field=place)


async def http_error(request: Request, why: Exception) -> JSONResponse:
    assert isinstance(why, HttpError)
    said = why.detail if isinstance(why.detail, dict) else {"message": str(why.detail)}
    fault = {404: "not_found", 405: "bad_method"}.get(why.status_code, "bad_request")
    return JSONResponse({"fault": fault, **said}, why.status_code, headers=why.headers)


async def unavailable(request: Request, why: Exception) -> JSONResponse:
    return error(503, "unavailable", str(why))


async def misdirected(request: Request, why: Exception) -> JSONResponse:
    return error(421, "elsewhere", str(why))


async def not_ours(request: Request, why: Exception) -> JSONResponse:
    """What nobody foresaw is for the guard to answer."""
    raise why


def in_words(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI schema, with the words of commands, which are read by hand."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description,
                             routes=app.routes)  # fmt: skip
        schema["components"]["schemas"] |= COMMAND_SCHEMA["$defs"]
        schema["paths"][COMMANDS_PATH] = {"post": COMMAND_IN_WORDS}
        app.openapi_schema = schema
    return app.openapi_schema


COMMAND_SCHEMA = COMMAND.json_schema(ref_template="#/components/schemas/{model}")
COMMANDS_PATH = "/api/tables/{table}/commands"
A_COMMAND = re.compile(COMMANDS_PATH.replace("{table}", "(?P<table>[^/]+)"))
COMMAND_IN_WORDS: dict[str, Any] = {
    "tags": ["tables"],
    "operationId": "command",
    "summary": "Command",
    "description": "Do something at a table. The reply comes when it is on disk.",
    "responses": {
        str(status): {
            "description": "Why not" if status != 200 else "It is done, and on disk",
            "content": {JSON: {"schema": {"$ref": f"#/components/schemas/{model}"}}},
        }
        for status, model in {200: "Reply", **dict.fromkeys(ERRORS, "Error")}.items()
    },
    "parameters": [
        {"name": "table", "in": "path", "required": True,
         "schema": {"type": "string", "pattern": "^[0-9A-Za-z_-]{1,40}$"}},
        {"name": "Idempotency-Key", "in": "header", "required": True,
         "description": "any text that no other command of yours has",
         "schema": {"type": "string", "pattern": r"^[\x21-\x7e]{1,100}$"}},
    ],
    "requestBody": {
        "required": True,
        "content": {JSON: {"schema": {k: v for k, v in COMMAND_SCHEMA.items() if k != "$defs"}}},
    },
    "security": [{"HTTPBearer": []}],
}  # fmt: skip


def create_app(house: House) -> FastAPI:
    """The application of a house that is open."""
    from croupier.server.books import books  # whose readers are those of the tables
    from croupier.server.count_room import CountRoom
    from croupier.server.par import par

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house.loop = asyncio.get_running_loop()
        app.state.relays = None  # until somebody asks here for a table of another server
        async with AsyncExitStack() as app.state.until_closing:
            yield
        await app.state.count_room.close()
        house.loop = None

    app = FastAPI(
        title="Croupier", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # a redirect would repeat the host that the client made up
        telemetry={"tracing": False, "metrics": False, "logs": False},  # we have our own
        description="Live table games by the rules of N.J.A.C. 19:47.",
    )  # fmt: skip
    app.state.house, app.state.meters = house, Meters(house)
    app.state.count_room = CountRoom()
    app.router.routes.append(Route(COMMANDS_PATH, command, methods=["POST"]))
    app.include_router(router)
    app.include_router(books)
    app.include_router(par)
    app.include_router(metrics)
    app.include_router(pages)
    for kind, handler in {**ANSWERS, Exception: not_ours}.items():
        app.add_exception_handler(kind, handler)
    app.openapi = partial(in_words, app)  # type: ignore[method-assign]
    return app


Handler = Callable[[Request, Exception], Awaitable[JSONResponse]]

ANSWERS: dict[type[Exception], Handler] = {
    Refusal: refused,
    NotAllowed: not_allowed,
    RequestValidationError: invalid,
    HttpError: http_error,
    Unavailable: unavailable,
    StorageError: unavailable,
    log.LogBroken: unavailable,
    ElsewhereOwned: misdirected,
}


class Shortcut:
    """Takes commands past the framework, whose layers cost more than to decide one."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = A_COMMAND.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        scope["app"], scope["path_params"] = self.app, found.groupdict()
        request = Request(scope, receive)
        try:
            answer = await command(request)
        except tuple(ANSWERS) as error:
            handler = next(ANSWERS[kind] for kind in type(error).__mro__ if kind in ANSWERS)
            answer = await handler(request, error)
        await answer(scope, receive, send)


def application(config: Config, house: House, places: Places | None = None) -> Guard:
    """The application behind its guard."""
    app = create_app(house)

    def is_inside(token: bytes) -> bool:
        return house.people.known(token.decode("latin-1")) is not None

    def is_known(device: bytes) -> bool:
        return house.people.knows_device(device.decode("latin-1"))

    guard = Guard(Shortcut(app), config, known=is_known, inside=is_inside)
    app.state.meters.watch(guard, places)
    return guard
