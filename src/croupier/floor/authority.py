"""Authority: that whoever gave a command might give it then.

Every input of a person says in which session it was given and how many events
the house's own log had then. By that log the session was open, and the account
had the role that the command needs; by the table's own log the seat was theirs.
"""

import math

from croupier.floor.events import LogEvent
from croupier.floor.live import Input, LiveTable
from croupier.floor.log import LogBroken, input_of
from croupier.floor.older import SINCE
from croupier.floor.register import Past
from croupier.floor.roles import NotAllowed, Person, allow, allow_by_itself
from croupier.rulebook import Refusal


class Authority:
    """Proves the commands of one table, in their order."""

    def __init__(self, past: Past, stream: str) -> None:
        self.past = past
        self.older = past.older(stream)  # events of a version that proved less
        self.house = 0  # how far the house's log had come

    def prove(self, live: LiveTable, written: list[LogEvent]) -> None:
        """`LogBroken` if the actor might not do what the log says they did."""
        event = written[0]
        said = input_of(event)
        wrong = self._wrong(live, event, said)
        if wrong:
            raise LogBroken(event.stream, event.number, wrong)

    def _wrong(self, live: LiveTable, event: LogEvent, said: Input) -> str:
        command = _named(said)
        if event.actor in ("clock", "house"):
            try:
                allow_by_itself(event.actor, command)
            except NotAllowed as why:
                return str(why)
            return ""
        if SINCE not in said:
            return self._wrong_by_older(live, event, said, command)
        number = said[SINCE]
        if type(number) is not int or number < self.house:
            return "the house's log had not so many events then"
        self.house = number
        if number >= self.past.unread_from:
            return ""  # what is wrong with the house's log is named there
        if number > self.past.number:
            return "the house's log had not so many events then"
        person = self.past.person_then(str(said.get("session")), number, event.at)
        if person is None or person.account != event.actor:
            return "by the house's log its actor was not logged in then"
        return _refused(live, said, command, person)

    def _wrong_by_older(self, live: LiveTable, event: LogEvent, said: Input, command: str) -> str:
        """Such a log says neither when nor in which session: the seat and a role must fit."""
        if self.house or event.number > self.older:
            return "it does not say in which session it was given"
        chair = live.dealer if said.get("seat") is None else live.chairs.get(said["seat"])
        session = str(said.get("session") or (chair.session if chair else ""))
        if self.past.unread_from < math.inf:
            return ""
        tried = [
            _refused(live, said, command, Person(event.actor, "", role, session))
            for role in sorted(self.past.ever(event.actor))
        ]
        return min(tried, default="by the house's log its actor has no account")


def _named(said: Input) -> str:
    """What the command is called in the list of who may do what."""
    if said["do"] != "open":
        return str(said["do"])
    return "open_private_table" if said["private"] else "open_table"


def _refused(live: LiveTable, said: Input, command: str, person: Person) -> str:
    """Why this person might not do it, if so."""
    try:
        allow(person, command)
        if not person.may_visit(live.stream):
            return "its actor was a guest of another table"
        live.check(said, person)
    except (NotAllowed, Refusal) as why:
        return f"its actor might not do it: {why}"
    return ""
