"""What a clock, a large amount and an order of keys may and may not do."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations

from sqlalchemy import Connection, select

from croupier.floor import schema
from croupier.floor.policies import Policies
from croupier.floor.storage import Storage, StorageLost
from croupier.floor.verify import verify
from croupier.simulation.streams import SeededStream
from tests.floor.support import ANN, SUPERVISOR, At, FakeClock, a_pit, notes, opened, proved

MONTHS = 90 * 86_400


def test_keys_in_any_order_are_the_same_command(storage_url: str) -> None:
    """The same events, whatever order the keys of a command came in; and they replay."""
    storage = Storage(storage_url)
    pit = a_pit(storage, clock=FakeClock(), chance=SeededStream(1))
    wagers = {"straight:17": 500, "red": 500, "column:1": 1000}
    told = []
    for order in permutations(wagers.items()):
        at = opened(pit, "roulette")
        at.do(ANN, "sit", seat="1", buy_in=100_000)
        reply = at.do(ANN, "bet", wagers=dict(order), seat="1")
        told.append([(each["kind"], each.get("wager")) for each in reply["events"]])
        at.do(ANN, "leave", seat="1")
    assert all(each == told[0] for each in told)
    assert len(told) == 6
    proved(storage)
    assert verify(storage).is_sound
    storage.close()
    again = Storage(storage_url)
    pit = a_pit(again, clock=FakeClock(), chance=SeededStream(1))
    pit.take_over()
    assert not pit.broken
    again.close()


def test_a_clock_weeks_ahead_runs_no_old_command_again(storage_url: str) -> None:
    clock = FakeClock()
    storage = Storage(storage_url)
    at = opened(a_pit(storage, clock=clock), "roulette")
    at.do(ANN, "sit", seat="1")
    first = at.do(ANN, "buy_in", "the buy-in", seat="1", amount=5000)
    storage.close()
    clock.jumps(MONTHS)
    later = Storage(storage_url)
    pit = a_pit(later, clock=clock)
    pit.take_over()
    again = At(pit, at.stream)
    assert again.do(ANN, "buy_in", "the buy-in", seat="1", amount=5000) == first
    assert again.live.table.money["1"] == 5000
    clock.jumps(-2 * MONTHS)
    assert again.do(ANN, "buy_in", "the buy-in", seat="1", amount=5000) == first
    later.close()


def test_large_amounts_are_noted(storage: Storage) -> None:
    pit = a_pit(storage, clock=FakeClock(), policies=Policies(large_cents=50_000))
    at = opened(pit, "roulette")
    at.do(ANN, "sit", seat="1", buy_in=49_999)
    at.do(ANN, "buy_in", seat="1", amount=60_000)
    at.do(ANN, "bet", seat="1", wagers={"red": 50_000, "black": 50_000})
    at.do(ANN, "ready", seat="1")
    at.do(SUPERVISOR, "correct", seat="1", cents=100, why="a chip too few", about=1)
    at.do(ANN, "leave", seat="1")
    kinds = [kind for kind, *_ in notes(storage)]
    assert kinds.count("large_wager") == 2
    assert kinds.count("adjustment") == 1
    assert kinds[0] == "large_transfer"
    wins = [said for kind, _, said in notes(storage) if kind == "large_win"]
    assert all(said["cents"] >= 50_000 for said in wins)
    assert verify(storage).is_sound


def test_a_status_whose_commit_was_kept_and_whose_reply_was_lost_is_written_again(
    storage_url: str,
) -> None:
    """A freeze is committed, the connection is cut, and the table thaws: the directory follows."""
    storage = Storage(storage_url)
    at = opened(a_pit(storage, clock=FakeClock()), "roulette")
    write, is_cut = storage.write, [True]

    @contextmanager
    def cut() -> Iterator[Connection]:
        with write() as conn:
            yield conn
        if is_cut:
            is_cut.clear()
            raise StorageLost("the connection is cut after the commit")

    storage.write = cut  # type: ignore[method-assign]
    at.do(SUPERVISOR, "freeze", "f", why="to look into it")
    at.do(SUPERVISOR, "thaw", "t", why="it was looked into")
    with storage.read() as conn:
        assert conn.scalar(select(schema.tables.c.status)) == at.live.listed == "open"
    assert verify(storage).is_sound
    storage.close()
