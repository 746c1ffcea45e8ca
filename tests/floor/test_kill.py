"""The server is killed with -9 in the middle of what it does, and nothing is lost.

The process is a real one and so is the signal: it has no chance to put anything in order.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.floor.mortal import PEOPLE, TABLE, Server
from tests.floor.support import balanced, every_family, proved, standing


class Maternity:
    """The program that gives birth to servers."""

    def __init__(self) -> None:
        self.program = subprocess.Popen(
            [sys.executable, "-m", "tests.floor.mortal"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def life(self, **of: Any) -> Iterator[dict[str, Any]]:
        """What a server tells, from its birth to its death."""
        assert self.program.stdin
        assert self.program.stdout
        print(json.dumps(of), file=self.program.stdin, flush=True)
        for line in self.program.stdout:
            told = json.loads(line)
            yield told
            if "died" in told:
                return
        raise AssertionError("the program that gives birth to servers has died itself")

    def close(self) -> None:
        assert self.program.stdin
        self.program.stdin.close()
        self.program.wait(10)


@pytest.fixture(scope="module")
def maternity() -> Iterator[Maternity]:
    program = Maternity()
    yield program
    program.close()


def never() -> None:
    raise AssertionError


@every_family
def test_a_server_that_is_killed_anywhere_loses_nothing_it_acknowledged(
    storage_url: str, family: str, maternity: Maternity
) -> None:
    choose, deaths, done = Random(family), 0, False
    heard: dict[tuple[str, str], tuple[Any, Any]] = {}
    while not done:
        sent = None
        boundary = choose.randrange(12) if deaths < 12 else 10**6
        for told in maternity.life(url=storage_url, game=family, boundary=boundary):
            if "sending" in told:
                sent = told
            elif "heard" in told:
                assert sent is not None
                heard[sent["by"], sent["sending"]] = sent["body"], told["heard"]
                sent = None
            elif "died" in told:
                assert told["died"] in (0, signal.SIGKILL)
                deaths += told["died"] == signal.SIGKILL
            done = done or "done" in told
        look_after(storage_url, heard, sent)
    assert deaths >= 5


def look_after(url: str, heard: dict[Any, Any], sent: dict[str, Any] | None) -> None:
    """What was acknowledged is there; what was not is there whole or not at all."""
    server = Server(url, never)
    server.storage.lock()
    server.take_over()
    if sent is not None:
        by, request = PEOPLE[sent["by"]], sent["sending"]
        before = standing(server.live) if server.live else None
        there = server.answered(by, request)
        reply = server.pit.do(TABLE, by, sent["body"], request)
        heard[sent["by"], request] = sent["body"], reply
        if there:
            after = server.pit.seen(TABLE)
            assert before in (None, standing(after)), "it was done twice"
    for (account, request), (body, reply) in heard.items():
        assert server.pit.do(TABLE, PEOPLE[account], body, request) == reply
    if heard:
        table = server.pit.seen(TABLE)
        balanced(table)
        assert table.number >= max(reply["number"] for _, reply in heard.values())
        proved(server.storage)
    server.storage.close()
