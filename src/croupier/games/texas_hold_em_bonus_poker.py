"""Texas hold 'em bonus poker, N.J.A.C. 19:47-28: a wager before each of the three deals.

Of the text only the titles of the sections are at hand. Terms follow the rules
that an Atlantic City licensee published, and Pennsylvania's rule for the game;
cards and errors follow the sister text of 13:69F-40, which was copied from
this subchapter.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

from croupier.equipment import Card, Odds, deck
from croupier.games.poker_custom import (
    METHODS,
    Errors,
    common,
    community_card_exposed,
    dealer_card_exposed,
    own_wrong_number,
)
from croupier.rulebook import (
    DEALER,
    LOSE,
    PUSH,
    WIN,
    Choice,
    Citation,
    Decision,
    PackOptions,
    PokerGame,
    Round,
    Rules,
    Showdown,
    ShowdownCase,
    Stage,
    Table,
    Wager,
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

JACK, KING, ACE = 11, 13, 14
PACK = sorted(deck())  # by rank, from the two of clubs: a card's number is its place

BONUS = {
    "aces_against_aces": Odds(1000), "aces": Odds(30), "ace_king_suited": Odds(25),
    "ace_queen_or_jack_suited": Odds(20), "ace_king": Odds(15), "kings_to_jacks": Odds(10),
    "ace_queen_or_jack": Odds(5), "tens_to_twos": Odds(3),
}  # fmt: skip

BURN_AND_DEAL = elsewhere("28.10", "58 Pa. Code 647a.1")


def bonus_table(options: "TexasHoldEmBonusPokerOptions") -> dict[str, Odds]:
    return BONUS


class TexasHoldEmBonusPokerOptions(PackOptions):
    """What the licensee chooses at a Texas hold 'em bonus poker table."""

    hand_needs_shuffler = elsewhere("28.8", "13:69F-40.8(b)1")
    second_pack = elsewhere("28.2", "13:69F-40.2(b)")

    ante_pays_from = choice(
        "flush", "straight", cite=published("28.11"), title="the least hand with which an ante wins"
    )
    flop_multiple = number(2, 1, cite=published("28.6"), title="antes in a flop wager")
    bonus_offered = flag(True, cite=custom("28.6"), title="a wager on the player's two cards")
    bonus_after_fold = choice(
        "live", "lost", cite=custom("28.10"), title="what a fold does to the bonus wager"
    )
    progressive = choice(
        "none", cite=custom("28.11"), title="no progressive wager is known in New Jersey"
    )
    envy_bonus = choice("none", cite=custom("28.11"), title="no envy bonus is known in New Jersey")
    deal_method = choice(
        *METHODS, default="automated_shoe", cite=custom("28.7"), title="what cards are dealt from"
    )
    automated_shuffler = flag(True, cite=custom("28.8"), title="a device shuffles the cards")
    second_deck = flag(
        True,
        cite=elsewhere("28.2", "13:69F-40.2(b)"),
        title="two packs, used in turn",
        follows=lambda options: options.automated_shuffler,
    )
    positions_per_player = number(1, cite=custom("28.13"), title="positions of one player")


@dataclass(frozen=True)
class HoleCards:
    """What the bonus wager looks at: a player's two cards, and whether the dealer has aces."""

    high: int
    low: int
    suited: bool
    dealer_aces: bool

    @classmethod
    def of(cls, cards: Sequence[Card], dealer_aces: bool) -> "HoleCards":
        low, high = sorted(cards)
        return cls(high.rank, low.rank, high.suit == low.suit, dealer_aces)

    @property
    def line(self) -> str:
        """The highest line of the bonus table that they are on."""
        if (self.high, self.low) == (ACE, ACE):
            return "aces_against_aces" if self.dealer_aces else "aces"
        if self.high == self.low:
            return "kings_to_jacks" if self.high >= JACK else "tens_to_twos"
        if self.high == ACE and self.low >= JACK:
            name = "ace_king" if self.low == KING else "ace_queen_or_jack"
            return f"{name}_suited" if self.suited else name
        return "not_listed"


NOT_ENOUGH = {
    least: replace(PUSH, line=f"below_a_{least}")
    for least in TexasHoldEmBonusPokerOptions.ante_pays_from.names
}


