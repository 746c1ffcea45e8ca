"""Poker against the house: what all the games share that are dealt from one pack.

The pack is shuffled for every round. Everybody who has wagered gets cards, the
dealer may get a hand of his own, and community cards may be shared. Between
the cards each player decides; at the end his hand is compared with the
dealer's, or with a table of payments.

What is dealt to whom and what may be decided when is data (`Stage`, `Choice`):
the live round asks by it, and the solver counts by it. How a wager comes out
depends on a `Showdown` alone, so the function that pays the live table also
fills the tables of the solver.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Any, ClassVar

from croupier.equipment import Card, Shoe, deck
from croupier.ranking import FIVE, Ladder, PokerHand, rank
from croupier.rulebook.citation import Citation, custom
from croupier.rulebook.game import Game, Round
from croupier.rulebook.moves import Move
from croupier.rulebook.options import Flag, TableOptions, money
from croupier.rulebook.refusal import Fault, Refusal, Unlawful, Violation
from croupier.rulebook.settlement import Settlement
from croupier.rulebook.table import Table
from croupier.rulebook.wager import (
    LOSE,
    PUSH,
    VOID,
    WIN,
    Case,
    Decision,
    Opening,
    Window,
    shut,
    win,
)

WITHDRAWN = replace(VOID, line="withdrawn")
DEALER = "dealer"
BOARD = "board"  # the community cards
BURN = "burn"
COUNT_EVERY = 5  # rounds, after which the stub is counted at the latest
LEAST_CUT = 10  # cards

Dealt = tuple[str, bool]  # a hand, and whether the card lies face down


@dataclass(frozen=True)
class Choice:
    """Something that may be decided: it costs `times` the first wager, staked on `wager`."""

    move: str
    wager: str = ""
    times: int = 0
    last: bool = False  # nothing more is decided by this player
    folds: bool = False
    withdraws: str = ""  # the wager that is taken back

    def __str__(self) -> str:
        return f"{self.move} {self.times}x" if self.times else self.move


@dataclass(frozen=True)
class Stage:
    """A decision: how many community cards are known by then, and what may be done."""

    title: str
    question: str
    choices: tuple[Choice, ...]  # the first is what the rules do when nobody answers
    cite: Citation
    board: int = 0
    any_amount: bool = False  # any amount from the least to the most of a move, not only these


@dataclass(frozen=True)
class Look:
    """What a side wager looks at: the best hand of so many cards."""

    at: str  # the field of a showdown
    cards: int
    ladder: Ladder = FIVE


@dataclass(frozen=True)
class Showdown:
    """All that the wagers of a seat are decided by when the cards are down."""

    hand: PokerHand | None = None  # the player's best, of all the cards he may use
    margin: int = 0  # above zero if it beats the dealer's hand, below if that beats it
    qualifies: bool = True  # the dealer's hand is good enough to play
    folded: bool = False
    own: Any = None  # the player's own cards alone
    dealer: PokerHand | None = None  # the dealer's best
    both: PokerHand | None = None  # the best of the player's and the dealer's cards together
    prize: int | None = None  # cents, where it depends on what others have won


ShowdownCase = Case[Showdown, Any, Any]


def by_category(hand: PokerHand) -> str:
    return hand.category


def higher_hand(case: ShowdownCase) -> Decision:
    """Wins if the player's hand is higher, loses if the dealer's is; equal hands push."""
    margin = case.outcome.margin
    return WIN if margin > 0 else LOSE if margin < 0 else PUSH


def on_the_hand(
    wager: str,
    table: Callable[[Any], Mapping[str, Any]],
    look: str = "hand",
    line: Callable[[Any], str] = by_category,
    otherwise: Decision = LOSE,
) -> Callable[[ShowdownCase], Decision]:
    """Paid by a table: wins on every hand that is listed, whatever the dealer holds."""

    def decide(case: ShowdownCase) -> Decision:
        found = line(getattr(case.outcome, look))
        better = case.options.odds_above_minimum()
        listed = found in table(case.options) or f"{wager}.{found}" in better
        return win(found) if listed else otherwise

    return decide


def if_higher(won: Callable[[ShowdownCase], Decision]) -> Callable[[ShowdownCase], Decision]:
    """Lost if the dealer's hand is higher, and returned if hands are equal; else as `won` says."""

    def decide(case: ShowdownCase) -> Decision:
        """Paid by its rank if the player's hand is higher; equal hands push."""
        return won(case) if case.outcome.margin > 0 else higher_hand(case)

    decide.__doc__ = won.__doc__ or decide.__doc__
    return decide


