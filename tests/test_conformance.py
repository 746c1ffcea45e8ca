"""What every game must hold, without being asked: this suite runs over the whole registry."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis import analyze
from croupier.equipment import Shoe
from croupier.games import registry
from croupier.regulation import UNLISTED, coverage
from croupier.rulebook import (
    LAYOUT,
    Ask,
    Bet,
    Citation,
    Draw,
    Family,
    Fault,
    Game,
    Inspect,
    Opening,
    Play,
    Refusal,
    Result,
    Table,
    Then,
    Wager,
)
from croupier.simulation.streams import SeededStream

GAMES = list(registry().values())
SECTIONS = {row.section for row in coverage()}

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


# Wagers, options and irregularities are data.


def citations(game: Game) -> Iterator[tuple[str, Citation]]:
    yield game.id, game.cite
    for wager in game.wagers:
        yield wager.id, wager.cite
        yield f"{wager.id} pays", wager.paid_by
    for option in game.Options.all().values():
        yield option.id, option.cite
    for kind, rule in game.irregularities.items():
        for each in getattr(rule, "choices", {"": rule}).values():
            yield kind, each.cite


@every_game
def test_every_wager_option_and_irregularity_cites_a_section_that_exists(game: Game) -> None:
    for what, cite in citations(game):
        equipment = cite.place.startswith(("13:69E-1.", "13:69D-1."))
        known = cite.section in SECTIONS | UNLISTED or equipment
        assert known, f"{what} cites {cite}, which is no section of the regulation"


@every_game
def test_a_visitor_is_told_what_decides_it_and_how_it_is_played(game: Game) -> None:
    assert game.family in get_args(Family)
    sentences = re.split(r"(?<=[.]) (?=[A-Z])", game.in_words)
    assert 2 <= len(sentences) <= 5
    assert all(each.endswith(".") for each in sentences)


@every_game
def test_ids_are_the_words_that_other_tools_rely_on(game: Game) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", game.id)
    ids = [wager.id for wager in game.wagers]
    assert len(set(ids)) == len(ids)
    for name in (*ids, *game.Options.all(), *game.irregularities):
        assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name), name


@every_game
def test_the_default_table_is_lawful_and_says_so_in_its_own_words(game: Game) -> None:
    options = game.options()
    assert game.options(options.as_json()).as_json() == options.as_json()


@every_game
def test_a_lawful_table_can_be_opened_again_from_its_own_words(game: Game) -> None:
    for option in game.Options.all().values():
        for value in option.values:
            if not game.check({option.id: value}):
                told = game.options({option.id: value}).as_json()
                assert game.options(told).as_json() == told


@every_game
def test_every_value_an_option_lists_is_lawful_or_refused_with_a_citation(game: Game) -> None:
    for option in game.Options.all().values():
        for value in option.values:
            for violation in game.check({option.id: value}):
                assert violation.message
                assert violation.cite.place


@every_game
def test_an_unknown_option_and_a_senseless_value_are_violations(game: Game) -> None:
    for option in game.Options.all():
        assert game.check({option: "utter nonsense"}), option
        assert game.check({option: ["x", {}]}), option
    (violation,) = game.check({"no_such_option": 1})
    assert violation.option == "no_such_option"


@every_game
def test_no_wager_pays_less_than_its_minimum(game: Game) -> None:
    options = game.options()
    for wager in game.wagers:
        for line, odds in wager.pay_table(options).items():
            assert odds >= wager.minimum(options)[line]


WITH_ODDS = [
    (game, option)
    for game in GAMES
    for option in ("odds", "higher_odds")
    if option in game.Options.all()
]


@pytest.mark.parametrize(("game", "option"), WITH_ODDS, ids=[game.id for game, _ in WITH_ODDS])
def test_odds_below_the_minimum_are_refused_for_every_wager(game: Game, option: str) -> None:
    options = game.options()
    for wager in game.wagers:
        if any(odds.win for odds in wager.minimum(options).values()):
            (violation, *_) = game.check({option: {wager.id: "0 to 1"}})
            assert violation.option == option
            assert violation.cite == wager.paid_by


@every_game
def test_every_wager_is_analyzed_and_its_outcomes_close_to_one(game: Game) -> None:
    options = game.options()
    reports = analyze(game, options)
    own = {wager.id for wager in game.offered(options) if not wager.joins}
    assert {report.wager.id for report in reports} == own
    for report in reports:
        assert sum(outcome.probability for outcome in report.outcomes) == 1
        assert all(outcome.probability > 0 for outcome in report.outcomes)
        assert report.house_edge >= 0, f"{report.label} favors the player"


# A session at a live table, with everything that chance, people and mishaps can do.


class Session:
    """A table played by Hypothesis, watched at every step."""

    def __init__(self, game: Game, data: st.DataObject) -> None:
        self.data = data
        self.table = Table(game)
        self.seats = ["1", "2", str(game.positions)]

    def bet(self) -> None:
        """Some seats set some of the wagers that the table offers them."""
        for _ in range(self.data.draw(st.integers(0, 6))):
            seat = self.data.draw(st.sampled_from(self.seats))
            openings = list(self.table.openings(seat))
            if not openings:
                continue
            opening = self.data.draw(st.sampled_from(openings))
            steps = (opening.high - opening.low) // opening.step
            amount = opening.low + opening.step * self.data.draw(st.integers(0, min(steps, 20)))
            if opening.removable and self.data.draw(st.booleans()):
                amount = 0
            self.table.bet(seat, opening.wager.label(opening.spot), amount)
            self.balanced()
        for seat in self.seats:
            self.table.game.accompany(self.table, seat)

    def play(self) -> Play:
        play = Play(self.table)
        mishaps = self.data.draw(st.integers(0, 2))
        while play.request is not None:
            answer = self.answer(play.request, mishaps > 0)
            mishaps -= isinstance(answer, dict) and "irregularity" in answer
            play.answer(answer)
            self.balanced()
        return play

    def answer(self, request: Any, mishap: bool) -> Any:
        if isinstance(request, Ask):
            move = self.data.draw(st.sampled_from(request.moves))
            if not move.takes_amount:
                return move.name
            steps = (move.high - move.low) // move.step
            return {move.name: move.low + move.step * self.data.draw(st.integers(0, steps))}
        if mishap and self.data.draw(st.booleans()):
            report = self.report(request)
            if report:
                return report
        if isinstance(request, Draw):
            outcomes = request.device.outcomes()
            return request.device.say(outcomes[self.data.draw(st.integers(0, len(outcomes) - 1))])
        return None

    def report(self, request: Any) -> dict[str, str] | None:
        kinds = [
            kind
            for kind, rule in request.irregularities.items()
            if isinstance(request, Draw) or rule.then is not Then.DRAW_AGAIN
            if kind not in request.barred
        ]
        if not kinds:
            return None
        kind = self.data.draw(st.sampled_from(kinds))
        about: dict[str, str] = {}
        rule = request.irregularities[kind]
        if kind in request.seats:
            about = {"seat": self.data.draw(st.sampled_from(list(request.seats[kind])))}
        if rule.then is Then.RETURN_WAGER:
            if not self.table.bets:
                return None
            bet = self.data.draw(st.sampled_from(list(self.table.bets.values())))
            about = {"seat": bet.seat, "wager": bet.label}
        return {"irregularity": kind, **about}

    def balanced(self) -> None:
        money, table = self.table.money, self.table
        assert sum(money.values()) == 0
        assert money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
        assert all(bet.stake > 0 for bet in table.bets.values())
        if isinstance(table.equipment, Shoe):
            everywhere = sorted(table.equipment.everywhere)
            assert everywhere == sorted(table.equipment.composition)


@every_game
@given(data=st.data())
def test_money_is_conserved_in_every_round(game: Game, data: st.DataObject) -> None:
    session = Session(game, data)
    table = session.table
    for _ in range(3):
        table.open_betting()
        session.bet()
        before = {seat: table.worth(seat) for seat in session.seats}
        staked = _staked(table)
        session.play()
        for seat in session.seats:
            won = sum(s.net for s in table.settlements if s.bet.seat == seat)
            assert table.worth(seat) + _staked(table)[seat] == before[seat] + staked[seat] + won
        for settled in table.settlements:
            assert -settled.stake <= settled.net
            assert (settled.net > 0) == (settled.result is Result.WIN)


def _staked(table: Table) -> Counter[str]:
    staked: Counter[str] = Counter()
    for bet in table.bets.values():
        staked[bet.seat] += bet.stake
    return staked


@every_game
@given(data=st.data())
def test_the_same_answers_give_the_same_events(game: Game, data: st.DataObject) -> None:
    session = Session(game, data)
    again = Table(game)
    for _ in range(3):
        session.table.open_betting()
        session.bet()
        again.open_betting()
        again.bets, again.money = dict(session.table.bets), Counter(session.table.money)
        again.events = list(session.table.events)
        again.present = set(session.table.present)
        answers = session.play().answers
        replay = Play(again)
        for answer in answers:
            replay.answer(answer)
        assert replay.request is None
        assert again.view("1") == session.table.view("1")
        assert again.settlements == session.table.settlements
        assert again.money == session.table.money
        assert again.state == session.table.state


@every_game
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_offered_is_exactly_what_is_accepted(game: Game, data: st.DataObject) -> None:
    session = Session(game, data)
    for _ in range(2):
        session.table.open_betting()
        session.bet()
        session.play()
    session.table.open_betting()
    session.bet()
    table = session.table
    for seat in session.seats:
        openings = {o.wager.label(o.spot): o for o in table.openings(seat)}
        for label, opening in openings.items():
            _accepts_exactly(table, seat, label, opening)
        for bet in table.bets_of(seat):
            if bet.label not in openings:
                _accepts_nothing(table, seat, bet)


def _accepts_exactly(table: Table, seat: str, label: str, opening: Opening) -> None:
    low, high, step = opening.low, opening.high, opening.step
    for amount in (low, low + step, high - step, high):
        if low <= amount <= high:
            assert table.refusal(seat, label, amount) is None, (label, amount)
    for amount in (-1, low - step, high + step, *([low + 1] if step > 1 else [])):
        if amount:
            assert table.refusal(seat, label, amount) is not None, (label, amount)
    assert (table.refusal(seat, label, 0) is None) == opening.removable


def _accepts_nothing(table: Table, seat: str, bet: Bet) -> None:
    for amount in (0, bet.stake - 1, bet.stake + 1):
        assert table.refusal(seat, bet.label, amount) is not None


RELATED = [
    (game, wager) for game in GAMES for wager in game.wagers if wager.rests_on or wager.equals
]


@pytest.mark.parametrize(
    ("game", "wager"), RELATED, ids=[f"{game.id}-{wager.id}" for game, wager in RELATED]
)
def test_what_must_lie_beside_a_wager_does(game: Game, wager: Wager) -> None:
    """A wager that rests on another is refused without it, and then keeps it where it is."""
    for given_options in _tables(game):
        table = Table(game, given_options)
        needs = wager.needs(table.options)
        if not needs or not wager.offered(table.options) or not wager.is_always_open:
            continue
        refusal = table.refusal("1", wager.id, table.options.table_min)
        assert refusal is not None
        assert refusal.fault is Fault.NO_SUPPORT
        base = next(o for o in table.openings("1") if o.wager.id == needs[0])
        table.bet("1", base.wager.id, base.high)
        (own,) = [o for o in table.openings("1") if o.wager.id == wager.id]
        if wager.equals:
            assert own.low == own.high == base.high
        table.bet("1", wager.id, own.low)
        kept = table.refusal("1", base.wager.id, 0)
        assert kept is not None
        assert kept.cite == (wager.rests_by or wager.cite)
        if wager.equals and base.high - base.step >= base.low:
            table.bet("1", base.wager.id, base.high - base.step)
            with pytest.raises(Refusal, match="must be equal"):
                Play(table)


NONSENSE: list[Any] = [
    "no such move", {"fly": 1}, -1, 10**9, [[]], True,
    {"irregularity": 1}, {"irregularity": "x"},
]  # fmt: skip


@every_game
@given(data=st.data())
def test_moves_that_are_not_offered_are_refused_and_change_nothing(
    game: Game, data: st.DataObject
) -> None:
    session = Session(game, data)
    session.table.open_betting()
    session.bet()
    play = Play(session.table)
    while play.request is not None:
        before, waiting = session.table.view("1"), play.request
        for nonsense in NONSENSE:
            with pytest.raises(Refusal):
                play.answer(nonsense)
        assert play.request is waiting
        assert session.table.view("1") == before
        play.answer(session.answer(play.request, mishap=False))


@every_game
@given(data=st.data())
def test_no_wager_is_taken_after_no_more_bets(game: Game, data: st.DataObject) -> None:
    session = Session(game, data)
    session.bet()
    openings = list(session.table.openings("1"))
    play = Play(session.table)
    while play.request is not None and session.table.betting_is_open:
        play.answer(session.answer(play.request, mishap=False))
    if play.request is None:
        return  # there was nothing to deal for
    before = session.table.view("1")
    for opening in openings[:5]:
        refusal = session.table.refusal("1", opening.wager.label(opening.spot), opening.low)
        assert refusal is not None
        assert refusal.fault is Fault.NO_MORE_BETS
        assert refusal.cite is not None
    assert session.table.view("1") == before


@every_game
@given(data=st.data())
def test_a_seat_sees_nothing_that_is_another_seats(game: Game, data: st.DataObject) -> None:
    session = Session(game, data)
    session.bet()
    session.play()
    for seat in (*session.seats, None):
        shown = session.table.view(seat)["events"]
        hidden = [e.as_json() for e in session.table.events if e.seen_by not in (None, seat)]
        assert not [event for event in hidden if event in shown]


TRIES = 40  # rounds dealt by chance, in which an irregularity that needs its moment finds it


@every_game
def test_every_irregularity_can_happen_and_is_told_with_its_citation(game: Game) -> None:
    for kind in game.irregularities:
        table = _in_which_it_happens(game, kind)
        rule = table.irregularities[kind]
        (told, *_) = [event for event in table.events if event.kind == "irregularity"]
        assert told.data["irregularity"] == kind
        assert told.cite == rule.cite
        assert table.is_void == (rule.then is Then.VOID_ROUND)


def _in_which_it_happens(game: Game, kind: str) -> Table:
    """A table where this is reported at the first moment at which it can have happened."""
    for given_options in _tables(game):
        for seed in range(TRIES):
            table = Table(game, given_options)
            if _report_once(table, kind, SeededStream(seed)):
                return table
    raise AssertionError(f"{kind} never came about in {game.id}")


def _tables(game: Game) -> Iterator[dict[str, Any]]:
    """The default table, and every table that differs from it in one option."""
    yield {}
    for option in game.Options.all().values():
        for value in option.values:
            if not game.check({option.id: value}):
                yield {option.id: value}


def _report_once(table: Table, kind: str, chance: SeededStream) -> bool:
    for seat in ("1", "2", "3"):
        for opening in [*table.openings(seat)][:4]:
            label = opening.wager.label(opening.spot)
            if table.refusal(seat, label, opening.low) is None:
                table.bet(seat, label, opening.low)
        table.game.accompany(table, seat)
    bet = next(iter(table.bets.values()))
    report: dict[str, str] = {"irregularity": kind, "seat": bet.seat, "wager": bet.label}
    play, reported = Play(table), False
    while play.request is not None:
        request = play.request
        if isinstance(request, Ask):
            move = request.moves[chance.below(len(request.moves))]
            play.answer({move.name: move.low} if move.takes_amount else move.name)
        elif isinstance(request, Draw | Inspect) and not reported and kind not in request.barred:
            seats = request.seats.get(kind, [bet.seat])
            play.answer({**report, "seat": next(iter(seats))})
            reported = True
        elif isinstance(request, Draw):
            play.answer(request.device.say(request.device.draw(chance)))
        else:
            play.answer(None)
    return reported
