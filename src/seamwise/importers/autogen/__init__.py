"""AutoGen, of both generations, as JSON and as what its console printed.

- 0.4 and later: messages and events ``{type, source, content}`` in lists, lines, ``TaskResult`` and ``TeamState``; messages of its core;
  replayed model calls; text under ``---------- source ----------``; Python's notation of any of them.
- 0.2: text under ``Sender (to Recipient):``; ``ChatResult`` with its ``chat_history``; its log of itself.

What it cannot tell stands in ``docs/formats/autogen.md``. Modules in reading order: ``_read`` (which sort of file), ``_notation`` (objects
as Python prints them), ``_messages`` (0.4 messages as steps), ``_streams`` (pieces of streamed messages), ``_states``, ``_calls`` (replayed
model calls), ``_console`` and ``_console02`` (text), ``_core_text`` (what AutoGen's own samples print), ``_runtime_log``.

Source: autogen-agentchat and autogen-core (messages, state and the console), autogen 0.2 (``ConversableAgent``), read with their notebooks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import Outline, outline
from seamwise.importers._source import Source, plain_text
from seamwise.importers.autogen._messages import CORE_TYPES, TYPES
from seamwise.record import Trace

_CONSOLE = re.compile(rb"^-{10} [^\n]{1,120} -{10}\r?$", re.MULTILINE)
_CONSOLE02 = re.compile(rb"^(?:\x1b\[33m)?[^\n]{1,80}?(?:\x1b\[0m)? \(to [^\n()]{1,80}\):\r?$", re.MULTILINE)
_PRINTED = re.compile(
    rb"^(?:\w+ )?(?:TaskResult\(messages=\[|messages=\[\w+\(|(?:id='[^'\n]*' )?source=['\"][^\n]* type='\w+'$)", re.MULTILINE
)
_CORE_TEXT = re.compile(rb"^-{80}\r?\n(?:\w+ )?[\w.-]+(?::\w+)?(?: round \d+)?:\r?\n", re.MULTILINE)


class AutoGen:
    """The importer of AutoGen."""

    name = "autogen"
    version = 1
    summary = "AutoGen: messages, results, team states and console text of 0.4 and later; chats and console text of 0.2"

    def sniff(self, head: bytes) -> int:
        """Whether messages of AutoGen's types stand in the JSON, or its headers in the text."""
        seen = outline(head)
        if seen.start in ("{", "["):
            return _sniff_json(seen)
        text = plain_text(head)[0]
        if text.startswith(b"Started new session with Session ID: "):
            return 88
        if len(_CONSOLE.findall(text)) > 1 or _PRINTED.search(text):
            return 85
        if _CONSOLE02.search(text) and b"-" * 80 in text:
            return 85
        return 45 if len(_CORE_TEXT.findall(text)) > 1 else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are messages, events and pieces of text."""
        from seamwise.importers.autogen._read import read

        return read(source, sink)


def _sniff_json(seen: Outline) -> int:
    for stem in ("", "[].", "messages[].", "[].messages[]."):
        if seen.has(f"{stem}type") and seen.says(f"{stem}type", *TYPES) and seen.has(f"{stem}content"):
            return 90 if seen.has(f"{stem}source") else 60
        if seen.says(f"{stem}type", *CORE_TYPES) and seen.has(f"{stem}source"):
            return 90
    if seen.says("type", "TeamState") or (seen.has("agent_states") and seen.has("version")):
        return 92
    if seen.has("[].mode", "[].messages[].type") and seen.says("[].mode", "create", "create_stream"):
        return 90
    if seen.has("event_name", "source_name", "json_state") or seen.has("invocation_id", "request", "response", "client_id"):
        return 88
    if seen.has("chat_history[].content") and any(seen.has(key) for key in ("cost", "summary", "human_input", "chat_id")):
        return 88
    return 60 if seen.has("[].tool_responses") else 0


IMPORTER = AutoGen()
