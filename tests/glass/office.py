"""The office: what people want of the house itself. They come in and go, are appointed and
dismissed, pay in at the cage and set themselves limits.

Nothing here has a key that makes it safe to send twice, but paying in and out: whoever was not
answered looks what became of it, and the model finds it in the house's log, or does not.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from croupier.floor.people import Welcome
from croupier.floor.roles import Denial, NotAllowed, Person, Role
from croupier.rulebook import Refusal
from tests.glass.crowd import KINDS, Member, Patron
from tests.glass.network import Badge
from tests.glass.rights import Wish
from tests.glass.servers import Server

if TYPE_CHECKING:
    from tests.glass.world import World

NAMES = ["Ann", "Bob", "Cat", "Dora", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou"]


class Office:
    """Everything that is asked of the house's own log."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.funded = 0

    def _ask(self, server: Server, wish: Wish, what: Callable[[], Any]) -> Any:
        """Ask, and say to the model what came of it."""
        answer = server.attempt(what)
        if isinstance(answer, NotAllowed | Refusal):
            wish.state = "refused"
        elif server.is_alive and not isinstance(answer, Exception):
            wish.state = "done"
        return answer

    # The operator, at the house's own machine.

    def hire(self, role: str, server: Server) -> Member | None:
        """Open an account for somebody new."""
        world = self.world
        name = f"{NAMES[len(world.crowd) % len(NAMES)]} {len(world.crowd)}"
        member = KINDS[role](world, name, role, "")
        rights = world.model.rights
        wish = rights.wish("account_created", "house", name=name, role=role)
        account = self._ask(server, wish, lambda: server.people.create(
            name, member.password, Role(role), by="house"
        ))  # fmt: skip
        if not isinstance(account, str):
            return None
        member.account = account
        return member

    def appoint(self, server: Server) -> None:
        """If nobody is left to run the house, the operator sees to it."""
        for role in ("supervisor", "floorperson"):
            if not any(each.role == role for each in self._open()):
                fallen = [each for each in self._open() if isinstance(each, KINDS[role])]
                if fallen:
                    self.set_role(server, fallen[0], role, "house")

    def _open(self) -> list[Member]:
        known = self.world.model.rights.people
        return [
            each for each in self.world.crowd
            if each.account in known and not known[each.account].closed
        ]  # fmt: skip

    def give(self, server: Server, patron: Member, cents: int) -> None:
        """The operator pays in for somebody."""
        rights, request = self.world.model.rights, f"gift-{patron.account}"
        rights.funds["house", request] = patron.account, cents
        about = {"request": request, "account": patron.account}
        wish = rights.wish("paid_in", "house", **about)
        self._ask(server, wish, lambda: server.cage.fund(
            patron.account, cents, by="house", why="welcome", request=request
        ))  # fmt: skip

    def visit(self, server: Server, member: Member) -> None:
        """Somebody comes to the office; what they come for is not always theirs to want."""
        self.appoint(server)
        badge = member.badge()
        if badge is None or not server.is_alive:
            return
        act = self.world.choice(VISITS)
        self.world.act(f"{member} comes to the office at {server}: {act.__name__}")
        act(self, server, member, badge)

    # Coming and going.

    def log_in(self, server: Server, member: Member) -> None:
        choose, rights = self.world.choose, self.world.model.rights
        device = member.badges[-1].device if member.badges and choose.random() < 0.7 else ""
        wrong = choose.random() < 0.08
        wish = rights.wish("log_in", member.account)
        came = self._ask(server, wish, lambda: server.people.log_in(
            member.name, "wrong password" if wrong else member.password, device
        ))  # fmt: skip
        if isinstance(came, Welcome):
            wish.about["session"] = came.person.session
            if wrong:
                self.world.violated(f"{member} came in with a wrong password")
            if came.person.account != member.account:
                self.world.violated(f"{member} came in as {came.person.account}")
            badge = Badge(
                came.person.session, came.token.text, came.token.expires_at, came.device or ""
            )
            member.badges = [*member.badges[-3:], badge]
        elif isinstance(came, NotAllowed) and not wrong and member.other_password:
            member.password, member.other_password = member.other_password, member.password

    def renew(self, server: Server, member: Member, badge: Badge) -> None:
        about = {"session": badge.session}
        wish = self.world.model.rights.wish("session_renewed", member.account, **about)
        token = self._ask(server, wish, lambda: server.people.renew(badge.token))
        if token is not None and not isinstance(token, Exception):
            badge.token, badge.expires_at = token.text, token.expires_at
        elif isinstance(token, NotAllowed) or self.world.choose.random() < 0.5:
            self._drop(member, badge)  # who was not answered logs in again

    def log_out(self, server: Server, member: Member, badge: Badge) -> None:
        about = {"session": badge.session}
        wish = self.world.model.rights.wish("log_out", member.account, **about)
        self._ask(server, wish, lambda: server.people.log_out(badge.token))
        if self.world.choose.random() < 0.7:  # some keep an old token, and try it later
            self._drop(member, badge)

    def _drop(self, member: Member, badge: Badge) -> None:
        member.badges = [each for each in member.badges if each is not badge]

    # A supervisor, about others.

    def supervise(self, server: Server, boss: Member, badge: Badge) -> None:
        by = server.attempt(lambda: server.people.check(badge.token))
        if not isinstance(by, Person):
            return
        if self.world.choose.random() < 0.3:
            self.world.machines.meanwhile()  # others act between the door and the office
            if not server.is_alive:
                return
        others = [each for each in self._open() if each is not boss]
        if others:
            about = self.world.choose.choice(others)
            act = self.world.choice({
                self._move: 6, self._new_password: 2, self._close: 0.4, self._unlock: 2,
            })  # fmt: skip
            act(server, about, by)

    def _move(self, server: Server, about: Member, by: Person) -> None:
        """Dismiss somebody, or give them back their role."""
        usual = next(role for role, kind in KINDS.items() if type(about) is kind)
        role = "patron" if about.role == usual else usual
        self.set_role(server, about, role, by)

    def set_role(self, server: Server, about: Member, role: str, by: Person | str) -> None:
        actor = by.account if isinstance(by, Person) else by
        meant = {"account": about.account, "after": role}
        wish = self.world.model.rights.wish("role_changed", actor, **meant)
        people = server.people
        self._ask(server, wish, lambda: people.set_role(about.account, Role(role), by=by))
        if wish.state == "done":
            about.role = role

    def _new_password(self, server: Server, about: Member, by: Person) -> None:
        rights, new = self.world.model.rights, f"password {self.world.steps} of {about.name}"
        wish = rights.wish("password_set", by.account, account=about.account)
        people = server.people
        self._ask(server, wish, lambda: people.set_password(about.account, new, by=by))
        if wish.state == "done":
            about.password = new
        elif wish.state == "unknown":
            about.other_password = new

    def _close(self, server: Server, about: Member, by: Person) -> None:
        wish = self.world.model.rights.wish("account_closed", by.account, account=about.account)
        self._ask(server, wish, lambda: server.people.close_account(about.account, by=by))

    def _unlock(self, server: Server, about: Member, by: Person) -> None:
        """The first of two proposes, the second does it."""
        rights = self.world.model.rights
        wishes = [
            rights.wish(kind, by.account, account=about.account)
            for kind in ("unlock_proposed", "account_unlocked")
        ]
        done = server.attempt(lambda: server.people.unlock(about.account, by=by))
        for wish, is_it in zip(wishes, (done is False, done is True), strict=True):
            if isinstance(done, bool | NotAllowed):
                wish.state = "done" if is_it else "refused"

    # The cage.

    def fund(self, server: Server, cashier: Member, badge: Badge) -> None:
        """Pay in or out, and ask again with the same key."""
        by = server.attempt(lambda: server.people.check(badge.token))
        if not isinstance(by, Person):
            return
        choose, rights = self.world.choose, self.world.model.rights
        patron = choose.choice([each for each in self.world.crowd if isinstance(each, Patron)])
        self.funded += 1
        request, cents = f"fund-{self.funded}", choose.choice([100_000, 500_000, -50_000, 700])
        key = by.account, request
        rights.funds[key] = patron.account, cents
        kind = "paid_in" if cents > 0 else "paid_back"
        wish = rights.wish(kind, by.account, request=request, account=patron.account)
        had: Any = None
        for _ in range(choose.randrange(1, 4)):
            if not server.is_alive or server.is_lame:
                break
            has = self._ask(server, wish, lambda: server.cage.fund(
                patron.account, cents, by=by, why="cash", request=request
            ))  # fmt: skip
            if isinstance(has, int):
                self._same(had, has, request)
                had = has
        if had is not None:
            wish.state = "done"
        elif wish.state == "refused":
            rights.funds.pop(key, None)

    def _same(self, had: Any, has: int, request: str) -> None:
        if had is not None and had != has:
            self.world.violated(f"{request} was answered {had}, and then {has}")

    def limit(self, server: Server, patron: Member, badge: Badge) -> None:
        """A patron's own limit, or an exclusion."""
        choose, rights = self.world.choose, self.world.model.rights
        by = server.attempt(lambda: server.people.check(badge.token))
        if not isinstance(by, Person):
            return
        if choose.random() < 0.85:
            cents = choose.choice([None, 100_000, 400_000, 2_000_000])
            wish = rights.wish("limit_set", by.account, account=by.account, cents=cents)
            self._ask(server, wish, lambda: server.cage.limit(by, cents))
        else:
            until = self.world.in_hours(choose.choice([1, 30]))
            wish = rights.wish("excluded", by.account, account=by.account)
            self._ask(server, wish, lambda: server.cage.exclude(by, until))

    def open_table(self, server: Server, member: Member, badge: Badge) -> None:
        self.world.post.opens(member)


Visit = Callable[[Office, Server, Member, Badge], None]

VISITS: dict[Visit, float] = {
    Office.renew: 3,
    Office.log_out: 1.5,
    Office.limit: 0.7,
    Office.fund: 2,
    Office.supervise: 4,
    Office.open_table: 1,
}


def is_stale(answer: Any) -> bool:
    """Whether somebody has to log in again."""
    return isinstance(answer, NotAllowed) and answer.code is Denial.BAD_TOKEN
