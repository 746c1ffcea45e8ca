"""Minibaccarat, N.J.A.C. 19:47-7: baccarat at a small table, dealt by one dealer.

The subchapter has been read in full, as it stood in 2008. Its Table 2 is a bad
scan; see `baccarat.BANKER_DRAWS`.
"""

from collections.abc import Iterator
from fractions import Fraction

from croupier.equipment import Odds
from croupier.games.baccarat import (
    Baccarat,
    BaccaratOptions,
    BaccaratState,
    Paragraphs,
    Scheme,
    cut_card_too_deep,
    cutting_cards,
    errors_of_the_shoe,
    inspection,
    percent,
    right_taken,
    wagers,
)
from croupier.rulebook import (
    Ceremony,
    Citation,
    OddsAtLeast,
    Step,
    Vigorish,
    Violation,
    better_odds,
    choice,
    custom,
    flag,
    law,
    number,
    whole,
)

AT = Paragraphs(
    banker=law("7.2(a)1"),
    player=law("7.2(a)2"),
    tie=law("7.2(a)3"),
    total_cards=law("7.2(a)4"),
    bonus=law("7.2(a)5"),
    main_wager=law("7.2(b)"),
    player_pays=law("7.3(a)"),
    tie_pays=law("7.3(b)"),
    banker_pays=law("7.3(c)"),
    total_cards_pay=law("7.3(g)"),
    bonus_pays=law("7.3(h)"),
    collected=law("7.3(c)4"),
    documented=law("7.3(c)3"),
    burn=law("7.5(f)"),
    announced=law("7.7(b)"),
    no_more_bets=law("7.2(d)"),
    initial=law("7.7(c)"),
    tucked=law("7.7(c)2"),
    handed=law("7.7(c)3"),
    banker_first=law("7.8(a)"),
    counts=law("7.8(a)"),
    natural=law("7.9(a)"),
    player_draws=law("7.9(b)"),
    banker_draws=law("7.9(c)"),
    result=law("7.10(a)"),
    settlement=law("7.10(b)"),
    picked_up=law("7.10(d)"),
    relinquished=law("7.11(f)"),
    set_aside=law("7.11(b)"),
    simulated=law("7.11(c)3"),
)

SCHEMES = {
    "win_vig_5": Scheme.WIN_VIGORISH,
    "win_vig_4": Scheme.WIN_VIGORISH,
    "tie_vig_25": Scheme.TIE_VIGORISH,
    "no_vig_six_half": Scheme.SIX_HALF,
    "no_vig_with_total_cards": Scheme.TOTAL_CARDS,
}


