"""The layout: wagers and hands that lie on it, and what the dealer does with them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from croupier.rulebook.citation import Citation
from croupier.rulebook.hands import SET_ASIDE, Hand, seat_of, told_as, written
from croupier.rulebook.ledger import LAYOUT
from croupier.rulebook.moves import Parts
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.wager import Bet

if TYPE_CHECKING:
    from croupier.rulebook.table import Table


# Wagers.


def lay(table: "Table", bet: Bet) -> None:
    """Bring what lies there to this bet's stake, with chips from or to its seat."""
    table.transfer(bet.seat, LAYOUT, bet.stake - table.staked(bet.key))
    if bet.stake:
        table.bets[bet.key] = bet
    else:
        del table.bets[bet.key]


def stake(table: "Table", hand: str, label: str, amount: int, cite: Citation) -> None:
    """A wager made in the course of the round, as a decision just allowed."""
    wager, spot, covers = table.find(hand, label)
    seat = seat_of(hand)
    if hand != seat and hand not in table.hands:
        raise Refusal(Fault.NOT_NOW, f"there is no hand {hand} to stake {label} on", cite)
    bet = Bet(seat, wager, spot, covers, 0, hand="" if hand == seat else hand)
    bet = replace(bet, stake=amount + table.staked(bet.key))
    lay(table, bet)
    table.record("wager", cite=cite, **bet.place, stake=bet.stake)


def move_bet(table: "Table", bet: Bet, to: str, cite: Citation) -> Bet:
    """A wager moves to another hand of its seat."""
    seat = seat_of(to)
    moved = replace(bet, hand="" if to == seat else to)
    if seat != bet.seat or to not in table.hands or moved.key in table.bets:
        message = f"{bet.label} of seat {bet.seat} may not move to hand {to}"
        raise Refusal(Fault.NOT_NOW, message, cite)
    del table.bets[bet.key]
    table.bets[moved.key] = moved
    table.record("travel", cite=cite, **bet.place, to=to)
    return moved


# Hands.


def in_turn(table: "Table", wager: str | None = None) -> Iterator[Hand]:
    """Every hand with a wager on it or in a pot, clockwise; after a split follows the new hand."""
    for seat in table.clockwise():
        done: set[str] = set()
        while True:
            names = dict.fromkeys(bet.on for bet in table.bets_of(seat, wager))
            if wager is None:
                names |= dict.fromkeys(hand for hand in table.pots.live if seat_of(hand) == seat)
            hands = [table.hands[name] for name in names if name not in done]
            if not hands:
                break
            first = min(hands, key=lambda hand: (len(hand.name), hand.name))
            done.add(first.name)
            yield first


def split(table: "Table", hand: str, cite: Citation) -> Hand:
    """The second card of a hand becomes the first of a new hand of the same seat."""
    first = table.hands.get(hand, Hand(hand))
    if not first.seat or len(first) != 2:
        message = f"only a hand of two cards can be split, and hand {hand} has {len(first)}"
        raise Refusal(Fault.NOT_NOW, message, cite)
    new = table.hands[table.hands.next_name(first.seat)]
    card = first[1]
    new.add(card, face_down=card in first.face_down)
    first.take(card)
    table.record("split", cite=cite, **told_as(hand), to=new.name)
    return new


def set_hand(table: "Table", hand: str, parts: Parts, cite: Citation) -> None:
    """A hand lies in its parts; they are seen when it is turned."""
    table.hands[hand].parts = {name: list(pile) for name, pile in parts.items()}
    table.record("set", cite=cite, to=hand)


def look(table: "Table", hand: str, seat: str) -> None:
    """A seat looks at the cards of a hand that it plays and that is nobody's own."""
    table.hands[hand].lookers.add(seat)
    for piece in table.hands[hand]:
        table.record("look", seen_by=seat, seat=seat, outcome=str(piece), to=hand)


def turn(table: "Table", hand: str, pieces: Iterable[Any], cite: Citation) -> None:
    """Cards or tiles that lay face down are turned for everyone, with the parts they are in."""
    turned = list(pieces)
    lying = table.hands[hand]
    lying.turn(turned)
    data: dict[str, Any] = {"hand": hand, "cards": [str(piece) for piece in turned]}
    if lying.parts and not lying.face_down:
        data["parts"] = written(lying.parts)
    table.record("reveal", cite=cite, **data)


def use_set_aside(table: "Table", to: str, cite: Citation, *, face_down: bool) -> Any:
    """The card that waited for this hand is dealt to it."""
    card = table.hands[SET_ASIDE][0]
    table.hands[SET_ASIDE].take(card)
    table.hands[to].add(card, face_down=face_down)
    seen: dict[str, Any] = {"face_down": True} if face_down else {"outcome": str(card)}
    table.record("set_aside", cite=cite, to=to, **seen)
    return card


def pick_up(table: "Table", cite: Citation, hands: Iterable[str]) -> None:
    """Hands, or all of them, go from the layout to the discard rack, in order."""
    piles = [name for name in hands or [*table.hands] if name != SET_ASIDE]
    cards = [card for name in piles for card in table.hands.pop(name, ())]
    if cards:
        table.equipment.discard(cards)
        table.step("The cards are picked up", cite)
