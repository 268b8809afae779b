"""The instances of a contract in a scope: its anchors, keys and periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from seamwise.audit._items import Placed, names_of, text_of
from seamwise.audit._layout import Layout, is_anchor
from seamwise.binding import Contract, key_shown, step_shown
from seamwise.kernel import Record
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
    doubt: tuple[str, ...] = ()
    """Fields that say whether the contract concerns the anchor, and were not recorded."""


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
    anchor, where = contract.anchor, where_of(contract)
    seen: dict[tuple[str, str], set[Any]] = {}
    found = [(placed, shelf) for shelf in layout.anchors() for placed in shelf.items]
    for placed, shelf in sorted(found, key=lambda entry: entry[0].at):
        record = placed.record
        if record.source is not None or not is_anchor(record, contract):
            continue
        name = str(record.fields[anchor.field]) if anchor.field in record.fields else record.id
        # across traces an identity of its own is one instance, wherever it is told
        key = (record.trace or "", name) if contract.across == "trace" else ("", name)
        if (contract.fixed is not None and name != contract.fixed) or not may_concern(record, where):
            continue
        # one name for two subjects is two instances; of a record that names none all of them may be meant
        values = set(shelf.values(record))
        told = seen.setdefault(key, set())
        if told and (values <= told or None in values or None in told):
            continue
        told |= values or {None}
        label = {"trace": record.trace or "", anchor.param: step_shown(name) if name == record.id else name}
        label |= {field: str(record.fields[field]) for field in anchor.join if field in record.fields}
        doubt = tuple(field for field in contract.where if field not in record.fields)
        yield Instance(name, label, {anchor.param: name}, record, doubt)


Where = tuple[tuple[str, frozenset[Any]], ...]


def where_of(contract: Contract) -> Where:
    """Fields of the anchors, and the values of each that concern the contract."""
    names = names_of(contract)
    return tuple((field, frozenset(map(text_of, values)) if field in names else values) for field, values in contract.where.items())


def may_concern(record: Record, where: Where) -> bool:
    """Whether no recorded field says that the contract does not concern the record."""
    fields = record.fields
    for field, values in where:  # noqa: SIM110  a loop, as this is asked of every anchor by every contract
        if field in fields and not _in(fields[field], values):
            return False
    return True


def _in(value: Any, values: frozenset[Any]) -> bool:
    try:
        return value in values
    except TypeError:
        return False


def _keyed(contract: Contract, layout: Layout, where: dict[str, str]) -> Iterator[Instance]:
    shelves = layout.anchors()
    if not shelves:
        return
    shelf = shelves[0]
    if not shelf.stream.keyed:
        yield from _periods(contract, shelf.items, Instance("", where, {}))
        return
    prefix, concerned = shelf.stream.name + "/", where_of(contract)
    by_leaf: dict[str, list[Placed]] = {}
    for placed in shelf.items:
        for stream in placed.record.streams:
            if stream.startswith(prefix) and placed.record.source is None:
                by_leaf.setdefault(stream[len(prefix) :], []).append(placed)
    for key, items in by_leaf.items():
        if contract.fixed in (None, key, key_shown(key)) and any(may_concern(i.record, concerned) for i in items):
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
