"""Baccarat-Chemin de Fer, N.J.A.C. 19:47-4: a bank, those who cover it, and two hands.

Unless a test says otherwise seat 1 has the bank. Seat 2 is on its right, seat 3 next, and so
counterclockwise around the table.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.games.baccarat_chemin_de_fer import banker_moves, player_moves
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    Ask,
    Draw,
    Fault,
    Inspect,
    Move,
    Play,
    Refusal,
    Table,
    by_chance,
    play_round,
)
from croupier.simulation.streams import SeededStream
from tests.support import (
    Told,
    cited,
    deal,
    not_answered,
    refused,
    run,
    says,
    section,
    turned_away,
    unlawful,
)

NAME = "baccarat-chemin-de-fer"
GAME = find_game(NAME)

Options = Mapping[str, Any]
Bet = tuple[str, str, int]  # a seat, a wager and its stake

WORTH = {0: "Kh", 1: "Ah", **{number: f"{number}h" for number in range(2, 10)}}


def hands(player: int, banker: int, *more: int) -> list[str]:
    """Two hands of these counts, then third cards of these values, as they leave the shoe."""
    return [WORTH[player], WORTH[banker], "Kd", "Kd", *(WORTH[third] for third in more)]


PLAYER_WINS, BANKER_WINS, EQUAL = hands(9, 7), hands(7, 9), hands(8, 8)  # all without a draw


def seat(*moves: Any, **wagers: int) -> dict[str, Any]:
    return {"wagers": wagers, "moves": list(moves)}


def coup(draws: Sequence[str], *irregularities: Any, **seats: dict[str, Any]) -> dict[str, Any]:
    """One coup of a script: `coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(punt=4_000))`."""
    return {
        "draws": list(draws),
        "seats": {name[1:]: said for name, said in seats.items()},
        "irregularities": [{"before_draw": at, "kind": kind} for at, kind in irregularities],
    }


def coups(*rounds: dict[str, Any], **options: Any) -> Told:
    return run({"game": NAME, "options": options, "rounds": list(rounds)})


def not_played(*rounds: dict[str, Any], **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        coups(*rounds, **options)
    return caught.value


def set_up(*bets: Bet, **options: Any) -> Table:
    """A table whose shoe is in play, with these wagers on it."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for who, wager, stake in bets:
        table.bet(who, wager, stake)
    return table


def play_on(table: Table, *answers: Any) -> Play:
    play = Play(table)
    for answer in answers:
        play.answer(answer)
    return play


def after_coup(
    draws: Sequence[str], *bets: Bet, moves: Sequence[Any] = (), **options: Any
) -> Table:
    """The table after one coup, open for the wagers of the next."""
    table = set_up(*bets, **options)
    play = play_on(table, *draws, None, *moves)
    while play.request is not None:
        assert isinstance(play.request, Ask)
        play.answer(play.request.default)
    table.open_betting()
    return table


def grown(wins: int, **options: Any) -> Table:
    """Seat 1 has put up $100 and won it so many times, free of vigorish."""
    table = after_coup(BANKER_WINS, BANK, BANCO, vig_percent=0, **options)
    for suit in "dcs"[: wins - 1]:
        table.bet("2", "banco", table.state.bank)
        play_round(table, scripted([f"{rank}{suit}" for rank in "79QQ"]))
        table.open_betting()
    return table


def scripted(draws: Sequence[str]) -> Any:
    """Answers with these cards, and as the rules do where nobody decides."""
    cards = iter(draws)

    def answer(request: Any) -> Any:
        if isinstance(request, Draw):
            return next(cards)
        return request.default if isinstance(request, Ask) else None

    return answer


def asked_now(play: Play) -> tuple[str, ...]:
    """The seat that is to decide, and what it may do; the first is what silence means."""
    assert isinstance(play.request, Ask)
    return play.request.seat, *(move.name for move in play.request.moves)


SHOE_OFFERED = ("accept", "decline")
BANK, BANCO, PUNT = ("1", "bank", 10_000), ("2", "banco", 10_000), ("2", "punt", 4_000)


def accepted(table: Table) -> dict[str, int]:
    """What covers the bank when the first card is about to be dealt, by seat."""
    assert isinstance(Play(table).request, Draw)
    return {bet.seat: bet.stake for bet in table.bets.values() if bet.wager.id != "bank"}


def called(told: Told, round: int = -1) -> str:
    """The counts and the result, as the dealer announced them."""
    (text,) = [said for said in told.said(round) if said.startswith("Player's Hand ")]
    return text


def laid(table: Table) -> int:
    """The bank that lies on the table."""
    return sum(bet.stake for bet in table.bets.values() if bet.wager.id == "bank")


# Cards and options.


@pytest.mark.cites("4.1")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("Ah 2c", 3), ("9h 9d", 8), ("5s 5h", 0), ("Ts 7h", 7), ("Jc Qd", 0), ("Kh As", 1),
        ("8d 9s", 7), ("3c 4d", 7), ("6h 6s", 2),
    ],
)  # fmt: skip
def test_a_hand_counts_the_units_of_its_total(cards: str, points: int) -> None:
    """The banker's natural nine ends the coup before any third card."""
    first, second = cards.split()

    told = deal(NAME, [first, "9c", second, "Kc"], seats={"1": seat(bank=2_000),
                                                          "2": seat(punt=2_000)})  # fmt: skip

    assert called(told).startswith(f"Player's Hand {points}, Banker's Hand 9.")


@pytest.mark.cites("4.1")
def test_six_decks_are_in_the_shoe_unless_the_table_has_more() -> None:
    assert len(Table(GAME).equipment.stub) == 6 * 52
    assert len(Table(GAME, {"decks": 8}).equipment.stub) == 8 * 52


@pytest.mark.cites("4.1", "4.4", "4.6", "4.7", "4.9", "4.10")
@pytest.mark.parametrize(
    ("option", "value", "cite"),
    [
        ("decks", 5, "4.1"),
        ("vig_percent", 11, "4.10"),
        ("vig_percent", -1, "4.10"),
        ("vig_rounding", "down", "4.10"),
        ("banker_tableau", "none", "4.9"),
        ("player_option_on_5", "perhaps", "4.9"),
        ("partial_withdrawal", "0", "4.6"),
        ("avec_la_table", "half", "4.7"),
        ("banco_suivi", "twice", "4.7"),
        ("bank_at_same_height", "higher", "4.11"),
        ("min_seated", 1, "4.7"),
        ("min_seated", 10, "4.7"),
        ("cut_card_from_back", 13, "4.4"),
    ],
)  # fmt: skip
def test_a_table_with_terms_that_are_not_allowed_cannot_be_opened(
    option: str, value: Any, cite: str
) -> None:
    assert unlawful(NAME, {option: value}) == [(option, f"{cite} (customary)")]


@pytest.mark.cites("4.10")
def test_wagers_are_paid_by_players_so_no_table_can_post_higher_odds() -> None:
    assert [option for option, _ in unlawful(NAME, {"higher_odds": "punt: 2 to 1"})] == [
        "higher_odds"
    ]


@pytest.mark.cites("4.6", "4.7")
def test_there_is_a_bank_and_wagers_against_it_and_nothing_else() -> None:
    assert [wager.id for wager in GAME.wagers] == ["bank", "punt", "banco"]
    for other in ("tie", "player", "banker"):
        assert turned_away(Table(GAME), other).fault is Fault.UNKNOWN_WAGER


@pytest.mark.cites("4.5")
def test_nine_seats_are_at_the_table_and_any_of_them_may_take_the_bank() -> None:
    for who in "123456789":
        set_up((who, "bank", 1_000))
    assert turned_away(set_up(), "bank", 1_000, "10").fault is Fault.UNKNOWN_SEAT


# The bank, 4.5 and 4.6.


@pytest.mark.cites("4.6")
@pytest.mark.parametrize("amount", [1_000, 1_001, 123_457, 500_000])
def test_a_new_bank_is_any_amount_within_the_table_limits(amount: int) -> None:
    assert laid(set_up(("1", "bank", amount))) == amount


@pytest.mark.cites("4.6")
def test_a_new_bank_outside_the_table_limits_is_refused() -> None:
    says(turned_away(set_up(), "bank", 999), Fault.BELOW_MINIMUM,
         "$9.99 on bank is below the least it may be, $10", "4.6 (customary)")  # fmt: skip
    says(turned_away(set_up(), "bank", 500_001), Fault.ABOVE_MAXIMUM,
         "$5,000.01 on bank is above the most it may be, $5,000", "4.6 (customary)")  # fmt: skip


@pytest.mark.cites("4.5")
def test_while_one_participant_has_the_bank_no_other_may_put_one_up() -> None:
    says(turned_away(set_up(BANK), "bank", 20_000, "2"), Fault.NOT_NOW, "seat 1 has the bank",
         "4.5 (customary)")  # fmt: skip
    kept = after_coup(BANKER_WINS, BANK, BANCO)
    says(turned_away(kept, "bank", 50_000, "2"), Fault.NOT_NOW, "seat 1 has the bank",
         "4.5 (customary)")  # fmt: skip


@pytest.mark.cites("4.5", "4.6")
def test_a_bank_that_nobody_has_covered_may_be_changed_or_taken_back() -> None:
    table = set_up(BANK)

    table.bet("1", "bank", 2_000)
    table.bet("1", "bank", 0)
    table.bet("2", "bank", 5_000)

    assert laid(table) == 5_000


@pytest.mark.cites("4.6", "4.7")
def test_a_bank_that_has_been_covered_may_not_be_taken_back_or_fall_below_what_covers_it() -> None:
    table = set_up(BANK, PUNT)

    for amount in (0, 3_999):
        refusal = turned_away(table, "bank", amount)
        assert "wagers against it lie on the table" in refusal.message
        assert str(refusal.cite) == "19:47-4.7 (customary)"


@pytest.mark.cites("4.6", "4.7")
def test_a_bank_that_somebody_has_called_banco_on_may_not_be_raised_under_him() -> None:
    """A banco is for the entire bank, so the bank stays what it was when banco was called."""
    table = set_up(BANK, BANCO)

    assert section(turned_away(table, "bank", 20_000)) in ("19:47-4.6", "19:47-4.7")


