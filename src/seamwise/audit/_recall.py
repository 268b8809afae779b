"""Results told again.

A corpus holds thousands of traces that differ, as far as one contract reads them, in names alone: other ids, another customer, another
subject. The first of a shape is told with blanks where its names and steps stand; all others fill the blanks in. INVARIANT: what is told
is, byte for byte, what judging and telling the trace by itself gives.

Which fields only carry names is the kind's word (``Kind.opaque``), as for :class:`~seamwise.kernel.ShapeCache`. Names that a contract
itself mentions are no blanks, and whatever is out of the ordinary (claims of a recording, a name that holds the mark of a blank, a
contradiction) is told by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._refs import Blank, ref_of, told
from seamwise.audit._result import Result, StepRef
from seamwise.binding import Bound, Contract
from seamwise.kernel import Context, Record
from seamwise.kernel.shapes import strings_in

MAX_SHAPES = 4_000
"""Shapes that are remembered, over all contracts."""
BEGIN, END = "\x0e", "\x0f"
"""What a blank is put between."""
_BLANK = re.compile(f"{BEGIN}([A-Z])(\\d+){END}")
_encode = msgspec.json.Encoder().encode

Told = Callable[["Names", Sequence[Bound], Callable[[Bound], StepRef]], Any]
"""A value with its blanks filled in."""


class Names(NamedTuple):
    """What stands in the blanks of one trace."""

    values: list[str]


class Shape(NamedTuple):
    """The records of one contract in one trace, with tokens for names."""

    key: Any
    names: list[str]
    bounds: list[Bound]


class Reader:
    """Reads the shape off records, for one contract.

    Args:
        contract: The contract.
        streams: Which streams it reads, by place in the pack.
        mentioned: Strings that the contract, or where it looks, mentions.
    """

    def __init__(self, contract: Contract, streams: Sequence[int], mentioned: frozenset[str]) -> None:
        self._streams = streams
        opaque = contract.kind.opaque
        self._opaque = opaque - {"t"} if contract.period is not None else opaque
        self._timeless = "t" in self._opaque
        self._mentioned = mentioned
        self._literals: dict[int, frozenset[str]] = {}

    def literals(self, context: Context) -> frozenset[str]:
        """Names that stay themselves."""
        found = self._literals.get(id(context))
        if found is None:
            found = self._literals[id(context)] = self._mentioned | strings_in(dict(context.parts))
        return found

    def forget(self) -> None:
        """Lets go of what was remembered of contexts."""
        self._literals.clear()

    def shape(self, trace: str, bounds: Mapping[int, Sequence[Bound]], context: Context) -> Shape | None:
        """The shape of the records; None: they are out of the ordinary."""
        ordered = _in_order(bounds, self._streams)
        literals = self.literals(context)
        index: dict[str, int] = {trace: 0}
        names = [trace]

        def name(text: str) -> Any:
            at = index.get(text)
            if at is None:
                if text in literals or not text:
                    return text
                at = index[text] = len(names)
                names.append(text)
            return at

        opaque, timeless = self._opaque, self._timeless
        cells: list[Any] = []
        add = cells.append
        for n, bound in ordered:
            record = bound.record
            if record.id.count("#") != 1:
                return None
            fields = record.fields
            add(n)
            add(record.kind)
            add(name(record.id))
            call = record.call
            if call is not None:
                if "#" in call:
                    return None
                call = name(call)
            add(call)
            for field, value in fields.items():
                if field in opaque:
                    if timeless and field == "t":
                        continue
                    add(field)
                    add(name(value) if type(value) is str else _tokens(value, name))
                else:
                    add(field)
                    add(value if type(value) is str else _frozen(value))
            for stream in record.streams:
                family, slash, key = stream.partition("/")
                if slash:
                    if "%" in key:
                        return None
                    add(family)
                    add(name(key) if key != "*" else key)
                else:
                    add(stream)
            if record.after:
                add(tuple(map(name, record.after)))
            add(record.source)
        add(_order_of([bound.record for _, bound in ordered], timeless, name))
        return Shape(tuple(cells), names, [bound for _, bound in ordered])


def _in_order(bounds: Mapping[int, Sequence[Bound]], streams: Sequence[int]) -> list[tuple[int, Bound]]:
    """The records with their streams, in the order of the trace."""
    out = [(n, bound) for n in streams for bound in bounds[n]]
    if len(out) > 1:
        out.sort(key=_place)
    return out


def _place(item: tuple[int, Bound]) -> tuple[int, int]:
    return item[1].place, item[0]


def _order_of(records: Sequence[Record], timeless: bool, name: Callable[[str], Any]) -> Any:
    """What chains and times say of the order: nothing more than True where the records stand in it."""
    chain: str | None = None
    last = -1
    straight = True
    for record in records:
        if record.chain is None or record.time is not None or (chain is not None and record.chain[0] != chain) or record.chain[1] <= last:
            straight = False
            break
        chain, last = record.chain
    if straight:
        return None if chain is None else name(chain)
    places: dict[str, list[int]] = {}
    for record in records:
        if record.chain is not None:
            places.setdefault(record.chain[0], []).append(record.chain[1])
    ranks = {chain: {p: i for i, p in enumerate(sorted(set(found)))} for chain, found in places.items()}
    moments = {m: i for i, m in enumerate(sorted({m for r in records if r.time is not None for m in r.time}))}
    out: list[Any] = []
    for record in records:
        out.append(None if record.chain is None else (name(record.chain[0]), ranks[record.chain[0]][record.chain[1]]))
        time = record.time
        out.append(time if time is None or not timeless else (moments[time[0]], moments[time[1]]))
    return tuple(out)


def _tokens(value: Any, name: Callable[[str], Any]) -> Any:
    """A value of a field that only carries names; what stands for a name differs in type from what is one."""
    if type(value) is str:
        return (name(value),)
    if type(value) is tuple:
        return (tuple, *(_tokens(item, name) for item in value))
    if isinstance(value, Mapping):
        return (dict, *((name(k), _tokens(v, name)) for k, v in value.items()))
    return _frozen(value)


def _frozen(value: Any) -> Any:
    """A value as something that is equal to what it cannot be told apart from, and to nothing else."""
    if type(value) is str:
        return value
    if isinstance(value, (tuple, list)):
        return (tuple, *map(_frozen, value))
    if isinstance(value, Mapping):
        return (dict, *((k, _frozen(v)) for k, v in value.items()))
    return (type(value), str(value)) if type(value).__name__ == "Decimal" else (type(value), value)


class Blanks:
    """The records of a shape with blanks for their names, to be judged and told once."""

    def __init__(self, shape: Shape, opaque: frozenset[str], literals: frozenset[str], *, timeless: bool) -> None:
        self._blank: dict[str, str] = {}
        ids = {bound.record.id for bound in shape.bounds}
        for i, text in enumerate(shape.names):
            made = f"{BEGIN}N{i}{END}"
            self._blank[text] = f"{BEGIN}N0{END}#{made}" if text in ids and i else made
        self._opaque, self._literals, self._timeless = opaque, literals, timeless

    @property
    def trace(self) -> str:
        """What stands for the trace."""
        return f"{BEGIN}N0{END}"

    def of(self, text: str) -> str:
        """What stands for a name."""
        return self._blank.get(text, text)

    def record(self, record: Record) -> Record:
        """The record with blanks."""
        fields = {
            field: self._value(value) if field in self._opaque else value
            for field, value in record.fields.items()
            if field != "t" or not self._timeless
        }
        return msgspec.structs.replace(
            record,
            id=self.of(record.id),
            fields=fields,
            streams=tuple(map(self._stream, record.streams)),
            call=None if record.call is None else self.of(record.call),
            chain=None if record.chain is None else (self.of(record.chain[0]), record.chain[1]),
            after=tuple(map(self.of, record.after)),
            trace=self.trace,
        )

    def _stream(self, stream: str) -> str:
        family, slash, key = stream.partition("/")
        return f"{family}/{self.of(key)}" if slash else stream

    def _value(self, value: Any) -> Any:
        if type(value) is str:
            return self.of(value)
        if type(value) is tuple:
            return tuple(map(self._value, value))
        if isinstance(value, Mapping):
            return {self.of(k): self._value(v) for k, v in value.items()}
        return value
