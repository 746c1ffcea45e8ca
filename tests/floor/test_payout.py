"""A table whose log cannot be opened: its chips are paid out, and the house's log says so."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from croupier.floor import payout, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.commands import Unavailable
from croupier.floor.pit import Pit
from croupier.floor.register import at_the_cage, on_table
from croupier.floor.roles import NotAllowed
from croupier.floor.storage import Storage
from croupier.floor.verify import verify
from croupier.rulebook import Fault, Refusal
from croupier.simulation.streams import SeededStream
from tests.floor.support import (
    ANN,
    BOB,
    FLOORPERSON,
    SUPERVISOR,
    At,
    FakeClock,
    a_pit,
    notes,
    opened,
    seat_all,
)


@pytest.fixture
def house(storage: Storage, tmp_path: Path) -> Pit:
    return a_pit(storage, clock=FakeClock(), chance=SeededStream(5), notary=Notary(tmp_path))


def damaged(pit: Pit, **changes: Any) -> At:
    """Roulette with Ann and Bob, wagers on the layout, and an event that somebody has changed."""
    at = opened(pit, "roulette")
    opened(pit, "casino-war")
    seat_all(at, (ANN, BOB), buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"red": 2500, "straight:17": 500})
    number = at.live.number
    at.do(BOB, "ready", seat="2")
    events = schema.events
    with pit.storage.write() as conn:
        late = (events.c.stream == at.stream) & (events.c.number == number + 1)
        conn.execute(update(events).where(late).values(changes or {"data": '{"seat":"3"}'}))
    pit.owned.forget(pit.tables)
    pit.take_over()
    return at


def test_a_table_whose_log_is_bad_takes_no_command_and_the_others_do(house: Pit) -> None:
    at = damaged(house)
    with pytest.raises(Unavailable, match="its log is bad"):
        at.do(ANN, "bet", seat="1", wagers={"red": 5000})
    (other,) = house.tables
    At(house, other).do(ANN, "sit", seat="1", buy_in=1000)


def test_every_seat_is_paid_its_chips_and_its_wagers_at_the_cage(house: Pit) -> None:
    at = damaged(house)
    with house.storage.read() as conn:
        found = payout.statement(conn, at.stream)
    assert {seat: (owed.stack, owed.wagers) for seat, owed in found.seats.items()} == {
        "1": (97_000, 3000), "2": (100_000, 0),
    }  # fmt: skip
    payout.pay_out(house.house, at.stream, SUPERVISOR, "a bad disk block")
    register = house.house.register
    assert register.money[on_table(at.stream)] == 0
    for person in (ANN, BOB):  # the house lends: what was bought in is paid back
        assert register.money[at_the_cage(person.account)] == 0
    kind, actor, said = notes(house.storage)[-1]
    assert (kind, actor, said["paid"]) == (
        "paid_out",
        SUPERVISOR.account,
        {"1": 100_000, "2": 100_000},
    )
    assert said["why"] == "a bad disk block"


def test_it_is_done_once_and_by_a_supervisor(house: Pit) -> None:
    at = damaged(house)
    with pytest.raises(NotAllowed):
        payout.pay_out(house.house, at.stream, FLOORPERSON, "I may not")
    payout.pay_out(house.house, at.stream, SUPERVISOR, "a bad disk block")
    with pytest.raises(Refusal) as caught:
        payout.pay_out(house.house, at.stream, SUPERVISOR, "once more")
    assert caught.value.fault is Fault.TABLE_CLOSED


def test_damage_that_was_answered_for_is_told_and_what_came_after_is_not_sound(
    house: Pit,
) -> None:
    at = damaged(house)
    assert not verify(house.storage, seal=house.house.seal).is_sound
    payout.pay_out(house.house, at.stream, SUPERVISOR, "a bad disk block")
    verdict = verify(house.storage, seal=house.house.seal)
    assert verdict.is_sound, verdict.bad
    assert {each.stream for each in verdict.paid_out} == {at.stream}
    events = schema.events
    with house.storage.write() as conn:
        first = (events.c.stream == at.stream) & (events.c.number == 1)
        conn.execute(update(events).where(first).values(at="2026-01-01T00:00:00.000Z"))
    assert not verify(house.storage, seal=house.house.seal).is_sound


def test_where_the_log_no_longer_tells_whose_wagers_they_are_somebody_must_say(
    house: Pit,
) -> None:
    at = opened(house, "roulette")
    seat_all(at, (ANN, BOB), buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"red": 2500})
    events = schema.events
    with house.storage.write() as conn:
        mine = events.c.stream == at.stream
        number = conn.scalar(
            select(events.c.number).where(mine, events.c.kind == "seated").limit(1)
        )
        bad = mine & (events.c.number == number)
        conn.execute(update(events).where(bad).values(at="yesterday"))
    house.owned.forget(house.tables)
    with pytest.raises(Refusal) as caught:
        payout.pay_out(house.house, at.stream, SUPERVISOR, "unreadable")
    assert "say what each seat is paid" in str(caught.value)
    said = payout.pay_out(house.house, at.stream, SUPERVISOR, "as Bob says", {"2": 100_000})
    assert said["paid"] == {"2": 100_000}
