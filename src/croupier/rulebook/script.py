"""Round scripts: what the equipment gives and what the people do, fixed beforehand.

A script plays any round again exactly: in a dispute, in a lesson, in a test.
Wagers are set to the amount given (more adds chips, less takes some back, 0
takes a wager down), so a script of several rounds says only what changes.
Irregularities count draws from 1; one "before" the draw after the last is
reported before the wagers are settled.

A shoe is taken to be in play already. A round with `"shuffle": true` begins
with the shuffle, and its first draws are the cards that are burnt then. A seat
that `"leaves": true` does so after the round, and pays the vigorish it owes;
`"leaves": "without_paying"` is documented instead.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from croupier.rulebook.game import Game
from croupier.rulebook.irregularity import Then
from croupier.rulebook.play import Play
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.request import Ask, Draw, Inspect, Request, asked, named, reply
from croupier.rulebook.settlement import Event, Settlement
from croupier.rulebook.table import Table
from croupier.rulebook.wager import Result

TOP = {"game", "options", "rounds", "comment"}
ROUND = {"draws", "seats", "irregularities", "shuffle", "comment"}
SEAT = {"wagers", "moves", "player", "leaves"}


def _bad(message: str) -> Refusal:
    return Refusal(Fault.BAD_SCRIPT, message)


def read(text: str) -> dict[str, Any]:
    """The script as JSON, refused if it is not."""
    try:
        script = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constants)
    except json.JSONDecodeError as error:
        raise _bad(
            f"the script is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None
    except ValueError:
        raise _bad("the script holds a number of thousands of digits") from None
    except RecursionError:
        raise _bad("the script is nested too deeply to be a round script") from None
    return _object(script, "the script")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise _bad(f"the script says {twice!r} twice in one place")
    return found


def _no_constants(name: str) -> Any:
    raise _bad(f"the script holds {name}, which is no number")


def _shown(value: Any) -> str:
    """The beginning of a value, as JSON."""
    try:
        return json.dumps(value)[:40]
    except (RecursionError, ValueError):
        return "something too long to print"


def _object(value: Any, what: str, keys: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(f"{what} must be a JSON object, not {_shown(value)}")
    if keys is not None and (unknown := sorted(set(value) - keys)):
        raise _bad(f"{what} has no {unknown[0]!r}; it takes {', '.join(sorted(keys))}")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise _bad(f"{what} must be a JSON list, not {_shown(value)}")
    return value


def run(script: Mapping[str, Any], find_game: Callable[[str], Game]) -> dict[str, Any]:
    """Play a script and tell what happened. Anything the rules forbid refuses it whole."""
    if "game" not in script:
        raise _bad('the script does not say which "game" it plays')
    if not isinstance(script["game"], str):
        raise _bad(f'"game" must be the id of a game, not {_shown(script["game"])}')
    several = "rounds" in script
    _object(dict(script), "the script", TOP if several else (TOP | ROUND) - {"rounds"})
    table = Table(find_game(script["game"]), _object(script.get("options", {}), '"options"'))
    table.state = table.game.in_play(table.state)
    rounds = script["rounds"] if several else [{k: v for k, v in script.items() if k in ROUND}]
    if not several and "seats" not in script:
        raise _bad('the script does not say who sits at the table: it needs "seats"')
    net: Counter[str] = Counter()
    told = []
    for number, each in enumerate(_list(rounds, '"rounds"'), 1):
        what = f"round {number}" if several else "the script"
        _object(each, what, ROUND)
        if "draws" not in each:
            raise _bad(f'{what} does not say what the equipment gives: it needs "draws"')
        table, happened = _play_round(table, each, what, net)
        told.append(happened)
    owed = table.view()["vigorish_owed"]
    return {
        "game": table.game.id,
        "options": table.options.as_json(),
        "rounds": told,
        "net": dict(net),
        **({"vigorish_owed": owed} if owed else {}),
    }


def _play_round(
    table: Table, script: Mapping[str, Any], what: str, net: Counter[str]
) -> tuple[Table, dict[str, Any]]:
    """One round, and the table after it.

    A card that is found and not used is among the draws. A script that leaves such cards out
    is understood too, if it is otherwise short of just so many: they are any that it does not
    name.
    """
    scripted = _Scripted(table, script, what)
    again = deepcopy(table) if scripted.useless else None
    earned = Counter(net)
    try:
        return table, scripted.told(net)
    except Refusal:
        if again is None or scripted.short != scripted.useless:
            raise
    net.clear()
    net.update(earned)
    return again, _Scripted(again, script, what, names_useless=False).told(net)


class _Scripted:
    """One round of a script, answering what the round asks."""

    def __init__(
        self, table: Table, script: Mapping[str, Any], what: str, *, names_useless: bool = True
    ) -> None:
        self.table, self.what = table, what
        self.names_useless, self.due = names_useless, 0  # cards that are found and not used
        self.why_not: Refusal | None = None
        self.draws = deque(_list(script["draws"], f'"draws" of {what}'))
        self.given, self.used, self.short = len(self.draws), 0, 0
        self.seats = {
            seat: _object(said, f"seat {seat}", SEAT)
            for seat, said in _object(script.get("seats", {}), '"seats"').items()
        }
        self.moves = {
            seat: deque(_list(said.get("moves", []), f'"moves" of seat {seat}'))
            for seat, said in self.seats.items()
        }
        self.shuffle = script.get("shuffle", False)
        if not isinstance(self.shuffle, bool):
            raise _bad(f'"shuffle" of {what} must be true or false, not {_shown(self.shuffle)}')
        self.reports = [
            self._report(each)
            for each in _list(script.get("irregularities", []), '"irregularities"')
        ]
        self.told_of: list[tuple[int, dict[str, Any]]] = []

    @property
    def useless(self) -> int:
        """How many of its irregularities cost a card that is not used."""
        rules = self.table.irregularities
        kinds = [report["irregularity"] for _, report in self.reports + self.told_of]
        return sum(kind in rules and rules[kind].costs_cards for kind in kinds)

    def _report(self, said: Any) -> tuple[int, dict[str, Any]]:
        what = "an irregularity"
        each = _object(said, what, {"before_draw", "kind", "seat", "wager"})
        at, kind = each.get("before_draw"), each.get("kind")
        if type(at) is not int or not isinstance(kind, str):
            raise _bad('an irregularity needs "before_draw", counted from 1, and a "kind"')
        about: dict[str, Any] = {key: each[key] for key in each if key in ("seat", "wager")}
        return at, {"irregularity": kind, **about}

    def told(self, net: Counter[str]) -> dict[str, Any]:
        """Play it, and tell it. While wagers stand and draws are left, the play goes on."""
        table = self.table
        table.open_betting()
        if self.shuffle:
            table.state = table.game.due_for_shuffle(table.state)
        for seat, said in self.seats.items():
            table.check_seat(seat)
            table.present.add(seat)
            net[seat] += 0
            if "player" in said:
                who = said["player"]
                if not isinstance(who, str) or not who.strip():
                    raise _bad(f'"player" of seat {seat} must be a name, not {_shown(who)}')
                table.sit(seat, who)
        for seat, label, amount in self._wagers():
            table.bet(seat, label, amount)
        events: list[Event] = []
        decided: list[Settlement] = []
        self._play()
        while self.draws and table.bets and not table.is_void:
            events += table.events
            decided += [s for s in table.settlements if s.result is not Result.STANDING]
            table.open_betting()
            self._play()
        decided += table.settlements
        self._nothing_left()
        for seat, said in self.seats.items():
            leaves = said.get("leaves", False)
            if not isinstance(leaves, bool) and leaves != "without_paying":
                raise _bad(f'"leaves" of seat {seat} must be true, false or "without_paying"')
            if leaves:
                forgiven = 0 if leaves is True else table.owed(seat)
                table.leave(seat, pays=leaves is True)
                net[seat] += forgiven
        for settled in decided:
            net[settled.bet.seat] += settled.net
        told = {
            "void": table.is_void,
            "settlements": [settled.as_json() for settled in decided],
            "events": [event.as_json() for event in events + table.events],
        }
        unused = {seat: list(moves) for seat, moves in self.moves.items() if moves}
        return (
            told
            | ({"unused_draws": list(self.draws)} if self.draws else {})
            | ({"unused_moves": unused} if unused else {})
        )

    def _wagers(self) -> list[tuple[str, str, Any]]:
        """In an order in which they can be made: what others rest on first, and last to go."""
        wagers = [
            (seat, label, amount)
            for seat, said in self.seats.items()
            for label, amount in _object(said.get("wagers", {}), f"wagers of {seat}").items()
        ]

        return sorted(wagers, key=lambda each: self.table.order_of(*each))

    def _play(self) -> None:
        play = Play(self.table)
        while play.request is not None:
            play.answer(self._answer(play.request))
        if self.short:
            raise _bad(f"{self.what} gives {self.given} draws and needs at least {self.short} more")

    def _answer(self, request: Request) -> Any:
        for ask in asked(request):
            return reply(request, ask, self._move(ask))
        assert isinstance(request, Draw | Inspect)
        drawing = isinstance(request, Draw)
        for report in self.reports:
            if report[0] == self.used + 1 and (drawing or self._at_the_end(request, report[1])):
                self.reports.remove(report)
                self.told_of.append(report)
                rule = request.irregularities.get(report[1]["irregularity"])
                self.due += bool(rule and rule.costs_cards and not self.names_useless)
                return report[1]
        if not isinstance(request, Draw):
            return None
        if self.due:
            self.due -= 1
            every = (request.device.say(each) for each in request.device.outcomes())
            return next(each for each in every if each not in self.draws)
        self.used += 1
        if self.draws and isinstance(self.draws[0], dict):
            what = f"{_shown(self.draws[0])} is not a draw of the {request.device.name}"
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, what)
        if self.draws:
            return self.draws.popleft()
        # Out of draws: the round is lost, but go on with anything to learn how many it needs.
        self.short += 1
        return request.device.say(request.device.outcomes()[0])

    def _at_the_end(self, request: Request, report: dict[str, Any]) -> bool:
        """It belongs before the settlement: no draw is left, or those that are it costs itself."""
        assert isinstance(request, Inspect)
        kind = report["irregularity"]
        rule = request.irregularities.get(kind)
        if rule and rule.then is Then.VOID_ROUND and any(self.moves.values()):
            return False  # the players have yet to do what the script says they did
        if rule and rule.costs_cards and kind in request.barred and self.draws:
            message = f"{kind} cannot be reported now: {request.barred[kind]}"
            self.why_not = Refusal(Fault.NOT_NOW, message, rule.cite)
            return False  # unless it belongs to a draw that is still to come
        return not self.draws or bool(rule and rule.costs_cards)

    def _move(self, ask: Ask) -> Any:
        moves = self.moves.get(ask.seat)
        if ask.offer or self.short:
            return moves.popleft() if moves and _names_one(moves[0], ask) else ask.default
        if not moves:
            raise Refusal(
                Fault.BAD_SCRIPT,
                f"seat {ask.seat} must {' or '.join(map(str, ask.moves))} "
                f"({ask.question}), and the script gives it no move",
                ask.cite,
            )
        return moves.popleft()

    def _is_void(self, seat: str) -> bool:
        """His hand came to nothing, so he was not asked for all that he would have done."""
        mishaps = [event.data for event in self.table.events if event.kind == "irregularity"]
        own = [settled for settled in self.table.settlements if settled.bet.seat == seat]
        lost_hand = any(mishap.get("seat") == seat for mishap in mishaps) and all(
            settled.result is Result.VOID for settled in own
        )
        return self.table.is_void or lost_hand

    def _nothing_left(self) -> None:
        for seat, moves in self.moves.items():
            if moves and not self._is_void(seat):
                message = f"seat {seat} was never asked for its move {moves[0]!r}"
                raise Refusal(Fault.BAD_SCRIPT, message, self.table.game.cite)
        if self.reports:
            if self.why_not:
                raise self.why_not
            at, report = self.reports[0]
            raise _bad(
                f"{report['irregularity']} before draw {at} never came about: "
                f"{self.what} has {self.used} draws"
            )


def _names_one(move: Any, ask: Ask) -> bool:
    """The move, plain or with an amount, is one that the question offers."""
    return named(move)[0] in [each.name for each in ask.moves]
