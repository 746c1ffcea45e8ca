"""Red dog, N.J.A.C. 19:47-6: will the third card fall between the first two?

Of the text only 6.1(a) and 6.9 are at hand. Wagers and odds follow published
accounts of the Atlantic City game; shuffle and errors follow blackjack custom.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from croupier.equipment import Odds
from croupier.games.shoe_custom import (
    QUARTER,
    being_dealt,
    burn_one_unseen,
    burn_openly,
    ceremony,
    discard_face_up,
    recent,
    shuffle_discards,
)
from croupier.rulebook import (
    LOSE,
    PUSH,
    Case,
    Ceremony,
    Decision,
    Fault,
    Refusal,
    Round,
    ShoeGame,
    ShoeState,
    Table,
    TableOptions,
    Violation,
    Wager,
    Window,
    better_odds,
    carry_on,
    choice,
    custom,
    elsewhere,
    law,
    published,
    shuffle_is_due,
    shut,
    void_round,
    whole,
    win,
)

SHOE_ERRORS = elsewhere("6.7", "S.D. 20:18:15:28")

PAYS = {
    "spread_1": Odds(5),
    "spread_2": Odds(4),
    "spread_3": Odds(2),
    "spread_4_to_11": Odds(1),
}
NAMES = ("first", "second", "third")
THREE_OF_A_KIND = {"three_of_a_kind": Odds(11)}


class RedDogOptions(TableOptions):
    """What the licensee chooses at a red dog table."""

    decks = whole(1, default=6, cite=law("6.1(a)"), title="decks in the shoe")
    shuffle = choice(
        "per_shoe", "after_every_round", "continuous_device", cite=law("6.9"),
        title="when the cards are shuffled",
    )  # fmt: skip
    raise_amount = choice(
        "up_to_original", "exactly_original", cite=published("6.5"), title="how much may be raised"
    )
    areas_per_player = whole(
        1, 7, default=1, cite=custom("6.8"), title="betting areas that one player may have"
    )
    positions = whole(1, 7, default=7, cite=custom("6.5"), title="betting areas at the table")
    higher_odds = better_odds(cite=published("6.5"))

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.areas_per_player > self.positions:
            message = f"a player cannot have {self.areas_per_player} of {self.positions} areas"
            yield Violation("areas_per_player", message, custom("6.8"))


@dataclass(frozen=True)
class ThreeCards:
    """The cards on the table, 2 to 14 with the ace high, and whether the player raised."""

    first: int = 0
    second: int = 0
    third: int = 0
    raised: bool | None = None  # None before it is decided

    @property
    def gap(self) -> int:
        return abs(self.first - self.second)

    @property
    def is_pair(self) -> bool:
        return self.gap == 0

    @property
    def is_consecutive(self) -> bool:
        """King and ace are; ace and two are not, for the ace is high."""
        return self.gap == 1

    @property
    def spread(self) -> int:
        """How many values lie strictly between the first two cards."""
        return max(self.gap - 1, 0)

    @property
    def line(self) -> str:
        return f"spread_{self.spread}" if self.spread <= 3 else "spread_4_to_11"

    @property
    def is_between(self) -> bool:
        return min(self.first, self.second) < self.third < max(self.first, self.second)


@dataclass(frozen=True)
class RedDogState(ShoeState):
    """What stands between rounds."""

    results: tuple[str, ...] = ()  # the most recent


RedDogCase = Case[ThreeCards, ShoeState, RedDogOptions]

CONSECUTIVE = replace(PUSH, line="consecutive")
PAIR = replace(PUSH, line="pair")


def decide(case: RedDogCase) -> Decision:
    """Consecutive cards tie; a pair wins with a third like it; else the third must lie between."""
    cards = case.outcome
    if cards.is_consecutive:
        return CONSECUTIVE
    if cards.is_pair:
        return win("three_of_a_kind") if cards.third == cards.first else PAIR
    return win(cards.line) if cards.is_between else LOSE


def after_the_spread(state: ShoeState, spot: str, options: RedDogOptions) -> Window:
    reason = "a raise is made after the spread is announced, when the dealer asks for it"
    return shut(reason, published("6.5"))


def raises_again(table: Table) -> Round:
    """The spread is marked anew and raises may be changed; after the third card, cards speak."""
    if table.all_dealt:
        return
    table.announce(f"The spread is {on_table(table).spread}", published("6.5"))
    for seat in table.positions:
        for bet in table.bets_of(seat, "raise"):
            table.reduce(bet, 0, custom("6.7"))
    assert isinstance(table.game, RedDog)
    yield from table.game.raising(table)


def awaits_third(table: Table) -> str:
    """A raise is in question only while the third card is to come."""
    is_due = has_spread(table) and not on_table(table).third
    return "" if is_due else "the third card is not about to be dealt after a spread"


def has_spread(table: Table) -> bool:
    cards = on_table(table)
    return cards.second > 0 and cards.spread > 0


def on_table(table: Table) -> ThreeCards:
    first, second, third = (table.hands[name][0].rank if table.hands[name] else 0 for name in NAMES)
    return ThreeCards(first, second, third)


class RedDog(ShoeGame):
    """Red dog, N.J.A.C. 19:47-6."""

    id = "red-dog"
    title = "Red dog"
    cite = law("6.1")
    positions = 7
    in_words = (
        "Two cards are dealt face up, and players wager that a third will fall between them. When "
        "the spread is known a player may raise, and the smaller the spread, the more a win pays. "
        "Two cards in sequence are a tie; to a pair a third card is dealt, which wins if it has "
        "the same rank."
    )
    Options = RedDogOptions
    State = RedDogState
    settles_from_the_highest = True  # from the dealer's right
    out_of_cards = "too_few_cards"

    wagers = (
        Wager(id="original", title="Original wager", decide=decide, pays=PAYS | THREE_OF_A_KIND,
              cite=published("6.5"), paid_by=published("6.5"), also=("red dog", "ante", "bet")),
        Wager(id="raise", title="Raise", decide=decide, pays=PAYS, window=after_the_spread,
              joins="original", cite=published("6.5"), paid_by=published("6.5")),
    )  # fmt: skip

    irregularities = {
        "card_face_up": carry_on(
            "a card is found face up in the shoe", "It is not used, and is discarded",
            SHOE_ERRORS, discard_face_up, costs_cards=True,
        ),
        "card_drawn_in_error": carry_on(
            "a card is drawn in error and not exposed", "It is used as the next card", SHOE_ERRORS,
            bar=lambda table: "no card is due" if table.all_dealt else "",
        ),
        "card_drawn_in_error_exposed": carry_on(
            "a card is drawn in error and exposed when the first or the second is due",
            "It is used as that card", custom("6.7"),
            bar=lambda table: being_dealt(table)
            or ("the first two cards lie" if on_table(table).second else ""),
        ),
        "third_card_exposed_early": carry_on(
            "the third card is exposed before all have raised",
            "It is burnt, the raising is completed, and the next card is the third",
            custom("6.7"), burn_openly, awaits_third, costs_cards=True,
        ),
        "third_card_after_consecutive": carry_on(
            "a third card is drawn after a consecutive hand", "It is burnt", custom("6.7"),
            burn_openly,
            lambda table: "" if table.all_dealt and on_table(table).is_consecutive
            else "the first two cards are not consecutive",
            costs_cards=True,
        ),
        "too_few_cards": carry_on(
            "too few cards are left to finish the round",
            "The discards are shuffled and cut, and the round is completed",
            SHOE_ERRORS, shuffle_discards,
        ),
        "spread_marked_wrong": carry_on(
            "the spread is announced or marked wrongly",
            "It is corrected and raises may be changed; after the third card the cards speak",
            custom("6.7"), raises_again,
            lambda table: "" if has_spread(table) else "there is no spread",
        ),
        "shuffler_fails": carry_on(
            "the shuffling device fails", "The cards are shuffled by the approved procedure",
            custom("6.9"), shuffle_discards,
            lambda table: "" if table.options.shuffle == "continuous_device"
            else "the dealer shuffles the cards",
        ),
        "wrong_number_of_cards": void_round(
            "a card is found to be missing, or one too many",
            "The round is void, and the cards are replaced", custom("6.7"),
            shuffle_is_due,
        ),
    }  # fmt: skip

    # The cards, one after another.

    def begin(self) -> ThreeCards:
        return ThreeCards()

    def whose(self, deal: ThreeCards, options: RedDogOptions) -> str | tuple[str, ...] | None:
        if not deal.first:
            return "first"
        if not deal.second:
            return "second"
        if deal.is_consecutive or deal.third:
            return None
        if deal.spread and deal.raised is None:
            return "call", "raise"
        return "third"

    def dealt(self, deal: ThreeCards, value: int) -> ThreeCards:
        card: dict[str, Any] = {next(name for name in NAMES if not getattr(deal, name)): value}
        return replace(deal, **card)

    def moved(self, deal: ThreeCards, move: str) -> ThreeCards:
        return replace(deal, raised=move == "raise")

    def made(self, deal: ThreeCards) -> dict[str, int]:
        return {"original": 1, "raise": 1} if deal.raised else {"original": 1}

    def situation(self, deal: ThreeCards) -> str:
        return f"spread {deal.spread}"

    # The shoe.

    def seats(self, options: RedDogOptions) -> int:
        return options.positions

    def is_continuous(self, options: RedDogOptions) -> bool:
        return options.shuffle == "continuous_device"

    def shuffles_every_round(self, options: RedDogOptions) -> bool:
        return options.shuffle == "after_every_round"

    def cut_card(self, options: RedDogOptions) -> int:
        """About a quarter from the back."""
        return QUARTER * options.decks

    def ceremony(self, options: RedDogOptions, state: ShoeState) -> Ceremony:
        if self.is_continuous(options):
            shuffle = ("The cards go into the continuous shuffling device", law("6.9"))
        else:
            shuffle = ("The dealer shuffles the cards", custom("6.3"))
        return ceremony(shuffle, custom("6.2"), custom("6.3"), custom("6.4"))

    def burn(self, table: Table) -> Round:
        yield from burn_one_unseen(table, custom("6.4"))

    # The round.

    def round(self, table: Table) -> Round:
        yield from self.prepare(table)
        table.no_more_bets(published("6.5"))
        for name in ("first", "second"):
            yield from table.draw(table.equipment, to=name)
        cards = on_table(table)
        if cards.is_consecutive:
            table.announce("Consecutive cards: a tie", published("6.5"))
        elif cards.is_pair:
            table.announce("A pair: no raise", published("6.5"))
        else:
            table.announce(f"The spread is {cards.spread}", published("6.5"))
            yield from self.raising(table)
        if not cards.is_consecutive:
            yield from table.draw(table.equipment, to="third")
            table.announce(self.call(on_table(table)), published("6.5"))
        yield from table.inspect()
        cards = on_table(table)
        table.settle(cards, custom("6.5"))
        results = recent(table.state.results, self.result(cards))
        table.state = replace(table.state, results=results)
        self.finish(table, published("6.5"))

    def raising(self, table: Table) -> Round:
        """From the dealer's left, each player may raise by up to the original wager."""
        for seat in table.clockwise():
            for bet in table.bets_of(seat, "original"):
                exactly = table.options.raise_amount == "exactly_original"
                more = table.amounts("raise", bet.stake if exactly else 1, bet.stake)
                moves = ("call", more) if more else ("call",)
                answer = yield from table.ask(seat, "call or raise?", *moves, cite=published("6.5"))
                if answer != "call":
                    table.stake(seat, "raise", answer[1], published("6.5"))

    def result(self, cards: ThreeCards) -> str:
        """The hand as the recent results show it."""
        if cards.is_consecutive:
            return "consecutive"
        if cards.is_pair:
            return "three of a kind" if cards.third == cards.first else "pair"
        return f"spread {cards.spread} {'won' if cards.is_between else 'lost'}"

    def call(self, cards: ThreeCards) -> str:
        if cards.is_pair:
            same = cards.third == cards.first
            return "Three of a kind" if same else "Not three of a kind: wagers are returned"
        return "Between: players win" if cards.is_between else "Not between: players lose"

    def may_sit(self, seat: str, held: list[str], options: RedDogOptions) -> None:
        """6.8: more than one betting area only where the licensee allows it."""
        if len(held) >= options.areas_per_player:
            areas = f"{options.areas_per_player} betting area{'s' * (options.areas_per_player > 1)}"
            message = f"a player may have {areas} at this table, and has {', '.join(held)} already"
            raise Refusal(Fault.NOT_NOW, message, custom("6.8"))
