"""Pots: what several hands put together, and who wins it.

What a hand has put in says which pots it may win. A hand that could not match
the others wins no more from each of them than it put in itself: the rest is a
side pot of those who did. Shares are equal; chips that cannot be divided go
one by one to the hands that the game names first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from croupier.rulebook.citation import Citation
from croupier.rulebook.hands import seat_of, told_as
from croupier.rulebook.ledger import HOUSE, POT
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.settlement import Settlement
from croupier.rulebook.sides import share_out
from croupier.rulebook.wager import VOID, Bet, Decision, Result

if TYPE_CHECKING:
    from croupier.rulebook.table import Table


@dataclass(frozen=True)
class Pot:
    """An amount, and the hands that may win it."""

    amount: int
    hands: tuple[str, ...]


@dataclass(frozen=True)
class Rake:
    """What the house keeps of a pot: a part of it, in whole steps, and no more than the cap."""

    rate: Fraction
    cite: Citation
    cap: int | None = None  # cents
    step: int = 1  # cents

    def of(self, cents: int) -> int:
        taken = floor(self.rate * cents / self.step) * self.step
        return taken if self.cap is None else min(taken, self.cap)


def side_pots(paid_in: Mapping[str, int], live: Iterable[str]) -> list[Pot]:
    """The main pot and the side pots, from what each hand put in and which can still win."""
    still = [hand for hand in live if paid_in.get(hand)]
    pots: list[Pot] = []
    below = 0
    for level in sorted({paid_in[hand] for hand in still}):
        amount = sum(min(paid, level) - min(paid, below) for paid in paid_in.values())
        pots.append(Pot(amount, tuple(hand for hand in still if paid_in[hand] >= level)))
        below = level
    rest = sum(max(0, paid - below) for paid in paid_in.values())  # of hands that cannot win
    if rest and pots:
        pots[-1] = replace(pots[-1], amount=pots[-1].amount + rest)
    return pots


def uncalled(paid_in: Mapping[str, int]) -> tuple[str, int] | None:
    """The hand that put in more than any other, and by how much; None if no hand did."""
    if not paid_in:
        return None
    first, *others = sorted(paid_in.items(), key=lambda each: -each[1])
    more = first[1] - (others[0][1] if others else 0)
    return (first[0], more) if more else None


def shares(amount: int, winners: Sequence[str], chip: int = 1) -> dict[str, int]:
    """Equal shares in whole chips; odd chips, and what is less than one, to the first ones."""
    each, odd = divmod(amount, chip * len(winners))
    won = dict.fromkeys(winners, each * chip)
    for hand in winners:
        more = min(chip, odd)
        won[hand] += more
        odd -= more
    return won


class Pots:
    """The pots of a round at one table."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.clear()

    def clear(self) -> None:
        self.paid_in: Counter[str] = Counter()  # by hand, in cents
        self.folded: set[str] = set()  # hands that can win nothing any more
        self._first: dict[str, Bet] = {}  # the wager that each hand's result is settled under
        self._raked = 0

    @property
    def total(self) -> int:
        """What is in all the pots."""
        return self._table.money[POT]

    @property
    def live(self) -> list[str]:
        """The hands that have put something in and have not folded."""
        return [hand for hand in self.paid_in if hand not in self.folded]

    def collect(self, bets: Iterable[Bet], cite: Citation) -> None:
        """These wagers go from the layout into the pot."""
        table = self._table
        for bet in bets:
            table.take_off(bet, POT)
            self.paid_in[bet.on] += bet.stake
            self._first.setdefault(bet.on, bet)
            table.record("pot", cite=cite, **bet.place, amount=bet.stake, pot=self.total)

    def stake_for(self, hand: str, amount: int, cite: Citation) -> None:
        """The house puts in an amount for a hand of its own."""
        self._table.transfer(HOUSE, POT, amount)
        self.paid_in[hand] += amount
        self._table.record("pot", cite=cite, to=hand, amount=amount, pot=self.total)

    def fold(self, hand: str) -> None:
        """A hand leaves what it has put in, and plays for none of it."""
        self.folded.add(hand)

    def return_uncalled(self, cite: Citation) -> None:
        """What nobody has matched goes back to the hand that put it in."""
        found = uncalled(self.paid_in)
        if found is not None:
            hand, amount = found
            self._return(hand, amount)
            place = self._first[hand].place if hand in self._first else {"to": hand}
            self._table.record("refund", cite=cite, **place, amount=amount)

    def rake(self, rule: Rake) -> None:
        """The house takes its part of all the pots together, out of the main pot first."""
        taken = rule.of(self.total)
        if taken:
            self._raked += taken
            self._table.transfer(POT, HOUSE, taken)
            self._table.record("rake", cite=rule.cite, amount=taken, pot=self.total)

    def side_pots(self, live: Iterable[str]) -> list[Pot]:
        """The pots that these hands play for, the main pot first, after the rake."""
        pots, raked = side_pots(self.paid_in, live), self._raked
        for at, pot in enumerate(pots):
            taken = min(raked, pot.amount)
            pots[at] = replace(pot, amount=pot.amount - taken)
            raked -= taken
        return pots

    def award(
        self,
        ranked: Sequence[Sequence[str]],
        cite: Citation,
        *,
        odd_chip: Sequence[str] = (),
        chip: int = 1,
        commission: Rake | None = None,
    ) -> None:
        """Each pot goes to the best of the hands that may win it; hands that tie share it.

        `ranked` has the best hands first, those that tie together; a hand that is not in it has
        folded. Odd chips go in the order of `odd_chip`. A commission is taken of what players
        win, and not of what goes to the house.
        """
        table = self._table
        ranked = [[hand for hand in tied if hand not in self.folded] for tied in ranked]
        live = [hand for tied in ranked for hand in tied]
        pots = self.side_pots(live)
        if not pots:
            nobody = "no hand that may win has put anything in the pot"
            raise Refusal(Fault.NOT_NOW, nobody, cite)
        first = {hand: at for at, hand in enumerate(odd_chip)}
        won: Counter[str] = Counter()
        for pot in pots:
            best = next(tied for tied in ranked if set(tied) & set(pot.hands))
            winners = [hand for hand in best if hand in pot.hands]
            winners.sort(key=lambda hand: first.get(hand, len(first)))
            given = shares(pot.amount, winners, chip)
            won.update(given)
            for hand, amount in given.items():
                if amount:
                    table.record("award", cite=cite, **told_as(hand), amount=amount,
                                 of=pot.amount, tied=len(winners))  # fmt: skip
        charged = self._charged(won, commission)
        for hand in self.paid_in:
            self._settle(hand, won[hand], charged.get(hand, 0), cite)
        self.clear()

    def give_back(self, cite: Citation) -> None:
        """The round is void: every hand gets what it put in."""
        if not self.paid_in:
            return
        table = self._table
        table.transfer(HOUSE, POT, self._raked)
        for hand, paid in self.paid_in.items():
            table.transfer(POT, seat_of(hand) or HOUSE, paid)
            if hand in self._first:
                bet = replace(self._first[hand], stake=paid)
                void = replace(VOID, cite=cite)
                table.settlements.append(Settlement(bet, void, paid, void.result, 0, cite))
                table.record("return", cite=cite, **bet.place, amount=paid)
        self.clear()

    def as_json(self) -> list[dict[str, Any]]:
        """What is in each pot, and who may win it."""
        if not self.paid_in:
            return []
        pots = self.side_pots(self.live)
        return [{"amount": pot.amount, "hands": list(pot.hands)} for pot in pots]

    def _charged(self, won: Mapping[str, int], commission: Rake | None) -> dict[str, int]:
        """The commission of each hand of a player that has won: by what it has won."""
        players = [hand for hand, amount in won.items() if amount and seat_of(hand)]
        if commission is None or not players:
            return {}
        total = sum(won[hand] for hand in players)
        whole = commission.of(total)
        table = self._table
        if whole:
            table.transfer(POT, HOUSE, whole)
            table.record("rake", cite=commission.cite, amount=whole, pot=self.total)
        parts = share_out(whole, [Fraction(won[hand], total) for hand in players])
        return dict(zip(players, parts, strict=True))

    def _settle(self, hand: str, won: int, charged: int, cite: Citation) -> None:
        table, paid = self._table, self.paid_in[hand]
        table.transfer(POT, seat_of(hand) or HOUSE, won - charged)
        if hand not in self._first:
            return
        net = won - charged - paid
        result = Result.WIN if net > 0 else Result.LOSE if net < 0 else Result.PUSH
        decision = Decision(result, "pot", Fraction(net, paid) if paid else Fraction(0))
        bet = replace(self._first[hand], stake=paid)
        table.settlements.append(
            Settlement(bet, decision, paid, result, net, cite, vigorish=charged)
        )

    def _return(self, hand: str, amount: int) -> None:
        self.paid_in[hand] -= amount
        self._table.transfer(POT, seat_of(hand) or HOUSE, amount)
