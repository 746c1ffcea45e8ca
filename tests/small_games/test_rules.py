"""The rules of the small games, one by one: hands, sides, pots and questions."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.equipment import Odds
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    POT,
    STAND,
    AskAll,
    Bank,
    Play,
    Rake,
    Refusal,
    Table,
    Wager,
    asked,
    reply,
)
from croupier.rulebook.settling import judged
from tests.small_games.games import RULE, LittlePaiGow, find, house_way, points, value
from tests.small_games.support import (
    Watched,
    answered,
    dealt,
    net,
    refused,
    set_down,
    settled_up,
    told,
)
from tests.support import Told


def results(what: Told) -> list[tuple[str, str, str, int]]:
    """The hand, wager, result and net of every settlement."""
    return [
        (each.get("hand", each["seat"]), each["wager"], each["result"], each["net"])
        for each in what.rounds[-1]["settlements"]
    ]


class TestTwentyOne:
    def played(self, draws: str, *moves: Any, stake: int = 1000) -> Told:
        seat = {"wagers": {"twenty_one": stake}, "moves": list(moves)}
        return told("little-twenty-one", draws, {"1": seat})

    def test_a_pair_is_split_into_two_hands_with_a_wager_each(self) -> None:
        what = self.played("8h Kd 8s 7h Ts Th", "split", "stand", "stand")
        assert results(what) == [
            ("1", "twenty_one", "win", 1000), ("1.2", "twenty_one", "win", 1000),
        ]  # fmt: skip
        (split,) = what.events("split")
        assert (split["seat"], split["to"]) == ("1", "1.2")
        assert [event["to"] for event in what.events("draw")] == "1 dealer 1 dealer 1 1.2".split()

    def test_a_pair_is_split_again_into_three_hands_and_no_more(self) -> None:
        """The fourth eight comes to the first hand, and "split" is no longer offered."""
        table = set_down("little-twenty-one", {"1": {"twenty_one": 1000}})
        play = answered(dealt(table, "8h Kd 8s 7h"), "split", "8c", "split", "8d")
        assert [hand.name for hand in table.hands.of("1")] == ["1", "1.2", "1.3"]
        assert "not 'split'" in refused(play, "split")
        answered(play, "stand", "Th", "stand", "9h", "stand", None)
        assert [(s.bet.on, s.net) for s in table.settlements] == [
            ("1", -1000), ("1.2", 1000), ("1.3", 0),
        ]  # fmt: skip
        settled_up(table)

    def test_each_hand_has_its_own_outcome_and_a_double_lies_on_its_hand(self) -> None:
        what = self.played("8h Kd 8s 7h 3c Th 2d 9c", "split", "double", "draw", "stand")
        assert results(what) == [
            ("1", "twenty_one", "win", 1000),
            ("1", "double", "win", 1000),
            ("1.2", "twenty_one", "win", 1000),
        ]
        assert what.net() == 3000

    def test_a_hand_over_twenty_one_loses_at_once_and_the_other_plays_on(self) -> None:
        what = self.played("8h Kd 8s 7h 6c Th Tc", "split", "draw", "stand")
        assert results(what) == [
            ("1", "twenty_one", "lose", -1000), ("1.2", "twenty_one", "win", 1000),
        ]  # fmt: skip

    def test_hands_of_a_seat_are_played_before_the_next_seat(self) -> None:
        seats = {
            "1": {"wagers": {"twenty_one": 500}, "moves": ["split", "stand", "stand"]},
            "2": {"wagers": {"twenty_one": 700}, "moves": ["stand"]},
        }
        what = told("little-twenty-one", "8h 9h Kd 8s 9s 7h Ts Th", seats)
        asked = [(e["seat"], e.get("hand")) for e in what.events("decision")]
        assert asked == [("1", None), ("1", None), ("1", "1.2"), ("2", None)]
        assert what.document["net"] == {"1": 1000, "2": 700}

    def test_the_dealer_draws_to_seventeen_with_the_hole_card_turned_first(self) -> None:
        what = self.played("Th 2d 9s 3h 5c 6c Kh", "stand")
        (turned,) = what.events("reveal")
        assert turned["cards"] == ["3h"]
        assert results(what) == [("1", "twenty_one", "win", 1000)]

    def test_aces_count_one_or_eleven(self) -> None:
        table = set_down("little-twenty-one", {"1": {"twenty_one": 1000}})
        play = dealt(table, "Ah Kd 6s 7h")
        assert points(table.hands["1"]) == 17
        answered(play, "draw", "Tc")
        assert points(table.hands["1"]) == 17


# Tiles: 2-2 and 1-3 are four points; 4-5 and 3-6 nine; 4-6 and 5-5 ten, which counts nothing.
NINE_HIGH = "4-5 5-5 3-6 4-6"  # nine and nine
FOURS = "2-2 5-5 1-3 4-6"  # four and four, or eight and nothing
LOW = "1-2 1-1 5-6 5-6"  # four and three


class TestPaiGow:
    def played(self, draws: str, seats: dict[str, Any], **options: Any) -> Told:
        return told("little-pai-gow", draws, seats, options=options)

    def test_everybody_sets_at_once_and_the_house_way_is_always_an_answer(self) -> None:
        table = set_down("little-pai-gow", {"1": {"pai_gow": 1000}, "2": {"pai_gow": 1000}})
        play = dealt(table, f"{NINE_HIGH} {FOURS} {LOW}")
        assert isinstance(play.request, AskAll)
        play.answer({"2": {"set": {"high": ["2-2", "1-3"], "low": ["5-5", "4-6"]}}})
        assert [ask.seat for ask in asked(play.request)] == ["1"]
        answered(play, {"1": "house_way"}, None)
        one, two = (next(s for s in table.settlements if s.bet.seat == seat) for seat in "12")
        assert (one.net, one.vigorish) == (950, 50)
        assert two.net == 0
        settled_up(table)

    def test_the_house_way_is_never_foul(self) -> None:
        table = set_down("little-pai-gow", {"1": {"pai_gow": 1000}})
        dealt(table, f"{NINE_HIGH} {FOURS}")
        for name in ("1", "dealer"):
            parts = house_way(table.hands[name])
            assert value(parts["low"]) <= value(parts["high"])

    def test_a_script_sets_a_hand(self) -> None:
        set_so = {"set": {"high": ["4-5", "4-6"], "low": ["5-5", "3-6"]}}
        seat = {"wagers": {"pai_gow": 1000}, "moves": [set_so]}
        what = self.played(f"{NINE_HIGH} {FOURS}", {"1": seat})
        assert what.result("pai_gow") == ("win", 950)
        shown = {event["hand"]: event["parts"] for event in what.events("reveal")}
        assert shown["1"] == set_so["set"]

    def test_equal_hands_are_the_banks(self) -> None:
        seat = {"wagers": {"pai_gow": 1000}, "moves": ["house_way"]}
        what = self.played(f"{FOURS} {FOURS}", {"1": seat})
        assert what.result("pai_gow") == ("lose", -1000)

    def banked(self, bank: int, first: int, second: int, **options: Any) -> Watched:
        """Seat 1 banks with fours; seat 2 has nines and wins, seat 3 has less and loses."""
        table = set_down(
            "little-pai-gow",
            {"1": {"bank_action": bank}, "2": {"pai_gow": first}, "3": {"pai_gow": second}},
            **options,
        )
        play = dealt(table, f"{NINE_HIGH} {LOW} {FOURS}")
        answered(play, {"3": "house_way"}, {"1": "house_way"}, {"2": "house_way"}, None)
        settled_up(table)
        return table

    def test_a_player_banks_and_vigorish_goes_to_the_house(self) -> None:
        """The bank pays seat 2 $10 and takes $30 of seat 3; each winner pays five percent."""
        table = self.banked(10_000, 1000, 3000)
        assert net(table) == {"1": 1900, "2": 950, "3": -3000}
        assert table.money[HOUSE] == 50 + 100

    def test_in_turn_a_bank_that_runs_out_returns_all_later_wagers(self) -> None:
        """The bank of $6 pays seat 2 no more than that, and cannot win from seat 3."""
        table = self.banked(600, 1000, 3000)
        assert net(table) == {"1": -600, "2": 570}
        later = next(s for s in table.settlements if s.bet.seat == "3")
        assert (later.result.value, later.decision.line) == ("void", "not_covered")

    def test_what_is_covered_in_part_costs_vigorish_by_the_same_rule(self) -> None:
        """Five percent of $6.01 is 31 cents: a part of a cent is the house's."""
        table = self.banked(601, 1000, 3000)
        assert net(table) == {"1": -601, "2": 601 - 31}

    def test_together_what_the_bank_has_won_pays_the_winners(self) -> None:
        table = self.banked(600, 1000, 3000, in_turn=False)
        assert net(table) == {"1": 1900, "2": 950, "3": -3000}

    def test_in_turn_what_the_bank_wins_first_pays_the_next(self) -> None:
        table = set_down(
            "little-pai-gow",
            {"1": {"bank_action": 600}, "2": {"pai_gow": 3000}, "3": {"pai_gow": 1000}},
        )
        play = dealt(table, f"{LOW} {NINE_HIGH} {FOURS}")
        answered(play, *({seat: "house_way"} for seat in "123"), None)
        assert net(table) == {"1": 1900, "2": -3000, "3": 950}

    def test_the_order_begins_after_the_one_who_banks(self) -> None:
        """Seat 2 banks, so seat 3 is first, and seat 1 comes last and is not covered."""
        table = set_down(
            "little-pai-gow",
            {"1": {"pai_gow": 500}, "2": {"bank_action": 600}, "3": {"pai_gow": 1000}},
        )
        play = dealt(table, f"{NINE_HIGH} {LOW} {FOURS}")
        answered(play, *({seat: "house_way"} for seat in "123"), None)
        assert net(table) == {"2": -600, "3": 570}

    def test_two_who_bank_together_share_by_what_they_put_up(self) -> None:
        """Seat 1 put up three quarters: it bears three quarters of the loss of $10."""
        table = set_down(
            "little-pai-gow",
            {"1": {"bank_action": 3000}, "2": {"bank_action": 1000}, "3": {"pai_gow": 1000}},
        )
        play = dealt(table, f"{NINE_HIGH} {FOURS}")
        assert [ask.seat for ask in asked(play.request)] == ["3", "1"]
        answered(play, {"1": "house_way"}, {"3": "house_way"}, None)
        assert net(table) == {"1": -750, "2": -250, "3": 950}
        settled_up(table)

    def test_the_house_banks_half(self) -> None:
        """A bank of $6 and the house's $6 pay a wager of $10: each bears half."""
        table = set_down(
            "little-pai-gow", {"1": {"bank_action": 600}, "2": {"pai_gow": 1000}},
            with_house="half",
        )  # fmt: skip
        answered(dealt(table, f"{NINE_HIGH} {FOURS}"), {"1": "house_way"}, {"2": "house_way"}, None)
        assert net(table) == {"1": -500, "2": 950}
        assert table.money[HOUSE] == -500 + 50
        settled_up(table)

    def test_the_house_shares_in_what_the_bank_wins(self) -> None:
        """Of $10 the bank wins half is the player's, less five percent."""
        table = set_down(
            "little-pai-gow", {"1": {"bank_action": 600}, "2": {"pai_gow": 1000}},
            with_house="half",
        )  # fmt: skip
        answered(dealt(table, f"{LOW} {FOURS}"), {"1": "house_way"}, {"2": "house_way"}, None)
        assert net(table) == {"1": 475, "2": -1000}
        settled_up(table)

    def test_a_banker_never_pays_a_vigorish_below_zero(self) -> None:
        """Whatever two bankers and the house have put up, a share of less is never more."""
        for first, second in ((19, 1), (9, 1), (17, 3), (180, 11), (7, 13)):
            for stake in range(1, 60):
                table = set_down(
                    "little-pai-gow",
                    {"1": {"bank_action": first}, "2": {"bank_action": second},
                     "3": {"pai_gow": stake}},
                    with_house="half",
                )  # fmt: skip
                answered(
                    dealt(table, f"{LOW} {FOURS}"), {"1": "house_way"}, {"3": "house_way"}, None
                )
                settled_up(table)
                for settled in table.settlements:
                    assert settled.vigorish >= 0, (first, second, stake)
                    assert (settled.net > 0) <= (settled.result.value == "win")

    def test_a_bank_wager_whose_own_rule_leaves_it_standing_is_given_back(self) -> None:
        """Nothing won, nothing lost: what was put up does not go to the house."""

        class Standing(LittlePaiGow):
            wagers = (
                LittlePaiGow.wagers[0],
                Wager(id="bank_action", title="Bank", cite=RULE, paid_by=RULE, pays=Odds(1),
                      decide=lambda case: STAND),
            )  # fmt: skip

        table = Watched(Standing())
        table.bet("1", "bank_action", 600)
        table.bet("2", "pai_gow", 1000)
        # One hand each: a push, and the outcomes name the hand that banks too.
        bank = Bank(wager="bank_action", cite=RULE)
        table.settle_each({"1": 1, "2": 1}, RULE, against=bank)
        assert table.money[HOUSE] == 0
        assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())

    def test_a_bonus_is_paid_beside_a_bank(self) -> None:
        """A bonus that nobody staked is settled with the wager it is paid on."""

        class Bonus(LittlePaiGow):
            wagers = (
                *LittlePaiGow.wagers,
                Wager(id="bonus", title="Bonus", cite=RULE, paid_by=RULE, pays=Odds(1),
                      decide=LittlePaiGow.wagers[0].decide, paid_on="pai_gow"),
            )  # fmt: skip

        for in_turn in (True, False):
            table = Watched(Bonus())
            table.bet("1", "bank_action", 5000)
            table.bet("2", "pai_gow", 1000)
            bank = Bank(wager="bank_action", cite=RULE, order=("2",) if in_turn else ())
            table.settle_each({"2": 2}, RULE, against=bank)
            assert (table.money["1"], table.money["2"]) == (-2000, 1950)


