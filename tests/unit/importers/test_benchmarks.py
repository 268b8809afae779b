"""Recordings with labels inside: the runs are read, the labels are sealed, and nothing of them is in what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.seeds_chats import MAGENTIC, WHOWHEN_AG, WHOWHEN_HC


def got(folder: Path, value: Any, **more: Any) -> Got:
    return read_bytes(folder, value if isinstance(value, bytes) else json.dumps(value).encode(), **more)


def written(made: Got) -> str:
    return "".join(str(encode_trace(trace), "utf-8") for trace in made.traces)


LABELLED: dict[str, tuple[Any, set[str]]] = {
    "whowhen, algorithm-generated": (
        WHOWHEN_AG,
        {"is_correct", "level", "ground_truth", "mistake_agent", "mistake_step", "mistake_reason"},
    ),
    "whowhen, hand-crafted": (
        WHOWHEN_HC,
        {"is_corrected", "ground_truth", "mistake_agent", "mistake_step", "mistake_type", "mistake_reason"},
    ),
}


@pytest.mark.parametrize("name", LABELLED)
def test_no_label_leaks(tmp_path: Path, name: str) -> None:
    file, keys = LABELLED[name]
    made = got(tmp_path, file)
    assert {label.key for label in made.labels} == set(made.report.sealed) == keys
    assert all(sum(label.key == key for label in made.labels) == n for key, n in made.report.sealed.items())
    out = written(made)
    assert "SEALED" in json.dumps(file)
    assert "SEALED" not in out
    assert not [key for key in keys if f'"{key}"' in out]
    notes = " ".join(note.words for note in made.report.notes)
    assert "SEALED" not in notes


# ---- Who&When ----


def test_in_the_generated_dialect_the_name_speaks_and_the_role_is_a_perspective(tmp_path: Path) -> None:
    made = got(tmp_path, WHOWHEN_AG)
    assert [(s.id, s.kind, s.actor) for s in made.steps] == [
        ("0", "message", "Lamp_Expert"),
        ("1", "message", "Computer_terminal"),
        ("2", "message", "Check_Expert"),
    ]
    assert made.steps[1].data == {"role": "user"}
    assert made.traces[0].header.organization.agents["Check_Expert"] == {"system_prompt": "You check counts."}
    assert made.report.unknown == {"who received a message": 3}


def test_in_the_hand_crafted_dialect_the_label_says_to_whom(tmp_path: Path) -> None:
    made = got(tmp_path, WHOWHEN_HC)
    assert [(s.kind, s.actor, s.recipients) for s in made.steps] == [
        ("message", "human", None),
        ("note", "Orchestrator", None),
        ("message", "Orchestrator", ("WebSurfer",)),
        ("message", "WebSurfer", None),
        ("message", "Orchestrator", ("Assistant",)),
        ("message", "Assistant", None),
        ("note", "Orchestrator", None),
    ]
    assert made.steps[1].data == {"aside": "thought", "role": "Orchestrator (thought)"}
    assert [s.id for s in made.steps] == [str(n) for n in range(7)]


def test_the_step_of_a_mistake_counts_from_zero_and_names_a_step(tmp_path: Path) -> None:
    label = next(label for label in got(tmp_path, WHOWHEN_AG).labels if label.key == "mistake_step")
    assert (label.step, label.value) == ("2", {"value": "2", "base": 0})
    outside = got(tmp_path, WHOWHEN_AG | {"mistake_step": "77123"})
    assert [label.step for label in outside.labels if label.key == "mistake_step"] == [None]
    assert outside.codes["label_outside"] == 1
    assert "77123" not in " ".join(note.words for note in outside.report.notes)


def test_a_list_of_records_and_one_in_a_line(tmp_path: Path) -> None:
    for file in ([WHOWHEN_AG, WHOWHEN_HC, 5], b"\n".join(json.dumps(r).encode() for r in (WHOWHEN_AG, WHOWHEN_HC, 5))):
        made = got(tmp_path, file)
        assert made.report.format == "whowhen"
        assert [len(t.steps) for t in made.traces] == [3, 7]
        assert made.report.dropped == {"no history": 1}


def test_labels_inside_a_turn_are_sealed_too(tmp_path: Path) -> None:
    marked = [*MAGENTIC, {**MAGENTIC[3], "annotation": "SEALED-1"}, {"mistake_reason": "SEALED-2", "n": 1}]
    for file in (marked, {**WHOWHEN_HC, "history": marked}):
        made = got(tmp_path, file)
        assert {(label.key, label.step) for label in made.labels} >= {("annotation", "7"), ("mistake_reason", "8")}
        assert "SEALED" not in written(made)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    made = got(tmp_path, json.dumps(WHOWHEN_HC).encode(encoding))
    assert len(made.steps) == 7
    assert made.codes["encoding"] == 1


def test_what_holds_no_history_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="an object with `history`"):
        got(tmp_path, {"mistake_step": 1}, format="whowhen")


# ---- AgentRx ----


def test_a_bare_list_of_magentic_one(tmp_path: Path) -> None:
    made = got(tmp_path, MAGENTIC)
    assert made.report.format == "agentrx"
    assert [(s.kind, s.actor, s.recipients) for s in made.steps][:4] == [
        ("message", "human", None),
        ("note", "Orchestrator", None),
        ("message", "Orchestrator", ("WebSurfer",)),
        ("message", "WebSurfer", None),
    ]
    assert made.labels == []


def test_a_label_file_is_sealed_whole_and_its_steps_count_from_one(tmp_path: Path) -> None:
    failure = {"failure_id": 1, "step_number": 3, "failed_agent": "Websurfer"}
    file = [{"trajectory_id": "run-7", "failures": [failure], "root_cause": {"failure_id": 1}, "failure_summary": "s"}, 5]
    made = got(tmp_path, file)
    assert made.traces == []
    assert made.report.dropped == {"a label, sealed": 2}
    assert [(label.trace, label.step, label.key, label.value) for label in made.labels] == [
        ("run-7", "2", "failure", {"value": failure, "base": 1}),
        ("run-7", None, "root_cause", {"failure_id": 1}),
        ("run-7", None, "failure_summary", "s"),
        ("", None, "label", 5),
    ]


def test_what_a_checker_said_is_sealed(tmp_path: Path) -> None:
    skipped = {"task_id": 3, "step_pos": 0, "step.index": 1, "reason": "r", "skipped_invariants": [{"assertion_name": "a", "reason": "r"}]}
    made = got(tmp_path, {"skipped_steps": [skipped], "metrics": {}})
    assert made.traces == []
    assert [(label.trace, label.step, label.key) for label in made.labels] == [("3", "0", "checker_results")]


def test_in_the_corpus_no_reason_of_a_mistake_is_in_what_is_written() -> None:
    folders = [SHARED / "corpus" / folder for folder in ("whowhen-algorithm", "whowhen-handcrafted")]
    if not all(folder.is_dir() for folder in folders):
        pytest.skip("the corpus is not on this machine")
    for path in (path for folder in folders for path in folder.iterdir()):
        made = read(path)
        out = written(made)
        reasons = [label.value for label in made.labels if label.key == "mistake_reason"]
        assert reasons
        assert not [reason for reason in reasons if json.dumps(reason)[1:-1] in out]
        assert not [label.key for label in made.labels if f'"{label.key}"' in out]


def test_in_the_corpus_the_bases_of_both_benchmarks_fit_their_speakers() -> None:
    labels = SHARED / "corpus" / "agentrx-aux" / "data__ground_truth__magentic_one_ground_truth.json"
    if not labels.is_file():
        pytest.skip(f"../shared/{labels.relative_to(SHARED)} is not on this machine")
    read_all = [t for path in (SHARED / "corpus" / "agentrx-magentic").iterdir() for t in read(path).traces]
    runs = {t.id: {s.id: s.actor for s in t.steps} for t in read_all}
    places = {t.id: t.header.origin["file"] for t in read_all}
    named = [
        (runs[run][label.step], label.value["value"]["failed_agent"])
        for label in read(labels).labels
        if label.key == "failure" and label.step is not None
        for run in runs
        if label.trace in places[run]
    ]
    assert len(named) >= 8
    assert sum((actor or "").lower() == agent.lower() for actor, agent in named) >= 0.9 * len(named)
    fits = []
    for folder in ("whowhen-algorithm", "whowhen-handcrafted"):
        for path in (SHARED / "corpus" / folder).iterdir():
            made = read(path)
            found = {label.key: label for label in made.labels}
            actors = {s.id: s.actor for s in made.steps}
            fits.append((actors[str(found["mistake_step"].step)] or "").lower() == found["mistake_agent"].value.lower())
    assert len(fits) == 16
    assert sum(fits) >= 15
