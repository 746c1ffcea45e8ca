"""The network of the glass: letters are late, lost, doubled and overtaken by others."""

import heapq
import json
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

from tests.glass.model import Intent

if TYPE_CHECKING:
    from tests.glass.nature import Nature

PATIENCE = 12  # steps after which a client sends the same again


@dataclass
class Badge:
    """A session of somebody, as they hold it."""

    session: str
    token: str
    expires_at: str
    device: str = ""


@dataclass
class Sending:
    """A command that a client wants answered: sent again, with the same key, until it is."""

    intent: Intent
    member: Any
    badge: Badge
    again_at: int = 0
    to: str = ""  # the server that is said to run the table


@dataclass(order=True)
class Letter:
    due: int
    order: int
    to: str = field(compare=False)
    sending: Sending = field(compare=False)
    token: str = field(compare=False, default="")
    content: Any = field(compare=False, default=None)  # JSON to a server, an outcome to a client


@dataclass
class Weather:
    """How bad the network is: the odds of each mishap, for each letter."""

    lost: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    shuffled: float = 0.5


class Network:
    """All letters on their way."""

    def __init__(self, choose: Random, nature: "Nature") -> None:
        self.choose, self.nature = choose, nature
        self.to_servers: list[Letter] = []
        self.to_clients: list[Letter] = []
        self.mishaps = {"lost": 0, "doubled": 0, "late": 0}
        self._order = count()

    def ask(self, now: int, to: str, sending: Sending) -> None:
        text = self._text(sending.intent.body)
        self._post(self.to_servers, now, to, sending, sending.badge.token, text)

    def reply(self, now: int, sending: Sending, outcome: Any) -> None:
        self._post(self.to_clients, now, "", sending, "", outcome)

    def _text(self, body: dict[str, Any]) -> str:
        """The command in JSON, whose keys may come in any order."""
        return json.dumps(self._shuffled(body))

    def _shuffled(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        names = [*value]
        if self.choose.random() < self.nature.weather.shuffled:
            self.choose.shuffle(names)
        return {name: self._shuffled(value[name]) for name in names}

    def _happens(self, mishap: str) -> bool:
        happens = bool(self.choose.random() < getattr(self.nature.weather, mishap))
        self.mishaps[mishap] += happens
        return happens

    def _post(self, box: list[Letter], now: int, *what: Any) -> None:
        for _ in range(2 if self._happens("doubled") else 1):
            if self._happens("lost"):
                continue
            due = now + (self.choose.randrange(1, 25) if self._happens("late") else 0)
            heapq.heappush(box, Letter(due, next(self._order), *what))

    def arriving(self, box: list[Letter], now: int) -> list[Letter]:
        found = []
        while box and box[0].due <= now:
            found.append(heapq.heappop(box))
        return found
