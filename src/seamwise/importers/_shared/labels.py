"""Evaluation labels inside recordings: told by their names, put aside, sealed."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._report import Label

_FIRST = frozenset("eval evals evaluation evaluations evaluator score scores annotation annotations grade grades rubric".split())
"""First segments of a name that make it a label."""

_ANY = frozenset(
    "ground_truth groundtruth expected_output expected_answer reference_answer reference_output reference_outputs gold_answer "
    "golden_answer mistake_agent mistake_step mistake_reason mistake_type is_correct is_corrected correctness annotation annotations "
    "reference_example_id expected_outcome failure_label".split()
)
"""Segments that make a name a label wherever they stand."""


def is_label(key: str) -> bool:
    """Whether a name is that of an evaluation label: an annotation, a mistake mark, a score, a reference answer.

    The score of a retrieved document (``retrieval.documents.0.document.score``) is none: it was part of the run.
    """
    segments = re.split(r"[./:]", key.lower())
    if segments[0] == "gen_ai":
        return segments[1:2] == ["evaluation"]
    return segments[0] in _FIRST or any(s in _ANY or s.startswith("mistake_") for s in segments)


def seal(sink: Sink, trace: str, step: str | None, key: str, value: Any) -> None:
    """Puts one label aside and counts it."""
    sink.labels.append(Label(trace=trace, step=step, key=key, value=value))
    sink.report.sealed[key] = sink.report.sealed.get(key, 0) + 1


def without_labels(value: Any, sink: Sink, trace: str, step: str | None, path: str = "") -> Any:
    """A JSON value without the entries of it that are labels, at any depth; these are sealed under their path."""
    if isinstance(value, dict):
        made = {}
        for key, inner in value.items():
            place = f"{path}.{key}" if path else key
            if is_label(key):
                seal(sink, trace, step, place, inner)
            else:
                made[key] = without_labels(inner, sink, trace, step, place)
        return made
    if isinstance(value, list):
        return [without_labels(inner, sink, trace, step, path) for inner in value]
    return value
