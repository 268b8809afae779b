"""The definition of ``routed_to_qualified``."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any, Literal

import msgspec

from seamwise.kernel import Done, Execution, Outcome

ROUTES = "routes"
"""The stream of work that is assigned."""
GRANTS = "grants"
"""The stream of changes to what agents may use."""
GRANT_KINDS = frozenset({"grant", "revocation"})
"""Kinds of record that tell of such a change, in whatever stream."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One route, and what qualifies a delegate."""

    route: str
    """Id of the record that assigns the work."""
    task: str | None = None
    """The work this contract is about; a route of another task is none of its concern. None: any."""
    requires_tool: str | None = None
    """The tool that the delegate must hold (the context's ``tools``; that a ``registry`` lists a tool grants it to nobody)."""
    by: Literal["attested_capability"] | None = None
    """Or: the delegate must be attested best (the context's ``attested``; what agents say of themselves does not count)."""
    candidates: tuple[str, ...] | None = None
    """Who could have been chosen; None: any agent."""
    changes: bool = False
    """Whether tools change during the case: then the context is what agents hold at its start, and ``grants`` tells every change.

    That they do not is assumed otherwise, and dropped where a record of ``grants`` says that they did.
    """

    def __post_init__(self) -> None:
        """A delegate is qualified by a tool or by attestation.

        Raises:
            ValueError: Neither or both are told.
        """
        if (self.requires_tool is None) == (self.by is None):
            raise ValueError("expected one of `requires_tool` and `by`")
        if self.by is not None and self.changes:
            raise ValueError("`changes` goes with `requires_tool`: attestations do not change during a case")


def tools_of(entry: Any) -> tuple[str, ...]:
    """The tools that an entry of ``tools`` lists; none where there is no entry."""
    return () if entry is None else (entry,) if isinstance(entry, str) else tuple(entry)


def score_of(entry: Any) -> int | float | Decimal | None:
    """The score that an entry of ``attested`` holds, or None where it holds none."""
    number = isinstance(entry, (int, float, Decimal)) and not isinstance(entry, bool)
    return entry if number and isfinite(entry) else None


def outcome(run: Execution, params: Params) -> Outcome:
    """The delegate chosen holds the required tool, or is best attested, where some candidate does or is."""
    route = next((op for op in run if params.route in op.get("names", ()) and op["status"] == "ok"), None)
    if route is None or params.task not in (None, route["task"]):
        return Outcome.NOT_APPLICABLE
    if params.requires_tool is not None:
        able = holders(run, params, route)
        others = able if params.candidates is None else able.intersection(params.candidates)
        return Outcome.KEPT if route["to"] in able else Outcome.VIOLATED if others else Outcome.NOT_APPLICABLE
    scores = {agent: s for agent, entry in run.context["attested"].items() if (s := score_of(entry)) is not None}
    rivals = [s for agent, s in scores.items() if params.candidates is None or agent in params.candidates]
    own = scores.get(route["to"])
    if own is None:
        return Outcome.VIOLATED if rivals else Outcome.NOT_APPLICABLE
    return Outcome.VIOLATED if any(s > own for s in rivals) else Outcome.KEPT


def holders(run: Execution, params: Params, route: Done) -> set[str]:
    """Who holds the required tool when the route is taken."""
    tools: Mapping[str, Any] = run.context["tools"]
    able = {agent for agent, entry in tools.items() if params.requires_tool in tools_of(entry)}
    for op in run.before(route) if params.changes else ():
        if is_change(op) and op["status"] == "ok" and op["tool"] == params.requires_tool:
            (able.add if op["gives"] else able.discard)(op["grantee"])
    return able


def is_change(op: Done) -> bool:
    """Whether an operation changes what agents may use: a grant or a revocation, wherever it was recorded, or what the stream holds."""
    return op.kind in GRANT_KINDS or op.is_in(GRANTS)
