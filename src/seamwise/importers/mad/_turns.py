"""Trajectories that are lists of messages: AG2's chats, and what each of several reviewing peers had in its own chat."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.spoken import spoken, tell
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import kept, turn
from seamwise.record import Trace


def turns(talk: Talk, listed: list[Any]) -> Trace:
    """A list of messages; one whose content is a list of lines is one text."""
    for index, entry in enumerate(listed):
        turn(talk, _joined(entry), index)
    return talk.trace()


def peers(talk: Talk, chats: dict[str, Any]) -> Trace:
    """The chat of each peer: what is said as assistant there is the peer's. Chats of several are in no known order."""
    for number, (peer, listed) in enumerate(chats.items()):
        for index, entry in enumerate(listed if isinstance(listed, list) else [listed]):
            said = spoken(_joined(entry))
            identifier = f"{number}.{index}"
            talk.arrived(f"message {identifier}")
            if said is None:
                kept(talk, entry, identifier)
            else:
                actor = said.name or (peer if said.role == "assistant" else None)
                tell(talk, said, id=identifier, actor=somebody(actor), source=peer)
    return talk.trace()


def _joined(entry: Any) -> Any:
    content = entry.get("content") if isinstance(entry, dict) else None
    if isinstance(content, list) and content and all(isinstance(line, str) for line in content):
        return {**entry, "content": "\n".join(line.rstrip("\r\n") for line in content)}
    return entry