class MinibaccaratOptions(BaccaratOptions):
    """What the licensee chooses at a minibaccarat table."""

    decks = whole(
        6, default=8, cite=law("7.1(a)"), title="decks at the table",
        follows=lambda options: 16 if options.batch_shuffler else 8,
    )  # fmt: skip
    batch_shuffler = flag(
        False, yes_no=True, cite=law("7.1(d)"),
        title="a shuffling device: two batches, one shuffled while the other is dealt",
    )  # fmt: skip
    continuous_shuffler = flag(
        False, yes_no=True, cite=law("7.12"), title="a shoe that shuffles continuously"
    )
    banker_scheme = choice(
        *SCHEMES, cite=law("7.3(c)"), title="what the house takes of a winning banker wager"
    )
    vig_without_total_cards = number(
        4, 5, default=5, cite=law("7.3(c)"),
        title="no_vig_with_total_cards: the percentage for players without such wagers",
    )  # fmt: skip
    vig_rounding = choice(
        "exact",
        "up",
        default="up",
        cite=law("7.3(c)1"),
        title="vigorish rounded up to five cents, or not",
    )
    vig_timing = choice(
        "at_payout", "deferred", cite=law("7.3(c)2"), title="when vigorish is collected"
    )
    tie_odds = OddsAtLeast(Odds(8), law("7.3(b)"), "what a tie pays")
    offer_total_cards = flag(
        False, yes_no=True, cite=law("7.2(a)4"), title="wagers on four, five or six cards"
    )
    offer_bonus = flag(False, yes_no=True, cite=law("7.2(a)5"), title="the optional bonus wagers")
    bonus_paytable = choice("A", "B", "C", cite=law("7.3(h)"), title="what the bonus pays")
    bonus_requires_main_bet = flag(
        True, yes_no=True, cite=law("7.2(b)"), title="a bonus needs a wager on either hand"
    )
    deal_option = number(
        1, 2, 3, cite=law("7.7(c)"),
        title="cards dealt face up; face down; or face down and turned by the highest bettors",
    )  # fmt: skip
    banker_first_on_request = flag(
        False, yes_no=True, cite=law("7.8(a)"),
        title="dealt face down, the Banker's Hand is turned first if a player asks",
    )  # fmt: skip
    shuffle_finish = choice(
        "lace", "lace_reshuffle", "feather", cite=law("7.5(b)"), title="how a shuffle ends"
    )
    recut_by = choice(
        "last_cutter", "next_person", cite=law("7.5(g)"), title="who cuts again after a bad cut"
    )
    cut_card_from_back = whole(
        14, default=14, cite=law("7.5(f)"), title="cards behind the cut card"
    )
    error_disclosed_procedure = number(
        1, 2, 3, default=2, cite=law("7.11(c)"), title="what is done with a card disclosed in error"
    )
    error_ten_value_extra = number(
        1, 10, default=10, cite=law("7.11(c)1"),
        title="cards discarded with a disclosed ten, procedure 1",
    )  # fmt: skip
    settlement_sequence = number(
        1, 2, 3, 4, default=3, cite=law("7.10(b)"), title="the order of payments and vigorish"
    )
    higher_odds = better_odds(cite=law("7.3(h)"))

    @property
    def scheme(self) -> Scheme:
        return SCHEMES[self.banker_scheme]

    @property
    def vigorish(self) -> Vigorish | None:
        if self.scheme is Scheme.SIX_HALF:
            return None
        if self.scheme is Scheme.TIE_VIGORISH:  # no rounding is stated for it
            return Vigorish(Fraction(1, 4), law("7.3(d)"))
        rate = 4 if self.banker_scheme == "win_vig_4" else 5
        if self.scheme is Scheme.TOTAL_CARDS:
            rate = self.vig_without_total_cards
        up_to = 5 if self.vig_rounding == "up" else 0
        if self.vig_timing == "deferred":
            return percent(rate, law("7.3(c)2"), up_to, deferred=True)
        return percent(rate, law("7.3(c)"), up_to)

    @property
    def scheme_cite(self) -> Citation:
        return {
            Scheme.WIN_VIGORISH: law("7.3(c)"),
            Scheme.TIE_VIGORISH: law("7.3(d)"),
            Scheme.SIX_HALF: law("7.3(f)1"),
            Scheme.TOTAL_CARDS: law("7.3(f)2"),
        }[self.scheme]

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        in_shoe = self.decks // 2 if self.batch_shuffler else self.decks
        yield from cut_card_too_deep(self.cut_card_from_back, in_shoe, custom("7.5"))
        if self.continuous_shuffler and self.vig_timing == "deferred":
            message = "a continuous shuffler reshuffles every round, so no vigorish is deferred"
            yield Violation("vig_timing", message, law("7.3(c)2"))
        if self.scheme is Scheme.TOTAL_CARDS and not self.offer_total_cards:
            message = "no_vig_with_total_cards needs total card wagers: offer_total_cards=yes"
            yield Violation("banker_scheme", message, law("7.3(f)2"))
        if self.scheme is Scheme.TIE_VIGORISH and self.vig_timing == "deferred":
            message = "vigorish on a tie is collected at the end of the round: not deferred"
            yield Violation("vig_timing", message, law("7.3(d)"))
        if self.batch_shuffler and (self.decks < 12 or self.decks % 2):
            message = (
                f"two equal batches need an even number of decks, 12 or more, not {self.decks}"
            )
            yield Violation("decks", message, law("7.1(d)"))
        if self.batch_shuffler and self.continuous_shuffler:
            message = "a table has a batch shuffler or a continuous one, not both"
            yield Violation("continuous_shuffler", message, law("7.12"))


