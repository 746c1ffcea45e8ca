"""Casino war, N.J.A.C. 19:47-22: one card each, the higher wins, and a tie goes to war.

No New Jersey text of the subchapter is at hand. The terms follow the
Massachusetts rules, which are believed to be adapted from it, and custom.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from croupier.equipment import Odds
from croupier.games.shoe_custom import (
    QUARTER,
    being_dealt,
    burn_one_unseen,
    burn_openly,
    ceremony,
    discard_face_up,
    recent,
    shuffle_discards,
)
from croupier.rulebook import (
    LOSE,
    PUSH,
    STAND,
    WIN,
    Case,
    Ceremony,
    Decision,
    Fault,
    Move,
    OddsAtLeast,
    Opening,
    Refusal,
    Request,
    Round,
    ShoeGame,
    ShoeState,
    Table,
    TableOptions,
    Wager,
    Window,
    better_odds,
    carry_on,
    choice,
    custom,
    elsewhere,
    published,
    shut,
    surrendered,
    void_round,
    whole,
    win,
)

# The documents list no sections of the subchapter, so it is cited as a whole.
DEFINED = elsewhere("22", "Mass. Rules of Casino War")
SHOE_ERRORS = elsewhere("22", "S.D. 20:18:15:28")
TERMS = published("22")
CUSTOM = custom("22")


class CasinoWarOptions(TableOptions):
    """What the licensee chooses at a casino war table."""

    decks = whole(6, 8, default=6, cite=DEFINED, title="decks in the shoe")
    war_tie_bonus = choice(
        "none", "equal_to_initial", default="equal_to_initial", cite=TERMS,
        title="a bonus for a second tie",
    )  # fmt: skip
    tie_on_war = choice("off", "on", cite=DEFINED, title="a tie wager may be made with a war wager")
    tie_odds = OddsAtLeast(Odds(10), TERMS, "what a tie pays")
    war_burn = choice(
        "three_before_each_card", "three_once", cite=TERMS, title="cards burnt before a war"
    )
    positions_per_player = whole(
        1, 2, default=1, cite=CUSTOM, title="positions that one player may have, side by side"
    )
    shuffle = choice(
        "manual", "automated", "continuous", default="automated", cite=CUSTOM,
        title="by hand, by a device with two alternating batches, or continuously",
    )  # fmt: skip
    higher_odds = better_odds(cite=TERMS)


@dataclass(frozen=True)
class War:
    """One player's cards against the dealer's, 2 to 14 with the ace high."""

    player: int = 0
    dealer: int = 0
    move: str = ""  # go_to_war or surrender, after a tie
    war_player: int = 0
    war_dealer: int = 0

    @property
    def is_tie(self) -> bool:
        return self.player == self.dealer


@dataclass(frozen=True)
class CasinoWarState(ShoeState):
    """What stands between rounds."""

    results: tuple[str, ...] = ()  # the dealer's cards, of the most recent rounds


WAR_BURN = 3  # cards

WarCase = Case[Mapping[str, War], ShoeState, CasinoWarOptions]

SURRENDER = surrendered(TERMS)
LOST_WAR = replace(LOSE, line="lost_war")
RETURNED = replace(PUSH, line="returned")  # the war wager has won


def initial(case: WarCase) -> Decision:
    """The higher card wins; a tie stands until the player surrenders, or the war is decided."""
    war = case.outcome[case.seat]
    if not war.is_tie:
        return WIN if war.player > war.dealer else LOSE
    if war.move == "surrender":
        return SURRENDER
    if not war.war_dealer:
        return STAND
    return LOST_WAR if war.war_player < war.war_dealer else RETURNED


def war(case: WarCase) -> Decision:
    """Lost if the dealer's second card is higher; a second tie wins, and may earn a bonus."""
    war = case.outcome[case.seat]
    if war.war_player < war.war_dealer:
        return LOSE
    return win("second_tie") if war.war_player == war.war_dealer else WIN


