"""Who is who, by the model's own books: accounts, roles, sessions, limits, money at the cage.

Written from the rules of the house and not from its code. It is told what the
house's log says, line by line, and demands of each line that somebody wanted
it who might.
"""

import json
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

PATRON, DEALER, FLOOR, SUPERVISOR, WATCH = (
    "patron", "dealer", "floorperson", "supervisor", "surveillance",
)  # fmt: skip
PIT = frozenset({FLOOR, SUPERVISOR})
PLAYER, CROUPIER = frozenset({PATRON}), frozenset({DEALER})

# Who may ask for what. The clock and the house are nobody's role.
MATRIX: dict[str, Set[str]] = {
    "open": PIT,
    "open_private": PLAYER | PIT,
    "close_table": PIT,
    "post_notice": PIT,
    "freeze": PIT,
    "thaw": {SUPERVISOR},
    "correct": {SUPERVISOR},
    "approve": PIT,
    "dispute": PLAYER | PIT,
    **dict.fromkeys(["sit", "buy_in", "bet", "ready", "move", "leave", "take_control"], PLAYER),
    **dict.fromkeys(["take_dealer", "no_more_bets", "deal"], CROUPIER),
    **dict.fromkeys(["report", "leave_dealer"], CROUPIER | PIT),
}
BY_THE_CLOCK = {"time_up", "change", "withdraw_notice", "leave", "close_table"}
BY_THE_HOUSE = {"open", "freeze", "software", "close_table"}
ADMINISTERS = frozenset({SUPERVISOR})  # accounts
PAYS = PIT  # into accounts at the cage, and out of them

# Lines of the house's log that follow from no wish of anybody's.
BY_ITSELF = {
    "sealed", "started", "stopped", "cage", "clock_changed", "log_in_failed", "account_locked",
    "forbidden", "conflict", "adjustment", "large_wager", "large_win", "large_transfer",
}  # fmt: skip


class Broken(Exception):
    """What the model cannot agree to."""


def need(true: Any, otherwise: str) -> None:
    if not true:
        raise Broken(otherwise)


@dataclass
class Known:
    """Somebody with an account."""

    role: str
    closed: bool = False
    touched: int = 0  # the step at which something about them last changed
    limit: int | None = None
    looser: tuple[str, int | None] | None = None
    excluded: str | None = None
    bought: list[tuple[str, int]] = field(default_factory=list)

    def limit_at(self, at: str) -> int | None:
        return self.looser[1] if self.looser and self.looser[0] <= at else self.limit


@dataclass
class Wish:
    """Something that somebody asked of the house itself, and what came of it."""

    kind: str
    by: str
    about: dict[str, Any]
    state: str = "unknown"  # done, refused, or nobody knows
    lines: int = 0  # of the house's log that say it
    role: str = ""


