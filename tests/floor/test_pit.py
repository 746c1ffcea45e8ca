"""The pit survives what can go wrong: clients, clocks, disks, databases and chance."""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, event, func, insert, select, update
from sqlalchemy.exc import OperationalError

from croupier.floor import commands, live, log, pit, pit_boss, schema, snapshots
from croupier.floor.commands import CLOCK, THE_HOUSE, Command, Unavailable, opening
from croupier.floor.events import HOUSE, canonical
from croupier.floor.live import Terms
from croupier.floor.pit import Pit
from croupier.floor.policies import Policies
from croupier.floor.roles import Denial, NotAllowed, Person, Role
from croupier.floor.seal import Seal
from croupier.floor.software import software
from croupier.floor.storage import Storage, StorageLost
from croupier.rulebook import Fault, Game, Refusal, Unlawful
from croupier.simulation.streams import SeededStream
from tests.floor.postgres import Postgres
from tests.floor.support import (
    ANN,
    BOB,
    CAT,
    DEALER,
    FLOORPERSON,
    PATRONS,
    SUPERVISOR,
    SURVEILLANCE,
    At,
    Broken,
    FakeClock,
    a_pit,
    admit,
    any_wager,
    every_family,
    every_game,
    finish,
    go_on,
    notes,
    opened,
    patron,
    proved,
    seat_all,
    standing,
    told,
)


def new_pit(storage: Storage, **how: Any) -> Pit:
    """A pit without a thread: what it is asked, it does at once."""
    given: dict[str, Any] = {"clock": FakeClock(), "chance": SeededStream(1), **how}
    started = a_pit(storage, **given)
    started.take_over()
    return started


@contextmanager
def again(url: str, **how: Any) -> Iterator[Pit]:
    """The server starts again on the same database."""
    storage = Storage(url)
    try:
        yield new_pit(storage, **how)
    finally:
        storage.close()


def at_war(pit: Pit) -> At:
    """Ann sits at a table where a round is a few cards."""
    at = opened(pit, "casino-war")
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    return at


def deciding(pit: Pit) -> At:
    """Ann and Bob have wagered; somebody is asked what to do with his cards."""
    at = opened(pit, "three-card-poker")
    seat_all(at, (ANN, BOB), 100_000)
    for who, seat in ((ANN, "1"), (BOB, "2")):
        at.do(who, "bet", seat=seat, wagers={"ante": 1000})
    for who, seat in ((ANN, "1"), (BOB, "2")):
        at.do(who, "ready", seat=seat)
    assert at.live.phase == "deciding"
    return at


def asked(at: At) -> tuple[Person, str]:
    seat = at.live.view("")["asked"]["seat"]
    return next(who for who in PATRONS if who.account == at.live.chairs[seat].account), seat


# All games.


@every_game
def test_every_game_is_played_stopped_and_played_on(
    storage_url: str, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.live_table, "MANY", 5)
    choose = Random(game.id)
    first = Storage(storage_url)
    house = new_pit(first, policies=Policies(snapshot_events=15))
    at = opened(house, game.id)
    seat_all(at)
    for _ in range(15):
        go_on(at, PATRONS, choose)
    before = standing(at.live)
    first.close()  # without a word: nothing is put in order
    with again(storage_url) as house:
        at = At(house, at.stream)
        assert standing(at.live) == before
        for _ in range(6):
            go_on(at, PATRONS, choose)
        house.stop()
        (proof,) = proved(house.storage).values()
        assert proof.number == len(at.events())


@pytest.mark.parametrize("threads", [8])
def test_many_clients_at_many_tables_all_count(storage: Storage, threads: int) -> None:
    house = a_pit(storage, chance=SeededStream(3), policies=Policies(snapshot_events=50))
    house.start()
    tables = [opened(house, game) for game in ("roulette", "casino-war", "craps", "keno")]

    def play(number: int) -> int:
        who, choose = patron(f"P{number}"), Random(number)
        admit(house.house, who)
        at, done = tables[number % len(tables)], 0
        seat = str(1 + number // len(tables))
        at.do(who, "sit", seat=seat, buy_in=100_000)
        for _ in range(12):
            with_refusals = choose.random()
            try:
                if with_refusals < 0.5:
                    label = {0: "straight:17", 1: "initial", 2: "pass", 3: "straight:7"}
                    wagers = {label[number % 4]: 1000}
                    at.do(who, "bet", seat=seat, wagers=wagers)
                elif with_refusals < 0.8:
                    at.do(who, "ready", seat=seat)
                else:
                    at.do(who, "move", seat=seat, move="no such move")
                done += 1
            except Refusal:
                continue
        return done

    with ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(play, range(threads)))
    house.stop()
    with storage.read() as conn:
        answered = conn.scalar(select(func.count()).select_from(schema.requests)) or 0
    assert answered == done + threads + len(tables)
    assert len(proved(storage)) == len(tables)
    assert notes(storage)[-1][0] == "stopped"


def test_nobody_is_told_before_it_is_on_disk(storage: Storage) -> None:
    told: list[str] = []

    def publish(stream: str, rows: Any) -> None:
        with storage.read() as conn:
            assert [*log.read(conn, stream, after=rows[0].number - 1)] == rows
        told.extend(row.kind for row in rows)

    house = new_pit(storage, publish=publish)
    at = at_war(house)
    assert told == at.kinds()
    with failing(storage, no_room(storage.dialect), after=3), pytest.raises(Unavailable):
        at.do(ANN, "buy_in", seat="1", amount=700)
    assert told == at.kinds()


def test_those_who_wait_share_a_transaction(storage: Storage) -> None:
    house = new_pit(storage)
    at = opened(house, "roulette")
    before = house.counts["transactions"]
    answers: list[Any] = []
    house._perform([
        (Command(at.stream, who, "sit", {"do": "sit", "seat": str(seat)}), answers.append)
        for seat, who in enumerate(PATRONS, start=1)
    ])  # fmt: skip
    assert len(answers) == 3
    assert house.counts["transactions"] == before + 1
    assert sorted(at.live.chairs) == ["1", "2", "3"]
    proved(storage)


# 2, 4, 5: a command that is sent again.


def test_a_retry_after_a_lost_reply_gets_the_same_reply_and_does_nothing(
    storage_url: str,
) -> None:
    first = Storage(storage_url)
    at = at_war(new_pit(first))
    reply = at.do(ANN, "bet", "my-bet", seat="1", wagers={"initial": 1000})
    first.close()
    with again(storage_url) as house:
        at = At(house, at.stream)
        number = at.live.number
        assert at.do(ANN, "bet", "my-bet", seat="1", wagers={"initial": 1000}) == reply
        assert at.live.number == number
        proved(house.storage)


