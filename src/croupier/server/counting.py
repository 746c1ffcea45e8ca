"""The process of the count room: it does one job after the other, and ends with the house.

    python -m croupier.server.counting

reads a job on each line of its standard input, and tells how far it is, and then
the answer, on its standard output. When its input is closed it ends, whatever it
is doing.
"""

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from croupier.analysis.report import WagerReport, Watch, analyze, as_json
from croupier.games import find_game
from croupier.rulebook import Game, PokerGame, Refusal
from croupier.server.count_room import DOING, FAILED, REFUSED, TOLD, Job

MOST_FILED = 500  # solved games, of up to 480 kB each


class Told(Watch):
    """Whoever waits is told how far a count is."""

    def __init__(self, tell: Callable[[bytes, Any], None]) -> None:
        self._tell, self._doing, self._done = tell, "working it out", -1.0
        self._say(None)

    def compiles(self) -> None:
        self._doing = "compiling the solver, this once"
        self._say(None)

    def counts(self, deals: int) -> None:
        self._doing, self._done = f"counting {deals:,} deals", -1.0
        self._say(None)

    def done(self, share: float) -> None:
        if share - self._done >= 0.01:
            self._done = share
            self._say(share)

    def _say(self, share: float | None) -> None:
        self._tell(DOING, [self._doing, share])


def _table(job: Job) -> tuple[Game, Any]:
    game = find_game(job["game"])
    return game, game.options(job["options"])


def mathematics(job: Job, watch: Watch) -> Any:
    """What `croupier analyze GAME --json` prints, and the table on the wall."""
    game, options = _table(job)
    document = as_json(game, options, analyze(game, options, watch=watch))
    if isinstance(game, PokerGame):
        tidy()
    posted = []
    for each in game.posted(options):
        (report,) = analyze(game, each.options, [each.label])
        (worth,) = as_json(game, each.options, [report])["wagers"].values()
        posted.append({
            "title": each.title, "label": each.label, "pays": _pays(report, each.options),
            "house_edge": worth["house_edge"], "element_of_risk": worth["element_of_risk"],
            "hit_frequency": worth["hit_frequency"], "push_frequency": worth["push_frequency"],
            "standard_deviation": worth["standard_deviation"],
            "citation": str(each.cite), "is_here": each.is_here,
        })  # fmt: skip
    return {"ready": True, **document, "posted": posted}


def tidy() -> None:
    """Visitors may ask about any odds: of the solved games on disk the oldest go."""
    from croupier.analysis.solved import directory

    filed = sorted(directory().glob("*.npz"), key=lambda file: file.stat().st_mtime)
    for old in filed[:-MOST_FILED]:
        old.unlink(missing_ok=True)


def _pays(report: WagerReport, options: Any) -> list[str]:
    return [str(odds) for odds in sorted(set(report.wager.pay_table(options).values()))]


def hint(job: Job, watch: Watch) -> Any:
    """What each move is worth with the cards in view."""
    from croupier.analysis.advise import advise
    from croupier.equipment import Card

    game, options = _table(job)
    assert isinstance(game, PokerGame)
    own, board, up = ([Card.parse(card) for card in job[pile]] for pile in ("own", "board", "up"))
    told = advise(game, options, own, board, up, before=job["before"], watch=watch)
    moves = {
        move: {"exact": str(worth), "decimal": float(worth)} for move, worth in told.values.items()
    }
    return {
        "ready": True, "game": game.id, "seat": job["seat"], "stage": told.stage.title,
        "hand": told.hand, "moves": moves, "best": told.best, "citation": str(told.stage.cite),
    }  # fmt: skip


def par(job: Job, watch: Watch) -> Any:
    """A PAR sheet in one of its forms."""
    from croupier.server.sheets import print_sheet

    told = print_sheet(job, watch)
    tidy()
    return told


def coverage(job: Job, watch: Watch) -> Any:
    from croupier.regulation import coverage

    return [row.as_json() for row in coverage()]


JOBS: dict[str, Callable[[Job, Watch], Any]] = {
    "mathematics": mathematics,
    "hint": hint,
    "coverage": coverage,
    "par": par,
}


def listen(jobs: SimpleQueue[Job]) -> None:
    for line in sys.stdin.buffer:
        jobs.put(json.loads(line))
    os._exit(0)  # nobody waits for what is being counted


def main() -> None:
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # what else is printed is no answer
    if hasattr(os, "nice"):
        os.nice(19)
    jobs: SimpleQueue[Job] = SimpleQueue()
    threading.Thread(target=listen, args=[jobs], daemon=True).start()

    def tell(sign: bytes, said: Any) -> None:
        out.write(sign + json.dumps(said).encode() + b"\n")
        out.flush()

    while True:
        job = jobs.get()
        try:
            tell(TOLD, JOBS[job["do"]](job, Told(tell)))
        except Refusal as why:
            tell(REFUSED, [why.fault, why.message, str(why.cite) if why.cite else None])
        except Exception as error:
            traceback.print_exc()
            tell(FAILED, repr(error))


if __name__ == "__main__":
    main()
