"""OpenTelemetry traces: OTLP as JSON or protobuf, with the GenAI conventions of three generations and OpenInference.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/otlp.md``. In short:

- One trace per trace id. Traces of one conversation are kept apart and name it; nothing is merged on time alone.
- A tool span is a ``tool_call`` and, where an ending is known, a ``tool_result``; how it ended is decided in ``_endings.py``.
- A model span is ``model_call``, ``input`` and ``model_result``; messages that an earlier input did not hold are ``message`` steps.
  An input is claimed whole only where its record is.
- The actor is the agent that a span names, or the nearest agent span above it; after that span has ended, nobody.
- Recipients are recorded by handoffs alone. No attribute of any convention says who receives a message.
- Order: a span starts after its parent started and ends after it began; times order steps of one process only.

Modules in reading order: ``_wire`` (the bytes), ``_tolerant`` (dialects), ``_proto``, ``_read`` (files),
``_trace`` (one trace), ``_nodes`` and ``_tree``, ``_roles`` (what a span is), ``_indexed``, ``_events``, ``_model`` and
``_history`` (conversations), ``_endings``, then one module per sort of step: ``_tools``, ``_models``, ``_handoffs``, ``_others``;
``_spare`` does without steps that nobody asked for.

Sources: opentelemetry-proto (OTLP JSON mapping), the GenAI semantic conventions up to 1.41 and their new repository, OpenInference's
semantic conventions, Traceloop, Google ADK and the Vercel AI SDK as they are found in recordings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._source import Source, plain_text
from seamwise.importers.otlp._proto import is_protobuf
from seamwise.record import Trace

_KEYS = re.compile(rb'(?<!\\)"(?:resource(?:Spans|Logs|Metrics)|resource_(?:spans|logs|metrics))"\s*:\s*\[')
_TEMPO = re.compile(rb'^\s*[\[{]?\s*\{?\s*"batches"\s*:\s*\[')
_NESTED = re.compile(rb'(?<!\\)"(?:scopeSpans|scope_spans|instrumentationLibrarySpans|ilSpans)"\s*:\s*\[')


class Otlp:
    """The importer of OTLP."""

    name = "otlp"
    version = 1
    summary = "OpenTelemetry traces (OTLP JSON, JSON Lines or protobuf) with GenAI or OpenInference attributes, and their log events"

    def sniff(self, head: bytes) -> int:
        """Whether the keys of OTLP JSON stand in the text, or the bytes are its protobuf."""
        if is_protobuf(head):
            return 80
        text = plain_text(head)[0]
        if text.lstrip()[:1] not in (b"{", b"["):
            return 20 if _KEYS.search(text) else 0
        if _KEYS.search(text):
            return 90
        return 85 if _TEMPO.search(text) and _NESTED.search(text) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file."""
        from seamwise.importers.otlp._read import Reader

        return Reader(source, sink).traces()


IMPORTER = Otlp()
