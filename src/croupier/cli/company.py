"""Who else sits at the table, at a game that nobody can play alone."""

from collections.abc import Callable
from typing import Any

from croupier.cli.felts import FACE_DOWN, Seen, points
from croupier.cli.words import SEAT, either, whole_dollars
from croupier.equipment import Card, dollars
from croupier.games.baccarat import BANKER, BANKER_DRAWS, PLAYER, value
from croupier.rulebook import Ask, Opening, Table


class Punters:
    """The other seats at chemin de fer: they bank in their turn, and cover the player's bank.

    They see what anyone in their seats would see, wager as anyone would, and answer what they
    are asked: the player's five draws, the banker goes by the tableau, and a banker who has won
    three times passes the shoe.
    """

    WINS = 3
    UNITS = 5  # of the least wager, in a new bank

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.positions[1 : 1 + max(3, table.options.min_seated)]

    def introduction(self) -> str:
        return f"Seats {either(self.seats, 'and')} play too, against whoever has the bank."

    def bank(self) -> tuple[str | None, int]:
        """Who has put up a bank, or goes on with one, and how much it is."""
        view = self.table.view()
        for bet in view["bets"]:
            if bet["wager"] == "bank":
                return bet["seat"], bet["stake"]
        state = view["state"]
        return (state["banker"], state["bank"]) if state["bank"] else (None, 0)

    def put_up(self, *, passed: bool = False) -> None:
        """A new bank of the seat that has the shoe or, if the player passes it, of the next."""
        shoe = self.table.view()["state"]["banker"]
        seat = shoe if shoe in self.seats else self.seats[0]
        new = self._opening(seat, "bank")
        if self.bank()[0] is None and (seat == shoe or passed) and new:
            self.table.bet(seat, "bank", min(new.high, self.UNITS * new.low))

    def hint(self) -> str:
        """What the player can do now."""
        holder, bank = self.bank()
        if holder is None:
            new = self._opening(SEAT, "bank")
            such = f", as in {whole_dollars(new, self.UNITS * new.low)} on bank" if new else ""
            to = f"press Enter to leave it to seat {self.seats[0]}"
            return f"The shoe is yours: put up a bank{such}, or {to}."
        if holder == SEAT:
            return f"You have the bank, {dollars(bank)}: press Enter to deal."
        punt = self._opening(SEAT, "punt")
        part = f"{whole_dollars(punt)} on punt" if punt else "punt"
        all_ = f"Seat {holder} has the bank, {dollars(bank)}: say banco for all of it"
        return f"{all_}, {part} for a part, or press Enter to watch."

    def cover(self) -> str:
        """They leave the player's coup to him, and share any other bank."""
        holder, bank = self.bank()
        against = [bet for bet in self.table.bets.values() if bet.seat == SEAT != holder]
        others = [seat for seat in self.seats if seat != holder]
        share, left = -(-bank // len(others) // 100) * 100, 0 if against else bank
        needed = self.table.options.min_seated - 1 - len(against)
        said = []
        for seat in others:
            punt = self._opening(seat, "punt")
            if punt is None or (left < punt.low and needed <= 0):
                continue
            amount = max(punt.low, min(share, left) // punt.step * punt.step)
            if self.table.refusal(seat, "punt", amount) is None:
                self.table.bet(seat, "punt", amount)
                said.append(f"seat {seat} {dollars(amount)}")
                left, needed = left - amount, needed - 1
        return f"Punts: {', '.join(said)}." if said else ""

    def answer(self, ask: Ask) -> Any:
        moves = [move.name for move in ask.moves]
        if "stand" in moves:
            return self._third_card(ask.seat)
        if "pass_shoe" in moves and self.table.view()["state"]["wins"] >= self.WINS:
            return "pass_shoe"
        return ask.default

    def _third_card(self, seat: str) -> str:
        """Draw or stand, by the cards that this seat has seen."""
        seen = Seen()
        for event in self.table.events:
            if event.seen_by in (None, seat):
                seen.note(event)
        player, banker = seen.piles[PLAYER], seen.piles[BANKER]
        if FACE_DOWN in banker:  # asked as the player, who has a five
            return "draw"
        third = value(Card.parse(player[2])) + 1 if len(player) == 3 else 0
        return "draw" if BANKER_DRAWS[points(banker)][third] == "D" else "stand"

    def _opening(self, seat: str, wager: str) -> Opening | None:
        found = (each for each in self.table.openings(seat) if each.wager.id == wager)
        return next(found, None)


COMPANY: dict[str, Callable[[Table], Punters]] = {"baccarat-chemin-de-fer": Punters}
