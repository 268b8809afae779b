"""Results told again.

A corpus holds thousands of traces that differ, as far as one contract reads them, in names alone: other ids, another customer, another
subject. The first of a shape is told with blanks where its names and steps stand; all others fill the blanks in. INVARIANT: what is told
is what judging and telling the trace by itself gives, byte for byte.

Which fields hold only names is the kind's word (``Kind.opaque``), as for :class:`~seamwise.kernel.ShapeCache`. Names that a contract
itself mentions are no blanks, and whatever is out of the ordinary (claims of a recording, a contradiction, a crossing step, for which the
trace is searched) is told by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from seamwise.audit._instances import instances_of
from seamwise.audit._items import Placed
from seamwise.audit._judging import Judging
from seamwise.audit._layout import Ground, Layout, shelves_of
from seamwise.audit._reads import Reads
from seamwise.audit._refs import Held, marked, ref_of, told
from seamwise.audit._result import Result, StepRef
from seamwise.audit._shape import BEGIN, END, Blanks, Shape, Shaper
from seamwise.audit._story import crossing_of, result_of
from seamwise.audit._units import Lot, Units
from seamwise.binding import Bound, Contract, Stream, key_text
from seamwise.kernel import Status
from seamwise.kernel.shapes import strings_in

MAX_SHAPES = 4_000
"""Shapes that are remembered, over all contracts."""

_encode = msgspec.json.Encoder().encode
_BLANK = re.compile(f"trace {BEGIN}T\\d+{END} #0, {BEGIN}U(?P<told>\\d+){END}, {BEGIN}X{END}|{BEGIN}(?P<sort>[NSC])(?P<at>\\d+){END}")


class Scope(NamedTuple):
    """A trace's records, and what was made of them for other contracts."""

    id: str
    bounds: Mapping[int, Sequence[Bound]]
    """Stream, by place in the pack -> its records, each with the stated order among those that are read together."""
    made: dict[int, StepRef]
    """References, by the place of their record."""


class Recall:
    """Tells the results of traces, each shape judged once.

    Args:
        streams: The pack's streams.
        reads: Where each contract looks.
        judging: Judges what was not met before.
        redact: Whether texts are cut and masked.
    """

    def __init__(
        self, contracts: Sequence[Contract], streams: Sequence[Stream], reads: dict[str, Reads], judging: Judging, *, redact: bool
    ) -> None:
        self._streams = streams
        self._reads = reads
        self._judging = judging
        self._redact = redact
        self._shapers = {c.name: Shaper(c, mentioned_by(c, reads[c.name])) for c in contracts}
        self._units = {c.name: Units(c, streams, reads[c.name]) for c in contracts}
        self._known: dict[Any, tuple[Filled, ...] | None] = {}
        self.hits = 0

    def forget(self) -> None:
        """Lets go of all shapes."""
        self._known.clear()
        for shaper in self._shapers.values():
            shaper.forget()

    def results(self, contract: Contract, scope: Scope, ground: Ground) -> list[Result] | None:
        """The contract's results in a scope; None: they have to be told by themselves."""
        if ground.claims or ground.clock is not None or ground.counts:
            return None
        out: list[Result] = []
        for lot in self._units[contract.name].lots(scope.bounds):
            found = self._of_lot(contract, scope, lot, ground)
            if found is None:
                return None
            out += found
        return out

    def _of_lot(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground) -> list[Result] | None:
        shape = self._shapers[contract.name].of(scope.id, lot, ground.context)
        if shape is None:
            return None
        key = (contract.index, id(ground.context), ground.trusted, shape.key)
        known = self._known.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            known = self._told(contract, shape, ground)
            if len(self._known) < MAX_SHAPES:
                self._known[key] = known
        else:
            self.hits += 1
        if known is None:
            return None
        filling = Filling(shape, scope.made, len(self._streams), self._redact)
        results = [filled(filling) for filled in known]
        try:
            for result in results:
                _encode(result)
        except UnicodeEncodeError:
            return None
        return results

    def _told(self, contract: Contract, shape: Shape, ground: Ground) -> tuple[Filled, ...] | None:
        """The contract's results with blanks, or None where they are out of the ordinary."""
        blanks = Blanks(shape, self._shapers[contract.name].opaque)
        items: dict[int, list[Placed]] = {n: [] for n in self._reads[contract.name].streams}
        first: dict[int, int] = {}
        for at, (n, bound) in enumerate(shape.lot):
            record = blanks.record(bound.record)
            ref = _blank_ref(at, first.setdefault(bound.place, at), bound)
            items[n].append(Placed(at, record, Held(record, ref, at)))
        reads = self._reads[contract.name]
        layout = Layout(contract, self._streams, reads, shelves_of(contract, self._streams, items), ground)
        out = []
        for instance in instances_of(contract, layout, blanks.scope):
            case = self._judging.case(contract, layout, instance, ground)
            result = result_of(case, self._streams, redact=self._redact)
            if result.status is Status.NOT_JUDGED or result.clashes or crossing_of(case, result) is not None:
                return None
            out.append(compiled(result))
        return tuple(out)


