"""What may be seen of a table, as plain values."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.rulebook.table import Table


def view(table: "Table", seat: str | None) -> dict[str, Any]:
    """The table as a seat, or a bystander, may see it."""
    if seat not in table.positions:
        seat = None
    return {
        "game": table.game.id,
        "betting_is_open": table.betting_is_open,
        **for_all(table),
        "hands": {name: hand.as_json(seat) for name, hand in table.hands.items() if hand},
        "events": [e.as_json() for e in table.events if e.seen_by in (None, seat)],
    }


def for_all(table: "Table") -> dict[str, Any]:
    """What everybody may see alike."""
    return {
        "options": table.options.as_json(),
        "state": public(table.state),
        "vigorish_owed": {each: owed for each in table.positions if (owed := table.owed(each))},
        "bets": [{**bet.place, "stake": bet.stake} for bet in table.in_order()],
        "pots": table.pots.as_json(),
    }


def public(state: Any) -> dict[str, Any]:
    """The fields of a standing state that anyone may see."""
    if not is_dataclass(state):
        return {}
    return {
        f.name: plain(getattr(state, f.name)) for f in fields(state) if not f.metadata.get("hidden")
    }


def plain(value: Any) -> Any:
    """A value as JSON: the same value always gives the same text."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted((plain(item) for item in value), key=str)
    if is_dataclass(value) and type(value).__str__ is object.__str__:  # no text of its own
        return public(value)
    return value if isinstance(value, int | str | type(None)) else str(value)
