"""Who&When: runs with a mark where they went wrong, in both of its dialects.

*Algorithm-Generated*: every turn bears ``name``; its role is a perspective. *Hand-Crafted*: the role is a label such as
``Orchestrator (-> WebSurfer)``. Everything that says how the run went is sealed; ``mistake_step`` counts turns from 0 and names a step.

Source: the data set of Zhang et al. 2025, "Which Agent Causes Task Failures and When?".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import pieces
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import is_label, seal
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import turn
from seamwise.importers._source import Source
from seamwise.record import Trace

_SEALED = frozenset({"level", "labels", "answer"})
"""Keys that are labels here and nowhere else."""

_MARKS = ("mistake_agent", "mistake_step", "mistake_reason", "mistake_type", "is_correct", "is_corrected")


class WhoWhen:
    """The importer of Who&When."""

    name = "whowhen"
    version = 1
    summary = "Who&When failure attribution records, algorithm-generated and hand-crafted; their labels are sealed"

    def sniff(self, head: bytes) -> int:
        """Whether a history stands beside a mark of a mistake, or beside its question, or holds labels of the hand-crafted dialect."""
        seen = outline(head)
        for stem in ("", "[]."):
            if seen.has(f"{stem}history[].content") or seen.has(f"{stem}history"):
                if any(seen.has(f"{stem}{mark}") for mark in _MARKS):
                    return 95
                if any(role.startswith("Orchestrator (") for role in seen.values.get(f"{stem}history[].role", ())):
                    return 85
        return 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file; records are turns.

        Raises:
            FormatError: There is no history in it.
        """
        n = 0
        for piece in pieces(source, sink):
            for run in piece.value if isinstance(piece.value, list) else [piece.value]:
                if not isinstance(run, dict) or not isinstance(run.get("history"), list):
                    sink.report.records += 1
                    sink.report.drop("no history")
                    sink.report.note("no_history", source.path, "an entry without a list under `history`")
                    continue
                n += 1
                yield _trace(run, source, sink)
        if not n:
            raise FormatError("expected an object with `history`, got none", where=source.path)


def _trace(run: dict[str, Any], source: Source, sink: Sink) -> Trace:
    identifier = run.get("question_ID", run.get("question_id"))
    history = run["history"]
    talk = Talk(named(identifier if isinstance(identifier, str) and identifier else "run", history), sink, where=source.path)
    for index, entry in enumerate(history):
        turn(talk, entry, index)
    for key, value in run.items():
        if key == "mistake_step":
            step = _number(value)
            inside = step is not None and 0 <= step < len(history)
            if not inside:
                talk.note("label_outside", "a label names a turn that the history does not have")
            seal(sink, talk.id, str(step) if inside else None, key, {"value": value, "base": 0})
        elif is_label(key) or key in _SEALED:
            seal(sink, talk.id, None, key, value)
        elif key == "system_prompt" and isinstance(value, dict):
            for agent, prompt in value.items():
                talk.agent(agent, system_prompt=prompt if isinstance(prompt, str) else None)
        elif key != "history" and value is not None:
            talk.about({key: value})
    return talk.trace()


def _number(value: Any) -> int | None:
    try:
        return int(value) if isinstance(value, (str, int)) else None
    except ValueError:
        return None


IMPORTER = WhoWhen()
