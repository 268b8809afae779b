"""Spans that nobody asked for: all that they do to the report, the claims and the places of others, without their steps.

Only plain ones are done so: leaves of the tree, of the newest convention, without events. INVARIANT: what is done here to the builder is
what ``_tools``, ``_models`` and ``_others`` do, but for the steps; tests compare the two. Most spans of a large corpus come this way, so
that here, unlike there, a call that can be spared is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from seamwise.importers._shared.arguments import python_literal
from seamwise.importers._shared.messages import Said, skimmed, spoken_in
from seamwise.importers._shared.names import may_hand_off
from seamwise.importers._shared.suspicion import is_innocent, suspicion
from seamwise.importers._shared.text import parsed
from seamwise.importers._wanted import Wanted, left_out
from seamwise.importers.otlp._builder import Builder
from seamwise.importers.otlp._endings import ending_of
from seamwise.importers.otlp._history import Conversation
from seamwise.importers.otlp._model import INPUT, OUTPUT, instructed, left_out_of
from seamwise.importers.otlp._models import claim_input
from seamwise.importers.otlp._nodes import Node
from seamwise.importers.otlp._roles import handoff_target
from seamwise.importers.otlp._tools import ARGUMENTS, RESULTS
from seamwise.importers.otlp._wrapped import IN, OUT
from seamwise.record import Step

_TOOL = ("tool_call", "tool_result", "handoff")
_MODEL = ("message", "input", "model_call", "model_result")
_SPAN = ("span",)
_SHORT = 128
"""A text of so many characters cannot be nested too deeply to be read."""


class _Any(msgspec.Struct, gc=False):
    """An object, of which nothing is kept."""


_object = msgspec.json.Decoder(_Any).decode


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
        self._counts = not wanted.has(_MODEL) and _are_plain(builder.nodes)
        builder.histories.counted = self._counts
        self._has_spans = wanted.has(_SPAN)
        self._left: dict[str, tuple[Step, Step]] = {}

    def takes_tool(self, node: Node) -> bool:
        """Whether a tool span is plain and not asked for; if so, it is done with."""
        tool, builder, attributes = node.tool, self._builder, node.attributes
        if tool is None or not node.is_leaf or node.events or self._wanted.has(_TOOL, tool):
            return False
        if builder.inner and node in builder.inner:
            return False
        if may_hand_off(tool) or handoff_target(attributes) is not None or IN in attributes or OUT in attributes:
            return False
        report = builder.report
        arguments, result = _first(attributes, ARGUMENTS), _first(attributes, RESULTS)
        suspected = None
        if result is not None and not (type(result) is str and is_innocent(result)):
            suspected = suspicion(result if type(result) is str else None, parsed(result, builder.depth))
            if suspected is not None:
                recorded = ("unset", "OK", "ERROR")[node.code]
                builder.note("suspected_failure", node, f"tool `{tool}`: {suspected}; the recorded status is `{recorded}`")
        if arguments is None:
            report.not_known("the arguments of a tool call")
        elif type(arguments) is str and not _is_object(arguments):
            read = parsed(arguments, builder.depth)
            if type(read) is str and read[:1] in ("{", "[") and python_literal(read, builder.depth) is None:
                builder.note("unparsable_arguments", node, "the arguments are not JSON; they were kept as text")
        timed, untimed = self._left.get(node.source) or self._of(node.source)
        opening = (node.sort, untimed if node.start is None else timed)
        if node.end is not None or result is not None or node.code:
            if result is None or suspected is not None or node.code:
                status = ending_of(node, answered=result is not None, suspected=suspected is not None).status
                if result is None and status in (None, "ok"):
                    report.not_known("the result of a tool call that ended")
                if status is None:
                    report.not_known("whether a tool call that ended took effect")
            end = node.end_ns
            builder.timed += (opening, (node.sort, untimed) if end is None else (end, timed))
        else:
            report.not_known("the ending of a tool call")
            builder.timed.append(opening)
        builder.actor(node)
        return True

    def takes_model(self, node: Node) -> bool:
        """Whether a model span is plain and not asked for; if so, it is done with."""
        if not self._counts:
            return False
        builder, attributes, sort = self._builder, node.attributes, node.sort
        report, steps = builder.report, builder.timed
        actor = builder.actor(node)
        told, conversation = self._told(node, attributes[INPUT], attributes.get("gen_ai.system_instructions"))
        timed, untimed = self._left.get(node.source) or self._of(node.source)
        opening = (sort, untimed if node.start is None else timed)
        steps.append(opening)
        if not told.messages:
            report.not_known("the input of a model call")
            if told.flaw is not None:
                builder.note("input_unreadable", node, f"`{told.basis}`: {told.flaw}")
        else:
            conversation, first, reset = builder.histories.add(node.actor, node.scope, told, conversation)
            if reset is not None:
                builder.note("context_reset", node, reset)
            steps += [(sort, untimed)] * (len(told.messages) - first)
            steps.append(opening)
            claim_input(builder, node, actor, told)
        answer: Sequence[Any] = spoken_in(attributes[OUTPUT]) or ()
        if not answer:
            said = skimmed(attributes[OUTPUT], OUTPUT)
            answer = said.messages
            if not answer:
                report.not_known("the output of a model call that ended")
                if said.flaw is not None:
                    builder.note("output_unreadable", node, f"`{said.basis}`: {said.flaw}")
        end = node.end_ns
        steps.append((sort, untimed) if end is None else (end, timed))
        if conversation is not None:
            conversation.answered(answer)
        return True

    def _told(self, node: Node, value: str, system: Any) -> tuple[Said, Conversation | None]:
        """The input of a call, and the conversation that it repeats and continues, where its text shows that at once."""
        found = self._builder.histories.resumed(node.actor, value, system, INPUT)
        if found is not None:
            told, conversation = found
        else:
            told, conversation = skimmed(value, INPUT), None
            if system is not None:
                told = instructed(system, told)
        if told.whole and (flaw := left_out_of(node)) is not None:
            told = told._replace(whole=False, flaw=flaw)
        return told, conversation

    def takes_span(self, node: Node) -> bool:
        """Whether a span that is no call and no agent's is plain and not asked for; if so, it is done with."""
        if self._has_spans or not node.is_leaf or node.events or node.role not in ("span", "retrieval"):
            return False
        timed, untimed = self._left.get(node.source) or self._of(node.source)
        self._builder.timed.append((node.sort, untimed if node.start is None else timed))
        return True

    def _of(self, source: str) -> tuple[Step, Step]:
        """What stands for steps of a source: those that have a moment, and those that have none."""
        self._left[source] = made = (left_out(source, timed=True), left_out(source, timed=False))
        return made


def _are_plain(nodes: list[Node]) -> bool:
    """Whether all model calls are leaves that carry both their input and their output as texts of the newest convention."""
    for node in nodes:
        if node.role == "model" and not node.wraps and node.twin is None:
            near, get = node.near, node.attributes.get
            if not node.is_leaf or node.events or (near is not None and near.role == "model"):
                return False
            if type(get(INPUT)) is not str or type(get(OUTPUT)) is not str:
                return False
    return True


def _is_object(text: str) -> bool:
    """Whether a text is, beyond doubt, a JSON object that is not too deep."""
    if len(text) > _SHORT and text.count("{") + text.count("[") > _SHORT // 2:
        return False
    try:
        _object(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False
    return True


def _first(attributes: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The first content that was recorded under one of the keys, as :meth:`Builder.content` finds it."""
    for key in keys:
        raw = attributes.get(key)
        if raw is not None and not (raw == "{}" and key.startswith("gcp.")):
            return raw
    return None
