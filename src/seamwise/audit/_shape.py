"""The shape of what one contract reads: its records with tokens for the names, and the same with blanks for them.

INVARIANT: two lots of records with one key differ in names alone, each of them standing in the same places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._units import Lot
from seamwise.binding import Contract
from seamwise.kernel import CLOCK, OPENINGS, Context, Record
from seamwise.kernel.shapes import strings_in

BEGIN, END = "\x0e", "\x0f"
"""What a blank stands between."""
Name = Callable[[str], Any]
Blurred = Callable[[Sequence[Record], Any], Sequence[Mapping[str, Any]]]


class Shape(NamedTuple):
    """The records of one contract in one scope."""

    key: Any
    names: list[str]
    """Whatever was replaced by a token; the first is the scope's name."""
    lot: Lot
    """The records, in the order of the scope."""


class Shaper:
    """Reads shapes off records, for one contract.

    Args:
        contract: The contract.
        params: Its parameters, with a placeholder for an instance's own.
        mentioned: Strings that the contract mentions; they are no names.
    """

    def __init__(self, contract: Contract, params: Any, mentioned: frozenset[str]) -> None:
        self._blurred = contract.kind.blurred
        self._params = params
        self._telling = tuple(dict.fromkeys(f for f in (contract.anchor.field, *contract.anchor.join, *contract.where) if f))
        """Fields by which the contract's instances are told."""
        self.blurs = self._blurred is not None
        """Whether the kind tells less apart than all values."""
        self.opaque = contract.kind.opaque - {"t"} if contract.period is not None else contract.kind.opaque
        self._periods = self.opaque | {"period"} if contract.period is not None else self.opaque
        """Where only which records share a period counts, what it is called is a name like any other."""
        self._timeless = "t" in self.opaque
        self._mentioned = mentioned
        self._literals: dict[int, frozenset[str]] = {}

    def forget(self) -> None:
        """Lets go of what was remembered of contexts, which are told apart by their identity."""
        self._literals.clear()

    def of(self, scope: str, lot: Lot, context: Context, *, blurred: bool) -> Shape | None:
        """The shape of the records; None: something is out of the ordinary.

        Args:
            scope: The trace's id; empty for the corpus.
            lot: The records, in the order of the scope.
            context: The organization.
            blurred: Whether what the kind does not tell apart is one shape.
        """
        literals = self._literals.get(id(context))
        if literals is None:
            literals = self._literals[id(context)] = self._mentioned | strings_in(dict(context.parts))
        if scope and scope in literals:
            return None
        records = [placed.record for _, placed in lot]
        shared = _shared(records)
        if shared and (blurred or self._timeless) and _compared(records):
            return None  # moments that are no part of the shape are held against one another
        contents: Sequence[Mapping[str, Any]] | None = None
        if blurred and self._blurred is not None:
            contents = self._contents(records, self._blurred, shared)
        opaque, timeless = (self.opaque, self._timeless) if contents is None else (self._periods, True)
        index: dict[str, int] = {scope: 0}
        at = index.setdefault

        def name(text: str) -> Any:
            return text if text in literals or not text else at(text, len(index))

        cells: list[Any] = []
        for i, (n, placed) in enumerate(lot):
            record = placed.record
            trace, own, call = record.trace, record.id, record.call
            told: list[Any] = []
            # asked of every record by every contract that reads it, so the commonest names are looked up where they stand
            for field, value in (record.fields if contents is None else contents[i]).items():
                kind = type(value)
                if field not in opaque:
                    told += (field, value if kind is str else (kind, value) if kind is int or kind is bool else frozen(value))
                elif kind is str:
                    told += (field, value if value in literals or not value else at(value, len(index)))
                elif field != "t":
                    told += (field, _tokens(value, name))
            streams: list[Any] = []
            for stream in record.streams:
                if "/" not in stream:
                    streams.append(stream)
                    continue
                family, _, key = stream.partition("/")
                if "%" in key:
                    return None  # people see it otherwise than it is
                streams.append((family, name(key)))
            cells += (
                n,
                record.kind,
                0 if trace == scope else name(trace or ""),
                own if own in literals else at(own, len(index)),
                call if call is None or call in literals else at(call, len(index)),
                record.source,
                tuple(told),
                tuple(streams),
                tuple(map(name, record.after)) if record.after else None,
            )
        cells.append(_order_of(records, timeless, name))  # of a blurred moment only its place is left
        return Shape(tuple(cells), list(index), lot)

    def _contents(self, records: Sequence[Record], blurred: Blurred, shared: frozenset[str]) -> Sequence[Mapping[str, Any]]:
        """The fields that are told apart.

        What two records of one operation say is compared, whatever the kind reads; and by some fields it is told which instances there are.
        """
        contents = blurred(records, self._params)
        if self._telling:
            named = self._telling
            contents = [
                {**{f: record.fields[f] for f in named if f in record.fields}, **content}
                for record, content in zip(records, contents, strict=True)
            ]
        if shared:
            contents = [r.fields if r.id in shared or r.call in shared else c for r, c in zip(records, contents, strict=True)]
        return contents


