"""Every file of verdict cases that is at hand gives what it says, with witnesses that force and are minimal."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.kinds import kind_names
from seamwise.testing import Case, load_cases, run_case

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "examples" / "verdicts.yaml"
FILES = [ROOT / "src" / "seamwise" / "kinds" / kind / "cases.yaml" for kind in kind_names()]


@pytest.mark.parametrize("file", [*FILES, *sorted(Path(__file__).parent.glob("*.yaml"))], ids=lambda f: f"{f.parent.name}/{f.name}")
def test_the_cases_hold(file: Path) -> None:
    results = [run_case(case) for case in load_cases(file)]
    assert len(results) >= 12
    assert [f"{r.name}: {'; '.join(r.faults)}" for r in results if not r.ok] == []


def test_the_shared_cases_hold() -> None:
    if not SHARED.exists():
        pytest.skip(f"the shared cases are not at hand: {SHARED.name}")
    results = [run_case(case) for case in load_cases(SHARED)]
    assert len(results) == 107
    assert [f"{r.name}: {'; '.join(r.faults)}" for r in results if not r.ok] == []


@pytest.mark.parametrize("kind", kind_names())
def test_the_cases_of_a_kind_reach_every_verdict_that_it_can_give(kind: str) -> None:
    file = ROOT / "src" / "seamwise" / "kinds" / kind / "cases.yaml"
    reached = {case.expect.value for case in load_cases(file) if isinstance(case, Case)}
    assert {"supported", "ruled_out", "unknown", "measurement_invalid"} <= reached
