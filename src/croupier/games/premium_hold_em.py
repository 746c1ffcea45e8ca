"""Premium hold 'em, N.J.A.C. 13:69F-40: three cards, four for all, and one wager, early or late.

The whole text is at hand, and it is a draft: passages were copied from Texas
hold 'em bonus poker and from ultimate Texas hold 'em, and some things are not
said at all. Where it contradicts itself or is silent, a comment here says how
it is read. It has no number in chapter 19:47.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

from croupier.equipment import Odds, WeightedWheel, dollars
from croupier.games.poker_custom import (
    METHODS,
    Errors,
    common,
    dealer_card_exposed,
    own_wrong_number,
)
from croupier.ranking import THREE, PokerHand, rank
from croupier.rulebook import (
    BOARD,
    BURN,
    LOSE,
    PUSH,
    STAND,
    WIN,
    Choice,
    Citation,
    Dealt,
    Decision,
    Look,
    MaybeMoney,
    Meter,
    Option,
    PackOptions,
    PackState,
    PokerGame,
    Resolution,
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
    choice,
    custom,
    elsewhere,
    flag,
    law,
    lost,
    number,
    on_the_hand,
    too_long,
    void_round,
    when_asked,
    whole,
)

THREES, JACK = 3, 11
DOLLAR = 100  # cents

XTRA_BONUS = {  # 40.11(d)
    "royal_flush": Odds(500), "straight_flush": Odds(100), "four_of_a_kind": Odds(10),
    "full_house": Odds(3), "flush": Odds(3, 2), "straight": Odds(1),
}  # fmt: skip

JACKS_UP = {  # 40.11(c)
    "royal_flush": Odds(50), "straight_flush": Odds(30), "four_of_a_kind": Odds(10),
    "full_house": Odds(6), "flush": Odds(4), "straight": Odds(3), "three_of_a_kind": Odds(2),
    "two_pairs_jacks_up": Odds(1),
}  # fmt: skip


# The bonus spin, 40.11(e).

TOP = "1"  # the position of the jackpot, or of the fixed prize
RATE = Fraction(7, 100)  # of each wager goes to the meter
HANDS = comb(52, 3)
SUITED_HANDS = 4 * comb(13, 3)
STRAIGHT_FLUSHES = 4 * 12  # among them. 40.1 says "flush", which each of them is as well.


@dataclass(frozen=True)
class SpinTable:
    """What each position of the wheel pays, in dollars, for a stake that is not returned."""

    stake: int  # dollars
    player: Mapping[str, int]  # to the one who spins; position 1 is the top prize
    community: Mapping[str, int]  # to every other player who made the wager
    seed: int = 0  # of the meter, if the top prize is a progressive jackpot

    @property
    def is_progressive(self) -> bool:
        return self.seed > 0


SPIN_TABLES = {
    "none": SpinTable(0, {}, {}),
    "S1": SpinTable(
        5,
        {"2": 40, "3": 100, "4": 5000, "5": 50, "6": 250, "7": 2500, "8": 60, "9": 40, "10": 1000,
         "11": 100, "12": 500},
        {"3": 50, "6": 100, "9": 15},
        seed=10_000,
    ),
    "S2": SpinTable(
        5,
        {"2": 50, "3": 100, "4": 10_000, "5": 60, "6": 250, "7": 5000, "8": 65, "9": 40,
         "10": 1000, "11": 100, "12": 500},
        {"3": 50, "6": 100, "9": 15},
    ),
    "S3": SpinTable(
        1,
        {"2": 5, "3": 100, "4": 1000, "5": 10, "6": 25, "7": 500, "8": 40, "9": 75, "10": 15,
         "11": 50, "12": 60},
        {"3": 25, "6": 3, "9": 15},
        seed=5000,
    ),
    "S4": SpinTable(
        1,
        {"2": 5, "3": 100, "4": 1000, "5": 10, "6": 20, "7": 500, "8": 15, "9": 50, "10": 200,
         "11": 75, "12": 25},
        {"3": 25, "6": 3, "9": 10},
    ),
}  # fmt: skip

POSITIONS = tuple(str(position) for position in range(1, 13))
LONGEST = 15  # digits of a weight


class Weights(Option[tuple[int, ...] | None]):
    """How often the wheel stops at each of its positions, or `none`."""

    lawful = "none, or twelve whole numbers above zero, such as 1,9,9,9,9,9,9,9,9,9,9,9"

    def parse(self, given: Any) -> tuple[int, ...] | None:
        if given is None or str(given).strip().lower() == "none":
            return None
        parts = given if isinstance(given, list) else str(given).split(",")
        words = [str(part).strip() for part in parts]
        fits = all(word.isdecimal() and len(word) <= LONGEST and int(word) for word in words)
        if len(words) != len(POSITIONS) or not fits:
            raise ValueError(f"must be {self.lawful}")
        return tuple(map(int, words))

    def show(self, value: tuple[int, ...] | None) -> Any:
        return "none" if value is None else ",".join(map(str, value))


class PremiumHoldEmOptions(PackOptions):
    """What the licensee chooses at a premium hold 'em table."""

    hand_needs_shuffler = law("13:69F-40.8(b)1")
    second_pack = law("13:69F-40.2(b)")

    ante_when_unqualified_dealer_wins = choice(
        "lose", "push", cite=law("13:69F-40.10(g)3i"),
        title="the ante of a player who is beaten by less than a pair of threes",
    )  # fmt: skip
    xtra_on_fold = choice(
        "lose", cite=custom("13:69F-40.10(d)2"), title="what a fold does to the X-tra bonus wager"
    )
    bonus_spin_table = choice(
        *SPIN_TABLES, cite=law("13:69F-40.11(e)"), title="what the bonus spin pays"
    )
    bonus_spin_weights = Weights(
        None, custom("13:69F-40.11(e)"), "how often the wheel stops at each position, from 1 to 12"
    )
    bonus_spin_fixed_prize = MaybeMoney(
        None, law("13:69F-40.1"), "the top prize where it is no jackpot, in cents"
    )
    bonus_spin_trigger_on_straight_flush = flag(
        True, cite=custom("13:69F-40.1"), title="three suited cards in sequence spin the wheel too"
    )
    deal_method = choice(
        *METHODS,
        default="automated_shoe",
        cite=law("13:69F-40.7"),
        title="what cards are dealt from",
    )
    burn_before_board_shoe_hand = number(
        0, 1, cite=custom("13:69F-40.7(e)"),
        title="cards burnt before the community cards, from a manual shoe or the hand",
    )  # fmt: skip
    automated_shuffler = flag(
        True, cite=law("13:69F-40.8(b)1"), title="a device shuffles the cards"
    )
    second_deck = flag(
        True,
        cite=law("13:69F-40.2(b)"),
        title="two packs, used in turn",
        follows=lambda options: options.automated_shuffler,
    )
    max_players = whole(
        1,
        6,
        default=6,
        cite=law("13:69E-1.13Y(a)"),
        title="players the table has room for",
    )
    positions_per_player = number(1, cite=law("13:69F-40.13(a)"), title="positions of one player")

    @property
    def offers_spins(self) -> bool:
        return self.bonus_spin_table != "none"

    @property
    def spins(self) -> SpinTable:
        return SPIN_TABLES[self.bonus_spin_table]

    @property
    def spinning_hands(self) -> int:
        """How many hands of three cards spin the wheel."""
        without = 0 if self.bonus_spin_trigger_on_straight_flush else STRAIGHT_FLUSHES
        return SUITED_HANDS - without

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.table_min < DOLLAR:
            message = "table_min is at least $1, for that is the least X-tra bonus wager"
            yield Violation("table_min", message, law("13:69F-40.6(c)"))
        if self.offers_spins:
            yield from self._spins_in_order()

    def _spins_in_order(self) -> Iterator[Violation]:
        spins, weights = self.spins, self.bonus_spin_weights
        if weights is None:
            message = "the bonus spin is offered only with the weights of the twelve positions"
            yield Violation("bonus_spin_weights", message, custom("13:69F-40.11(e)"))
        elif spins.is_progressive:
            chance = Fraction(self.spinning_hands * weights[0], HANDS * sum(weights))
            if long := too_long(chance):
                yield Violation("bonus_spin_weights", *long)
        if spins.is_progressive:
            return
        prize, most = self.bonus_spin_fixed_prize, DOLLAR * max(spins.player.values())
        if prize is None:
            message = f"table {self.bonus_spin_table} has a fixed prize, and it must be told"
            yield Violation("bonus_spin_fixed_prize", message, law("13:69F-40.1"))
        elif prize < most:
            message = f"the fixed prize is the top prize: it may not be less than {dollars(most)}"
            yield Violation("bonus_spin_fixed_prize", message, law("13:69F-40.1"))


