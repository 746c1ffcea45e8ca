"""What the poker tables have in common: who may do what with the pack, and what goes wrong.

Of most subchapters only the headings are at hand, and their rules are those of
a sister subchapter that is. Each game names the paragraphs; the rules are here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from croupier.equipment import Odds
from croupier.games.shoe_custom import being_dealt
from croupier.rulebook import (
    BOARD,
    DEALER,
    Citation,
    PokerGame,
    Resolution,
    Round,
    RoundIsVoid,
    Table,
    carry_on,
    law,
    void_round,
)

METHODS = ("manual_shoe", "hand", "automated_shoe")

FROM_THREE_OF_A_KIND = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip

Name = TypeVar("Name", int, str)


def ledgers(
    hands: Sequence[str], columns: Mapping[Name, Sequence[int]], *, stake_is_kept: bool = False
) -> dict[Name, dict[str, Odds]]:
    """Pay tables side by side, as they are printed: a column pays so much to 1 on each hand.

    Where the stake is kept the numbers are all that is paid. A hand with 0 is not listed.
    """
    return {
        name: {
            hand: Odds(pays - stake_is_kept)
            for hand, pays in zip(hands, column, strict=True)
            if pays
        }
        for name, column in columns.items()
    }


@dataclass(frozen=True)
class Errors:
    """By which paragraphs a game resolves what can go wrong with its cards."""

    face_up: Citation
    drawn_in_error: Citation
    stub_count: Citation
    shuffler_count: Citation
    shuffler_jams: Citation
    shoe_jams: Citation | None  # where one may be dealt from
    change: Citation
    shown: Citation  # a player shows his own cards
    recut: Citation


def common(cite: Errors) -> Mapping[str, Resolution]:
    """What goes wrong at every poker table."""
    jams = {} if cite.shoe_jams is None else _dealing_shoe_jams(cite.shoe_jams)
    return {
        "card_face_up": carry_on(
            "a card is found face up in the shoe or the pack while cards are dealt",
            "It is not used, and goes to the discard rack; a second one voids the round",
            cite.face_up, lambda table: _discard(table, cite.face_up), _while_dealing,
            costs_cards=True,
        ),
        "cards_face_up": void_round(
            "two or more cards are found face up in the shoe or the pack while cards are dealt",
            "The round is void, and the cards are shuffled again", cite.face_up,
            bar=_while_dealing,
        ),
        "card_drawn_in_error": carry_on(
            "a card is drawn in error and its face is not seen", "It is used as the next card",
            cite.drawn_in_error, bar=_while_dealing,
        ),
        "stub_count_misdeal": void_round(
            "the stub has a wrong number of cards, because they were misdealt",
            "The round is void", cite.stub_count, bar=_after_the_deal,
        ),
        "stub_count_wrong": void_round(
            "the stub has a wrong number of cards, and they were not misdealt",
            "The round is void, and the pack is taken from the table", cite.stub_count,
            _new_pack, _after_the_deal,
        ),
        "shuffler_count_wrong": carry_on(
            "the shuffling device finds more or fewer than 52 cards",
            "The pack is taken from the table, and another is used", cite.shuffler_count,
            _new_pack, _after_a_device_shuffled,
        ),
        "shuffler_jams": carry_on(
            "the shuffling device jams or stops during a shuffle",
            "The cards are shuffled again by the approved procedure", cite.shuffler_jams,
            bar=_after_a_device_shuffled,
        ),
        **jams,
        "change_of_device": carry_on(
            "another way of shuffling or dealing is to be used",
            "The device is first taken from the table", cite.change,
        ),
        "improper_cut": carry_on(
            "the cut was made improperly", "A supervisor has the cards cut again", cite.recut,
            bar=lambda table: "a device shuffles the cards, and they are not cut"
            if table.options.automated_shuffler else _no_card_yet(table),
        ),
        "player_exposes_cards": carry_on(
            "a player exposes his own cards", "His hand stays live", cite.shown,
            seats=lambda table: [seat for seat in table.clockwise() if table.hands[seat]],
        ),
    }  # fmt: skip


def _dealing_shoe_jams(cite: Citation) -> Mapping[str, Resolution]:
    return {
        "dealing_shoe_jams": void_round(
            "the automated dealing shoe jams or stops during a round",
            "The round is void, and all cards are shuffled together", cite,
            bar=lambda table: being_dealt(table) or _from_the_automated_shoe(table),
        )
    }  # fmt: skip


def any_wrong_number(cite: Citation) -> Mapping[str, Resolution]:
    """A wrong number of cards, anywhere, voids the round."""
    return {
        "wrong_number_of_cards": void_round(
            "a hand has been dealt a wrong number of cards", "The round is void", cite,
            bar=being_dealt,
        )
    }  # fmt: skip


def own_wrong_number(cite: Citation) -> Mapping[str, Resolution]:
    """A player's wrong number of cards voids his hand; the dealer may complete his own."""
    return {
        "wrong_number_of_cards": carry_on(
            "a player has been dealt a wrong number of cards",
            "His hand is void; the others go on", cite, _void_hand,
            seats=_with_a_whole_hand,
        ),
        "dealer_wrong_number_of_cards": carry_on(
            "the dealer has a wrong number of cards, and none that is missing lies face up",
            "He completes his hand with the next cards in sequence", cite,
            bar=lambda table: "" if table.hands[DEALER] else "the dealer has no cards yet",
        ),
        "dealer_wrong_number_exposed": void_round(
            "the dealer has a wrong number of cards and cannot complete his hand in sequence",
            "All hands are void", cite,
            bar=lambda table: "" if table.hands[DEALER] else "the dealer has no cards yet",
        ),
    }  # fmt: skip


