"""Ultimate Texas hold 'em, N.J.A.C. 19:47-32: one raise, the earlier the larger.

Of the text only the titles of the sections are at hand. Terms follow the
published game and Pennsylvania's rule for it; cards and errors follow the
sister text of 13:69F-40, which was copied from this subchapter.
"""

from dataclasses import replace
from math import floor

from croupier.equipment import Odds
from croupier.games.poker_custom import (
    FROM_THREE_OF_A_KIND,
    METHODS,
    Errors,
    common,
    community_card_exposed,
    dealer_card_exposed,
    ledgers,
    own_wrong_number,
)
from croupier.ranking import PokerHand
from croupier.rulebook import (
    BOARD,
    PUSH,
    Choice,
    Decision,
    Look,
    MaybeMoney,
    PackOptions,
    PokerGame,
    Round,
    Rounding,
    Rules,
    ShowdownCase,
    Stage,
    Table,
    Wager,
    carry_on,
    choice,
    custom,
    elsewhere,
    flag,
    higher_hand,
    if_higher,
    number,
    on_the_hand,
    published,
    when_asked,
)

BLIND = {
    "A": {"royal_flush": Odds(500), "straight_flush": Odds(50), "four_of_a_kind": Odds(10),
          "full_house": Odds(3), "flush": Odds(3, 2), "straight": Odds(1)},
    "B": {"royal_flush": Odds(500), "straight_flush": Odds(50), "four_of_a_kind": Odds(10),
          "full_house": Odds(3), "flush": Odds(3, 2)},
}  # fmt: skip

TRIPS = ledgers(
    FROM_THREE_OF_A_KIND,
    {
        "A": (50, 40, 30, 9, 7, 4, 3),
        "B": (50, 40, 30, 8, 6, 5, 3),
        "C": (50, 40, 30, 8, 7, 4, 3),
        "D": (50, 40, 20, 7, 6, 5, 3),
    },
)

PAYS = elsewhere("32.11", "58 Pa. Code 653a.12")


def blind_table(options: "UltimateTexasHoldEmOptions") -> dict[str, Odds]:
    return BLIND[options.blind_table]


def trips_table(options: "UltimateTexasHoldEmOptions") -> dict[str, Odds]:
    return TRIPS.get(options.trips_table, {})


class UltimateTexasHoldEmOptions(PackOptions):
    """What the licensee chooses at an ultimate Texas hold 'em table."""

    hand_needs_shuffler = elsewhere("32.8", "13:69F-40.8(b)1")
    second_pack = elsewhere("32.2", "13:69F-40.2(b)")

    blind_table = choice(*BLIND, cite=PAYS, title="what the blind pays")
    trips_table = choice("none", *TRIPS, default="C", cite=PAYS, title="what trips pays")
    preflop_multiples = choice(
        "3,4", "4", cite=published("32.10"), title="how many antes may be bet before the flop"
    )
    trips_after_fold = choice(
        "live",
        "lost",
        cite=elsewhere("32.10", "13:69F-40.10(d)2i"),
        title="what a fold does to trips",
    )
    bad_beat_bonus = choice(
        "none", cite=custom("32.11"), title="no bad beat bonus is known in New Jersey"
    )
    progressive = choice(
        "none", cite=custom("32.11"), title="no progressive wager is known in New Jersey"
    )
    payout_limit = MaybeMoney(
        None, custom("32.11"), "the most that one hand wins in a round, in cents"
    )
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=custom("32.7"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("32.8"), title="a device shuffles the cards")
    second_deck = flag(
        True,
        cite=elsewhere("32.2", "13:69F-40.2(b)"),
        title="two packs, used in turn",
        follows=lambda options: options.automated_shuffler,
    )
    positions_per_player = number(1, cite=custom("32.12"), title="positions of one player")
    settlement_order = choice(
        "by_player", "by_step", cite=custom("32.10"), title="in which order hands are settled"
    )  # fmt: skip


def ante(case: ShowdownCase) -> Decision:
    """Returned if the dealer has less than a pair, whoever is higher."""
    return higher_hand(case) if case.outcome.qualifies else PUSH


NOT_LISTED = replace(PUSH, line="not_listed")

BEFORE_FLOP = Stage(
    "before the flop",
    "check or bet?",
    (Choice("check"), Choice("bet", "play", 3, last=True), Choice("bet", "play", 4, last=True)),
    published("32.10"),
)
AFTER_FLOP = Stage(
    "after the flop",
    "check or bet?",
    (Choice("check"), Choice("bet", "play", 2, last=True)),
    published("32.10"),
    board=3,
)
AFTER_RIVER = Stage(
    "after the river", "bet or fold?",
    (Choice("fold", folds=True), Choice("bet", "play", 1, last=True)),
    published("32.10"), board=5,
)  # fmt: skip


