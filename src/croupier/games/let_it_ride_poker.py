"""Let it ride poker, N.J.A.C. 19:47-18: three equal wagers, of which two may be taken back.

Of the text only the titles of the sections are at hand, and 13:69E-1.13H on
the table. Terms follow the published game; cards and errors follow the sister
texts of 19:47-20 and 13:69F-40.
"""

from collections.abc import Iterator
from dataclasses import replace

from croupier.equipment import Odds
from croupier.games.poker_custom import (
    FROM_THREE_OF_A_KIND,
    METHODS,
    Errors,
    any_wrong_number,
    common,
    community_card_exposed,
    ledgers,
)
from croupier.ranking import THREE, PokerHand, rank
from croupier.rulebook import (
    BOARD,
    BURN,
    Choice,
    Dealt,
    Decision,
    Look,
    PackOptions,
    PokerGame,
    Round,
    Rules,
    Showdown,
    ShowdownCase,
    Stage,
    Table,
    Violation,
    Wager,
    carry_on,
    choice,
    custom,
    elsewhere,
    flag,
    law,
    money,
    number,
    on_the_hand,
    published,
)

TEN, ACE = 10, 14
BONUS_STAKE = 100  # cents
LIMIT = 5_000_000  # cents

HANDS = (*FROM_THREE_OF_A_KIND, "two_pairs", "pair_of_tens_or_better")

BASE = ledgers(
    HANDS, {1: (1000, 200, 50, 11, 8, 5, 3, 2, 1), 2: (500, 100, 25, 15, 10, 5, 3, 2, 1)}
)

BONUS = ledgers(  # dollars for the one that is wagered, which is not returned
    (*FROM_THREE_OF_A_KIND, "two_pairs"),
    {
        "B1": (20_000, 2000, 400, 200, 50, 25, 5, 0),
        "B2": (25_000, 2500, 400, 200, 50, 25, 5, 0),
        "B3": (5000, 2000, 100, 75, 50, 25, 8, 4),
        "B4": (10_000, 2000, 200, 75, 50, 20, 0, 0),
        "B5": (20_000, 2000, 100, 75, 50, 25, 9, 6),
    },
    stake_is_kept=True,
)

THREE_CARD_BONUS = {
    "C1": {"mini_royal": Odds(50), "straight_flush": Odds(40), "three_of_a_kind": Odds(30),
           "straight": Odds(6), "flush": Odds(3), "pair": Odds(1)},
    "C2": {"mini_royal": Odds(50), "straight_flush": Odds(40), "three_of_a_kind": Odds(30),
           "straight": Odds(6), "flush": Odds(4), "pair": Odds(1)},
    "C3": {"straight_flush": Odds(40), "three_of_a_kind": Odds(30), "straight": Odds(5),
           "flush": Odds(4), "pair": Odds(1)},
    "C4": {"straight_flush": Odds(40), "three_of_a_kind": Odds(30), "straight": Odds(6),
           "flush": Odds(3), "pair": Odds(1)},
}  # fmt: skip


def base_schedule(options: "LetItRidePokerOptions") -> dict[str, Odds]:
    return BASE[options.base_schedule]


def bonus_schedule(options: "LetItRidePokerOptions") -> dict[str, Odds]:
    return BONUS[options.bonus_schedule]


def three_card_schedule(options: "LetItRidePokerOptions") -> dict[str, Odds]:
    return THREE_CARD_BONUS[options.three_card_schedule]


class LetItRidePokerOptions(PackOptions):
    """What the licensee chooses at a let it ride poker table."""

    hand_needs_shuffler = elsewhere("18.8", "19:47-20.8(b)1")
    second_pack = elsewhere("18.2", "13:69F-40.2(b)")

    offer_bonus = flag(True, cite=published("18.6A"), title="a wager of $1 on the five cards")
    offer_three_card_bonus = flag(
        True, cite=law("13:69E-1.13H(b)5"), title="a wager on the player's own three cards"
    )
    base_schedule = number(*BASE, cite=published("18.11"), title="what the base wagers pay")
    bonus_schedule = choice(*BONUS, cite=published("18.11"), title="what the bonus pays")
    three_card_schedule = choice(
        *THREE_CARD_BONUS, cite=published("18.11"), title="what the three card bonus pays"
    )
    payout_limit = money(
        LIMIT,
        cite=law("13:69E-1.13H(b)6"),
        title="most that the base wagers of a hand win, in cents",
    )
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=custom("18.9"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("18.8"), title="a device shuffles the cards")
    packs = number(1, 2, cite=elsewhere("18.2", "13:69F-40.2(b)"), title="packs, used in turn")
    settlement_order = choice(
        "by_player",
        "by_step",
        cite=elsewhere("18.10", "19:47-20.10(c)"),
        title="in which order hands are settled",
    )

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.base_schedule == 2:
            message = "schedule 2 is paid elsewhere, and not known to be authorized in New Jersey"
            yield Violation("base_schedule", message, published("18.11"))


