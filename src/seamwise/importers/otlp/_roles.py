"""What a span is: an agent at work, a model call, a tool call, a handoff, a retrieval, or none of these. One table per dialect.

The name of a span decides only where the conventions fix it (``execute_tool x``, ``invoke_agent x``) and no attribute says otherwise.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from seamwise.importers._shared.names import somebody

Role = Literal["agent", "model", "tool", "handoff", "retrieval", "evaluator", "create", "span"]

_GEN_AI: dict[str, Role] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "invoke_agent": "agent",
    "execute_tool": "tool",
    "create_agent": "create",
    "retrieval": "retrieval",
    "handoff": "handoff",
    "invoke_workflow": "span",
    "embeddings": "span",
    "plan": "span",
}
_OPENINFERENCE: dict[str, Role] = {
    "LLM": "model",
    "AGENT": "agent",
    "TOOL": "tool",
    "RETRIEVER": "retrieval",
    "EVALUATOR": "evaluator",
    "CHAIN": "span",
    "EMBEDDING": "span",
    "RERANKER": "span",
    "GUARDRAIL": "span",
    "PROMPT": "span",
    "UNKNOWN": "span",
}
_TRACELOOP: dict[str, Role] = {"agent": "agent", "tool": "tool", "workflow": "span", "task": "span"}
_VERCEL: dict[str, Role] = {
    "ai.toolCall": "tool",
    "ai.generateText": "model",
    "ai.streamText": "model",
    "ai.generateObject": "model",
    "ai.streamObject": "model",
    "ai.generateText.doGenerate": "model",
    "ai.streamText.doStream": "model",
    "ai.generateObject.doGenerate": "model",
    "ai.streamObject.doStream": "model",
}

_LANGFUSE: dict[str, Role] = {
    "generation": "model",
    "tool": "tool",
    "agent": "agent",
    "retriever": "retrieval",
    "evaluator": "evaluator",
}
"""Types of Langfuse that decide; a mere span or event may be more by other signs."""

_LANGSMITH: dict[str, Role] = {"llm": "model", "tool": "tool", "agent": "agent", "retriever": "retrieval"}
"""Sorts of LangSmith that decide, and ``agent`` for a run that an importer knows to be one."""

_NAMED = re.compile(r"(execute_tool|invoke_agent|create_agent) (.+)", re.DOTALL)
_ADK_NAMED = re.compile(r"(agent_run|tool_call|execute_tool) \[(.+)\]", re.DOTALL)
"""How older versions of Google's ADK name their spans."""
_HANDOFF_NAME = re.compile(
    r"hand[ _-]?off(?::| from)? (?P<source>.+?) ?(?:→|->| to ) ?(?P<target>.+)|hand[ _-]?off to (?P<only>.+)", re.IGNORECASE | re.DOTALL
)
_HANDOFF_TARGETS = ("gen_ai.agent.handoff.target.name", "gen_ai.handoff.to_agent", "handoff.target", "to_agent")
_TOOL_TARGETS = ("gen_ai.agent.handoff.target.name", "gen_ai.handoff.to_agent", "langgraph.goto")
_TARGETS = frozenset(_TOOL_TARGETS)
_HANDOFF_SOURCES = ("gen_ai.agent.handoff.source.name", "gen_ai.handoff.from_agent", "handoff.source", "from_agent")


class Ends(NamedTuple):
    """Who handed off and to whom, as far as a span says so itself."""

    source: str | None
    target: str | None