class UltimateTexasHoldEm(PokerGame):
    """Ultimate Texas hold 'em, N.J.A.C. 19:47-32."""

    id = "ultimate-texas-hold-em"
    title = "Ultimate Texas hold 'em"
    cite = custom("32.1")
    positions = 7
    in_words = (
        "A player makes an ante and an equal blind wager; player and dealer have two cards each, "
        "and five community cards make the best hand of five. A player raises once, and the "
        "earlier the more: several antes before the flop, two after it, or one when all cards are "
        "seen, where who has not raised must raise or fold. The dealer needs a pair for the ante "
        "to count; the blind pays only on a straight or better."
    )
    Options = UltimateTexasHoldEmOptions

    own_cards = dealer_cards = 2
    board_cards = 5
    main = ("ante", "blind")
    looks = {"trips": Look("hand", 7)}

    wagers = (
        Wager(id="ante", title="Ante", decide=ante, pays=Odds(1),
              cite=published("32.6"), paid_by=PAYS),
        Wager(id="play", title="Play", decide=higher_hand, pays=Odds(1), joins="ante",
              window=when_asked(published("32.10")), cite=published("32.6"), paid_by=PAYS),
        Wager(id="blind", title="Blind", pays=blind_table, equals="ante", joins="ante",
              decide=if_higher(on_the_hand("blind", blind_table, otherwise=NOT_LISTED)),
              rounding=Rounding.HOUSE, cite=published("32.6"), paid_by=PAYS),
        Wager(id="trips", title="Trips", pays=trips_table, decide=on_the_hand("trips", trips_table),
              rests_on=("ante",), offered=lambda options: options.trips_table != "none",
              cite=published("32.6"), paid_by=PAYS),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=elsewhere("32.13", "13:69F-40.12(b)"),
            drawn_in_error=elsewhere("32.13", "13:69F-40.12(c)"),
            stub_count=elsewhere("32.7(f)", "13:69F-40.7(f)2"),
            shuffler_count=elsewhere("32.7", "13:69F-40.7(g)"),
            shuffler_jams=elsewhere("32.13", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("32.13", "13:69F-40.12(f)"),
            change=elsewhere("32.13", "13:69F-40.12(g)"),
            shown=elsewhere("32.13", "19:47-33.12(h)"),
            recut=elsewhere("32.4", "13:69F-40.4(d)"),
        )),
        **own_wrong_number(elsewhere("32.13", "13:69F-40.12(d)")),
        **dealer_card_exposed(elsewhere("32.13", "13:69F-40.12(a)"), until_reveal=False),
        **community_card_exposed(custom("32.13")),
        "missed_burn": carry_on(
            "a burn was missed, and it is noticed before further action",
            "The cards are played as they were dealt", custom("32.13"),
            bar=lambda table: "" if table.hands[BOARD] else "no community card has been dealt",
        ),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("32.3", "13:69F-40.3"),
        shuffle=elsewhere("32.4", "13:69F-40.4(a)"),
        cut=elsewhere("32.4", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": elsewhere("32.7", "13:69F-40.7(b)"),
                      "hand": elsewhere("32.8", "13:69F-40.8(b)3"),
                      "automated_shoe": elsewhere("32.9", "13:69F-40.9(b)2")},
        dealing={"manual_shoe": elsewhere("32.7", "13:69F-40.7(d)"),
                 "hand": elsewhere("32.8", "13:69F-40.8(c)"),
                 "automated_shoe": elsewhere("32.9", "13:69F-40.9(c)")},
        stub={"manual_shoe": elsewhere("32.7", "13:69F-40.7(e)"),
              "hand": elsewhere("32.8", "13:69F-40.8(d)"),
              "automated_shoe": elsewhere("32.9", "19:47-20.9(d)")},
        count={"manual_shoe": elsewhere("32.7(f)", "13:69F-40.7(f)"),
               "hand": elsewhere("32.8", "13:69F-40.8(e)"),
               "automated_shoe": elsewhere("32.9", "13:69F-40.9(e)")},
        reveal=published("32.10"),
        rankings=elsewhere("32.5", "13:69F-40.5"),
        settle=elsewhere("32.10", "19:47-20.10(c)"),
        collect=elsewhere("32.10", "19:47-20.10(d)"),
        wagers=elsewhere("32.6", "13:69F-40.6(b)"),
        positions=custom("32.12"),
    )  # fmt: skip

    def stages(self, options: UltimateTexasHoldEmOptions) -> tuple[Stage, ...]:
        if options.preflop_multiples == "4":
            check, _, four = BEFORE_FLOP.choices
            return replace(BEFORE_FLOP, choices=(check, four)), AFTER_FLOP, AFTER_RIVER
        return BEFORE_FLOP, AFTER_FLOP, AFTER_RIVER

    def qualifies(self, hand: PokerHand, options: UltimateTexasHoldEmOptions) -> bool:
        """The dealer opens with a pair, if need be one on the board."""
        return hand.category != "high_card"

    def forfeited(self, options: UltimateTexasHoldEmOptions) -> tuple[str, ...]:
        lost = ("trips",) if options.trips_after_fold == "lost" else ()
        return (*self.main, *lost)

    def payout_limit(
        self, options: UltimateTexasHoldEmOptions
    ) -> tuple[tuple[str, ...], int] | None:
        """Where one is set: never less than a player with the least wagers could win."""
        if options.payout_limit is None:
            return None
        offered = [wager.id for wager in self.offered(options)]
        times = max(c.times for stage in self.stages(options) for c in stage.choices)
        best = sum(
            max(odds.net for odds in self.by_id[name].pay_table(options).values())
            * (times if name == "play" else 1)
            for name in offered
        )
        return tuple(offered), max(options.payout_limit, floor(best * options.table_min))

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        before_flop, after_flop, after_river = self.stages(table.options)
        yield from self.deal(table)
        yield from self.decisions(table, before_flop)
        yield from self.community(table, 3, published("32.10"), burn=True)
        yield from self.decisions(table, after_flop)
        yield from self.community(table, 2, published("32.10"), burn=True)
        self.put_stub_away(table)
        yield from self.decisions(table, after_river)
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)
