"""Bodies of requests and answers: packed, streamed, or both."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from typing import Any, NamedTuple

import msgspec

from seamwise.importers._shared.text import clean, parsed

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PRELUDE = struct.Struct(">III")
_MOST_FRAMES = 100_000


class Body(NamedTuple):
    """What a body holds."""

    value: Any = None
    """Its JSON value, where it is one."""
    events: tuple[Any, ...] = ()
    """The values of its events, where it is a stream."""
    text: str | None = None
    """Its text, where it is neither."""
    flaw: str | None = None
    """What keeps it from being whole."""


def body_of(recorded: Any, most: int) -> Body:
    """The body of a request or an answer as a cassette records it.

    Args:
        recorded: A text, bytes, ``{"string": ...}`` or ``{"base64_string": ...}``.
        most: Bytes that it may grow to when it is unpacked.
    """
    if isinstance(recorded, dict) and recorded:
        if "base64_string" in recorded:
            try:
                recorded = base64.b64decode(str(recorded["base64_string"]))
            except (binascii.Error, ValueError):
                return Body(flaw="its encoding is damaged")
        elif "string" in recorded or "encoding" in recorded:
            recorded = recorded.get("string")
        else:
            return Body(value=recorded)
    if recorded in (None, "", b"", {}):
        return Body()
    if isinstance(recorded, str):
        return _of_text(recorded)
    if not isinstance(recorded, bytes):
        return Body(value=recorded)
    if recorded[:2] == _GZIP or recorded[:4] == _ZSTD:
        unpacked = _unpacked(recorded, most)
        if unpacked is None:
            return Body(flaw="its compression is damaged, or it grows beyond the limits")
        recorded = unpacked
    frames = _frames(recorded)
    if frames is not None:
        return Body(events=tuple(frames))
    try:
        return _of_text(recorded.decode("utf-8"))
    except UnicodeDecodeError:
        return Body(flaw="it is binary")


def _unpacked(content: bytes, most: int) -> bytes | None:
    try:
        if content[:2] == _GZIP:
            maker = zlib.decompressobj(zlib.MAX_WBITS | 16)
            made = maker.decompress(content, most)
            return None if maker.unconsumed_tail or not maker.eof else made
        import zstandard

        return zstandard.ZstdDecompressor(max_window_size=1 << 27).decompress(content, max_output_size=most)
    except Exception as error:
        if isinstance(error, (zlib.error, ImportError, MemoryError)) or type(error).__name__ == "ZstdError":
            return None
        raise


def _of_text(text: str) -> Body:
    start = text.lstrip()[:1]
    if start in ("{", "["):
        value = parsed(text, 10_000)
        if not isinstance(value, str):
            return Body(value=value)
        lines = [_json(line) for line in text.splitlines() if line.strip()]
        if lines and all(isinstance(line, dict) for line in lines):
            return Body(events=tuple(lines))
        return Body(text=text, flaw="it is no sound JSON")
    if "data:" in text:
        events: list[Any] = []
        for piece in text.replace("\r\n", "\n").split("\n\n"):
            data = "\n".join(line[5:].lstrip() for line in piece.split("\n") if line.startswith("data:"))
            if data and data != "[DONE]":
                value = _json(data)
                if value is None:
                    return Body(events=tuple(events), flaw="an event of it is no sound JSON")
                events.append(value)
        if events:
            return Body(events=tuple(events))
    return Body(text=text)


def _frames(content: bytes) -> list[Any] | None:
    """The values of an event stream of AWS (frames with headers and a JSON payload); None where it is none."""
    made: list[Any] = []
    at = 0
    while at < len(content) and len(made) < _MOST_FRAMES:
        if at + 16 > len(content):
            return made or None
        total, headers, crc = _PRELUDE.unpack_from(content, at)
        if not 16 <= total <= len(content) - at or headers > total - 16 or zlib.crc32(content[at : at + 8]) != crc:
            return made or None
        payload = content[at + 12 + headers : at + total - 4]
        value = _json(payload)
        if isinstance(value, dict) and isinstance(value.get("bytes"), str) and set(value) <= {"bytes", "p"}:
            try:
                inside = base64.b64decode(value["bytes"])
                value = _json(inside)
                if value is None:
                    value = {"chunk": inside.decode("utf-8", "replace")}
            except (binascii.Error, ValueError):
                value = {"chunk": None}
        if value is not None:
            name = _event_type(content[at + 12 : at + 12 + headers])
            made.append({name: value} if name not in (None, "trace", "chunk") and isinstance(value, dict) else value)
        at += total
    return made or None


def _event_type(headers: bytes) -> str | None:
    """The name of a frame's event: ``contentBlockDelta`` ..."""
    key = b"\x0b:event-type\x07"
    place = headers.find(key)
    if place < 0 or place + len(key) + 2 > len(headers):
        return None
    start = place + len(key) + 2
    length = int.from_bytes(headers[start - 2 : start], "big")
    return headers[start : start + length].decode("utf-8", "replace")


def _json(text: str | bytes) -> Any:
    try:
        return clean(msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
