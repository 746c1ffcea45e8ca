"""What somebody may see of a live table."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from croupier.floor.live import asking
from croupier.floor.live.state import LiveState
from croupier.rulebook.views import for_all


def view(
    live: LiveState, account: str, *, session: str = "", sees_all: bool = False
) -> dict[str, Any]:
    """The table as somebody may see it."""
    table = live.table
    questions = asking.shown(live, account, sees_all=sees_all)
    meter = table.game.meter(table.state, table.options)
    return {
        "id": live.stream,
        "name": live.name,
        "game": table.game.id,
        "title": table.game.title,
        "terms": asdict(live.terms),
        "rules": live.rules,
        "status": live.status,
        "phase": "deciding" if questions and phase(live) == "dealing" else phase(live),
        "round": live.round,
        "number": live.number,
        "round_began": live.round_began,
        "positions": table.positions,
        "seats": {seat: _seat(live, seat, account, session) for seat in live.chairs},
        "dealer": live.dealer.name if live.dealer else None,
        **for_all(table),
        "hands": _hands(live, account, sees_all=sees_all),
        "meter": meter.shown if meter else None,
        "asked": questions[0] if questions else None,
        "questions": questions,
        "notice": live.notice,
        "proposed": live.proposed,
        "irregularities": {
            kind: {"trigger": rule.trigger, "resolution": rule.says, "citation": str(rule.cite)}
            for kind, rule in table.irregularities.items()
        },
    }


def _hands(live: LiveState, account: str, *, sees_all: bool) -> dict[str, Any]:
    """Every hand on the layout. Whoever came in the middle of a round sees none of it as theirs."""
    own = [seat for seat in live.seats_of(account) if live.chairs[seat].playing]
    return {
        name: hand.as_json(next(filter(hand.is_seen_by, own), None), sees_all=sees_all)
        for name, hand in live.table.hands.items()
        if hand
    }


def phase(live: LiveState) -> str:
    """What goes on: betting, dealing, deciding, or nothing."""
    if live.status != "open" and live.status != "closing":
        return live.status
    if live.play is None:
        return "betting"
    return "deciding" if asking.is_public(live) else "dealing"


def openings(live: LiveState, seat: str) -> list[dict[str, Any]]:
    """Every wager that a seat may make now, with the amounts that it can pay for."""
    if live.status != "open" or live.play is not None:
        return []
    found = []
    beside = Counter(wager.equals for wager in live.table.game.offered(live.table.options))
    for opening in live.table.openings(seat):
        bet = live.table.lying(seat, label := opening.wager.label(opening.spot))
        stake = bet.stake if bet else 0
        most = stake + live.free(seat) // (1 + beside[opening.wager.id])
        room = min(opening.high, most) - opening.low
        found.append({
            "wager": label,
            "title": opening.wager.title,
            "low": opening.low,
            "high": opening.low + room // opening.step * opening.step,
            "step": opening.step,
            "stake": stake,
            "removable": opening.removable and not opening.wager.equals,  # it goes with the other
            "citation": str(opening.wager.cite),
        })  # fmt: skip
    return found


def _seat(live: LiveState, seat: str, account: str, session: str) -> dict[str, Any]:
    """A seat that is taken, as somebody may see it."""
    chair = live.chairs[seat]
    return {
        "name": chair.name,
        "stack": live.table.money[seat],
        "ready": chair.ready,
        "leaving": chair.leaving,
        "waiting": not chair.playing,
        "yours": chair.account == account,
        "here": chair.account == account and chair.session == session,  # it controls the seat
    }
