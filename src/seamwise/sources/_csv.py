"""Text files of rows: CSV and TSV, by the standard library."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from seamwise.errors import FormatError
from seamwise.sources._table import Row, Table, bounded, named_columns

if TYPE_CHECKING:
    from _csv import Reader as _Reader

    from seamwise.sources._open import Wanted

MAX_CELL = 1 << 20
"""Characters of one cell."""


@contextmanager
def csv_table(wanted: Wanted) -> Iterator[Table]:
    """The file's rows; its first row names the columns, an empty cell is one that was not recorded.

    Raises:
        FormatError: It is not UTF-8, a row has another number of cells than there are columns, or its quotes do not match.
    """
    label = wanted.place
    delimiter = wanted.delimiter or ("\t" if label.lower().endswith((".tsv", ".tab")) else ",")
    csv.field_size_limit(MAX_CELL)
    with _opened(label) as file:
        reader = csv.reader(_lines(file, label), delimiter=delimiter, strict=True)
        header = _next(reader, label)
        if header is None:
            raise FormatError("expected a first row that names the columns, got an empty file", where=label)
        columns = named_columns([name.strip() for name in header], f"{label}:1")
        yield Table(label, columns, bounded(_rows(reader, columns, label, delimiter), label))


def _opened(label: str) -> io.BufferedReader:
    try:
        return Path(label).open("rb")
    except OSError as error:
        raise FormatError(f"cannot read the table: {(error.strerror or str(error)).lower()}", where=label) from error


def _lines(file: io.BufferedReader, label: str) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            what = f"expected UTF-8, got the byte 0x{line[error.start]:02x}"
            raise FormatError(what, where=f"{label}:{number}", hint="export it as UTF-8") from error


def _rows(reader: _Reader, columns: tuple[str, ...], label: str, delimiter: str) -> Iterator[Row]:
    number = 0
    name = os.path.basename(label)
    while (values := _next(reader, label)) is not None:
        if not values:
            continue  # a blank line is no row
        if len(values) != len(columns):
            hint = None
            if len(columns) == 1 and any(c in columns[0] for c in ";\t|"):
                hint = "is the delimiter another one? write `delimiter: ';'`"
            elif len(values) > len(columns):
                hint = f"a cell that holds `{delimiter}` needs quotes"
            raise FormatError(f"expected {len(columns)} cells, got {len(values)}", where=f"{label}:{reader.line_num}", hint=hint)
        number += 1
        cells = {column: value for column, value in zip(columns, values, strict=True) if value != ""}
        yield Row(number, f"{name}:{reader.line_num}", cells)


def _next(reader: _Reader, label: str) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        hint = "is a quote left open?" if "end of data" in str(error) else None
        raise FormatError(f"expected rows of cells, got a mistake ({error})", where=f"{label}:{reader.line_num}", hint=hint) from error
