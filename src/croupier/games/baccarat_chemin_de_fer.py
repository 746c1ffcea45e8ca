"""Baccarat-Chemin de Fer, N.J.A.C. 19:47-4: the players against one another.

One participant holds the shoe and puts up a bank; the others cover it. The
house deals, and takes a commission of what the banker wins. Only the headings
of the subchapter are at hand: the cards follow 19:47-3, and the rest is
custom, so that every term of it is an option.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from croupier.equipment import Card, Odds, dollars
from croupier.games.baccarat import (
    BANKER,
    BANKER_DRAWS,
    CHARGED_WIN,
    HANDS,
    PLAYER,
    TIE,
    Coup,
    all_are_dealt,
    burn_as_many_as_the_first_counts,
    burn_value,
    count,
    counts_and_winner,
    coup_on,
    cut_card_too_deep,
    cutting_cards,
    first_four_cards,
    holder_first,
    inspection,
    keep_for_next_hand,
    on_player,
    percent,
    value,
)
from croupier.games.scoreboard import Hand, Mark
from croupier.games.shoe_custom import discard_face_up
from croupier.rulebook import (
    LOSE,
    Bank,
    Bet,
    Case,
    Ceremony,
    Decision,
    Duel,
    Fault,
    Move,
    Opening,
    Refusal,
    Request,
    Round,
    ShoeGame,
    ShoeState,
    Table,
    TableOptions,
    Vigorish,
    Violation,
    Wager,
    carry_on,
    choice,
    custom,
    flag,
    improper_cut,
    shuffle_is_due,
    void_round,
    whole,
)

DRAW, STAND = "draw", "stand"
FORCED = {"D": (DRAW,), "S": (STAND,), "O": (DRAW, STAND)}

# The customary tableau leaves the banker two choices: three against a nine, five against a four.
TWO_OPTIONS = BANKER_DRAWS | {3: "DDDDDDDDDSO", 5: "DSSSSODDDSS"}

ROUNDED_UP_TO = {"exact": 1, "up": 25}  # cents; a part of a cent is never the house's loss


class CheminDeFerOptions(TableOptions):
    """What the licensee chooses at a chemin de fer table."""

    without = ("higher_odds",)

    decks = whole(6, default=6, cite=custom("4.1"), title="decks in the shoe")
    vig_percent = whole(
        0, 10, default=5, cite=custom("4.10"), title="vigorish on what the banker wins, in percent"
    )
    vig_rounding = choice(
        "exact", "up", default="up", cite=custom("4.10"),
        title="vigorish rounded up to 25 cents, or to the cent",
    )  # fmt: skip
    banker_tableau = choice(
        "tableau_two_options", "tableau_forced", "free", cite=custom("4.9"),
        title="how free the banker is to draw or stand",
    )  # fmt: skip
    player_option_on_5 = flag(
        True, yes_no=True, cite=custom("4.9"), title="the player may draw or stand on five"
    )
    partial_withdrawal = choice(
        "no", "1", "2", "3", "4", "5", cite=custom("4.6"),
        title="after so many wins in a row the banker may withdraw up to half of the bank",
    )  # fmt: skip
    avec_la_table = flag(
        False, yes_no=True, cite=custom("4.7"), title="who takes exactly half the bank goes first"
    )
    banco_suivi = flag(
        True, yes_no=True, cite=custom("4.7"), title="who called banco and lost may call it first"
    )
    bank_at_same_height = flag(
        False, yes_no=True, cite=custom("4.11"),
        title="a bank that is passed is first offered to whoever puts up the same amount",
    )  # fmt: skip
    min_seated = whole(
        2, 9, default=2, cite=custom("4.7"), title="participants without whom no coup is dealt"
    )
    recut_by = choice(
        "last_cutter", "next_person", cite=custom("4.4"), title="who cuts again after a bad cut"
    )
    cut_card_from_back = whole(
        14, default=14, cite=custom("4.4"), title="cards behind the cut card"
    )

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        yield from cut_card_too_deep(self.cut_card_from_back, self.decks, custom("4.4"))

    @property
    def vigorish(self) -> Vigorish | None:
        if not self.vig_percent:
            return None
        return percent(self.vig_percent, custom("4.10"), ROUNDED_UP_TO[self.vig_rounding])


@dataclass(frozen=True)
class CheminDeFerState(ShoeState):
    """What stands between coups."""

    banker: str | None = None  # the seat that has the shoe, or is offered it next
    bank: int = 0  # what the banker must put up to go on; 0 when a new bank begins
    wins: int = 0  # of this banker, in a row
    suivi: str | None = None  # who called banco and lost the last coup
    taken: bool = False  # the shoe is taken away after this coup
    seated: tuple[str, ...] = ()  # who takes part in this coup, from the banker's right
    stood: bool = False  # the player of this coup took no card
    results: tuple[Mark, ...] = ()  # of this shoe


@dataclass(frozen=True)
class Duelists(Coup):
    """A coup in which each side draws or stands in its turn."""

    player_move: str = ""
    banker_move: str = ""

    def turn(self) -> str | None:
        """4.9: third cards go to who draws."""
        if not self.is_dealt:
            return super().turn()
        if self.player_move == DRAW and self.player_cards == 2:
            return PLAYER
        return BANKER if self.banker_move == DRAW and self.banker_cards == 2 else None


BankCase = Case[Coup, CheminDeFerState, CheminDeFerOptions]


def player_moves(points: int, options: CheminDeFerOptions) -> tuple[str, ...]:
    """4.9: a player draws to four or less, stands on six and seven, and may choose on five."""
    if points == 5 and options.player_option_on_5:
        return DRAW, STAND
    return (DRAW,) if points <= 5 else (STAND,)


def banker_moves(points: int, third: int | None, options: CheminDeFerOptions) -> tuple[str, ...]:
    """4.9: by the tableau, knowing whether the player drew, and which card."""
    if options.banker_tableau == "free":
        return DRAW, STAND
    two_options = options.banker_tableau == "tableau_two_options"
    tableau = TWO_OPTIONS if two_options else BANKER_DRAWS
    return FORCED[tableau[points][0 if third is None else third + 1]]


def bank(case: BankCase) -> Decision:
    """Wins if the Banker's Hand is higher, loses if the Player's is; a tie returns it."""
    winner = case.outcome.winner
    return TIE if winner is Hand.TIE else CHARGED_WIN if winner is Hand.BANKER else LOSE


def the_bank(table: Table) -> int:
    """What the banker has put up, or must put up to go on."""
    laid = sum(bet.stake for bet in table.bets.values() if bet.wager.id == "bank")
    return laid or int(table.state.bank)


def not_stood(table: Table) -> str:
    return "" if table.state.stood else "the player has not stood"


def keep_unless_banker_draws(table: Table) -> Round:
    """If the banker draws, the card is his; if not, it is the first of the next coup."""
    if table.all_dealt:
        yield from keep_for_next_hand(table)


def no_forced_move(table: Table) -> str:
    """Where the player had a choice, or none was to be made, no rule can have been broken."""
    coup, two = coup_on(table), count(table.hands[PLAYER][:2])
    if not coup.is_dealt or coup.has_natural:
        return "there is no move to make"
    return "the player has a choice" if len(player_moves(two, table.options)) > 1 else ""


class BaccaratCheminDeFer(ShoeGame):
    """Baccarat-Chemin de Fer, N.J.A.C. 19:47-4."""

    id = "baccarat-chemin-de-fer"
    title = "Baccarat-Chemin de Fer"
    cite = custom("4.1")
    positions = 9
    in_words = (
        "The participants play against one another. One of them holds the shoe and puts up a bank; "
        "the others cover as much of it as they like, and one who calls banco covers it all. Each "
        "side has two cards and may draw a third, and the hand that is nearer to nine takes the "
        "money. The house deals, and takes a commission of what the banker wins."
    )
    Options = CheminDeFerOptions
    State = CheminDeFerState
    one_more_hand = True
    counts_against_the_clock = True
    out_of_cards = "too_few_cards"

    wagers = (
        Wager(id="bank", title="Bank", decide=bank, pays=Odds(1), pays_exactly=True,
              vigorish=lambda options: options.vigorish,
              cite=custom("4.6"), paid_by=custom("4.10"), limited_by=custom("4.6")),
        Wager(id="punt", title="Punt", decide=on_player, pays=Odds(1), pays_exactly=True,
              against="bank", cite=custom("4.7"), paid_by=custom("4.10"),
              limited_by=custom("4.7")),
        Wager(id="banco", title="Banco", decide=on_player, pays=Odds(1), pays_exactly=True,
              against="bank", cite=custom("4.7"), paid_by=custom("4.10"),
              limited_by=custom("4.7")),
    )  # fmt: skip

    irregularities = {
        "card_face_up": carry_on(
            "a card is found face up in the shoe", "It is not used, and is discarded",
            custom("4.12"), discard_face_up, costs_cards=True,
        ),
        "third_card_in_error": carry_on(
            "a card is dealt to a player who stood, and is not exposed",
            "It is the banker's third card if he draws, or else the first card of the next coup",
            custom("4.12"), keep_unless_banker_draws, not_stood, costs_cards=True,
        ),
        "third_card_in_error_disclosed": carry_on(
            "a card is dealt to a player who stood, and is exposed",
            "It is discarded", custom("4.12"), discard_face_up, not_stood, costs_cards=True,
        ),
        "card_drawn_in_error": carry_on(
            "a card is drawn in error, and is not exposed",
            "It is the first card of the next coup", custom("4.12"), keep_for_next_hand,
            costs_cards=True,
        ),
        "card_drawn_in_error_disclosed": carry_on(
            "a card is drawn in error, and is exposed", "It is discarded", custom("4.12"),
            discard_face_up, costs_cards=True,
        ),
        "forced_move_refused": carry_on(
            "a player draws on six or seven, or stands on four or less",
            "The dealer enforces the move that the rules prescribe", custom("4.12"),
            bar=no_forced_move,
        ),
        "natural_not_declared": carry_on(
            "the holder of a natural does not declare it",
            "The hand is settled by its count, and third cards are withdrawn", custom("4.12"),
            bar=lambda table: "" if coup_on(table).is_dealt and coup_on(table).has_natural
            else "neither hand is a natural",
        ),
        "too_few_cards": void_round(
            "the shoe is exhausted during a coup", "The coup is void, and wagers are returned",
            custom("4.12"), shuffle_is_due, all_are_dealt,
        ),
        "punts_exceed_bank": carry_on(
            "the punts exceed the bank", "The excess is refused, the last punter's first",
            custom("4.12"),
        ),
        "wrong_deal_order": carry_on(
            "cards are dealt in the wrong order, and none has been looked at",
            "They are assigned to the hands in the order in which they left the shoe",
            custom("4.12"),
            bar=lambda table: "cards have been looked at" if coup_on(table).is_dealt else "",
        ),
        "shoe_taken": carry_on(
            "the banker delays the game or breaks a rule",
            "The shoe goes to the next participant after this coup", custom("4.11"),
            lambda table: setattr(table, "state", replace(table.state, taken=True)),
        ),
        "improper_cut": improper_cut(custom("4.4")),
    }  # fmt: skip

    # Who wagers what.

    def narrow(self, table: Table, seat: str, opening: Opening) -> Opening:
        if opening.wager.id == "bank":
            return self._bank(table, seat, opening)
        bank, holder = the_bank(table), self.bank_holder(table)
        if not bank:
            message = f"{opening.wager.id} needs a bank to cover: nobody has put one up"
            raise Refusal(Fault.NO_SUPPORT, message, custom("4.7"))
        if seat == holder:
            raise Refusal(Fault.NOT_NOW, "the banker may not play against himself", custom("4.7"))
        other = "punt" if opening.wager.id == "banco" else "banco"
        if table.bets_of(seat, other):
            message = f"seat {seat} has a {other} already, and makes one of the two"
            raise Refusal(Fault.NOT_NOW, message, custom("4.7"))
        high = min(opening.high, bank)
        low = bank if opening.wager.id == "banco" else min(opening.low, high)
        why = (f": that is the bank of {dollars(bank)}", custom("4.7"))
        if low == bank:  # there is only one amount, whatever the vigorish has left of the bank
            return replace(opening, low=bank, high=bank, step=1, why_not_less=why,
                           why_not_more=why)  # fmt: skip
        return replace(opening, low=low, high=high, why_not_more=why)

    def _bank(self, table: Table, seat: str, opening: Opening) -> Opening:
        """4.6: any amount at first; after that the whole bank, winnings and all."""
        state, holder = table.state, self.bank_holder(table)
        if holder not in (None, seat):
            message = f"seat {holder} has the bank"
            raise Refusal(Fault.NOT_NOW, message, custom("4.5"))
        if state.bank:
            low = state.bank
            if table.options.partial_withdrawal != "no":
                enough = state.wins >= int(table.options.partial_withdrawal)
                half = max(-(-state.bank // 2), opening.low)
                low = min(half, low) if enough else low
            why = (": the bank stays as it has grown, or the shoe is passed", custom("4.6"))
            return replace(opening, low=low, high=state.bank, step=1, removable=False,
                           why_not_less=why, why_not_more=why)  # fmt: skip
        against = [bet for bet in table.bets.values() if bet.wager.id != "bank"]
        if against:
            why = (": wagers against it lie on the table", custom("4.7"))
            low = max(opening.low, *(bet.stake for bet in against))
            called = any(bet.wager.id == "banco" for bet in against)
            high = the_bank(table) if called else opening.high
            return replace(opening, low=low, high=high, removable=False, why_not_less=why,
                           why_not_more=why)  # fmt: skip
        return opening

    def bank_holder(self, table: Table) -> str | None:
        """Who has put up the bank, or has the shoe and may."""
        laid = [bet.seat for bet in table.bets.values() if bet.wager.id == "bank"]
        if laid:
            return laid[0]
        holder: str | None = table.state.banker
        return holder

    # The cards, one after another.

    def value(self, card: Card) -> int:
        return value(card)

    def begin(self) -> Duelists:
        return Duelists()

    def whose(self, deal: Duelists, options: CheminDeFerOptions) -> str | tuple[str, ...] | None:
        """4.8, 4.9: after four cards and no natural, the player's move and then the banker's.

        Where the tableau leaves a side no choice, its one move.
        """
        turn = deal.turn()
        if turn or deal.has_natural:
            return turn
        if not deal.player_move:
            return player_moves(deal.player, options)
        return None if deal.banker_move else banker_moves(deal.banker, deal.third, options)

    def moved(self, deal: Duelists, move: str) -> Duelists:
        if deal.player_move:
            return replace(deal, banker_move=move)
        return replace(deal, player_move=move)

    def dealt(self, deal: Duelists, value: int) -> Duelists:
        return deal.with_card(value)

    def closed(self, deal: Duelists) -> Coup:
        return Coup(deal.player, deal.banker, deal.player_cards, deal.banker_cards)

    def sight(self, deal: Duelists) -> int | tuple[int, int | None]:
        """The player goes by his count, the banker by his own and the player's third card."""
        return (deal.banker, deal.third) if deal.player_move else deal.player

    def situation(self, deal: Duelists) -> str:
        if not deal.player_move:
            return f"player {deal.player}"
        against = "a stand" if deal.third is None else str(deal.third)
        return f"banker {deal.banker} against {against}"

    # The shoe.

    def burnt(self, first: Card) -> int:
        """As at punto banco."""
        return burn_value(first)

    def duel(self, options: CheminDeFerOptions) -> Duel:
        """The player's five and the banker's free choices, played against each other."""
        return Duel(
            lambda points: player_moves(points, options),
            lambda points, third: banker_moves(points, third, options),
            options.vigorish.rate if options.vigorish else Fraction(0),
            {PLAYER: Coup(1, 0, 2, 2), BANKER: Coup(0, 1, 2, 2), "tie": Coup(0, 0, 2, 2)},
        )

    def ceremony(self, options: CheminDeFerOptions, state: CheminDeFerState) -> Ceremony:
        opening = inspection("columns", custom("4.3"), custom("4.3"))
        shuffle = (
            ("The cards are shuffled", custom("4.4")),
            ("About one deck is laced evenly through the rest", custom("4.4")),
        )
        place = cutting_cards(options.cut_card_from_back)
        cite = custom("4.4")
        return Ceremony(opening, opening, shuffle, cite, cite, ((place, cite),), custom("4.8"))

    def burn(self, table: Table) -> Round:
        """As at punto banco."""
        yield from burn_as_many_as_the_first_counts(table, custom("4.4"))
        table.state = replace(table.state, results=())

    # The coup.

    def round(self, table: Table) -> Round:
        yield from self.prepare(table)
        before = table.state.bank
        banker = self.open_the_bank(table)
        if banker is None:
            return
        if 1 < len(table.state.seated) < table.options.min_seated:
            needed = f"A coup needs {table.options.min_seated} participants"
            yield from self.no_coup(table, banker, before, needed)
            return
        table.no_more_bets(custom("4.8"))
        covering = self.cover(table, banker)
        if not covering:
            yield from self.no_coup(table, banker, before, "Nothing is covered")
            return
        table.announce("Cards", custom("4.8"))
        controls = {PLAYER: self.largest(covering), BANKER: banker}
        coup = yield from self.deal(table, controls)
        table.announce(self.call(coup), custom("4.10"))
        yield from table.inspect()
        called = next((bet.seat for bet in covering if bet.wager.id == "banco"), None)
        # What the punters win comes out of the banker's stake, and the other way round.
        table.settle(coup, custom("4.10"), against=Bank(wager="bank", cite=custom("4.6")))
        lost = called if coup.winner is Hand.BANKER else None
        results = (*table.state.results, coup.mark)
        table.state = replace(table.state, suivi=lost, stood=False, results=results)
        yield from self.go_on(table, banker, coup)
        self.finish(table, custom("4.10"))

    def open_the_bank(self, table: Table) -> str | None:
        """4.5, 4.6: the banker, with the bank on the table; None if nobody takes it."""
        banker = self.bank_holder(table)
        if banker is None or not the_bank(table):
            table.announce("Nobody takes the bank", custom("4.5"))
            table.state = replace(table.state, banker=None)  # the shoe is free to all
            return None
        if table.state.bank and not table.bets_of(banker, "bank"):
            table.stake(banker, "bank", table.state.bank, custom("4.6"))
        bank, at = the_bank(table), table.positions.index(banker)
        around = table.positions[at:] + table.positions[:at]
        seated = tuple(seat for seat in around if seat in table.present)
        table.announce(f"Seat {banker} has the bank: {dollars(bank)}", custom("4.6"))
        table.state = replace(table.state, banker=banker, bank=bank, seated=seated, stood=False)
        return banker

    def no_coup(self, table: Table, banker: str, before: int, why: str) -> Round:
        """4.7: wagers are returned, and the banker keeps the shoe or passes it.

        A bank that was in force before stays so; a new one that nobody covered binds nobody.
        """
        table.announce(why, custom("4.7"))
        for bet in [*table.bets.values()]:
            table.give_back(bet, custom("4.7"))
        yield from self.keep_or_pass(table, banker, before)

    def cover(self, table: Table, banker: str) -> list[Bet]:
        """4.7: banco first, then punts from the banker's right; the rest is returned."""
        bank = the_bank(table)
        order = [seat for seat in table.counterclockwise(after=banker) if seat != banker]
        suivi = table.state.suivi if table.options.banco_suivi else None
        calls = [bet for seat in order for bet in table.bets_of(seat, "banco")]
        calls.sort(key=lambda bet: bet.seat != suivi)
        punts = [bet for seat in order for bet in table.bets_of(seat, "punt")]
        if table.options.avec_la_table:
            halves = [bet for bet in punts if 2 * bet.stake == bank]
            punts = halves[:1] + [bet for bet in punts if bet not in halves[:1]]
        left, accepted = bank, []
        for bet in calls[:1] or punts:
            stake = min(bet.stake, left)
            if stake:
                accepted.append(replace(bet, stake=stake))
            if stake < bet.stake:
                table.reduce(bet, stake, custom("4.7"))
            left -= stake
        for bet in (calls[1:] + punts) if calls else ():
            table.reduce(bet, 0, custom("4.7"))
        if left:
            (laid,) = table.bets_of(banker, "bank")
            table.reduce(laid, bank - left, custom("4.6"))
        return accepted

    def largest(self, covering: list[Bet]) -> str:
        """4.8: the Player's Hand is controlled by the largest punt; of equals, the first."""
        return max(covering, key=lambda bet: bet.stake).seat

    def deal(self, table: Table, controls: dict[str, str]) -> Generator[Request, Any, Coup]:
        """4.8, 4.9: four cards face down, naturals at once, then player and banker choose."""
        yield from first_four_cards(table, custom("4.12"), face_down=True)
        for hand, seat in controls.items():
            table.look(hand, seat)
        if coup_on(table).has_natural:
            for hand in HANDS:
                table.turn(hand, table.hands[hand], custom("4.8"))
            return coup_on(table)
        moves = player_moves(count(table.hands[PLAYER]), table.options)
        drew = yield from self.choose(table, controls[PLAYER], PLAYER, moves)
        table.state = replace(table.state, stood=not drew)
        if drew:
            yield from table.draw(table.equipment, to=PLAYER)
        table.turn(BANKER, table.hands[BANKER], custom("4.9"))
        third = value(table.hands[PLAYER][2]) if drew else None
        moves = banker_moves(count(table.hands[BANKER]), third, table.options)
        if (yield from self.choose(table, controls[BANKER], BANKER, moves)):
            yield from table.draw(table.equipment, to=BANKER)
        table.turn(PLAYER, table.hands[PLAYER][:2], custom("4.9"))
        return replace(coup_on(table), third=None)

    def choose(
        self, table: Table, seat: str, hand: str, moves: tuple[str, ...]
    ) -> Generator[Request, Any, bool]:
        """Whether a card is drawn: asked where there is a choice, enforced where there is none."""
        move = moves[0]
        if len(moves) > 1:
            # That the player has a choice would tell the banker that he has a five.
            secret = hand == PLAYER
            question, cite = "draw or stand?", custom("4.9")
            move = yield from table.ask(seat, question, *moves, cite=cite, private=secret)
        table.step(f"The {HANDS[hand]} {move}s", custom("4.9"))
        return move == DRAW

    def go_on(self, table: Table, banker: str, coup: Coup) -> Round:
        """4.11: the banker gives up the shoe after a loss; after a win or a tie he may keep it."""
        if coup.winner is Hand.PLAYER or table.state.taken:
            taken = "The shoe is taken from the banker"
            why = taken if table.state.taken else "The banker loses"
            table.announce(f"{why}: the shoe passes", custom("4.11"))
            yield from self.offer_shoe(table, banker)
            return
        won = sum(s.net for s in table.settlements if s.bet.wager.id == "bank")
        bank, most = table.state.bank + won, table.options.table_max
        if bank > most:
            table.step(f"{dollars(bank - most)} is set aside for the banker", custom("4.6"))
        wins = table.state.wins + (coup.winner is Hand.BANKER)
        table.state = replace(table.state, wins=wins)
        yield from self.keep_or_pass(table, banker, min(bank, most))

    def keep_or_pass(self, table: Table, banker: str, bank: int) -> Round:
        table.state = replace(table.state, banker=banker, bank=bank)
        question = "keep the shoe or pass it?"
        if (yield from table.ask(banker, question, "keep", "pass_shoe",
                                 cite=custom("4.11"), offer=True)) == "keep":  # fmt: skip
            return
        same_height = table.options.bank_at_same_height and bank
        for seat in self.others(table, banker) if same_height else ():
            question = f"take the bank at {dollars(bank)}?"
            take = Move("take_bank", costs=bank)
            if (yield from table.ask(seat, question, "decline", take,
                                     cite=custom("4.11"), offer=True)) == "take_bank":  # fmt: skip
                table.state = replace(table.state, banker=seat, wins=0)
                return
        yield from self.offer_shoe(table, banker)

    def offer_shoe(self, table: Table, banker: str) -> Round:
        """4.11: to the next participant on the right, until one accepts; his bank is a new one."""
        table.state = replace(table.state, banker=None, bank=0, wins=0, taken=False)
        for seat in self.others(table, banker):
            if (yield from table.ask(seat, "will you take the shoe?", "accept", "decline",
                                     cite=custom("4.11"), offer=True)) == "accept":  # fmt: skip
                table.state = replace(table.state, banker=seat)
                return

    def others(self, table: Table, banker: str) -> list[str]:
        """Those who take part, from the banker's right."""
        return [seat for seat in table.state.seated if seat != banker]

    def left(self, table: Table, seat: str) -> None:
        """A banker who leaves gives up the bank, and the shoe with it."""
        if table.state.banker == seat:
            table.state = replace(table.state, banker=None, bank=0, wins=0)

    def voided(self, table: Table) -> None:
        if table.state.taken:  # by a report in a coup that was void
            table.state = replace(table.state, banker=None, bank=0, wins=0, taken=False)
        super().voided(table)

    def cut_order(self, table: Table) -> list[str]:
        """As at punto banco: at a reshuffle the last to have had the shoe is first."""
        return holder_first(table, table.state.banker)

    def call(self, coup: Coup) -> str:
        return counts_and_winner(coup, "Tie: all wagers are void")
