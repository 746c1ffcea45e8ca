"""Vigorish: what is owed, when it is taken or marked, and how it is collected in the end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import InexactPayment, Odds, Wheel
from croupier.games import find_game
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    LOSE,
    PUSH,
    WIN,
    Case,
    Decision,
    Draw,
    Fault,
    Game,
    NoState,
    Play,
    Refusal,
    Round,
    Rounding,
    Table,
    TableOptions,
    Vigorish,
    Wager,
    half_lost,
    law,
    owed_by,
)
from tests.support import Told, cited, everything, run, says, turned_away

FIVE, FOUR, QUARTER = Fraction(5, 100), Fraction(4, 100), Fraction(25, 100)
EVEN = Odds(1)

# Four cards that decide a round of baccarat: naturals, so that no third card is due.
BANKER_WINS = ["Kh", "9c", "2d", "Ks"]
PLAYER_WINS = ["9h", "2c", "Kd", "3c"]
TIE = ["9h", "9c", "Kd", "Ks"]


# A small game of its own: a coin, with a toll on heads, and on the stake if it stands on its edge.


def toll(case: Case[str, NoState, TableOptions]) -> Decision:
    if case.outcome == "tails":
        return LOSE
    return replace(WIN if case.outcome == "heads" else PUSH, charged=True)


def coin(rule: Vigorish | None, pays: Odds = EVEN) -> Game:
    class Coin(Game):
        """One toss of a coin."""

        id = "coin"
        title = "Coin"
        cite = law("99.1")
        positions = 3
        wagers = (
            Wager(id="heads", title="Heads", cite=law("99.2"), paid_by=law("99.3"), pays=pays,
                  decide=toll, vigorish=lambda options: rule),
        )  # fmt: skip
        irregularities = {}

        def device(self, options: TableOptions) -> Wheel:
            return Wheel("coin", ["heads", "tails", "edge"])

        def round(self, table: Table) -> Round:
            table.no_more_bets(law("99.1"))
            toss = yield from table.draw(table.equipment)
            table.settle(toss, law("99.3"))

    return Coin()


def tossed(game: Game, stakes: dict[str, int], side: str) -> Table:
    table = Table(game)
    for seat, stake in stakes.items():
        table.bet(seat, "heads", stake)
    Play(table).answer(side)
    return table


def wager_with(rule: Vigorish | None, pays: Odds = EVEN) -> Wager:
    return coin(rule, pays).by_id["heads"]


# What is owed.


@pytest.mark.cites("3.3(c)1", "7.3(c)1")
@pytest.mark.parametrize(
    ("rate", "up_to", "won", "owed"),
    [
        (FIVE, 25, 1000, 50),
        (FIVE, 25, 1010, 75),  # 50.5 cents
        (FIVE, 25, 1235, 75),  # 61.75 cents
        (FIVE, 25, 500, 25),
        (FIVE, 25, 1, 25),  # "to 25 cents or the next highest multiple"
        (FOUR, 20, 1000, 40),
        (FOUR, 20, 1010, 60),  # 40.4 cents
        (FOUR, 20, 500, 20),
        (FOUR, 20, 501, 40),
        (FIVE, 5, 1000, 50),
        (FIVE, 5, 1010, 55),
        (FIVE, 5, 1235, 65),
        (FIVE, 5, 1300, 65),
        (FOUR, 5, 1235, 50),  # 49.4 cents
    ],
)
def test_vigorish_is_rounded_to_a_coin_or_to_the_next_higher_multiple(
    rate: Fraction, up_to: int, won: int, owed: int
) -> None:
    assert Vigorish(rate, law("7.3(c)1"), up_to).on(won) == owed


@pytest.mark.cites("3.3(c)1", "7.3(c)1")
@given(
    rate=st.sampled_from([FIVE, FOUR]),
    up_to=st.sampled_from([5, 20, 25]),
    won=st.integers(1, 10**9),
)
def test_vigorish_is_never_rounded_down_nor_up_by_a_whole_coin(
    rate: Fraction, up_to: int, won: int
) -> None:
    owed = Vigorish(rate, law("7.3(c)1"), up_to).on(won)

    assert owed % up_to == 0
    assert rate * won <= owed < rate * won + up_to


@pytest.mark.cites("7.3(d)")
def test_exact_vigorish_is_whole_cents_or_no_payment_at_all() -> None:
    assert Vigorish(QUARTER, law("7.3(d)")).on(1004) == 251
    with pytest.raises(InexactPayment, match="1/4 of 1005 cents is not a whole number of cents"):
        Vigorish(QUARTER, law("7.3(d)")).on(1005)


@pytest.mark.cites("3.3(c)", "7.3(c)")
def test_vigorish_is_a_part_of_what_was_won() -> None:
    three_to_two = wager_with(Vigorish(FIVE, law("99.4")), Odds(3, 2))
    charged = replace(WIN, charged=True)

    assert three_to_two.net(charged, TableOptions()) == Fraction(3, 2) * Fraction(95, 100)
    assert three_to_two.cents(charged, TableOptions(), 200) == (300, 15)


@pytest.mark.cites("7.3(d)")
def test_where_nothing_was_won_vigorish_is_a_part_of_the_stake() -> None:
    wager = wager_with(Vigorish(QUARTER, law("99.4")))
    charged = replace(PUSH, charged=True)

    assert wager.net(charged, TableOptions()) == -QUARTER
    assert wager.cents(charged, TableOptions(), 1000) == (0, 250)


def test_the_worth_of_a_wager_knows_no_rounding_and_a_stake_in_cents_does() -> None:
    wager = wager_with(Vigorish(FIVE, law("99.4"), 25))
    charged = replace(WIN, charged=True)

    assert wager.net(charged, TableOptions()) == Fraction(95, 100)
    assert wager.cents(charged, TableOptions(), 1010) == (1010, 75)


@pytest.mark.parametrize("decision", [WIN, LOSE, PUSH])
def test_a_decision_that_is_not_charged_costs_no_vigorish(decision: Decision) -> None:
    with_toll, without = wager_with(Vigorish(FIVE, law("99.4"))), wager_with(None)

    assert with_toll.net(decision, TableOptions()) == without.net(decision, TableOptions())
    assert with_toll.cents(decision, TableOptions(), 1001)[1] == 0


def test_a_wager_without_vigorish_is_not_charged_whatever_is_decided() -> None:
    charged = replace(WIN, charged=True)

    assert wager_with(None).net(charged, TableOptions()) == 1
    assert wager_with(None).cents(charged, TableOptions(), 1001) == (1001, 0)


def test_a_part_of_a_cent_is_rounded_before_vigorish_is_taken_of_it() -> None:
    third = Decision(WIN.result, "third", Fraction(1, 3), rounding=Rounding.HOUSE, charged=True)

    assert wager_with(Vigorish(FIVE, law("99.4"), 5)).cents(third, TableOptions(), 1000) == (
        333,
        20,
    )
    assert wager_with(None).cents(half_lost(law("99.5")), TableOptions(), 1001) == (-500, 0)


# What may be wagered.


@pytest.mark.cites("7.3(c)1", "7.3(d)")
@pytest.mark.parametrize(
    ("options", "unit", "cite"),
    [
        ({"vig_rounding": "exact"}, 20, "7.3(c)"),
        ({"vig_rounding": "exact", "banker_scheme": "win_vig_4"}, 25, "7.3(c)"),
        ({"banker_scheme": "tie_vig_25"}, 4, "7.3(d)"),
    ],
)
def test_exact_vigorish_needs_a_stake_of_which_it_is_whole_cents(
    options: dict[str, str], unit: int, cite: str
) -> None:
    table = Table(find_game("minibaccarat"), options)

    told = turned_away(table, "banker", 1001)

    says(told, Fault.NOT_PAYABLE, f"it must be a multiple of {unit} cents", cite)
    table.bet("1", "banker", 1000 + unit)


@pytest.mark.cites("7.3(c)1")
def test_rounded_vigorish_needs_no_such_stake() -> None:
    table = Table(find_game("minibaccarat"))

    table.bet("1", "banker", 1001)

    assert table.stakes("1") == {"banker": 1001}


@pytest.mark.parametrize("pays", [EVEN, Odds(3, 2), Odds(1, 2), Odds(7, 6)], ids=str)
def test_whatever_stake_is_offered_the_vigorish_of_its_winnings_is_whole_cents(pays: Odds) -> None:
    game = coin(Vigorish(FIVE, law("99.4")), pays)
    (opening,) = Table(game).openings("1")

    for stake in (opening.low, opening.low + opening.step):
        table = tossed(game, {"1": stake}, "heads")
        assert table.money["1"] == stake * pays.net * Fraction(95, 100)


# Taken at once.


def test_vigorish_that_is_taken_goes_from_the_seat_to_the_house() -> None:
    table = tossed(coin(Vigorish(FIVE, law("99.4"))), {"1": 1000}, "heads")

    (settled,) = table.settlements
    assert (settled.gross, settled.vigorish, settled.net) == (1000, 50, 950)
    assert table.money["1"] == 950
    assert table.money[HOUSE] == -950
    assert (table.owed("1"), table.worth("1")) == (0, 950)
    (taken,) = [event for event in table.events if event.kind == "vigorish"]
    assert taken.as_json() == {
        "kind": "vigorish", "seat": "1", "wager": "heads", "amount": 50, "how": "taken",
        "citation": "19:47-99.4",
    }  # fmt: skip


@pytest.mark.cites("7.3(d)", "7.2(a)1")
def test_a_wager_that_is_returned_may_be_charged() -> None:
    table = tossed(coin(Vigorish(QUARTER, law("99.4"))), {"1": 1000}, "edge")

    (settled,) = table.settlements
    assert (settled.result.value, settled.gross, settled.net) == ("push", 0, -250)
    assert [(event.kind, event.data["amount"]) for event in table.events[-2:]] == [
        ("return", 1000), ("vigorish", 250),
    ]  # fmt: skip
    assert table.money["1"] == -250
    assert table.money[LAYOUT] == 0


def test_a_wager_that_is_lost_is_not_charged() -> None:
    table = tossed(coin(Vigorish(FIVE, law("99.4"))), {"1": 1000}, "tails")

    assert table.money["1"] == -1000
    assert not [event for event in table.events if event.kind == "vigorish"]


def test_a_settlement_tells_its_vigorish_if_there_is_any() -> None:
    charged = tossed(coin(Vigorish(FIVE, law("99.4"))), {"1": 1000}, "heads")
    free = tossed(coin(None), {"1": 1000}, "heads")

    assert charged.settlements[0].as_json()["vigorish"] == 50
    assert charged.settlements[0].as_json()["net"] == 950
    assert "vigorish" not in free.settlements[0].as_json()


# In which order, 3.10(b) and 7.10(b).


def dealt(draws: Sequence[str], seats: dict[str, dict[str, int]], game: str = "minibaccarat",
          **options: Any) -> Told:  # fmt: skip
    laid = {seat: {"wagers": wagers} for seat, wagers in seats.items()}
    return run({"game": game, "options": options, "draws": list(draws), "seats": laid})


def moved(told: Told) -> list[str]:
    """What was done with chips, in order: `pay 5 banker`, `vigorish 5`."""
    kinds = ("collect", "pay", "return", "vigorish")
    events = [event for event in told.rounds[-1]["events"] if event["kind"] in kinds]
    return [
        f"{event['kind']} {event['seat']}"
        + (f" {event['wager']}" if event["kind"] != "vigorish" else "")
        for event in events
    ]


SEQUENCES = {
    "1": ["pay 5 banker", "pay 5 total_cards_4", "pay 2 banker", "vigorish 5", "vigorish 2"],
    "2": ["vigorish 5", "vigorish 2", "pay 5 banker", "pay 5 total_cards_4", "pay 2 banker"],
    "3": ["pay 5 banker", "pay 5 total_cards_4", "vigorish 5", "pay 2 banker", "vigorish 2"],
    "4": ["vigorish 5", "pay 5 banker", "pay 5 total_cards_4", "vigorish 2", "pay 2 banker"],
}


@pytest.mark.cites("3.10(b)", "7.10(b)")
@pytest.mark.parametrize("game", ["minibaccarat", "baccarat-punto-banco"])
@pytest.mark.parametrize("timing", ["at_payout", "deferred"])
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_losers_are_collected_and_then_the_table_pays_and_charges_in_its_sequence(
    sequence: str, timing: str, game: str
) -> None:
    told = dealt(
        BANKER_WINS,
        {
            "2": {"banker": 2000},
            "5": {"banker": 1000, "total_cards_4": 1000},
            "1": {"player": 1000},
            "7": {"player": 1000, "tie": 1000},
        },
        game, settlement_sequence=sequence, offer_total_cards="yes", vig_timing=timing,
    )  # fmt: skip

    collected = ["collect 7 player", "collect 7 tie", "collect 1 player"]
    assert moved(told) == collected + SEQUENCES[sequence]


@pytest.mark.cites("7.10(b)", "7.3(d)")
@pytest.mark.parametrize(
    ("sequence", "order"),
    [
        ("1", ["return 5 banker", "pay 5 tie", "return 2 banker", "vigorish 5", "vigorish 2"]),
        ("4", ["vigorish 5", "return 5 banker", "pay 5 tie", "vigorish 2", "return 2 banker"]),
    ],
)
def test_vigorish_on_a_tie_is_collected_in_the_same_sequence(
    sequence: str, order: list[str]
) -> None:
    told = dealt(
        TIE, {"2": {"banker": 2000}, "5": {"banker": 1000, "tie": 1000}},
        settlement_sequence=sequence, banker_scheme="tie_vig_25",
    )  # fmt: skip

    assert moved(told) == order
    assert [event["amount"] for event in told.events("vigorish")] == [250, 500]
    assert told.result("banker", "5") == ("void", -250)
    assert cited(told.events("vigorish")[0]) == "7.3(d)"


def test_a_game_that_says_nothing_pays_each_seat_and_then_charges_it() -> None:
    table = tossed(coin(Vigorish(FIVE, law("99.4"))), {"1": 1000, "3": 2000}, "heads")

    done = [(e.kind, e.data["seat"]) for e in table.events if e.kind in ("pay", "vigorish")]
    assert done == [("pay", "1"), ("vigorish", "1"), ("pay", "3"), ("vigorish", "3")]


@pytest.mark.cites("3.3(e)2", "7.3(f)2")
def test_vigorish_is_waived_for_the_player_with_enough_on_total_cards_and_for_no_other() -> None:
    told = dealt(
        BANKER_WINS,
        {
            "2": {"banker": 2000, "total_cards_4": 1998},
            "5": {"banker": 2000, "total_cards_4": 1000, "total_cards_5": 1000},
            "6": {"banker": 2000},
        },
        banker_scheme="no_vig_with_total_cards", offer_total_cards="yes",
    )  # fmt: skip

    assert told.result("banker", "2") == ("win", 1900)
    assert told.result("banker", "5") == ("win", 2000)
    assert told.result("banker", "6") == ("win", 1900)
    assert [event["seat"] for event in told.events("vigorish")] == ["6", "2"]


# Deferred: marked, and collected later.


def draws_of(play: Play, cards: Iterator[str]) -> None:
    """Answer every request: the next card, what the rules do unasked, nothing irregular."""
    while play.request is not None:
        drawing = isinstance(play.request, Draw)
        play.answer(next(cards) if drawing else getattr(play.request, "default", None))


def at_punto_banco(**options: Any) -> Table:
    """A table in play; five percent, rounded up to 25 cents, deferred."""
    table = Table(find_game("baccarat-punto-banco"), options)
    table.state = table.game.in_play(table.state)
    return table


def play_on(table: Table, cards: Sequence[str], **stakes: int) -> None:
    """One round; `s5=1000` is ten dollars on the banker at seat 5."""
    table.open_betting()
    for seat, stake in stakes.items():
        table.bet(seat[1:], "banker", stake)
    draws_of(Play(table), iter(cards))
    assert sum(table.money.values()) == 0


@pytest.mark.cites("3.3(c)2")
def test_deferred_vigorish_is_marked_at_the_seat_and_the_winner_is_paid_in_full() -> None:
    table = at_punto_banco()

    play_on(table, BANKER_WINS, s5=1010)

    (settled,) = table.settlements
    assert (settled.gross, settled.vigorish, settled.net) == (1010, 75, 935)
    assert table.money["5"] == 1010
    assert table.money[owed_by("5")] == -75
    assert table.money[HOUSE] == -1010 + 75
    assert (table.owed("5"), table.worth("5")) == (75, 935)
    assert table.view()["vigorish_owed"] == {"5": 75}
    (marked,) = [event for event in table.events if event.kind == "vigorish"]
    assert (marked.data["how"], marked.data["amount"]) == ("marked", 75)
    assert str(marked.cite) == "19:47-3.3(c)2"


@pytest.mark.cites("3.3(c)2")
def test_markers_add_up_from_round_to_round_and_seat_by_seat() -> None:
    table = at_punto_banco()

    play_on(table, BANKER_WINS, s5=1000, s2=1010)
    play_on(table, PLAYER_WINS, s5=1000)
    play_on(table, TIE, s5=1000)
    play_on(table, BANKER_WINS, s5=1235)

    assert (table.owed("5"), table.owed("2"), table.owed("3")) == (50 + 75, 75, 0)
    assert table.view()["vigorish_owed"] == {"2": 75, "5": 125}
    assert table.worth("5") == 1000 - 1000 + 1235 - 125


@pytest.mark.cites("3.3(c)2", "3.3(c)4")
def test_all_that_is_owed_is_collected_before_the_cards_are_reshuffled() -> None:
    table = at_punto_banco()
    play_on(table, BANKER_WINS, s5=1000, s2=1010)
    table.state = table.game.due_for_shuffle(table.state)

    play_on(table, ["Ah", "3c", *PLAYER_WINS])

    collected = [event for event in table.events if event.kind == "vigorish"]
    assert [(event.data["seat"], event.data["amount"]) for event in collected] == [
        ("2", 75), ("5", 50),
    ]  # fmt: skip
    assert {event.data["how"] for event in collected} == {"collected"}
    assert {str(event.cite) for event in collected} == {"19:47-3.3(c)4"}
    texts = [event.data.get("text") for event in table.events]
    assert table.events[:2] == collected
    assert "The cards are shuffled" in texts[2:]
    assert (table.money["5"], table.owed("5"), table.worth("5")) == (950, 0, 950)
    assert table.view()["vigorish_owed"] == {}


@pytest.mark.cites("3.3(c)4")
def test_what_a_player_owes_is_collected_when_he_leaves() -> None:
    table = at_punto_banco()
    table.sit("5", "Ann")
    play_on(table, BANKER_WINS, s5=1000, s2=1000)

    table.leave("5")

    assert (table.money["5"], table.owed("5"), table.owed("2")) == (950, 0, 50)
    assert table.events[-1].as_json() == {
        "kind": "vigorish", "seat": "5", "amount": 50, "how": "collected",
        "citation": "19:47-3.3(c)4",
    }  # fmt: skip
    assert table.players == {}
    assert table.forms == 0


@pytest.mark.cites("3.3(c)3", "3.3(c)4", "7.3(c)3")
@pytest.mark.parametrize("game", ["baccarat-punto-banco", "minibaccarat"])
def test_what_is_not_collected_is_documented_on_forms_in_sequence(game: str) -> None:
    """The form has the amount and the name of the patron, and the marker is removed."""
    table = Table(find_game(game), {"vig_timing": "deferred"})
    table.state = table.game.in_play(table.state)
    table.sit("5", "Ann")
    play_on(table, BANKER_WINS, s5=1000, s2=2000)

    table.leave("2", pays=False)
    table.leave("5", pays=False)

    chapter = table.game.cite.place.partition("-")[2].partition(".")[0]
    first, second = (event.as_json() for event in table.events[-2:])
    assert [first["form"], second["form"]] == [1, 2]
    assert (first["amount"], second["amount"]) == (100, 50)
    assert second["patron"] == "Ann"
    assert cited(first) == f"{chapter}.3(c)3"
    assert table.view()["vigorish_owed"] == {}
    assert sum(table.money.values()) == 0


@pytest.mark.cites("3.3(c)3")
def test_the_house_bears_what_it_documents_and_the_patron_keeps_it() -> None:
    table = at_punto_banco()
    play_on(table, BANKER_WINS, s5=1000)

    table.leave("5", pays=False)

    assert table.money["5"] == table.worth("5") == 1000
    assert table.money[HOUSE] == -1000
    assert table.owed("5") == 0


@pytest.mark.cites("3.3(c)3")
def test_forms_go_on_being_numbered_in_later_rounds() -> None:
    table = at_punto_banco()
    for form in (1, 2, 3):
        play_on(table, BANKER_WINS, s5=1000)
        table.leave("5", pays=False)
        assert table.events[-1].data["form"] == table.forms == form


@pytest.mark.parametrize("pays", [True, False])
def test_who_owes_nothing_leaves_without_a_trace(pays: bool) -> None:
    table = at_punto_banco()
    play_on(table, PLAYER_WINS, s5=1000)
    before = everything(table)

    table.leave("5", pays=pays)

    assert everything(table) == before
    assert table.forms == 0


@pytest.mark.cites("3.3(c)4")
def test_nobody_leaves_while_a_wager_of_his_lies_on_the_layout() -> None:
    table = at_punto_banco()
    play_on(table, BANKER_WINS, s5=1000)
    table.open_betting()
    table.sit("5", "Ann")
    table.bet("5", "player", 1000)

    def cannot_leave() -> None:
        before = everything(table), dict(table.players)
        with pytest.raises(Refusal) as caught:
            table.leave("5")
        still = "seat 5 cannot leave: player is still on the layout"
        says(caught.value, Fault.NOT_NOW, still, "3.1")
        assert (everything(table), dict(table.players)) == before

    cannot_leave()
    play = Play(table)
    cannot_leave()
    draws_of(play, iter(PLAYER_WINS))
    table.leave("5")
    assert table.owed("5") == 0


def test_a_seat_that_the_table_does_not_have_cannot_be_left() -> None:
    with pytest.raises(Refusal) as caught:
        at_punto_banco().leave("15")

    says(caught.value, Fault.UNKNOWN_SEAT, "there is no seat '15' here", "3.1")


@pytest.mark.cites("7.11(e)")
def test_a_void_round_costs_no_vigorish() -> None:
    told = run(
        {
            "game": "minibaccarat",
            "draws": BANKER_WINS[:3],
            "seats": {"2": {"wagers": {"banker": 1000}}},
            "irregularities": [{"before_draw": 4, "kind": "too_few_cards"}],
        }
    )

    assert told.rounds[0]["void"]
    assert not told.events("vigorish")
    assert told.net("2") == 0


# In round scripts.


def punto_banco(*rounds: dict[str, Any]) -> Told:
    return run({"game": "baccarat-punto-banco", "rounds": list(rounds)})


def on_banker(stake: int, **more: Any) -> dict[str, Any]:
    return {"wagers": {"banker": stake}, **more}


@pytest.mark.cites("3.3(c)2")
def test_a_script_tells_what_is_owed_at_its_end_and_counts_it_as_lost() -> None:
    told = punto_banco({"draws": BANKER_WINS, "seats": {"3": on_banker(1010)}})

    assert told.document["vigorish_owed"] == {"3": 75}
    assert told.net("3") == 935
    assert told.settled("banker", "3")["vigorish"] == 75


@pytest.mark.cites("3.3(c)2", "3.3(c)4")
def test_a_script_that_shuffles_collects_first() -> None:
    told = punto_banco(
        {"draws": BANKER_WINS, "seats": {"3": on_banker(1000)}},
        {"shuffle": True, "draws": ["Ah", "3c", *PLAYER_WINS], "seats": {"3": on_banker(1000)}},
    )

    kinds = [event["kind"] for event in told.rounds[1]["events"]]
    assert kinds.index("vigorish") < kinds.index("step")
    assert told.events("vigorish")[0]["how"] == "collected"
    assert "vigorish_owed" not in told.document
    assert told.net("3") == 950 - 1000


@pytest.mark.cites("3.3(c)3", "3.3(c)4")
def test_a_seat_of_a_script_leaves_after_the_round_and_pays_or_keeps_it() -> None:
    told = punto_banco(
        {
            "draws": BANKER_WINS,
            "seats": {
                "3": on_banker(1000, leaves=True),
                "4": on_banker(1000, leaves="without_paying", player="Bob"),
                "5": on_banker(1000, leaves=False),
            },
        }
    )

    assert told.events("vigorish")[-1] == {
        "kind": "vigorish", "seat": "3", "amount": 50, "how": "collected",
        "citation": "19:47-3.3(c)4",
    }  # fmt: skip
    (form,) = told.events("complimentary_vigorish")
    assert (form["seat"], form["amount"], form["form"], form["patron"]) == ("4", 50, 1, "Bob")
    assert told.document["vigorish_owed"] == {"5": 50}
    assert (told.net("3"), told.net("4"), told.net("5")) == (950, 1000, 950)


@pytest.mark.parametrize("leaves", [None, 1, 0, 1.0, "yes", "paying", [], {}])
def test_leaving_is_true_false_or_without_paying(leaves: Any) -> None:
    with pytest.raises(Refusal) as caught:
        punto_banco({"draws": BANKER_WINS, "seats": {"3": on_banker(1000, leaves=leaves)}})

    sentence = '"leaves" of seat 3 must be true, false or "without_paying"'
    says(caught.value, Fault.BAD_SCRIPT, sentence)


def test_a_seat_of_a_script_cannot_leave_a_wager_that_stands() -> None:
    with pytest.raises(Refusal) as caught:
        run(
            {
                "game": "craps",
                "draws": [[3, 1]],
                "seats": {"1": {"wagers": {"pass": 1000}, "leaves": True}},
            }
        )

    says(caught.value, Fault.NOT_NOW, "seat 1 cannot leave: pass is still on the layout", "1.1")


# Whatever happens.


ROUNDS = st.lists(
    st.tuples(
        st.sampled_from([BANKER_WINS, PLAYER_WINS, TIE]),
        st.dictionaries(
            st.sampled_from(["1", "4", "7"]),
            st.dictionaries(st.sampled_from(["banker", "player", "tie", "total_cards_4"]),
                            st.integers(500, 1000).map(lambda half: 2 * half), min_size=1),
        ),
    ),
    max_size=4,
)  # fmt: skip
SCHEMES = [
    {"banker_scheme": scheme, "vig_timing": timing}
    for scheme in ("win_vig_5", "win_vig_4", "no_vig_six_half", "no_vig_with_total_cards")
    for timing in ("at_payout", "deferred")
]


@pytest.mark.cites("7.3(c)2", "7.3(c)4", "7.10(b)")
@given(rounds=ROUNDS, scheme=st.sampled_from(SCHEMES), sequence=st.sampled_from("1234"),
       pays=st.booleans())  # fmt: skip
def test_the_accounts_close_and_what_is_owed_is_what_was_marked(
    rounds: list[Any], scheme: dict[str, str], sequence: str, pays: bool
) -> None:
    options = scheme | {"settlement_sequence": sequence, "offer_total_cards": "yes"}
    table = Table(find_game("minibaccarat"), options)
    table.state = table.game.in_play(table.state)
    marked, net = dict.fromkeys("147", 0), dict.fromkeys("147", 0)
    for cards, seats in rounds:
        table.open_betting()
        for seat, wagers in seats.items():
            for label, stake in wagers.items():
                table.bet(seat, label, stake)
        draws_of(Play(table), iter(cards))
        for event in table.events:
            if event.kind == "vigorish" and event.data["how"] == "marked":
                marked[event.data["seat"]] += event.data["amount"]
        for settled in table.settlements:
            net[settled.bet.seat] += settled.net
        assert sum(table.money.values()) == 0
        assert {seat: table.owed(seat) for seat in "147"} == marked
        assert {seat: table.worth(seat) for seat in "147"} == net

    for seat in "147":
        table.leave(seat, pays=pays)
        assert table.owed(seat) == 0
        assert table.money[seat] == net[seat] + (0 if pays else marked[seat])
    assert sum(table.money.values()) == 0
    assert table.forms == (0 if pays else sum(owed > 0 for owed in marked.values()))
