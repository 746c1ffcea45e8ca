"""A round of the log as a round script, which `croupier deal` plays again.

The log is replayed up to the round, and with it is kept how the table stood
and what it was told when each round began. A round whose past matters (a
point, a bet that stands, a meter) needs the rounds before it in its script:
as many are taken as it takes to be paid the same. What cannot be told in a
script is not told: a script that pays anything else is no script of the round.
"""

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from croupier.floor import log
from croupier.floor.events import LogEvent
from croupier.floor.live import LiveTable
from croupier.games import find_game
from croupier.rulebook import Ask, AskAll, Draw, Play, Refusal, Table, named, restore, save, script

MOST = 1000  # rounds in a script
STARTS = ("ready", "no_more_bets", "time_up")  # commands with which a round may begin

Lying = dict[tuple[str, str], int]  # the stakes on the layout, by seat and wager


@dataclass
class Played:
    """All that decided a round: how the table stood, and what came."""

    number: int
    game: str
    given: Mapping[str, Any]
    saved: dict[str, Any]  # the table, when the betting was closed
    before: Lying  # what lay there when it was opened
    players: dict[str, str]  # who sat where
    answers: list[Any] = field(default_factory=list)
    settled: list[dict[str, Any]] = field(default_factory=list)
    void: bool = False
    left: set[str] = field(default_factory=set)  # the seats that were given up after it


def scripted(conn: Connection, stream: str, number: int) -> dict[str, Any] | None:
    """A script whose last round is this one, or None. A log that is bad raises `LogBroken`."""
    rounds = [*history(conn, stream, number)]
    if not rounds or rounds[-1].number != number:
        return None
    for first in _starts(rounds):
        told = _script(rounds[first:])
        if told is not None and _pays(told) == _paid(rounds[-1]):
            return told
    return None


def history(conn: Connection, stream: str, number: int) -> Iterable[Played]:
    """The last rounds up to this one, as the log, played again from its beginning, has them."""
    live = LiveTable(stream)
    kept: deque[Played] = deque(maxlen=MOST)
    current: Played | None = None
    standing: Lying = {}
    for events in _commands(log.read(conn, stream)):
        if events[0].round > number:
            break
        said = _said(events[0])
        begins = live.status != "new" and live.play is None and said.get("do") in STARTS
        start = _started(live, standing) if begins else None
        log.replay(live, events)
        if start is not None and "answers" in said:
            current = start
        if current is not None:
            current.answers += said.get("answers", ())
        for event in events:
            if event.kind == "round_over" and current is not None:
                over = _told(event)
                current.settled, current.void = over["settlements"], over["void"] is not None
                kept.append(current)
                current, standing = None, _lying(live.table)
            elif event.kind == "left" and kept:
                kept[-1].left.add(_told(event)["seat"])
    return kept


def _commands(events: Iterable[LogEvent]) -> Iterator[list[LogEvent]]:
    """The events of one command after another: the first of each holds what was said."""
    together: list[LogEvent] = []
    for event in events:
        if event.input is not None and together:
            yield together
            together = []
        together.append(event)
    if together:
        yield together


def _said(event: LogEvent) -> dict[str, Any]:
    """The command that an event is the first of; nothing, if it is bad."""
    try:
        said = json.loads(event.input or "")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _told(event: LogEvent) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(event.data)
    return told


def _started(live: LiveTable, before: Lying) -> Played:
    playing = {seat: chair.name for seat, chair in live.chairs.items() if chair.playing}
    return Played(
        live.round, live.table.game.id, live.given, save(live.table), dict(before), playing
    )


def _lying(table: Table) -> Lying:
    return {(bet.seat, bet.label): bet.stake for bet in table.bets.values()}


def _starts(rounds: list[Played]) -> Iterator[int]:
    """Where a script may begin: with the round itself, or ever further back."""
    last, back = len(rounds) - 1, 0
    while back < last and rounds[last - back - 1].given == rounds[last].given:
        yield last - back
        back = back + 1 if back < 4 else back * 2
    same = [at for at in range(len(rounds)) if rounds[at].given != rounds[last].given]
    yield same[-1] + 1 if same else 0


