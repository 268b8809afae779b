"""What ``admitted`` reads: one operation for each item that the admission step took or turned down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from seamwise.kernel import Evidence, Op, Outcome, Slot, Spec, leaves_of, took_effect
from seamwise.kinds.admitted.p import Params

OTHER = "~"
"""Stands for any name that nothing mentions: another decision, another origin."""


def flag(op: Op, name: str) -> bool | None:
    """A recorded yes or no; None: not recorded (nor is a null)."""
    value = op.fields.get(name)
    return value if isinstance(value, bool) else None


def counts(op: Op) -> bool | None:
    """Whether the item's weight is other than zero; None: not recorded."""
    weight = op.fields.get("weight")
    return None if weight is None else bool(weight != 0)


def origin(op: Op) -> Any:
    """Where the item comes from, as something that can be looked up; None: not recorded."""
    value = op.fields.get("origin")
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def either(known: bool | None) -> tuple[bool, ...]:
    """The values that a yes or no may have."""
    return (True, False) if known is None else (known,)


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one admission step."""
    origins = dict.fromkeys(name for r in evidence.records if (name := origin(Op([r]))) is not None)

    def items(op: Op) -> Iterator[dict[str, Any]]:
        if params.decision is None:
            scopes: Iterable[dict[str, Any]] = ({},)
        elif "for" in op.fields:
            scopes = ({"for": op.fields["for"]},)
        else:
            scopes = ({"for": params.decision}, {"for": OTHER})
        for scope, item in product(scopes, list(_ways(op, params, origins))):
            yield {**scope, **item}

    return Spec(
        reads_actor=False,
        slots=(
            Slot(
                name="items",
                kinds=frozenset(),
                stream=params.stream,
                range=params.decision,
                leaves=leaves_of(params.stream, evidence),
                hidden_kind="admission",
                hidden_max=2,
                fill=items,
            ),
        ),
        outcomes=frozenset({Outcome.VIOLATED, Outcome.KEPT}),
        reads_order=False,
    )


def _ways(op: Op, params: Params, origins: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Every way an item may have been admitted, as far as the rule can tell them apart."""
    statuses = tuple("ok" if done else "failed" for done in either(took_effect(op)))
    checks = either(flag(op, "verified")) if params.rule.verified else ()
    known = origin(op)
    come = (known,) if known is not None else (*origins, OTHER, f"{OTHER}{op.id}")
    for status, accepted, verified in product(statuses, either(flag(op, "accepted")), checks or (True,)):
        item: dict[str, Any] = {"status": status, "accepted": accepted}
        if checks:
            item["verified"] = verified
        if not params.rule.one_count_per_origin:
            yield item
            continue
        for heavy in either(counts(op)):
            weight = op.fields["weight"] if op.get("weight") is not None else int(heavy)
            # where it comes from matters only where it counts
            for name in come if accepted and heavy and status == "ok" else come[:1]:
                yield {**item, "weight": weight, "origin": name}
