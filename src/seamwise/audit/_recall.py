"""Results told, each shape of records judged once.

A corpus holds thousands of instances that differ, as far as their contract reads them, in names alone: other ids, another customer, another
subject. The first of a shape is told with blanks where its names and steps stand; all others fill the blanks in. INVARIANT: what is told
is what judging and telling the instance by itself gives, byte for byte.

Which fields hold only names is the kind's word (``Kind.opaque``), and what else it does not tell apart (``Kind.blurred``). Names that a
contract itself mentions are no blanks, and whatever is out of the ordinary (claims of a recording, a contradiction, a crossing step, for
which the trace is searched) is told by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from seamwise.audit._instances import Instance, instances_of
from seamwise.audit._items import Item, Placed, named, names_of, text_of
from seamwise.audit._judging import Judging
from seamwise.audit._known import Sought
from seamwise.audit._layout import Ground, Layout, shelves_of
from seamwise.audit._reads import Reads
from seamwise.audit._refs import Held, marked, ref_of, told
from seamwise.audit._result import Result, StepRef
from seamwise.audit._shape import BEGIN, END, Blanks, Shape, Shaper
from seamwise.audit._story import crossing_of, result_of
from seamwise.audit._units import Lot, Units
from seamwise.binding import Bound, Contract, Stream, key_text, step_shown
from seamwise.kernel import Record, Status
from seamwise.kernel.shapes import strings_in

MAX_SHAPES = 4_000
"""Shapes that are remembered, over all contracts."""

_encode = msgspec.json.Encoder().encode
_BLANK = re.compile(f"trace {BEGIN}T\\d+{END} #0, {BEGIN}U(?P<told>\\d+){END}, {BEGIN}X{END}|{BEGIN}(?P<sort>[NSC])(?P<at>\\d+){END}")


class Scope(NamedTuple):
    """A trace or (without an id) the corpus: its records, and what was made of them for other contracts."""

    id: str
    items: Mapping[int, Sequence[Placed]]
    """Stream, by place in the pack -> its records, each with the stated order among those that are read together; those that hold none
    may be left out."""
    made: dict[int, StepRef]
    """References, by the place of their record."""


class Told(NamedTuple):
    """A result, and what is still to be looked for in the trace of its crossing step."""

    result: Result
    crossing: tuple[StepRef, Sought] | None = None


class Recall:
    """Tells the results of contracts.

    Args:
        contracts: The contracts.
        streams: The pack's streams.
        reads: Where each contract looks.
        judging: Judges what was not met before.
        redact: Whether texts are cut and masked.
        remember: Whether shapes are remembered at all.
    """

    def __init__(
        self,
        contracts: Sequence[Contract],
        streams: Sequence[Stream],
        reads: Mapping[str, Reads],
        judging: Judging,
        *,
        redact: bool,
        remember: bool = True,
    ) -> None:
        self._streams = streams
        self._reads = reads
        self._judging = judging
        self._redact = redact
        self._remember = remember
        self._shapers = {c.name: _shaper(c, reads[c.name]) for c in contracts}
        self._names = {c.name: names_of(c) for c in contracts}
        self._units = {c.name: Units(c, streams, reads[c.name]) for c in contracts}
        self._known: dict[Any, tuple[Filled, ...] | None] = {}
        self.hits = 0

    def forget(self) -> None:
        """Lets go of all shapes."""
        self._known.clear()
        for shaper in self._shapers.values():
            shaper.forget()

    def told(self, contract: Contract, scope: Scope, ground: Ground) -> Iterator[Told]:
        """The contract's results in a scope."""
        counted = bool(ground.counts) and any(self._streams[n].name in ground.counts for n in self._reads[contract.name].streams)
        plain = self._remember and not counted and not ground.claims and ground.clock is None
        items = named(scope.items, self._reads[contract.name].streams, self._names[contract.name])
        for lot in self._units[contract.name].lots(items, apart=not counted):
            results = self._recalled(contract, scope, lot, ground) if plain else None
            if results is not None:
                yield from map(Told, results)
            else:
                yield from (told for _, told in self._instances(contract, scope, lot, ground))

    def _recalled(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground) -> list[Result] | None:
        """The results of a lot, its shape told once; None: it has to be told by itself."""
        if self._shapers[contract.name].blurs:
            results = self._of_shape(contract, scope, lot, ground, blurred=True)
            if results is not None:
                return results
        return self._of_shape(contract, scope, lot, ground, blurred=False)

    def _of_shape(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground, *, blurred: bool) -> list[Result] | None:
        shape = self._shapers[contract.name].of(scope.id, lot, ground.context, blurred=blurred)
        if shape is None:
            return None
        key = (contract.index, blurred, id(ground.context), ground.trusted, shape.key)
        known = self._known.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            known = self._first(contract, scope, shape, ground, blurred=blurred)
            if len(self._known) < MAX_SHAPES:
                self._known[key] = known
        else:
            self.hits += 1
        if known is None:
            return None
        filling = Filling(shape, scope.made, self._redact)
        results = [filled(filling) for filled in known]
        try:
            for result in results:
                _encode(result)
        except UnicodeEncodeError:
            return None
        return results

    def _instances(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground) -> Iterator[tuple[Instance, Told]]:
        """The instances of a lot, judged and told by themselves."""
        items: dict[int, list[Placed]] = {n: [] for n in self._reads[contract.name].streams}
        for n, placed in lot:
            items[n].append(placed)
        layout = Layout(contract, self._streams, self._reads[contract.name], shelves_of(contract, self._streams, items), ground)
        for instance in instances_of(contract, layout, scope.id if contract.across == "trace" else None):
            case = self._judging.case(contract, layout, instance, ground)
            result = result_of(case, self._streams, redact=self._redact, made=scope.made)
            yield instance, Told(result, crossing_of(case, result))

    def _first(self, contract: Contract, scope: Scope, shape: Shape, ground: Ground, *, blurred: bool) -> tuple[Filled, ...] | None:
        """The results of a shape with blanks, or None where they are out of the ordinary."""
        if any(_MARK in repr(placed.record) for _, placed in shape.lot):
            return None
        blanks = Blanks(shape, self._shapers[contract.name].opaque)
        steps: dict[tuple[str, str], int] = {}
        lot: Lot = []
        for at, (n, placed) in enumerate(shape.lot):
            record = blanks.record(placed.record)
            trace, step, call = _step_of(placed.item)
            ref = _blank_ref(at, steps.setdefault((trace, step), at), call is not None)
            lot.append((n, Placed(at, record, Held(record, ref, at))))
        out: list[Filled] = []
        for instance, (result, crossing) in self._instances(contract, Scope(blanks.scope, {}, {}), lot, ground):
            if crossing is not None or result.status is Status.NOT_JUDGED or result.clashes:
                return None
            if not blurred:
                out.append(compiled(result))
            elif result.status not in _CLEAR or result.notes:
                return None
            elif result.headline and contract.kind.headline is not None:
                out.append(_headed(compiled(result), contract.kind.headline, contract.params(**instance.params)))
            else:
                out.append(compiled(result))
        return tuple(out)


