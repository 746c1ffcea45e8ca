"""The table: wagers on the layout, the money they are made of, and the round in progress.

Betting answers three ways: `openings` (what may I do?), `refusal` (why not?)
and `bet` (do it). All three come from one computation, so what is offered is
exactly what is accepted.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from croupier.equipment import Card, Device, ImpossibleOutcome, InexactPayment, Shoe, dollars
from croupier.rulebook.citation import Citation, custom, law
from croupier.rulebook.game import Game
from croupier.rulebook.irregularity import Then
from croupier.rulebook.refusal import Fault, Refusal, brief
from croupier.rulebook.request import Ask, Draw, Inspect, Move, Report, Request
from croupier.rulebook.settlement import Event, Settlement
from croupier.rulebook.wager import (
    Bet,
    Case,
    Decision,
    May,
    Opening,
    Result,
    Wager,
    lost,
    multiples,
)

T = TypeVar("T")

MOST = 10**15  # cents; a greater sum is not worth printing
LAYOUT = "layout"
HOUSE = "house"
CAGE = "cage"  # where chips come from, and go back to
SET_ASIDE = "set_aside"  # a card that waits for the next hand
CHIPS = law("13:69E-1.6A")


def owed_by(seat: str) -> str:
    """The account of the vigorish that a seat owes: below zero until it is collected."""
    return f"vigorish owed by {seat}"


class RoundIsVoid(Exception):
    """An irregularity has ended the round: every wager is returned."""

    def __init__(self, cite: Citation) -> None:
        self.cite = cite


class Table:
    """A lawful table of one game, with everything that stands on it."""

    def __init__(self, game: Game, given: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.options = game.options(given)
        self.positions = [str(number) for number in range(1, game.seats(self.options) + 1)]
        self.irregularities = game.resolutions(self.options)
        self._momentary = [  # those that can only happen at some moments
            (kind, rule)
            for kind, rule in self.irregularities.items()
            if rule.bar or rule.seats or rule.costs_cards
        ]
        self.state = game.State()
        self.equipment: Any = game.device(self.options)  # what stands at the table between rounds
        self.hands: defaultdict[str, list[Card]] = defaultdict(list)  # the cards on the layout
        self.players: dict[str, str] = {}  # who sits where, if it matters
        self.present: set[str] = set()  # the seats that somebody has taken
        self.forms = 0  # complimentary vigorish forms used
        self.all_dealt = False  # the outcome lies on the table, and has not been settled
        self.report: Report | None = None  # the irregularity that is being resolved
        self.bets: dict[tuple[str, str, str], Bet] = {}
        self.money: Counter[str] = Counter()  # by account; its sum is always zero
        self.betting_is_open = True
        self._closed_by = game.cite
        self.events: list[Event] = []  # since the betting for this round was opened
        self.settlements: list[Settlement] = []
        self.is_void = False
        self.voided_by = game.cite  # the paragraph, if the round is void

    # Betting.

    def bet(self, seat: str, label: str, amount: int) -> None:
        """Set a wager to an amount: more adds chips, less takes some back, 0 takes it down."""
        opening = self._allowed(seat, label, amount)
        bet = Bet(seat, opening.wager, opening.spot, opening.covers, amount)
        before = self._staked(bet.key)
        self.present.add(seat)
        if amount == before:
            return
        self._lay(bet)
        kind = "wager" if amount > before else "take_down" if amount == 0 else "reduce"
        cite = bet.wager.cite if amount > before else opening.changed_by
        self.record(kind, cite=cite, seat=seat, wager=bet.label, stake=amount)

    def order_of(self, seat: str, label: str, amount: Any) -> tuple[bool, bool, int]:
        """Sorts wagers that are made at once: what others rest on first, and last to go.

        Odds come down before the flat wager in front of them.
        """
        wager = self.game.by_id.get(label.partition(":")[0])
        rests, down = bool(wager and (wager.rests_on or wager.equals)), amount == 0
        odds = (lying := self.lying(seat, label)) is not None and bool(lying.wager.supports)
        less = lying is not None and type(amount) is int and amount < lying.stake
        return not (odds and less), down and not rests, rests and not down

    def refusal(self, seat: str, label: str, amount: int) -> Refusal | None:
        """Why this wager may not be set to this amount now, or None if it may."""
        try:
            self._allowed(seat, label, amount)
        except Refusal as refusal:
            return refusal
        return None

    def find(self, seat: str, label: str) -> tuple[Wager, str, Any]:
        """The wager meant. One that already lies on the layout may have traveled to its spot."""
        name, _, spot = str(label).partition(":")
        lying = self.bets.get((seat, name, spot))
        if lying is not None:
            return lying.wager, spot, lying.covers
        wager = self.game.by_id.get(name)
        if wager is None or spot:
            return self.game.find(label, self.options)
        if wager.keeps_score:
            for bet in self.bets_of(seat, name):
                return wager, bet.spot, bet.covers
        if wager.dealt:
            # come_odds means those behind the one come bet that has a point
            there = [bet.spot for bet in self.bets_of(seat, wager.supports) if bet.spot]
            if not there:
                message = f"{name} needs a {wager.supports} wager that has a point"
                raise Refusal(Fault.NO_SUPPORT, message, wager.cite)
            if len(there) == 1:
                label = wager.label(there[0])
        return self.game.find(label, self.options)

    def lying(self, seat: str, label: str) -> Bet | None:
        """The bet that a label means, if it is on the layout."""
        try:
            wager, spot, _ = self.find(seat, label)
        except Refusal:
            return None
        return self.bets.get((seat, wager.id, spot))

    def openings(self, seat: str) -> Iterator[Opening]:
        """Everything this seat may bet now, with the amounts. Endless spots show a sample."""
        if not self.betting_is_open or seat not in self.positions:
            return
        for wager in self.game.offered(self.options):
            lying = {bet.spot: bet.covers for bet in self.bets_of(seat, wager.id)}
            for spot, covers in {**wager.shown(self.options), **lying}.items():
                try:
                    yield self._opening(seat, wager, spot, covers)
                except Refusal:
                    continue

    def _allowed(self, seat: str, label: str, amount: int) -> Opening:
        """The opening that this amount fits, or a refusal."""
        if not self.betting_is_open:
            raise Refusal(
                Fault.NO_MORE_BETS,
                'no wager may be made or changed after "No more bets"',
                self._closed_by,
            )
        self.check_seat(seat)
        wager, spot, covers = self.find(seat, label)
        name = wager.label(spot)
        if type(amount) is not int or amount < 0:
            raise Refusal(
                Fault.BAD_AMOUNT,
                f"{brief(amount)} is not a stake: stakes are whole cents above zero",
                custom("8.2"),
            )
        opening = self._opening(seat, wager, spot, covers, amount)
        if amount == 0:
            if (seat, wager.id, spot) not in self.bets:
                nothing = f"there is no {name} wager to take down"
                raise Refusal(Fault.NOT_NOW, nothing, custom("8.2"))
            if not opening.removable:
                why, cite = opening.why_kept or opening.why_not_less
                raise Refusal(Fault.NOT_NOW, f"{name} may not be taken down{why}", cite)
            return opening
        shown = dollars(amount) if amount <= MOST else "such a sum"
        if amount > opening.high:
            why, cite = opening.why_not_more
            most = f"{shown} on {name} is above the most it may be, {dollars(opening.high)}{why}"
            raise Refusal(Fault.ABOVE_MAXIMUM, most, cite)
        if amount % opening.step and amount % self.options.increment:
            by = dollars(self.options.increment)
            not_so = f"{shown} on {name} is not a multiple of {by}, as this table requires"
            raise Refusal(Fault.NOT_PAYABLE, not_so, custom("8.2"))
        if amount % opening.step:
            exact = f"it must be a multiple of {opening.step} cents"
            message = f"{shown} on {name} could not be paid exactly: {exact}"
            raise Refusal(Fault.NOT_PAYABLE, message, wager.payment_rule(self.options))
        if amount < opening.low:
            why, cite = opening.why_not_less
            least = f"{shown} on {name} is below the least it may be, {dollars(opening.low)}{why}"
            raise Refusal(Fault.BELOW_MINIMUM, least, cite)
        return opening

    def _opening(
        self, seat: str, wager: Wager, spot: str, covers: Any, amount: int | None = None
    ) -> Opening:
        """The amounts to which this wager may be set now, or a refusal if to none.

        To leave a wager at the `amount` it has is no change, and always allowed.
        """
        options = self.options
        stake = self._staked((seat, wager.id, spot))
        window = wager.window(self.state, spot, options)
        low, high = wager.limits(options, covers)
        why_less, why_more = ("", wager.limited_by), ("", wager.limited_by)
        changed_by = window.cite or wager.cite
        if stake and amount == stake:
            return Opening(
                wager, spot, covers, stake, stake, 1, False, why_less, why_more, changed_by
            )
        if window.may is May.NOTHING or (window.may is May.REDUCE and not stake):
            raise Refusal(Fault.NOT_NOW, window.reason, window.cite)
        if wager.keeps_score and not stake and self.bets_of(seat, wager.id):
            message = f"{wager.label(spot)} is on the layout already, and runs until decided"
            raise Refusal(Fault.NOT_NOW, message, wager.cite)
        if wager.supports:
            flat = self.bets.get((seat, wager.supports, spot))
            if flat is None:
                backed = self.game.by_id[wager.supports].label(spot)
                message = f"{wager.label(spot)} needs a {backed} wager"
                raise Refusal(Fault.NO_SUPPORT, message, wager.cite)
            assert wager.ceiling is not None
            low, high = 1, wager.ceiling(options, self.state, spot, flat.stake)
            why_more = (f": that is the limit behind {dollars(flat.stake)}", wager.limited_by)
        if window.may is May.REDUCE:
            assert window.cite is not None
            high, why_more = stake, (f": {window.reason}", window.cite)
        removable = stake > 0
        if behind := self._behind(seat, wager, spot):
            enough = self._enough_for(behind, stake)
            why = f"{behind.label} of {dollars(behind.stake)} lies behind it"
            low, removable = max(low, enough), False
            why_less = (f": {why}", behind.wager.limited_by)
        step = wager.unit(options, self.state, spot, covers)
        if low != high:  # a wager of a fixed amount is what it is
            step *= options.increment
        least, most = multiples(low, high, step)
        if least > most:
            message = (
                f"no amount from {dollars(low)} to {dollars(high)} "
                f"on {wager.label(spot)} can be paid exactly"
            )
            raise Refusal(Fault.NOT_PAYABLE, message, wager.paid_by)
        opening = Opening(
            wager, spot, covers, least, most, step, removable, why_less, why_more, changed_by
        )
        return self.game.narrow(self, seat, opening)

    def _enough_for(self, behind: Bet, stake: int) -> int:
        """The least flat wager behind which this one may lie."""
        ceiling = behind.wager.ceiling
        assert ceiling is not None
        flats = range(1, stake + 1)
        return flats[
            bisect_left(
                flats,
                behind.stake,
                key=lambda flat: ceiling(self.options, self.state, behind.spot, flat),
            )
        ]

    def _behind(self, seat: str, wager: Wager, spot: str) -> Bet | None:
        """A wager that lies behind this one, if any."""
        for bet in self.bets.values():
            if (bet.seat, bet.wager.supports, bet.spot) == (seat, wager.id, spot):
                return bet
        return None

    def check_seat(self, seat: str) -> None:
        """Refuse a seat that this table does not have."""
        if seat not in self.positions:
            raise Refusal(
                Fault.UNKNOWN_SEAT,
                f"there is no seat {seat!r} here; the seats are 1 to {len(self.positions)}",
                self.game.cite,
            )

    # The people.

    def clockwise(self, after: str | None = None) -> list[str]:
        """The seats with a wager on the layout, clockwise, from the one after a given seat."""
        return self._around(after, down=self.game.counts_against_the_clock)

    def counterclockwise(self, after: str | None = None) -> list[str]:
        """The same the other way round: to the right of each player."""
        return self._around(after, down=not self.game.counts_against_the_clock)

    def _around(self, after: str | None, *, down: bool) -> list[str]:
        order = self.positions[::-1] if down else self.positions
        start = order.index(after) + 1 if after else 0
        there = {bet.seat for bet in self.bets.values()}
        return [seat for seat in order[start:] + order[:start] if seat in there]

    def sit(self, seat: str, player: str) -> None:
        """A player takes a seat; whether he may have several is for the game to say."""
        self.check_seat(seat)
        held = [each for each, who in self.players.items() if who == player and each != seat]
        self.game.may_sit(seat, held, self.options)
        if self.players.get(seat, player) != player:
            taken = f"seat {seat} is {self.players[seat]}'s"
            raise Refusal(Fault.NOT_NOW, taken, self.game.cite)
        self.players[seat] = player
        self.present.add(seat)

    def leave(self, seat: str, *, pays: bool = True) -> None:
        """A player leaves: what he owes is collected, or documented if he does not pay."""
        self.check_seat(seat)
        if lying := self.bets_of(seat):
            still = f"seat {seat} cannot leave: {lying[0].label} is still on the layout"
            raise Refusal(Fault.NOT_NOW, still, self.game.cite)
        self.collect_vigorish(seat, pays=pays)
        self.players.pop(seat, None)
        self.present.discard(seat)
        self.game.left(self, seat)

    def bets_of(self, seat: str, wager: str | None = None) -> list[Bet]:
        """What a seat has on the layout, or what it has there of one wager."""
        bets = (bet for bet in self.bets.values() if bet.seat == seat)
        return [bet for bet in bets if wager in (None, bet.wager.id)]

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
        self._closed_by = closed_by or cite
        self.announce("No more bets", cite)

    def draw(
        self,
        device: Device[T],
        *,
        to: str | Callable[[], str] = "",
        face_down: bool = False,
    ) -> Generator[Request, Any, T]:
        """An outcome of the equipment, once it is a valid one.

        A card goes `to` a hand on the layout, or to whichever is due when it comes. Face down,
        only that seat sees it; to anyone else, nobody does.
        """
        while True:
            if isinstance(device, Shoe) and not device.cards_left:
                yield from self._out_of_cards()
                continue
            answer = yield Draw(device, self.irregularities, self.bets, *self._possible())
            if isinstance(answer, Report):
                yield from self._resolve(answer)
                continue
            outcome: T = answer
            device.take(outcome)
            to = to() if callable(to) else to
            whose: dict[str, Any] = {"to": to} if to else {}
            if isinstance(outcome, Card):
                self.hands[to].append(outcome)
            if face_down:
                self.record(device.verb, face_down=True, **whose)
                self.record("look", seen_by=to, outcome=device.say(outcome), **whose)
            else:
                self.record(device.verb, outcome=device.say(outcome), **whose)
            return outcome

    def inspect(self) -> Generator[Request, Any, None]:
        """The moment before settlement at which an irregularity can still be reported."""
        self.all_dealt = True
        while True:
            report = yield Inspect(self.irregularities, self.bets, *self._possible())
            if report is None:
                break
            yield from self._resolve(report)
        self.all_dealt = False

    def turn(self, hand: str, cards: list[Card], cite: Citation) -> None:
        """Cards that lay face down are turned face up for everyone."""
        self.record("reveal", cite=cite, hand=hand, cards=[str(card) for card in cards])

    def use_set_aside(self, *, to: str, face_down: bool, cite: Citation) -> Card:
        """The card that waited for this hand is dealt to it."""
        card = self.hands[SET_ASIDE].pop(0)
        self.hands[to].append(card)
        seen: dict[str, Any] = {"face_down": True} if face_down else {"outcome": str(card)}
        self.record("set_aside", cite=cite, to=to, **seen)
        return card

    def discard(self, hand: str) -> None:
        """What was drawn to this pile goes to the discard rack."""
        self.equipment.discard(self.hands.pop(hand, []))

    def burn(self, hand: str) -> None:
        """What was drawn to this pile is burnt."""
        for card in self.hands.pop(hand, []):
            self.equipment.burn(card)

    def pick_up(self, cite: Citation, *hands: str) -> None:
        """Hands, or all of them, go from the layout to the discard rack, in order."""
        piles = [name for name in hands or [*self.hands] if name != SET_ASIDE]
        cards = [card for name in piles for card in self.hands.pop(name, [])]
        if cards:
            self.equipment.discard(cards)
            self.step("The cards are picked up", cite)

    def ask(
        self,
        seat: str,
        question: str,
        *moves: str | Move,
        cite: Citation,
        offer: bool = False,
        private: bool = False,
    ) -> Generator[Request, Any, Any]:
        """A player's decision; the first move is what the rules do when nobody answers.

        That he had a choice at all may be `private`, where it would tell what he holds.
        """
        named = tuple(Move(move) if isinstance(move, str) else move for move in moves)
        decided = yield Ask(seat, question, named, named[0].name, cite, offer, private)
        if not (offer and decided == named[0].name):
            name, amount = decided if isinstance(decided, tuple) else (decided, None)
            units = {move.name: move.unit for move in named}
            unit = "amount" if units[name] == "cents" else units[name]
            data = {"seat": seat, "question": question, "move": name}
            seen_by = seat if private else None
            said = {unit: amount} if amount else {}
            self.record("decision", cite=cite, seen_by=seen_by, **data, **said)
        return decided

    def stake(self, seat: str, label: str, amount: int, cite: Citation) -> None:
        """A wager made in the course of the round, as a decision just allowed."""
        wager, spot, covers = self.find(seat, label)
        stake = amount + self._staked((seat, wager.id, spot))
        self._lay(Bet(seat, wager, spot, covers, stake))
        self.record("wager", cite=cite, seat=seat, wager=wager.label(spot), stake=stake)

    def amounts(self, wager: str, low: int, high: int) -> Move | None:
        """A move that stakes a wager in the course of the round: what can be paid exactly."""
        unit = self.game.by_id[wager].unit(self.options, self.state, "", ())
        step = unit * self.options.increment
        least, most = multiples(low, high, step)
        return Move(wager, least, most, step) if 0 < least <= most else None

    def forfeit(self, bet: Bet, cite: Citation) -> None:
        """A wager is lost before the round is settled, as by a fold."""
        self.decide(bet, lost(cite), cite)

    def call_on(self, bet: Bet) -> None:
        """The dealer puts an "on" button on a wager, for this outcome."""
        self.bets[bet.key] = replace(bet, called_on=True)

    def settle(self, outcome: Any, cite: Citation) -> None:
        """Collect every losing wager, then pay every winning one; the rest stands."""
        self.settle_each(dict.fromkeys({bet.seat for bet in self.bets.values()}, outcome), cite)

    def settle_each(self, outcomes: Mapping[str, Any], cite: Citation) -> None:
        """The same where every seat has an outcome of its own, with the bonuses it has earned."""
        stakes = {seat: self.stakes(seat) for seat in {bet.seat for bet in self.bets.values()}}
        bets = [bet for bet in self._in_order(self._bonuses()) if bet.seat in outcomes]
        settled = [self._judge(bet, outcomes[bet.seat], stakes[bet.seat]) for bet in bets]
        earned = [each for each in settled if not each.bet.wager.paid_on or each.net > 0]
        self._post(self.game.pay(earned, self.options), cite)

    def _bonuses(self) -> list[Bet]:
        """What may be earned without a stake, on a wager that lies on the layout."""
        return [
            Bet(bet.seat, wager, "", bet.covers, 0)
            for wager in self.game.offered(self.options)
            for bet in self.bets.values()
            if wager.paid_on == bet.wager.id
        ]

    def decide(self, bet: Bet, decision: Decision, cite: Citation) -> None:
        """One wager is decided by itself, as by a surrender."""
        self._post([self._settlement(bet, decision)], cite)

    def stakes(self, seat: str) -> dict[str, int]:
        """What a seat has on the layout, by wager."""
        total: Counter[str] = Counter()
        for bet in self.bets_of(seat):
            total[bet.wager.id] += bet.stake
        return dict(total)

    def give_back(self, bet: Bet, cite: Citation) -> None:
        """Return one wager untouched."""
        self._give_back([bet], cite)

    def undo(self, settled: Settlement, cite: Citation) -> None:
        """A wager that was lost in a round that has become void is returned after all."""
        seat, wager, back = settled.bet.seat, settled.bet.label, settled.stake
        self._move(HOUSE, seat, back)
        void = replace(self.game.void(settled.bet), cite=cite)
        self.settlements[self.settlements.index(settled)] = replace(
            settled, decision=void, result=void.result, net=0, cite=cite, pays=""
        )
        self.record("return", cite=cite, seat=seat, wager=wager, amount=back)

    def reduce(self, bet: Bet, stake: int, cite: Citation) -> None:
        """The dealer returns a part of a wager, or all of it."""
        self._lay(replace(bet, stake=stake))
        back = bet.stake - stake
        self.record("refund", cite=cite, seat=bet.seat, wager=bet.label, amount=back)

    # Chips for cash.

    def buy_in(self, seat: str, amount: int) -> None:
        """A player gives cash and gets chips."""
        self.check_seat(seat)
        if type(amount) is not int or not 0 < amount <= MOST:
            raise Refusal(
                Fault.BAD_AMOUNT,
                f"{brief(amount)} cannot be bought in chips: "
                f"it must be whole cents above zero, and {dollars(MOST)} at most",
                CHIPS,
            )
        self._move(CAGE, seat, amount)
        self.record("buy_in", cite=CHIPS, seat=seat, amount=amount)

    def cash_out(self, seat: str) -> int:
        """A player gives all chips he holds and gets cash; what lies on the layout stays."""
        self.check_seat(seat)
        amount = max(self.money[seat], 0)
        if amount:
            self._move(seat, CAGE, amount)
            self.record("cash_out", cite=CHIPS, seat=seat, amount=amount)
        return amount

    def correct(self, account: str, cents: int, cite: Citation, **why: Any) -> None:
        """The house makes good a payment that was wrong, or takes back what was paid too much."""
        self._move(HOUSE, account, cents)
        self.record("correction", cite=cite, account=account, amount=cents, **why)

    # Vigorish that was marked, not collected.

    def owed(self, seat: str) -> int:
        """The vigorish that a seat owes, as its marker shows."""
        return -self.money[owed_by(seat)]

    def worth(self, seat: str) -> int:
        """What a seat has won and lost, with what it owes, and without what lies on the layout."""
        return self.money[seat] - self.owed(seat)

    def collect_vigorish(self, seat: str, *, pays: bool = True) -> None:
        """Remove a seat's marker: it pays or, if it does not, a form documents that it did not."""
        owed = self.owed(seat)
        if not owed:
            return
        collected, documented = self.game.vigorish_cites()
        if pays:
            self._move(seat, owed_by(seat), owed)
            self.record("vigorish", cite=collected, seat=seat, amount=owed, how="collected")
            return
        self.forms += 1
        self._move(HOUSE, owed_by(seat), owed)
        self.record(
            "complimentary_vigorish",
            cite=documented,
            seat=seat,
            amount=owed,
            form=self.forms,
            patron=self.players.get(seat, f"the patron of seat {seat}"),
            to_sign=["dealer", "pit boss", "pit clerk", "patron, or why not"],
        )

    def record(
        self, kind: str, *, cite: Citation | None = None, seen_by: str | None = None, **data: Any
    ) -> None:
        """Write an event into the log of this round."""
        self.events.append(Event(kind, data, cite, seen_by))

    # How a round ends.

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
        self._give_back(self._in_order(), cite)
        self.pick_up(cite)
        self.game.voided(self)

    # What may be seen.

    def view(self, seat: str | None = None) -> dict[str, Any]:
        """The table as a seat, or a bystander, may see it."""
        if seat not in self.positions:
            seat = None
        return {
            "game": self.game.id,
            "options": self.options.as_json(),
            "betting_is_open": self.betting_is_open,
            "state": _public(self.state),
            "vigorish_owed": {seat: owed for seat in self.positions if (owed := self.owed(seat))},
            "bets": [
                {"seat": bet.seat, "wager": bet.label, "stake": bet.stake}
                for bet in self._in_order()
            ],
            "events": [e.as_json() for e in self.events if e.seen_by in (None, seat)],
        }

    # Inside.

    def _in_order(self, also: Collection[Bet] = ()) -> list[Bet]:
        """The bets by seat, and within a seat in the order of the game's wagers."""
        rank, way = self.game.rank, -1 if self.game.settles_from_the_highest else 1
        bets = [*self.bets.values(), *also]
        return sorted(bets, key=lambda bet: (way * int(bet.seat), rank[bet.wager.id]))

    def _judge(self, bet: Bet, outcome: Any, stakes: Mapping[str, int]) -> Settlement:
        case = Case(outcome, self.state, self.options, bet.spot, bet.covers, bet.called_on,
                    bet.seat, stakes)  # fmt: skip
        return self._settlement(bet, bet.wager.decide(case))

    def _settlement(self, bet: Bet, decision: Decision) -> Settlement:
        wager = bet.wager
        if decision.result is Result.STANDING:
            return Settlement(bet, decision, bet.stake, decision.result, 0, wager.cite)
        stake = bet.stake * decision.share
        if stake.denominator != 1:
            raise InexactPayment(f"{bet.label} of {bet.stake} cents cannot be settled exactly")
        paid_on = self._staked((bet.seat, wager.paid_on, bet.spot)) if wager.paid_on else int(stake)
        gross, vigorish = wager.cents(decision, self.options, paid_on)
        won = decision.result is Result.WIN
        by_table = won and decision.net is None
        pays = str(wager.pay_table(self.options)[decision.line]) if by_table else ""
        cite = decision.cite or (wager.paid_by if won else wager.cite)
        net = gross - vigorish
        return Settlement(bet, decision, int(stake), decision.result, net, cite, pays, vigorish)

    def _post(self, settlements: list[Settlement], cite: Citation) -> None:
        """Move the money and the chips, then what travels."""
        if self.game.settles_by_player(self.options):
            for settled in settlements:
                if settled.result is not Result.STANDING:
                    (self._collect if settled.gross < 0 else self._pay)(settled, cite)
        else:
            self._losers_first(settlements, cite)
        self._clear(settlements)
        again = {settled.bet.key for settled in settlements}
        stood = Result.STANDING  # until now, in this very round
        kept = [s for s in self.settlements if s.result is not stood or s.bet.key not in again]
        self.settlements = kept + settlements

    def _losers_first(self, settlements: list[Settlement], cite: Citation) -> None:
        """Collect all that is lost, then pay what has won, with its vigorish."""
        for settled in settlements:
            if settled.gross < 0:
                self._collect(settled, cite)
        winners = [s for s in settlements if s.result is not Result.STANDING and s.gross >= 0]
        seats = [[*each] for _, each in groupby(winners, lambda settled: settled.bet.seat)]
        together, first = self.game.vigorish_order(self.options)
        for group in [winners] if together else seats:
            charged = [settled for settled in group if settled.vigorish]
            for settled in charged if first else ():
                self._charge(settled)
            for settled in group:
                self._pay(settled, cite)
            for settled in () if first else charged:
                self._charge(settled)

    def _give_back(self, bets: list[Bet], cite: Citation) -> None:
        voided = [(bet, replace(self.game.void(bet), cite=cite)) for bet in bets]
        self._post([self._settlement(bet, decision) for bet, decision in voided], cite)

    def _collect(self, settled: Settlement, cite: Citation) -> None:
        bet, lost = settled.bet, -settled.gross
        self._move(LAYOUT, HOUSE, lost)
        self._move(LAYOUT, bet.seat, settled.stake - lost)
        data: dict[str, Any] = {"seat": bet.seat, "wager": bet.label, "amount": lost}
        if settled.stake > lost:
            data["returned"] = settled.stake - lost
        self.record("collect", cite=cite, **data)

    def _pay(self, settled: Settlement, cite: Citation) -> None:
        bet, won = settled.bet, settled.gross
        self._move(HOUSE, bet.seat, won)
        self._move(LAYOUT, bet.seat, settled.stake)
        given = won or settled.stake  # a wager that is returned is returned whole
        data: dict[str, Any] = {"seat": bet.seat, "wager": bet.label, "amount": given}
        if settled.pays:
            data["odds"] = settled.pays
        self.record("pay" if won else "return", cite=cite if won else settled.cite, **data)

    def _charge(self, settled: Settlement) -> None:
        """Take the vigorish, or mark that it is owed."""
        bet, amount = settled.bet, settled.vigorish
        rule = bet.wager.vigorish(self.options)
        assert rule is not None
        self._move(owed_by(bet.seat) if rule.deferred else bet.seat, HOUSE, amount)
        how = "marked" if rule.deferred else "taken"
        self.record("vigorish", cite=rule.cite, seat=bet.seat, wager=bet.label, amount=amount,
                    how=how)  # fmt: skip

    def _clear(self, settlements: list[Settlement]) -> None:
        """Take what has been decided off the layout, then move what travels."""
        moving = []
        for settled in settlements:
            bet, spot = settled.bet, settled.decision.moves_to
            spot = bet.spot if spot is None else spot
            left = bet.stake - (0 if settled.result is Result.STANDING else settled.stake)
            if (left, spot) != (bet.stake, bet.spot):
                del self.bets[bet.key]
                covers = bet.wager.reads(spot, self.options)[1] if bet.wager.reads else bet.covers
                moved = replace(bet, spot=spot, covers=covers, stake=left, called_on=False)
                moving.append((bet, moved))
        for bet, moved in moving:
            if moved.stake:
                stake = moved.stake + self._staked(moved.key)
                self.bets[moved.key] = replace(moved, stake=stake)
            if moved.stake and moved.spot != bet.spot:
                kind = "score" if bet.wager.keeps_score else "travel"
                to = moved.spot if bet.wager.keeps_score else moved.label
                self.record(kind, cite=bet.wager.cite, seat=bet.seat, wager=bet.label, to=to)

    def _possible(self) -> tuple[dict[str, str], dict[str, Collection[str]]]:
        """What cannot have happened at this moment, and why; and to whom the rest can have."""
        rules = self._momentary
        seats = {kind: rule.seats(self) for kind, rule in rules if rule.seats}
        barred = {kind: "there is no such seat" for kind, some in seats.items() if not some}
        if isinstance(self.equipment, Shoe) and not self.equipment.cards_left:
            barred |= {kind: "no card is left" for kind, rule in rules if rule.costs_cards}
        barred |= {kind: why for kind, rule in rules if rule.bar and (why := rule.bar(self))}
        return barred, seats

    def _out_of_cards(self) -> Generator[Request, Any, None]:
        """The shoe is empty in the middle of a round: the game has a rule for that."""
        kind = self.game.out_of_cards
        if not kind:
            raise ImpossibleOutcome(f"the {self.equipment.name} is empty")
        rule = self.irregularities[kind]
        yield from self._resolve(Report(kind, rule))
        if not self.equipment.cards_left:
            raise RoundIsVoid(rule.cite)  # there is nothing to shuffle either

    def _resolve(self, report: Report) -> Generator[Request, Any, None]:
        rule = report.resolution
        about = {"seat": report.seat, "wager": report.wager} if report.seat else {}
        self.record(
            "irregularity",
            cite=rule.cite,
            irregularity=report.kind,
            what=rule.trigger,
            resolution=rule.says,
            **about,
        )
        if rule.then is Then.RETURN_WAGER:
            name, _, spot = report.wager.partition(":")
            self.give_back(self.bets[report.seat, name, spot], rule.cite)
        self.report = report
        done = rule.effect(self) if rule.effect is not None else None
        if done is not None:
            yield from done
        if rule.then is Then.VOID_ROUND:
            raise RoundIsVoid(rule.cite)

    def _staked(self, key: tuple[str, str, str]) -> int:
        """What lies there now."""
        return self.bets[key].stake if key in self.bets else 0

    def _lay(self, bet: Bet) -> None:
        """Bring what lies there to this bet's stake, with chips from or to its seat."""
        self._move(bet.seat, LAYOUT, bet.stake - self._staked(bet.key))
        if bet.stake:
            self.bets[bet.key] = bet
        else:
            del self.bets[bet.key]

    def _move(self, source: str, to: str, amount: int) -> None:
        """Double entry: what leaves one account enters another."""
        self.money[source] -= amount
        self.money[to] += amount


def _public(state: Any) -> dict[str, Any]:
    """The fields of a standing state that anyone may see."""
    if not is_dataclass(state):
        return {}
    return {
        f.name: _plain(getattr(state, f.name))
        for f in fields(state)
        if not f.metadata.get("hidden")
    }


def _plain(value: Any) -> Any:
    """As JSON: the same value always gives the same text."""
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if is_dataclass(value) and type(value).__str__ is object.__str__:  # no text of its own
        return _public(value)
    return value if isinstance(value, int | str | type(None)) else str(value)
