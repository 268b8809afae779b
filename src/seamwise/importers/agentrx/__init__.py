"""AgentRx: trajectories of Magentic-One, and the label files beside them.

- A trajectory of Magentic-One is a bare list of ``{content, role}`` whose role is a label: ``Orchestrator (-> WebSurfer)``.
- Its runs of tau-bench's retail desk are read by ``tau``.
- A label file holds no run: it is sealed whole. Its ``step_number`` counts from 1, where Who&When's ``mistake_step`` on the same runs
  counts from 0; both are sealed with their base and the step that they name.

Source: the repository of AgentRx (Microsoft), read with its data.
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import Outline, outline
from seamwise.importers._source import Source
from seamwise.record import Trace


def is_magentic(seen: Outline) -> bool:
    """Whether the outline is that of a bare list in the dialect of Magentic-One."""
    roles = seen.values.get("[].role", frozenset())
    return seen.start == "[" and seen.has("[].content") and any(role.startswith("Orchestrator (") for role in roles)


class AgentRx:
    """The importer of AgentRx."""

    name = "agentrx"
    version = 1
    summary = "AgentRx and Magentic-One trajectories; label files are sealed whole"

    def sniff(self, head: bytes) -> int:
        """Whether it is one of its trajectories or label files."""
        seen = outline(head)
        if seen.has("[].trajectory_id", "[].failures") or seen.has("skipped_steps[].skipped_invariants"):
            return 95
        return 85 if is_magentic(seen) else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are turns, and labels."""
        from seamwise.importers.agentrx._read import read

        return read(source, sink)


IMPORTER = AgentRx()