def line(hand: PokerHand) -> str:
    """The hand's line on a base schedule; of the pairs only tens or better have one."""
    high = hand.category == "pair" and hand.ranks[0] >= TEN
    return "pair_of_tens_or_better" if high else hand.category


def three_card_line(hand: PokerHand) -> str:
    """The hand's line on a schedule that sets the mini royal, A-K-Q of a suit, apart."""
    mini_royal = hand.category == "straight_flush" and hand.ranks[0] == ACE
    return "mini_royal" if mini_royal else hand.category


MINI_ROYAL_APART = on_the_hand("three_card_bonus", three_card_schedule, "own", three_card_line)
MINI_ROYAL_AMONG = on_the_hand("three_card_bonus", three_card_schedule, "own")


def three_card_bonus(case: ShowdownCase) -> Decision:
    """Wins if the player's own three cards are a pair or better."""
    apart = "mini_royal" in three_card_schedule(case.options)
    return MINI_ROYAL_APART(case) if apart else MINI_ROYAL_AMONG(case)


THREE_CARDS = Stage(
    "with three cards", "take back the first wager or let it ride?",
    (Choice("withdraw_1", withdraws="base_1"), Choice("let_ride_1")), published("18.10"),
)  # fmt: skip
FOUR_CARDS = Stage(
    "with four cards", "take back the second wager or let it ride?",
    (Choice("withdraw_2", withdraws="base_2"), Choice("let_ride_2")), published("18.10"), board=1,
)  # fmt: skip

FOUND_UNEQUAL = custom("18.12")


def equalize(table: Table) -> None:
    """The base wagers of a seat are brought down to the lowest of the three."""
    assert table.report is not None
    seat = table.report.seat
    base = [bet for name in LetItRidePoker.main for bet in table.bets_of(seat, name)]
    lowest = min(bet.stake for bet in base)
    for bet in base:
        if bet.stake > lowest:
            table.reduce(bet, lowest, FOUND_UNEQUAL)


def between_deal_and_decisions(table: Table) -> str:
    first = table.all_dealt and not any(event.kind == "decision" for event in table.events)
    return "" if first else "it is found after the deal, before the first decision"


