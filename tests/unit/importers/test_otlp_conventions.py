"""Each convention by which agents, tools and messages are recorded in spans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.record import Step
from unit.importers.otlp_fixtures import T0, TRACE, Got, agent, attributes, chat, imported, read_bytes, request, said, span, tool, value

CALL = {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"city": "Bonn"}}
TOLD = [said("system", "be kind"), said("user", "hi")]
ANSWERED = [{"role": "assistant", "parts": [{"type": "text", "content": "hello"}, CALL], "finish_reason": "stop"}]


def content(step: Step) -> dict[str, Any]:
    return step.data or {}


def roles_and_texts(step: Step) -> list[tuple[str, str]]:
    return [(m["role"], " ".join(str(p.get("content", p.get("response", ""))) for p in m["parts"])) for m in content(step)["messages"]]


# ---- model calls, by generation ----


def first_generation_indexed() -> dict[str, Any]:
    return span(
        1,
        "openai.chat",
        attrs={
            "gen_ai.system": "openai",
            "gen_ai.request.model": "m-1",
            "llm.request.type": "chat",
            "gen_ai.prompt.0.role": "system",
            "gen_ai.prompt.0.content": "be kind",
            "gen_ai.prompt.1.role": "user",
            "gen_ai.prompt.1.content": "hi",
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": "hello",
            "gen_ai.completion.0.finish_reason": "stop",
            "gen_ai.completion.0.tool_calls.0.id": "c1",
            "gen_ai.completion.0.tool_calls.0.name": "look",
            "gen_ai.completion.0.tool_calls.0.arguments": '{"city": "Bonn"}',
            "gen_ai.usage.prompt_tokens": 7,
        },
    )


def first_generation_events() -> dict[str, Any]:
    call = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"city": "Bonn"}'}}]
    message = {"role": "assistant", "content": "hello", "tool_calls": call}
    return span(
        1,
        "chat m-1",
        attrs={"gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m-1", "gen_ai.usage.prompt_tokens": 7},
        events=[
            ("gen_ai.system.message", {"content": "be kind"}),
            ("gen_ai.user.message", {"content": "hi"}),
            ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": json.dumps(message)}),
        ],
    )


def second_generation() -> dict[str, Any]:
    return chat(1, told=TOLD, answered=ANSWERED, attrs={"gen_ai.usage.input_tokens": 7})


def second_generation_structured() -> dict[str, Any]:
    given = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1", "gen_ai.usage.input_tokens": 7}
    return span(1, attrs=given | {"gen_ai.input.messages": TOLD, "gen_ai.output.messages": ANSWERED})


def second_generation_instructions() -> dict[str, Any]:
    instructions = json.dumps(TOLD[0]["parts"])
    return chat(1, told=TOLD[1:], answered=ANSWERED, attrs={"gen_ai.system_instructions": instructions, "gen_ai.usage.input_tokens": 7})


def second_generation_details() -> dict[str, Any]:
    event = {"gen_ai.input.messages": TOLD, "gen_ai.output.messages": ANSWERED}
    return chat(1, attrs={"gen_ai.usage.input_tokens": 7}, events=[("gen_ai.client.inference.operation.details", event)])


def openinference() -> dict[str, Any]:
    return span(
        1,
        "ChatOpenAI",
        attrs={
            "openinference.span.kind": "LLM",
            "llm.model_name": "m-1",
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": "be kind",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.contents.0.message_content.type": "text",
            "llm.input_messages.1.message.contents.0.message_content.text": "hi",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "hello",
            "llm.output_messages.0.message.finish_reason": "stop",
            "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"city": "Bonn"}',
            "llm.token_count.prompt": 7,
        },
    )


def vercel() -> dict[str, Any]:
    prompt = [{"role": "system", "content": "be kind"}, {"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    return span(
        1,
        "ai.generateText.doGenerate",
        attrs={
            "ai.operationId": "ai.generateText.doGenerate",
            "ai.model.id": "m-1",
            "ai.prompt.messages": json.dumps(prompt),
            "ai.response.text": "hello",
            "ai.response.toolCalls": json.dumps([{"toolCallId": "c1", "toolName": "look", "input": {"city": "Bonn"}}]),
            "ai.response.finishReason": "stop",
            "ai.usage.promptTokens": 7,
        },
    )


@pytest.mark.parametrize(
    "made",
    [
        first_generation_indexed,
        first_generation_events,
        second_generation,
        second_generation_structured,
        second_generation_instructions,
        second_generation_details,
        openinference,
        vercel,
    ],
    ids=lambda f: f.__name__,
)
def test_one_model_call_reads_the_same_in_every_convention(tmp_path: Path, made: Any) -> None:
    got = imported(tmp_path, made())
    assert roles_and_texts(got.one("input")) == [("system", "be kind"), ("user", "hi")]
    assert content(got.one("input"))["whole"] is True
    result = got.one("model_result")
    assert (result.text, result.status) == ("hello", "ok")
    assert content(result)["messages"] == ANSWERED
    assert content(result)["usage"] == {"input_tokens": 7}
    assert content(got.one("model_call"))["model"] == "m-1"
    assert [step.text for step in got.of("message")] == ["be kind", "hi"]
    (claim,) = got.traces[0].header.claims
    assert (claim.sort, claim.stream, claim.range, claim.count) == ("recording", "input", f"{1:016x}", 1)
    assert got.one("input").streams == ("input",)


def test_adk_requests_and_what_capture_off_looks_like(tmp_path: Path) -> None:
    sent = {
        "model": "m-1",
        "config": {"system_instruction": "be kind"},
        "contents": [
            {"role": "user", "parts": [{"text": "hi"}]},
            {"role": "model", "parts": [{"function_call": {"id": "c0", "name": "f", "args": {"x": 1}}}]},
            {"role": "user", "parts": [{"function_response": {"id": "c0", "name": "f", "response": {"r": 2}}}]},
        ],
    }
    reply = {"content": {"role": "model", "parts": [{"text": "hello"}]}}
    attrs = {"gcp.vertex.agent.llm_request": json.dumps(sent), "gcp.vertex.agent.llm_response": json.dumps(reply)}
    got = imported(tmp_path, span(1, "call_llm", attrs=attrs))
    assert [m["role"] for m in content(got.one("input"))["messages"]] == ["system", "user", "model", "user"]
    assert got.one("model_result").text == "hello"
    off = imported(tmp_path, span(1, "call_llm", attrs={"gcp.vertex.agent.llm_request": "{}", "gcp.vertex.agent.llm_response": "{}"}))
    assert off.of("input") == []
    assert off.report.unknown["the input of a model call"] == 1


# ---- whether an input is whole ----


def flaw(tmp_path: Path, made: dict[str, Any]) -> str:
    got = imported(tmp_path, made)
    assert got.traces[0].header.claims == ()
    assert all("whole" not in content(step) for step in got.of("input"))
    return next((note.words for note in got.report.notes if note.code.startswith("input_")), "")


def test_what_keeps_an_input_from_being_whole(tmp_path: Path) -> None:
    text = json.dumps(TOLD)
    assert "cut off" in flaw(tmp_path, chat(1, told=text[:-7]))
    assert "dropped" in flaw(tmp_path, chat(1, told=TOLD, more={"droppedAttributesCount": 1}))
    assert "truncation" in flaw(tmp_path, chat(1, told=[said("user", "long ... [truncated 400 chars]")]))
    assert "masked" in flaw(tmp_path, chat(1, told=[said("user", "__REDACTED__")]))
    assert "no message" in flaw(tmp_path, chat(1, told=[{"type": "elided", "removed": 3}, said("user", "hi")]))
    assert "no content" in flaw(tmp_path, chat(1, told=[{"role": "user", "content": None}]))
    gap = {"llm.input_messages.0.message": 0, "llm.input_messages.1.message": 1, "llm.input_messages.10.message": 2}
    indexed = {f"{k}.{f}": "user" if f == "role" else str(n) for k, n in gap.items() for f in ("role", "content")}
    assert "gaps" in flaw(tmp_path, span(1, attrs={"openinference.span.kind": "LLM"} | indexed))
    events = [("gen_ai.user.message", {"content": "hi"})]
    assert "events" in flaw(tmp_path, chat(1, events=events, more={"droppedEventsCount": 2}))
    assert "caller" in flaw(tmp_path, span(1, attrs={"openinference.span.kind": "LLM", "input.value": json.dumps({"messages": TOLD})}))


def test_what_cannot_be_read_stays_as_it_was(tmp_path: Path) -> None:
    cut = json.dumps(TOLD)[:-7]
    got = imported(tmp_path, chat(1, told=cut, answered=cut))
    assert content(got.one("model_call"))["attributes"] == {
        "gen_ai.request.model": "m-1",
        "gen_ai.input.messages": cut,
        "gen_ai.output.messages": cut,
    }
    assert got.one("model_result").data is None
    assert got.codes == {"input_unreadable": 1, "output_unreadable": 1}


def test_an_empty_list_of_messages_is_no_input(tmp_path: Path) -> None:
    got = imported(tmp_path, chat(1, told=[], answered=[]))
    assert got.of("input") == []
    assert (got.one("model_result").status, got.traces[0].header.claims) == (None, ())


def test_dots_at_the_end_of_a_message_are_no_truncation(tmp_path: Path) -> None:
    got = imported(tmp_path, chat(1, told=[said("user", "well...")]))
    assert len(got.traces[0].header.claims) == 1


def test_indexed_messages_are_sorted_by_number(tmp_path: Path) -> None:
    attrs: dict[str, Any] = {"openinference.span.kind": "LLM"}
    for i in sorted(range(12), key=str):
        attrs[f"llm.input_messages.{i}.message.role"] = "user"
        attrs[f"llm.input_messages.{i}.message.content"] = str(i)
    got = imported(tmp_path, span(1, attrs=attrs))
    assert [text for _, text in roles_and_texts(got.one("input"))] == [str(i) for i in range(12)]
    assert content(got.one("input"))["whole"] is True


def test_messages_logged_apart_are_joined_by_span_and_not_called_whole(tmp_path: Path) -> None:
    def log(name: str, body: Any, **more: Any) -> dict[str, Any]:
        return {"timeUnixNano": str(T0), "traceId": TRACE, "spanId": f"{1:016x}", "eventName": name, "body": value(body), **more}

    logs = [
        log("gen_ai.user.message", {"content": "hi"}),
        log("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}),
        log("", "started", severityText="INFO"),
        log("gen_ai.user.message", {"content": "lost"}, spanId=f"{9:016x}"),
        {"timeUnixNano": str(T0), "body": value("no trace")},
    ]
    export = {"resourceLogs": [{"resource": {}, "scopeLogs": [{"logRecords": logs}]}]}
    got = read_bytes(tmp_path, (json.dumps(export) + "\n" + json.dumps(request(chat(1)))).encode())
    assert roles_and_texts(got.one("input")) == [("user", "hi")]
    assert "whole" not in content(got.one("input"))
    assert got.one("model_result").text == "hello"
    assert content(got.one("model_result"))["events"] == [{"name": "", "time_ns": T0, "attributes": {"body": "started"}}]
    assert [step.text for step in got.of("message") if step.id.startswith("log/")] == ["lost"]
    assert got.report.dropped == {"a log record outside any trace": 1}


# ---- agents and tools, by dialect ----


def test_agents_of_every_dialect(tmp_path: Path) -> None:
    def name_of(made: dict[str, Any]) -> str | None:
        return imported(tmp_path, made).one("agent_start").actor

    assert name_of(agent(1, "a")) == "a"
    assert name_of(span(1, "invoke_agent b")) == "b"
    assert name_of(span(1, "x", openinference__span__kind="AGENT", agent__name="c")) == "c"
    assert name_of(span(1, "Writer", openinference__span__kind="AGENT")) == "Writer"
    assert name_of(span(1, "x.agent", traceloop__span__kind="agent", traceloop__entity__name="d")) == "d"
    flow = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.agent.name": "e"}
    assert name_of(span(1, "invoke_workflow e", attrs=flow)) == "e"
    assert imported(tmp_path, span(1, "invoke_workflow f", gen_ai__operation__name="invoke_workflow")).of("agent_start") == []


def test_a_span_that_names_its_agent_is_believed(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "outer"), tool(2, "t", 1, attrs={"gen_ai.agent.name": "inner"}), chat(3, 1))
    assert got.one("tool_call").actor == "inner"
    assert got.one("model_call").actor == "outer"


def test_nobody_is_invented(tmp_path: Path) -> None:
    got = imported(tmp_path, span(1, "main"), tool(2, "t", 1), chat(3, 1, told=TOLD))
    assert {step.actor for step in got.steps} == {None}
    assert {step.recipients for step in got.steps} == {None}
    assert got.traces[0].header.organization.agents == {}


def test_a_speaker_has_a_name_only_where_the_message_has_one(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "a"), chat(2, 1, told=[said("user", "hi", name="ann"), said("assistant", "x"), said("user", "y")]))
    assert [step.actor for step in got.of("message")] == ["ann", None, None]


def test_agents_spelt_alike_are_noted(tmp_path: Path) -> None:
    got = imported(tmp_path, agent(1, "helm-agent"), agent(2, "Helm Agent"))
    assert got.codes == {"names_alike": 1}
    assert set(got.traces[0].header.organization.agents) == {"helm-agent", "Helm Agent"}


@pytest.mark.parametrize(
    "made",
    [
        tool(1, "look", call="c1", arguments={"city": "Bonn"}, result={"ok": True}),
        span(
            1,
            "look",
            attrs={
                "openinference.span.kind": "TOOL",
                "tool.name": "look",
                "tool.id": "c1",
                "input.value": '{"city": "Bonn"}',
                "output.value": '{"ok": true}',
            },
        ),
        span(
            1,
            "look.tool",
            attrs={
                "traceloop.span.kind": "tool",
                "traceloop.entity.name": "look",
                "gen_ai.tool.call.id": "c1",
                "traceloop.entity.input": '{"city": "Bonn"}',
                "traceloop.entity.output": '{"ok": true}',
            },
        ),
        span(
            1,
            "ai.toolCall",
            attrs={
                "ai.operationId": "ai.toolCall",
                "ai.toolCall.name": "look",
                "ai.toolCall.id": "c1",
                "ai.toolCall.args": '{"city": "Bonn"}',
                "ai.toolCall.result": '{"ok": true}',
            },
        ),
        span(
            1,
            "execute_tool look",
            attrs={
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.call.id": "c1",
                "gcp.vertex.agent.tool_call_args": '{"city": "Bonn"}',
                "gcp.vertex.agent.tool_response": '{"ok": true}',
            },
        ),
        span(
            1,
            "execute_tool look",
            attrs={"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1"},
            events=[("gen_ai.tool.message", {"content": '{"city": "Bonn"}'}), ("gen_ai.choice", {"message": '{"ok": true}'})],
        ),
    ],
    ids=["gen_ai", "openinference", "traceloop", "vercel", "adk", "events"],
)
def test_one_tool_call_reads_the_same_in_every_dialect(tmp_path: Path, made: dict[str, Any]) -> None:
    got = imported(tmp_path, made)
    call, result = got.one("tool_call"), got.one("tool_result")
    assert (call.tool, call.call, content(call)["arguments"]) == ("look", "c1", {"city": "Bonn"})
    assert (result.call, content(result)["result"], result.status) == ("c1", {"ok": True}, "ok")


@pytest.mark.parametrize(
    ("written", "read", "noted"),
    [
        ('{"city": "Bonn"}', {"city": "Bonn"}, 0),
        (json.dumps('{"city": "Bonn"}'), {"city": "Bonn"}, 0),
        (json.dumps(json.dumps('{"city": "Bonn"}')), {"city": "Bonn"}, 0),
        ("{'city': 'Bonn', 'n': None}", {"city": "Bonn", "n": None}, 0),
        ('{"city": "it\\\'s"}', {"city": "it's"}, 0),
        ('{"path": "C:\\dir", "v": \\n[1]}', '{"path": "C:\\dir", "v": \\n[1]}', 1),
        ("Bonn", "Bonn", 0),
        ("", "", 0),
        ("12", "12", 0),
        ('{"a": NaN}', {"a": "NaN"}, 0),
        ('{"a": 12345678901234567890123}', {"a": 12345678901234567890123}, 0),
        ('{"a": "\\ud800"}', {"a": "\N{REPLACEMENT CHARACTER}"}, 0),
    ],
)
def test_arguments_are_parsed_or_kept_but_never_made_up(tmp_path: Path, written: str, read: Any, noted: int) -> None:
    got = imported(tmp_path, tool(1, "t", arguments=written))
    assert content(got.one("tool_call"))["arguments"] == read
    assert got.codes.get("unparsable_arguments", 0) == noted


def test_arguments_that_were_not_recorded_stay_absent(tmp_path: Path) -> None:
    got = imported(tmp_path, tool(1, "t"))
    assert got.one("tool_call").data is None
    assert got.report.unknown["the arguments of a tool call"] == 1


def test_a_call_without_an_id_has_its_spans(tmp_path: Path) -> None:
    got = imported(tmp_path, tool(1, "t", result="x"))
    assert got.one("tool_call").call == got.one("tool_result").call == f"{1:016x}"


def test_offered_tools_are_offers_not_permissions(tmp_path: Path) -> None:
    definition = {"type": "function", "function": {"name": "pay", "parameters": {}}}
    for attrs in (
        {"gen_ai.operation.name": "chat", "gen_ai.tool.definitions": json.dumps([definition])},
        {"openinference.span.kind": "LLM", "llm.tools.0.tool.json_schema": json.dumps(definition)},
        {"gen_ai.operation.name": "chat", "llm.request.functions.0.name": "pay", "llm.request.functions.0.parameters": "{}"},
    ):
        got = imported(tmp_path, agent(1, "a"), span(2, "chat", 1, attrs=attrs))
        assert content(got.one("model_call"))["tool_names"] == ["pay"]
        assert got.traces[0].header.organization.tools == {}
        assert got.traces[0].header.organization.complete == ()


def test_what_is_none_of_these_is_kept_as_it_was(tmp_path: Path) -> None:
    made = span(1, "GET /x", events=[("retry", {"n": 2})], more={"links": [{"traceId": TRACE, "spanId": f"{2:016x}"}]}, http__method="GET")
    data = content(imported(tmp_path, made).one("span"))
    assert data["attributes"] == {"http.method": "GET"}
    assert data["events"] == [{"name": "retry", "time_ns": T0, "attributes": {"n": 2}}]
    assert data["links"] == [{"trace": TRACE, "span": f"{2:016x}"}]
    assert data["end_ns"] == T0 + 10_000_000


# ---- how things ended ----


def ended(tmp_path: Path, **named: Any) -> Step | None:
    got = imported(tmp_path, tool(1, "t", **named))
    return got.one("tool_result") if got.of("tool_result") else None


def test_an_ending_says_no_more_than_the_span(tmp_path: Path) -> None:
    def status(**named: Any) -> str | None:
        step = ended(tmp_path, **named)
        assert step is not None
        return step.status

    assert status(status=1) == "ok"
    assert status(result="done") == "ok"
    assert status() is None
    assert status(status=2) == "failed"
    assert status(result="done", attrs={"error.type": "ValueError"}) == "failed"
    assert status(status=2, attrs={"error.type": "TimeoutError"}) == "timeout"
    assert status(status=2, attrs={"error.type": "asyncio.CancelledError"}) == "timeout"
    assert status(status=2, attrs={"error.type": "504"}) == "timeout"
    assert status(more={"status": {"code": 2, "message": "the request timed out"}}) == "timeout"
    assert status(result={"error": "no such table"}) is None
    assert status(result={"isError": True}, status=1) == "ok"
    assert status(result="done", events=[("exception", {"exception.type": "KeyError"})]) is None
    assert ended(tmp_path, at=(0, None)) is None


def test_a_result_without_an_end_is_an_ending(tmp_path: Path) -> None:
    step = ended(tmp_path, at=(0, None), result="done")
    assert step is not None
    assert (step.status, step.time_ns) == ("ok", None)


def test_an_error_is_told_with_the_ending(tmp_path: Path) -> None:
    step = ended(tmp_path, status=2, events=[("exception", {"exception.type": "KeyError", "exception.message": "k"})])
    assert step is not None
    assert content(step)["error"] == {"type": "KeyError", "message": "k"}


@pytest.mark.parametrize("name", ["STATUS_CODE_ERROR", "ERROR", "Error", 2, "2"])
def test_status_codes_of_any_notation(tmp_path: Path, name: Any) -> None:
    step = ended(tmp_path, more={"status": {"code": name}})
    assert step is not None
    assert step.status == "failed"


# ---- labels ----


def labels(got: Got) -> dict[str, Any]:
    return {label.key: label.value for label in got.labels}


def test_labels_are_sealed_and_stand_in_no_step(tmp_path: Path) -> None:
    secret = "the-answer-is-42"
    attrs = {
        "eval.score": 0.5,
        "mistake_agent": secret,
        "app.ground_truth": secret,
        "metadata": json.dumps({"user": "u1", "expected_output": secret}),
    }
    got = imported(
        tmp_path,
        agent(1, "a", attrs=attrs),
        tool(2, "t", 1, events=[("gen_ai.evaluation.result", {"gen_ai.evaluation.explanation": secret})]),
        span(3, "judge", 1, openinference__span__kind="EVALUATOR", output__value=secret, eval__name="x"),
    )
    assert secret not in repr(got.traces)
    assert labels(got) == {
        "eval.score": 0.5,
        "mistake_agent": secret,
        "app.ground_truth": secret,
        "metadata.expected_output": secret,
        "gen_ai.evaluation.result": {"gen_ai.evaluation.explanation": secret},
        "output.value": secret,
        "eval.name": "x",
    }
    assert got.report.sealed == dict.fromkeys(labels(got), 1)
    assert content(got.one("agent_start"))["attributes"]["metadata"] == {"user": "u1"}


def test_scores_of_the_run_are_no_labels(tmp_path: Path) -> None:
    attrs = {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.score": 0.25}
    got = imported(tmp_path, span(1, "find", attrs=attrs))
    assert got.labels == []
    assert content(got.one("span"))["operation"] == "retrieval"


# ---- values ----


def test_values_of_every_sort(tmp_path: Path) -> None:
    listed = [
        *attributes({"s": "x", "i": 2**62, "b": False, "d": 0.5, "l": [1, "a"], "e": [], "m": {"k": None}, "n": None}),
        {"key": "nan", "value": {"doubleValue": "NaN"}},
        {"key": "inf", "value": {"doubleValue": "-Infinity"}},
        {"key": "number", "value": {"intValue": 7}},
        {"key": "bytes", "value": {"bytesValue": "AAEC"}},
        {"key": "s", "value": {"stringValue": "y"}},
    ]
    got = imported(tmp_path, span(1, more={"attributes": listed}))
    assert content(got.one("span"))["attributes"] == {
        "s": "y",
        "i": 2**62,
        "b": False,
        "d": 0.5,
        "l": [1, "a"],
        "e": [],
        "m": {"k": None},
        "n": None,
        "nan": "NaN",
        "inf": "-Infinity",
        "number": 7,
        "bytes": "AAEC",
    }
    assert got.codes == {"duplicate_attribute": 1}
