"""What the games of baccarat share: counts, third cards, hands, wagers and errors of the shoe.

Punto banco (19:47-3), minibaccarat (19:47-7) and chemin de fer (19:47-4) deal
the same two hands. The paragraphs differ, so each game brings its own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Self

from croupier.equipment import Card, Odds
from croupier.games.scoreboard import Hand, Mark
from croupier.rulebook import (
    LOSE,
    SET_ASIDE,
    VOID,
    WIN,
    Case,
    Citation,
    Decision,
    Posting,
    Resolution,
    Round,
    ShoeGame,
    ShoeState,
    Step,
    Table,
    TableOptions,
    Vigorish,
    Violation,
    Wager,
    by_option,
    carry_on,
    improper_cut,
    shuffle_is_due,
    void_round,
    win,
)
from croupier.rulebook.irregularity import ByOption

PLAYER, BANKER = "player", "banker"
HANDS = {PLAYER: "Player's Hand", BANKER: "Banker's Hand"}
SIMULATED = "simulated round"
NATURAL = 8


# Counting, 3.1 and 7.1.


def value(card: Card) -> int:
    """7.1(b): an ace is 1, tens and face cards are nothing, the others are as printed."""
    return 1 if card.rank == 14 else card.rank if card.rank < 10 else 0


def burn_value(card: Card) -> int:
    """7.5(f): face cards and tens count as tens, aces as one."""
    return value(card) or 10


def count(cards: list[Card]) -> int:
    """The point count of a hand: the units of its total."""
    return sum(map(value, cards)) % 10


# Who draws, 3.9 and 7.9. The scanned Table 2 has lost a column in 3.9 and is wrong in most rows
# of 7.9; this one agrees with the example that both sections give (a banker's five draws to a
# four) and with every published analysis.

BANKER_DRAWS = {  # if the player stood, then by the value of the player's third card, 0 to 9
    0: "DDDDDDDDDDD",
    1: "DDDDDDDDDDD",
    2: "DDDDDDDDDDD",
    3: "DDDDDDDDDSD",
    4: "DSSDDDDDDSS",
    5: "DSSSSDDDDSS",
    6: "SSSSSSSDDSS",
    7: "SSSSSSSSSSS",
}


@dataclass(frozen=True)
class Coup:
    """Two hands: their counts and how many cards they have. It is all that a wager depends on."""

    player: int = 0
    banker: int = 0
    player_cards: int = 0
    banker_cards: int = 0
    third: int | None = None  # the value of the player's third card, until the deal is over

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def is_dealt(self) -> bool:
        """Both hands have their first two cards."""
        return self.cards >= 4

    @property
    def player_natural(self) -> bool:
        return self.player_cards == 2 and self.player >= NATURAL

    @property
    def banker_natural(self) -> bool:
        return self.banker_cards == 2 and self.banker >= NATURAL

    @property
    def has_natural(self) -> bool:
        return self.player_natural or self.banker_natural

    @property
    def winner(self) -> Hand:
        if self.player == self.banker:
            return Hand.TIE
        return Hand.PLAYER if self.player > self.banker else Hand.BANKER

    @property
    def mark(self) -> Mark:
        """The coup as a scoreboard shows it."""
        return Mark(self.winner, self.has_natural, self.player, self.banker, self.cards)

    def with_card(self, value: int) -> Self:
        """One more card, to the hand whose turn it is."""
        if self.turn() == PLAYER:
            third = value if self.player_cards == 2 else None
            points, cards = (self.player + value) % 10, self.player_cards + 1
            return replace(self, player=points, player_cards=cards, third=third)
        points, cards = (self.banker + value) % 10, self.banker_cards + 1
        return replace(self, banker=points, banker_cards=cards)

    def turn(self) -> str | None:
        """3.7(c), 7.7(c): first and third card to the player; then by Table 1 and Table 2."""
        if not self.is_dealt:
            return PLAYER if self.player_cards == self.banker_cards else BANKER
        if self.has_natural or self.banker_cards == 3:
            return None
        if self.player_cards == 2 and self.player <= 5:
            return PLAYER
        column = 0 if self.third is None else self.third + 1
        return BANKER if BANKER_DRAWS[self.banker][column] == "D" else None


# The wagers, 3.2 and 7.2.


class Scheme(StrEnum):
    """What the house takes of a winning wager on the banker."""

    WIN_VIGORISH = "win_vigorish"  # 3.3(c), 7.3(c): four or five percent of what it won
    TIE_VIGORISH = "tie_vigorish"  # 7.3(d): 25 percent of the wager on a tie
    SIX_HALF = "six_half"  # 3.3(e)1, 7.3(f)1: a banker's six is paid 1 to 2
    TOTAL_CARDS = "total_cards"  # 3.3(e)2, 7.3(f)2: nothing beside total card wagers


class BaccaratOptions(TableOptions):
    """What punto banco and minibaccarat ask their options, however the sheets name them."""

    tie_odds: Any
    offer_total_cards: Any
    offer_bonus: Any
    bonus_paytable: Any
    bonus_requires_main_bet: Any

    @property
    def scheme(self) -> Scheme:
        raise NotImplementedError

    @property
    def scheme_cite(self) -> Citation:
        """The paragraph by which the banker is paid."""
        raise NotImplementedError

    @property
    def vigorish(self) -> Vigorish | None:
        raise NotImplementedError


BaccaratCase = Case[Coup, Any, BaccaratOptions]

TOTAL_CARDS = {4: Odds(3, 2), 5: Odds(2), 6: Odds(2)}
NUMBERS = {4: "four", 5: "five", 6: "six"}


def _bonus_table(nine: int, eight: int, seven: int, six: int, five: int, four: int,
                 natural: int) -> dict[str, Odds]:  # fmt: skip
    margins = {"win_by_9": nine, "win_by_8": eight, "win_by_7": seven, "win_by_6": six,
               "win_by_5": five, "win_by_4": four, "natural_winner": natural}  # fmt: skip
    return {line: Odds(pays) for line, pays in margins.items()}


BONUS = {
    "A": _bonus_table(30, 10, 6, 4, 2, 1, 1),
    "B": _bonus_table(20, 8, 7, 4, 3, 1, 1),
    "C": _bonus_table(30, 10, 4, 4, 2, 2, 1),
}

CHARGED_WIN = replace(WIN, charged=True)
CHARGED_TIE = replace(VOID, line="tie", charged=True)
TIE = replace(VOID, line="tie")


def on_banker(case: BaccaratCase) -> Decision:
    """Wins if the Banker's Hand is higher, loses if the Player's is; a tie returns it.

    3.2(a)1, 3.3(c) and (e); 7.2(a)1, 7.3(c), (d) and (f).
    """
    coup, scheme = case.outcome, case.options.scheme
    if coup.winner is Hand.TIE:
        return CHARGED_TIE if scheme is Scheme.TIE_VIGORISH else TIE
    if coup.winner is Hand.PLAYER:
        return LOSE
    if scheme is Scheme.WIN_VIGORISH or (scheme is Scheme.TOTAL_CARDS and not is_waived(case)):
        return CHARGED_WIN
    half = scheme is Scheme.SIX_HALF and coup.banker == 6
    return _by(win("six") if half else WIN, case.options.scheme_cite)


@cache
def _by(decision: Decision, cite: Citation) -> Decision:
    """Decided by this paragraph."""
    return replace(decision, cite=cite)


def is_waived(case: BaccaratCase) -> bool:
    """3.3(e)2, 7.3(f)2: total card wagers that sum to at least the wager on the banker."""
    stakes = case.stakes or {}
    total_cards = sum(stakes.get(f"total_cards_{n}", 0) for n in TOTAL_CARDS)
    return total_cards >= stakes.get("banker", 1)


def on_player(case: BaccaratCase) -> Decision:
    """Wins if the Player's Hand is higher, loses if the Banker's is; a tie returns it.

    3.2(a)2, 7.2(a)2.
    """
    winner = case.outcome.winner
    return TIE if winner is Hand.TIE else WIN if winner is Hand.PLAYER else LOSE


def on_tie(case: BaccaratCase) -> Decision:
    """Wins if both hands have the same count.

    3.2(a)3, 7.2(a)3.
    """
    return WIN if case.outcome.winner is Hand.TIE else LOSE


def on_total_cards(number: int) -> Callable[[BaccaratCase], Decision]:
    """3.2(a)4, 7.2(a)4."""

    def decide(case: BaccaratCase) -> Decision:
        """Wins if exactly so many cards are dealt in the round."""
        return WIN if case.outcome.cards == number else LOSE

    return decide


def bonus_on(hand: str) -> Callable[[BaccaratCase], Decision]:
    """3.2(a)5, 7.2(a)5."""

    def decide(case: BaccaratCase) -> Decision:
        """Wins if the selected hand wins by a natural, or by four points or more."""
        coup = case.outcome
        ahead = coup.player - coup.banker
        natural, against = coup.player_natural, coup.banker_natural
        if hand == BANKER:
            ahead, natural, against = -ahead, against, natural
        if natural and (not against or ahead > 0):
            return win("natural_winner")
        if natural and ahead == 0:
            return replace(VOID, line="natural_tie")
        return win(f"win_by_{ahead}") if ahead >= 4 and not natural else LOSE

    return decide


@dataclass(frozen=True, kw_only=True)
class Paragraphs:
    """Where a game's subchapter says what."""

    banker: Citation
    player: Citation
    tie: Citation
    total_cards: Citation
    bonus: Citation
    main_wager: Citation  # whether a bonus needs one
    player_pays: Citation
    tie_pays: Citation
    banker_pays: Citation
    total_cards_pay: Citation
    bonus_pays: Citation
    collected: Citation  # deferred vigorish
    documented: Citation  # and what was not collected
    burn: Citation
    announced: Citation  # "No more bets"
    no_more_bets: Citation  # and what it forbids
    initial: Citation  # the first four cards
    tucked: Citation  # face down, the Banker's under the corner of the shoe
    handed: Citation  # face down, to the highest bettors
    banker_first: Citation  # the Banker's Hand is turned first, on request
    counts: Citation  # the point counts are announced
    natural: Citation
    player_draws: Citation
    banker_draws: Citation
    result: Citation
    settlement: Citation
    picked_up: Citation
    relinquished: Citation  # the right to turn cards
    set_aside: Citation  # a card drawn in error is the first of the next hand
    simulated: Citation  # a round without wagers


