"""VCR cassettes: the calls of models of every provider, and no secret, no header, no agent that nobody recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError
from seamwise.importers import Limits, recordings
from seamwise.importers.vcr._yaml import load
from seamwise.record import After, encode_trace
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.vcr_fixtures import (
    ANTHROPIC,
    BEDROCK,
    CALL,
    CANDIDATE,
    CHAT,
    CONVERSE,
    CONVERSE_STREAM,
    DONE,
    GEMINI,
    OPENAI,
    RESPONSES,
    SDK,
    SECRET,
    STREAMED,
    TOOL_USE,
    USER,
    cassette,
    completion,
    interaction,
    sse,
)


def imported(folder: Path, *interactions: dict[str, Any], **more: Any) -> Got:
    got = read_bytes(folder, cassette(*interactions), **more)
    assert got.report.format == "vcr"
    return got


def said(got: Got) -> list[tuple[str, ...]]:
    """What the model answered: the words, and the calls that it made."""
    made: list[tuple[str, ...]] = []
    for step in got.of("model_result"):
        for message in (step.data or {})["messages"]:
            for part in message["parts"]:
                made.append(
                    ("text", part["content"])
                    if part["type"] == "text"
                    else ("call", part["id"], part["name"], json.dumps(part["arguments"]))
                )
    return made


def test_calls_and_what_they_repeat(tmp_path: Path) -> None:
    got = imported(tmp_path, *OPENAI)
    assert [(s.kind, s.text) for s in got.steps] == [
        ("message", "look it up"),
        ("model_call", None),
        ("input", None),
        ("model_result", None),
        ("message", "found"),
        ("model_call", None),
        ("input", None),
        ("model_result", "it is found"),
    ]
    assert got.report.dropped == got.report.harmless == {"telemetry, which is no part of the run": 1}
    first, second = got.of("model_call")
    assert (first.data or {})["tool_names"] == ["look"]
    assert second.order == (After(step="call-0/end", basis="message"),), "its input repeats the first answer"
    assert {s.seq for s in got.steps} == {None}
    assert len(got.traces[0].header.claims) == 2
    assert got.of("model_result")[0].time_ns == 1750000000 * 10**9


def test_no_secret_comes_in(tmp_path: Path) -> None:
    got = imported(tmp_path, *OPENAI)
    assert SECRET not in encode_trace(got.traces[0]).decode()
    assert SECRET not in str(got.report.notes)
    assert (got.of("model_call")[0].data or {})["address"] == "api.openai.com/v1/chat/completions"


HELLO = json.dumps(completion({"role": "assistant", "content": "Hello"})).encode()
HELLO_AND_CALL = [("text", "Hello"), ("call", "c1", "look", '{"q": 1}')]


@pytest.mark.parametrize(
    ("uri", "sent", "came", "expected"),
    [
        (CHAT, {"model": "m", "messages": [USER]}, STREAMED, HELLO_AND_CALL),
        ("https://x/v1/responses", RESPONSES, DONE, [("text", "it is found")]),
        ("https://x/v1/responses", RESPONSES, sse({"type": "response.completed", "response": DONE}), [("text", "it is found")]),
        ("https://api.anthropic.com/v1/messages", {"model": "m", "messages": [USER]}, ANTHROPIC, HELLO_AND_CALL),
        ("https://x/model/a.b/converse", CONVERSE, TOOL_USE, [("call", "c1", "look", '{"q": 1}')]),
        ("https://x/model/a.b/converse-stream", CONVERSE, CONVERSE_STREAM, [("text", "Hello")]),
        ("https://x/v1", {"messages": [USER]}, '{"message": {"content": "Hel"}}\n{"message": {"content": "lo"}}', [("text", "Hello")]),
        (
            CHAT,
            {"messages": [USER]},
            gzip.compress(json.dumps(completion({"role": "assistant", "content": "Hello"})).encode()),
            [("text", "Hello")],
        ),
    ],
)
def test_answers_of_every_provider(tmp_path: Path, uri: str, sent: Any, came: Any, expected: list[tuple[str, ...]]) -> None:
    got = imported(tmp_path, interaction(uri, sent, came))
    assert said(got) == expected
    assert got.one("model_result").status == "ok"
    assert len(got.traces[0].header.claims) == 1


def test_gemini(tmp_path: Path) -> None:
    got = imported(tmp_path, interaction("https://x/v1beta/models/gem:generateContent?key=k", GEMINI, CANDIDATE))
    assert [s.text for s in got.of("message")] == ["be good", "look it up"]
    assert got.one("model_result").text == "hm"
    assert (got.one("model_call").data or {})["model"] == "gem"


def test_an_input_that_the_service_keeps_is_not_whole(tmp_path: Path) -> None:
    got = imported(tmp_path, interaction("https://x/v1/responses", {**RESPONSES, "previous_response_id": "r0"}, DONE))
    assert got.traces[0].header.claims == ()
    assert got.codes["input_not_whole"] == 1


def test_nobody_is_said_to_have_called(tmp_path: Path) -> None:
    request = {"model": "m", "messages": [{"role": "user", "name": "critic", "content": "no"}, {"role": "assistant", "tool_calls": [CALL]}]}
    got = imported(tmp_path, interaction(CHAT, request, completion({"role": "assistant", "content": "x"})))
    assert {s.actor for s in got.steps if s.kind != "message"} == {None}
    assert [s.actor for s in got.of("message")] == ["critic", None]


def test_refusals(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        interaction(CHAT, {"messages": [USER]}, {"error": {"message": "rate limit"}}, 429),
        interaction(CHAT, {"messages": [USER]}, "bad gateway", 502),
        interaction(CHAT, {"messages": [USER]}, '{"choices": [{"mess'),
    )
    assert [s.status for s in got.of("model_result")] == ["failed", "failed", None]
    assert [(s.data or {}).get("error") for s in got.of("model_result")] == [{"message": "rate limit"}, "bad gateway", None]
    assert got.codes["answer_unreadable"] == 1


def test_agents_of_bedrock(tmp_path: Path) -> None:
    got = imported(tmp_path, BEDROCK)
    assert [(s.kind, s.actor, s.recipients) for s in got.steps if s.kind not in ("input",)] == [
        ("message", "user", ("AG1",)),
        ("message", None, None),
        ("message", None, None),
        ("model_call", "AG1", None),
        ("model_result", "AG1", None),
        ("handoff", "AG1", ("Maths",)),
        ("tool_call", "Maths", None),
        ("tool_result", "Maths", None),
        ("message", "Maths", ("AG1",)),
        ("message", "AG1", None),
    ]
    assert [s.seq for s in got.steps] == list(range(11))
    assert got.one("tool_call").data == {"arguments": {"a": "1"}}
    assert got.steps[-1].text == "The sum is 2."


def test_messages_of_an_sdk(tmp_path: Path) -> None:
    import yaml

    got = read_bytes(tmp_path, yaml.safe_dump(SDK).encode())
    assert (got.report.format, got.traces[0].id) == ("vcr", "s1")
    assert [(s.kind, s.actor) for s in got.steps][1:] == [
        ("tool_call", "main"),
        ("handoff", "main"),
        ("note", "main"),
        ("message", "Scout(a1)"),
        ("tool_result", "main"),
    ]
    lines = "\n".join(json.dumps(m) for m in SDK["messages"][1:]).encode()
    streamed = read_bytes(tmp_path, lines)
    assert streamed.report.format == "claude_code"
    assert [s.kind for s in streamed.steps] == [s.kind for s in got.steps][1:]


def test_a_request_that_may_be_what_a_tool_did_is_a_loss(tmp_path: Path) -> None:
    got = imported(tmp_path, OPENAI[0], interaction("https://pay.example/refunds?key=k", {"order": 7}, {"ok": True}))
    assert got.report.dropped == {"a request that is no call of a model": 1}
    assert got.report.n_lost == 1
    assert "pay.example/refunds" in got.report.notes[0].words


def test_other_requests_alone(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="other requests alone"):
        imported(tmp_path, interaction("https://x/y", None, ""))


def test_a_cassette_that_breaks_off(tmp_path: Path) -> None:
    whole = cassette(OPENAI[0], OPENAI[2])
    got = read_bytes(tmp_path, whole[: whole.rindex(b"it is found")])
    assert got.codes["broken_yaml"] == 1
    assert [s.kind for s in got.steps].count("model_call") == 2
    assert len(got.of("model_result")) == 1
    assert got.report.unknown["the ending of a model call"] == 1


def test_yaml_that_means_harm(tmp_path: Path) -> None:
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))
    assert set(load(laughs).value) == {f"a{n}" for n in range(40)}
    inside = "messages:\n- type: system\n  session_id: s\n  uuid: u\n  bin: !!binary /w==\n  x: *a39\n"
    got = read_bytes(tmp_path, (laughs + inside).encode(), format="vcr")
    encode_trace(got.traces[0])
    assert load("a: &a [*a, 1]").value == {"a": [None, 1]}
    assert load("x: !!python/object/apply:os.system ['true']").value == {"x": ["true"]}
    assert load("[" * 500).damage is not None
    nested = "\n".join(" " * n + "- " for n in range(400))
    assert isinstance(load(nested).value, list)
    assert load("a: !!binary aGk=\nb: null\nc: 7\nd: '7'\ne: true").value == {"a": b"hi", "b": None, "c": 7, "d": "7", "e": True}


def test_a_body_that_is_a_bomb(tmp_path: Path) -> None:
    bomb = gzip.compress(b" " * (4 << 20))
    got = imported(tmp_path, interaction(CHAT, {"messages": [USER]}, bomb), limits=Limits(line_bytes=1 << 20))
    assert got.codes["answer_unreadable"] == 1


CORPUS = {
    "multi_agent_collaborator.yaml": (35, 35, 0),
    "router_analytics_complete_workflow.yaml": (7, 5, 2),
    "test_team_run.yaml": (4, 4, 0),
    "query_task_subagent_spans.yaml": (11, 11, 0),
    "music_composer_handoff_hierarchy.yaml": (5, 3, 2),
    "assigned_task_agent.yaml": (14, 9, 5),
}


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_the_corpus() -> None:
    counts = {}
    for f in recordings([SHARED / "corpus" / "vcr-cassettes"]):
        assert f.format == "vcr"
        got = read(Path(f.path))
        counts[next(name for name in CORPUS if f.path.endswith(name))] = (
            got.report.records,
            got.report.kept,
            sum(got.report.dropped.values()),
        )
    assert counts == CORPUS
