"""Whether the database itself is whole: its indexes, its tables, and what its rows hold.

The chain of hashes proves the log. It does not prove an index: with a damaged
one, a lookup misses a row that is there, and a command that was answered would
be done again. The database can check its own indexes, and is asked to.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Index, Inspector, Table, inspect, text
from sqlalchemy import exc as sql

from croupier.floor import schema
from croupier.floor.log import LogBroken
from croupier.floor.salvage import apart, in_words, is_of_the_rows
from croupier.floor.shapes import is_text, key_of, misfit
from croupier.floor.storage import Storage

PAGE = 1000  # rows that are read at a time
SOUND = "ok"  # what SQLite says of a table without fault
OF_A_STREAM = {schema.tables.name, schema.balances.name, schema.snapshots.name}
BY_AMCHECK = "PostgreSQL's amcheck of every index"
BY_COUNTING = "every index of PostgreSQL counted against its table, for amcheck is not at hand"
BY_SQLITE = "SQLite's own integrity check"

AMCHECK = text(
    "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck' AND "
    "has_function_privilege(CAST('bt_index_check(regclass,boolean)' AS text), 'execute')"
)


def check(storage: Storage) -> tuple[str, list[LogBroken]]:
    """How the database was checked, and all that is wrong with it."""
    found = [*_tables(storage)]
    if storage.dialect == "sqlite":
        return BY_SQLITE, [*found, *_by_sqlite(storage)]
    with storage.read() as conn:
        is_there = _has_amcheck(conn)
    way = _by_amcheck if is_there else _by_counting
    found += [broken for table in schema.metadata.sorted_tables for broken in way(storage, table)]
    return BY_AMCHECK if is_there else BY_COUNTING, found


def place(table: Table) -> str:
    """What a finding about a row of this table is named after."""
    return f"the {table.name}"


# The tables themselves.


def _tables(storage: Storage) -> Iterator[LogBroken]:
    """Columns, keys and indexes that are not there: without them rows can be there twice."""
    with storage.read() as conn:
        there = inspect(conn)
        for table in schema.metadata.sorted_tables:
            yield from (LogBroken(place(table), None, why) for why in _missing(there, table))


def _missing(there: Inspector, table: Table) -> Iterator[str]:
    try:
        columns = {column["name"] for column in there.get_columns(table.name)}
        key = there.get_pk_constraint(table.name)["constrained_columns"]
        unique = {tuple(each["column_names"]) for each in there.get_unique_constraints(table.name)}
        indexes = {each["name"] for each in there.get_indexes(table.name)}
    except (sql.SQLAlchemyError, ValueError, TypeError) as error:
        yield f"the table is not there: {type(error).__name__}"
        return
    for column in table.columns:
        if column.name not in columns:
            yield f"the table has no column {column.name}"
        if column.unique and (column.name,) not in unique:
            yield f"nothing keeps its {column.name} from being there twice"
    if key != [column.name for column in table.primary_key]:
        yield "its primary key is gone"
    for index in table.indexes:
        if index.name not in indexes:
            yield f"its index {index.name} is gone"


# The database's own checks.


def _by_sqlite(storage: Storage) -> Iterator[LogBroken]:
    for table in schema.metadata.sorted_tables:
        try:
            with storage.read() as conn:
                told = [str(row[0]) for row in conn.exec_driver_sql(
                    f"PRAGMA integrity_check({table.name})"
                )]  # fmt: skip
        except Exception as error:
            if not is_of_the_rows(error):
                raise
            told = [in_words(error)]
        lines = [line for each in told for line in each.splitlines() if line.strip() != SOUND]
        yield from (_said(table, line) for line in lines if not line.startswith("***"))


def _said(table: Table, line: str) -> LogBroken:
    return LogBroken(place(table), None, f"SQLite's integrity check says: {line}")


def _has_amcheck(conn: Connection) -> bool:
    try:
        with apart(conn):
            return bool(conn.scalar(AMCHECK))
    except sql.ProgrammingError:  # there is no such function
        return False


def _by_amcheck(storage: Storage, table: Table) -> Iterator[LogBroken]:
    of_table = text(
        "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
        "WHERE i.indrelid = CAST(:name AS regclass) ORDER BY 1"
    )
    with storage.read() as conn:
        names = conn.scalars(of_table, {"name": table.name}).all()
    for name in names:
        try:
            with storage.read() as conn:
                sound = text("SELECT bt_index_check(CAST(:name AS regclass), true)")
                conn.execute(sound, {"name": name})
        except Exception as error:
            if not is_of_the_rows(error):
                raise
            yield LogBroken(place(table), None, f"its index {name}: {in_words(error)}")


def _by_counting(storage: Storage, table: Table) -> Iterator[LogBroken]:
    """An index must lead to as many rows as the table has."""
    keys = [tuple(column.name for column in table.primary_key)]
    keys += [tuple(column.name for column in _columns(index)) for index in table.indexes]
    keys += [(column.name,) for column in table.columns if column.unique]
    try:
        with storage.read() as conn:
            rows = _count(conn, f'SELECT count(*) FROM "{table.name}"', "seqscan")
            for key in keys:
                names = ", ".join(f'"{name}"' for name in key)
                within = f'SELECT {names} FROM "{table.name}" ORDER BY {names} OFFSET 0'
                found = _count(conn, f"SELECT count(*) FROM ({within}) AS rows", "indexscan")
                if found != rows:
                    why = f"its index of {names} leads to {found} of its {rows} rows"
                    yield LogBroken(place(table), None, why)
    except Exception as error:
        if not is_of_the_rows(error):
            raise
        yield LogBroken(place(table), None, f"a part cannot be read: {in_words(error)}")


def _columns(index: Index) -> Sequence[Any]:
    return [*index.columns]


def _count(conn: Connection, query: str, by: str) -> int:
    ways = ("seqscan", "indexscan", "indexonlyscan", "bitmapscan", "sort")
    for way in ways:
        conn.exec_driver_sql(f"SET LOCAL enable_{way} = {'on' if by in way else 'off'}")
    return int(conn.exec_driver_sql(query).scalar_one())


# What the rows hold.


def rows(storage: Storage, table: Table) -> Iterator[Sequence[Any] | LogBroken]:
    """Every row of a table that can be read, as the driver gives it, and what cannot be."""
    way = _by_rowid if storage.dialect == "sqlite" else _by_key
    for row in way(storage, table):
        wrong = "" if isinstance(row, LogBroken) else misfit(table, row)
        yield misplaced(table, row, wrong) if wrong else row


def misplaced(table: Table, row: Sequence[Any] | LogBroken, wrong: str) -> LogBroken:
    """What is wrong with a row, named after the stream that it belongs to if it names one."""
    if isinstance(row, LogBroken):
        return row
    stream = row[0] if table.name in OF_A_STREAM and is_text(row[0]) else place(table)
    return LogBroken(stream, None, f"{place(table)}, {key_of(table, row)}: {wrong}")


def _by_key(storage: Storage, table: Table) -> Iterator[Sequence[Any] | LogBroken]:
    names = [column.name for column in table.columns]
    keys = [column.name for column in table.primary_key]
    listed = ", ".join(f'"{name}"' for name in keys)
    first = f'SELECT {", ".join(names)} FROM "{table.name}"'
    beyond = f" WHERE ({listed}) > ({', '.join(f':{name}' for name in keys)})"
    page: list[Sequence[Any]] = []
    after: dict[str, Any] = {}
    while not after or len(page) == PAGE:
        query = f"{first}{beyond if after else ''} ORDER BY {listed} LIMIT {PAGE}"
        try:
            with storage.read() as conn:
                page = [tuple(row) for row in conn.execute(text(query), after)]
        except Exception as error:
            if not is_of_the_rows(error):
                raise
            yield LogBroken(place(table), None, f"a part cannot be read: {in_words(error)}")
            return
        yield from page
        if not page:
            return
        after = {key: page[-1][names.index(key)] for key in keys}


def _by_rowid(storage: Storage, table: Table) -> Iterator[Sequence[Any] | LogBroken]:
    """SQLite: along the table itself, and from its end if there is damage in the middle."""
    last, limit = -(2**63), PAGE
    while True:
        try:
            page = _page(storage, table, f"rowid > {last} ORDER BY rowid LIMIT {limit}")
        except Exception as error:
            if not is_of_the_rows(error):
                raise
            if limit == 1:
                why = f"rows after the {max(last, 0)}th cannot be read: {in_words(error)}"
                yield LogBroken(place(table), None, why)
                yield from _from_the_end(storage, table, last)
                return
            limit = 1  # up to the very row
            continue
        if not page:
            return
        yield from (row[1:] for row in page)
        furthest = max(row[0] for row in page)
        if furthest <= last or furthest != page[-1][0]:
            yield LogBroken(place(table), None, "its rows are not in their order")
        if furthest <= last:
            return
        last = furthest


def _from_the_end(storage: Storage, table: Table, down_to: int) -> Iterator[Sequence[Any]]:
    before = 2**63 - 1
    while True:
        where = f"rowid > {down_to} AND rowid < {before} ORDER BY rowid DESC LIMIT 1"
        try:
            page = _page(storage, table, where)
        except Exception as error:
            if not is_of_the_rows(error):
                raise
            return
        if not page or page[0][0] >= before:
            return
        before = page[0][0]
        yield page[0][1:]


def _page(storage: Storage, table: Table, where: str) -> list[Sequence[Any]]:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    with storage.read() as conn:
        query = f'SELECT rowid, {names} FROM "{table.name}" WHERE {where}'
        return [tuple(row) for row in conn.exec_driver_sql(query)]
