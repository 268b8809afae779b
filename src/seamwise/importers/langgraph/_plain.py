"""``for chunk in graph.stream(...)`` written down as lines: each an object of what nodes wrote, by node, with no word of a mode.

Nothing in such a line says LangGraph; only messages of LangChain inside do. So it is recognised by them, below every other format.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from seamwise.importers._source import HEAD_BYTES, plain_text

_NODE = re.compile(r"[A-Za-z_][\w .:-]{0,79}")
_LINES = 8
"""Lines that are looked at."""
_TYPES = frozenset({"human", "ai", "tool", "system", "HumanMessage", "AIMessage", "ToolMessage", "SystemMessage"})


def is_update(value: Any) -> bool:
    """Whether a value can be what nodes wrote: a mapping by node of mappings, of lists of them (one for each task), or of nothing."""
    return isinstance(value, dict) and bool(value) and all(_NODE.fullmatch(node) and _written(update) for node, update in value.items())


def _written(update: Any) -> bool:
    return update is None or isinstance(update, dict) or (isinstance(update, list) and all(isinstance(one, dict) for one in update))


def updates(head: bytes) -> list[dict[str, Any]]:
    """The first lines of a file, where there are two and each can be an update; else none."""
    text = plain_text(head)[0]
    if text.lstrip()[:1] != b"{":
        return []
    lines = text.split(b"\n")
    if len(head) >= HEAD_BYTES:
        lines.pop()  # it may break off
    found = []
    for line in [line for line in lines if line.strip()][:_LINES]:
        try:
            value = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            return []
        if not is_update(value):
            return []
        found.append(value)
    return found if len(found) > 1 else []


def speaks(found: list[dict[str, Any]]) -> bool:
    """Whether a node of them wrote a message of LangChain."""
    for value in found:
        for update in value.values():
            for one in update if isinstance(update, list) else [update]:
                messages = one.get("messages") if isinstance(one, dict) else None
                for message in messages if isinstance(messages, list) else [messages]:
                    if isinstance(message, dict) and message.get("type") in _TYPES and "content" in message:
                        return True
    return False