class Minibaccarat(Baccarat):
    """Minibaccarat, N.J.A.C. 19:47-7."""

    id = "minibaccarat"
    title = "Minibaccarat"
    cite = law("7.1")
    positions = 7
    in_words = (
        "Two hands are dealt, the Player's and the Banker's, and anyone may wager on either, or on "
        "a tie. The hand that is nearer to nine wins: cards count their pips, tens and faces "
        "nothing, and only the last digit of a sum counts. Two or three cards are dealt to each "
        "hand, and fixed rules say who draws the third. Nobody at the table decides anything, and "
        "the dealer deals all the cards."
    )
    Options = MinibaccaratOptions
    at = AT
    wagers = wagers(AT)

    irregularities = {
        **errors_of_the_shoe(
            {
                "a": law("7.11(a)"),
                "b": law("7.11(b)"),
                "c1": law("7.11(c)1"),
                "c2": law("7.11(c)2"),
                "c3": law("7.11(c)3"),
                "d": law("7.11(d)"),
                "e": law("7.11(e)"),
                "cut": law("7.5(g)"),
            }
        ),
        "turn_right_taken": right_taken(law("7.11(f)")),
    }

    def schemes(
        self, options: MinibaccaratOptions
    ) -> list[tuple[str, MinibaccaratOptions, Citation]]:
        def but(scheme: str) -> MinibaccaratOptions:
            timing = "at_payout" if scheme == "tie_vig_25" else options.vig_timing
            beside = options.offer_total_cards or scheme == "no_vig_with_total_cards"
            return options.but(banker_scheme=scheme, vig_timing=timing, offer_total_cards=beside)

        return [
            ("Banker, 5% vigorish", but("win_vig_5"), law("7.3(c)")),
            ("Banker, 4% vigorish", but("win_vig_4"), law("7.3(c)")),
            ("Banker, 25% on ties", but("tie_vig_25"), law("7.3(d)")),
            ("Banker, a six pays half", but("no_vig_six_half"), law("7.3(f)1")),
            ("Banker, total cards", but("no_vig_with_total_cards"), law("7.3(f)2")),
        ]

    def decks_in_shoe(self, options: MinibaccaratOptions) -> int:
        return options.decks // 2 if options.batch_shuffler else options.decks

    def is_continuous(self, options: MinibaccaratOptions) -> bool:
        return options.continuous_shuffler

    def ceremony(self, options: MinibaccaratOptions, state: BaccaratState) -> Ceremony:
        opening = inspection("horizontal rows", law("7.4(b)"), law("7.4(c)"))
        if options.batch_shuffler:
            opening = (
                *opening[:2],
                ("Each batch, apart, is turned face down and stacked", law("7.4(d)")),
            )
        place = cutting_cards(options.cut_card_from_back)
        return Ceremony(
            opening=opening,
            after_rest=self.after_rest(options),
            shuffle=self.shuffle(options, state),
            cut=law("7.5(d)"),
            depth=law("7.5(e)"),
            place=((place, law("7.5(f)")), ("The cards go into the shoe", law("7.6"))),
            last_hand=law("7.8(e)"),
        )

    def after_rest(self, options: MinibaccaratOptions) -> tuple[Step, ...]:
        """7.5(h): nobody played, and the cards lay spread on the table."""
        spread = ("The cards are spread face up for the first player to see", law("7.5(h)"))
        if options.batch_shuffler:
            return (spread, ("They are stacked, and go into the shuffling device", law("7.5(h)2")))
        return (spread, ("They are turned face down, washed and stacked", law("7.5(h)1")))

    def shuffle(self, options: MinibaccaratOptions, state: BaccaratState) -> tuple[Step, ...]:
        if options.continuous_shuffler:
            return (("The cards go into the continuous shuffling device", law("7.12")),)
        if options.batch_shuffler:
            colors = ("first", "second")
            taken = colors[2 - state.batch] if state.opened else colors[0]
            return (
                (f"The {taken} batch comes out of the shuffling device", law("7.1(d)5")),
                ("The other batch goes in, to be shuffled meanwhile", law("7.1(d)4")),
            )
        shuffled = ("The dealer shuffles the cards", law("7.5(a)"))
        if options.shuffle_finish == "feather":
            feather = "The stack is left feathered for the floorperson to verify"
            return (shuffled, (feather, law("7.5(b)1")))
        laced = ("About one deck is laced evenly through the rest", law("7.5(b)2"))
        if options.shuffle_finish == "lace":
            return (shuffled, laced)
        return (shuffled, laced, ("Some or all of the cards are shuffled again", law("7.5(b)2i")))

    def are_handed(self, options: MinibaccaratOptions) -> bool:
        return options.deal_option == 3

    def face_down(self, options: MinibaccaratOptions) -> bool:
        return options.deal_option != 1
