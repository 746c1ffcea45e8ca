"""Reports: what was wagered and won against what theory expects, and where the money is.

Every figure is a fold of the log, or of the balances that follow from it. The
theory of a table is the exact analysis of the very options that it is run with.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

from sqlalchemy import Connection, Row, select

from croupier.analysis import WagerReport, analyze
from croupier.floor import schema
from croupier.floor.live import METER, RESERVE
from croupier.games import find_game
from croupier.rulebook import LAYOUT, POT, Game, PokerGame, Refusal, owed_by

Document = dict[str, Any]

BAND = 1.96  # standard deviations: 19 of 20 honest tables are within
ENOUGH = 100  # wagers; of fewer, a band says little
ASSUMED = (
    "Theory is the exact analysis of the options in force, with every decision at its best: what "
    "players lose by playing worse is in the house's win.",
    "Wagers that stand or fall together are one: their win is compared with the theory of the "
    "whole hand, per unit of the first of them.",
    "Wagers are taken to be independent of each other; many on one outcome make the band too "
    "narrow, or too wide.",
    "A shoe is taken to be full, a progressive meter to show its first amount, and vigorish to "
    "be exact.",
    "Void rounds are counted, and left out of all else.",
    f"Outside the band of 95 % is what is more than {BAND} standard deviations from theory after "
    f"{ENOUGH} wagers or more; of 20 honest wagers, one is.",
)


# What theory says.


class Theory:
    """The exact worth of every wager of a table."""

    def __init__(self, game: Game, options: Any) -> None:
        self.game, self.options = game, options
        self.by_wager: defaultdict[str, list[WagerReport]] = defaultdict(list)
        for report in analyze(game, options):
            self.by_wager[report.wager.id].append(report)
        self._of: dict[str, WagerReport | None] = {}

    def of(self, label: str) -> WagerReport | None:
        """The report that speaks for a wager on its spot."""
        name, _, spot = label.partition(":")
        reports = self.by_wager.get(name, [])
        if len(reports) == 1 and reports[0].label == name:
            return reports[0]
        if label not in self._of:
            found = next((each for each in reports if spot in each.choices), None)
            self._of[label] = found or self._alone(label)
        return self._of[label]

    def _alone(self, label: str) -> WagerReport | None:
        """A wager of its own kind, such as a keno ticket of several ways."""
        try:
            return next(iter(analyze(self.game, self.options, [label])), None)
        except Refusal:
            return None


@cache
def _theory(game: str, options: str) -> Theory:
    found = find_game(game)
    return Theory(found, found.options(json.loads(options)))


def main_of(game: Game, wager: str) -> str:
    """The wager under which a wager is analyzed: the first of its hand, or itself."""
    if isinstance(game, PokerGame) and wager in game.main:
        return game.main[0]
    return game.by_id[wager].joins or wager


# What was played.


@dataclass
class Expected:
    """What theory expects of so much money."""

    report: WagerReport
    staked: int = 0
    squares: int = 0  # the sum of the squares of the stakes

    def add(self, stake: int) -> None:
        self.staked += stake
        self.squares += stake * stake

    @property
    def win(self) -> Fraction:
        return self.report.house_edge * self.staked

    @property
    def variance(self) -> float:
        return self.report.standard_deviation**2 * self.squares


@dataclass
class Played:
    """What became of one wager."""

    rounds: int = 0
    wagers: int = 0
    staked: int = 0  # coin-in, or handle
    won: int = 0  # by the players, net; below zero if they lost
    vigorish: int = 0
    voids: int = 0
    returned: int = 0  # cents, of void rounds
    expected: dict[str, "Expected"] = field(default_factory=dict)  # by what theory speaks for

    @property
    def paid(self) -> int:
        """What went back to the players: coin-out."""
        return self.staked + self.won

    def as_json(self) -> Document:
        return {
            "rounds": self.rounds,
            "wagers": self.wagers,
            "staked": self.staked,
            "paid": self.paid,
            "win": -self.won,
            "hold": -self.won / self.staked if self.staked else None,
            "vigorish": self.vigorish,
            "voids": self.voids,
            "returned": self.returned,
        }


@dataclass
class Table:
    """One table under one set of rules."""

    stream: str
    name: str
    rules: str
    game: Game
    options: str
    since: str = ""
    until: str = ""
    rounds: int = 0
    void_rounds: int = 0
    wagers: defaultdict[str, Played] = field(default_factory=lambda: defaultdict(Played))
    seats: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    corrected: int = 0

    def theory(self, *, solve: bool) -> Theory | None:
        """What it is worth; poker takes a minute to solve, and is only solved when asked to."""
        if isinstance(self.game, PokerGame) and not solve:
            return None
        return _theory(self.game.id, self.options)

    def over(self, told: Mapping[str, Any], theory: Theory | None) -> None:
        """A round is over."""
        self.rounds += 1
        self.void_rounds += told["void"] is not None
        seen: set[str] = set()
        for settled in told["settlements"]:
            if settled["result"] == "standing":
                continue
            wager = settled["wager"].partition(":")[0]
            played = self.wagers[wager]
            if told["void"] is not None:
                played.voids += 1
                played.returned += settled["stake"]
            else:
                played.rounds += wager not in seen
                seen.add(wager)
                self._settle(played, settled, theory)

    def _settle(self, played: Played, settled: Mapping[str, Any], theory: Theory | None) -> None:
        stake = settled["stake"]
        played.wagers += bool(stake)
        played.staked += stake
        played.won += settled["net"]
        played.vigorish += settled.get("vigorish", 0)
        seat = self.seats[settled["seat"]]
        seat["staked"] += stake
        seat["won"] += settled["net"]
        report = theory.of(settled["wager"]) if theory and stake else None
        if report is not None:
            played.expected.setdefault(report.label, Expected(report)).add(stake)

    def as_json(self, on_layout: int) -> Document:
        total = Played()
        for played in self.wagers.values():
            for name in ("wagers", "staked", "won", "vigorish", "voids", "returned"):
                setattr(total, name, getattr(total, name) + getattr(played, name))
        return {
            "table": self.stream,
            "name": self.name,
            "game": self.game.id,
            "rules": self.rules,
            "since": self.since,
            "until": self.until,
            **total.as_json(),
            "rounds": self.rounds,
            "void_rounds": self.void_rounds,
            "corrected": self.corrected,
            "funds_on_game": on_layout,
            "by_wager": [self._wager(wager) for wager in self._in_order()],
            "by_seat": [
                {"seat": seat, **{name: counted[name] for name in OF_A_SEAT}}
                for seat, counted in sorted(self.seats.items(), key=lambda item: int(item[0]))
            ],
        }

    def _in_order(self) -> list[str]:
        return sorted(self.wagers, key=lambda wager: self.game.rank[wager])

    def _wager(self, wager: str) -> Document:
        main = main_of(self.game, wager)
        together = [each for each in self._in_order() if main_of(self.game, each) == main]
        told: Document = {"wager": wager, "title": self.game.by_id[wager].title}
        told |= self.wagers[wager].as_json()
        if main != wager:
            return {**told, "joins": main}
        return {**told, "theory": self._against(together)}

    def _against(self, together: list[str]) -> Document | None:
        """What a hand should have won, by what lay on its first wager, and what it did."""
        known = self.wagers[together[0]].expected.values()
        staked = sum(each.staked for each in known)
        if not staked:
            return None
        expected = sum((each.win for each in known), Fraction(0))
        variance = sum(each.variance for each in known)
        win = -sum(self.wagers[wager].won for wager in together)
        played = self.wagers[together[0]].wagers
        z = (win - float(expected)) / sqrt(variance) if variance else None
        return {
            "of": together,
            "edge": float(expected / staked),
            "exact": str(expected / staked),
            "expected": float(expected),
            "win": win,
            "standard_deviation": sqrt(variance),
            "z": z,
            "outside": z is not None and abs(z) > BAND and played >= ENOUGH,
        }


OF_A_SEAT = ("buy_in", "cash_out", "staked", "won")


def win(
    conn: Connection,
    *,
    table: str | None = None,
    since: str | None = None,
    until: str | None = None,
    theory: bool = False,
) -> Document:
    """Win against theory, for each table and set of rules, wager by wager and seat by seat.

    `since` and `until` are times as events have them. The theory of poker games, which takes
    a minute to solve the first time, is told if it is asked for.
    """
    tables: dict[tuple[str, str], Table] = {}
    rules = _rulesets(conn)
    names = {row.id: row.name for row in conn.execute(select(schema.tables))}
    for event in _events(conn, table, since, until):
        if event.rules not in rules:
            continue  # `croupier verify` says so
        here = tables.get((event.stream, event.rules))
        if here is None:
            row = rules[event.rules]
            name, game = names.get(event.stream, ""), find_game(row.game)
            here = Table(event.stream, name, event.rules, game, row.options, since=event.at)
            tables[event.stream, event.rules] = here
        here.until = event.at
        told = json.loads(event.data)
        if event.kind == "round_over":
            here.over(told, here.theory(solve=theory))
        elif event.kind == "correction":
            here.corrected += told["amount"]
        elif event.kind in ("buy_in", "cash_out"):
            here.seats[told["seat"]][event.kind] += told["amount"]
    layout = {each["table"]: each["cents"] for each in funds_on_games(conn)["tables"]}
    shown = [each.as_json(layout.get(each.stream, 0)) for each in tables.values()]
    total = {name: sum(each[name] for each in shown) for name in ("staked", "paid", "win")}
    hold = total["win"] / total["staked"] if total["staked"] else None
    return {"report": "win", "assumes": list(ASSUMED), **total, "hold": hold, "tables": shown}


def _events(
    conn: Connection, table: str | None, since: str | None, until: str | None
) -> Iterator[Any]:
    """All that moves money over a table, and when its rules came into force."""
    of = schema.events.c
    kinds = ("opened", "options_changed", "round_over", "buy_in", "cash_out", "correction")
    query = select(of.stream, of.kind, of.at, of.rules, of.data).where(of.kind.in_(kinds))
    if table is not None:
        query = query.where(of.stream == table)
    if since is not None:
        query = query.where(of.at >= since)
    if until is not None:
        query = query.where(of.at < until)
    query = query.order_by(of.stream, of.number).execution_options(yield_per=1000)
    yield from conn.execute(query)


def _rulesets(conn: Connection) -> dict[str, Row[Any]]:
    return {row.hash: row for row in conn.execute(select(schema.rulesets))}


# Where the money is.


def _held(conn: Connection, *accounts: str) -> Iterator[Any]:
    held, tables = schema.balances.c, schema.tables
    query = (
        select(held.stream, held.account, held.cents, tables.c.name, tables.c.game, tables.c.status)
        .join_from(schema.balances, tables, held.stream == tables.c.id)
        .where(held.cents != 0)
        .order_by(tables.c.opened_at, held.stream, held.account)
    )
    yield from conn.execute(query.where(held.account.in_(accounts)) if accounts else query)


def _of_table(row: Any) -> Document:
    return {"table": row.stream, "name": row.name, "game": row.game, "status": row.status}


def funds_on_games(conn: Connection) -> Document:
    """What lies on the layouts and in pots: rounds that are not over, and bets that stand."""
    held: dict[str, Document] = {}
    for row in _held(conn, LAYOUT, POT):
        table = held.setdefault(row.stream, {**_of_table(row), "cents": 0})
        table["cents"] += row.cents
    tables = [*held.values()]
    return {"report": "funds", "cents": sum(each["cents"] for each in tables), "tables": tables}


def vigorish_owed(conn: Connection) -> Document:
    """What is marked and not collected."""
    marked = owed_by("")
    tables = [
        {**_of_table(row), "seat": row.account.removeprefix(marked), "cents": -row.cents}
        for row in _held(conn)
        if row.account.startswith(marked)
    ]
    return {"report": "vigorish", "cents": sum(each["cents"] for each in tables), "tables": tables}


def meters(conn: Connection) -> Document:
    """The progressive meters: what they show and hold back, how they grew, and what they paid."""
    found: dict[str, Document] = {}
    for row in _held(conn, METER, RESERVE):
        told = found.setdefault(row.stream, {**_of_table(row), "display": 0, "reserve": 0})
        told["display" if row.account == METER else "reserve"] = row.cents
    for stream, told in found.items():
        told |= _moved(conn, stream)
    return {"report": "meters", "tables": [*found.values()]}


def _moved(conn: Connection, stream: str) -> Document:
    """Every movement of a meter, in the order of the log."""
    of = schema.events.c
    query = select(of.round, of.at, of.kind, of.money, of.data).where(of.stream == stream)
    query = query.where(of.money.is_not(None) | (of.kind == "round_over")).order_by(of.number)
    began, grew, taken_back = 0, 0, 0
    hits: list[Document] = []
    fell: Counter[int] = Counter()  # by round
    for row in conn.execute(query.execution_options(yield_per=1000)):
        moved = json.loads(row.money or "{}").get(METER, 0)
        if row.kind == "opened":
            began, moved = moved, 0
        grew += max(moved, 0)
        fell[row.round] -= min(moved, 0)
        if row.kind == "round_over" and fell[row.round]:
            over = json.loads(row.data)
            if over["void"] is None:
                hits.append(_hit(row, over["settlements"], fell[row.round]))
            else:
                taken_back += fell[row.round]
    return {
        "began": began, "increments": grew - taken_back, "hits": len(hits), "payments": hits,
    }  # fmt: skip


def _hit(row: Any, settlements: list[Document], fell: int) -> Document:
    """A round in which the meter paid, and whom: what it pays has no odds."""
    won = [
        {name: each[name] for name in ("seat", "wager", "line", "net")}
        for each in settlements
        if each["result"] == "win" and not each["pays"]
    ]
    return {"round": row.round, "at": row.at, "fell": fell, "won": won}


def balances(conn: Connection) -> Document:
    """Every account of every table. All of them add up to nothing."""
    tables: dict[str, Document] = {}
    for row in _held(conn):
        told = tables.setdefault(row.stream, {**_of_table(row), "accounts": {}})
        told["accounts"][row.account] = row.cents
    total = sum(sum(each["accounts"].values()) for each in tables.values())
    return {"report": "balances", "cents": total, "tables": [*tables.values()]}


REPORTS: dict[str, Callable[[Connection], Document]] = {
    "funds": funds_on_games,
    "vigorish": vigorish_owed,
    "meters": meters,
    "balances": balances,
}


def report(conn: Connection, what: str, *, theory: bool = False) -> Document:
    """A report by its name."""
    return win(conn, theory=theory) if what == "win" else REPORTS[what](conn)
