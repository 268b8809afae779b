"""Traces of the OpenAI Agents SDK: its trace and span objects, one after another, as its exporter sends them.

A span's sort stands in ``span_data.type``. What is read, how it maps and what the format cannot tell stands in
``docs/formats/openai_agents.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece, pieces
from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.importers._spans import Batch, Fields, foreign, iso_ns, objects, recorded, traces_of
from seamwise.record import Trace

_CANDIDATE = "openai_agents.handoff_candidate"


class OpenAIAgents:
    """The importer of the OpenAI Agents SDK's traces."""

    name = "openai_agents"
    version = 1
    summary = "traces of the OpenAI Agents SDK: agent, generation, response, function, handoff, guardrail and custom spans"

    def sniff(self, head: bytes) -> int:
        """Whether objects say that they are a trace or a span of the SDK."""
        seen = outline(head)
        for inside in ("", "[].", "data[].", "[].data[]."):
            if seen.says(inside + "object", "trace.span") or (seen.says(inside + "object", "trace") and seen.has(inside + "workflow_name")):
                return 94
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        together = _together(pieces(source, sink))
        yield from traces_of(source, sink, together, _translate, "objects of the OpenAI Agents SDK", resources_recorded=False, own_ids=True)


IMPORTER = OpenAIAgents()


def _together(found: Iterable[Piece]) -> Iterator[Piece]:
    """The whole file as one value: what a handoff may have led to is known by the spans of its trace."""
    yield Piece(0, [piece.value for piece in found])


def _translate(value: Any, damage: Damage) -> Iterator[Batch]:
    spans: list[Fields] = []
    traces: dict[str, Fields] = {}
    todo = list(reversed(list(objects(value))))
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo += reversed(item)
        elif isinstance(item, dict) and isinstance(item.get("data"), list):
            todo += reversed(item["data"])
        elif isinstance(item, dict) and item.get("object") == "trace" and isinstance(item.get("id"), str):
            traces[item["id"]] = item
            yield Batch(logs=[_note(item)])
        elif isinstance(item, dict) and isinstance(item.get("span_data"), dict):
            spans.append(item)
        else:
            foreign(item, damage, "an object of the OpenAI Agents SDK")
    told = [_span(span, traces.get(str(span.get("trace_id")), {}), damage) for span in spans]
    begun: dict[str, list[tuple[str, int]]] = {}
    for span, made in zip(spans, told, strict=True):
        name, start = span["span_data"].get("name"), made["startTimeUnixNano"]
        if span["span_data"].get("type") == "agent" and isinstance(name, str) and start is not None:
            begun.setdefault(str(span.get("trace_id")), []).append((name, start))
    by_id = {span["id"]: span for span in spans if isinstance(span.get("id"), str)}
    for span, made in zip(spans, told, strict=True):
        if span["span_data"].get("type") == "handoff" and not span["span_data"].get("to_agent"):
            above = by_id.get(str(span.get("parent_id")), {"span_data": {}})
            _infer(made, above["span_data"].get("handoffs"), begun.get(str(span.get("trace_id")), []), damage)
        yield Batch(spans=[made])


def _note(trace: Fields) -> Fields:
    return {
        "traceId": trace["id"],
        "eventName": "openai_agents.trace",
        "attributes": recorded({k: v for k, v in trace.items() if k not in ("id", "object")}),
    }


def _infer(handoff: Fields, offered: Any, begun: list[tuple[str, int]], damage: Damage) -> None:
    """Names the one agent that a handoff without a target can have led to. That is an inference: it stands beside the record, not in it."""
    at = handoff["startTimeUnixNano"]
    after = {name for name, start in begun if at is not None and start >= at}
    candidates = {name for name in offered if isinstance(name, str) and name in after} if isinstance(offered, list) else set()
    if len(candidates) == 1:
        (candidate,) = candidates
        handoff["attributes"][_CANDIDATE] = candidate
        damage.report.note(
            "handoff_candidate",
            f"{damage.where}, span {handoff['spanId']}",
            f"the handoff names no target; of the agents offered to it, only `{candidate}` began work after it. This is an inference",
        )