def dealer_card_exposed(cite: Citation, *, until_reveal: bool = True) -> Mapping[str, Resolution]:
    """Voids the round until the reveal or, if not so, until every player has decided."""
    when = "before he reveals them" if until_reveal else "before every player has decided"
    return {
        "dealer_card_exposed": void_round(
            f"a card of the dealer's is exposed {when}", "All hands are void", cite,
            bar=lambda table: _hidden(table) or ("" if until_reveal else _all_decided(table)),
        )
    }  # fmt: skip


def community_card_exposed(cite: Citation, *, hidden: bool = False) -> Mapping[str, Resolution]:
    """Community cards that lie `hidden` can be exposed once they lie there."""

    def bar(table: Table) -> str:
        if hidden and not table.hands[BOARD]:
            return "no community card lies on the table"
        return being_dealt(table) or _all_decided(table)

    return {
        "community_card_exposed": void_round(
            "a community card is shown before the decision it should follow is complete",
            "All hands are void", cite, bar=bar,
        )
    }  # fmt: skip


# When it can have happened, and to whom.


def _with_a_whole_hand(table: Table) -> list[str]:
    """To whom all cards have been dealt: until then nobody knows their number."""
    game = table.game
    assert isinstance(game, PokerGame)
    return [seat for seat in table.clockwise() if len(table.hands[seat]) >= game.own_cards]


def _while_dealing(table: Table) -> str:
    return being_dealt(table) or ("no card is due" if table.all_dealt else "")


def _after_the_deal(table: Table) -> str:
    game = table.game
    assert isinstance(game, PokerGame)
    complete = table.all_dealt and len(table.hands[BOARD]) == game.board_cards
    return "" if complete else "the stub is counted when the cards are dealt"


def _no_card_yet(table: Table) -> str:
    dealt = table.equipment.cards_left < len(table.equipment.composition)
    return being_dealt(table) or ("cards have been dealt" if dealt else "")


def _after_a_device_shuffled(table: Table) -> str:
    by_hand = "" if table.options.automated_shuffler else "the dealer shuffles the cards"
    return by_hand or _no_card_yet(table)


def _from_the_automated_shoe(table: Table) -> str:
    by_shoe = table.options.deal_method == "automated_shoe"
    return "" if by_shoe else "no automated shoe is used"


def _hidden(table: Table) -> str:
    if not table.hands[DEALER]:
        return "the dealer has no cards yet"
    return "the dealer has revealed his hand" if table.state.revealed else ""


def _all_decided(table: Table) -> str:
    game = table.game
    assert isinstance(game, PokerGame)
    over = table.state.decided >= len(game.stages(table.options))
    waiting = any(game.is_to_decide(table, seat) for seat in table.clockwise())
    return "every player has decided" if over or not waiting else ""


# What is done about it.


def _discard(table: Table, cite: Citation) -> Round:
    yield from table.draw(table.equipment, to="discards")
    table.discard("discards")
    table.state = replace(table.state, face_up=table.state.face_up + 1)
    if table.state.face_up > 1:
        raise RoundIsVoid(cite)


def _new_pack(table: Table) -> None:
    """Another pack comes to the table."""
    table.step("The pack is taken from the table and replaced", law("13:69E-1.18"))


def _void_hand(table: Table) -> None:
    assert table.report is not None
    seat, cite = table.report.seat, table.report.resolution.cite
    for settled in [s for s in table.settlements if s.bet.seat == seat and s.net < 0]:
        table.undo(settled, cite)
    for bet in table.bets_of(seat):
        table.give_back(bet, cite)
    table.pick_up(cite, seat)
