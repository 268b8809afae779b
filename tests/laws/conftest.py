"""Budgets, the cases that laws start from, and the count of what was drawn."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from seamwise.kinds import kind_names
from seamwise.testing import Case, load_cases

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "examples" / "verdicts.yaml"
LONG = os.environ.get("SEAMWISE_LAW_BUDGET") == "long"
EXAMPLES = int(os.environ.get("SEAMWISE_LAW_EXAMPLES", "4000" if LONG else "150"))

settings.register_profile(
    "laws",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("laws")

DRAWN: Counter[tuple[str, str, str]] = Counter()
"""(law, kind, outcome) -> bundles."""


def cases_of(kind: str) -> list[Case]:
    """Every case of a kind that can be found: its own, and the shared ones where they are at hand."""
    files = [ROOT / "src" / "seamwise" / "kinds" / kind / "cases.yaml", SHARED]
    return [c for f in files if f.exists() for c in load_cases(f, kind=kind) if isinstance(c, Case)]


@pytest.fixture(params=kind_names())
def kind_name(request: pytest.FixtureRequest) -> str:
    """Each registered kind."""
    return str(request.param)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints how many bundles were drawn per law, kind and outcome."""
    if not DRAWN:
        return
    terminalreporter.section("bundles drawn per law, kind and outcome")
    rows: dict[tuple[str, str], Counter[str]] = {}
    for (law, kind, outcome), n in DRAWN.items():
        rows.setdefault((law, kind), Counter())[outcome] += n
    for (law, kind), counts in sorted(rows.items()):
        shown = "  ".join(f"{outcome} {n}" for outcome, n in sorted(counts.items()))
        terminalreporter.write_line(f"{law:<14} {kind:<20} {sum(counts.values()):>6}  {shown}")
