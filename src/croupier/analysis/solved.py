"""Solved games, kept in the user's cache so that asking again is instant.

What is kept is filed under a digest of everything the solver was given: the
tables that the game's own rules filled, the shape of the game, and the
solver's own source. A changed rule or option changes the tables, a mended
solver its source, so an old answer is never found.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

SOURCES = (
    "community.py",
    "stud.py",
    "sets.py",
    "tree.py",
    "../ranking/bulk.py",
    "../ranking/poker.py",
)


def directory() -> Path:
    """Where they are kept; the environment may name another place."""
    from platformdirs import user_cache_path

    named = os.environ.get("CROUPIER_CACHE")
    return Path(named) if named else user_cache_path("croupier") / "solved"


def digest(given: Iterable[Any]) -> str:
    """A name for everything that was given to the solver, and for the solver itself."""
    found = hashlib.sha256()
    here = Path(__file__).parent
    for source in SOURCES:
        found.update((here / source).read_bytes())
    for each in given:
        if isinstance(each, np.ndarray):
            found.update(repr((each.dtype.str, each.shape)).encode())
            found.update(np.ascontiguousarray(each).tobytes())
        else:
            found.update(repr(each).encode())
    return found.hexdigest()[:32]


def kept(name: str) -> Arrays | None:
    """What was solved before under this name. A damaged file is as good as none."""
    path = directory() / f"{name}.npz"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except (OSError, ValueError, EOFError, KeyError):
        return None
    except Exception as error:  # a broken archive raises what it likes
        if type(error).__module__ in ("zipfile", "zlib"):
            return None
        raise


def keep(name: str, arrays: Arrays) -> None:
    """Write it whole or not at all; a cache that cannot be written is no reason to fail."""
    folder = directory()
    waiting = folder / f".{name}.{os.getpid()}.npz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(waiting, **dict(arrays))  # type: ignore[arg-type]
        waiting.replace(folder / f"{name}.npz")
    except OSError:
        with suppress(OSError):
            waiting.unlink(missing_ok=True)


def solve_once(
    name: str, solver: str, solve: Callable[[], Arrays], compiles: Callable[[], None]
) -> Arrays:
    """What was solved before, or is solved now, by one of all who ask at the same time.

    A solver that has never run here is compiled first, which `compiles` is told.
    """
    found = kept(name)
    if found is not None:
        return found
    with _alone(name):
        found = kept(name)
        if found is None:
            compiled = f"{solver}-{digest([])}"
            if not (directory() / compiled).exists():
                compiles()
            found = solve()
            keep(name, found)
            with suppress(OSError):
                (directory() / compiled).touch()
    return found


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Nobody else solves the same at the same time, where the system can see to that."""
    try:
        import fcntl

        directory().mkdir(parents=True, exist_ok=True)
        lock = (directory() / f".{name}.lock").open("w")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            Path(lock.name).unlink(missing_ok=True)
