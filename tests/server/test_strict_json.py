"""A body is plain JSON or it is refused, with the field, before anything sees it."""

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server.strict_json import DEEPEST, BadBody, parse

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**19), 10**19)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii"), max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(plain)
def test_plain_json_is_what_it_says(value: Any) -> None:
    text = json.dumps(value)
    if "\\u0000" not in text:
        assert parse(text.encode()) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    try:
        value = parse(body)
    except BadBody as bad:
        (bad.sentence + bad.field).encode("utf-8")
    else:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        (b'{"amount": 5, "amount": 500}', "amount", "amount is given twice"),
        (b'{"bets": [{"a": 1, "a": 1}]}', "bets.0.a", "bets.0.a is given twice"),
        (b'{"amount": NaN}', "amount", "amount is NaN, which is no number of JSON's"),
        (b'{"amount": -Infinity}', "amount", "amount is -Infinity, which is no number of JSON's"),
        (b'{"amount": 1e309}', "amount", "amount is beyond the range of numbers"),
        (b'{"amount": -1e309}', "amount", "amount is beyond the range of numbers"),
        (b'{"amount": 123456789012345678901}', "amount", "amount has more than 20 digits"),
        (b'{"name": "\\ud83c"}', "name", "name holds characters that no text has"),
        (b'{"name": "a\\u0000"}', "name", "name holds characters that no text has"),
        (b'{"\\udc80": 1}', "", "the body has a key with characters that no text has"),
        (b"[[1, NaN]]", "0.1", "0.1 is NaN, which is no number of JSON's"),
        (b"NaN", "", "the body is NaN, which is no number of JSON's"),
        (b"", "", "the body is not JSON at character 0: Expecting value"),
        (b"\xff\xfe{}", "", "the body is not UTF-8 at byte 0"),
        (b'{"a": 1} {', "", "the body is not JSON at character 9: Extra data"),
        (b"{'a': 1}", "", None),
        (b'{"a": 01}', "", None),
        (b'{"a": 1,}', "", None),
        (b"\xef\xbb\xbf{}", "", None),
    ],
)
def test_what_is_not_plain_json_is_refused(body: bytes, field: str, sentence: str | None) -> None:
    with pytest.raises(BadBody) as refused:
        parse(body)
    assert refused.value.field == field
    assert sentence is None or refused.value.sentence == sentence


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert parse(b'"\\ud83c\\udca1"') == "\U0001f0a1"


def test_minus_zero_is_zero_and_a_fraction_stays_one() -> None:
    assert parse(b"-0") == 0
    assert type(parse(b"-0")) is int
    assert math.copysign(1, parse(b"-0.0")) == -1
    assert type(parse(b"1.0")) is float, "so that a count of cents can be told from it"


def test_twenty_brackets_within_brackets_are_enough() -> None:
    assert parse(b"[" * DEEPEST + b"]" * DEEPEST) is not None
    with pytest.raises(BadBody, match="more than 20 brackets"):
        parse(b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1))


def test_brackets_side_by_side_or_in_a_string_are_not_deep() -> None:
    assert parse(b"[" + b"[],{}," * 500 + b"1]")[-1] == 1
    assert parse(b'["' + b"[{" * 500 + b'\\"[["]') == ["[{" * 500 + '"[[']


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
        b'"' + b'\\"' * 500_000,
        b'"\\' * 500_000,
        b"[" * 21 + b'"' + b"\\" * 1_000_000,
        b"[" + b"9" * 1_000_000 + b"]",
        b"[" + b'"a' * 500_000,
    ],
)
def test_a_body_made_to_exhaust_us_is_refused_at_once(body: bytes) -> None:
    began = time.process_time()
    with pytest.raises(BadBody):
        parse(body)
    assert time.process_time() - began < 1


def test_a_long_name_is_told_back_short() -> None:
    with pytest.raises(BadBody) as refused:
        parse(b'{"' + b"x" * 50_000 + b'": NaN}')
    assert len(refused.value.sentence) < 200
