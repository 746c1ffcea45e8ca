"""What is not allowed is refused with a sentence that says why, and nothing changes."""

from fractions import Fraction
from typing import Any

import pytest

from croupier.rulebook import Bank, Choose, Fault, Play, Rake, Refusal, Table
from tests.small_games.games import GAMES, RULE
from tests.small_games.support import answered, dealt, refused, set_down
from tests.support import everything

TILES = "4-5 5-5 3-6 4-6"


def setting() -> Play:
    """Seats 1 and 2 are to set four tiles each; seat 1 has two nines and two tens."""
    table = set_down("little-pai-gow", {"1": {"pai_gow": 1000}, "2": {"pai_gow": 1000}})
    return dealt(table, f"{TILES} 2-2 5-5 1-3 4-6 1-2 1-1 5-6 5-6")


def drawing() -> Play:
    """Seat 1 may discard up to three of jacks and 2c 3d 5h."""
    table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
    play = dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h")
    return answered(play, "check", "check")


def deciding(cards: str) -> Play:
    """Seat 1 is to play these two cards at twenty-one."""
    first, second = cards.split()
    table = set_down("little-twenty-one", {"1": {"twenty_one": 1000}})
    return dealt(table, f"{first} Kd {second} 7h")


NONSENSE: list[Any] = [
    None, True, 0, -1, 1.5, "", "set ", "SET", [], [[]], {}, {"1": {}}, {"1": []}, {"1": None},
    {"1": "set"}, {"1": {"set": None}}, {"1": {"set": []}}, {"1": {"set": "high"}},
    {"1": {"set": {"high": None, "low": None}}}, {"1": {"set": {"high": "4-5", "low": "5-5"}}},
    {"1": {"set": {"high": [4, 5], "low": [5, 5]}}}, {"1": {"set": {"high": {}, "low": {}}}},
    {"1": {"set": {"high": [["4-5"], "4-6"], "low": ["5-5", "3-6"]}}},
    {"1": {"set": {1: [], 2: []}}}, {"1": {"house_way": {"high": []}}}, {"1": ["house_way"]},
    {"1": {"house_way": None, "set": None}}, {"1": "house_way", "2": "house_way"},
    {"1": {"set": 10**5000}}, 10**5000, "x" * 10_000,
    {"x" * 10_000: "house_way"}, {10**5000: "house_way"},
    {"1": {"set": {"high": ["x" * 10_000, "4-5"], "low": ["5-5", "3-6"]}}},
]  # fmt: skip


