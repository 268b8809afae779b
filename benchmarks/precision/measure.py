"""Measures how often each rule of the generic pack is right, on real recordings, by a labelled sample.

    python benchmarks/precision/measure.py              # recordings in ../shared/corpus
    python benchmarks/precision/measure.py --corpus DIR --json
    python benchmarks/precision/measure.py --unlabelled  # the leads that nobody has judged yet, to be labelled

``labels.yaml`` holds one entry for each lead that somebody looked at: file, trace, step, whether the lead is right (the thing that it says
happened, and who runs the workflow would want to know), and why. A rule whose precision is under 0.8 ships switched off: the program ends
with 1 where a rule that is on falls short, or where a label names a lead that is not found any more.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from seamwise.leads import RULES, Lead, find_leads

HERE = Path(__file__).parent
FLOOR = 0.8
Z = 1.959964


class Row(NamedTuple):
    """What was measured of one rule."""

    rule: str
    on: bool
    found: int
    """Leads in the corpus."""
    labelled: int
    right: int
    low: float
    high: float

    @property
    def precision(self) -> float | None:
        """Share of the labelled leads that are right; None where none is labelled."""
        return self.right / self.labelled if self.labelled else None


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; (0, 1) for none."""
    if not n:
        return 0.0, 1.0
    share, z2 = right / n, Z * Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def key_of(lead: Lead, corpus: Path) -> tuple[str, str, str, str]:
    """What a label is found by: rule, file, trace and the first step."""
    return lead.rule, str(Path(lead.file).relative_to(corpus)), lead.trace, lead.steps[0].step


def measure(leads: list[Lead], labels: list[dict[str, Any]], corpus: Path) -> tuple[list[Row], list[Lead], list[dict[str, Any]]]:
    """A row for each rule, the leads without a label, and the labels without a lead."""
    known = {(str(e["rule"]), str(e["file"]), str(e["trace"]), str(e["step"])): e for e in labels}
    met: set[tuple[str, str, str, str]] = set()
    counts = {rule: [0, 0, 0] for rule in RULES}
    unlabelled = []
    for lead in leads:
        key = key_of(lead, corpus)
        mine = counts[lead.rule]
        mine[0] += 1
        if key not in known:
            unlabelled.append(lead)
        elif key not in met:
            met.add(key)
            mine[1] += 1
            mine[2] += bool(known[key]["right"])
    rows = [Row(rule, RULES[rule].on, n, labelled, right, *wilson(right, labelled)) for rule, (n, labelled, right) in counts.items()]
    return rows, unlabelled, [entry for key, entry in known.items() if key not in met]


def main() -> int:
    """Prints the table; 1 where something is not as it must be."""
    parser = argparse.ArgumentParser(description="Precision of the generic pack's rules on labelled leads.")
    parser.add_argument("--corpus", type=Path, default=HERE.parents[2] / "shared" / "corpus")
    parser.add_argument("--labels", type=Path, default=HERE / "labels.yaml")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--unlabelled", action="store_true")
    given = parser.parse_args()
    if not given.corpus.is_dir():
        print(f"precision: the recordings are not there: {given.corpus.name}; name them with --corpus", file=sys.stderr)
        return 2
    labels = yaml.safe_load(given.labels.read_text(encoding="utf-8")) or []
    found = find_leads(given.corpus, rules=tuple(RULES))
    rows, unlabelled, lost = measure(found.leads, labels, given.corpus)
    if given.unlabelled:
        for lead in unlabelled:
            rule, file, trace, step = key_of(lead, given.corpus)
            print(json.dumps({"rule": rule, "file": file, "trace": trace, "step": step, "right": None, "because": lead.words}))
        return 0
    if given.json:
        print(json.dumps([{**row._asdict(), "precision": row.precision} for row in rows], indent=2))
    else:
        print(f"{found.n_traces:,} traces, {found.n_steps:,} steps; leads judged by hand")
        print(f"{'rule':22}{'':5}{'leads':>6}{'judged':>8}{'right':>7}{'precision':>14}   95 % interval")
        for row in rows:
            share = "not measured" if row.precision is None else f"{row.precision:.2f}"
            interval = "" if row.precision is None else f"   {row.low:.2f} to {row.high:.2f}"
            print(f"{row.rule:22}{'' if row.on else 'off':5}{row.found:6}{row.labelled:8}{row.right:7}{share:>14}{interval}")
    short = [row.rule for row in rows if row.on and row.precision is not None and row.precision < FLOOR]
    for rule in short:
        print(f"precision: `{rule}` is right less than four times in five, and is switched on", file=sys.stderr)
    for entry in lost:
        print(f"precision: no lead is found any more for the label {entry['rule']} {entry['file']} {entry['step']}", file=sys.stderr)
    return 1 if short or lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
