"""Baccarat-Punto Banco, N.J.A.C. 19:47-3: baccarat at the big table, dealt by a participant.

The text is at hand but for the first lines of 3.1, the end of 3.11 and all of
3.12. The errors of the shoe follow 7.11, whose wording the two games share.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from croupier.equipment import Odds
from croupier.games.baccarat import (
    Baccarat,
    BaccaratOptions,
    BaccaratState,
    Coup,
    Paragraphs,
    Scheme,
    cut_card_too_deep,
    cutting_cards,
    errors_of_the_shoe,
    holder_first,
    inspection,
    percent,
    right_taken,
    wagers,
)
from croupier.games.scoreboard import Hand
from croupier.rulebook import (
    Ceremony,
    Citation,
    OddsAtLeast,
    Round,
    Step,
    Table,
    Vigorish,
    Violation,
    better_odds,
    carry_on,
    choice,
    custom,
    flag,
    law,
    number,
    whole,
)

ROUNDED_UP_TO = {5: 25, 4: 20}  # 3.3(c)1: cents, by the percentage

AT = Paragraphs(
    banker=law("3.2(a)1"),
    player=law("3.2(a)2"),
    tie=law("3.2(a)3"),
    total_cards=law("3.2(a)4"),
    bonus=law("3.2(a)5"),
    main_wager=law("3.2(b)"),
    player_pays=law("3.3(a)"),
    tie_pays=law("3.3(b)"),
    banker_pays=law("3.3(c)"),
    total_cards_pay=law("3.3(f)"),
    bonus_pays=law("3.3(g)"),
    collected=law("3.3(c)4"),
    documented=law("3.3(c)3"),
    burn=law("3.5(e)"),
    announced=law("3.7(b)"),
    no_more_bets=law("3.2(d)"),
    initial=law("3.7(c)"),
    tucked=law("3.7(d)"),
    handed=law("3.7(d)"),
    banker_first=law("3.8(a)"),
    counts=law("3.8(a)"),
    natural=law("3.9(a)"),
    player_draws=law("3.9(b)"),
    banker_draws=law("3.9(c)"),
    result=law("3.10(a)"),
    settlement=law("3.10(b)"),
    picked_up=custom("3.10"),
    relinquished=custom("3.12"),
    set_aside=custom("3.12"),
    simulated=custom("3.12"),
)


class PuntoBancoOptions(BaccaratOptions):
    """What the licensee chooses at a punto banco table."""

    decks = whole(6, default=8, cite=law("3.4(a)"), title="decks in the shoe")
    vig_percent = number(
        4, 5, default=5, cite=law("3.3(c)"), title="vigorish on a winning banker wager, in percent"
    )
    vig_rounding = choice(
        "exact", "up", default="up", cite=law("3.3(c)1"),
        title="vigorish rounded up to 25 cents (5 percent) or 20 cents (4 percent), or not",
    )  # fmt: skip
    vig_timing = choice(
        "deferred", "at_payout", cite=law("3.3(c)2"), title="when vigorish is collected"
    )
    no_vig_scheme = choice(
        "none", "six_half", "total_cards", cite=law("3.3(e)"),
        title="no vigorish: a banker's six pays half, or beside total card wagers; not both",
    )  # fmt: skip
    tie_odds = OddsAtLeast(Odds(8), law("3.3(b)"), "what a tie pays")
    offer_total_cards = flag(
        False, yes_no=True, cite=law("3.2(a)4"), title="wagers on four, five or six cards"
    )
    offer_bonus = flag(False, yes_no=True, cite=law("3.2(a)5"), title="the optional bonus wagers")
    bonus_paytable = choice("A", "B", "C", cite=law("3.3(g)"), title="what the bonus pays")
    bonus_requires_main_bet = flag(
        True, yes_no=True, cite=law("3.2(b)"), title="a bonus needs a wager on either hand"
    )
    deal_style = choice(
        "face_up", "face_down", default="face_down", cite=law("3.7(d)"),
        title="hands turned by the highest bettors, or placed face up by the dealer",
    )  # fmt: skip
    turn_without_wager = flag(
        False, yes_no=True, cite=law("3.7(d)6"),
        title="a hand on which nobody wagered is turned by a player who wagered on the other",
    )  # fmt: skip
    banker_first_on_request = flag(
        False, yes_no=True, cite=law("3.8(a)"),
        title="with the dealer as curator, the Banker's Hand is turned first if a player asks",
    )  # fmt: skip
    shuffle_style = choice(
        "lace", "lace_reshuffle", "three_dealer", cite=law("3.5(a)"), title="how cards are shuffled"
    )
    recut_by = choice(
        "last_cutter", "next_person", cite=law("3.5(f)"), title="who cuts again after a bad cut"
    )
    cut_card_from_back = whole(
        14, default=14, cite=law("3.5(e)"), title="cards behind the cut card"
    )
    error_disclosed_procedure = number(
        1, 2, 3, default=2, cite=custom("3.12"), title="what is done with a card disclosed in error"
    )
    error_ten_value_extra = number(
        1, 10, default=10, cite=custom("3.12"),
        title="cards discarded with a disclosed ten, procedure 1",
    )  # fmt: skip
    settlement_sequence = number(
        1, 2, 3, 4, default=3, cite=law("3.10(b)"), title="the order of payments and vigorish"
    )
    higher_odds = better_odds(cite=law("3.3(g)"))

    @property
    def scheme(self) -> Scheme:
        return {
            "none": Scheme.WIN_VIGORISH,
            "six_half": Scheme.SIX_HALF,
            "total_cards": Scheme.TOTAL_CARDS,
        }[self.no_vig_scheme]

    @property
    def vigorish(self) -> Vigorish | None:
        if self.scheme is Scheme.SIX_HALF:
            return None
        rate = self.vig_percent
        up_to = ROUNDED_UP_TO[rate] if self.vig_rounding == "up" else 0
        if self.vig_timing == "deferred":
            return percent(rate, law("3.3(c)2"), up_to, deferred=True)
        return percent(rate, law("3.3(c)"), up_to)

    @property
    def scheme_cite(self) -> Citation:
        return {
            Scheme.WIN_VIGORISH: law("3.3(c)"),
            Scheme.SIX_HALF: law("3.3(e)1"),
            Scheme.TOTAL_CARDS: law("3.3(e)2"),
        }[self.scheme]

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        yield from cut_card_too_deep(self.cut_card_from_back, self.decks, custom("3.5"))
        if self.no_vig_scheme == "total_cards" and not self.offer_total_cards:
            message = "no_vig_scheme total_cards needs total card wagers: offer_total_cards=yes"
            yield Violation("no_vig_scheme", message, law("3.3(e)2"))


@dataclass(frozen=True)
class PuntoBancoState(BaccaratState):
    """What stands between rounds: the shoe, and who deals from it."""

    curator: str | None = None  # a seat, or None for the dealer
    passing: bool = True  # the shoe is to be offered
    first_offer: bool = True  # no participant has had this shoe yet


SHUFFLES: dict[str, tuple[Step, ...]] = {
    "lace": (
        ("The cards are shuffled", law("3.5(a)1")),
        ("About one deck is laced evenly through the rest", law("3.5(a)1")),
    ),
    "three_dealer": (
        ("The cards are washed and stacked", law("3.5(a)2")),
        ("Each of the three dealers shuffles them independently", law("3.5(a)2")),
    ),
}
SHUFFLES["lace_reshuffle"] = (
    *SHUFFLES["lace"],
    ("The dealer calling the game shuffles again", law("3.5(a)1i")),
)


class BaccaratPuntoBanco(Baccarat):
    """Baccarat-Punto Banco, N.J.A.C. 19:47-3."""

    id = "baccarat-punto-banco"
    title = "Baccarat-Punto Banco"
    cite = law("3.1")
    positions = 14
    in_words = (
        "Two hands are dealt, the Player's and the Banker's, and anyone may wager on either, or on "
        "a tie. The hand that is nearer to nine wins: cards count their pips, tens and faces "
        "nothing, and only the last digit of a sum counts. Two or three cards are dealt to each "
        "hand, and fixed rules say who draws the third. The shoe goes around the table, and a "
        "participant deals from it."
    )
    Options = PuntoBancoOptions
    State = PuntoBancoState
    at = AT
    wagers = wagers(AT)

    irregularities = {
        **errors_of_the_shoe(
            dict.fromkeys(("a", "b", "c1", "c2", "c3", "d", "e"), custom("3.12"))
            | {"cut": law("3.5(f)")}
        ),
        "turn_right_taken": right_taken(custom("3.12")),
        "shoe_taken": carry_on(
            "the curator delays the game or breaks a rule",
            "The shoe goes to the next participant on the right",
            custom("3.11"),
            lambda table: shoe_passes_on(table),
            lambda table: "" if table.state.curator else "no participant has the shoe",
            seats=lambda table: [table.state.curator] if table.state.curator else [],
        ),
    }

    def schemes(self, options: PuntoBancoOptions) -> list[tuple[str, PuntoBancoOptions, Citation]]:
        def but(scheme: str, percent: int) -> PuntoBancoOptions:
            beside = options.offer_total_cards or scheme == "total_cards"
            return options.but(no_vig_scheme=scheme, vig_percent=percent, offer_total_cards=beside)

        return [
            ("Banker, 5% vigorish", but("none", 5), law("3.3(c)")),
            ("Banker, 4% vigorish", but("none", 4), law("3.3(c)")),
            ("Banker, a six pays half", but("six_half", options.vig_percent), law("3.3(e)1")),
            ("Banker, total cards", but("total_cards", options.vig_percent), law("3.3(e)2")),
        ]

    def ceremony(self, options: PuntoBancoOptions, state: PuntoBancoState) -> Ceremony:
        place = cutting_cards(options.cut_card_from_back)
        opening = inspection("columns", law("3.4(b)"), law("3.4(c)"))
        shuffle = SHUFFLES[options.shuffle_style]
        return Ceremony(
            opening=opening,
            after_rest=opening,
            shuffle=shuffle,
            cut=law("3.5(c)"),
            depth=law("3.5(d)"),
            place=((place, law("3.5(e)")), ("The cards go into the shoe", law("3.6(a)"))),
            last_hand=law("3.8(e)"),
        )

    def cut_order(self, table: Table) -> list[str]:
        """3.5(c): the highest seat first or, at a reshuffle, the last curator; then clockwise."""
        curator = table.state.curator
        return holder_first(table, curator if curator in table.clockwise() else None)

    def are_handed(self, options: PuntoBancoOptions) -> bool:
        return options.deal_style == "face_down"

    face_down = are_handed

    def banker_may_go_first(self, table: Table) -> bool:
        """3.8(a): only when the dealer is acting as curator."""
        return super().banker_may_go_first(table) and table.state.curator is None

    # The curator, 3.6 and 3.11.

    def burn(self, table: Table) -> Round:
        yield from super().burn(table)
        if table.state.curator is None:  # a new shoe is offered anew
            table.state = replace(table.state, passing=True, first_offer=True)

    def before_the_deal(self, table: Table) -> Round:
        """3.6(b): the shoe is offered to seat 1, then counterclockwise until it is accepted."""
        state = table.state
        if not state.passing and state.curator is None:
            return
        if not state.passing and state.curator in table.clockwise():
            return
        start = None if state.first_offer else state.curator
        table.state = replace(state, curator=None, passing=False)
        yield from offer_shoe(table, table.counterclockwise(after=start))

    def left(self, table: Table, seat: str) -> None:
        """A curator who leaves passes the shoe."""
        if table.state.curator == seat:
            table.state = replace(table.state, passing=True)

    def call_for_cards(self, table: Table) -> None:
        table.announce("Cards", law("3.7(b)"))

    def after_the_deal(self, table: Table, coup: Coup) -> Round:
        """3.11(a): the curator keeps the shoe or passes it, and must pass when the banker loses."""
        curator = table.state.curator
        if curator is None:
            return
        if coup.winner is Hand.PLAYER:
            table.announce("The Banker's Hand loses: the shoe passes", law("3.11(a)1"))
            table.state = replace(table.state, passing=True)
        elif (yield from table.ask(curator, "keep the shoe or pass it?", "keep", "pass_shoe",
                                   cite=law("3.11(a)"), offer=True)) == "pass_shoe":  # fmt: skip
            table.state = replace(table.state, passing=True)


def offer_shoe(table: Table, seats: list[str]) -> Round:
    """3.6(b) and (d): until one of these accepts it, or designates the dealer."""
    for seat in seats:
        answer = yield from table.ask(
            seat, "will you take the shoe?", "accept", "decline", "designate_dealer",
            cite=law("3.6(b)"), offer=True,
        )  # fmt: skip
        if answer == "designate_dealer":
            table.step(f"Seat {seat} designates the dealer as curator", law("3.6(d)1"))
            return
        if answer == "accept":
            table.step(f"Seat {seat} is the curator", law("3.6(c)"))
            table.state = replace(table.state, curator=seat, first_offer=False)
            return
    table.step("Nobody accepts the shoe: the dealer is the curator", law("3.6(d)2"))


def shoe_passes_on(table: Table) -> Round:
    """3.11: it is offered to the next participant on the right, and so on."""
    before = table.state.curator
    table.state = replace(table.state, curator=None)
    others = [seat for seat in table.counterclockwise(after=before) if seat != before]
    yield from offer_shoe(table, others)
