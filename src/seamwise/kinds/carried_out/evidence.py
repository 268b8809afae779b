"""What ``carried_out`` reads: the decision, the actions that were submitted, and what the executing system answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

from seamwise.kernel import Evidence, Op, Slot, Spec, by_name, leaves_of, took_effect
from seamwise.kinds.carried_out.p import Params

DECISIONS = "decisions"
ACTIONS = "actions"
"""Where an action stays that was never answered."""
OTHER = "~"
"""Stands for any name or value that nothing mentions."""


def accepted(op: Op) -> bool | None:
    """Whether the action was accepted; None: it may or may not have been."""
    return None if op.get("status") is None else took_effect(op, done=frozenset({"accepted"}), refused=frozenset({"rejected"}))


def called(op: Op) -> tuple[Any, Any]:
    """Who called, by the action's word and by the receipt's; None: not recorded."""
    return op.opening.get("actor"), None if "caller" in op.opening else op.fields.get("caller")


def two_callers(op: Op) -> bool:
    """Whether an action and a receipt of one call name different callers."""
    asked, answered = called(op)
    return asked is not None and answered is not None and asked != answered


def flag(op: Op, name: str) -> bool | None:
    """A recorded yes or no; None: not recorded (nor is a null)."""
    value = op.fields.get(name)
    return value if isinstance(value, bool) else None


def parts_of(payload: Any) -> Iterator[Any]:
    """Everything that a payload holds."""
    if isinstance(payload, (Mapping, list, tuple)):
        if payload:
            yield payload
        for part in payload.values() if isinstance(payload, Mapping) else payload:
            yield from parts_of(part)
    else:
        yield payload


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one decision."""
    records = evidence.weighty().records
    values = [r.fields.get("value") for r in records if r.kind == "decision"]
    values = [*(v for v in values if v is not None), OTHER]
    held = [part for r in records for part in parts_of(r.fields.get("payload"))]
    leaves = leaves_of(params.stream, evidence)
    receipts = partial(_receipts, params, [*({"value": v} for v in values), {}])
    return Spec(
        slots=(
            Slot(
                name="decisions",
                kinds=frozenset({"decision"}),
                stream=DECISIONS,
                hidden_kind="decision",
                hidden_max=1,
                fill=partial(_decisions, params, [v for v in (*held, OTHER) if v is not None]),
            ),
            Slot(
                name="receipts",
                kinds=frozenset(),
                stream=params.stream,
                leaves=leaves,
                hidden_kind="receipt",
                hidden_max=1,
                fill=receipts,
            ),
            # an action without a receipt has an unrecorded one, or none
            Slot(name="actions", kinds=frozenset({"action"}), stream="", leaves=(*(leaves or (params.stream,)), ACTIONS), fill=receipts),
        ),
        prepare=by_name(("decision", params.decision), "decision", DECISIONS, evidence, beside=(params.stream,)),
        axioms=lambda run: sum(op.get("decision") == params.decision for op in run.of_kind("decision")) <= 1,
    )


def _decisions(params: Params, values: list[Any], op: Op) -> Iterator[dict[str, Any]]:
    done = took_effect(op)
    statuses = ("ok", "failed") if done is None else ("ok",) if done else ("failed",)
    names = (params.decision, OTHER) if op.get("decision") is None else (op.get("decision"),)
    correct = flag(op, "correct")
    value = op.get("value")
    for state, name in product(statuses, names):
        mine = state == "ok" and name == params.decision
        # of another decision, or of one that was not taken, nothing is read
        for right, what in product((True, False) if correct is None else (correct,), values if value is None else (value,)):
            yield {"status": state, "decision": name, "correct": right, "value": what}
            if not mine:
                break


def _receipts(params: Params, payloads: list[Any], op: Op) -> Iterator[dict[str, Any]]:
    if two_callers(op):
        return
    said = accepted(op)
    statuses = ("accepted", "rejected") if said is None else ("accepted",) if said else ("rejected",)
    names = (params.decision, OTHER) if op.get("decision") is None else (op.get("decision"),)
    payload = op.get("payload")
    for status, name in product(statuses, names):
        for what in payloads if payload is None else (payload,):
            yield {"status": status, "decision": name, "payload": what}
