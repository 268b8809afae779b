"""Which runs a file of LangSmith holds, each once: a batch posts a run when it begins and patches it when it ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import Piece
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.loose import Damage
from seamwise.importers._spans import Batch, Fields, foreign, objects
from seamwise.importers.langsmith._run import span_of

_LABELS = ("feedback", "feedback_stats", "reference_example", "reference_example_id", "scores", "evaluator_info")
"""What people and judges added, and which example of a data set a run was measured against."""

_ORDER = re.compile(r"\d{8}T\d{6,}Z(.+)")
_EMPTY: tuple[Any, ...] = (None, "", [], {})


class Runs:
    """Gathers the runs of one file.

    Args:
        sink: Report and labels.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def gathered(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """The whole file as one value: a run may be patched in a later line than it was posted in."""
        yield Piece(0, [piece.value for piece in pieces])

    def batches(self, value: Any, damage: Damage) -> Iterator[Batch]:
        """One batch a run."""
        runs: dict[str, list[Fields]] = {}
        for run, is_patch in self._all(value, damage):
            identifier = identifier_of(run)
            if identifier is None:
                foreign(run, damage, "a run of LangSmith")
                continue
            same = runs.setdefault(identifier, [])
            both = _joined(same[-1], run, is_patch) if same else None
            if both is None:
                same.append(run)
                continue
            same[-1] = both
            self._sink.report.records += 1
            self._sink.report.merged += 1
            if not is_patch:
                damage.report.note("duplicate", f"{damage.where}, run {identifier}", "the same run again; merged")
        for identifier, same in runs.items():
            for run in same:
                span = span_of(run, identifier, damage)
                for key in _LABELS:
                    if run.get(key) not in _EMPTY:
                        seal(self._sink, str(span["traceId"]), identifier, key, run[key])
                yield Batch(spans=[span])

    def _all(self, value: Any, damage: Damage) -> Iterator[tuple[Fields, bool]]:
        """All runs of a value, and whether each is a patch; children after their parents."""
        todo: list[tuple[Any, bool, str | None]] = [(entry, False, None) for entry in objects(value)]
        todo.reverse()
        while todo:
            entry, is_patch, parent = todo.pop()
            if isinstance(entry, list):
                todo += [(inner, is_patch, parent) for inner in reversed(entry)]
            elif not isinstance(entry, dict):
                foreign(entry, damage, "a run of LangSmith")
            elif isinstance(entry.get("post"), list) or isinstance(entry.get("patch"), list):
                for sort in ("patch", "post"):
                    listed = entry.get(sort)
                    if listed is not None:
                        todo += [(run, sort == "patch", None) for run in reversed(listed if isinstance(listed, list) else [listed])]
            elif isinstance(entry.get("runs", entry.get("data")), list):
                todo.append((entry.get("runs", entry.get("data")), is_patch, parent))
            else:
                children = entry.get("child_runs")
                if isinstance(children, list) and children:
                    todo += [(child, is_patch, identifier_of(entry)) for child in reversed(children)]
                if parent is not None and entry.get("parent_run_id") is None:
                    entry = {**entry, "parent_run_id": parent}
                yield entry, is_patch


def identifier_of(run: Fields) -> str | None:
    """The run's id, which a patch of the JavaScript SDK names in its order alone."""
    identifier = run.get("id")
    if isinstance(identifier, str) and identifier:
        return identifier
    path = path_of(run)
    return path[-1] if path else None


def path_of(run: Fields) -> list[str]:
    """The ids from the root to the run, as its dotted order names them."""
    order = run.get("dotted_order")
    if not isinstance(order, str):
        return []
    return [found[1] for part in order.split(".") if (found := _ORDER.fullmatch(part)) is not None]


def _joined(old: Fields, new: Fields, is_patch: bool) -> Fields | None:
    """A run with what came later. A patch overrides; another copy may add to the first and not contradict it, else it is another run."""
    made = dict(old)
    for key, value in new.items():
        if value in _EMPTY or key in ("child_runs", "child_run_ids"):
            continue
        if not is_patch and old.get(key) not in (*_EMPTY, value):
            return None
        made[key] = value
    return made
