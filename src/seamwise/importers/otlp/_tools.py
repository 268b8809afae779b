"""Tool spans: a ``tool_call`` where they start, a ``tool_result`` where an ending is known."""

from __future__ import annotations

from typing import Any

from seamwise.importers.otlp._builder import Builder, order_of
from seamwise.importers.otlp._endings import ending_of, suspicion
from seamwise.importers.otlp._nodes import Node
from seamwise.record import After, Ref, Step

_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "gcp.vertex.agent.tool_call_args",
    "input.value",
    "tool.parameters",
    "traceloop.entity.input",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "gcp.vertex.agent.tool_response",
    "output.value",
    "traceloop.entity.output",
)
_SAID = ("gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.tool.call.id")
"""Attributes that the step's own fields repeat."""


def tool_steps(builder: Builder, node: Node) -> Any:
    """Puts the steps of a tool span, and returns its arguments."""
    report = builder.report
    attributes = node.attributes
    call = node.call if node.call is not None else node.id
    arguments, _ = builder.content(node, _ARGUMENTS, "gen_ai.tool.message", "content")
    result, text = builder.content(node, _RESULTS, "gen_ai.choice", "message")
    for other in builder.inner.get(node, ()):
        if arguments is None:
            arguments, _ = builder.content(other, _ARGUMENTS, "gen_ai.tool.message", "content")
        if result is None:
            result, text = builder.content(other, _RESULTS, "gen_ai.choice", "message")
    actor = builder.actor(node)
    for key in _SAID:
        attributes.pop(key, None)
    data: dict[str, Any] = {}
    if arguments is None:
        report.not_known("the arguments of a tool call")
    else:
        data["arguments"] = arguments
        if type(arguments) is str and arguments[:1] in ("{", "["):
            builder.note("unparsable_arguments", node, "the arguments are not JSON; they were kept as text")
    suspected = suspicion(text, result) if result is not None else None
    ending = ending_of(node, answered=result is not None, suspected=suspected is not None)
    if suspected is not None:
        recorded = ("unset", "OK", "ERROR")[node.code]
        builder.note("suspected_failure", node, f"tool `{node.tool}`: {suspected}; the recorded status is `{recorded}`")
    if attributes:
        data["attributes"] = attributes
    start = node.start
    builder.put(
        start,
        Step(
            id=node.id,
            kind="tool_call",
            actor=actor,
            tool=node.tool,
            call=call,
            data=data or None,
            time_ns=start,
            order=order_of(node),
            source=node.source,
        ),
    )
    if not node.ended and result is None and not node.code:
        report.not_known("the ending of a tool call")
        return arguments
    answer: dict[str, Any] = {}
    if result is not None:
        answer["result"] = result
    elif ending.status in (None, "ok"):
        report.not_known("the result of a tool call that ended")
    if ending.error is not None:
        answer["error"] = ending.error
    if node.events and (events := builder.events(node)):
        answer["events"] = events
    if ending.status is None:
        report.not_known("whether a tool call that ended took effect")
    end = builder.end_of(node)
    builder.put(
        end if end is not None else start,
        Step(
            id=node.id + "/end",
            kind="tool_result",
            actor=actor,
            tool=node.tool,
            call=call,
            status=ending.status,
            text=text,
            data=answer or None,
            time_ns=end,
            refs=(Ref(kind="answers", step=node.id),),
            order=(After(step=node.id, basis="sequence"),),
            source=node.source,
        ),
    )
    return arguments
