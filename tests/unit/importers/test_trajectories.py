"""SWE-agent, OpenHands and ATIF: what is told twice counts once, and what was observed answers what it names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import recordings
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.trajectory_fixtures import ATIF, EVALUATED, LOGGED, OLDER, SDK, SEEDS, SWE, SWE_HISTORY, TURNS, entry

Import = Callable[..., Got]


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    def imported(value: Any, format: str) -> Got:
        got = read_bytes(tmp_path, value if isinstance(value, bytes) else json.dumps(value).encode())
        assert got.report.format == format
        return got

    return imported


def shape(got: Got) -> list[tuple[str, str | None, str | None]]:
    return [(s.kind, s.actor, s.tool or s.text) for s in got.steps]


# ---- SWE-agent ----


def test_a_trajectory_and_its_history_tell_one_run(imported: Import) -> None:
    got = imported(SWE, "swe_agent")
    assert shape(got) == [
        ("message", None, "SETTING"),
        ("message", None, "fix it"),
        ("message", "primary", TURNS[0]["response"]),
        ("tool_call", "primary", "open"),
        ("tool_result", "primary", "open"),
        ("state", None, None),
        ("message", "primary", TURNS[1]["response"]),
        ("tool_call", "primary", "submit"),
        ("tool_result", "primary", "submit"),
        ("state", None, None),
        ("action", "primary", None),
    ]
    assert (got.report.records, got.report.kept, got.report.merged) == (8, 4, 3)
    assert got.report.dropped == {"a demonstration, which is no part of the run": 1}
    assert got.of("tool_call")[0].data == {"arguments": {"command": "open a.py"}}
    assert got.of("message")[0].recipients == ("primary",)


def test_a_history_alone(imported: Import) -> None:
    got = imported(SWE_HISTORY, "swe_agent")
    assert [(s.kind, s.call) for s in got.steps] == [
        ("message", None),
        ("message", None),
        ("message", None),
        ("tool_call", "c1"),
        ("tool_result", "c1"),
    ]
    assert got.one("tool_call").data == {"command": "find_file a.py", "arguments": {"name": "a.py"}}


def test_what_only_the_history_holds_is_kept(imported: Import) -> None:
    history = [
        *SWE["history"][:5],
        entry("user", "a hint from outside"),
        entry("assistant", "helper speaks", agent="helper"),
        SWE["history"][5],
    ]
    got = imported({**SWE, "history": history}, "swe_agent")
    texts = [s.text for s in got.of("message")]
    assert texts.index("a hint from outside") < texts.index("helper speaks") < texts.index(TURNS[1]["response"])


def test_a_trajectory_alone_has_an_agent_without_a_name(imported: Import) -> None:
    got = imported({"environment": "e", "trajectory": TURNS, "info": {}}, "swe_agent")
    assert {s.actor for s in got.steps} == {None}
    assert got.report.unknown["which agent a call belongs to"] == 2


# ---- OpenHands ----


def test_events_of_the_sdk(imported: Import) -> None:
    got = imported(SEEDS["openhands"][0], "openhands")
    assert got.traces[0].id == "conversation-id-0"
    assert [(s.kind, s.actor, s.call, s.status) for s in got.steps] == [
        ("message", None, None, None),
        ("message", "user", None, None),
        ("state", None, None, None),
        ("message", "agent", None, None),
        ("tool_call", "agent", "c1", None),
        ("tool_result", "agent", "c1", "ok"),
        ("tool_call", "agent", "c2", None),
        ("tool_result", "agent", "c2", "failed"),
        ("tool_call", "agent", "c3", None),
        ("tool_result", "agent", "c3", "failed"),
        ("note", None, None, None),
    ]
    assert got.report.merged == 1
    assert got.report.unknown["the time zone of a time"] == len(SDK) - 1


def test_an_observation_whose_action_is_not_there(imported: Import) -> None:
    got = imported([SDK[1], SDK[4]], "openhands")
    assert got.one("tool_result").call == "c1"
    assert got.codes["result_without_call"] == 1


def test_a_system_prompt_that_is_longer_than_what_is_looked_at(imported: Import) -> None:
    long = {"type": "text", "text": "x" * 100_000}
    first = {**{key: value for key, value in SDK[0].items() if key != "kind"}, "system_prompt": long, "kind": "SystemPromptEvent"}
    got = imported("\n".join(map(json.dumps, [first, *SDK[1:3]])).encode(), "openhands")
    assert [s.kind for s in got.steps] == ["message", "message", "state"]


def test_older_events(imported: Import) -> None:
    got = imported(OLDER, "openhands")
    assert [(s.kind, s.actor, s.status) for s in got.steps] == [
        ("message", "user", None),
        ("message", "agent", None),
        ("tool_call", "agent", None),
        ("tool_result", "agent", "ok"),
        ("handoff", "agent", None),
        ("tool_call", "agent", None),
        ("tool_result", "agent", "failed"),
        ("message", "agent", None),
    ]
    assert got.one("handoff").recipients == ("BrowsingAgent",)
    assert [s.kind for s in imported(EVALUATED, "openhands").steps] == [s.kind for s in got.steps]


def test_a_logged_call_of_a_model(imported: Import) -> None:
    got = imported(LOGGED, "openhands")
    assert [(s.kind, s.actor) for s in got.steps] == [
        ("message", None),
        ("message", None),
        ("model_call", "Agent"),
        ("input", "Agent"),
        ("model_result", "Agent"),
    ]
    assert got.traces[0].header.claims[0].stream == "input/Agent"
    assert got.one("model_result").time_ns == 1757015033_250000000


# ---- ATIF ----


def test_an_embedded_sub_agent_stands_where_it_was_called(imported: Import) -> None:
    got = imported(ATIF, "atif")
    assert got.traces[0].id == "run/parent"
    assert shape(got) == [
        ("agent_start", "lead", None),
        ("message", "user", "go"),
        ("note", "lead", "hm"),
        ("message", "lead", "I ask"),
        ("tool_call", "lead", "ask"),
        ("tool_call", "lead", "look"),
        ("tool_result", "lead", "look"),
        ("handoff", "lead", None),
        ("agent_start", "scout", None),
        ("input", "scout", None),
        ("message", "scout", "found"),
        ("tool_result", "lead", "ask"),
        ("message", None, "summary"),
        ("message", "lead", '{"keystrokes": "ls"}'),
        ("message", None, "a.py"),
    ]
    assert got.one("handoff").recipients == ("scout",)
    assert (got.report.records, got.report.merged) == (6, 1)
    assert got.traces[0].header.origin["recorded"]["subagents_in_other_files"] == [{"session_id": "far"}]
    assert got.report.claims == {}


def test_an_embedded_sub_agent_that_no_step_names_is_kept(imported: Import) -> None:
    got = imported({**ATIF, "steps": ATIF["steps"][:1]}, "atif")
    assert [s.text for s in got.of("message")] == ["go", "found"]
    assert got.codes["subagent_without_reference"] == 1


def test_sub_agents_inside_one_another(imported: Import) -> None:
    inner: dict[str, Any] = {"trajectory_id": "t", "agent": {"name": "a"}, "steps": [{"step_id": 1, "source": "agent", "message": "x"}]}
    for n in range(25):
        inner = {"trajectory_id": f"t{n}", "agent": {"name": f"a{n}"}, "steps": [], "subagent_trajectories": [inner]}
    got = imported({"schema_version": "ATIF-v1.7", **inner}, "atif")
    assert got.report.dropped == {"nested too deeply": 1}


# ---- all ----


@pytest.mark.parametrize(("value", "format"), [(SWE, "swe_agent"), (EVALUATED, "openhands"), (ATIF, "atif")])
def test_what_grades_is_sealed(imported: Import, value: Any, format: str) -> None:
    got = imported(value, format)
    assert got.labels
    assert "MARK" not in encode_trace(got.traces[0]).decode()


@pytest.mark.parametrize("format", ["swe_agent", "openhands", "atif"])
def test_a_file_without_a_run(tmp_path: Path, format: str) -> None:
    with pytest.raises(FormatError):
        read_bytes(tmp_path, b"nothing", format=format)


KEPT = {
    "BabyTimeCapsule.traj": (28, 11, 17),
    "warmup.traj": (22, 9, 13),
    "function_calling_simple.traj": (12, 12, 0),
    "events.jsonl": (10, 10, 0),
    "1757015033.222.json": (1, 1, 0),
    "terminus2_continuation_cont1.json": (8, 4, 4),
    "terminus2_sub_answers.json": (7, 2, 5),
    "v17_embedded_subagents.json": (6, 5, 1),
    "multi_tool_trajectory.json": (5, 5, 0),
}


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
@pytest.mark.parametrize(
    ("folder", "format", "n"), [("swe-agent", "swe_agent", 5), ("openhands", "openhands", 2), ("phoenix-atif", "atif", 10)]
)
def test_the_corpus(folder: str, format: str, n: int) -> None:
    found = list(recordings([SHARED / "corpus" / folder]))
    ours = [f for f in found if f.format == format]
    assert len(ours) == n
    assert {f.format for f in found} - {format} <= {"chat"}, "two files of OpenHands are plain lists of messages"
    for f in ours:
        got = read(Path(f.path))
        assert got.report.traces == 1
        assert got.report.dropped == {}
        expected = [counts for name, counts in KEPT.items() if f.path.endswith(name)]
        assert expected in ([], [(got.report.records, got.report.kept, got.report.merged)]), f.path