@dataclass(frozen=True)
class PremiumState(PackState):
    """What stands between the rounds, and the bonus spin."""

    meter: Meter | None = None  # of the progressive jackpot, since the first wager on it
    staked: int = 0  # cents of this round's bonus spin wagers that the meter has seen
    spinning: bool = False  # all hands are settled, and the wheel is spun


# How wagers come out.

BEATEN = lost(law("13:69F-40.10(g)3i"))
TIED = replace(PUSH, cite=law("13:69F-40.10(g)3ii"))
BELOW_THREES = replace(PUSH, line="dealer_below_pair_of_threes", cite=law("13:69F-40.10(g)3iii"))
PLAY_BEATEN = lost(law("13:69F-40.10(g)4i"))
PLAY_TIED = replace(PUSH, cite=law("13:69F-40.10(g)4ii"))
XTRA_BEATEN = lost(custom("13:69F-40.11(d)"))
XTRA_TIED = replace(PUSH, cite=custom("13:69F-40.11(d)"))
TRIPS_OR_LESS = replace(PUSH, line="below_a_straight", cite=law("13:69F-40.11(d)"))


def ante(case: ShowdownCase) -> Decision:
    """The higher hand wins, but the dealer pays only with a pair of threes or better.

    With less he still collects the ante that he beats: so the text. As published, he returns it.
    """
    showdown, when_he_wins = case.outcome, case.options.ante_when_unqualified_dealer_wins
    if showdown.margin == 0:
        return TIED
    if not showdown.qualifies and (showdown.margin > 0 or when_he_wins == "push"):
        return BELOW_THREES
    return WIN if showdown.margin > 0 else BEATEN


