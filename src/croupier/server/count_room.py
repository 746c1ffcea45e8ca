"""The count room: where all is worked out that takes long.

An exact count may take a minute, and nobody at a live table may feel it. So one
process of the lowest priority (`croupier.server.counting`) does one job after
the other. The first who asks starts it, and it ends with the house. A job is a
line of JSON; what comes back are lines too, each with a sign in front that says
what it is.
"""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from croupier.rulebook import Citation, Fault, Refusal

logger = logging.getLogger("croupier.count_room")

PATIENCE = 0.3  # seconds for which somebody waits, before he is told to ask again
FORGOTTEN = 30.0  # seconds after which what nobody asks for any more is not begun
LONGEST = 600.0  # seconds that a job may take
MOST_WAITING = 20  # jobs
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


@dataclass
class CountRoom:
    """The room from outside. It belongs to one event loop."""

    _kept: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _waiting: dict[str, Work] = field(default_factory=dict)
    _process: Process | None = None
    _counting: asyncio.Task[None] | None = None

    def kept(self, job: Job) -> bytes | None:
        """What was worked out before."""
        return self._kept.get(_key(job))

    async def ask(self, job: Job) -> bytes | Work:
        """The answer, or how far it is."""
        key = _key(job)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        work = self._waiting.get(key) or self._begin(key)
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

    def _begin(self, key: str) -> Work:
        if len(self._waiting) >= MOST_WAITING:
            raise Busy("too much is being worked out: ask again in a while")
        work = self._waiting[key] = Work(asyncio.get_running_loop().create_future())
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
                self._kept[key] = answer
                while len(self._kept) > MOST_KEPT or self._size() > LARGEST_KEPT:
                    self._kept.popitem(last=False)
            del self._waiting[key]
            work.answer.set_result(answer)

    def _size(self) -> int:
        return sum(map(len, self._kept.values()))

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
