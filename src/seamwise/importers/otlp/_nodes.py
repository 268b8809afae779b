"""One trace's spans as a tree: copies merged, parents found, cycles cut, agents above."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from seamwise.importers._limits import Limits
from seamwise.importers._report import ImportReport
from seamwise.importers.otlp import _wire as wire
from seamwise.importers.otlp._ids import hex_id, is_absent
from seamwise.importers.otlp._roles import Role, agent_name, role_of, tool_name
from seamwise.record import After

SpanRecord = tuple[wire.Span, str, int]
"""A span, the source that wrote it, and the line it stands on."""


class Event(NamedTuple):
    """An event of a span, from the span itself or from a log record."""

    name: str
    time_ns: int | None
    attributes: dict[str, Any]
    logged: bool


class Node:
    """One span of a trace."""

    __slots__ = (
        "agent",
        "attributes",
        "before",
        "call",
        "code",
        "cut",
        "end",
        "ended",
        "events",
        "handed",
        "id",
        "inner",
        "line",
        "name",
        "near",
        "outside",
        "parent",
        "parent_id",
        "role",
        "scope",
        "source",
        "span",
        "start",
        "tool",
        "twin",
        "wraps",
    )

    def __init__(self, span: wire.Span, identifier: str, source: str, line: int) -> None:
        self.id = identifier
        """Id of its first step, unique in the trace: the span id, or ``<span id>~2`` for another span of that id."""
        self.take(span, source, line)
        self.parent: Node | None = None
        self.events: list[Event] = []
        self.attributes: dict[str, Any] = {}
        self.code = 0
        self.role: Role = "span"
        self.agent: str | None = None
        """The agent it is about (agent spans), or that it names itself."""
        self.tool: str | None = None
        self.call: str | None = None
        self.scope: Node | None = None
        """The nearest agent span above it."""
        self.near: Node | None = None
        """The nearest span above it that is an agent, a model call or a tool call."""
        self.outside = False
        """It began after a span above it, of one clock with it, had ended: who it belongs to is not certain."""
        self.wraps: list[Node] = []
        """Model calls recorded inside this one by another instrumentation."""
        self.inner: Node | None = None
        """The tool call that this one records a second time, from the inside."""
        self.twin: Node | None = None
        """The model call of the same response id that this one records a second time."""
        self.before: tuple[After, ...] | None = None
        self.cut = False
        """Some of it is known to be missing: attributes dropped or cut off."""
        self.handed: str | None = None
        """Id of the handoff that this agent's work is known to follow."""

    def take(self, span: wire.Span, source: str, line: int) -> None:
        """Takes over what a record of this span says."""
        self.span = span
        self.source = source
        self.line = line
        self.name = span.name or ""
        parent = span.parentSpanId
        self.parent_id = None if is_absent(parent) else hex_id(parent or "")
        self.start = moment(span.startTimeUnixNano)
        self.end = moment(span.endTimeUnixNano)
        self.ended = self.end is not None

    @property
    def actor(self) -> str | None:
        """Who did it: the agent that the span names, else the nearest agent above it; None where that is not certain."""
        return self.agent if self.agent is not None else self.scope.agent if self.scope is not None else None

    def after(self) -> tuple[After, ...]:
        """The order of what happens inside this span: after its start."""
        if self.before is None:
            self.before = (After(step=self.id, basis="parent"),)
        return self.before


def moment(value: int | str | None) -> int | None:
    """Unix nanoseconds, exactly; None where they were not recorded (zero stands for that)."""
    if type(value) is str:
        try:
            value = int(value)
        except ValueError:
            return None
    return value if type(value) is int and 0 < value < 1 << 63 else None


_CODES = {"STATUS_CODE_OK": 1, "OK": 1, "STATUS_CODE_ERROR": 2, "ERROR": 2}