def wagers(at: Paragraphs) -> tuple[Wager, ...]:
    """What may be wagered at punto banco and minibaccarat, and nothing else."""
    return (
        Wager(id="banker", title="Banker", decide=on_banker, cite=at.banker,
              paid_by=at.banker_pays, paid_under=lambda options: options.scheme_cite,
              pays_exactly=True, vigorish=lambda options: options.vigorish,
              pays=lambda options: {"win": Odds(1)}
              | ({"six": Odds(1, 2)} if options.scheme is Scheme.SIX_HALF else {}),
              also=("banker's hand", "banco")),
        Wager(id="player", title="Player", decide=on_player, pays=Odds(1), pays_exactly=True,
              cite=at.player, paid_by=at.player_pays, also=("player's hand", "punto")),
        Wager(id="tie", title="Tie", decide=on_tie, pays=lambda options: {"win": options.tie_odds},
              pays_exactly=True, cite=at.tie, paid_by=at.tie_pays, also=("tie bet",)),
        *(Wager(id=f"total_cards_{number}", title=f"Total cards {NUMBERS[number]}",
                decide=on_total_cards(number), pays=pays, pays_exactly=True,
                offered=lambda options: options.offer_total_cards,
                cite=at.total_cards, paid_by=at.total_cards_pay,
                also=(f"{NUMBERS[number]} cards", f"{number} cards"))
          for number, pays in TOTAL_CARDS.items()),
        *(Wager(id=f"bonus_{hand}", title=f"Bonus on the {hand}", decide=bonus_on(hand),
                pays=lambda options: BONUS[options.bonus_paytable],
                offered=lambda options: options.offer_bonus, rests_on=(PLAYER, BANKER),
                rests_if=lambda options: options.bonus_requires_main_bet,
                rests_by=at.main_wager,
                cite=at.bonus, paid_by=at.bonus_pays, also=(f"{hand} bonus", f"dragon {hand}"))
          for hand in HANDS),
    )  # fmt: skip