def when_asked(cite: Citation) -> Callable[[Any, str, Any], Window]:
    """For a wager that is made in the course of the round and not before it."""

    def window(state: Any, spot: str, options: Any) -> Window:
        return shut("it is made in the course of the round, when the dealer asks for it", cite)

    return window


def never_staked(cite: Citation) -> Callable[[Any, str, Any], Window]:
    """For a bonus, which is earned and not wagered."""

    def window(state: Any, spot: str, options: Any) -> Window:
        return shut("nothing is staked on it: it is paid on another wager", cite)

    return window


@dataclass(frozen=True)
class PackState:
    """What stands between the rounds of a game that is dealt from one pack."""

    opened: bool = False  # the cards have been inspected at this table
    pack: int = 1  # which of two packs is dealt from, where there are two
    uncounted: int = 0  # rounds since the stub was counted
    face_up: int = 0  # cards found face up in this round
    decided: int = 0  # how many of its decisions are over
    revealed: bool = False  # the dealer's hand is


@dataclass(frozen=True)
class Rules:
    """Where a game's subchapter says what every such game does."""

    opening: Citation
    shuffle: Citation
    cut: Citation
    no_more_bets: Mapping[str, Citation]  # by dealing method
    dealing: Mapping[str, Citation]
    stub: Citation | Mapping[str, Citation]  # by dealing method, where they differ
    count: Citation | Mapping[str, Citation]
    reveal: Citation
    rankings: Citation
    settle: Citation
    collect: Citation
    wagers: Citation
    positions: Citation  # how many a player may have


class PackOptions(TableOptions):
    """What the licensee chooses about the pack. A game gives each option its paragraph."""

    hand_needs_shuffler: ClassVar[Citation]  # no dealing from the hand without one
    second_pack: ClassVar[Citation]  # nor a second pack

    deal_method: Any
    automated_shuffler: Flag
    table_min = money(500, cite=custom("8.2"), title="least wager, in cents")

    @property
    def has_two_packs(self) -> bool:
        if "packs" in self.all():
            return bool(getattr(self, "packs") == 2)  # noqa: B009
        return bool(getattr(self, "second_deck", False))

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if not self.automated_shuffler and self.deal_method == "hand":
            message = "cards may be dealt from the hand only if a device shuffles them"
            yield Violation("deal_method", message, self.hand_needs_shuffler)
        if not self.automated_shuffler and self.has_two_packs:
            option = "packs" if "packs" in self.all() else "second_deck"
            message = "a second pack may be used only if a device shuffles the cards"
            yield Violation(option, message, self.second_pack)


