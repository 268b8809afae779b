"""Files of MAST/MAD: which values are records, what of them is a trajectory, what is a label, what is told of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import content_name, pieces, text_of_file
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import is_label, seal
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import parsed
from seamwise.importers._source import Source
from seamwise.importers.mad._segment import segmented
from seamwise.importers.mad._turns import peers, turns
from seamwise.record import Trace

_SEALED = frozenset({"mast_annotation", "annotations", "annotation", "note", "options", "labels", "round", "given"})
"""Keys of a record that say how the run was judged, and in which round of judging."""

_REFERENCE = re.compile(r"patch|answer|correct|solution|gold|truth|test|label|eval|score|resolved", re.IGNORECASE)
"""What a key of ``other_data`` has in it that holds a reference, such as the patch that mends the bug."""

_TRAJECTORY = ("trajectory", "content", "trace", "log")


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The runs of a file.

    Raises:
        FormatError: There is no trajectory in it.
    """
    n = 0
    if outline(source.head).start not in ("{", "["):
        yield from segmented(text_of_file(source, sink), content_name("run", source), source.path, sink)
        return
    for piece in pieces(source, sink):
        for entry in piece.value if isinstance(piece.value, list) else [piece.value]:
            if not isinstance(entry, dict) or _trajectory(entry) is None:
                sink.report.records += 1
                sink.report.drop("no trajectory")
                sink.report.note("no_trajectory", source.path, "an entry that holds no trajectory")
                continue
            n += 1
            yield from _record(entry, _identifier(entry), source.path, sink)
    if not n:
        raise FormatError("expected records with a trajectory, got none", where=source.path)


def _identifier(entry: dict[str, Any]) -> str:
    """A record's trace id is unique only together with its system, benchmark and model, and not in all files of the study."""
    parts = [str(entry[key]) for key in ("mas_name", "benchmark_name", "llm_name", "trace_id") if isinstance(entry.get(key), (str, int))]
    if "trace_id" not in entry:
        parts = [str(entry["instance_id"])] if isinstance(entry.get("instance_id"), (str, int)) else []
    return named("/".join(parts) or "run", _trajectory(entry))


def _trajectory(entry: dict[str, Any]) -> Any:
    """What was said and done in a record: text, a list or an object; None: nothing of it."""
    value: Any = entry
    for _ in range(4):
        if not isinstance(value, dict):
            break
        key = next((key for key in _TRAJECTORY if key in value), None)
        if key is None:
            return value if value is not entry else None
        value = value[key]
        inner = parsed(value)
        if isinstance(inner, dict) and any(key in inner for key in _TRAJECTORY):
            value = inner
    return value if isinstance(value, (str, list, dict)) else None


def _record(entry: dict[str, Any], name: str, where: str, sink: Sink) -> Iterator[Trace]:
    facts: dict[str, Any] = {}
    _around(entry, name, facts, sink)
    trajectory = _trajectory(entry)
    if isinstance(trajectory, list) and trajectory and all(isinstance(line, str) for line in trajectory):
        trajectory = "\n".join(line.rstrip("\r\n") for line in trajectory)
    talk = Talk(name, sink, where=where)
    if isinstance(trajectory, str):
        made: Iterator[Trace] = segmented(trajectory.replace("\r\n", "\n").replace("\r", "\n"), name, where, sink)
    elif isinstance(trajectory, dict):
        made = iter([peers(talk, trajectory)])
    else:
        made = iter([turns(talk, trajectory)])
    scratch = Talk(name, sink, where=where)
    scratch.about(facts)
    for trace in made:
        origin = {**trace.header.origin, **scratch.origin}
        if "recorded" in trace.header.origin and "recorded" in scratch.origin:
            origin["recorded"] = {**trace.header.origin["recorded"], **scratch.origin["recorded"]}
        yield msgspec.structs.replace(trace, header=msgspec.structs.replace(trace.header, origin=origin))


def _around(entry: dict[str, Any], name: str, facts: dict[str, Any], sink: Sink, depth: int = 3) -> None:
    """What stands beside the trajectory: labels and references are sealed, the rest is told of the run."""
    for key, value in entry.items():
        inner = parsed(value)
        if key in _SEALED or is_label(key):
            seal(sink, name, None, key, value)
        elif key == "other_data" and isinstance(inner, dict):
            for name_of, held in inner.items():
                if _REFERENCE.search(name_of):
                    seal(sink, name, None, f"other_data.{name_of}", held)
                elif held not in (None, "", [], {}):
                    facts[f"other_data.{name_of}"] = held
        elif key in _TRAJECTORY:
            if isinstance(inner, dict) and depth and any(k in inner for k in _TRAJECTORY):
                _around(inner, name, facts, sink, depth - 1)
        elif value not in (None, "", [], {}):
            lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
            facts[key] = "\n".join(line.rstrip("\r\n") for line in value) if lines else value
