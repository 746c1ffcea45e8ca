"""A table between rounds, as plain values: saved, made again, or given other options.

A saved value is JSON and names no code. What it means is said by the type
hints of the game's own state and of `_Standing`, so a value that does not fit
them is refused, and a game that keeps something new says so in its state alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from croupier.equipment import Card, Shoe
from croupier.equipment.shoe import read_pile, write_pile
from croupier.rulebook.citation import custom
from croupier.rulebook.game import Game
from croupier.rulebook.ledger import LAYOUT
from croupier.rulebook.refusal import Fault, Refusal, brief
from croupier.rulebook.settlement import Event
from croupier.rulebook.table import Table
from croupier.rulebook.wager import Bet, Wager


@dataclass(frozen=True)
class _Lying:
    """A bet without what its spot covers, which the wager knows."""

    seat: str
    wager: str
    spot: str
    stake: int
    called_on: bool


@dataclass(frozen=True)
class _Standing:
    """All that stands at a table, but its state and its equipment. What is in order is a tuple."""

    hands: tuple[tuple[str, tuple[Card, ...]], ...]
    face_down: tuple[tuple[str, tuple[Card, ...]], ...]  # those of them that nobody may see
    players: tuple[tuple[str, str], ...]
    present: frozenset[str]
    forms: int
    bets: tuple[_Lying, ...]
    money: dict[str, int]
    events: tuple[Event, ...]  # of the betting: a keno ticket is issued for what was bought in it


def save(table: Table) -> dict[str, Any]:
    """Everything that stands at a table between rounds; the same table gives the same text."""
    _check_between_rounds(table)
    standing = _Standing(
        hands=tuple((name, tuple(hand)) for name, hand in table.hands.items()),
        face_down=tuple(
            (name, tuple(hand.face_down)) for name, hand in table.hands.items() if hand.face_down
        ),
        players=tuple(table.players.items()),
        present=frozenset(table.present),
        forms=table.forms,
        bets=tuple(
            _Lying(bet.seat, bet.wager.id, bet.spot, bet.stake, bet.called_on)
            for bet in table.bets.values()
        ),
        money={account: cents for account, cents in table.money.items() if cents},
        events=tuple(table.events),
    )
    return {
        "game": table.game.id,
        "state": _by_name(table.state),
        "equipment": table.equipment.contents(),
        **_by_name(standing),
    }


def restore(game: Game, given: Mapping[str, Any], saved: Mapping[str, Any]) -> Table:
    """The table again: what it does from here on is what the saved one would have done."""
    table = Table(game, given)
    rest = dict(saved) if isinstance(saved, Mapping) else {}
    if rest.pop("game", None) != game.id:
        raise ValueError(f"this is not a saved table of {game.title.lower()}: {brief(saved)}")
    try:
        table.state = _named(game.State, rest.pop("state", None))
        table.equipment.refill(rest.pop("equipment", None))
        _put_back(table, _named(_Standing, rest))
    except Refusal as refusal:
        raise ValueError(f"this table cannot be made again: {refusal}") from None
    return table


def carry_over(table: Table, given: Mapping[str, Any]) -> Table:
    """The same people, money and standing state at a table with other options.

    Its equipment is new and, where there are cards, they are shuffled before the next round.
    """
    _check_between_rounds(table)
    for bet in table.bets.values():
        lies = f"the options stay as they are while {bet.label} of seat {bet.seat} is on the layout"
        raise Refusal(Fault.NOT_NOW, lies, table.game.cite)
    game, other = table.game, Table(table.game, given)
    taken = table.present.union(table.players, (s for s in table.positions if table.money[s]))
    if lost := taken.difference(other.positions):
        message = f"seat {min(lost, key=int)} is taken, and with these options there is none"
        raise Refusal(Fault.NOT_NOW, message, game.cite)
    for seat, player in table.players.items():
        other.sit(seat, player)
    other.present, other.forms, other.money = set(table.present), table.forms, Counter(table.money)
    other.state = table.state
    if isinstance(other.equipment, Shoe):
        other.state = game.due_for_shuffle(table.state)
    new, meter = game.meter(game.State(), table.options), game.meter(table.state, table.options)
    if meter != new and game.meter(other.state, other.options) is None:
        message = "the progressive jackpot has grown, and with these options there is none"
        raise Refusal(Fault.NOT_NOW, message, custom("13:69D-1.52"))
    return other


def _check_between_rounds(table: Table) -> None:
    if not table.betting_is_open or table.settlements or table.is_void:
        message = "this is done between rounds, when the betting is open"
        raise Refusal(Fault.NOT_NOW, message, table.game.cite)


def _put_back(table: Table, standing: _Standing) -> None:
    """What was saved, onto a new table."""
    on_layout = Counter(card for _, cards in standing.hands for card in cards)
    if isinstance(table.equipment, Shoe) and on_layout != Counter(table.equipment.on_layout):
        raise ValueError("the hands are not the cards that lie on the layout")
    for seat in (*standing.present, *dict(standing.players), *(b.seat for b in standing.bets)):
        table.check_seat(seat)
    table.hands.put(dict(standing.hands))
    for name, hidden in standing.face_down:
        if Counter(hidden) - Counter(table.hands[name]):
            raise ValueError(f"hand {name} does not hold what lies face down in it")
        table.hands[name].face_down = list(hidden)
    table.players.update(standing.players)
    table.present.update(standing.present)
    table.forms = standing.forms
    table.money.update(standing.money)
    table.events.extend(standing.events)
    for lying in standing.bets:
        bet = _bet(table, lying)
        if bet.stake < 1 or bet.key in table.bets:
            raise ValueError(f"{bet.label} of seat {bet.seat} cannot lie on the layout so")
        table.bets[bet.key] = bet
    staked = sum(bet.stake for bet in table.bets.values())
    if table.money.total() or table.money[LAYOUT] != staked:
        raise ValueError("the money does not add up")


def _bet(table: Table, lying: _Lying) -> Bet:
    wager = table.game.wager(lying.wager, table.options)
    covers = _covered(wager, lying.spot, table.options)
    return Bet(lying.seat, wager, lying.spot, covers, lying.stake, lying.called_on)


def _covered(wager: Wager, spot: str, options: Any) -> Any:
    """What a bet covers: its spot, as it is read, or the one from which it has traveled."""
    if wager.reads is not None:
        return wager.reads(spot, options)[1]
    return wager.spot(spot if spot in wager.spots(options) else "", options)[1]


# How a type is written as plain values, and read.


_PLAIN = {
    bool: "true or false",
    int: "a whole number",
    str: "text",
    list: "a list",
    dict: "an object with named values",
}


class _Form(NamedTuple):
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]  # a ValueError if that is not what was written


def _by_name(record: Any) -> dict[str, Any]:
    """A dataclass with the names of its fields."""
    forms = _fields(record.__class__)
    return {name: form.write(getattr(record, name)) for name, form in forms.items()}


def _named(record: Any, written: Any) -> Any:
    """The dataclass again. Every field must be there, and nothing else."""
    forms = _fields(record)
    if not isinstance(written, Mapping) or set(written) != set(forms):
        raise ValueError(f"{brief(written)} does not have {', '.join(forms)}")
    values = {}
    for name, form in forms.items():
        try:
            values[name] = form.read(written[name])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return record(**values)


@cache
def _fields(record: Any) -> dict[str, _Form]:
    hints = get_type_hints(record)
    return {field.name: _form(hints[field.name]) for field in fields(record)}


@cache
def _form(hint: Any) -> _Form:
    """How values of this type are written."""
    origin, of = get_origin(hint), get_args(hint)
    if hint in (bool, int, str):
        return _Form(_as_it_is, partial(_exactly, hint))
    if hint is Any:  # what an event tells is plain already
        return _Form(_as_it_is, _as_it_is)
    if hint is Fraction:
        return _Form(str, _fraction)
    if hint == tuple[Card, ...]:
        return _Form(write_pile, lambda written: tuple(read_pile(written)))
    if origin is UnionType and len(of) == 2 and of[1] is NoneType:
        return _or_none(_form(of[0]))
    if origin is dict and of[0] is str:
        return _mapping(_form(of[1]))
    if origin is frozenset:
        return _set(_form(of[0]))
    if origin is tuple and of[1:] == (...,):
        return _several(_form(of[0]))
    if origin is tuple:
        return _row([_form(each) for each in of], tuple, lambda *values: values)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _Form(attrgetter("value"), hint)
    if is_dataclass(hint):
        assert isinstance(hint, type)
        forms = _fields(hint)
        return _row([*forms.values()], lambda record: [getattr(record, f) for f in forms], hint)
    raise TypeError(f"nothing says how {hint} is written, and it stands at a table")


def _as_it_is(value: Any) -> Any:
    return value


def _exactly(plain: type[Any], written: Any) -> Any:
    if type(written) is not plain:
        raise ValueError(f"{brief(written)} is not {_PLAIN[plain]}")
    return written


def _fraction(written: Any) -> Fraction:
    """Written in lowest terms, as a fraction prints itself."""
    if not isinstance(written, str) or not re.fullmatch(r"-?[0-9]+(/[1-9][0-9]*)?", written):
        raise ValueError(f"{brief(written)} is not a fraction")
    return Fraction(written)


def _or_none(form: _Form) -> _Form:
    return _Form(
        lambda value: None if value is None else form.write(value),
        lambda written: None if written is None else form.read(written),
    )


def _several(form: _Form) -> _Form:
    return _Form(
        lambda values: [form.write(value) for value in values],
        lambda written: tuple([form.read(each) for each in _exactly(list, written)]),
    )


def _set(form: _Form) -> _Form:
    return _Form(
        lambda values: sorted(form.write(value) for value in values),
        lambda written: frozenset([form.read(each) for each in _exactly(list, written)]),
    )


def _mapping(form: _Form) -> _Form:
    return _Form(
        lambda values: {key: form.write(values[key]) for key in sorted(values)},
        lambda written: {
            _exactly(str, key): form.read(value) for key, value in _exactly(dict, written).items()
        },
    )


def _row(
    forms: list[_Form], parts: Callable[[Any], Iterable[Any]], make: Callable[..., Any]
) -> _Form:
    """Values of several types, in a fixed order."""
    changed = [(at, form.write) for at, form in enumerate(forms) if form.write is not _as_it_is]

    def write(value: Any) -> list[Any]:
        row = list(parts(value))
        for at, written in changed:
            row[at] = written(row[at])
        return row

    def read(written: Any) -> Any:
        if len(_exactly(list, written)) != len(forms):
            raise ValueError(f"{brief(written)} does not have {len(forms)} parts")
        return make(*[form.read(part) for form, part in zip(forms, written, strict=True)])

    return _Form(write, read)
