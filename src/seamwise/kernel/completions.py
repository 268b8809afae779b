"""All completions of evidence over a small universe: the slow, obvious way to a verdict.

Generic over the predicate and sharing nothing with the monitors: it fills every unknown field with each of its representative values,
adds unrecorded operations wherever no claim forbids them, tries every order that the known one allows, and asks the predicate. Tests
compare the monitors with it, and :mod:`seamwise.kernel.verify` confirms witnesses by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product
from math import comb
from typing import Any

from seamwise.kernel.evidence import Evidence, stream_covers
from seamwise.kernel.execution import Done, Execution
from seamwise.kernel.operation import Op, merge
from seamwise.kernel.order import Order
from seamwise.kernel.outcome import Outcome
from seamwise.kernel.spec import Parts, Slot, Spec
from seamwise.record import Claim


class TooLargeError(Exception):
    """The small universe is larger than the budget: nothing is concluded."""


def possible_by_enumeration(
    evidence: Evidence, spec: Spec, outcome: Callable[[Execution], Outcome], *, budget: int = 200_000
) -> frozenset[Outcome]:
    """The outcomes over all completions in the small universe; empty where the evidence contradicts itself.

    Args:
        evidence: The instance's evidence; records without authority are left out.
        spec: What the contract reads.
        outcome: The predicate.
        budget: How many executions may be looked at.

    Raises:
        TooLargeError: There are more.
    """
    seen: set[Outcome] = set()
    for execution in completions(evidence, spec, budget=budget):
        seen.add(outcome(execution))
        if seen == spec.outcomes:
            break
    return frozenset(seen)


def completions(evidence: Evidence, spec: Spec, *, budget: int = 200_000) -> Iterator[Execution]:
    """Every complete execution of the small universe that the evidence allows."""
    evidence = spec.select(evidence.weighty())
    merged = merge(evidence.records)
    order = Order(merged.ops)
    if merged.clashes or order.clashes:
        return
    claims = [c for c in evidence.claims if c.sort == "recording" and c.count is not None]
    left = [budget]
    ops = merged.ops
    parted = spec.parts if any(spec.is_part(c.range) for c in claims) else None
    present = [_ways(op, spec.slot_of(op), evidence, parted) for op in ops]
    contexts = list(_contexts(evidence, spec))
    before = [{i for i, a in enumerate(ops) if i != j and order.precedes(a, b)} for j, b in enumerate(ops)]
    by_size: dict[int, list[tuple[int, ...]]] = {}
    for unrecorded in _unrecorded(evidence, spec, ops, claims, budget):
        orders: list[tuple[int, ...]] | None = None
        for done in product(*present):
            full = (*done, *unrecorded)
            left[0] -= 1
            if left[0] < 0:
                raise TooLargeError
            if not all(_count(c, full, spec) == c.count for c in claims):
                continue
            if orders is None:
                orders = by_size.get(len(unrecorded))
                if orders is None:
                    orders = by_size[len(unrecorded)] = list(_orders(before, len(unrecorded), spec.reads_order, left))
                elif spec.reads_order:
                    left[0] -= len(orders)
                    if left[0] < 0:
                        raise TooLargeError
            yield from _arranged(full, orders, spec, contexts, left)


def _arranged(
    full: tuple[Done, ...],
    orders: list[tuple[int, ...]],
    spec: Spec,
    contexts: list[dict[str, dict[str, Any]]],
    left: list[int],
) -> Iterator[Execution]:
    timed = any("t" in d._fields for d in full)
    for positions in orders:
        arranged = tuple(full[i] for i in positions)
        if timed:
            times = [t for d in arranged if (t := d.get("t")) is not None]
            if any(a > b for a, b in pairwise(times)):
                continue
        for context in contexts:
            left[0] -= 1
            if left[0] < 0:
                raise TooLargeError
            execution = Execution(arranged, context)
            if spec.axioms(execution):
                yield execution


def _ways(op: Op, slot: Slot | None, evidence: Evidence, parted: Parts | None) -> list[Done]:
    """Every way an operation of the record may really have been.

    One that is only counted, not read, stays as it is, but for the part of its stream that it lies in where claims count such parts.
    """
    if slot is None and parted is not None:
        return [Done(op.ids, op.kind, next(iter(op.streams), ""), way, also=op.streams) for way in parted.ways(op)]
    if slot is None:
        return [Done(op.ids, op.kind, next(iter(op.streams), ""), op.fields, also=op.streams)]
    base = slot.stream[:-2] if slot.stream.endswith("/*") else slot.stream
    bare = base if any(leaf.startswith(base + "/") for leaf in slot.leaves) else None
    keyed = [s for s in op.streams if slot.stream and stream_covers(slot.stream, s) and s != bare]
    if bare and not keyed and bare in op.streams:
        return [Done(op.ids, op.kind, s, fields) for s in slot.leaves if stream_covers(slot.stream, s) for fields in slot.fill(op)]
    streams: Sequence[str] = keyed[:1] or slot.leaves or ((slot.stream or next(iter(op.streams), "")),)
    # an unrecorded record of its call puts it into one stream more, counted there or gone beside it
    more: list[tuple[tuple[str, ...], bool]] = [((), False)]
    more += [((s,), beside) for s in slot.also_in for beside in ((False,) if is_routed(evidence, s) else (False, True))]
    # a stream that is only a prefix of where it is tried says nothing more
    return [
        Done(op.ids, op.kind, stream, fields, beside=beside, also=(*(s for s in op.streams if not stream_covers(s, stream)), *besides))
        for stream in streams
        for fields in slot.fill(op)
        for besides, beside in more
    ]


def _unrecorded(evidence: Evidence, spec: Spec, ops: list[Op], claims: list[Claim], left: int) -> Iterator[tuple[Done, ...]]:
    """Every multiset of unrecorded operations within the bounds."""
    per_slot: list[list[tuple[Done, ...]]] = []
    for n, slot in enumerate(spec.slots):
        if not slot.hidden_kind:
            per_slot.append([()])
            continue
        routed = is_routed(evidence, slot.stream)
        most = slot.hidden_max
        bounding = [c for c in claims if stream_covers(c.stream, slot.stream) and c.range is None]
        counting = [c for c in claims if stream_covers(c.stream, slot.stream) or stream_covers(slot.stream, c.stream)]
        short = max((max(0, (c.count or 0) - _surely(c, ops, spec)) for c in counting if c.range in (None, slot.range)), default=0)
        # parts of the stream that are counted by themselves need theirs beside what nothing bounds
        apart = sum(max(0, (c.count or 0) - _surely(c, ops, spec)) for c in counting if spec.is_part(c.range))
        if routed and bounding:
            most = max(max(0, (c.count or 0) - _surely(c, ops, spec)) for c in bounding)
        elif routed:
            most = max(most, short) + apart
        else:
            # what a count still needs is in the stream; as many as ever may go beside it
            most += short + apart
        if most > max(4, slot.hidden_max + short if not routed else slot.hidden_max) + min(apart, 2):
            raise TooLargeError
        # one of another key or range matters only where a claim counts it together with this slot's own
        ranged = slot.range is None or any(c.range is None and stream_covers(c.stream, slot.stream) for c in claims)
        keyed = any(
            c.stream != slot.stream and (stream_covers(c.stream, slot.stream) or stream_covers(slot.stream, c.stream)) for c in claims
        )
        blank = Op.blank(slot.hidden_kind)
        ways = [
            Done((f"~{n}",), slot.hidden_kind, stream, fields, beside=beside)
            for beside in ((False,) if routed or not claims else (False, True))  # only counts tell the two apart
            for stream in ((slot.leaves if keyed else ()) or (slot.stream,))
            for fields in slot.fill(blank)
            if ranged or fields.get(slot.range_field) == slot.range
        ]
        if comb(len(ways) + most, most) * max(1, most) > left:
            raise TooLargeError  # so many multisets are not even listed
        per_slot.append([c for k in range(most + 1) for c in combinations_with_replacement(ways, k)])
    for choice in product(*per_slot):
        yield tuple(_named(d, i) for i, d in enumerate(d for part in choice for d in part))


def _named(done: Done, i: int) -> Done:
    return Done((f"~{i}",), done.kind, done.stream, done._fields, beside=done.beside)


def _surely(claim: Claim, ops: list[Op], spec: Spec) -> int:
    """How many recorded operations are surely counted by a claim."""
    inside = [op for op in ops if any(stream_covers(claim.stream, s) for s in op.streams)]
    if claim.range is not None and spec.parts is not None and spec.parts.known(claim.range):
        return sum(all(spec.parts.holds(claim.range, way) for way in spec.parts.ways(op)) for op in inside)
    field = _range_field(claim, spec)
    return sum(claim.range is None or op.get(field) == claim.range for op in inside)


def _range_field(claim: Claim, spec: Spec) -> str:
    return next((s.range_field for s in spec.slots if s.range is not None and stream_covers(claim.stream, s.stream)), "for")


def _count(claim: Claim, full: tuple[Done, ...], spec: Spec) -> int:
    """How many operations of an execution a claim counts."""
    inside = [d for d in full if not d.beside and d.is_in(claim.stream)]
    if claim.range is None:
        return len(inside)
    if spec.parts is not None and spec.parts.known(claim.range):
        return sum(spec.parts.holds(claim.range, d._fields) for d in inside)
    field = _range_field(claim, spec)
    return sum(d.get(field) == claim.range for d in inside)


def is_routed(evidence: Evidence, stream: str) -> bool:
    """Whether nothing of what the stream records happens beside it."""
    return evidence.routed(stream)


def _orders(recorded: list[set[int]], extra: int, reads_order: bool, left: list[int]) -> Iterator[tuple[int, ...]]:
    """Every total order that the known one allows, as positions; unrecorded operations go anywhere.

    Args:
        recorded: For each recorded operation, those that come before it.
        extra: How many unrecorded ones there are.
        reads_order: Whether one order is as good as any.
        left: How many executions may still be looked at.
    """
    n = len(recorded) + extra
    before = [sum(1 << j for j in earlier) for earlier in recorded] + [0] * extra
    next_of, total = _steps(before, left[0] if reads_order else None)
    if reads_order:
        left[0] -= total
    done: list[int] = []
    placed = 0
    open_ = [iter(next_of[0])]
    while open_:
        if len(done) == n:
            yield tuple(done)
            if not reads_order:
                return
        i = next(open_[-1], None)
        if i is not None:
            done.append(i)
            placed |= 1 << i
            open_.append(iter(next_of[placed]))
            continue
        open_.pop()
        if done:
            placed ^= 1 << done.pop()


def _steps(before: list[int], most: int | None) -> tuple[dict[int, list[int]], int]:
    """What can come next after each set of operations that can come first, and how many orders there are.

    They are counted before one of them is made: every beginning goes on to an order of its own, so that too many beginnings are too many
    orders.

    Args:
        before: For each operation, those that come before it, as bits.
        most: So many orders may be looked at; None: one is enough, and only what it needs is looked at.

    Raises:
        TooLargeError: There are more.
    """
    out: dict[int, list[int]] = {}
    beginnings = {0: 1}
    for _ in range(len(before) + 1):
        if most is not None and sum(beginnings.values()) > most:
            raise TooLargeError
        longer: dict[int, int] = {}
        for placed, ways in beginnings.items():
            free = [i for i, needed in enumerate(before) if not placed >> i & 1 and not needed & ~placed]
            out[placed] = free if most is not None else free[:1]
            for i in out[placed]:
                longer[placed | 1 << i] = longer.get(placed | 1 << i, 0) + ways
        if not longer:
            break
        beginnings = longer
    return out, sum(beginnings.values())


def _contexts(evidence: Evidence, spec: Spec) -> Iterator[dict[str, dict[str, Any]]]:
    """Every way the unrecorded entries of the context may be."""
    given = evidence.context
    unknown: list[tuple[str, str, Sequence[Any]]] = []
    base: dict[str, dict[str, Any]] = {part: dict(entries) for part, entries in given.parts.items()}
    for part, entries in spec.context.items():
        base.setdefault(part, {})
        for entry, values in entries.items():
            if not given.known(part, entry):
                unknown.append((part, entry, values))
    for values in product(*(v for _, _, v in unknown)):
        context = {part: dict(entries) for part, entries in base.items()}
        for (part, entry, _), value in zip(unknown, values, strict=True):
            if value is not None:
                context[part][entry] = value
        yield context
