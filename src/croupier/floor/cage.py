"""The cage: what patrons have in the house beside the tables, and the limits they set themselves.

A buy-in comes out of a patron's account at the cage and a cash-out goes back
there. A house that lends, as a practice floor does, lets the account go below
zero; any other one lets people buy in for what somebody has paid in for them.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from croupier.equipment import dollars
from croupier.floor.clock import read, written
from croupier.floor.events import HOUSE, canonical, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.register import A_DAY, CASH, at_the_cage, on_table
from croupier.floor.roles import Denial, NotAllowed, Person, allow
from croupier.floor.rows import found, put
from croupier.floor.schema import requests
from croupier.rulebook import Fault, Refusal, custom, law

FUNDS = law("13:69O-1.4(h)")  # no wager without the money for it
OWN_LIMITS = custom("8.2")
MOST = 10**12  # cents that may be paid in at once
DAMAGED = (  # an event that cannot be read may have been a buy-in
    "the house's log is damaged, and what is at the cage is not sure. Restore it from a backup, or "
    "see what the tables' own logs say and pay out on the machine: croupier account fund --although"
)
FOREVER = "9999-12-31T00:00:00.000Z"


class Cage:
    """Paying in and out, and patrons' own limits."""

    def __init__(self, house: HouseLog) -> None:
        self.house = house

    # Buying in.

    def is_bounded(self, account: str) -> bool:
        """Whether somebody may buy in for so much and no more, at all tables together."""
        register = self.house.register
        known = register.accounts[account]
        return not register.lends or known.daily_buy_in is not None

    def refusal(self, account: str, cents: int, at: str, moved: Sequence[int]) -> Refusal | None:
        """Why somebody may not buy in for this much; `moved` is what they moved just now."""
        register = self.house.register
        known = register.accounts[account]
        if register.is_excluded(known, at):
            until = _until(known.excluded_until)
            return Refusal(Fault.FORBIDDEN, f"you have excluded yourself {until}", OWN_LIMITS)
        spent = -sum(each for each in moved if each < 0)
        limit = register.daily_buy_in(known, at)
        bought = register.bought_today(known, at) + spent
        if limit is not None and bought + cents > limit:
            message = (
                f"your own limit is {dollars(limit)} in 24 hours, and you have bought in for "
                f"{dollars(bought)}: you may still buy in for {dollars(max(0, limit - bought))}"
            )
            return Refusal(Fault.ABOVE_MAXIMUM, message, OWN_LIMITS)
        if not register.lends and register.damaged:
            return Refusal(Fault.NOT_NOW, f"no money is taken from the cage: {DAMAGED}", FUNDS)
        has = register.at_cage(account) + sum(moved)
        if not register.lends and cents > has:
            message = f"you have {dollars(has)} at the cage. This buy-in needs {dollars(cents)}"
            return Refusal(Fault.NO_FUNDS, message, FUNDS)
        return None

    def transfer(self, conn: Connection, stream: str, event: int, account: str, cents: int) -> None:
        """Write down what went from a table to somebody's account, or from there to the table."""
        kind = "bought_in" if cents < 0 else "cashed_out"
        theirs = at_the_cage(account) if account else CASH
        self.house.move(
            conn, kind, account or HOUSE, {theirs: cents, on_table(stream): -cents},
            account=account, table=stream, event=event, cents=abs(cents),
        )  # fmt: skip

    # Paying in and out.

    def fund(
        self, account: str, cents: int, *, by: Person | str, why: str, request: str,
        although: bool = False,
    ) -> int:  # fmt: skip
        """Pay money into somebody's account, or out of it; what is in it then.

        The same request is never done twice. While the house's log is damaged nobody is paid
        out, unless somebody on the machine says that they are `although` it is.
        """
        actor = by.account if isinstance(by, Person) else by
        if isinstance(by, Person):
            allow(by, "cage")
        elif by != HOUSE:
            raise NotAllowed(Denial.FORBIDDEN, "only the house pays in and out")
        if type(cents) is not int or not 0 < abs(cents) <= MOST:
            raise Refusal(Fault.BAD_AMOUNT, f"pay in or out whole cents, {dollars(MOST)} at most")
        with self.house.writing() as conn:
            said = digest(canonical([account, cents, why]))
            if (before := self._answered(conn, actor, request, said)) is not None:
                return before
            if isinstance(by, Person):
                self.house.still(by, "cage")
            register = self.house.register
            known = register.accounts.get(account)
            if known is None or (known.closed and cents > 0):
                raise NotAllowed(Denial.UNKNOWN_ACCOUNT)
            if cents < 0 and register.damaged and not (although and by == HOUSE):
                raise Refusal(Fault.NOT_NOW, f"the cage pays nobody out: {DAMAGED}", FUNDS)
            has = register.at_cage(account)
            if has + cents < 0 and cents < 0:
                message = f"there is {dollars(has)} at the cage for {known.name}"
                raise Refusal(Fault.NO_FUNDS, message, FUNDS)
            self.house.move(
                conn, "paid_in" if cents > 0 else "paid_back", actor,
                {at_the_cage(account): cents, CASH: -cents}, account=account, why=why,
                request=request,
            )  # fmt: skip
            answer = (actor, request, said, HOUSE, register.number + 1, str(has + cents),
                      self.house.clock.now())  # fmt: skip
            put(conn, requests, [(*answer, self.house.seal.of("request", *answer))])
        return has + cents

    def _answered(self, conn: Connection, actor: str, request: str, said: str) -> int | None:
        """What was answered, if this was done before."""
        for row in found(conn, requests, [(actor, request)]):
            if row.digest != said or not self.house.seal.fits(row.seal, "request", *row[:-1]):
                raise Refusal(Fault.CONFLICT, "this request id was used for something else")
            return int(row.reply)
        return None

    def statement(self, account: str) -> dict[str, Any]:
        """What somebody has at the cage, and the limits they have set themselves."""
        self.house.refresh()
        register, now = self.house.register, self.house.clock.now()
        known = register.accounts[account]
        return {
            "account": account,
            "cents": register.at_cage(account),
            "lends": register.lends,
            "daily_buy_in": register.daily_buy_in(known, now),
            "bought_today": register.bought_today(known, now),
            "excluded_until": known.excluded_until,
        }

    # Patrons' own limits.

    def limit(self, person: Person, cents: int | None) -> dict[str, Any]:
        """A patron's limit of buy-ins in 24 hours. A tighter one counts at once, another later."""
        with self.house.writing() as conn:
            self.house.still(person)
            now, register = self.house.clock.now(), self.house.register
            was = register.daily_buy_in(register.accounts[person.account], now)
            tighter = cents is not None and (was is None or cents <= was)
            since = now if tighter or was == cents else written(read(now) + A_DAY)
            said = {"account": person.account, "cents": cents, "from": since}
            self.house.note(conn, "limit_set", person.account, **said)
        return said

    def exclude(self, person: Person, until: str | None) -> dict[str, Any]:
        """A patron stays away from the tables, at once and for as long as they say, or for good.

        An exclusion can be made longer and never shorter.
        """
        with self.house.writing() as conn:
            self.house.still(person)
            known = self.house.register.accounts[person.account]
            until = max(until or FOREVER, known.excluded_until or "")
            said = {"account": person.account, "until": until}
            self.house.note(conn, "excluded", person.account, **said)
        return said


def _until(moment: str | None) -> str:
    return "for good" if moment in (None, FOREVER) else f"until {moment}"
