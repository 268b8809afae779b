"""The instances of a contract in a scope, judged one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from seamwise.audit._items import Placed, operation_of
from seamwise.audit._layout import Ground, Layout, is_anchor
from seamwise.audit._result import Statement
from seamwise.audit._story import Case
from seamwise.binding import Contract, key_shown
from seamwise.kernel import Evidence, Record, Status, Verdict, judge
from seamwise.kinds.within_total.periods import period_of


class Instance(NamedTuple):
    """What one instance is anchored at."""

    identity: str
    """The anchor's name, or the key as it stands in stream names."""
    label: dict[str, str]
    """For people."""
    params: dict[str, Any]
    """What it gives to the kind's parameters."""
    anchor: Record | None = None


def instances_of(contract: Contract, layout: Layout, trace: str | None) -> Iterator[Instance]:
    """The contract's instances in a scope, in the order of its records.

    Args:
        contract: The contract.
        layout: What it reads there.
        trace: The trace that the scope is; None: the corpus.
    """
    where = {} if trace is None else {"trace": trace}
    if contract.anchor.by == "trace":
        yield Instance(trace or "", where, {contract.anchor.param: trace} if contract.anchor.param else {})
    elif contract.anchor.by == "record":
        yield from _anchored(contract, layout)
    else:
        yield from _keyed(contract, layout, where)


def _anchored(contract: Contract, layout: Layout) -> Iterator[Instance]:
    anchor = contract.anchor
    shelf = layout.anchors()
    seen: set[tuple[str, str]] = set()
    for placed in shelf.items if shelf is not None else ():
        record = placed.record
        if record.source is not None or not is_anchor(record, contract):
            continue
        name = str(record.fields[anchor.field]) if anchor.field in record.fields else record.id
        own = name == record.id or name == operation_of(record)
        # across traces an identity of its own is one instance, wherever it is told
        key = (record.trace or "", name) if contract.across == "trace" else ("", name)
        if key in seen or (contract.fixed is not None and name != contract.fixed) or not _concerned(record, contract):
            continue
        seen.add(key)
        label = {"trace": record.trace or "", anchor.param: name.rpartition("#")[2] if own else name}
        label |= {field: str(record.fields[field]) for field in anchor.join if field in record.fields}
        yield Instance(name, label, {anchor.param: name}, record)


def _concerned(record: Record, contract: Contract) -> bool:
    return all(field in record.fields and _in(record.fields[field], values) for field, values in contract.where.items())


def _in(value: Any, values: frozenset[Any]) -> bool:
    try:
        return value in values
    except TypeError:
        return False


def _keyed(contract: Contract, layout: Layout, where: dict[str, str]) -> Iterator[Instance]:
    shelf = layout.anchors()
    if shelf is None:
        return
    if not shelf.stream.keyed:
        yield from _periods(contract, shelf.items, Instance("", where, {}))
        return
    prefix = shelf.stream.name + "/"
    by_leaf: dict[str, list[Placed]] = {}
    for placed in shelf.items:
        for stream in placed.record.streams:
            if stream.startswith(prefix) and placed.record.source is None:
                by_leaf.setdefault(stream[len(prefix) :], []).append(placed)
    for key, items in by_leaf.items():
        if contract.fixed in (None, key, key_shown(key)) and any(_concerned(i.record, contract) for i in items):
            label = {**where, shelf.stream.key_name: key_shown(key)}
            yield from _periods(contract, items, Instance(key, label, {contract.anchor.param: key}))


def _periods(contract: Contract, items: Sequence[Placed], instance: Instance) -> Iterator[Instance]:
    """The instance, once for each period that its records fall into."""
    if contract.period is None:
        yield instance
        return
    periods = sorted({p for i in items if (p := _period(i.record.fields.get("t"), contract.period))})
    if not periods:
        yield instance
    for period in periods:
        yield Instance(
            instance.identity, {**instance.label, contract.period: period}, {**instance.params, "period": period}, instance.anchor
        )


def _period(t: Any, per: Any) -> str | None:
    try:
        return period_of(t, per) if isinstance(t, int) else None
    except (OverflowError, ValueError):
        return None  # a moment outside the calendar is in no period of it


def judged(contract: Contract, layout: Layout, instance: Instance, ground: Ground, *, prove: bool) -> Case:
    """The instance with its verdict. Whatever goes wrong with it stays with it."""
    evidence, items = Evidence(), list[Placed]()
    try:
        evidence, items = layout.evidence(instance.identity, instance.anchor)
        params = contract.params(**instance.params)
        verdict = judge(contract.kind, params, evidence, prove=prove)
        verdict, extra = _leaning_on_clock(contract, params, evidence, verdict, ground)
    except Exception as error:  # a contract that crashes must not hide its neighbours
        verdict, extra = Verdict(status=Status.NOT_JUDGED, reason=f"{type(error).__name__}: {error}"), ()
    return Case(contract, instance.label, evidence, items, verdict, extra)


def _leaning_on_clock(
    contract: Contract, params: Any, evidence: Evidence, verdict: Verdict, ground: Ground
) -> tuple[Verdict, tuple[Statement, ...]]:
    """A clock that the user states is a statement like any other: what the verdict is without it stands beside it."""
    if ground.clock is None or "clock" not in verdict.order:
        return verdict, ()
    timeless = msgspec.structs.replace(evidence, records=tuple(msgspec.structs.replace(r, time=None) for r in evidence.records))
    bare = judge(contract.kind, params, timeless, prove=False)
    without = bare.status if bare.without is None else bare.without
    return msgspec.structs.replace(verdict, without=without), (ground.clock,)
