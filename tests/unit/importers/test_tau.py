"""tau-bench and tau2-bench: two speakers, a key that repeats, everything that grades sealed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import recordings
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.tau_fixtures import DUPLEX, RESULTS, RUN, SHOWN, SIMULATION


def imported(folder: Path, value: Any) -> Got:
    got = read_bytes(folder, json.dumps(value).encode())
    assert got.report.format == "tau"
    return got


def test_a_run(tmp_path: Path) -> None:
    got = imported(tmp_path, [RUN])
    assert got.traces[0].id.startswith("task 3, trial 1-")
    assert [(s.kind, s.actor) for s in got.steps] == [
        ("message", None),
        ("message", "user"),
        ("tool_call", "assistant"),
        ("tool_result", "assistant"),
        ("message", "assistant"),
    ]
    assert got.one("tool_call").data == {"arguments": {"order": 7}}
    assert got.one("tool_result").status is None, "the answer says that it is an error; the benchmark says nothing"
    assert (got.steps[-1].data or {})["index"] == 5


@pytest.mark.parametrize("value", [[RUN], RESULTS, SIMULATION])
def test_what_grades_is_sealed(tmp_path: Path, value: Any) -> None:
    got = imported(tmp_path, value)
    assert got.labels
    written = b"".join(encode_trace(trace) for trace in got.traces).decode()
    assert "MARK" not in written
    assert not {key for key in got.report.sealed if f'"{key}"' in written}


def test_the_key_repeats_from_file_to_file(tmp_path: Path) -> None:
    other = {**RUN, "traj": [*RUN["traj"], {"role": "user", "content": "bye"}]}
    got = imported(tmp_path, [RUN, {**RUN, "trial": 2}, other])
    assert len({trace.id for trace in got.traces}) == 3
    assert imported(tmp_path, [RUN]).traces[0].id == got.traces[0].id


def test_a_user_has_tools_of_its_own(tmp_path: Path) -> None:
    got = imported(tmp_path, SIMULATION)
    assert got.traces[0].id == "0b5e"
    assert {s.call: s.actor for s in got.of("tool_call")} == {"u1": "user", "a1": "assistant", "a2": "assistant"}
    assert {s.call: s.status for s in got.of("tool_result")} == {"u1": "ok", "a1": "ok", "a2": "failed"}
    assert got.report.unknown["the time zone of a time"] == 3


def test_the_policy_of_an_experiment_is_that_of_its_runs(tmp_path: Path) -> None:
    got = imported(tmp_path, RESULTS)
    assert [trace.header.organization.policies for trace in got.traces] == [{"retail": "No refund twice."}] * 2
    assert imported(tmp_path, SIMULATION).traces[0].header.organization.policies == {}


def test_both_speak_at_once(tmp_path: Path) -> None:
    got = imported(tmp_path, DUPLEX)
    said = {(s.actor, s.text): (s.data or {})["ticks"] for s in got.of("message")}
    assert said == {
        ("assistant", "How can I help?"): [0, 1],
        ("user", "I want"): [1, 2],
        ("assistant", None): [4, 4],
        ("user", "so"): [4, 4],
    }
    steps = {s.id: s for s in got.steps}
    assert all(s.seq is None for s in got.steps)
    after = {s.id: {a.step for a in s.order} for s in got.steps}
    last = [s for s in got.of("message") if s.id.startswith("4.")]
    assert all(after[s.id] == {got.one("tool_result").id} for s in last), "in one tick, neither side is known to be first"
    assert after[got.one("tool_call").id] == {"2.user"}
    assert set(steps) >= {"1.agent", "2.user"}


def test_a_conversation_shown_as_text(tmp_path: Path) -> None:
    got = imported(tmp_path, SHOWN)
    assert [(s.kind, s.text) for s in got.steps] == [
        ("message", "Hello\nsecond line"),
        ("note", None),
        ("tool_result", "Ann"),
        ("message", "Hello Ann"),
    ]


def test_settings_without_runs(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="only the settings of an experiment"):
        imported(tmp_path, {**RESULTS, "simulations": []})


CORPUS = {
    "few_shot.jsonl": (69, 1955),
    "gpt-4o-airline.json": (200, 5308),
    "895a332e41.json": (1, 1340),
    "tau_missing_tool_results.json": (6, 166),
    "tau_dataset_full.json": (100, 3036),
}


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_the_corpus() -> None:
    found = [f for f in recordings([SHARED / "corpus"]) if f.format == "tau"]
    expected = {name: counts for f in found for name, counts in CORPUS.items() if f.path.endswith(name)}
    assert expected == CORPUS
    for f in found:
        counts = next((counts for name, counts in CORPUS.items() if f.path.endswith(name)), None)
        if counts is None:
            with pytest.raises(FormatError, match="only the settings of an experiment"):
                read(Path(f.path))
        else:
            got = read(Path(f.path))
            assert (got.report.traces, got.report.kept) == counts


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_results_that_were_not_captured_are_unknown_and_not_failures() -> None:
    got = read(SHARED / "corpus" / "derived-broken" / "tau_missing_tool_results.json")
    assert len(got.of("tool_call")) - len({(s.call) for s in got.of("tool_result")}) > 0
    assert got.report.unknown["the ending of a tool call"] == 16