# Errors of the shoe, 7.11; punto banco follows the same text.


def coup_on(table: Table) -> Coup:
    """The coup as the cards on the layout make it, hand by hand."""
    player, banker = table.hands[PLAYER], table.hands[BANKER]
    third = value(player[2]) if len(player) == 3 else None
    return Coup(count(player), count(banker), len(player), len(banker), third)


def no_third_card_in_question(table: Table) -> str:
    coup = coup_on(table)
    if table.settlements:
        return "the round is settled"
    if not coup.is_dealt:
        return "the first four cards do not lie yet"
    if coup.player_cards == 3:
        return "the Player's Hand has its third card"
    return "the Player's Hand is due a third card" if coup.turn() == PLAYER else ""


def keep_for_next_hand(table: Table) -> Round:
    """The card waits, face down, to be the first of the next hand."""
    yield from table.draw(table.equipment, to=SET_ASIDE, face_down=True)


def unless_the_banker_draws(effect: Callable[[Table], Round]) -> Callable[[Table], Round]:
    """7.11(a): if the Banker's Hand must draw, the card dealt in error is its third card."""

    def effect_if_not(table: Table) -> Round:
        if coup_on(table).turn() != BANKER:
            yield from effect(table)

    return effect_if_not


def discard_with(more: Callable[[Table, Card], int], *, unseen: bool) -> Callable[[Table], Round]:
    """The disclosed card, and so many more, are drawn and discarded."""

    def discard(table: Table) -> Round:
        card = yield from table.draw(table.equipment, to="discards")
        for _ in range(more(table, card)):
            if table.all_dealt and not table.equipment.cards_left:
                break  # the round is complete, and cannot become void for want of cards
            yield from table.draw(table.equipment, to="discards", face_down=unseen)
        table.discard("discards")

    return discard


