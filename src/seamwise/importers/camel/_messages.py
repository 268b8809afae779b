"""CAMEL's messages, alone, in memories and in conversations."""

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
from seamwise.importers._shared.spoken import PERSPECTIVES, spoken, tell
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._shared.turns import kept
from seamwise.importers._source import Source
from seamwise.importers.camel._workforce import event, is_event
from seamwise.record import Trace

_LISTS = ("messages", "log_entries", "events", "records", "memory")
_NUMBERED = re.compile(r"message_(\d{1,6})")
_TAKEN = frozenset("role_name role_type content __class__ func_name args result tool_call_id role meta_dict tool_calls".split())


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The runs of a file.

    Raises:
        FormatError: Nothing of CAMEL is in it.
    """
    n = 0
    lined: Talk | None = None
    begun: dict[str, str] = {}
    """Task -> the step with which it last began."""
    for piece in pieces(source, sink):
        if piece.line and _is_record(piece.value):
            lined = lined or Talk(content_name("run", source), sink, where=source.path)
            _record(lined, piece.value, piece.line - 1, begun)
            continue
        for listed in _lists(piece.value):
            n += 1
            begun = {}
            talk = Talk(named("run", listed), sink, where=source.path)
            for index, entry in enumerate(listed):
                _record(talk, entry, index, begun)
            yield talk.trace()
    if lined is not None:
        yield lined.trace()
    elif not n:
        raise FormatError("expected messages, memory records or workforce events of CAMEL, got none", where=source.path)


def _is_record(value: Any) -> bool:
    return is_event(value) or (
        isinstance(value, dict) and ("role_name" in value or ("role_at_backend" in value and isinstance(value.get("message"), dict)))
    )


def _lists(value: Any) -> Iterator[list[Any]]:
    """The lists of records in a value, one for each run."""
    if isinstance(value, list):
        if any(map(_is_record, value)):
            yield value
            return
        for entry in value:
            if isinstance(entry, dict):
                yield from _lists(entry)
    elif isinstance(value, dict):
        numbered = sorted((int(m[1]), key) for key in value if (m := _NUMBERED.fullmatch(key)))
        if numbered:
            yield [value[key] for _, key in numbered]
        elif _is_record(value):
            yield [value]
        else:
            for key in _LISTS:
                if isinstance(value.get(key), list) and any(map(_is_record, value[key])):
                    yield value[key]
                    return


def _record(talk: Talk, entry: Any, index: int, begun: dict[str, str]) -> None:
    talk.arrived(f"record {index}")
    if is_event(entry):
        event(talk, entry, index, begun)
        return
    if not isinstance(entry, dict) or not _is_record(entry):
        kept(talk, entry, str(index), "an entry that is neither a message nor an event; it was kept as a note")
        return
    message, time, owner = entry, None, None
    around: dict[str, Any] = {}
    if isinstance(entry.get("message"), dict):
        message, owner = entry["message"], somebody(entry.get("agent_id"))
        time = moment_ns(entry.get("timestamp"))
        extra = entry.get("extra_info")
        around = {"memory_of": owner, "perspective": entry.get("role_at_backend"), **(extra if isinstance(extra, dict) else {})}
    identifier = entry["uuid"] if isinstance(entry.get("uuid"), str) and entry["uuid"] else str(index)
    rest = {key: value for key, value in message.items() if key not in _TAKEN and value not in (None, "", [], {})}
    meta = message.get("meta_dict")
    data = without_labels(
        {**{k: v for k, v in around.items() if v is not None}, **({"meta": meta} if meta else {}), **rest}, talk.sink, talk.id, identifier
    )
    actor = _speaker(message, owner, entry.get("role_at_backend"))
    common: dict[str, Any] = {"id": identifier, "time_ns": time}
    tool = somebody(message.get("func_name"))
    call = message.get("tool_call_id") if isinstance(message.get("tool_call_id"), str) and message["tool_call_id"] else None
    if tool is not None and (message.get("result") is None) and message.get("args") is not None:
        talk.call(tool, message["args"], actor=actor, call=call, data=data, **common)
    elif tool is not None:
        talk.answer(call, message.get("result", NOT_RECORDED), tool=tool, actor=actor, data=data, **common)
    else:
        _say(talk, message, actor, data, common)


def _say(talk: Talk, message: dict[str, Any], actor: str | None, data: dict[str, Any], common: dict[str, Any]) -> None:
    role = message.get("role_type", message.get("role"))
    role = role.rpartition(".")[2].lower() if isinstance(role, str) else "unknown"  # ``RoleType.ASSISTANT``, as some dumps have it.
    said = spoken({"role": role, **{key: message[key] for key in ("content", "tool_calls") if key in message}})
    if said is not None:
        tell(talk, said, actor=actor, data=data, **common)


def _speaker(message: dict[str, Any], owner: str | None, perspective: Any) -> str | None:
    """Who said a message: its role's name, unless that is a perspective; of what an agent remembers as its own, the agent."""
    name = somebody(message.get("role_name"))
    if name is not None and name.lower() not in PERSPECTIVES:
        return name
    return owner if perspective in ("assistant", "function", "tool") else None
