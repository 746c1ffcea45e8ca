"""What the tests of the floor share: people, a clock moved by hand, tables, and players."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from random import Random
from typing import Any, Protocol

import pytest
from sqlalchemy import insert, select

from croupier.equipment import Chance
from croupier.floor import clock as times
from croupier.floor import log, schema
from croupier.floor.commands import CLOCK, THE_HOUSE, allow_at, opening
from croupier.floor.events import HOUSE, LogEvent, canonical, visible
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable, Terms
from croupier.floor.names import key_of
from croupier.floor.pit import Pit, Reading
from croupier.floor.roles import Person, Role
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage
from croupier.games import registry
from croupier.rulebook import LAYOUT, Ask, Game, Refusal, Table
from croupier.simulation.streams import SeededStream

GAMES = list(registry().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)

# One game of each kind of equipment and procedure, for what takes long.
FAMILIES = [
    "roulette", "craps", "keno", "minibaccarat", "casino-war", "three-card-poker",
    "ultimate-texas-hold-em", "baccarat-chemin-de-fer",
]  # fmt: skip
every_family = pytest.mark.parametrize("family", FAMILIES)


def patron(name: str, session: str = "first") -> Person:
    return Person(f"account-of-{name}", name, Role.PATRON, f"{session}-session-of-{name}")


ANN, BOB, CAT = patron("Ann"), patron("Bob"), patron("Cat")
PATRONS = (ANN, BOB, CAT)
DEALER = Person("account-of-Dee", "Dee", Role.DEALER, "session-of-Dee")
FLOORPERSON = Person("account-of-Flo", "Flo", Role.FLOORPERSON, "session-of-Flo")
SUPERVISOR = Person("account-of-Sue", "Sue", Role.SUPERVISOR, "session-of-Sue")
SURVEILLANCE = Person("account-of-Sam", "Sam", Role.SURVEILLANCE, "session-of-Sam")
BYSTANDER = patron("Ben")
EVERYBODY = (*PATRONS, DEALER, FLOORPERSON, SUPERVISOR, SURVEILLANCE, BYSTANDER)
FOREVER = "9999-01-01T00:00:00.000Z"


def admit(house: HouseLog, *people: Person) -> None:
    """Let these people in, as the house's log would have it: they have accounts and sessions."""
    with house.writing() as conn:
        for person in people or EVERYBODY:
            register = house.register
            if person.account not in register.accounts:
                row = {"id": person.account, "name": person.name, "role": person.role.value,
                       "key": key_of(person.name), "guest_of": person.guest_of,
                       "created_at": house.clock.now()}  # fmt: skip
                if conn.scalar(
                    select(schema.accounts.c.id).where(schema.accounts.c.id == person.account)
                ) is None:  # fmt: skip
                    conn.execute(insert(schema.accounts).values(row))
            if person.account not in register.accounts and person.guest_of is None:
                house.note(conn, "account_created", HOUSE, account=person.account,
                           name=person.name, role=person.role.value)  # fmt: skip
            if person.session not in register.sessions:
                said = {"session": person.session, "token": person.session, "expires_at": FOREVER}
                if person.guest_of is None:
                    house.note(conn, "log_in", person.account, **said)
                else:
                    house.note(conn, "guest_admitted", person.account, account=person.account,
                               name=person.name, table=person.guest_of, **said)  # fmt: skip


def a_pit(storage: Storage, **parts: Any) -> Pit:
    """A pit where everybody of the tests has an account and is logged in."""
    pit = Pit(storage, **parts)
    admit(pit.house)
    return pit


class FakeClock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.time = times.read("2026-01-31T09:00:00.000Z")
        self.seconds = 1000.0

    def now(self) -> str:
        return times.written(self.time)

    def monotonic(self) -> float:
        return self.seconds

    def passes(self, seconds: float) -> None:
        self.seconds += seconds
        self.jumps(seconds)

    def jumps(self, seconds: float) -> None:
        """Somebody sets the time of day, and no time passes."""
        self.time += timedelta(seconds=seconds)

    def in_minutes(self, minutes: float) -> str:
        moment: datetime = self.time + timedelta(minutes=minutes)
        return times.written(moment)


