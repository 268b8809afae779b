"""Labels are sealed wherever a record keeps them, and however their names are written; nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.importers import open_recording
from seamwise.importers._shared.labels import is_label
from seamwise.record import encode_record

LABEL = "only judges know"


@pytest.mark.parametrize(
    "name", ["ground_truth", "groundTruth", "Ground-Truth", "mistakeStep", "true_answer", "expected answer", "run.isCorrect"]
)
def test_a_label_is_known_by_its_name_however_it_is_written(name: str) -> None:
    assert is_label(name)


@pytest.mark.parametrize("name", ["groundwork", "answer", "status", "Content-Type", "retrieval.documents.0.document.score", "mistaken"])
def test_other_names_are_none(name: str) -> None:
    assert not is_label(name)


RECORDS: dict[str, Any] = {
    "whowhen": {
        "question": "q",
        "mistake_agent": LABEL,
        "mistake_step": "1",
        "answer": LABEL,
        "metadata": {"by": "x", "ground_truth": LABEL},
        "history": [{"name": "A", "content": "hi", "extra": {"is_correct": LABEL, "kept": "told"}}, {"name": "B", "content": "yo"}],
    },
    "trail": {
        "trace_id": "t1",
        "spans": [
            {
                "timestamp": "2025-01-01T00:00:00Z",
                "trace_id": "t1",
                "span_id": "s1",
                "span_name": "main",
                "span_attributes": {"openinference.span.kind": "AGENT"},
                "duration": "PT1S",
                "logs": [{"body": {"function.arguments": {"example": {"true_answer": LABEL, "question": "told"}}}}],
                "child_spans": [],
            }
        ],
    },
    "mad": {
        "mas_name": "AG2",
        "trace_id": 0,
        "trace": {"trajectory": "[{'content': 'told', 'name': 'a', 'role': 'user'}, {'content': 'yo', 'name': 'b', 'role': 'user'}]"},
        "mast_annotation": {"1.1": LABEL},
        "other": {"is_correct": LABEL},
        "given": LABEL,
        "other_data": {"correct": LABEL},
    },
    "atif": {
        "schema_version": "ATIF-v1.4",
        "session_id": "s",
        "agent": {"name": "a", "version": "1"},
        "steps": [{"step_id": 1, "source": "agent", "message": "told", "metrics": {"extra": {"score": LABEL}}}],
        "final_metrics": {"extra": {"reward": LABEL}},
    },
}


@pytest.mark.parametrize("name", RECORDS)
def test_no_label_reaches_a_trace(name: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(RECORDS[name]))
    recording = open_recording(tmp_path / "r.json")
    written = "".join(encode_record(part).decode() for trace in recording.traces for part in (trace.header, *trace.steps))
    assert recording.report.format == name
    assert LABEL not in written
    assert "told" in written
    assert json.dumps([label.value for label in recording.labels]).count(LABEL) == json.dumps(RECORDS[name]).count(LABEL)
