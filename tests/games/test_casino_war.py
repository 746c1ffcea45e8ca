"""Casino war, N.J.A.C. 19:47-22: one card each, and a tie is surrendered or goes to war.

The documents list no sections of the subchapter, so no test here cites one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import (
    LAYOUT,
    Ask,
    Draw,
    Fault,
    Inspect,
    Play,
    Refusal,
    Table,
)
from tests.support import (
    Told,
    cited,
    deal,
    not_answered,
    refused,
    run,
    says,
    turned_away,
    unlawful,
)

WAR = find_game("casino-war")

RANKS = "23456789TJQKA"
DEFINED = "22 (after Mass. Rules of Casino War)"
SHOE_ERRORS = "22 (after S.D. 20:18:15:28)"
TERMS, CUSTOM = "22 (published)", "22 (customary)"
TIE = "9h 9d"
BURN = "2c 3c 4c"
BONUS, NO_BONUS = {"war_tie_bonus": "equal_to_initial"}, {"war_tie_bonus": "none"}
TIE_ON_WAR = {"tie_on_war": "on"}


def at_war(player: str, dealer: str) -> str:
    """The cards of a tie and of the war that follows, with what is burnt."""
    return f"{TIE} {BURN} {player} {BURN} {dealer}"


def dealt(cards: str, *moves: Any, tie: int = 0, **others: Any) -> Told:
    """Ten dollars of seat 1 against these cards: `dealt("9h 9d", "surrender")`."""
    wagers = {"initial": 1000, **({"tie": tie} if tie else {})}
    return deal("casino-war", cards.split(), wagers, moves=moves, **others)


def cannot(cards: str, *moves: Any, tie: int = 0, **others: Any) -> Refusal:
    wagers = {"initial": 1000, **({"tie": tie} if tie else {})}
    return refused("casino-war", cards.split(), wagers, moves=moves, **others)


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def in_play(options: Mapping[str, Any] | None = None, seats: str = "1", stake: int = 1000) -> Table:
    """A table in the middle of its shoe, with initial wagers at these seats."""
    table = Table(WAR, options)
    table.state = WAR.in_play(table.state)
    for seat in seats:
        table.bet(seat, "initial", stake)
    return table


def answered(table: Table, *answers: Any) -> Play:
    play = Play(table)
    for answer in answers:
        play.answer(answer)
    return play


def leave(table: Table, wanted: Sequence[str] | int) -> None:
    """Only these cards, or so many, are left in the shoe; the others lie in the discard rack."""
    shoe = table.equipment
    kept = Counter(wanted if not isinstance(wanted, int) else map(str, shoe.stub[:wanted]))
    for card in shoe.stub:
        if kept[str(card)]:
            kept[str(card)] -= 1
        else:
            shoe.take(card)
            shoe.discard([card])


def done(table: Table) -> list[tuple[str, str]]:
    """The steps of this round so far, with their rules."""
    found = [event for event in table.events if event.kind == "step"]
    return [(each.data["text"], str(each.cite).removeprefix("19:47-")) for each in found]


def places(told: Told) -> list[str]:
    """Where the cards went, one after another."""
    return [card["to"] for card in told.events("draw")]


def money(told: Told, kind: str) -> list[tuple[str, str, int]]:
    return [(event["seat"], event["wager"], event["amount"]) for event in told.events(kind)]


# The cards and the positions.


def test_the_higher_card_wins_and_the_ace_is_high() -> None:
    for (player, mine), (dealer, theirs) in product(enumerate(RANKS), repeat=2):
        table = in_play()
        answered(table, f"{mine}h", f"{theirs}d", None)

        if player == dealer:
            assert table.money[LAYOUT] == 1000
        else:
            assert table.money["1"] == (1000 if player > dealer else -1000)


def test_suits_do_not_matter() -> None:
    assert {dealt(f"9{a} 9{b}", "surrender").net() for a, b in product("cdhs", repeat=2)} == {-500}


@pytest.mark.parametrize("decks", [6, 7, 8, "6"])
def test_the_shoe_holds_six_seven_or_eight_decks(decks: Any) -> None:
    shoe = Table(WAR, {"decks": decks}).equipment
    deck = [rank + suit for rank, suit in product(RANKS, "cdhs")]

    assert Counter(map(str, shoe.composition)) == Counter(deck * int(decks))


@pytest.mark.parametrize("decks", [0, 1, 5, 9, "six", 6.5])
def test_any_other_number_of_decks_is_unlawful(decks: Any) -> None:
    assert unlawful("casino-war", {"decks": decks}) == [("decks", DEFINED)]


def test_a_table_has_no_more_than_nine_positions() -> None:
    table = Table(WAR)

    assert table.positions == list("123456789")
    refusal = turned_away(table, "initial", seat="10")
    says(refusal, Fault.UNKNOWN_SEAT, "there is no seat '10' here", DEFINED)


@pytest.mark.parametrize(
    ("option", "cite"),
    [
        ("war_tie_bonus", TERMS), ("tie_on_war", DEFINED), ("war_burn", TERMS),
        ("positions_per_player", CUSTOM), ("shuffle", CUSTOM), ("tie_odds", TERMS),
    ],
)  # fmt: skip
def test_an_option_takes_only_its_own_values(option: str, cite: str) -> None:
    assert unlawful("casino-war", {option: "otherwise"}) == [(option, cite)]


# The wagers.


def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    assert [wager.id for wager in WAR.wagers] == ["initial", "tie", "war", "tie_war"]
    refusal = turned_away(Table(WAR), "pair")
    says(refusal, Fault.UNKNOWN_WAGER, "casino war has no wager 'pair'", DEFINED)


@pytest.mark.parametrize(
    ("cards", "result"), [("Kh 9d", ("win", 1000)), ("2h 3d", ("lose", -1000))]
)
def test_a_higher_card_wins_even_money_and_a_lower_one_loses(
    cards: str, result: tuple[str, int]
) -> None:
    told = dealt(cards)

    assert told.result("initial") == result
    assert told.events("decision") == []


@pytest.mark.parametrize(
    ("cards", "moves", "result"),
    [
        (TIE, ["surrender"], ("win", 10_000)),
        (at_war("2h", "Kd"), ["go_to_war"], ("win", 10_000)),
        ("Kh 9d", [], ("lose", -1000)),
        ("2h 9d", [], ("lose", -1000)),
    ],
)
def test_a_tie_wager_pays_10_to_1_on_a_tie_whatever_comes_of_it(
    cards: str, moves: Sequence[str], result: tuple[str, int]
) -> None:
    assert dealt(cards, *moves, tie=1000).result("tie") == result


def test_a_table_may_pay_a_tie_better_but_not_worse() -> None:
    better = dealt(TIE, "surrender", tie=1000, options={"tie_odds": "11 to 1"})

    assert better.result("tie") == ("win", 11_000)
    assert unlawful("casino-war", {"tie_odds": "9 to 1"}) == [("tie_odds", TERMS)]


def test_a_table_may_pay_the_other_wagers_better_but_not_worse() -> None:
    better = {"higher_odds": {"initial": "11 to 10"}}

    assert dealt("Kh 9d", options=better).result("initial") == ("win", 1100)
    for worse in ({"initial": "9 to 10"}, {"war.win": "1 to 2"}, {"war.second_tie": "1 to 1"}):
        assert unlawful("casino-war", {"higher_odds": worse}) == [("higher_odds", TERMS)]


def test_a_tie_wager_needs_an_initial_wager_at_the_position() -> None:
    table = Table(WAR)
    table.bet("2", "initial", 1000)
    words = "tie is made together with the initial wager"

    says(turned_away(table, "tie"), Fault.NO_SUPPORT, words, DEFINED)
    says(refused("casino-war", ["Kh", "9d"], {"tie": 1000}), Fault.NO_SUPPORT, words, DEFINED)


def test_the_initial_wager_stays_while_a_tie_wager_rests_on_it() -> None:
    table = Table(WAR)
    table.bet("1", "initial", 2000)
    table.bet("1", "tie", 1000)

    words = "initial may not be taken down: tie rests on it"
    says(turned_away(table, "initial", 0), Fault.NOT_NOW, words, DEFINED)
    table.bet("1", "initial", 1000)
    table.bet("1", "tie", 0)
    table.bet("1", "initial", 0)
    assert table.bets == {}


def test_a_script_may_name_the_wagers_in_any_order() -> None:
    wagers = {"tie": 1000, "initial": 1000}
    rounds = [
        {"draws": ["Kh", "9d"], "seats": {"1": {"wagers": wagers}}},
        {"draws": TIE.split(), "seats": {"1": {"wagers": wagers, "moves": ["surrender"]}}},
    ]

    assert run({"game": "casino-war", "rounds": rounds}).net() == 1000 - 1000 + 10_000 - 500


@pytest.mark.parametrize("label", ["war", "tie_war"])
def test_a_wager_on_the_war_is_not_made_before_the_cards(label: str) -> None:
    table = Table(WAR, TIE_ON_WAR)
    table.bet("1", "initial", 1000)

    says(turned_away(table, label), Fault.NOT_NOW, "made after a tie hand", DEFINED)


def test_no_wager_is_made_after_no_more_bets() -> None:
    table = in_play()
    answered(table, "9h")

    for label in ("initial", "tie"):
        says(turned_away(table, label, 2000), Fault.NO_MORE_BETS, "No more bets", DEFINED)


def test_posted_limits_hold() -> None:
    table = Table(WAR, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "initial", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "initial", 5001).fault is Fault.ABOVE_MAXIMUM


# A tie: surrender, or war.


def test_who_surrenders_loses_half_of_the_initial_wager() -> None:
    told = dealt(TIE, "surrender")

    assert told.result("initial") == ("surrender", -500)
    (collected,) = told.events("collect")
    assert (collected["amount"], collected["returned"]) == (500, 500)
    assert cited(collected) == TERMS
    assert len(told.events("draw")) == 2


@pytest.mark.parametrize(("stake", "lost"), [(1001, 500), (1003, 501), (4999, 2499)])
def test_who_surrenders_an_odd_amount_gets_the_odd_cent(stake: int, lost: int) -> None:
    told = deal("casino-war", TIE.split(), {"initial": stake}, moves=["surrender"])

    assert told.result("initial") == ("surrender", -lost)


def test_who_goes_to_war_stakes_as_much_again() -> None:
    for stake in (1000, 1001, 77_777):
        told = deal("casino-war", at_war("Kh", "Qd").split(), {"initial": stake},
                    moves=["go_to_war"])  # fmt: skip

        staked = [(wager["wager"], wager["stake"]) for wager in told.events("wager")]
        assert staked == [("initial", stake), ("war", stake)]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"go_to_war": 500}, "seat 1 may go_to_war (1000 cents), not 500"),
        ({"go_to_war": 2000}, "seat 1 may go_to_war (1000 cents), not 2000"),
        ("stand", "seat 1 may surrender, go_to_war (1000 cents) here, not 'stand'"),
        ({"tie_war": 1000}, "seat 1 may surrender, go_to_war (1000 cents) here"),
        (None, "seat 1 may surrender, go_to_war (1000 cents) here"),
    ],
)
def test_there_is_no_third_choice_and_no_other_amount(move: Any, words: str) -> None:
    play = answered(in_play(), "9h", "9d", None)

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, words, TERMS)


def test_a_player_who_will_not_post_the_war_wager_surrenders() -> None:
    play = answered(in_play(), "9h", "9d", None)

    assert isinstance(play.request, Ask)
    assert (play.request.default, play.request.offer) == ("surrender", False)
    says(cannot(TIE), Fault.BAD_SCRIPT, "seat 1 must surrender or go_to_war", TERMS)


def test_a_higher_card_in_the_war_wins_the_war_wager_and_returns_the_initial() -> None:
    told = dealt(at_war("Kh", "Qd"), "go_to_war")

    assert told.result("war") == ("win", 1000)
    assert told.result("initial") == ("push", 0)
    assert told.net() == 1000


def test_a_lower_card_in_the_war_loses_both_wagers() -> None:
    told = dealt(at_war("Qh", "Kd"), "go_to_war")

    assert told.result("war") == ("lose", -1000)
    assert told.result("initial") == ("lose", -1000)
    assert told.net() == -2000


@pytest.mark.parametrize(("options", "wins"), [(BONUS, 2000), (NO_BONUS, 1000)])
def test_a_second_tie_wins_and_may_earn_a_bonus_equal_to_the_initial_wager(
    options: dict[str, str], wins: int
) -> None:
    told = dealt(at_war("Kh", "Kd"), "go_to_war", options=options)

    assert told.result("war") == ("win", wins)
    assert told.result("initial") == ("push", 0)
    assert told.net() == wins


def test_the_bonus_is_offered_unless_the_licensee_says_otherwise() -> None:
    assert dealt(at_war("Kh", "Kd"), "go_to_war").net() == 2000


def test_a_war_that_ties_is_over_and_nobody_is_asked_again() -> None:
    play = answered(in_play(), "9h", "9d", None, "go_to_war", *at_war("Kh", "Kd").split()[2:])

    assert isinstance(play.request, Inspect)
    play.answer(None)
    assert play.request is None
    assert play.table.bets == {}


def test_a_tie_hand_that_was_decided_is_not_told_as_standing() -> None:
    """A settlement that stands is still undecided when the round is over; this one is not."""
    for told in (dealt(TIE, "surrender"), dealt(at_war("Kh", "Qd"), "go_to_war")):
        results = [settled["result"] for settled in told.rounds[0]["settlements"]]
        assert "standing" not in results


def test_given_better_odds_on_a_war_then_what_could_not_be_paid_exactly_is_refused() -> None:
    """The war wager equals the initial one, so at 3 to 2 an odd cent is refused at once."""
    posted = {"higher_odds": {"war": "3 to 2"}, **NO_BONUS}

    refusal = turned_away(Table(WAR, posted), "initial", 1001)

    assert refusal.fault is Fault.NOT_PAYABLE
    assert dealt(at_war("Kh", "Qd"), "go_to_war", options=posted).result("war") == ("win", 1500)


# A tie wager on the war.


def test_where_it_is_not_offered_no_tie_wager_is_made_on_a_war() -> None:
    refusal = turned_away(Table(WAR), "tie_war")
    says(refusal, Fault.NOT_OFFERED, "is not offered at this table", DEFINED)

    never = cannot(at_war("Kh", "Kd"), "go_to_war", {"tie_war": 1000})
    says(never, Fault.BAD_SCRIPT, "seat 1 was never asked for its move {'tie_war': 1000}", DEFINED)


@pytest.mark.parametrize(
    ("player", "dealer", "result"),
    [("Kh", "Kd", ("win", 10_000)), ("Kh", "Qd", ("lose", -1000)), ("Qh", "Kd", ("lose", -1000))],
)
def test_where_it_is_a_tie_wager_on_the_war_pays_10_to_1_on_a_second_tie(
    player: str, dealer: str, result: tuple[str, int]
) -> None:
    told = dealt(at_war(player, dealer), "go_to_war", {"tie_war": 1000}, options=TIE_ON_WAR)

    assert told.result("tie_war") == result


def test_a_tie_wager_on_the_war_needs_no_first_tie_wager_and_need_not_be_made() -> None:
    told = dealt(at_war("Kh", "Qd"), "go_to_war", options=TIE_ON_WAR)

    assert [asked["move"] for asked in told.events("decision")] == ["go_to_war"]
    assert told.net() == 1000


def test_who_surrenders_is_not_asked_for_a_tie_wager_on_the_war() -> None:
    refusal = cannot(TIE, "surrender", {"tie_war": 1000}, options=TIE_ON_WAR)

    says(refusal, Fault.BAD_SCRIPT, "seat 1 was never asked for its move", DEFINED)


@pytest.mark.parametrize("amount", [0, 999, 5001, -1])
def test_a_tie_wager_on_the_war_keeps_the_posted_limits(amount: int) -> None:
    posted = {**TIE_ON_WAR, "table_min": 1000, "table_max": 5000}
    play = answered(in_play(posted), "9h", "9d", None, "go_to_war")

    refusal = not_answered(play, {"tie_war": amount})

    says(refusal, Fault.ILLEGAL_MOVE, "tie_war (1000 to 5000 cents)", DEFINED)


def test_a_tie_wager_on_the_war_is_a_multiple_of_the_increment() -> None:
    """By threes of a dollar from five: six dollars will do, and five or eight will not."""
    posted = {**TIE_ON_WAR, "table_min": 500, "increment": 300}
    play = answered(in_play(posted, stake=600), "9h", "9d", None, "go_to_war")

    for amount in (500, 800):
        assert not_answered(play, {"tie_war": amount}).fault is Fault.ILLEGAL_MOVE
    play.answer({"tie_war": 600})


def test_a_tie_wager_on_the_war_that_could_not_be_paid_exactly_is_refused() -> None:
    posted = {**TIE_ON_WAR, "tie_odds": "21 to 2"}
    play = answered(in_play(posted), "9h", "9d", None, "go_to_war")

    assert not_answered(play, {"tie_war": 1001}).fault in (Fault.ILLEGAL_MOVE, Fault.NOT_PAYABLE)
    play.answer({"tie_war": 1002})


def test_better_tie_odds_hold_for_both_tie_wagers() -> None:
    posted = {**TIE_ON_WAR, "tie_odds": "12 to 1"}

    told = dealt(at_war("Kh", "Kd"), "go_to_war", {"tie_war": 2000}, tie=1000, options=posted)

    assert told.result("tie") == ("win", 12_000)
    assert told.result("tie_war") == ("win", 24_000)


# The deal, with several players.


NINES = "9h Kc 9s 9d"  # seats 2, 5 and 8, and the dealer: 2 and 8 tie, 5 wins


def three_players(draws: str, two: Sequence[Any], eight: Sequence[Any], **others: Any) -> Told:
    seats = {
        "8": {"wagers": {"initial": 3000}, "moves": list(eight)},
        "2": {"wagers": {"initial": 1000}, "moves": list(two)},
        "5": {"wagers": {"initial": 2000}},
    }
    return deal("casino-war", draws.split(), seats=seats, **others)


def test_cards_are_dealt_from_the_dealers_left_and_last_to_the_dealer() -> None:
    told = three_players(NINES, ["surrender"], ["surrender"])

    assert places(told) == ["2", "5", "8", "dealer"]
    assert [told.net(seat) for seat in "258"] == [-500, 2000, -1500]


def test_those_who_tie_choose_from_the_dealers_right() -> None:
    told = three_players(NINES, ["surrender"], ["surrender"])

    assert [asked["seat"] for asked in told.events("decision")] == ["8", "2"]


def test_losers_are_collected_and_winners_paid_from_the_dealers_right() -> None:
    seats = {seat: {"wagers": {"initial": 1000}} for seat in "1234"}

    told = deal("casino-war", "Kh 2c Ks 3c 9d".split(), seats=seats)

    assert money(told, "collect") == [("4", "initial", 1000), ("2", "initial", 1000)]
    assert money(told, "pay") == [("3", "initial", 1000), ("1", "initial", 1000)]


def test_three_cards_are_burnt_before_each_card_of_a_war() -> None:
    cards = f"{NINES} {BURN} Qh {BURN} Ts {BURN} Jd"

    told = three_players(cards, ["go_to_war"], ["go_to_war"])

    burn = ["burn"] * 3
    assert places(told)[4:] == [*burn, "2", *burn, "8", *burn, "dealer"]


def test_three_cards_are_burnt_only_once_where_the_licensee_chooses_so() -> None:
    cards, once = f"{NINES} {BURN} Qh Ts Jd", {"war_burn": "three_once"}

    told = three_players(cards, ["go_to_war"], ["go_to_war"], options=once)

    assert places(told)[4:] == ["burn"] * 3 + ["2", "8", "dealer"]
    assert [told.net(seat) for seat in "258"] == [1000, 2000, -6000]


@pytest.mark.parametrize(
    ("options", "draws"), [({}, 4 + 4 + 4 + 4), ({"war_burn": "three_once"}, 4 + 3 + 3)]
)
def test_a_war_of_two_players_takes_so_many_cards(options: dict[str, str], draws: int) -> None:
    play = answered(in_play(options, "258"), *NINES.split(), None, "go_to_war", "go_to_war")
    taken = 4
    while isinstance(play.request, Draw):
        play.answer("2c" if taken % 2 else "3c")
        taken += 1

    assert taken == draws


def test_a_war_of_one_player_is_not_dealt_to_those_who_surrendered() -> None:
    told = three_players(f"{NINES} {BURN} Qs {BURN} Jd", ["surrender"], ["go_to_war"])

    assert places(told)[4:] == ["burn"] * 3 + ["8"] + ["burn"] * 3 + ["dealer"]
    assert [told.net(seat) for seat in "258"] == [-500, 2000, 3000]


def test_one_card_of_the_dealer_serves_all_wars() -> None:
    """Against the jack the queen wins, the ten loses; the king was paid before."""
    cards = f"{NINES} {BURN} Qh {BURN} Ts {BURN} Jd"

    told = three_players(cards, ["go_to_war"], ["go_to_war"])

    assert [told.net(seat) for seat in "258"] == [1000, 2000, -6000]
    assert places(told).count("dealer") == 2


def test_a_war_is_settled_from_the_dealers_right_losers_first() -> None:
    seats = {
        seat: {"wagers": {"initial": 1000}, "moves": ["go_to_war"]} for seat in ("1", "2", "3")
    }
    cards = f"9h 9s 9c 9d {BURN} Kh {BURN} 5s {BURN} Jc {BURN} Jd"

    told = deal("casino-war", cards.split(), seats=seats, options=NO_BONUS)

    assert money(told, "collect") == [("2", "initial", 1000), ("2", "war", 1000)]
    assert money(told, "return") == [("3", "initial", 1000), ("1", "initial", 1000)]
    assert money(told, "pay") == [("3", "war", 1000), ("1", "war", 1000)]


def test_burnt_cards_are_seen_by_nobody() -> None:
    table = in_play()
    answered(table, "9h", "9d", None, "go_to_war", *BURN.split())

    for seat in ("1", "2", None):
        shown = [event for event in table.view(seat)["events"] if event.get("to") == "burn"]
        assert shown == [{"kind": "draw", "to": "burn", "face_down": True}] * 3
    assert list(map(str, table.equipment.burnt)) == BURN.split()


def test_the_cards_go_to_the_discard_rack_after_the_round() -> None:
    table = in_play()

    answered(table, *TIE.split(), None, "go_to_war", *at_war("Kh", "Qd").split()[2:], None)

    assert sorted(map(str, table.equipment.discard_rack)) == ["9d", "9h", "Kh", "Qd"]
    assert table.equipment.on_layout == []
    assert len(table.equipment.stub) == 312 - 10


# Positions of one player.


def at_positions(*positions: str, **options: Any) -> Told:
    """Ann bets at each of these positions, and wins."""
    seats = {seat: {"player": "Ann", "wagers": {"initial": 1000}} for seat in positions}
    cards = ["Kh"] * len(positions) + ["9d"]
    return deal("casino-war", cards, seats=seats, options=options)


def not_at(*positions: str, **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        at_positions(*positions, **options)
    return caught.value


def test_a_player_has_one_position_unless_the_licensee_allows_two() -> None:
    says(not_at("3", "4"), Fault.NOT_NOW, "a player may have 1 position at this table", CUSTOM)
    assert at_positions("3").net("3") == 1000


@pytest.mark.parametrize(("first", "second"), [("3", "4"), ("4", "3"), ("1", "2"), ("8", "9")])
def test_where_two_are_allowed_they_are_side_by_side(first: str, second: str) -> None:
    told = at_positions(first, second, positions_per_player=2)

    assert [told.net(first), told.net(second)] == [1000, 1000]


def test_two_positions_of_one_player_may_not_be_apart() -> None:
    words = "two positions of one player are side by side; seats 3 and 5 are not"

    says(not_at("3", "5", positions_per_player=2), Fault.NOT_NOW, words, CUSTOM)
    assert not_at("9", "1", positions_per_player=2).fault is Fault.NOT_NOW


def test_a_player_never_has_three_positions() -> None:
    refusal = not_at("3", "4", "5", positions_per_player=2)

    says(refusal, Fault.NOT_NOW, "a player may have 2 positions at this table", CUSTOM)
    assert unlawful("casino-war", {"positions_per_player": 3}) == [("positions_per_player", CUSTOM)]


# The shuffle.


OPENING = ("The cards are inspected, spread face up and washed", CUSTOM)
CUT_CARD = ("The cut card goes about a quarter from the back", CUSTOM)
DEALER_CUTS = ("The dealer cuts the cards", CUSTOM)
BURN_ONE = ("One card is burnt", CUSTOM)
PICK_UP = ("The cards are picked up", CUSTOM)
BY_HAND = ("The dealer shuffles the cards", CUSTOM)
BY_DEVICE = ("One batch comes out of the shuffling device, and the other goes in", CUSTOM)
CONTINUOUSLY = ("The cards go into the continuous shuffling device", CUSTOM)


def opened(options: Mapping[str, Any] | None = None) -> Table:
    """A table that is just being opened, with wagers at seats 2 and 5."""
    table = Table(WAR, options)
    for seat in ("5", "2"):
        table.bet(seat, "initial", 1000)
    return table


@pytest.mark.parametrize(
    ("options", "shuffled"), [({"shuffle": "manual"}, BY_HAND), ({}, BY_DEVICE)]
)
def test_a_table_is_opened_with_inspection_shuffle_cut_and_burn(
    options: dict[str, str], shuffled: tuple[str, str]
) -> None:
    table = opened(options)

    answered(table, "decline", "decline", "Qs", "Kh", "Kd", "9d", None)

    assert done(table) == [OPENING, shuffled, DEALER_CUTS, CUT_CARD, BURN_ONE, PICK_UP]
    assert list(map(str, table.equipment.burnt)) == ["Qs"]


def test_the_cut_is_offered_from_the_dealers_left_ten_cards_or_more_from_either_end() -> None:
    table = opened({"decks": 8})
    play = Play(table)

    assert isinstance(play.request, Ask)
    assert play.request.seat == "2"
    for cards in (9, 407):
        refusal = not_answered(play, {"cut": cards})
        says(refusal, Fault.ILLEGAL_MOVE, "cut (10 to 406 cards)", CUSTOM)
    play.answer({"cut": 406})
    assert isinstance(play.request, Draw)
    assert table.state.cutter == "2"


def test_the_card_burnt_after_a_shuffle_is_unseen() -> None:
    table = opened()
    answered(table, {"cut": 100}, "Qs", "Kh")

    for seat in ("2", "5", None):
        shown = [event for event in table.view(seat)["events"] if event.get("to") == "burn"]
        assert shown == [{"kind": "draw", "to": "burn", "face_down": True}]


@pytest.mark.parametrize("decks", [6, 8])
def test_a_shoe_ends_with_the_round_in_which_the_cut_card_comes_out(decks: int) -> None:
    """A quarter of the cards lie behind it: the round is finished, and then all are shuffled."""
    table = in_play({"decks": decks})
    leave(table, 13 * decks + 1)

    answered(table, "Kh", "9d", None)

    assert len(table.equipment.stub) == 13 * decks - 1
    table.open_betting()
    table.bet("1", "initial", 1000)
    answered(table, "decline", "Qs")
    assert done(table) == [BY_DEVICE, DEALER_CUTS, CUT_CARD, BURN_ONE]
    assert len(table.equipment.stub) == 52 * decks - 1


def test_a_shoe_goes_on_while_the_cut_card_is_in_it() -> None:
    table = in_play()
    leave(table, 78 + 4)

    answered(table, "Kh", "9d", None)

    table.open_betting()
    table.bet("1", "initial", 1000)
    assert isinstance(Play(table).request, Draw)
    assert done(table) == []
    assert len(table.equipment.stub) == 80


def test_an_automated_shuffler_gives_two_batches_in_turn() -> None:
    table, batches = Table(WAR), []
    for _ in range(4):
        table.state = WAR.due_for_shuffle(table.state)
        table.open_betting()
        table.bet("1", "initial", 1000)
        answered(table, "decline", "Qs", "Kh", "9d", None)
        batches.append(table.state.batch)

    assert batches == [1, 2, 1, 2]


def test_a_continuous_device_takes_the_cards_back_before_every_round() -> None:
    """No cut and no burn, and every round is dealt from the whole shoe."""
    table = Table(WAR, {"shuffle": "continuous"})
    for first in (True, False):
        table.open_betting()
        table.bet("1", "initial", 1000)
        play = Play(table)
        assert isinstance(play.request, Draw)
        assert len(table.equipment.stub) == 312

        for answer in ("Kh", "9d", None):
            play.answer(answer)

        assert done(table) == ([OPENING, CONTINUOUSLY] if first else []) + [PICK_UP]


# Irregularities.


FIRST, SECOND = 1, 2  # the cards of seat 1 and of the dealer; then three are burnt for a war


def mishap(told: Told) -> tuple[str, str]:
    """What the one irregularity was answered with, and by which rule."""
    (event,) = told.events("irregularity")
    return event["resolution"], cited(event)


@pytest.mark.parametrize("draw", range(1, 12))
def test_given_a_card_face_up_in_the_shoe_then_it_is_not_used(draw: int) -> None:
    cards = at_war("Kh", "Qd").split()
    cards.insert(draw - 1, "As")

    told = dealt(" ".join(cards), "go_to_war", **before(draw, "card_face_up"))

    assert mishap(told) == ("It is not used, and is discarded", SHOE_ERRORS)
    assert {"kind": "draw", "outcome": "As", "to": "discards"} in told.events("draw")
    assert told.net() == 1000


def test_given_a_card_face_up_then_it_lies_in_the_discard_rack_at_once() -> None:
    table = in_play()

    answered(table, "9h", {"irregularity": "card_face_up"}, "As")

    assert list(map(str, table.equipment.discard_rack)) == ["As"]


@pytest.mark.parametrize("draw", range(1, 11))
def test_given_an_unexposed_card_drawn_in_error_then_it_is_burnt_or_dealt_as_due(draw: int) -> None:
    told = dealt(at_war("Kh", "Qd"), "go_to_war", **before(draw, "card_drawn_in_error"))

    assert mishap(told) == ("It is used as the next card, to burn or to deal", SHOE_ERRORS)
    assert places(told) == ["1", "dealer", *["burn"] * 3, "1", *["burn"] * 3, "dealer"]
    assert told.net() == 1000


@pytest.mark.parametrize("draw", [FIRST, SECOND])
def test_given_an_exposed_card_on_the_original_deal_then_it_is_the_next_card_due(draw: int) -> None:
    told = dealt("Kh Qd", **before(draw, "card_drawn_in_error_exposed"))

    assert mishap(told) == ("It is used as the next card due", CUSTOM)
    assert told.net() == 1000


@pytest.mark.parametrize("draw", [3, 4, 5, 7, 8, 9])
def test_given_a_card_exposed_while_burning_then_it_counts_as_a_burn_card(draw: int) -> None:
    told = dealt(at_war("Kh", "Qd"), "go_to_war", **before(draw, "burn_card_exposed"))

    assert mishap(told) == ("It counts as a burn card", CUSTOM)
    assert places(told).count("burn") == 6
    assert told.net() == 1000


def test_given_a_skipped_position_then_its_wagers_are_returned_and_play_goes_on() -> None:
    seats = {seat: {"wagers": {"initial": 1000, "tie": 1000}} for seat in "123"}

    told = deal(
        "casino-war", ["Kh", "2s", "9d"], seats=seats,
        **before(2, "position_skipped", seat="2"),
    )  # fmt: skip

    resolution = "That hand is void and its wagers are returned; play goes on"
    assert mishap(told) == (resolution, CUSTOM)
    assert places(told) == ["1", "3", "dealer"]
    assert told.result("initial", "2") == told.result("tie", "2") == ("void", 0)
    assert [told.net(seat) for seat in "123"] == [0, 0, -2000]


def test_given_a_skipped_position_then_the_others_may_still_go_to_war() -> None:
    seats: dict[str, Any] = {seat: {"wagers": {"initial": 1000}} for seat in "12"}
    seats["2"]["moves"] = ["go_to_war"]

    told = deal(
        "casino-war", at_war("Kh", "Qd").split(), seats=seats,
        **before(1, "position_skipped", seat="1"),
    )  # fmt: skip

    assert [told.net(seat) for seat in "12"] == [0, 1000]


@pytest.mark.parametrize("about", [{"seat": "2"}, {"seat": "12"}])
def test_a_skipped_position_must_be_one_with_a_wager(about: dict[str, str]) -> None:
    refusal = cannot("Kh Qd", **before(1, "position_skipped", **about))

    says(refusal, Fault.BAD_SCRIPT, "must name a seat to which it can have happened: 1", CUSTOM)


@pytest.mark.parametrize("draw", [2, 3])
def test_a_position_that_has_its_card_was_not_skipped(draw: int) -> None:
    seats = {seat: {"wagers": {"initial": 1000}} for seat in "12"}

    refusal = refused(
        "casino-war", ["Kh", "2s", "9d"], seats=seats,
        **before(draw, "position_skipped", seat="1"),
    )  # fmt: skip

    assert refusal.fault in (Fault.NOT_NOW, Fault.BAD_SCRIPT)
    assert str(refusal.cite) == f"19:47-{CUSTOM}"


def test_given_two_cards_to_one_player_then_the_second_goes_to_the_next_position() -> None:
    seats = {seat: {"wagers": {"initial": 1000}} for seat in "12"}

    told = deal(
        "casino-war", ["Kh", "2s", "9d"], seats=seats, **before(2, "two_cards_to_one", seat="1")
    )

    assert mishap(told)[1] == CUSTOM
    assert places(told) == ["1", "2", "dealer"]
    assert [told.net(seat) for seat in "12"] == [1000, -1000]


def test_given_two_cards_to_one_when_no_position_is_due_then_the_second_is_burnt() -> None:
    table = in_play()

    answered(table, "Kh", "9d", {"irregularity": "two_cards_to_one"}, "5c", None)

    assert list(map(str, table.equipment.burnt)) == ["5c"]
    assert table.money["1"] == 1000


def test_given_a_second_card_to_the_last_in_a_war_then_it_is_burnt() -> None:
    told = dealt(f"{at_war('Kh', 'Qd')} 5c", "go_to_war", **before(11, "two_cards_to_one"))

    assert places(told)[-1] == "burn"
    assert told.net() == 1000


@pytest.mark.parametrize("draw", [1, 2])
def test_given_a_dealer_dealt_early_then_cards_go_in_the_order_of_the_shoe(draw: int) -> None:
    seats = {seat: {"wagers": {"initial": 1000}} for seat in "12"}

    told = deal("casino-war", ["Kh", "2s", "9d"], seats=seats, **before(draw, "dealer_dealt_early"))

    assert mishap(told)[1] == CUSTOM
    assert [(card["to"], card["outcome"]) for card in told.events("draw")] == [
        ("1", "Kh"), ("2", "2s"), ("dealer", "9d"),
    ]  # fmt: skip
    assert [told.net(seat) for seat in "12"] == [1000, -1000]


@pytest.mark.parametrize("draw", [2, 3, 4])
def test_given_cards_dealt_in_an_order_that_is_lost_then_the_round_is_void(draw: int) -> None:
    seats = {seat: {"wagers": {"initial": 1000, "tie": 1000}} for seat in "12"}
    cards = ["9h", "9s", "9d"][: draw - 1]

    told = deal("casino-war", cards, seats=seats, **before(draw, "dealt_out_of_order"))

    assert told.rounds[0]["void"]
    assert mishap(told) == ("The round is void", CUSTOM)
    assert [told.net(seat) for seat in "12"] == [0, 0]


@pytest.mark.parametrize("draw", [4, 6, 10, 11])
def test_given_a_wrong_number_of_burn_cards_then_the_deal_stands(draw: int) -> None:
    wrong = before(draw, "wrong_number_of_burn_cards")

    told = dealt(at_war("Kh", "Qd"), "go_to_war", **wrong)

    assert mishap(told) == ("The deal stands", CUSTOM)
    assert told.net() == 1000


@pytest.mark.parametrize("options", [{}, {"shuffle": "continuous"}])
def test_given_a_shuffler_that_fails_then_the_cards_are_shuffled_otherwise(
    options: dict[str, str],
) -> None:
    told = dealt("Kh Qd", options=options, **before(2, "shuffler_fails"))

    assert mishap(told) == ("The cards are shuffled by the approved procedure", CUSTOM)
    assert told.net() == 1000


def test_where_the_dealer_shuffles_no_shuffler_can_fail() -> None:
    refusal = cannot("Kh Qd", options={"shuffle": "manual"}, **before(2, "shuffler_fails"))

    says(refusal, Fault.NOT_NOW, "shuffler_fails cannot be reported now", CUSTOM)


def test_given_too_few_cards_in_a_war_then_the_discards_are_shuffled_and_the_layout_stays() -> None:
    """Four cards are left: the hands, and two to burn; the others come from the rack."""
    table = in_play()
    shoe = table.equipment
    leave(table, ["9h", "9d", "2c", "3c"])

    play = answered(table, "9h", "9d", None, "go_to_war", "2c", "3c")

    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert event.data["irregularity"] == "too_few_cards"
    assert str(event.cite) == f"19:47-{SHOE_ERRORS}"
    assert shoe.discard_rack == []
    assert len(shoe.stub) == 312 - 4
    assert sorted(map(str, shoe.on_layout)) == ["2c", "3c", "9d", "9h"]
    assert sorted(shoe.everywhere) == sorted(shoe.composition)
    for answer in ("4c", "Kh", *BURN.split(), "Kd", None):
        play.answer(answer)
    assert table.money["1"] == 2000
    assert sorted(shoe.everywhere) == sorted(shoe.composition)


def test_given_too_few_cards_on_the_original_deal_then_the_round_is_completed() -> None:
    table = in_play(seats="12")
    leave(table, ["Kh"])

    answered(table, "Kh", "2s", "9d", None)

    assert (table.money["1"], table.money["2"]) == (1000, -1000)
    assert table.state.shuffle_due is False


AFTER_THE_DEAL: list[tuple[str, str]] = [
    ("card_drawn_in_error", SHOE_ERRORS),
    ("card_drawn_in_error_exposed", CUSTOM),
    ("burn_card_exposed", CUSTOM),
    ("dealer_dealt_early", CUSTOM),
    ("wrong_number_of_burn_cards", CUSTOM),
]


@pytest.mark.parametrize(("kind", "cite"), AFTER_THE_DEAL)
def test_what_cannot_have_happened_when_all_cards_lie_is_refused(kind: str, cite: str) -> None:
    """A king against a queen: no card is due, and there is no war."""
    play = answered(in_play(), "Kh", "Qd")

    says(not_answered(play, {"irregularity": kind}), Fault.NOT_NOW, "cannot be reported now", cite)


def test_a_position_was_not_skipped_when_the_dealer_has_a_card() -> None:
    play = answered(in_play(), "Kh", "Qd")

    refusal = not_answered(play, {"irregularity": "position_skipped", "seat": "1"})

    says(refusal, Fault.NOT_NOW, "the dealer has a card", CUSTOM)


@pytest.mark.parametrize("kind", ["burn_card_exposed", "wrong_number_of_burn_cards"])
@pytest.mark.parametrize("draw", [FIRST, SECOND])
def test_nothing_is_burnt_for_a_war_on_the_original_deal(kind: str, draw: int) -> None:
    refusal = cannot("Kh Qd", **before(draw, kind))

    says(refusal, Fault.NOT_NOW, "no war is being dealt", CUSTOM)


@pytest.mark.parametrize(
    "kind",
    [
        "card_drawn_in_error_exposed", "position_skipped", "dealer_dealt_early",
        "dealt_out_of_order",
    ],
)  # fmt: skip
def test_what_belongs_to_the_original_deal_cannot_happen_in_a_war(kind: str) -> None:
    play = answered(in_play(seats="12"), "9h", "Ks", "9d", None, "go_to_war", "2c")

    refusal = not_answered(play, {"irregularity": kind, "seat": "1"})

    assert refusal.fault is Fault.NOT_NOW
    assert str(refusal.cite) == f"19:47-{CUSTOM}"


@pytest.mark.parametrize(
    "kind",
    [
        "card_drawn_in_error_exposed", "position_skipped", "dealer_dealt_early",
        "two_cards_to_one", "dealt_out_of_order",
    ],
)  # fmt: skip
def test_what_belongs_to_the_deal_cannot_happen_when_the_shoe_is_filled(kind: str) -> None:
    """The cards have been cut and one is to be burnt: nothing has been dealt to anyone."""
    play = answered(opened(), "decline", "decline")

    refusal = not_answered(play, {"irregularity": kind, "seat": "2"})

    assert refusal.fault is Fault.NOT_NOW


def test_given_a_void_round_in_which_the_cut_card_came_out_then_the_cards_are_shuffled() -> None:
    """The round is over, if not as anyone wished; the next begins with a full shoe."""
    table = in_play(seats="12")
    leave(table, 78 + 1)

    answered(table, "Kh", "9d", {"irregularity": "dealt_out_of_order"})

    assert len(table.equipment.stub) == 77
    table.open_betting()
    table.bet("1", "initial", 1000)
    assert isinstance(Play(table).request, Ask)
    assert BY_DEVICE in done(table)


# What always holds.


TABLES = st.fixed_dictionaries(
    {
        "decks": st.sampled_from([6, 7, 8]),
        "shuffle": st.sampled_from(["manual", "automated", "continuous"]),
        "war_burn": st.sampled_from(["three_before_each_card", "three_once"]),
        "war_tie_bonus": st.sampled_from(["none", "equal_to_initial"]),
        "tie_on_war": st.sampled_from(["off", "on"]),
    }
)
SEATS = ("1", "2", "9")
few_ranks = st.sampled_from("9TJ")  # of which many tie


def any_answer(play: Play, data: st.DataObject, mishap: bool) -> Any:
    """Whatever chance, people and mishaps can do next."""
    request = play.request
    if isinstance(request, Ask):
        move = data.draw(st.sampled_from(request.moves))
        return {move.name: data.draw(st.integers(move.low, move.high))} if move.high else move.name
    assert isinstance(request, Draw | Inspect)
    if mishap and play.table.bets:
        kinds = [kind for kind in request.irregularities if kind not in request.barred]
        seat = data.draw(st.sampled_from([bet.seat for bet in play.table.bets.values()]))
        report = {"irregularity": data.draw(st.sampled_from(kinds)), "seat": seat}
        if taken(request, report):
            return report
    if isinstance(request, Draw):
        return str(data.draw(st.sampled_from(request.device.outcomes()[:24])))
    return None


def taken(request: Draw | Inspect, report: dict[str, str]) -> bool:
    """The report is one that can be made now."""
    try:
        request.check(report)
    except Refusal:
        return False
    return True


@given(options=TABLES, data=st.data())
def test_no_money_and_no_card_is_ever_lost(options: dict[str, Any], data: st.DataObject) -> None:
    table = Table(WAR, options)
    shoe = table.equipment
    for _ in range(3):
        table.open_betting()
        for seat in SEATS:
            table.bet(seat, "initial", data.draw(st.integers(1000, 5000)))
            table.bet(seat, "tie", 1000)
        play, mishaps = Play(table), data.draw(st.lists(st.integers(0, 12), max_size=3))
        while play.request is not None:
            play.answer(any_answer(play, data, len(play.answers) in mishaps))
            assert sum(table.money.values()) == 0
            assert sorted(shoe.everywhere) == sorted(shoe.composition)
            dealt_out = [card for hand in table.hands.values() for card in hand]
            assert Counter(dealt_out) == Counter(shoe.on_layout)
        assert table.bets == {}
        assert table.money[LAYOUT] == 0
        assert shoe.on_layout == []


def rule(ranks: Sequence[str], bonus: int) -> int:
    """What the sheet says of a player's card, the dealer's, and those of a war, won for 1."""
    player, dealer, war_player, war_dealer = map(RANKS.index, ranks)
    if player != dealer:
        return 1 if player > dealer else -1
    if war_player == war_dealer:
        return 1 + bonus
    return 1 if war_player > war_dealer else -2


@settings(max_examples=200)
@given(
    cards=st.lists(few_ranks, min_size=4, max_size=4),
    war_cards=st.lists(few_ranks, min_size=4, max_size=4),
    moves=st.lists(st.sampled_from(["surrender", "go_to_war"]), min_size=3, max_size=3),
    bonus=st.booleans(),
)
def test_a_war_never_follows_a_war_and_every_player_gets_what_the_rule_says(
    cards: list[str], war_cards: list[str], moves: list[str], bonus: bool
) -> None:
    table = in_play({**(BONUS if bonus else NO_BONUS), "war_burn": "three_once"}, "129")
    *hands, dealer = cards
    *war_hands, war_dealer = war_cards
    chosen = dict(zip(SEATS, moves, strict=True))
    dealt_to = dict(zip(SEATS, war_hands, strict=True)) | {"dealer": war_dealer}
    tied = [seat for seat, card in zip(SEATS, hands, strict=True) if card == dealer]
    warring = [seat for seat in tied if chosen[seat] == "go_to_war"]

    play = answered(table, *(f"{card}h" for card in cards), None)
    for seat in reversed(tied):
        play.answer(chosen[seat])
    if warring:
        for answer in (*BURN.split(), *(f"{dealt_to[to]}s" for to in [*warring, "dealer"]), None):
            play.answer(answer)

    assert play.request is None
    assert table.bets == {}
    for seat, card in zip(SEATS, hands, strict=True):
        ranks = (card, dealer, dealt_to[seat], war_dealer)
        surrenders = seat in tied and seat not in warring
        won = -500 if surrenders else 1000 * rule(ranks, bonus)
        assert table.money[seat] == won


# What the wagers are worth. Counted once more, from the ranks alone.


@cache
def report(label: str, decks: int = 6, bonus: bool = False) -> WagerReport:
    given_options = {"decks": decks, **(BONUS if bonus else NO_BONUS), **TIE_ON_WAR}
    (found,) = analyze(WAR, WAR.options(given_options), [label])
    return found


def first_tie(decks: int) -> Fraction:
    """The dealer's card is like the player's."""
    return Fraction(4 * decks - 1, 52 * decks - 1)


def second_tie(decks: int) -> Fraction:
    """Of twelve ranks all cards are left, of one all but two."""
    each, left = 4 * decks, 52 * decks - 2
    ways = 12 * each * (each - 1) + (each - 2) * (each - 3)
    return Fraction(ways, left * (left - 1))


def worth_of_war(decks: int, bonus: bool) -> Fraction:
    """A lower card loses two; a higher wins one and is as likely; a tie wins one, or two."""
    tie = second_tie(decks)
    lower = higher = (1 - tie) / 2
    return -2 * lower + higher + (2 if bonus else 1) * tie


def counted_edge(decks: int, bonus: bool) -> Fraction:
    """Higher and lower cards are even money, and as likely: all is lost on the ties."""
    return -first_tie(decks) * worth_of_war(decks, bonus)


every_shoe = pytest.mark.parametrize("decks", [6, 7, 8])
with_and_without_bonus = pytest.mark.parametrize("bonus", [False, True])


def test_the_edges_are_the_published_ones() -> None:
    assert f"{float(100 * report('initial').house_edge):.2f}" == "2.88"
    assert f"{float(100 * report('tie').house_edge):.2f}" == "18.65"


@every_shoe
@with_and_without_bonus
def test_the_exact_edge_is_what_the_ties_lose(decks: int, bonus: bool) -> None:
    assert report("initial", decks, bonus).house_edge == counted_edge(decks, bonus)


@with_and_without_bonus
def test_the_exact_edge_is_that_of_every_four_ranks_by_their_ways(bonus: bool) -> None:
    """As the rule of the sheet settles them, and so, as was proved above, the table."""
    worth, all_ways = 0, 312 * 311 * 310 * 309
    for ranks in product(RANKS, repeat=4):
        ways = 1
        for at, rank in enumerate(ranks):
            ways *= 24 - ranks[:at].count(rank)
        worth += ways * rule(ranks, bonus)

    assert report("initial", 6, bonus).house_edge == Fraction(-worth, all_ways)


@every_shoe
def test_a_tie_wager_loses_what_is_left_of_ten_to_one(decks: int) -> None:
    assert report("tie", decks).house_edge == 1 - 11 * first_tie(decks)
    assert report("tie", decks).hit_frequency == first_tie(decks)


@every_shoe
def test_a_tie_wager_on_a_war_is_worth_what_it_is_when_two_of_a_rank_are_gone(decks: int) -> None:
    assert report("tie_war", decks).house_edge == 1 - 11 * second_tie(decks)
    assert report("tie_war", decks).hit_frequency == second_tie(decks)


@every_shoe
@with_and_without_bonus
def test_the_best_player_always_goes_to_war(decks: int, bonus: bool) -> None:
    (advice,) = report("initial", decks, bonus).advice

    assert advice.move == "go_to_war"
    assert advice.chance == first_tie(decks)
    assert advice.values == {
        "surrender": Fraction(-1, 2), "go_to_war": worth_of_war(decks, bonus),
    }  # fmt: skip


@every_shoe
def test_surrendering_costs_a_second_tie_one_and_a_half_times_or_two_and_a_half(decks: int) -> None:
    """War is worth minus a half, as surrender is, but for the second ties."""
    for bonus, times in ((False, Fraction(3, 2)), (True, Fraction(5, 2))):
        (advice,) = report("initial", decks, bonus).advice
        assert advice.cost == times * second_tie(decks)


@every_shoe
@with_and_without_bonus
def test_the_element_of_risk_counts_the_war_wagers(decks: int, bonus: bool) -> None:
    found = report("initial", decks, bonus)

    assert found.wagered == 1 + first_tie(decks)
    assert found.element_of_risk == counted_edge(decks, bonus) / (1 + first_tie(decks))


def test_the_tie_wager_is_exactly_as_bad_beside_an_initial_wager() -> None:
    both = report("initial+tie")

    assert both.house_edge == report("initial").house_edge + report("tie").house_edge
    assert both.wagered == 2 + first_tie(6)


def test_better_tie_odds_lower_the_edge_by_what_they_pay() -> None:
    (found,) = analyze(WAR, WAR.options({"tie_odds": "12 to 1"}), ["tie"])

    assert found.house_edge == report("tie").house_edge - 2 * first_tie(6)


def test_how_many_cards_are_burnt_changes_nothing() -> None:
    (found,) = analyze(WAR, WAR.options({"war_burn": "three_once", **NO_BONUS}), ["initial"])

    assert found == report("initial")