def all_in_at_three_levels() -> Watched:
    """Antes of $1; seat 1 bets $10, seat 2 has $2 left, seat 3 $5, and seat 4 calls.

    Seat 2 holds aces, seat 3 kings, seat 4 queens and seat 1 jacks.
    """
    table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "1234"})
    rows = ["Jh Ah Kh Qh", "Js As Ks Qs", "2c 3c 4c 5c", "3d 4d 5d 6d", "5h 6h 7h 8h"]
    play = dealt(table, " ".join(rows))
    answered(play, {"bet": 1000}, {"all_in": 200}, {"all_in": 500}, "call")
    answered(play, "stand_pat", "stand_pat", "stand_pat", "stand_pat")
    answered(play, "check", "check", None)
    assert play.request is None
    return table


class TestHoldEm:
    def test_an_all_in_for_less_makes_side_pots(self) -> None:
        """The main pot has four antes and four times $2, the next three times $3, then $5 twice."""
        table = all_in_at_three_levels()
        awards = [(e.data["seat"], e.data["amount"]) for e in table.events if e.kind == "award"]
        # $12 less a rake of $1.50 (five percent of $31, in quarters), then $9, then $10
        assert awards == [("2", 1200 - 150), ("3", 900), ("4", 1000)]
        assert table.money[HOUSE] == 150
        assert net(table) == {"1": -1100, "2": 750, "3": 300, "4": -100}
        settled_up(table)

    def test_side_pots_can_be_seen_while_the_round_goes_on(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "123"})
        play = dealt(table, "Jh Ah Kh Js As Ks 2c 3c 4c 3d 4d 5d 5h 6h 7h")
        assert table.view()["pots"] == [{"amount": 300, "hands": ["1", "2", "3"]}]
        answered(play, {"bet": 1000}, {"all_in": 200}, "call")
        assert table.view()["pots"] == [
            {"amount": 900, "hands": ["1", "2", "3"]}, {"amount": 1600, "hands": ["1", "3"]},
        ]  # fmt: skip

    def test_a_hand_that_has_folded_is_not_shown_as_one_that_may_win(self) -> None:
        """Seat 2 folds its ante: there is one pot, and seat 1 and 3 play for it."""
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "123"})
        play = dealt(table, "Jh Ah Kh Js As Ks 2c 3c 4c 3d 4d 5d 5h 6h 7h")
        answered(play, {"bet": 1000}, "fold", "call")
        assert sum(pot["amount"] for pot in table.view()["pots"]) == 2300
        assert [pot["hands"] for pot in table.view()["pots"]] == [["1", "3"]]

    def test_an_uncalled_bet_is_returned_and_not_raked(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
        play = dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h")
        answered(play, {"bet": 10_000}, "fold", None)
        (back,) = [e.data for e in table.events if e.kind == "refund"]
        assert (back["seat"], back["amount"]) == ("1", 10_000)
        assert net(table) == {"1": 100, "2": -100}
        assert table.money[HOUSE] == 0
        settled_up(table)

    def test_the_rake_is_in_whole_steps_and_capped(self) -> None:
        rake = Rake(Fraction(1, 20), RULE, cap=300, step=25)
        assert [rake.of(cents) for cents in (0, 499, 500, 999, 1000, 6000, 10**6)] == [
            0, 0, 25, 25, 50, 300, 300,
        ]  # fmt: skip
        assert Rake(Fraction(1, 20), RULE).of(10**6) == 50_000
        assert Rake(Fraction(1, 20), RULE, cap=0).of(10**6) == 0

    def test_the_odd_chip_goes_to_the_first_to_the_left(self) -> None:
        """A pot of $1.75 between seats 2 and 3: four quarters to seat 2, three to seat 3."""
        table = set_down(
            "little-hold-em", {seat: {"ante": 75} for seat in "123"}, ante=75, rake_cap=50
        )
        play = dealt(table, "2h Ah Ad 4s As Ac 6c Kc Kd 8d Qc Qd Th Jc Jd")
        for seat in "123":
            assert asked(play.request)[0].seat == seat
            play.answer("check")
        answered(play, *["stand_pat"] * 3, *["check"] * 3, None)
        assert table.money[HOUSE] == 0  # five percent of $2.25 is less than a quarter
        assert net(table) == {"1": -75, "2": 125 - 75, "3": 100 - 75}
        settled_up(table)

    def test_a_discard_is_told_by_its_number_and_its_cards_to_the_player_alone(self) -> None:
        seats = {
            "1": {"wagers": {"ante": 100}, "moves": ["check", {"discard": ["2c", "3d"]}, "check"]},
            "2": {"wagers": {"ante": 100}, "moves": ["check", "stand_pat", "check"]},
        }
        what = told("little-hold-em", "Jh Ah Js As 2c 3c 3d 4d 5h 6h Jc Jd", seats)
        assert what.document["net"] == {"1": 100, "2": -100}
        decided = [e for e in what.events("decision") if e["move"] == "discard"]
        assert [(e["seat"], 2 in e.values(), "cards" in e) for e in decided] == [("1", True, False)]

    def test_nothing_may_be_discarded(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
        play = dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h")
        answered(play, "check", "check", {"discard": []}, "stand_pat", "check", "check", None)
        assert net(table) == {"1": -100, "2": 100}

    def test_a_lone_ante_is_returned(self) -> None:
        table = set_down("little-hold-em", {"4": {"ante": 100}})
        assert Play(table).request is None
        assert [(s.result.value, s.net) for s in table.settlements] == [("void", 0)]
        settled_up(table)

    def test_a_commission_is_never_more_than_a_hand_has_won(self) -> None:
        """Seat 2 wins a main pot of 30 cents and seat 1 a side pot; both share a commission."""
        table = set_down("little-hold-em", {seat: {"ante": 10} for seat in "123"}, ante=10)
        pots = table.pots
        pots.collect(table.in_order(), RULE)
        for seat in "13":
            table.stake(seat, "bet", 5000, RULE)
        pots.collect(table.in_order(), RULE)
        before = table.money["2"]
        pots.award([["2"], ["1"], ["3"]], RULE, commission=Rake(Fraction(1, 20), RULE))
        assert table.money["2"] >= before
        settled_up(table)

    def test_a_commission_is_not_taken_of_what_the_house_wins(self) -> None:
        table = set_down("little-hold-em", {"1": {"ante": 100}})
        table.pots.collect(table.in_order(), RULE)
        table.pots.stake_for("dealer", 100, RULE)
        table.pots.award([["dealer"], ["1"]], RULE, commission=Rake(Fraction(1, 20), RULE))
        assert (table.money[HOUSE], table.money["1"], table.money[POT]) == (100, -100, 0)


class TestVote:
    def test_everybody_is_told_when_all_have_voted(self) -> None:
        seats = {seat: {"wagers": {"vote": 100}, "moves": [move]}
                 for seat, move in (("1", "yes"), ("2", "no"), ("3", "yes"))}  # fmt: skip
        what = told("little-vote", "Kc", seats)
        assert what.document["net"] == {"1": 100, "2": -100, "3": 100}
        assert [e["move"] for e in what.events("decision")] == ["yes", "no", "yes"]

    def test_nothing_is_told_before_the_last_answer(self) -> None:
        table = set_down("little-vote", {seat: {"vote": 100} for seat in "123"})
        play = Play(table)
        before = [table.view(seat) for seat in (None, "1", "2", "3")]
        answered(play, {"3": "yes"}, {"1": "no"})
        assert [table.view(seat) for seat in (None, "1", "2", "3")] == before
        play.answer({"2": "yes"})
        said = [event.data["move"] for event in table.events if event.kind == "decision"]
        assert said == ["no", "yes", "yes"]

    def test_who_says_nothing_says_no(self) -> None:
        """The default is the first move; `reply` puts it as the round wants it."""
        table = set_down("little-vote", {seat: {"vote": 100} for seat in "12"})
        play = Play(table)
        while asks := asked(play.request):
            assert play.request is not None
            play.answer(reply(play.request, asks[0], asks[0].default))
        answered(play, "Kc", None)
        assert net(table) == {"1": 100, "2": 100}

    def test_a_script_lets_each_seat_say_its_own(self) -> None:
        seats = {"1": {"wagers": {"vote": 100}}, "2": {"wagers": {"vote": 100}, "moves": ["no"]}}
        with pytest.raises(Refusal, match="seat 1 must no or yes"):
            told("little-vote", "Kc", seats)

    def test_nobody_asked_is_an_answer_too(self) -> None:
        """A question to no hand at all is answered at once."""
        table = Table(find("little-vote"))
        with pytest.raises(StopIteration) as done:
            next(table.ask_all({}, cite=RULE))
        assert done.value.value == {}


def test_what_a_wager_is_judged_by_names_its_hand() -> None:
    """A case knows the hand, so that a game can give every hand an outcome of its own."""
    table = set_down("little-twenty-one", {"1": {"twenty_one": 1000}})
    answered(dealt(table, "8h Kd 8s 7h"), "split")
    seen = []

    def noted(case: Any) -> Any:
        seen.append((case.seat, case.hand))
        return STAND

    for bet in table.in_order():
        judged(table, replace(bet, wager=replace(bet.wager, decide=noted)), None, {})
    assert seen == [("1", "1"), ("1", "1.2")]
