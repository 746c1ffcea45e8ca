"""Poker against the house: what its games share, told of a small game that has a bit of it all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Odds, deck
from croupier.ranking import THREE
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    Ask,
    Bet,
    Choice,
    Citation,
    Draw,
    Fault,
    Inspect,
    MaybeMoney,
    PackOptions,
    Play,
    PokerGame,
    Refusal,
    Result,
    Round,
    Rules,
    Settlement,
    Stage,
    Table,
    Wager,
    capped,
    choice,
    flag,
    higher_hand,
    if_higher,
    law,
    never_staked,
    number,
    on_the_hand,
    script,
    void_round,
    when_asked,
    win,
)
from tests.support import Told, cited, not_answered, says, turned_away


def at(paragraph: int) -> Citation:
    return law(f"99.{paragraph}")


# A small game: two cards each and one for all, of which the best three are the hand.


class ShowOptions(PackOptions):
    hand_needs_shuffler, second_pack = at(8), at(2)

    deal_method = choice("manual_shoe", "hand", "automated_shoe", cite=at(7))
    automated_shuffler = flag(True, cite=at(5))
    packs = number(1, 2, cite=at(2))
    settlement_order = choice("by_player", "by_step", cite=at(10))
    two_positions = flag(False, cite=at(6))
    limit = MaybeMoney(None, at(11), "the most that ante, raise and match win together")


def listed(options: ShowOptions) -> dict[str, Odds]:
    return {"pair": Odds(2), "three_of_a_kind": Odds(20)}


EARLY = Stage(
    "with two cards", "check or bet?",
    (Choice("check"), Choice("bet", "raise", 2, last=True), Choice("bet", "raise", 3, last=True)),
    at(9),
)  # fmt: skip
LATE = Stage(
    "with three", "bet or fold?",
    (Choice("fold", folds=True), Choice("bet", "raise", 1, last=True)), at(9), board=1,
)  # fmt: skip


class Show(PokerGame):
    """Two cards each, and one for all."""

    id = "show"
    title = "Show"
    cite = at(1)
    positions = 4
    Options = ShowOptions
    ladder = THREE
    own_cards = dealer_cards = 2
    board_cards = 1
    main = ("ante", "match")
    wagers = (
        Wager(id="ante", title="Ante", cite=at(6), paid_by=at(11), pays=Odds(1),
              decide=higher_hand),
        Wager(id="raise", title="Raise", cite=at(9), paid_by=at(11), pays=Odds(1), joins="ante",
              decide=higher_hand, window=when_asked(at(9))),
        Wager(id="match", title="Match", cite=at(6), paid_by=at(11), pays=listed, equals="ante",
              joins="ante", decide=if_higher(on_the_hand("match", listed))),
        Wager(id="bonus", title="Bonus", cite=at(12), paid_by=at(12), pays=listed, joins="ante",
              decide=on_the_hand("bonus", listed), paid_on="ante", window=never_staked(at(12))),
        Wager(id="other", title="Other", cite=at(6), paid_by=at(11), pays=listed,
              decide=on_the_hand("other", listed)),
        Wager(id="side", title="Side", cite=at(6), paid_by=at(11), pays=listed,
              decide=on_the_hand("side", listed), rests_on=("ante", "other")),
    )  # fmt: skip
    irregularities = {"spilled": void_round("a drink is spilled", "The round is void", at(13))}
    rules = Rules(
        opening=at(3), shuffle=at(4), cut=at(5),
        no_more_bets=dict.fromkeys(("manual_shoe", "hand", "automated_shoe"), at(6)),
        dealing=dict.fromkeys(("manual_shoe", "hand", "automated_shoe"), at(7)),
        stub=at(7), count=at(7), reveal=at(10), rankings=at(5), settle=at(10), collect=at(10),
        wagers=at(6), positions=at(6),
    )  # fmt: skip

    def stages(self, options: ShowOptions) -> tuple[Stage, ...]:
        return EARLY, LATE

    def may_have_two(self, options: ShowOptions) -> bool:
        return options.two_positions

    def payout_limit(self, options: ShowOptions) -> tuple[tuple[str, ...], int] | None:
        return (("ante", "raise", "match"), options.limit) if options.limit else None

    def round(self, table: Table) -> Round:
        if not self.begin(table):
            return
        early, late = self.stages(table.options)
        yield from self.deal(table)
        yield from self.decisions(table, early)
        yield from self.community(table, 1, at(9), burn=True)
        self.put_stub_away(table)
        yield from self.decisions(table, late)
        self.reveal(table)
        yield from self.settle(table)
        self.finish(table)


SHOW = Show()

# Seat 1 makes a pair of sixes, and beats a king; seat 2 has nothing.
FIRST, SECOND, DEALER, BURNT, BOARD = "6h 9c", "Jd 4s", "Kc 8d", "2s", "6d"
SPILLED = {"irregularity": "spilled"}


def run(document: Mapping[str, Any]) -> Told:
    return Told(script.run({"game": "show", **document}, lambda name: SHOW))


def one(*moves: Any, **options: Any) -> Told:
    """Seat 1 alone, with ten dollars on ante and match."""
    draws = f"6h Kc 9c 8d {BURNT} {BOARD}".split()
    seat = {"wagers": {"ante": 1000, "match": 1000}, "moves": list(moves)}
    return run({"draws": draws, "seats": {"1": seat}, "options": options})


def with_wagers(seats: str = "1", game: PokerGame = SHOW, **options: Any) -> Table:
    table = Table(game, options)
    table.state = game.in_play(table.state)
    for seat in seats:
        for label in ("ante", "match"):
            table.bet(seat, label, 1000)
    return table


def go_on(play: Play, *answers: Any) -> Play:
    """Each answer in turn; a string of several cards is as many.

    Unless it says so, nothing is irregular: a card or a move waits until one is asked for.
    """
    for answer in answers:
        for each in answer.split() if isinstance(answer, str) else [answer]:
            reports = each is None or (isinstance(each, dict) and "irregularity" in each)
            while isinstance(play.request, Inspect) and not reports:
                play.answer(None)
            play.answer(each)
    return play


def answered(table: Table, *answers: Any) -> Play:
    return go_on(Play(table), *answers)


def to_the_end(play: Play) -> Table:
    while play.request is not None:
        assert isinstance(play.request, Inspect)
        play.answer(None)
    return play.table


def steps(told: Told, round: int = -1) -> list[str]:
    return [event["text"] for event in told.events("step", round)]


# A fold, and a round that becomes void after it.


def test_a_fold_loses_the_main_wagers_and_the_bonus_with_them() -> None:
    told = one("check", "fold")

    results = [(each["wager"], each["net"]) for each in told.rounds[0]["settlements"]]
    assert results == [("ante", -1000), ("match", -1000)]
    assert told.events("reveal") == []


def test_a_bonus_is_earned_without_a_stake_and_paid_on_its_wager() -> None:
    told = one({"bet": 2000})

    assert told.settled("bonus")["stake"] == 0
    assert told.result("bonus") == ("win", 2000)
    assert told.net() == 1000 + 2000 + 2000 + 2000


def test_what_a_fold_lost_is_returned_if_the_round_becomes_void() -> None:
    table = with_wagers("12")
    table.bet("1", "side", 500)
    answered(
        table, "6h Jd Kc 9c 4s 8d", None, "check", {"bet": 3000}, f"{BURNT} {BOARD}", None, "fold",
        SPILLED,
    )  # fmt: skip

    assert table.is_void
    found = {(each.bet.seat, each.bet.label): each for each in table.settlements}
    assert set(found) == {
        ("1", "ante"), ("1", "match"), ("1", "side"),
        ("2", "ante"), ("2", "match"), ("2", "raise"),
    }  # fmt: skip
    for each in found.values():
        assert (each.result, each.net, each.cite) == (Result.VOID, 0, at(13))
    back = Counter(
        {(event.data["seat"], event.data["wager"]): event.data["amount"]
         for event in table.events if event.kind == "return"}
    )  # fmt: skip
    assert back == Counter({key: each.bet.stake for key, each in found.items()})
    assert {event.cite for event in table.events if event.kind == "return"} == {at(13)}
    assert +table.money == -table.money == Counter()
    assert table.bets == {}
    assert table.equipment.cards_left == 52


@given(data=st.data())
def test_whatever_was_decided_a_void_round_leaves_everybody_as_he_was(data: st.DataObject) -> None:
    table = with_wagers(
        "134", settlement_order=data.draw(st.sampled_from(["by_player", "by_step"]))
    )
    table.bet("3", "side", 700)
    play, requests = Play(table), data.draw(st.integers(0, 25))
    while play.request is not None and requests:
        requests -= 1
        if isinstance(play.request, Ask):
            move = data.draw(st.sampled_from(play.request.moves))
            play.answer({move.name: move.low} if move.takes_amount else move.name)
        elif isinstance(play.request, Draw):
            play.answer(str(play.request.device.outcomes()[data.draw(st.integers(0, 30))]))
        else:
            play.answer(None)
        assert sum(table.money.values()) == 0
        assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
    while isinstance(play.request, Ask):
        play.answer(play.request.default)
    if play.request is None:
        return
    play.answer(SPILLED)

    assert table.is_void
    assert not +table.money
    assert not -table.money
    assert {each.net for each in table.settlements} == {0}


def test_a_wager_that_was_taken_back_is_not_returned_twice() -> None:
    table = with_wagers(game=Ride())
    answered(table, "6h Kc 9c 8d", None, "withdraw", BURNT, SPILLED)

    assert +table.money == -table.money == Counter()
    assert [each.net for each in table.settlements] == [0, 0]


# Wagers that are equal, and wagers that rest on others.


def test_a_wager_that_must_equal_another_takes_that_amount_and_no_other() -> None:
    table = Table(SHOW)
    says(turned_away(table, "match"), Fault.NO_SUPPORT, "together with the ante wager", "99.6")
    table.bet("1", "ante", 1234)

    for amount, fault in ((1233, Fault.BELOW_MINIMUM), (1235, Fault.ABOVE_MAXIMUM)):
        says(turned_away(table, "match", amount), fault, "it must equal the ante wager", "99.6")
    (opening,) = [each for each in table.openings("1") if each.wager.id == "match"]
    assert (opening.low, opening.high) == (1234, 1234)
    table.bet("1", "match", 1234)


def test_no_cards_are_dealt_while_they_differ() -> None:
    table = Table(SHOW)
    table.bet("1", "ante", 1000)
    words = "seat 1 has $10 on ante and $0 on match, which must be equal"
    with pytest.raises(Refusal) as caught:
        Play(table)
    says(caught.value, Fault.NOT_NOW, words, "99.6")

    table.bet("1", "match", 1000)
    table.bet("1", "ante", 1500)
    with pytest.raises(Refusal, match=r"\$15 on ante and \$10 on match"):
        Play(table)
    assert table.betting_is_open
    assert table.events[-1].kind == "wager"


def test_what_must_lie_beside_a_wager_can_be_laid_in_one_go() -> None:
    table = Table(SHOW)
    table.bet("1", "ante", 1500)
    SHOW.accompany(table, "1")
    assert table.stakes("1") == {"ante": 1500, "match": 1500}

    table.bet("1", "ante", 2000)
    SHOW.accompany(table, "1")
    assert table.stakes("1") == {"ante": 2000, "match": 2000}
    SHOW.accompany(table, "2")
    assert table.stakes("2") == {}


def test_a_wager_may_rest_on_any_of_several() -> None:
    words = "side is made together with the ante or other wager"
    says(turned_away(Table(SHOW), "side"), Fault.NO_SUPPORT, words, "99.6")

    for under in ("ante", "other"):
        table = Table(SHOW)
        table.bet("1", under, 1000)
        table.bet("1", "side", 500)
        assert table.refusal("2", "side", 500) is not None


def test_a_wager_stays_while_another_needs_it_and_nothing_else_holds_that() -> None:
    table = with_wagers()
    table.bet("1", "side", 500)

    says(turned_away(table, "ante", 0), Fault.NOT_NOW, "ante may not be taken down", "99.6")
    table.bet("1", "other", 500)
    says(turned_away(table, "ante", 0), Fault.NOT_NOW, "match must equal it", "99.6")
    table.bet("1", "match", 0)
    table.bet("1", "ante", 0)
    says(turned_away(table, "other", 0), Fault.NOT_NOW, "side rests on it", "99.6")
    table.bet("1", "side", 0)
    table.bet("1", "other", 0)
    assert table.bets == {}


def test_a_script_may_name_them_in_any_order() -> None:
    seat = {"wagers": {"side": 500, "match": 1000, "ante": 1000}, "moves": [{"bet": 2000}]}
    told = run({"draws": f"6h Kc 9c 8d {BURNT} {BOARD}".split(), "seats": {"1": seat}})

    assert told.result("side") == ("win", 1000)


def test_a_bonus_and_a_later_wager_cannot_be_laid_before_the_cards() -> None:
    table = with_wagers()

    says(turned_away(table, "bonus"), Fault.NOT_NOW, "nothing is staked on it", "99.12")
    says(turned_away(table, "raise"), Fault.NOT_NOW, "in the course of the round", "99.9")


# Positions.


def test_a_player_has_one_position_unless_the_game_allows_two_side_by_side() -> None:
    table = Table(SHOW)
    table.sit("2", "Ann")
    table.sit("2", "Ann")
    with pytest.raises(Refusal, match="one position here, and has 2 already"):
        table.sit("3", "Ann")

    table = Table(SHOW, {"two_positions": True})
    table.sit("2", "Ann")
    with pytest.raises(Refusal) as caught:
        table.sit("4", "Ann")
    says(caught.value, Fault.NOT_NOW, "must be adjacent, and 2 and 4 are not", "99.6")
    table.sit("3", "Ann")
    for third in ("1", "4"):
        with pytest.raises(Refusal) as caught:
            table.sit(third, "Ann")
        says(caught.value, Fault.NOT_NOW, "two positions here, and has 2, 3 already", "99.6")
    table.sit("1", "Bob")
    table.leave("2")
    table.sit("4", "Ann")
    assert table.players == {"1": "Bob", "3": "Ann", "4": "Ann"}


# The order of settlement.


BOTH = {
    "1": {"wagers": {"ante": 1000, "match": 1000}, "moves": [{"bet": 2000}]},
    "2": {"wagers": {"ante": 1000, "match": 1000}, "moves": [{"bet": 2000}]},
}


def settled(order: str) -> list[str]:
    draws = f"6h Jd Kc 9c 4s 8d {BURNT} {BOARD}".split()
    told = run({"draws": draws, "seats": BOTH, "options": {"settlement_order": order}})
    assert told.document["net"] == {"1": 7000, "2": -4000}
    events = told.rounds[0]["events"]
    start = next(n for n, event in enumerate(events) if event.get("hand") == "dealer")
    return [
        f"{event['kind']} {event.get('hand') or event.get('seat')}"
        for event in events[start:]
        if event["kind"] in ("reveal", "collect", "pay")
    ]


def test_by_player_one_is_turned_and_settled_before_the_next_is_turned() -> None:
    assert settled("by_player") == [
        "reveal dealer",
        "reveal 2", "collect 2", "collect 2", "collect 2",
        "reveal 1", "pay 1", "pay 1", "pay 1", "pay 1",
    ]  # fmt: skip


def test_by_step_all_are_turned_then_all_losers_collected_then_all_winners_paid() -> None:
    assert settled("by_step") == [
        "reveal dealer", "reveal 2", "reveal 1",
        "collect 2", "collect 2", "collect 2",
        "pay 1", "pay 1", "pay 1", "pay 1",
    ]  # fmt: skip


def test_by_step_a_loser_at_the_dealers_left_is_collected_before_a_winner_at_his_right() -> None:
    draws = f"Jd 6h Kc 4s 9c 8d {BURNT} {BOARD}".split()
    told = run({"draws": draws, "seats": BOTH, "options": {"settlement_order": "by_step"}})

    kinds = [event for event in told.rounds[0]["events"] if event["kind"] in ("collect", "pay")]
    assert [event["seat"] for event in kinds] == ["1", "1", "1", "2", "2", "2", "2"]


# A limit on what is paid.


@pytest.mark.parametrize(
    ("limit", "nets"),
    [
        ("none", [1000, 2000, 2000]),
        (5000, [1000, 2000, 2000]),
        (4999, [1000, 2000, 1999]),  # no wager gets more than it has won
        (2500, [500, 1000, 1000]),
        (7, [2, 3, 2]),
    ],
)
def test_what_some_wagers_of_a_hand_win_together_can_be_limited(
    limit: Any, nets: list[int]
) -> None:
    told = one({"bet": 2000}, limit=limit)

    assert [told.settled(wager)["net"] for wager in ("ante", "raise", "match")] == nets
    assert told.result("bonus") == ("win", 2000)  # not one of them
    assert told.net() == sum(nets) + 2000
    for wager in ("ante", "raise", "match"):
        assert ("limited" in told.settled(wager)["pays"]) == (sum(nets) < 5000)


def test_every_hand_has_a_limit_of_its_own_and_a_loss_does_not_change_it() -> None:
    def won(seat: str, wager: str, net: int, pays: str = "1 to 1") -> Settlement:
        result = Result.WIN if net > 0 else Result.LOSE
        bet = Bet(seat, SHOW.by_id[wager], "", (), 1000)
        return Settlement(bet, win(), 1000, result, net, at(11), pays)

    settlements = [
        won("4", "ante", 1000), won("4", "raise", 1000), won("2", "ante", -1000, ""),
        won("2", "raise", 1000), won("2", "match", 1000, ""), won("2", "other", 9000),
    ]  # fmt: skip
    paid = capped(settlements, ("ante", "raise", "match"), 1500)

    assert [each.net for each in paid] == [750, 750, -1000, 750, 750, 9000]
    assert [each.pays for each in paid] == [
        "1 to 1, limited", "1 to 1, limited", "", "1 to 1, limited", "limited", "1 to 1",
    ]  # fmt: skip
    assert [each.bet for each in paid] == [each.bet for each in settlements]


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=3), st.integers(1, 20_000))
def test_a_limit_is_reached_to_the_cent_and_no_wager_gets_more_than_it_won(
    won: list[int], most: int
) -> None:
    wagers = ("ante", "raise", "match")
    settlements = [
        Settlement(Bet("1", SHOW.by_id[wager], "", (), 1000), win(), 1000, Result.WIN, net, at(11))
        for wager, net in zip(wagers, won, strict=False)
    ]
    paid = [each.net for each in capped(settlements, wagers, most)]

    assert sum(paid) == min(sum(won), most)
    assert all(0 <= part <= net for part, net in zip(paid, won, strict=True))


def test_money_balances_under_a_limit() -> None:
    table = with_wagers(limit=2500)
    play = answered(table, "6h Kc 9c 8d", None, {"bet": 2000}, f"{BURNT} {BOARD}", None)
    to_the_end(play)

    assert table.money["1"] == 2500 + 2000 == -table.money[HOUSE]
    assert table.money[LAYOUT] == 0


# The pack.


def rounds(number: int, **options: Any) -> Told:
    each = {
        "draws": f"6h Kc 9c 8d {BURNT} {BOARD}".split(),
        "seats": {"1": {"wagers": {"ante": 1000, "match": 1000}, "moves": ["check", "fold"]}},
    }
    return run({"rounds": [each] * number, "options": options})


COUNT = "The dealer counts the stub face down"
AWAY = "The stub goes to the discard rack, unseen"


def test_the_stub_is_counted_every_fifth_round_after_manual_shuffles() -> None:
    told = rounds(16, automated_shuffler=False)

    assert [n + 1 for n in range(16) if COUNT in steps(told, n)] == [5, 10, 15]
    fifth, sixth = steps(told, 4), steps(told, 5)
    assert fifth[fifth.index(COUNT) + 1] == AWAY
    assert AWAY in sixth


def test_it_is_not_counted_where_a_device_counts_the_cards() -> None:
    told = rounds(11)

    assert not [n for n in range(11) if COUNT in steps(told, n)]


def test_each_dealing_method_may_have_a_paragraph_of_its_own_for_the_stub() -> None:
    class Other(Show):
        rules = replace(
            Show.rules,
            stub={"manual_shoe": at(7), "hand": at(8), "automated_shoe": at(9)},
            count={"manual_shoe": at(17), "hand": at(18), "automated_shoe": at(19)},
        )

    for method, paragraph in (("manual_shoe", 7), ("automated_shoe", 9)):
        table = with_wagers(game=Other(), deal_method=method, automated_shuffler=False)
        table.state = replace(table.state, uncounted=4)
        to_the_end(answered(table, "6h Kc 9c 8d", None, "check", f"{BURNT} {BOARD}", None, "fold"))
        found = {event.data["text"]: event.cite for event in table.events if event.kind == "step"}
        assert found[COUNT] == at(paragraph + 10)
        assert found[AWAY] == at(paragraph)


def test_a_manual_shuffle_is_followed_by_a_cut_and_a_devices_is_not() -> None:
    cut = "The dealer cuts the cards, at least 10 from the top"

    assert steps(rounds(1, automated_shuffler=False))[-2:] == ["The dealer shuffles the cards", cut]
    assert cut not in steps(rounds(1))


def played(table: Table, *, void: bool = False) -> int:
    """Play a round, and tell which pack it was dealt from."""
    table.open_betting()
    for label in ("ante", "match"):
        table.bet("1", label, 1000)
    play = answered(table, "6h Kc 9c 8d")
    used: int = table.state.pack
    if void:
        play.answer(SPILLED)
    else:
        for answer in (None, "check", BURNT, BOARD, None, "fold"):
            play.answer(answer)
        to_the_end(play)
    return used


def test_two_packs_alternate_whether_a_round_is_void_or_not() -> None:
    table = Table(SHOW, {"packs": 2})

    assert [played(table, void=number == 2) for number in range(6)] == [1, 2, 1, 2, 1, 2]


def test_one_pack_is_used_again_and_again() -> None:
    table = Table(SHOW)

    assert [played(table) for _ in range(3)] == [1, 1, 1]


def test_a_second_pack_and_the_hand_need_a_shuffling_device() -> None:
    by_hand = {"automated_shuffler": False}

    (two,) = SHOW.check({**by_hand, "packs": 2})
    (hand,) = SHOW.check({**by_hand, "deal_method": "hand"})
    assert (two.option, two.cite) == ("packs", at(2))
    assert (hand.option, hand.cite) == ("deal_method", at(8))
    assert SHOW.check({"packs": 2, "deal_method": "hand"}) == []


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("manual_shoe", "1 3 dealer 1 3 dealer burn board"),
        ("hand", "1 3 dealer 1 3 dealer burn board"),
        ("automated_shoe", "1 1 3 3 dealer dealer burn board"),
    ],
)
def test_cards_are_dealt_in_laps_or_in_packets_and_only_to_those_who_wager(
    method: str, order: str
) -> None:
    seat = {"wagers": {"ante": 1000, "match": 1000}, "moves": ["check", "fold"]}
    draws = [str(card) for card in deck()[:8]]
    told = run(
        {"draws": draws, "seats": {"3": seat, "1": seat}, "options": {"deal_method": method}}
    )

    assert " ".join(card["to"] for card in told.events("draw")) == order
    seen = [card["to"] for card in told.events("draw") if "outcome" in card]
    assert seen == ["board"]


# Moves.


@pytest.mark.parametrize("move", ["bet", {"bet": 1000}])
def test_a_move_with_a_fixed_cost_may_be_said_with_its_amount_or_without(move: Any) -> None:
    told = one("check", move)

    assert told.settled("raise")["stake"] == 1000
    (first, second) = told.events("decision")
    assert (first["move"], second["move"]) == ("check", "bet")
    assert "amount" not in second


@pytest.mark.parametrize(
    "move",
    [
        {"bet": 999}, {"bet": 1001}, {"bet": 2000}, {"bet": 0}, {"bet": -1000}, {"bet": True},
        {"bet": "1000"}, {"bet": 1000.0}, {"bet": 1000, "fold": 0}, {"fold": 1000}, {"fold": 0},
        "check", "raise",
    ],
)  # fmt: skip
def test_it_is_refused_with_any_other_amount(move: Any) -> None:
    play = answered(with_wagers(), "6h Kc 9c 8d", None, "check", f"{BURNT} {BOARD}", None)

    refusal = not_answered(play, move)
    says(refusal, Fault.ILLEGAL_MOVE, "seat 1 may", "99.9")
    assert "bet (1000 cents)" in refusal.message or "fold" in refusal.message


@pytest.mark.parametrize("stake", [2000, 3000])
def test_a_move_with_several_costs_takes_one_of_them(stake: int) -> None:
    assert one({"bet": stake}).settled("raise")["stake"] == stake


@pytest.mark.parametrize("move", ["bet", {"bet": 1000}, {"bet": 2500}, {"bet": 4000}, {"check": 0}])
def test_and_neither_none_nor_one_between_nor_one_beyond(move: Any) -> None:
    play = answered(with_wagers(), "6h Kc 9c 8d", None)

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, "seat 1 may", "99.9")


def test_who_has_made_the_last_wager_is_not_asked_again() -> None:
    table = with_wagers("12")
    play = answered(table, "6h Jd Kc 9c 4s 8d", None, {"bet": 2000}, "check", "2s 6d", None)

    assert isinstance(play.request, Ask)
    assert play.request.seat == "2"
    play.answer("fold")
    assert isinstance(play.request, Inspect)


class AnyAmount(Show):
    """Anything from two to three times the ante."""

    def stages(self, options: ShowOptions) -> tuple[Stage, ...]:
        return replace(EARLY, any_amount=True), LATE


@pytest.mark.parametrize(
    ("amount", "increment", "allowed"),
    [(2000, 1, True), (2001, 1, True), (2500, 500, True), (2100, 500, False), (3001, 1, False)],
)
def test_where_any_amount_will_do_it_is_a_multiple_of_the_tables_increment(
    amount: int, increment: int, allowed: bool
) -> None:
    table = with_wagers(game=AnyAmount(), increment=increment)
    play = answered(table, "6h Kc 9c 8d", None)

    if allowed:
        play.answer({"bet": amount})
        assert table.stakes("1")["raise"] == amount
    else:
        says(not_answered(play, {"bet": amount}), Fault.ILLEGAL_MOVE, "2000 to 3000", "99.9")


class Ride(Show):
    """The match wager may be taken back."""

    def stages(self, options: ShowOptions) -> tuple[Stage, ...]:
        ride = Stage("with two cards", "let it ride?",
                     (Choice("ride"), Choice("withdraw", withdraws="match")), at(9))  # fmt: skip
        return ride, LATE


def test_a_wager_that_is_withdrawn_comes_back_untouched() -> None:
    table = with_wagers(game=Ride())
    answered(table, "6h Kc 9c 8d", None, "withdraw")

    assert table.stakes("1") == {"ante": 1000}
    assert table.money["1"] == -1000
    (back,) = table.settlements
    assert (back.bet.label, back.result, back.net, back.cite) == ("match", Result.VOID, 0, at(9))


# What is told.


def test_the_paragraphs_of_a_game_stand_behind_what_every_game_does() -> None:
    seat = {"wagers": {"ante": 1000, "match": 1000}, "moves": ["check", "bet"]}
    draws = f"6h Kc 9c 8d {BURNT} {BOARD}".split()
    told = run({"draws": draws, "seats": {"1": seat}, "shuffle": True})

    found: dict[str, str] = {}
    for event in told.rounds[0]["events"]:
        if event["kind"] in ("step", "announce", "reveal", "decision"):
            found.setdefault(event.get("text") or event.get("hand") or event["kind"], cited(event))
    assert found == {
        "The cards are inspected, spread face up and washed": "99.3",
        "A device shuffles the cards": "99.4",
        "No more bets": "99.6",
        "The cards are dealt from the shoe, one at a time": "99.7",
        "decision": "99.9",
        "One card is burnt": "99.9",
        AWAY: "99.7",
        "dealer": "99.10",
        "Dealer has high card, king-eight high": "99.5",
        "1": "99.10",
        "Seat 1 has pair, sixes, nine kicker": "99.5",
        "The cards are picked up": "99.10",
    }


def test_a_round_without_wagers_ends_before_it_begins() -> None:
    told = run({"draws": [], "seats": {}})

    assert told.rounds[0]["settlements"] == []
    assert steps(told) == ["Nobody plays, and no cards are dealt"]


MOMENTS: Sequence[Any] = (
    "6h", "Kc", "9c", "8d", None, "check", BURNT, BOARD, None, "bet", None,
)  # fmt: skip


@pytest.mark.parametrize("moment", range(len(MOMENTS)))
def test_the_state_is_fresh_in_every_round_however_the_last_one_ended(moment: int) -> None:
    table = with_wagers()
    play = answered(table, *MOMENTS[:moment])
    if isinstance(play.request, Ask):
        play.answer(MOMENTS[moment])
    play.answer(SPILLED)
    table.open_betting()
    for label in ("ante", "match"):
        table.bet("1", label, 1000)
    Play(table)

    state = table.state
    assert (state.opened, state.face_up, state.decided, state.revealed) == (True, 0, 0, False)