def status_code(status: wire.Status | None) -> int:
    """0 unset, 1 ok, 2 error, of either notation."""
    if status is None or status.code is None:
        return 0
    code = wire.whole(status.code)
    return code if isinstance(code, int) else _CODES.get(code.upper(), 0) if code is not None else 0


def nodes_of(records: Iterable[SpanRecord], trace: str, report: ImportReport, limits: Limits) -> list[Node]:
    """The spans of one trace, each once, by start time; every record is counted as kept or merged."""
    by_id: dict[str, Node] = {}
    nodes: list[Node] = []
    for span, source, line in records:
        identifier = hex_id(span.spanId)
        old = by_id.get(identifier)
        node = Node(span, identifier, source, line)
        if old is None:
            by_id[identifier] = node
            nodes.append(node)
        else:
            _again(node, old, nodes, trace, report)
    report.kept += len(nodes)
    nodes.sort(key=lambda n: (n.start is None, n.start or 0))
    for node in nodes:
        span = node.span
        listed = span.attributes
        if listed is not None and len(listed) > limits.attributes_per_span:
            report.note("attributes_cut", place(trace, node), f"`{len(listed)}` attributes; those over the limit were cut off")
            listed = listed[: limits.attributes_per_span]
            node.cut = True
        if span.droppedAttributesCount and wire.count(span.droppedAttributesCount) > 0:
            node.cut = True
            report.note(
                "attributes_dropped", place(trace, node), f"its writer dropped `{wire.count(span.droppedAttributesCount)}` attributes"
            )
        if listed:
            node.attributes = wire.flatten(listed)
            if len(node.attributes) != len(listed):
                _note_twice(listed, place(trace, node), report)
        node.code = status_code(span.status)
        if span.events:
            node.events = [Event(e.name or "", moment(e.timeUnixNano), wire.flatten(e.attributes), False) for e in span.events]
        if span.droppedEventsCount and wire.count(span.droppedEventsCount) > 0:
            report.note("events_dropped", place(trace, node), f"its writer dropped `{wire.count(span.droppedEventsCount)}` events")
        node.role = role_of(node.name, node.attributes)
        _naming(node, report, trace)
    _connect(nodes, by_id, trace, report)
    return nodes


def place(trace: str, node: Node) -> str:
    """Where a node stands, for notes."""
    return f"line {node.line}, trace {trace}, span {node.id}" if node.line else f"trace {trace}, span {node.id}"


def _naming(node: Node, report: ImportReport, trace: str) -> None:
    attributes = node.attributes
    if node.role == "agent":
        node.agent, by_span = agent_name(node.name, attributes)
        if by_span:
            report.not_known("an agent's name beyond the name of its span")
        return
    if node.role == "tool":
        node.tool = tool_name(node.name, attributes)
        for key in ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "tool.call.id", "ai.toolCall.id"):
            value = attributes.get(key)
            if isinstance(value, str) and value:
                node.call = value
                break
    named = attributes.get("gen_ai.agent.name")
    if isinstance(named, str) and named.strip():
        node.agent = named.strip()


def _note_twice(attributes: list[wire.KeyValue], where: str, report: ImportReport) -> None:
    keys = [kv.key for kv in attributes]
    for key in sorted({k for k in keys if keys.count(k) > 1})[:10]:
        report.note("duplicate_attribute", where, f"attribute `{key[:80]}` is given more than once; the last counts")


def _again(node: Node, old: Node, nodes: list[Node], trace: str, report: ImportReport) -> None:
    """A second span of one id: the same, a fuller copy, or another."""
    mine, theirs = _content(node.span), _content(old.span)
    if mine == theirs:
        report.merged += 1
        report.note("duplicate", place(trace, node), "the same span again; merged")
    elif _within(theirs, mine):
        report.merged += 1
        report.note("fuller_copy", place(trace, node), "a fuller copy of a span; it replaced the poorer one")
        old.take(node.span, node.source, node.line)
    elif _within(mine, theirs):
        report.merged += 1
        report.note("fuller_copy", place(trace, node), "a poorer copy of a span; merged")
    else:
        number = 2 + sum(n.id.startswith(f"{old.id}~") for n in nodes)
        node.id = f"{old.id}~{number}"
        nodes.append(node)
        report.note("same_id", place(trace, node), "another span of the same id with other content; both were kept")


