"""The definition of ``admitted``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Execution, Outcome


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an admission step owes its organization; name at least one."""

    verified: bool = False
    """Only verified items are accepted."""
    one_count_per_origin: bool = False
    """Items of one origin count once: at most one of them is accepted with a weight other than zero."""

    def __post_init__(self) -> None:
        if not (self.verified or self.one_count_per_origin):
            raise ValueError("expected `verified` or `one_count_per_origin` to be true, got neither: nothing could violate the rule")


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One admission step and its rule."""

    rule: Rule
    """What it must hold to."""
    stream: str = "admission"
    """The log of the admission step: one operation for each item that it took or turned down."""
    decision: str | None = None
    """Only the items admitted ``for`` this decision; None: all of them."""


def outcome(run: Execution, params: Params) -> Outcome:
    """No accepted item is unverified, and no two accepted items that count share an origin."""
    items = [op for op in run.inside(params.stream) if params.decision in (None, op.get("for"))]
    accepted = [op for op in items if op["status"] == "ok" and op["accepted"]]
    if params.rule.verified and any(not op["verified"] for op in accepted):
        return Outcome.VIOLATED
    if params.rule.one_count_per_origin:
        origins = [op["origin"] for op in accepted if op["weight"] != 0]
        if len(set(origins)) < len(origins):
            return Outcome.VIOLATED
    return Outcome.KEPT