def _shared(records: Sequence[Record]) -> frozenset[str]:
    """Calls and ids that several records have: those records are one operation."""
    calls = [r.call for r in records if r.call is not None]
    ids = [r.id for r in records]
    if len(set(calls)) == len(calls) and len(set(ids)) == len(ids):
        return frozenset()
    return frozenset(name for names in (calls, ids) for name, n in Counter(names).items() if n > 1)


def _compared(records: Sequence[Record]) -> bool:
    """Whether two records tell of one beginning, or of one ending."""
    told = [(r.call, r.kind in OPENINGS) for r in records if r.call is not None]
    return len(set(told)) < len(told) or len({r.id for r in records}) < len(records)


def _order_of(records: Sequence[Record], timeless: bool, name: Name) -> Any:
    """What chains and moments say of the order; the chain alone, where the records stand in it one after the other."""
    chain: str | None = None
    last = -1
    for record in records:
        if record.chain is None or record.time is not None or chain not in (None, record.chain[0]) or record.chain[1] <= last:
            break
        chain, last = record.chain
    else:
        return None if chain is None else _line(chain, name)
    places: dict[str, set[int]] = {}
    for record in records:
        if record.chain is not None:
            places.setdefault(record.chain[0], set()).add(record.chain[1])
    ranks = {chain: {place: rank for rank, place in enumerate(sorted(found))} for chain, found in places.items()}
    moments = {moment: rank for rank, moment in enumerate(sorted({m for r in records if r.time is not None for m in r.time}))}
    out: list[Any] = []
    for record in records:
        time = record.time
        out.append(None if record.chain is None else (_line(record.chain[0], name), ranks[record.chain[0]][record.chain[1]]))
        out.append(time if time is None or not timeless else (moments[time[0]], moments[time[1]]))
    return tuple(out)


def _line(chain: str, name: Name) -> Any:
    """A chain's token, and whether it is a clock: whose word an order is stands in the verdict."""
    return (CLOCK, name(chain)) if chain.startswith(CLOCK) else name(chain)


def _kept(chain: str, blank: str) -> str:
    return f"{CLOCK}{blank}" if chain.startswith(CLOCK) else blank


def _tokens(value: Any, name: Name) -> Any:
    """A value in which texts are names."""
    if type(value) is str:
        return (name(value),)
    if isinstance(value, tuple):
        return (tuple, *(_tokens(item, name) for item in value))
    if isinstance(value, Mapping):
        return (dict, *((name(key), _tokens(item, name)) for key, item in value.items()))
    return frozen(value)


def frozen(value: Any) -> Any:
    """Something that is equal for equal values that are written alike, and for no others."""
    if type(value) is str:
        return value
    if isinstance(value, (tuple, list)):
        return (tuple, *map(frozen, value))
    if isinstance(value, Mapping):
        return (dict, *((key, frozen(item)) for key, item in value.items()))
    return (type(value), str(value) if isinstance(value, Decimal) else value)


class Blanks:
    """A shape's records with blanks for their names: ``N`` for a name, ``S`` for that of a record's step.

    Args:
        shape: The shape.
        opaque: The fields in which texts are names.
    """

    def __init__(self, shape: Shape, opaque: frozenset[str]) -> None:
        ids = {placed.record.id for _, placed in shape.lot}
        self._blank: dict[str, str] = {text: f"{BEGIN}N{i}{END}" for i, text in enumerate(shape.names) if text}
        for i, text in enumerate(shape.names):
            if text in ids:
                self._blank[text] = f"{BEGIN}I{i}{END}#{BEGIN}S{i}{END}"
        self._places = {text: i for i, text in enumerate(shape.names) if text}
        self.scope = self.of(shape.names[0])
        """What stands for the scope's name."""
        self._opaque = opaque
        self.shape = shape

    def record(self, record: Record) -> Record:
        """The record with blanks."""
        fields = {
            field: self._value(value) if field in self._opaque else value
            for field, value in record.fields.items()
            if field != "t" or "t" not in self._opaque
        }
        return msgspec.structs.replace(
            record,
            id=self.of(record.id),
            fields=fields,
            streams=tuple(map(self._stream, record.streams)),
            call=None if record.call is None else self.of(record.call),
            chain=None if record.chain is None else (_kept(record.chain[0], self.of(record.chain[0])), record.chain[1]),
            after=tuple(map(self.of, record.after)),
            trace=self.of(record.trace or ""),
        )

    def of(self, text: str) -> str:
        """The blank for a name; of what is no name, the text itself."""
        return self._blank.get(text, text)

    def place(self, text: str) -> int | None:
        """The place of a name among the shape's names; None: it is none."""
        return self._places.get(text)

    def _stream(self, stream: str) -> str:
        family, slash, key = stream.partition("/")
        return f"{family}/{self.of(key)}" if slash else stream

    def _value(self, value: Any) -> Any:
        if type(value) is str:
            return self.of(value)
        if isinstance(value, tuple):
            return tuple(map(self._value, value))
        if isinstance(value, Mapping):
            return {self.of(key): self._value(item) for key, item in value.items()}
        return value