def ante(case: ShowdownCase) -> Decision:
    """The higher hand wins, but only with a flush, or a straight where so posted; else a push."""
    hand, least = case.outcome.hand, case.options.ante_pays_from
    assert hand is not None
    order = hand.ladder.categories.index
    return WIN if order(hand.category) >= order(least) else NOT_ENOUGH[least]


FOLDED = replace(LOSE, line="folded")
BY_HOLE_CARDS = on_the_hand("bonus", bonus_table, "own", lambda hole: hole.line)


def bonus(case: ShowdownCase) -> Decision:
    """Paid on the two cards, whatever becomes of the hand; lost by a fold if the table says so."""
    if case.outcome.folded and case.options.bonus_after_fold == "lost":
        return FOLDED
    return BY_HOLE_CARDS(case)


BEFORE_FLOP = Stage(
    "before the flop", "bet or fold?", (Choice("fold", folds=True), Choice("bet", "flop", 2)),
    published("28.10"),
)  # fmt: skip
AFTER_FLOP = Stage(
    "after the flop", "check or bet?", (Choice("check"), Choice("bet", "turn", 1)),
    published("28.10"), board=3,
)  # fmt: skip
AFTER_TURN = Stage(
    "after the turn", "check or bet?", (Choice("check"), Choice("bet", "river", 1)),
    published("28.10"), board=4,
)  # fmt: skip


