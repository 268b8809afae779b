"""The files of AgentRx: which sort each is, its runs, its labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import one_document
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import turn
from seamwise.importers._source import Source
from seamwise.record import Trace

EXPECTED = "a trajectory or a label file of AgentRx"


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The runs of a file; none for a label file, which is sealed.

    Raises:
        FormatError: It is none of AgentRx's files.
    """
    value = one_document(source, sink, EXPECTED)
    if isinstance(value, dict) and isinstance(value.get("skipped_steps"), list):
        _sealed(value["skipped_steps"], "checker_results", "task_id", "step.index", sink)
        return
    if not isinstance(value, list) or not value:
        raise FormatError(f"expected {EXPECTED}, got `{type(value).__name__}`", where=source.path)
    if any(isinstance(entry, dict) and "failures" in entry and "trajectory_id" in entry for entry in value):
        _labels(value, sink)
    else:
        talk = Talk(named("run", value), sink, where=source.path)
        for index, entry in enumerate(value):
            turn(talk, entry, index)
        yield talk.trace()


def _labels(value: list[Any], sink: Sink) -> None:
    """A label file: each failure is sealed with the step that it names, the rest of an entry with its trajectory."""
    for entry in value:
        sink.report.records += 1
        sink.report.drop("a label, sealed", harmless=True)
        if not isinstance(entry, dict):
            seal(sink, "", None, "label", entry)
            continue
        trace = str(entry.get("trajectory_id"))
        failures = entry.get("failures")
        for failure in failures if isinstance(failures, list) else ():
            number = failure.get("step_number") if isinstance(failure, dict) else None
            step = str(number - 1) if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None
            seal(sink, trace, step, "failure", {"value": failure, "base": 1})
        for key, inner in entry.items():
            if key not in ("trajectory_id", "failures") or (key == "failures" and not isinstance(failures, list)):
                seal(sink, trace, None, key, inner)


def _sealed(entries: list[Any], key: str, run: str, step: str, sink: Sink) -> None:
    """What a checker said about the steps of a trajectory: an evaluation, and no run."""
    for entry in entries:
        sink.report.records += 1
        sink.report.drop("a label, sealed", harmless=True)
        number = entry.get(step) if isinstance(entry, dict) else None
        named = str(number - 1) if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None
        trace = str(entry.get(run)) if isinstance(entry, dict) else ""
        seal(sink, trace, named, key, {"value": entry, "base": 1})