def a_day_before(at: str) -> str:
    moment = datetime.fromisoformat(at) - timedelta(hours=24)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Rights:
    """The people of the house, as the model has them."""

    def __init__(self) -> None:
        self.step = 0
        self.number = 0  # of lines heard
        self.people: dict[str, Known] = {}
        self.sessions: dict[str, tuple[str, str]] = {}  # whose, and until when
        self.ended: set[str] = set()
        self.lends = True
        self.cage: Counter[str] = Counter()  # by account; "" is cash that belongs to nobody
        self.cash = 0
        self.tables: Counter[str] = Counter()  # what was brought to each
        self.wishes: list[Wish] = []
        self.due: Counter[tuple[str, str, int, int]] = Counter()  # transfers tables have made
        self.funds: dict[tuple[str, str], tuple[str, int]] = {}  # what was asked of the cage

    # What somebody wants.

    def wish(self, kind: str, by: str, **about: Any) -> Wish:
        wish = Wish(kind, by, about)
        self.wishes.append(wish)
        return wish

    def _granted(self, kind: str, by: str, said: dict[str, Any]) -> None:
        for wish in sorted(self.wishes, key=lambda each: each.state != "done"):
            fits = wish.kind == kind and wish.by == by and wish.state != "refused"
            if fits and not wish.lines and wish.about.items() <= said.items():
                wish.lines = 1
                return
        raise Broken(f"nobody asked for this line of the house's log: {kind} by {by}: {said}")

    def settle(self) -> None:
        """Everything that was done is written down, once; what is settled is forgotten."""
        for wish in self.wishes:
            need(
                wish.lines == 1 or wish.state != "done",
                f"{wish.kind} by {wish.by} was done, and is in no log: {wish.about}",
            )
        self.wishes = [each for each in self.wishes if each.state == "unknown" and not each.lines]
        self.wishes = self.wishes[-200:]
        missing = +self.due
        need(not missing, f"tables moved money that the house's log does not have: {dict(missing)}")

    # Who may what.

    def may(self, account: str, session: str, what: str, at: str) -> None:
        """Demand that somebody may do this, by what the log says up to here."""
        known = self.people.get(account)
        need(known is not None, f"{account} acts, who has no account")
        assert known is not None
        need(not known.closed, f"{account} acts, whose account is closed")
        need(session not in self.ended, f"{account} acts in session {session}, which has ended")
        whose, until = self.sessions.get(session, ("", ""))
        need(whose == account, f"{account} acts in session {session}, which is not theirs")
        need(at < until, f"{account} acts at {at} in session {session}, which ended {until}")
        need(known.role in MATRIX.get(what, ()), f"a {known.role} did {what}")

    def might(self, account: str, session: str, what: str, since: int, at: str) -> bool:
        """Whether somebody surely might do this all the time since a step."""
        known = self.people.get(account)
        if known is None or known.closed or known.touched >= since:
            return False
        whose, until = self.sessions.get(session, ("", ""))
        return whose == account and at < until and known.role in MATRIX.get(what, ())

    def sees_all(self, account: str) -> bool:
        return self.people[account].role == WATCH

    def buys(self, account: str, cents: int, at: str) -> None:
        """Demand that somebody may buy in for this much; then they have."""
        known = self.people[account]
        need(not known.excluded or known.excluded <= at, f"{account} is excluded and bought in")
        known.bought = [each for each in known.bought if each[0] > a_day_before(at)]
        limit, bought = known.limit_at(at), sum(cents for _, cents in known.bought)
        need(limit is None or bought + cents <= limit, f"{account} bought in beyond their limit")
        need(self.lends or self.cage[account] >= cents, f"{account} bought in without money")
        known.bought.append((at, cents))
        self.moves(account, -cents)

    def moves(self, account: str, cents: int) -> None:
        self.cage[account] += cents
        if account in self.people:
            self.people[account].touched = self.step

    # The house's log.

    def hear(self, kind: str, actor: str, at: str, data: str, money: str | None) -> None:
        """One line of the house's log."""
        self.number += 1
        said = json.loads(data)
        if kind in ("bought_in", "cashed_out"):
            self._transferred(kind, said)
        elif kind not in BY_ITSELF:
            self._granted(kind, actor, said)
        if kind in HEARD:
            HEARD[kind](self, said, actor, at)
        if money is not None:
            need(sum(json.loads(money).values()) == 0, f"{kind} makes money of nothing: {money}")

    def _transferred(self, kind: str, said: dict[str, Any]) -> None:
        cents = -said["cents"] if kind == "bought_in" else said["cents"]
        key = (said["table"], said["account"], said["event"], cents)
        need(self.due[key] > 0, f"no table made this transfer, or it is written twice: {key}")
        self.due[key] -= 1
        self.tables[said["table"]] -= cents

    def _touch(self, account: str) -> Known:
        known = self.people[account]
        known.touched = self.step
        return known

    def _account_created(self, said: dict[str, Any], actor: str, at: str) -> None:
        need(said["account"] not in self.people, "an account was opened twice")
        self.people[said["account"]] = Known(said["role"], touched=self.step)
        need(
            said["role"] == PATRON or actor == "house" or self.people[actor].role in ADMINISTERS,
            f"{actor} appointed a {said['role']}",
        )

    def _log_in(self, said: dict[str, Any], actor: str, at: str) -> None:
        need(not self.people[actor].closed, f"{actor} logged in, whose account is closed")
        need(said["session"] not in self.ended, "a session began that had ended")
        self.sessions[said["session"]] = actor, said["expires_at"]

    def _session_renewed(self, said: dict[str, Any], actor: str, at: str) -> None:
        whose, until = self.sessions.get(said["session"], ("", ""))
        need(whose == actor, f"{actor} renewed a session that is not theirs, or has ended")
        need(at < until, f"{actor} renewed a session that had run out")
        self.sessions[said["session"]] = actor, said["expires_at"]

    def _log_out(self, said: dict[str, Any], actor: str, at: str) -> None:
        need(self.sessions.get(said["session"], ("",))[0] == actor, "another was logged out")
        self._end(said["session"])
        self._touch(actor)

    def _end(self, session: str) -> None:
        self.sessions.pop(session, None)
        self.ended.add(session)

    def _end_all(self, account: str) -> None:
        for session in [each for each, (whose, _) in self.sessions.items() if whose == account]:
            self._end(session)
        self._touch(account)

    def _administers(self, actor: str, roles: frozenset[str] = ADMINISTERS) -> None:
        if actor != "house":
            known = self.people[actor]
            need(known.role in roles, f"a {known.role} changed an account")
            need(not known.closed, f"{actor} changed an account, whose own is closed")
            there = any(whose == actor for whose, _ in self.sessions.values())
            need(there, f"{actor} changed an account, and is not logged in")

    def _role_changed(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._administers(actor)
        self._touch(said["account"]).role = said["after"]

    def _password_set(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._administers(actor)
        self._end_all(said["account"])

    def _account_closed(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._administers(actor)
        need(not self.people[said["account"]].closed, "an account was closed twice")
        self._end_all(said["account"])
        self.people[said["account"]].closed = True

    def _account_unlocked(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._administers(actor, PIT)

    def _cage(self, said: dict[str, Any], actor: str, at: str) -> None:
        self.lends = said["lends"]

    def _limit_set(self, said: dict[str, Any], actor: str, at: str) -> None:
        known = self._touch(said["account"])
        need(said["account"] == actor, f"{actor} set the limit of {said['account']}")
        was, cents = known.limit_at(at), said["cents"]
        tighter = cents is not None and (was is None or cents <= was)
        known.limit, known.looser = was, None
        if tighter or was == cents:
            known.limit = cents
        else:
            tomorrow = datetime.fromisoformat(at) + timedelta(hours=24)
            said_from = datetime.fromisoformat(said["from"])
            need(said_from >= tomorrow, "a looser limit counts before a day has gone by")
            known.looser = said["from"], cents

    def _excluded(self, said: dict[str, Any], actor: str, at: str) -> None:
        known = self._touch(said["account"])
        need(said["account"] == actor, f"{actor} excluded {said['account']}")
        need(said["until"] >= (known.excluded or ""), "an exclusion was made shorter")
        known.excluded = said["until"]

    def _paid_in(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._paid(said, actor, 1)

    def _paid_back(self, said: dict[str, Any], actor: str, at: str) -> None:
        self._paid(said, actor, -1)

    def _paid(self, said: dict[str, Any], actor: str, sign: int) -> None:
        """The amount is what was asked for: the line itself names the request."""
        if actor != "house":
            need(self.people[actor].role in PAYS, f"a {self.people[actor].role} paid in or out")
            need(not self.people[actor].closed, f"{actor} paid in or out, whose account is closed")
        wish = self.funds.pop((actor, said["request"]), None)
        need(wish is not None, "money was paid that nobody asked for, or it was paid twice")
        assert wish is not None
        account, cents = wish
        need(account == said["account"] and (cents > 0) == (sign > 0), "another sum was paid")
        need(cents > 0 or self.cage[account] + cents >= 0, "more was paid out than was there")
        self.moves(account, cents)
        self.cash -= cents


Heard = Callable[[Rights, dict[str, Any], str, str], None]

HEARD: dict[str, Heard] = {
    "account_created": Rights._account_created,
    "log_in": Rights._log_in,
    "session_renewed": Rights._session_renewed,
    "log_out": Rights._log_out,
    "role_changed": Rights._role_changed,
    "password_set": Rights._password_set,
    "account_closed": Rights._account_closed,
    "account_unlocked": Rights._account_unlocked,
    "cage": Rights._cage,
    "limit_set": Rights._limit_set,
    "excluded": Rights._excluded,
    "paid_in": Rights._paid_in,
    "paid_back": Rights._paid_back,
    "unlock_proposed": Rights._account_unlocked,
}
