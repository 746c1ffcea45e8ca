"""What stands at a table is saved, made again, or given other options; and nothing is lost by it.

The first half runs over the whole registry: a new game is held to it without being asked.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import Dice, Drum, Shoe, Wheel, deck
from croupier.games import find_game
from croupier.rulebook import (
    CAGE,
    HOUSE,
    LAYOUT,
    SET_ASIDE,
    Ask,
    Fault,
    Game,
    Meter,
    Play,
    Refusal,
    Table,
    Unlawful,
    by_chance,
    carry_over,
    law,
    owed_by,
    play_round,
    restore,
    save,
)
from croupier.simulation.streams import SeededStream
from tests.support import everything, says
from tests.test_conformance import GAMES, Session, every_game

SPINS = {"bonus_spin_table": "S1", "bonus_spin_weights": [1] * 12}
COMBINED: dict[str, list[dict[str, Any]]] = {  # what takes more than one option to say
    "minibaccarat": [
        {"batch_shuffler": "yes", "decks": 12},
        {"vig_timing": "deferred", "vig_rounding": "up"},
    ],
    "caribbean-stud-poker": [
        {"progressive_rate": "1/3", "progressive_reserve_rate": "1/7"},
        {"automated_shuffler": True, "packs": 2},
    ],
    "premium-hold-em": [SPINS, SPINS | {"bonus_spin_trigger_on_straight_flush": True}],
}


def tables(game: Game) -> list[dict[str, Any]]:
    """The default table, every table that differs from it in one option, and some in several."""
    one = [
        {option.id: value} for option in game.Options.all().values() for value in option.values
    ]  # fmt: skip
    return [
        {},
        *(options for options in one if not game.check(options)),
        *COMBINED.get(game.id, []),
    ]


TABLES = {game.id: tables(game) for game in GAMES}


def as_text(saved: dict[str, Any]) -> str:
    return json.dumps(saved, sort_keys=True)


def again(table: Table, options: dict[str, Any]) -> Table:
    """The table, made again from its text; nothing that can be asked of it is different."""
    saved = save(table)
    assert is_plain(saved)
    other = restore(table.game, options, json.loads(as_text(saved)))
    assert as_text(save(other)) == as_text(saved) == as_text(save(table))
    same(table, other)
    return other


def same(table: Table, other: Table) -> None:
    for seat in (None, *table.positions[:3], table.positions[-1]):
        assert other.view(seat) == table.view(seat)
    assert [*other.openings("1")] == [*table.openings("1")]
    assert [*other.bets.items()] == [*table.bets.items()]
    assert [*other.hands.items()] == [*table.hands.items()]
    assert [*other.players.items()] == [*table.players.items()]
    assert other.events == table.events
    assert other.settlements == table.settlements
    assert other.state == table.state
    assert other.money == table.money
    assert (other.present, other.forms) == (table.present, table.forms)
    assert (other.betting_is_open, other.is_void) == (table.betting_is_open, table.is_void)
    assert other.equipment.outcomes() == table.equipment.outcomes()
    assert other.equipment.contents() == table.equipment.contents()


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(each) for key, each in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return type(value) in (str, int, bool, type(None))


# Every game, with everything that chance, people and mishaps can do.


class Sitting(Session):
    """A session at a table of these options, with people who come and go between the rounds."""

    def __init__(self, game: Game, data: st.DataObject, options: dict[str, Any]) -> None:
        super().__init__(game, data)
        self.table = Table(game, options)
        self.seats = list(dict.fromkeys(["1", self.table.positions[-1]]))

    def bet(self) -> None:
        super().bet()
        take_down_what_may_not_be_played(self.table)

    def come_and_go(self) -> None:
        for seat in self.seats:
            with suppress(Refusal):
                match self.data.draw(st.integers(0, 3)):
                    case 1:
                        self.table.sit(seat, self.data.draw(st.sampled_from(["Ana", "Bo \ud83c"])))
                    case 2:
                        self.table.leave(seat, pays=self.data.draw(st.booleans()))
                    case 3:
                        self.table.buy_in(seat, self.data.draw(st.integers(1, 10**9)))


def take_down_what_may_not_be_played(table: Table) -> None:
    for seat in table.clockwise():
        try:
            table.game.check_wagers(table, seat)
        except Refusal:
            for bet in reversed(table.bets_of(seat)):
                table.bet(seat, bet.label, 0)


def wager_as(table: Table, other: Table) -> None:
    """Make at the other table what was wagered at this one."""
    for event in table.events[len(other.events) :]:
        other.bet(event.data["seat"], event.data["wager"], event.data["stake"])


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_a_table_made_again_does_what_the_saved_one_does(game: Game, data: st.DataObject) -> None:
    options = data.draw(st.sampled_from(TABLES[game.id]))
    sitting = Sitting(game, data, options)
    table = sitting.table
    for _ in range(3):
        table.open_betting()
        sitting.come_and_go()
        early = again(table, options)
        sitting.bet()
        late = again(table, options)
        wager_as(table, early)
        answers = sitting.play().answers
        for other in (early, late):
            play = Play(other)
            for answer in answers:
                play.answer(answer)
            assert play.request is None
            same(table, other)
    table.open_betting()
    early.open_betting()
    assert as_text(save(early)) == as_text(save(table))


# Every game, for as long as it takes to come to the end of a shoe.

OPTION_SETS: list[tuple[str, dict[str, Any]]] = [
    ("craps", {"odds_multiple": "3-4-5x", "fire_bet_offered": True}),
    ("keno", {"max_races": 5}),
    ("minibaccarat", {"cut_card_from_back": 340}),
    ("minibaccarat", {"continuous_shuffler": "yes"}),
    ("minibaccarat", {"batch_shuffler": "yes", "decks": 12, "cut_card_from_back": 240}),
    ("minibaccarat", {"vig_timing": "deferred", "cut_card_from_back": 340}),
    ("baccarat-punto-banco", {"vig_timing": "deferred"}),
    ("red-dog", {"shuffle": "continuous_device"}),
    ("red-dog", {"decks": 1}),
    ("casino-war", {"shuffle": "continuous"}),
    ("caribbean-stud-poker", {"progressive_rate": "1/3", "progressive_reserve_rate": "1/7"}),
    ("caribbean-stud-poker", {"packs": 2, "automated_shuffler": True}),
    ("premium-hold-em", SPINS),
]
LONG = OPTION_SETS + [(game.id, {}) for game in GAMES]
COMES_TO_STAND = {"craps": {"come"}, "keno": {"multi_race"}}  # or else it would prove little


def by_whim(chance: SeededStream) -> Callable[[Ask], Any]:
    def decide(ask: Ask) -> Any:
        move = ask.moves[chance.below(len(ask.moves))]
        steps = (move.high - move.low) // move.step + 1
        return {move.name: move.low + move.step * chance.below(steps)} if move.high else move.name

    return decide


def wager_by_whim(table: Table, chance: SeededStream) -> None:
    for seat in table.positions[:2]:
        for _ in range(4):
            openings = [*table.openings(seat)]
            if openings:
                opening = openings[chance.below(len(openings))]
                table.bet(seat, opening.wager.label(opening.spot), opening.low)
        table.game.accompany(table, seat)
    take_down_what_may_not_be_played(table)


def play_on(table: Table, seed: int) -> None:
    """A round of wagers, decisions and outcomes that a number decides."""
    chance = SeededStream(seed, block=64)
    table.open_betting()
    wager_by_whim(table, chance)
    play_round(table, by_chance(chance, by_whim(chance)))


@pytest.mark.parametrize(("name", "options"), LONG, ids=str)
def test_a_table_saved_after_every_round_plays_on_as_if_nothing_had_been(
    name: str, options: dict[str, Any]
) -> None:
    """The same chance picks the same cards: what is left of a shoe keeps its order."""
    table = Table(find_game(name), options)
    other = Table(find_game(name), options)
    stood: set[str] = set()
    for seed in range(25):
        play_on(table, seed)
        play_on(other, seed)
        same(table, other)
        stood.update(bet.wager.id for bet in table.bets.values() if bet.spot)
        table.open_betting()
        other = again(table, options)
    assert stood >= COMES_TO_STAND.get(name, set())


def test_saving_changes_nothing_and_what_was_saved_stays_as_it_is() -> None:
    table = Table(find_game("minibaccarat"))
    play_on(table, 1)
    table.open_betting()
    table.bet("1", "player", 1000)
    before, saved = everything(table), save(table)
    text = as_text(saved)
    assert everything(table) == before
    restored = restore(table.game, {}, saved)
    play_round(table, by_chance(SeededStream(5)))
    play_round(restored, by_chance(SeededStream(6)))
    assert as_text(saved) == text


# What lies on the layout.


def thrown(table: Table, *throws: tuple[int, int]) -> None:
    for throw in throws:
        draws: Iterator[list[int]] = iter([list(throw)])
        play_round(
            table,
            lambda request, draws=draws: (  # type: ignore[misc]
                request.default if isinstance(request, Ask)
                else next(draws) if hasattr(request, "device")
                else None
            ),
        )  # fmt: skip
        table.open_betting()


def test_come_wagers_are_found_on_their_points_and_the_fire_bet_with_its_score() -> None:
    options = {"fire_bet_offered": True}
    table = Table(find_game("craps"), options)
    table.bet("3", "pass", 1000)
    table.bet("3", "fire_bet", 500)
    thrown(table, (2, 2))
    table.bet("3", "come", 1500)
    thrown(table, (4, 2))
    table.bet("3", "come_odds:6", 2000)
    thrown(table, (3, 1))
    assert save(table)["bets"] == [
        ["3", "come", "6", 1500, False],
        ["3", "come_odds", "6", 2000, False],
        ["3", "fire_bet", "4", 500, False],
    ]
    other = again(table, options)
    for each in (table, other):
        each.bet("3", "come_odds", 0)
        thrown(each, (3, 3))
    same(table, other)
    assert other.lying("3", "come") is None


def test_a_wager_that_was_called_on_is_on() -> None:
    table = Table(find_game("craps"))
    table.bet("1", "place_win_6", 1200)
    table.call_on(table.bets["1", "place_win_6", ""])
    (bet,) = again(table, {}).bets.values()
    assert bet.called_on


def test_a_keno_ticket_runs_on_and_one_bought_before_is_issued_after() -> None:
    table = Table(find_game("keno"))
    table.bet("7", "multi_race:3*straight_4:7-21-30-66", 900)
    other = again(table, {})
    for _ in range(3):
        for each in (table, other):
            play_round(each, by_chance(SeededStream(8)))
        assert other.events == table.events
        for each in (table, other):
            each.open_betting()
        other = again(other, {})
    issued = "Ticket issued to seat 7 for game 1: multi_race:3*straight_4:7-21-30-66"
    early = restore(table.game, {}, save(bought_in_keno()))
    play_round(early, by_chance(SeededStream(8)))
    assert issued in [event.data.get("text") for event in early.events]
    assert not table.bets


def bought_in_keno() -> Table:
    table = Table(find_game("keno"))
    table.bet("7", "multi_race:3*straight_4:7-21-30-66", 900)
    return table


def test_a_card_that_waits_for_the_next_hand_still_waits() -> None:
    """7.11(b)."""
    table = Table(find_game("minibaccarat"))
    table.bet("1", "player", 1000)
    play, reported = Play(table), False
    answer = by_chance(SeededStream(2))
    while play.request is not None:
        if not reported and table.hands["player"]:
            play.answer({"irregularity": "card_drawn_in_error"})
            reported = True
        else:
            play.answer(answer(play.request))
    table.open_betting()
    (card,) = table.hands[SET_ASIDE]
    other = again(table, {})
    assert other.hands[SET_ASIDE] == [card]
    play_on(other, 3)
    (used,) = [event for event in other.events if event.kind == "set_aside"]
    assert used.data["outcome"] == str(card)


def test_vigorish_owed_and_forms_used_are_still_so() -> None:
    options = {"vig_timing": "deferred"}
    table = Table(find_game("minibaccarat"), options)
    table.sit("1", "Ana")
    table.sit("2", "Bo")
    seed = 0
    while not (table.owed("1") and table.owed("2")):
        table.open_betting()
        for seat in ("1", "2"):
            table.bet(seat, "banker", 2000)
        play_round(table, by_chance(SeededStream(seed := seed + 1)))
    table.open_betting()
    table.leave("1", pays=False)
    other = again(table, options)
    other.leave("2", pays=False)
    (form,) = [
        e.data for e in other.events if e.kind == "complimentary_vigorish" and e.data["seat"] == "2"
    ]
    assert (form["form"], form["patron"]) == (2, "Bo")
    assert other.money[owed_by("2")] == 0


def test_parts_of_a_cent_of_a_meter_and_what_it_holds_back_are_kept() -> None:
    options = {"progressive_rate": "1/3", "progressive_reserve_rate": "1/7"}
    table = Table(find_game("caribbean-stud-poker"), options)
    table.bet("1", "ante", 1000)
    table.bet("1", "progressive", 100)
    play_round(table, by_chance(SeededStream(1)))
    table.open_betting()
    assert save(table)["state"]["meter"] == ["3000100/3", "100/7"]
    assert again(table, options).state.meter == Meter(Fraction(3000100, 3), Fraction(100, 7))


# What is compact: an eight-deck shoe is saved after every round.


def test_a_pile_of_cards_is_one_word() -> None:
    table = Table(find_game("minibaccarat"))
    equipment = save(table)["equipment"]
    assert equipment["left"].startswith("2c3c4c5c6c7c8c9cTcJcQcKcAc2d")
    assert {name: len(pile) for name, pile in equipment.items()} == {
        "left": 2 * 8 * 52, "burnt": 0, "discard_rack": 0, "on_layout": 0,
    }  # fmt: skip


def test_jokers_are_cards_too() -> None:
    shoe, other = Shoe(deck(jokers=2)), Shoe(deck(jokers=2))
    shoe.take(shoe.read("Jk"))
    shoe.take(shoe.read("Ah"))
    shoe.discard([shoe.on_layout[0]])
    other.refill(shoe.contents())
    assert other.contents() == shoe.contents()
    assert other.outcomes() == shoe.outcomes()


def test_a_drum_lacks_the_numbers_that_were_taken() -> None:
    drum, other = Drum(9), Drum(9)
    for number in (7, 2):
        drum.take(number)
    assert drum.contents() == [2, 7]
    other.refill(drum.contents())
    assert other.outcomes() == drum.outcomes() == [1, 3, 4, 5, 6, 8, 9]


@pytest.mark.parametrize("contents", [[0], [10], [3, 3], [True], ["3"], "3", {3: 3}, None])
def test_a_drum_is_not_filled_with_what_it_cannot_hold(contents: Any) -> None:
    drum = Drum(9)
    with pytest.raises(ValueError, match="cannot have been taken"):
        drum.refill(contents)
    assert len(drum.outcomes()) == 9


@pytest.mark.parametrize("device", [Dice(2), Wheel("wheel", "abc")])
def test_dice_and_wheels_hold_nothing(device: Dice | Wheel) -> None:
    assert device.contents() is None
    device.refill(None)
    with pytest.raises(ValueError, match="holds nothing"):
        device.refill([])


# When a table may be saved.


def test_a_table_is_not_saved_in_the_middle_of_a_round_or_before_the_next_one_is_open() -> None:
    table = Table(find_game("three-card-poker"))
    table.bet("1", "ante", 1000)
    play = Play(table)
    answer = by_chance(SeededStream(1))
    while play.request is not None:
        with pytest.raises(Refusal) as caught:
            save(table)
        says(caught.value, Fault.NOT_NOW, "between rounds", "20.1 (customary)")
        play.answer(answer(play.request))
    with pytest.raises(Refusal):
        save(table)
    table.open_betting()
    again(table, {})


# What cannot be read.


@cache
def standing(name: str = "minibaccarat") -> str:
    """The text of a table at which something stands everywhere."""
    table = Table(find_game(name))
    for seed in range(4):
        play_on(table, seed)
    table.open_betting()
    table.sit("1", "Ana")
    table.buy_in("1", 100_000)
    wager_by_whim(table, SeededStream(1))
    return as_text(save(table))


def put(path: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    def change(saved: dict[str, Any]) -> dict[str, Any]:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        at: Any = saved
        for part in way:
            at = at[part]
        at[last] = value
        return saved

    return change


def without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda saved: {name: value for name, value in saved.items() if name != key}


UNREADABLE: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda saved: None, "not a saved table of minibaccarat"),
    (lambda saved: [saved], "not a saved table of minibaccarat"),
    (lambda saved: {}, "not a saved table of minibaccarat"),
    (put("game", "craps"), "not a saved table of minibaccarat"),
    (put("more", 1), "does not have hands, face_down, players"),
    (put("py/object", "os.system"), "does not have hands, face_down, players"),
    (without("bets"), "does not have hands, face_down, players"),
    (without("state"), "None does not have shuffle_due"),
    (put("state.more", 1), "does not have shuffle_due"),
    (put("state.batch", True), "batch: True is not a whole number"),
    (put("state.batch", 1.0), "batch: 1.0 is not a whole number"),
    (put("state.opened", 1), "opened: 1 is not true or false"),
    (put("state.cutter", 3), "cutter: 3 is not text"),
    (put("state.may_not_turn", "12"), "may_not_turn: '12' is not a list"),
    (put("state.may_not_turn", [["1"]]), "may_not_turn: ['1'] is not text"),
    (put("state.results.0.0", "nobody"), "results: 'nobody' is not a valid Hand"),
    (put("state.results.0.0", ["tie"]), "results: ['tie'] is not a valid Hand"),
    (put("state.results.0", ["tie"]), "results: ['tie'] does not have 5 parts"),
    (put("equipment", None), "the cards of the shoe are left, burnt"),
    (put("equipment.left", ["Ah"]), "a pile of cards is one word"),
    (put("equipment.left", "Ah 5c"), "a pile of cards is one word"),
    (put("equipment.left", "AhK"), "a pile of cards is one word"),
    (put("equipment.left", "AhKd"), "not the cards of the shoe"),
    (put("hands", [["set_aside", "Ah"]]), "not the cards that lie on the layout"),
    (put("hands", [["set_aside"]]), "hands: ['set_aside'] does not have 2 parts"),
    (put("players.0.0", "99"), "no seat '99' here"),
    (put("present", ["0"]), "no seat '0' here"),
    (put("forms", "1"), "forms: '1' is not a whole number"),
    (put("bets.0.0", "99"), "no seat '99' here"),
    (put("bets.0.1", "pass"), "no wager 'pass'"),
    (put("bets.0.1", "bonus_player"), "not offered"),
    (put("bets.0.3", 0), "cannot lie on the layout so"),
    (put("bets.0.3", -5), "cannot lie on the layout so"),
    (put("bets.0.4", None), "bets: None is not true or false"),
    (lambda saved: put("bets.1", saved["bets"][0])(saved), "cannot lie on the layout so"),
    (put("money.house", 1), "the money does not add up"),
    (put("money.layout", 0), "the money does not add up"),
    (put("money", []), "money: [] is not an object"),
    (put("events.0.1", "x"), "events: 'x' is not an object"),
    (put("events.0.2", ["5.1"]), "events: ['5.1'] does not have 2 parts"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "why"), UNREADABLE)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    change: Callable[[dict[str, Any]], Any], why: str
) -> None:
    with pytest.raises(ValueError) as caught:
        restore(find_game("minibaccarat"), {}, change(json.loads(standing())))
    assert why in str(caught.value)


@pytest.mark.parametrize("amount", ["1e9", "1/0", "0.5", "9" * 5000, " 1", "", 5, None])
def test_a_meter_is_read_from_a_plain_fraction_only(amount: Any) -> None:
    saved = save(Table(find_game("caribbean-stud-poker")))
    saved["state"]["meter"] = [amount, "0"]
    with pytest.raises(ValueError):
        restore(find_game("caribbean-stud-poker"), {}, saved)


def test_a_spot_that_no_wager_has_is_refused() -> None:
    table = Table(find_game("roulette"))
    table.bet("1", "straight:17", 1000)
    saved = save(table)
    saved["bets"][0][2] = "99"
    with pytest.raises(ValueError, match="straight"):
        restore(table.game, {}, saved)


def test_the_options_of_a_table_that_is_made_again_must_be_lawful() -> None:
    game = find_game("minibaccarat")
    with pytest.raises(Unlawful):
        restore(game, {"decks": 1}, save(Table(game)))


LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.sampled_from(["1", "Ah"])
)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a saved table, with each of its keys."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


@every_game
@given(data=st.data())
def test_a_saved_table_that_was_tampered_with_is_read_or_refused_and_nothing_else(
    game: Game, data: st.DataObject
) -> None:
    saved = json.loads(standing(game.id))
    inside, key = data.draw(st.sampled_from([*places(saved)]))
    inside[key] = data.draw(PLAIN)
    why = ""
    try:
        table = restore(game, {}, saved)
    except ValueError as error:
        why = str(error)
    assert len(why.split()) > 3 or is_plain(save(table))


# The same table with other options.


def left_standing(game: str, options: dict[str, Any], rounds: int = 3) -> Table:
    """A table at which people sit and have chips, and nothing lies on the layout."""
    table = Table(find_game(game), options)
    for seat, who in (("1", "Ana"), ("2", "Bo")):
        table.sit(seat, who)
        table.buy_in(seat, 1_000_000)
    for seed in range(rounds):
        play_on(table, seed)
    table.open_betting()
    return table


def test_people_money_and_markers_stay_and_the_shoe_is_new() -> None:
    table = left_standing("minibaccarat", {"vig_timing": "deferred"})
    table.forms = 4
    other = carry_over(table, {"decks": 6, "vig_timing": "deferred"})
    assert other.money == table.money
    assert other.money[CAGE] == -2_000_000
    assert other.players == {"1": "Ana", "2": "Bo"}
    assert (other.present, other.forms) == (table.present, 4)
    assert other.equipment.outcomes() == [*deck() * 6]
    assert other.equipment.everywhere == [*deck() * 6]
    assert not other.hands
    assert other.state.shuffle_due
    assert other.options.decks == 6
    play_on(other, 9)
    assert "The dealer shuffles the cards" in [event.data.get("text") for event in other.events]


def test_the_table_from_which_it_was_carried_over_is_as_it_was() -> None:
    table = left_standing("minibaccarat", {})
    before, text = everything(table), as_text(save(table))
    other = carry_over(table, {"decks": 6})
    other.bet("1", "player", 1000)
    other.leave("2")
    assert everything(table) == before
    assert as_text(save(table)) == text


def test_a_progressive_meter_stays() -> None:
    table = left_standing("caribbean-stud-poker", {}, rounds=12)
    meter = table.state.meter
    assert meter is not None
    other = carry_over(table, {"progressive_table": "T1", "progressive_seed_reset": 5_000_000})
    assert other.state.meter == meter
    assert other.state.opened is False


def test_a_jackpot_that_has_grown_is_not_lost_to_a_table_without_one() -> None:
    table = left_standing("premium-hold-em", SPINS, rounds=12)
    assert table.state.meter is not None
    text = as_text(save(table))
    with pytest.raises(Refusal) as caught:
        carry_over(table, {})
    assert "jackpot" in caught.value.message
    assert str(caught.value.cite) == "13:69D-1.52 (customary)"
    assert as_text(save(table)) == text
    assert carry_over(table, {**SPINS, "bonus_spin_table": "S3"}).state.meter == table.state.meter
    assert carry_over(Table(find_game("premium-hold-em"), SPINS), {}).state.meter is None


def test_what_is_not_cards_goes_on_where_it_was() -> None:
    """The point of a craps table stands, and whose turn it is to throw."""
    table = Table(find_game("craps"))
    thrown(table, (2, 2))
    other = carry_over(table, {"odds_multiple": "3-4-5x"})
    assert other.state == table.state
    assert other.state.point == 4


def test_a_table_with_wagers_lying_keeps_its_options() -> None:
    table = Table(find_game("craps"))
    table.bet("2", "pass", 1000)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        carry_over(table, {})
    says(caught.value, Fault.NOT_NOW, "while pass of seat 2 is on the layout", "1.1")
    assert everything(table) == before


def test_a_table_in_the_middle_of_a_round_keeps_its_options() -> None:
    table = Table(find_game("big-six"))
    Play(table)
    with pytest.raises(Refusal) as caught:
        carry_over(table, {})
    says(caught.value, Fault.NOT_NOW, "between rounds", "5.5")


def test_unlawful_options_are_refused_with_every_citation_and_change_nothing() -> None:
    table = left_standing("minibaccarat", {})
    before = everything(table)
    options = {"decks": 1, "tie_odds": "2 to 1", "continuous_shuffler": "perhaps"}
    with pytest.raises(Unlawful) as opened:
        Table(table.game, options)
    with pytest.raises(Unlawful) as caught:
        carry_over(table, options)
    assert caught.value.violations == opened.value.violations
    assert {each.option for each in caught.value.violations} == set(options)
    assert everything(table) == before


@pytest.mark.parametrize("how", [lambda t: t.sit("7", "Cy"), lambda t: t.buy_in("7", 500)])
def test_a_seat_that_is_taken_cannot_be_taken_away(how: Callable[[Table], None]) -> None:
    table = Table(find_game("caribbean-stud-poker"), {"seats": 7})
    how(table)
    with pytest.raises(Refusal) as caught:
        carry_over(table, {"seats": 6})
    says(caught.value, Fault.NOT_NOW, "seat 7 is taken", "16.1 (customary)")
    table.cash_out("7")
    table.leave("7")
    assert len(carry_over(table, {"seats": 6}).positions) == 6


def test_a_player_does_not_keep_two_positions_where_one_is_allowed() -> None:
    table = Table(find_game("three-card-poker"), {"two_adjacent_positions": True})
    table.sit("1", "Ana")
    table.sit("2", "Ana")
    with pytest.raises(Refusal) as caught:
        carry_over(table, {"two_adjacent_positions": False})
    assert "one position" in caught.value.message


@every_game
@settings(max_examples=15)
@given(data=st.data())
def test_a_table_carried_over_is_played_like_any_other(game: Game, data: st.DataObject) -> None:
    """From any lawful options to any others: what stood there is of use, and money is conserved."""
    sets = st.sampled_from(TABLES[game.id])
    before, after = data.draw(sets), data.draw(sets)
    table = Table(game, before)
    for seed in range(data.draw(st.integers(0, 3))):
        play_on(table, seed)
    table.open_betting()
    while table.bets:
        with pytest.raises(Refusal):
            carry_over(table, after)
        play_round(table, by_chance(SeededStream(data.draw(st.integers(0, 99)))))
        table.open_betting()
    with suppress(Refusal):
        table = carry_over(table, after)
        for seed in range(2):
            play_on(table, seed)
            assert table.money.total() == 0
            table.open_betting()
            table = again(table, after)


# Chips for cash.


def test_cash_becomes_chips_and_chips_become_cash() -> None:
    """13:69E-1.6A: wagers are made in chips."""
    table = Table(find_game("big-six"))
    table.buy_in("3", 20_000)
    table.bet("3", "twenty", 5000)
    assert (table.money["3"], table.money[CAGE], table.money[LAYOUT]) == (15_000, -20_000, 5000)
    assert table.cash_out("3") == 15_000
    assert (table.money["3"], table.money[CAGE], table.money[LAYOUT]) == (0, -5000, 5000)
    assert table.money.total() == 0
    told = [(event.kind, event.data, event.cite) for event in table.events if event.kind != "wager"]
    assert told == [
        ("buy_in", {"seat": "3", "amount": 20_000}, law("13:69E-1.6A")),
        ("cash_out", {"seat": "3", "amount": 15_000}, law("13:69E-1.6A")),
    ]


def test_who_has_no_chips_gets_no_cash() -> None:
    table = Table(find_game("big-six"))
    assert table.cash_out("1") == 0
    table.money.update({"1": -500, HOUSE: 500})  # plays on credit
    assert table.cash_out("1") == 0
    assert not table.events
    assert table.money[CAGE] == 0


@pytest.mark.parametrize("amount", [0, -1, 10**15 + 1, 1.0, True, "100", None])
def test_chips_are_bought_in_whole_cents_above_zero(amount: Any) -> None:
    table = Table(find_game("big-six"))
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        table.buy_in("1", amount)
    assert caught.value.fault is Fault.BAD_AMOUNT
    assert caught.value.cite == law("13:69E-1.6A")
    assert everything(table) == before


def test_the_most_that_is_worth_printing_can_be_bought_in() -> None:
    table = Table(find_game("big-six"))
    table.buy_in("1", 10**15)
    assert table.money["1"] == 10**15


@pytest.mark.parametrize("seat", ["0", "99", "", 1, CAGE, None])
def test_a_seat_that_the_table_does_not_have_buys_nothing(seat: Any) -> None:
    table = Table(find_game("big-six"))
    for act in (lambda: table.buy_in(seat, 500), lambda: table.cash_out(seat)):
        with pytest.raises(Refusal) as caught:
            act()
        assert caught.value.fault is Fault.UNKNOWN_SEAT
    assert not table.events


# That he had a choice is his own affair.


def test_a_question_says_whether_it_is_private() -> None:
    """4.9: that the player is asked at all would tell the banker that he has a five."""
    questions = set()
    table = Table(find_game("baccarat-chemin-de-fer"))
    for seed in range(60):
        chance = SeededStream(seed)
        table.open_betting()
        wager_by_whim(table, chance)
        decide = by_whim(chance)

        def noted(ask: Ask, decide: Callable[[Ask], Any] = decide) -> Any:
            questions.add((ask.question, ask.private))
            return decide(ask)

        play_round(table, by_chance(chance, noted))
    assert ("draw or stand?", True) in questions
    assert all(question == "draw or stand?" for question, private in questions if private)
