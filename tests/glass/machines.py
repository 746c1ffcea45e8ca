"""The machines: the servers of a world, how they start, work, die and are started again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from croupier.floor.commands import Command
from croupier.floor.live import LiveTable
from croupier.floor.storage import StorageError
from croupier.simulation.streams import SeededStream
from tests.glass.network import Sending
from tests.glass.servers import Died, Server

if TYPE_CHECKING:
    from tests.glass.world import World

Waiting = list[tuple[Command, Sending]]


class Machines:
    """All servers of a world."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.servers: dict[str, Server] = {}
        self.inbox: dict[str, Waiting] = {}  # what has come through the door, by server
        self.power_is_lost: tuple[bytes, bytes] | None = None
        self._running: list[Server] = []  # one, or one that waits and another
        self._starts = 0

    def start(self) -> Server | None:
        """A new server; None if it dies at once, or cannot open its doors now."""
        world = self.world
        self._starts += 1
        server = Server(world, f"server-{self._starts}", SeededStream(world.seed, self._starts))
        self.servers[server.name], self.inbox[server.name] = server, []
        world.act(f"{server} starts")
        answer = self.within(server, server.open)
        if isinstance(answer, StorageError):
            self.bury(server)
        return server if server.is_alive else None

    def within(self, server: Server, what: Callable[[], Any]) -> Any:
        """Let a server do something: what comes of it, or why not, or None if it dies."""
        self._running.append(server)
        try:
            return server.attempt(what)
        finally:
            self._running.pop()

    def alive(self) -> list[Server]:
        return [each for each in self.servers.values() if each.is_alive and not each.is_lame]

    def any(self) -> Server | None:
        there = self.alive()
        return self.world.choose.choice(there) if there else None

    def owner(self, stream: str) -> Server | None:
        return next((each for each in self.alive() if stream in each.pit.tables), None)

    def look_at(self, stream: str) -> LiveTable | None:
        """A table, as some server shows it."""
        owner = self.owner(stream)
        if owner is not None and self.world.choose.random() < 0.97:
            return owner.pit.tables[stream]
        server = self.any()
        if server is None:
            return None
        table = self.within(server, lambda: server.pit.seen(stream))
        return table if isinstance(table, LiveTable) else None

    # Working.

    def work(self, server: Server) -> None:
        """What waits at a server is decided, all of it at once, or later."""
        choose = self.world.choose
        if not server.is_alive:
            return
        if self.inbox[server.name] and choose.random() < self.world.nature.haste:
            waiting, self.inbox[server.name] = self.inbox[server.name], []
            self.world.commands += len(waiting)
            self.world.batches += 1
            outcome = self.world.post.outcome
            work = [
                (command, lambda said, s=sending, c=command: outcome(server, s, c, said))
                for command, sending in waiting
            ]
            self.within(server, lambda: server.pit._perform(work))
        if server.is_alive and choose.random() < 0.5:
            self.within(server, server.pit.tick)
        if server.is_alive:
            server.is_lame = server.is_lame or server.pit.failed is not None

    def meanwhile(self) -> None:
        """While one server waits for the database, the others go on."""
        if len(self._running) == 1 and self.power_is_lost is None:
            for server in self.alive():
                if server not in self._running and self.world.choose.random() < 0.5:
                    self.world.act(f"meanwhile {server} goes on")
                    self.within(server, server.pit.take_over)
                    self.work(server)
        if self._running and not self._running[-1].is_alive:
            raise Died  # it did so while it waited

    # Dying.

    def bury(self, server: Server) -> None:
        """A server is gone, with all that it had not answered."""
        if server.is_alive:
            self.world.act(f"{server} dies")
        server.die()
        self.inbox.pop(server.name, None)
        self.servers.pop(server.name, None)

    def bury_all(self) -> None:
        for server in [*self.servers.values()]:
            self.bury(server)

    def lose_power(self, content: tuple[bytes, bytes]) -> None:
        """Everything stops at once; whoever is in the middle of something does not go on."""
        self.world.act("the power is lost")
        self.power_is_lost = content
        self.bury_all()

    def something_breaks(self) -> None:
        world, there = self.world, self.alive()
        nature, choose = world.nature, world.choose
        if not nature.fates or not there or choose.random() >= nature.fault_rate:
            return
        server, fate = choose.choice(there), world.choice(nature.fates)
        if fate in ("death", "cut") and choose.random() < 0.2:
            world.count_fault(f"{fate} at rest")
            if fate == "death":
                self.bury(server)
            else:
                server.storage.file.cut()
        else:
            server.doom(fate, choose.randrange(0, 16))

    def come_back(self) -> None:
        """The power comes back, and servers are started again."""
        for server in [*self.servers.values()]:
            if server.is_lame:
                self.bury(server)
        self._power_up()
        while len(self.servers) < self.world.nature.servers:
            is_up = self.start()
            self._power_up()
            if is_up is None and self.world.choose.random() < 0.5:
                break

    def _power_up(self) -> None:
        if self.power_is_lost is not None:
            self.world.recovery.power_comes_back()

    def calm_down(self) -> None:
        for server in self.alive():
            server.fate, server.storage.file.outage = None, 0

    def close(self) -> None:
        for server in [*self.servers.values()]:
            server.storage.close()