def tie(case: WarCase) -> Decision:
    """Wins if the first cards of player and dealer are of one rank."""
    return WIN if case.outcome[case.seat].is_tie else LOSE


def tie_war(case: WarCase) -> Decision:
    """Wins if their second cards are of one rank too."""
    war = case.outcome[case.seat]
    return WIN if war.war_player == war.war_dealer else LOSE


def war_pays(options: CasinoWarOptions) -> dict[str, Odds]:
    """The bonus on a second tie equals the initial wager, and so the war wager."""
    return {"win": Odds(1), "second_tie": Odds(1 if options.war_tie_bonus == "none" else 2)}


def burnt_for_war(is_first: bool, options: CasinoWarOptions) -> int:
    """Before the first card of a war, and before every other unless once is enough."""
    return WAR_BURN if is_first or options.war_burn == "three_before_each_card" else 0


def after_a_tie(state: ShoeState, spot: str, options: CasinoWarOptions) -> Window:
    return shut("it is made after a tie hand, when the player goes to war", DEFINED)


# What can go wrong.


def skipped(table: Table) -> None:
    """The hand of a skipped position is void."""
    assert table.report is not None
    for bet in table.bets_of(table.report.seat):
        table.give_back(bet, CUSTOM)


def on_the_original_deal(table: Table) -> str:
    return being_dealt(table) or ("the dealer has a card" if table.hands["dealer"] else "")


def without_a_card(table: Table) -> list[str]:
    return [seat for seat in table.clockwise() if not table.hands[seat]]


def at_war(table: Table) -> bool:
    return any(bet.wager.id == "war" for bet in table.bets.values())


def second_card(table: Table) -> Round:
    """It goes to the next position due, as the next card would; if none is due, it is burnt."""
    if table.all_dealt:
        yield from burn_openly(table)


