"""Which operation a record takes back: the name that a system gives it is found among the records of the stream.

A kind speaks of records by their ids, which are ours. A recording names what is taken back by the id of its step or call, by a reference
(the field `ref`) or by the field that names an operation (`same_as`). A name that no record or more than one answers to says only that
something is taken back: which one is not recorded, and then no verdict may lean on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from seamwise.audit._items import Placed, operation_of, text_of
from seamwise.binding import TAKES_BACK, Stream, escaped
from seamwise.kernel import Record

REFERENCE = "ref"
_EVERYTHING = Decimal("-Infinity")
"""An amount that takes back, of unknown worth."""


Name = tuple[str, str]
"""A trace (or nothing, where the name holds everywhere), and what something is called there."""
Named = Mapping[Name, Mapping[str, str]]
"""Name -> operation that goes by it -> the id of its first record."""


def with_targets(items: Mapping[int, Sequence[Placed]], read: Iterable[int], streams: Sequence[Stream]) -> Mapping[int, Sequence[Placed]]:
    """The items of a scope, with each `reverses` that a recording gives made the id of the record that is meant.

    Args:
        items: The records by stream.
        read: The streams that the contract reads.
        streams: The pack's streams.
    """
    read = tuple(read)
    if not any(TAKES_BACK in placed.record.fields for n in read for placed in items.get(n, ())):
        return items
    names: dict[Name, dict[str, str]] = {}
    for n in read:
        for placed in items.get(n, ()):
            if TAKES_BACK not in placed.record.fields:
                for name in names_of_record(placed.record, streams[n].same_as):
                    names.setdefault(name, {}).setdefault(operation_of(placed.record), placed.record.id)
    return {n: [targeted(placed, names) for placed in part] if n in read else part for n, part in items.items()}


def names_of_record(record: Record, same_as: str | None) -> Iterable[Name]:
    """The names by which others may call a record."""
    trace, _, step = record.id.partition("#")
    yield trace, step.partition("~")[0]
    if record.call is not None:
        yield trace, record.call.partition("/")[2].partition("~")[0]
    for field in {REFERENCE, same_as} - {None}:
        value = text_of(record.fields.get(field or ""))
        if isinstance(value, str) and value:
            yield "", value


def asked_by(record: Record) -> tuple[Name, ...]:
    """The names by which a record may call what it takes back."""
    told = text_of(record.fields.get(TAKES_BACK))
    return ((record.id.partition("#")[0], escaped(told)), ("", told)) if isinstance(told, str) else ()


def targeted(placed: Placed, names: Named) -> Placed:
    """The item with the id of what it takes back, where names say which that is."""
    record = placed.record
    if TAKES_BACK not in record.fields:
        return placed
    found: dict[str, str] = {}
    for name in asked_by(record):
        found |= names.get(name, {})
    fields: dict[str, Any] = dict(record.fields)
    if len(found) == 1:
        fields[TAKES_BACK] = next(iter(found.values()))
    else:
        del fields[TAKES_BACK]
        fields["amount"] = _below_zero(fields.get("amount"))
    return placed._replace(record=msgspec.structs.replace(record, fields=fields))


def _below_zero(amount: Any) -> Decimal:
    """An amount that says that something is taken back."""
    try:
        number = Decimal(str(amount))
    except InvalidOperation:
        return _EVERYTHING
    return -abs(number) if number.is_finite() and number else _EVERYTHING
