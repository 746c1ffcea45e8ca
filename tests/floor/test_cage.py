"""The cage: what patrons have in the house beside the tables, and their own limits."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select, update

from croupier.floor import clock as times
from croupier.floor import log, schema
from croupier.floor.cage import FOREVER, MOST
from croupier.floor.commands import Command
from croupier.floor.events import HOUSE
from croupier.floor.house_log import HouseLog
from croupier.floor.pit import Pit
from croupier.floor.register import Past, at_the_cage, on_table
from croupier.floor.roles import Denial, NotAllowed, Person
from croupier.floor.storage import Storage
from croupier.rulebook import Fault, Refusal
from croupier.simulation.streams import SeededStream
from tests.floor.support import (
    ANN,
    BOB,
    DEALER,
    FLOORPERSON,
    PATRONS,
    SUPERVISOR,
    At,
    FakeClock,
    a_pit,
    finish,
    opened,
    proved,
    seat_all,
)

A_DAY = 24 * 3600.0


@pytest.fixture
def lending(storage: Storage) -> Pit:
    """A practice floor: whoever buys in has credit."""
    return a_pit(storage, clock=FakeClock(), chance=SeededStream(1))


@pytest.fixture
def funded(lending: Pit) -> Pit:
    """A floor where people buy in for what they have at the cage."""
    funds_only(lending)
    return lending


def funds_only(pit: Pit) -> None:
    with pit.house.writing() as conn:
        pit.house.note(conn, "cage", HOUSE, lends=False)


def pays_in(pit: Pit, who: Person, cents: int, request: str = "") -> int:
    """Somebody of the house pays money in, or out; what is there then."""
    request = request or f"pay {pit.house.register.number}"
    return pit.cage.fund(who.account, cents, by=FLOORPERSON, why="cash", request=request)


def has(pit: Pit, who: Person) -> int:
    pit.house.refresh()
    return pit.house.register.at_cage(who.account)


def passes(pit: Pit, seconds: float) -> None:
    """Time passes, and nobody is idle."""
    assert isinstance(pit.clock, FakeClock)
    pit.clock.passes(seconds)


def adds_up(pit: Pit) -> None:
    """The books of the house: they add up to nothing, and are what its log says."""
    pit.house.refresh()
    held = schema.balances.c
    with pit.storage.read() as conn:
        query = select(held.account, held.cents).where(held.stream == HOUSE)
        books = {row.account: row.cents for row in conn.execute(query)}
        past = Past()
        for event in log.read(conn, HOUSE):
            past.hear(event)
    assert sum(books.values()) == 0
    money = pit.house.register.money
    assert {a: c for a, c in books.items() if c} == {a: c for a, c in money.items() if c}
    for stream, live in pit.tables.items():
        assert books.get(on_table(stream), 0) == -live.accounts().get("cage", 0)
        assert sum(c for (t, _), c in past.moved.items() if t == stream) == money[on_table(stream)]


# A floor that lends, and one that does not.


def test_a_floor_that_lends_gives_credit_and_knows_how_much(lending: Pit) -> None:
    at = opened(lending, "casino-war")
    at.do(ANN, "sit", seat="1", buy_in=30_000)
    at.do(ANN, "buy_in", seat="1", amount=20_000)
    assert has(lending, ANN) == -50_000
    at.do(ANN, "leave", seat="1")
    assert has(lending, ANN) == 0
    adds_up(lending)
    proved(lending.storage)


def test_whoever_has_no_money_at_the_cage_buys_in_for_nothing(funded: Pit) -> None:
    at = opened(funded, "casino-war")
    refusal = at.refused(ANN, "sit", seat="1", buy_in=5000)
    assert refusal.fault is Fault.NO_FUNDS
    assert refusal.message == "you have $0 at the cage. This buy-in needs $50"
    assert refusal.cite is not None
    at.do(ANN, "sit", seat="1")
    pays_in(funded, ANN, 4999)
    refusal = at.refused(ANN, "buy_in", seat="1", amount=5000)
    assert refusal.message == "you have $49.99 at the cage. This buy-in needs $50"
    assert has(funded, ANN) == 4999
    adds_up(funded)


def test_whoever_has_money_buys_in_plays_and_cashes_out(funded: Pit) -> None:
    for who in PATRONS:
        pays_in(funded, who, 2_000_000)
    at = opened(funded, "casino-war")
    seat_all(at)
    for _ in range(3):
        finish(at, PATRONS, Random(1))
    stacks = {who: at.live.table.money[str(seat)] for seat, who in enumerate(PATRONS, 1)}
    for seat, who in enumerate(PATRONS, 1):
        at.do(who, "leave", seat=str(seat))
        assert has(funded, who) == 1_000_000 + stacks[who]
    adds_up(funded)
    proved(funded.storage)


def test_what_was_cashed_out_may_be_bought_in_for_at_once(funded: Pit) -> None:
    """In one transaction, too: what somebody has just moved counts."""
    pays_in(funded, ANN, 1000)
    one, two = opened(funded, "roulette"), opened(funded, "roulette")
    one.do(ANN, "sit", seat="1", buy_in=1000)
    two.do(ANN, "sit", seat="1")
    bodies: list[tuple[At, dict[str, Any]]] = [
        (two, {"do": "buy_in", "seat": "1", "amount": 1000}),
        (one, {"do": "leave", "seat": "1"}),
        (two, {"do": "buy_in", "seat": "1", "amount": 600}),
        (two, {"do": "buy_in", "seat": "1", "amount": 401}),
        (two, {"do": "buy_in", "seat": "1", "amount": 400}),
    ]
    answers = at_once(funded, bodies)
    assert [isinstance(each, Refusal) for each in answers] == [True, False, False, True, False]
    assert has(funded, ANN) == 0
    assert two.live.table.money["1"] == 1000
    adds_up(funded)


def at_once(pit: Pit, bodies: list[tuple[At, dict[str, Any]]]) -> list[Any]:
    """These commands of Ann's in one transaction: the replies and the refusals."""
    answers: list[Any] = []
    pit._perform([
        (Command(at.stream, ANN, f"at once {number}", body), answers.append)
        for number, (at, body) in enumerate(bodies)
    ])  # fmt: skip
    return answers


