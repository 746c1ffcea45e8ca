"""Four small games for the words that the first twenty-one games do not use.

`little-twenty-one` has several hands of a seat, `little-pai-gow` has questions to all and a bank
that players hold, `little-hold-em` has pots and a draw, and `little-vote` asks everybody at once.
None of them is a game of the regulation, so all of them cite custom.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, ClassVar

from croupier.equipment import Card, Odds, Shoe, Tile, deck, tile_set
from croupier.ranking.poker import rank
from croupier.rulebook import (
    LOSE,
    PUSH,
    THE_HOUSE,
    WIN,
    Arrange,
    Bank,
    Case,
    Choose,
    Decision,
    Fault,
    Game,
    Hand,
    Move,
    NoState,
    Opening,
    Parts,
    Rake,
    Refusal,
    Request,
    Round,
    Side,
    Table,
    TableOptions,
    Vigorish,
    Wager,
    Window,
    choice,
    custom,
    flag,
    money,
    seat_of,
    shut,
    void_round,
)

RULE = custom("8.2")
MISDEAL = {"misdeal": void_round("the cards are dealt wrongly", "The hand is void", RULE)}
DEALER = "dealer"

Asking = Generator[Request, Any, Any]
Ranked = list[list[str]]  # the names of hands, the best first, those that tie together


class LittleOptions(TableOptions):
    """Limits that leave room for single cents."""

    table_min = money(1, cite=RULE)


def in_the_round(state: NoState, spot: str, options: TableOptions) -> Window:
    """A wager that is made when the round asks for it, and not before."""
    return shut("this wager is made in the course of the round", RULE)


# Little twenty-one: several hands of a seat.


def points(cards: Iterable[Card]) -> int:
    """Aces are eleven as long as the hand stays within twenty-one, then one."""
    ranks = [card.rank for card in cards]
    total = sum(11 if each == 14 else min(each, 10) for each in ranks)
    soft = ranks.count(14)
    while total > 21 and soft:
        total, soft = total - 10, soft - 1
    return total


@dataclass(frozen=True)
class Totals:
    """The points of one hand, and the dealer's."""

    hand: int
    dealer: int


def higher_total(case: Case[Totals, NoState, LittleOptions]) -> Decision:
    """Wins if the dealer is over twenty-one or has fewer points; equal points push."""
    mine, theirs = case.outcome.hand, case.outcome.dealer
    if theirs > 21 or mine > theirs:
        return WIN
    return PUSH if mine == theirs else LOSE


