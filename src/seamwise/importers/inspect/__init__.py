"""Inspect AI: evaluation logs, as archives (``.eval``) and as JSON, and lists of their events.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/inspect.md``. In short:

- A sample in one epoch is one trace. Its events are the steps; a log that kept no events is read by its messages.
- The actor is the nearest span of type ``agent`` around an event, else the nearest solver.
- A model event holds the complete input of its call, so that input is claimed, unless a part of it was left out of the log.
- Scores, targets, metadata of samples, and everything that happened inside scorers are sealed.

Inspect itself is not needed. Modules in reading order: ``_archive`` (members of a hostile ZIP), ``_log`` (samples of a file), ``_refs``
(attachments and message pools), ``_sample``, ``_messages``, ``_events`` (which event is which step), ``_spans`` (whose events they are).
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

_EVENTS = ("span_end", "model", "step", "state", "tool")


class Inspect:
    """The importer of Inspect AI."""

    name = "inspect"
    version = 1
    summary = "Inspect AI evaluation logs (.eval archives, JSON) and lists of their events"

    def sniff(self, head: bytes) -> int:
        """Whether the bytes are an archive with the members of a log, or the keys of a log stand there."""
        if head[:4] == b"PK\x03\x04":
            return 92 if any(name in head for name in (b"_journal/", b"samples/", b"header.json")) else 0
        seen = outline(head)
        if seen.has("eval.task") and (seen.has("status") or seen.has("plan") or seen.has("samples")):
            return 90
        if seen.has("epoch", "target") and (seen.has("events") or seen.has("messages") or seen.has("input")):
            return 85
        for at in ("events[].", "[].", ""):
            if seen.has(f"{at}timestamp") and (
                seen.says(f"{at}event", "span_begin", "sample_init") or (seen.says(f"{at}event", *_EVENTS) and not seen.has(f"{at}data"))
            ):
                return 82
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The samples of a log.

        Raises:
            FormatError: There is no sample in it.
        """
        from seamwise.importers.inspect._log import traces

        return traces(source, sink)


IMPORTER = Inspect()
