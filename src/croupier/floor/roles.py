"""Roles: who may do what on the floor."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    PATRON = "patron"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"


_PATRON = frozenset({Role.PATRON})
_DEALER = frozenset({Role.DEALER})
_SUPERVISOR = frozenset({Role.SUPERVISOR})
_PIT = frozenset({Role.FLOORPERSON, Role.SUPERVISOR})

MAY: Mapping[str, frozenset[Role]] = {
    "open_table": _PIT,
    "open_private_table": _PATRON | _PIT,
    "close_table": _PIT,
    "post_notice": _PIT,
    "freeze": _PIT,
    "thaw": _SUPERVISOR,
    "correct": _SUPERVISOR,
    "approve": _PIT,
    "pay_out": _SUPERVISOR,
    "cage": _PIT,
    "sit": _PATRON,
    "buy_in": _PATRON,
    "bet": _PATRON,
    "ready": _PATRON,
    "move": _PATRON,
    "leave": _PATRON,
    "take_control": _PATRON,
    "take_dealer": _DEALER,
    "leave_dealer": _DEALER | _PIT,
    "no_more_bets": _DEALER,
    "deal": _DEALER,
    "report": _DEALER | _PIT,
    "dispute": _PATRON | _PIT,
    "reports": _PIT | {Role.SURVEILLANCE},
    "read_all": _SUPERVISOR | {Role.SURVEILLANCE},
    "accounts": _SUPERVISOR,
    "unlock": _PIT,
}
BY_ITSELF: Mapping[str, frozenset[str]] = {  # what follows from no person
    "clock": frozenset({"time_up", "change", "withdraw_notice", "leave", "close_table"}),
    "house": frozenset({
        "open_table", "open_private_table", "software", "freeze", "close_table", "post_notice",
    }),
}  # fmt: skip
NOT_FOR_GUESTS = frozenset({"open_private_table"})  # a guest visits one table


class Denial(StrEnum):
    """Every reason for which somebody is turned away. The list is closed."""

    BAD_CREDENTIALS = "bad_credentials"
    LOCKED = "locked"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    WEAK_PASSWORD = "weak_password"
    BAD_TOKEN = "bad_token"
    UNKNOWN_ACCOUNT = "unknown_account"
    FORBIDDEN = "forbidden"


_SENTENCES = {
    Denial.BAD_CREDENTIALS: "the name or the password is wrong",
    Denial.LOCKED: "too many failed log-ins: the account is locked for a while, "
    "or until a supervisor unlocks it",
    Denial.NAME_TAKEN: "that name is taken",
    Denial.BAD_TOKEN: "the session is over: log in again",
    Denial.UNKNOWN_ACCOUNT: "there is no such account, or it cannot be changed so",
}


class NotAllowed(Exception):
    """Somebody is turned away. The sentence holds nothing of what he typed."""

    def __init__(self, code: Denial, message: str = "") -> None:
        self.code = code
        self.message = message or _SENTENCES[code]
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose token was checked."""

    account: str
    name: str
    role: Role
    session: str
    guest_of: str | None = None

    @property
    def sees_all(self) -> bool:
        return self.role is Role.SURVEILLANCE

    def may_visit(self, table: str) -> bool:
        return self.guest_of in (None, table)


def allow(person: Person, command: str) -> None:
    """Refuse what is not listed for a person's role."""
    if person.role not in MAY.get(command, ()):
        raise NotAllowed(Denial.FORBIDDEN, f"a {person.role} may not do this")
    if person.guest_of is not None and command in NOT_FOR_GUESTS:
        raise NotAllowed(Denial.FORBIDDEN, "a guest may not do this")


def allow_by_itself(actor: str, command: str) -> None:
    """Refuse what neither the clock nor the house does without a person."""
    if command not in BY_ITSELF.get(actor, ()):
        raise NotAllowed(Denial.FORBIDDEN, f"the {actor} may not do this by itself")
