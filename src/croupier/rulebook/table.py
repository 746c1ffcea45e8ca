"""The table: the words in which a round is written, and everything that stands on it.

What the words do is written in rooms of their own: `betting`, `layout` (wagers
and hands), `ledger` (money), `procedure` (what needs somebody), `settling`,
`pots` and `views`.

Betting answers three ways: `openings` (what may I do?), `refusal` (why not?)
and `bet` (do it). All three come from one computation, so what is offered is
exactly what is accepted.
"""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from croupier.equipment import Device
from croupier.rulebook import betting, layout, ledger, procedure, settling, views
from croupier.rulebook.citation import Citation
from croupier.rulebook.game import Game
from croupier.rulebook.hands import Hand, Hands, seat_of
from croupier.rulebook.ledger import LAYOUT, owed_by
from croupier.rulebook.moves import Move, Parts
from croupier.rulebook.pots import Pots
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.request import Report, Request
from croupier.rulebook.settlement import Event, Settlement
from croupier.rulebook.sides import THE_HOUSE, Side
from croupier.rulebook.wager import Bet, Decision, Opening, Wager, lost, multiples

T = TypeVar("T")
Question = tuple[str, tuple[str | Move, ...]]  # a question and its moves, the default first


class Table:
    """A lawful table of one game, with everything that stands on it."""

    def __init__(self, game: Game, given: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.options = game.options(given)
        self.positions = [str(number) for number in range(1, game.seats(self.options) + 1)]
        self.irregularities = game.resolutions(self.options)
        self.momentary = procedure.momentary(self.irregularities)
        self.state = game.State()
        self.equipment: Any = game.device(self.options)  # what stands at the table between rounds
        self.hands = Hands()
        self.players: dict[str, str] = {}  # who sits where, if it matters
        self.present: set[str] = set()  # the seats that somebody has taken
        self.forms = 0  # complimentary vigorish forms used
        self.all_dealt = False  # the outcome lies on the table, and has not been settled
        self.report: Report | None = None  # the irregularity that is being resolved
        self.bets: dict[tuple[str, str, str], Bet] = {}  # by hand, wager and spot
        self.money: Counter[str] = Counter()  # by account; its sum is always zero
        self.pots = Pots(self)
        self.betting_is_open = True
        self.closed_by = game.cite  # the paragraph that forbids wagers now
        self.events: list[Event] = []  # since the betting for this round was opened
        self.settlements: list[Settlement] = []
        self.is_void = False
        self.voided_by = game.cite  # the paragraph, if the round is void

    # Betting.

    def bet(self, seat: str, label: str, amount: int) -> None:
        """Set a wager to an amount: more adds chips, less takes some back, 0 takes it down."""
        opening = betting.allowed(self, seat, label, amount)
        bet = Bet(seat, opening.wager, opening.spot, opening.covers, amount)
        before = self.staked(bet.key)
        self.present.add(seat)
        if amount == before:
            return
        layout.lay(self, bet)
        kind = "wager" if amount > before else "take_down" if amount == 0 else "reduce"
        cite = bet.wager.cite if amount > before else opening.changed_by
        self.record(kind, cite=cite, seat=seat, wager=bet.label, stake=amount)

    def refusal(self, seat: str, label: str, amount: int) -> Refusal | None:
        """Why this wager may not be set to this amount now, or None if it may."""
        try:
            betting.allowed(self, seat, label, amount)
        except Refusal as refusal:
            return refusal
        return None

    def openings(self, seat: str) -> Iterator[Opening]:
        """Everything this seat may bet now, with the amounts. Endless spots show a sample."""
        return betting.openings(self, seat)

    def order_of(self, seat: str, label: str, amount: Any) -> tuple[bool, bool, int]:
        """Sorts wagers that are made at once: what others rest on first, and last to go."""
        return betting.order_of(self, seat, label, amount)

    def find(self, hand: str, label: str) -> tuple[Wager, str, Any]:
        """The wager meant, its spot and what that covers."""
        return betting.find(self, hand, label)

    def lying(self, seat: str, label: str) -> Bet | None:
        """The bet that a label means, if it is on the layout."""
        try:
            wager, spot, _ = self.find(seat, label)
        except Refusal:
            return None
        return self.bets.get((seat, wager.id, spot))

    # Wagers on the layout.

    def staked(self, key: tuple[str, str, str]) -> int:
        """What lies there now, by hand, wager and spot."""
        return self.bets[key].stake if key in self.bets else 0

    def bets_of(self, seat: str, wager: str | None = None) -> list[Bet]:
        """What a seat has on the layout, or what it has there of one wager."""
        bets = (bet for bet in self.bets.values() if bet.seat == seat)
        return [bet for bet in bets if wager in (None, bet.wager.id)]

    def bets_on(self, hand: str, wager: str | None = None) -> list[Bet]:
        """What lies on a hand, or what lies there of one wager."""
        return [
            bet for bet in self.bets.values() if bet.on == hand and wager in (None, bet.wager.id)
        ]

    def stakes(self, seat: str) -> dict[str, int]:
        """What a seat has on the layout, by wager."""
        return _added(self.bets_of(seat))

    def stakes_on(self, hand: str) -> dict[str, int]:
        """What lies on a hand, by wager."""
        return _added(self.bets_on(hand))

    def in_order(self, also: Collection[Bet] = ()) -> list[Bet]:
        """The bets by seat and hand, and on a hand in the order of the game's wagers."""
        rank, way = self.game.rank, -1 if self.game.settles_from_the_highest else 1
        bets = [*self.bets.values(), *also]
        return sorted(bets, key=lambda bet: (way * int(bet.seat), bet.hand, rank[bet.wager.id]))

    def stake(self, hand: str, label: str, amount: int, cite: Citation) -> None:
        """A wager made in the course of the round, as a decision just allowed."""
        layout.stake(self, hand, label, amount, cite)

    def amounts(self, wager: str, low: int, high: int) -> Move | None:
        """A move that stakes a wager in the course of the round: what can be paid exactly."""
        unit = self.game.by_id[wager].unit(self.options, self.state, "", ())
        step = unit * self.options.increment
        least, most = multiples(low, high, step)
        return Move(wager, least, most, step) if 0 < least <= most else None

    def reduce(self, bet: Bet, stake: int, cite: Citation) -> None:
        """The dealer returns a part of a wager, or all of it."""
        layout.lay(self, replace(bet, stake=stake))
        self.record("refund", cite=cite, **bet.place, amount=bet.stake - stake)

    def move_bet(self, bet: Bet, to: str, cite: Citation) -> Bet:
        """A wager moves to another hand of its seat."""
        return layout.move_bet(self, bet, to, cite)

    def take_off(self, bet: Bet, account: str) -> None:
        """A wager leaves the layout for another account."""
        self.transfer(LAYOUT, account, bet.stake)
        del self.bets[bet.key]

    def call_on(self, bet: Bet) -> None:
        """The dealer puts an "on" button on a wager, for this outcome."""
        self.bets[bet.key] = replace(bet, called_on=True)

    # The people.

    def check_seat(self, seat: str) -> None:
        """Refuse a seat that this table does not have."""
        if seat not in self.positions:
            raise Refusal(
                Fault.UNKNOWN_SEAT,
                f"there is no seat {seat!r} here; the seats are 1 to {len(self.positions)}",
                self.game.cite,
            )

    def clockwise(self, after: str | None = None) -> list[str]:
        """The seats with a wager on the layout or in a pot, clockwise, from after a given seat."""
        return self._around(after, down=self.game.counts_against_the_clock)

    def counterclockwise(self, after: str | None = None) -> list[str]:
        """The same the other way round: to the right of each player."""
        return self._around(after, down=not self.game.counts_against_the_clock)

    def _around(self, after: str | None, *, down: bool) -> list[str]:
        order = self.positions[::-1] if down else self.positions
        start = order.index(after) + 1 if after else 0
        there = {bet.seat for bet in self.bets.values()}
        if self.pots.paid_in:
            there.update(seat_of(hand) for hand in self.pots.live)
        return [seat for seat in order[start:] + order[:start] if seat in there]

    def sit(self, seat: str, player: str) -> None:
        """A player takes a seat; whether they may have several is for the game to say."""
        self.check_seat(seat)
        held = [each for each, who in self.players.items() if who == player and each != seat]
        self.game.may_sit(seat, held, self.options)
        if self.players.get(seat, player) != player:
            taken = f"seat {seat} is {self.players[seat]}'s"
            raise Refusal(Fault.NOT_NOW, taken, self.game.cite)
        self.players[seat] = player
        self.present.add(seat)

    def leave(self, seat: str, *, pays: bool = True) -> None:
        """A player leaves: what they owe is collected, or documented if they do not pay."""
        self.check_seat(seat)
        if lying := self.bets_of(seat):
            still = f"seat {seat} cannot leave: {lying[0].label} is still on the layout"
            raise Refusal(Fault.NOT_NOW, still, self.game.cite)
        self.collect_vigorish(seat, pays=pays)
        self.players.pop(seat, None)
        self.present.discard(seat)
        self.game.left(self, seat)

    # The procedure of a round. What needs an answer is a generator: use `yield from`.

    def announce(self, text: str, cite: Citation) -> None:
        """The dealer says something."""
        self.record("announce", cite=cite, text=text)

    def step(self, text: str, cite: Citation) -> None:
        """The dealer, or a player, does something with the hands."""
        self.record("step", cite=cite, text=text)

    def no_more_bets(self, cite: Citation, closed_by: Citation | None = None) -> None:
        """The dealer closes the betting; what forbids a wager after that may be another rule."""
        self.betting_is_open = False
        self.closed_by = closed_by or cite
        self.announce("No more bets", cite)

    def draw(
        self, device: Device[T], *, to: str | Callable[[], str] = "", face_down: bool = False
    ) -> Generator[Request, Any, T]:
        """An outcome of the equipment, once it is a valid one.

        A card goes `to` a hand on the layout, or to whichever is due when it comes. Face down,
        only the seat whose hand it is sees it; if it is nobody's, nobody does.
        """
        return procedure.draw(self, device, to, face_down=face_down)

    def inspect(self) -> Generator[Request, Any, None]:
        """The moment before settlement at which an irregularity can still be reported."""
        return procedure.inspect(self)

    def ask(
        self,
        hand: str,
        question: str,
        *moves: str | Move,
        cite: Citation,
        offer: bool = False,
        private: bool = False,
    ) -> Generator[Request, Any, Any]:
        """A player's decision; the first move is what the rules do when nobody answers.

        That they had a choice at all may be `private`, where it would tell what they hold.
        """
        asking = procedure.question(
            self, hand, question, moves, cite, offer=offer, private=private
        )  # fmt: skip
        return procedure.ask(self, asking)

    def ask_all(
        self, questions: Mapping[str, Question], *, cite: Citation, private: bool = False
    ) -> Generator[Request, Any, dict[str, Any]]:
        """Decisions that several hands make at the same time, by the name of the hand.

        Nobody learns another's answer before all have answered; what is `private` is told to
        nobody else even then.
        """
        asking = tuple(
            procedure.question(self, hand, question, moves, cite, private=private)
            for hand, (question, moves) in questions.items()
        )
        return procedure.ask_all(self, asking)

    # Hands.

    def hands_in_turn(self, wager: str | None = None) -> Iterator[Hand]:
        """Every hand with a wager on it, clockwise; it grows while hands are split."""
        return layout.in_turn(self, wager)

    def split(self, hand: str, cite: Citation) -> Hand:
        """The second card of a hand becomes the first of a new hand of the same seat."""
        return layout.split(self, hand, cite)

    def set_hand(self, hand: str, parts: Parts, cite: Citation) -> None:
        """A hand lies in its parts; they are seen when it is turned."""
        layout.set_hand(self, hand, parts, cite)

    def look(self, hand: str, seat: str) -> None:
        """A seat looks at the cards of a hand that it plays and that is nobody's own."""
        layout.look(self, hand, seat)

    def turn(self, hand: str, pieces: Iterable[Any], cite: Citation) -> None:
        """Cards or tiles that lay face down are turned for everyone."""
        layout.turn(self, hand, pieces, cite)

    def use_set_aside(self, *, to: str, face_down: bool, cite: Citation) -> Any:
        """The card that waited for this hand is dealt to it."""
        return layout.use_set_aside(self, to, cite, face_down=face_down)

    def discard(self, hand: str, pieces: Iterable[Any] | None = None) -> None:
        """What was drawn to this pile, or these of its pieces, goes to the discard rack."""
        if pieces is None:
            self.equipment.discard(self.hands.pop(hand, ()))
            return
        for piece in [*pieces]:
            self.hands[hand].take(piece)
            self.equipment.discard([piece])

    def burn(self, hand: str) -> None:
        """What was drawn to this pile is burnt."""
        for card in self.hands.pop(hand, ()):
            self.equipment.burn(card)

    def pick_up(self, cite: Citation, *hands: str) -> None:
        """Hands, or all of them, go from the layout to the discard rack, in order."""
        layout.pick_up(self, cite, hands)

    # Settling.

    def settle(self, outcome: Any, cite: Citation, against: Side = THE_HOUSE) -> None:
        """Collect every losing wager, then pay every winning one; the rest stands."""
        hands = {bet.on for bet in self.bets.values()}
        self.settle_each(dict.fromkeys(hands, outcome), cite, against)

    def settle_each(
        self, outcomes: Mapping[str, Any], cite: Citation, against: Side = THE_HOUSE
    ) -> None:
        """The same where every hand has an outcome of its own, with the bonuses it has earned.

        The other side is the house, or a bank that players hold.
        """
        settling.settle_each(self, outcomes, cite, against)

    def decide(self, bet: Bet, decision: Decision, cite: Citation) -> None:
        """One wager is decided by itself, as by a surrender."""
        settling.decide(self, bet, decision, cite)

    def forfeit(self, bet: Bet, cite: Citation) -> None:
        """A wager is lost before the round is settled, as by a fold."""
        self.decide(bet, lost(cite), cite)

    def give_back(self, bet: Bet, cite: Citation) -> None:
        """Return one wager untouched."""
        settling.give_back(self, [bet], cite)

    def undo(self, settled: Settlement, cite: Citation) -> None:
        """A wager that was lost in a round that has become void is returned after all."""
        settling.undo(self, settled, cite)

    # Money.

    def transfer(self, source: str, to: str, amount: int) -> None:
        """Double entry: what leaves one account enters another."""
        self.money[source] -= amount
        self.money[to] += amount

    def buy_in(self, seat: str, amount: int) -> None:
        """A player gives cash and gets chips."""
        ledger.buy_in(self, seat, amount)

    def cash_out(self, seat: str) -> int:
        """A player gives all the chips they hold and gets cash; what is on the layout stays."""
        return ledger.cash_out(self, seat)

    def correct(self, account: str, cents: int, cite: Citation, **why: Any) -> None:
        """The house makes good a payment that was wrong, or takes back what was paid too much."""
        ledger.correct(self, account, cents, cite, **why)

    def collect_vigorish(self, seat: str, *, pays: bool = True) -> None:
        """Remove a seat's marker: it pays or, if it does not, a form documents that it did not."""
        ledger.collect_vigorish(self, seat, pays=pays)

    def owed(self, seat: str) -> int:
        """The vigorish that a seat owes, as its marker shows."""
        return -self.money[owed_by(seat)]

    def worth(self, seat: str) -> int:
        """What a seat has won and lost, with what it owes, and without what lies on the layout."""
        return self.money[seat] - self.owed(seat)

    # How a round begins, is told, and ends.

    def record(
        self, kind: str, *, cite: Citation | None = None, seen_by: str | None = None, **data: Any
    ) -> None:
        """Write an event into the log of this round."""
        self.events.append(Event(kind, data, cite, seen_by))

    def open_betting(self) -> None:
        """A new round: the layout is open, and the log of the last round is closed."""
        self.betting_is_open = True
        self.events, self.settlements, self.is_void = [], [], False
        self.all_dealt = False
        for bet in [bet for bet in self.bets.values() if bet.called_on]:
            self.bets[bet.key] = replace(bet, called_on=False)

    def void_round(self, cite: Citation) -> None:
        """Return every wager of the round."""
        self.is_void, self.voided_by = True, cite
        settling.give_back(self, self.in_order(), cite)
        self.pots.give_back(cite)
        self.pick_up(cite)
        self.game.voided(self)

    def view(self, seat: str | None = None) -> dict[str, Any]:
        """The table as a seat, or a bystander, may see it."""
        return views.view(self, seat)


def _added(bets: Iterable[Bet]) -> dict[str, int]:
    """Stakes by wager."""
    total: Counter[str] = Counter()
    for bet in bets:
        total[bet.wager.id] += bet.stake
    return dict(total)
