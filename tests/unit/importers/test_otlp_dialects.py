"""Dialects as frameworks write them today: Traceloop, Google ADK, the Vercel AI SDK, LangGraph under any tracer, Pydantic AI, Bedrock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unit.importers.otlp_fixtures import imported, read_bytes, request, span

Fields = dict[str, Any]


def traceloop(number: int, kind: str, name: str, parent: int | None = None, **more: Any) -> Fields:
    given = {"traceloop.span.kind": kind, "traceloop.entity.name": name} | more
    return span(number, f"{name}.{kind}", parent, attrs=given)


# ---- Traceloop / OpenLLMetry ----

WRAPPED: list[tuple[Any, Any, Any]] = [
    ({"args": [], "kwargs": {"order": 7}}, {"order": 7}, None),
    ({"args": [7], "kwargs": {}}, {"args": [7], "kwargs": {}}, None),
    ({"inputs": {"order": 7}, "tags": ["x"], "input_str": "{'order': 7}", "metadata": {}}, {"order": 7}, {"tags": ["x"]}),
    ({"input_str": "{'order': 7, 'left': None}", "tags": []}, {"order": 7, "left": None}, None),
    ({"input_str": "seven"}, "seven", None),
    ({"order": 7}, {"order": 7}, None),
]


@pytest.mark.parametrize(("recorded", "arguments", "rest"), WRAPPED)
def test_arguments_are_unwrapped_and_nothing_is_lost(tmp_path: Path, recorded: Any, arguments: Any, rest: Any) -> None:
    given = traceloop(1, "tool", "look", **{"traceloop.entity.input": json.dumps(recorded)})
    data = imported(tmp_path, given).one("tool_call").data or {}
    assert data["arguments"] == arguments
    assert data["attributes"].get("traceloop.entity.input") == rest


def test_a_workflow_of_traceloop(tmp_path: Path) -> None:
    got = imported(
        tmp_path,
        traceloop(1, "workflow", "desk"),
        traceloop(2, "agent", "clerk", 1),
        span(
            3,
            "openai.chat",
            2,
            attrs={
                "gen_ai.system": "openai",
                "llm.request.type": "chat",
                "gen_ai.request.model": "m-1",
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": "price?",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.finish_reason": "tool_calls",
                "gen_ai.completion.0.tool_calls.0.id": "c1",
                "gen_ai.completion.0.tool_calls.0.name": "look",
                "gen_ai.completion.0.tool_calls.0.arguments": '{"order": 7}',
            },
        ),
        traceloop(4, "tool", "look", 2, **{"traceloop.entity.output": json.dumps({"output": "12 EUR", "kwargs": {"color": "red"}})}),
        traceloop(5, "task", "tidy", 1),
    )
    assert got.one("agent_start").actor == "clerk"
    assert got.one("model_call").actor == got.one("tool_call").actor == "clerk"
    answer = got.one("tool_result")
    assert (answer.text, (answer.data or {})["result"], answer.status) == ("12 EUR", "12 EUR", "ok")
    parts = (got.one("model_result").data or {})["messages"][0]["parts"]
    assert parts == [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"order": 7}}]
    assert (got.one("input").data or {})["whole"] is True


# ---- LangGraph, whoever traces it ----


def node(*nodes: str) -> Fields:
    return {"langgraph_node": nodes[-1], "langgraph_checkpoint_ns": "|".join(f"{n}:1" for n in nodes), "langgraph_step": 2}


def openinference(number: int, kind: str, name: str, parent: int | None, metadata: Fields | None = None) -> Fields:
    given: Fields = {"openinference.span.kind": kind} | ({"metadata": json.dumps(metadata)} if metadata else {})
    return span(number, name, parent, attrs=given)


def copied(number: int, kind: str, name: str, parent: int | None, metadata: Fields | None = None) -> Fields:
    properties = {f"traceloop.association.properties.{k}": v for k, v in (metadata or {}).items()}
    if kind == "LLM":
        return span(number, "openai.chat", parent, attrs={"llm.request.type": "chat", "gen_ai.request.model": "m"} | properties)
    return traceloop(number, {"TOOL": "tool"}.get(kind, "task"), name, parent, **properties)


@pytest.mark.parametrize("made", [openinference, copied], ids=["openinference", "traceloop"])
def test_nodes_of_langgraph_are_agents(tmp_path: Path, made: Any) -> None:
    got = imported(
        tmp_path,
        made(1, "CHAIN", "LangGraph", None),
        made(2, "CHAIN", "researcher", 1, node("researcher")),
        made(3, "CHAIN", "agent", 2, node("researcher", "agent")),
        made(4, "LLM", "ChatX", 3, node("researcher", "agent")),
        made(5, "TOOL", "look", 2, node("researcher", "tools")),
        made(6, "CHAIN", "writer", 1, node("writer")),
        made(7, "CHAIN", "writer", 6, node("writer", "writer")),
        made(8, "LLM", "ChatX", 6, node("writer")),
        made(9, "LLM", "ChatX", 1, node("agent")),
        made(10, "TOOL", "transfer_to_writer", 2, node("researcher", "tools")),
        made(11, "TOOL", "other", 1, {"lc_agent_name": "boss"} | node("tools")),
    )
    assert [(s.id, s.actor) for s in got.of("agent_start")] == [(f"{2:016x}", "researcher"), (f"{6:016x}", "writer")]
    assert [(int(s.id, 16), s.actor) for s in got.of("model_call")] == [(4, "researcher"), (8, "writer"), (9, None)]
    assert {s.tool: s.actor for s in got.of("tool_call")} == {"look": "researcher", "transfer_to_writer": "researcher", "other": "boss"}
    assert (got.one("handoff").actor, got.one("handoff").recipients) == ("researcher", ("writer",))


# ---- Google ADK ----


def test_spans_of_older_adk(tmp_path: Path) -> None:
    both = {"gcp.vertex.agent.llm_request": "{}", "gcp.vertex.agent.llm_response": "{}", "gcp.vertex.agent.session_id": "s-1"}
    answer = both | {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": '{"eur": 12}'}
    got = imported(
        tmp_path,
        span(1, "invocation"),
        span(2, "agent_run [clerk]", 1),
        span(3, "execute_tool [look]", 2, attrs=both | {"gcp.vertex.agent.tool_call_args": '{"order": 7}'}),
        span(4, "tool_response", 2, attrs=answer),
    )
    assert got.one("agent_start").actor == "clerk"
    assert [(s.tool, s.actor) for s in got.of("tool_call")] == [("look", "clerk"), ("tool_response", "clerk")]
    assert (got.of("tool_call")[0].data or {})["arguments"] == {"order": 7}
    assert got.traces[0].header.origin["conversations"] == ["s-1"]
    assert got.of("model_call") == []


def test_a_transfer_of_adk_names_its_target_in_the_arguments(tmp_path: Path) -> None:
    given = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "transfer_to_agent"}
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "billing"}
    got = imported(
        tmp_path,
        span(1, "invoke_agent desk", attrs=agent | {"gen_ai.agent.name": "desk"}),
        span(2, "execute_tool transfer_to_agent", 1, attrs=given | {"gcp.vertex.agent.tool_call_args": '{"agent_name": "billing"}'}),
        span(3, "invoke_agent billing", 1, attrs=agent),
    )
    assert (got.one("handoff").actor, got.one("handoff").recipients) == ("desk", ("billing",))


# ---- Vercel, Bedrock, Pydantic AI ----


def test_messages_of_vercel(tmp_path: Path) -> None:
    result = {"type": "tool-result", "toolCallId": "c1", "toolName": "look", "output": {"type": "text", "value": "12"}}
    told = [
        {"role": "user", "content": [{"type": "text", "text": "price?"}]},
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"order": 7}}]},
        {"role": "tool", "content": [result]},
    ]
    given = {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps(told),
        "ai.response.text": "12 EUR",
        "ai.usage.inputTokens": 3,
        "ai.usage.outputTokens": 2,
    }
    got = imported(tmp_path, span(1, "ai.generateText.doGenerate", attrs=given))
    parts = [m["parts"][0] for m in (got.one("input").data or {})["messages"]]
    assert parts[1] == {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"order": 7}}
    assert parts[2] == {"type": "tool_call_response", "id": "c1", "name": "look", "response": {"type": "text", "value": "12"}}
    assert (got.one("model_result").data or {})["usage"] == {"input_tokens": 3, "output_tokens": 2}


def test_blocks_of_bedrock_in_events(tmp_path: Path) -> None:
    result = {"toolUseId": "c1", "content": [{"text": "12"}]}
    events = [
        ("gen_ai.user.message", {"content": json.dumps([{"text": "price?"}])}),
        ("gen_ai.assistant.message", {"content": json.dumps([{"toolUse": {"toolUseId": "c1", "name": "look", "input": {"order": 7}}}])}),
        (
            "gen_ai.tool.message",
            {"role": "tool", "content": json.dumps([{"toolResult": result}])},
        ),
        ("gen_ai.choice", {"message": json.dumps([{"text": "12 EUR"}]), "finish_reason": "end_turn"}),
    ]
    got = imported(tmp_path, span(1, "chat", attrs={"gen_ai.operation.name": "chat"}, events=events))
    messages = (got.one("input").data or {})["messages"]
    assert [m["parts"][0]["type"] for m in messages] == ["text", "tool_call", "tool_call_response"]
    assert messages[2]["parts"][0] == {"type": "tool_call_response", "id": "c1", "response": [{"text": "12"}]}
    assert got.one("model_result").text == "12 EUR"


def test_pydantic_ai_before_the_conventions(tmp_path: Path) -> None:
    packed = [
        {"event.name": "gen_ai.system.message", "content": "Be brief.", "role": "system", "gen_ai.message.index": 0},
        {"event.name": "gen_ai.user.message", "content": "price?", "role": "user", "gen_ai.message.index": 0},
        {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "12 EUR"}},
    ]
    got = imported(
        tmp_path,
        span(1, "clerk run", attrs={"agent_name": "clerk", "model_name": "m-1", "final_result": "12 EUR"}),
        span(2, "chat m-1", 1, attrs={"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1", "events": json.dumps(packed)}),
        span(3, "running tool", 1, attrs={"gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1", "tool_arguments": "{}"}),
    )
    assert got.one("agent_start").actor == "clerk"
    assert [m["role"] for m in (got.one("input").data or {})["messages"]] == ["system", "user"]
    assert got.one("model_result").text == "12 EUR"
    assert (got.one("tool_call").tool, got.one("tool_call").call, got.one("tool_call").actor) == ("look", "c1", "clerk")


# ---- backends ----


@pytest.mark.parametrize(
    "around", [lambda r: {"trace": r}, lambda r: {"traces": [r]}, lambda r: {"result": r}, lambda r: {"data": {"trace": r}}]
)
def test_what_a_backend_wraps_around_a_request(tmp_path: Path, around: Any) -> None:
    got = read_bytes(tmp_path, json.dumps(around(request(span(1), span(2, parent=1)))).encode())
    assert got.report.format == "otlp"
    assert (got.report.kept, got.report.dropped) == (2, {})