def play(case: ShowdownCase) -> Decision:
    """The higher hand wins, whatever the dealer has."""
    margin = case.outcome.margin
    return WIN if margin > 0 else PLAY_BEATEN if margin < 0 else PLAY_TIED


def xtra_bonus_table(options: PremiumHoldEmOptions) -> dict[str, Odds]:
    return XTRA_BONUS


XTRA_WON = on_the_hand("xtra_bonus", xtra_bonus_table, otherwise=TRIPS_OR_LESS)


def xtra_bonus(case: ShowdownCase) -> Decision:
    """It "must beat dealer's hand": read so that it is lost to a higher one, and a tie returns it.

    40.10(g) does not settle it at all.
    """
    margin = case.outcome.margin
    return XTRA_WON(case) if margin > 0 else XTRA_BEATEN if margin < 0 else XTRA_TIED


def jacks_up_table(options: PremiumHoldEmOptions) -> dict[str, Odds]:
    return JACKS_UP


def jacks_up(hand: PokerHand) -> str:
    """Of two pairs the higher must be jacks or better: to pay all would favor the player."""
    up = hand.category == "two_pairs" and hand.ranks[0] >= JACK
    return "two_pairs_jacks_up" if up else hand.category


# The bonus spin: its prizes and its meter.


def bonus_spin(case: ShowdownCase) -> Decision:
    """All that a player's own spin and the spins of others have brought, less the stake."""
    prize = case.outcome.prize
    if prize is None:
        return STAND  # the wheel has not been spun
    stake = spin_stake(case.options)
    net = Fraction(prize - stake, stake)
    return Decision(Result.WIN, "prizes", net) if prize else LOSE