def test_the_balance_is_never_below_zero_whoever_asks_at_once(funded: Pit) -> None:
    pays_in(funded, ANN, 10_000)
    tables = [opened(funded, "roulette") for _ in range(4)]
    for at in tables:
        at.do(ANN, "sit", seat="1")
    funded.start()
    gate, most = threading.Barrier(8), 30

    def buy(number: int) -> int:
        gate.wait()
        bought = 0
        for _ in range(most):
            try:
                tables[number % 4].do(ANN, "buy_in", seat="1", amount=100 + number)
                bought += 100 + number
            except Refusal as refusal:
                assert refusal.fault is Fault.NO_FUNDS
        return bought

    with ThreadPoolExecutor(8) as threads:
        bought = sum(threads.map(buy, range(8)))
    assert 10_000 - 107 < bought <= 10_000
    assert has(funded, ANN) == 10_000 - bought
    adds_up(funded)
    funded.stop()
    proved(funded.storage)


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_two_servers_do_not_give_the_same_money_twice(funded: Pit, storage_url: str) -> None:
    other = Storage(storage_url)
    there = a_pit(other, clock=funded.clock, chance=SeededStream(2))
    pays_in(funded, ANN, 10_000)
    tables = [opened(funded, "roulette"), opened(there, "roulette")]
    for at in tables:
        at.do(ANN, "sit", seat="1")
    gate = threading.Barrier(2)

    def buy(at: At) -> int:
        gate.wait()
        bought = 0
        for _ in range(40):
            try:
                at.do(ANN, "buy_in", seat="1", amount=300)
                bought += 300
            except Refusal as refusal:
                assert refusal.fault is Fault.NO_FUNDS
        return bought

    with ThreadPoolExecutor(2) as threads:
        bought = sum(threads.map(buy, tables))
    assert bought == 9900
    assert has(funded, ANN) == 100
    adds_up(funded)
    other.close()


def test_whoever_owes_from_a_time_of_credit_may_leave_and_pay_back(lending: Pit) -> None:
    at = opened(lending, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=50_000)
    at.do(SUPERVISOR, "correct", seat="1", cents=-20_000, why="they lost it", about=0)
    funds_only(lending)
    assert at.refused(ANN, "buy_in", seat="1", amount=100).fault is Fault.NO_FUNDS
    at.do(ANN, "leave", seat="1")
    assert has(lending, ANN) == -20_000
    assert pays_in(lending, ANN, 5_000) == -15_000
    assert pays_in(lending, ANN, 16_000) == 1000
    adds_up(lending)


def test_a_balance_that_somebody_changed_in_the_database_buys_nothing(funded: Pit) -> None:
    pays_in(funded, ANN, 100)
    mine = schema.balances.c.account == at_the_cage(ANN.account)
    with funded.storage.write() as conn:
        conn.execute(update(schema.balances).where(mine).values(cents=10**9))
    at = opened(funded, "roulette")
    assert at.refused(ANN, "sit", seat="1", buy_in=500).fault is Fault.NO_FUNDS


# Paying in and out.