class PokerGame(Game):
    """A poker game against the house, or against a table of payments."""

    State: ClassVar[type[Any]] = PackState
    family = "poker"
    settles_from_the_highest = True  # from the dealer's right

    ladder: ClassVar[Ladder] = FIVE
    own_cards: ClassVar[int]  # to each player
    dealer_cards: ClassVar[int] = 0
    up_cards: ClassVar[int] = 0  # of the dealer's, seen before anybody decides
    board_cards: ClassVar[int] = 0
    main: ClassVar[tuple[str, ...]] = ("ante",)  # the opening wagers that stand or fall together
    looks: ClassVar[Mapping[str, Look]] = {}  # what side wagers look at, where it is a hand
    rules: ClassVar[Rules]
    collects_folds_together: ClassVar[bool] = False  # when all have decided, and not at once

    # What such a game must say.

    def stages(self, options: Any) -> tuple[Stage, ...]:
        """Its decisions, in their order."""
        raise NotImplementedError

    # What it may say differently.

    def qualifies(self, hand: PokerHand, options: Any) -> bool:
        """Whether the dealer's hand is good enough to play."""
        return True

    def forfeited(self, options: Any) -> tuple[str, ...]:
        """The wagers that a fold loses."""
        return self.main

    def order(self, seats: list[str], options: Any) -> Iterable[Dealt]:
        """Which hand gets each card of the deal, and whether it lies face down."""
        return self.laps([*seats, DEALER], self.own_cards, options)

    def side_cases(
        self, wager: str, options: Any, state: Any, folds: Callable[[Iterable[int]], bool]
    ) -> Iterable[tuple[int, Showdown]]:
        """Every case of a side wager that looks at something else than a hand, with its ways.

        `folds` tells whether these own cards are folded, where that matters; cards are numbered
        from 0, the two of clubs, to 51, rank by rank.
        """
        raise NotImplementedError

    def what_if(self, given: Mapping[str, Any]) -> tuple[Any, list[Violation]]:
        """Odds may be asked about on any hand, but not on what is no hand at all."""
        options, wrong = super().what_if(given)
        for key in options.odds_above_minimum():
            name, dot, line = key.partition(".")
            hands = self.looks.get(name, Look("hand", 0, self.ladder)).ladder.categories
            if dot and line not in (*self.by_id[name].minimum(options), *hands):
                raise Unlawful(wrong)
        return options, wrong

    def payout_limit(self, options: Any) -> tuple[tuple[str, ...], int] | None:
        """The wagers of a hand whose winnings together are limited, and to how many cents."""
        return None

    def first_stake(self, table: Table, seat: str) -> int:
        """What the multiples of a decision are of; 0 if the seat is not in the round."""
        return table.stakes(seat).get(self.main[0], 0)

    def may_have_two(self, options: Any) -> bool:
        """Whether a player may wager on two positions, side by side."""
        return False

    def seat_order(self, table: Table) -> list[str]:
        """In which order players are settled."""
        return table.counterclockwise() if self.settles_from_the_highest else table.clockwise()

    # What follows from that: the table.

    def device(self, options: Any) -> Shoe[Card]:
        return Shoe(deck(), name="pack")

    def in_play(self, state: Any) -> Any:
        return replace(state, opened=True)

    def due_for_shuffle(self, state: Any) -> Any:
        """As at the opening of the table: the pack is shuffled for every round anyway."""
        return replace(state, opened=False)

    def settles_by_player(self, options: Any) -> bool:
        return getattr(options, "settlement_order", "by_player") == "by_player"

    def narrow(self, table: Table, seat: str, opening: Opening) -> Opening:
        """The first wager is one of which everything that may follow can be paid."""
        is_first = opening.wager.id == self.main[0]
        return opening.by(self._payable(table)) if is_first else opening

    def _payable(self, table: Table) -> int:
        """What the first wager must be a multiple of, so that all that follow can be paid."""
        options, state = table.options, table.state
        times: dict[str, int] = {}
        for choice in (each for stage in self.stages(options) for each in stage.choices):
            times[choice.wager] = gcd(times.get(choice.wager, 0), choice.times)
        units = [
            unit // gcd(unit, times.get(wager.id, 0) or 1)
            for wager in self.offered(options)
            if wager.joins == self.main[0]
            for unit in (wager.unit(options, state, "", ()),)
        ]
        return lcm(*units)

    def may_sit(self, seat: str, held: list[str], options: Any) -> None:
        two, cite = self.may_have_two(options), self.rules.positions
        if held and (not two or len(held) > 1):
            most = "two positions" if two else "one position"
            message = f"a player may wager on {most} here, and has {', '.join(held)} already"
            raise Refusal(Fault.NOT_NOW, message, cite)
        if held and abs(int(held[0]) - int(seat)) != 1:
            message = f"a player's two positions must be adjacent, and {held[0]} and {seat} are not"
            raise Refusal(Fault.NOT_NOW, message, cite)

    def pay(self, settlements: list[Settlement], options: Any) -> list[Settlement]:
        limit = self.payout_limit(options)
        return capped(settlements, *limit) if limit else settlements

    # The round, step by step.

    def begin(self, table: Table) -> bool:
        """Open the table if need be, and close the betting."""
        state, options, rules = table.state, table.options, self.rules
        if not state.opened:
            table.step("The cards are inspected, spread face up and washed", rules.opening)
            self._shuffle(table)
        table.state = replace(self.in_play(table.state), face_up=0, decided=0, revealed=False)
        table.no_more_bets(rules.no_more_bets[options.deal_method], rules.wagers)
        if not table.bets:
            table.step("Nobody plays, and no cards are dealt", rules.wagers)
        return bool(table.bets)

    def laps(self, hands: list[str], cards: int, options: Any) -> list[Dealt]:
        """One card at a time round the table or, from an automated shoe, a packet to each."""
        if options.deal_method == "automated_shoe":
            return [(hand, True) for hand in hands for _ in range(cards)]
        return [(hand, True) for _ in range(cards) for hand in hands]

    def deal(self, table: Table) -> Round:
        """The cards of the deal, from the player at the dealer's left and clockwise."""
        options, rules = table.options, self.rules
        table.step(HOW_DEALT[options.deal_method], rules.dealing[options.deal_method])
        for hand, face_down in self.order(table.clockwise(), options):
            if table.bets_of(hand) or (table.bets and hand not in table.positions):
                yield from table.draw(table.equipment, to=hand, face_down=face_down)
                self._burnt(table)

    def _burnt(self, table: Table) -> None:
        if BURN in table.hands:
            table.burn(BURN)

    def community(self, table: Table, cards: int, cite: Citation, *, burn: bool = False) -> Round:
        """Community cards, dealt face up, after a burn card if there is one."""
        if not table.bets:
            return
        if burn:
            yield from table.draw(table.equipment, to=BURN, face_down=True)
            self._burnt(table)
            table.step("One card is burnt", cite)
        for _ in range(cards):
            yield from table.draw(table.equipment, to=BOARD)

    def put_stub_away(self, table: Table) -> None:
        """The stub goes to the discard rack unseen, and is counted every fifth round."""
        state, options = table.state, table.options
        uncounted = state.uncounted + 1
        if not options.automated_shuffler and uncounted >= COUNT_EVERY:
            counted = _under(self.rules.count, options.deal_method)
            table.step("The dealer counts the stub face down", counted)
            uncounted = 0
        table.state = replace(state, uncounted=uncounted)
        put_away = _under(self.rules.stub, options.deal_method)
        table.step("The stub goes to the discard rack, unseen", put_away)

    def decisions(self, table: Table, stage: Stage) -> Round:
        """From the dealer's left, each player who is still to decide does."""
        folded: list[str] = []
        for seat in [seat for seat in table.clockwise() if self.is_to_decide(table, seat)]:
            yield from table.inspect()
            first = self.first_stake(table, seat)
            if not first:  # his hand has become void
                continue
            moves = self._moves(table, stage, first)
            said = yield from table.ask(seat, stage.question, *moves, cite=stage.cite)
            name, amount = said if isinstance(said, tuple) else (said, 0)
            choice = next(each for each in stage.choices if each.move == name)
            if choice.folds and self.collects_folds_together:
                folded.append(seat)
            elif choice.folds:
                self.fold(table, seat, stage.cite)
            elif choice.withdraws:
                (bet,) = table.bets_of(seat, choice.withdraws)
                table.decide(bet, replace(WITHDRAWN, cite=stage.cite), stage.cite)
            elif choice.wager:
                table.stake(seat, choice.wager, amount or choice.times * first, stage.cite)
        for seat in folded:
            self.fold(table, seat, stage.cite)
        table.state = replace(table.state, decided=table.state.decided + 1)

    def _moves(self, table: Table, stage: Stage, first: int) -> list[Move]:
        moves = []
        for name in dict.fromkeys(choice.move for choice in stage.choices):
            same = [choice for choice in stage.choices if choice.move == name]
            times = [choice.times for choice in same]
            if len(same) == 1:
                moves.append(Move(name, costs=times[0] * first))
                continue
            unit = self.by_id[same[0].wager].unit(table.options, table.state, "", ())
            step = lcm(table.options.increment, unit) if stage.any_amount else first
            moves.append(Move(name, min(times) * first, max(times) * first, step))
        return moves

    def is_to_decide(self, table: Table, seat: str) -> bool:
        """He is in the round, and has not made the wager that ends his decisions."""
        last = {
            choice.wager for stage in self.stages(table.options)
            for choice in stage.choices if choice.last and choice.wager
        }  # fmt: skip
        stakes = table.stakes(seat)
        return bool(self.first_stake(table, seat)) and not last & set(stakes)

    def fold(self, table: Table, seat: str, cite: Citation) -> None:
        """He loses what a fold loses; his cards stay if another wager needs them."""
        for name in self.forfeited(table.options):
            for bet in table.bets_of(seat, name):
                table.forfeit(bet, cite)
        if not table.bets_of(seat):
            table.pick_up(cite, seat)

    def showdown(self, table: Table, seat: str) -> Showdown:
        """What the wagers of a seat are decided by, with the cards as they lie."""
        board = table.hands[BOARD]
        hand = rank([*table.hands[seat], *board], self.ladder)
        folded = not self.first_stake(table, seat)
        if not self.dealer_cards:
            return Showdown(hand, folded=folded)
        dealer = rank([*table.hands[DEALER], *board], self.ladder)
        margin = (hand > dealer) - (hand < dealer)
        qualifies = self.qualifies(dealer, table.options)
        return Showdown(hand, margin, qualifies, folded, dealer=dealer)

    def reveal(self, table: Table, cite: Citation | None = None) -> None:
        """The dealer's cards are turned and his hand is called, if there is anything to settle."""
        if not table.bets:
            return
        table.state = replace(table.state, revealed=True)
        cards = table.hands[DEALER]
        table.turn(DEALER, cards, cite or self.rules.reveal)
        hand = rank([*cards, *table.hands[BOARD]], self.ladder)
        plays = "" if self.qualifies(hand, table.options) else ": the dealer does not qualify"
        table.announce(f"Dealer has {hand.describe()}{plays}", self.rules.rankings)

    def settle(self, table: Table) -> Round:
        """From the dealer's right, hands are turned, wagers settled and cards collected.

        That is done for one player after another, or each of it for all of them in turn.
        """
        yield from table.inspect()
        outcomes, seats = self.outcomes(table), self.seat_order(table)
        by_player = self.settles_by_player(table.options)
        for some in [[seat] for seat in seats] if by_player else [seats]:
            for seat in some:
                table.turn(seat, table.hands[seat], self.rules.settle)
                hand = outcomes[seat].hand
                if hand is not None:
                    table.announce(f"Seat {seat} has {hand.describe()}", self.rules.rankings)
            table.settle_each({seat: outcomes[seat] for seat in some}, self.rules.settle)
            if some:
                table.pick_up(self.rules.collect, *some)

    def outcomes(self, table: Table) -> dict[str, Showdown]:
        return {seat: self.showdown(table, seat) for seat in self.seat_order(table)}

    def finish(self, table: Table) -> None:
        """The cards are collected so that every hand can be made again, and shuffled."""
        table.pick_up(self.rules.collect)
        self._shuffle(table)

    def voided(self, table: Table) -> None:
        """What a fold had lost is returned too."""
        for settled in [each for each in table.settlements if each.net < 0]:
            table.undo(settled, table.voided_by)
        self._shuffle(table)

    def _shuffle(self, table: Table) -> None:
        """The whole pack, by a device or by hand; a manual shuffle is followed by a cut."""
        options, rules = table.options, self.rules
        table.hands.clear()
        table.equipment.shuffle()
        if options.automated_shuffler:
            table.step("A device shuffles the cards", rules.shuffle)
        else:
            table.step("The dealer shuffles the cards", rules.shuffle)
            table.step(f"The dealer cuts the cards, at least {LEAST_CUT} from the top", rules.cut)
        if options.has_two_packs and table.state.opened:  # the first round has the first pack
            table.state = replace(table.state, pack=3 - table.state.pack)


