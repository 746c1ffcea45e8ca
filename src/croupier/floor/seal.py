"""Seals: what the house has written into its database, and nobody else.

Whoever can write into the database can write any row and hash any chain anew.
A seal is a keyed hash with a secret that lies outside the database, so a row
with a good seal was written by a server that holds the house's key. Seals are
cheap enough for every commit; the signed checkpoints outside the database are
what a reader without the secret can check.
"""

import hashlib
import hmac
from typing import Any


class Seal:
    """The house's secret, as far as it seals rows."""

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"croupier seals with " + secret).digest()

    def of(self, *said: str | int) -> str:
        """The seal of these values: of each its kind, its length and itself."""
        told = [f"{type(each).__name__} {len(text := str(each))} {text}" for each in said]
        content = "".join(told).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(content, key=self._key, digest_size=32).hexdigest()

    def fits(self, seal: Any, *said: Any) -> bool:
        """Whether this is the seal of these values; a damaged row has none that is."""
        try:
            return isinstance(seal, str) and hmac.compare_digest(seal, self.of(*said))
        except (TypeError, ValueError):
            return False
