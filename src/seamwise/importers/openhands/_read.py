"""A file as conversations and logged calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.talk import Talk
from seamwise.importers._source import Source
from seamwise.importers.openhands._calls import logged_call
from seamwise.importers.openhands._older import Older
from seamwise.importers.openhands._sdk import Sdk
from seamwise.record import Trace

_OPEN = frozenset({"history", "instance_id", "metadata", "metrics", "error", "instruction", "events"})
"""Keys of an evaluation's output that grade nothing."""


def traces(source: Source, sink: Sink) -> Iterator[Trace]:
    """The conversations of a file.

    Raises:
        FormatError: There is none in it.
    """
    loose: list[Any] = []
    n = 0
    for piece in pieces(source, sink):
        value = piece.value
        if isinstance(value, dict) and isinstance(value.get("messages"), list) and ("response" in value or "latency_sec" in value):
            n += 1
            yield logged_call(value, sink, source.path)
            continue
        inside = (
            next((value[key] for key in ("history", "events") if isinstance(value.get(key), list)), None)
            if isinstance(value, dict)
            else None
        )
        if inside is not None:
            n += 1
            yield _conversation(_flat(inside), sink, source.path, value)
        elif isinstance(value, list):
            loose += _flat(value)
        else:
            loose.append(value)
    if loose:
        n += 1
        yield _conversation(loose, sink, source.path, {})
    if n == 0:
        raise FormatError("expected events of OpenHands, got none", where=source.path)


def _flat(events: list[Any]) -> list[Any]:
    """Events of a list, or of a list of pairs of an action and what was observed."""
    return [one for event in events for one in (event if isinstance(event, list) else [event])]


def _conversation(events: list[Any], sink: Sink, path: str, around: dict[str, Any]) -> Trace:
    first = next((event["id"] for event in events if isinstance(event, dict) and isinstance(event.get("id"), str)), None)
    instance = around.get("instance_id")
    if first is not None:
        name = f"conversation-{first}"  # ids of events are unique, and a conversation that goes on keeps its first
    else:
        name = named(instance if isinstance(instance, str) and instance else "conversation", events)
    talk = Talk(name, sink, where=path)
    if isinstance(instance, str):
        talk.about({"instance_id": instance})
    for key, value in around.items():
        if key not in _OPEN and value not in (None, {}, []):
            seal(sink, talk.id, None, key, value)
    sdk, older = Sdk(talk), Older(talk)
    seen: dict[str, Any] = {}
    for n, event in enumerate(events):
        number = event.get("id") if isinstance(event, dict) else None
        if isinstance(number, (str, int)) and seen.setdefault(str(number), event) is not event and seen[str(number)] == event:
            talk.merged("event_twice", f"event `{number}` stands there twice, the same both times")
        elif isinstance(event, dict) and isinstance(event.get("kind"), str):
            sdk.event(event, n)
        elif isinstance(event, dict) and ("action" in event or "observation" in event):
            older.event(event, n)
        else:
            talk.dropped("no event", f"entry {n} is no event")
    return talk.trace()
