"""CAMEL: messages, memories, role-playing conversations, and the events of a workforce.

- Messages ``{role_name, role_type, content, ...}``: ``role_name`` says who; ``role_type`` is a perspective.
- Memory records ``{uuid, agent_id, role_at_backend, message, timestamp}``: what one agent remembers, with its calls of functions.
- Conversations of the AI Society data set: ``message_1``, ``message_2`` ... of one object.
- Events of a workforce ``{event_type, task_id, worker_id, ...}``: who was given which task. They hold no messages.

What it cannot tell stands in ``docs/formats/camel.md``. Modules: ``_messages``, ``_workforce``.

Source: ``camel/messages``, ``camel/memories/records.py``, ``camel/societies/workforce/events.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source
from seamwise.record import Trace

_EVENTS = (
    "worker_created",
    "worker_deleted",
    "task_decomposed",
    "task_created",
    "task_assigned",
    "task_started",
    "task_updated",
    "task_completed",
    "task_failed",
    "all_tasks_completed",
    "queue_status",
)


class Camel:
    """The importer of CAMEL."""

    name = "camel"
    version = 1
    summary = "CAMEL: messages, memory records, role-playing conversations, events of a workforce"

    def sniff(self, head: bytes) -> int:
        """Whether its messages, records or events stand in the JSON."""
        seen = outline(head)
        for stem in ("", "[].", "messages[].", "log_entries[].", "[].messages[]."):
            if seen.says(f"{stem}event_type", *_EVENTS):
                return 88
            if seen.has(f"{stem}role_name", f"{stem}role_type"):
                return 88
            if seen.has(f"{stem}role_at_backend", f"{stem}message"):
                return 90
        return 85 if seen.has("message_1.role_name") or seen.has("[].message_1.role_name") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are messages, or events.

        Raises:
            FormatError: Nothing of CAMEL is in it.
        """
        from seamwise.importers.camel._messages import read

        return read(source, sink)


IMPORTER = Camel()
