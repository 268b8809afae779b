"""One observation of Langfuse as a span."""

from __future__ import annotations

import json
from typing import Any

from seamwise.importers._shared.loose import Damage
from seamwise.importers._shared.text import parsed
from seamwise.importers._spans import Fields, iso_ns, recorded

_OTEL = ("attributes", "resourceAttributes", "scope")
"""What OpenTelemetry recorded, inside an observation's metadata."""

_INPUT = (
    "input.value",
    "llm.input_messages.",
    "gen_ai.prompt",
    "gen_ai.input.messages",
    "ai.prompt",
    "traceloop.entity.input",
    "gcp.vertex.agent.llm_request",
    "gcp.vertex.agent.tool_call_args",
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
)
_OUTPUT = (
    "output.value",
    "llm.output_messages.",
    "gen_ai.completion",
    "gen_ai.output.messages",
    "ai.response.text",
    "ai.response.toolCalls",
    "ai.response.object",
    "traceloop.entity.output",
    "gcp.vertex.agent.llm_response",
    "gcp.vertex.agent.tool_response",
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
)
"""How the attributes begin that Langfuse takes input and output from; where one of them is kept, it is the better record."""


def metadata_of(record: Fields) -> Fields:
    """The metadata of a trace or observation, which is an object or JSON in a string."""
    found = parsed(record.get("metadata"))
    return found if isinstance(found, dict) else {}


def resource_of(metadata: Fields) -> Fields | None:
    """Who wrote it; None where that is not recorded."""
    return recorded(parsed(metadata.get("resourceAttributes"))) or None


def span_of(record: Fields, metadata: Fields, trace: Any, session: Any, damage: Damage) -> Fields:
    """The observation in the shape of a span of OTLP.

    Args:
        record: The observation.
        metadata: Its metadata.
        trace: The id of the trace that it stands in, if it stands in one.
        session: The session of that trace.
        damage: Where notes go.
    """
    attributes = recorded(parsed(metadata.get("attributes")))
    rest = recorded({k: v for k, v in metadata.items() if k not in (*_OTEL, "tools")})
    if rest:
        attributes["metadata"] = rest
    kind = str(record.get("type") or "SPAN").lower()
    attributes.setdefault("langfuse.observation.type", kind)
    into, out = _plain(record.get("input")), _plain(record.get("output"))
    answer = _tool_message(out)
    if answer is not None:
        attributes["langfuse.observation.type"] = "tool"
        attributes.setdefault("tool_call.id", answer["tool_call_id"])
        out = answer.get("content")
    if into is not None and not _has(attributes, _INPUT):
        attributes["langfuse.observation.input"] = into
    if out is not None and not _has(attributes, _OUTPUT):
        attributes["langfuse.observation.output"] = out
    _about_model(record, attributes)
    if isinstance(metadata.get("tools"), list) and "ai.prompt.tools" not in attributes:
        attributes["ai.prompt.tools"] = metadata["tools"]
    if session is not None and not record.get("parentObservationId"):
        attributes.setdefault("session.id", session)
    level = record.get("level")
    if level not in (None, "DEFAULT", "ERROR"):
        attributes["langfuse.observation.level"] = level
    return {
        "traceId": record.get("traceId") or trace,
        "spanId": record.get("id"),
        "parentSpanId": record.get("parentObservationId"),
        "name": record.get("name"),
        "startTimeUnixNano": iso_ns(record.get("startTime"), damage, naive_is_utc=True),
        "endTimeUnixNano": iso_ns(record.get("endTime"), damage, naive_is_utc=True),
        "attributes": attributes,
        "status": {"code": 2 if level == "ERROR" else 0, "message": record.get("statusMessage")},
    }


def _about_model(record: Fields, attributes: Fields) -> None:
    if record.get("model") is not None:
        attributes.setdefault("langfuse.observation.model.name", record["model"])
    parameters = record.get("modelParameters")
    if parameters:
        attributes["langfuse.observation.model.parameters"] = parameters
    usage = record.get("usageDetails") or record.get("usage")
    if isinstance(usage, dict) and not _has(attributes, ("gen_ai.usage.", "llm.token_count.", "ai.usage.")):
        for key, name in (("input", "gen_ai.usage.input_tokens"), ("output", "gen_ai.usage.output_tokens")):
            if isinstance(usage.get(key), int) and usage[key]:
                attributes[name] = usage[key]
    definitions = record.get("toolDefinitions")
    if isinstance(definitions, dict) and definitions and not _has(attributes, ("gen_ai.tool.definitions", "llm.tools.", "ai.prompt.tools")):
        attributes["gen_ai.tool.definitions"] = [{"name": name, "definition": parsed(told)} for name, told in definitions.items()]


def _plain(content: Any) -> Any:
    """A content without the quotes of JSON around a mere text."""
    if isinstance(content, str) and content[:1] == '"' == content[-1:]:
        try:
            inner = json.loads(content)
        except ValueError:
            return content
        return inner if isinstance(inner, str) else content
    return content


def _tool_message(output: Any) -> Fields | None:
    """The message of LangChain that is a tool's answer, where the output is one; only a tool's run returns that."""
    message = parsed(output)
    if isinstance(message, dict) and isinstance(message.get("kwargs"), dict) and isinstance(message.get("id"), list):
        if message["id"][-1:] != ["ToolMessage"]:
            return None
        message = message["kwargs"]
    elif not isinstance(message, dict) or message.get("type") != "tool":
        return None
    return message if isinstance(message.get("tool_call_id"), str) else None


def _has(attributes: Fields, beginnings: tuple[str, ...]) -> bool:
    return any(key.startswith(beginnings) for key in attributes)