class Broken:
    """A generator of random numbers that fails when it is told to."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.good_for: int | None = None  # so many numbers more; None is forever

    def below(self, n: int) -> int:
        if self.good_for is not None:
            if self.good_for == 0:
                raise OSError("the generator of random numbers does not answer")
            self.good_for -= 1
        return self.chance.below(n)


# Tables.


class House(Protocol):
    """A table, and somebody who does as he is told there."""

    @property
    def live(self) -> LiveTable: ...

    def do(self, by: Person, what: str, **said: Any) -> Any: ...


class Felt:
    """A live table without a disk: what is refused is undone, as the pit undoes it."""

    def __init__(
        self, game: str, *, options: dict[str, Any] | None = None, terms: Terms | None = None,
        seed: int = 1,
    ) -> None:  # fmt: skip
        self.live = LiveTable("felt")
        self.clock = FakeClock()
        self.chance = Broken(SeededStream(seed))
        self.events: list[LogEvent] = []
        self._step(opening(game, "Table 1", options, terms), THE_HOUSE)

    def do(self, by: Person, what: str, **said: Any) -> list[LogEvent]:
        command = {"do": what, **said}
        if what in ("sit", "take_control", "take_dealer"):
            command |= {"name": by.name, "session": by.session}
        allow_at(by, what)
        self.live.check(command, by)
        try:
            return self._step(command, by)
        except Refusal:
            self.live = self.live.rebuilt()
            raise

    def _step(self, command: dict[str, Any], by: Person) -> list[LogEvent]:
        request = f"request-{len(self.events)}"
        rows = self.live.step(command, by.account, self.clock.now(), request, self.chance)
        self.events += rows
        return rows

    def refused(self, by: Person, what: str, **said: Any) -> Refusal:
        """What must be turned away, and change nothing."""
        before, number = standing(self.live), len(self.events)
        with pytest.raises(Refusal) as caught:
            self.do(by, what, **said)
        assert standing(self.live) == before
        assert len(self.events) == number
        return caught.value

    def replayed(self) -> LiveTable:
        """The table again, from its events alone."""
        again = LiveTable("felt")
        log.replay(again, self.events)
        return again


class At:
    """A table of a pit."""

    def __init__(self, pit: Pit, stream: str) -> None:
        self.pit, self.stream = pit, stream

    @property
    def live(self) -> LiveTable:
        live: LiveTable = self.pit.ask(Reading(lambda pit: pit.seen(self.stream)))
        return live

    def do(self, by: Person, what: str, request: str | None = None, **said: Any) -> Any:
        return self.pit.do(self.stream, by, {"do": what, **said}, request)

    def refused(self, by: Person, what: str, request: str | None = None, **said: Any) -> Refusal:
        before = standing(self.live)
        with pytest.raises(Refusal) as caught:
            self.do(by, what, request, **said)
        assert standing(self.live) == before
        return caught.value

    def events(self) -> list[LogEvent]:
        with self.pit.storage.read() as conn:
            return [*log.read(conn, self.stream)]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events()]


def opened(pit: Pit, game: str, **how: Any) -> At:
    """A new table of this game."""
    return At(pit, pit.open(game, f"A table of {game}", THE_HOUSE, **how)["table"])


def seat_all(house: House, people: Sequence[Person] = PATRONS, buy_in: int = 1_000_000) -> None:
    for seat, person in enumerate(people, start=1):
        house.do(person, "sit", seat=str(seat), buy_in=buy_in)


def answers_to(stream: str, events: Sequence[LogEvent]) -> list[dict[str, Any]]:
    """The rows of the requests that belong to a table's log."""
    live, rows = LiveTable(stream), list[dict[str, Any]]()
    for event in events:
        if event.input is None:
            continue
        told = live.step(json.loads(event.input), event.actor, event.at, event.request)
        seen = [each.shown() for each in shown_to(told, event.actor)]
        own = {seat: live.table.money[seat] for seat in live.seats_of(event.actor)}
        rows.append({
            "actor": event.actor, "request": event.request, "digest": "0" * 64, "stream": stream,
            "number": live.number, "at": event.at, "seal": "of nobody", "reply": canonical({
                "table": stream, "number": live.number, "round": live.round, "events": seen,
                "stacks": own,
            }),
        })  # fmt: skip
    return rows


