"""Double down stud, N.J.A.C. 19:47-17: one card and four shared ones, paid by a table.

Of the text only the rankings of 17.5 and the titles of the sections are at
hand. Terms follow the published game; the smaller schedule and the amount of
the payout limitation are custom. Cards and errors follow the sister texts of
19:47-20 and 13:69F-40.
"""

from collections.abc import Callable
from dataclasses import replace

from croupier.equipment import Odds
from croupier.games.poker_custom import (
    Errors,
    any_wrong_number,
    common,
    community_card_exposed,
)
from croupier.ranking import PokerHand
from croupier.rulebook import (
    BOARD,
    PUSH,
    Choice,
    Dealt,
    Decision,
    PackOptions,
    PokerGame,
    Round,
    Rules,
    ShowdownCase,
    Stage,
    Table,
    Wager,
    choice,
    custom,
    elsewhere,
    flag,
    law,
    money,
    number,
    on_the_hand,
    published,
    when_asked,
)

SIX, JACK = 6, 11
LIMIT = 5_000_000  # cents

SCHEDULES = {
    schedule: dict(
        zip(
            ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
             "three_of_a_kind", "two_pairs", "pair_of_jacks_or_better"),
            map(Odds, pays),
            strict=True,
        )
    )
    for schedule, pays in {
        1: (2000, 200, 50, 11, 8, 5, 3, 2, 1),
        2: (1000, 200, 50, 11, 8, 5, 3, 2, 1),
    }.items()
}  # fmt: skip


def pay_schedule(options: "DoubleDownStudOptions") -> dict[str, Odds]:
    return SCHEDULES[options.pay_schedule]