def test_the_same_request_is_paid_in_once(funded: Pit) -> None:
    assert pays_in(funded, ANN, 500, "slip 1") == 500
    assert pays_in(funded, ANN, 700, "slip 2") == 1200
    for _ in range(2):
        assert pays_in(funded, ANN, 500, "slip 1") == 500, "what was answered then"
    assert has(funded, ANN) == 1200
    for who, cents in ((ANN, 501), (BOB, 500)):
        with pytest.raises(Refusal) as refused:
            pays_in(funded, who, cents, "slip 1")
        assert refused.value.fault is Fault.CONFLICT
    with funded.storage.write() as conn:
        conn.execute(update(schema.requests).values(reply="999999"))
    with pytest.raises(Refusal):
        pays_in(funded, ANN, 500, "slip 1")
    assert has(funded, ANN) == 1200
    adds_up(funded)


def test_the_same_request_in_many_threads_is_paid_in_once(funded: Pit) -> None:
    gate = threading.Barrier(6)

    def pay(_: int) -> int:
        gate.wait()
        return pays_in(funded, ANN, 500, "slip 1")

    with ThreadPoolExecutor(6) as threads:
        assert [*threads.map(pay, range(6))] == [500] * 6
    assert has(funded, ANN) == 500


def test_nobody_takes_out_more_than_is_there(funded: Pit) -> None:
    pays_in(funded, ANN, 500)
    with pytest.raises(Refusal, match=r"there is \$5 at the cage for Ann"):
        pays_in(funded, ANN, -501)
    assert pays_in(funded, ANN, -500) == 0
    adds_up(funded)


@pytest.mark.parametrize("cents", [0, MOST + 1, -MOST - 1, 1.5, True, "5"])
def test_what_is_no_amount_is_refused(funded: Pit, cents: Any) -> None:
    with pytest.raises(Refusal) as refused:
        pays_in(funded, ANN, cents)
    assert refused.value.fault is Fault.BAD_AMOUNT
    adds_up(funded)


def test_only_the_pit_and_the_house_pay_in(funded: Pit) -> None:
    for by in (ANN, DEALER, ANN.account, ""):
        with pytest.raises(NotAllowed) as denied:
            funded.cage.fund(ANN.account, 500, by=by, why="mine", request="mine")
        assert denied.value.code is Denial.FORBIDDEN
    for by in (FLOORPERSON, SUPERVISOR, HOUSE):
        funded.cage.fund(ANN.account, 500, by=by, why="cash", request="theirs")
    assert has(funded, ANN) == 1500
    with pytest.raises(NotAllowed) as denied:
        funded.cage.fund("nobody", 500, by=HOUSE, why="cash", request="theirs, too")
    assert denied.value.code is Denial.UNKNOWN_ACCOUNT


def test_a_closed_account_is_paid_back_and_not_paid_in(funded: Pit) -> None:
    pays_in(funded, ANN, 500)
    with funded.house.writing() as conn:
        funded.house.note(conn, "account_closed", HOUSE, account=ANN.account)
    with pytest.raises(NotAllowed):
        pays_in(funded, ANN, 1)
    assert pays_in(funded, ANN, -500) == 0


# What patrons allow themselves.


def test_a_tighter_limit_counts_at_once_and_a_looser_one_a_day_later(lending: Pit) -> None:
    at = opened(lending, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=3000)
    lending.cage.limit(ANN, 10_000)
    at.do(ANN, "buy_in", seat="1", amount=2000)
    refusal = at.refused(ANN, "buy_in", seat="1", amount=5001)
    assert refusal.fault is Fault.ABOVE_MAXIMUM
    assert refusal.message == (
        "your own limit is $100 in 24 hours, and you have bought in for $50: "
        "you may still buy in for $50"
    )
    lending.cage.limit(ANN, 5000)
    assert at.refused(ANN, "buy_in", seat="1", amount=100).fault is Fault.ABOVE_MAXIMUM

    lending.cage.limit(ANN, 20_000)
    passes(lending, A_DAY - 1)
    assert lending.cage.statement(ANN.account)["daily_buy_in"] == 5000
    passes(lending, 1)
    assert lending.cage.statement(ANN.account) == {
        "account": ANN.account, "cents": -5000, "lends": True, "daily_buy_in": 20_000,
        "bought_today": 0, "excluded_until": None,
    }  # fmt: skip
    at.do(ANN, "buy_in", seat="1", amount=20_000)
    assert at.refused(ANN, "buy_in", seat="1", amount=100).fault is Fault.ABOVE_MAXIMUM

    lending.cage.limit(ANN, None)
    assert at.refused(ANN, "buy_in", seat="1", amount=100).fault is Fault.ABOVE_MAXIMUM
    passes(lending, A_DAY)
    at.do(ANN, "buy_in", seat="1", amount=50_000)
    at.do(BOB, "sit", seat="2", buy_in=50_000)  # it was nobody else's
    proved(lending.storage)


