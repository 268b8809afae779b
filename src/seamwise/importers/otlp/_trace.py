"""One trace from the spans and log records that bear its id."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from seamwise.importers._registry import Sink
from seamwise.importers._report import ImportReport
from seamwise.importers._shared.names import alike
from seamwise.importers._wanted import Partial, Wanted
from seamwise.importers.otlp import _wire as wire
from seamwise.importers.otlp._attributes import Seal
from seamwise.importers.otlp._builder import Builder
from seamwise.importers.otlp._graph import name_agents
from seamwise.importers.otlp._handoffs import Handoffs
from seamwise.importers.otlp._ids import hex_id, is_absent
from seamwise.importers.otlp._models import model_steps, pair_model_calls
from seamwise.importers.otlp._nodes import Event, Node, SpanRecord, moment, nodes_of, place
from seamwise.importers.otlp._others import agent_steps, log_step, span_step
from seamwise.importers.otlp._resources import Resources
from seamwise.importers.otlp._spare import Spare
from seamwise.importers.otlp._tools import tool_steps
from seamwise.importers.otlp._tree import connect
from seamwise.record import Clock, Header, Trace

LogEntry = tuple[wire.LogRecord, str, int]
"""A log record, the source that wrote it, and the line it stands on."""


class Bucket:
    """What the file holds of one trace so far."""

    __slots__ = ("line", "logs", "over", "spans")

    def __init__(self) -> None:
        self.spans: list[SpanRecord] = []
        self.logs: list[LogEntry] = []
        self.over = 0
        """Records that came when the limit was reached."""
        self.line = 0
        """Where the last of them stands."""


class Built(NamedTuple):
    """A trace, and what connects it with others of its file."""

    trace: Trace
    conversations: tuple[str, ...]
    unresolved: tuple[str, ...]
    """Targets of possible handoffs that are not in it."""
    agents: tuple[str, ...]


def build(trace: str, bucket: Bucket, resources: Resources, sink: Sink, seal: Seal) -> Built:
    """The trace of a bucket. Every record in it is counted as kept or merged, or dropped where it was over the limit."""
    report = sink.report
    if bucket.over:
        report.drop("over the limit of records in one trace", bucket.over)
        report.note(
            "too_many_spans", f"trace {trace}", f"`{bucket.over}` records over the limit of {sink.limits.spans_per_trace} were dropped"
        )
    nodes = nodes_of(bucket.spans, trace, report, sink.limits)
    name_agents(nodes)
    connect(nodes, trace, report)
    loose = _join_logs(nodes, bucket.logs)
    report.kept += len(bucket.logs)
    builder = Builder(trace, nodes, sink, seal)
    for node in nodes:
        if node.inner is not None:
            builder.inner.setdefault(node.inner, []).append(node)
            builder.note("tool_call_twice", node, f"it records the call of `{node.inner.id}` from the inside; kept as context")
    pair_model_calls(builder)
    _steps(builder, sink.wanted)
    for number, (event, span, source) in enumerate(loose, 1):
        log_step(builder, number, event, span, source)
    steps = builder.steps()
    _note_alike(trace, builder)
    origin: dict[str, Any] = {"format": report.format, "file": report.file}
    sources = sorted({step.source for step in steps if step.source is not None})
    shown = {source: attributes for source in sources if (attributes := resources.shown(source))}
    if shown:
        origin["resources"] = shown
    if builder.conversations:
        origin["conversations"] = list(builder.conversations)
    header = Header(
        id=trace,
        organization=builder.organization(),
        claims=tuple(builder.claims),
        clocks=_clocks(trace, nodes, sources, resources, sink),
        origin=origin,
    )
    if sink.wanted is not None:
        made: Trace = Partial(header=header, steps=steps, whole=partial(_again, trace, bucket, resources, sink))
    else:
        made = Trace(header=header, steps=steps)
    return Built(made, tuple(builder.conversations), tuple(builder.unresolved), tuple(builder.agents))


_ADK_SESSION = "gcp.vertex.agent.session_id"


def _again(trace: str, bucket: Bucket, resources: Resources, sink: Sink) -> Trace:
    """The same trace with everything in it; what there is to report was reported."""
    report = ImportReport(format=sink.report.format, file=sink.report.file)
    spent = Sink(report, [], sink.limits)
    return build(trace, bucket, resources, spent, Seal(spent)).trace


def _steps(builder: Builder, wanted: Wanted | None) -> None:
    handoffs = Handoffs(builder)
    spare = None if wanted is None else Spare(builder, wanted)
    late: list[Node] = []
    for node in builder.nodes:
        attributes = node.attributes
        builder.seal.take(attributes, builder.trace, node.id)
        conversation = attributes.get("gen_ai.conversation.id") or attributes.get("session.id") or attributes.get(_ADK_SESSION)
        if conversation is not None:
            builder.conversations[str(conversation)] = None
        if node.end is not None and node.start is not None and node.end < node.start:
            builder.note("negative_duration", node, f"it ends `{node.start - node.end}` ns before it starts; when it ended is not known")
        role = node.role
        if role == "tool" and node.inner is None:
            if spare is None or not spare.takes_tool(node):
                handoffs.of_tool(node, tool_steps(builder, node))
        elif role == "model" and not node.wraps and node.twin is None:
            if spare is None or not spare.takes_model(node):
                model_steps(builder, node)
        elif role == "handoff":
            handoffs.of_span(node)
        else:
            late.append(node)
    # Agents and wrapping spans come last: a handoff says what work follows it, and a call takes what its wrapper recorded.
    handoffs.link()
    for node in late:
        if node.role == "agent":
            agent_steps(builder, node)
        elif spare is None or not spare.takes_span(node):
            span_step(builder, node)


def _note_alike(trace: str, builder: Builder) -> None:
    """Notes agents whose names differ only in case, spaces or signs: they may be one, and are kept apart."""
    spelt: dict[str, str] = {}
    for name in builder.agents:
        other = spelt.setdefault(alike(name), name)
        if other != name:
            builder.report.note(
                "names_alike", f"trace {trace}", f"agents `{other}` and `{name}` differ in spelling only; they were kept apart"
            )


def _join_logs(nodes: list[Node], logs: list[LogEntry]) -> list[tuple[Event, str | None, str]]:
    """Gives log records to their spans as events; returns those whose span is not here."""
    if not logs:
        return []
    by_id: dict[str, Node] = {}
    for node in nodes:
        by_id.setdefault(node.id, node)
    loose: list[tuple[Event, str | None, str]] = []
    for log, source, _ in logs:
        attributes = wire.flatten(log.attributes)
        name = log.eventName or attributes.pop("event.name", None) or ""
        body = wire.plain(log.body)
        if isinstance(body, dict):
            attributes = {**attributes, **body}
        elif body is not None:
            attributes["body"] = body
        time = moment(log.timeUnixNano)
        event = Event(str(name), time if time is not None else moment(log.observedTimeUnixNano), attributes, True)
        span = None if is_absent(log.spanId) else hex_id(log.spanId or "")
        owner = by_id.get(span) if span is not None else None
        if owner is not None:
            owner.events += (event,)
        else:
            loose.append((event, span, source))
    return loose


def _clocks(trace: str, nodes: list[Node], sources: list[str], resources: Resources, sink: Sink) -> dict[str, Clock]:
    """The clocks of the sources that are known to be one process, but for those that contradict themselves."""
    clocks = {source: clock for source in sources if (clock := resources.clock(source)) is not None}
    for node in nodes:
        if node.start is None or node.source not in clocks:
            continue
        parent = node.parent
        if parent is not None and parent.source == node.source and parent.start is not None and node.start < parent.start:
            words = f"it starts `{parent.start - node.start}` ns before its parent `{parent.id}`"
        elif node.end is not None and node.end < node.start:
            words = "it ends before it starts"
        else:
            continue
        del clocks[node.source]
        sink.report.note(
            "clock_contradicts", place(trace, node), f"{words}; times of `{node.source}` give no order in this trace, parents and calls do"
        )
    return clocks
