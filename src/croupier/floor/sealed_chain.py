"""A stream whose head the house seals: what lies beyond it is not the house's."""

from typing import Any

from sqlalchemy import Connection

from croupier.floor import heads
from croupier.floor.chains import Chain
from croupier.floor.checkpoint import Marks
from croupier.floor.register import Past
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage


class SealedChain(Chain):
    """A stream that is followed to its sealed head."""

    def __init__(
        self, storage: Storage, stream: str, marks: Marks, past: Past, seal: Seal | None
    ) -> None:
        super().__init__(storage, stream, marks)
        self.past, self.seal = past, seal
        self.sealed: Any = None  # the row that says how far the stream goes

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        if at_the_end:
            self.sealed = heads.find(conn, self.stream)

    def check_head(self) -> None:
        """The last event is the one that the house has sealed. Older logs have no seals."""
        row = self.sealed
        if row is None:
            if self.past.sealed is not None:
                self.find("its head is not sealed")
        elif self.seal is not None and not heads.fits(self.seal, row):
            self.find("the seal of its head is not the house's")
        elif (row.number, row.hash) != (self.number, self.head):
            beyond = type(row.number) is int and row.number < self.number
            if beyond:
                self.find("nobody of the house sealed it", row.number + 1)
            else:
                self.find("it is missing: the house sealed it", self.number + 1)
