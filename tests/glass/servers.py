"""A server of the glass: everything that serves people but the network, and what befalls it.

A fate is drawn beforehand and strikes at a boundary: a statement, a commit, or
the moment after it, when the reply is not on its way yet.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection

from croupier.equipment import Chance
from croupier.floor import log
from croupier.floor.cage import Cage
from croupier.floor.checkpoint import Expected, Notary, check_anchor
from croupier.floor.commands import ElsewhereOwned, Unavailable
from croupier.floor.house_log import HouseLog
from croupier.floor.log import LogBroken
from croupier.floor.people import People
from croupier.floor.pit import Pit
from croupier.floor.policies import Policies
from croupier.floor.roles import NotAllowed
from croupier.floor.storage import Storage, StorageBroken, StorageError, StorageRefused
from croupier.floor.verify import Verdict, verify
from croupier.rulebook import Refusal
from tests.glass.clock import Clock
from tests.glass.disk import Disk, Locks, SharedStorage, Wire, failure

if TYPE_CHECKING:
    from tests.glass.world import World

T = TypeVar("T")

ANSWERS = (Refusal, NotAllowed, ElsewhereOwned, Unavailable, StorageError)  # that a client may get
BEFORE = ("statement", "commit")
FATES = {  # and the boundaries at which each can strike
    "death": (*BEFORE, "committed"),
    "cut": (*BEFORE, "committed"),
    "busy": BEFORE,
    "full": BEFORE,
    "fsync": ("commit", "committed"),
    "power": ("commit",),
}
ERRORS = {"busy": "SQLITE_BUSY", "full": "SQLITE_FULL", "fsync": "SQLITE_IOERR_FSYNC"}
OFTEN = Policies(
    idle_seconds=600, checkpoint_events=40, checkpoint_seconds=30, snapshot_events=8,
    takeover_seconds=2, most_private=2,
)  # fmt: skip


ON_A_COPY = "the server on the copy"


class Died(BaseException):
    """The process is gone."""


class Violation(AssertionError):
    """Something does not hold that must hold."""


class Records(logging.Handler):
    """What the floor's own log says went wrong and should not have."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.tracebacks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            self.tracebacks.append(f"{record.getMessage()}: {type(error).__name__}: {error}")


def verdict(storage: Storage, notary: Notary) -> Verdict:
    """What the auditor's program says of a database: the one place that calls it."""
    return verify(storage, notary.read(), seal=notary.seal)


class Server:
    """One server, from its start to its death."""

    def __init__(
        self, world: "World", name: str, chance: Chance, path: Path | None = None,
        locks: Locks | None = None,
    ) -> None:  # fmt: skip
        """On the disk of the world, or on a copy of it."""
        self.world, self.name = world, name
        self.disk: Disk = world.disk
        self.clock = Clock(world.time, world.choose.choice([0.0, 0.0, 0.4, -0.7]))
        self.is_alive = True
        self.is_lame = False  # it takes nothing any more, and waits to be started again
        self.fate: str | None = None
        self.strikes_in = 0  # boundaries
        self.storage = SharedStorage(
            path or self.disk.path, locks or self.disk.locks, self._at_boundary
        )
        self.notary = world.notary
        self.house = HouseLog(self.storage, self.clock, self.notary)
        self.pit = Pit(
            self.storage, house=self.house, clock=self.clock, chance=chance, notary=self.notary,
            policies=OFTEN, address=name,
        )  # fmt: skip
        self.cage = Cage(self.house)
        self.people = People(
            self.storage, self.clock, self.house, hasher=world.hasher, token_minutes=30,
            session_hours=6, tries=3, lock_minutes=10,
        )  # fmt: skip

    def __repr__(self) -> str:
        return self.name

    def open(self) -> bool:
        """Everything that a server does before the first patron comes in."""
        marks, expected = self.notary.read(thorough=False), Expected()
        with self.storage.read() as conn:
            expected.hear(*log.last_anchor(conn, None))
            behind = log.behind(conn, marks)
        wrong = [flaw.sentence for flaw in marks.flaws] + check_anchor(marks, expected)
        for why in (*wrong, *behind.values()):
            raise StorageRefused(why)
        with self.house.writing() as conn:
            self._note_start(conn)
        self.pit.take_over()
        return True

    def _note_start(self, conn: Connection) -> None:
        self.house.note(conn, "started", "house", version="glass", anchor=self.notary.state())
        if self.house.register.lends != self.world.nature.lends:
            self.house.note(conn, "cage", "house", lends=self.world.nature.lends)

    # What befalls it.

    def doom(self, fate: str, strikes_in: int) -> None:
        self.fate, self.strikes_in = fate, strikes_in

    def _at_boundary(self, wire: Wire, boundary: str) -> None:
        if self.fate is None:
            return
        self.strikes_in -= 1
        if self.strikes_in < 0 and boundary in FATES[self.fate]:
            fate, self.fate = self.fate, None
            self.world.count_fault(f"{fate} at a {boundary}")
            self._strike(fate, wire)

    def _strike(self, fate: str, wire: Wire) -> None:
        if fate == "power":
            self.world.machines.lose_power(self.disk.power_lost_in(wire))
        if fate in ("power", "death"):
            raise Died
        if fate == "cut":
            self.storage.file.cut()
            self.storage.file.outage = self.world.choose.choice([0, 0, 1, 5, 50])
            self.world.machines.meanwhile()
            raise failure("SQLITE_INTERRUPT")
        if fate == "fsync" and self.world.choose.random() < 0.5 and wire.in_transaction:
            wire.commits()  # it may be on the disk all the same
        elif fate in ("fsync", "full"):
            wire.rollback()  # as SQLite itself does; a busy one leaves the transaction open
        raise failure(ERRORS[fate])

    def die(self) -> None:
        """The process is gone, and with it its connections."""
        self.is_alive = False
        self.storage.close()

    # What is asked of it.

    def attempt(self, what: Callable[[], T]) -> T | Exception | None:
        """What comes of it: an answer, the reason why not, or None if the server dies of it."""
        try:
            return what()
        except Died:
            self.world.machines.bury(self)
            return None
        except StorageBroken as error:
            self.is_lame = True
            return error
        except ANSWERS as error:
            return error
        except LogBroken as error:
            if self.name == ON_A_COPY:
                return error
            raise Violation(f"{self} does not believe its own log: {error}") from error
        except Violation:
            raise
        except Exception as error:
            raise Violation(f"{self} stumbled: {type(error).__name__}: {error}") from error

    def perform(self, work: list[tuple[Any, Callable[[Any], None]]]) -> None:
        self.attempt(lambda: self.pit._perform(work))
        self.is_lame = self.is_lame or self.pit.failed is not None


def notary_of(folder: Path, choose: Random) -> Notary:
    """A notary whose key follows from the seed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    folder.mkdir()
    key = Ed25519PrivateKey.from_private_bytes(choose.randbytes(32))
    path = folder / "checkpoint.key"
    path.touch(0o600)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Notary(folder)
