"""Results told, each shape of records judged once.

A corpus holds thousands of instances that differ, as far as their contract reads them, in names alone: other ids, another customer, another
subject. The first of a shape is told with blanks where its names and steps stand; all others fill the blanks in. INVARIANT: what is told
is what judging and telling the instance by itself gives, byte for byte.

Which fields hold only names is the kind's word (``Kind.opaque``), and what else it does not tell apart (``Kind.blurred``). Names that a
contract itself mentions are no blanks, and whatever is out of the ordinary (claims of a recording, a contradiction, a crossing step, for
which the trace is searched) is told by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from seamwise.audit._instances import Instance, instances_of
from seamwise.audit._items import Placed, named, names_of, text_of
from seamwise.audit._judging import Judging
from seamwise.audit._known import Sought
from seamwise.audit._layout import Ground, Layout, shelves_of
from seamwise.audit._reads import Reads
from seamwise.audit._refs import Held, Made
from seamwise.audit._result import Result, StepRef
from seamwise.audit._shape import BEGIN, Blanks, Shape, Shaper
from seamwise.audit._story import crossing_of, result_of
from seamwise.audit._taken_back import with_targets
from seamwise.audit._template import Headline, Template, blank_ref, step_of, template_of
from seamwise.audit._told import Told, told
from seamwise.audit._units import Lot, Units
from seamwise.binding import TAKES_BACK, Contract, Stream, key_text
from seamwise.kernel import Status
from seamwise.kernel.shapes import strings_in

MAX_RECORDS = 64
"""Of a lot of more records hardly a second one has the shape; its instances share what is known of each of them instead."""
MAX_SHAPES = 4_000
"""Shapes that are remembered, over all contracts."""


class Scope(NamedTuple):
    """A trace or (without an id) the corpus: its records, and what was made of them for other contracts."""

    id: str
    items: Mapping[int, Sequence[Placed]]
    """Stream, by place in the pack -> its records, each with the stated order among those that are read together; those that hold none
    may be left out."""
    made: Made
    """References to the steps of its records."""


Crossing = tuple[StepRef, Sought]
"""What is still to be looked for in the trace of a crossing step."""


class Recall:
    """Tells the results of contracts.

    Args:
        contracts: The contracts.
        streams: The pack's streams.
        reads: Where each contract looks.
        judging: Judges what was not met before.
        remember: Whether shapes are remembered at all.
    """

    def __init__(
        self,
        contracts: Sequence[Contract],
        streams: Sequence[Stream],
        reads: Mapping[str, Reads],
        judging: Judging,
        *,
        remember: bool = True,
    ) -> None:
        self._streams = streams
        self._reads = reads
        self._judging = judging
        self._remember = remember
        self._shapers = {c.name: _shaper(c, reads[c.name]) for c in contracts}
        self._names = {c.name: names_of(c) for c in contracts}
        self._units = {c.name: Units(c, streams, reads[c.name]) for c in contracts}
        self._places = {c.name: n for n, c in enumerate(contracts)}
        self._known: dict[Any, tuple[Template, ...] | None] = {}
        self.hits = 0

    def forget(self) -> None:
        """Lets go of all shapes."""
        self._known.clear()
        for shaper in self._shapers.values():
            shaper.forget()

    def told(self, contract: Contract, scope: Scope, ground: Ground) -> Iterator[Told]:
        """The contract's results in a scope."""
        reads, units = self._reads[contract.name], self._units[contract.name]
        if not units.may_begin(scope.items):
            return
        items = named(scope.items, reads.streams, self._names[contract.name])
        if TAKES_BACK in contract.kind.opaque:
            items = with_targets(items, reads.streams, self._streams)
        for lot in units.lots(items):
            yield from self.of_lot(contract, scope, lot, ground)

    def of_lot(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground) -> list[Told]:
        """The contract's results in one lot of a scope, whose items need not be there."""
        counted = bool(ground.missing) and any(self._streams[n].name in ground.missing for n in self._reads[contract.name].streams)
        results: list[Told] | None = None
        if self._remember and not counted and not ground.claims and ground.clock is None and len(lot) <= MAX_RECORDS:
            results = self._recalled(contract, scope, lot, ground)
        if results is None:
            results = [told(found, self._places, crossing) for _, found, crossing in self._instances(contract, scope, lot, ground)]
        return results

    def _recalled(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground) -> list[Told] | None:
        """The results of a lot, its shape told once; None: it has to be told by itself."""
        if self._shapers[contract.name].blurs:
            results = self._of_shape(contract, scope, lot, ground, blurred=True)
            if results is not None:
                return results
        return self._of_shape(contract, scope, lot, ground, blurred=False)

    def _of_shape(self, contract: Contract, scope: Scope, lot: Lot, ground: Ground, *, blurred: bool) -> list[Told] | None:
        shape = self._shapers[contract.name].of(scope.id, lot, ground.context, blurred=blurred)
        if shape is None:
            return None
        key = (self._places[contract.name], blurred, id(ground.context), ground.trusted, shape.key)
        known = self._known.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            known = self._first(contract, scope, shape, ground, blurred=blurred)
            if len(self._known) < MAX_SHAPES:
                self._known[key] = known
        else:
            self.hits += 1
        if known is None:
            return None
        try:
            return [template.told(shape, scope.made) for template in known]
        except UnicodeEncodeError:
            return None

    def _instances(
        self, contract: Contract, scope: Scope, lot: Lot, ground: Ground, *, remember: bool = True
    ) -> Iterator[tuple[Instance, Result, Crossing | None]]:
        """The instances of a lot, judged and told by themselves."""
        items: dict[int, list[Placed]] = {n: [] for n in self._reads[contract.name].streams}
        for n, placed in lot:
            items[n].append(placed)
        layout = Layout(contract, self._streams, self._reads[contract.name], shelves_of(contract, self._streams, items), ground)
        for instance in instances_of(contract, layout, scope.id if contract.across == "trace" else None):
            case = self._judging.case(contract, layout, instance, ground, remember=remember)
            result = result_of(case, self._streams, scope.made)
            yield instance, result, crossing_of(case, result)

    def _first(self, contract: Contract, scope: Scope, shape: Shape, ground: Ground, *, blurred: bool) -> tuple[Template, ...] | None:
        """The results of a shape with blanks, or None where they are out of the ordinary."""
        if any(_MARK in repr(placed.record) for _, placed in shape.lot):
            return None
        blanks = Blanks(shape, self._shapers[contract.name].opaque)
        steps: dict[tuple[str, str], int] = {}
        lot: Lot = []
        for at, (n, placed) in enumerate(shape.lot):
            record = blanks.record(placed.record)
            trace, step, call = step_of(placed.item)
            ref = blank_ref(at, steps.setdefault((trace, step), at), call is not None)
            lot.append((n, Placed(at, record, Held(record, ref, at))))
        out: list[Template] = []
        blank = Scope(blanks.scope, {}, Made(redact=True))
        for instance, result, crossing in self._instances(contract, blank, lot, ground, remember=False):
            if crossing is not None or result.status is Status.NOT_JUDGED or result.clashes:
                return None
            if blurred and (result.status not in _CLEAR or result.notes):
                return None
            template = self._template(contract, instance, result, blanks, blurred=blurred)
            if template is None:
                return None
            out.append(template)
        return tuple(out)

    def _template(self, contract: Contract, instance: Instance, result: Result, blanks: Blanks, *, blurred: bool) -> Template | None:
        params, headline, period = contract.params(**instance.params), contract.kind.headline, instance.params.get("period")
        place = blanks.place(period) if blurred and isinstance(period, str) else None
        if place is not None:
            result = msgspec.structs.replace(result, instance={**result.instance, str(contract.period): blanks.of(str(period))})
        if not blurred or not result.headline or headline is None:
            template = template_of(result, self._places[contract.name])
        elif not _of_one_key(blanks.shape):
            return None  # what is summed is of one key
        else:
            template = template_of(result, self._places[contract.name], _headline(headline, params, place))
        if template is None or (place is not None and template.mentions(str(period))):
            return None  # in words a period is no name
        return template


def _of_one_key(shape: Shape) -> bool:
    """Whether all records surely lie in one leaf of one stream."""
    streams = {placed.record.streams for _, placed in shape.lot}
    return len(streams) == 1 and all(len(names) == 1 and "/" in names[0] for names in streams)


def _headline(write: Any, params: Any, period: int | None) -> Headline:
    """Writes the headline of a lot whose instance has the period of this name."""
    if period is None:
        return lambda records, _: str(write(records, params))
    return lambda records, names: str(write(records, msgspec.structs.replace(params, period=names[period])))


_UNKNOWN: Final[Any] = object()
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