def as_many_as_its_value(table: Table, card: Card) -> int:
    return value(card)


def its_value_or_for_tens(table: Table, card: Card) -> int:
    return value(card) or int(table.options.error_ten_value_extra)


def one_more(table: Table, card: Card) -> int:
    return 1


def simulate_a_round(table: Table) -> Round:
    """The disclosed card starts a round without wagers, dealt when this one is over."""
    yield from table.draw(table.equipment, to=SIMULATED)


def disclosed(trigger: str, cite: Callable[[str], Citation], *, third: bool) -> ByOption:
    """7.11(c): the procedure that the licensee has chosen beforehand."""
    ways: dict[str, tuple[str, Callable[[Table], Round]]] = {
        "1": ("The card and as many more as its value are discarded face up",
              discard_with(its_value_or_for_tens, unseen=False)),
        "2": ("The card and one more, unseen, are discarded",
              discard_with(one_more, unseen=True)),
        "3": ("The card starts a simulated round without wagers", simulate_a_round),
    }  # fmt: skip

    def resolution(number: str, says: str, effect: Callable[[Table], Round]) -> Resolution:
        bar = no_third_card_in_question if third else None
        done = unless_the_banker_draws(effect) if third else effect
        if third:
            says = (
                f"It is the banker's third card if one is due; if not: {says[0].lower()}{says[1:]}"
            )
        return carry_on(trigger, says, cite(number), done, bar, costs_cards=True)

    return by_option(
        "error_disclosed_procedure",
        **{number: resolution(number, *way) for number, way in ways.items()},
    )


