"""What a round needs somebody for: an outcome, a report, a decision. All are generators."""

from collections.abc import Callable, Collection, Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.equipment import Device, ImpossibleOutcome, Shoe
from croupier.rulebook.citation import Citation
from croupier.rulebook.irregularity import Resolution, Then
from croupier.rulebook.moves import Move
from croupier.rulebook.request import Ask, AskAll, Draw, Inspect, Report, Request

if TYPE_CHECKING:
    from croupier.rulebook.table import Table

T = TypeVar("T")


class RoundIsVoid(Exception):
    """An irregularity has ended the round: every wager is returned."""

    def __init__(self, cite: Citation) -> None:
        self.cite = cite


def draw(
    table: "Table", device: Device[T], to: str | Callable[[], str], *, face_down: bool
) -> Generator[Request, Any, T]:
    """An outcome of the equipment, once it is a valid one."""
    while True:
        if isinstance(device, Shoe) and not device.cards_left:
            yield from _out_of_cards(table)
            continue
        answer = yield Draw(device, table.irregularities, table.bets, *_possible(table))
        if isinstance(answer, Report):
            yield from _resolve(table, answer)
            continue
        outcome: T = answer
        device.take(outcome)
        to = to() if callable(to) else to
        whose: dict[str, Any] = {"to": to} if to else {}
        if isinstance(device, Shoe):
            table.hands[to].add(outcome, face_down=face_down)
        if face_down:
            owner = table.hands[to].seat or to
            table.record(device.verb, face_down=True, **whose)
            table.record("look", seen_by=owner, outcome=device.say(outcome), **whose)
        else:
            table.record(device.verb, outcome=device.say(outcome), **whose)
        return outcome


def inspect(table: "Table") -> Generator[Request, Any, None]:
    """The moment before settlement at which an irregularity can still be reported."""
    table.all_dealt = True
    while True:
        report = yield Inspect(table.irregularities, table.bets, *_possible(table))
        if report is None:
            break
        yield from _resolve(table, report)
    table.all_dealt = False


def question(
    table: "Table", hand: str, question: str, moves: tuple[str | Move, ...], cite: Citation,
    *, offer: bool = False, private: bool = False,
) -> Ask:  # fmt: skip
    """What a seat is asked about one of its hands."""
    named = tuple(Move(move) if isinstance(move, str) else move for move in moves)
    if named[0].takes_content:
        raise ValueError(f"{named[0].name} cannot be the default: a word alone must answer")
    held = table.hands.get(hand)
    owner = held.seat if held is not None else hand
    holding = tuple(held or ()) if any(move.takes_cards for move in named) else ()
    return Ask(owner or hand, question, named, named[0].name, cite, offer, private,
               "" if hand == owner else hand, holding)  # fmt: skip


def ask(table: "Table", asking: Ask) -> Generator[Request, Any, Any]:
    """A player's decision."""
    decided = yield asking
    _record(table, asking, decided)
    return decided


def ask_all(table: "Table", asking: tuple[Ask, ...]) -> Generator[Request, Any, dict[str, Any]]:
    """Decisions that are made at the same time; they are told when all have been made."""
    if not asking:
        return {}
    decided: dict[str, Any] = yield AskAll(asking)
    for each in asking:
        _record(table, each, decided[each.about])
    return decided


def _record(table: "Table", asking: Ask, decided: Any) -> None:
    """Tell what was decided, and to the player alone what is theirs to know."""
    if asking.offer and decided == asking.default:
        return
    name, content = decided if isinstance(decided, tuple) else (decided, None)
    move = next(each for each in asking.moves if each.name == name)
    whose = {"seat": asking.seat} | ({"hand": asking.hand} if asking.hand else {})
    data = {**whose, "question": asking.question, "move": name}
    seen_by = asking.seat if asking.private else None
    told = {} if content is None else move.told(content)
    table.record("decision", cite=asking.cite, seen_by=seen_by, **data, **told)
    if content is not None and (kept := move.kept(content)):
        table.record("chosen", cite=asking.cite, seen_by=asking.seat, **whose, move=name, **kept)


def _possible(table: "Table") -> tuple[dict[str, str], dict[str, Collection[str]]]:
    """The irregularities that cannot be reported now, each with the reason; and for the others,
    the seats they may concern."""
    rules = table.momentary
    seats = {kind: rule.seats(table) for kind, rule in rules if rule.seats}
    barred = {kind: "there is no such seat" for kind, some in seats.items() if not some}
    if isinstance(table.equipment, Shoe) and not table.equipment.cards_left:
        barred |= {kind: "no card is left" for kind, rule in rules if rule.costs_cards}
    barred |= {kind: why for kind, rule in rules if rule.bar and (why := rule.bar(table))}
    return barred, seats


def momentary(known: Mapping[str, Resolution]) -> list[tuple[str, Resolution]]:
    """The irregularities that can only happen at some moments."""
    return [
        (kind, rule) for kind, rule in known.items() if rule.bar or rule.seats or rule.costs_cards
    ]


def _out_of_cards(table: "Table") -> Generator[Request, Any, None]:
    """The shoe is empty in the middle of a round: the game has a rule for that."""
    kind = table.game.out_of_cards
    if not kind:
        raise ImpossibleOutcome(f"the {table.equipment.name} is empty")
    rule = table.irregularities[kind]
    yield from _resolve(table, Report(kind, rule))
    if not table.equipment.cards_left:
        raise RoundIsVoid(rule.cite)  # there is nothing to shuffle either


def _resolve(table: "Table", report: Report) -> Generator[Request, Any, None]:
    rule = report.resolution
    about = {"seat": report.seat, "wager": report.wager} if report.seat else {}
    table.record(
        "irregularity",
        cite=rule.cite,
        irregularity=report.kind,
        what=rule.trigger,
        resolution=rule.says,
        **about,
    )
    if rule.then is Then.RETURN_WAGER:
        name, _, spot = report.wager.partition(":")
        table.give_back(table.bets[report.seat, name, spot], rule.cite)
    table.report = report
    done = rule.effect(table) if rule.effect is not None else None
    if done is not None:
        yield from done
    if rule.then is Then.VOID_ROUND:
        raise RoundIsVoid(rule.cite)
