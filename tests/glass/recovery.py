"""After a death: what was acknowledged is there, every table opens, and the auditor is content.

And after damage: nothing is believed that is not the house's, what is damaged is named, and
what is not goes on.
"""

from collections import Counter
from typing import TYPE_CHECKING

from croupier.floor.commands import Command
from croupier.floor.roles import Person, Role
from tests.glass.harm import Harm
from tests.glass.model import Intent
from tests.glass.rights import need
from tests.glass.servers import Server, verdict

if TYPE_CHECKING:
    from tests.glass.world import World

SAMPLE = 12  # acknowledged commands that are sent again after each recovery


class Recovery:
    """All servers die, and the floor comes back."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.harm = Harm(world)

    def power_comes_back(self) -> None:
        """The file is as the power left it. What had been committed before is in it."""
        world = self.world
        content, world.machines.power_is_lost = world.machines.power_is_lost, None
        assert content is not None
        world.machines.bury_all()
        world.disk.continue_with(content)
        (last,) = world.disk.reader.execute("SELECT max(rowid) FROM events").fetchone()
        need((last or 0) >= world.model.rows, "committed events are gone when the power comes back")
        world.recoveries += 1

    def everyone_dies(self, *, at_the_end: bool = False) -> None:
        world = self.world
        content = world.disk.content()
        world.machines.bury_all()
        world.disk.continue_with(content)
        if world.choose.random() < world.nature.harm_rate:
            self.harm.befalls(content)
        world.act("everyone dies")
        server = world.machines.start()
        need(server is not None, "no server starts after everyone has died")
        assert server is not None
        world.recoveries += 1
        world.model.read(world.disk.reader)
        self._everything_is_there(server, everything=at_the_end)
        while len(world.machines.servers) < world.nature.servers:
            need(world.machines.start(), "a server does not start")

    def _everything_is_there(self, server: Server, *, everything: bool) -> None:
        world = self.world
        need(not server.pit.broken, f"tables stay closed: {server.pit.broken}")
        for stream, ledger in world.model.tables.items():
            there = stream in server.pit.tables or ledger.status == "closed"
            need(there, f"{stream} is {ledger.status}, and was not opened")
            if stream in server.pit.tables:
                self.stands(server, stream)
        owed = world.model.owed()
        if not everything:
            owed = world.choose.sample(owed, min(SAMPLE, len(owed)))
        for intent in owed:
            self._same_answer(server, intent)
        world.model.check_all_there()
        world.model.compare_directory(world.disk.reader)
        found = verdict(server.storage, world.notary)
        need(found.is_sound, f"verify finds {[str(bad) for bad in found.bad[:3]]}")

    def stands(self, server: Server, stream: str, after: str = "") -> None:
        """A table that was opened again stands as the model has it."""
        live, ledger = server.pit.tables[stream], self.world.model.tables[stream]
        seats = {seat: (chair.account, chair.session) for seat, chair in live.chairs.items()}
        mine = {seat: (chair.account, chair.session) for seat, chair in ledger.chairs.items()}
        for what, held, meant in (
            ("event", live.number, ledger.number),
            ("money", +Counter(live.accounts()), +ledger.books),
            ("seats", seats, mine),
            ("status", live.status, ledger.status),
        ):
            same = held == meant
            need(same, f"{after}{stream} comes back with {what} {held}, and not {meant}")

    def answer(self, server: Server, intent: Intent) -> object:
        """What a command is answered that is sent once more."""
        by = Person(intent.actor, "", Role.PATRON, "a session of long ago")
        answers: list[object] = [None]
        command = Command(intent.stream, by, intent.request, intent.body)
        server.perform([(command, answers.append)])
        return answers[-1]

    def _same_answer(self, server: Server, intent: Intent) -> None:
        """Sent once more, a command that was acknowledged is answered as it was."""
        answer = self.answer(server, intent)
        same = answer == intent.reply
        need(same, f"{intent} was answered {intent.reply}, and after a restart {answer}")
