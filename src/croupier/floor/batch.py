"""A batch: what one transaction will write."""

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from croupier.floor import significant
from croupier.floor.events import LogEvent
from croupier.floor.live import LiveTable


@dataclass
class Batch:
    """What the commands that share a transaction will write, all of it or nothing."""

    large: int  # cents of wagers, wins and transfers from which on they are noted
    filed: Set[str]  # the rulesets that the database has
    rows: list[LogEvent] = field(default_factory=list)
    requests: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    balances: dict[tuple[str, str], int] = field(default_factory=dict)
    rulesets: dict[str, dict[str, Any]] = field(default_factory=dict)
    touched: dict[str, LiveTable] = field(default_factory=dict)
    opened: list[dict[str, Any]] = field(default_factory=list)
    notes: list[significant.Note] = field(default_factory=list)
    transfers: list[tuple[str, int, str, int]] = field(default_factory=list)
    moved: defaultdict[str, list[int]] = field(  # at the cage, by account
        default_factory=lambda: defaultdict(list)
    )

    def record(self, live: LiveTable, rows: list[LogEvent]) -> None:
        """Add the events of a step, what every account holds after it, and the rules it went by."""
        self.rows += rows
        self.notes += significant.among(rows, live.transfers, self.large)
        for account, cents in live.transfers:
            self.transfers.append((live.stream, rows[0].number, account, cents))
            self.moved[account].append(cents)
        for account in live.posted:
            self.balances[live.stream, account] = live.books.get(account, 0)
        if live.rules not in self.filed:
            self.rulesets.setdefault(live.rules, live.ruleset())

    def strike(self, stream: str) -> None:
        """Take out a table that was to be opened, and is not."""
        self.touched.pop(stream, None)
        self.opened = [each for each in self.opened if each["id"] != stream]
