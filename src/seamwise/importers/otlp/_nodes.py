"""One trace's spans, each once: copies merged, attributes flat, what each span is."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from seamwise.importers._limits import Limits
from seamwise.importers._report import ImportReport
from seamwise.importers.otlp import _wire as wire
from seamwise.importers.otlp._ids import hex_id, is_absent
from seamwise.importers.otlp._roles import Role, agent_name, call_id, role_of, tool_name
from seamwise.record import After

SpanRecord = tuple[wire.Span, str, int]
"""A span, the source that wrote it, and the line it stands on."""

NEVER = 1 << 63
"""Stands for a time that was not recorded where spans are sorted."""


class Event(NamedTuple):
    """An event of a span, from the span itself or from a log record."""

    name: str
    time_ns: int | None
    attributes: dict[str, Any]
    logged: bool


class Node(msgspec.Struct, eq=False):
    """One span of a trace."""

    span: wire.Span
    id: str
    """Id of its first step, unique in the trace: the span id, or ``<span id>~2`` for another span of that id."""
    source: str
    """Who wrote it."""
    line: int
    """Where it stands in the file; 0: not in a line of its own."""
    name: str
    start: int | None
    end: int | None
    """When it ended; it may lie before the start, see :attr:`end_ns`."""
    sort: int
    """Its start, or :data:`NEVER`."""
    attributes: dict[str, Any]
    """What of its attributes no step has taken yet."""
    events: tuple[Event, ...] = ()
    """What of its events no step has taken yet."""
    code: int = 0
    """Its status: 0 unset, 1 ok, 2 error."""
    cut: bool = False
    """Some of it is known to be missing: attributes dropped or cut off."""
    role: Role = "span"
    agent: str | None = None
    """The agent that it is about (agent spans), or that it names itself."""
    tool: str | None = None
    call: str | None = None
    parent: Node | None = None
    scope: Node | None = None
    """The nearest agent span above it."""
    near: Node | None = None
    """The nearest span above it that is an agent, a model call, a tool call or a handoff."""
    outside: bool = False
    """It began after a span above it, of one writer with it, had ended: who it belongs to is not certain."""
    is_leaf: bool = True
    """No other span names it as its parent."""
    settled: bool = False
    """Its place in the tree is known."""
    wraps: list[Node] | None = None
    """Model calls recorded inside this one by another instrumentation."""
    inner: Node | None = None
    """The tool call that this one records once more, from the inside."""
    twin: Node | None = None
    """The model call of the same response id that this one records once more."""
    handed: str | None = None
    """Id of the handoff that this agent's work is known to follow."""
    after: tuple[After, ...] | None = None
    copy_of: Node | None = None
    """The span of the same id and other content: what both tell of is one operation, on which they differ."""

    @property
    def actor(self) -> str | None:
        """Who did it: the agent that the span names, else the nearest agent above it; None where that is not certain."""
        return self.agent if self.agent is not None else self.scope.agent if self.scope is not None else None

    @property
    def end_ns(self) -> int | None:
        """When it ended; None where that is not recorded, or lies before its start."""
        end = self.end
        return None if end is not None and self.start is not None and end < self.start else end

    def inside(self) -> tuple[After, ...]:
        """The order of what happens inside this span: after its start."""
        if self.after is None:
            self.after = (After(step=self.id, basis="parent"),)
        return self.after


def moment(value: int | str | None) -> int | None:
    """Unix nanoseconds, exactly; None where they were not recorded (zero stands for that)."""
    try:
        number = int(value) if type(value) is str else value
    except ValueError:
        return None
    return number if type(number) is int and 0 < number < NEVER else None


_CODES = {"STATUS_CODE_OK": 1, "OK": 1, "STATUS_CODE_ERROR": 2, "ERROR": 2}


def status_code(status: wire.Status | None) -> int:
    """0 unset, 1 ok, 2 error, of either notation; what is none of these is unset."""
    if status is None or not status.code:
        return 0
    code = wire.whole(status.code)
    number = code if isinstance(code, int) else _CODES.get(str(code).upper(), 0)
    return number if number in (1, 2) else 0