def _span(span: Fields, trace: Fields, damage: Damage) -> Fields:
    data = span["span_data"]
    sort = str(data.get("type"))
    attributes: Fields = {"openai_agents.type": sort}
    name: Any = data.get("name")
    make = _SORTS.get(sort)
    if make is not None:
        attributes |= recorded(make(data))
    else:
        attributes |= recorded({f"openai_agents.{k}": v for k, v in data.items() if k != "type"})
    if sort == "handoff":
        name = "handoff"
    if not span.get("parent_id") and trace.get("group_id") is not None:
        attributes["gen_ai.conversation.id"] = trace["group_id"]
    error = span.get("error")
    if isinstance(error, dict) and error.get("data"):
        attributes["openai_agents.error"] = error["data"]
    return {
        "traceId": span.get("trace_id"),
        "spanId": span.get("id"),
        "parentSpanId": span.get("parent_id"),
        "name": name if isinstance(name, str) else sort,
        "startTimeUnixNano": iso_ns(span.get("started_at"), damage),
        "endTimeUnixNano": iso_ns(span.get("ended_at"), damage),
        "attributes": attributes,
        "status": {"code": 2 if error else 0, "message": error.get("message") if isinstance(error, dict) else error or None},
    }


def _agent(data: Fields) -> Fields:
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": data.get("name"),
        "gen_ai.tool.definitions": data.get("tools") or None,
        "openai_agents.handoffs": data.get("handoffs"),
        "openai_agents.output_type": data.get("output_type"),
    }


def _usage(data: Fields) -> Fields:
    usage = data.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return {
        "gen_ai.usage.input_tokens": usage.get("input_tokens", usage.get("prompt_tokens")),
        "gen_ai.usage.output_tokens": usage.get("output_tokens", usage.get("completion_tokens")),
    }


def _generation(data: Fields) -> Fields:
    return _usage(data) | {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": data.get("model"),
        "gen_ai.input.messages": data.get("input"),
        "gen_ai.output.messages": data.get("output"),
        "openai_agents.model_config": data.get("model_config"),
    }


def _response(data: Fields) -> Fields:
    """A call of the Responses API. The SDK's exporter leaves input and output out; processors of users' own may write them."""
    response = data.get("response")
    response = response if isinstance(response, dict) else {}
    told = data.get("input")
    return _usage(data if data.get("usage") else response) | {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.id": data.get("response_id", response.get("id")),
        "gen_ai.request.model": response.get("model"),
        "gen_ai.input.messages": [{"role": "user", "content": told}] if isinstance(told, str) else told,
        "gen_ai.system_instructions": response.get("instructions") if told is not None else None,
        "openai_agents.continues": {key: response[key] for key in ("previous_response_id", "conversation", "prompt") if response.get(key)}
        or None,
        "gen_ai.output.messages": response.get("output", data.get("output")),
        "gen_ai.tool.definitions": response.get("tools") or None,
    }


def _function(data: Fields) -> Fields:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": data.get("name"),
        "gen_ai.tool.call.arguments": data.get("input"),
        "gen_ai.tool.call.result": data.get("output"),
        "openai_agents.mcp_data": data.get("mcp_data"),
    }


def _handoff(data: Fields) -> Fields:
    return {
        "gen_ai.operation.name": "handoff",
        "gen_ai.agent.handoff.source.name": data.get("from_agent"),
        "gen_ai.agent.handoff.target.name": data.get("to_agent"),
    }


_SORTS = {"agent": _agent, "generation": _generation, "response": _response, "function": _function, "handoff": _handoff}
"""What the sorts mean; guardrails, custom spans, speech and lists of tools are kept as they are."""