def _script(rounds: list[Played]) -> dict[str, Any] | None:
    """These rounds at one table; None if a script cannot say them."""
    game = find_game(rounds[0].game)
    told = {"game": game.id, "options": game.options(rounds[0].given).as_json()}
    try:
        each = [_round(played, first=played is rounds[0]) for played in rounds]
        return {**told, **each[0]} if len(each) == 1 else {**told, "rounds": each}
    except Refusal:
        return None


def _round(played: Played, *, first: bool) -> dict[str, Any]:
    game = find_game(played.game)
    table = restore(game, played.given, played.saved)
    shuffle = _is_shuffled(table)
    seats: dict[str, dict[str, Any]] = {
        seat: {"player": name} for seat, name in sorted(played.players.items(), key=_by_seat)
    }
    for (seat, label), stake in _wagers(table, {} if first else played.before).items():
        seats.setdefault(seat, {}).setdefault("wagers", {})[label] = stake
    draws: list[Any] = []
    reports: list[dict[str, Any]] = []
    asked: defaultdict[str, list[tuple[Ask, Any]]] = defaultdict(list)
    together: dict[str, Any] = {}  # what was answered to a question that asks several
    play = Play(table)
    for answer in played.answers:
        request = play.request
        if isinstance(answer, Mapping) and "irregularity" in answer:
            about = {key: value for key, value in answer.items() if key != "irregularity"}
            kind = answer["irregularity"]
            reports.append({"before_draw": len(draws) + 1, "kind": kind, **about})
        elif isinstance(request, Draw):
            draws.append(answer)
        elif isinstance(request, Ask):
            asked[request.seat].append((request, answer))
        elif isinstance(request, AskAll):
            together.update(answer)
            if len(request.waiting) == 1:  # a script gives them in the order of the questions
                for ask in request.asks:
                    asked[ask.seat].append((ask, together.pop(ask.about)))
        play.answer(answer)
    for seat, answers in asked.items():
        if moves := _moves(answers):
            seats.setdefault(seat, {})["moves"] = moves
    for seat in played.left & seats.keys():
        seats[seat]["leaves"] = True
    return {
        "draws": draws,
        "seats": seats,
        **({"irregularities": reports} if reports else {}),
        **({"shuffle": True} if shuffle else {}),
    }


def _moves(asked: Sequence[tuple[Ask, Any]]) -> list[Any]:
    """What a seat decided. An offer that it left alone is named where the next move would fit it.

    In a script, an offer takes the next move if that is one of its answers.
    """
    kept: list[Any] = []
    for ask, answer in reversed(asked):
        following = [named(move)[0] for move in kept[-1:]]
        fits = any(move.name in following for move in ask.moves)
        if not (ask.offer and answer == ask.default) or fits:
            kept.append(answer)
    return kept[::-1]


def _by_seat(item: tuple[str, Any]) -> int:
    return int(item[0])


def _is_shuffled(table: Table) -> bool:
    """The round begins with the shuffle."""
    try:
        return bool(table.game.due_for_shuffle(table.state) == table.state)
    except Refusal:
        return False


def _wagers(table: Table, before: Lying) -> Lying:
    """What was set on the layout since it lay as before; what may not be played is returned."""
    for seat in table.clockwise():
        try:
            table.game.check_wagers(table, seat)
        except Refusal as refusal:
            for bet in table.bets_of(seat):
                table.give_back(bet, refusal.cite or table.game.cite)
    now = _lying(table)
    down = dict.fromkeys(before.keys() - now.keys(), 0)
    return {each: stake for each, stake in (now | down).items() if before.get(each, 0) != stake}


Paid = tuple[bool, list[tuple[Any, ...]]]


def _pays(told: dict[str, Any]) -> Paid | None:
    """What `croupier deal` makes of a script: how its last round is settled."""
    try:
        last = script.run(told, find_game)["rounds"][-1]
    except Refusal:
        return None
    return None if "unused_draws" in last else (last["void"], _settled(last["settlements"]))


def _paid(played: Played) -> Paid:
    """How a round was settled; what was returned before it began is no part of it."""
    table = restore(find_game(played.game), played.given, played.saved)
    lay = _lying(table)
    _wagers(table, {})
    returned = lay.keys() - _lying(table).keys()
    return played.void, _settled(
        each for each in played.settled if (each["seat"], each["wager"]) not in returned
    )


def _settled(settlements: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted(tuple(sorted(each.items())) for each in settlements)
