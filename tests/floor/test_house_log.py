"""The house's own log: what somebody changed in it grants nothing, and is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, literal_column, select, update

from croupier.floor import house_log, log, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.events import HOUSE, LogEvent, canonical
from croupier.floor.house_log import HouseLog
from croupier.floor.register import Register, at_the_cage
from croupier.floor.roles import Role
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage
from tests.floor.support import ANN, EVERYBODY, FOREVER, SUPERVISOR, FakeClock, admit, patron

ZOE = patron("Zoe")


@pytest.fixture
def house(storage: Storage, tmp_path: Path) -> HouseLog:
    """A house with everybody in it, where Ann deals and has five dollars at the cage."""
    notary = Notary(tmp_path / "marks")
    house = HouseLog(storage, FakeClock(), notary)
    admit(house)
    with house.writing() as conn:
        house.note(conn, "role_changed", HOUSE, account=ANN.account, before="x", after="dealer")
    admit(house, ZOE)
    with house.writing() as conn:
        paid = {at_the_cage(ANN.account): 500, "cash": -500}
        house.move(conn, "paid_in", HOUSE, paid, account=ANN.account)
        house.note(conn, "started", HOUSE)
        house.note(conn, "started", HOUSE)
    with storage.read() as conn:
        for event in log.read(conn, HOUSE):  # every one was the last when a checkpoint was signed
            notary.sign(HOUSE, event.number, event.hash, event.at)
    return house


def event_of(house: HouseLog, kind: str) -> LogEvent:
    """The last event of a kind."""
    with house.storage.read() as conn:
        return [each for each in log.read(conn, HOUSE) if each.kind == kind][-1]


def change(house: HouseLog, event: LogEvent, *, hashed: bool, **to: Any) -> LogEvent:
    """An event is another one, and its hash is right or is not."""
    changed = event._replace(**to)
    changed = changed._replace(hash=changed.computed()) if hashed else changed
    events = schema.events
    this = (events.c.stream == HOUSE) & (events.c.number == event.number)
    with house.storage.write() as conn:
        conn.execute(update(events).where(this).values(changed._asdict()))
    return changed


def fresh(house: HouseLog) -> HouseLog:
    """Another server that comes to know the log."""
    other = HouseLog(house.storage, house.clock, house.notary)
    other.refresh()
    return other


FORGED: dict[str, tuple[str, dict[str, Any]]] = {
    "a role": ("role_changed", {"account": ANN.account, "before": "x", "after": "supervisor"}),
    "money": ("paid_in", {"account": ANN.account}),
    "a session": (
        "log_in", {"session": "mine", "token": "mine", "expires_at": FOREVER},
    ),
    "an account": ("account_created", {"account": "eve", "name": "Eve", "role": "supervisor"}),
    "a cage that lends": ("started", {"lends": True}),
}  # fmt: skip


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("what", FORGED)
def test_a_forged_event_grants_nothing_and_nobody_is_staff_until_they_are_appointed_again(
    house: HouseLog, what: str, hashed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    kind, said = FORGED[what]
    to: dict[str, Any] = {"data": canonical(said)}
    event = event_of(house, kind)
    if kind == "paid_in":
        to["money"] = canonical({at_the_cage(ANN.account): 10**9, "cash": -(10**9)})
    if kind == "started":  # the last but one
        event, to["kind"] = event_before(house, event), "cage"
    change(house, event, hashed=hashed, **to)
    known = fresh(house).register
    assert event.number in known.damaged
    assert f"event {event.number} of the house cannot be believed" in caplog.text
    assert {account.role for account in known.accounts.values()} == {Role.PATRON}
    assert known.sessions.keys() <= {ZOE.session}, "who came after it"
    assert known.holder("mine") is None
    assert "eve" not in known.accounts
    assert known.at_cage(ANN.account) == (0 if kind == "paid_in" else 500)
    with house.writing() as conn:
        to_her = {"account": SUPERVISOR.account, "before": "patron", "after": "supervisor"}
        house.note(conn, "role_changed", HOUSE, **to_her)
    assert fresh(house).register.accounts[SUPERVISOR.account].role is Role.SUPERVISOR


def event_before(house: HouseLog, event: LogEvent) -> LogEvent:
    with house.storage.read() as conn:
        (before,) = log.read(conn, HOUSE, after=event.number - 2, limit=1)
    return before


def test_an_event_that_is_gone_takes_rights_away_too(house: HouseLog) -> None:
    event = event_of(house, "role_changed")
    with house.storage.write() as conn:
        events = schema.events.c
        this = (events.stream == HOUSE) & (events.number == event.number)
        conn.execute(delete(schema.events).where(this))
    known = fresh(house).register
    assert known.damaged[0] == event.number + 1
    assert {account.role for account in known.accounts.values()} == {Role.PATRON}
    assert ANN.session not in known.sessions
    assert len(known.accounts) == len(EVERYBODY)


def appended(house: HouseLog) -> LogEvent:
    last = event_of(house, "started")
    said = {"account": ANN.account, "before": "patron", "after": "supervisor"}
    forged = last._replace(
        number=last.number + 1, previous=last.hash, kind="role_changed", data=canonical(said)
    )
    forged = forged._replace(hash=forged.computed())
    with house.storage.write() as conn:
        conn.execute(insert(schema.events).values(forged._asdict()))
    return forged


def without_a_head(house: HouseLog) -> None:
    appended(house)
    with house.storage.write() as conn:
        conn.execute(delete(schema.heads).where(schema.heads.c.stream == HOUSE))


def with_a_head_of_its_own(house: HouseLog) -> None:
    forged = appended(house)
    seal = Seal(b"mine").of("head", HOUSE, forged.number, forged.hash)
    row = {"number": forged.number, "hash": forged.hash, "seal": seal}
    with house.storage.write() as conn:
        conn.execute(update(schema.heads).where(schema.heads.c.stream == HOUSE).values(row))


def the_last_is_another(house: HouseLog) -> None:
    last = event_of(house, "started")
    said = {"account": ANN.account, "before": "patron", "after": "supervisor"}
    change(house, last, hashed=True, kind="role_changed", data=canonical(said))


def all_of_it_hashed_anew(house: HouseLog) -> None:
    said = {"account": ANN.account, "before": "x", "after": "supervisor"}
    before = change(
        house, event_of(house, "role_changed"), hashed=True, data=canonical(said)
    )  # fmt: skip
    with house.storage.read() as conn:
        rest = [*log.read(conn, HOUSE, after=before.number)]
    for event in rest:
        before = change(house, event, hashed=True, previous=before.hash)


@pytest.mark.parametrize(
    "write",
    [appended, without_a_head, with_a_head_of_its_own, the_last_is_another, all_of_it_hashed_anew],
)
def test_a_log_that_does_not_end_in_the_sealed_head_is_not_read(
    house: HouseLog, write: Callable[[HouseLog], Any]
) -> None:
    """However often one asks: nothing of it has been heard."""
    write(house)
    other = HouseLog(house.storage, house.clock, house.notary)
    for _ in range(3):
        with pytest.raises(log.LogBroken):
            other.refresh()
        with pytest.raises(log.LogBroken), other.writing():
            pytest.fail("nothing is written into it")  # pragma: no cover
    assert other.register.accounts == {}


@pytest.mark.parametrize("write", [appended, without_a_head, with_a_head_of_its_own])
def test_a_server_that_runs_believes_no_more_than_one_that_starts(
    house: HouseLog, write: Callable[[HouseLog], Any]
) -> None:
    before = house.register.saved()
    write(house)
    for _ in range(2):
        with pytest.raises(log.LogBroken):
            house.refresh()
    assert house.register.saved() == before


def test_what_was_heard_and_never_committed_is_forgotten(house: HouseLog) -> None:
    said = {"account": ANN.account, "before": "dealer", "after": "supervisor"}
    with pytest.raises(ZeroDivisionError), house.storage.write() as conn:
        house.note(conn, "role_changed", HOUSE, **said)
        house.catch_up(conn)
        assert house.register.accounts[ANN.account].role is Role.SUPERVISOR
        raise ZeroDivisionError
    other = fresh(house)
    for _ in range(2):
        with other.writing() as conn:
            other.note(conn, "started", HOUSE)
    house.refresh()
    assert house.register.saved() == other.register.saved()
    assert house.register.accounts[ANN.account].role is Role.DEALER
    assert not house.register.damaged


# Kept, to be fast.


def test_the_register_is_kept_now_and_then_and_believed_if_it_is_sealed(
    house: HouseLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_log, "SNAPSHOT_EVENTS", 5)
    with house.writing() as conn:
        house.keep(conn)
    with house.writing() as conn:
        house.note(conn, "log_out", ANN.account, session=ANN.session)
    heard: list[int] = []
    monkeypatch.setattr(Register, "hear", lambda self, event: heard.append(event.number))
    fresh(house)
    assert heard == [house.register.number], "the rest was kept"


@pytest.mark.parametrize("column", ["state", "number", "head", "software", "seal"])
def test_a_kept_register_that_somebody_changed_is_not_believed(
    house: HouseLog, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    monkeypatch.setattr(house_log, "SNAPSHOT_EVENTS", 5)
    with house.writing() as conn:
        house.keep(conn)
        (row,) = conn.execute(select(schema.snapshots)).mappings()
        supervised = row["state"].replace('"role":"dealer"', '"role":"supervisor"')
        assert supervised != row["state"]
        to = {"state": supervised, "number": row["number"] - 1}.get(column, "of somebody else")
        conn.execute(update(schema.snapshots).values({column: to}))
    assert fresh(house).register.saved() == house.register.saved()


def test_what_other_software_kept_is_read_from_the_log_again(
    house: HouseLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_log, "SNAPSHOT_EVENTS", 5)
    with monkeypatch.context() as older, house.writing() as conn:
        older.setattr(house_log, "software", lambda: "older")
        older.setattr(Register, "saved", lambda self: {"of": "another time"})
        house.keep(conn)
    assert fresh(house).register.saved() == house.register.saved()


def test_an_event_that_holds_what_none_can_is_skipped_and_no_traceback(house: HouseLog) -> None:
    """A number of a round that is a BLOB cannot even be hashed."""
    event = event_of(house, "role_changed")
    with house.storage.write() as conn:
        events = schema.events
        row = (events.c.stream == HOUSE) & (events.c.number == event.number)
        value: Any = literal_column("x'00ff'") if house.storage.dialect == "sqlite" else -7
        conn.execute(update(events).where(row).values(round=value))
    again = fresh(house)
    again.refresh()
    assert event.number in again.register.damaged