def test_fifty_copies_of_a_command_at_once_have_one_effect_and_fifty_equal_replies(
    storage: Storage,
) -> None:
    house = a_pit(storage)
    house.start()
    at = at_war(house)
    gate = threading.Barrier(50)

    def send(_: int) -> Any:
        gate.wait()
        return at.do(ANN, "buy_in", "the-same", seat="1", amount=700)

    with ThreadPoolExecutor(50) as pool:
        replies = [*pool.map(send, range(50))]
    assert all(reply == replies[0] for reply in replies)
    assert at.live.table.money["1"] == 100_700
    assert at.kinds().count("buy_in") == 2
    house.stop()
    proved(storage)


def test_copies_in_one_transaction_have_one_effect(storage: Storage) -> None:
    house = new_pit(storage)
    at = at_war(house)
    command = Command(at.stream, ANN, "same", {"do": "buy_in", "seat": "1", "amount": 700})
    other = Command(at.stream, ANN, "same", {"do": "buy_in", "seat": "1", "amount": 800})
    answers: list[Any] = []
    house._perform([(command, answers.append)] * 3 + [(other, answers.append)])
    assert answers[0] == answers[1] == answers[2]
    assert answers[3].fault is Fault.CONFLICT
    assert at.live.table.money["1"] == 100_700
    proved(storage)


def test_a_request_id_is_not_used_for_another_command(storage: Storage) -> None:
    house = new_pit(storage)
    at, other = at_war(house), at_war(house)
    at.do(ANN, "buy_in", "once", seat="1", amount=700)
    assert at.refused(ANN, "buy_in", "once", seat="1", amount=701).fault is Fault.CONFLICT
    assert other.refused(ANN, "buy_in", "once", seat="1", amount=700).fault is Fault.CONFLICT
    conflicts = [(actor, data) for kind, actor, data in notes(storage) if kind == "conflict"]
    assert conflicts == [(ANN.account, {"request": "once"})] * 2
    other.do(BOB, "sit", "once", seat="2")  # another's id is his own
    proved(storage)


def test_what_was_refused_may_be_tried_again_under_the_same_id(storage: Storage) -> None:
    at = at_war(new_pit(storage))
    at.refused(ANN, "bet", "bet", seat="1", wagers={"initial": 100_500})
    at.do(ANN, "buy_in", seat="1", amount=1000)
    at.do(ANN, "bet", "bet", seat="1", wagers={"initial": 100_500})
    proved(at.pit.storage)


def test_two_who_open_a_table_of_the_same_id_do_not_share_it(storage: Storage) -> None:
    house = new_pit(storage)
    answers: list[Any] = []
    commands = [
        Command("the-same-id", by, "open", opening(game, "Mine"))
        for by, game in ((FLOORPERSON, "roulette"), (SUPERVISOR, "craps"))
    ]
    house._perform([(each, answers.append) for each in commands])
    assert json.loads(answers[0])["table"] == "the-same-id"
    assert answers[1].fault is Fault.CONFLICT
    assert proved(storage)["the-same-id"].table.game.id == "roulette"


def test_one_command_that_cannot_be_done_does_not_hurt_the_others(
    storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    house = new_pit(storage)
    at = at_war(house)
    bad: dict[str, Any] = {"do": "buy_in", "seat": "1"}  # nothing that the server would let through
    good: dict[str, Any] = {"do": "buy_in", "seat": "1", "amount": 500}
    answers: list[Any] = []
    with caplog.at_level(logging.CRITICAL):
        house._perform([
            (Command(at.stream, ANN, f"r{n}", body), answers.append)
            for n, body in enumerate([good, bad, good])
        ])  # fmt: skip
    assert [isinstance(each, Exception) for each in answers] == [False, True, False]
    assert at.live.table.money["1"] == 101_000
    proved(storage)


# 6, 7: too late, or not his turn.


def test_a_stale_command_is_refused_and_told_where_the_table_is(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    who, seat = asked(at)
    number = at.live.view(who.account)["asked"]["number"]
    stale = at.refused(who, "move", seat=seat, move="fold", round=2)
    assert (stale.fault, "round 1" in stale.message) == (Fault.STALE, True)
    stale = at.refused(who, "move", seat=seat, move="fold", asked=number - 1)
    assert stale.fault is Fault.STALE
    at.do(who, "move", seat=seat, move="fold", round=1, asked=number)


def test_out_of_turn_and_out_of_phase_is_refused_with_the_rule(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    who, _ = asked(at)
    other, seat = (BOB, "2") if who is ANN else (ANN, "1")
    attempts: dict[str, dict[str, Any]] = {
        "move": {"move": "fold"}, "ready": {}, "bet": {"wagers": {"ante": 2000}},
    }  # fmt: skip
    for what, said in attempts.items():
        assert at.refused(other, what, seat=seat, **said).cite, what


def test_a_millisecond_after_no_more_bets_is_too_late(storage: Storage) -> None:
    clock = FakeClock()
    house = new_pit(storage, clock=clock)
    at = opened(house, "three-card-poker", terms=Terms(bet_seconds=20))
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"ante": 1000})
    clock.passes(19.999)
    house.tick()
    at.do(ANN, "bet", seat="1", wagers={"ante": 2000})
    clock.passes(0.002)
    house.tick()
    refusal = at.refused(ANN, "bet", seat="1", wagers={"ante": 3000})
    assert (refusal.fault, bool(refusal.cite)) == (Fault.NO_MORE_BETS, True)


# 9, 10, 11: clients that vanish, come twice, or are not who they say.


@every_family
def test_a_round_finishes_though_no_client_ever_answers(storage: Storage, family: str) -> None:
    clock, choose = FakeClock(), Random(2)
    house = new_pit(storage, clock=clock)
    at = opened(house, family)
    seat_all(at)
    for seat, who in (("1", ANN), ("2", BOB)):
        if wager := any_wager(at.live, seat, choose):
            at.do(who, "bet", seat=seat, wagers=wager)
    for _ in range(200):
        clock.passes(31)
        house.tick()
        if at.live.round > 1 and at.live.play is None:
            break
    assert at.live.round > 1
    proved(storage)


def test_after_a_time_out_a_refusal_still_leaves_the_table_as_it_was(storage: Storage) -> None:
    clock = FakeClock()
    pit = new_pit(storage, clock=clock)
    at = opened(pit, "three-card-poker")
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"ante": 1000})
    at.do(ANN, "ready", seat="1")
    clock.passes(31)
    pit.tick()
    before = at.live.view(ANN.account)
    assert before["phase"] == "betting"

    with pytest.raises(Refusal) as refused:
        at.do(ANN, "bet", seat="1", wagers={"ante": 1000, "pair_plus": 7})

    assert refused.value.fault is Fault.BELOW_MINIMUM
    assert at.live.view(ANN.account) == before
    assert proved(storage)


def test_a_seat_is_played_from_one_session_and_the_other_is_told(storage: Storage) -> None:
    at = at_war(new_pit(storage))
    tab = patron("Ann", session="second")
    admit(at.pit.house, tab)
    refusal = at.refused(tab, "bet", seat="1", wagers={"initial": 1000})
    assert refusal.fault is Fault.NOT_CONTROLLING
    at.do(tab, "take_control", seat="1")
    at.do(tab, "bet", seat="1", wagers={"initial": 1000})
    refusal = at.refused(ANN, "ready", seat="1")
    assert refusal.fault is Fault.NOT_CONTROLLING
    (event,) = [each for each in at.events() if each.kind == "control"]
    assert event.actor == ANN.account


