"""The samples of a file: an archive, one JSON object, a bare sample, or a list of events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.loose import Damage, values
from seamwise.importers._shared.text import nesting
from seamwise.importers._source import Source
from seamwise.importers.inspect._archive import Archive, not_an_archive
from seamwise.importers.inspect._sample import Log, sample
from seamwise.record import Trace

_SAMPLE = re.compile(r"samples/.+\.json")
_GRADES = ("results", "reductions")


def traces(source: Source, sink: Sink) -> Iterator[Trace]:
    """The samples of a file, one trace each.

    Raises:
        FormatError: There is none.
    """
    if source.head[:4] == b"PK\x03\x04":
        yield from _of_archive(source, sink)
        return
    n, said = 0, "nothing that is one"
    loose: list[Any] = []
    """Events outside a sample."""
    for piece in pieces(source, sink):
        value = piece.value
        if isinstance(value, dict) and isinstance(value.get("eval"), dict):
            log = Log(value, source.path)
            samples = value.get("samples")
            if not isinstance(samples, list) or not samples:
                said = f"a log without samples (its status is `{log.status}`)"
            for recorded in samples if isinstance(samples, list) else ():
                n += 1
                yield sample(recorded, log, sink)
            for key in _GRADES:
                if value.get(key) not in (None, {}, []):
                    seal(sink, log.name or source.path, None, key, value[key])
        elif isinstance(value, dict) and "epoch" in value and ("events" in value or "messages" in value):
            n += 1
            yield sample(value, Log({}, source.path), sink)
        elif isinstance(value, dict) and isinstance(value.get("events"), list) and "event" not in value:
            n += 1
            yield sample({"events": value["events"]}, Log({}, source.path), sink)
        else:
            for event in value if isinstance(value, list) else [value]:
                if isinstance(event, dict) and isinstance(event.get("event"), str):
                    loose.append(event)
                else:
                    sink.report.records += 1
                    sink.report.drop("no event")
    if loose:
        n += 1
        yield sample({"events": loose}, Log({}, source.path), sink)
    if n == 0:
        raise FormatError(f"expected samples of an evaluation, got {said}", where=source.path)


def _of_archive(source: Source, sink: Sink) -> Iterator[Trace]:
    archive = Archive(source, sink)
    header = _json(archive, "header.json", source, sink)
    if not isinstance(header, dict):
        start = _json(archive, "_journal/start.json", source, sink)
        header = {"eval": start.get("eval"), "version": start.get("version")} if isinstance(start, dict) else {}
        sink.report.note("no_header", source.path, "the archive has no header: the evaluation did not end, or its log is damaged")
    log = Log(header, source.path)
    for name in archive.members:
        if _SAMPLE.fullmatch(name) is None:
            continue
        recorded = _json(archive, name, source, sink)
        if recorded is not None:
            yield sample(recorded, log, sink)
    grades: dict[str, Any] = {key: header[key] for key in _GRADES if header.get(key) not in (None, {}, [])}
    if (reductions := _json(archive, "reductions.json", source, sink)) is not None:
        grades["reductions"] = reductions
    for key, value in grades.items():
        seal(sink, log.name or source.path, None, key, value)
    if not any(map(_SAMPLE.fullmatch, archive.members)):
        if not archive.members:
            raise not_an_archive(source.path)
        raise FormatError(f"expected samples of an evaluation, got a log without samples (its status is `{log.status}`)", where=source.path)


def _json(archive: Archive, name: str, source: Source, sink: Sink) -> Any:
    """The JSON value of a member; None where there is no such member, or it cannot be read, which is noted and counted."""
    if name not in archive.members:
        return None
    content = archive.read(name)
    if content is None:
        return None
    try:
        value = msgspec.json.decode(content)
        if content.count(b"{") + content.count(b"[") <= sink.limits.depth or nesting(value) <= sink.limits.depth:
            return value
    except (msgspec.DecodeError, RecursionError):
        pass
    damage = Damage(sink.report, f"{source.path}, member {ascii(name)[1:-1]}", sink.limits.depth)
    return next(values(content, damage), None)