# What stands, and what must hold.


def standing(live: LiveTable) -> dict[str, Any]:
    """Everything about a live table that a command can change."""
    table = live.table
    play = live.play
    return {
        **{key: getattr(live, key) for key in (*LiveTable.KEPT, "rules", "asked_number")},
        "terms": asdict(live.terms),
        "chairs": {seat: asdict(live.chairs[seat]) for seat in sorted(live.chairs)},
        "dealer": asdict(live.dealer) if live.dealer else None,
        "ruleset": live.ruleset(),
        "answers": [*play.answers] if play else None,
        "request": repr(play.request) if play and isinstance(play.request, Ask) else None,
        "waits": live.waits(),
        "accounts": {account: cents for account, cents in live.accounts().items() if cents},
        "table": felt_of(table),
    }


def felt_of(table: Table) -> dict[str, Any]:
    return {
        "view": table.view(),
        "money": {account: cents for account, cents in table.money.items() if cents},
        "bets": {key: (bet.stake, bet.called_on) for key, bet in table.bets.items()},
        "state": table.state,
        "hands": {name: [*cards] for name, cards in table.hands.items() if cards},
        "equipment": table.equipment.contents(),
        "players": dict(table.players),
        "present": set(table.present),
        "forms": table.forms,
        "events": list(table.events),
        "settlements": list(table.settlements),
    }


def balanced(live: LiveTable) -> None:
    """Every cent is somewhere, and nobody has spent what he does not have."""
    accounts = live.accounts()
    assert sum(accounts.values()) == 0
    assert all(type(cents) is int for cents in accounts.values())
    assert accounts.get(LAYOUT, 0) == sum(bet.stake for bet in live.table.bets.values())
    for seat in live.chairs:
        assert live.table.money[seat] >= live.table.owed(seat) >= 0
    empty = set(live.table.positions) - set(live.chairs)
    assert not any(live.table.money[seat] for seat in empty)


def proved(storage: Storage, seal: Seal | None = None) -> dict[str, LiveTable]:
    """Every table of a database, played again from its first event; and what must be true of it.

    The numbers have no gap, every event follows from the commands, the balances are what the
    events add up to, and the money of every table adds up to nothing.
    """
    tables: dict[str, LiveTable] = {}
    seal = seal or Seal(b"")
    with storage.read() as conn:
        streams = conn.execute(select(schema.tables.c.id, schema.tables.c.status)).all()
        known = set(conn.scalars(select(schema.rulesets.c.hash)))
        for stream, status in streams:
            events = [*log.read(conn, stream)]
            assert [event.number for event in events] == [*range(1, len(events) + 1)]
            assert {event.rules for event in events} <= known
            live = tables[stream] = LiveTable(stream)
            log.replay(live, events)
            balanced(live)
            assert {"closing": "open"}.get(live.status, live.status) == status
            assert _balances(conn, stream) == {a: c for a, c in live.accounts().items() if c}
            assert _posted(events) == {a: c for a, c in live.accounts().items() if c}
            quick = log.load(conn, stream, seal)
            assert standing(quick) == standing(live)
        _house_log(conn)
    return tables


def _balances(conn: Any, stream: str) -> dict[str, int]:
    held = schema.balances.c
    rows = conn.execute(select(held.account, held.cents).where(held.stream == stream))
    return {row.account: row.cents for row in rows if row.cents}


def _posted(events: Sequence[LogEvent]) -> dict[str, int]:
    total: dict[str, int] = {}
    for event in events:
        posted = json.loads(event.money) if event.money else {}
        assert sum(posted.values()) == 0
        for account, cents in posted.items():
            total[account] = total.get(account, 0) + cents
    return {account: cents for account, cents in total.items() if cents}


