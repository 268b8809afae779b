"""The definition of ``delivered``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Done, Execution, Outcome


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


def inputs(run: Execution, params: Params) -> list[Done]:
    """What tells of the decision's input: deliveries for it in the receiver's inbox, and the receiver's own input records."""
    mine = [op for op in run.of_kind("delivery") if op.stream == f"inbox/{params.receiver}"]
    mine += [op for op in run.of_kind("input") if op["actor"] == params.receiver]
    return [op for op in mine if op["for"] == params.decision]


def outcome(run: Execution, params: Params) -> Outcome:
    """Every required item that was produced upstream before the decision is in the decision's input."""
    decision = run.first(kind="decision", decision=params.decision)
    if decision is None or not decision["taken"]:
        return Outcome.NOT_APPLICABLE
    held = {item for op in inputs(run, params) for item in op["items"]}
    produced = {item for op in run.before(decision) if op.kind == "message" for item in op["items"]}
    due = [item for item in params.required if item in produced | held]
    if not due:
        return Outcome.NOT_APPLICABLE
    return Outcome.KEPT if params.marker in held or all(item in held for item in due) else Outcome.VIOLATED
