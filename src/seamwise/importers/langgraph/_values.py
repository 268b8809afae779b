"""What stands in events: writes by channel, what a node received, configurations, and which messages come whole."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from seamwise.importers.langgraph._events import Event
from seamwise.importers.langgraph._messages import is_message, message_of


def object_of(ns: tuple[str, ...]) -> str:
    """The name of a graph's state."""
    return "/".join(("state", *ns))


def configured(config: Any) -> dict[str, Any]:
    """What a configuration holds, wherever it does."""
    if not isinstance(config, dict):
        return {}
    inner = config.get("configurable")
    return inner if isinstance(inner, dict) else config


def channels(result: Any) -> dict[str, Any]:
    """The writes of a node, by channel; a channel that is written more than once has a list."""
    if isinstance(result, dict):
        return result
    made: dict[str, Any] = {}
    for pair in result if isinstance(result, list) else ():
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str):
            if pair[0] in made:
                one, two = (v if isinstance(v, list) else [v] for v in (made[pair[0]], pair[1]))
                made[pair[0]] = one + two
            else:
                made[pair[0]] = pair[1]
    return made


def given(received: Any) -> dict[str, Any]:
    """What a node received: messages in the one shape of inputs, and everything else."""
    if not isinstance(received, dict):
        return {"items": received}
    listed = received.get("messages")
    messages = [m for m in map(message_of, listed) if m is not None] if isinstance(listed, list) else []
    if not messages or len(messages) != len(listed or ()):
        return {"items": received}
    rest = {key: value for key, value in received.items() if key != "messages"}
    return {"messages": messages, **({"items": rest} if rest else {})}


def removes(entry: Any) -> bool:
    """Whether an entry deletes a message."""
    return isinstance(entry, dict) and entry.get("type") in ("remove", "RemoveMessage")


def digest(value: Any) -> bytes:
    """What is equal for equal values, and short."""
    try:
        return blake2b(msgspec.json.encode(value, order="sorted"), digest_size=16).digest()
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError):
        return repr(type(value)).encode()


def whole_messages(events: list[Event]) -> set[str]:
    """Ids of the messages that come whole, in writes or states; the others come in pieces only."""
    found: set[str] = set()
    todo: list[Any] = [event.data for event in events if not event.mode.startswith("messages") or event.part == "complete"]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            if isinstance(value.get("id"), str) and is_message(value):
                found.add(value["id"])
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return found
