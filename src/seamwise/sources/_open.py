"""Opening a table of any sort."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from seamwise.errors import FormatError, UsageError
from seamwise.sources._csv import csv_table
from seamwise.sources._parquet import parquet_table
from seamwise.sources._postgres import postgres_table
from seamwise.sources._sqlite import sqlite_table
from seamwise.sources._table import Table, no_such


class Wanted(NamedTuple):
    """Which table is meant, and how it is to be read."""

    place: str
    """The file; of a server, how it is reached."""
    table: str | None = None
    """The table inside a database."""
    query: str | None = None
    """Or a query of it."""
    delimiter: str | None = None
    """What stands between the cells of a text file; None: a comma, or a tab in a `.tsv`."""


Reader = Callable[[Wanted], AbstractContextManager[Table]]

SORTS: dict[str, Reader] = {"csv": csv_table, "parquet": parquet_table, "sqlite": sqlite_table, "postgres": postgres_table}
"""Sort of table -> its reader."""

_FILES = frozenset({"csv", "parquet", "sqlite"})


@contextmanager
def open_table(
    sort: str, place: str, *, table: str | None = None, query: str | None = None, delimiter: str | None = None
) -> Iterator[Table]:
    """The table, for reading.

    Args:
        sort: One of :data:`SORTS`.
        place: The file; for ``postgres`` a connection string without a password, or ``env:NAME``.
        table: The table in a database.
        query: A query of a database, instead of a table.
        delimiter: What separates the cells of a text file.

    Raises:
        UsageError: There is no such sort.
        FormatError: It cannot be read; the message says what was expected and got, and where.
        MissingExtraError: Its driver is not installed.
    """
    if sort not in SORTS:
        raise UsageError(f"expected one of {', '.join(f'`{s}`' for s in SORTS)}, got `{sort}`")
    if sort in _FILES:
        _check_file(place)
    with SORTS[sort](Wanted(place, table, query, delimiter)) as opened:
        yield opened


def _check_file(place: str) -> None:
    """Returns if a regular file lies there.

    Raises:
        FormatError: None does; the hint names the one that was probably meant.
    """
    if os.path.isfile(place):
        return
    if os.path.exists(place):
        raise FormatError(f"expected a file, got `{place}`, which is a folder or a device")
    folder, name = os.path.split(place)
    if folder and not os.path.isdir(folder):
        raise FormatError(f"no file `{place}`", hint=f"there is no folder `{folder}`; paths are relative to the page that names them")
    try:
        beside = sorted(entry for entry in os.listdir(folder or ".") if os.path.isfile(os.path.join(folder, entry)))
    except OSError:
        beside = []
    error = no_such("file", name, beside)
    raise FormatError(f"no file `{place}`", hint=error.hint)
