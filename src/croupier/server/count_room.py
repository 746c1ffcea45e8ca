"""The count room: where all is worked out that takes long.

An exact count may take a minute, and nobody at a live table may feel it. So a
process of the lowest priority (`croupier.server.counting`) does one job after
the other. The first who asks starts it, and it ends with the house. A job is a
line of JSON; what comes back are lines too, each with a sign in front that says
what it is. Hints for players have a process apart from what visitors read.
"""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

from croupier.rulebook import Citation, Fault, Refusal

logger = logging.getLogger("croupier.count_room")

PATIENCE = 0.3  # seconds for which somebody waits, before he is told to ask again
FORGOTTEN = 30.0  # seconds after which what nobody asks for any more is not begun
LONGEST = 600.0  # seconds that a job may take
MOST_WAITING = 20  # jobs
MOST_EACH = 3  # of them for one address
FOR_PLAYERS = "hint"  # the job that somebody at a table waits for
MOST_KEPT = 256  # answers
LARGEST_KEPT = 1 << 26  # bytes of all of them
LONGEST_LINE = 1 << 24  # bytes
PROCESS = "croupier.server.counting"

TOLD, DOING, REFUSED, FAILED = b"=", b"~", b"!", b"?"

Job = dict[str, Any]


class Busy(Exception):
    """It cannot be worked out now, and may be in a while."""


@dataclass
class Work:
    """A job that somebody waits for."""

    answer: asyncio.Future[bytes | Exception]
    asked: float = 0.0  # when somebody asked the last time
    doing: str = "waiting for what others have asked"
    done: float | None = None
    whose: str = ""  # the address that asked first


class Kept:
    """What was worked out before, as far as there is room for it."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def keep(self, key: str, answer: bytes) -> None:
        self._answers[key] = answer
        while len(self._answers) > MOST_KEPT or self._size() > LARGEST_KEPT:
            self._answers.popitem(last=False)

    def _size(self) -> int:
        return sum(map(len, self._answers.values()))


class CountRoom:
    """The room from outside. It belongs to one event loop.

    It has two desks, and so two processes when both have work: at one a player who is asked for
    a decision gets a hint, and never waits behind those who read at the other.
    """

    def __init__(self) -> None:
        self._kept = Kept()
        self.players, self.readers = Desk(self._kept), Desk(self._kept)

    def kept(self, job: Job) -> bytes | None:
        """What was worked out before."""
        return self._kept.get(_key(job))

    async def ask(self, job: Job, whose: str = "") -> bytes | Work:
        """The answer, or how far it is. `whose` is the address that asks."""
        desk = self.players if job["do"] == FOR_PLAYERS else self.readers
        return await desk.ask(_key(job), whose)

    async def close(self) -> None:
        await self.players.close()
        await self.readers.close()


class Desk:
    """A process that does one job after the other, and those who wait for it."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._waiting: dict[str, Work] = {}
        self._process: Process | None = None
        self._counting: asyncio.Task[None] | None = None

    async def ask(self, key: str, whose: str) -> bytes | Work:
        if (known := self._kept.get(key)) is not None:
            return known
        work = self._waiting.get(key) or self._begin(key, whose)
        work.asked = monotonic()
        await asyncio.wait([work.answer], timeout=PATIENCE)
        if not work.answer.done():
            return work
        answer = work.answer.result()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def close(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
            with suppress(asyncio.CancelledError):
                await self._counting
        await self._end()

    def _begin(self, key: str, whose: str) -> Work:
        if len(self._waiting) >= MOST_WAITING:
            raise Busy("too much is being worked out: ask again in a while")
        mine = sum(work.whose == whose for work in self._waiting.values())
        if whose and mine >= MOST_EACH:
            raise Busy(f"{MOST_EACH} counts of yours are being worked out: ask again in a while")
        future = asyncio.get_running_loop().create_future()
        work = self._waiting[key] = Work(future, whose=whose)
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count())
        return work

    async def _count(self) -> None:
        """One job after the other, as long as there are any."""
        while self._waiting:
            key, work = next(iter(self._waiting.items()))
            answer: bytes | Exception = Busy("nobody asked for it any more: ask again")
            if monotonic() - work.asked < FORGOTTEN:
                answer = await self._work_out(key, work)
            if isinstance(answer, bytes):
                self._kept.keep(key, answer)
            del self._waiting[key]
            work.answer.set_result(answer)

    async def _work_out(self, key: str, work: Work) -> bytes | Exception:
        work.doing = "beginning"
        try:
            async with asyncio.timeout(LONGEST):
                process = await self._started()
                assert process.stdin is not None
                process.stdin.write(key.encode() + b"\n")
                return await self._heard(process, work)
        except (OSError, RuntimeError, ValueError, TimeoutError) as error:
            logger.warning("the count room was closed in the middle of a job: %r", error)
            await self._end()
            return Busy("the count was interrupted: ask again")

    async def _heard(self, process: Process, work: Work) -> bytes | Exception:
        assert process.stdout is not None
        while (line := await process.stdout.readline()).endswith(b"\n"):
            sign, said = line[:1], line[1:-1]
            if sign == DOING:
                work.doing, work.done = json.loads(said)
            elif sign == TOLD:
                return said
            elif sign == REFUSED:
                fault, message, cite = json.loads(said)
                return Refusal(Fault(fault), message, Citation(cite) if cite else None)
            else:
                return RuntimeError(f"it could not be worked out: {json.loads(said)}")
        raise BrokenPipeError("its process has ended")

    async def _started(self) -> Process:
        """In a session of its own: a signal to the server is none to it."""
        if self._process is not None and self._process.returncode is not None:
            await self._end()
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", PROCESS, stdin=PIPE, stdout=PIPE,
                limit=LONGEST_LINE, start_new_session=True,
            )  # fmt: skip
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _key(job: Job) -> str:
    return json.dumps(job, sort_keys=True)
