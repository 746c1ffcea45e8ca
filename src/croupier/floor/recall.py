"""Recall: the last rounds of a table again, and why a wager came out as it did.

Everything is read from the log, so it works whatever state the table is in:
open, frozen or closed. A reader gets what he was shown when it happened and
nothing more. What is recalled is marked so, lest somebody take it for a round
that is being played.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, func, select

from croupier.equipment import dollars
from croupier.floor import log, schema
from croupier.floor.events import LogEvent, visible
from croupier.floor.live import METER, OF_A_SEAT
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal, seat_of

CHIPS = {"buy_in": "bought", "cash_out": "cashed"}  # what changes a stack besides the wagers
SETS = ("wager", "reduce", "take_down")  # events that say what lies on a wager from then on
DECIDED = ("pay", "collect", "return", "vigorish", "refund")
ODDS = re.compile(r"(\d+) to (\d+)")

Shown = dict[str, Any]


def rounds(
    conn: Connection, stream: str, account: str, sees_all: bool, last: int = 10
) -> list[Shown]:
    """The last rounds that are over, and the one that is not, in their order."""
    played = _by_round(_window(conn, stream, last))
    now = _balances(conn, stream)
    return _told(conn, stream, played, now, account, sees_all=sees_all)


def one(conn: Connection, stream: str, events: Sequence[LogEvent]) -> Shown:
    """One round, whenever it was, with all that nobody has seen."""
    now = _balances(conn, stream)
    if METER in now:
        now[METER] -= _moved(log.read(conn, stream, after=events[-1].number))
    (told,) = _told(conn, stream, _by_round(events), now, "", sees_all=True)
    return told


def _told(
    conn: Connection,
    stream: str,
    played: Mapping[int, Sequence[LogEvent]],
    now: Mapping[str, int],
    account: str,
    *,
    sees_all: bool,
) -> list[Shown]:
    held = _held(played, account)
    meters = _meters(played, now.get(METER))
    start: Mapping[str, int] = _stacks_before(conn, stream, min(played, default=0))
    told = []
    for number, events in played.items():
        over = _end(events)
        settled = _settlements(over)
        end = json.loads(over.data)["stacks"] if over else now
        own = _every_seat(events, start, end) if sees_all else held[number]
        told.append({
            "recall": True,
            "table": stream,
            "round": number,
            "open": over is None,
            "began": events[0].at,
            "ended": over.at if over else None,
            "void": json.loads(over.data)["void"] if over else None,
            "rules": events[-1].rules,
            "wagers": _staked(settled) if over else _lying(events),
            "settlements": settled,
            "stacks": {
                seat: {"start": start.get(seat, 0), "end": end.get(seat, 0), **_chips(events, seat)}
                for seat in sorted(own, key=int)
            },
            "meter": meters.get(number),
            "events": [
                event.shown() for event in events
                if visible(event.seen_by, account, sees_all=sees_all)
            ],
        })  # fmt: skip
        start = end
    return told


def why(
    conn: Connection,
    stream: str,
    number: int,
    seat: str,
    wager: str,
    *,
    account: str = "",
    sees_all: bool = False,
) -> Shown:
    """Why a wager came out as it did: the rule, the outcome and the arithmetic.

    Without an account the cards are those that everybody saw.
    """
    events = of_round(conn, stream, number)
    over = _end(events)
    if over is None:
        raise Refusal(Fault.NOT_NOW, f"round {number} is not over")
    settled = _settlements(over)
    found = [each for each in settled if (each["seat"], each["wager"]) == (seat, wager)]
    if not found:
        others = ", ".join(dict.fromkeys(each["wager"] for each in settled if each["seat"] == seat))
        had = f"it had {others}" if others else "it had no wager"
        message = f"seat {seat} had no {wager} wager in round {number}; {had}"
        raise Refusal(Fault.UNKNOWN_WAGER, message)
    game = find_game(conn.scalars(select(schema.tables.c.game).filter_by(id=stream)).one())
    base = game.by_id[wager.partition(":")[0]].paid_on
    on = sum(e["stake"] for e in settled if (e["seat"], e["wager"]) == (seat, base)) if base else 0
    return {
        "recall": True,
        "table": stream,
        "round": number,
        "seat": seat,
        "wager": wager,
        "settlements": [{**each, "sentence": sentence(each, on)} for each in found],
        "events": [
            event.shown()
            for event in events
            if visible(event.seen_by, account, sees_all=sees_all)
            and _decides(event.kind, json.loads(event.data), seat, wager)
        ],
    }


def of_round(conn: Connection, stream: str, number: int) -> list[LogEvent]:
    """All the events of a round, in their order."""
    events = schema.events.c
    query = select(*log.COLUMNS).where(events.stream == stream, events.round == number)
    found = [log.event_of(row) for row in conn.execute(query.order_by(events.number))]
    if not found:
        raise Refusal(Fault.NOT_NOW, f"there is no round {number} at this table")
    return found


def sentence(settled: Mapping[str, Any], paid_on: int = 0) -> str:
    """The arithmetic of a settlement. A bonus has no stake, and is paid on another wager's."""
    stake, net, vigorish = settled["stake"], settled["net"], settled.get("vigorish", 0)
    gross = net + vigorish
    odds = ODDS.match(settled["pays"])
    if settled["result"] == "standing":
        told = f"{dollars(stake)} is undecided and stays on the layout"
    elif odds and gross > 0:
        told = _at_odds(stake or paid_on, gross, odds, limited="limited" in settled["pays"])
    elif gross > 0:
        line = settled["line"].replace("_", " ")
        told = f"{dollars(stake)} wins {dollars(gross)}, as is paid for {line}"
    elif gross == 0:
        told = f"{dollars(stake)} is returned, nothing being won or lost"
    elif gross == -stake:
        told = f"{dollars(stake)} is lost"
    else:
        told = f"of {dollars(stake)}, {dollars(-gross)} is lost and the rest returned"
    if vigorish:
        told += f"; less {dollars(vigorish)} vigorish, that is {_signed(net)}"
    return f"{told} [{settled['citation']}]"


