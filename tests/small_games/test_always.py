"""What holds for any round of the small games, whatever the people do and whatever is dealt."""

import json
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.rulebook import (
    AskAll,
    Draw,
    Play,
    Table,
    named,
    restore,
    save,
    share_out,
    shares,
    side_pots,
    uncalled,
)
from croupier.rulebook.views import view
from tests.small_games.games import find
from tests.small_games.support import (
    anybody,
    every_small_game,
    finished,
    settled_up,
    some_wagers,
)

seeds = st.integers(0, 2**32)
hands = st.sampled_from(["1", "2", "3", "4", "5", "6"])
contributions = st.dictionaries(hands, st.integers(0, 1000))


def told(table: Table) -> list[Any]:
    return [(event.as_json(), event.seen_by) for event in table.events]


class TestRounds:
    @every_small_game
    @settings(max_examples=150)
    @given(seed=seeds)
    def test_money_is_conserved_to_the_cent(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        finished(Play(table), anybody(choose))
        settled_up(table)

    @every_small_game
    @given(seed=seeds)
    def test_a_misdeal_returns_everything(self, game: str, seed: int) -> None:
        """At any draw, with wagers on split hands, in pots and in banks."""
        choose = Random(seed)
        table = some_wagers(game, choose)
        usual, left = anybody(choose), choose.randint(0, 30)

        def answer(request: Any) -> Any:
            nonlocal left
            if not isinstance(request, Draw):
                return usual(request)
            left -= 1
            return {"irregularity": "misdeal"} if left == 0 else usual(request)

        forfeited = Counter[str]()
        finished(Play(table), answer)
        settled_up(table)
        if table.is_void:
            for each in table.settlements:
                forfeited[each.bet.seat] += min(0, each.net)
            assert all(table.money[seat] == forfeited[seat] for seat in table.positions)

    @every_small_game
    @given(seed=seeds)
    def test_the_answers_played_again_give_the_same_events(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        again = deepcopy(table)
        play = finished(Play(table), anybody(choose))
        second = Play(again)
        for answer in play.answers:
            second.answer(answer)
        assert second.request is None
        assert told(again) == told(table)
        assert again.money == table.money

    @every_small_game
    @given(seed=seeds)
    def test_answers_in_any_order_give_the_same_events(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        again = deepcopy(table)
        play = finished(Play(table), anybody(choose))
        second, answers = Play(again), list(play.answers)
        while second.request is not None:
            together = len(second.request.asks) if isinstance(second.request, AskAll) else 1
            now, answers = answers[:together], answers[together:]
            choose.shuffle(now)
            for answer in now:
                second.answer(answer)
        assert told(again) == told(table)
        assert again.money == table.money

    @every_small_game
    @given(seed=seeds)
    def test_a_table_that_is_kept_between_rounds_plays_the_same(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        again = restore(find(game), table.options.as_json(), save(table))
        play = finished(Play(table), anybody(choose))
        second = Play(again)
        for answer in play.answers:
            second.answer(answer)
        assert told(again) == told(table)

    @every_small_game
    @given(seed=seeds)
    def test_nobody_sees_what_another_holds_or_has_answered(self, game: str, seed: int) -> None:
        """At every moment: pieces that lie face down, cards discarded, hands set, and answers."""
        choose = Random(seed)
        table = some_wagers(game, choose)

        def look(request: Any) -> Any:
            for seat in [*table.positions, None]:
                seen = view(table, seat)
                for name, hand in table.hands.items():
                    if hand.seat == seat and seat:
                        continue
                    shown = seen["hands"].get(name, {"cards": []})["cards"]
                    up = Counter(map(str, hand)) - Counter(map(str, hand.face_down))
                    assert Counter(filter(None, shown)) == up
                    if hand.face_down:
                        assert "parts" not in seen["hands"][name]
                for event in seen["events"]:
                    if event["kind"] in ("look", "chosen"):
                        whose = event.get("seat") or event["to"].partition(".")[0]
                        assert whose == seat
            if isinstance(request, AskAll) and request.given:
                waiting = Play(deepcopy(before["table"]))  # as nobody had answered
                for answer in before["answers"]:
                    waiting.answer(answer)
                for seat in [*table.positions, None]:
                    assert view(table, seat) == view(waiting.table, seat)
            answer = usual(request)
            if not (isinstance(request, AskAll) and request.given):
                before["answers"] = list(play.answers)
            return answer

        usual = anybody(choose)
        before: dict[str, Any] = {"table": deepcopy(table), "answers": []}
        play = Play(table)
        finished(play, look)

    @every_small_game
    @given(seed=seeds)
    def test_every_piece_is_in_one_place(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        usual = anybody(choose)

        def look(request: Any) -> Any:
            shoe = table.equipment
            lying = [piece for hand in table.hands.values() for piece in hand]
            assert Counter(shoe.on_layout) == Counter(lying)
            assert Counter(shoe.everywhere) == Counter(shoe.composition)
            json.dumps([table.view(seat) for seat in (None, "1")])
            return usual(request)

        finished(Play(table), look)
        assert not any(table.hands.values())

    @every_small_game
    @given(seed=seeds)
    def test_the_default_is_always_an_answer(self, game: str, seed: int) -> None:
        choose = Random(seed)
        table = some_wagers(game, choose)
        usual = anybody(choose)

        def look(request: Any) -> Any:
            asks = request.asks if isinstance(request, AskAll) else [request]
            for ask in (each for each in asks if hasattr(each, "default")):
                assert named(ask.default)[0] == ask.moves[0].name
                ask.check(ask.default)
            return usual(request)

        finished(Play(table), look)

    @every_small_game
    @given(seed=seeds)
    def test_no_event_uses_a_name_that_every_event_of_the_log_has(
        self, game: str, seed: int
    ) -> None:
        """Beside its number, its round, its kind, its time and its citation it may say anything."""
        choose = Random(seed)
        table = some_wagers(game, choose)
        finished(Play(table), anybody(choose))
        own = {"number", "round", "kind", "at", "citation"}
        assert not [event for event in table.events if own & set(event.data)]


class TestPots:
    @given(paid_in=contributions, live=st.sets(hands))
    def test_side_pots_hold_all_that_was_put_in(
        self, paid_in: dict[str, int], live: set[str]
    ) -> None:
        pots = side_pots(paid_in, live)
        if any(paid_in.get(hand) for hand in live):
            assert sum(pot.amount for pot in pots) == sum(paid_in.values())
        else:
            assert pots == []

    @given(paid_in=contributions, live=st.sets(hands))
    def test_a_hand_wins_from_each_other_no_more_than_it_put_in(
        self, paid_in: dict[str, int], live: set[str]
    ) -> None:
        """But what nobody live has matched goes to the last pot."""
        pots = side_pots(paid_in, live)
        for hand in live:
            could = sum(pot.amount for pot in pots if hand in pot.hands)
            matched = sum(min(paid, paid_in.get(hand, 0)) for paid in paid_in.values())
            last = bool(pots) and hand in pots[-1].hands
            assert could == matched if not last else could >= matched

    @given(paid_in=contributions, live=st.sets(hands))
    def test_each_side_pot_has_fewer_hands_than_the_one_before(
        self, paid_in: dict[str, int], live: set[str]
    ) -> None:
        pots = [set(pot.hands) for pot in side_pots(paid_in, live)]
        assert all(later < earlier for earlier, later in pairwise(pots))
        assert all(pot <= live for pot in pots)

    @given(paid_in=contributions)
    def test_uncalled_is_what_the_others_did_not_match(self, paid_in: dict[str, int]) -> None:
        found = uncalled(paid_in)
        if found is None:
            highest = max(paid_in.values(), default=0)
            assert not highest or list(paid_in.values()).count(highest) > 1
        else:
            hand, amount = found
            rest = [paid for other, paid in paid_in.items() if other != hand]
            assert paid_in[hand] - amount == max(rest, default=0)
            assert amount > 0

    @given(
        amount=st.integers(0, 10**6),
        winners=st.lists(hands, min_size=1, unique=True),
        chip=st.sampled_from([1, 5, 25, 100]),
    )
    def test_shares_are_equal_but_for_odd_chips_to_the_first(
        self, amount: int, winners: list[str], chip: int
    ) -> None:
        won = shares(amount, winners, chip)
        assert sum(won.values()) == amount
        given_out = [won[hand] for hand in winners]
        assert given_out == sorted(given_out, reverse=True)
        assert given_out[0] - given_out[-1] <= chip
        assert sum(each % chip != 0 for each in given_out) <= 1

    @example(cents=3, parts=[2, 1, 1, 2])
    @given(cents=st.integers(-(10**6), 10**6), parts=st.lists(st.integers(1, 999), min_size=1))
    def test_share_out_gives_every_cent_to_somebody(self, cents: int, parts: list[int]) -> None:
        portions = [Fraction(part, sum(parts)) for part in parts]
        out = share_out(cents, portions)
        assert sum(out) == cents
        assert all(abs(each - cents * part) < 1 for each, part in zip(out, portions, strict=True))
