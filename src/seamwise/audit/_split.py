"""Traces of which parts stand in several places: they are judged as one, or not soundly at all."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

import msgspec

from seamwise.audit._files import Reading
from seamwise.audit._scan import Options
from seamwise.record import Header, ReadReport, Step, Trace, read_traces


def read_again(wanted: Mapping[str, set[str]], options: Options) -> dict[str, Trace]:
    """Traces read once more, by id, the parts of each put together.

    Args:
        wanted: File -> ids of traces in it.
        options: As the files were read before.
    """
    parts: dict[str, list[Trace]] = {}
    for path in sorted(wanted):
        left = wanted[path]
        for trace in Reading(path, options.format, stdin=options.stdin, only=frozenset(left)).traces():
            if trace.id in left:
                parts.setdefault(trace.id, []).append(trace)
    return {name: merged(found) for name, found in parts.items()}


def read_some(wanted: Mapping[str, set[str]], options: Options) -> dict[str, Trace]:
    """The same where only what the traces tell is wanted: of a plain native file no more is decoded than these traces."""
    found: dict[str, list[Trace]] = {}
    others: dict[str, set[str]] = {}
    for path in sorted(wanted):
        content = None if path == "-" or options.format not in (None, "native") else _lines_of(path, wanted[path])
        if content is None:
            others[path] = wanted[path]
            continue
        for trace in read_traces(BytesIO(content), report=ReadReport()):
            if trace.id in wanted[path]:
                found.setdefault(trace.id, []).append(trace)
    return {**read_again(others, options), **{name: merged(parts) for name, parts in found.items()}}


_HEADER = b'{"seamwise"'
"""How a header line begins; no step's line does."""


def _lines_of(path: str, wanted: set[str]) -> bytes | None:
    """The lines of these traces, or None where the file is not plainly native, or does not hold them all in plain sight."""
    parts: list[bytes] = []
    found: set[str] = set()
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            if content[: len(_HEADER)] != _HEADER:
                return None
            at, end = 0, len(content)
            while at < end:
                after = content.find(b"\n" + _HEADER, at) + 1 or end
                name = _id(content[at : content.find(b"\n", at) + 1 or end]).id
                if name in wanted:
                    parts.append(content[at:after])
                    found.add(name)
                at = after
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    return b"".join(parts) if found == wanted else None


class _Id(msgspec.Struct):
    id: str


_id = msgspec.json.Decoder(_Id).decode


def merged(parts: Sequence[Trace]) -> Trace:
    """One trace of several parts: every step once, and of the headers what does not contradict.

    A step that stands in two parts with different content stays twice: the kernel sees the contradiction.
    """
    if len(parts) == 1:
        return parts[0]
    steps: dict[Any, Step] = {}
    for step in (s for part in parts for s in part.steps):
        steps.setdefault(msgspec.json.encode(step), step)
    return Trace(header=_header([part.header for part in parts]), steps=tuple(steps.values()))


def _header(headers: Sequence[Header]) -> Header:
    claims = tuple({msgspec.json.encode(c): c for h in headers for c in h.claims}.values())
    clocks: dict[str, Any] = {}
    for name in {name for h in headers for name in h.clocks}:
        mine = [h.clocks[name] for h in headers if name in h.clocks]
        if len(mine) == len(headers) and all(c == mine[0] for c in mine):
            clocks[name] = mine[0]
    organization = headers[0].organization
    if any(h.organization != organization for h in headers):
        organization = _agreed([h.organization for h in headers])
    return msgspec.structs.replace(headers[0], claims=claims, clocks=dict(sorted(clocks.items())), organization=organization)


def _agreed(found: Sequence[Any]) -> Any:
    values: dict[str, Any] = {}
    for name in found[0].__struct_fields__:
        if name == "complete":
            values[name] = tuple(p for p in found[0].complete if all(p in o.complete for o in found))
            continue
        entries: dict[str, Any] = {}
        doubtful: set[str] = set()
        for organization in found:
            for entry, value in getattr(organization, name).items():
                if entry in entries and entries[entry] != value:
                    doubtful.add(entry)
                entries.setdefault(entry, value)
        values[name] = {entry: value for entry, value in entries.items() if entry not in doubtful}
    return type(found[0])(**values)


def files_of(places: Iterable[tuple[str, Sequence[str]]], names: set[str]) -> dict[str, set[str]]:
    """File -> those of the traces that stand in it.

    Args:
        places: Each file and the traces in it.
        names: Ids of traces.
    """
    out: dict[str, set[str]] = {}
    for path, traces in places:
        mine = names.intersection(traces)
        if mine:
            out[path] = mine
    return out
