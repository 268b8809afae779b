"""Evaluation labels inside recordings: told by their names, put aside, sealed."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._report import Label

_FIRST = frozenset("eval evals evaluation evaluations evaluator score scores annotation annotations grade grades rubric".split())
"""First segments of a name that make it a label."""

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[- ]")
"""Where a name's words part: ``groundTruth`` and ``ground-truth`` are ``ground_truth``."""

_ANY = frozenset(
    "ground_truth groundtruth expected_output expected_answer reference_answer reference_output reference_outputs gold_answer "
    "golden_answer gold_label gold_patch true_answer correct_answer mistake_agent mistake_step mistake_reason mistake_type is_correct "
    "is_corrected correctness annotation annotations reference_example_id expected_outcome failure_label".split()
)
"""Segments that make a name a label wherever they stand."""


def is_label(key: str) -> bool:
    """Whether a name is that of an evaluation label: an annotation, a mistake mark, a score, a reference answer.

    The score of a retrieved document (``retrieval.documents.0.document.score``) is none: it was part of the run.
    """
    segments = re.split(r"[./:]", (key if key.islower() and key.isidentifier() else _WORDS.sub("_", key)).lower())
    if segments[0] == "gen_ai":
        return segments[1:2] == ["evaluation"]
    return segments[0] in _FIRST or any(s in _ANY or s.startswith("mistake_") for s in segments)


def seal(sink: Sink, trace: str, step: str | None, key: str, value: Any) -> None:
    """Puts one label aside and counts it."""
    sink.labels.append(Label(trace=trace, step=step, key=key, value=value))
    sink.report.sealed[key] = sink.report.sealed.get(key, 0) + 1


def without_labels(value: Any, sink: Sink, trace: str, step: str | None, path: str = "", also: frozenset[str] = frozenset()) -> Any:
    """A JSON value without the entries of it that are labels, at any depth; these are sealed under their path.

    Args:
        value: The value.
        sink: Where labels go.
        trace: The trace that it stands in.
        step: The step that it stands in, if it stands in one.
        path: Where in the record it stands.
        also: Names that are labels here and nowhere else.
    """
    if isinstance(value, dict):
        made = {}
        for key, inner in value.items():
            place = f"{path}.{key}" if path else key
            if is_label(key) or key in also:
                seal(sink, trace, step, place, inner)
            else:
                made[key] = without_labels(inner, sink, trace, step, place, also)
        return made
    if isinstance(value, list):
        return [without_labels(inner, sink, trace, step, path, also) for inner in value]
    return value
