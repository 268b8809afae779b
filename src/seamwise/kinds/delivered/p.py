"""The definition of ``delivered``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Execution, Outcome


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision and what it needs."""

    receiver: str
    """Who decides."""
    decision: str
    """Which decision: its input is what was delivered ``for`` it."""
    required: tuple[str, ...]
    """Items that the decision needs."""
    marker: str | None = None
    """An item that tells the receiver that material is missing or restricted; with it in the input the contract is kept (C2)."""
    cause: str | None = None
    """Why material may be missing, where the case knows it (``selective``, ``structural``); carried along, never presumed."""


def outcome(run: Execution, params: Params) -> Outcome:
    """Every required item that was produced upstream before the decision is in the decision's input."""
    decision = run.first(kind="decision", decision=params.decision)
    if decision is None:
        return Outcome.NOT_APPLICABLE
    inputs = [op for op in run.of_kind("delivery", "input") if op.get("receiver") == params.receiver and op.get("for") == params.decision]
    held = {item for op in inputs for item in op["items"]}
    produced = {item for op in run.before(decision) if op.kind == "message" for item in op["items"]}
    due = [item for item in params.required if item in produced | held]
    if not due:
        return Outcome.NOT_APPLICABLE
    return Outcome.KEPT if params.marker in held or all(item in held for item in due) else Outcome.VIOLATED
