"""CrewAI: the events of its bus, and its log file in both forms.

- Events: ``{type, timestamp, event_id, started_event_id, emission_sequence, agent_role, ...}`` in a list, in lines, or as the nodes of an
  event record. ``*_started`` and ``*_completed`` are joined by ``started_event_id``.
- ``output_log_file``: a JSON list of ``{timestamp, task_name, task, agent, status, output}``, or lines of text with the same keys.

An agent is known by its role. What it cannot tell stands in ``docs/formats/crewai.md``. Modules: ``_events``, ``_log``.

Source: ``crewai/events`` and ``crewai/utilities/file_handler.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_FAMILIES = ("crew_kickoff_", "task_", "agent_execution_", "tool_usage_", "llm_call_", "flow_", "memory_", "lite_agent_", "knowledge_")
_OWN = ("source_fingerprint", "fingerprint_metadata", "emission_sequence", "agent_role", "started_event_id", "crew_name", "tool_name")
_LOGGED = re.compile(rb'^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d: (?:task_name|task|agent)="', re.MULTILINE)


class CrewAI:
    """The importer of CrewAI."""

    name = "crewai"
    version = 1
    summary = "CrewAI: events of its bus, and its log file as JSON or text"

    def sniff(self, head: bytes) -> int:
        """Whether events of its families stand in the JSON, or the keys of its log."""
        seen = outline(head)
        if seen.start not in ("{", "["):
            return 88 if _LOGGED.search(plain_text(head)[0]) else 0
        for stem in ("", "[].", "events[]."):
            kinds = seen.values.get(f"{stem}type", frozenset())
            if any(kind.startswith(_FAMILIES) for kind in kinds) and any(seen.has(f"{stem}{key}") for key in _OWN):
                return 88
        if seen.has("[].task_name", "[].agent", "[].status"):
            return 88
        return 70 if seen.has("nodes") and b'"event"' in head and b'"emission_sequence"' in head else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The run of a file; records are events, or entries of the log.

        Raises:
            FormatError: Nothing of CrewAI is in it.
        """
        from seamwise.importers.crewai import _events, _log

        if outline(source.head).start in ("{", "["):
            yield from _events.read(source, sink)
        else:
            yield from _log.read(source, sink)


IMPORTER = CrewAI()
