"""Hostile input: whatever is done to a recording, it imports with a report that adds up, or fails with an error of ours."""

from __future__ import annotations

import json
import os
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamwise.errors import SeamwiseError
from seamwise.importers import formats
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import MS, T0, agent, chat, read_bytes, request, said, span, tool

SEEDS: list[Any] = [
    request(
        agent(1, "a", attrs={"gen_ai.conversation.id": "k"}),
        chat(2, 1, told=[said("system", "s"), said("user", "u")], answered=[said("assistant", "x")]),
        tool(3, "transfer_to_b", 1, (5, 9), call="c1", arguments={"x": 1}, result={"error": "e"}),
        agent(4, "b", 3, (6, 8)),
        span(5, "r", 4, openinference__span__kind="RETRIEVER", eval__score=1, events=[("exception", {"exception.type": "E"})]),
    ),
    {
        "resourceLogs": [
            {"scopeLogs": [{"logRecords": [{"traceId": "a1" * 16, "eventName": "gen_ai.user.message", "body": {"stringValue": "x"}}]}]}
        ]
    },
]

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "0" * 16, "f" * 32, "\ud800", "{", "[[", "NaN", '{"a":1}', "2", str(T0), str(T0 + 500 * MS)]),
    st.just([]),
    st.just({}),
    st.sampled_from(
        [{"stringValue": "x"}, {"intValue": "x"}, {"arrayValue": {}}, {"Value": {"IntValue": 3}}, [{"key": "k"}], {"a": {"b": [1]}}]
    ),
)

KEYS = sorted(
    """gen_ai.operation.name gen_ai.agent.name gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.call.arguments gen_ai.tool.call.result
    gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions gen_ai.tool.definitions gen_ai.conversation.id error.type
    gen_ai.response.id gen_ai.request.model gen_ai.prompt gen_ai.completion gen_ai.prompt.0.role gen_ai.prompt.0.content
    gen_ai.prompt.0.tool_calls.0.name openinference.span.kind llm.input_messages.0.message.role llm.input_messages.1.message.content
    llm.input_messages.0.message.contents.0.message_content.text llm.input_messages.0.message.tool_calls.0.tool_call.function.name
    llm.tools.0.tool.json_schema llm.request.functions.0.parameters llm.model_name input.value output.value tool.parameters tool.id
    traceloop.span.kind traceloop.entity.name traceloop.entity.input ai.operationId ai.prompt ai.prompt.messages ai.prompt.tools
    ai.response.text ai.response.toolCalls ai.toolCall.args gcp.vertex.agent.llm_request gcp.vertex.agent.llm_response metadata
    eval.score session.id agent.name gen_ai.agent.handoff.target.name gen_ai.agent.id""".split()
)

WORDS = st.sampled_from(
    """chat invoke_agent execute_tool handoff LLM TOOL AGENT RETRIEVER EVALUATOR agent tool ai.toolCall ai.generateText
    ai.generateText.doGenerate [] {} null [null] [[]] [{"role":"user"}] [{"role":"user","parts":[null,{"type":"text"}]}]
    {"messages":[{"role":"user","content":"x"}]} {"contents":[{"role":"user","parts":[{"text":"x"},null,{"function_call":{}}]}]}
    {"choices":[{"message":{"role":"assistant","content":[{"text":"x"},5]}}]} [{"function":{}},"x",5] {"prompt":"p","system":"s"}""".split()
)

JSON = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "role", "parts"]), inner, max_size=3)
)

EXAMPLES = int(os.environ.get("SEAMWISE_FUZZ_EXAMPLES", "100"))

SETTINGS = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def places(of: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    out = [path] if path else []
    for key, inner in of.items() if isinstance(of, dict) else enumerate(of) if isinstance(of, list) else ():
        out += places(inner, (*path, key))
    return out


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A recording whose structure was changed in a few places."""
    made = deepcopy(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        path = draw(st.sampled_from(places(made) or [()]))
        if not path:
            break
        at = made
        try:
            for key in path[:-1]:
                at = at[key]
            how = draw(st.sampled_from(["replace", "delete", "rename", "repeat"]))
            if how == "replace":
                at[path[-1]] = deepcopy(draw(ODD))
            elif how == "delete":
                del at[path[-1]]
            elif how == "rename" and isinstance(at, dict):
                at[draw(st.sampled_from([*sorted(at), "trace_id", "x", "batches", "value"]))] = at.pop(path[-1])
            elif isinstance(at, list):
                at.append(deepcopy(at[path[-1]]))
        except (KeyError, IndexError, TypeError):
            continue
    return json.dumps(made, indent=draw(st.sampled_from([None, 1]))).encode("utf-8", "surrogatepass")


def survives(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in formats():
            try:
                got = read_bytes(Path(folder), content, format=name)
            except SeamwiseError:
                continue
            for trace in got.traces:
                encode_trace(trace)


@SETTINGS
@given(changed())
def test_changed_structure(content: bytes) -> None:
    survives(content)


@SETTINGS
@given(st.sampled_from(SEEDS), st.data())
def test_changed_bytes(seed: Any, data: st.DataObject) -> None:
    content = bytearray(json.dumps(seed).encode() + b"\n" + json.dumps(SEEDS[0]).encode())
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["flip", "cut", "insert", "end"]))
        if how == "flip":
            content[at] = data.draw(st.integers(0, 255))
        elif how == "cut":
            del content[at : at + data.draw(st.integers(1, 200))]
        elif how == "insert":
            content[at:at] = data.draw(st.binary(max_size=5) | st.sampled_from([b"\n", b'"', b"}", b"[", b"\\ud800", b"NaN", b"\xff"]))
        else:
            del content[at:]
        if not content:
            content = bytearray(b"\n")
    survives(bytes(content))


@SETTINGS
@given(st.binary(min_size=1, max_size=300))
def test_any_bytes(content: bytes) -> None:
    survives(content)


@SETTINGS
@given(st.lists(st.dictionaries(st.sampled_from(KEYS), WORDS | JSON, max_size=6), min_size=1, max_size=3), st.booleans())
def test_attributes_of_any_sort(each: list[dict[str, Any]], in_event: bool) -> None:
    spans = []
    for i, attrs in enumerate(each, 1):
        events = [("gen_ai.choice", attrs), ("gen_ai.user.message", attrs), ("gen_ai.client.inference.operation.details", attrs)]
        spans.append(span(i, "execute_tool x", i - 1 or None, attrs=attrs, events=events if in_event else ()))
    survives(json.dumps(request(*spans)).encode("utf-8", "surrogatepass"))


@SETTINGS
@given(st.data())
def test_trees_of_any_shape(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    names = ["execute_tool t", "invoke_agent a", "chat", "handoff to a", "execute_tool transfer_to_a", "x"]
    operations = [None, "execute_tool", "invoke_agent", "chat"]
    spans = []
    for _ in range(n):
        operation = data.draw(st.sampled_from(operations))
        attrs = {"gen_ai.operation.name": operation} if operation else {}
        times = (data.draw(st.integers(0, 9)), data.draw(st.none() | st.integers(0, 9)))
        parent = data.draw(st.none() | st.integers(1, n))
        spans.append(span(data.draw(st.integers(1, n)), data.draw(st.sampled_from(names)), parent, times, attrs=attrs))
    with tempfile.TemporaryDirectory() as folder:
        got = read_bytes(Path(folder), json.dumps(request(*spans)).encode())
        again = read_bytes(Path(folder), "\n".join(json.dumps(request(s)) for s in spans).encode())
    assert got.traces == again.traces
    assert got.report.kept + got.report.merged == n