@pytest.mark.cites("4.5")
def test_without_a_banker_no_coup_is_dealt() -> None:
    told = deal(NAME, [], seats={"2": seat()})

    assert told.said() == ["Nobody takes the bank"]
    assert cited(told.events("announce")[0]) == "4.5 (customary)"
    assert told.rounds[0]["settlements"] == []


@pytest.mark.cites("4.6", "4.10")
def test_the_winnings_net_of_vigorish_stay_in_the_bank() -> None:
    """$100 wins $60 less 5 percent, so that the next bank is $157 and goes up by itself."""
    told = coups(
        coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(punt=6_000)),
        coup(BANKER_WINS, s2=seat(banco=15_700)),
    )

    assert told.said(1)[0] == "Seat 1 has the bank: $157"
    (put_up,) = [event for event in told.events("wager", 1) if event["wager"] == "bank"]
    assert (put_up["seat"], put_up["stake"]) == ("1", 15_700)
    assert cited(put_up) == "4.6 (customary)"


@pytest.mark.cites("4.6")
def test_the_banker_may_say_himself_that_the_bank_stays() -> None:
    told = coups(
        coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(punt=6_000)),
        coup(PLAYER_WINS, s1=seat(bank=15_700), s2=seat(punt=1_700)),
    )

    assert told.result("bank") == ("lose", -1_700)


@pytest.mark.cites("4.6")
@pytest.mark.parametrize(
    ("amount", "fault"),
    [(9_999, Fault.BELOW_MINIMUM), (10_000, Fault.BELOW_MINIMUM), (19_499, Fault.BELOW_MINIMUM),
     (19_501, Fault.ABOVE_MAXIMUM)],
)  # fmt: skip
def test_on_later_coups_the_bank_may_be_neither_reduced_nor_raised(
    amount: int, fault: Fault
) -> None:
    kept = after_coup(BANKER_WINS, BANK, BANCO)

    refusal = turned_away(kept, "bank", amount)

    says(refusal, fault, "the bank stays as it has grown, or the shoe is passed",
         "4.6 (customary)")  # fmt: skip


@pytest.mark.cites("4.6")
def test_a_bank_that_goes_on_may_not_be_taken_back() -> None:
    kept = after_coup(BANKER_WINS, BANK, BANCO)
    kept.bet("1", "bank", 19_500)

    says(turned_away(kept, "bank", 0), Fault.NOT_NOW, "bank may not be taken down",
         "4.6 (customary)")  # fmt: skip


@pytest.mark.cites("4.6")
def test_what_exceeds_the_table_maximum_is_set_aside_for_the_banker() -> None:
    """$100 and $95 won make $195; at a table of $150 the banker takes $45 of it home."""
    told = coups(
        coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(banco=10_000)),
        coup(EQUAL, s2=seat(punt=1_000)),
        table_max=15_000,
    )

    (aside,) = [event for event in told.events("step", 0) if "set aside" in event["text"]]
    assert aside["text"] == "$45 is set aside for the banker"
    assert cited(aside) == "4.6 (customary)"
    assert told.said(1)[0] == "Seat 1 has the bank: $150"
    assert told.net("1") == 9_500


@pytest.mark.cites("4.6")
def test_a_bank_of_exactly_the_maximum_leaves_nothing_to_set_aside() -> None:
    told = coups(
        coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(banco=10_000)),
        coup(EQUAL, s2=seat(punt=1_000)),
        table_max=19_500,
    )

    assert not [event for event in told.events("step", 0) if "set aside" in event["text"]]
    assert told.said(1)[0] == "Seat 1 has the bank: $195"


# Withdrawal, 4.6.


