"""Pieces of streamed messages: those of a message that stands whole beside them repeat it; the others make one that broke off."""

from __future__ import annotations

from typing import Any, NamedTuple

CHUNK = "ModelClientStreamingChunkEvent"


class Stream(NamedTuple):
    """The pieces of one message."""

    indices: list[int]
    source: str | None
    message: str | None
    """Id of the message that they are pieces of, where that is recorded."""
    pieces: list[str]
    whole: list[bool]
    """Holds one value: whether the message itself stands in the list."""


def streams(messages: list[Any]) -> dict[int, Stream]:
    """Position of each piece -> the stream that it belongs to."""
    finals = {m["id"] for m in messages if isinstance(m, dict) and m.get("type") != CHUNK and isinstance(m.get("id"), str)}
    made: dict[int, Stream] = {}
    named: dict[str, Stream] = {}
    unnamed: dict[str | None, Stream] = {}
    for index, entry in enumerate(messages):
        if not isinstance(entry, dict):
            continue
        source = entry.get("source") if isinstance(entry.get("source"), str) else None
        content = entry.get("content")
        if entry.get("type") != CHUNK:
            stream = unnamed.pop(source, None)
            if stream is not None and isinstance(content, str) and content.strip() == "".join(stream.pieces).strip():
                stream.whole[0] = True
            continue
        message = entry.get("full_message_id")
        if isinstance(message, str) and message:
            stream = named.setdefault(message, Stream([], source, message, [], [message in finals]))
        else:
            stream = unnamed.setdefault(source, Stream([], source, None, [], [False]))
        stream.indices.append(index)
        if isinstance(content, str):
            stream.pieces.append(content)
        made[index] = stream
    return made
