"""The post: what people send to tables, what comes back, and what they send again."""

import json
from typing import TYPE_CHECKING, Any

from croupier.floor import log
from croupier.floor.commands import Command, ElsewhereOwned, Unavailable, opening
from croupier.floor.roles import NotAllowed, Person
from croupier.floor.storage import StorageError
from croupier.games import registry
from croupier.rulebook import Refusal
from tests.glass.crowd import Member, Patron
from tests.glass.model import Intent
from tests.glass.network import PATIENCE, Letter, Network, Sending
from tests.glass.office import is_stale
from tests.glass.servers import Server

if TYPE_CHECKING:
    from tests.glass.world import World

MOST_TABLES = 8


class Post:
    """Everyone's commands, on their way there and back."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.network = Network(world.choose, world.nature)
        self.refusals: list[tuple[Intent, str, str, str, str]] = []  # for the model to judge

    # Sending.

    def wants(self, member: Member) -> None:
        """Somebody wants something at some table, or a table of their own."""
        if isinstance(member, Patron) and self.world.choose.random() < 0.005:
            self.opens(member)
        elif wanted := member.wants():
            self._new(member, *wanted)

    def opens(self, member: Member) -> None:
        world = self.world
        if not member.badges or len(world.streams) >= MOST_TABLES:
            return
        game = world.choose.choice(sorted(registry()))
        stream = world.new_stream()
        world.streams.append(stream)
        private = isinstance(member, Patron)
        self._new(member, stream, opening(game, f"Another {game}", private=private))

    def _new(self, member: Member, stream: str, body: dict[str, Any]) -> None:
        badge = member.badge()
        if badge is None:
            return
        body = {name: value for name, value in body.items() if value is not None or name == "link"}
        intent = self.world.model.sends(member.account, member.next_request(), stream, body)
        sending = Sending(intent, member, badge)
        member.waiting[intent.request] = sending
        self.world.act(f"{member} wants {body} at {stream} [{intent.request}]")
        self._send(sending)

    def _send(self, sending: Sending) -> None:
        """To the server that is said to run the table, or to one that has it, or to any."""
        world, machines = self.world, self.world.machines
        sending.again_at = world.steps + world.choose.randrange(2, PATIENCE)
        server = machines.servers.get(sending.to)
        if server is None or not server.is_alive:
            server = machines.owner(sending.intent.stream) or machines.any()
        if server is not None and world.choose.random() < 0.1:
            server = machines.any()
        if server is not None:
            self.network.ask(world.steps, server.name, sending)

    def send_again(self) -> None:
        """Whoever was not answered asks again, with the same key."""
        for member in self.world.crowd:
            for sending in [*member.waiting.values()]:
                if sending.again_at <= self.world.steps:
                    if member.badges and self.world.choose.random() < 0.3:
                        sending.badge = member.badges[-1]
                    self._send(sending)

    # At the servers.

    def arrive(self) -> None:
        for letter in self.network.arriving(self.network.to_servers, self.world.steps):
            server = self.world.machines.servers.get(letter.to)
            if server is not None and server.is_alive and not server.is_lame:
                self._at_the_door(server, letter)

    def _at_the_door(self, server: Server, letter: Letter) -> None:
        """Who is it? Then they wait for their turn, and meanwhile they may be somebody else."""
        machines, sending = self.world.machines, letter.sending
        intent = sending.intent
        person = machines.within(server, lambda: server.people.check(letter.token))
        if isinstance(person, Person):
            if person.account != intent.actor:
                self.world.violated(f"{intent.actor} was taken for {person.account}")
            command = Command(intent.stream, person, intent.request, json.loads(letter.content))
            if server.name in machines.inbox:
                machines.inbox[server.name].append((command, sending))
        elif isinstance(person, Exception):
            self.network.reply(self.world.steps, sending, person)

    def outcome(self, server: Server, sending: Sending, command: Command, outcome: Any) -> None:
        """A server answers."""
        intent = sending.intent
        if isinstance(outcome, str):
            self.world.act(f"{server} has done [{intent.request}]")
            self.world.model.answered(intent, outcome)
        elif isinstance(outcome, NotAllowed):
            code = outcome.code.value
            self._refused(
                server, sending, command, code.replace("forbidden", "not_allowed"), outcome
            )
        elif isinstance(outcome, Refusal):
            self._refused(server, sending, command, outcome.fault.value, outcome)
        elif not isinstance(outcome, ElsewhereOwned | Unavailable | StorageError):
            self.world.violated(
                f"{server} answered {intent} with {type(outcome).__name__}: {outcome}"
            )
        self.network.reply(self.world.steps, sending, outcome)

    def _refused(
        self, server: Server, sending: Sending, command: Command, fault: str, why: Exception
    ) -> None:
        intent = sending.intent
        self.world.act(f"{server} refuses [{intent.request}]: {why}")
        self.world.model.refuses(intent, str(why))
        said = fault, str(why), command.by.session, server.clock.now()
        self.refusals.append((intent, *said))

    def judge_refusals(self) -> None:
        refusals, self.refusals = self.refusals, []
        for refusal in refusals:
            self.world.model.judge(*refusal)

    # Coming back.

    def come_back(self) -> None:
        for letter in self.network.arriving(self.network.to_clients, self.world.steps):
            self._heard(letter.sending, letter.content)

    def _heard(self, sending: Sending, outcome: Any) -> None:
        member = sending.member
        if isinstance(outcome, ElsewhereOwned):
            sending.to, sending.again_at = outcome.address or "", self.world.steps + 1
        elif isinstance(outcome, Unavailable | StorageError):
            sending.to, sending.again_at = "", self.world.steps + 2
        else:
            member.waiting.pop(sending.intent.request, None)
            if is_stale(outcome):
                member.badges = [each for each in member.badges if each is not sending.badge]

    def listens(self, member: Member) -> None:
        """Somebody catches up with a table, at any server."""
        world = self.world
        server = world.machines.any()
        if server is None or not world.model.tables:
            return
        stream = world.choose.choice([*world.model.tables])
        after = world.choose.randrange(world.model.tables[stream].number + 1)
        sees_all = world.model.rights.sees_all(member.account)

        def read() -> list[int]:
            with server.storage.read() as conn:
                reader = None if sees_all else member.account
                return [each.number for each in log.read(conn, stream, after, reader=reader)]

        heard = world.machines.within(server, read)
        if isinstance(heard, list):
            world.heard.append((member.account, stream, after, heard))
