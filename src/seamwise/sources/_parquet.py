"""Parquet files, by DuckDB (an extra), which is told to fetch and load nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from seamwise.errors import FormatError, MissingExtraError
from seamwise.sources._table import Row, Table, bounded, cells_of, named_columns

if TYPE_CHECKING:
    from seamwise.sources._open import Wanted

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "threads": "1",
}
"""Parquet is built in; whatever is not would be downloaded at run time, and is refused instead."""

_LOT = 2_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_GLOB = re.compile(r"[*?\[]")


@contextmanager
def parquet_table(wanted: Wanted) -> Iterator[Table]:
    """The file's rows, in its own order.

    Raises:
        MissingExtraError: DuckDB is not installed.
        FormatError: It is no Parquet file.
    """
    try:
        import duckdb
    except ImportError as error:
        hint = "pip install 'seamwise[duckdb]'"
        raise MissingExtraError(f"expected DuckDB, which reads `{wanted.place}`, got none", hint=hint) from error
    label = wanted.place
    # an absolute path is never taken for an address, and a name with a bracket is a name, not a pattern
    place = _GLOB.sub(lambda found: f"[{found[0]}]", os.path.abspath(label))
    connection = duckdb.connect(":memory:", config=SETTINGS)
    try:
        source = "read_parquet(?, hive_partitioning=false)"
        described = connection.execute(f"describe select * from {source}", [place]).fetchall()
        columns = named_columns([str(row[0]) for row in described], label)
        zoned = {str(row[0]) for row in described if row[1] == "TIMESTAMP WITH TIME ZONE"}
        # a moment with a zone would need a further package to come out as one
        chosen = ", ".join(f"epoch_us({_quoted(c)})" if c in zoned else _quoted(c) for c in columns)
        cursor = connection.execute(f"select {chosen} from {source}", [place])
        yield Table(label, columns, bounded(_rows(cursor, columns, zoned, label), label))
    except duckdb.Error as error:
        raise FormatError(f"expected a Parquet file, got `{_first_line(error)}`", where=label) from error
    finally:
        connection.close()


def _rows(cursor: Any, columns: tuple[str, ...], zoned: set[str], label: str) -> Iterator[Row]:
    number, name = 0, os.path.basename(label)
    while lot := cursor.fetchmany(_LOT):
        for values in lot:
            number += 1
            if zoned:
                values = [_moment(v) if c in zoned and v is not None else v for c, v in zip(columns, values, strict=True)]
            place = f"{name}, row {number}"
            yield Row(number, place, cells_of(columns, values, place))


def _moment(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