def _at_odds(stake: int, gross: int, odds: re.Match[str], *, limited: bool) -> str:
    exact = stake * Fraction(int(odds[1]), int(odds[2]))
    times = odds[1] if odds[2] == "1" else f"{odds[1]}/{odds[2]}"
    told = f"{dollars(stake)} at {odds[0]} wins {dollars(stake)} × {times} = "  # noqa: RUF001
    if exact == gross:
        return told + dollars(gross)
    exactly = dollars(int(exact)) if exact.denominator == 1 else f"${float(exact / 100):,.4f}"
    why = "which the limit on what a hand may win makes" if limited else "which is rounded to"
    return f"{told}{exactly}, {why} {dollars(gross)}"


def _signed(cents: int) -> str:
    return f"a loss of {dollars(-cents)}" if cents < 0 else f"a win of {dollars(cents)}"


# What the log holds.


def _window(conn: Connection, stream: str, last: int) -> list[LogEvent]:
    events = schema.events.c
    here = events.stream == stream
    current = conn.scalar(select(func.max(events.round)).where(here)) or 0
    over = select(events.number).where(here, events.round == current, events.kind == "round_over")
    first = current - last + (conn.scalar(over) is not None)
    query = select(*log.COLUMNS).where(here, events.round >= first).order_by(events.number)
    return [log.event_of(row) for row in conn.execute(query)]


def _by_round(events: Iterable[LogEvent]) -> dict[int, list[LogEvent]]:
    found: defaultdict[int, list[LogEvent]] = defaultdict(list)
    for event in events:
        found[event.round].append(event)
    return dict(found)


def _end(events: Sequence[LogEvent]) -> LogEvent | None:
    return next((event for event in reversed(events) if event.kind == "round_over"), None)


