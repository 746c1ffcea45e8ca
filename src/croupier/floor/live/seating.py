"""The people at a table: they open it, sit down, buy chips, leave, and take the dealer's chair."""

from croupier.equipment import Chance, dollars
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import LIMITS, Chair, Input, Terms, in_order
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal, Table, custom


def open_table(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Open a table for a game, with its options and terms."""
    game = find_game(said["game"])
    if said["terms"]["equipment"] == "real" and said["terms"]["dealer"] != "person":
        needed = "real equipment needs a person who deals and says what came"
        raise Refusal(Fault.NOT_NOW, needed, game.cite)
    live.use_table(Table(game, said["options"]))
    live.given = dict(said["options"])
    live.terms = Terms(**said["terms"])
    live.name, live.software = said["name"], said["software"]
    live.private, live.link, live.opened_by = said["private"], said["link"], actor
    live.status = "open"
    live.stamp()
    live.tell(
        "opened", custom("8.2"), game=game.id, name=live.name,
        options=live.table.options.as_json(), terms=said["terms"],
    )  # fmt: skip


def sit(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Take a free seat, with chips if some are bought at once."""
    seat = said["seat"]
    live.table.check_seat(seat)
    if live.status != "open":
        raise Refusal(Fault.TABLE_CLOSED, "the table takes no more players", custom("8.2"))
    if seat in live.chairs:
        taken = f"seat {seat} is taken by {live.chairs[seat].name}"
        raise Refusal(Fault.SEAT_TAKEN, taken)
    live.table.game.may_sit(seat, live.seats_of(actor), live.table.options)
    chair = Chair(actor, said["name"], said["session"], playing=live.play is None)
    if chair.playing:
        live.table.sit(seat, actor)
    live.chairs = in_order({**live.chairs, seat: chair})
    live.tell("seated", custom("8.2"), seat=seat, name=chair.name)
    if said.get("buy_in"):
        buy_in(live, {"seat": seat, "amount": said["buy_in"]}, actor, chance)


def buy_in(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Bring money from the player's account at the cage to their seat."""
    amount, most = said["amount"], live.terms.most_buy_in
    if type(amount) is int and amount > most:
        message = f"{dollars(amount)} is more than may be bought at once, {dollars(most)}"
        raise Refusal(Fault.ABOVE_MAXIMUM, message, LIMITS)
    live.table.buy_in(said["seat"], amount)
    live.transfers.append((live.chairs[said["seat"]].account, -amount))


def leave(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Mark a seat to be given up; `let_go` pays the player when their wagers are decided."""
    chair = live.chairs[said["seat"]]
    if not chair.leaving:
        chair.leaving = True
        live.tell("leaving", custom("8.2"), seat=said["seat"], idle=actor == "clock")


def take_control(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Play the seat from this session from now on."""
    live.chairs[said["seat"]].session = said["session"]
    live.tell("control", None, seat=said["seat"])


def take_dealer(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Take the dealer's chair, where a person deals."""
    if live.terms.dealer != "person":
        raise Refusal(Fault.FORBIDDEN, "the house deals at this table")
    if live.dealer is not None and live.dealer.account != actor:
        raise Refusal(Fault.SEAT_TAKEN, f"{live.dealer.name} deals at this table")
    live.dealer = Chair(actor, said["name"], said["session"])
    live.tell("dealer", None, name=said["name"])


def leave_dealer(live: LiveState, said: Input, actor: str, chance: Chance | None) -> None:
    """Leave the dealer's chair, or relieve a dealer who has vanished."""
    if live.dealer is None:
        raise Refusal(Fault.NOT_NOW, "nobody deals at this table", live.cite)
    live.dealer = None
    live.tell("dealer", None, name=None)


def let_go(live: LiveState) -> None:
    """Pay the players who want to leave and have nothing on the layout, and free their seats."""
    for seat, chair in [*live.chairs.items()]:
        if chair.leaving and not live.table.bets_of(seat):
            if chair.playing:
                live.table.leave(seat)
            cash = live.table.cash_out(seat)
            if cash:
                live.transfers.append((chair.account, cash))
            del live.chairs[seat]
            live.tell("left", custom("8.2"), seat=seat, name=chair.name, cash=cash)
