"""`kill -9`, really: a process that runs tables is killed in the middle of a write.

The child plays an evening and reports every reply it gets; at some write it
kills itself. Whatever it reported must be in the log, the next child goes on
from there, and in the end everyone has his money.
"""

import json
import multiprocessing
import os
import signal
from multiprocessing.connection import Connection as Pipe
from typing import Any

import pytest
from sqlalchemy import event, select

from croupier.floor import log, schema
from croupier.floor.pit import Pit
from croupier.floor.storage import Storage
from tests.floor.evening import HOUSE_DEALS, first_step, next_step
from tests.floor.support import FAMILIES, proved

TABLE = "evening"
EVERY = 17  # writes, so that over an evening they fall into every phase


def play(url: str, game: str, kill_at: int, pipe: Pipe) -> None:
    """In the child: go on with the evening, and die at the so many-th write from now."""
    storage = Storage(url)
    pit = Pit(storage)
    pit.take_over()
    left = kill_at

    def moment(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for what in ("before_cursor_execute", "commit"):
        event.listen(storage._database.writer, what, moment)
    while True:
        live = pit.tables.get(TABLE)
        step = next_step(live) if live else first_step(game, HOUSE_DEALS)
        if step is None:
            break
        person, body = step
        request = f"after-{live.number if live else 0}"
        reply = pit.do(TABLE, person, dict(body), request)
        pipe.send((person.account, request, json.dumps(reply, sort_keys=True)))
    pipe.send("over")
    storage.close()


def reported(pipe: Pipe) -> list[Any]:
    """What the child could tell before it died."""
    heard = []
    try:
        while True:
            heard.append(pipe.recv())
    except EOFError:
        return heard


@pytest.mark.parametrize("game", FAMILIES)
def test_a_killed_server_has_kept_every_promise(storage_url: str, game: str) -> None:
    fork = multiprocessing.get_context("fork")
    kept: list[tuple[str, str, str]] = []
    kills = 0
    while True:
        mine, its = fork.Pipe(duplex=False)
        child = fork.Process(target=play, args=(storage_url, game, EVERY + 3 * kills, its))
        child.start()
        its.close()
        heard = reported(mine)
        child.join()
        kept += [each for each in heard if each != "over"]
        if "over" in heard:
            break
        assert child.exitcode == -signal.SIGKILL
        kills += 1
        _check(storage_url, kept)
    assert kills > 3
    storage = Storage(storage_url)
    tables = proved(storage)
    assert not tables[TABLE].chairs, "everyone was cashed out"
    storage.close()


def _check(url: str, kept: list[tuple[str, str, str]]) -> None:
    """What was acknowledged is there, word for word, and the log holds together."""
    storage = Storage(url)
    with storage.read() as conn:
        requests = schema.requests.c
        found = {
            (row.actor, row.request): row.reply
            for row in conn.execute(select(requests.actor, requests.request, requests.reply))
        }
        for actor, request, reply in kept:
            assert json.dumps(json.loads(found[actor, request]), sort_keys=True) == reply
        if log.head(conn, TABLE) is not None:
            live = log.load(conn, TABLE)
            assert sum(live.accounts().values()) == 0
    storage.close()
