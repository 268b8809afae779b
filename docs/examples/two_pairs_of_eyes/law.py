"""Law 6 by hand: on every case with a little of it not recorded, the monitor must say what the definition says.

python -m two_pairs_of_eyes.law          # the kind
python -m two_pairs_of_eyes.law wrong    # the same with a mistake in its monitor
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import yaml

from seamwise.kernel import Evidence, Kind, Outcome, TooLargeError, ask, possible_by_enumeration
from seamwise.testing import parse_evidence
from two_pairs_of_eyes import KIND
from two_pairs_of_eyes.wrong import WRONG

BUDGET = 5_000


def by_monitor(kind: Kind[Any], params: Any, evidence: Evidence) -> frozenset[Outcome]:
    """The fast way."""
    return ask(kind, params, kind.spec(params, evidence).select(evidence.weighty())).possible


def by_definition(kind: Kind[Any], params: Any, evidence: Evidence) -> frozenset[Outcome] | None:
    """The slow way; None where there are more completions than the budget."""
    try:
        return possible_by_enumeration(evidence, kind.spec(params, evidence), lambda run: kind.outcome(run, params), budget=BUDGET)
    except TooLargeError:
        return None


def bundles(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A case as it stands; then without one or two fields of its records; each with its order and without."""
    spots = [(i, field) for i, record in enumerate(document["records"]) for field in record if field not in ("id", "kind")]
    for size in (0, 1, 2):
        for gone in combinations(spots, size):
            records = [{k: v for k, v in r.items() if (i, k) not in gone} for i, r in enumerate(document["records"])]
            words = " and ".join(f"{document['records'][i]['id']}.{field}" for i, field in gone) or "nothing"
            for unordered in (document.get("unordered", False), True):
                name = f"{document['name']} without {words}{', unordered' if unordered else ''}"
                yield name, {**document, "records": records, "unordered": unordered}


def first_difference(kind: Kind[Any]) -> tuple[str, int, int]:
    """The first bundle on which the two ways differ (empty: none), how many were compared, and how many were too large."""
    compared = too_large = 0
    for document in yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8")):
        params = msgspec.convert(document["params"], kind.params)
        for name, bundle in bundles(document):
            evidence = parse_evidence(bundle)
            truth = by_definition(kind, params, evidence)
            if truth is None:
                too_large += 1
                continue
            compared += 1
            mine = by_monitor(kind, params, evidence)
            if mine != truth:
                lines = [name, *(f"  {r}" for r in bundle["records"]), *(f"  claim {c}" for c in bundle.get("claims", ()))]
                lines += [f"the monitor says     {', '.join(sorted(mine))}", f"the definition says  {', '.join(sorted(truth))}"]
                return "\n".join(lines), compared, too_large
    return "", compared, too_large


if __name__ == "__main__":
    difference, compared, too_large = first_difference(WRONG if sys.argv[1:] == ["wrong"] else KIND)
    print(difference or f"{compared} bundles compared, no difference ({too_large} too large to enumerate)")
    sys.exit(1 if difference else 0)
