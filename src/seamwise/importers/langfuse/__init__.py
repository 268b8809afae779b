"""Langfuse: traces with their observations, as its API, its UI and its batch exports give them out.

An observation is a span: what OpenTelemetry recorded stands in its metadata (``attributes``, ``resourceAttributes``), and where it was
recorded by Langfuse's older SDK, its type says what it was. ``docs/formats/langfuse.md`` says what is read, how it maps and what the format
cannot tell. Modules: ``_documents`` (which records a file holds), ``_observation`` (one observation as a span).
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

_OBSERVATIONS = (
    "observations[].",
    "trace.observations[].",
    "[].",
    "",
    "data[].",
    "[].observations[].",
    "[].trace.observations[].",
    "data[].observations[].",
)
_TRACE = ("trace.", "", "[].", "data[].")


class Langfuse:
    """The importer of Langfuse."""

    name = "langfuse"
    version = 1
    summary = "Langfuse's traces and observations (API, UI and batch exports), of its OpenTelemetry endpoint and of its older SDKs"

    def sniff(self, head: bytes) -> int:
        """Whether observations, or the head of a trace, stand in it as Langfuse names their fields."""
        seen = outline(head)
        for inside in _OBSERVATIONS:
            if seen.has(inside + "traceId", inside + "parentObservationId") or seen.has(
                inside + "trace_id", inside + "parent_observation_id"
            ):
                return 92
            if (
                inside != ""
                and seen.has(inside + "traceId", inside + "startTime", inside + "type", inside + "id")
                and "observations" in inside
            ):
                return 90
        for inside in _TRACE:
            if seen.has(inside + "projectId", inside + "timestamp", inside + "bookmarked"):
                return 88
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        from seamwise.importers._shared.document import pieces
        from seamwise.importers._spans import traces_of
        from seamwise.importers.langfuse._documents import Documents

        found, batches = pieces(source, sink), Documents(sink).batches
        yield from traces_of(source, sink, found, batches, "an export of Langfuse", resources_recorded=False, own_ids=True)


IMPORTER = Langfuse()
