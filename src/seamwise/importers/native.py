"""Seamwise's own format: JSON Lines, a header line and then its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import BinaryIO, cast

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_HEADER = re.compile(rb'\{\s*"seamwise"\s*:')
_LATER = re.compile(rb'^\s*\{[^\n]*(?<!\\)"seamwise"\s*:\s*\d', re.MULTILINE)


class Native:
    """The importer of native traces: a thin layer over :func:`seamwise.record.read_traces`."""

    name = "native"
    version = 1
    summary = "Seamwise's own JSON Lines: a header line, then one step a line"

    def sniff(self, head: bytes) -> int:
        """Whether a line is a header: an object with the key ``seamwise``."""
        text = plain_text(head)[0].lstrip()
        if _HEADER.match(text):
            return 100
        return 70 if text[:1] == b"{" and _LATER.search(text) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file; records are its steps, and what is damaged.

        Raises:
            FormatError: There is no trace in it.
        """
        from seamwise.record import Limits, ReadReport, read_traces

        report, limits = sink.report, sink.limits
        read = ReadReport()
        with closing(source.open()) as stream:
            file = cast("BinaryIO", stream)
            bounds = Limits(max_line_bytes=limits.line_bytes, max_steps=limits.spans_per_trace, max_bytes=limits.file_bytes)
            for trace in read_traces(file, limits=bounds, report=read):
                report.kept += len(trace.steps)
                yield trace
        report.merged += read.n_copies_dropped
        listed = 0
        for damage in read.damage:
            report.note(damage.code, damage.where.replace("<stream>", source.path), damage.message)
            if damage.lost:
                listed += 1
                report.drop(damage.code, damage.count)
        if read.n_lost > listed:
            report.drop("further damage", read.n_lost - listed)
        report.records = report.kept + report.merged + sum(report.dropped.values())
        if not read.n_traces:
            first = read.damage[0] if read.damage else None
            raise FormatError(
                first.message if first else "expected a native trace, got none",
                where=first.where.replace("<stream>", source.path) if first else source.path,
                hint=first.hint if first else None,
            )


IMPORTER = Native()
