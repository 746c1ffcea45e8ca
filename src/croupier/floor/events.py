"""The log: numbered events, each holding the hash of the one before.

An event is written once and never changed; a correction is a new event. Its
hash covers every column as it is stored, so a single changed byte shows, and
the chain shows an event that was taken out, put in or moved.
"""

import hashlib
import json
import json.encoder
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

HOUSE = "house"  # the stream of what belongs to no table: accounts, software, the clock
NOBODY = "nobody"  # may see it, but surveillance
BEGINNING = "0" * 64  # the hash before the first event of a stream


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _made_once() -> Callable[[Any], str]:
    """How a value is encoded. `JSONEncoder.encode` makes its compiled encoder anew each time."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # an interpreter without it
        return _ENCODER.encode
    compiled = make(
        None, _ENCODER.default, json.encoder.encode_basestring, None, _ENCODER.key_separator,
        _ENCODER.item_separator, _ENCODER.sort_keys, _ENCODER.skipkeys, _ENCODER.allow_nan,
    )  # fmt: skip
    return lambda value: "".join(compiled(value, 0))


_encode = _made_once()


def canonical(value: Any) -> str:
    """The one JSON text of a value. Nothing in a log is ever a fraction of a cent."""
    return _encode(value)


def ordered(value: Any) -> Any:
    """A value as it is read again from its JSON text: the keys of every object in their order."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [ordered(each) for each in value]
    return value


@lru_cache(4096)
def _quoted(text: str) -> str:
    """A text in JSON: there are not many rules to cite."""
    return canonical(text)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class LogEvent(NamedTuple):
    """One line of a stream. What is JSON here is text, exactly as it is stored and hashed."""

    stream: str  # a table, or the house
    number: int  # from 1, without a gap
    round: int
    kind: str
    at: str  # the server's time, in UTC: it tells, the number orders
    actor: str  # an account, or "clock", or "house"
    request: str  # the command that caused it
    citation: str
    rules: str  # the hash of game, options and software
    seen_by: str | None  # the only account that may see it; None is everyone
    data: str
    input: str | None  # on the first event of a command: all that is needed to do it again
    money: str | None  # on the same event: what the command posted, by account; the sum is zero
    previous: str
    hash: str = ""

    def computed(self) -> str:
        """What the hash must be."""
        return digest(canonical(self[:-1]))

    def told(self) -> str:
        """As its readers see it, in JSON."""
        cite = f',"citation":{_quoted(self.citation)}' if self.citation else ""
        more = f",{self.data[1:-1]}" if self.data != "{}" else ""
        return (
            f'{{"number":{self.number},"round":{self.round},"kind":"{self.kind}","at":"{self.at}"'
            f"{cite}{more}}}"
        )

    def shown(self) -> dict[str, Any]:
        """The same, read."""
        shown: dict[str, Any] = json.loads(self.told())
        return shown


def chained(previous: str, columns: tuple[Any, ...]) -> LogEvent:
    """The event after one of this hash, with its own."""
    written = (*columns, previous)
    return LogEvent._make((*written, digest(canonical(written))))


def visible(seen_by: str | None, account: str, *, sees_all: bool) -> bool:
    """Whether a reader may see an event: everyone's, his own, or all of them."""
    return seen_by is None or sees_all or seen_by == account
