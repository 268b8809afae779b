"""Chats that are plain lists of messages, in no framework's own format; the fallback where no other importer is surer.

- Without a mapping: lists of ``{role, content, name?, tool_calls? ...}``, in an object or not, many in a list, one in a line, or one
  message in a line. Whose message it is, is known where the message bears a name; ``user`` and ``assistant`` are perspectives.
- With one (``--format chat:FILE.yaml``): any JSON in which a path holds the list and fields hold speaker, recipient, text and the rest.

What it cannot tell stands in ``docs/formats/chat.md``. Modules: ``_conversations`` (where in a document the lists are), ``_mapping``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

if TYPE_CHECKING:
    from seamwise.importers.chat._mapping import Mapped

_LISTS = ("", "messages", "conversation", "conversations", "chat_history", "history", "dialogue", "dialog", "turns", "transcript")
_SAID = ("content", "text", "value", "tool_calls", "parts")


class Chat:
    """The importer of plain chats."""

    name = "chat"
    version = 1
    summary = "plain lists of chat messages (role, content, name, tool_calls); any list by a mapping: chat:FILE.yaml"

    def sniff(self, head: bytes) -> int:
        """Whether somewhere near the top a list holds messages with a role and a content; a weak word, for others are more exact."""
        seen = outline(head)
        for key in _LISTS:
            for path in {f"{key}[].", f"[].{key}[].", f"{key}.", f"{key}[][]."}:
                stem = path.removeprefix(".")
                if any(seen.has(f"{stem}role", f"{stem}{said}") for said in _SAID) or seen.has(f"{stem}from", f"{stem}value"):
                    return 20
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The conversations of a file; records are their messages."""
        from seamwise.importers.chat._conversations import read

        return read(source, sink)

    def configured(self, mapping: str) -> Mapped:
        """The importer of lists that a mapping file describes."""
        from seamwise.importers.chat._mapping import Mapped

        return Mapped(mapping)


IMPORTER = Chat()
