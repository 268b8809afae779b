"""What ``rights_held`` reads of a duty: its doings, and the records that its window is told by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, leaves_of
from seamwise.kinds.rights_held.p import Params
from seamwise.kinds.rights_held.readings import done_duty, may_be_told, recorded_or, took_effect, ways

OTHER = "~"
"""Stands for anybody else and for anything else."""


def duty_spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one duty."""
    edges = params.edges
    present = {r.id for r in evidence.records if r.source is None}
    open_edges = tuple(name for name in edges if name not in present)

    def doings(op: Op) -> Iterator[dict[str, Any]]:
        domains = {"status": done_duty(op), "actor": recorded_or(op, "actor", (params.owner, OTHER))}
        wanted: dict[str, tuple[Any, ...]] = {"status": ("ok",), "actor": (params.owner,)}
        if params.subject is not None:
            domains["subject"] = recorded_or(op, "subject", (params.subject, OTHER))
            wanted["subject"] = (params.subject,)
        names = tuple(name for name in edges if name in op.ids)
        yield from ({"names": names, **way} for way in ways(domains, wanted))

    def moments(op: Op) -> Iterator[dict[str, Any]]:
        names = tuple(name for name in edges if name in op.ids)
        for status in took_effect(op):
            yield {"names": names, "status": status}
            if op.id == "~" or any(may_be_told(op, name) is None for name in open_edges):
                yield from ({"names": (*names, name), "status": status} for name in open_edges)

    def told_once(run: Execution) -> bool:
        return all(sum(name in op.get("names", ()) for op in run) <= 1 for name in open_edges)

    slots = [
        Slot(
            name="doings",
            kinds=frozenset(),
            stream=params.where,
            leaves=leaves_of(params.where, evidence),
            hidden_kind="duty",
            hidden_max=1,
            fill=doings,
        )
    ]
    if edges:
        slots.append(
            Slot(
                name="events",
                kinds=frozenset(),
                stream=params.edge_stream,
                leaves=leaves_of(params.edge_stream, evidence),
                hidden_kind="event",
                hidden_max=len(open_edges),
                fill=moments,
            )
        )
    told = Spec(slots=tuple(slots), axioms=told_once)
    return told if not edges or params.events is not None else msgspec.structs.replace(told, prepare=_marking(params, evidence))


def _marking(params: Params, evidence: Evidence) -> Any:
    """Puts the records that tell of the window's edges, and the others of their calls, where they are looked for."""
    edges = params.edges
    calls = {r.call for r in evidence.records if r.id in edges and r.call is not None}

    def prepare(record: Record) -> Record:
        if record.id in edges or (record.call is not None and record.call in calls):
            return msgspec.structs.replace(record, streams=(*record.streams, params.edge_stream))
        return record

    return prepare
