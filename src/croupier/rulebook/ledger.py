"""The ledger: money in whole cents, by account, in double entry.

Every movement leaves one account and enters another, so the sum of all is
always zero. A seat's account is what it holds in chips; the layout's is what
lies there in wagers.
"""

from typing import TYPE_CHECKING, Any

from croupier.equipment import dollars
from croupier.rulebook.citation import Citation, law
from croupier.rulebook.refusal import Fault, Refusal, brief

if TYPE_CHECKING:
    from croupier.rulebook.table import Table

LAYOUT = "layout"
HOUSE = "house"
CAGE = "cage"  # where chips come from, and go back to
POT = "pot"  # what hands have put together, until somebody has won it

MOST = 10**15  # cents; a greater sum is not worth printing
CHIPS = law("13:69E-1.6A")


def owed_by(seat: str) -> str:
    """The account of the vigorish that a seat owes: below zero until it is collected."""
    return f"vigorish owed by {seat}"


def buy_in(table: "Table", seat: str, amount: int) -> None:
    """A player gives cash and gets chips."""
    table.check_seat(seat)
    if type(amount) is not int or not 0 < amount <= MOST:
        raise Refusal(
            Fault.BAD_AMOUNT,
            f"{brief(amount)} cannot be bought in chips: "
            f"it must be whole cents above zero, and {dollars(MOST)} at most",
            CHIPS,
        )
    table.transfer(CAGE, seat, amount)
    table.record("buy_in", cite=CHIPS, seat=seat, amount=amount)


def cash_out(table: "Table", seat: str) -> int:
    """A player gives all the chips they hold and gets cash; what lies on the layout stays."""
    table.check_seat(seat)
    amount = max(table.money[seat], 0)
    if amount:
        table.transfer(seat, CAGE, amount)
        table.record("cash_out", cite=CHIPS, seat=seat, amount=amount)
    return amount


def correct(table: "Table", account: str, cents: int, cite: Citation, **why: Any) -> None:
    """The house makes good a payment that was wrong, or takes back what was paid too much."""
    table.transfer(HOUSE, account, cents)
    table.record("correction", cite=cite, account=account, amount=cents, **why)


def collect_vigorish(table: "Table", seat: str, *, pays: bool = True) -> None:
    """Remove a seat's marker: it pays or, if it does not, a form documents that it did not."""
    owed = table.owed(seat)
    if not owed:
        return
    collected, documented = table.game.vigorish_cites()
    if pays:
        table.transfer(seat, owed_by(seat), owed)
        table.record("vigorish", cite=collected, seat=seat, amount=owed, how="collected")
        return
    table.forms += 1
    table.transfer(HOUSE, owed_by(seat), owed)
    table.record(
        "complimentary_vigorish",
        cite=documented,
        seat=seat,
        amount=owed,
        form=table.forms,
        patron=table.players.get(seat, f"the patron of seat {seat}"),
        to_sign=["dealer", "pit boss", "pit clerk", "patron, or why not"],
    )