class TexasHoldEmBonusPoker(PokerGame):
    """Texas hold 'em bonus poker, N.J.A.C. 19:47-28."""

    id = "texas-hold-em-bonus-poker"
    title = "Texas hold 'em bonus poker"
    cite = custom("28.1")
    positions = 7
    in_words = (
        "Player and dealer have two cards each, and five community cards make the best hand of "
        "five. A player who has made an ante folds, or makes the flop wager and sees three of "
        "them; then he may check or bet before the turn, and again before the river. The higher "
        "hand wins, and the ante is paid only on a good one. A bonus wager is paid on the two "
        "cards with which he began."
    )
    Options = TexasHoldEmBonusPokerOptions

    own_cards = dealer_cards = 2
    board_cards = 5

    # In the order of settlement: the bonus first.
    wagers = (
        Wager(id="bonus", title="Bonus", decide=bonus, pays=bonus_table, rests_on=("ante",),
              offered=lambda options: options.bonus_offered, offered_by=custom("28.6"),
              cite=published("28.6"), paid_by=published("28.11")),
        Wager(id="ante", title="Ante", decide=if_higher(ante), pays=Odds(1),
              cite=published("28.6"), paid_by=published("28.11")),
        Wager(id="flop", title="Flop", decide=higher_hand, pays=Odds(1), joins="ante",
              window=when_asked(published("28.10")),
              cite=published("28.6"), paid_by=published("28.11")),
        Wager(id="turn", title="Turn", decide=higher_hand, pays=Odds(1), joins="ante",
              window=when_asked(published("28.10")),
              cite=published("28.6"), paid_by=published("28.11")),
        Wager(id="river", title="River", decide=higher_hand, pays=Odds(1), joins="ante",
              window=when_asked(published("28.10")),
              cite=published("28.6"), paid_by=published("28.11")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=elsewhere("28.12", "13:69F-40.12(b)"),
            drawn_in_error=elsewhere("28.12", "13:69F-40.12(c)"),
            stub_count=elsewhere("28.7", "13:69F-40.7(f)2"),
            shuffler_count=elsewhere("28.7", "13:69F-40.7(g)"),
            shuffler_jams=elsewhere("28.12", "13:69F-40.12(e)"),
            shoe_jams=elsewhere("28.12", "13:69F-40.12(f)"),
            change=elsewhere("28.12", "13:69F-40.12(g)"),
            shown=elsewhere("28.12", "19:47-33.12(h)"),
            recut=elsewhere("28.4", "13:69F-40.4(d)"),
        )),
        **own_wrong_number(elsewhere("28.12", "13:69F-40.12(d)")),
        # 40.12(a) voids the hands while somebody is to fold or bet on the flop; 20.12(d), later.
        **dealer_card_exposed(elsewhere("28.12", "13:69F-40.12(a) and 19:47-20.12(d)")),
        **community_card_exposed(custom("28.12")),
    }  # fmt: skip

    rules = Rules(
        opening=elsewhere("28.3", "13:69F-40.3"),
        shuffle=elsewhere("28.4", "13:69F-40.4(a)"),
        cut=elsewhere("28.4", "13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": elsewhere("28.7", "13:69F-40.7(b)"),
                      "hand": elsewhere("28.8", "13:69F-40.8(b)3"),
                      "automated_shoe": elsewhere("28.9", "13:69F-40.9(b)2")},
        dealing={"manual_shoe": elsewhere("28.7", "13:69F-40.7(d)"),
                 "hand": elsewhere("28.8", "13:69F-40.8(c)"),
                 "automated_shoe": elsewhere("28.9", "13:69F-40.9(c)")},
        stub={"manual_shoe": elsewhere("28.7", "13:69F-40.7(e)"),
              "hand": elsewhere("28.8", "13:69F-40.8(d)"),
              "automated_shoe": elsewhere("28.9", "19:47-20.9(d)")},
        count={"manual_shoe": elsewhere("28.7", "13:69F-40.7(f)"),
               "hand": elsewhere("28.8", "13:69F-40.8(e)"),
               "automated_shoe": elsewhere("28.9", "13:69F-40.9(e)")},
        reveal=published("28.10"),
        rankings=elsewhere("28.5", "13:69F-40.5"),
        settle=elsewhere("28.10", "19:47-20.10(c)"),
        collect=elsewhere("28.10", "19:47-20.10(d)"),
        wagers=elsewhere("28.6", "13:69F-40.6(b)"),
        positions=custom("28.13"),
    )  # fmt: skip

    def stages(self, options: TexasHoldEmBonusPokerOptions) -> tuple[Stage, ...]:
        fold, bet = BEFORE_FLOP.choices
        flop = replace(BEFORE_FLOP, choices=(fold, replace(bet, times=options.flop_multiple)))
        return flop, AFTER_FLOP, AFTER_TURN

    def forfeited(self, options: TexasHoldEmBonusPokerOptions) -> tuple[str, ...]:
        lost = ("bonus",) if options.bonus_after_fold == "lost" else ()
        return (*self.main, *lost)

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        before_flop, after_flop, after_turn = self.stages(table.options)
        yield from self.deal(table)
        yield from self.decisions(table, before_flop)
        yield from self.community(table, 3, BURN_AND_DEAL, burn=True)
        yield from self.decisions(table, after_flop)
        yield from self.community(table, 1, BURN_AND_DEAL, burn=True)
        yield from self.decisions(table, after_turn)
        yield from self.community(table, 1, BURN_AND_DEAL, burn=True)
        self.put_stub_away(table)
        yield from table.inspect()
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)

    def somebody_plays(self, table: Table) -> bool:
        return any(bet.wager.id == "ante" for bet in table.bets.values())

    def community(self, table: Table, cards: int, cite: Citation, *, burn: bool = False) -> Round:
        """No more of them when everybody has folded: a bonus wager does without."""
        if self.somebody_plays(table):
            yield from super().community(table, cards, cite, burn=burn)

    def reveal(self, table: Table, cite: Citation | None = None) -> None:
        """To those who have folded the dealer shows his two cards for their bonus wagers only."""
        if self.somebody_plays(table) or not table.bets:
            super().reveal(table, cite)
            return
        table.state = replace(table.state, revealed=True)
        table.turn(DEALER, table.hands[DEALER], cite or self.rules.reveal)

    def showdown(self, table: Table, seat: str) -> Showdown:
        """Of a player who has folded only the two cards count, for the bonus wager."""
        dealer_aces = all(card.rank == ACE for card in table.hands[DEALER])
        own = HoleCards.of(table.hands[seat], dealer_aces)
        if not table.bets_of(seat, "ante"):
            return Showdown(folded=True, own=own)
        return replace(super().showdown(table, seat), own=own)

    def side_cases(
        self,
        wager: str,
        options: TexasHoldEmBonusPokerOptions,
        state: Any,
        folds: Callable[[Iterable[int]], bool],
    ) -> Iterable[tuple[int, Showdown]]:
        """The bonus wager: a player's two cards and the dealer's."""
        all_ways, lost_by_fold = comb(50, 2), options.bonus_after_fold == "lost"
        for numbers in combinations(range(len(PACK)), 2):
            cards = [PACK[number] for number in numbers]
            folded = lost_by_fold and folds(numbers)
            aces = comb(4 - sum(card.rank == ACE for card in cards), 2)
            yield aces, Showdown(folded=folded, own=HoleCards.of(cards, dealer_aces=True))
            yield all_ways - aces, Showdown(folded=folded, own=HoleCards.of(cards, False))
