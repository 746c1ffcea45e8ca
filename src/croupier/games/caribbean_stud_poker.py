"""Caribbean stud poker, N.J.A.C. 19:47-16: five cards against the dealer's five, one of them seen.

Of the text only the titles of the sections are at hand. Terms and payments
follow the published game; cards and errors follow the sister texts of 19:47-20
and 13:69F-40. Tables and meters are those of 13:69E-1.13G and 13:69D-1.52.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from croupier.equipment import Odds, dollars
from croupier.games.poker_custom import (
    METHODS,
    Errors,
    any_wrong_number,
    common,
    dealer_card_exposed,
    ledgers,
)
from croupier.ranking import PokerHand
from croupier.rulebook import (
    PUSH,
    WIN,
    Choice,
    Citation,
    Dealt,
    Decision,
    Look,
    MaybeFraction,
    Meter,
    Option,
    PackOptions,
    PackState,
    PokerGame,
    Prize,
    Result,
    Round,
    Rounding,
    Rules,
    Showdown,
    ShowdownCase,
    Stage,
    Table,
    Violation,
    Wager,
    better_odds,
    choice,
    custom,
    elsewhere,
    flag,
    higher_hand,
    if_higher,
    law,
    money,
    number,
    on_the_hand,
    pay_prizes,
    published,
    too_long,
    when_asked,
)

ACE_KING = (14, 13)
TWICE = 2  # the ante: what a bet costs
DOLLAR = 100  # cents: what a progressive wager costs
ROYAL_FLUSH = Fraction(4, 2_598_960)  # the chance of it

BET = {
    "royal_flush": Odds(100), "straight_flush": Odds(50), "four_of_a_kind": Odds(20),
    "full_house": Odds(7), "flush": Odds(5), "straight": Odds(4), "three_of_a_kind": Odds(3),
    "two_pairs": Odds(2), "pair_or_less": Odds(1),
}  # fmt: skip

METER = {"royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)}  # the part of it paid

PROGRESSIVE = ledgers(  # in dollars for the one that was staked, which is not returned
    ("four_of_a_kind", "full_house", "flush"),
    {
        "T1": (100, 75, 50),
        "T2": (150, 100, 50),
        "T3": (500, 100, 50),
        "T4": (500, 150, 50),
        "T5": (500, 150, 75),
        "T6": (500, 250, 100),
    },
    stake_is_kept=True,
)

METER_SHOWN = {
    "none": "The progressive meter shows",
    "linked": "The common display of the linked tables shows",
}


def progressive_table(options: "CaribbeanStudPokerOptions") -> dict[str, Odds]:
    return PROGRESSIVE[options.progressive_table]


class Share(Option[Fraction]):
    """A part of each wager."""

    lawful = "a fraction from 0 to 1, such as 0.7 or 7/10"

    def parse(self, given: Any) -> Fraction:
        try:
            share = MaybeFraction(None, self.cite).parse(given)
        except ValueError:
            share = None
        if share is None:
            raise ValueError(f"must be {self.lawful}, not {given!r}")
        return share

    def show(self, value: Fraction) -> Any:
        return str(value)


class CaribbeanStudPokerOptions(PackOptions):
    """What the licensee chooses at a Caribbean stud poker table."""

    hand_needs_shuffler = elsewhere("16.8", "19:47-20.8(b)1")
    second_pack = elsewhere("16.2", "13:69F-40.2(b)")

    seats = number(6, 7, default=7, cite=law("13:69E-1.13G(a)"), title="positions at the table")
    progressive_table = choice(
        *PROGRESSIVE, default="T3", cite=published("16.12"), title="what a progressive wager pays"
    )
    progressive_rate = Share(
        Fraction(7, 10), law("13:69D-1.52(e)3"), "the part of each wager that the meter grows by"
    )
    progressive_reserve_rate = Share(
        Fraction(0), elsewhere("16.12", "13:69E-1.39A(a)5"),
        "the part of each wager that is held back for the next meter",
    )  # fmt: skip
    progressive_seed_reset = money(
        1_000_000, cite=law("13:69D-1.52(e)1"), title="where the meter begins, in cents"
    )
    linked_tables = choice(
        "none", "linked", cite=law("13:69D-1.52(d)"), title="whether tables share a meter"
    )
    payout_limit = money(
        500_000, cite=law("13:69E-1.13G(c)"), title="the most a bet wins on one hand, in cents"
    )
    better_odds = better_odds(cite=custom("16.12"))
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=custom("16.7"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("16.8"), title="a device shuffles the cards")
    packs = number(
        1, 2, cite=elsewhere("16.2", "13:69F-40.2(b)"), title="packs, used in turn"
    )  # fmt: skip
    settlement_order = choice(
        "by_player", "by_step", cite=elsewhere("16.10", "19:47-20.10(c)"),
        title="in which order hands are settled",
    )  # fmt: skip
    one_position_per_player = flag(
        True, cite=custom("16.6"), title="a player may wager on one position, not on two"
    )

    without = ("higher_odds",)
    better_odds_option = "better_odds"

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if not self.progressive_rate:
            message = "a progressive jackpot must grow with every wager that is made on it"
            yield Violation("progressive_rate", message, law("13:69D-1.52(a)1"))
        if self.progressive_rate + self.progressive_reserve_rate > 1:
            message = "the meter and its reserve cannot grow by more than what is wagered"
            yield Violation("progressive_reserve_rate", message, law("13:69D-1.52(e)3"))
        if longer := too_long(ROYAL_FLUSH):
            yield Violation("progressive_table", *longer)


@dataclass(frozen=True)
class CaribbeanState(PackState):
    """What stands between rounds, with the progressive meter once it has moved."""

    meter: Meter | None = None


def meter_of(state: CaribbeanState, options: CaribbeanStudPokerOptions) -> Meter:
    """As it stands, or as it is first set."""
    return state.meter or Meter(Fraction(options.progressive_seed_reset))


def ante(case: ShowdownCase) -> Decision:
    """Wins if the dealer has less than ace and king; else the higher hand wins."""
    return higher_hand(case) if case.outcome.qualifies else WIN


def line_of_bet(hand: PokerHand) -> str:
    return hand.category if hand.category in BET else "pair_or_less"


bet_if_higher = if_higher(on_the_hand("bet", lambda options: BET, line=line_of_bet))


def bet(case: ShowdownCase) -> Decision:
    """Returned if the dealer has less than ace and king; else the higher hand is paid by rank."""
    return bet_if_higher(case) if case.outcome.qualifies else PUSH


fixed_prize = on_the_hand("progressive", progressive_table)


def progressive(case: ShowdownCase) -> Decision:
    """Paid on a flush or better, whatever the dealer holds; the best hands from the meter."""
    hand = case.outcome.hand
    assert hand is not None
    line = hand.category
    if line not in METER:
        return fixed_prize(case)
    prize = case.outcome.prize
    if prize is None:  # nobody else has won
        options, meter = case.options, meter_of(case.state, case.options)
        alone = [Prize(case.seat, METER[line])]
        won, _ = pay_prizes(meter, alone, options.progressive_seed_reset, split=True)
        prize = won[case.seat]
    net = Fraction(prize - DOLLAR, DOLLAR)
    result = Result.WIN if net > 0 else Result.PUSH if net == 0 else Result.LOSE
    return Decision(result, line, net, published("16.11"))


BET_OR_FOLD = Stage(
    "with five cards", "bet or fold?",
    (Choice("fold", folds=True), Choice("bet", "bet", TWICE)), published("16.10"),
)  # fmt: skip


class CaribbeanStudPoker(PokerGame):
    """Caribbean stud poker, N.J.A.C. 19:47-16."""

    id = "caribbean-stud-poker"
    title = "Caribbean stud poker"
    cite = custom("16.1")
    positions = 7
    in_words = (
        "Each player makes an ante and has five cards; the dealer has five, one of them face up. A "
        "player folds and loses the ante, or bets twice the ante. The dealer plays only with ace "
        "and king or better: with less the ante is paid and the bet returned, else the higher hand "
        "wins and a bet is paid by its rank. A progressive wager is paid on the player's own hand "
        "alone."
    )
    Options = CaribbeanStudPokerOptions
    State = CaribbeanState

    own_cards = dealer_cards = 5
    up_cards = 1
    main = ("ante",)
    looks = {"progressive": Look("hand", 5)}

    wagers = (
        Wager(id="ante", title="Ante", decide=ante, pays=Odds(1),
              cite=published("16.6"), paid_by=published("16.12")),
        Wager(id="bet", title="Bet", decide=bet, pays=BET, joins="ante",
              window=when_asked(published("16.10")), rounding=Rounding.HOUSE,
              cite=published("16.10"), paid_by=published("16.12")),
        Wager(id="progressive", title="Progressive", decide=progressive, pays=progressive_table,
              rests_on=("ante",), limits=lambda options, covers: (DOLLAR, DOLLAR),
              limited_by=published("16.6"), rounding=Rounding.HOUSE,
              cite=published("16.6"), paid_by=published("16.12")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=elsewhere("16.13", "19:47-20.12(a)"),
            drawn_in_error=elsewhere("16.13", "19:47-20.12(b)"),
            stub_count=elsewhere("16.7", "13:69F-40.7(f)2"),
            shuffler_count=elsewhere("16.7", "19:47-20.7(f)"),
            shuffler_jams=elsewhere("16.13", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("16.13", "13:69F-40.12(f)"),
            change=elsewhere("16.13", "13:69F-40.12(g)"),
            shown=elsewhere("16.13", "19:47-33.12(h)"),
            recut=elsewhere("16.4", "13:69F-40.4(d)"),
        )),
        **any_wrong_number(elsewhere("16.13", "19:47-20.12(c)")),
        **dealer_card_exposed(elsewhere("16.13", "19:47-20.12(d)"), until_reveal=False),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("16.3", "13:69F-40.3"),
        shuffle=elsewhere("16.4", "13:69F-40.4(a)"),
        cut=elsewhere("16.4", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": custom("16.7"),
                      "hand": elsewhere("16.8", "19:47-20.8(b)3"),
                      "automated_shoe": elsewhere("16.9", "19:47-20.9(b)2")},
        dealing={"manual_shoe": elsewhere("16.7", "19:47-20.8(c)"),
                 "hand": elsewhere("16.8", "19:47-20.8(c)"),
                 "automated_shoe": elsewhere("16.9", "19:47-20.9(c)")},
        stub={"manual_shoe": elsewhere("16.7", "13:69F-40.7(e)"),
              "hand": elsewhere("16.8", "19:47-20.8(d)"),
              "automated_shoe": elsewhere("16.9", "19:47-20.9(d)")},
        count={"manual_shoe": elsewhere("16.7", "13:69F-40.7(f)"),
               "hand": elsewhere("16.8", "19:47-20.8(e)"),
               "automated_shoe": elsewhere("16.9", "19:47-20.9(e)")},
        reveal=published("16.10"),
        rankings=elsewhere("16.5", "19:47-14.3(b)"),
        settle=elsewhere("16.10", "19:47-20.10(c)"),
        collect=elsewhere("16.10", "19:47-20.10(d)"),
        wagers=elsewhere("16.6", "13:69F-27.6(d)"),
        positions=custom("16.6"),
    )  # fmt: skip

    def stages(self, options: CaribbeanStudPokerOptions) -> tuple[Stage, ...]:
        return (BET_OR_FOLD,)

    def qualifies(self, hand: PokerHand, options: CaribbeanStudPokerOptions) -> bool:
        """Ace and king high, or better."""
        return hand.category != "high_card" or hand.ranks[:2] == ACE_KING

    def forfeited(self, options: CaribbeanStudPokerOptions) -> tuple[str, ...]:
        return "ante", "progressive"

    def order(self, seats: list[str], options: CaribbeanStudPokerOptions) -> list[Dealt]:
        """The dealer's last card lies face up."""
        *cards, (last, _) = super().order(seats, options)
        return [*cards, (last, False)]

    def payout_limit(self, options: CaribbeanStudPokerOptions) -> tuple[tuple[str, ...], int]:
        """Of the bet alone, and never less than a player with the least ante could win."""
        best = max(odds.net for odds in self.by_id["bet"].pay_table(options).values())
        return ("bet",), max(options.payout_limit, floor(best * TWICE * options.table_min))

    def meter(self, state: CaribbeanState, options: CaribbeanStudPokerOptions) -> Meter:
        return meter_of(state, options)

    def seats(self, options: CaribbeanStudPokerOptions) -> int:
        return options.seats

    def may_have_two(self, options: CaribbeanStudPokerOptions) -> bool:
        return not options.one_position_per_player

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        self.lock_out(table)
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, BET_OR_FOLD)
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)

    # The progressive meter.

    def lock_out(self, table: Table) -> None:
        """With "no more bets" the acceptors are locked, and the meter grows."""
        wagers = [each for each in table.bets.values() if each.wager.id == "progressive"]
        if wagers:
            table.step("The progressive wagers are locked in", law("13:69E-1.13G(e)"))
            self.advance(table, sum(each.stake for each in wagers), published("16.12"))

    def advance(self, table: Table, staked: int, cite: Citation) -> None:
        options = table.options
        rate, reserve = options.progressive_rate, options.progressive_reserve_rate
        meter = meter_of(table.state, options).advanced(staked, rate, reserve)
        table.state = replace(table.state, meter=meter)
        self.show_meter(table, cite)

    def show_meter(self, table: Table, cite: Citation) -> None:
        display = METER_SHOWN[table.options.linked_tables]
        table.step(f"{display} {dollars(table.state.meter.shown)}", cite)

    def settle(self, table: Table) -> Round:
        """When prizes have been paid from the meter, it shows what is left."""
        before = table.state.meter
        yield from super().settle(table)
        if table.state.meter != before:
            self.show_meter(table, published("16.11"))

    def outcomes(self, table: Table) -> dict[str, Showdown]:
        """With what the meter pays each: one after another, but royal flushes share it."""
        outcomes = super().outcomes(table)
        hands = {seat: each.hand for seat, each in outcomes.items()}
        prizes = [
            Prize(seat, METER[hand.category])
            for seat, hand in hands.items()
            if hand and hand.category in METER and table.bets_of(seat, "progressive")
        ]
        if not prizes:
            return outcomes
        meter, reset = meter_of(table.state, table.options), table.options.progressive_seed_reset
        won, meter = pay_prizes(meter, prizes, reset, split=True)
        table.state = replace(table.state, meter=meter)
        return {seat: replace(each, prize=won.get(seat)) for seat, each in outcomes.items()}

    def voided(self, table: Table) -> None:
        """What the meter has grown by in this round is taken back."""
        super().voided(table)
        wagers = [each for each in table.settlements if each.bet.wager.id == "progressive"]
        if wagers:
            self.advance(table, -sum(each.stake for each in wagers), custom("16.13"))
