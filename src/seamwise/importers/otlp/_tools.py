"""Tool spans: a ``tool_call`` where they start, a ``tool_result`` where an ending is known."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.arguments import python_literal
from seamwise.importers._shared.suspicion import suspicion
from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._nodes import Node
from seamwise.record import After, Ref, Step

ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "gcp.vertex.agent.tool_call_args",
    "input.value",
    "tool.parameters",
    "traceloop.entity.input",
    "langfuse.observation.input",
    "langsmith.inputs",
)
RESULTS = (
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "gcp.vertex.agent.tool_response",
    "output.value",
    "traceloop.entity.output",
    "langfuse.observation.output",
    "langsmith.outputs",
)
_SAID = ("gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.tool.call.id")
"""Attributes that the step's own fields repeat."""


def tool_steps(builder: Builder, node: Node) -> Any:
    """Puts the steps of a tool span, and returns its arguments."""
    report = builder.report
    attributes = node.attributes
    arguments, _ = builder.content(node, ARGUMENTS, "gen_ai.tool.message", "content")
    result, text = builder.content(node, RESULTS, "gen_ai.choice", "message")
    if builder.inner:
        for other in builder.inner.get(node, ()):
            if arguments is None:
                arguments, _ = builder.content(other, ARGUMENTS, "gen_ai.tool.message", "content")
            if result is None:
                result, text = builder.content(other, RESULTS, "gen_ai.choice", "message")
    suspected = None
    if result is not None and (suspected := suspicion(text, result)) is not None:
        recorded = ("unset", "OK", "ERROR")[node.code]
        builder.note("suspected_failure", node, f"tool `{node.tool}`: {suspected}; the recorded status is `{recorded}`")
    status, error = ending_of(node, answered=result is not None, suspected=suspected is not None)
    data: dict[str, Any] = {}
    if arguments is None:
        report.not_known("the arguments of a tool call")
    else:
        if type(arguments) is str and arguments[:1] in ("{", "[") and (literal := python_literal(arguments, builder.depth)) is not None:
            arguments = literal
        data["arguments"] = arguments
        if type(arguments) is str and arguments[:1] in ("{", "["):
            builder.note("unparsable_arguments", node, "the arguments are not JSON; they were kept as text")
    for key in _SAID:
        if key in attributes:
            del attributes[key]
    if attributes:
        data["attributes"] = attributes
    answer: dict[str, Any] | None = None
    if node.end is not None or result is not None or node.code:
        answer = {}
        if result is not None:
            answer["result"] = result
        elif status in (None, "ok"):
            report.not_known("the result of a tool call that ended")
        if error is not None:
            answer["error"] = error
        if node.events and (events := builder.events(node)):
            answer["events"] = events
        if status is None:
            report.not_known("whether a tool call that ended took effect")
    else:
        report.not_known("the ending of a tool call")
    _put_call(builder, node, data, Step(id="", kind="", status=status, text=text, data=answer or None) if answer is not None else None)
    return arguments


def _put_call(builder: Builder, node: Node, data: dict[str, Any] | None, ending: Step | None) -> None:
    """Puts a call and, if it has one, its ending."""
    identifier, actor, tool, start, source = node.id, builder.actor(node), node.tool, node.start, node.source
    first = node.copy_of
    call = node.call or (first and (first.call or first.id)) or identifier
    timed = builder.timed
    timed.append(
        (
            node.sort,
            Step(
                id=identifier,
                kind="tool_call",
                actor=actor,
                tool=tool,
                call=call,
                data=data or None,
                time_ns=start,
                order=order_of(node),
                source=source,
            ),
        )
    )
    if ending is None:
        return
    end = node.end_ns
    timed.append(
        (
            node.sort if end is None else end,
            Step(
                id=identifier + "/end",
                kind="tool_result",
                actor=actor,
                tool=tool,
                call=call,
                status=ending.status,
                text=ending.text,
                data=ending.data,
                time_ns=end,
                refs=(Ref(kind="answers", step=identifier),),
                order=(After(step=identifier, basis="sequence"),),
                source=source,
            ),
        )
    )
