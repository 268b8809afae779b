"""LangSmith: runs as its client exports them, and as its SDKs send them (batches of ``post`` and ``patch``, also in parts).

A run is a span. ``docs/formats/langsmith.md`` says what is read, how it maps and what the format cannot tell. Modules: ``_parts`` (bodies
in parts), ``_runs`` (which runs a file holds, each once), ``_run`` (one run as a span).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_PART = re.compile(rb'name="(?:post|patch)\.[0-9a-fA-F-]{36}[."]|"(?:post|patch)\.[0-9a-fA-F-]{36}(?:\.\w+)?"\s*:')
_PLACES = ("", "[].", "runs[].", "data[].", "post[].", "patch[].", "[].post[].", "[].patch[].")
_SIGNS = ("dotted_order", "run_type", "parent_run_id", "child_runs")


class LangSmith:
    """The importer of LangSmith."""

    name = "langsmith"
    version = 1
    summary = "LangSmith's runs: exports of its client, and batches as its SDKs send them (post and patch, also in parts)"

    def sniff(self, head: bytes) -> int:
        """Whether runs stand in it as LangSmith names their fields."""
        if _PART.search(plain_text(head)[0]):
            return 90
        seen = outline(head)
        for inside in _PLACES:
            if sum(seen.has(inside + sign) for sign in _SIGNS) >= 2 or seen.has(inside + "run_type", inside + "start_time"):
                return 90
            if inside.endswith(("post[].", "patch[].")) and seen.has(inside + "dotted_order"):
                return 90
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        from seamwise.importers._spans import traces_of
        from seamwise.importers.langsmith._parts import pieces
        from seamwise.importers.langsmith._runs import Runs

        runs = Runs(sink)
        yield from traces_of(source, sink, runs.gathered(pieces(source, sink)), runs.batches, "runs of LangSmith", own_ids=True)


IMPORTER = LangSmith()
