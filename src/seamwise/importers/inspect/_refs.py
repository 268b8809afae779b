"""What a sample keeps apart from its events because it repeats: long texts (attachments), messages and their pool."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared.messages import Said
from seamwise.importers._shared.talk import Talk
from seamwise.importers.inspect._messages import message, said

_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9A-Za-z_-]+)")
_MOST = 64 << 20
"""Characters that references inside longer texts may add in one sample; a reference that is the whole text adds none."""


def _refers(value: Any) -> bool:
    """Whether a text inside a value may be a reference."""
    todo = [value]
    while todo:
        inner = todo.pop()
        for member in inner.values() if isinstance(inner, dict) else inner:
            if isinstance(member, str):
                if "://" in member:
                    return True
            elif isinstance(member, (dict, list)):
                todo.append(member)
    return False


class References:
    """The attachments and the message pool of one sample."""

    def __init__(self, recorded: dict[str, Any], talk: Talk) -> None:
        self._talk = talk
        self._texts: dict[str, str] = {}
        transcript = recorded.get("transcript")
        older = transcript.get("content") if isinstance(transcript, dict) else None
        for texts in (recorded.get("attachments"), older):
            if isinstance(texts, dict):
                self._texts.update({key: text for key, text in texts.items() if isinstance(text, str)})
        pool = recorded.get("message_pool")
        data = recorded.get("events_data")
        if not isinstance(pool, list) and isinstance(data, dict):
            pool = data.get("messages")
        self._pool: list[Any] = pool if isinstance(pool, list) else []
        self._made: dict[int, tuple[Any, bool]] = {}
        self._left = _MOST
        self._given = 0
        self.missing = 0
        """References so far whose text the log does not hold."""

    def resolved(self, value: Any) -> Any:
        """The value with texts in place of references to them; the very value where it holds none."""
        if isinstance(value, str):
            return self._text(value) if "://" in value else value
        if not isinstance(value, (dict, list)) or not _refers(value):
            return value
        root: list[Any] = [None]
        todo: list[tuple[Any, Any, Any]] = [(value, root, 0)]
        while todo:
            inner, target, key = todo.pop()
            made: Any = dict(inner) if isinstance(inner, dict) else list(inner)
            target[key] = made
            for name, member in inner.items() if isinstance(inner, dict) else enumerate(inner):
                if isinstance(member, str):
                    if "://" in member:
                        made[name] = self._text(member)
                elif isinstance(member, (dict, list)):
                    todo.append((member, made, name))
        return root[0]

    def told(self, event: dict[str, Any], most: int) -> Said:
        """The input of a model event, from the pool where its messages stand there, and whether it is whole.

        Args:
            event: The event.
            most: How many messages the inputs of one sample may take from the pool.
        """
        given, refs, before = event.get("input"), event.get("input_refs"), self.missing
        flaw = None if isinstance(given, list) or refs is not None else "its messages were not recorded"
        made: list[Any] = []
        gap = False
        for ref in refs if isinstance(refs, list) else () if refs is None else (None,):
            if not (
                isinstance(ref, list) and len(ref) == 2 and all(type(n) is int for n in ref) and 0 <= ref[0] <= ref[1] <= len(self._pool)
            ):
                flaw = "it points at messages that the log does not hold"
                continue
            self._given += ref[1] - ref[0]
            if self._given > most:
                flaw = f"the inputs of this sample take more than {most} messages from the pool"
                continue
            for i in range(ref[0], ref[1]):
                one, incomplete = self._pooled(i)
                made.append(one)
                gap = gap or incomplete
        told = said(made + (self.resolved(given) if isinstance(given, list) else []), flaw, "input")
        if (gap or self.missing > before) and told.whole:
            told = told._replace(whole=False, flaw="a text of it is not in the log")
        return told

    def _pooled(self, i: int) -> tuple[Any, bool]:
        """A message of the pool, made once however often it is pointed at, and whether a text of it is missing."""
        known = self._made.get(i)
        if known is None:
            before = self.missing
            entry = self.resolved(self._pool[i])
            known = self._made[i] = (message(entry) or entry, self.missing > before)
        return known

    def _text(self, text: str) -> str:
        whole = _REFERENCE.fullmatch(text)
        if whole is not None and whole[1] in self._texts:
            return self._texts[whole[1]]

        def put(found: re.Match[str]) -> str:
            there = self._texts.get(found[1])
            if there is None:
                self.missing += 1
                self._talk.note("attachment_missing", f"the log does not hold the text of `{found[0][:60]}`")
                return found[0]
            self._left -= len(there)
            if self._left < 0:
                self.missing += 1
                self._talk.note("attachment_too_large", "texts put into other texts grew beyond what is read; a reference was kept")
                return found[0]
            return there

        return _REFERENCE.sub(put, text)