def spin_stake(options: PremiumHoldEmOptions) -> int:
    """In cents."""
    return DOLLAR * options.spins.stake


def spin_limits(options: PremiumHoldEmOptions, covers: object) -> tuple[int, int]:
    return spin_stake(options), spin_stake(options)


def spin_odds(options: PremiumHoldEmOptions) -> dict[str, Odds]:
    """What is posted: each position but the first, as odds, for the stake is not returned."""
    spins = options.spins
    return {
        f"position_{position}": Odds(pays - spins.stake, spins.stake)
        for position, pays in spins.player.items()
    }


def player_pay(options: PremiumHoldEmOptions, position: str, meter: Meter | None) -> int:
    """What a position of the wheel pays the one who spins it, in cents."""
    if position != TOP:
        return DOLLAR * options.spins.player[position]
    return meter.shown if meter else options.bonus_spin_fixed_prize or 0


def contributed(options: PremiumHoldEmOptions, meter: Meter | None, stakes: int) -> Meter | None:
    """The meter with its share of these bonus spin wagers, where there is a progressive jackpot."""
    spins = options.spins
    if not spins.is_progressive:
        return None
    return (meter or Meter(Fraction(DOLLAR * spins.seed))).advanced(stakes, RATE, Fraction(0))


def advance(table: Table) -> None:
    """Bring the meter to what the bonus spin wagers that lie there now make of it."""
    state = table.state
    lying = sum(bet.stake for bet in table.bets.values() if bet.wager.id == "bonus_spin")
    meter = contributed(table.options, state.meter, lying - state.staked)
    table.state = replace(state, meter=meter, staked=lying)


# The decisions. 40.1 would let a player fold before he has seen the community cards; 40.10(b)
# asks him only to bet or to check.

BEFORE_BOARD = Stage(
    "before the community cards", "check or bet?",
    (Choice("check"), Choice("bet", "play", 3, last=True)), law("13:69F-40.10(b)"),
)  # fmt: skip
AFTER_BOARD = Stage(
    "after the community cards", "bet or fold?",
    (Choice("fold", folds=True), Choice("bet", "play", 1, last=True),
     Choice("bet", "play", 2, last=True)),
    law("13:69F-40.10(d)"), board=4,
)  # fmt: skip


# What goes wrong.


def _board_is_hidden(table: Table) -> str:
    if not table.hands[BOARD]:
        return "no community card has been dealt"
    return "the community cards have been revealed" if table.state.decided else ""


def _with_spin_returned(rule: Resolution) -> Resolution:
    """A hand that is void gets its bonus spin wager back, and the meter goes back with it."""

    def effect(table: Table) -> None:
        assert rule.effect is not None
        rule.effect(table)
        advance(table)

    return replace(rule, effect=effect)


def _until_settled(rule: Resolution) -> Resolution:
    def bar(table: Table) -> str:
        if table.state.spinning:
            return "all hands have been settled"
        return rule.bar(table) if rule.bar else ""

    return replace(rule, bar=bar)


WRONG_NUMBER = own_wrong_number(law("13:69F-40.12(d)"))