def test_another_mans_seat_and_an_empty_one_are_refused_alike(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    stranger = patron("Eve")
    admit(at.pit.house, stranger)
    attempts: dict[str, dict[str, Any]] = {
        "move": {"move": "fold"}, "leave": {}, "buy_in": {"amount": 100}, "take_control": {},
        "bet": {"wagers": {"ante": 1000}}, "ready": {},
    }  # fmt: skip
    for what, said in attempts.items():
        heard = {str(at.refused(stranger, what, seat=seat, **said)) for seat in ("1", "5", "77")}
        assert len(heard) == 1, what


def test_a_table_that_is_not_for_a_guest_is_as_if_it_were_not_there(storage: Storage) -> None:
    house = new_pit(storage)
    mine, other = at_war(house), at_war(house)
    guest = Person("account-of-Gus", "Gus", Role.PATRON, "s", guest_of=mine.stream)
    admit(house.house, guest)
    mine.do(guest, "sit", seat="2", buy_in=1000)
    for stream in (other.stream, "0123456789ab"):
        with pytest.raises(Refusal) as caught:
            house.do(stream, guest, {"do": "sit", "seat": "2"})
        assert str(caught.value) == f"there is no table {stream!r}"
        assert caught.value.fault is Fault.UNKNOWN_TABLE


# 17: wagers that may not be.


@pytest.mark.parametrize(
    ("wagers", "fault"),
    [
        ({"straight:17": 0}, Fault.NOT_NOW),
        ({"straight:17": -500}, Fault.BAD_AMOUNT),
        ({"straight:17": 500}, Fault.BELOW_MINIMUM),
        ({"straight:17": 200_500}, Fault.ABOVE_MAXIMUM),
        ({"straight:17": 10**30}, Fault.ABOVE_MAXIMUM),
        ({"straight:17": 1001}, Fault.NOT_PAYABLE),
        ({"straight:17": 50_000, "straight:18": 50_500}, Fault.NO_FUNDS),
        ({"straight:17": 500.0}, Fault.BAD_AMOUNT),
        ({"straight:17": True}, Fault.BAD_AMOUNT),
        ({"straight:17": "500"}, Fault.BAD_AMOUNT),
        ({"straight:38": 500}, Fault.UNKNOWN_SPOT),
        ({"jackpot": 500}, Fault.UNKNOWN_WAGER),
        ({"straight:17": 1000, "straight:18": 1}, Fault.NOT_PAYABLE),
    ],
)
def test_a_wager_that_may_not_be_is_refused_whole_with_its_rule(
    storage: Storage, wagers: dict[str, Any], fault: Fault
) -> None:
    options = {"table_min": 1000, "table_max": 200_000, "increment": 500}
    at = opened(new_pit(storage), "roulette", options=options)
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    refusal = at.refused(ANN, "bet", seat="1", wagers=wagers)
    assert (refusal.fault, bool(refusal.cite)) == (fault, True)
    assert not at.live.table.bets


def test_a_wager_that_could_win_more_than_the_house_pays_is_refused(storage: Storage) -> None:
    """Where a round may pay no more than a limit, what cannot be paid is not taken."""
    at = opened(new_pit(storage), "keno")
    at.do(ANN, "sit", seat="1", buy_in=10_000_000)
    for each in at.live.openings("1"):
        wagers = {each["wager"]: each["high"] + each["step"]}
        assert at.refused(ANN, "bet", seat="1", wagers=wagers).cite


# 19: the disk.


STATEMENTS = {"sqlite": 13, "postgresql": 10}  # that one buy-in takes
EVERY = range(max(STATEMENTS.values()) + 1)


@contextmanager
def failing(storage: Storage, error: Callable[[], BaseException], after: int = 0) -> Iterator[None]:
    """Every statement of the writer fails, after so many."""
    left = after

    def fail(*_: Any) -> None:
        nonlocal left
        if left == 0:
            raise error()
        left -= 1

    engine = storage._database.writer
    event.listen(engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", fail)


def driver_error(dialect: str, sqlite_name: str, postgres: type[psycopg.Error]) -> OperationalError:
    if dialect == "sqlite":
        raw: Exception = sqlite3.OperationalError(sqlite_name.lower())
        raw.sqlite_errorname = sqlite_name  # type: ignore[attr-defined]
    else:
        raw = postgres("injected")
    return OperationalError("INSERT", {}, raw)


def no_room(dialect: str) -> Callable[[], BaseException]:
    return lambda: driver_error(dialect, "SQLITE_FULL", psycopg.errors.DiskFull)


def bad_disk(dialect: str) -> Callable[[], BaseException]:
    return lambda: driver_error(dialect, "SQLITE_IOERR_FSYNC", psycopg.errors.IoError)


def lost_race(dialect: str) -> Callable[[], BaseException]:
    return lambda: driver_error(dialect, "SQLITE_BUSY", psycopg.errors.DeadlockDetected)


@pytest.mark.parametrize("statement", EVERY)
def test_on_a_full_disk_no_wager_is_taken_and_everything_can_be_read(
    storage: Storage, statement: int
) -> None:
    house = new_pit(storage)
    at = deciding(house)
    who, seat = asked(at)
    before = standing(at.live)
    with failing(storage, no_room(storage.dialect), after=statement):
        with pytest.raises(Unavailable, match="full"):
            for _ in range(10):  # one command may take fewer statements than that
                at.do(who, "buy_in", "buy", seat=seat, amount=500)
                statement, _ = 0, at.do(who, "buy_in", "again", seat=seat, amount=500)
        assert house.full
        assert at.live.view(who.account)["phase"] == "deciding"
    after = standing(at.live)
    if after != before:  # the first of the two had room
        assert after["accounts"][seat] == before["accounts"][seat] + 500
    at.do(who, "buy_in", "buy", seat=seat, amount=500)
    at.do(who, "buy_in", "again", seat=seat, amount=500)
    assert not house.full
    assert at.live.table.money[seat] == 100_000 - 1000 + 1000
    proved(storage)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_when_the_file_may_not_grow_it_is_full_and_goes_on_when_it_may(storage: Storage) -> None:
    house = new_pit(storage)
    at = at_war(house)

    def most(pages: int) -> None:
        with storage.write() as conn:
            conn.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    most(1)  # as few as there are
    done = 0
    with pytest.raises(Unavailable, match="full"):
        for done in range(1000):
            at.do(ANN, "buy_in", f"buy-{done}", seat="1", amount=100)
    assert at.live.table.money["1"] == 100_000 + 100 * done
    house.tick()
    assert At(house, at.stream).live.number == len(at.events())
    most(1 << 30)
    at.do(ANN, "buy_in", f"buy-{done}", seat="1", amount=100)
    assert at.live.table.money["1"] == 100_000 + 100 * (done + 1)
    proved(storage)


@pytest.mark.parametrize("statement", EVERY[:-1])
def test_after_a_failed_write_nothing_is_acknowledged_any_more(
    storage_url: str, statement: int
) -> None:
    storage = Storage(storage_url)
    house = new_pit(storage)
    at = deciding(house)
    who, seat = asked(at)
    before, last = standing(at.live), STATEMENTS[storage.dialect] - 1
    bad = failing(storage, bad_disk(storage.dialect), after=min(statement, last))
    with bad, pytest.raises(Unavailable, match=r"is not known until .* with the same key"):
        at.do(who, "buy_in", "buy", seat=seat, amount=500)
    with pytest.raises(Unavailable):  # though the disk would work again
        at.do(who, "buy_in", "buy", seat=seat, amount=500)
    assert house.failed
    house.tick()
    house.stop()
    storage.close()
    with again(storage_url) as house:
        at = At(house, at.stream)
        assert standing(at.live) == before
        at.do(who, "buy_in", "buy", seat=seat, amount=500)
        proved(house.storage)


def test_a_thread_that_meets_a_broken_disk_answers_everyone(storage: Storage) -> None:
    clock = FakeClock()
    house = a_pit(storage, clock=clock)
    house.start()
    at = at_war(house)
    with failing(storage, bad_disk(storage.dialect)):
        clock.jumps(3600)
        clock.passes(5)
        time.sleep(1.2)  # the pit looks at the clock, and cannot write that it jumped
        for _ in range(2):
            with pytest.raises(Unavailable):
                answered(lambda: at.do(ANN, "buy_in", seat="1", amount=500))
    house.stop()


def answered(ask: Callable[[], Any]) -> Any:
    """The answer, which must come soon."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result(timeout=5)


# 25: the clock.


@pytest.mark.parametrize("jump", [3600, -3600, 26 * 3600, 1])
def test_a_clock_that_jumps_changes_no_order_and_no_time_limit(
    storage: Storage, jump: float
) -> None:
    clock = FakeClock()
    house = new_pit(storage, clock=clock)
    at = opened(house, "three-card-poker", terms=Terms(bet_seconds=20, move_seconds=30))
    seat_all(at, (ANN, BOB), 100_000)
    at.do(FLOORPERSON, "post_notice", options={"table_min": 700})
    at.do(ANN, "bet", seat="1", wagers={"ante": 1000})
    clock.passes(10)
    house.tick()
    clock.jumps(jump)
    house.tick()
    clock.passes(1)
    house.tick()
    assert at.live.phase == "betting"
    assert house.seconds_left(at.stream) == pytest.approx(9)
    at.do(BOB, "bet", seat="2", wagers={"ante": 1000})
    clock.passes(9)
    house.tick()
    assert at.live.phase == "deciding"
    for _ in range(2):
        clock.passes(30)
        house.tick()
    assert at.live.round == 2
    assert not told(at.events(), "options_changed"), "half an hour has not passed"
    noted = [data["seconds"] for kind, _, data in notes(storage) if kind == "clock_changed"]
    assert noted == ([jump] if abs(jump) > 2 else [])
    proved(storage)


# 26: options that may not be.


@pytest.mark.parametrize(
    "options",
    [
        {"table_min": 0}, {"table_min": 5000, "table_max": 1000}, {"no_such_option": 1},
        {"ante_bonus": "ZZ"}, {"table_min": "ten", "table_max": []},
    ],
)  # fmt: skip
def test_an_unlawful_table_is_not_opened_and_every_reason_is_cited(
    storage: Storage, options: dict[str, Any]
) -> None:
    house = new_pit(storage)
    with pytest.raises(Unlawful) as caught:
        opened(house, "three-card-poker", options=options)
    assert all(violation.cite for violation in caught.value.violations)
    assert not proved(storage)
    with storage.read() as conn:
        assert not conn.scalar(select(func.count()).where(schema.events.c.stream != HOUSE))


# 27: other software.


@every_family
def test_a_log_of_older_software_is_played_on_and_that_is_written_down(
    storage_url: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Random(1)
    with monkeypatch.context() as older:
        for module in (commands, pit_boss, snapshots):
            older.setattr(module, "software", lambda: "an-older-digest")
        storage = Storage(storage_url)
        house = new_pit(storage)
        at = opened(house, family)
        seat_all(at)
        for _ in range(30):
            go_on(at, PATRONS, choose)
        before = standing(at.live)
        storage.close()
    with again(storage_url) as house:
        at = At(house, at.stream)
        assert standing(at.live) == before
        number, in_a_round = at.live.number, at.live.play is not None
        with pytest.raises(Refusal):
            at.do(ANN, "buy_in", seat="1", amount=-1)
        finish(at, PATRONS, choose)
        finish(at, PATRONS, choose)
        changes = [event for event in at.events() if event.kind == "software"]
        (change,) = changes
        assert change.number > number
        assert json.loads(change.data) == {"software": software()}
        assert change.actor == "house"
        if in_a_round:  # which keeps the rules that it was begun with
            over = next(e for e in at.events() if e.kind == "round_over" and e.number > number)
            assert over.number < change.number
            assert over.rules == before["rules"]
        proved(house.storage)


def test_a_snapshot_is_only_a_convenience(
    storage_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.live_table, "MANY", 5)
    storage = Storage(storage_url)
    house = new_pit(storage, policies=Policies(snapshot_events=10))
    at, choose = opened(house, "minibaccarat"), Random(4)
    seat_all(at)
    for _ in range(40):
        go_on(at, PATRONS, choose)
    before = standing(at.live)
    storage.close()
    for spoil in (
        update(schema.snapshots).values(state="{}"),
        update(schema.snapshots).values(state="not JSON"),
        delete(schema.snapshots),
    ):
        storage = Storage(storage_url)
        with storage.write() as conn:
            assert conn.scalar(select(func.count()).select_from(schema.snapshots))
            conn.execute(spoil)
        house = new_pit(storage, policies=Policies(snapshot_events=10))
        assert standing(At(house, at.stream).live) == before
        go_on(At(house, at.stream), PATRONS, choose)
        before = standing(At(house, at.stream).live)
        house.stop()
        storage.close()


SPOILT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the money": lambda row: {"state": row["state"].replace("1000000", "9000000")},
    "the number": lambda row: {"number": row["number"] - 1},
    "the head": lambda row: {"head": "0" * 64},
    "the software": lambda row: {"software": "of somebody else"},
    "the seal": lambda row: {"seal": "0" * 64},
    "the seal of another": lambda row: {
        "seal": Seal(b"mine").of("snapshot", *[*row.values()][:-1])
    },
}  # fmt: skip


@pytest.mark.parametrize("what", SPOILT)
def test_a_snapshot_that_somebody_changed_is_not_believed_and_changes_nothing(
    storage_url: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.live_table, "MANY", 5)
    storage = Storage(storage_url)
    house = new_pit(storage, policies=Policies(snapshot_events=10))
    at, choose = opened(house, "minibaccarat"), Random(4)
    seat_all(at)
    for _ in range(30):
        go_on(at, PATRONS, choose)
    before = standing(at.live)
    with storage.write() as conn:
        (row,) = conn.execute(select(schema.snapshots)).mappings()
        spoilt = SPOILT[what](dict(row))
        assert spoilt.items() - dict(row).items()
        conn.execute(update(schema.snapshots).values(spoilt))
    storage.close()
    with again(storage_url) as house:
        assert house.broken == {}
        assert standing(At(house, at.stream).live) == before
        finish(At(house, at.stream), PATRONS, choose)
        proved(house.storage)


def test_an_answer_that_somebody_changed_is_not_given_out_and_nothing_is_done_twice(
    storage: Storage,
) -> None:
    house = new_pit(storage)
    at = at_war(house)
    reply = at.do(ANN, "buy_in", "buy", seat="1", amount=500)
    assert at.do(ANN, "buy_in", "buy", seat="1", amount=500) == reply
    requests = schema.requests.c
    mine = (requests.actor == ANN.account) & (requests.request == "buy")
    with storage.read() as conn:
        kept = dict(conn.execute(select(schema.requests).where(mine)).mappings().one())
    richer = canonical({**reply, "stacks": {"1": 10**9}})
    for changed in (
        {"reply": richer}, {"number": kept["number"] + 1}, {"stream": "elsewhere"},
        {"at": "2020-01-01T00:00:00.000Z"}, {"seal": None}, {"seal": "0" * 64},
        {"reply": richer, "seal": Seal(b"mine").of("request", richer)},
    ):  # fmt: skip
        with storage.write() as conn:
            conn.execute(update(schema.requests).where(mine).values({**kept, **changed}))
        with pytest.raises(Unavailable, match="its answer was changed in the database"):
            at.do(ANN, "buy_in", "buy", seat="1", amount=500)
        assert at.live.table.money["1"] == 100_500
    with storage.write() as conn:
        conn.execute(update(schema.requests).where(mine).values(kept))
    assert at.do(ANN, "buy_in", "buy", seat="1", amount=500) == reply
    proved(storage)


def test_an_event_that_nobody_of_the_house_sealed_closes_its_table_and_no_other(
    storage_url: str,
) -> None:
    """A buy-in that is right in every way, but was written by somebody with the database."""
    storage = Storage(storage_url)
    house = new_pit(storage)
    bad, good = at_war(house), at_war(house)
    forged = bad.live.rebuilt().step(
        {"do": "buy_in", "seat": "1", "amount": 500, "session": ANN.session, "house": 1},
        ANN.account, house.clock.now(), "forged", SeededStream(1),
    )  # fmt: skip
    with storage.write() as conn:
        conn.execute(insert(schema.events), [each._asdict() for each in forged])
        for account, cents in (("1", 500), ("cage", -500)):
            held = schema.balances.c
            mine = (held.stream == bad.stream) & (held.account == account)
            conn.execute(update(schema.balances).where(mine).values(cents=held.cents + cents))
    storage.close()
    with again(storage_url) as house:
        assert house.broken.keys() == {bad.stream}
        assert "nobody of the house sealed it" in house.broken[bad.stream]
        with pytest.raises(Unavailable, match="log is bad"):
            At(house, bad.stream).do(ANN, "leave", seat="1")
        At(house, good.stream).do(ANN, "buy_in", seat="1", amount=100)
        (broken,) = [said for kind, _, said in notes(house.storage) if kind == "log_broken"]
        assert (broken["table"], broken["event"]) == (bad.stream, forged[0].number)


def test_events_that_somebody_took_out_close_their_table_and_no_other(storage_url: str) -> None:
    storage = Storage(storage_url)
    house = new_pit(storage)
    bad, good = at_war(house), at_war(house)
    held = bad.live.accounts()
    bad.do(ANN, "buy_in", seat="1", amount=500)
    with storage.write() as conn:
        events, balances = schema.events.c, schema.balances.c
        last = (events.stream == bad.stream) & (events.number == bad.live.number)
        conn.execute(delete(schema.events).where(last))
        for account, cents in held.items():
            mine = (balances.stream == bad.stream) & (balances.account == account)
            conn.execute(update(schema.balances).where(mine).values(cents=cents))
    storage.close()
    with again(storage_url) as house:
        assert house.broken.keys() == {bad.stream}
        assert "it is missing" in house.broken[bad.stream]
        At(house, good.stream).do(ANN, "buy_in", seat="1", amount=100)


LAID: dict[str, dict[str, int]] = {
    "roulette": {"straight:17": 500, "red": 700, "black": 900, "straight:00": 600, "odd": 500},
    "craps": {"pass": 500, "place_win_6": 600, "dont_pass": 500, "place_win_10": 500},
    "sic-bo": {"small": 500, "big": 600, "any_three_of_a_kind": 500, "two_of_a_kind_2": 500},
    "keno": {"straight_2:1-2": 100, "straight_1:9": 200, "straight_10:1-2-3-4-5-6-7-8-9-10": 100},
    "baccarat-punto-banco": {"player": 1000, "tie": 2000, "banker": 3000},
    "minibaccarat": {"tie": 1000, "player": 3000, "banker": 2000},
}


@pytest.mark.parametrize("game", LAID)
def test_whatever_order_the_keys_of_a_command_come_in_it_is_the_same_and_is_played_again(
    storage_url: str, game: str
) -> None:
    storage = Storage(storage_url)
    house = new_pit(storage)
    done: set[str] = set()

    @settings(max_examples=6)
    @given(st.permutations([*LAID[game]]), st.permutations(["do", "seat", "wagers"]))
    def laid(labels: list[str], words: list[str]) -> None:
        house.chance = SeededStream(1)
        at = opened(house, game)
        at.do(ANN, "sit", seat="1", buy_in=1_000_000)
        said = {"do": "bet", "seat": "1", "wagers": {each: LAID[game][each] for each in labels}}
        house.do(at.stream, ANN, {word: said[word] for word in words})
        at.do(ANN, "ready", seat="1")
        told = [(event.kind, event.data, event.citation, event.money) for event in at.events()]
        done.add(canonical(told))

    laid()
    assert len(done) == 1
    proved(storage)
    storage.close()
    with again(storage_url) as restarted:
        assert restarted.broken == {}
        assert restarted.tables.keys() == house.tables.keys()


@pytest.mark.parametrize("column", ["data", "hash", "input", "money", "actor"])
def test_a_table_whose_log_was_changed_stays_closed_and_the_others_open(
    storage_url: str, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    storage = Storage(storage_url)
    house = new_pit(storage)
    bad, good = at_war(house), at_war(house)
    storage.close()
    storage = Storage(storage_url)
    with storage.write() as conn:
        events = schema.events.c
        where = (events.stream == bad.stream, events.number == 2)
        conn.execute(update(schema.events).where(*where).values({column: '{"seat":"2"}'}))
    with caplog.at_level(logging.CRITICAL + 1):
        house = new_pit(storage)
        house.tick()
    with pytest.raises(Unavailable, match="log is bad"):
        house.do(bad.stream, ANN, {"do": "buy_in", "seat": "1", "amount": 100})
    At(house, good.stream).do(ANN, "buy_in", seat="1", amount=100)
    broken = [data for kind, _, data in notes(storage) if kind == "log_broken"]
    assert [each["table"] for each in broken] == [bad.stream]
    assert broken[0]["event"] == 2
    storage.close()


# 28: no random numbers.


@every_family
@pytest.mark.parametrize("numbers", [0, 1, 4])
def test_without_random_numbers_the_table_is_frozen_and_nothing_is_lost(
    storage: Storage, family: str, numbers: int
) -> None:
    chance = Broken(SeededStream(1))
    house = new_pit(storage, chance=chance)
    at, choose = opened(house, family), Random(3)
    seat_all(at)
    chance.good_for = numbers
    before = standing(at.live)
    for _ in range(300):
        before = standing(at.live)
        try:
            go_on(at, PATRONS, choose)
        except Unavailable as why:  # the command was not done, and may be sent again
            assert "random numbers" in str(why)
            break
    assert at.live.status == "frozen"
    frozen = at.events()[-1]
    assert (frozen.kind, frozen.actor, bool(frozen.citation)) == ("frozen", "house", True)
    after = standing(at.live)
    for key in ("number", "head", "status", "thaws_to", "waits"):
        before.pop(key), after.pop(key)
    assert after == before
    assert at.refused(ANN, "ready", seat="1").fault is Fault.TABLE_FROZEN
    chance.good_for = None
    at.do(SUPERVISOR, "thaw", why="there are random numbers again")
    finish(at, PATRONS, choose)
    proved(storage)


def test_when_the_clock_finds_no_random_numbers_the_table_is_frozen_too(storage: Storage) -> None:
    clock, chance = FakeClock(), Broken(SeededStream(1))
    house = new_pit(storage, clock=clock, chance=chance)
    at = opened(house, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 1000})
    chance.good_for = 0
    clock.passes(60)
    house.tick()
    assert at.live.status == "frozen"
    assert at.live.table.bets
    clock.passes(60)
    house.tick()
    assert at.kinds().count("frozen") == 1


# 30: the database goes away.


@pytest.mark.parametrize("statement", EVERY)
def test_a_lost_race_is_run_again_and_the_command_is_done_once(
    storage: Storage, statement: int
) -> None:
    house = new_pit(storage)
    at = deciding(house)
    who, seat = asked(at)
    failed = []

    def error() -> BaseException:
        failed.append(1)
        event.remove(storage._database.writer, "before_cursor_execute", hook)
        return lost_race(storage.dialect)()

    left = statement

    def hook(*_: Any) -> None:
        nonlocal left
        if left == 0:
            raise error()
        left -= 1

    event.listen(storage._database.writer, "before_cursor_execute", hook)
    at.do(who, "buy_in", "buy", seat=seat, amount=500)
    if not failed:
        event.remove(storage._database.writer, "before_cursor_execute", hook)
    assert at.live.table.money[seat] == 100_000 - 1000 + 500
    assert at.kinds().count("buy_in") == 3
    proved(storage)


def test_a_commit_whose_answer_is_lost_is_done_once_and_told_to_who_listens(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    clock = FakeClock()
    house = new_pit(storage, clock=clock, publish=lambda stream, rows: heard.append(stream))
    at = at_war(house)
    write = storage.write
    lost: list[int] = []

    @contextmanager
    def losing() -> Iterator[Any]:
        with write() as conn:
            yield conn
        if not lost:
            lost.append(1)
            raise StorageLost("the commit was done, and nobody knows")

    monkeypatch.setattr(storage, "write", losing)
    heard.clear()
    reply = at.do(ANN, "bet", "bet", seat="1", wagers={"initial": 1000})
    assert lost
    assert [event["kind"] for event in reply["events"]] == ["wager", "betting_closes"]
    assert at.kinds().count("wager") == 1
    clock.passes(3)
    house.tick()
    assert at.stream in heard, "to look into the log"
    clock.passes(21)
    house.tick()
    assert at.live.phase != "betting", "and the clock runs on"
    proved(storage)


@pytest.mark.parametrize("dialect", ["postgresql"])
@pytest.mark.parametrize("statement", range(STATEMENTS["postgresql"] + 1))
def test_a_connection_that_is_cut_in_the_middle_of_a_command_costs_nothing(
    storage: Storage, postgres: Postgres, statement: int
) -> None:
    house = new_pit(storage)
    at = deciding(house)
    who, seat = asked(at)
    generation, left = storage.generation, statement

    def cut(conn: Any, *_: Any) -> None:
        nonlocal left
        if left == 0:
            pid = conn.connection.driver_connection.info.backend_pid
            postgres.execute("SELECT pg_terminate_backend(%s)", pid)
        left -= 1

    event.listen(storage._database.writer, "before_cursor_execute", cut)
    at.do(who, "buy_in", "buy", seat=seat, amount=500)
    event.remove(storage._database.writer, "before_cursor_execute", cut)
    assert storage.generation == generation + (left < 0)
    assert at.live.table.money[seat] == 100_000 - 1000 + 500
    assert at.do(who, "buy_in", "buy", seat=seat, amount=500)["stacks"][seat] == 99_500
    at.do(who, "move", seat=seat, move="fold")
    proved(storage)


@pytest.fixture(scope="module")
def mortal() -> Iterator[Postgres]:
    """A PostgreSQL of this module's own, that may be killed."""
    server = Postgres(durable=True)
    yield server
    server.remove()


def test_a_database_server_that_is_killed_and_comes_back_has_lost_nothing(
    mortal: Postgres,
) -> None:
    mortal.execute("CREATE DATABASE floor")
    storage = Storage(mortal.url("floor"))
    storage.migrate()
    house = a_pit(storage)
    house.start()
    at = deciding(house)
    who, seat = asked(at)
    before = standing(at.live)
    mortal.kill()
    with ThreadPoolExecutor(2) as pool:
        waiting = [
            pool.submit(at.do, who, "buy_in", request, seat=seat, amount=500)
            for request in ("first", "second")
        ]
        time.sleep(0.3)
        mortal.start()
        replies = [each.result(timeout=30) for each in waiting]
    assert sorted(reply["stacks"][seat] for reply in replies) == [99_500, 100_000]
    assert at.live.table.money[seat] == before["accounts"][seat] + 1000
    at.do(who, "move", seat=seat, move="fold")
    house.stop()
    proved(storage)
    storage.close()


def test_while_the_database_is_away_commands_are_refused_in_the_end(
    mortal: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pit, "PATIENCE", 0.3)
    mortal.execute("CREATE DATABASE gone")
    storage = Storage(mortal.url("gone"))
    storage.migrate()
    house = new_pit(storage)
    at = at_war(house)
    before = standing(at.live)
    mortal.stop()
    with caplog.at_level(logging.CRITICAL), pytest.raises(Unavailable):
        at.do(ANN, "buy_in", "buy", seat="1", amount=500)
    house.tick()
    mortal.start()
    assert standing(at.live) == before
    at.do(ANN, "buy_in", "buy", seat="1", amount=500)
    assert at.live.table.money["1"] == 100_500
    proved(storage)
    storage.close()


# 31: others at the same database.


def test_a_reader_who_takes_his_time_stops_nobody_and_sees_one_moment(storage: Storage) -> None:
    house = new_pit(storage)
    at = at_war(house)
    number = at.live.number
    with storage.read() as conn:
        assert log.last_number(conn, at.stream) == number
        for _ in range(20):
            at.do(ANN, "buy_in", seat="1", amount=100)
        assert log.last_number(conn, at.stream) == number
    assert len(at.events()) == number + 20


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_backup_that_is_taken_while_people_play_is_a_whole_house(
    storage: Storage, tmp_path: Path
) -> None:
    house = a_pit(storage, chance=SeededStream(1))
    house.start()
    at, choose = opened(house, "craps"), Random(1)
    seat_all(at)
    for number in range(4):
        copy = tmp_path / f"backup-{number}.db"
        saving = threading.Thread(target=storage.backup, args=(copy,))
        saving.start()
        for _ in range(10):
            go_on(at, PATRONS, choose)
        saving.join()
        backup = Storage(f"sqlite:///{copy}")
        (proof,) = proved(backup).values()
        assert proof.number <= at.live.number
        go_on(At(new_pit(backup), at.stream), PATRONS, choose)
        backup.close()
    house.stop()


# 33: what went wrong is put right, and both can be seen.


def test_a_wrong_payment_and_its_correction_both_stay_in_the_log(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    for _ in range(2):
        who, seat = asked(at)
        at.do(who, "move", seat=seat, move="fold")
    before = {seat: at.live.table.money[seat] for seat in ("1", "2")}
    events = at.events()
    over = events[-1].number
    at.do(SUPERVISOR, "correct", seat="1", cents=1000, why="the ante was taken twice", about=1)
    after = at.events()
    assert after[: len(events)] == events, "nothing is ever changed"
    (correction,) = after[len(events) :]
    assert (correction.kind, correction.number) == ("correction", over + 1)
    assert correction.citation
    assert at.live.table.money["1"] == before["1"] + 1000
    at.do(ANN, "leave", seat="1")
    at.do(SUPERVISOR, "correct", cents=500, why="and once more, but he has left", about=1)
    proved(storage)


def test_a_large_correction_takes_two_people(storage: Storage) -> None:
    """Who proposes it moves nothing, and may not approve it."""
    house = new_pit(storage, policies=Policies(alone_cents=1000))
    at = at_war(house)
    said: dict[str, Any] = {"seat": "1", "about": 0, "why": "the dealer paid the wrong seat"}
    at.do(SUPERVISOR, "correct", cents=1000, **said)
    assert at.live.table.money["1"] == 101_000
    for cents in (1001, -1001):
        reply = at.do(SUPERVISOR, "correct", cents=cents, **said)
        (proposed,) = reply["events"]
        assert (proposed["kind"], proposed["cents"]) == ("correction_proposed", cents)
        number = proposed["proposal"]
        assert at.refused(SUPERVISOR, "approve", proposal=number).fault is Fault.FORBIDDEN
        assert at.refused(FLOORPERSON, "approve", proposal=number - 1).fault is Fault.STALE
        with pytest.raises(NotAllowed):
            at.do(DEALER, "approve", proposal=number)
        assert at.live.table.money["1"] == 101_000 + (1001 if cents < 0 else 0)
        (made,) = at.do(FLOORPERSON, "approve", proposal=number)["events"]
        assert (made["kind"], made["amount"]) == ("correction", cents)
        assert at.refused(FLOORPERSON, "approve", proposal=number).fault is Fault.STALE
    assert at.live.table.money["1"] == 101_000
    proved(storage)


def test_a_correction_that_waits_for_a_second_person_outlives_the_server(storage_url: str) -> None:
    storage = Storage(storage_url)
    at = at_war(new_pit(storage))
    said: dict[str, Any] = {
        "seat": "1",
        "cents": 100_001,
        "why": "the dealer paid the wrong seat",
        "about": 0,
    }
    number = at.do(SUPERVISOR, "correct", **said)["events"][0]["proposal"]
    storage.close()
    with again(storage_url) as house:
        at = At(house, at.stream)
        at.do(FLOORPERSON, "approve", proposal=number)
        assert at.live.table.money["1"] == 200_001
        proved(house.storage)


def test_what_was_right_when_it_was_proposed_must_still_be_right(storage: Storage) -> None:
    at = at_war(new_pit(storage))
    said: dict[str, Any] = {
        "seat": "1",
        "cents": -100_001,
        "why": "the dealer paid the wrong seat",
        "about": 0,
    }
    at.do(ANN, "buy_in", seat="1", amount=100)
    number = at.do(SUPERVISOR, "correct", **said)["events"][0]["proposal"]
    at.do(ANN, "leave", seat="1")
    assert at.refused(FLOORPERSON, "approve", proposal=number).fault is Fault.UNKNOWN_SEAT
    proved(storage)


# Who they are when it is done.


def noted(house: Pit, kind: str, actor: str, **said: Any) -> None:
    with house.house.writing() as conn:
        house.house.note(conn, kind, actor, **said)


GONE = {
    "logged out": ("log_out", {"session": ANN.session}),
    "closed": ("account_closed", {"account": ANN.account}),
    "with another password": ("password_set", {"account": ANN.account}),
    "run out": (
        "session_renewed",
        {"session": ANN.session, "token": "x", "expires_at": "2020-01-01T00:00:00.000Z"},
    ),
}


@pytest.mark.parametrize("why", GONE)
def test_who_is_gone_when_a_command_has_its_turn_is_refused(storage: Storage, why: str) -> None:
    house = new_pit(storage)
    at = at_war(house)
    before, (kind, said) = standing(at.live), GONE[why]
    noted(house, kind, ANN.account, **said)
    for body in ({"do": "buy_in", "seat": "1", "amount": 100}, opening("craps", "Mine")):
        with pytest.raises(NotAllowed) as refused:
            house.do(at.stream, ANN, body)
        assert refused.value.code is Denial.BAD_TOKEN
    assert standing(at.live) == before
    assert notes(storage)[-1][:2] == ("forbidden", ANN.account)


def test_who_lost_a_role_while_a_command_waited_has_lost_it(storage: Storage) -> None:
    """The role that counts is the one of the moment in which it is done."""
    house = new_pit(storage)
    at = at_war(house)
    changed = {"account": SUPERVISOR.account, "before": "supervisor", "after": "patron"}
    noted(house, "role_changed", HOUSE, **changed)
    with pytest.raises(NotAllowed, match="a patron may not do this"):
        at.do(SUPERVISOR, "freeze", why="I am still here")
    assert at.live.status == "open"
    noted(house, "role_changed", HOUSE, **changed | {"before": "patron", "after": "floorperson"})
    at.do(SUPERVISOR, "freeze", why="as a floorperson")
    with pytest.raises(NotAllowed):
        at.do(SUPERVISOR, "thaw", why="for which it takes a supervisor")


def test_a_session_of_somebody_else_is_not_theirs_to_use(storage: Storage) -> None:
    at = at_war(new_pit(storage))
    for impostor in (
        Person(ANN.account, "Ann", Role.PATRON, BOB.session),
        Person(ANN.account, "Ann", Role.SUPERVISOR, "no such session"),
        Person(ANN.account, "Ann", Role.PATRON, ""),
    ):
        with pytest.raises(NotAllowed) as refused:
            at.do(impostor, "buy_in", seat="1", amount=100)
        assert refused.value.code is Denial.BAD_TOKEN
    forged = Person(ANN.account, "Ann", Role.SUPERVISOR, ANN.session)
    with pytest.raises(NotAllowed) as refused:
        at.do(forged, "freeze", why="by the role that I say I have")
    assert refused.value.code is Denial.FORBIDDEN


# 35: what is not for everyone.

HIGHER: dict[str, dict[str, Any]] = {
    "no_more_bets": {}, "deal": {}, "report": {"irregularity": "card_face_up"},
    "take_dealer": {}, "leave_dealer": {}, "post_notice": {"options": {"table_min": 500}},
    "freeze": {"why": "x"}, "thaw": {"why": "x"}, "close_table": {"why": "x"},
    "correct": {"seat": "1", "cents": 10**6, "why": "x", "about": 1},
    "time_up": {}, "change": {}, "withdraw_notice": {"why": "x"}, "software": {"software": "x"},
    "no_such_command": {},
}  # fmt: skip


@pytest.mark.parametrize("what", HIGHER)
def test_what_is_not_for_a_patron_is_refused_and_noted(storage: Storage, what: str) -> None:
    at = deciding(new_pit(storage))
    before = standing(at.live)
    with pytest.raises(NotAllowed):
        at.do(ANN, what, **HIGHER[what])
    assert standing(at.live) == before
    kind, actor, data = notes(storage)[-1]
    assert (kind, actor) == ("forbidden", ANN.account)
    assert data == {"table": at.stream, "command": what}


@pytest.mark.parametrize("by", [SURVEILLANCE, DEALER, FLOORPERSON, SUPERVISOR])
def test_who_works_for_the_house_does_not_play(storage: Storage, by: Person) -> None:
    at = opened(new_pit(storage), "roulette")
    attempts: dict[str, dict[str, Any]] = {
        "sit": {"buy_in": 1000}, "bet": {"wagers": {}}, "ready": {}, "leave": {},
    }  # fmt: skip
    for what, said in attempts.items():
        with pytest.raises(NotAllowed):
            at.do(by, what, seat="1", **said)
    assert [kind for kind, *_ in notes(storage)] == ["forbidden"] * 4


def test_surveillance_writes_nothing(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    number = at.live.number
    for what, said in HIGHER.items():
        with pytest.raises(NotAllowed):
            at.do(SURVEILLANCE, what, **said)
    assert at.live.number == number


def test_nobody_is_the_clock_but_the_clock(storage: Storage) -> None:
    at = deciding(new_pit(storage))
    for account in ("clock", "house"):
        impostor = Person(account, "The clock", Role.PATRON, "s")
        with pytest.raises(NotAllowed):
            at.do(impostor, "time_up")
    at.do(CLOCK, "time_up")
    assert at.pit.do(at.stream, THE_HOUSE, {"do": "freeze", "why": "x"})


# The doors.


def test_a_house_that_closes_answers_everyone(storage: Storage) -> None:
    house = a_pit(storage)
    house.start()
    at = at_war(house)
    outcomes: list[Any] = []

    def send(number: int) -> None:
        for each in range(200):
            try:
                at.do(ANN, "buy_in", f"{number}-{each}", seat="1", amount=1)
                outcomes.append(1)
            except Unavailable:
                outcomes.append(0)
                return

    senders = [threading.Thread(target=send, args=(n,), daemon=True) for n in range(8)]
    for sender in senders:
        sender.start()
    time.sleep(0.1)
    house.stop()
    for sender in senders:
        sender.join(10)
        assert not sender.is_alive(), "somebody waits for an answer that never comes"
    (proof,) = proved(storage).values()
    assert proof.table.money["1"] == 100_000 + sum(outcomes)


def test_who_asks_in_the_very_moment_of_closing_is_answered(storage: Storage) -> None:
    house = a_pit(storage)
    house.start()
    at = at_war(house)
    queue = house._queue

    class Slow:
        """The house stops between the look at its doors and the step through them."""

        def put(self, work: Any) -> None:
            house._queue = queue
            closing.start()
            closing.join(0.3)
            queue.put(work)

    closing = threading.Thread(target=house.stop)
    house._queue = Slow()  # type: ignore[assignment]
    with suppress(Unavailable):
        assert answered(lambda: at.do(ANN, "buy_in", seat="1", amount=1))["stacks"]["1"] == 100_001
    closing.join(10)
    proved(storage)


def test_a_listener_who_fails_does_not_stop_the_table(
    storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def publish(stream: str, rows: Any) -> None:
        heard.append(len(rows))
        if len(heard) == 3:
            raise RuntimeError("nobody listens")

    clock = FakeClock()
    house = new_pit(storage, publish=publish, clock=clock)
    at = at_war(house)
    with caplog.at_level(logging.CRITICAL + 1):
        at.do(ANN, "bet", "bet", seat="1", wagers={"initial": 1000})
    assert house.seconds_left(at.stream) == 20
    proved(storage)


@pytest.mark.parametrize("why", ["a\u0000b", "\u2028 \U0001f0a1 é \\ \" '", "x" * 500])
def test_what_people_write_is_kept_as_they_wrote_it(storage_url: str, why: str) -> None:
    storage = Storage(storage_url)
    at = at_war(new_pit(storage))
    at.do(FLOORPERSON, "freeze", why=why)
    storage.close()
    with again(storage_url) as house:
        at = At(house, at.stream)
        assert told(at.events(), "frozen")[0]["why"] == why
        proved(house.storage)


def test_a_house_that_was_closed_in_order_opens_as_it_was(storage_url: str) -> None:
    storage = Storage(storage_url)
    house = new_pit(storage)
    tables = [deciding(house), at_war(house)]
    before = [standing(at.live) for at in tables]
    house.stop()
    with pytest.raises(Unavailable):
        tables[0].do(CAT, "sit", seat="3")
    storage.close()
    with again(storage_url) as house:
        assert [standing(At(house, at.stream).live) for at in tables] == before
