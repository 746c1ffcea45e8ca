"""Three card poker, N.J.A.C. 19:47-20: three cards against the dealer's three, or a pay table.

The text from 20.7(f) to 20.12(d) is at hand. How the pack is opened, shuffled
and cut follows the sister text of 13:69F-40; that equal hands push is custom.
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
    dealer_card_exposed,
    ledgers,
)
from croupier.ranking import FIVE, THREE, PokerHand, rank
from croupier.rulebook import (
    DEALER,
    PUSH,
    WIN,
    Choice,
    Decision,
    Fault,
    Look,
    PackOptions,
    PokerGame,
    Refusal,
    Round,
    Rules,
    Showdown,
    ShowdownCase,
    Stage,
    Table,
    Violation,
    Wager,
    choice,
    custom,
    elsewhere,
    flag,
    higher_hand,
    law,
    never_staked,
    number,
    on_the_hand,
    published,
    when_asked,
)

QUEEN = 12

PAIR_PLUS = ledgers(  # 20.11(a)2
    ("pair", "flush", "straight", "three_of_a_kind", "straight_flush"),
    {
        "A": (1, 4, 6, 30, 40),
        "B": (1, 4, 6, 33, 35),
        "C": (1, 3, 6, 30, 40),
        "D": (1, 3, 6, 33, 35),
    },
)

ANTE_BONUS = {  # 20.11(a)3 and 3i
    "standard": {"straight": Odds(1), "three_of_a_kind": Odds(4), "straight_flush": Odds(5)},
    "alternative": {"straight": Odds(1), "three_of_a_kind": Odds(5), "straight_flush": Odds(6)},
}

SIX_CARD_BONUS = ledgers(
    FROM_THREE_OF_A_KIND,
    {
        "S1": (1000, 200, 50, 25, 20, 10, 5),
        "S2": (1000, 200, 100, 20, 15, 10, 7),
        "S3": (1000, 200, 50, 25, 15, 10, 5),
    },
)


def pair_plus_ledger(options: "ThreeCardPokerOptions") -> dict[str, Odds]:
    return PAIR_PLUS[options.pair_plus_ledger]


def ante_bonus_table(options: "ThreeCardPokerOptions") -> dict[str, Odds]:
    return ANTE_BONUS[options.ante_bonus_table]


def six_card_schedule(options: "ThreeCardPokerOptions") -> dict[str, Odds]:
    return SIX_CARD_BONUS[options.six_card_schedule]


class ThreeCardPokerOptions(PackOptions):
    """What the licensee chooses at a three card poker table."""

    hand_needs_shuffler = law("20.8(b)1")
    second_pack = elsewhere("20.2", "13:69F-40.2(b)")

    pair_plus_ledger = choice(*PAIR_PLUS, cite=law("20.11(a)2"), title="what pair plus pays")
    ante_bonus_table = choice(*ANTE_BONUS, cite=law("20.11(a)3"), title="what the ante bonus pays")
    version_20_6_f = flag(
        False, cite=custom("20.6(f)"), title="ante and pair plus are only wagered together"
    )
    offer_six_card_bonus = flag(
        False, cite=published("20.6"), title="a wager on the player's and the dealer's cards"
    )
    six_card_schedule = choice(
        *SIX_CARD_BONUS, cite=published("20.11"), title="what the six card bonus pays"
    )
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=law("20.8(a)"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=law("20.8(b)1"), title="a device shuffles the cards")
    packs = number(1, 2, cite=elsewhere("20.2", "13:69F-40.2(b)"), title="packs, used in turn")
    settlement_order = choice(
        "by_player", "by_step", cite=law("20.10(c)"), title="in which order hands are settled"
    )
    two_adjacent_positions = flag(
        False, cite=elsewhere("20.6", "13:69F-27.6(e)"), title="a player may wager on two positions"
    )

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.ante_bonus_table == "alternative" and not (
            self.version_20_6_f and self.pair_plus_ledger == "B"
        ):
            message = (
                "the alternative ante bonus is paid only where ante and pair plus are wagered "
                "together (version_20_6_f) and pair plus is paid by ledger B"
            )
            yield Violation("ante_bonus_table", message, law("20.11(a)3i"))


EQUAL = replace(PUSH, cite=custom("20.11(a)1"))  # the text does not speak of equal hands
RETURNED = replace(PUSH, cite=law("20.11(a)1"))


def compared(case: ShowdownCase) -> Decision:
    """The higher hand wins; equal hands push."""
    return higher_hand(case) if case.outcome.margin else EQUAL


def ante(case: ShowdownCase) -> Decision:
    """Wins if the dealer has less than queen high; else the higher hand wins."""
    return compared(case) if case.outcome.qualifies else WIN


def play(case: ShowdownCase) -> Decision:
    """Returned if the dealer has less than queen high; else the higher hand wins."""
    return compared(case) if case.outcome.qualifies else RETURNED


PLAY_OR_FOLD = Stage(
    "with three cards", "play or fold?",
    (Choice("fold", folds=True), Choice("play", "play", 1)), law("20.10(b)"),
)  # fmt: skip


class ThreeCardPoker(PokerGame):
    """Three card poker, N.J.A.C. 19:47-20."""

    id = "three-card-poker"
    title = "Three card poker"
    cite = custom("20.1")
    positions = 7
    in_words = (
        "Players and dealer have three cards each. A player who has made an ante looks at his "
        "cards and folds, or plays by wagering as much again. The dealer plays only with queen "
        "high or better: with less the ante is paid and the play wager returned, else the higher "
        "hand wins both. Pair plus is paid on the player's own three cards, whatever the dealer "
        "has."
    )
    Options = ThreeCardPokerOptions

    ladder = THREE
    collects_folds_together = True  # 20.10(b): after each player has decided
    own_cards = dealer_cards = 3
    main = ("ante",)
    looks = {"pair_plus": Look("hand", 3, THREE), "six_card_bonus": Look("both", 6, FIVE)}

    wagers = (
        Wager(id="ante", title="Ante", decide=ante, pays=Odds(1),
              cite=law("20.10(b)"), paid_by=law("20.11(a)1")),
        Wager(id="play", title="Play", decide=play, pays=Odds(1), joins="ante",
              window=when_asked(law("20.10(b)")), cite=law("20.10(b)"), paid_by=law("20.11(a)1")),
        Wager(id="ante_bonus", title="Ante bonus", pays=ante_bonus_table, joins="ante",
              decide=on_the_hand("ante_bonus", ante_bonus_table), paid_on="ante",
              window=never_staked(law("20.11(a)3")), pays_exactly=True,
              cite=law("20.11(a)3"), paid_by=law("20.11(a)3")),
        Wager(id="pair_plus", title="Pair plus", pays=pair_plus_ledger, pays_exactly=True,
              decide=on_the_hand("pair_plus", pair_plus_ledger),
              cite=law("20.10(b)"), paid_by=law("20.11(a)2")),
        Wager(id="six_card_bonus", title="Six card bonus", pays=six_card_schedule,
              decide=on_the_hand("six_card_bonus", six_card_schedule, "both"),
              rests_on=("ante", "pair_plus"), offered=lambda options: options.offer_six_card_bonus,
              cite=published("20.6"), paid_by=published("20.11")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=law("20.12(a)"), drawn_in_error=law("20.12(b)"),
            stub_count=elsewhere("20.7(f)", "13:69F-40.7(f)2"), shuffler_count=law("20.7(f)"),
            shuffler_jams=elsewhere("20.12", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("20.12", "13:69F-40.12(f)"),
            change=elsewhere("20.12", "13:69F-40.12(g)"),
            shown=elsewhere("20.12", "19:47-33.12(h)"),
            recut=elsewhere("20.5", "13:69F-40.4(d)"),
        )),
        **any_wrong_number(law("20.12(c)")),
        **dealer_card_exposed(law("20.12(d)")),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("20.4", "13:69F-40.3"),
        shuffle=elsewhere("20.5", "13:69F-40.4(a)"),
        cut=elsewhere("20.5", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": custom("20.7"), "hand": law("20.8(b)3"),
                      "automated_shoe": law("20.9(b)2")},
        dealing={"manual_shoe": custom("20.7"), "hand": law("20.8(c)"),
                 "automated_shoe": law("20.9(c)")},
        stub={"manual_shoe": elsewhere("20.7", "13:69F-40.7(e)"), "hand": law("20.8(d)"),
              "automated_shoe": law("20.9(d)")},
        count={"manual_shoe": custom("20.7(e)"), "hand": law("20.8(e)"),
               "automated_shoe": law("20.9(e)")},
        reveal=law("20.10(b)"),
        rankings=elsewhere("20.3", "19:47-14.3(c)"),
        settle=law("20.10(c)"),
        collect=law("20.10(d)"),
        wagers=elsewhere("20.6", "13:69F-27.6(d)"),
        positions=elsewhere("20.6", "13:69F-27.6(e)"),
    )  # fmt: skip

    def stages(self, options: ThreeCardPokerOptions) -> tuple[Stage, ...]:
        return (PLAY_OR_FOLD,)

    def qualifies(self, hand: PokerHand, options: ThreeCardPokerOptions) -> bool:
        """Queen high or better."""
        return hand.category != "high_card" or hand.ranks[0] >= QUEEN

    def forfeited(self, options: ThreeCardPokerOptions) -> tuple[str, ...]:
        """20.10(b): a player who does not make the play wager forfeits ante and pair plus."""
        return "ante", "pair_plus"

    def check_wagers(self, table: Table, seat: str) -> None:
        super().check_wagers(table, seat)
        together = {"ante", "pair_plus"}
        if table.options.version_20_6_f and len(together & set(table.stakes(seat))) == 1:
            message = f"seat {seat} must wager on ante and pair plus together at this table"
            raise Refusal(Fault.NO_SUPPORT, message, custom("20.6(f)"))

    def may_have_two(self, options: ThreeCardPokerOptions) -> bool:
        return options.two_adjacent_positions

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, PLAY_OR_FOLD)
        yield from table.inspect()
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)

    def showdown(self, table: Table, seat: str) -> Showdown:
        both = rank([*table.hands[seat], *table.hands[DEALER]], FIVE)
        return replace(super().showdown(table, seat), both=both)
