"""The log's own words: chain, canonical text, what a reader is told, many rows at once."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from croupier.floor import log, schema
from croupier.floor.events import BEGINNING, LogEvent, canonical, chained, visible
from croupier.floor.rows import Rows, put, put_all
from croupier.floor.storage import Storage

AT = "2026-01-31T09:05:00.250Z"


def event(number: int = 1, previous: str = BEGINNING, **data: Any) -> LogEvent:
    return chained(previous, ("t", number, 1, "wager", AT, "ann", "r", "19:47-5.1", "rules", None,
                              canonical(data), "{}", None))  # fmt: skip


def no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert max(Counter(key for key, _ in pairs).values(), default=1) == 1, pairs
    return dict(pairs)


def test_an_event_holds_the_hash_of_the_one_before() -> None:
    first = event()
    second = event(2, first.hash)
    assert first.hash == first.computed()
    assert second.previous == first.hash
    assert second.hash != event(2, BEGINNING).hash


@pytest.mark.parametrize("column", [name for name in LogEvent._fields if name != "hash"])
def test_no_column_changes_without_changing_the_hash(column: str) -> None:
    one = event(seat="1")
    changed = {name: getattr(one, name) for name in LogEvent._fields}
    changed[column] = (one.number + 1) if column in ("number", "round") else "another"
    assert LogEvent(**changed).computed() != one.hash


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
))  # fmt: skip
def test_a_value_has_one_text(value: Any) -> None:
    text = canonical(value)
    assert text == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


def test_a_reader_is_told_each_thing_once() -> None:
    one = event(seat="1", wager="red", stake=500)
    told = json.loads(one.told(), object_pairs_hook=no_doubles)
    assert told == {
        "number": 1, "round": 1, "kind": "wager", "at": AT, "citation": "19:47-5.1",
        "seat": "1", "wager": "red", "stake": 500,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("seen_by", "account", "sees_all", "sees"),
    [
        (None, "ann", False, True),
        ("ann", "ann", False, True),
        ("ann", "bob", False, False),
        ("nobody", "ann", False, False),
        ("ann", "eye in the sky", True, True),
    ],
)
def test_who_may_see_what(seen_by: str | None, account: str, sees_all: bool, sees: bool) -> None:
    assert visible(seen_by, account, sees_all=sees_all) is sees


@pytest.mark.parametrize("text", ["plain", "ünïcödé ♠", '"quoted" \\ \n', "'; DROP TABLE events;"])
def test_rows_come_back_as_they_were_put(storage: Storage, text: str) -> None:
    one = event(note=text)
    other = event(2, one.hash)
    with storage.write() as conn:
        put(conn, schema.events, [log.values(each) for each in (one, other)])
    with storage.read() as conn:
        assert [*log.read(conn, "t")] == [one, other]
        assert log.head(conn, "t") == (2, other.hash)


def test_rows_of_several_tables_are_put_together(storage: Storage) -> None:
    one = event(note="♠")
    held = {"stream": "t", "account": "1", "cents": 7, "overdraft": False}
    with storage.write() as conn:
        put_all(conn, [
            Rows(schema.events, [one]), Rows(schema.tables, []), Rows(schema.balances, [held]),
        ])  # fmt: skip
        put_all(conn, [Rows(schema.events, [])])
    with storage.read() as conn:
        assert [*log.read(conn, "t")] == [one]
        assert dict(conn.execute(select(schema.balances)).one()._mapping) == held


def test_a_row_that_is_there_is_renewed(storage: Storage) -> None:
    def row(cents: int) -> dict[str, Any]:
        return {"stream": "t", "account": "1", "cents": cents, "overdraft": False}

    renew = "(stream, account) DO UPDATE SET cents = excluded.cents"
    with storage.write() as conn:
        put(conn, schema.balances, [row(10**15)], renew)
        put(conn, schema.balances, [row(7)], renew)
    with storage.read() as conn:
        found = conn.execute(select(schema.balances)).one()
    assert (found.cents, found.overdraft) == (7, False)
