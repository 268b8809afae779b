"""Where in a document the conversations are, and their messages as steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.addressed import addressed
from seamwise.importers._shared.document import Piece, content_name, pieces
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal, without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.spoken import PERSPECTIVES, Spoken, spoken, tell
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers._source import Source
from seamwise.record import Trace

LISTS = ("messages", "conversation", "conversations", "chat_history", "history", "dialogue", "dialog", "turns", "transcript", "trajectory")
"""Keys under which a conversation's messages stand."""

_IDS = ("conversation_id", "session_id", "thread_id", "trace_id", "run_id", "chat_id")
"""Keys that name the conversation that a message in a line of its own belongs to."""

_NAMES = ("speaker", "sender", "agent", "agent_name", "author", "source")
"""Keys that name who speaks, beside the message's ``name``."""

_TIMES = ("timestamp", "created_at", "time", "ts")

_LABELS = frozenset(
    "reward rewards reward_info label labels target gold answer solution success passed resolved level failure_mode".split()
)
"""Keys beside a list of messages that say how the run is judged, or what it should have come to."""

_MARKS = ("truncated", "_truncated", "dropped", "omitted", "elided")
"""Keys of an entry that says that messages were left out."""


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The conversations of a file, each one trace.

    Raises:
        FormatError: There is no list of messages in it.
    """
    lined: dict[str, Talk] = {}
    n = 0
    for piece in pieces(source, sink):
        where = source.path if not piece.line else f"{source.path}, line {piece.line}"
        if piece.line and isinstance(piece.value, dict) and spoken(piece.value) is not None and listed(piece.value) is None:
            _line(piece, lined, source, sink)
            continue
        for messages, around in _lists(piece.value):
            if messages is None:
                sink.report.records += 1
                sink.report.drop("no message")
                sink.report.note("no_message", where, "neither a message nor a list of them")
                continue
            n += 1
            yield conversation(named(_identifier(around) or "chat", messages), messages, around, sink, where)
    for talk in lined.values():
        yield talk.trace()
    if not n and not lined:
        raise FormatError(
            "expected a list of messages, got none",
            where=source.path,
            hint="say which path holds the list and which fields hold what: `--format chat:FILE.yaml`",
        )


def listed(value: dict[str, Any]) -> list[Any] | None:
    """The list of messages of an object that is a conversation, or None."""
    for key in LISTS:
        inner = value.get(key)
        if isinstance(inner, list) and any(spoken(entry) is not None for entry in inner):
            return inner
    return None


def _lists(value: Any, depth: int = 2) -> Iterator[tuple[list[Any] | None, dict[str, Any]]]:
    """Messages and what stands around them, of each conversation in a value; messages are None for what is none."""
    if isinstance(value, dict):
        inner = listed(value)
        if inner is not None:
            yield inner, value
            return
        for key in LISTS:
            if isinstance(value.get(key), list):
                yield from _lists(value[key], depth)
                return
        yield [value] if spoken(value) is not None else None, {}
    elif isinstance(value, list) and any(spoken(entry) is not None for entry in value):
        yield value, {}
    elif isinstance(value, list) and value and depth:
        for entry in value:
            yield from _lists(entry, depth - 1)
    else:
        yield None, {}


def _identifier(around: dict[str, Any]) -> str | None:
    for key in (*_IDS, "id"):
        value = around.get(key)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value):
            return str(value)
    return None


def conversation(identifier: str, messages: list[Any], around: dict[str, Any], sink: Sink, where: str) -> Trace:
    """One conversation as a trace."""
    talk = Talk(identifier, sink, where=where)
    _surroundings(talk, messages, around)
    for i, entry in enumerate(messages):
        message(talk, entry, i)
    return talk.trace()


def _surroundings(talk: Talk, messages: list[Any], around: dict[str, Any]) -> None:
    """What is recorded of the conversation as a whole: labels are sealed, the rest is kept for people."""
    facts = {}
    for key, value in around.items():
        if key in _LABELS:
            seal(talk.sink, talk.id, None, key, value)
        elif value is not messages and value not in (None, "", [], {}):
            facts[key] = value
    talk.about(without_labels(facts, talk.sink, talk.id, None))


def _line(piece: Piece, lined: dict[str, Talk], source: Source, sink: Sink) -> None:
    """A message that stands in a line of its own."""
    key = next((str(piece.value[k]) for k in _IDS if isinstance(piece.value.get(k), (str, int))), "chat")
    if key not in lined:
        lined[key] = Talk(content_name(key, source), sink, where=source.path)
    talk = lined[key]
    message(talk, piece.value, piece.line - 1, at=f"line {piece.line}")


def message(talk: Talk, entry: Any, index: int, at: str | None = None) -> None:
    """The steps of one entry of a list."""
    talk.arrived(at or f"message {index}")
    said = spoken(entry)
    if said is None:
        marks = isinstance(entry, dict) and any(key in entry for key in _MARKS)
        talk.note("truncated_list" if marks else "no_message", _LEFT_OUT if marks else "an entry that is no message; it was kept as a note")
        content = entry if isinstance(entry, dict) else {"entry": entry}
        talk.put("note", id=str(index), data=without_labels(content, talk.sink, talk.id, str(index)))
        return
    actor, recipients, aside = speaker(said)
    time = next((said.rest[key] for key in _TIMES if key in said.rest), None)
    tell(
        talk,
        said,
        id=str(index),
        actor=actor,
        recipients=recipients,
        data=None if aside is None else {"aside": aside},
        time_ns=moment_ns(time),
    )


_LEFT_OUT = "an entry says that messages were left out; what they held, such as the call of a later result, is not in the recording"


def speaker(said: Spoken) -> tuple[str | None, tuple[str, ...] | None, str | None]:
    """Who spoke, to whom, and what else the label says: the name, a field that names somebody, or a role that is no perspective."""
    if said.name is not None:
        return said.name, said.recipients, None
    for key in _NAMES:
        name = somebody(said.rest.get(key))
        if name is not None and name.lower() not in PERSPECTIVES:
            return name, said.recipients, None
    if said.role is None or said.role.strip().lower() in PERSPECTIVES or not said.role.strip():
        return None, said.recipients, None
    label = addressed(said.role)
    return label.name, label.recipients if said.recipients is None else said.recipients, label.aside