def test_a_looser_limit_that_waits_is_taken_back_by_a_tighter_one(lending: Pit) -> None:
    lending.cage.limit(ANN, 1000)
    lending.cage.limit(ANN, 9000)
    lending.cage.limit(ANN, 500)
    passes(lending, 2 * A_DAY)
    assert lending.cage.statement(ANN.account)["daily_buy_in"] == 500


def test_a_limit_holds_though_the_money_goes_to_and_fro_at_once(lending: Pit) -> None:
    lending.cage.limit(ANN, 1000)
    at = opened(lending, "roulette")
    bodies: list[dict[str, Any]] = [
        {"do": "sit", "seat": "1", "buy_in": 600}, {"do": "leave", "seat": "1"},
        {"do": "sit", "seat": "1", "buy_in": 600}, {"do": "sit", "seat": "1", "buy_in": 400},
    ]  # fmt: skip
    answers = at_once(lending, [(at, body) for body in bodies])
    assert [isinstance(each, Refusal) for each in answers] == [False, False, True, False]
    assert lending.cage.statement(ANN.account)["bought_today"] == 1000


def test_whoever_stays_away_buys_in_no_more_and_is_paid_what_they_have(funded: Pit) -> None:
    pays_in(funded, ANN, 10_000)
    at = opened(funded, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=4000)
    week = times.written(times.read(funded.clock.now()) + timedelta(days=7))
    funded.cage.exclude(ANN, week)
    refusal = at.refused(ANN, "buy_in", seat="1", amount=100)
    assert refusal.fault is Fault.FORBIDDEN
    assert refusal.message == f"you have excluded yourself until {week}"
    at.do(ANN, "leave", seat="1")
    assert at.refused(ANN, "sit", seat="1", buy_in=100).fault is Fault.FORBIDDEN
    assert pays_in(funded, ANN, -10_000) == 0
    passes(funded, 7 * A_DAY)
    pays_in(funded, ANN, 500)
    at.do(ANN, "sit", seat="1", buy_in=500)
    adds_up(funded)


def test_an_exclusion_is_made_longer_and_never_shorter(lending: Pit) -> None:
    at = opened(lending, "roulette")
    soon, later = (
        times.written(times.read(lending.clock.now()) + timedelta(days=days)) for days in (1, 9)
    )
    assert lending.cage.exclude(ANN, later)["until"] == later
    assert lending.cage.exclude(ANN, soon)["until"] == later
    assert lending.cage.exclude(ANN, None)["until"] == FOREVER
    assert lending.cage.exclude(ANN, soon)["until"] == FOREVER
    refusal = at.refused(ANN, "sit", seat="1", buy_in=100)
    assert refusal.message == "you have excluded yourself for good"


def test_limits_and_exclusions_outlive_the_server(lending: Pit, storage_url: str) -> None:
    lending.cage.limit(ANN, 1000)
    lending.cage.exclude(BOB, None)
    storage = Storage(storage_url)
    register = HouseLog(storage, lending.clock)
    register.refresh()
    known, now = register.register, lending.clock.now()
    assert known.daily_buy_in(known.accounts[ANN.account], now) == 1000
    assert known.is_excluded(known.accounts[BOB.account], now)
    storage.close()


def test_nothing_of_the_cage_is_written_when_a_command_is_refused(funded: Pit) -> None:
    at = opened(funded, "roulette")
    with funded.storage.read() as conn:
        count = select(func.count()).where(schema.events.c.stream == HOUSE)
        before = conn.scalar(count)
        at.refused(ANN, "sit", seat="1", buy_in=500)
    with funded.storage.read() as conn:
        assert conn.scalar(count) == before


def test_while_the_houses_log_is_damaged_the_cage_gives_no_money(funded: Pit) -> None:
    """An event that cannot be read may have been a buy-in: its money would be there twice."""
    pays_in(funded, ANN, 10_000)
    at = opened(funded, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=4000)
    funded.house.register.damaged.append(1)  # as an event that cannot be read is noted
    refusal = funded.cage.refusal(ANN.account, 100, funded.clock.now(), ())
    assert refusal is not None
    assert "the house's log is damaged" in refusal.message
    with pytest.raises(Refusal, match="the cage pays nobody out"):
        funded.cage.fund(ANN.account, -100, by=HOUSE, why="cash", request="out")
    paid = funded.cage.fund(
        ANN.account, -100, by=HOUSE, why="by the tables' logs", request="sure", although=True
    )
    assert paid == 5900
