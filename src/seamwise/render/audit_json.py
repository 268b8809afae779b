"""An audit as JSON Lines: the result file itself, the summary first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from seamwise.audit import Result, Scene, Summary, lines_of

_ENCODER = msgspec.json.Encoder()


def audit_json(summary: Summary, results: Iterable[Result], scenes: Iterable[Scene] = ()) -> Iterator[bytes]:
    """The lines of the result file, each with its newline."""
    yield _ENCODER.encode(summary) + b"\n"
    yield from lines_of(results)
    for scene in scenes:
        yield _ENCODER.encode(scene) + b"\n"