_MARK = repr(BEGIN)[1:-1]
_CLEAR = frozenset({Status.RULED_OUT, Status.NOT_APPLICABLE})
"""What is told of a blurred shape: a verdict that says no more of its records than which they are."""


def _shaper(contract: Contract, reads: Reads) -> Shaper:
    params = contract.params(**({contract.anchor.param: "~"} if contract.anchor.param else {}))
    named = strings_in(msgspec.to_builtins(params)) | strings_in([list(map(text_of, values)) for values in contract.where.values()])
    named |= {look.leaf for look in reads.looks("~") if look.leaf is not None}
    if contract.fixed is not None:
        named |= {contract.fixed, key_text(contract.fixed) or ""}
    return Shaper(contract, params, frozenset(named | {text.partition("/")[2] for text in named}))


def _step_of(item: Item) -> tuple[str, str, str | None]:
    """Trace, step and call of what a record came with."""
    if isinstance(item, Held):
        return item.ref.trace, item.ref.step, item.ref.call
    assert isinstance(item, Bound)
    return item.record.trace or "", item.step.id, item.step.call


class Blank(StepRef, frozen=True, kw_only=True):
    """Stands for the reference of a record."""

    at: int
    """The record's place in the shape."""


def _blank_ref(at: int, first: int, called: bool) -> Blank:
    """The reference of a record with blanks for its words.

    Args:
        at: The record's place in the shape.
        first: The first place of a record of the same step.
        called: Whether the step belongs to a call.
    """
    return Blank(
        trace=f"{BEGIN}T{first}{END}",
        step=f"{first}",
        index=0,
        kind="",
        actor=f"{BEGIN}U{at}{END}",
        tool=f"{BEGIN}X{END}",
        call=f"{BEGIN}C{at}{END}" if called else None,
        at=at,
    )