def nodes_of(records: Iterable[SpanRecord], trace: str, report: ImportReport, limits: Limits) -> list[Node]:
    """The spans of one trace by start time, each once, not yet connected; every record is counted as kept or merged."""
    nodes = _each_once(records, trace, report)
    report.kept += len(nodes)
    nodes.sort(key=_sort)
    most, flatten = limits.attributes_per_span, wire.flatten
    for node in nodes:
        span = node.span
        listed = span.attributes
        if listed:
            if len(listed) > most:
                report.note("attributes_cut", place(trace, node), f"`{len(listed)}` attributes; those over the limit were cut off")
                listed = listed[:most]
                node.cut = True
            attributes = node.attributes = flatten(listed)
            if len(attributes) != len(listed):
                _note_twice(listed, place(trace, node), report)
        else:
            attributes = node.attributes = {}
        if span.droppedAttributesCount or span.droppedEventsCount:
            _note_dropped(node, trace, report)
        if span.status is not None:
            node.code = status_code(span.status)
        if span.events:
            node.events = tuple([Event(e.name or "", moment(e.timeUnixNano), flatten(e.attributes), False) for e in span.events])
        role = node.role = role_of(node.name, attributes)
        if role == "agent":
            node.agent, by_span = agent_name(node.name, attributes)
            if by_span:
                report.not_known("an agent's name beyond the name of its span")
            continue
        if role == "tool":
            node.tool = tool_name(node.name, attributes)
            node.call = call_id(attributes)
        named = attributes.get("gen_ai.agent.name")
        if type(named) is str:
            node.agent = named.strip() or None
    return nodes


def _each_once(records: Iterable[SpanRecord], trace: str, report: ImportReport) -> list[Node]:
    """A node for each span that differs from those of its id before it, in the order of the records."""
    by_id: dict[str, Node] = {}
    others: dict[str, int] = {}
    nothing: dict[str, Any] = {}
    nodes: list[Node] = []
    for span, source, line in records:
        identifier = span.spanId
        identifier = identifier.lower() if len(identifier) == 16 else hex_id(identifier)
        start = moment(span.startTimeUnixNano)
        sort = NEVER if start is None else start
        node = Node(span, identifier, source, line, span.name or "", start, moment(span.endTimeUnixNano), sort, nothing)
        old = by_id.setdefault(identifier, node)
        if old is not node:
            if not _again(node, old, trace, report):
                continue
            others[identifier] = number = others.get(identifier, 1) + 1
            node.id = f"{identifier}~{number}"
            if identifier.strip("0"):  # no id at all is not the same id
                node.copy_of = old
        nodes.append(node)
    return nodes


_sort = attrgetter("sort")


def place(trace: str, node: Node) -> str:
    """Where a node stands, for notes."""
    return f"line {node.line}, trace {trace}, span {node.id}" if node.line else f"trace {trace}, span {node.id}"


def _note_twice(attributes: list[wire.KeyValue], where: str, report: ImportReport) -> None:
    seen: set[str] = set()
    for pair in attributes:
        if pair.key in seen:
            report.note("duplicate_attribute", where, f"attribute `{pair.key[:80]}` is given more than once; the last counts")
            return
        seen.add(pair.key)


def _note_dropped(node: Node, trace: str, report: ImportReport) -> None:
    span = node.span
    if wire.count(span.droppedAttributesCount) > 0:
        node.cut = True
        words = f"its writer dropped `{wire.count(span.droppedAttributesCount)}` attributes"
        report.note("attributes_dropped", place(trace, node), words)
    if wire.count(span.droppedEventsCount) > 0:
        report.note("events_dropped", place(trace, node), f"its writer dropped `{wire.count(span.droppedEventsCount)}` events")


def _again(node: Node, old: Node, trace: str, report: ImportReport) -> bool:
    """A second span of one id: merged if it is the same or a fuller or poorer copy; True if it is another."""
    mine, theirs = _content(node.span), _content(old.span)
    if mine == theirs:
        report.note("duplicate", place(trace, node), "the same span again; merged")
    elif _within(theirs, mine):
        report.note("fuller_copy", place(trace, node), "a fuller copy of a span; it replaced the poorer one")
        for field in ("span", "source", "line", "name", "start", "end", "sort"):
            setattr(old, field, getattr(node, field))
    elif _within(mine, theirs):
        report.note("fuller_copy", place(trace, node), "a poorer copy of a span; merged")
    else:
        report.note("same_id", place(trace, node), "another span of the same id with other content; both were kept")
        return True
    report.merged += 1
    return False


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
