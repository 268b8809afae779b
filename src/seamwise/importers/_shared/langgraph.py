"""Whose work a run of LangGraph is, as tracers record it: by the metadata that LangGraph gives to every run inside a node.

A run's ``langgraph_checkpoint_ns`` names the nodes around it, outermost first (``team:<id>|writer:<id>|tools:<id>``). The node nearest to
the run is who did it, unless it is one of those that LangGraph's own agents are built of (``agent`` and ``tools``, ``model_request``): such
a node is a part of the agent around it. ``lc_agent_name``, where it is recorded, says it outright. Where neither names anybody, it is
unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamwise.importers._shared.names import somebody

_PARTS = frozenset(
    "agent model model_request call_model tools tool_node __start__ __end__ pre_model_hook post_model_hook LangGraph".split()
)
"""Nodes of LangGraph's own agents."""


def agent_of(metadata: Mapping[str, Any]) -> str | None:
    """The agent whose work a run with this metadata is, or None where it names none."""
    named = somebody(metadata.get("lc_agent_name"))
    if named is not None:
        return named
    place = metadata.get("langgraph_checkpoint_ns")
    nodes = [part.partition(":")[0] for part in place.split("|")] if isinstance(place, str) and place else []
    node = metadata.get("langgraph_node")
    if isinstance(node, str) and (not nodes or nodes[-1] != node):
        nodes.append(node)
    return next((n for n in reversed(nodes) if n and n not in _PARTS), None)


def is_run_of_agent(name: Any, metadata: Mapping[str, Any], above: Mapping[str, Any] | None) -> bool:
    """Whether a run is an agent's piece of work as a whole: it bears the agent's name, and what is around it is not that agent's."""
    agent = agent_of(metadata)
    return agent is not None and agent == name and (above is None or agent_of(above) != agent)
