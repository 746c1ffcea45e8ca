"""The world: servers, people, a disk and a network, which go on step by step from one seed."""

import logging
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, NoReturn, TypeVar

from croupier.floor.commands import THE_HOUSE, opening
from croupier.floor.live import Terms
from tests.glass.clock import BEGINNING, Hasher, Time, sealed_off, written
from tests.glass.crowd import Member
from tests.glass.disk import Disk
from tests.glass.machines import Machines
from tests.glass.model import Model
from tests.glass.nature import Nature
from tests.glass.office import Office
from tests.glass.post import Post
from tests.glass.recovery import Recovery
from tests.glass.rights import Broken
from tests.glass.servers import Records, Server, Violation, notary_of

T = TypeVar("T")

LAST = 30  # actions that are told when something is violated
STAFF = ["supervisor", "supervisor", "floorperson", "floorperson", "dealer", "surveillance"]
REST = 80  # steps in which everyone must be answered when nothing breaks any more


class World:
    """One floor in its glass."""

    def __init__(self, seed: int, template: Path, **nature: Any) -> None:
        """`template` is a database without a row; `nature` is what is not left to chance."""
        self.seed = seed
        self.choose = choose = Random(seed)
        self.nature = Nature.drawn(choose, **nature)
        self.time = Time()
        self.disk = Disk(choose, template)
        self.hasher = Hasher(choose)
        self.notary = notary_of(self.disk.folder / "marks", choose)
        self.records = Records()
        self.model = Model()
        self.machines = Machines(self)
        self.office = Office(self)
        self.post = Post(self)
        self.recovery = Recovery(self)
        self.streams: list[str] = []
        self.crowd: list[Member] = []
        self.heard: list[tuple[str, str, int, list[int]]] = []  # by listeners
        self.steps = self.commands = self.batches = self.recoveries = 0
        self.faults: Counter[str] = Counter()
        self.actions: deque[str] = deque(maxlen=LAST)

    # Running.

    def run(self, steps: int, every: int = 100) -> None:
        """So many steps; now and then, and at the end, all servers die and one comes back."""
        try:
            with sealed_off(self.choose, self.machines.meanwhile), self._recorded():
                self._open()
                for _ in range(steps):
                    self.step()
                    if self.steps % every == 0:
                        self.recovery.everyone_dies()
                self._come_to_rest()
                self.recovery.everyone_dies(at_the_end=True)
        except Broken as broken:
            raise Violation(str(broken)) from broken
        finally:
            self.machines.close()
            self.disk.close()

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """What the servers log is kept here, and nowhere else."""
        logger = logging.getLogger("croupier")
        level, propagate = logger.level, logger.propagate
        logger.setLevel(logging.ERROR)
        logger.propagate = False
        logger.addHandler(self.records)
        try:
            yield
        finally:
            logger.removeHandler(self.records)
            logger.setLevel(level)
            logger.propagate = propagate

    def _open(self) -> None:
        """The first day: servers start, people are hired and come in, tables are opened."""
        for _ in range(self.nature.servers):
            self.machines.start()
        first = self.machines.alive()[0]
        for role in [*STAFF, *["patron"] * self.nature.patrons]:
            member = self.office.hire(role, first)
            assert member is not None
            self.crowd.append(member)
        for game in self.nature.games:
            self._open_first(first, game)
        self.check()
        for member in self.crowd:
            self.office.log_in(first, member)
            if member.role == "patron" and self.choose.random() < 0.7:
                self.office.give(first, member, 1_000_000)

    def _open_first(self, server: Server, game: str) -> None:
        stream = self.new_stream()
        terms = Terms(
            dealer=self.choose.choice(["house", "house", "person"]),
            bet_seconds=self.choose.choice([5, 20]), move_seconds=self.choose.choice([5, 30]),
        )  # fmt: skip
        server.pit.do(stream, THE_HOUSE, opening(game, f"Table of {game}", None, terms), stream)
        self.streams.append(stream)

    def new_stream(self) -> str:
        return f"table-{len(self.streams)}-{self.choose.randrange(10**6)}"

    def step(self) -> None:
        """Time passes, people want something, letters arrive, servers work, something breaks."""
        self.steps += 1
        self.model.rights.step = self.steps
        self._time_passes()
        self.machines.something_breaks()
        for member in self.choose.sample(self.crowd, min(self.nature.bustle, len(self.crowd))):
            self._acts(member)
        self.post.send_again()
        self.post.arrive()
        for server in self.machines.alive():
            self.machines.work(server)
        self.post.come_back()
        self.machines.come_back()
        self.check()

    def check(self) -> None:
        """What must hold after every step."""
        if self.records.tracebacks:
            self.violated(f"a server stumbled: {self.records.tracebacks[0]}")
        self.model.read(self.disk.reader)
        self.post.judge_refusals()
        while self.heard:
            self.model.listened(*self.heard.pop())

    def _come_to_rest(self) -> None:
        """The weather clears up, nothing breaks any more, and everyone must be answered."""
        self.nature.calm_down()
        self.nature.bustle = 0
        self.machines.calm_down()
        left = REST
        while waiting := [each for member in self.crowd for each in member.waiting.values()]:
            if not left:
                self.violated(f"{waiting[0].intent} was never answered")
            left -= 1
            self.step()

    def _acts(self, member: Member) -> None:
        """Somebody goes to the office, listens, or wants something at a table."""
        server = self.machines.any()
        if server is None or len(member.waiting) > 2:
            return
        dice = self.choose.random()
        if not member.badges or dice < 0.02:
            self.machines.within(server, lambda: self.office.log_in(server, member))
        elif dice < 0.05:
            self.post.listens(member)
        elif dice < 0.05 + self.nature.office_rate:
            self.machines.within(server, lambda: self.office.visit(server, member))
        else:
            self.post.wants(member)

    def _time_passes(self) -> None:
        choose, nature = self.choose, self.nature
        self.time.passes(choose.random() * 2)
        if choose.random() < nature.long_waits:
            self.time.passes(choose.choice([10, 40, 700, 2000, 30_000]))
        if choose.random() < nature.long_waits / 4:
            for server in self.machines.alive():
                server.clock.jumps(choose.choice([-3600, -5, 5, 3600]))
                self.count_fault("a clock jumps")

    # Telling.

    def choice(self, odds: Mapping[T, float]) -> T:
        return self.choose.choices([*odds], [*odds.values()])[0]

    def in_hours(self, hours: float) -> str:
        return written(BEGINNING + timedelta(seconds=self.time.seconds + 3600 * hours))

    def count_fault(self, fault: str) -> None:
        self.faults[fault] += 1
        self.act(f"fault: {fault}")

    def act(self, what: str) -> None:
        self.actions.append(f"{self.steps}: {what}")

    def violated(self, what: str) -> NoReturn:
        raise Violation(what)
