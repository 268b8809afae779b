"""Which messages of a model's input are new. Every call carries the whole conversation again; what was said twice stays twice.

Copies are told by position: a message is a copy where it continues the history of the same conversation, never because its words occur
elsewhere. A history that comes back shorter or changed is noted as a context reset.

Reading every history anew would cost the square of a conversation's length, so an input whose text begins with the text of the one before
is read from there on (:meth:`Histories.resumed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seamwise.importers._shared.messages import Message, Said, Spoken, listed, skimmed
from seamwise.importers.otlp._nodes import Node

_OPEN = 8
"""Conversations of one agent that are followed at once (parallel calls)."""


class Conversation:
    """The last input of a conversation, and the answer to it."""

    __slots__ = ("_answer", "_keys", "instance", "n_input", "said")

    def __init__(self, instance: Node | None, said: Said) -> None:
        self.instance = instance
        self.said = said
        self.n_input = len(said.messages)
        self._keys: list[Any] | None = None
        self._answer: Sequence[Any] = ()

    def says(self, instance: Node | None, said: Said, keys: list[Any]) -> None:
        """Remembers the next input, and the keys of its messages."""
        self.instance = instance
        self.said = said
        self.n_input = len(said.messages)
        self._keys = keys
        self._answer = ()

    def answered(self, messages: Sequence[Any]) -> None:
        """Remembers the answer: in the next input it is history."""
        self._answer = [*self._answer, *messages] if self._answer else messages

    @property
    def stem(self) -> str | None:
        """The text of the last input without its closing bracket."""
        raw = self.said.raw
        return raw[:-1] if raw is not None and raw[-1:] == "]" else None

    @property
    def keys(self) -> list[Any]:
        """Keys of the input's messages, then of the answer's. Many a conversation is never compared with another."""
        if self._keys is None:
            self._keys = [_key(m) for m in self.said.messages]
        if self._answer:
            self._keys = [*self._keys, *(_key(m) for m in self._answer)]
            self._answer = ()
        return self._keys


class Histories:
    """The conversations of one trace."""

    def __init__(self) -> None:
        self.counted = False
        """Messages are only counted and compared; they may stand as :class:`Spoken`."""
        self._open: dict[str | None, list[Conversation]] = {}

    def resumed(self, actor: str | None, raw: str, system: Any, basis: str) -> tuple[Said, Conversation] | None:
        """An input that repeats the text of an earlier one and goes on, read from there; None where there is none such."""
        for conversation in reversed(self._open.get(actor, ())):
            stem = conversation.stem
            if stem is None or conversation.said.system != system or not raw.startswith(stem):
                continue
            tail = raw[len(stem) :]
            old = conversation.said
            if tail == "]":
                return old, conversation
            rest = tail.lstrip()
            if rest[:1] != ",":
                continue
            more = (skimmed if self.counted else listed)("[" + rest[1:], basis)
            if more.messages:
                flaw = old.flaw or more.flaw
                return Said(old.messages + more.messages, flaw is None, basis, flaw, raw, system), conversation
        return None

    def add(
        self, actor: str | None, instance: Node | None, said: Said, conversation: Conversation | None
    ) -> tuple[Conversation, int, str | None]:
        """The conversation that an input continues best, the position of its first new message, and why it does not continue, if so.

        Args:
            actor: Whose conversation it is.
            instance: The piece of work that it belongs to.
            said: The input.
            conversation: What :meth:`resumed` found, if it did.
        """
        known = self._open.get(actor)
        if known is None:
            conversation = Conversation(instance, said)
            self._open[actor] = [conversation]
            return conversation, 0, None
        reset = None
        if conversation is not None:
            n_old, old = conversation.n_input, conversation.keys
            keys = old[:n_old] + [_key(m) for m in said.messages[n_old:]]
            first = n_old + _common(old[n_old:], keys[n_old:])
        else:
            keys = [_key(m) for m in said.messages]
            conversation, first = _best(known, keys)
            if conversation is None:
                conversation = Conversation(instance, said)
                known.append(conversation)
                del known[:-_OPEN]
            elif first < conversation.n_input:
                first, reset = _realigned(conversation, keys, first)
                if conversation.instance is not instance:
                    reset = None  # A new piece of work of the same agent begins its own context.
        conversation.says(instance, said, keys)
        if known[-1] is not conversation:
            known.remove(conversation)
            known.append(conversation)
        return conversation, first, reset


def _best(known: list[Conversation], keys: list[Any]) -> tuple[Conversation | None, int]:
    """The conversation with the longest common beginning, one that is continued whole before others."""
    best: Conversation | None = None
    common, fits = 0, False
    for conversation in reversed(known):
        n = _common(conversation.keys, keys)
        continues = n >= conversation.n_input > 0
        if n and (continues, n) > (fits, common):
            best, common, fits = conversation, n, continues
    return best, common


def _common(old: list[Any], new: list[Any]) -> int:
    n = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        n += 1
    return n


def _realigned(old: Conversation, keys: list[Any], common: int) -> tuple[int, str]:
    """Where the new messages begin in a history that does not continue the old one."""
    if common == len(keys):
        return common, f"the history came back shorter: {len(keys)} messages where there were {old.n_input}"
    for start in range(common + 1, len(old.keys)):
        length = len(old.keys) - start
        if old.keys[start] == keys[common] and old.keys[start:] == keys[common : common + length]:
            return common + length, f"{start - common} messages were taken out of the history"
    return common, f"the history differs from message {common} on"


def _key(message: Message | Spoken) -> Any:
    """What makes two recorded messages the same: role, words, and the calls made or answered."""
    if type(message) is Spoken:
        return [message.role, *[part.content for part in message.parts]]
    assert isinstance(message, dict)
    key: list[Any] = [message.get("role")]
    for part in message["parts"]:
        if isinstance(part, dict):
            kind = part.get("type")
            if kind == "text":
                key.append(part.get("content"))
            elif kind != "reasoning":
                key.append((kind, part.get("id"), part.get("name"), part.get("response", part.get("content"))))
        else:
            key.append(part)
    return key