class PremiumHoldEm(PokerGame):
    """Premium hold 'em, N.J.A.C. 13:69F-40."""

    id = "premium-hold-em"
    title = "Premium hold 'em"
    cite = law("13:69F-40.1")
    positions = 6
    in_words = (
        "A player makes an ante and an equal X-tra bonus wager; player and dealer have three cards "
        "each, and four community cards make the best hand of five. Before those are seen he may "
        "bet three antes or check; who has checked then bets one or two antes, or folds. The "
        "higher hand wins, but the ante is paid only if the dealer has a pair of threes or better, "
        "and the X-tra bonus only on a straight or better."
    )
    Options = PremiumHoldEmOptions
    State = PremiumState
    settles_from_the_highest = False  # 40.10(g) goes from the dealer's far left

    own_cards = dealer_cards = 3
    board_cards = 4
    main = ("ante", "xtra_bonus")
    looks = {"player_bonus": Look("hand", 7), "dealer_bonus": Look("dealer", 7)}

    # In the order of 40.10(g), which leaves the X-tra bonus out: it comes after the play wager.
    wagers = (
        Wager(id="dealer_bonus", title="Dealer bonus", pays=jacks_up_table, pays_exactly=True,
              decide=on_the_hand("dealer_bonus", jacks_up_table, "dealer", jacks_up),
              rests_on=("ante",),
              cite=law("13:69F-40.10(a)1i"), paid_by=law("13:69F-40.11(c)")),
        Wager(id="player_bonus", title="Player bonus", pays=jacks_up_table, pays_exactly=True,
              decide=on_the_hand("player_bonus", jacks_up_table, "hand", jacks_up),
              rests_on=("ante",),
              cite=law("13:69F-40.10(a)1ii"), paid_by=law("13:69F-40.11(c)")),
        Wager(id="ante", title="Ante", decide=ante, pays=Odds(1), pays_exactly=True,
              cite=law("13:69F-40.10(a)"), paid_by=law("13:69F-40.11(b)")),
        Wager(id="play", title="Play", decide=play, pays=Odds(1), pays_exactly=True, joins="ante",
              window=when_asked(law("13:69F-40.10(b)")),
              cite=law("13:69F-40.10(b)"), paid_by=law("13:69F-40.11(b)")),
        Wager(id="xtra_bonus", title="X-tra bonus", decide=xtra_bonus, pays=xtra_bonus_table,
              pays_exactly=True, equals="ante", joins="ante", rounding=Rounding.HOUSE,
              cite=law("13:69F-40.10(a)"), paid_by=law("13:69F-40.11(d)")),
        Wager(id="bonus_spin", title="Bonus spin", decide=bonus_spin, pays=spin_odds,
              pays_exactly=True, rests_on=("ante",), limits=spin_limits,
              limited_by=law("13:69F-40.11(e)"),
              offered=lambda options: options.offers_spins,
              offered_by=law("13:69F-40.10(a)2"),
              cite=law("13:69F-40.10(a)2"), paid_by=law("13:69F-40.11(e)")),
    )  # fmt: skip

    irregularities = {
        **common(Errors(
            face_up=law("13:69F-40.12(b)"), drawn_in_error=law("13:69F-40.12(c)"),
            stub_count=law("13:69F-40.7(f)2"), shuffler_count=law("13:69F-40.7(g)"),
            shuffler_jams=law("13:69F-40.12(e)"), shoe_jams=law("13:69F-40.12(f)"),
            change=law("13:69F-40.12(g)"), shown=elsewhere("13:69F-40.12", "19:47-33.12(h)"),
            recut=law("13:69F-40.4(d)"),
        )),
        **WRONG_NUMBER,
        "wrong_number_of_cards": _with_spin_returned(WRONG_NUMBER["wrong_number_of_cards"]),
        **dealer_card_exposed(law("13:69F-40.12(a)"), until_reveal=False),
        "community_card_exposed": void_round(
            "a community card is shown before every player has bet or checked",
            "All hands are void", custom("13:69F-40.12"), bar=_board_is_hidden,
        ),
    }  # fmt: skip

    rules = Rules(
        opening=law("13:69F-40.3"),
        shuffle=law("13:69F-40.4(a)"),
        cut=law("13:69F-40.4(c)"),
        no_more_bets={"manual_shoe": law("13:69F-40.7(b)"), "hand": law("13:69F-40.8(b)3"),
                      "automated_shoe": law("13:69F-40.9(b)2")},
        dealing={"manual_shoe": law("13:69F-40.7(d)"), "hand": law("13:69F-40.8(c)"),
                 "automated_shoe": law("13:69F-40.9(c)")},
        stub={"manual_shoe": law("13:69F-40.7(e)"), "hand": law("13:69F-40.8(d)"),
              "automated_shoe": elsewhere("13:69F-40.9", "19:47-20.9(d)")},
        count={"manual_shoe": law("13:69F-40.7(f)"), "hand": law("13:69F-40.8(e)"),
               "automated_shoe": law("13:69F-40.9(e)")},
        reveal=law("13:69F-40.10(e)"),
        rankings=law("13:69F-40.5"),
        settle=law("13:69F-40.10(g)"),
        collect=elsewhere("13:69F-40.10", "19:47-20.10(d)"),
        wagers=law("13:69F-40.6(b)"),
        positions=law("13:69F-40.13(a)"),
    )  # fmt: skip

    def meter(self, state: PremiumState, options: PremiumHoldEmOptions) -> Meter | None:
        return contributed(options, state.meter, 0)

    def seats(self, options: PremiumHoldEmOptions) -> int:
        return options.max_players

    def stages(self, options: PremiumHoldEmOptions) -> tuple[Stage, ...]:
        return BEFORE_BOARD, AFTER_BOARD

    def qualifies(self, hand: PokerHand, options: PremiumHoldEmOptions) -> bool:
        """A pair of threes or better."""
        if hand.category == "pair":
            return hand.ranks[0] >= THREES
        return hand.category != "high_card"

    def resolutions(self, options: PremiumHoldEmOptions) -> dict[str, Resolution]:
        """Nothing of the cards can go wrong any more while the wheel is spun."""
        found = super().resolutions(options)
        return {kind: _until_settled(rule) for kind, rule in found.items()}

    def order(self, seats: list[str], options: PremiumHoldEmOptions) -> Iterable[Dealt]:
        """The hands, then four community cards, which lie face down.

        40.9(d): from an automated shoe they are two packets without their bottom cards. From a
        manual shoe or the hand nothing says that a card is burnt.
        """
        if options.deal_method == "automated_shoe":
            board = [BOARD, BOARD, BURN] * 2
        else:
            board = [BURN] * options.burn_before_board_shoe_hand + [BOARD] * 4
        return [*super().order(seats, options), *((hand, True) for hand in board)]

    # The round.

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        self.collect_spins(table)
        yield from self.deal(table)
        self.put_stub_away(table)
        yield from self.decisions(table, BEFORE_BOARD)
        if table.bets:
            table.turn(BOARD, table.hands[BOARD], law("13:69F-40.10(c)"))
        yield from self.decisions(table, AFTER_BOARD)
        self.reveal(table)
        yield from self.settle(table)
        yield from self.spin_round(table)
        self.finish(table)

    def collect_spins(self, table: Table) -> None:
        """Bonus spin wagers are taken before the first card: none of them comes back."""
        table.state = replace(table.state, staked=0)
        if any(bet.wager.id == "bonus_spin" for bet in table.bets.values()):
            advance(table)
            meter = table.state.meter
            shown = f": the meter shows {dollars(meter.shown)}" if meter else ""
            well = f"The dealer puts the bonus spin wagers in the well{shown}"
            table.step(well, law("13:69F-40.10(a)3"))

    def fold(self, table: Table, seat: str, cite: Citation) -> None:
        """40.10(d)2 collects the ante; that the X-tra bonus goes with it is how we read it."""
        for bet in table.bets_of(seat, "xtra_bonus"):
            table.forfeit(bet, custom("13:69F-40.10(d)2"))
        super().fold(table, seat, cite)

    def reveal(self, table: Table, cite: Citation | None = None) -> None:
        """Not needed where everybody has folded and only bonus spins are left."""
        if any(bet.wager.id != "bonus_spin" for bet in table.bets.values()):
            super().reveal(table, cite)

    def showdown(self, table: Table, seat: str) -> Showdown:
        own = rank(table.hands[seat], THREE)
        if set(table.stakes(seat)) == {"bonus_spin"}:
            return Showdown(folded=True, own=own)
        return replace(super().showdown(table, seat), own=own)

    def settle(self, table: Table) -> Round:
        """One player after another, and each of his wagers; bonus spins wait for the wheel."""
        yield from table.inspect()
        for seat, outcome in self.outcomes(table).items():
            table.turn(seat, table.hands[seat], self.rules.settle)
            if outcome.hand is not None:
                said = f"Seat {seat} has {outcome.hand.describe()}"
                table.announce(said, self.rules.rankings)
            if table.bets_of(seat, "bonus_spin") and self.is_to_spin(outcome, table.options):
                table.step(f"Seat {seat} is marked to spin the wheel", law("13:69F-40.10(g)1i"))
            table.settle_each({seat: outcome}, self.rules.settle)

    # The bonus spin.

    def is_to_spin(self, outcome: Showdown, options: PremiumHoldEmOptions) -> bool:
        """Three suited cards; in sequence too, unless the table excludes it."""
        if outcome.own.category == "straight_flush":
            return options.bonus_spin_trigger_on_straight_flush
        return bool(outcome.own.category == "flush")

    def wheel(self, options: PremiumHoldEmOptions) -> WeightedWheel:
        assert options.bonus_spin_weights is not None
        weights = dict(zip(POSITIONS, options.bonus_spin_weights, strict=True))
        return WeightedWheel("bonus spin wheel", weights)

    def spin_round(self, table: Table) -> Round:
        """Each marked player spins once, and some spins pay all others who made the wager."""
        spins, outcomes = table.options.spins, self.outcomes(table)
        if not outcomes:
            return
        table.state = replace(table.state, spinning=True)
        won = dict.fromkeys(outcomes, 0)
        for spinner in (s for s in won if self.is_to_spin(outcomes[s], table.options)):
            position = yield from table.draw(self.wheel(table.options), to=spinner)
            player, community = self.spun(table, position), spins.community.get(position, 0)
            others = f", and ${community} for every other bonus spin" if community else ""
            said = f"Position {position}: {dollars(player)} for seat {spinner}{others}"
            table.announce(said, law("13:69F-40.11(e)"))
            for seat in won:
                won[seat] += player if seat == spinner else DOLLAR * community
        table.state = replace(table.state, spinning=False)
        for seat, prize in won.items():
            table.settle_each({seat: Showdown(prize=prize)}, law("13:69F-40.10(h)"))

    def spun(self, table: Table, position: str) -> int:
        """What a spin pays the one who made it. A jackpot is the whole meter, which starts anew."""
        options, meter = table.options, table.state.meter
        if position == TOP and meter is not None:
            reset = meter.reset(DOLLAR * options.spins.seed, meter.shown)
            table.state = replace(table.state, meter=reset)
        return player_pay(options, position, meter)

    def side_cases(
        self,
        wager: str,
        options: PremiumHoldEmOptions,
        state: PremiumState,
        folds: Callable[[Iterable[int]], bool],
    ) -> Iterable[tuple[int, Showdown]]:
        """The bonus spin, which a fold does not touch."""
        return self.spin_cases(options, state.meter)

    def spin_cases(
        self, options: PremiumHoldEmOptions, meter: Meter | None = None
    ) -> Iterable[tuple[int, Showdown]]:
        """What the bonus spin of a lone player brings, in so many ways.

        The meter has just been reset, unless another is given; his own wager advances it.
        """
        wheel, spinning = self.wheel(options), options.spinning_hands
        advanced = contributed(options, meter, spin_stake(options))
        yield (HANDS - spinning) * sum(wheel.weights.values()), Showdown(prize=0)
        for weight, position in wheel.ways():
            yield spinning * weight, Showdown(prize=player_pay(options, position, advanced))

    def voided(self, table: Table) -> None:
        """The bonus spin wagers are returned with all others, and the meter goes back."""
        advance(table)
        super().voided(table)