def errors_of_the_shoe(at: Mapping[str, Citation]) -> dict[str, Resolution | ByOption]:
    """7.11(a) to (e), and the recut. `at` gives the paragraph of each, by its letter."""
    return {
        "third_card_in_error": carry_on(
            "a third card is dealt to the Player's Hand when none is due",
            "It is the banker's third card if one is due, or else the first card of the next hand",
            at["a"], unless_the_banker_draws(keep_for_next_hand), no_third_card_in_question,
            costs_cards=True,
        ),
        "third_card_in_error_disclosed": disclosed(
            "a third card is dealt to the Player's Hand when none is due, and is disclosed",
            lambda number: at[f"c{number}"], third=True,
        ),
        "card_drawn_in_error": carry_on(
            "a card is drawn from the shoe in error",
            "It is the first card of the next hand",
            at["b"], keep_for_next_hand, costs_cards=True,
        ),
        "card_drawn_in_error_disclosed": disclosed(
            "a card is drawn from the shoe in error, and is disclosed",
            lambda number: at[f"c{number}"], third=False,
        ),
        "card_face_up": carry_on(
            "a card is found face up in the shoe",
            "It is discarded with as many more, face up, as its value",
            at["d"], discard_with(as_many_as_its_value, unseen=False), costs_cards=True,
        ),
        "too_few_cards": void_round(
            "too few cards are left in the shoe to finish the round",
            "The round is void, and all the cards are shuffled", at["e"], shuffle_is_due,
            all_are_dealt,
        ),
        "improper_cut": improper_cut(at["cut"]),
    }  # fmt: skip


def all_are_dealt(table: Table) -> str:
    """7.11(e) is for a round that cannot be completed."""
    complete = table.all_dealt or table.settlements
    return "every card of the round has been dealt" if complete else ""


# What is done at all three.


def burn_as_many_as_the_first_counts(table: Table, cite: Citation) -> Round:
    """3.5(e), 7.5(f): the first card, and as many more as it counts, all shown."""
    game = table.game
    assert isinstance(game, ShoeGame)
    card = yield from table.draw(table.equipment, to="burn")
    for _ in range(game.burnt(card)):
        yield from table.draw(table.equipment, to="burn")
    table.discard("burn")
    table.step(f"{1 + game.burnt(card)} cards are burnt", cite)


def first_four_cards(table: Table, waited: Citation, *, face_down: bool) -> Round:
    """3.7(c), 7.7(c): first and third card to the Player's Hand, the others to the Banker's.

    A card that was drawn in error before is the first of them.
    """
    waiting = len(table.hands[SET_ASIDE])
    for at, hand in enumerate((PLAYER, BANKER, PLAYER, BANKER)):
        if at < waiting:
            table.use_set_aside(to=hand, face_down=face_down, cite=waited)
        else:
            yield from table.draw(table.equipment, to=hand, face_down=face_down)


def counts_and_winner(coup: Coup, tie: str) -> str:
    """What the dealer announces."""
    counts = f"Player's Hand {coup.player}, Banker's Hand {coup.banker}"
    wins = tie if coup.winner is Hand.TIE else f"{HANDS[coup.winner.value]} wins"
    return f"{counts}. {wins}"


def holder_first(table: Table, holder: str | None) -> list[str]:
    """3.5(c): the cut is offered to the last to have had the shoe, and then clockwise."""
    if holder is None:
        return table.clockwise()
    return [holder, *(seat for seat in table.clockwise(after=holder) if seat != holder)]


def cutting_cards(from_back: int) -> str:
    return f"A cutting card goes {from_back} cards from the back, one to the end"


# The two house games.
FULL_BOARD = 200  # coups that a scoreboard holds; a shoe of eight decks has about 80


@dataclass(frozen=True)
class BaccaratState(ShoeState):
    """What stands between rounds: the shoe, its results, and who turns the cards of this round."""

    results: tuple[Mark, ...] = ()  # of this shoe
    turns_player: str | None = None  # the seat that is handed the Player's Hand
    turns_banker: str | None = None
    may_not_turn: frozenset[str] = frozenset()  # who has lost that right for the round