HOW_DEALT = {
    "manual_shoe": "The cards are dealt from the shoe, one at a time",
    "hand": "The cards are dealt from the hand, one at a time",
    "automated_shoe": "The automated shoe gives each hand a packet",
}


def _under(rule: Citation | Mapping[str, Citation], method: str) -> Citation:
    """The paragraph for this dealing method, where each has its own."""
    return rule if isinstance(rule, Citation) else rule[method]


def capped(settlements: list[Settlement], wagers: Iterable[str], most: int) -> list[Settlement]:
    """What these wagers of a hand win together is limited: each is paid its part of the limit."""
    names = set(wagers)
    won: defaultdict[str, list[Settlement]] = defaultdict(list)
    for settled in settlements:
        if settled.bet.wager.id in names and settled.net > 0:
            won[settled.bet.seat].append(settled)
    limited: dict[tuple[str, str, str], int] = {}
    for same in won.values():
        total = sum(settled.net for settled in same)
        if total <= most:
            continue
        parts = [settled.net * most // total for settled in same]
        odd = most - sum(parts)  # fewer cents than there are wagers: one to each of the first
        for at, (settled, part) in enumerate(zip(same, parts, strict=True)):
            limited[settled.bet.key] = part + (at < odd)
    return [
        replace(
            each,
            net=limited[each.bet.key],
            pays=", ".join(filter(None, (each.pays, "limited"))),
        )
        if each.bet.key in limited and each.net > 0
        else each
        for each in settlements
    ]
