"""Conversations that are shown as text, a role before each message; the calls of tools are left out in them."""

from __future__ import annotations

import re

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.talk import Talk
from seamwise.record import Trace

_ROLE = re.compile(r"^(user|assistant|tool|system): ", re.MULTILINE)


def display(shown: str, sink: Sink, path: str) -> Trace:
    """The trace of one conversation; ``assistant: None`` is a turn that said nothing, and the tool it called is not recorded."""
    talk = Talk(named("conversation", shown), sink, where=path)
    heads = list(_ROLE.finditer(shown))
    if not heads or shown[: heads[0].start()].strip():
        talk.dropped("text without a role")
    for i, head in enumerate(heads):
        role = head[1]
        words = shown[head.end() : heads[i + 1].start() if i + 1 < len(heads) else len(shown)].removesuffix("\n")
        talk.arrived(f"message {i}")
        if role == "tool":
            talk.answer(None, words, id=str(i))
        elif role == "assistant" and words == "None":
            talk.report.not_known("which tool was called, and with which arguments")
            talk.put("note", actor=role, data={"role": role, "content": None}, id=str(i))
        else:
            talk.say(words, actor=role if role != "system" else None, role=role, id=str(i))
    return talk.trace()