class Baccarat(ShoeGame):
    """Two hands against each other, and everyone may wager on either."""

    at: ClassVar[Paragraphs]
    State: ClassVar[type[Any]] = BaccaratState
    one_more_hand = True
    counts_against_the_clock = True  # seat 1 first counterclockwise, the highest first clockwise
    settles_from_the_highest = True
    out_of_cards = "too_few_cards"

    # The cards, one after another.

    def value(self, card: Card) -> int:
        return value(card)

    def burnt(self, first: Card) -> int:
        return burn_value(first)

    def begin(self) -> Coup:
        return Coup()

    def whose(self, deal: Coup, options: Any) -> str | None:
        return deal.turn()

    def dealt(self, deal: Coup, value: int) -> Coup:
        return deal.with_card(value)

    def closed(self, deal: Coup) -> Coup:
        return replace(deal, third=None)

    def combined(self, options: Any) -> tuple[str, ...]:
        """No vigorish with total card wagers: the two are one proposition."""
        if options.scheme is not Scheme.TOTAL_CARDS:
            return ()
        return tuple(f"banker+total_cards_{number}" for number in TOTAL_CARDS)

    def posted(self, options: Any) -> Iterator[Posting]:
        """The table on the wall: a line for each scheme and each pay table."""
        at, here = self.at, options
        for title, scheme, cite in self.schemes(options):
            labels = self.combined(scheme) or ("banker",)
            same = (scheme.scheme, scheme.vigorish) == (here.scheme, here.vigorish)
            for label in labels:
                beside = label.partition("total_cards_")[2]
                name = f"{title} {NUMBERS[int(beside)]}" if beside else title
                yield Posting(name, label, scheme, cite, same)
        yield Posting("Player", "player", here, at.player_pays, True)
        yield Posting(f"Tie, {here.tie_odds}", "tie", here, at.tie_pays, True)
        with_all = here.but(offer_total_cards=True, offer_bonus=True)
        for number, word in NUMBERS.items():
            title, label = f"Total cards {word}", f"total_cards_{number}"
            yield Posting(title, label, with_all, at.total_cards_pay, here.offer_total_cards)
        for hand in HANDS:
            for table in BONUS:
                title, label = f"Bonus {hand}, table {table}", f"bonus_{hand}"
                offer = with_all.but(bonus_paytable=table, higher_odds={})
                is_here = here.offer_bonus and here.bonus_paytable == table
                yield Posting(title, label, offer, at.bonus_pays, is_here)

    # What each of the two says for itself.

    def schemes(self, options: Any) -> Iterable[tuple[str, Any, Citation]]:
        """Each lawful way to pay the banker, as a table that does so."""
        raise NotImplementedError

    def are_handed(self, options: Any) -> bool:
        """The hands are dealt face down and turned by the highest bettors."""
        raise NotImplementedError

    def face_down(self, options: Any) -> bool:
        """The hands are dealt face down."""
        raise NotImplementedError

    def before_the_deal(self, table: Table) -> Round:
        yield from ()

    def after_the_deal(self, table: Table, coup: Coup) -> Round:
        yield from ()

    def banker_may_go_first(self, table: Table) -> bool:
        """The Banker's Hand may be turned first, if a player asks for it."""
        return self.face_down(table.options) and table.options.banker_first_on_request

    # The round.

    def burn(self, table: Table) -> Round:
        yield from burn_as_many_as_the_first_counts(table, self.at.burn)
        table.state = replace(table.state, results=())

    def round(self, table: Table) -> Round:
        at = self.at
        yield from self.prepare(table)
        yield from self.before_the_deal(table)
        table.no_more_bets(at.announced, at.no_more_bets)
        self.choose_turners(table)
        self.call_for_cards(table)
        down = self.face_down(table.options)
        yield from first_four_cards(table, self.at.set_aside, face_down=down)
        yield from self.show_hands(table)
        if coup_on(table).has_natural:
            table.announce("A natural: no more cards", at.natural)
        while (hand := coup_on(table).turn()) is not None:
            by = at.player_draws if hand == PLAYER else at.banker_draws
            table.announce(f"{HANDS[hand]} draws", by)
            yield from self.third_card(table, hand)
        coup = coup_on(table)
        table.announce(self.call(coup, table.options), at.result)
        yield from table.inspect()
        table.settle(self.closed(coup), at.settlement)
        results = (*table.state.results, coup.mark)[-FULL_BOARD:]
        table.state = replace(table.state, results=results)
        yield from self.after_the_deal(table, coup)
        yield from self.simulated_round(table)
        self.finish(table, at.picked_up)

    def voided(self, table: Table) -> None:
        """The right to turn cards was for this round."""
        nobody: dict[str, Any] = {"turns_player": None, "turns_banker": None}
        table.state = replace(table.state, **nobody, may_not_turn=frozenset())
        super().voided(table)

    def call_for_cards(self, table: Table) -> None:
        """Punto banco has a curator to instruct."""

    def show_hands(self, table: Table) -> Round:
        """The two cards of each hand are turned, and its count announced."""
        order = [PLAYER, BANKER]
        if self.face_down(table.options):
            where = "The Banker's Hand waits under the corner of the shoe"
            table.step(where, self.face_down_by(table.options))
        for seat in table.counterclockwise() if self.banker_may_go_first(table) else ():
            question, moves = "which hand is turned first?", ("player_first", "banker_first")
            cite = self.at.banker_first
            if (yield from table.ask(seat, question, *moves, cite=cite, offer=True)) == moves[1]:
                order.reverse()
                break
        for hand in order:
            if self.face_down(table.options):
                yield from self.turn(table, hand, table.hands[hand])
            table.announce(f"{HANDS[hand]} {count(table.hands[hand])}", self.at.counts)

    def third_card(self, table: Table, hand: str) -> Round:
        """3.8(c), 7.8(c): face up or, where the hands are handed out, to the one who turned it."""
        handed = self.are_handed(table.options)
        card = yield from table.draw(table.equipment, to=hand, face_down=handed)
        if handed:
            yield from self.turn(table, hand, [card])

    def turn(self, table: Table, hand: str, cards: list[Card]) -> Round:
        """Cards that lie face down are turned: by whoever has the right to, or by the dealer."""
        at, shown = self.at, list(cards)
        while self.are_handed(table.options) and (seat := turner(table, hand)) is not None:
            table.step(
                f"The dealer hands {_cards(shown)} of the {HANDS[hand]} to seat {seat}", at.handed
            )
            question = f"turn {_cards(shown)} of the {HANDS[hand]}?"
            if (yield from table.ask(seat, question, "turn", "relinquish",
                                     cite=at.relinquished, offer=True)) == "turn":  # fmt: skip
                for card in shown:
                    table.record("look", seen_by=seat, seat=seat, outcome=str(card), to=hand)
                break
            yield from pass_the_right(table, seat, at.relinquished)
        table.turn(hand, shown, self.face_down_by(table.options))

    def face_down_by(self, options: Any) -> Citation:
        return self.at.handed if self.are_handed(options) else self.at.tucked

    def choose_turners(self, table: Table) -> None:
        """3.7(d)1 to 6, 7.7(c)3: the highest wager on each hand; of equals, the first to come."""
        handed = self.are_handed(table.options)
        table.state = replace(
            table.state,
            turns_player=self.highest(table, PLAYER) if handed else None,
            turns_banker=self.highest(table, BANKER) if handed else None,
        )

    def highest(self, table: Table, hand: str) -> str | None:
        """Closest to the dealer, moving counterclockwise, among those who wagered most."""
        stakes = {seat: table.stakes(seat).get(hand, 0) for seat in table.counterclockwise()}
        seat = max(stakes, key=lambda seat: stakes[seat], default=None)
        if seat is not None and stakes[seat]:
            return seat
        other = BANKER if hand == PLAYER else PLAYER
        if getattr(table.options, "turn_without_wager", False):
            return next((seat for seat in stakes if table.stakes(seat).get(other)), None)
        return None

    def simulated_round(self, table: Table) -> Round:
        """7.11(c)3: no wagers, dealt by the rules, and all its cards discarded."""
        for first in table.hands.pop(SIMULATED, []):
            table.step("A simulated round is dealt, without wagers", self.at.simulated)
            table.hands[f"simulated {PLAYER}"].append(first)
            deal = self.dealt(self.begin(), value(first))
            while (hand := deal.turn()) is not None and table.equipment.cards_left:
                card = yield from table.draw(table.equipment, to=f"simulated {hand}")
                deal = self.dealt(deal, value(card))

    def call(self, coup: Coup, options: Any) -> str:
        """3.10(a), 7.10(a): what the dealer announces."""
        said = counts_and_winner(coup, "Tie Hand")
        return f"{said}. {coup.cards} cards" if options.offer_total_cards else said

    # Wagers and vigorish.

    def vigorish_order(self, options: Any) -> tuple[bool, bool]:
        """3.10(b), 7.10(b): sequences 1 to 4."""
        return options.settlement_sequence in (1, 2), options.settlement_sequence in (2, 4)

    def vigorish_cites(self) -> tuple[Citation, Citation]:
        return self.at.collected, self.at.documented


