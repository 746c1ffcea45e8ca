"""Alarms: when the clock must act at the tables of a pit, and the commands that it gives then."""

import heapq
from collections import defaultdict
from collections.abc import Mapping

from croupier.floor import clock as times
from croupier.floor.clock import Clock
from croupier.floor.commands import CLOCK, Command
from croupier.floor.live import LiveTable

NOTICE = "notice"  # how the key of a notice's alarm begins


class Alarms:
    """The time limits that run at the tables, and the notices that are due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._deadlines: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._queue: list[tuple[float, str, str]] = []  # a heap, with alarms that were stopped
        self._due: dict[str, str] = {}  # tables whose notice has run out, and which

    def set(self, live: LiveTable) -> None:
        """Start an alarm for all that the table waits for; alarms that run already go on."""
        waits = {wait.key: wait.seconds for wait in live.waits()}
        if live.notice is not None and self._due.get(live.stream) != live.notice["effective_at"]:
            due = times.read(live.notice["effective_at"]).timestamp()
            now = times.read(self._clock.now()).timestamp()
            waits[f"{NOTICE} {live.notice['effective_at']}"] = max(0.0, due - now)
        running = self._deadlines[live.stream]
        for key in [key for key in running if key not in waits]:
            del running[key]
        for key, seconds in waits.items():
            if key not in running:
                running[key] = at = self._clock.monotonic() + seconds
                heapq.heappush(self._queue, (at, live.stream, key))

    def stop(self, stream: str) -> None:
        """Stop the alarms of a table that will be read from the log again."""
        self._deadlines.pop(stream, None)

    def forget(self, stream: str) -> None:
        """Stop the alarms of a table that is closed, and drop its notice."""
        self.stop(stream)
        self._due.pop(stream, None)

    def until_next(self) -> float:
        """Seconds until the next alarm rings; a second at most."""
        soonest = self._queue[0][0] if self._queue else float("inf")
        return max(0.0, min(1.0, soonest - self._clock.monotonic()))

    def seconds_left(self, stream: str) -> float | None:
        """Seconds until the clock acts at this table; None if no time limit runs there."""
        now, running = self._clock.monotonic(), self._deadlines.get(stream, {})
        left = [at - now for key, at in running.items() if not key.startswith(NOTICE)]
        return max(0.0, min(left)) if left else None

    def rung(self, now: float, tables: Mapping[str, LiveTable]) -> list[Command]:
        """The commands of the clock for the alarms that have rung and the notices that are due."""
        rung = []
        while self._queue and self._queue[0][0] <= now:
            at, stream, key = heapq.heappop(self._queue)
            if stream not in tables or self._deadlines[stream].get(key) != at:
                continue
            del self._deadlines[stream][key]
            live = tables[stream]
            if key.startswith(NOTICE):
                self._due[stream] = live.notice["effective_at"] if live.notice else ""
            else:
                body = {"do": "time_up", "waits": key}
                rung.append(Command(stream, CLOCK, f"{stream}/{key}/{live.number}", body))
        return rung + self._changes(tables)

    def _changes(self, tables: Mapping[str, LiveTable]) -> list[Command]:
        """The changes that were announced, are due and may be made now."""
        changes = []
        for stream, effective_at in [*self._due.items()]:
            due = tables.get(stream)
            if due is None or not due.notice or due.notice["effective_at"] != effective_at:
                del self._due[stream]
            elif due.may_change:
                del self._due[stream]
                request = f"{stream}/change/{due.number}"
                body = {"do": "change", "effective_at": effective_at}
                changes.append(Command(stream, CLOCK, request, body))
        return changes


class IdleSeats:
    """When each seat was last played, and each private table last had somebody at it."""

    def __init__(self, clock: Clock, most_seconds: float) -> None:
        self._clock = clock
        self._most = most_seconds
        self._used: dict[tuple[str, str], float] = {}  # a table as a whole has the seat ""

    def used(self, stream: str, seat: str) -> None:
        """Note that a seat is played now."""
        self._used[stream, seat] = self._clock.monotonic()

    def forget(self, live: LiveTable) -> None:
        """Drop the seats of a table that is closed."""
        for seat in ("", *live.table.positions):
            self._used.pop((live.stream, seat), None)

    def leavings(self, now: float, tables: Mapping[str, LiveTable]) -> list[Command]:
        """The commands of the clock for seats nobody plays, and private tables nobody sits at."""
        commands = []
        for stream, live in tables.items():
            if live.play is not None or live.status != "open":
                continue
            for seat, chair in live.chairs.items():
                if not chair.leaving and self._is_idle(stream, seat, now):
                    request = f"{stream}/idle/{seat}/{live.number}"
                    leave = {"do": "leave", "seat": seat}
                    commands.append(Command(stream, CLOCK, request, leave))
            if live.chairs:
                self._used.pop((stream, ""), None)
            elif live.private and self._is_idle(stream, "", now):
                close = {"do": "close_table", "why": "nobody sits here"}
                commands.append(Command(stream, CLOCK, f"{stream}/unused/{live.number}", close))
        return commands

    def _is_idle(self, stream: str, seat: str, now: float) -> bool:
        return now - self._used.setdefault((stream, seat), now) > self._most
