"""The definition of ``source_kept``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Done, Execution, Outcome

ABSENT = "absent"
"""The value of a label that a statement does not bear."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One statement that passes on another, and the label that is to survive."""

    statement: str
    """Which statement: the value of its field ``statement``. What it passes on its field ``of`` names."""
    label: str
    """Which label: ``source``, ``epistemic`` ..."""
    authority: str | None = None
    """Who may license a change of it; None: anybody whose record says so."""
    statements: str = "statements"
    """The stream of statements."""
    licences: str = "licences"
    """The stream of what licenses a change: a verification, a correction."""


def outcome(run: Execution, params: Params) -> Outcome:
    """The statement bears the label of the one that it passes on, or another that was licensed before."""
    told = [op for op in run.inside(params.statements) if op["status"] == "ok"]
    stated = next((op for op in told if op["statement"] == params.statement), None)
    if stated is None:
        return Outcome.NOT_APPLICABLE
    earlier = run.before(stated)
    origin = next((op for op in told if op in earlier and op["statement"] == stated["of"]), None)
    if origin is None:
        return Outcome.NOT_APPLICABLE

    def licenses(op: Done) -> bool:
        fits = op["of"] == stated["of"] and op["to"] == stated["value"] and params.authority in (None, op["actor"])
        return op.is_in(params.licences) and op["status"] == "ok" and fits

    kept = origin["value"] in (ABSENT, stated["value"])
    return Outcome.KEPT if kept or any(map(licenses, earlier)) else Outcome.VIOLATED