def turner(table: Table, hand: str) -> str | None:
    """The seat that is to turn a hand, if it has not lost that right."""
    seat: str | None = table.state.turns_player if hand == PLAYER else table.state.turns_banker
    return seat


def pass_the_right(table: Table, seat: str, cite: Citation) -> Round:
    """7.11(f): offered to the player on the right, and so on; if nobody accepts, to nobody."""
    table.state = replace(table.state, may_not_turn=table.state.may_not_turn | {seat})
    for hand, name in ((PLAYER, "turns_player"), (BANKER, "turns_banker")):
        if turner(table, hand) != seat:
            continue
        heir: str | None = None
        for other in table.counterclockwise(after=seat):
            if other in table.state.may_not_turn:
                continue
            question = f"take the right to turn the {HANDS[hand]}?"
            if (yield from table.ask(other, question, "accept", "decline",
                                     cite=cite, offer=True)) == "accept":  # fmt: skip
                heir = other
                table.step(f"Seat {other} has the right to turn the {HANDS[hand]}", cite)
                break
        table.state = replace(table.state, **{name: heir})


def right_taken(cite: Citation) -> Resolution:
    """7.11(f): who delays the game or breaks the rules loses the right to turn cards."""

    def holders(table: Table) -> list[str]:
        seats = (turner(table, hand) for hand in HANDS)
        return [seat for seat in dict.fromkeys(seats) if seat is not None]

    def bar(table: Table) -> str:
        if table.all_dealt or table.settlements:
            return "every card has been turned"
        return "" if holders(table) else "no player has the right to turn cards"

    def effect(table: Table) -> Round:
        assert table.report is not None
        yield from pass_the_right(table, table.report.seat, cite)

    return carry_on(
        "a player delays the game or breaks a rule while turning cards",
        "The right to turn them goes to the right; if nobody accepts it, the dealer turns them",
        cite, effect, bar, seats=holders,
    )  # fmt: skip


def _cards(cards: list[Card]) -> str:
    return "the third card" if len(cards) == 1 else "the cards"


def cut_card_too_deep(cards: int, decks: int, cite: Citation) -> Iterator[Violation]:
    """A cut card stands somewhere in the shoe, with a deck in front of it at least."""
    most = 52 * (decks - 1)
    if cards > most:
        message = f"cut_card_from_back must leave a deck to deal from: {most} at most, not {cards}"
        yield Violation("cut_card_from_back", message, cite)


def percent(rate: int, cite: Citation, up_to: int, deferred: bool = False) -> Vigorish:
    """So many percent of what was won."""
    return Vigorish(Fraction(rate, 100), cite, up_to, deferred)


def inspection(rows: str, cite: Citation, washed: Citation) -> tuple[Step, ...]:
    """3.4, 7.4: the cards are shown to the first players before anything else."""
    return (
        ("The dealer inspects the decks and the floorperson verifies them", cite),
        (f"The cards are spread face up in {rows}, by deck, suit and sequence", cite),
        ("They are turned face down, washed and stacked", washed),
    )
