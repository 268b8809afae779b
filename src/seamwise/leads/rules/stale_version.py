"""Stale reads and lost updates of a shared object whose versions are recorded.

Innocent: parallel branches that a reducer joins (the record says so, or the update appends), forks of a checkpoint (each branch has its own
history), a writer that read the newest version after all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.leads._facts import Facts, told
from seamwise.leads._lead import Hit
from seamwise.record import Step

_JOINS = ("reducer", "append", "add", "merge")
"""What says that an update is joined with others, not written over them."""


def find(facts: Facts) -> Iterator[Hit]:
    """Writes on a version that was no longer the newest, and decisions after reads of one."""
    newest: dict[Any, int] = {}
    read: dict[tuple[Any, str | None], int] = {}
    written: dict[tuple[Any, str], int] = {}
    for i, step in enumerate(facts.steps):
        data = step.data or {}
        name, version = data.get("object"), _version(data.get("version"))
        if name is None or step.kind not in ("state", "read"):
            continue
        thing = (str(name), str(data.get("branch", data.get("checkpoint_ns", ""))))
        if step.kind == "read":
            read[(thing, step.actor)] = i
            latest = newest.get(thing)
            if latest is not None and version is not None and version != _seen(facts.steps[latest]):
                yield Hit(
                    f"object {name}",
                    f"{told(step, i)} reads version {version} of `{name}` after {told(facts.steps[latest], latest)} wrote version "
                    f"{_seen(facts.steps[latest])}",
                    ((latest, "the newest version"), (i, "the read of an older one")),
                )
            continue
        base = _version(data.get("based_on", data.get("base_version", data.get("parent_version"))))
        if base is None and (mine := read.get((thing, step.actor))) is not None:
            base = _seen(facts.steps[mine])
        latest = newest.get(thing)
        joined = any(data.get(key) for key in ("reducer", "append", "merge")) or str(data.get("op", "")).lower() in (
            "append",
            "add",
            "merge",
        )
        if (
            latest is not None
            and base is not None
            and not joined
            and base != _seen(facts.steps[latest])
            and facts.steps[latest].actor != step.actor
            and (thing, base) in written
        ):
            yield Hit(
                f"object {name}",
                f"{told(step, i)} writes `{name}` on version {base}, over the unread {told(facts.steps[latest], latest)}",
                ((written[(thing, base)], "the version it knew"), (latest, "the update that is lost"), (i, "the update over it")),
            )
        if version is not None:  # an update without a version of its own is part of the next one
            newest[thing] = i
            written[(thing, version)] = i


def _version(value: Any) -> str | None:
    return None if value is None or isinstance(value, (dict, list)) else str(value)


def _seen(step: Step) -> str | None:
    return _version((step.data or {}).get("version"))
