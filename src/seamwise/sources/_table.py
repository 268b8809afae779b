"""A table being read, and what its cells become."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from seamwise.errors import FormatError, LimitError, did_you_mean

MAX_ROWS = 5_000_000
"""Rows of one table; more are refused, since what is kept of each stays in memory."""


class Row(NamedTuple):
    """One row."""

    number: int
    """Its number in the table, from 1."""
    place: str
    """Where a person finds it: ``payments.csv:14``, ``crm.db, row 13 of payments``."""
    cells: dict[str, Any]
    """Column -> JSON value; an empty cell is not there."""


class Table(NamedTuple):
    """A table, opened."""

    label: str
    """What a person calls it."""
    columns: tuple[str, ...]
    rows: Iterator[Row]
    """Once through."""


def named_columns(names: Sequence[str], label: str) -> tuple[str, ...]:
    """The columns, each with a name of its own.

    Raises:
        FormatError: One has none, or two have the same.
    """
    seen: set[str] = set()
    for i, name in enumerate(names, 1):
        if not name:
            raise FormatError(f"expected a name for column {i}, got nothing", where=label, hint="the first row names the columns")
        if name in seen:
            raise FormatError(f"expected every column once, got `{name}` again", where=label, hint="give one of them another name")
        seen.add(name)
    return tuple(names)


def bounded(rows: Iterable[Row], label: str) -> Iterator[Row]:
    """The rows, as long as there are not too many.

    Raises:
        LimitError: There are.
    """
    for row in rows:
        if row.number > MAX_ROWS:
            raise LimitError(f"expected at most {MAX_ROWS} rows, got more", where=label, hint="choose rows with a query")
        yield row


def in_settled_order(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a database in an order that their content fixes: a database promises none, and the same table gives the same answer."""
    return [dict(row) for row in sorted(rows, key=lambda row: msgspec.json.encode(row, order="sorted"))]


def cell(value: Any, where: str, column: str) -> Any:
    """A stored value as a JSON value: exact numbers as their digits, moments as ISO 8601.

    Raises:
        FormatError: It is of a sort that no rule could read.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool:
        return value
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() and abs(value.adjusted()) < 100 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}s"
    if isinstance(value, (list, tuple)):
        return [None if item is None else cell(item, where, column) for item in value]
    if isinstance(value, Mapping):
        return {str(name): None if item is None else cell(item, where, column) for name, item in value.items()}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"0x{bytes(value).hex()}"  # `3135` alone would be read as an amount that nobody stored
    hint = f"leave `{column}` out with a query, or cast it to text there"
    raise FormatError(f"expected text, a number or a moment in `{column}`, got a `{kind.__name__}`", where=where, hint=hint)


def cells_of(columns: Sequence[str], values: Sequence[Any], where: str) -> dict[str, Any]:
    """Column -> value, without the empty ones."""
    return {name: cell(value, where, name) for name, value in zip(columns, values, strict=True) if value is not None}


def no_such(what: str, name: str, known: Iterable[str], *, where: str | None = None) -> FormatError:
    """The error that something is not there, with what was probably meant."""
    known = list(known)
    shown = ", ".join(known[:12]) + (" ..." if len(known) > 12 else "")
    hint = did_you_mean(name, known) or (f"there is {shown}" if known else "there is none at all")
    return FormatError(f"no {what} `{name}`", where=where, hint=hint)
