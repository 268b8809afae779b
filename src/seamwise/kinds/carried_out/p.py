"""The definition of ``carried_out``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from seamwise.kernel import Execution, Outcome

ACCEPTED = "accepted"
"""The status of a receipt whose action was accepted."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision."""

    decision: str
    """Which decision is to be carried out."""
    stream: str = "receipts"
    """The receipts of the system that executes: one operation for each submitted action that it answered."""


def outcome(run: Execution, params: Params) -> Outcome:
    """After a correct decision, a receipt that is bound to it was accepted, and its payload holds what was decided."""
    decision = run.first(kind="decision", decision=params.decision, status="ok")
    if decision is None or not decision["correct"]:
        return Outcome.NOT_APPLICABLE
    over = [*run.before(decision), decision]
    receipts = [op for op in run.inside(params.stream) if op not in over and op["decision"] == params.decision]
    if any(op["status"] == ACCEPTED and holds(op["payload"], decision["value"]) for op in receipts):
        return Outcome.KEPT
    return Outcome.VIOLATED


def holds(payload: Any, value: Any) -> bool:
    """Whether some value of a payload, at any depth, equals what was decided. An empty payload holds nothing."""
    if isinstance(payload, (Mapping, list, tuple)):
        parts = payload.values() if isinstance(payload, Mapping) else payload
        return bool(parts) and (payload == value or any(holds(part, value) for part in parts))
    return bool(payload == value) and isinstance(payload, bool) == isinstance(value, bool)