class LittleTwentyOne(Game):
    """Two cards each; draw, stand, double or split. The dealer draws to seventeen."""

    id = "little-twenty-one"
    title = "Little twenty-one"
    cite = RULE
    positions = 3
    family = "shoe"
    in_words = "Come closer to twenty-one than the dealer. A pair may be split into three hands."
    Options = LittleOptions
    wagers = (
        Wager(id="twenty_one", title="Twenty-one", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=higher_total),
        Wager(id="double", title="Double", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=higher_total, window=in_the_round),
    )  # fmt: skip
    irregularities = MISDEAL
    most_hands = 3  # of one seat

    def device(self, options: LittleOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        table.equipment.shuffle()
        for to in [*table.clockwise(), DEALER] * 2:
            hidden = to == DEALER and bool(table.hands[DEALER])
            yield from table.draw(table.equipment, to=to, face_down=hidden)
        for hand in table.hands_in_turn("twenty_one"):
            yield from self.play(table, hand)
        dealer = table.hands[DEALER]
        table.turn(DEALER, dealer[1:], RULE)
        while table.bets and points(dealer) < 17:
            yield from table.draw(table.equipment, to=DEALER)
        yield from table.inspect()
        there = {bet.on for bet in table.bets.values()}
        outcomes = {name: Totals(points(table.hands[name]), points(dealer)) for name in there}
        table.settle_each(outcomes, RULE)
        table.pick_up(RULE)

    def play(self, table: Table, hand: Hand) -> Asking:
        """A hand is asked until it stands, is doubled, or is over twenty-one."""
        if len(hand) == 1:  # it was split from another
            yield from table.draw(table.equipment, to=hand.name)
        while points(hand) < 21:
            question = "draw a card, or stand?"
            match (yield from table.ask(hand.name, question, *self.moves(table, hand), cite=RULE)):
                case "stand":
                    return
                case "split":
                    new = table.split(hand.name, RULE)
                    table.stake(new.name, "twenty_one", self.stake(table, hand), RULE)
                    yield from table.draw(table.equipment, to=hand.name)
                case "double":
                    table.stake(hand.name, "double", self.stake(table, hand), RULE)
                    yield from table.draw(table.equipment, to=hand.name)
                    break
                case _:
                    yield from table.draw(table.equipment, to=hand.name)
        if points(hand) > 21:
            for bet in table.bets_on(hand.name):
                table.forfeit(bet, RULE)

    def moves(self, table: Table, hand: Hand) -> list[Move | str]:
        moves: list[Move | str] = ["stand", "draw"]
        if len(hand) == 2:
            moves.append(Move("double", costs=self.stake(table, hand)))
            pair = hand[0].rank == hand[1].rank
            if pair and len(table.hands.of(hand.seat)) < self.most_hands:
                moves.append(Move("split", costs=self.stake(table, hand)))
        return moves

    def stake(self, table: Table, hand: Hand) -> int:
        return table.stakes_on(hand.name)["twenty_one"]


# Little pai gow: everybody sets at once, and players may bank.

WORDS = "zero one two three four five six seven eight nine".split()
SET = Arrange("set", parts=(("high", 2), ("low", 2)), check=lambda parts: foul(parts))


def value(tiles: Iterable[Tile]) -> int:
    """The points of two tiles, of which only the last digit counts."""
    return sum(tile.points for tile in tiles) % 10


def foul(parts: Parts) -> str:
    """Why a hand may not be set so."""
    if value(parts["low"]) <= value(parts["high"]):
        return ""
    return f"the low hand, {WORDS[value(parts['low'])]} points, is higher than the high hand"


def house_way(tiles: Sequence[Tile]) -> Parts:
    """As strong a low hand as a hand may have that is not foul."""
    ways = []
    for high in combinations(range(4), 2):
        low = [tiles[at] for at in range(4) if at not in high]
        ways.append({"high": [tiles[at] for at in high], "low": low})
    return max((way for way in ways if not foul(way)), key=lambda way: value(way["low"]))


def as_compared(case: Case[int, NoState, "PaiGowOptions"]) -> Decision:
    """Wins with two hands higher than the bank's, loses with none, and pushes with one."""
    return {2: replace(WIN, charged=True), 1: PUSH, 0: LOSE}[case.outcome]


def five_percent(options: LittleOptions) -> Vigorish:
    return Vigorish(Fraction(1, 20), RULE, up_to=1)


class PaiGowOptions(LittleOptions):
    """How a bank that players hold is settled."""

    in_turn = flag(True, cite=RULE, title="hands are settled one after another")
    with_house = choice("no", "half", cite=RULE, title="the house banks half")


class LittlePaiGow(Game):
    """Four tiles each, set in a high and a low hand, against the dealer or players who bank."""

    id = "little-pai-gow"
    title = "Little pai gow"
    cite = RULE
    positions = 6
    family = "shoe"
    in_words = "Set four tiles in two hands, and beat both hands of the bank."
    Options = PaiGowOptions
    wagers: ClassVar[tuple[Wager, ...]] = (
        Wager(id="pai_gow", title="Pai gow", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=as_compared, vigorish=five_percent),
        Wager(id="bank_action", title="Bank", cite=RULE, paid_by=RULE, pays=Odds(1),
              vigorish=five_percent),
    )  # fmt: skip
    irregularities = MISDEAL

    def device(self, options: PaiGowOptions) -> Shoe[Tile]:
        return Shoe(tile_set(), name="tiles")

    def narrow(self, table: Table, seat: str, opening: Opening) -> Opening:
        """A seat wagers or banks, and no more than two bank together."""
        stakes, mine = table.stakes(seat), opening.wager.id
        if set(stakes) - {mine}:
            raise Refusal(Fault.NOT_NOW, "a seat may wager or bank, and not both", RULE)
        if mine == "bank_action" and len({*self.bankers(table), seat}) > 2:
            raise Refusal(Fault.NOT_NOW, "two players bank already", RULE)
        return opening

    def bankers(self, table: Table) -> list[str]:
        return [seat for seat in table.clockwise() if "bank_action" in table.stakes(seat)]

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        table.equipment.shuffle()
        bankers = self.bankers(table)
        bank = bankers[0] if bankers else DEALER
        players = [seat for seat in table.clockwise(bankers[0] if bankers else None)
                   if seat not in bankers]  # fmt: skip
        for to in [*players, bank]:
            for _ in range(4):
                yield from table.draw(table.equipment, to=to, face_down=True)
        asked = [hand for hand in [*players, bank] if seat_of(hand)]
        question = ("set your tiles", ("house_way", SET))
        said = yield from table.ask_all(dict.fromkeys(asked, question), cite=RULE)
        for hand in [*players, bank]:
            match said.get(hand, "house_way"):
                case ("set", parts):
                    table.set_hand(hand, parts, RULE)
                case _:
                    table.set_hand(hand, house_way(table.hands[hand]), RULE)
        for hand in [bank, *players]:
            table.turn(hand, [*table.hands[hand]], RULE)
        yield from table.inspect()
        outcomes = {hand: self.higher(table, hand, bank) for hand in players}
        table.settle_each(outcomes, RULE, against=self.side(table, bankers, players))
        table.pick_up(RULE)

    def higher(self, table: Table, hand: str, bank: str) -> int:
        """How many of the two hands are higher than the bank's; equal points are the bank's."""
        mine, theirs = table.hands[hand].parts, table.hands[bank].parts
        return sum(value(mine[part]) > value(theirs[part]) for part in mine)

    def side(self, table: Table, bankers: Sequence[str], players: Sequence[str]) -> Side:
        if not bankers:
            return THE_HOUSE
        return Bank(
            wager="bank_action", cite=RULE,
            order=players if table.options.in_turn else (),
            house=Fraction(1, 2) if table.options.with_house == "half" else Fraction(0),
        )  # fmt: skip


# Little hold 'em: a pot, side pots, and a draw.


class HoldEmOptions(LittleOptions):
    """The ante and what the house keeps."""

    ante = money(100, cite=RULE, title="the ante of every player, in cents")
    rake_cap = money(300, cite=RULE, title="the most that the house keeps of a pot, in cents")


class LittleHoldEm(Game):
    """Five cards each, bets, a draw of up to three, bets again; the best hand wins the pot."""

    id = "little-hold-em"
    title = "Little hold 'em"
    cite = RULE
    positions = 5
    family = "poker"
    in_words = "Bet on your five cards, draw up to three new ones, bet again; the best hand wins."
    Options = HoldEmOptions
    wagers = (
        Wager(id="ante", title="Ante", cite=RULE, paid_by=RULE, pays=Odds(1),
              limits=lambda options, covers: (options.ante, options.ante)),
        Wager(id="bet", title="Bet", cite=RULE, paid_by=RULE, pays=Odds(1), window=in_the_round),
    )  # fmt: skip
    irregularities = MISDEAL
    least_bet, most_bet, step, raises = 100, 10_000, 50, 2

    def device(self, options: HoldEmOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        table.equipment.shuffle()
        seats = table.clockwise()
        if len(seats) < 2:
            for bet in table.in_order():
                table.give_back(bet, RULE)
            return
        table.pots.collect(table.in_order(), RULE)
        for seat in seats * 5:
            yield from table.draw(table.equipment, to=seat, face_down=True)
        live, all_in = list(seats), set[str]()
        yield from self.betting(table, live, all_in)
        for hand in list(live) if len(live) > 1 else ():
            yield from self.drawing(table, hand)
        yield from self.betting(table, live, all_in)
        yield from table.inspect()
        table.pots.return_uncalled(RULE)
        table.pots.rake(Rake(Fraction(1, 20), RULE, cap=table.options.rake_cap, step=25))
        for hand in live if len(live) > 1 else ():
            table.turn(hand, [*table.hands[hand]], RULE)
        table.pots.award(self.ranked(table, live), RULE, odd_chip=seats, chip=25)
        table.pick_up(RULE)

    def betting(self, table: Table, live: list[str], all_in: set[str]) -> Asking:
        """Everybody may bet, call, raise or fold until all who can have put in the same."""
        paid = table.pots.paid_in
        bets, spoken = 0, set[str]()
        while len(live) > 1:
            highest = max(paid.values())
            due = [hand for hand in live if hand not in all_in
                   and (paid[hand] < highest or hand not in spoken)]  # fmt: skip
            if not due or (len(set(live) - all_in) == 1 and paid[due[0]] == highest):
                return
            hand = min(due, key=lambda each: (each in spoken, live.index(each)))
            owes = highest - paid[hand]
            moves = self.moves(owes, may_raise=bets <= self.raises)
            decided = yield from table.ask(hand, "your bet?", *moves, cite=RULE)
            name, amount = decided if isinstance(decided, tuple) else (decided, 0)
            spoken.add(hand)
            if name == "fold":
                live.remove(hand)
                table.pots.fold(hand)
                table.pick_up(RULE, hand)
            elif name == "all_in":
                all_in.add(hand)
            bets += name in ("bet", "raise")
            amount = owes if name == "call" else amount
            if amount:
                table.stake(hand, "bet", amount, RULE)
                table.pots.collect(table.bets_on(hand), RULE)

    def moves(self, owes: int, *, may_raise: bool) -> list[Move | str]:
        """The default is to check, and to fold if that cannot be."""
        moves: list[Move | str] = ["fold", Move("call", costs=owes)] if owes else ["check"]
        if owes > 1:
            moves.append(Move("all_in", 1, owes - 1))
        if may_raise:
            more = (owes + self.least_bet, owes + self.most_bet)
            moves.append(Move("raise" if owes else "bet", *more, step=self.step))
        return moves

    def drawing(self, table: Table, hand: str) -> Asking:
        """Up to three cards are discarded, and as many dealt."""
        discard = Choose("discard", least=0, most=3)
        decided = yield from table.ask(hand, "discard up to three", "stand_pat", discard, cite=RULE)
        if decided == "stand_pat":
            return
        _, cards = decided
        table.discard(hand, cards)
        for _ in cards:
            yield from table.draw(table.equipment, to=hand, face_down=True)

    def ranked(self, table: Table, live: Iterable[str]) -> Ranked:
        def worth(hand: str) -> int:
            return -rank(table.hands[hand]).strength

        return [list(tied) for _, tied in groupby(sorted(live, key=worth), key=worth)]


# Little vote: everybody is asked at once.


@dataclass(frozen=True)
class Votes:
    """What every seat has said, and what the card says if they are even."""

    said: Mapping[str, str]
    card: Card

    @property
    def carried(self) -> str:
        yes = sum(vote == "yes" for vote in self.said.values())
        if 2 * yes == len(self.said):
            return "yes" if self.card.is_red else "no"
        return "yes" if 2 * yes > len(self.said) else "no"


def with_the_majority(case: Case[Votes, NoState, LittleOptions]) -> Decision:
    """Wins if the vote goes as the player voted."""
    return WIN if case.outcome.said[case.seat] == case.outcome.carried else LOSE


class LittleVote(Game):
    """Everybody votes at once; a card decides where the votes are even."""

    id = "little-vote"
    title = "Little vote"
    cite = RULE
    positions = 5
    family = "shoe"
    in_words = "Vote as most of the others do."
    Options = LittleOptions
    wagers = (
        Wager(id="vote", title="Vote", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=with_the_majority),
    )  # fmt: skip
    irregularities = MISDEAL

    def device(self, options: LittleOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        table.equipment.shuffle()
        voters = dict.fromkeys(table.clockwise(), ("yes or no?", ("no", "yes")))
        votes = yield from table.ask_all(voters, cite=RULE)
        card = yield from table.draw(table.equipment, to=DEALER)
        yield from table.inspect()
        table.settle(Votes(votes, card), RULE)
        table.pick_up(RULE)


GAMES: dict[str, Game] = {
    game.id: game for game in (LittleTwentyOne(), LittlePaiGow(), LittleHoldEm(), LittleVote())
}


def find(name: str) -> Game:
    """The small game of this id."""
    return GAMES[name]
