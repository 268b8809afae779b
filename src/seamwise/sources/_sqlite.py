"""SQLite files, by the standard library: opened read-only, and only reading is allowed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from seamwise.errors import FormatError, UsageError
from seamwise.sources._table import MAX_ROWS, Row, Table, bounded, cells_of, in_settled_order, named_columns, no_such

if TYPE_CHECKING:
    import sqlite3

    from seamwise.sources._open import Wanted


@contextmanager
def sqlite_table(wanted: Wanted) -> Iterator[Table]:
    """The rows of a table or a query, in an order that their content fixes (a query that orders them keeps its own).

    Raises:
        UsageError: Neither or both of a table and a query are named.
        FormatError: It is no database, is being written, or has no such table.
    """
    import sqlite3

    label = wanted.place
    if (wanted.table is None) == (wanted.query is None):
        raise UsageError(f"expected either a table or a query of `{label}`, got {'neither' if wanted.table is None else 'both'}")
    _check_at_rest(label)
    # immutable: no lock is taken and no file is made beside the database
    connection = sqlite3.connect(f"{Path(label).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        connection.set_authorizer(_only_reading)
        query = wanted.query if wanted.query is not None else _select(connection, wanted.table or "", label)
        cursor = connection.execute(query)
        if cursor.description is None:
            raise FormatError("expected a query that gives rows, got one that gives none", where=label, hint="write a `select`")
        columns = named_columns([entry[0] for entry in cursor.description], label)
        yield Table(label, columns, bounded(_rows(cursor, columns, wanted), label))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _mistake(error, label) from error
    finally:
        connection.close()


def _mistake(error: Exception, label: str) -> FormatError:
    words = str(error)
    if "file is not a database" in words or "malformed" in words:
        return FormatError(f"expected an SQLite database, got another file ({words})", where=label)
    hint = None
    if "not authorized" in words or "prohibited" in words or "readonly" in words:
        hint = "tables are only read: write a single `select`"
    return FormatError(f"expected a query that can be answered, got a mistake ({words})", where=label, hint=hint)


def _check_at_rest(label: str) -> None:
    """Returns if all of the database is in its file: what a writer holds beside it would be left out in silence.

    Raises:
        FormatError: A write-ahead log or a journal lies beside it.
    """
    for tail in ("-wal", "-journal"):
        beside = label + tail
        if os.path.exists(beside) and os.path.getsize(beside):
            raise FormatError(
                f"expected a database that nobody is writing, got one with `{os.path.basename(beside)}` beside it",
                where=label,
                hint=f'read a copy: sqlite3 {os.path.basename(label)} ".backup copy.db"',
            )


def _only_reading(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    import sqlite3

    if action == sqlite3.SQLITE_FUNCTION and str(second).lower() in ("load_extension", "readfile", "writefile", "edit"):
        return sqlite3.SQLITE_DENY
    reading = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
    return sqlite3.SQLITE_OK if action in reading else sqlite3.SQLITE_DENY


def _select(connection: sqlite3.Connection, table: str, label: str) -> str:
    known = [row[0] for row in connection.execute("select name from sqlite_master where type in ('table', 'view') order by name")]
    if table not in known:
        raise no_such("table", table, known, where=label)
    return 'select * from "' + table.replace('"', '""') + '"'


def _rows(cursor: sqlite3.Cursor, columns: tuple[str, ...], wanted: Wanted) -> Iterator[Row]:
    name = os.path.basename(wanted.place)
    tail = f" of {wanted.table}" if wanted.table else ""
    found = (cells_of(columns, values, name) for _, values in zip(range(MAX_ROWS + 1), cursor, strict=False))
    ordered = wanted.query is not None and "order by" in wanted.query.lower()
    for number, cells in enumerate(found if ordered else in_settled_order(found), 1):
        yield Row(number, f"{name}, row {number}{tail}", cells)