class Filling:
    """What stands in the blanks of one lot."""

    __slots__ = ("_lot", "_made", "_redact", "names")

    def __init__(self, shape: Shape, made: dict[int, StepRef], redact: bool) -> None:
        self._lot = shape.lot
        self._made = made
        self._redact = redact
        self.names = shape.names

    def ref(self, at: int) -> StepRef:
        """The reference of a record."""
        placed = self._lot[at][1]
        ref = self._made.get(placed.at)
        if ref is None:
            item = placed.item
            assert isinstance(item, (Bound, Held))
            ref = self._made[placed.at] = ref_of(item, redact=self._redact)
        return ref

    def records(self) -> list[Record]:
        """The records themselves."""
        return [placed.record for _, placed in self._lot]

    def call(self, at: int) -> str:
        """The name that a record's step has for its call."""
        return _step_of(self._lot[at][1].item)[2] or ""


Filled = Callable[[Filling], Any]
"""A value with its blanks filled in."""
_UNKNOWN: Final[Any] = object()


def compiled(result: Result) -> Filled:
    """A result that fills its blanks."""
    parts = [(name, made) for name in result.__struct_fields__ if (made := _compiled(getattr(result, name))) is not None]

    def fill(filling: Filling) -> Result:
        return msgspec.structs.replace(result, **{name: made(filling) for name, made in parts})

    return fill


def _headed(result: Filled, headline: Callable[[Sequence[Record], Any], str], params: Any) -> Filled:
    """A result whose headline is written for each lot."""
    return lambda filling: msgspec.structs.replace(result(filling), headline=headline(filling.records(), params))


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
        if all(type(item) is Blank and not item.marks for item in value):
            places = tuple(item.at for item in value)
            return lambda filling: tuple(map(filling.ref, places))
        return lambda filling: tuple([item if made is None else made(filling) for item, made in items])
    if isinstance(value, dict):
        entries = [(key, _compiled(key), item, _compiled(item)) for key, item in value.items()]
        if all(a is None and b is None for _, a, _, b in entries):
            return None
        if all(a is None for _, a, _, _ in entries):
            return lambda filling: {k: v if b is None else b(filling) for k, _, v, b in entries}
        return lambda filling: {(k if a is None else a(filling)): (v if b is None else b(filling)) for k, a, v, b in entries}
    if isinstance(value, msgspec.Struct):
        parts = [(name, made) for name in value.__struct_fields__ if (made := _compiled(getattr(value, name))) is not None]
        if not parts:
            return None
        return lambda filling: msgspec.structs.replace(value, **{name: made(filling) for name, made in parts})
    return None


def _compiled_text(text: str) -> Filled:
    parts: list[str | Filled] = []
    at = 0
    for blank in _BLANK.finditer(text):
        parts += (text[at : blank.start()], _blank(blank))
        at = blank.end()
    parts = [part for part in (*parts, text[at:]) if part != ""]
    if len(parts) == 1 and not isinstance(parts[0], str):
        return parts[0]
    return lambda filling: "".join([part if isinstance(part, str) else part(filling) for part in parts])


def _blank(blank: re.Match[str]) -> Filled:
    """What stands in one blank."""
    if (words := blank["told"]) is not None:
        record = int(words)
        return lambda filling: told(filling.ref(record))
    sort, at = blank["sort"], int(blank["at"])
    if sort == "C":
        return lambda filling: filling.call(at)
    if sort == "S":
        return lambda filling: step_shown(filling.names[at])
    return lambda filling: filling.names[at]


def _compiled_ref(at: int, marks: tuple[str, ...]) -> Filled:
    if marks:
        return lambda filling: marked(filling.ref(at), *marks)
    return lambda filling: filling.ref(at)
