"""Answering for a log that is not what was signed or sealed."""

import json
from pathlib import Path

import pytest
from sqlalchemy import insert

from croupier.floor import log, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.events import HOUSE, canonical
from croupier.floor.house_log import HouseLog
from croupier.floor.log import LogBroken
from croupier.floor.pit import Pit
from croupier.floor.restore import answer_for
from croupier.floor.storage import Storage
from croupier.floor.verify import verify
from croupier.simulation.streams import SeededStream
from tests.floor.support import ANN, FakeClock, a_pit, notes, opened, seat_all

CLOCK = FakeClock()


@pytest.fixture
def notary(tmp_path: Path) -> Notary:
    return Notary(tmp_path / "marks")


@pytest.fixture
def house(storage: Storage, notary: Notary) -> Pit:
    pit = a_pit(storage, clock=CLOCK, chance=SeededStream(5), notary=notary)
    at = opened(pit, "roulette")
    seat_all(at, (ANN,), buy_in=100_000)
    return pit


def append(storage: Storage, stream: str, kind: str, **said: object) -> None:
    """An event after the last one, hashed as it should be, by somebody with the database."""
    with storage.write() as conn:
        number, previous = log.head(conn, stream) or (0, "")
        (last,) = log.read(conn, stream, after=number - 1)
        forged = last._replace(
            number=number + 1, kind=kind, data=canonical(said), previous=previous, input=None,
            money=None,
        )  # fmt: skip
        forged = forged._replace(hash=forged.computed())
        conn.execute(insert(schema.events).values(log.values(forged)))


def test_an_event_that_nobody_of_the_house_sealed_gives_no_role(house: Pit, notary: Notary) -> None:
    append(house.storage, HOUSE, "role_changed", account=ANN.account, before="patron",
           after="supervisor")  # fmt: skip
    fresh = HouseLog(house.storage, CLOCK, notary)
    with pytest.raises(LogBroken, match="nobody of the house sealed it"):
        fresh.refresh()
    roles = {each.role for each in fresh.register.accounts.values() if each.id == ANN.account}
    assert roles <= {"patron"}


def rehash(storage: Storage, first: int, last: int, keeps_the_hash: bool) -> None:
    """Ann is made a supervisor in an event of the house, and those up to another follow it."""
    with storage.write() as conn:
        run = [*log.read(conn, HOUSE, after=first - 1, limit=last - first + 1)]
        previous = run[0].previous
        for event in run:
            made = event._replace(previous=previous)
            if event.number == first:
                said = {"account": ANN.account, "before": "patron", "after": "supervisor"}
                made = made._replace(kind="role_changed", data=canonical(said), money=None)
            previous = made.computed()
            if keeps_the_hash and event.number == last:
                previous = event.hash  # as if this one alone were damaged
            conn.execute(
                schema.events.update()
                .where(schema.events.c.stream == HOUSE, schema.events.c.number == event.number)
                .values(log.values(made._replace(hash=previous)))
            )


@pytest.mark.parametrize("keeps_the_hash", [False, True])
def test_a_run_of_events_hashed_anew_gives_no_role(
    house: Pit, notary: Notary, keeps_the_hash: bool
) -> None:
    with house.house.writing() as conn:
        for _ in range(6):
            house.house.note(conn, "refused", ANN.account)
    last = house.house.register.number
    notary.sign(HOUSE, last - 4, hashes(house.storage)[last - 4], CLOCK.now())
    with house.house.writing() as conn:
        house.house.note(conn, "refused", ANN.account)
    rehash(house.storage, last - 3, last - 1, keeps_the_hash)
    fresh = HouseLog(house.storage, CLOCK, notary)
    fresh.refresh()
    assert fresh.register.accounts[ANN.account].role == "patron"
    assert fresh.register.damaged == [
        last - 3,
        last - 2,
        last - 1,
    ]  # and those that were signed not
    assert fresh.register.number == last + 1


def hashes(storage: Storage) -> dict[int, str]:
    with storage.read() as conn:
        return {event.number: event.hash for event in log.read(conn, HOUSE)}


def test_such_events_are_taken_out_and_kept_word_for_word(house: Pit, notary: Notary) -> None:
    append(house.storage, HOUSE, "role_changed", account=ANN.account, before="patron",
           after="supervisor")  # fmt: skip
    assert answer_for(house.storage, notary, CLOCK, "Sue", "somebody was here") == [HOUSE]
    kind, _, said = notes(house.storage)[-1]
    assert kind == "restored"
    assert said["by"] == "Sue"
    ((_, _, _, struck_kind, *rest),) = said["struck"]
    assert struck_kind == "role_changed"
    assert any("supervisor" in str(each) for each in rest)
    verdict = verify(house.storage, notary.read(), seal=notary.seal)
    assert verdict.is_sound, verdict.bad
    assert answer_for(house.storage, notary, CLOCK, "Sue", "again") == []


def test_a_house_that_lost_its_key_goes_on_with_another(
    house: Pit, tmp_path: Path, storage: Storage
) -> None:
    house.stop()
    another = Notary(tmp_path / "new")
    assert not verify(storage, seal=another.seal).is_sound
    assert answer_for(storage, another, CLOCK, "Sue", "the key burned with the disk")
    assert verify(storage, seal=another.seal).is_sound
    again = a_pit(storage, clock=CLOCK, chance=SeededStream(5), notary=another)
    again.take_over()
    assert not again.broken
    assert len(again.tables) == 1


def test_nobody_answers_for_a_log_that_is_bad_by_itself(house: Pit, notary: Notary) -> None:
    (stream,) = house.tables
    append(house.storage, HOUSE, "role_changed", account=ANN.account, before="x", after="y")
    with house.storage.write() as conn:
        conn.execute(
            schema.events.update()
            .where(schema.events.c.stream == stream, schema.events.c.number == 2)
            .values(data=json.dumps({"seat": "9"}))
        )
    with pytest.raises(LogBroken):
        answer_for(house.storage, notary, CLOCK, "Sue", "I do not know")
