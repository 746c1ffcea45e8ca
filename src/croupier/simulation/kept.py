"""Simulations that were interrupted, kept so that they can go on.

Only whole chunks are kept, so one may go on to any number of rounds.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier import __version__
from croupier.analysis.solved import directory
from croupier.rulebook import Fault, Refusal
from croupier.simulation.engine import Ending
from croupier.simulation.simulate import Simulation


def _file(simulation: Simulation) -> Path:
    """Named by everything that the result depends on, but the number of rounds."""
    known = {**asdict(simulation.table), "seed": simulation.seed, "version": __version__}
    name = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]
    return directory() / "simulations" / f"{name}.json"


def keep(simulation: Simulation) -> Path:
    """Write down what has been dealt; whole or not at all."""
    path = _file(simulation)
    waiting = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        waiting.write_text(json.dumps(_plain(simulation)), "utf-8")
        waiting.replace(path)
    except OSError:
        with suppress(OSError):
            waiting.unlink(missing_ok=True)
        raise
    return path


def kept(simulation: Simulation) -> Simulation | None:
    """What was kept of the same simulation, if anything was."""
    try:
        known = json.loads(_file(simulation).read_text("utf-8"))
        return _read(simulation, known)
    except OSError:
        return None
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        message = f"what was kept of this simulation is damaged: remove {_file(simulation)}"
        raise Refusal(Fault.BAD_SCRIPT, message) from None


def forget(simulation: Simulation) -> None:
    """It is finished."""
    with suppress(OSError):
        _file(simulation).unlink(missing_ok=True)


def _plain(simulation: Simulation) -> dict[str, Any]:
    return {
        "chunk": simulation.chunk,
        "done": [[first, last] for first, last in _runs(sorted(simulation.done))],
        "tally": {
            label: [
                [ending.line, str(ending.net), str(ending.wagered), times]
                for ending, times in counts.items()
            ]
            for label, counts in simulation.whole.items()
        },
    }


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow one another, as the first and the last of them."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = last = number
        elif number == last + 1:
            last = number
        else:
            yield first, last
            first = last = number
    if first is not None and last is not None:
        yield first, last


def _read(simulation: Simulation, known: dict[str, Any]) -> Simulation:
    done = {number for first, last in known["done"] for number in range(first, last + 1)}
    found = Simulation(simulation.table, simulation.seed, simulation.asked, known["chunk"], done)
    for label, rows in known["tally"].items():
        found.whole[label] = Counter(
            {
                Ending(line, Fraction(net), Fraction(wagered)): times
                for line, net, wagered, times in rows
            }
        )
    return found