class TestSetting:
    def so(self, high: list[Any], low: list[Any]) -> str:
        return refused(setting(), {"1": {"set": {"high": high, "low": low}}})

    def test_a_foul_hand(self) -> None:
        """The low hand has nine points and the high hand has none."""
        play = setting()
        said = refused(
            answered(play, {"2": "house_way"}),
            {"1": {"set": {"high": ["5-5", "4-6"], "low": ["4-5", "4-6"]}}},
        )
        assert said == "seat 1 names 4-6 once more than it is held"
        table = set_down("little-pai-gow", {"1": {"pai_gow": 1000}})
        play = dealt(table, "4-5 5-5 4-6 2-2 1-2 1-1 5-6 5-6")
        said = refused(play, {"1": {"set": {"high": ["4-6", "2-2"], "low": ["4-5", "5-5"]}}})
        assert said == (
            "seat 1 may not set the hand so: "
            "the low hand, nine points, is higher than the high hand"
        )  # fmt: skip

    def test_a_tile_twice(self) -> None:
        assert self.so(["4-5", "4-5"], ["5-5", "3-6"]) == (
            "seat 1 names 4-5 once more than it is held"
        )
        assert self.so(["4-5", "5-5"], ["5-5", "3-6"]) == (
            "seat 1 names 5-5 once more than it is held"
        )

    def test_a_tile_that_is_not_held(self) -> None:
        assert self.so(["4-5", "6-6"], ["5-5", "3-6"]) == "seat 1 does not hold '6-6'"

    def test_a_tile_that_another_holds(self) -> None:
        assert self.so(["4-5", "2-2"], ["5-5", "3-6"]) == "seat 1 does not hold '2-2'"

    def test_a_wrong_number_of_tiles(self) -> None:
        assert self.so(["4-5", "5-5", "3-6"], ["4-6"]) == (
            "seat 1 may set (2 in the high hand, 2 in the low hand): "
            "the high hand has 3, and takes 2"
        )
        assert "the low hand has 1, and takes 2" in self.so(["4-5", "5-5"], ["4-6"])

    def test_a_part_that_is_missing_and_one_too_many(self) -> None:
        said = refused(setting(), {"1": {"set": {"high": ["4-5", "5-5"]}}})
        assert said.startswith("seat 1 may set (2 in the high hand, 2 in the low hand), not")
        three = {"high": ["4-5", "5-5"], "low": ["4-6", "3-6"], "middle": []}
        assert "may set (2 in the high hand" in refused(setting(), {"1": {"set": three}})

    def test_an_answer_of_a_hand_that_is_not_asked(self) -> None:
        assert refused(setting(), {"3": "house_way"}) == ("hand '3' is not asked for anything now")
        assert "is not asked for anything now" in refused(setting(), {"dealer": "house_way"})

    def test_an_answer_that_was_given_already(self) -> None:
        play = answered(setting(), {"2": "house_way"})
        assert refused(play, {"2": "house_way"}) == "seat 2 has answered already"

    def test_an_answer_that_does_not_say_whose_it_is(self) -> None:
        assert refused(setting(), "house_way") == (
            "'house_way' does not say which hand it is the answer of"
        )

    @pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda each: repr(type(each)))
    def test_nonsense(self, nonsense: Any) -> None:
        play = setting()
        assert refused(play, nonsense)
        answered(play, {"1": "house_way"}, {"2": "house_way"}, None)
        assert play.request is None


class TestDrawing:
    def test_a_discard_of_six_cards(self) -> None:
        six = ["Jh", "Js", "2c", "3d", "5h", "Jh"]
        assert refused(drawing(), {"discard": six}) == "seat 1 names Jh once more than it is held"

    def test_a_discard_of_more_than_three(self) -> None:
        said = refused(drawing(), {"discard": ["Jh", "Js", "2c", "3d"]})
        assert said == "seat 1 may discard 0 to 3 cards, not 4"

    def test_a_card_that_another_holds(self) -> None:
        assert refused(drawing(), {"discard": ["Ah"]}) == "seat 1 does not hold 'Ah'"

    def test_an_answer_of_another_seat(self) -> None:
        """One seat is asked alone, so an answer that names a seat is no move of it."""
        assert refused(drawing(), {"2": "stand_pat"}).startswith("seat 1 may stand_pat")

    @pytest.mark.parametrize(
        "nonsense", ["discard", {"discard": None}, {"discard": "2c"}, {"discard": {"2c": 1}},
                     {"discard": [2]}, {"discard": [None]}, {"discard": 10**5000},
                     {"stand_pat": 5}, {"stand_pat": ["2c"]}],
        ids=lambda each: repr(type(each)),
    )  # fmt: skip
    def test_nonsense(self, nonsense: Any) -> None:
        assert refused(drawing(), nonsense)

    def test_an_irregularity_is_not_reported_while_a_player_decides(self) -> None:
        assert refused(drawing(), {"irregularity": "misdeal"})
        assert refused(setting(), {"irregularity": "misdeal"})


