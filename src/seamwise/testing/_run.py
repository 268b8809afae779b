"""Running verdict cases."""

from __future__ import annotations

from typing import Any

import msgspec

from seamwise.errors import CaseError
from seamwise.kernel import RESOLVED, Status, Verdict, forces, judge, verify_witness
from seamwise.testing._cases import Case

BUDGET = 600_000


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one case."""

    name: str
    expected: str
    got: str
    ok: bool
    witness: tuple[str, ...] | None = None
    gaps: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    """Why it is not ok."""
    checked: str = ""
    """How the witness was checked: ``definition``, or ``monitor`` where the definition's universe was too large."""


def run_case(case: Case | CaseError) -> Result:
    """Judges one case and checks verdict and proof."""
    if isinstance(case, CaseError):
        return Result(name=(case.where or "?").split(":")[0], expected="?", got="not expressed", ok=False, faults=(_error(case),))
    verdict = judge(case.kind, case.params, case.evidence)
    faults = [] if verdict.status is case.expect else [f"expected {case.expect}, got {verdict.status}"]
    checked = ""
    if verdict.status is Status.NOT_JUDGED:
        faults.append(verdict.reason or "")
    if verdict.status in RESOLVED:
        checked, found = check_witness(case, verdict)
        faults += found
    return Result(
        name=case.name,
        expected=case.expect,
        got=verdict.status,
        ok=not faults,
        witness=None if verdict.witness is None else tuple(map(str, verdict.witness)),
        gaps=tuple(f"[{g.sort}] {' and '.join(n.words for n in g.needs)}" for g in verdict.gaps),
        faults=tuple(faults),
        checked=checked,
    )


def check_witness(case: Case, verdict: Verdict) -> tuple[str, list[str]]:
    """How a witness was checked, and what is wrong with it: it must force its verdict, and no member may be left out."""
    answer = verify_witness(case.kind, case.params, case.evidence, verdict, budget=BUDGET, minimal=True)
    if answer == "confirmed":
        return "definition", []
    if answer == "refuted":
        return "definition", ["the witness does not force the verdict, or is not minimal"]
    return "monitor", _by_monitor(case.kind, case.params, case, verdict)


def _by_monitor(kind: Any, params: Any, case: Case, verdict: Verdict) -> list[str]:
    members = verdict.witness or ()
    alone = kind.spec(params, case.evidence).select(case.evidence.weighty())
    if not forces(kind, params, alone.keep(members), verdict.status):
        return ["the witness does not force the verdict"]
    spare = [str(m) for m in members if forces(kind, params, alone.keep(x for x in members if x != m), verdict.status)]
    return [f"the witness is not minimal: {', '.join(spare)} can be left out"] if spare else []


def _error(e: CaseError) -> str:
    return f"{e}{' (' + e.hint + ')' if e.hint else ''}"
