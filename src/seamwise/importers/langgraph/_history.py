"""Saved states: the history of a thread, checkpoints, one state. Parents give the order; forks are kept apart by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers.langgraph._messages import Messages, is_message
from seamwise.record import After, Trace


def is_saved(value: Any) -> bool:
    """Whether a value is a saved state of any sort."""
    return _values(value) is not None


def history(saved: list[dict[str, Any]], name: str, where: str, sink: Sink) -> Trace:
    """The saved states of one file as a trace: parents before children."""
    ids = [_id(entry) for entry in saved]
    parents = [_parent(entry) for entry in saved]
    children = [p for p in parents if p is not None and p in ids]
    forks = len(children) - len(set(children))
    known = all(parent in ids for parent in parents if parent is not None)
    linear = known and not forks and len(set(ids)) == len(ids) and sum(p is None for p in parents) == 1
    talk = Talk(name, sink, where=where, in_sequence=linear or len(saved) == 1)
    if forks:
        talk.note("fork", f"{forks + 1} branches go out from one checkpoint or more; messages of branches are in no order")
    messages = Messages(talk)
    steps: dict[str | None, str] = {}
    for number in _parents_first(ids, parents):
        entry, identifier, parent = saved[number], ids[number], parents[number]
        talk.arrived(f"state {number}")
        values = _values(entry) or {}
        for value in values.values():
            if isinstance(value, list) and any(map(is_message, value)):
                messages.held(value, (), {})
        data: dict[str, Any] = {"object": "state", "items": values, "whole": True}
        for key, told in (("version", identifier), ("parent_version", parent), ("next", entry.get("next"))):
            if told:
                data[key] = told
        metadata = entry.get("metadata")
        if isinstance(metadata, dict):
            data |= {key: metadata[key] for key in ("source", "step", "writes") if metadata.get(key) is not None}
        time = moment_ns(entry.get("created_at", entry.get("ts", _checkpoint(entry).get("ts"))))
        order = (After(step=steps[parent], basis="parent"),) if parent in steps else ()
        steps[identifier] = talk.put("state", id=identifier, data=data, order=order, time_ns=time)
        thread = _configured(entry).get("thread_id")
        if isinstance(thread, str):
            talk.about({"thread_id": thread})
    return talk.trace()


def _parents_first(ids: list[str | None], parents: list[str | None]) -> Iterator[int]:
    """Positions with each parent before its children; in a cycle, where it is entered first."""
    place = {identifier: number for number, identifier in enumerate(ids) if identifier is not None}
    done: set[int] = set()
    for last in reversed(range(len(ids))):
        chain: list[int] = []
        at: int | None = last
        while at is not None and at not in done:
            done.add(at)
            chain.append(at)
            parent = parents[at]
            at = place.get(parent) if parent is not None else None
        yield from reversed(chain)


def _checkpoint(value: dict[str, Any]) -> dict[str, Any]:
    inner = value.get("checkpoint")
    return inner if isinstance(inner, dict) else {}


def _values(value: Any) -> dict[str, Any] | None:
    """The channels of a saved state."""
    if not isinstance(value, dict):
        return None
    for holder in (value, _checkpoint(value)):
        for key in ("channel_values", "values"):
            if isinstance(holder.get(key), dict):
                found: dict[str, Any] = holder[key]
                return found
    listed = value.get("messages")
    return value if isinstance(listed, list) and any(map(is_message, listed)) else None


def _configured(value: dict[str, Any], key: str = "config") -> dict[str, Any]:
    config = value.get(key)
    inner = config.get("configurable") if isinstance(config, dict) else None
    return inner if isinstance(inner, dict) else {}


def _id(value: dict[str, Any]) -> str | None:
    inner = _checkpoint(value)
    told = _configured(value).get("checkpoint_id") or inner.get("checkpoint_id") or inner.get("id")
    if told is None and "channel_values" in value:
        told = value.get("id")
    return told if isinstance(told, str) and told else None


def _parent(value: dict[str, Any]) -> str | None:
    before = value.get("parent_checkpoint")
    told = _configured(value, "parent_config").get("checkpoint_id") or (before.get("checkpoint_id") if isinstance(before, dict) else None)
    return told if isinstance(told, str) and told else None