class TestBetting:
    def test_a_bet_outside_its_range(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
        play = dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h")
        assert refused(play, {"bet": 99}) == (
            "seat 1 may bet (100 to 10000 cents), not 99: in steps of 50"
        )
        for amount in (10_050, 125, -100, True, "100", 100.0, None, [100]):
            assert "seat 1 may bet (100 to 10000 cents)" in refused(play, {"bet": amount})

    def test_a_call_is_no_more_and_no_less_than_it_costs(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
        play = answered(dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h"), {"bet": 500})
        assert "call (500 cents)" in refused(play, {"call": 400})
        assert "all_in (1 to 499 cents)" in refused(play, {"all_in": 500})

    def test_a_wager_on_a_hand_that_has_been_folded(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "123"})
        play = dealt(table, "Jh Ah Kh Js As Ks 2c 3c 4c 3d 4d 5d 5h 6h 7h")
        answered(play, {"bet": 500}, "fold")
        before = everything(table)
        refusal = table.refusal("2", "bet", 500)
        assert refusal is not None
        assert refusal.fault is Fault.NO_MORE_BETS
        with pytest.raises(Refusal):
            table.bet("2", "ante", 200)
        assert everything(table) == before

    def test_a_wager_of_the_round_on_a_hand_that_is_not_there(self) -> None:
        """A game that stakes on a hand that was never split has made a mistake."""
        play = deciding("8h 8s")
        before = everything(play.table)
        with pytest.raises(Refusal, match=r"1\.2"):
            play.table.stake("1.2", "twenty_one", 1000, RULE)
        assert everything(play.table) == before


ENDLESS: list[Any] = [10**5000, "x" * 10_000, {"x" * 10_000: 1}, {"bet": 10**5000}]


@pytest.mark.parametrize("endless", ENDLESS, ids=["number", "word", "name", "amount"])
def test_an_answer_without_end_is_refused_in_a_short_sentence(endless: Any) -> None:
    table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
    play = dealt(table, "Jh Ah Js As 2c 3c 3d 4d 5h 6h")
    assert refused(play, endless).startswith("seat 1 may ")


class TestHands:
    def test_a_split_of_unequal_cards(self) -> None:
        said = refused(deciding("8h 9s"), "split")
        assert said == "seat 1 may stand, draw, double (1000 cents) here, not 'split'"

    def test_a_split_of_three_cards(self) -> None:
        play = answered(deciding("2h 2s"), "draw", "2d")
        assert refused(play, "split") == "seat 1 may stand, draw here, not 'split'"
        before = everything(play.table)
        with pytest.raises(Refusal, match="only a hand of two cards can be split"):
            play.table.split("1", RULE)
        assert everything(play.table) == before

    def test_a_double_of_another_amount(self) -> None:
        assert "double (1000 cents)" in refused(deciding("8h 8s"), {"double": 500})

    def test_a_split_of_the_dealers_hand(self) -> None:
        play = deciding("8h 8s")
        before = everything(play.table)
        with pytest.raises(Refusal):
            play.table.split("dealer", RULE)
        assert everything(play.table) == before

    def test_a_refusal_about_a_hand_that_is_not_there_makes_none(self) -> None:
        play = deciding("8h 8s")
        table, names = play.table, [*play.table.hands]
        with pytest.raises(Refusal):
            table.split("1.2", RULE)
        with pytest.raises(Refusal):
            table.move_bet(table.in_order()[0], "2", RULE)
        assert [*table.hands] == names

    def test_a_wager_moves_to_another_hand_of_its_seat_only(self) -> None:
        table = set_down("little-twenty-one", {seat: {"twenty_one": 1000} for seat in "12"})
        answered(dealt(table, "8h 9h Kd 8s 9s 7h"), "split")
        bet, before = table.in_order()[0], everything(table)
        for to in ("2", "1.2", "dealer"):
            with pytest.raises(Refusal) as caught:
                table.move_bet(bet, to, RULE)
            assert caught.value.message == f"twenty_one of seat 1 may not move to hand {to}"
            assert everything(table) == before

    def test_a_wager_does_not_move_to_a_hand_that_is_not_there(self) -> None:
        play = deciding("8h 8s")
        before = everything(play.table)
        with pytest.raises(Refusal, match=r"may not move to hand 1\.7"):
            play.table.move_bet(play.table.in_order()[0], "1.7", RULE)
        assert everything(play.table) == before


class TestSides:
    @pytest.mark.parametrize("order", [(), ("1", "2")])
    def test_a_bank_that_has_nothing(self, order: tuple[str, ...]) -> None:
        """Nobody has put up anything, so nobody may win what the others lose."""
        table = set_down("little-pai-gow", {"1": {"pai_gow": 1000}, "2": {"pai_gow": 3000}})
        bank = Bank(wager="bank_action", cite=RULE, order=order)
        before = everything(table)
        with pytest.raises(Refusal, match="bank"):
            table.settle_each({"1": 2, "2": 0}, RULE, against=bank)
        assert everything(table) == before

    @pytest.mark.parametrize("part", [Fraction(1), Fraction(3, 2), Fraction(-1, 2)])
    def test_a_bank_that_is_all_the_houses(self, part: Fraction) -> None:
        with pytest.raises(ValueError, match="house"):
            Bank(wager="bank_action", cite=RULE, house=part)

    def test_a_hand_that_the_order_leaves_out_comes_last(self) -> None:
        """The bank of $5 is used up by seat 3, which has a turn; seat 2 has none."""
        table = set_down("little-pai-gow", {"1": {"bank_action": 500}, "2": {"pai_gow": 1000},
                                            "3": {"pai_gow": 1000}})  # fmt: skip
        bank = Bank(wager="bank_action", cite=RULE, order=("3",))
        table.settle_each({"2": 2, "3": 2}, RULE, against=bank)
        assert (table.money["1"], table.money["2"], table.money["3"]) == (-500, 0, 475)

    def test_who_banks_does_not_wager_too(self) -> None:
        table = set_down("little-pai-gow", {"1": {"bank_action": 1000}})
        before = everything(table)
        with pytest.raises(Refusal, match="a seat may wager or bank, and not both"):
            table.bet("1", "pai_gow", 1000)
        assert everything(table) == before

    def test_a_third_banker(self) -> None:
        table = set_down("little-pai-gow", {"1": {"bank_action": 1}, "2": {"bank_action": 1}})
        with pytest.raises(Refusal, match="two players bank already"):
            table.bet("3", "bank_action", 1)


class TestPots:
    def test_a_pot_with_a_single_contributor(self) -> None:
        """All of it is uncalled and goes back; then there is nothing to win."""
        table = set_down("little-hold-em", {"1": {"ante": 100}})
        table.pots.collect(table.in_order(), RULE)
        table.pots.return_uncalled(RULE)
        assert table.money["1"] == 0
        before = everything(table)
        with pytest.raises(Refusal, match="no hand that may win has put anything in the pot"):
            table.pots.award([["1"]], RULE)
        assert everything(table) == before

    def test_a_pot_that_only_strangers_could_win(self) -> None:
        table = set_down("little-hold-em", {seat: {"ante": 100} for seat in "12"})
        table.pots.collect(table.in_order(), RULE)
        before = everything(table)
        with pytest.raises(Refusal, match="no hand that may win"):
            table.pots.award([["3"], ["dealer"]], RULE, commission=Rake(Fraction(1, 20), RULE))
        assert everything(table) == before

    def test_an_empty_pot_gives_nothing_back(self) -> None:
        table = Table(GAMES["little-hold-em"])
        table.pots.return_uncalled(RULE)
        table.pots.rake(Rake(Fraction(1, 20), RULE))
        assert (table.events, table.money.total()) == ([], 0)


class TestQuestions:
    def test_a_default_that_is_no_answer(self) -> None:
        """The clock could not give it, so a game may not ask so."""
        table = set_down("little-hold-em", {"1": {"ante": 100}})
        with pytest.raises(ValueError, match="discard"):
            next(table.ask("1", "discard?", Choose("discard", most=3), "stand_pat", cite=RULE))

    def test_an_answer_when_the_round_is_over(self) -> None:
        play = Play(set_down("little-hold-em", {"1": {"ante": 100}}))
        with pytest.raises(Refusal, match="the round is over"):
            play.answer("check")