class LetItRidePoker(PokerGame):
    """Let it ride poker, N.J.A.C. 19:47-18."""

    id = "let-it-ride-poker"
    title = "Let it ride poker"
    cite = custom("18.1")
    positions = 7  # 13:69E-1.13H(a)
    in_words = (
        "A player makes three equal wagers and has three cards; two more lie face down for "
        "everyone. He may take back the first wager before the first of them is turned, and the "
        "second before the other is; the third stays. There is no dealer's hand: what is left of "
        "the wagers is paid by a table on the five cards."
    )
    Options = LetItRidePokerOptions

    own_cards = 3
    board_cards = 2
    main = ("base_1", "base_2", "base_3")
    looks = {"bonus": Look("hand", 5), "three_card_bonus": Look("own", 3, THREE)}

    wagers = (
        Wager(id="base_1", title="Base 1", pays=base_schedule,
              decide=on_the_hand("base_1", base_schedule, line=line),
              cite=published("18.6"), paid_by=published("18.11")),
        Wager(id="base_2", title="Base 2", pays=base_schedule, equals="base_1", joins="base_1",
              decide=on_the_hand("base_2", base_schedule, line=line),
              cite=published("18.6"), paid_by=published("18.11")),
        Wager(id="base_3", title="Base 3", pays=base_schedule, equals="base_1", joins="base_1",
              decide=on_the_hand("base_3", base_schedule, line=line),
              cite=published("18.6"), paid_by=published("18.11")),
        Wager(id="bonus", title="Bonus", pays=bonus_schedule,
              decide=on_the_hand("bonus", bonus_schedule), rests_on=("base_1",),
              limits=lambda options, covers: (BONUS_STAKE, BONUS_STAKE),
              limited_by=published("18.6A"), offered=lambda options: options.offer_bonus,
              cite=published("18.6A"), paid_by=published("18.11")),
        Wager(id="three_card_bonus", title="Three card bonus", pays=three_card_schedule,
              decide=three_card_bonus, rests_on=("base_1",),
              offered=lambda options: options.offer_three_card_bonus,
              cite=published("18.6"), paid_by=published("18.11")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=elsewhere("18.12", "19:47-20.12(a)"),
            drawn_in_error=elsewhere("18.12", "19:47-20.12(b)"),
            stub_count=elsewhere("18.7", "13:69F-40.7(f)2"),
            shuffler_count=elsewhere("18.7", "19:47-20.7(f)"),
            shuffler_jams=elsewhere("18.12", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("18.12", "13:69F-40.12(f)"),
            change=elsewhere("18.12", "13:69F-40.12(g)"),
            shown=elsewhere("18.12", "19:47-33.12(h)"),
            recut=elsewhere("18.5", "13:69F-40.4(d)"),
        )),
        **any_wrong_number(elsewhere("18.12", "19:47-20.12(c)")),
        **community_card_exposed(elsewhere("18.12", "19:47-20.12(d)"), hidden=True),
        "unequal_wagers": carry_on(
            "a player's base wagers are found to be unequal after the deal",
            "The dealer brings them down to the lowest of the three", FOUND_UNEQUAL,
            equalize, between_deal_and_decisions, seats=lambda table: table.clockwise(),
        ),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("18.4", "13:69F-40.3"),
        shuffle=elsewhere("18.5", "13:69F-40.4(a)"),
        cut=elsewhere("18.5", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": elsewhere("18.7", "13:69F-40.7(b)"),
                      "hand": elsewhere("18.8", "19:47-20.8(b)3"),
                      "automated_shoe": elsewhere("18.9", "19:47-20.9(b)2")},
        dealing={"manual_shoe": custom("18.7"), "hand": custom("18.8"),
                 "automated_shoe": published("18.9")},
        stub={"manual_shoe": elsewhere("18.7", "13:69F-40.7(e)"),
              "hand": elsewhere("18.8", "19:47-20.8(d)"),
              "automated_shoe": elsewhere("18.9", "19:47-20.9(d)")},
        count={"manual_shoe": elsewhere("18.7", "13:69F-40.7(f)"),
               "hand": elsewhere("18.8", "19:47-20.8(e)"),
               "automated_shoe": elsewhere("18.9", "19:47-20.9(e)")},
        reveal=published("18.10"),
        rankings=elsewhere("18.3", "19:47-14.3(b)"),
        settle=elsewhere("18.10", "19:47-20.10(c)"),
        collect=elsewhere("18.10", "19:47-20.10(d)"),
        wagers=elsewhere("18.6", "13:69F-27.6(d)"),
        positions=custom("18.6"),
    )  # fmt: skip

    def stages(self, options: LetItRidePokerOptions) -> tuple[Stage, ...]:
        return THREE_CARDS, FOUR_CARDS

    def order(self, seats: list[str], options: LetItRidePokerOptions) -> list[Dealt]:
        """Three cards to each player and two community cards, all of them face down.

        One at a time, a community card ends the first lap and the second. From the automated
        shoe the dealer too gets a packet of three, whose last card is burnt.
        """
        if options.deal_method == "automated_shoe":
            hands = [hand for hand in seats for _ in range(self.own_cards)]
            hands += [BOARD, BOARD, BURN]
        else:
            hands = [*seats, BOARD, *seats, BOARD, *seats]
        return [(hand, True) for hand in hands]

    def payout_limit(self, options: LetItRidePokerOptions) -> tuple[tuple[str, ...], int]:
        """Never less than three of the least wagers win on a royal flush."""
        wagers = self.main
        royal_flush = sum(self.by_id[each].pay_table(options)["royal_flush"].net for each in wagers)
        return wagers, max(options.payout_limit, int(options.table_min * royal_flush))

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        if any(bet.wager.id == "bonus" for bet in table.bets.values()):
            table.step("The bonus wagers are taken in, and each is marked", published("18.6A"))
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, THREE_CARDS)
        first, second = table.hands[BOARD]
        table.turn(BOARD, [first], self.rules.reveal)
        yield from self.decisions(table, FOUR_CARDS)
        table.turn(BOARD, [second], self.rules.reveal)
        yield from self.settle(table)
        self.finish(table)

    def first_stake(self, table: Table, seat: str) -> int:
        """Whoever has taken back the first is still in the round: the third always plays."""
        return table.stakes(seat).get("base_3", 0)

    def showdown(self, table: Table, seat: str) -> Showdown:
        own = rank(table.hands[seat], THREE)
        return replace(super().showdown(table, seat), own=own)
