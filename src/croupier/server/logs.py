"""The server's own log, for those who run it: what was asked, what went wrong, how long it took.

It is not the ledger and may be thrown away. It goes to stderr or a file, one
JSON object a line, or as text where a person reads along. What would let a
reader act for a patron (a token, a password, a cookie, the secret in a link)
is taken out of every line, whoever wrote it.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from croupier.floor.clock import stamp
from croupier.server.config import ConfigRefused

REMOVED = "[removed]"
TOLD_BY_UVICORN_TWICE = "color_message"
ORDINARY = len(vars(logging.makeLogRecord({})))  # what a record says that was given nothing more
STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", TOLD_BY_UVICORN_TWICE}
_VALUE = r"""(?:"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|[^\s&,;)}\]"']+)"""
_SIGN = r"""["']?\s*(?:[:=]|,\s*(?=b?["']))\s*(?:b(?=["']))?"""
# A header to the end of its line, something named a secret, credentials in an address, and a
# hashed password.
_NAMED = re.compile(
    rf"""
      (?P<header>(?:authorization|cookie){_SIGN})(?:"[^"\n]*"?|'[^'\n]*'?|[^"'\n]+)
    | (?P<name>(?:passw(?:or)?d|secret|token|session_id|link)[\w-]{{0,20}}{_SIGN}){_VALUE}
    | (?P<scheme>\bbearer\s+)[^\s"',]+
    | (?P<address>://)[^/\s]+(?=@)
    | \$argon2[^\s"')]*
    """,
    re.IGNORECASE | re.VERBOSE,
)
# None of these, and the text names no secret: most lines are done with that.
_HINTS = (
    "authoriz", "cookie", "passw", "secret", "token", "session_id", "link", "bearer", "://",
    "$argon2",
)  # fmt: skip
TOKEN = 32  # characters that a token has at least
_LONG_WORD = re.compile(rf"[\w-]{{{TOKEN},}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_about: ContextVar[dict[str, Any] | None] = ContextVar("about", default=None)


def begin_request(request: str) -> dict[str, Any]:
    """From here on, lines say which request they belong to. What is learned of it is added."""
    facts: dict[str, Any] = {"request": request}
    _about.set(facts)
    return facts


def about(**facts: Any) -> None:
    """Say whose request this is, or of which table: `about(account="a1", table="t1")`."""
    known = _about.get()
    if known is not None:
        known.update(facts)


def clean(text: str) -> str:
    """The text without the secrets in it: what is named so, and what looks like a token."""
    small = text.lower()
    for hint in _HINTS:
        if hint in small:
            text = _NAMED.sub(_without_value, text)
            break
    if len(text) < TOKEN or text == small:
        return text
    return _LONG_WORD.sub(_unless_token, text)


def _without_value(found: re.Match[str]) -> str:
    return (found[found.lastgroup] if found.lastgroup else "") + REMOVED


def _unless_token(found: re.Match[str]) -> str:
    """A token mixes capitals and small letters; a hash, an id or a file's name does not."""
    word = found[0]
    return word if word in (word.lower(), word.upper()) else REMOVED


@lru_cache
def _names_a_secret(key: str) -> bool:
    return any(hint in key.lower() for hint in _HINTS)


def _facts(record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
    """What the line says beside its message: of its request, and of its own."""
    facts = _about.get() or {}
    if len(vars(record)) > ORDINARY:
        own = {key: value for key, value in vars(record).items() if key not in STANDARD}
        facts = facts | own
    for key, value in facts.items():
        if not _names_a_secret(key):
            plain = value is None or isinstance(value, (int, float))
            yield key, value if plain else clean(str(value))


class JsonLines(logging.Formatter):
    """One JSON object a line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": stamp(record.created),
            "level": record.levelname.lower(),
            "message": clean(record.getMessage()),
            "logger": record.name,
            **dict(_facts(record)),
        }
        if record.exc_info:
            line["traceback"] = clean(self.formatException(record.exc_info))
        return json.dumps(line)


class TextLines(logging.Formatter):
    """For a person at a terminal. Nothing that a client sent can move the cursor."""

    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{key}={value}" for key, value in _facts(record))
        message = f"{clean(record.getMessage())}  {facts}".rstrip()
        head = f"{stamp(record.created)} {record.levelname.lower():7}"
        line = f"{head} {_CONTROL.sub(_escaped, message)}"
        if record.exc_info:
            trace = clean(self.formatException(record.exc_info)).splitlines()
            line = "\n".join([line, *(_CONTROL.sub(_escaped, each) for each in trace)])
        return line


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "replace").decode("ascii")


class _Quiet(logging.Handler):
    """A log that cannot be written stops no table."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


class _ToFile(_Quiet, WatchedFileHandler):
    """Opens the file again when somebody has moved it away; that is looked for once a second."""

    _looked = 0.0

    def reopenIfNeeded(self) -> None:  # noqa: N802
        if abs(time.monotonic() - self._looked) > 1:
            self._looked = time.monotonic()
            super().reopenIfNeeded()


class _ToStderr(_Quiet, logging.StreamHandler[Any]):
    pass


LEVELS: Mapping[str, int] = logging.getLevelNamesMapping()


def begin(level: str = "info", file: Path | None = None) -> logging.Handler:
    """Let everything that logs go through here: Croupier, the web server, the libraries."""
    handler = _open(file)
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _Quiet)]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    for name in ("croupier", "uvicorn"):
        logging.getLogger(name).setLevel(LEVELS[level.upper()])
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    # What no line tells is not looked for: threads, processes, and who called.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None
    # It would tell each request again, with its query.
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)
    return handler


def _open(file: Path | None) -> logging.Handler:
    handler: logging.Handler
    if file is None:
        handler = _ToStderr()
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        handler.setFormatter(TextLines() if is_terminal else JsonLines())
        return handler
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = _ToFile(file, encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigRefused(f"log_file {file} cannot be written: {reason}") from None
    handler.setFormatter(JsonLines())
    return handler
