"""Four card poker, N.J.A.C. 19:47-27: the best four of five cards against the best four of six.

The text of 27.6, on wagers, is at hand. How the round is completed and paid
follows the published game; cards and errors follow the sister texts of
19:47-20 and 13:69F-40.
"""

from dataclasses import replace

from croupier.equipment import Odds
from croupier.games.poker_custom import (
    METHODS,
    Errors,
    any_wrong_number,
    common,
    dealer_card_exposed,
    ledgers,
)
from croupier.ranking import FOUR, PokerHand
from croupier.rulebook import (
    DEALER,
    WIN,
    Choice,
    Citation,
    Dealt,
    Decision,
    Look,
    PackOptions,
    PokerGame,
    Round,
    Rounding,
    Rules,
    ShowdownCase,
    Stage,
    Table,
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

ACE = 14

ANTE_BONUS = {
    1: {"three_of_a_kind": Odds(2), "straight_flush": Odds(20), "four_of_a_kind": Odds(25)},
    2: {"three_of_a_kind": Odds(2), "straight_flush": Odds(15), "four_of_a_kind": Odds(30)},
}

ACES_UP = ledgers(
    ("four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pairs",
     "pair_of_aces"),
    {
        "U1": (50, 40, 8, 5, 4, 3, 1),
        "U2": (50, 40, 9, 6, 4, 2, 1),
        "U3": (50, 40, 7, 5, 4, 3, 1),
        "U4": (50, 40, 8, 6, 4, 2, 1),
    },
)  # fmt: skip


def ante_bonus_table(options: "FourCardPokerOptions") -> dict[str, Odds]:
    return ANTE_BONUS[options.ante_bonus_table]


def aces_up_table(options: "FourCardPokerOptions") -> dict[str, Odds]:
    return ACES_UP[options.aces_up_table]


class FourCardPokerOptions(PackOptions):
    """What the licensee chooses at a four card poker table."""

    hand_needs_shuffler = elsewhere("27.8", "19:47-20.8(b)1")
    second_pack = elsewhere("27.2", "13:69F-40.2(b)")

    ante_bonus_table = number(
        *ANTE_BONUS, cite=published("27.11"), title="what the ante bonus pays"
    )  # fmt: skip
    aces_up_table = choice(*ACES_UP, cite=published("27.11"), title="what aces up pays")
    play_increments = choice(
        "whole_multiples", "any_amount", cite=law("27.6(a)1"),
        title="play wagers of one, two or three antes, or of any amount between",
    )  # fmt: skip
    tie_rule = choice(
        "player_wins", "push", cite=published("27.11"), title="what equal hands do"
    )  # fmt: skip
    two_adjacent_positions = flag(
        False, cite=law("27.6(e)"), title="a player may wager on two positions"
    )
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=law("27.6(d)"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("27.8"), title="a device shuffles the cards")
    packs = number(
        1, 2, cite=elsewhere("27.2", "13:69F-40.2(b)"), title="packs, used in turn"
    )  # fmt: skip
    settlement_order = choice(
        "by_player", "by_step", cite=elsewhere("27.10", "19:47-20.10(c)"),
        title="in which order hands are settled",
    )  # fmt: skip


def against_the_dealer(case: ShowdownCase) -> Decision:
    """The higher hand wins, and equal hands are the player's unless the table returns wagers."""
    equal = case.outcome.margin == 0
    return WIN if equal and case.options.tie_rule == "player_wins" else higher_hand(case)


def line_of_aces_up(hand: PokerHand) -> str:
    """Of the pairs, only aces are listed."""
    aces = hand.category == "pair" and hand.ranks[0] == ACE
    return "pair_of_aces" if aces else hand.category


PLAY_OR_FOLD = Stage(
    "with five cards",
    "play or fold?",
    (
        Choice("fold", folds=True),
        Choice("play", "play", 1), Choice("play", "play", 2), Choice("play", "play", 3),
    ),
    law("27.6(a)1"),
)  # fmt: skip


class FourCardPoker(PokerGame):
    """Four card poker, N.J.A.C. 19:47-27."""

    id = "four-card-poker"
    title = "Four card poker"
    cite = law("27.6")
    positions = 7
    in_words = (
        "A player has five cards and plays the best four of them; the dealer has six, one of them "
        "face up. A player who has made an ante folds, or plays for one to three times the ante. "
        "The dealer always plays, and the higher hand wins. Good hands earn a bonus on the ante, "
        "and aces up is paid on the player's own cards alone."
    )
    Options = FourCardPokerOptions

    ladder = FOUR
    own_cards = 5
    dealer_cards = 6
    up_cards = 1
    main = ("ante",)
    looks = {"aces_up": Look("hand", 5, FOUR)}

    wagers = (
        Wager(id="ante", title="Ante", decide=against_the_dealer, pays=Odds(1),
              cite=law("27.6(a)1"), paid_by=published("27.11")),
        Wager(id="play", title="Play", decide=against_the_dealer, pays=Odds(1), joins="ante",
              window=when_asked(law("27.6(d)")), rounding=Rounding.HOUSE,
              cite=law("27.6(a)1"), paid_by=published("27.11")),
        Wager(id="ante_bonus", title="Ante bonus", pays=ante_bonus_table, joins="ante",
              decide=on_the_hand("ante_bonus", ante_bonus_table), paid_on="ante",
              window=never_staked(published("27.11")), rounding=Rounding.HOUSE,
              cite=published("27.11"), paid_by=published("27.11")),
        Wager(id="aces_up", title="Aces up", pays=aces_up_table,
              decide=on_the_hand("aces_up", aces_up_table, line=line_of_aces_up),
              cite=law("27.6(a)2"), paid_by=published("27.11")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=elsewhere("27.12", "19:47-20.12(a)"),
            drawn_in_error=elsewhere("27.12", "19:47-20.12(b)"),
            stub_count=elsewhere("27.7", "13:69F-40.7(f)2"),
            shuffler_count=elsewhere("27.7", "19:47-20.7(f)"),
            shuffler_jams=elsewhere("27.12", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("27.12", "13:69F-40.12(f)"),
            change=elsewhere("27.12", "13:69F-40.12(g)"),
            shown=elsewhere("27.12", "19:47-33.12(h)"),
            recut=elsewhere("27.5", "13:69F-40.4(d)"),
        )),
        **any_wrong_number(elsewhere("27.12", "19:47-20.12(c)")),
        **dealer_card_exposed(elsewhere("27.12", "19:47-20.12(d)")),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("27.4", "13:69F-40.3"),
        shuffle=elsewhere("27.5", "13:69F-40.4(a)"),
        cut=elsewhere("27.5", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": custom("27.7"),
                      "hand": elsewhere("27.8", "19:47-20.8(b)3"),
                      "automated_shoe": elsewhere("27.9", "19:47-20.9(b)2")},
        dealing={"manual_shoe": elsewhere("27.7", "19:47-20.8(c)"),
                 "hand": elsewhere("27.8", "19:47-20.8(c)"),
                 "automated_shoe": elsewhere("27.9", "19:47-20.9(c)")},
        stub={"manual_shoe": elsewhere("27.7", "13:69F-40.7(e)"),
              "hand": elsewhere("27.8", "19:47-20.8(d)"),
              "automated_shoe": elsewhere("27.9", "19:47-20.9(d)")},
        count={"manual_shoe": elsewhere("27.7", "13:69F-40.7(f)"),
               "hand": elsewhere("27.8", "19:47-20.8(e)"),
               "automated_shoe": elsewhere("27.9", "19:47-20.9(e)")},
        reveal=published("27.10"),
        rankings=elsewhere("27.3", "58 Pa. Code 684a.6"),
        settle=elsewhere("27.10", "19:47-20.10(c)"),
        collect=elsewhere("27.10", "19:47-20.10(d)"),
        wagers=law("27.6(d)"),
        positions=law("27.6(e)"),
    )  # fmt: skip

    def stages(self, options: FourCardPokerOptions) -> tuple[Stage, ...]:
        return (replace(PLAY_OR_FOLD, any_amount=options.play_increments == "any_amount"),)

    def forfeited(self, options: FourCardPokerOptions) -> tuple[str, ...]:
        return "ante", "aces_up"

    def fold(self, table: Table, seat: str, cite: Citation) -> None:
        """That both wagers are lost is not in the text of 27.6."""
        super().fold(table, seat, elsewhere("27.10", "19:47-20.10(b)"))

    def order(self, seats: list[str], options: FourCardPokerOptions) -> list[Dealt]:
        """Five cards to everybody, then a sixth to the dealer, face up."""
        return [*super().order(seats, options), (DEALER, False)]

    def may_have_two(self, options: FourCardPokerOptions) -> bool:
        return options.two_adjacent_positions

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        (play_or_fold,) = self.stages(table.options)
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, play_or_fold)
        yield from table.inspect()
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)