class DoubleDownStudOptions(PackOptions):
    """What the licensee chooses at a double down stud table."""

    hand_needs_shuffler = elsewhere("17.8", "19:47-20.8(b)1")
    second_pack = elsewhere("17.2", "13:69F-40.2(b)")

    pay_schedule = number(*SCHEDULES, cite=custom("17.10"), title="what both wagers pay")
    payout_limit = money(LIMIT, cite=custom("17.10"), title="most that a hand wins, in cents")
    deal_method = choice(
        "manual_shoe", "hand", cite=custom("17.8"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("17.8"), title="a device shuffles the cards")
    packs = number(1, 2, cite=elsewhere("17.2", "13:69F-40.2(b)"), title="packs, used in turn")
    two_positions = flag(
        False, cite=custom("17.6"), title="a player may wager on two positions, side by side"
    )


def line(hand: PokerHand) -> str:
    """The hand's line on the schedule; which pair it is makes three lines of pairs."""
    if hand.category != "pair":
        return hand.category
    pair = hand.ranks[0]
    if pair >= JACK:
        return "pair_of_jacks_or_better"
    return "pair_of_sixes_to_tens" if pair >= SIX else "pair_of_fives_or_lower"


RETURNED = replace(PUSH, line="pair_of_sixes_to_tens")


def on_the_schedule(wager: str) -> Callable[[ShowdownCase], Decision]:
    """Returned on a pair of sixes to tens; any other hand is on the schedule, or loses."""
    listed = on_the_hand(wager, pay_schedule, line=line)

    def decide(case: ShowdownCase) -> Decision:
        hand = case.outcome.hand
        assert hand is not None
        return RETURNED if line(hand) == RETURNED.line else listed(case)

    return decide


STAND_OR_DOUBLE = Stage(
    "with four cards", "stand or double?",
    (Choice("stand"), Choice("double", "double", 1)), published("17.9"), board=3,
)  # fmt: skip


class DoubleDownStud(PokerGame):
    """Double down stud, N.J.A.C. 19:47-17."""

    id = "double-down-stud"
    title = "Double down stud"
    cite = custom("17.1")
    positions = 7
    in_words = (
        "A player has one card of his own and shares four with all others; three of the four are "
        "seen before he decides. He may then double his wager or leave it as it is. There is no "
        "dealer's hand: the five cards are paid by a table, and a pair of sixes to tens returns "
        "the wager."
    )
    Options = DoubleDownStudOptions

    own_cards = 1
    board_cards = 4
    main = ("original",)

    wagers = (
        Wager(id="original", title="Original", decide=on_the_schedule("original"),
              pays=pay_schedule, cite=published("17.6"), paid_by=published("17.10")),
        Wager(id="double", title="Double", decide=on_the_schedule("double"), pays=pay_schedule,
              joins="original", window=when_asked(published("17.9")),
              cite=published("17.6"), paid_by=published("17.10")),
    )  # fmt: skip

    irregularities = {
        **common(
            Errors(
                face_up=elsewhere("17.11", "19:47-20.12(a)"),
                drawn_in_error=elsewhere("17.11", "19:47-20.12(b)"),
                stub_count=elsewhere("17.8", "13:69F-40.7(f)2"),
                shuffler_count=elsewhere("17.8", "19:47-20.7(f)"),
                shuffler_jams=elsewhere("17.11", "13:69F-40.12(e)"),
                shoe_jams=None,  # there is no automated shoe
                change=elsewhere("17.11", "13:69F-40.12(g)"),
                shown=elsewhere("17.11", "19:47-33.12(h)"),
                recut=elsewhere("17.4", "13:69F-40.4(d)"),
            )
        ),
        **any_wrong_number(elsewhere("17.11", "19:47-20.12(c)")),
        **community_card_exposed(elsewhere("17.11", "19:47-20.12(d)"), hidden=True),
    }

    rules = Rules(
        opening=elsewhere("17.3", "13:69F-40.3"),
        shuffle=elsewhere("17.4", "13:69F-40.4(a)"),
        cut=elsewhere("17.4", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": elsewhere("17.8", "13:69F-40.7(b)"),
                      "hand": elsewhere("17.8", "19:47-20.8(b)3")},
        dealing={"manual_shoe": published("17.8"), "hand": elsewhere("17.8", "19:47-20.8(c)")},
        stub=elsewhere("17.8", "19:47-20.8(d)"),
        count=elsewhere("17.8", "19:47-20.8(e)"),
        reveal=published("17.9"),
        rankings=law("17.5"),
        settle=elsewhere("17.9", "19:47-20.10(c)"),
        collect=elsewhere("17.9", "19:47-20.10(d)"),
        wagers=elsewhere("17.6", "13:69F-27.6(d)"),
        positions=custom("17.6"),
    )  # fmt: skip

    def stages(self, options: DoubleDownStudOptions) -> tuple[Stage, ...]:
        return (STAND_OR_DOUBLE,)

    def order(self, seats: list[str], options: DoubleDownStudOptions) -> list[Dealt]:
        """A card to each player and three community cards face up, and the fourth face down."""
        face_up = [(hand, False) for hand in (*seats, BOARD, BOARD, BOARD)]
        return [*face_up, (BOARD, True)]

    def payout_limit(self, options: DoubleDownStudOptions) -> tuple[tuple[str, ...], int]:
        """17.10: never less than the least wager wins if it is doubled on a royal flush."""
        wagers = ("original", "double")
        royal_flush = sum(self.by_id[each].pay_table(options)["royal_flush"].net for each in wagers)
        return wagers, max(options.payout_limit, int(options.table_min * royal_flush))

    def may_have_two(self, options: DoubleDownStudOptions) -> bool:
        return options.two_positions

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, STAND_OR_DOUBLE)
        table.turn(BOARD, table.hands[BOARD][STAND_OR_DOUBLE.board :], self.rules.reveal)
        yield from self.settle(table)
        self.finish(table)

    def settle(self, table: Table) -> Round:
        """From the dealer's right; no card is turned for it, for all of them lie face up."""
        yield from table.inspect()
        outcomes = self.outcomes(table)
        for seat, showdown in outcomes.items():
            assert showdown.hand is not None
            table.announce(f"Seat {seat} has {showdown.hand.describe()}", self.rules.rankings)
        table.settle_each(outcomes, self.rules.settle)
