"""Bodies, read strictly: what is not plain JSON is refused before anything sees it.

Python's reader takes more than JSON is (NaN, a key given twice) and falls
over where JSON has no end (depth, digits). A body that this module returns
can be hashed, stored and sent on as it is.
"""

import json
import math
import re
from typing import Any

DEEPEST = 20  # brackets within brackets
LONGEST = 20  # digits of a whole number: more than any count of cents has
LONGEST_FIELD = 100  # characters of a field's name that are told back

# A string is taken whole, ended or not, so that a long body is gone through once.
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_STEP = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


class BadBody(Exception):
    """A body that is refused: the field, as far as it can be told, and one sentence."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


class _Bad:
    """Stands in the parsed body where something is not lawful, until its field is known."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


def parse(body: bytes) -> Any:
    """The value that the body is the JSON of, or BadBody."""
    _check_depth(body)
    try:
        value = _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadBody("", f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BadBody("", f"the body is not JSON at character {error.pos}: {error.msg}") from None
    if fault := _fault(value):
        way, sentence = fault
        field = ".".join(reversed(way))[:LONGEST_FIELD]
        raise BadBody(field, f"{field or 'the body'} {sentence}")
    return value


def _check_depth(body: bytes) -> None:
    """Refuse a deep body unparsed: the parser would need a stack as deep."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(body):
        depth += _STEP.get(found[0], 0)
        if depth > DEEPEST:
            raise BadBody("", f"the body has more than {DEEPEST} brackets within brackets")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found[key] = _Bad("is given twice")
            seen.add(key)
    return found


def _whole(text: str) -> Any:
    if len(text) - text.startswith("-") > LONGEST:
        return _Bad(f"has more than {LONGEST} digits")
    return int(text)


def _number(text: str) -> Any:
    number = float(text)
    return number if math.isfinite(number) else _Bad("is beyond the range of numbers")


def _constant(text: str) -> Any:
    return _Bad(f"is {text}, which is no number of JSON's")


def _fault(value: Any) -> tuple[list[str], str] | None:
    """The first fault in the parsed body: the way to its field, from inside out, and a sentence."""
    if isinstance(value, str):
        return None if _is_text(value) else ([], "holds characters that no text has")
    if isinstance(value, dict):
        for key, each in value.items():
            if not _is_text(key):
                return [], "has a key with characters that no text has"
            if fault := _fault(each):
                fault[0].append(key)
                return fault
    elif isinstance(value, list):
        for place, each in enumerate(value):
            if fault := _fault(each):
                fault[0].append(str(place))
                return fault
    return ([], value.sentence) if isinstance(value, _Bad) else None


def _is_text(value: str) -> bool:
    """Half a surrogate pair can be sent to nobody, and a null character cannot be stored."""
    if value.isascii():
        return "\0" not in value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_number, parse_constant=_constant
)
