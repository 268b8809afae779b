"""Postgres, by its ordinary driver (an extra): one read-only transaction on one snapshot."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seamwise.errors import FormatError, MissingExtraError, UsageError
from seamwise.sources._table import MAX_ROWS, Row, Table, bounded, cells_of, in_settled_order, named_columns, no_such

if TYPE_CHECKING:
    from seamwise.sources._open import Wanted

_PASSWORD = re.compile(r"(?:^|[\s?&])(?:ssl)?password\s*=|^\s*\w+://[^@\s:]*:[^@\s]*@", re.IGNORECASE)
_LOT = 2_000
CONNECT_SECONDS = 10


@contextmanager
def postgres_table(wanted: Wanted) -> Iterator[Table]:
    """The rows of a table or a query, in an order that their content fixes (a query that orders them keeps its own).

    Raises:
        UsageError: Neither or both of a table and a query are named, or the page holds a password.
        MissingExtraError: psycopg is not installed.
        FormatError: The server cannot be reached, or does not answer the query.
    """
    if (wanted.table is None) == (wanted.query is None):
        raise UsageError(f"expected either a table or a query, got {'neither' if wanted.table is None else 'both'}")
    address = address_of(wanted.place)
    label = wanted.table or "the query"
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtraError("expected psycopg, which reads Postgres, got none", hint="pip install 'seamwise[postgres]'") from error
    try:
        connection = psycopg.connect(address, connect_timeout=CONNECT_SECONDS)
    except psycopg.Error as error:
        hint = "is the server up, and may you connect? a service is defined in ~/.pg_service.conf"
        raise FormatError(f"cannot reach Postgres: {_words(error, wanted.place)}", where=wanted.place, hint=hint) from error
    try:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        query = wanted.query if wanted.query is not None else _select(connection, wanted.table or "", wanted.place)
        # a named cursor is fetched lot by lot, and only a query that gives rows can have one
        with connection.cursor(name="seamwise") as cursor:
            cursor.itersize = _LOT
            cursor.execute(query.rstrip().rstrip(";").encode())
            columns = named_columns([entry.name for entry in cursor.description or ()], label)
            yield Table(label, columns, bounded(_rows(cursor, columns, wanted), label))
    except psycopg.Error as error:
        raise FormatError(f"expected a query that can be answered, got a mistake ({_first_line(error)})", where=wanted.place) from error
    finally:
        connection.close()


def address_of(place: str) -> str:
    """The connection string: as it stands, or that in an environment variable.

    Raises:
        UsageError: The variable is not set, or a password stands in the page.
    """
    if place.startswith("env:"):
        name = place[4:].strip()
        found = os.environ.get(name, "")
        if not found:
            raise UsageError(f"expected a connection string in the environment variable `{name}`, got none", hint=f"export {name}=...")
        return found
    if _PASSWORD.search(place):
        hint = "write `env:NAME`, and the whole connection string into that environment variable; or use a service and ~/.pgpass"
        raise UsageError("expected a connection string without a password, got one with it", hint=hint)
    return place


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].strip()


def _words(error: Exception, place: str) -> str:
    """The driver's words on a connection, without anything of a connection string that nobody is to see.

    What cannot be parsed, or is taken for a host's name, may be any part of a password; so of a string that stands in an environment
    variable nothing is told but what a server says.
    """
    words = _first_line(error)
    if not place.startswith("env:"):
        return words
    address = os.environ.get(place[4:].strip(), "")
    if "connection to server" not in words and any(piece in words for piece in re.split(r"[\s:/@?&=#']+", address) if len(piece) > 3):
        return "its connection string is not as it must be"
    secrets = re.findall(r"password\s*=\s*'?([^'\s&]+)|://[^\s:]*?:(\S+)@", address)
    pieces = [piece for pair in secrets for part in pair for piece in re.split(r"[:/@?&=#]+", part) if piece]
    return words if not any(piece in words for piece in pieces) else "it refuses the connection"


def _select(connection: Any, table: str, place: str) -> str:
    schema, _, name = table.rpartition(".")
    found = connection.execute(
        "select table_schema, table_name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')"
        " order by table_schema, table_name"
    ).fetchall()
    for its_schema, its_name in found:
        if its_name == name and (its_schema == schema if schema else its_schema == "public"):
            return f"select * from {_quoted(its_schema)}.{_quoted(its_name)}"
    raise no_such("table", table, [n if s == "public" else f"{s}.{n}" for s, n in found], where=place)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rows(cursor: Any, columns: tuple[str, ...], wanted: Wanted) -> Iterator[Row]:
    tail = f" of {wanted.table}" if wanted.table else ""
    found = (cells_of(columns, values, f"row{tail}") for _, values in zip(range(MAX_ROWS + 1), cursor, strict=False))
    ordered = wanted.query is not None and "order by" in wanted.query.lower()
    for number, cells in enumerate(found if ordered else in_settled_order(found), 1):
        yield Row(number, f"row {number}{tail}", cells)