def _content(span: wire.Span) -> dict[str, Any]:
    """What a span says, in one notation; what it does not say is absent."""
    said: dict[str, Any] = {
        "name": span.name or None,
        "start": moment(span.startTimeUnixNano),
        "end": moment(span.endTimeUnixNano),
        "parent": None if is_absent(span.parentSpanId) else hex_id(span.parentSpanId or ""),
        "status": status_code(span.status) or None,
        "message": (span.status.message or None) if span.status else None,
        "events": [(e.name, moment(e.timeUnixNano), wire.flatten(e.attributes)) for e in span.events or ()] or None,
    }
    said.update({f"attribute {k}": v for k, v in wire.flatten(span.attributes).items()})
    return {k: v for k, v in said.items() if v is not None}


def _within(poorer: dict[str, Any], fuller: dict[str, Any]) -> bool:
    return all(k in fuller and fuller[k] == v for k, v in poorer.items())


def _connect(nodes: list[Node], by_id: dict[str, Node], trace: str, report: ImportReport) -> None:
    """Finds parents, cuts cycles, and says for each node which agent and which call stand above it."""
    for node in nodes:
        if node.parent_id is None:
            continue
        parent = by_id.get(node.parent_id)
        if parent is node:
            report.note("self_parent", place(trace, node), "the span names itself as its parent; it stands as a root")
        elif parent is None:
            report.note("orphan", place(trace, node), f"its parent `{node.parent_id}` is not in the file; it stands as a root")
        else:
            node.parent = parent
    settled: set[Node] = set()
    for node in nodes:
        path: list[Node] = []
        on_path: set[Node] = set()
        at: Node | None = node
        while at is not None and at not in settled:
            if at in on_path:
                ring = path[path.index(at) :]
                report.note(
                    "parent_cycle", place(trace, at), f"spans {', '.join(n.id for n in ring)} are each other's parents; the ring was cut"
                )
                for member in ring:
                    member.parent = None
                break
            path.append(at)
            on_path.add(at)
            at = at.parent
        for member in reversed(path):
            settled.add(member)
            _settle(member, trace, report)


def _settle(node: Node, trace: str, report: ImportReport) -> None:
    parent = node.parent
    if parent is not None:
        node.near = parent if parent.role in ("agent", "model", "tool", "handoff") else parent.near
        node.scope = parent if parent.role == "agent" else parent.scope
        node.outside = parent.outside and parent.role != "agent"
        above = parent if _over(parent, node) else node.scope if node.scope is not None and _over(node.scope, node) else None
        if above is not None:
            doubt = node.source == above.source
            report.note(
                "outside_parent",
                place(trace, node),
                f"it began after `{above.id}` above it had ended"
                + ("; which agent it belongs to is not certain" if doubt and node.agent is None else ""),
            )
            node.outside = node.outside or doubt
        if node.outside:
            node.scope = None
    if node.role == "model" and node.near is not None and node.near.role == "model":
        node.near.wraps.append(node)
    elif node.role == "tool" and node.near is not None and _same_call(node, node.near):
        node.inner = node.near.inner or node.near


def _same_call(node: Node, outer: Node) -> bool:
    """Whether a tool span inside another records the same call once more."""
    return outer.role == "tool" and outer.tool == node.tool and (node.call is None or outer.call is None or node.call == outer.call)


def _over(above: Node, node: Node) -> bool:
    """Whether a span above had ended, by its own writer's clock, before this one began."""
    return node.start is not None and above.start is not None and above.end is not None and above.start <= above.end < node.start