class CasinoWar(ShoeGame):
    """Casino war, N.J.A.C. 19:47-22."""

    id = "casino-war"
    title = "Casino war"
    cite = DEFINED
    positions = 9
    in_words = (
        "Each player and the dealer have one card, and the higher one wins; suits do not matter. "
        "After a tie a player surrenders half of his wager, or goes to war: he wagers as much "
        "again, and another card decides. A tie wager wins when the first two cards are of one "
        "rank."
    )
    Options = CasinoWarOptions
    State = CasinoWarState
    settles_from_the_highest = True  # from the dealer's right
    out_of_cards = "too_few_cards"

    wagers = (
        Wager(id="initial", title="Initial wager", decide=initial, pays=Odds(1), cite=DEFINED,
              paid_by=TERMS, also=("war bet", "ante")),
        Wager(id="tie", title="Tie", decide=tie, pays=lambda options: {"win": options.tie_odds},
              pays_exactly=True, rests_on=("initial",), cite=DEFINED, paid_by=TERMS,
              also=("tie bet",)),
        Wager(id="war", title="War", decide=war, pays=war_pays, window=after_a_tie,
              joins="initial", cite=DEFINED, paid_by=TERMS),
        Wager(id="tie_war", title="Tie on the war", decide=tie_war, window=after_a_tie,
              pays=lambda options: {"win": options.tie_odds}, pays_exactly=True,
              offered=lambda options: options.tie_on_war == "on", offered_by=DEFINED,
              cite=DEFINED, paid_by=TERMS),
    )  # fmt: skip

    irregularities = {
        "card_face_up": carry_on(
            "a card is found face up in the shoe", "It is not used, and is discarded",
            SHOE_ERRORS, discard_face_up, costs_cards=True,
        ),
        "card_drawn_in_error": carry_on(
            "a card is drawn in error and not exposed",
            "It is used as the next card, to burn or to deal", SHOE_ERRORS,
            bar=lambda table: "no card is due" if table.all_dealt else "",
        ),
        "card_drawn_in_error_exposed": carry_on(
            "a card is drawn in error and exposed on the original deal",
            "It is used as the next card due", CUSTOM, bar=on_the_original_deal,
        ),
        "burn_card_exposed": carry_on(
            "a card is exposed while cards are burnt for a war", "It counts as a burn card", CUSTOM,
            bar=lambda table: "" if at_war(table) and not table.all_dealt
            else "no war is being dealt",
        ),
        "position_skipped": carry_on(
            "a position is skipped on the original deal",
            "That hand is void and its wagers are returned; play goes on", CUSTOM, skipped,
            on_the_original_deal, seats=without_a_card,
        ),
        "two_cards_to_one": carry_on(
            "two cards are dealt to one player",
            "The first stands; the second goes to the next position due, or is burnt", CUSTOM,
            second_card, being_dealt, costs_cards=True,
        ),
        "dealer_dealt_early": carry_on(
            "the dealer's card is dealt before a player's, and the order is known",
            "The cards go to the positions in the order in which they left the shoe", CUSTOM,
            bar=on_the_original_deal,
        ),
        "dealt_out_of_order": void_round(
            "cards are dealt out of order, and the order cannot be reconstructed",
            "The round is void", CUSTOM,
            bar=lambda table: "a war is being dealt" if at_war(table) else being_dealt(table),
        ),
        "wrong_number_of_burn_cards": carry_on(
            "a war is dealt with too few or too many burn cards", "The deal stands", CUSTOM,
            bar=lambda table: "" if at_war(table) else "no war is being dealt",
        ),
        "too_few_cards": carry_on(
            "too few cards are left for the round or the war",
            "The discards are shuffled and cut, and the round is completed",
            SHOE_ERRORS, shuffle_discards,
        ),
        "shuffler_fails": carry_on(
            "the shuffling device fails", "The cards are shuffled by the approved procedure",
            CUSTOM, shuffle_discards,
            lambda table: "the dealer shuffles the cards" if table.options.shuffle == "manual"
            else "",
        ),
    }  # fmt: skip

    # The cards, one after another: one player against the dealer.

    def begin(self) -> War:
        return War()

    def whose(self, deal: War, options: CasinoWarOptions) -> str | tuple[str, ...] | None:
        if not deal.dealer:
            return "dealer" if deal.player else "player"
        if not deal.is_tie or deal.move == "surrender" or deal.war_dealer:
            return None
        if not deal.move:
            return "surrender", "go_to_war"
        return "dealer" if deal.war_player else "player"

    def dealt(self, deal: War, value: int) -> War:
        names = ("player", "dealer", "war_player", "war_dealer")
        card: dict[str, Any] = {next(name for name in names if not getattr(deal, name)): value}
        return replace(deal, **card)

    def moved(self, deal: War, move: str) -> War:
        return replace(deal, move=move)

    def burns(self, deal: War, options: CasinoWarOptions) -> int:
        at_war = deal.move == "go_to_war"
        return burnt_for_war(not deal.war_player, options) if at_war else 0

    def outcome(self, deal: War) -> Mapping[str, War]:
        return {"": deal}

    def made(self, deal: War) -> dict[str, int]:
        wagers = {"initial": 1, "tie": 1}
        return wagers | {"war": 1, "tie_war": 1} if deal.war_dealer else wagers

    def situation(self, deal: War) -> str:
        return "a tie"

    # The shoe.

    def is_continuous(self, options: CasinoWarOptions) -> bool:
        return options.shuffle == "continuous"

    def cut_card(self, options: CasinoWarOptions) -> int:
        """About a quarter from the back."""
        return QUARTER * options.decks

    def ceremony(self, options: CasinoWarOptions, state: ShoeState) -> Ceremony:
        shuffle = {
            "manual": "The dealer shuffles the cards",
            "automated": "One batch comes out of the shuffling device, and the other goes in",
            "continuous": "The cards go into the continuous shuffling device",
        }[options.shuffle]
        return ceremony((shuffle, CUSTOM), CUSTOM, CUSTOM, CUSTOM)

    def burn(self, table: Table) -> Round:
        yield from burn_one_unseen(table, CUSTOM)

    # The round.

    def round(self, table: Table) -> Round:
        yield from self.prepare(table)
        table.no_more_bets(DEFINED)

        def due() -> str:
            """Whoever has no card yet; a position that is skipped has no wager any more."""
            return next(iter(without_a_card(table)), "dealer")

        while not table.hands["dealer"]:
            dealer = yield from table.draw(table.equipment, to=due)
        hands = {seat: War(table.hands[seat][0].rank, dealer.rank) for seat in table.clockwise()}
        tied = [seat for seat, hand in hands.items() if hand.is_tie]
        if tied:
            table.announce(f"Tie hand: seat {' and seat '.join(tied)}", DEFINED)
        yield from table.inspect()
        table.settle(hands, CUSTOM)
        warring = yield from self.choose(table, tied)
        result = dealer.title
        if warring:
            yield from self.war_deal(table, hands, warring)
            result += f", then {table.hands['dealer'][-1].title}"
        table.state = replace(table.state, results=recent(table.state.results, result))
        self.finish(table, CUSTOM)

    def choose(self, table: Table, tied: list[str]) -> Generator[Request, Any, list[str]]:
        """From the dealer's right, each player with a tie hand surrenders half or goes to war."""
        warring = []
        for seat in sorted(tied, key=int, reverse=True):
            (bet,) = table.bets_of(seat, "initial")
            question = "a tie: surrender half, or go to war?"
            war = Move("go_to_war", costs=bet.stake)
            if (yield from table.ask(seat, question, "surrender", war,
                                     cite=TERMS)) == "surrender":  # fmt: skip
                table.decide(bet, SURRENDER, TERMS)
                continue
            table.stake(seat, "war", bet.stake, DEFINED)
            warring.append(seat)
            if table.options.tie_on_war == "on":
                options = table.options
                more = table.amounts("tie_war", options.table_min, options.table_max)
                moves = ("no_tie_wager", more) if more else ("no_tie_wager",)
                answer = yield from table.ask(
                    seat, "a tie wager on the war?", *moves, cite=DEFINED, offer=True
                )
                if answer != "no_tie_wager":
                    table.stake(seat, "tie_war", answer[1], DEFINED)
        return sorted(warring, key=int)

    def war_deal(self, table: Table, hands: dict[str, War], warring: list[str]) -> Round:
        """Three cards are burnt, then one is dealt: to each player at war, and to the dealer."""
        cards: dict[str, int] = {}
        for to in (*warring, "dealer"):
            if burnt := burnt_for_war(not cards, table.options):
                for _ in range(burnt):
                    yield from table.draw(table.equipment, to="burn", face_down=True)
                table.burn("burn")
                table.step("Three cards are burnt", TERMS)
            cards[to] = (yield from table.draw(table.equipment, to=to)).rank
        yield from table.inspect()
        table.settle(
            {
                seat: replace(hands[seat], move="go_to_war", war_player=cards[seat],
                              war_dealer=cards["dealer"])
                for seat in warring
            },
            TERMS,
        )  # fmt: skip

    # Wagers and seats.

    def narrow(self, table: Table, seat: str, opening: Opening) -> Opening:
        """The war wager will be as much again as the initial one, and must be payable too."""
        if opening.wager.id != "initial":
            return opening
        war = self.by_id["war"].unit(table.options, table.state, "", ())
        return opening.by(war * table.options.increment)

    def may_sit(self, seat: str, held: list[str], options: CasinoWarOptions) -> None:
        """One position, or two side by side."""
        most = options.positions_per_player
        if len(held) >= most:
            message = f"a player may have {most} position{'s' * (most > 1)} at this table"
            raise Refusal(Fault.NOT_NOW, message, CUSTOM)
        if held and abs(int(seat) - int(held[0])) != 1:
            message = (
                f"two positions of one player are side by side; seats {held[0]} and {seat} are not"
            )
            raise Refusal(Fault.NOT_NOW, message, CUSTOM)
