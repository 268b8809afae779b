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
    names: dict[tuple[str, str], dict[str, str]] = {}
    for n in read:
        for placed in items.get(n, ()):
            if TAKES_BACK not in placed.record.fields:
                for name in _names(placed.record, streams[n].same_as):
                    names.setdefault(name, {}).setdefault(operation_of(placed.record), placed.record.id)
    return {
        n: [_targeted(placed, names) if TAKES_BACK in placed.record.fields else placed for placed in part] if n in read else part
        for n, part in items.items()
    }


def _names(record: Record, same_as: str | None) -> Iterable[tuple[str, str]]:
    """The names by which others may call a record: (trace, or nothing where the name holds everywhere; name)."""
    trace, _, step = record.id.partition("#")
    yield trace, step.partition("~")[0]
    if record.call is not None:
        yield trace, record.call.partition("/")[2].partition("~")[0]
    for field in {REFERENCE, same_as} - {None}:
        value = text_of(record.fields.get(field or ""))
        if isinstance(value, str) and value:
            yield "", value


def _targeted(placed: Placed, names: Mapping[tuple[str, str], Mapping[str, str]]) -> Placed:
    record = placed.record
    told = text_of(record.fields[TAKES_BACK])
    trace = record.id.partition("#")[0]
    found: dict[str, str] = {}
    if isinstance(told, str):
        found = {**names.get((trace, escaped(told)), {}), **names.get(("", told), {})}
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
