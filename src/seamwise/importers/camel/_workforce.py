"""Events of a workforce: a graph of tasks and who works on them; what was said is not in it."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.record import After, Ref

_TAKEN = frozenset({"timestamp", "worker_id", "event_type"})


def is_event(value: Any) -> bool:
    """Whether a value is an event of a workforce."""
    return isinstance(value, dict) and isinstance(value.get("event_type"), str)


def event(talk: Talk, entry: dict[str, Any], index: int, begun: dict[str, str]) -> None:
    """The step of one event; ``begun`` keeps with which step each task last began."""
    kind, worker = entry["event_type"], somebody(entry.get("worker_id"))
    task = entry.get("task_id") if isinstance(entry.get("task_id"), str) else None
    own = {key: value for key, value in entry.items() if key not in _TAKEN and value not in (None, "", [], {})}
    data: dict[str, Any] = without_labels({"event": kind, **own}, talk.sink, talk.id, str(index))
    common: dict[str, Any] = {"id": str(index), "time_ns": moment_ns(entry.get("timestamp"))}
    if kind == "worker_created":
        role, sort = entry.get("role"), entry.get("worker_type")
        talk.agent(worker, role=role if isinstance(role, str) else None, worker_type=sort if isinstance(sort, str) else None)
        talk.put("note", actor=None, data={**data, "worker": worker}, **common)
    elif kind == "task_assigned" and worker is not None:
        talk.put("route", actor=None, data={**data, "task": task, "to": [worker]}, **common)
    elif kind == "task_started":
        began = talk.put("agent_start", actor=worker, data=data, **common)
        begun[task or ""] = began
    elif kind in ("task_completed", "task_failed"):
        said = entry.get("result_summary", entry.get("error_message"))
        started = begun.get(task or "")
        refs = () if started is None else (Ref(kind="answers", step=started),)
        order = () if started is None else (After(step=started, basis="sequence"),)
        status: Any = "failed" if kind == "task_failed" else None
        text = said if isinstance(said, str) else None
        talk.put("agent_end", actor=worker, status=status, text=text, data=data, refs=refs, order=order, **common)
    else:
        talk.put("note", actor=worker, data=data, **common)
