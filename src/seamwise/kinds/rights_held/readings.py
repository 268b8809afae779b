"""How single records are read, by the evidence specification and the monitor alike."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from seamwise.kernel import Op
from seamwise.kernel.operation import OPENINGS, STATED
from seamwise.kernel.operation import took_effect as effect_of

CALLS = OPENINGS | STATED | {"model_result"}
"""Kinds of record that tell of anything done by a call."""
OPEN = ("ok", "failed")
REFUSED = frozenset({"rejected", "refused", "denied"})
"""What a record's status can say where nothing took effect, beside ``failed``."""
GRANTED = frozenset({"accepted", "approved", "granted"})
"""What it can say where it took effect, beside ``ok``."""
ENDINGS: dict[bool | None, tuple[str, ...]] = {True: ("ok",), False: ("failed",), None: OPEN}


def took_effect(op: Op, *, kinds: frozenset[str] | None = None) -> tuple[str, ...]:
    """How an operation may have ended. Its record says that it took effect, unless it says otherwise; a result must have a status.

    Args:
        op: The operation.
        kinds: Kinds of record that can be of this sort, beside calls; None: all can.
    """
    if kinds is not None and op.kind not in kinds and op.kind not in CALLS:
        return ("none",)
    return ENDINGS[effect_of(op, done=GRANTED, refused=REFUSED)]


def withdraws(op: Op) -> tuple[bool, ...]:
    """Whether an authorization is a withdrawal: not where a record that stands alone does not say so; of a call, another may say so."""
    if op.has("withdrawn"):
        return (bool(op.fields["withdrawn"]),)
    return (False,) if op.call is None else (False, True)


def done_duty(op: Op) -> tuple[str, ...]:
    """How the doing of a duty may have ended. What is said is done by being said; a ``duty`` is done where its status says so."""
    if op.kind != "duty" and op.kind not in CALLS:
        return took_effect(op)
    return OPEN if op.get("status") is None else ENDINGS[effect_of(op, refused=REFUSED)]


def may_be_told(op: Op, name: str) -> bool | None:
    """Whether the record of this id tells of the operation; None: it may, being another record of the same call."""
    return True if name in op.ids else None if op.call is not None else False


def recorded_or(op: Op, field: str, values: Sequence[Any]) -> Sequence[Any]:
    """The recorded value, or every representative one."""
    return (op.fields[field],) if op.has(field) else values


def ways(domains: Mapping[str, Sequence[Any]], wanted: Mapping[str, Container[Any]]) -> Iterator[dict[str, Any]]:
    """The ways to fill an operation's fields that a definition can tell apart.

    The definition looks for an operation whose fields are all as wanted. One that is not in two of them is as good as one that is not in
    either, so that beside all that are, one is tried for each field that can be otherwise.

    Args:
        domains: Values of each field.
        wanted: Values that are as wanted; a field that is not there is always as wanted.
    """
    hits = {f: [v for v in values if f not in wanted or v in wanted[f]] for f, values in domains.items()}
    if not all(hits.values()):
        yield {f: (hits[f] or values)[0] for f, values in domains.items()}
        return
    for combination in product(*hits.values()):
        yield dict(zip(hits, combination, strict=True))
    for f, values in domains.items():
        other = [v for v in values if v not in hits[f]]
        if other:
            yield {**{g: hit[0] for g, hit in hits.items()}, f: other[0]}
