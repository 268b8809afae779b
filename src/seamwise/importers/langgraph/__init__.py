"""LangGraph: what it streams, and what it saves.

- Streams: server-sent events of its platform, and ``stream()`` written down: ``[mode, data]``, ``[ns, mode, data]``,
  ``{type, ns, data}``, debug events in lines; ``stream()`` without a mode, ``{node: update}`` in lines.
- Saved: the history of a thread (``get_state_history``), checkpoints as JSON, one state.

A node is an agent; what happens in the graph below a node is that node's. Recipients are recorded nowhere: what a node received is its
input, which is a state. What it cannot tell stands in ``docs/formats/langgraph.md``.

Modules in reading order: ``_events`` (files), ``_plain`` (lines without a mode), ``_messages`` (the same message comes many times),
``_stream`` (events as steps), ``_history`` (saved states).

Source: LangGraph's ``types.py`` and checkpointers, recordings of its versions 0.6 and 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import Outline, outline
from seamwise.importers._source import Source, plain_text
from seamwise.importers.langgraph._plain import speaks, updates
from seamwise.record import Trace

MODES = ("values", "updates", "messages", "custom", "checkpoints", "tasks", "debug", "events", "messages-tuple", "metadata", "error", "end")
"""Modes of a stream, and the other events of the platform."""

_WORDS = "|".join(MODES[:9]).encode()
_SSE = re.compile(rb"^event: ?(?:" + _WORDS + rb"|metadata|messages/\w+)(?:\|[^\n]*)?\r?\n(?:id:[^\n]*\n)?data: ?[\[{]", re.MULTILINE)
_TUPLE = re.compile(
    rb'^\s*(?:\[\s*)?\[\s*(?:(?:\[\s*(?:"[^"\n]*"\s*,?\s*)*\]|""|"[^"\n]*:[^"\n]*")\s*,\s*)?"(?:' + _WORDS + rb')"\s*,\s*[\[{"]'
)
_TYPES = ("human", "ai", "tool", "HumanMessage", "AIMessage", "AIMessageChunk")


class LangGraph:
    """The importer of LangGraph."""

    name = "langgraph"
    version = 1
    summary = "LangGraph streams (server-sent events, tuples, debug events), thread histories, checkpoints, states"

    def sniff(self, head: bytes) -> int:
        """Whether events of its modes stand in the text, or the keys of its checkpoints and states in the JSON."""
        text = plain_text(head)[0]
        seen = outline(head)
        if seen.start not in ("{", "["):
            return 90 if _SSE.search(text) else 0
        if _TUPLE.match(text):
            return 88
        return _sniff_json(seen) or (30 if speaks(updates(head)) else 0)

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The run of a file; records are events and saved states.

        Raises:
            FormatError: Nothing of LangGraph is in it.
        """
        from seamwise.importers.langgraph._events import read

        return read(source, sink)


def _sniff_json(seen: Outline) -> int:
    for stem in ("", "[]."):
        if seen.has(f"{stem}type", f"{stem}ns", f"{stem}data") and seen.says(f"{stem}type", *MODES):
            return 88
        if seen.has(f"{stem}step", f"{stem}payload", f"{stem}timestamp") and seen.says(f"{stem}type", "task", "task_result", "checkpoint"):
            return 88
        if seen.has(f"{stem}values", f"{stem}next") and any(seen.has(f"{stem}{key}") for key in ("config", "checkpoint", "parent_config")):
            return 85
        if any(seen.has(f"{stem}{inner}channel_values") for inner in ("", "checkpoint.")):
            return 90
        for inner in ("messages[].", "values.messages[]."):
            if seen.says(f"{stem}{inner}type", *_TYPES) and any(
                seen.has(f"{stem}{inner}{key}") for key in ("additional_kwargs", "response_metadata", "tool_call_id")
            ):
                return 70
    return 0


IMPORTER = LangGraph()
