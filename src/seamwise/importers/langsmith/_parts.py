"""Bodies that were sent in parts: a run's inputs and outputs each in a part of its own, named after the run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece, text_of_file
from seamwise.importers._shared.document import pieces as values_of
from seamwise.importers._shared.loose import Damage, lost, values
from seamwise.importers._source import Source

_HEAD = re.compile(r'Content-Disposition:[^\n]*?name="([^"\n]+)"[^\n]*\n((?:[^\n]+\n)*)\n', re.IGNORECASE)
_NAME = re.compile(r"(post|patch)\.([^.]+)(?:\.(\w+))?")
_FIELDS = frozenset("inputs outputs events extra error serialized attachments".split())


def pieces(source: Source, sink: Sink) -> Iterator[Piece]:
    """The JSON values of a file, a body in parts as one batch."""
    if source.head.lstrip()[:2] == b"--":
        yield Piece(0, _of_body(source, sink))
        return
    for piece in values_of(source, sink):
        value = piece.value
        if isinstance(value, dict) and value and all(isinstance(k, str) and _NAME.fullmatch(k) for k in value):
            batch: dict[str, dict[str, dict[str, Any]]] = {"post": {}, "patch": {}}
            for name, part in value.items():
                _put(batch, name, part)
            yield Piece(piece.line, {sort: list(runs.values()) for sort, runs in batch.items()})
        else:
            yield piece


def _of_body(source: Source, sink: Sink) -> dict[str, Any]:
    """The batch of a body of ``multipart/form-data``."""
    text = text_of_file(source, sink)
    boundary = text.lstrip().split("\n", 1)[0].strip()
    batch: dict[str, dict[str, dict[str, Any]]] = {"post": {}, "patch": {}}
    for number, part in enumerate(text.split(boundary), 0):
        head = _HEAD.search(part)
        if head is None:
            continue
        where = f"{source.path}, part {number}"
        if not _NAME.fullmatch(head[1]):
            sink.report.note("other_part", where, f"`{head[1][:60]}` is no part of a run (an attachment or feedback); left out")
            lost(Damage(sink.report, where, sink.limits.depth), "a part that is no run")
            continue
        for value in values(part[head.end() :].encode("utf-8", "surrogatepass"), Damage(sink.report, where, sink.limits.depth)):
            _put(batch, head[1], value)
            break
    return {sort: list(runs.values()) for sort, runs in batch.items()}


def _put(batch: dict[str, dict[str, dict[str, Any]]], name: str, value: Any) -> None:
    found = _NAME.fullmatch(name)
    if found is None:
        return
    run = batch[found[1]].setdefault(found[2], {"id": found[2]})
    if found[3] is None:
        if isinstance(value, dict):
            run |= {k: v for k, v in value.items() if k not in run or v is not None}
    elif found[3] in _FIELDS:
        run[found[3]] = value
    else:
        run.setdefault("extra_parts", []).append({found[3]: json.loads(json.dumps(value))})