def _house_log(conn: Any) -> None:
    previous = None
    for number, event in enumerate(log.read(conn, HOUSE), start=1):
        assert event.number == number
        assert event.hash == event.computed()
        assert previous is None or event.previous == previous
        previous = event.hash


def notes(storage: Storage) -> list[tuple[str, str, dict[str, Any]]]:
    """The house's own log: what was noted, about whom, and what else is said."""
    with storage.read() as conn:
        noted = [(each.kind, each.actor, json.loads(each.data)) for each in log.read(conn, HOUSE)]
    return [each for each in noted if not _is_admission(*each)]


def _is_admission(kind: str, actor: str, said: dict[str, Any]) -> bool:
    """Whether a note is how the people of the tests came in, or of the cage they go to."""
    if kind in ("sealed", "bought_in", "cashed_out"):
        return True
    of_tests = str(said.get("account", actor)).startswith("account-of-")
    return of_tests and kind in ("account_created", "log_in")


def told(events: Sequence[LogEvent], kind: str) -> list[dict[str, Any]]:
    """What the events of one kind say."""
    return [event.shown() for event in events if event.kind == kind]


def shown_to(events: Sequence[LogEvent], account: str) -> Iterator[LogEvent]:
    return (event for event in events if visible(event.seen_by, account, sees_all=False))


# Players.


def amount_of(low: int, high: int, step: int, choose: Random) -> int:
    """A lawful amount: often one at the edge."""
    steps = (high - low) // step
    return low + step * choose.choice([0, steps, choose.randint(0, min(steps, 50))])


def any_wager(live: LiveTable, seat: str, choose: Random) -> dict[str, int] | None:
    """Some wager that the table offers this seat, or one that it takes down."""
    offered = [each for each in live.openings(seat) if each["high"] >= each["low"]]
    if not offered:
        return None
    picked = choose.choice(offered)
    if picked["removable"] and choose.random() < 0.15:
        return {picked["wager"]: 0}
    low, high = picked["low"], min(picked["high"], picked["low"] + 40 * picked["step"])
    return {picked["wager"]: amount_of(low, high, picked["step"], choose)}


def any_move(question: dict[str, Any], choose: Random) -> Any:
    """Some move that a question offers."""
    move = choose.choice(question["moves"])
    if not move["high"]:
        return move["move"]
    return {move["move"]: amount_of(move["low"], move["high"], move["step"], choose)}


def go_on(house: House, people: Sequence[Person], choose: Random) -> None:
    """Somebody does something that the table offers him, and so a round comes to its end."""
    live = house.live
    by = {person.account: person for person in people}
    question = live.question("", sees_all=True)
    if question is not None:
        chair = live.chairs[question["seat"]]
        house.do(by[chair.account], "move", seat=question["seat"], move=any_move(question, choose))
    elif live.play is not None:
        house.do(DEALER, "deal", count=choose.choice([1, 3, None]))
    else:
        _bet_or_be_ready(house, by, choose)


def _bet_or_be_ready(house: House, by: dict[str, Person], choose: Random) -> None:
    live = house.live
    waiting = [seat for seat, chair in sorted(live.chairs.items()) if not chair.ready]
    if not waiting:
        house.do(DEALER, "no_more_bets")
        return
    seat = choose.choice(waiting)
    person = by[live.chairs[seat].account]
    wager = any_wager(live, seat, choose) if choose.random() < 0.6 else None
    if wager:
        house.do(person, "bet", seat=seat, wagers=wager)
    else:
        house.do(person, "ready", seat=seat)


def finish(house: House, people: Sequence[Person], choose: Random, most: int = 400) -> None:
    """Go on until the round that is in progress, or the next one, is over."""
    number = house.live.round
    while house.live.round == number:
        go_on(house, people, choose)
        most -= 1
        assert most, "the round does not end"


def rings(house: House) -> None:
    """Time passes until the clock speaks."""
    house.do(CLOCK, "time_up")


def text_of(value: Any) -> str:
    return canonical(value)


def is_family(game: Game) -> bool:
    return game.id in FAMILIES