@pytest.mark.cites("4.6")
@pytest.mark.parametrize("wins", [1, 2, 3, 4])
@pytest.mark.parametrize("enough", [1, 2, 3])
def test_after_enough_wins_the_banker_may_withdraw_half_of_the_bank(wins: int, enough: int) -> None:
    table, bank = grown(wins, partial_withdrawal=enough), 10_000 * 2**wins

    if wins < enough:
        assert turned_away(table, "bank", bank // 2).fault is Fault.BELOW_MINIMUM
    else:
        assert turned_away(table, "bank", bank // 2 - 1).fault is Fault.BELOW_MINIMUM
        table.bet("1", "bank", bank // 2)
        assert laid(table) == bank // 2


@pytest.mark.cites("4.6")
def test_a_tie_is_no_win_that_lets_the_banker_withdraw() -> None:
    table = after_coup(EQUAL, BANK, BANCO, partial_withdrawal=1)

    assert turned_away(table, "bank", 9_999).fault is Fault.BELOW_MINIMUM


@pytest.mark.cites("4.6")
def test_of_a_bank_with_an_odd_cent_the_greater_half_stays() -> None:
    table = after_coup(BANKER_WINS, ("1", "bank", 1_500), ("2", "punt", 1_001),
                       vig_percent=0, partial_withdrawal=1)  # fmt: skip

    assert turned_away(table, "bank", 1_250).fault is Fault.BELOW_MINIMUM
    table.bet("1", "bank", 1_251)


@pytest.mark.cites("4.6")
def test_unless_the_table_offers_it_nothing_may_be_withdrawn_however_often_the_bank_won() -> None:
    assert turned_away(grown(4), "bank", 80_000).fault is Fault.BELOW_MINIMUM


@pytest.mark.cites("4.6")
def test_a_bank_that_was_reduced_goes_on_from_there() -> None:
    table = grown(1, partial_withdrawal=1)
    table.bet("1", "bank", 12_000)
    table.bet("2", "banco", 12_000)

    play_round(table, scripted(EQUAL))
    table.open_betting()

    assert table.state.bank == 12_000


@pytest.mark.cites("4.6")
def test_no_withdrawal_brings_the_bank_below_the_table_minimum() -> None:
    """Half of $195 is less than the $100 that any bank must be."""
    table = after_coup(BANKER_WINS, BANK, BANCO, partial_withdrawal=1, table_min=10_000)

    assert turned_away(table, "bank", 9_999).fault is Fault.BELOW_MINIMUM
    table.bet("1", "bank", 10_000)


@pytest.mark.cites("4.6", "4.11")
def test_the_wins_of_one_banker_give_the_next_no_right_to_withdraw() -> None:
    table = after_coup(BANKER_WINS, BANK, BANCO, moves=["pass_shoe", "take_bank"],
                       partial_withdrawal=1, bank_at_same_height="yes")  # fmt: skip

    assert turned_away(table, "bank", 19_499, "2").fault is Fault.BELOW_MINIMUM


# Wagers against the bank, 4.7.


@pytest.mark.cites("4.7")
@pytest.mark.parametrize("wager", ["punt", "banco"])
def test_without_a_bank_there_is_nothing_to_cover(wager: str) -> None:
    says(turned_away(set_up(), wager, 1_000), Fault.NO_SUPPORT,
         f"{wager} needs a bank to cover: nobody has put one up", "4.7 (customary)")  # fmt: skip


@pytest.mark.cites("4.7")
@pytest.mark.parametrize("wager", ["punt", "banco"])
def test_the_banker_may_not_play_against_himself(wager: str) -> None:
    for table in (set_up(BANK), after_coup(EQUAL, BANK, PUNT)):
        says(turned_away(table, wager, 10_000), Fault.NOT_NOW,
             "the banker may not play against himself", "4.7 (customary)")  # fmt: skip


@pytest.mark.cites("4.7")
def test_a_banco_is_for_the_entire_bank_and_for_nothing_else() -> None:
    table = set_up(BANK)

    for amount, fault in [(5_000, Fault.BELOW_MINIMUM), (9_999, Fault.BELOW_MINIMUM),
                          (10_001, Fault.ABOVE_MAXIMUM)]:  # fmt: skip
        says(turned_away(table, "banco", amount, "2"), fault, "that is the bank of $100",
             "4.7 (customary)")  # fmt: skip
    table.bet("2", "banco", 10_000)


@pytest.mark.cites("4.7")
def test_a_punt_is_from_the_table_minimum_up_to_the_bank() -> None:
    table = set_up(BANK)

    assert turned_away(table, "punt", 999, "2").fault is Fault.BELOW_MINIMUM
    says(turned_away(table, "punt", 10_001, "2"), Fault.ABOVE_MAXIMUM,
         "that is the bank of $100", "4.7 (customary)")  # fmt: skip
    table.bet("2", "punt", 1_000)
    table.bet("3", "punt", 10_000)


@pytest.mark.cites("4.7")
def test_a_bank_at_the_table_maximum_may_be_called_banco() -> None:
    set_up(("1", "bank", 500_000), ("2", "banco", 500_000))


@pytest.mark.cites("4.7")
@pytest.mark.parametrize(("first", "other"), [("punt", "banco"), ("banco", "punt")])
def test_a_seat_may_not_have_both_a_punt_and_a_banco(first: str, other: str) -> None:
    table = set_up(BANK, ("2", first, 10_000))

    says(turned_away(table, other, 10_000, "2"), Fault.NOT_NOW,
         f"seat 2 has a {first} already, and makes one of the two", "4.7 (customary)")  # fmt: skip


@pytest.mark.cites("4.7")
def test_a_bank_that_goes_on_can_be_covered_before_it_lies_on_the_table() -> None:
    kept = after_coup(BANKER_WINS, BANK, BANCO)

    kept.bet("3", "banco", 19_500)

    assert accepted(kept) == {"3": 19_500}


@pytest.mark.cites("4.6", "4.7")
def test_a_bank_can_be_called_banco_whatever_the_vigorish_left_of_it() -> None:
    """$10 and $9.50 won are no whole dollars; a banco is the entire bank all the same."""
    kept = after_coup(BANKER_WINS, ("1", "bank", 1_000), ("2", "banco", 1_000), increment=100)

    kept.bet("2", "banco", 1_950)

    assert accepted(kept) == {"2": 1_950}


@pytest.mark.cites("4.7")
def test_no_wager_is_made_after_no_more_bets() -> None:
    table = set_up(BANK, PUNT)
    play_on(table)

    for wager in ("punt", "banco"):
        refusal = turned_away(table, wager, 10_000, "3")
        assert refusal.fault is Fault.NO_MORE_BETS
        assert str(refusal.cite) == "19:47-4.8 (customary)"


# Whose wager covers the bank, 4.7.


@pytest.mark.cites("4.7")
def test_a_banco_excludes_every_punt() -> None:
    table = set_up(BANK, ("2", "punt", 5_000), ("3", "punt", 1_000), ("4", "banco", 10_000))

    assert accepted(table) == {"4": 10_000}
    refunds = [event for event in table.events if event.kind == "refund"]
    assert {(event.data["seat"], event.data["amount"]) for event in refunds} == {
        ("2", 5_000), ("3", 1_000),
    }  # fmt: skip
    assert {str(event.cite) for event in refunds} == {"19:47-4.7 (customary)"}


@pytest.mark.cites("4.7")
@pytest.mark.parametrize(
    ("banker", "calls", "takes"),
    [("1", "23", "2"), ("1", "92", "2"), ("2", "19", "9"), ("5", "46", "6"), ("9", "58", "5"),
     ("4", "31", "1"), ("8", "719", "9")],
)  # fmt: skip
def test_of_two_who_call_banco_the_first_from_the_bankers_right_takes_the_bank(
    banker: str, calls: str, takes: str
) -> None:
    bancos = [(who, "banco", 10_000) for who in calls]

    assert accepted(set_up((banker, "bank", 10_000), *bancos)) == {takes: 10_000}


@pytest.mark.cites("4.7")
def test_the_banco_that_comes_second_is_returned() -> None:
    table = set_up(BANK, BANCO, ("3", "banco", 10_000))

    accepted(table)

    assert table.money["3"] == 0


@pytest.mark.cites("4.7")
def test_who_called_banco_and_lost_may_call_it_first() -> None:
    lost = after_coup(BANKER_WINS, BANK, ("5", "banco", 10_000))
    for who in "25":
        lost.bet(who, "banco", 19_500)

    assert accepted(lost) == {"5": 19_500}


@pytest.mark.cites("4.7")
def test_who_called_banco_and_lost_need_not_call_it_again() -> None:
    lost = after_coup(BANKER_WINS, BANK, ("5", "banco", 10_000))
    lost.bet("2", "banco", 19_500)
    lost.bet("5", "punt", 10_000)

    assert accepted(lost) == {"2": 19_500}


@pytest.mark.cites("4.7")
def test_without_that_option_banco_suivi_has_no_precedence() -> None:
    lost = after_coup(BANKER_WINS, BANK, ("5", "banco", 10_000), banco_suivi="no")
    for who in "25":
        lost.bet(who, "banco", 19_500)

    assert accepted(lost) == {"2": 19_500}


@pytest.mark.cites("4.7")
@pytest.mark.parametrize(
    "before",
    [
        pytest.param(("5", "punt", 10_000), id="a punt of the whole bank was no banco"),
        pytest.param(("3", "banco", 10_000), id="somebody else called it"),
    ],
)
def test_only_the_one_who_called_banco_may_call_it_first(before: Bet) -> None:
    lost = after_coup(BANKER_WINS, BANK, before)
    for who in "25":
        lost.bet(who, "banco", 19_500)

    assert accepted(lost) == {"2": 19_500}


@pytest.mark.cites("4.7")
def test_who_called_banco_in_a_tie_has_not_lost_and_has_no_precedence() -> None:
    tied = after_coup(EQUAL, BANK, ("5", "banco", 10_000))
    for who in "25":
        tied.bet(who, "banco", 10_000)

    assert accepted(tied) == {"2": 10_000}


@pytest.mark.cites("4.7")
def test_the_right_to_call_first_lasts_for_one_coup_only() -> None:
    table = after_coup(BANKER_WINS, BANK, ("5", "banco", 10_000))
    table.bet("3", "punt", 1_000)
    play_round(table, scripted(EQUAL))
    table.open_betting()
    for who in "25":
        table.bet(who, "banco", 19_500)

    assert accepted(table) == {"2": 19_500}


@pytest.mark.cites("4.7")
def test_avec_la_table_takes_half_before_those_nearer_to_the_bankers_right() -> None:
    punts = [("2", "punt", 4_000), ("3", "punt", 4_000), ("4", "punt", 5_000)]

    assert accepted(set_up(BANK, *punts, avec_la_table="yes")) == {"2": 4_000, "3": 1_000,
                                                                   "4": 5_000}  # fmt: skip
    assert accepted(set_up(BANK, *punts)) == {"2": 4_000, "3": 4_000, "4": 2_000}


@pytest.mark.cites("4.7")
def test_of_two_who_take_half_the_first_goes_first_and_the_other_in_his_turn() -> None:
    punts = [("2", "punt", 1_000), ("3", "punt", 5_000), ("4", "punt", 5_000)]

    assert accepted(set_up(BANK, *punts, avec_la_table="yes")) == {"2": 1_000, "3": 5_000,
                                                                   "4": 4_000}  # fmt: skip


@pytest.mark.cites("4.7")
def test_avec_la_table_is_exactly_half() -> None:
    punts = [("2", "punt", 9_000), ("3", "punt", 5_001)]

    assert accepted(set_up(BANK, *punts, avec_la_table="yes")) == {"2": 9_000, "3": 1_000}


@pytest.mark.cites("4.7")
def test_avec_la_table_counts_only_if_nobody_calls_banco() -> None:
    table = set_up(BANK, ("2", "punt", 5_000), ("3", "banco", 10_000), avec_la_table="yes")

    assert accepted(table) == {"3": 10_000}


@pytest.mark.cites("4.6", "4.7")
def test_what_nobody_covers_is_returned_to_the_banker_before_the_deal() -> None:
    table = set_up(BANK, PUNT)

    assert accepted(table) == {"2": 4_000}
    assert laid(table) == 4_000
    assert table.money["1"] == -4_000
    (back,) = [event for event in table.events if event.kind == "refund"]
    assert (back.data["seat"], back.data["amount"]) == ("1", 6_000)
    assert str(back.cite) == "19:47-4.6 (customary)"


@pytest.mark.cites("4.7")
def test_punts_from_the_bankers_right_fill_the_bank_and_the_last_ones_excess_is_refused() -> None:
    table = set_up(
        ("4", "bank", 10_000), ("3", "punt", 3_000), ("1", "punt", 3_000), ("8", "punt", 3_000),
        ("6", "punt", 3_000), ("2", "punt", 1_000),
    )  # fmt: skip

    assert accepted(table) == {"6": 3_000, "8": 3_000, "1": 3_000, "2": 1_000}
    assert laid(table) == 10_000
    assert table.money["3"] == 0


@pytest.mark.cites("4.7")
def test_a_bank_that_is_covered_exactly_leaves_nothing_to_return() -> None:
    table = set_up(BANK, ("2", "punt", 4_000), ("3", "punt", 6_000))

    assert accepted(table) == {"2": 4_000, "3": 6_000}
    assert not [event for event in table.events if event.kind == "refund"]


def by_the_sheet(order: str, said: Mapping[str, Bet], suivi: str, avec: bool) -> dict[str, int]:
    """Who covers a bank of $100: offered to each in turn, as rule 3 lists them."""
    bancos = [who for who in order if who in said and said[who][1] == "banco"]
    for caller in (suivi, *order):
        if caller in bancos:
            return {caller: 10_000}
    queue = [who for who in order if who in said]
    half = [who for who in queue if said[who][2] == 5_000]
    if avec and half:
        queue = [half[0], *(who for who in queue if who != half[0])]
    covered: dict[str, int] = {}
    for who in queue:
        part = min(said[who][2], 10_000 - sum(covered.values()))
        if part:
            covered[who] = part
    return covered


SAYINGS = [None, ("punt", 1_000), ("punt", 5_000), ("punt", 8_000), ("punt", 10_000),
           ("banco", 10_000)]  # fmt: skip


@pytest.mark.cites("4.7")
@pytest.mark.parametrize("avec", [False, True])
@pytest.mark.parametrize("suivi", ["", "1", "3"])
def test_whatever_three_participants_say_the_bank_is_covered_in_the_order_of_the_rules(
    suivi: str, avec: bool
) -> None:
    """The banker sits at 4: seat 9 is first on his right, then 1, then 3."""
    for sayings in product(SAYINGS, repeat=3):
        said = {who: (who, *saying) for who, saying in zip("913", sayings, strict=True) if saying}
        if not said:
            continue
        table = set_up(("4", "bank", 10_000), avec_la_table=avec)
        table.state = replace(table.state, suivi=suivi or None)
        for bet in said.values():
            table.bet(*bet)

        covered = accepted(table)

        assert covered == by_the_sheet("913", said, suivi, avec), said
        assert laid(table) == sum(covered.values())


@pytest.mark.cites("4.6", "4.7")
def test_a_new_bank_that_nobody_covers_is_returned_and_no_card_is_dealt() -> None:
    table = set_up(BANK)

    play_round(table, scripted([]))

    assert table.money == Counter({"1": 0, LAYOUT: 0})
    assert not [event for event in table.events if event.kind == "draw"]


@pytest.mark.cites("4.7", "4.11")
@pytest.mark.parametrize(("move", "holder"), [("keep", "1"), ("pass_shoe", None)])
def test_if_nothing_is_covered_the_banker_keeps_the_shoe_or_passes_it(
    move: str, holder: str | None
) -> None:
    table = after_coup(BANKER_WINS, BANK, BANCO)

    play = Play(table)

    assert asked_now(play) == ("1", "keep", "pass_shoe")
    play.answer(move)
    assert table.state.banker == holder
    assert table.state.bank == (19_500 if holder else 0)


@pytest.mark.cites("4.7")
@pytest.mark.parametrize("least", [3, 6, 9])
def test_with_fewer_participants_than_the_table_wants_no_coup_is_dealt(least: int) -> None:
    punts = {f"s{who}": seat(punt=1_000) for who in range(2, least)}

    short = coups(coup([], s1=seat(bank=10_000), **punts), min_seated=least)
    enough = coups(
        coup(EQUAL, s1=seat(bank=10_000), s9=seat(punt=1_000), **punts), min_seated=least
    )

    assert short.said()[-1] == f"A coup needs {least} participants"
    assert "Cards" not in short.said()
    assert {settled["result"] for settled in short.rounds[0]["settlements"]} == {"void"}
    assert "Cards" in enough.said()


# Who controls the hands, and who sees them, 4.8.


def shown_to(table: Table, who: str | None) -> list[str]:
    """Every card that a seat, or a bystander, has seen so far, in order."""
    seen: list[str] = []
    for event in table.view(who)["events"]:
        seen += event.get("cards", [])
        seen += [event["outcome"]] if "outcome" in event else []
    return seen


def holder_of(table: Table, first_card: str) -> list[str]:
    """Who has seen a card that lies face down."""
    return [who for who in table.positions if first_card in shown_to(table, who)]


@pytest.mark.cites("4.8")
@pytest.mark.parametrize(
    ("banker", "punts", "controls"),
    [
        ("1", {"2": 3_000, "3": 4_000}, "3"),
        ("1", {"2": 3_000, "3": 3_000}, "2"),
        ("2", {"1": 3_000, "9": 3_000}, "9"),
        ("5", {"4": 3_000, "6": 2_999}, "4"),
        ("5", {"4": 3_000, "6": 2_000, "8": 3_000}, "8"),
    ],
)
def test_the_largest_punt_controls_the_players_hand_and_of_equals_the_first_from_the_right(
    banker: str, punts: dict[str, int], controls: str
) -> None:
    table = set_up((banker, "bank", 10_000), *((who, "punt", n) for who, n in punts.items()))
    play = play_on(table, "5h", "2c", "Kd", "Kc")

    assert holder_of(table, "5h") == [controls]
    assert holder_of(table, "2c") == [banker]
    assert isinstance(play.request, Ask)
    assert play.request.seat == controls


@pytest.mark.cites("4.8")
def test_a_punt_counts_for_control_only_as_far_as_it_was_accepted() -> None:
    table = set_up(BANK, ("2", "punt", 6_000), ("3", "punt", 9_000))
    play_on(table, "5h", "2c", "Kd", "Kc")

    assert holder_of(table, "5h") == ["2"]


@pytest.mark.cites("4.8")
def test_who_calls_banco_controls_the_players_hand() -> None:
    table = set_up(BANK, ("2", "punt", 10_000), ("7", "banco", 10_000))
    play_on(table, "5h", "2c", "Kd", "Kc")

    assert holder_of(table, "5h") == ["7"]


@pytest.mark.cites("4.8")
def test_four_cards_are_dealt_face_down_in_turn_and_nobody_sees_one_before_the_last() -> None:
    table = set_up(BANK, PUNT)
    play_on(table, "5h", "2c", "Kd")

    assert all(shown_to(table, who) == [] for who in (None, *table.positions))
    to = [event.data["to"] for event in table.events if event.kind == "draw"]
    assert to == ["player", "banker", "player"]


@pytest.mark.cites("4.8", "4.9")
def test_each_card_is_seen_by_those_who_may_see_it_and_when_they_may() -> None:
    """Seat 3 only watches; the player draws to a five, and the banker chooses on three."""
    table = set_up(BANK, PUNT, ("3", "punt", 1_000))

    play = play_on(table, "5h", "3c", "Kd", "Jc")
    for who, sees in [("1", "3c Jc"), ("2", "5h Kd"), ("3", ""), (None, "")]:
        assert shown_to(table, who) == sees.split()

    for answer in ("draw", "9s"):
        play.answer(answer)
    assert shown_to(table, "1") == "3c Jc 9s 3c Jc".split()  # his own, the third, his own turned
    assert shown_to(table, "2") == "5h Kd 9s 3c Jc".split()
    assert shown_to(table, "3") == shown_to(table, None) == "9s 3c Jc".split()

    for answer in ("draw", "4s"):
        play.answer(answer)
    assert shown_to(table, "3") == shown_to(table, None) == "9s 3c Jc 4s 5h Kd".split()


@pytest.mark.cites("4.9")
@pytest.mark.parametrize(
    ("choice", "forced"),
    [
        pytest.param(["5h", "Kc", "draw", "2s"], ["4h", "Kc", "2s"], id="drew"),
        pytest.param(["5h", "Kc", "stand"], ["6h", "Kc"], id="stood"),
    ],
)
def test_the_banker_does_not_learn_whether_the_player_had_a_choice(
    choice: list[str], forced: list[str]
) -> None:
    """He knows whether the player drew and which card, and nothing of the two cards below."""
    seen = []
    for first, second, *rest in (choice, forced):
        table = set_up(BANK, BANCO, banker_tableau="free")
        play = play_on(table, first, "3c", second, "Jc", *rest)
        assert isinstance(play.request, Ask)
        assert play.request.seat == "1"
        seen.append(table.view("1")["events"])

    assert seen[0] == seen[1]


@pytest.mark.cites("4.8", "4.9")
@pytest.mark.parametrize(
    ("player", "banker"), [(8, 0), (9, 5), (8, 9), (9, 9), (0, 8), (5, 9), (7, 8), (8, 8)]
)
def test_a_natural_in_either_hand_is_shown_at_once_and_nobody_draws(
    player: int, banker: int
) -> None:
    table = set_up(BANK, PUNT)

    play = play_on(table, *hands(player, banker))

    assert isinstance(play.request, Inspect)
    shown = [event.data["hand"] for event in table.events if event.kind == "reveal"]
    assert shown == ["player", "banker"]


@pytest.mark.cites("4.8", "4.10")
def test_a_nine_beats_an_eight_and_naturals_of_one_count_tie() -> None:
    def result(player: int, banker: int) -> tuple[str, int]:
        seats = {"1": seat(bank=10_000), "2": seat(banco=10_000)}
        return deal(NAME, hands(player, banker), seats=seats).result("banco", "2")

    assert result(9, 8) == ("win", 10_000)
    assert result(8, 9) == ("lose", -10_000)
    assert result(9, 9) == result(8, 8) == ("void", 0)


@pytest.mark.cites("4.8")
def test_a_count_of_nine_on_three_cards_is_no_natural() -> None:
    """The banker's three draws to a six although the player has drawn to nine."""
    play = play_on(set_up(BANK, PUNT), *hands(3, 3, 6))

    assert isinstance(play.request, Draw)


# Additional cards, 4.9. The player's side.


def moves(found: str) -> tuple[str, ...]:
    return {"D": ("draw",), "S": ("stand",), "O": ("draw", "stand")}[found]


def offered(play: Play) -> str:
    """D, S or O: whether a card must be, may not be, or may be drawn now."""
    if isinstance(play.request, Ask):
        assert [move.name for move in play.request.moves] == ["draw", "stand"]
        assert str(play.request.cite) == "19:47-4.9 (customary)"
        return "O"
    return "D" if isinstance(play.request, Draw) else "S"


@pytest.mark.cites("4.9")
@pytest.mark.parametrize("on_5", ["yes", "no"])
@pytest.mark.parametrize("points", range(8))
def test_the_player_draws_to_four_stands_on_six_and_may_choose_on_five(
    points: int, on_5: str
) -> None:
    """A banker of seven stands, so a card that is dealt now is the player's."""
    options = GAME.options({"player_option_on_5": on_5})
    rule = ("DDDDDOSS" if on_5 == "yes" else "DDDDDDSS")[points]

    play = play_on(set_up(BANK, PUNT, player_option_on_5=on_5), *hands(points, 7))

    assert player_moves(points, options) == moves(rule)
    assert offered(play) == rule


@pytest.mark.cites("4.9")
def test_the_players_choice_on_five_decides_the_coup() -> None:
    seats = {"1": seat(bank=10_000), "2": seat("stand", banco=10_000)}
    stood = deal(NAME, hands(5, 6), seats=seats)
    drew = deal(NAME, hands(5, 6, 3), seats=seats | {"2": seat("draw", banco=10_000)})

    assert stood.result("banco", "2") == ("lose", -10_000)
    assert drew.result("banco", "2") == ("win", 10_000)
    (decided,) = drew.events("decision")
    assert (decided["seat"], decided["move"]) == ("2", "draw")
    assert cited(decided) == "4.9 (customary)"


@pytest.mark.cites("4.9")
def test_a_player_who_must_choose_must_say_so() -> None:
    refusal = refused(NAME, hands(5, 6), seats={"1": seat(bank=10_000), "2": seat(punt=10_000)})

    says(refusal, Fault.BAD_SCRIPT, "seat 2 must draw or stand", "4.9 (customary)")


@pytest.mark.cites("4.9")
def test_a_move_that_is_neither_draw_nor_stand_is_refused() -> None:
    play = play_on(set_up(BANK, PUNT), *hands(5, 6))

    for move in ("hit", "double", {"draw": 1}, None, 2):
        refusal = not_answered(play, move)
        assert refusal.fault is Fault.ILLEGAL_MOVE
        assert str(refusal.cite) == "19:47-4.9 (customary)"


@pytest.mark.cites("4.9")
@pytest.mark.parametrize(
    ("draws", "movers"),
    [
        pytest.param(hands(7, 7, 2), {"s2": ["draw"]}, id="the player draws on seven"),
        pytest.param(hands(6, 7, 2), {"s2": ["draw"]}, id="the player draws on six"),
        pytest.param(hands(4, 7, 2), {"s2": ["stand"]}, id="the player stands on four"),
        pytest.param(hands(9, 7, 2), {"s1": ["draw"]}, id="the banker draws against a natural"),
        pytest.param(hands(6, 6, 2), {"s1": ["draw"]}, id="the banker draws on six"),
        pytest.param(hands(5, 7), {"s1": ["stand"], "s2": ["stand"]}, id="on seven he must"),
        pytest.param(hands(5, 7), {"s3": ["stand"], "s2": ["stand"]}, id="a smaller punt"),
    ],
)
def test_a_move_that_was_not_his_to_make_is_refused(
    draws: list[str], movers: dict[str, list[str]]
) -> None:
    seats = {"s1": seat(bank=10_000), "s2": seat(punt=4_000), "s3": seat(punt=1_000)}
    for who, made in movers.items():
        seats[who]["moves"] = made

    refusal = not_played(coup(draws, **seats))

    assert refusal.fault is Fault.BAD_SCRIPT
    who = next(iter(movers))[1:]
    assert f"seat {who} was never asked for its move {movers['s' + who][0]!r}" in refusal.message
    assert refusal.cite is not None


# The banker's side. The tableau is copied from the rule sheet, and the other one is what the
# sheet says of it: three against a nine and five against a four draw.

COLUMNS: tuple[int | None, ...] = (None, *range(10))  # the player stood, or his third card
TABLEAU = {
    0: "D D D D D D D D D D D",
    1: "D D D D D D D D D D D",
    2: "D D D D D D D D D D D",
    3: "D D D D D D D D D S O",
    4: "D S S D D D D D D S S",
    5: "D S S S S O D D D S S",
    6: "S S S S S S S D D S S",
    7: "S S S S S S S S S S S",
}


def cell(tableau: str, points: int, third: int | None) -> str:
    if tableau == "free":
        return "O"
    found = TABLEAU[points].split()[COLUMNS.index(third)]
    return "D" if found == "O" and tableau == "tableau_forced" else found


@pytest.mark.cites("4.9")
@pytest.mark.parametrize("tableau", ["tableau_two_options", "tableau_forced", "free"])
@pytest.mark.parametrize("points", TABLEAU)
def test_the_banker_draws_stands_or_chooses_by_the_tableau(tableau: str, points: int) -> None:
    """The player draws to nothing, or stands on six; then it is the banker's turn."""
    options = GAME.options({"banker_tableau": tableau})
    for third in COLUMNS:
        rule = cell(tableau, points, third)
        dealt = hands(6, points) if third is None else hands(0, points, third)

        play = play_on(set_up(BANK, PUNT, banker_tableau=tableau), *dealt)

        assert banker_moves(points, third, options) == moves(rule), third
        assert offered(play) == rule, third
        if isinstance(play.request, Ask):
            assert play.request.seat == "1"


@pytest.mark.cites("4.9")
def test_the_tableau_leaves_the_banker_two_choices_unless_the_table_says_otherwise() -> None:
    free = [
        (points, third)
        for points, third in product(range(8), COLUMNS)
        if len(banker_moves(points, third, GAME.options())) == 2
    ]

    assert free == [(3, 9), (5, 4)]


@pytest.mark.cites("4.9", "4.10")
@pytest.mark.parametrize(
    ("dealt", "drawn", "stands", "draws"),
    [
        # The player's 0 and 9 are nine: a three loses as it stands, and ties with a six.
        (hands(0, 3, 9), 6, ("lose", -10_000), ("void", 0)),
        # The player's 2 and 4 are six: a five loses as it stands, and wins with a three.
        (hands(2, 5, 4), 3, ("lose", -10_000), ("win", 9_500)),
    ],
)
def test_in_an_optional_cell_the_banker_decides_the_coup_himself(
    dealt: list[str], drawn: int, stands: tuple[str, int], draws: tuple[str, int]
) -> None:
    def bank(move: str, *third: str) -> tuple[str, int]:
        seats = {"1": seat(move, bank=10_000), "2": seat(banco=10_000)}
        return deal(NAME, [*dealt, *third], seats=seats).result("bank")

    assert bank("stand") == stands
    assert bank("draw", WORTH[drawn]) == draws


@pytest.mark.cites("4.9")
def test_a_free_banker_may_draw_on_seven_and_stand_on_nothing() -> None:
    def bank(points: int, move: str, *third: str) -> str:
        seats = {"1": seat(move, bank=10_000), "2": seat(banco=10_000)}
        dealt = [*hands(6, points), *third]
        told = deal(NAME, dealt, seats=seats, options={"banker_tableau": "free"})
        return called(told)

    assert bank(7, "draw", "5h").startswith("Player's Hand 6, Banker's Hand 2.")
    assert bank(0, "stand").startswith("Player's Hand 6, Banker's Hand 0.")


@pytest.mark.cites("4.9")
def test_no_hand_ever_has_more_than_three_cards() -> None:
    told = deal(NAME, hands(0, 0, 0, 0), seats={"1": seat(bank=10_000), "2": seat(punt=4_000)})

    to = [event["to"] for event in told.events("draw")]
    assert to == ["player", "banker", "player", "banker", "player", "banker"]
    assert told.result("punt", "2") == ("void", 0)


# The result, 4.10.


@pytest.mark.cites("4.10")
def test_the_dealer_announces_counts_and_result() -> None:
    def said(player: int, banker: int) -> str:
        seats = {"1": seat(bank=10_000), "2": seat(punt=4_000)}
        return called(deal(NAME, hands(player, banker), seats=seats))

    assert said(7, 6) == "Player's Hand 7, Banker's Hand 6. Player's Hand wins"
    assert said(6, 7) == "Player's Hand 6, Banker's Hand 7. Banker's Hand wins"
    assert said(7, 7) == "Player's Hand 7, Banker's Hand 7. Tie: all wagers are void"


@pytest.mark.cites("4.10")
def test_when_the_player_wins_every_punt_is_paid_even_money_from_the_bank() -> None:
    told = coups(coup(PLAYER_WINS, s1=seat(bank=10_000), s2=seat(punt=4_000), s3=seat(punt=1_001)))

    assert told.result("punt", "2") == ("win", 4_000)
    assert told.result("punt", "3") == ("win", 1_001)
    assert told.result("bank", "1") == ("lose", -5_001)
    assert told.settled("punt", "2")["pays"] == "1 to 1"
    assert cited(told.settled("punt", "2")) == "4.10 (customary)"


@pytest.mark.cites("4.10")
def test_when_the_banker_wins_he_gets_every_punt_less_vigorish() -> None:
    told = coups(coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(punt=4_000), s3=seat(punt=2_000)))

    assert told.result("bank", "1") == ("win", 5_700)
    assert told.settled("bank", "1")["stake"] == 6_000
    assert told.result("punt", "2") == ("lose", -4_000)
    assert told.result("punt", "3") == ("lose", -2_000)
    (charged,) = told.events("vigorish")
    assert (charged["seat"], charged["amount"], charged["how"]) == ("1", 300, "taken")
    assert cited(charged) == "4.10 (customary)"


@pytest.mark.cites("4.10")
def test_a_tie_voids_every_wager_and_nothing_moves() -> None:
    table = after_coup(EQUAL, BANK, PUNT, ("3", "punt", 2_000))

    assert set(table.money.values()) == {0}
    assert table.state.bank == 10_000


@pytest.mark.cites("4.10")
@pytest.mark.parametrize(
    ("percent", "rounding", "won", "vigorish"),
    [
        (5, "up", 10_000, 500), (5, "exact", 10_000, 500),
        (5, "up", 1_050, 75), (5, "exact", 1_050, 53),  # $10.50: 52 and a half cents
        (5, "up", 1_000, 50), (5, "up", 1_001, 75), (5, "exact", 1_001, 51),
        (5, "up", 1_500, 75), (5, "exact", 1_020, 51),
        (0, "up", 9_999, 0), (0, "exact", 9_999, 0),
        (1, "up", 1_000, 25), (1, "exact", 1_000, 10), (1, "exact", 1_001, 11),
        (3, "up", 5_000, 150), (7, "up", 2_000, 150), (7, "exact", 2_001, 141),
        (10, "up", 1_230, 125), (10, "exact", 1_230, 123), (10, "exact", 1_231, 124),
    ],
)  # fmt: skip
def test_vigorish_is_so_many_percent_rounded_up_to_the_quarter_or_to_the_cent(
    percent: int, rounding: str, won: int, vigorish: int
) -> None:
    """Of what was covered and so won, not of the bank of $200 that was put up."""
    told = coups(
        coup(BANKER_WINS, s1=seat(bank=20_000), s2=seat(punt=won)),
        vig_percent=percent, vig_rounding=rounding,
    )  # fmt: skip

    assert told.result("bank") == ("win", won - vigorish)
    assert sum(event["amount"] for event in told.events("vigorish")) == vigorish


@pytest.mark.cites("4.10")
def test_the_vigorish_is_on_the_sum_of_what_was_won_and_rounded_once() -> None:
    """$10.20 and $10.20 cost $1.02, which is $1.25, and not two times 75 cents."""
    told = coups(coup(BANKER_WINS, s1=seat(bank=10_000), s2=seat(punt=1_020), s3=seat(punt=1_020)))

    assert told.settled("bank")["vigorish"] == 125


@pytest.mark.cites("4.10")
@pytest.mark.parametrize("draws", [PLAYER_WINS, EQUAL])
def test_there_is_no_vigorish_on_a_tie_or_on_a_loss_and_none_from_punters(draws: list[str]) -> None:
    told = coups(
        coup(draws, s1=seat(bank=10_000), s2=seat(punt=4_000)), vig_percent=10
    )  # fmt: skip

    assert told.events("vigorish") == []
    assert told.net("1") == -told.net("2")


class Session:
    """Several coups of one table, with people who do whatever is offered."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.table = Table(GAME, {option: data.draw(values) for option, values in TABLES.items()})
        self.answer = by_chance(SeededStream(data.draw(st.integers(0, 10**6))), self.decide)

    def decide(self, ask: Ask) -> Any:
        move: Move = self.data.draw(st.sampled_from(ask.moves))
        return {move.name: move.low} if move.takes_amount else move.name

    def bet(self) -> None:
        """The banker first, then whoever likes to."""
        for who in self.data.draw(st.permutations(["1", "3", "4", "8"])):
            for opening in self.table.openings(who):
                if self.data.draw(st.booleans()):
                    most = min(opening.high, 50_000)
                    amount = self.data.draw(st.integers(min(opening.low, most), most))
                    amount = max(amount, opening.low)
                    self.table.bet(who, opening.wager.id, amount)
                    break


TABLES: dict[str, st.SearchStrategy[Any]] = {
    "vig_percent": st.integers(0, 10),
    "vig_rounding": st.sampled_from(["exact", "up"]),
    "banker_tableau": st.sampled_from(["tableau_two_options", "tableau_forced", "free"]),
    "partial_withdrawal": st.sampled_from(["no", "1"]),
    "avec_la_table": st.booleans(),
    "bank_at_same_height": st.booleans(),
    "table_max": st.sampled_from([30_000, 500_000]),
}


@pytest.mark.cites("4.6", "4.7", "4.10")
@settings(max_examples=50)
@given(data=st.data())
def test_the_house_has_its_vigorish_and_the_players_have_the_rest_among_themselves(
    data: st.DataObject,
) -> None:
    session = Session(data)
    table, house = session.table, 0
    for _ in range(5):
        table.open_betting()
        session.bet()
        play_round(table, session.answer)

        options, won = table.options, [s for s in table.settlements if s.bet.wager.id == "bank"]
        unit = 25 if options.vig_rounding == "up" else 1
        for settled in won:
            if settled.result.value == "win":
                owed = Fraction(settled.stake * options.vig_percent, 100 * unit)
                house += ceil(owed) * unit
        against = [s for s in table.settlements if s.bet.wager.id != "bank"]
        if table.settlements and against:
            assert sum(s.stake for s in against) == won[0].stake
            assert sum(s.net for s in against) == -won[0].gross
        assert table.money[HOUSE] == house
        assert table.money[LAYOUT] == 0
        assert sum(table.money[who] for who in table.positions) == -house


@pytest.mark.cites("4.6", "4.11")
@settings(max_examples=40)
@given(data=st.data())
def test_a_bank_that_goes_on_is_what_it_was_and_what_it_won_and_never_above_the_maximum(
    data: st.DataObject,
) -> None:
    session = Session(data)
    table = session.table
    for _ in range(5):
        table.open_betting()
        session.bet()
        put_up = laid(table) or table.state.bank
        before = table.state
        play_round(table, session.answer)

        nets = [settled.net for settled in table.settlements if settled.bet.wager.id == "bank"]
        state, dealt = table.state, any(event.kind == "reveal" for event in table.events)
        if not dealt:
            assert state.bank in (0, before.bank)
        elif nets[0] < 0:
            assert (state.bank, state.wins) == (0, 0)
        elif state.bank:
            assert state.bank == min(put_up + nets[0], table.options.table_max)


# Continuation, 4.11.


@pytest.mark.cites("4.11")
def test_the_banker_must_give_up_the_shoe_after_a_loss() -> None:
    play = play_on(set_up(BANK, PUNT), *PLAYER_WINS, None)

    assert asked_now(play) == ("2", *SHOE_OFFERED)
    assert "The banker loses: the shoe passes" in [
        event.data["text"] for event in play.table.events if event.kind == "announce"
    ]


@pytest.mark.cites("4.11")
@pytest.mark.parametrize("draws", [BANKER_WINS, EQUAL])
def test_after_a_win_or_a_tie_the_banker_may_keep_the_shoe_or_pass_it(draws: list[str]) -> None:
    play = play_on(set_up(BANK, PUNT), *draws, None)

    assert asked_now(play) == ("1", "keep", "pass_shoe")
    assert isinstance(play.request, Ask)
    assert str(play.request.cite) == "19:47-4.11 (customary)"

    play.answer("pass_shoe")
    assert asked_now(play) == ("2", *SHOE_OFFERED)


@pytest.mark.cites("4.11")
def test_a_banker_who_must_give_up_the_shoe_cannot_keep_it() -> None:
    refusal = not_played(coup(PLAYER_WINS, s1=seat("keep", bank=10_000), s2=seat(punt=1_000)))

    says(refusal, Fault.BAD_SCRIPT, "seat 1 was never asked for its move 'keep'",
         "4.1 (customary)")  # fmt: skip


@pytest.mark.cites("4.11")
@pytest.mark.parametrize(
    ("answers", "holder"),
    [(["accept"], "6"), (["decline", "accept"], "8"), (["decline", "decline", "accept"], "3"),
     (["decline", "decline", "decline"], None)],
)  # fmt: skip
def test_the_shoe_is_offered_to_the_right_until_somebody_accepts(
    answers: list[str], holder: str | None
) -> None:
    bets = [("5", "bank", 10_000), *((who, "punt", 1_000) for who in "368")]

    table = after_coup(PLAYER_WINS, *bets, moves=answers)

    assert table.state.banker == holder
    assert table.state.bank == 0


@pytest.mark.cites("4.11")
@pytest.mark.parametrize("banker_wins", [True, False])
def test_a_participant_whose_wager_was_refused_is_offered_the_shoe_in_his_turn(
    banker_wins: bool,
) -> None:
    """Seat 2 sits next to the banker; that seat 5 took the whole bank does not change it."""
    table = set_up(BANK, ("2", "punt", 4_000), ("5", "banco", 10_000))
    draws = BANKER_WINS if banker_wins else PLAYER_WINS

    play = play_on(table, *draws, None, *(["pass_shoe"] if banker_wins else []))

    assert asked_now(play) == ("2", *SHOE_OFFERED)


@pytest.mark.cites("4.5", "4.11")
def test_the_next_banker_begins_with_a_bank_of_his_own() -> None:
    told = coups(
        coup(PLAYER_WINS, s1=seat(bank=10_000), s2=seat(punt=1_000)),
        coup(BANKER_WINS, s2=seat(bank=2_000), s1=seat(banco=2_000)),
        coup(EQUAL, s1=seat(punt=1_000)),
    )

    assert [told.said(n)[0] for n in range(3)] == [
        "Seat 1 has the bank: $100",
        "Seat 2 has the bank: $20",
        "Seat 2 has the bank: $39",
    ]


@pytest.mark.cites("4.10", "4.11")
def test_after_a_tie_the_same_bank_goes_on_and_punts_may_be_changed() -> None:
    told = coups(
        coup(EQUAL, s1=seat(bank=10_000), s2=seat(punt=4_000)),
        coup(BANKER_WINS, s3=seat(punt=1_000)),
    )

    assert told.said(1)[0] == "Seat 1 has the bank: $100"
    assert told.result("bank", "1") == ("win", 950)


@pytest.mark.cites("4.11")
def test_a_passed_bank_may_first_be_offered_to_whoever_puts_up_the_same() -> None:
    told = coups(
        coup(BANKER_WINS, s1=seat("pass_shoe", bank=10_000), s2=seat(punt=4_000),
             s4=seat("take_bank", punt=6_000)),
        coup(EQUAL, s1=seat(banco=19_500)),
        bank_at_same_height="yes",
    )  # fmt: skip

    taken = told.events("decision", 0)[-1]
    assert (taken["seat"], taken["move"]) == ("4", "take_bank")
    assert "$195" in taken["question"]
    assert cited(taken) == "4.11 (customary)"
    assert told.said(1)[0] == "Seat 4 has the bank: $195"


@pytest.mark.cites("4.11")
def test_if_nobody_takes_it_at_that_height_the_shoe_is_offered_with_a_new_bank() -> None:
    play = play_on(
        set_up(BANK, PUNT, ("3", "punt", 1_000), bank_at_same_height="yes"),
        *BANKER_WINS, None, "pass_shoe",
    )  # fmt: skip
    asked = []
    while isinstance(play.request, Ask):
        asked.append(asked_now(play))
        play.answer("decline")

    height, shoe = ("decline", "take_bank"), SHOE_OFFERED
    assert asked == [("2", *height), ("3", *height), ("2", *shoe), ("3", *shoe)]
    assert (play.table.state.banker, play.table.state.bank) == (None, 0)


@pytest.mark.cites("4.11")
@pytest.mark.parametrize("options", [{}, {"bank_at_same_height": "yes"}])
def test_a_bank_that_was_lost_is_not_offered_at_the_same_height(options: Options) -> None:
    play = play_on(set_up(BANK, PUNT, **options), *PLAYER_WINS, None)

    assert asked_now(play) == ("2", *SHOE_OFFERED)


@pytest.mark.cites("4.11")
def test_without_the_option_a_passed_bank_is_not_offered_at_the_same_height() -> None:
    refusal = not_played(
        coup(BANKER_WINS, s1=seat("pass_shoe", bank=10_000), s2=seat("take_bank", punt=4_000))
    )

    assert "seat 2 was never asked for its move 'take_bank'" in refusal.message


@pytest.mark.cites("4.11", "4.12")
@pytest.mark.parametrize("draws", [BANKER_WINS, EQUAL, PLAYER_WINS])
@pytest.mark.parametrize("at", [1, 4, 5])
def test_a_banker_who_delays_the_game_loses_the_shoe_after_the_coup(
    draws: list[str], at: int
) -> None:
    told = coups(
        coup(draws, (at, "shoe_taken"), s1=seat(bank=10_000), s2=seat(banco=10_000)),
        coup(EQUAL, s2=seat(bank=3_000), s1=seat(punt=1_000)),
        coup(EQUAL, s1=seat(punt=1_000)),
    )

    assert "The shoe is taken from the banker: the shoe passes" in told.said(0)
    assert told.result("bank", "1", 0)[0] in ("win", "void", "lose")
    (event,) = told.events("irregularity", 0)
    assert cited(event) == "4.11 (customary)"
    assert told.said(1)[0] == "Seat 2 has the bank: $30"
    assert told.said(2)[0] == "Seat 2 has the bank: $30"  # and it is not taken from him


# Opening, shuffle, cut and burn, 4.3 and 4.4.


@pytest.mark.cites("4.3", "4.4")
def test_a_table_opens_with_the_cards_shown_shuffled_cut_and_burnt() -> None:
    table = Table(GAME)
    for bet in (BANK, PUNT):
        table.bet(*bet)

    play_on(table, "decline", "decline", "Ah", "Kh")

    steps = [(event.data["text"], str(event.cite)) for event in table.events
             if event.kind == "step"]  # fmt: skip
    assert [cite.removeprefix("19:47-4.") for _, cite in steps] == [
        *["3 (customary)"] * 3, *["4 (customary)"] * 5
    ]  # fmt: skip
    assert [text for text, _ in steps][3:] == [
        "The cards are shuffled",
        "About one deck is laced evenly through the rest",
        "The dealer cuts the cards",
        "A cutting card goes 14 cards from the back, one to the end",
        "2 cards are burnt",
    ]


@pytest.mark.cites("4.4")
@pytest.mark.parametrize(
    ("card", "burnt"), [("Ah", 2), ("2h", 3), ("5c", 6), ("9s", 10), ("Th", 11), ("Jd", 11),
                        ("Kh", 11)],
)  # fmt: skip
def test_the_first_card_and_as_many_more_as_it_counts_are_burnt_in_view(
    card: str, burnt: int
) -> None:
    rest = ["3c", "4c", "6c", "7c", "8c", "3d", "4d", "6d", "7d", "8d"][: burnt - 1]
    first = coup([card, *rest, *BANKER_WINS], s1=seat(bank=10_000), s2=seat(punt=1_000))

    told = coups(first | {"shuffle": True})

    shown = [event["outcome"] for event in told.events("draw") if event["to"] == "burn"]
    assert shown == [card, *rest]
    assert told.result("punt", "2") == ("lose", -1_000)


@pytest.mark.cites("4.4")
def test_burnt_cards_lie_in_the_discards_and_none_is_lost() -> None:
    table = Table(GAME)
    for bet in (BANK, PUNT):
        table.bet(*bet)
    play_on(table, "decline", "decline", "3h", "Kc", "Kd", "Ks")

    shoe = table.equipment
    assert Counter(map(str, shoe.discard_rack)) == Counter(["3h", "Kc", "Kd", "Ks"])
    assert Counter(shoe.everywhere) == Counter(shoe.composition)


@pytest.mark.cites("4.4")
def test_the_cut_is_offered_from_the_highest_seat_clockwise_until_somebody_takes_it() -> None:
    table = Table(GAME)
    for who in ("4", "7", "2"):
        table.bet(who, *(("bank", 10_000) if who == "4" else ("punt", 1_000)))

    play, asked = Play(table), []
    while isinstance(play.request, Ask):
        asked.append(play.request.seat)
        play.answer("decline" if len(asked) < 3 else {"cut": 100})

    assert asked == ["7", "4", "2"]
    assert "The dealer cuts the cards" not in [event.data.get("text") for event in table.events]


@pytest.mark.cites("4.4")
def test_a_cut_leaves_at_least_ten_cards_at_either_end() -> None:
    for depth in (10, 156, 302):
        table = Table(GAME)
        table.bet(*BANK)
        play_on(table, {"cut": depth})
    table = Table(GAME)
    table.bet(*BANK)
    play = Play(table)
    for depth in (9, 303):
        refusal = not_answered(play, {"cut": depth})
        assert refusal.fault is Fault.ILLEGAL_MOVE
        assert str(refusal.cite) == "19:47-4.4 (customary)"


@pytest.mark.cites("4.4")
@pytest.mark.parametrize(("recut_by", "asked"), [("last_cutter", "2"), ("next_person", "1")])
def test_given_an_improper_cut_then_the_cards_are_cut_again(recut_by: str, asked: str) -> None:
    table = Table(GAME, {"recut_by": recut_by})
    for bet in (BANK, PUNT):
        table.bet(*bet)

    play = play_on(table, {"cut": 50}, {"irregularity": "improper_cut"})

    assert asked_now(play) == (asked, "decline", "cut")


@pytest.mark.cites("4.4")
def test_a_cut_cannot_be_found_improper_once_a_card_has_left_the_shoe() -> None:
    table = Table(GAME)
    for bet in (BANK, PUNT):
        table.bet(*bet)
    play = play_on(table, "decline", "decline", "Ah")

    says(not_answered(play, {"irregularity": "improper_cut"}), Fault.NOT_NOW,
         "cards have been dealt since the cut", "4.4 (customary)")  # fmt: skip


def leave(table: Table, cards: Iterable[str]) -> None:
    """Everything but these cards has been dealt before."""
    stay, shoe = Counter(cards), table.equipment
    for card in shoe.stub:
        if stay[str(card)]:
            stay[str(card)] -= 1
        else:
            shoe.take(card)
            shoe.discard([card])
    assert not +stay


@pytest.mark.cites("4.4", "4.8")
@pytest.mark.parametrize(
    ("over", "announced"),
    [
        pytest.param(5, [False, True, False], id="it comes out in the second coup"),
        pytest.param(4, [True, False], id="it is next when the first coup is over"),
        pytest.param(1, [True, False], id="it comes out in the first coup"),
    ],
)
def test_after_the_cut_card_one_more_coup_is_dealt_and_then_the_cards_are_shuffled(
    over: int, announced: list[bool]
) -> None:
    """So many cards lie before the cut card, and fourteen behind it; each coup takes four."""
    table = set_up(BANK, PUNT)
    leave(table, [*EQUAL * 3, *["2s", "3s", "4s", "5s", "6s", "7s", "9s"][: over + 14 - 12]])
    for last in announced:
        assert not table.state.shuffle_due
        table.bet(*PUNT)
        play_round(table, scripted(EQUAL))
        said = [event.data["text"] for event in table.events if event.kind == "announce"]
        assert ("Last hand" in said) == last
        table.open_betting()

    assert table.state.shuffle_due
    assert isinstance(Play(table).request, Ask | Draw)
    assert len(table.equipment.stub) == 312


@pytest.mark.cites("4.4", "4.5")
def test_at_a_reshuffle_the_cut_is_offered_first_to_the_one_who_last_had_the_shoe() -> None:
    """As at punto banco; then clockwise, from seat 4 down to 2 and round to 7."""
    table = after_coup(EQUAL, ("4", "bank", 10_000), ("7", "punt", 1_000))
    table.state = GAME.due_for_shuffle(table.state)
    for who in "27":
        table.bet(who, "punt", 1_000)

    play, asked = Play(table), []
    while isinstance(play.request, Ask):
        asked.append(play.request.seat)
        play.answer("decline")

    assert asked == ["4", "2", "7"]


# Irregularities, 4.12.


def told_of(event: Mapping[str, Any]) -> tuple[str, str]:
    return event["resolution"], cited(event)


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("at", [1, 3, 4])
def test_given_a_card_face_up_in_the_shoe_then_it_is_discarded_and_the_next_is_dealt(
    at: int,
) -> None:
    """One card and no more: the law of minibaccarat would take as many more as it counts."""
    draws = [*BANKER_WINS[: at - 1], "6c", *BANKER_WINS[at - 1 :]]

    told = coups(coup(draws, (at, "card_face_up"), s1=seat(bank=10_000), s2=seat(punt=1_000)))

    assert called(told).startswith("Player's Hand 7, Banker's Hand 9")
    assert [event["to"] for event in told.events("draw")].count("discards") == 1
    (event,) = told.events("irregularity")
    assert told_of(event) == ("It is not used, and is discarded", "4.12 (customary)")


ERROR, ERROR_SHOWN = "third_card_in_error", "third_card_in_error_disclosed"


@pytest.mark.cites("4.12")
def test_given_a_card_dealt_to_a_player_who_stood_then_it_is_the_third_of_a_banker_who_draws() -> (
    None
):
    told = coups(
        coup(hands(6, 5, 4), (5, ERROR), s1=seat(bank=10_000), s2=seat(punt=1_000)),
    )

    assert called(told).startswith("Player's Hand 6, Banker's Hand 9")


@pytest.mark.cites("4.12")
def test_given_a_card_dealt_to_a_player_who_stood_then_it_begins_the_next_coup_if_none_is_due() -> (
    None
):
    """The banker stands on six; the ace that came out is the player's first card."""
    told = coups(
        coup(hands(6, 6, 1), (5, ERROR), s1=seat(bank=10_000), s2=seat(punt=1_000)),
        coup(["9h", "7c", "Kd"], s2=seat(punt=1_000)),
    )

    assert called(told, 0).startswith("Player's Hand 6, Banker's Hand 6")
    assert called(told, 1).startswith("Player's Hand 8, Banker's Hand 9")
    (waited,) = told.events("set_aside", 1)
    assert (waited["to"], waited["face_down"]) == ("player", True)


@pytest.mark.cites("4.12")
def test_a_card_that_waits_for_the_next_coup_is_seen_by_nobody_before_it_is_looked_at() -> None:
    table = set_up(BANK, PUNT)
    play_on(table, *hands(6, 6), {"irregularity": ERROR}, "Ac", None, "keep")

    assert "Ac" not in shown_to(table, "1") + shown_to(table, "2") + shown_to(table, None)
    assert [str(card) for card in table.equipment.on_layout] == ["Ac"]

    table.open_betting()
    table.bet(*PUNT)
    play_on(table, "9h", "7c", "Kd")
    assert holder_of(table, "Ac") == [*table.positions]  # a natural, and all is shown


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("kind", [ERROR_SHOWN, "card_drawn_in_error_disclosed"])
def test_given_a_card_in_error_that_was_exposed_then_it_is_discarded(kind: str) -> None:
    told = coups(
        coup(hands(6, 6, 1), (5, kind), s1=seat(bank=10_000), s2=seat(punt=1_000)),
        coup(EQUAL, s2=seat(punt=1_000)),
    )

    assert told.events("draw", 0)[-1]["to"] == "discards"
    assert told.events("draw", 0)[-1]["outcome"] == "Ah"
    assert called(told, 0).startswith("Player's Hand 6, Banker's Hand 6")
    assert called(told, 1).startswith("Player's Hand 8, Banker's Hand 8")


@pytest.mark.cites("4.12")
def test_an_exposed_card_is_not_for_a_banker_who_draws() -> None:
    """Exposed, it is discarded; the banker's five draws the next one."""
    told = coups(
        coup(hands(6, 5, 4, 2), (5, ERROR_SHOWN), s1=seat(bank=10_000), s2=seat(punt=1_000)),
    )

    assert called(told).startswith("Player's Hand 6, Banker's Hand 7")


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("kind", [ERROR, ERROR_SHOWN])
@pytest.mark.parametrize(
    ("draws", "answers"),
    [
        pytest.param([], [], id="before the first card"),
        pytest.param(hands(0, 0)[:3], [], id="before the fourth card"),
        pytest.param(hands(0, 0), [], id="a card is due to the player"),
        pytest.param(hands(5, 0), ["draw"], id="he has chosen to draw"),
        pytest.param(hands(0, 0, 0), [], id="the player has drawn"),
        pytest.param(hands(9, 0), [], id="a natural"),
    ],
)
def test_only_a_player_who_stood_can_be_dealt_a_third_card_in_error(
    kind: str, draws: list[str], answers: list[str]
) -> None:
    play = play_on(set_up(BANK, PUNT), *draws, *answers)

    says(not_answered(play, {"irregularity": kind}), Fault.NOT_NOW, "the player has not stood",
         "4.12 (customary)")  # fmt: skip


@pytest.mark.cites("4.12")
def test_that_the_player_of_a_void_coup_stood_does_not_count_for_the_next_coup() -> None:
    table = set_up(BANK, PUNT)
    leave(table, hands(6, 0))
    play_on(table, *hands(6, 0))
    assert table.is_void

    table.open_betting()
    for bet in (BANK, PUNT):
        if table.refusal(*bet) is None:
            table.bet(*bet)
    play = play_on(table, "decline", "decline", "Ah", "Kh")

    assert isinstance(play.request, Draw)
    assert not_answered(play, {"irregularity": ERROR}).fault is Fault.NOT_NOW


@pytest.mark.cites("4.12")
def test_given_a_card_drawn_in_error_unseen_then_it_begins_the_next_coup() -> None:
    told = coups(
        coup(["7h", "Ac", "9h", "Kd", "Kd"], (2, "card_drawn_in_error"), s1=seat(bank=10_000),
             s2=seat(punt=1_000)),
        coup(["9h", "7c", "Kd"], s2=seat(punt=1_000)),
    )  # fmt: skip

    assert called(told, 0).startswith("Player's Hand 7, Banker's Hand 9")
    assert called(told, 1).startswith("Player's Hand 8, Banker's Hand 9")
    (event,) = told.events("irregularity", 0)
    assert told_of(event) == ("It is the first card of the next coup", "4.12 (customary)")


@pytest.mark.cites("4.12")
def test_given_a_move_against_the_rules_then_the_dealer_enforces_the_right_one() -> None:
    """The player would stand on four: the fifth card is his all the same."""
    told = coups(
        coup(hands(4, 7, 5), (5, "forced_move_refused"), s1=seat(bank=10_000),
             s2=seat(punt=1_000)),
    )  # fmt: skip

    (event,) = told.events("irregularity")
    assert told_of(event) == (
        "The dealer enforces the move that the rules prescribe", "4.12 (customary)",
    )  # fmt: skip
    assert told.result("punt", "2") == ("win", 1_000)


@pytest.mark.cites("4.12")
def test_given_a_move_against_the_rules_found_after_the_banker_drew_then_the_rules_count() -> None:
    told = coups(
        coup(hands(7, 5, 3), (6, "forced_move_refused"), s1=seat(bank=10_000),
             s2=seat(punt=1_000)),
    )  # fmt: skip

    assert called(told).startswith("Player's Hand 7, Banker's Hand 8")
    assert told.result("punt", "2") == ("lose", -1_000)


@pytest.mark.cites("4.12")
@pytest.mark.parametrize(
    "draws",
    [
        pytest.param(hands(0, 0)[:3], id="before both hands lie"),
        pytest.param(hands(8, 0), id="a natural has no move"),
        pytest.param([*hands(5, 7), "stand"], id="on five either move is right"),
    ],
)
def test_no_move_can_be_against_the_rules_where_there_is_none(draws: list[str]) -> None:
    play = play_on(set_up(BANK, PUNT), *draws)

    refusal = not_answered(play, {"irregularity": "forced_move_refused"})

    assert refusal.fault is Fault.NOT_NOW
    assert str(refusal.cite) == "19:47-4.12 (customary)"


@pytest.mark.cites("4.12")
@pytest.mark.parametrize(("player", "banker", "net"), [(8, 7, 1_000), (5, 9, -1_000)])
def test_given_a_natural_that_its_holder_does_not_declare_then_its_count_decides(
    player: int, banker: int, net: int
) -> None:
    told = coups(
        coup(hands(player, banker), (5, "natural_not_declared"), s1=seat(bank=10_000),
             s2=seat(punt=1_000)),
    )  # fmt: skip

    assert told.net("2") == net
    (event,) = told.events("irregularity")
    assert told_of(event) == (
        "The hand is settled by its count, and third cards are withdrawn", "4.12 (customary)",
    )  # fmt: skip


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("draws", [[], hands(8, 0)[:3], hands(0, 0), hands(0, 6, 8)])
def test_without_a_natural_there_is_none_to_declare(draws: list[str]) -> None:
    play = play_on(set_up(BANK, PUNT), *draws)

    says(not_answered(play, {"irregularity": "natural_not_declared"}), Fault.NOT_NOW,
         "neither hand is a natural", "4.12 (customary)")  # fmt: skip


@pytest.mark.cites("4.12")
def test_given_a_shoe_that_runs_out_then_the_coup_is_void_and_the_cards_are_shuffled() -> None:
    table = set_up(BANK, PUNT)
    leave(table, hands(0, 0))

    play = play_on(table, *hands(0, 0))

    assert play.request is None
    assert table.is_void
    assert set(table.money.values()) == {0}
    assert table.state.shuffle_due
    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert event.data["resolution"] == "The coup is void, and wagers are returned"
    assert str(event.cite) == "19:47-4.12 (customary)"


@pytest.mark.cites("4.12")
def test_a_coup_can_be_called_void_for_want_of_cards_and_every_wager_is_returned() -> None:
    told = coups(coup(BANKER_WINS, (4, "too_few_cards"), s1=seat(bank=10_000), s2=seat(punt=1_000)))

    assert told.rounds[0]["void"]
    assert told.document["net"] == {"1": 0, "2": 0}


@pytest.mark.cites("4.7", "4.12")
def test_given_punts_above_the_bank_then_the_last_punters_excess_is_refused_first() -> None:
    told = coups(
        coup(PLAYER_WINS, (1, "punts_exceed_bank"), s1=seat(bank=10_000), s2=seat(punt=7_000),
             s3=seat(punt=5_000), s4=seat(punt=2_000)),
    )  # fmt: skip

    assert told.document["net"] == {"1": -10_000, "2": 7_000, "3": 3_000, "4": 0}
    (event,) = told.events("irregularity")
    assert told_of(event) == (
        "The excess is refused, the last punter's first", "4.12 (customary)",
    )  # fmt: skip


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("at", [2, 3, 4])
def test_given_cards_dealt_in_the_wrong_order_then_they_go_to_the_hands_as_they_were_drawn(
    at: int,
) -> None:
    told = coups(
        coup(BANKER_WINS, (at, "wrong_deal_order"), s1=seat(bank=10_000), s2=seat(punt=1_000))
    )

    assert [event["to"] for event in told.events("draw")] == ["player", "banker"] * 2
    assert told.result("punt", "2") == ("lose", -1_000)
    (event,) = told.events("irregularity")
    assert cited(event) == "4.12 (customary)"


@pytest.mark.cites("4.12")
@pytest.mark.parametrize("draws", [hands(0, 0), hands(9, 0), hands(7, 7)])
def test_once_cards_have_been_looked_at_their_order_stays(draws: list[str]) -> None:
    play = play_on(set_up(BANK, PUNT), *draws)

    says(not_answered(play, {"irregularity": "wrong_deal_order"}), Fault.NOT_NOW,
         "cards have been looked at", "4.12 (customary)")  # fmt: skip


@pytest.mark.cites("4.12")
def test_the_irregularities_are_those_of_the_rules() -> None:
    assert sorted(GAME.irregularities) == sorted([
        "card_face_up", ERROR, ERROR_SHOWN, "card_drawn_in_error",
        "card_drawn_in_error_disclosed", "forced_move_refused", "natural_not_declared",
        "too_few_cards", "punts_exceed_bank", "wrong_deal_order", "shoe_taken", "improper_cut",
    ])  # fmt: skip


@pytest.mark.cites("4.10", "4.12")
@settings(max_examples=30)
@given(data=st.data())
def test_no_card_is_ever_lost_whatever_goes_wrong(data: st.DataObject) -> None:
    session = Session(data)
    for _ in range(3):
        session.table.open_betting()
        session.bet()
        play, mishaps = Play(session.table), 0
        while play.request is not None:
            known = getattr(play.request, "irregularities", {})
            kinds = [kind for kind in known if kind not in getattr(play.request, "barred", {})]
            if kinds and mishaps < 3 and data.draw(st.booleans()):
                play.answer({"irregularity": data.draw(st.sampled_from(kinds))})
                mishaps += 1
            else:
                play.answer(session.answer(play.request))
        shoe = session.table.equipment
        assert Counter(shoe.everywhere) == Counter(shoe.composition)
        assert session.table.money[LAYOUT] == 0


@pytest.mark.cites("4.11")
def test_the_shoe_is_for_whoever_accepted_it_and_not_for_the_banker_who_lost() -> None:
    lost = coup(PLAYER_WINS, s1=seat(bank=10_000), s2=seat(punt=1_000), s3=seat(punt=1_000))
    for other in ("s1", "s3"):
        refusal = not_played(lost, coup(PLAYER_WINS, **{other: seat(bank=10_000)}))
        says(refusal, Fault.NOT_NOW, "seat 2 has the bank", "4.5 (customary)")

    told = coups(lost, coup(PLAYER_WINS, s2=seat(bank=10_000), s1=seat(punt=1_000)))
    assert told.settled("bank", "2")["result"] == "lose"


@pytest.mark.cites("4.11")
def test_a_shoe_that_its_holder_does_not_use_is_free_to_all() -> None:
    lost = coup(PLAYER_WINS, s1=seat(bank=10_000), s2=seat(punt=1_000))
    told = coups(lost, coup([]), coup(PLAYER_WINS, s1=seat(bank=10_000), s2=seat(punt=1_000)))

    assert told.said(1) == ["Nobody takes the bank"]
    assert told.settled("bank", "1")["result"] == "lose"


@pytest.mark.cites("4.11")
def test_a_participant_who_did_not_wager_may_take_the_bank_at_the_same_height() -> None:
    passed = coup(
        BANKER_WINS, s1=seat("pass_shoe", bank=10_000), s2=seat("decline", punt=10_000),
        s3=seat("take_bank"),
    )  # fmt: skip
    told = coups(passed, coup(PLAYER_WINS, s2=seat(punt=1_000)), bank_at_same_height="yes")

    assert told.said(1)[0] == "Seat 3 has the bank: $195"