class Blank(StepRef, frozen=True, kw_only=True):
    """Stands for the reference of a record."""

    at: int
    """The record's place in the shape."""


def _blank_ref(at: int, first: int, bound: Bound) -> Blank:
    call = None if bound.step.call is None else f"{BEGIN}C{at}{END}"
    return Blank(
        trace=f"{BEGIN}T{first}{END}",
        step=f"{first}",
        index=0,
        kind="",
        actor=f"{BEGIN}U{at}{END}",
        tool=f"{BEGIN}X{END}",
        call=call,
        at=at,
    )


class Filling:
    """What stands in the blanks of one trace."""

    def __init__(self, shape: Shape, made: dict[int, StepRef], width: int, redact: bool) -> None:
        self._shape = shape
        self._made = made
        self._width = width
        self._redact = redact

    def ref(self, at: int) -> StepRef:
        """The reference of a record."""
        n, bound = self._shape.lot[at]
        place = bound.place * self._width + n
        ref = self._made.get(place)
        if ref is None:
            ref = self._made[place] = ref_of(bound, redact=self._redact)
        return ref

    def text(self, blank: re.Match[str]) -> str:
        """What stands in a blank."""
        if (at := blank["told"]) is not None:
            return told(self.ref(int(at)))
        sort, place = blank["sort"], int(blank["at"])
        if sort == "C":
            return self._shape.lot[place].bound.step.call or ""
        name = self._shape.names[place]
        return name.rpartition("#")[2] if sort == "S" else name


Filled = Callable[[Filling], Any]
"""A value with its blanks filled in."""
_UNKNOWN: Final[Any] = object()


def compiled(result: Result) -> Filled:
    """A result that fills its blanks."""
    parts = [(name, made) for name in result.__struct_fields__ if (made := _compiled(getattr(result, name))) is not None]

    def fill(filling: Filling) -> Result:
        return msgspec.structs.replace(result, **{name: made(filling) for name, made in parts})

    return fill


def _compiled(value: Any) -> Filled | None:
    """How the blanks of a value are filled; None: it has none."""
    if isinstance(value, str):
        return _compiled_text(value) if BEGIN in value else None
    if isinstance(value, Blank):
        return _compiled_ref(value.at, value.marks)
    if isinstance(value, tuple):
        items = [(item, _compiled(item)) for item in value]
        if all(made is None for _, made in items):
            return None
        return lambda filling: tuple([item if made is None else made(filling) for item, made in items])
    if isinstance(value, dict):
        entries = [(key, _compiled(key), item, _compiled(item)) for key, item in value.items()]
        if all(a is None and b is None for _, a, _, b in entries):
            return None
        return lambda filling: {(k if a is None else a(filling)): (v if b is None else b(filling)) for k, a, v, b in entries}
    if isinstance(value, msgspec.Struct):
        parts = [(name, made) for name in value.__struct_fields__ if (made := _compiled(getattr(value, name))) is not None]
        if not parts:
            return None
        return lambda filling: msgspec.structs.replace(value, **{name: made(filling) for name, made in parts})
    return None


def _compiled_text(text: str) -> Filled:
    whole = _BLANK.fullmatch(text)
    if whole is not None:
        return lambda filling: filling.text(whole)
    return lambda filling: _BLANK.sub(filling.text, text)


def _compiled_ref(at: int, marks: tuple[str, ...]) -> Filled:
    if marks:
        return lambda filling: marked(filling.ref(at), *marks)
    return lambda filling: filling.ref(at)


def mentioned_by(contract: Contract, reads: Reads) -> frozenset[str]:
    """Strings that a contract mentions."""
    params = contract.params(**({contract.anchor.param: "~"} if contract.anchor.param else {}))
    named = strings_in(msgspec.to_builtins(params)) | strings_in([list(values) for values in contract.where.values()])
    named |= {look.leaf for look in reads.looks("~") if look.leaf is not None}
    if contract.fixed is not None:
        named |= {contract.fixed, key_text(contract.fixed) or ""}
    return frozenset(named | {text.partition("/")[2] for text in named})
