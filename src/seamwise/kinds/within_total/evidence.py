"""What ``within_total`` reads: the operations of one key's ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

import msgspec

from seamwise.kernel import OPENINGS, Evidence, Execution, Op, Outcome, Parts, Record, Slot, Spec, leaves_of, may_be_inside, values_of
from seamwise.kinds.within_total.p import Params, ledger
from seamwise.kinds.within_total.periods import edges_of, lies_in, period_of, span_of, witness_times

ALL = Decimal("Infinity")
"""A reversal of everything that was given."""


def amount_of(op: Op, params: Params) -> Decimal | None:
    """The recorded amount in the currency of the limits, or None where its worth is unknown."""
    if "amount" not in op.fields or (params.currency is not None and op.fields.get("currency") != params.currency):
        return None
    value = op.fields["amount"]
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def is_negative(op: Op) -> bool:
    """Whether the recorded amount, in whatever currency, is below zero."""
    try:
        return Decimal(str(op.fields.get("amount", 0))) < 0
    except InvalidOperation:
        return False


def is_reversal(op: Op) -> bool:
    """Whether a record takes something back: it names what it reverses, or its amount is negative."""
    return op.get("reverses") is not None or is_negative(op)


def status_of(op: Op) -> str | None:
    """``ok``, ``failed``, or None where the outcome is open."""
    status = op.get("status")
    return status if status in ("ok", "failed") else None


def moment_of(op: Op, params: Params) -> int | None:
    """The recorded moment of an operation, or None where its period is not known by it: its clock may be wrong by too much."""
    t = op.fields.get("t")
    if not isinstance(t, int):
        return None
    return None if any(_astride(r, params) for r in op.ends) else t


def _astride(record: Record, params: Params) -> bool:
    """Whether the earliest and the latest moment that a record can mean lie in two periods."""
    return record.time is not None and period_of(record.time[0], params.per) != period_of(record.time[1], params.per)


def moments_of(evidence: Evidence, params: Params) -> tuple[list[int], int]:
    """The recorded moments, and how many records leave the moment of their effect open."""
    known = [r.fields["t"] for r in evidence.records if isinstance(r.fields.get("t"), int)]
    return known, sum(
        "t" not in r.fields or r.kind in OPENINGS or r.fields.get("status") == "timeout" or _astride(r, params) for r in evidence.records
    )


def ranges_of(evidence: Evidence, params: Params) -> tuple[str, ...]:
    """The calendar periods whose operations claims count by themselves, where the contract reads moments."""
    if params.per is None or all(c.range is None for c in evidence.claims):
        return ()
    ranges = (c.range for c in evidence.claims if c.sort == "recording" and c.count is not None and c.range is not None)
    return tuple(sorted({r for r in ranges if span_of(r) is not None}))


def places_of(op: Op, t: int, edges: Sequence[int]) -> list[int]:
    """Moments that stand for every side of these edges on which an operation can lie; more than one where its clock may be wrong."""
    times = [r.time for r in op.ends if r.time is not None]
    if not times:
        return [t]
    first, last = min(a for a, _ in times), max(b for _, b in times)
    return [first, *(e for e in edges if first < e <= last)]


def representative(evidence: Evidence, params: Params, ranges: Sequence[str], unknown: int) -> list[int]:
    """Moments that stand for every way unrecorded moments can fall into periods and into the ranges that are counted."""
    if params.per is None:
        return [0]
    known = moments_of(evidence, params)[0]
    return witness_times([*known, *edges_of(ranges)], params.per, params.period, unknown)


def _named(params: Params, evidence: Evidence) -> tuple[set[str], tuple[str, ...]]:
    """The names that operations which may be in the ledger go by, and one record of each call among them."""
    if all(r.fields.get("reverses") is None for r in evidence.records):
        return set(), ()  # nobody names any
    prepare, stream = _keyed(params.stream), ledger(params)
    mine = [r for r in map(prepare, evidence.records) if r.source is None and any(may_be_inside(s, stream) for s in r.streams)]
    calls = {r.call: r.id for r in mine if r.call is not None}
    named = {r.id for r in mine} | {r.id for r in evidence.records if r.call in calls} | calls.keys()
    return named, tuple(calls.values())


def _parts(params: Params, times: list[int], edges: list[int]) -> Parts:
    """Calendar periods as parts of the ledger."""

    def ways(op: Op) -> list[dict[str, Any]]:
        t = op.fields.get("t")
        if not isinstance(t, int):
            return [{"t": t} for t in times if op.since is None or t >= op.since]
        return [{"t": t}] if op.timed else [{"at": place} for place in places_of(op, t, edges)]

    return Parts(
        known=lambda name: params.per is not None and span_of(name) is not None,
        holds=lambda name, fields: lies_in(fields["at"] if "at" in fields else fields["t"], name),
        ways=ways,
    )


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one key."""
    stream = ledger(params)
    family = params.stream
    actors = [a for a in values_of(evidence, "actor") if a is not None]
    strangers = tuple(f"~{i}" for i in range(max(1, params.min_actors)))
    payments = tuple(dict.fromkeys(r.id for r in evidence.records if r.source is None and r.fields.get("reverses") is None))
    calls = {r.call: r.id for r in evidence.records if r.call is not None}
    named, told = _named(params, evidence)
    untimed = moments_of(evidence, params)[1]
    ranges = ranges_of(evidence, params)
    edges = edges_of(ranges)
    times = representative(evidence, params, ranges, max(1, untimed))
    reversing = params.reversals == "possible"
    most = params.each if params.each is not None else params.limit + 1

    def moments(op: Op) -> list[dict[str, Any]]:
        if params.per is None:
            return [{"period": ""}]
        t = moment_of(op, params)
        if t is not None:
            period = period_of(t, params.per)
            if ranges and not op.timed:
                return [{"period": period, "at": place} for place in places_of(op, t, edges)]
            return [{"period": period, **({"t": t} if op.timed else {})}]
        later = [t for t in times if op.since is None or t >= op.since]
        return [{"period": period_of(t, params.per), "t": t} for t in later]

    def worths(op: Op, reversal: bool) -> list[Decimal]:
        amount = amount_of(op, params)
        if amount is not None:
            return [amount.copy_abs()]  # abs() would round
        if reversal:
            return [Decimal(0), ALL]
        if op.id == "~" and params.over_limit == "excluded":
            return [Decimal(0), most]
        return [Decimal(0), most, *([params.each + 1] if params.each is not None else [])]

    def fill(op: Op) -> Iterator[dict[str, Any]]:
        blank = op.id == "~"
        status = status_of(op)
        statuses = (status,) if status else ("ok",) if blank else ("ok", "failed")
        targets: tuple[str | None, ...] = (None,)
        if op.get("reverses") is not None:
            name = str(op.fields["reverses"])
            # a name that no record has may be that of an unrecorded record of a call that is told of by others
            targets = (calls.get(name, name), *(() if name in named else told))
        elif is_negative(op):
            targets = (*payments, "~")
        elif blank and reversing:
            targets = (None, *payments)
        for target, state, moment in product(targets, statuses, moments(op)):
            elsewhere = blank and target is None and params.period not in (None, moment["period"])
            for amount in worths(op, target is not None)[: 1 if elsewhere else None]:  # in a period that is not judged, any will do
                counts = target is None and state == "ok" and amount > 0 and (params.each is None or amount <= params.each)
                others = strangers if blank else (*actors, *strangers)
                who = (op.fields["actor"],) if op.has("actor") else others if counts else ("~0",)
                for actor in who:
                    yield {"amount": amount, "actor": actor, "status": state, "reverses": target, **moment}

    def sound(run: Execution) -> bool:
        """A reversal that takes effect does not precede its target."""
        place = {name: i for i, op in enumerate(run.ops) for name in op.ids}
        return all(
            place.get(op.get("reverses"), -1) < i
            for i, op in enumerate(run.ops)
            if op.get("status") == "ok" and op.get("reverses") is not None
        )

    orderly = reversing or any(r.fields.get("reverses") is not None or _below_zero(r.fields.get("amount")) for r in evidence.records)
    unknown_times = params.per is not None and untimed > 0
    # as many unrecorded ones as it takes to pass the limit, to be enough actors, or to take back everything that is recorded
    passing = _passing(params)
    enough = max(params.min_actors, passing, len(payments) if reversing else 0)
    return Spec(
        slots=(
            Slot(
                name="contributions",
                kinds=frozenset(),
                stream=stream,
                leaves=leaves_of(stream, evidence) if params.key is not None else (),
                hidden_kind="tool_result",
                hidden_max=enough,
                fill=fill,
            ),
        ),
        axioms=sound,
        prepare=_keyed(family),
        parts=None if params.per is None else _parts(params, times, edges),
        outcomes=frozenset({Outcome.VIOLATED, Outcome.KEPT}),
        reads_order=orderly or unknown_times,
    )


def _passing(params: Params) -> int:
    """How many contributions of the most each can be it takes to pass the limit; a thousand stands for any larger number."""
    if not params.each:
        return 2
    return 1000 if params.limit > 1000 * params.each else int(params.limit // params.each) + 1


def _below_zero(value: Any) -> bool:
    try:
        return value is not None and Decimal(str(value)) < 0
    except InvalidOperation:
        return False


def _keyed(family: str) -> Any:
    """A record of the family's stream that names its key belongs to that key's stream."""

    def prepare(record: Any) -> Any:
        key = record.fields.get("key")
        if key is not None and family in record.streams:
            return msgspec.structs.replace(record, streams=tuple(f"{family}/{key}" if s == family else s for s in record.streams))
        return record

    return prepare


def infer(params: Params, evidence: Evidence) -> Params:
    """The key that the evidence speaks of, where the contract leaves it out and there is just one."""
    if params.key is not None:
        return params
    family = params.stream + "/"
    named = {s for r in evidence.records for s in r.streams if s.startswith(family)}
    named |= {c.stream for c in evidence.claims if c.stream.startswith(family)}
    keys = {s.removeprefix(family) for s in named} - {"*"}
    return msgspec.structs.replace(params, key=keys.pop()) if len(keys) == 1 else params
