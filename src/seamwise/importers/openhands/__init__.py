"""OpenHands: events of its SDK, the trajectories of older versions, and logs of single model calls.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/openhands.md``. In short: an event is one record; what
was observed answers the action that it names; times are local and without a zone, so that their moment stays unknown.

Modules: ``_read`` (files), ``_sdk`` (events with a ``kind``), ``_older`` (events with an ``action`` or an ``observation``), ``_calls``
(logs of model calls).
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace


class OpenHands:
    """The importer of OpenHands."""

    name = "openhands"
    version = 1
    summary = "OpenHands: events of its SDK, older trajectories, logs of model calls"

    def sniff(self, head: bytes) -> int:
        """Whether its events stand there, or a logged call of a model."""
        seen = outline(head)
        for at in ("", "[].", "events[]."):
            kinds = seen.values.get(f"{at}kind", frozenset())
            if seen.has(f"{at}source") and any(kind.endswith(("Event", "Condensation")) for kind in kinds):
                return 87
            if seen.has(f"{at}source", f"{at}timestamp", f"{at}system_prompt"):
                return 84  # a first event whose kind stands behind more than is looked at
        for at in ("[].", "history[].", "history[][].", ""):
            acted = seen.has(f"{at}action", f"{at}args") or seen.has(f"{at}observation", f"{at}extras")
            if acted and seen.has(f"{at}source"):
                return 86
        if seen.has("messages[].role", "latency_sec") and (seen.has("response.choices") or seen.has("kwargs")):
            return 86
        return 84 if seen.has("messages", "latency_sec", "context_window") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The conversations of a file.

        Raises:
            FormatError: There is none in it.
        """
        from seamwise.importers.openhands._read import traces

        return traces(source, sink)


IMPORTER = OpenHands()
