"""Handoffs: spans that say so, and tools named like one whose target is an agent of the same trace."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.names import alike, transfer_label
from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._roles import handoff_ends, handoff_target
from seamwise.record import After, Ref, Step


class Handoffs:
    """Which handoffs a trace records, and which work followed them."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._agents: dict[str, list[Node]] = {}
        for node in builder.nodes:
            if node.role == "agent" and node.agent is not None:
                self._agents.setdefault(alike(node.agent), []).append(node)
        self._made: dict[str, list[tuple[Node, str]]] = {}

    def of_tool(self, node: Node, arguments: Any) -> None:
        """The handoff that a tool call is, if it is one."""
        said = handoff_target(node.attributes)
        label = said if said is not None else transfer_label(node.tool or "", arguments)
        if label is None:
            return
        starts = self._agents.get(alike(label))
        if not starts and said is None:
            self._builder.unresolved.append(label)
            self._builder.note(
                "possible_handoff",
                node,
                f"tool `{node.tool}` is named like a handoff, but no agent `{label}` is in this trace; no handoff was recorded for it",
            )
            return
        target = starts[0].agent if starts else said
        assert target is not None
        identifier = node.id + "/handoff"
        self._made.setdefault(alike(label), []).append((node, identifier))
        self._builder.timed.append(
            (
                node.sort,
                Step(
                    id=identifier,
                    kind="handoff",
                    actor=node.actor,
                    recipients=(target,),
                    tool=node.tool,
                    data={"label": label},
                    time_ns=node.start,
                    refs=(Ref(kind="handoff_of", step=node.id),),
                    order=(After(step=node.id, basis="sequence"),),
                    source=node.source,
                ),
            )
        )

    def of_span(self, node: Node) -> None:
        """The handoff that a span of its own records."""
        builder = self._builder
        ends = handoff_ends(node.name, node.attributes)
        target = ends.target
        if target is None:
            builder.report.not_known("the target of a handoff")
        else:
            starts = self._agents.get(alike(target))
            if starts and starts[0].agent is not None:
                target = starts[0].agent
            self._made.setdefault(alike(target), []).append((node, node.id))
        ending = ending_of(node, answered=False)
        data: dict[str, Any] = {"name": node.name}
        if node.attributes:
            data["attributes"] = node.attributes
        if ending.error is not None:
            data["error"] = ending.error
        if events := builder.events(node):
            data["events"] = events
        actor = ends.source if ends.source is not None else builder.actor(node)
        builder.timed.append(
            (
                node.sort,
                Step(
                    id=node.id,
                    kind="handoff",
                    actor=actor,
                    recipients=None if target is None else (target,),
                    status=ending.status,
                    data=data,
                    time_ns=node.start,
                    order=order_of(node),
                    source=node.source,
                ),
            )
        )

    def link(self) -> None:
        """Says which piece of an agent's work follows which handoff, where there is no choice.

        That is: the work stands inside the span of the handoff, or it is the only work of that agent and this the only handoff to it, and
        by the clock it came after.
        """
        for label, made in self._made.items():
            for node in self._agents.get(label, ()):
                inside = [identifier for handoff, identifier in made if node.parent is handoff]
                if inside:
                    node.handed = inside[0]
                elif len(made) == 1 and len(self._agents[label]) == 1:
                    handoff, identifier = made[0]
                    if node.start is not None and handoff.start is not None and node.start >= handoff.start:
                        node.handed = identifier
