"""What all kinds of step of one trace share while they are made."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.text import parsed
from seamwise.importers.otlp._attributes import Seal
from seamwise.importers.otlp._history import Histories
from seamwise.importers.otlp._nodes import Node, place
from seamwise.importers.otlp._wrapped import WRAPPED, unwrapped
from seamwise.record import After, Claim, Organization, Step


class Builder:
    """The steps of one trace as they come to be.

    Args:
        trace: Its id.
        nodes: Its spans, connected and sorted by start.
        sink: Report and labels.
        seal: What takes evaluation labels away.
    """

    def __init__(self, trace: str, nodes: list[Node], sink: Sink, seal: Seal) -> None:
        self.trace = trace
        self.nodes = nodes
        self.report = sink.report
        self.depth = sink.limits.depth
        self.seal = seal
        self.histories = Histories()
        self.claims: list[Claim] = []
        self.agents: dict[str, dict[str, Any]] = {}
        """Agents seen, with what is recorded about them."""
        self.conversations: dict[str, None] = {}
        """Ids of the conversations or sessions that its spans name."""
        self.unresolved: list[str] = []
        """Labels of tools named like handoffs to agents that are not in this trace."""
        self.inner: dict[Node, list[Node]] = {}
        """Tool span -> spans that record the same call from the inside."""
        self.claims_inputs = sink.wanted is None or sink.wanted.claimed is None or "input" in sink.wanted.claimed
        """Whether claims on what went into model calls are asked for."""
        self.timed: list[tuple[int, Step]] = []
        """Steps with the moment at which they are read: their own time, or that of their span."""

    def steps(self) -> tuple[Step, ...]:
        """All steps, by time where it is known."""
        self.timed.sort(key=_moment)
        return tuple([step for _, step in self.timed])

    def organization(self) -> Organization:
        """The agents seen. Permissions, edges and grants are not recorded in spans."""
        return Organization(agents=self.agents) if self.agents else Organization()

    def note(self, code: str, node: Node, words: str) -> None:
        """A note about one span."""
        self.report.note(code, place(self.trace, node), words)

    def actor(self, node: Node) -> str | None:
        """Who did it, counted where it is not known."""
        actor = node.actor
        if actor is None:
            self.report.not_known("which agent a call or handoff belongs to")
        elif actor not in self.agents:
            self.agents[actor] = {}
        return actor

    def content(self, node: Node, keys: tuple[str, ...], event: str, field: str) -> tuple[Any, str | None]:
        """A recorded content: parsed, and as the text that it was; None where it was not recorded. It is taken off the node."""
        attributes = node.attributes
        for key in keys:
            raw = attributes.get(key)
            if raw is None:
                continue
            del attributes[key]
            if raw == "{}" and key.startswith("gcp."):
                continue  # ADK writes this where the capture of content is off.
            value = parsed(raw, self.depth)
            if key in WRAPPED and (inner := unwrapped(key, value, attributes)) is not value:
                return inner, inner if type(inner) is str else None
            return value, raw if type(raw) is str else None
        if node.events:
            for said in node.events:
                if said.name == event and (raw := said.attributes.get(field)) is not None:
                    node.events = tuple([e for e in node.events if e is not said])
                    return parsed(raw, self.depth), raw if isinstance(raw, str) else None
        return None, None

    def events(self, node: Node) -> list[dict[str, Any]]:
        """The events that no other step took, as data; evaluation results among them are sealed."""
        made = []
        for event in node.events:
            if event.name.startswith("gen_ai.evaluation"):
                self.seal.put(self.trace, node.id, event.name, event.attributes)
                continue
            attributes = dict(event.attributes)
            self.seal.take(attributes, self.trace, node.id)
            entry: dict[str, Any] = {"name": event.name}
            if event.time_ns is not None:
                entry["time_ns"] = event.time_ns
            if attributes:
                entry["attributes"] = attributes
            made.append(entry)
        return made


_moment = itemgetter(0)


def order_of(node: Node) -> tuple[After, ...]:
    """What the first step of a span is known to follow: the first step of its parent."""
    return node.parent.inside() if node.parent is not None else ()
