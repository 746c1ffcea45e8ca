"""Commands: what people, the clock and the house ask of a table, and how they are turned away."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from croupier.floor.events import canonical, digest
from croupier.floor.live import Input, Terms
from croupier.floor.roles import Person, Role, allow, allow_by_itself
from croupier.floor.software import software

CLOCK = Person("clock", "the clock", Role.SUPERVISOR, "")
THE_HOUSE = Person("house", "the house", Role.SUPERVISOR, "")
NOT_KNOWN = (
    "whether this command was kept is not known until it can be read again: then send it once "
    "more with the same key"
)


class Unavailable(Exception):
    """The house cannot take commands now; what was acknowledged is safe. The message says so where
    it is not known whether the command was kept."""


class ElsewhereOwned(Exception):
    """Another server runs this table."""

    def __init__(self, stream: str, address: str | None) -> None:
        super().__init__(f"table {stream} is run by another server")
        self.stream, self.address = stream, address


@dataclass(frozen=True)
class Command:
    """Somebody wants something of a table. The request id makes it safe to send twice."""

    stream: str
    by: Person
    request: str
    body: Input

    @property
    def digest(self) -> str:
        return digest(canonical([self.stream, self.body]))


Outcome = str | Exception  # the reply, in JSON, exactly as it is remembered


def opening(
    game: str, name: str, options: Mapping[str, Any] | None = None, terms: Terms | None = None,
    *, private: bool = False, link: str | None = None,
) -> Input:  # fmt: skip
    """The command that opens a table."""
    return {
        "do": "open", "game": game, "name": name, "options": dict(options or {}),
        "terms": asdict(terms or Terms()), "software": software(),
        "private": private, "link": link,
    }  # fmt: skip


def new_id() -> str:
    """An id for a table, which cannot be guessed."""
    return secrets.token_hex(6)


def allow_at(by: Person, command: str) -> None:
    """Refuse a command that is not for this role, or not for the clock or the house."""
    if by in (CLOCK, THE_HOUSE):
        allow_by_itself(by.account, command)
    else:
        allow(by, command)