def role_of(name: str, attributes: dict[str, Any]) -> Role:
    """What the span is."""
    get = attributes.get
    operation = get("gen_ai.operation.name")
    role: Role | None = None
    if type(operation) is str:
        role = _GEN_AI.get(operation)
        if role == "agent" or role == "model":
            return role
        if role == "span" and operation == "invoke_workflow" and "gen_ai.agent.name" in attributes:
            role = "agent"
    if role is None and (kind := get("openinference.span.kind")) is not None:
        role = _OPENINFERENCE.get(str(kind).upper())
    if role is None and (kind := get("traceloop.span.kind")) is not None:
        role = _TRACELOOP.get(str(kind))
    if role is None and (kind := get("ai.operationId")) is not None:
        role = _VERCEL.get(str(kind))
    if role is None and (kind := get("langfuse.observation.type")) is not None:
        role = _LANGFUSE.get(str(kind).lower())
    if role is None and (kind := get("langsmith.span.kind")) is not None:
        role = _LANGSMITH.get(str(kind).lower())
    if role is None:
        role = _by_shape(name, attributes)
    if role in ("tool", "span") and name[:4].lower() == "hand" and "tool.name" not in attributes and "gen_ai.tool.name" not in attributes:
        return "handoff" if _HANDOFF_NAME.fullmatch(name) else role
    return role


def _by_shape(name: str, attributes: dict[str, Any]) -> Role:
    if name[-1:] == "]" and (adk := _ADK_NAMED.fullmatch(name)) is not None:
        return "agent" if adk[1] == "agent_run" else "tool"
    if "gcp.vertex.agent.tool_call_args" in attributes:
        return "tool"
    if "gcp.vertex.agent.llm_request" in attributes or "gen_ai.input.messages" in attributes or "gen_ai.prompt.0.role" in attributes:
        return "model"
    if "llm.request.type" in attributes and "gen_ai.request.model" in attributes:
        return "model"
    if any(key in attributes for key in _HANDOFF_TARGETS[:2]):
        return "handoff"
    if "gen_ai.tool.call.id" in attributes and "gen_ai.tool.name" in attributes:
        return "tool"
    if "agent_name" in attributes and "model_name" in attributes and name.endswith(" run"):
        return "agent"  # Pydantic AI before the conventions.
    named = _NAMED.fullmatch(name)
    return _GEN_AI[named[1]] if named else "span"


def agent_name(name: str, attributes: dict[str, Any]) -> tuple[str | None, bool]:
    """The name of the agent that an agent span is about, and whether only the span's own name says so."""
    for key in ("gen_ai.agent.name", "agent.name", "traceloop.entity.name", "agent_name", "graph.node.id"):
        value = attributes.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip(), False
    named = _ADK_NAMED.fullmatch(name) or _NAMED.fullmatch(name)
    plain = (named[2] if named else name).strip()
    return plain or None, True


def tool_name(name: str, attributes: dict[str, Any]) -> str | None:
    """The tool that a tool span is about."""
    for key in ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"):
        value = attributes.get(key)
        if isinstance(value, str) and value:
            return value
    named = _ADK_NAMED.fullmatch(name) or _NAMED.fullmatch(name)
    return (named[2] if named else name) or None


_CALL_IDS = ("tool_call.id", "tool.id", "tool.call.id", "ai.toolCall.id")


def call_id(attributes: dict[str, Any]) -> str | None:
    """The id that the model gave to a tool call."""
    value = attributes.get("gen_ai.tool.call.id")
    if value is None:
        value = next((attributes[key] for key in _CALL_IDS if key in attributes), None)
    return value if isinstance(value, str) and value else None


def handoff_target(attributes: dict[str, Any]) -> str | None:
    """To whom a tool call hands off, where its span says so itself."""
    if _TARGETS.isdisjoint(attributes):
        return None
    target = _first(attributes, _TOOL_TARGETS)
    return None if target is None or target.startswith("__") else target


def handoff_ends(name: str, attributes: dict[str, Any]) -> Ends:
    """Source and target of a handoff, where the span names them."""
    source = _first(attributes, _HANDOFF_SOURCES)
    target = _first(attributes, _HANDOFF_TARGETS)
    said = _HANDOFF_NAME.fullmatch(name)
    if said is not None:
        source = source or somebody(said["source"])
        target = target or somebody(said["target"] or said["only"])
    return Ends(source, target)


def _first(attributes: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        if named := somebody(attributes.get(key)):
            return named
    return None
