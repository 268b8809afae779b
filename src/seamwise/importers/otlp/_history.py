"""Which messages of a model's input are new. Every call carries the whole conversation again; what was said twice stays twice.

Copies are told by position: a message is a copy where it continues the history of the same conversation, never because its words occur
elsewhere. A history that comes back shorter or changed is noted as a context reset.
"""

from __future__ import annotations

from typing import Any

from seamwise.importers.otlp._messages import Message, Said
from seamwise.importers.otlp._nodes import Node

_OPEN = 8
"""Conversations of one agent that are followed at once (parallel calls)."""


class _Conversation:
    __slots__ = ("instance", "keys", "messages", "n_input", "raw")

    def __init__(self, instance: Node | None) -> None:
        self.instance = instance
        self.raw: str | None = None
        self.messages: list[Message] = []
        self.keys: list[Any] = []
        self.n_input = 0


class New:
    """What one input adds.

    Attributes:
        first: Position of the first new message.
        reset: Why the conversation does not continue, if it does not.
    """

    __slots__ = ("_conversation", "first", "reset")

    def __init__(self, first: int, reset: str | None, conversation: _Conversation) -> None:
        self.first = first
        self.reset = reset
        self._conversation = conversation

    def answered(self, messages: list[Message]) -> None:
        """Remembers the answer: in the next input it is history."""
        self._conversation.keys += [_key(m) for m in messages]


class Histories:
    """The conversations of one trace."""

    def __init__(self) -> None:
        self._open: dict[str | None, list[_Conversation]] = {}

    def add(self, actor: str | None, instance: Node | None, said: Said) -> New:
        """What an input adds to the conversation that it continues best."""
        known = self._open.setdefault(actor, [])
        keys = [_key(m) for m in said.messages]
        best: _Conversation | None = None
        common, fits = 0, False
        for conversation in reversed(known):
            n = _common(conversation.keys, keys)
            continues = n >= conversation.n_input > 0
            if best is None or (continues, n) > (fits, common):
                best, common, fits = conversation, n, continues
        reset = None
        first = common
        if best is None or common == 0:
            best = _Conversation(instance)
            known.append(best)
            del known[:-_OPEN]
            first = 0
        elif common < best.n_input:
            first, reset = _realigned(best, keys, common)
            if best.instance is not instance:
                reset = None  # A new piece of work of the same agent begins its own context.
        best.instance, best.keys, best.n_input = instance, keys, len(keys)
        known.remove(best)
        known.append(best)
        return New(first, reset, best)


def _common(old: list[Any], new: list[Any]) -> int:
    n = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        n += 1
    return n


def _realigned(old: _Conversation, keys: list[Any], common: int) -> tuple[int, str]:
    """Where the new messages begin in a history that does not continue the old one."""
    if common == len(keys):
        return common, f"the history came back shorter: {len(keys)} messages where there were {old.n_input}"
    for start in range(common + 1, len(old.keys)):
        length = len(old.keys) - start
        if old.keys[start] == keys[common] and old.keys[start:] == keys[common : common + length]:
            return common + length, f"{start - common} messages were taken out of the history"
    return common, f"the history differs from message {common} on"


def _key(message: Message) -> Any:
    """What makes two recorded messages the same: role, words, and the calls made or answered."""
    key: list[Any] = [message.get("role")]
    for part in message["parts"]:
        if isinstance(part, dict):
            kind = part.get("type")
            if kind == "text":
                key.append(str(part.get("content")))
            elif kind == "reasoning":
                continue
            else:
                key.append((kind, part.get("id"), part.get("name"), str(part.get("response", part.get("content", "")))))
        else:
            key.append(str(part))
    return tuple(key)
