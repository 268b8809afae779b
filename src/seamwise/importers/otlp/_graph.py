"""Agents that only the metadata of LangGraph name: tracers copy them to every span inside a node."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.langgraph import agent_of, is_run_of_agent
from seamwise.importers._shared.text import parsed
from seamwise.importers.otlp._ids import hex_id
from seamwise.importers.otlp._nodes import Node

_COPIED = "traceloop.association.properties."
_KEYS = ("langgraph_checkpoint_ns", "langgraph_node", "lc_agent_name")


def name_agents(nodes: list[Node]) -> None:
    """Calls know their agent, and a node of the graph at work is an agent's span, where nothing else says so."""
    told = {node.id: metadata for node in nodes if (metadata := _metadata(node.attributes)) is not None}
    if not told:
        return
    for node in nodes:
        metadata = told.get(node.id)
        if metadata is None or node.agent is not None:
            continue
        if node.role in ("model", "tool", "retrieval"):
            node.agent = agent_of(metadata)
        elif node.role == "span" and is_run_of_agent(
            node.attributes.get("traceloop.entity.name", node.name), metadata, told.get(hex_id(node.span.parentSpanId or ""))
        ):
            node.role = "agent"
            node.agent = agent_of(metadata)


def _metadata(attributes: dict[str, Any]) -> dict[str, Any] | None:
    """What LangGraph says of a span: in OpenInference's attribute ``metadata``, or in Traceloop's properties."""
    packed = attributes.get("metadata")
    if packed is not None:
        found = parsed(packed) if not isinstance(packed, str) or "lang" in packed or "lc_" in packed else None
    elif f"{_COPIED}langgraph_node" in attributes:
        found = {key: attributes[_COPIED + key] for key in _KEYS if _COPIED + key in attributes}
    else:
        return None
    return found if isinstance(found, dict) and any(key in found for key in _KEYS) else None
