"""Dealing from a shoe: what all the games share that do so.

Before the first round, and again when the cut card has come out, the cards are
shuffled, cut and put into the shoe, and a card is burnt. How that is done is
data (`Ceremony`); a game adds who may cut and what is burnt.

A game of the shoe also says how its cards follow one another, as plain values
(`begin`, `whose`, `dealt`, `moved`), for the solver to count by. Baccarat's
rounds are dealt by it too; where seats choose for themselves the round has its
own order, and tests deal every order of a small shoe to hold the two together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from croupier.equipment import Card, Shoe, deck
from croupier.rulebook.citation import Citation
from croupier.rulebook.game import Game, Round
from croupier.rulebook.irregularity import Resolution, carry_on
from croupier.rulebook.moves import Move
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.table import Table

Step = tuple[str, Citation]

LEAST_CUT = 10  # cards from either end
MOST_DECKS = 1000  # the regulation sets no limit, but a shoe has one


@dataclass(frozen=True)
class ShoeState:
    """What stands between the rounds of a game that is dealt from a shoe."""

    shuffle_due: bool = True  # the cards are shuffled before the next round
    opened: bool = False  # the cards have been inspected at this table
    resting: bool = False  # nobody plays: the cards lie spread on the table
    last_hand: bool = False  # the cut card has come out, and one more hand is dealt
    batch: int = 1  # which of two batches is in the shoe, where there are two
    cutter: str | None = None  # the seat that cut the cards; None is the dealer


@dataclass(frozen=True)
class Ceremony:
    """How the cards of a table get into the shoe, step by step."""

    opening: tuple[Step, ...]  # when the table is opened
    after_rest: tuple[Step, ...]  # when a player comes to a table where nobody played
    shuffle: tuple[Step, ...]
    cut: Citation  # who is offered the cut
    depth: Citation  # how deep it must be
    place: tuple[Step, ...]  # where the cut card goes, and the cards
    last_hand: Citation  # what happens when it comes out


@dataclass(frozen=True)
class Duel:
    """Two sides that choose against each other, each knowing its own cards: who may do what.

    The player acts on the count of his two cards, the banker also on the player's third card.
    """

    player_moves: Callable[[int], tuple[str, ...]]
    banker_moves: Callable[[int, int | None], tuple[str, ...]]
    vigorish: Fraction  # of what the banker wins
    outcomes: Mapping[str, Any]  # a finished deal that the player, the banker or nobody wins


class ShoeGame(Game):
    """A game whose cards come from a shoe that lasts several rounds."""

    State = ShoeState
    family = "shoe"
    one_more_hand: ClassVar[bool] = False  # dealt after the one in which the cut card comes out

    # What every such game must say.

    def ceremony(self, options: Any, state: Any) -> Ceremony:
        raise NotImplementedError

    def burn(self, table: Table) -> Round:
        """What is burnt after a shuffle."""
        raise NotImplementedError

    def begin(self) -> Any:
        """A deal before its first card."""
        raise NotImplementedError

    def whose(self, deal: Any, options: Any) -> str | tuple[str, ...] | None:
        """The hand that gets the next card, the moves of a player who must choose, or the end.

        Options may say what moves there are; without any, they change nothing here.
        """
        raise NotImplementedError

    def dealt(self, deal: Any, value: int) -> Any:
        """The deal after one more card."""
        raise NotImplementedError

    # What such a game may say differently.

    def value(self, card: Card) -> int:
        """All that counts of a card in this game."""
        return card.rank

    def moved(self, deal: Any, move: str) -> Any:
        """The deal after a player's choice."""
        return deal

    def burnt(self, first: Card) -> int:
        """How many more are burnt after the first, by what counts of it, when all are shuffled."""
        return 0

    def burns(self, deal: Any, options: Any) -> int:
        """How many cards are burnt in the course of a deal, before its next card."""
        return 0

    def closed(self, deal: Any) -> Any:
        """A deal that is over, without what no wager depends on."""
        return deal

    def outcome(self, deal: Any) -> Any:
        """What the wagers are decided by when the deal is over."""
        return deal

    def made(self, deal: Any) -> Mapping[str, int]:
        """How many units lie on each wager that was made in the course of a deal."""
        return {}

    def duel(self, options: Any) -> Duel | None:
        """Where players choose against each other, and not against the house."""
        return None

    def combined(self, options: Any) -> tuple[str, ...]:
        """Wagers that are worth something else when they lie side by side, as `a+b`."""
        return ()

    def situation(self, deal: Any) -> str:
        """What a player who must choose sees, in words."""
        return "any hand"

    def sight(self, deal: Any) -> Any:
        """All that a player who must choose knows of a deal."""
        return deal

    def decks_in_shoe(self, options: Any) -> int:
        decks: int = options.decks
        return decks

    def is_continuous(self, options: Any) -> bool:
        """Cards go back into a shuffling device after every round."""
        return False

    def shuffles_every_round(self, options: Any) -> bool:
        return False

    def cut_card(self, options: Any) -> int:
        """How many cards lie behind the cut card."""
        cards: int = options.cut_card_from_back
        return cards

    def cut_order(self, table: Table) -> list[str]:
        """The seats to which the cut is offered, in turn."""
        return table.clockwise()

    # What follows from that.

    def device(self, options: Any) -> Shoe[Card]:
        cut_card = 0 if self.is_continuous(options) else self.cut_card(options)
        decks = self.decks_in_shoe(options)
        if decks > MOST_DECKS:
            message = f"no shoe holds {decks:,} decks; {MOST_DECKS:,} can be dealt from"
            raise Refusal(Fault.NOT_NOW, message, self.cite)
        return Shoe(deck() * decks, cut_card)

    def in_play(self, state: Any) -> Any:
        return replace(state, shuffle_due=False, opened=True, resting=False)

    def due_for_shuffle(self, state: Any) -> Any:
        return replace(state, shuffle_due=True, last_hand=False)

    def rest(self, table: Table) -> None:
        """Nobody plays: the cards are taken out of the shoe and spread on the table."""
        table.state = replace(self.due_for_shuffle(table.state), resting=True)

    def prepare(self, table: Table) -> Round:
        """Shuffle, cut and burn, if it is time to."""
        shoe, state, options = table.equipment, table.state, table.options
        if self.is_continuous(options):
            shoe.shuffle_discards()
            if state.opened and not state.resting:
                return
        elif not state.shuffle_due:
            return
        for seat in table.positions:
            table.collect_vigorish(seat)
        how = self.ceremony(options, state)
        first = () if state.opened else how.opening
        for text, cite in (*(how.after_rest if state.resting else first), *how.shuffle):
            table.step(text, cite)
        if self.is_continuous(options):
            table.state = self.in_play(state)
            return
        table.hands.clear()
        shoe.shuffle()
        batch = 3 - state.batch if state.opened else 1
        table.state = replace(self.in_play(state), last_hand=False, batch=batch)
        yield from self.offer_cut(table, self.cut_order(table))
        for text, cite in how.place:
            table.step(text, cite)
        yield from self.burn(table)

    def offer_cut(self, table: Table, seats: list[str]) -> Round:
        """The cut is offered to each of these in turn; if nobody takes it, the dealer cuts."""
        how = self.ceremony(table.options, table.state)
        cite, deepest = how.cut, len(table.equipment.composition) - LEAST_CUT
        cut = Move("cut", LEAST_CUT, deepest, unit="cards", cite=how.depth)
        for seat in seats:
            question = "will you cut the cards?"
            if (yield from table.ask(seat, question, "decline", cut,
                                     cite=cite, offer=True)) != "decline":  # fmt: skip
                table.state = replace(table.state, cutter=seat)
                return
        table.step("The dealer cuts the cards", cite)
        table.state = replace(table.state, cutter=None)

    def finish(self, table: Table, cite: Citation) -> None:
        """The cards are picked up; if the cut card has come out, the shoe comes to its end."""
        table.pick_up(cite)
        self.voided(table)

    def voided(self, table: Table) -> None:
        """A round is over, void or not: has the cut card come out?"""
        options, state = table.options, table.state
        if self.is_continuous(options) or state.shuffle_due:
            return
        is_out = table.equipment.cut_card_reached
        ends = state.last_hand or (is_out and not self.one_more_hand)
        if ends or self.shuffles_every_round(options):
            table.state = self.due_for_shuffle(state)
        elif is_out:
            table.announce("Last hand", self.ceremony(options, state).last_hand)
            table.state = replace(state, last_hand=True)


def no_card_dealt(table: Table) -> str:
    """A cut can be found improper only before any card is dealt."""
    shoe = table.equipment
    if isinstance(table.game, ShoeGame) and table.game.is_continuous(table.options):
        return "the cards of a continuous shuffler are not cut"
    if shoe.cards_left < len(shoe.composition):
        return "cards have been dealt since the cut"
    return "" if table.betting_is_open else "the cards were cut before this round"


def shuffle_is_due(table: Table) -> None:
    """All the cards are shuffled before the next round."""
    table.state = table.game.due_for_shuffle(table.state)


def improper_cut(cite: Citation) -> Resolution:
    """The cards are cut again, by the one who cut or by the next person entitled to."""

    def recut(table: Table) -> Round:
        game = table.game
        assert isinstance(game, ShoeGame)
        order, cutter = game.cut_order(table), table.state.cutter
        at = order.index(cutter) if cutter in order else len(order)  # the dealer comes last
        yield from game.offer_cut(table, order[at + (table.options.recut_by == "next_person") :])

    return carry_on(
        "the cut was made improperly", "The cards are cut again", cite, recut, no_card_dealt
    )
