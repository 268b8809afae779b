"""Records of one scope (a trace, or the corpus), laid out so that an instance finds its own without looking at the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from seamwise.binding import Contract, Stream
from seamwise.kernel import Record

FEW = 6
"""So many records are looked through rather than laid out."""


class _Any:
    """The type of :data:`ANY`."""


ANY: Final = _Any()
"""No joining value: everything may belong together."""


class Item(Protocol):
    """A record with whatever is needed to tell of its step."""

    @property
    def record(self) -> Record:
        """The record."""


class Placed(NamedTuple):
    """A record, where it stands in the order of the scope, and what it came with."""

    at: int
    record: Record
    item: Item


def names_of(contract: Contract) -> tuple[str, ...]:
    """The fields by which a contract's anchors are named and joined: what they hold is text, ``7`` and ``"7"`` are one."""
    anchor = contract.anchor
    fields = dict.fromkeys((anchor.field, *anchor.join) if anchor.by == "record" else ())
    if "decision" in (anchor.field, anchor.param) or contract.kind.name == "admitted":
        fields["for"] = None  # names the decision that something was given for
    return tuple(field for field in fields if field)


def text_of(value: Any) -> Any:
    """A number that names something, as text."""
    return str(value) if isinstance(value, (bool, int, float, Decimal)) else value


def with_names(placed: Placed, fields: Sequence[str]) -> Placed:
    """The item with text in these fields."""
    had = placed.record.fields
    return _named(placed, fields) if any(field in had and type(had[field]) is not str for field in fields) else placed


def named(items: Mapping[int, Sequence[Placed]], streams: Sequence[int], fields: Sequence[str]) -> Mapping[int, Sequence[Placed]]:
    """The items of at least these streams, with text in these fields."""
    for n in streams if fields else ():
        for placed in items.get(n, ()):
            had = placed.record.fields
            for field in fields:
                if field in had and type(had[field]) is not str:
                    return {n: [_named(placed, fields) for placed in items.get(n, ())] for n in streams}
    return items


def _named(placed: Placed, fields: Sequence[str]) -> Placed:
    had = placed.record.fields
    changed = {f: text for f in fields if type(value := had.get(f)) is not str and (text := text_of(value)) is not value}
    return placed._replace(record=msgspec.structs.replace(placed.record, fields={**had, **changed})) if changed else placed


def operation_of(record: Record) -> str:
    """What records of one operation share."""
    return record.id if record.call is None else record.call


def join_value(value: Any) -> Any:
    """The value as a key of a dictionary."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def joins_of_calls(shelves: Iterable[Sequence[Placed]], join: str) -> dict[str, set[Any]]:
    """Joining values of operations of which several records tell: what one of them says holds for all."""
    seen: dict[str, int] = {}
    values: dict[str, set[Any]] = {}
    for items in shelves:
        for placed in items:
            record = placed.record
            if record.call is not None:
                seen[record.call] = seen.get(record.call, 0) + 1
                if join in record.fields:
                    values.setdefault(record.call, set()).add(join_value(record.fields[join]))
    return {call: found for call, found in values.items() if seen[call] > 1}


class Shelf:
    """The records of one stream in one scope, by leaf and by the value that instances are joined by.

    INVARIANT: a record without a leaf (its key was not recorded) or without the joining value is found by every question.
    """

    def __init__(self, stream: Stream, items: Sequence[Placed], join: str | None, calls: Mapping[str, set[Any]]) -> None:
        self.stream = stream
        self.items = items
        self._join = join
        self._calls = calls
        self._by: dict[Any, list[Placed]] | None = None

    def leaves(self) -> list[str]:
        """The leaves that hold records, in order."""
        prefix = self.stream.name + "/"
        return list(dict.fromkeys(s for i in self.items for s in i.record.streams if s.startswith(prefix)))

    def find(self, leaf: str | None, value: Any = ANY) -> Sequence[Placed]:
        """The items of a leaf (None: of the whole stream) that may have this joining value, in order."""
        if self._join is None:
            value = ANY
        if leaf is None and value is ANY:
            return self.items
        if self._by is None:
            if len(self.items) <= FEW:
                return [placed for placed in self.items if self._may_be(placed.record, leaf, value)]
            self._by = self._laid_out()
        leaves = (ANY,) if leaf is None else (leaf, None)
        values = (ANY,) if value is ANY else (value, None)
        names = [(a, b) for a in leaves for b in values]
        found = [placed for name in names for placed in self._by.get(name, ())]
        return found if len(found) < 2 else sorted({placed.at: placed for placed in found}.values(), key=_at)

    def _may_be(self, record: Record, leaf: str | None, value: Any) -> bool:
        """The same question asked of one record."""
        if leaf is not None and leaf not in record.streams:
            prefix = self.stream.name + "/"
            own = [s for s in record.streams if s.startswith(prefix)]
            if not own and record.call is not None:
                own = [s for p in self.items if p.record.call == record.call for s in p.record.streams if s.startswith(prefix)]
            if own and leaf not in own:
                return False
        return value is ANY or any(found is None or found == value for found in self.values(record))

    def _laid_out(self) -> dict[Any, list[Placed]]:
        by: dict[Any, list[Placed]] = {}
        prefix = self.stream.name + "/"
        leaf_of_call: dict[str, list[str]] = {}
        if self.stream.keyed:
            for placed in self.items:
                leaves = [s for s in placed.record.streams if s.startswith(prefix)]
                if leaves and placed.record.call is not None:
                    leaf_of_call.setdefault(placed.record.call, leaves)
        for placed in self.items:
            record = placed.record
            leaves = [s for s in record.streams if s.startswith(prefix)] if self.stream.keyed else []
            call = record.call or ""
            for value in (*self.values(record), ANY):
                for leaf in (*(leaves or leaf_of_call.get(call) or (None,)), ANY):
                    by.setdefault((leaf, value), []).append(placed)
        return by

    def values(self, record: Record) -> Iterable[Any]:
        """What a record, or another one of its operation, is joined by; ``None``: that was not recorded."""
        if self._join is None:
            return ()
        if self._join in record.fields:
            return (join_value(record.fields[self._join]),)
        return self._calls.get(record.call or "") or (None,)


def _at(placed: Placed) -> int:
    return placed.at
