"""Checking a whole log: a small program of its own, which believes nothing that it reads.

Every stream is read from its first event to its last. Numbers must have no
gap, every event must have the hash of its content and follow the one before,
and every round is played again: what the rules make of the same commands and
the same outcomes must be the very rows that were written. What is kept beside
the log must be what the log adds up to, and signed checkpoints from outside
the database show what a chain of hashes cannot: a tail that was cut off, a
chain hashed anew from end to end, an old backup in the place of the log.

A server may go on while this reads: a page at a time, so that neither memory
nor the server feels how long the log is. Whatever is wrong with one stream,
be it that its rows cannot even be read, the others are checked.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Connection, func, select

from croupier.floor import answers, checkpoint, integrity, log, schema
from croupier.floor.chains import Chain, streams_of
from croupier.floor.checkpoint import Expected, Marks
from croupier.floor.events import HOUSE
from croupier.floor.house_chain import HouseChain
from croupier.floor.log import LogBroken
from croupier.floor.payout import is_answered_for
from croupier.floor.register import Past
from croupier.floor.salvage import apart
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage
from croupier.floor.table_chain import Rules, TableChain

CHECKPOINTS = "the checkpoints"

# Tables whose rows are looked at one by one, whatever stream they are of.
LOOKED_THROUGH = tuple(
    table for table in schema.metadata.sorted_tables
    if table not in (schema.events, schema.requests, schema.rulesets)
)  # fmt: skip

Progress = Callable[[int, int], None]  # events that have been checked, and how many there are


@dataclass
class Verdict:
    """What was checked, and the first bad event of every stream that has one."""

    streams: int = 0
    events: int = 0
    rounds: int = 0
    checkpoints: int | None = None  # signed lines; None if no checkpoints were given
    seals: bool = False  # whether the house's secret was there, to check them
    integrity: str = ""  # how the database itself was checked
    bad: list[LogBroken] = field(default_factory=list)
    paid_out: list[LogBroken] = field(default_factory=list)  # damage that somebody answered for
    remarks: list[str] = field(default_factory=list)  # what is no error, and worth knowing

    @property
    def is_sound(self) -> bool:
        return not self.bad

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "sound": self.is_sound,
            "streams": self.streams,
            "events": self.events,
            "rounds": self.rounds,
            "checkpoints": self.checkpoints,
            "seals": self.seals,
            "integrity": self.integrity,
            "bad": _listed(self.bad),
            "paid_out": _listed(self.paid_out),
        }
        return told | ({"remarks": self.remarks} if self.remarks else {})


def _listed(found: list[LogBroken]) -> list[dict[str, Any]]:
    return [{"stream": each.stream, "event": each.number, "why": each.why} for each in found]


def verify(
    storage: Storage, marks: Marks | None = None, progress: Progress | None = None,
    seal: Seal | None = None,
) -> Verdict:  # fmt: skip
    """Check everything there is.

    Without checkpoints or the seal, what only they can show does not show.
    """
    lines = None if marks is None or marks.missing else marks.lines
    verdict = Verdict(checkpoints=lines, seals=seal is not None)
    expected = Expected()
    marks, given = marks or Marks(), marks
    with storage.read() as conn:
        total = _total(conn)
        streams, nameless = streams_of(conn, marks)
    past, rules, broken = Past(), Rules(storage), dict[str, int]()
    for stream in streams:
        checked: Chain = (
            HouseChain(storage, marks, past, seal, expected) if stream == HOUSE
            else TableChain(storage, stream, marks, rules, past, seal)
        )  # fmt: skip
        if progress is not None:
            checked.tick = partial(_tell, progress, verdict.events, total)
        findings = checked.findings()
        if findings and is_answered_for(storage, past, stream):
            verdict.paid_out += findings
        else:
            verdict.bad += findings
        if checked.broken_at is not None:
            broken[stream] = checked.broken_at
            if stream == HOUSE:
                past.unread_from = checked.broken_at
        verdict.streams += 1
        verdict.events += checked.number
        verdict.rounds += checked.rounds
    verdict.bad += nameless
    for name, part in _beside(storage, rules, broken, past, seal):
        verdict.bad += _all_of(name, part)
    verdict.integrity, found = integrity.check(storage)
    verdict.bad += [*found, *_bad_lines(marks)]
    if given is not None:
        wrong = checkpoint.check_anchor(marks, expected)
        verdict.bad += [LogBroken(CHECKPOINTS, None, sentence) for sentence in wrong]
    return verdict


def _tell(progress: Progress, before: int, total: int, number: int) -> None:
    progress(before + number, max(total, before + number))


def _total(conn: Connection) -> int:
    """About how many events there are, as far as that can be read."""
    numbers = select(func.max(schema.events.c.number)).group_by(schema.events.c.stream)
    try:
        with log.reading(""), apart(conn):
            return sum(number for number in conn.scalars(numbers) if isinstance(number, int))
    except LogBroken:
        return 0


def _beside(
    storage: Storage, rules: Rules, broken: Mapping[str, int], past: Past, seal: Seal | None
) -> Iterator[tuple[str, Iterable[LogBroken | Sequence[Any]]]]:
    """What is kept beside the log, row by row; only the findings among it count."""
    for table in LOOKED_THROUGH:
        yield integrity.place(table), integrity.rows(storage, table)
    yield integrity.place(schema.rulesets), rules.unused(is_whole=not broken)
    yield (
        integrity.place(schema.requests),
        answers.unasked(
            storage, broken,
            lambda row: answers.is_ours(row, past.older(row["stream"]), seal),
        ),
    )  # fmt: skip


def _all_of(name: str, part: Iterable[LogBroken | Sequence[Any]]) -> Iterator[LogBroken]:
    """The findings of a part, to the last that can be had."""
    try:
        with log.reading(name):
            yield from (each for each in part if isinstance(each, LogBroken))
    except LogBroken as broken:
        yield broken


def _bad_lines(marks: Marks) -> Iterator[LogBroken]:
    """Lines that speak of no stream at all, and what is wrong with the lines as a whole."""
    for line in marks.bad:
        if not line.stream and not line.torn:
            yield LogBroken(CHECKPOINTS, None, f"{line.place} {line.sentence}")
    for flaw in marks.flaws:
        yield LogBroken(CHECKPOINTS, None, flaw.sentence)
