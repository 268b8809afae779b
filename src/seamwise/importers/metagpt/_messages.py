"""MetaGPT's messages in JSON: in a list, in lines, in a memory, in the history of an environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.spoken import PERSPECTIVES
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._shared.turns import kept
from seamwise.importers._source import Source
from seamwise.importers.metagpt._pool import experience, is_experience
from seamwise.record import Trace, flaw_of

_LISTS = ("storage", "messages", "history", "memory", "env")
_ALL, _NONE = "<all>", "<none>"
_QUOTED = re.compile(r"['\"]([^'\"]+)['\"]")
_TAKEN = frozenset({"id", "content", "role", "sent_from", "send_to"})


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The runs of a file.

    Raises:
        FormatError: There is neither a message nor an experience in it.
    """
    n = 0
    lined: Talk | None = None
    for piece in pieces(source, sink):
        if piece.line and _is_message(piece.value):
            lined = lined or Talk(content_name("run", source), sink, where=source.path)
            message(lined, piece.value, piece.line - 1)
            continue
        if isinstance(piece.value, list) and any(map(is_experience, piece.value)):
            for entry in piece.value:
                n += 1
                yield experience(Talk(named("experience", entry), sink, where=source.path), entry)
            continue
        listed = _listed(piece.value)
        if listed is None:
            sink.report.records += 1
            sink.report.drop("no message")
            sink.report.note("no_message", f"{source.path}, line {piece.line}", "a value without messages of MetaGPT")
            continue
        n += 1
        talk = Talk(named("run", listed), sink, where=source.path)
        for index, entry in enumerate(listed):
            message(talk, entry, index)
        yield talk.trace()
    if lined is not None:
        yield lined.trace()
    elif not n:
        raise FormatError("expected messages or experiences of MetaGPT, got none", where=source.path)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and "content" in value and ("cause_by" in value or "sent_from" in value or "send_to" in value)


def _listed(value: Any, depth: int = 4) -> list[Any] | None:
    """The messages in a value."""
    if isinstance(value, list):
        return value if any(map(_is_message, value)) else None
    if isinstance(value, dict) and depth:
        if _is_message(value):
            return [value]
        for key in _LISTS:
            found = _listed(parsed(value.get(key)), depth - 1)
            if found is not None:
                return found
    return None


def message(talk: Talk, entry: Any, index: int) -> None:
    """The step of one message."""
    talk.arrived(f"message {index}")
    if not isinstance(entry, dict) or "content" not in entry:
        kept(talk, entry, str(index))
        return
    identifier = entry["id"] if isinstance(entry.get("id"), str) and entry["id"] else str(index)
    role, content = entry.get("role"), entry["content"]
    actor = somebody(entry.get("sent_from"))
    if actor is None and isinstance(role, str) and role.strip().lower() not in PERSPECTIVES:
        actor = somebody(role)
    data: dict[str, Any] = {key: value for key, value in entry.items() if key not in _TAKEN and value not in (None, "", [], {})}
    text = content if isinstance(content, str) else None
    if text is None:
        talk.report.not_known("what a message said")
        if content is not None:
            data["content"] = content
    elif (flaw := flaw_of(text)) is not None:
        talk.note("not_whole", f"a message is not what was said: {flaw}")
    names = addressees(entry.get("send_to"))
    channel = _ALL if names is not None and _ALL in names else None
    recipients = None if names is None or channel else [name for name in names if name != _NONE]
    data = without_labels(data, talk.sink, talk.id, identifier)
    if isinstance(role, str):
        data["role"] = role
    talk.say(text, actor=actor, recipients=recipients, channel=channel, data=data, id=identifier)


def addressees(recorded: Any) -> list[str] | None:
    """The names in ``send_to``; None: not recorded."""
    if isinstance(recorded, str):
        listed = recorded[:1] in ("{", "[") or recorded == "set()"  # A set, as Python prints it.
        names = _QUOTED.findall(recorded) if listed else [recorded]
        return names if any(names) else None
    if isinstance(recorded, list) and recorded and all(isinstance(name, str) for name in recorded):
        return recorded
    return None
