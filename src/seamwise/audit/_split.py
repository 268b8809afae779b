"""Traces of which parts stand in several places: they are judged as one, or not soundly at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from io import BytesIO
from operator import itemgetter
from typing import Any

import msgspec

from seamwise.audit._files import Reading
from seamwise.audit._scan import Options
from seamwise.audit._spool import digest_of
from seamwise.record import Header, ReadReport, Step, Trace, read_traces


def read_again(wanted: Mapping[str, Set[str]], options: Options) -> dict[str, Trace]:
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


def read_split(places: Iterable[tuple[str, Sequence[int]]], split: Set[int], options: Options) -> dict[str, Trace]:
    """Traces of which parts stand in several places, by id, the parts of each put together.

    Args:
        places: Each file and the digests of the ids of its traces.
        split: Digests of the ids of these traces.
        options: As the files were read before.
    """
    parts: dict[str, list[Trace]] = {}
    for path, names in sorted(places, key=itemgetter(0)) if split else ():
        if not split.isdisjoint(names):
            for trace in Reading(path, options.format, stdin=options.stdin).traces():
                if digest_of(trace.id) in split:
                    parts.setdefault(trace.id, []).append(trace)
    return {name: merged(found) for name, found in parts.items()}


def read_some(wanted: Mapping[str, Set[str]], split: Set[int], options: Options) -> Iterator[Trace]:
    """The same, one after another, where only what the traces tell is wanted: of a plain native file no more is decoded than these traces.

    Args:
        wanted: File -> ids of traces in it.
        split: Digests of the ids of traces of which parts stand in several places.
        options: As the files were read before.
    """
    others: dict[str, Set[str]] = {}
    for path, names in wanted.items():
        alone = {name for name in names if digest_of(name) not in split}
        if path == "-" or options.format not in (None, "native") or not _is_native(path):
            others[path] = names
            continue
        found: set[str] = set()
        for lines in _lines_of(path, alone):
            for trace in read_traces(BytesIO(lines), report=ReadReport()):
                found.add(trace.id)
                yield trace
        if names - found:
            others[path] = names - found
    yield from read_again(others, options).values()


_HEADER = b'{"seamwise"'
"""How a header line begins; no step's line does."""
_BLOCK_BYTES = 1 << 18


def _is_native(path: str) -> bool:
    """Whether a file is plainly native."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_HEADER)) == _HEADER
    except OSError:
        return False


def _lines_of(path: str, wanted: Set[str]) -> Iterator[bytes]:
    """The lines of these traces, trace by trace, as far as they stand in plain sight."""
    parts: list[bytes] = []
    taking = False
    with suppress(OSError), open(path, "rb") as file:
        while block := file.read(_BLOCK_BYTES):
            end = block.rfind(b"\n") + 1
            for lines, stop in ((block, end), (cut := block[end:] + file.readline(), len(cut))):
                at = 0
                while at < stop:
                    if lines.startswith(_HEADER, at):
                        if parts:
                            yield b"".join(parts)
                            parts = []
                        taking = _name(lines[at : lines.find(b"\n", at) + 1 or stop]) in wanted
                    after = lines.find(b"\n" + _HEADER, at, stop) + 1 or stop
                    if taking:
                        parts.append(lines[at:after])
                    at = after
    if parts:
        yield b"".join(parts)


def _name(header: bytes) -> str | None:
    try:
        return _id(header).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


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


def files_of(places: Iterable[tuple[str, Sequence[int]]], names: Iterable[str]) -> dict[str, set[str]]:
    """File -> those of the traces that stand in it.

    Args:
        places: Each file and the digests of the ids of its traces.
        names: Ids of traces.
    """
    named = {digest_of(name): name for name in names}
    out: dict[str, set[str]] = {}
    for path, traces in places:
        mine = {named[digest] for digest in traces if digest in named}
        if mine:
            out[path] = mine
    return out
