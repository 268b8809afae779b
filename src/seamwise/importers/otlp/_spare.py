"""Spans that nobody asked for: all that they do to the report, the claims and the places of others, without their steps.

Only plain ones are done so: leaves of the tree, of the newest convention, without events. INVARIANT: what is done here to the builder is
what ``_tools``, ``_models`` and ``_others`` do, but for the steps; tests compare the two.
"""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Said, skimmed
from seamwise.importers._shared.names import may_hand_off
from seamwise.importers._shared.suspicion import is_innocent, suspicion
from seamwise.importers._shared.text import parsed
from seamwise.importers._wanted import Wanted
from seamwise.importers.otlp._builder import Builder
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._history import Conversation
from seamwise.importers.otlp._model import INPUT, OUTPUT, instructed
from seamwise.importers.otlp._models import claim_input
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._tools import ARGUMENTS, RESULTS

_TOOL = ("tool_call", "tool_result", "handoff")
_MODEL = ("message", "input", "model_call", "model_result")
_SPAN = ("span",)


class Spare:
    """What of one trace nobody asked for.

    Args:
        builder: Its steps, before the first is put.
        wanted: What is asked for.
    """

    def __init__(self, builder: Builder, wanted: Wanted) -> None:
        self._builder = builder
        self._wanted = wanted
        # one conversation is either read or counted: all model calls of the trace are, or none
        self._counts = not wanted.has(_MODEL) and all(
            _is_plain_call(node) for node in builder.nodes if node.role == "model" and not node.wraps and node.twin is None
        )
        builder.histories.counted = self._counts
        self._has_spans = wanted.has(_SPAN)

    def takes_tool(self, node: Node) -> bool:
        """Whether a tool span is plain and not asked for; if so, it is done with."""
        tool, builder = node.tool, self._builder
        if not node.is_leaf or node.events or tool is None or self._wanted.has(_TOOL, tool) or may_hand_off(tool) or node in builder.inner:
            return False
        attributes, report = node.attributes, builder.report
        arguments, result = _first(attributes, ARGUMENTS), _first(attributes, RESULTS)
        suspected = None
        text = result if type(result) is str else None
        if result is not None and (text is None or not is_innocent(text)):
            suspected = suspicion(text, parsed(result, builder.depth))
            if suspected is not None:
                recorded = ("unset", "OK", "ERROR")[node.code]
                builder.note("suspected_failure", node, f"tool `{tool}`: {suspected}; the recorded status is `{recorded}`")
        if arguments is None:
            report.not_known("the arguments of a tool call")
        elif type(arguments) is str and type(read := parsed(arguments, builder.depth)) is str and read[:1] in ("{", "["):
            builder.note("unparsable_arguments", node, "the arguments are not JSON; they were kept as text")
        builder.leave_out(node, node.sort, timed=node.start is not None)
        if node.end is not None or result is not None or node.code:
            status = ending_of(node, answered=result is not None, suspected=suspected is not None).status
            if result is None and status in (None, "ok"):
                report.not_known("the result of a tool call that ended")
            if status is None:
                report.not_known("whether a tool call that ended took effect")
            self._end(node)
        else:
            report.not_known("the ending of a tool call")
        builder.actor(node)
        return True

    def takes_model(self, node: Node) -> bool:
        """Whether a model span is plain and not asked for; if so, it is done with."""
        if not self._counts:
            return False
        builder, attributes = self._builder, node.attributes
        report, actor = builder.report, builder.actor(node)
        told, conversation = self._told(node, attributes[INPUT], attributes.get("gen_ai.system_instructions"))
        answered = skimmed(attributes[OUTPUT], OUTPUT)
        timed = node.start is not None
        builder.leave_out(node, node.sort, timed=timed)
        if not told.messages:
            report.not_known("the input of a model call")
            if told.flaw is not None:
                builder.note("input_unreadable", node, f"`{told.basis}`: {told.flaw}")
        else:
            conversation, first, reset = builder.histories.add(node.actor, node.scope, told, conversation)
            if reset is not None:
                builder.note("context_reset", node, reset)
            for _ in range(first, len(told.messages)):
                builder.leave_out(node, node.sort, timed=False)
            claim_input(builder, node, actor, told)
            builder.leave_out(node, node.sort, timed=timed)
        if not answered.messages:
            report.not_known("the output of a model call that ended")
            if answered.flaw is not None:
                builder.note("output_unreadable", node, f"`{answered.basis}`: {answered.flaw}")
        self._end(node)
        if conversation is not None:
            conversation.answered(answered.messages)
        return True

    def _told(self, node: Node, value: str, system: Any) -> tuple[Said, Conversation | None]:
        found = self._builder.histories.resumed(node.actor, value, system, INPUT)
        told, conversation = found if found is not None else (skimmed(value, INPUT), None)
        if found is None and system is not None:
            told = instructed(system, told)
        if node.cut and told.whole:
            told = told._replace(whole=False, flaw="attributes of the span were dropped")
        return told, conversation

    def takes_span(self, node: Node) -> bool:
        """Whether a span that is no call and no agent's is plain and not asked for; if so, it is done with."""
        if self._has_spans or not node.is_leaf or node.events or node.role not in ("span", "retrieval"):
            return False
        self._builder.leave_out(node, node.sort, timed=node.start is not None)
        return True

    def _end(self, node: Node) -> None:
        """Keeps the place of the step that ends a call."""
        end = node.end_ns
        self._builder.leave_out(node, node.sort if end is None else end, timed=end is not None)


def _is_plain_call(node: Node) -> bool:
    """Whether a model call is a leaf that carries both its input and its output as texts of the newest convention."""
    near = node.near
    if not node.is_leaf or node.events or (near is not None and near.role == "model"):
        return False
    get = node.attributes.get
    return type(get(INPUT)) is str and type(get(OUTPUT)) is str


def _first(attributes: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The first content that was recorded under one of the keys, as :meth:`Builder.content` finds it."""
    for key in keys:
        raw = attributes.get(key)
        if raw is not None and not (raw == "{}" and key.startswith("gcp.")):
            return raw
    return None