def _settlements(over: LogEvent | None) -> list[Shown]:
    return json.loads(over.data)["settlements"] if over else []


def _balances(conn: Connection, stream: str) -> dict[str, int]:
    held = schema.balances.c
    query = select(held.account, held.cents).where(held.stream == stream, held.cents != 0)
    return {row.account: row.cents for row in conn.execute(query)}


def _stacks_before(conn: Connection, stream: str, number: int) -> dict[str, int]:
    """What each seat had when a round began."""
    events = schema.events.c
    over = conn.scalar(select(events.data).where(
        events.stream == stream, events.round == number - 1, events.kind == "round_over"
    ))  # fmt: skip
    stacks: dict[str, int] = json.loads(over)["stacks"] if over else {}
    return stacks


def _meters(played: Mapping[int, Sequence[LogEvent]], shown: int | None) -> dict[int, int]:
    """What the progressive meter showed after each round, counted back from what it shows."""
    found: dict[int, int] = {}
    for number in sorted(played, reverse=True):
        if shown is not None:
            found[number] = shown
            shown -= _moved(played[number])
    return found


def _moved(events: Iterable[LogEvent]) -> int:
    """By how much the progressive meter grew."""
    return sum(json.loads(event.money).get(METER, 0) for event in events if event.money)


def _held(played: Mapping[int, Sequence[LogEvent]], account: str) -> dict[int, set[str]]:
    """The seats that an account had in each round: it sat down there, or gave commands there."""
    sat: set[str] = set()
    had: set[str] = set()  # before the first of these rounds
    for event in (event for events in played.values() for event in events):
        said = json.loads(event.input or "{}") if event.actor == account else {}
        if said.get("do") == "sit":
            sat.add(said["seat"])
        elif said.get("do") in OF_A_SEAT and said["seat"] not in sat:
            had.add(said["seat"])
    held: dict[int, set[str]] = {}
    for number, events in played.items():
        came = {json.loads(e.data)["seat"] for e in events
                if e.kind == "seated" and e.actor == account}  # fmt: skip
        went = {json.loads(e.data)["seat"] for e in events if e.kind == "left"}
        held[number] = had | came
        had = held[number] - went
    return held


def _every_seat(events: Iterable[LogEvent], *stacks: Mapping[str, int]) -> set[str]:
    """All that somebody has, or had in this round."""
    came = {json.loads(event.data)["seat"] for event in events if event.kind == "seated"}
    return came.union(*({seat for seat in each if seat.isdecimal()} for each in stacks))


def _chips(events: Iterable[LogEvent], seat: str) -> dict[str, int]:
    """What a seat bought and cashed in a round."""
    total = dict.fromkeys(CHIPS.values(), 0)
    for event in events:
        if event.kind in CHIPS and (told := json.loads(event.data))["seat"] == seat:
            total[CHIPS[event.kind]] += told["amount"]
    return total


def _staked(settled: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """What each seat had on each wager when it was decided, or stood."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in settled:
        if each["stake"]:
            total[each["seat"]][each["wager"]] += each["stake"]
    return {seat: dict(wagers) for seat, wagers in total.items()}


def _lying(events: Iterable[LogEvent]) -> dict[str, dict[str, int]]:
    """What has been wagered so far, in a round that is not over."""
    total: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for event in events:
        if event.kind in SETS:
            told = json.loads(event.data)
            total[told["seat"]][told["wager"]] = told["stake"]
    return {
        seat: {wager: stake for wager, stake in wagers.items() if stake}
        for seat, wagers in total.items()
    }


def _decides(kind: str, told: Mapping[str, Any], seat: str, wager: str) -> bool:
    """Whether an event has a part in how a wager of this seat came out."""
    whose = str(told.get("to") or told.get("hand") or told.get("seat") or "")
    if seat_of(whose) not in ("", seat):
        return False
    if kind in DECIDED or kind in SETS:
        return told.get("wager") == wager
    return bool(told.keys() & {"outcome", "cards"}) or kind in ("decision", "irregularity")
