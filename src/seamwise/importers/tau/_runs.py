"""One run of a task."""

from __future__ import annotations

from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.ids import named
from seamwise.importers._shared.labels import seal
from seamwise.importers._shared.talk import Talk
from seamwise.importers.tau._messages import message
from seamwise.importers.tau._ticks import Ticks
from seamwise.record import Organization, Trace

_OPEN = frozenset("id task_id trial seed mode traj messages ticks timestamp start_time end_time duration termination_reason".split())
"""Keys of a run that grade nothing; every other one is sealed, also those of versions to come."""


def run(recorded: dict[str, Any], sink: Sink, path: str) -> Trace:
    """A run of tau-bench."""
    talk = _talk(recorded, recorded["traj"], sink, path)
    for i, entry in enumerate(recorded["traj"]):
        message(talk, entry, i)
    _seal(talk, recorded)
    return talk.trace()


def simulation(recorded: dict[str, Any], sink: Sink, path: str, tasks: dict[str, Any], policies: dict[str, Any]) -> Trace:
    """A run of tau2-bench: its messages, or the ticks of a conversation in which both may speak at once.

    Args:
        recorded: The run.
        sink: Report, labels and limits.
        path: The file.
        tasks: The tasks that stand beside the runs, by id; that of this run is sealed.
        policies: The policies that the agent was given.
    """
    messages, ticks = recorded.get("messages"), recorded.get("ticks")
    by_ticks = isinstance(ticks, list) and not messages
    talk = _talk(recorded, ticks if by_ticks else messages, sink, path, in_sequence=not by_ticks)
    for i, entry in enumerate(messages if isinstance(messages, list) else ()):
        message(talk, entry, i)
    if isinstance(ticks, list) and by_ticks:
        Ticks(talk).read(ticks)
    elif isinstance(ticks, list) and ticks:
        talk.note("ticks", f"{len(ticks)} ticks tell of the same conversation as the messages; the messages were read")
    _seal(talk, recorded)
    task = tasks.get(str(recorded.get("task_id")))
    if task is not None:
        seal(talk.sink, talk.id, None, "task", task)
    return talk.trace(Organization(policies=policies))


def _talk(recorded: dict[str, Any], said: Any, sink: Sink, path: str, *, in_sequence: bool = True) -> Talk:
    task, trial, own = (recorded.get(key) for key in ("task_id", "trial", "id"))
    key = f"task {task}" if trial is None else f"task {task}, trial {trial}"
    talk = Talk(own if isinstance(own, str) and own else named(key, said), sink, where=path, in_sequence=in_sequence)
    origin = {"task_id": task, "trial": trial, "seed": recorded.get("seed"), "termination_reason": recorded.get("termination_reason")}
    talk.origin.update({name: value for name, value in origin.items() if isinstance(value, (str, int))})
    return talk


def _seal(talk: Talk, recorded: dict[str, Any]) -> None:
    for key, value in recorded.items():
        if key not in _OPEN and value not in (None, {}, []):
            seal(talk.sink, talk.id, None, key, value)
