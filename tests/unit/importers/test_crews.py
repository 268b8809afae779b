"""CrewAI, CAMEL and A2A: events of frameworks and of the protocol between agents, with as much of who and to whom as they record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from unit.importers.otlp_fixtures import Got, read_bytes
from unit.importers.seeds_crews import (
    A2A_NEW,
    A2A_STREAM,
    A2A_TASK,
    CAMEL_MEMORY,
    CAMEL_MESSAGES,
    CAMEL_SOCIETY,
    CAMEL_WORKFORCE,
    CREW_EVENTS,
    CREW_LOG,
    CREW_TEXT,
    a2a_result,
    crew,
)
from unit.importers.writing import lines, stems


def got(folder: Path, value: Any, **more: Any) -> Got:
    return read_bytes(
        folder, value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else json.dumps(value).encode(), **more
    )


def told(made: Got) -> list[tuple[Any, ...]]:
    return [(s.kind, s.actor, s.recipients, s.tool or s.text) for t in made.traces for s in t.steps]


# ---- CrewAI ----


def test_events_of_the_bus(tmp_path: Path) -> None:
    made = got(tmp_path, CREW_EVENTS)
    assert made.report.format == "crewai"
    assert told(made) == [
        ("note", None, None, None),
        ("route", None, None, None),
        ("agent_start", "Clerk", None, None),
        ("model_call", "Clerk", None, None),
        ("input", None, None, None),
        ("model_result", "Clerk", None, "I will ask."),
        ("tool_call", "Clerk", None, "Delegate work to coworker"),
        ("handoff", "Clerk", ("Book Keeper",), "Delegate work to coworker"),
        ("agent_start", "Book Keeper", None, None),
        ("agent_end", "Book Keeper", None, "paid"),
        ("tool_result", "Clerk", None, "Delegate work to coworker"),
        ("tool_call", "Clerk", None, "mail"),
        ("tool_result", "Clerk", None, "mail"),
        ("agent_end", "Clerk", None, "It is paid."),
        ("message", "Clerk", None, "It is paid."),
        ("note", None, None, None),
    ]
    assert made.one("route").data == {"event": "task_started", "task_id": "t", "task_name": "look", "to": ["Clerk"]}
    assert [s.status for s in made.of("tool_result")] == ["ok", "failed"]
    assert (made.of("tool_result")[1].data or {})["error"] == "no route"
    assert made.report.merged == 1
    assert [label.key for label in made.labels] == ["output.score", "output.quality"]
    assert "SEALED" not in str(made.traces)


def test_the_event_of_a_model_call_claims_its_input(tmp_path: Path) -> None:
    made = got(tmp_path, CREW_EVENTS)
    claim = made.traces[0].header.claims[0]
    given = made.one("input")
    assert (claim.stream, claim.range, claim.count) == ("input/Clerk", "e4", 1)
    assert (given.call, given.streams) == ("e4", ("input/Clerk",))
    cut = [{**e, "messages": "[{'role': 'user', 'cont [truncated]"} if e["event_id"] == "e4" else e for e in CREW_EVENTS]
    assert got(tmp_path, cut).traces[0].header.claims == ()


def test_events_are_put_in_the_order_of_their_emission(tmp_path: Path) -> None:
    made = got(tmp_path, lines(*reversed(CREW_EVENTS)))
    assert [t.steps for t in made.traces] == [t.steps for t in got(tmp_path, CREW_EVENTS).traces]
    assert made.codes["reordered"] == 1
    record = {"nodes": {e["event_id"]: {"event": e, "edges": {}} for e in CREW_EVENTS}}
    assert [t.steps for t in got(tmp_path, record).traces] == [t.steps for t in got(tmp_path, CREW_EVENTS).traces]


def test_calls_without_an_id_are_paired_by_order(tmp_path: Path) -> None:
    bare = [
        {k: v for k, v in e.items() if k not in ("event_id", "started_event_id")} for e in CREW_EVENTS if e["type"].startswith("tool_usage")
    ]
    made = got(tmp_path, bare)
    calls = {s.tool: s.call for s in made.of("tool_call")}
    assert {s.tool: s.call for s in made.of("tool_result")} == calls


def test_a_tool_that_ran_and_says_it_did_not_do_it(tmp_path: Path) -> None:
    failure = {"reason": "tool_reported", "message": "not_in_channel"}
    who = {"agent_info": {"id": "1", "role": "Clerk"}}  # as a lite agent is told
    for told_failed, ending in ((failure, "failed"), (None, "ok"), (False, "ok")):
        made = got(
            tmp_path,
            [
                crew("tool_usage_started", 1, tool_name="post", tool_args={"to": "x"}, **who),
                crew("tool_usage_finished", 2, tool_name="post", started_event_id="e1", output="posted?", failure=told_failed, **who),
            ],
        )
        (result,) = made.of("tool_result")
        assert (result.actor, result.status, (result.data or {}).get("error")) == ("Clerk", ending, told_failed or None)


def test_an_answer_out_of_the_cache_does_not_say_that_the_tool_ran(tmp_path: Path) -> None:
    who = {"agent_role": "Clerk", "tool_args": {"n": 1}, "tool_name": "post"}
    for cached, status in ((True, None), (False, "ok")):
        ended = crew("tool_usage_finished", 2, started_event_id="e1", output="posted", from_cache=cached, **who)
        got = read_bytes(tmp_path, json.dumps([crew("tool_usage_started", 1, **who), ended]).encode())
        assert got.one("tool_result").status == status


@pytest.mark.parametrize("file", [CREW_LOG, CREW_TEXT])
def test_the_log_file(tmp_path: Path, file: Any) -> None:
    made = got(tmp_path, file)
    assert made.report.format == "crewai"
    began, ended = made.steps
    assert (began.kind, (began.data or {})["to"]) == ("route", ["Clerk"])
    assert (ended.kind, ended.actor) == ("message", "Clerk")
    if file is CREW_TEXT:
        assert (began.data or {})["task"] == 'Look at "7", agent by agent'
        assert ended.text == 'it is\n"paid", really'
    assert all(s.time_ns is None for s in made.steps), "the time has no zone"


# ---- CAMEL ----


@pytest.mark.parametrize("file", [CAMEL_MESSAGES, CAMEL_SOCIETY, {"messages": CAMEL_MESSAGES}])
def test_messages_of_roles(tmp_path: Path, file: Any) -> None:
    made = got(tmp_path, file)
    assert made.report.format == "camel"
    assert told(made) == [("message", "Planner", None, "Write a lamp."), ("message", "Coder", None, "lamp = 1")]
    assert [(s.data or {})["role"] for s in made.steps] == ["user", "assistant"]


@pytest.mark.parametrize("lined", [False, True])
def test_a_memory_with_calls(tmp_path: Path, lined: bool) -> None:
    made = got(tmp_path, lines(*CAMEL_MEMORY) if lined else CAMEL_MEMORY)
    assert told(made) == [("message", None, None, "add"), ("tool_call", "Coder", None, "add"), ("tool_result", "Coder", None, "add")]
    assert made.one("tool_result").data == {"memory_of": "coder-1", "perspective": "function", "result": 1}
    assert made.steps[0].time_ns == 1_735_725_600_500_000_000


def test_what_an_agent_without_a_role_of_its_own_remembers_as_its_own_is_its_own(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    own = [{**r, "message": {**r["message"], "role_name": "System"}} for r in CAMEL_MEMORY]
    own[1]["message"] = {"role_name": "System", "role_type": "system", "content": "", "tool_calls": [call]}
    made = got(tmp_path, own)
    assert [(s.kind, s.actor, s.call) for s in made.steps] == [
        ("message", None, None),
        ("tool_call", "coder-1", "c1"),
        ("tool_result", "coder-1", "c1"),
    ]
    assert made.one("tool_call").data == {"memory_of": "coder-1", "perspective": "assistant", "arguments": {"a": 1}}


def test_events_of_a_workforce(tmp_path: Path) -> None:
    made = got(tmp_path, CAMEL_WORKFORCE)
    assert [(s.kind, s.actor) for s in made.steps] == [
        ("note", None),
        ("note", None),
        ("route", None),
        ("agent_start", "w1"),
        ("agent_end", "w1"),
        ("note", None),
    ]
    assert made.traces[0].header.organization.agents["w1"] == {"role": "coder", "worker_type": "Single"}
    ended = made.one("agent_end")
    assert (ended.status, ended.text, ended.time_ns) == ("failed", "dark", None)
    assert [ref.step for ref in ended.refs] == [made.one("agent_start").id]


# ---- A2A ----


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_whole_task(tmp_path: Path, wrapped: bool) -> None:
    made = got(tmp_path, a2a_result(A2A_TASK) if wrapped else A2A_TASK)
    assert made.report.format == "a2a"
    assert stems(made.traces) == ["c1"]
    assert [(s.id, s.text, (s.data or {}).get("role")) for s in made.of("message")] == [
        ("m1", "book", "user"),
        ("m2", "which?", "agent"),
        ("m3", "done", "agent"),
    ]
    assert all(s.actor is None and s.recipients is None for s in made.steps), "the protocol names nobody"
    states = [s.data for s in made.of("state")]
    assert states == [
        {"object": "task/t1", "items": {"state": "completed"}, "whole": False},
        {
            "object": "artifact/x",
            "items": {"text": None, "parts": [{"kind": "data", "data": {"seat": 4}}]},
            "whole": True,
            "name": "ticket",
            "taskId": "t1",
        },
    ]
    assert [label.key for label in made.labels] == ["metadata.score"]


@pytest.mark.parametrize("events", [False, True])
def test_a_stream_joins_the_pieces_of_an_artifact(tmp_path: Path, events: bool) -> None:
    made = got(tmp_path, "".join(f"data: {json.dumps(v)}\n\n" for v in A2A_STREAM) if events else lines(*A2A_STREAM))
    artifact = made.of("state")[1].data
    assert artifact is not None
    assert (artifact["items"], artifact["whole"]) == ({"text": "seat 4"}, True)
    assert [s.text for s in made.of("message")] == ["book"], "a history repeats what was sent"
    assert (made.report.kept, made.report.merged) == (5, 3)
    assert made.one("note").data == {"id": 1, "error": {"code": -32603, "message": "internal"}}


def test_the_newer_generation_and_an_artifact_that_broke_off(tmp_path: Path) -> None:
    made = got(tmp_path, A2A_NEW)
    assert stems(made.traces) == ["c9"]
    assert (made.one("message").data or {})["role"] == "user"
    partial = made.of("state")[1].data
    assert partial is not None
    assert (partial["partial"], partial["whole"]) == (True, False)
    assert made.codes == {"broke_off": 1}


def test_contexts_are_traces(tmp_path: Path) -> None:
    made = got(tmp_path, [A2A_TASK, {**A2A_TASK, "contextId": "c2", "id": "t2"}])
    assert stems(made.traces) == ["c1", "c2"]
    assert [len(t.steps) for t in made.traces] == [5, 5]


@pytest.mark.parametrize("format", ["crewai", "camel", "a2a"])
def test_nothing_of_it_is_refused(tmp_path: Path, format: str) -> None:
    for content in ("words", '{"a": 1}', "[[1]]", "data: {"):
        with pytest.raises(FormatError):
            got(tmp_path, content, format=format)


@pytest.mark.parametrize("parts", [4, "x", True, None])
def test_an_artifact_whose_parts_are_no_list_has_no_words_and_loses_nothing(tmp_path: Path, parts: Any) -> None:
    made = got(tmp_path, {**A2A_TASK, "artifacts": [{"artifactId": "x", "name": "ticket", "parts": parts}]})
    (items,) = [s.data["items"] for s in made.of("state") if s.data is not None and s.data["object"] == "artifact/x"]
    assert items == {"text": None, **({} if parts is None else {"parts": [parts]})}
