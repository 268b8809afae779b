"""What the kernel says of an exported trace, measurement by measurement."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from seamwise.audit import Pack, Result, audit
from seamwise.record import Step, Trace, write_traces
from seamwise.worlds._outcome import Name
from seamwise.worlds._world import Mapped, World


def kernel_says(world: World, trace: Trace) -> dict[Name, bool | None]:
    """The measurements for which a contract stands, read off its verdicts on this trace. None: unknown (or a broken measurement)."""
    results = judged(world, trace)
    whole = is_complete(trace)
    return {
        name: _read(mapped, [r for r in results if r.contract in mapped.contracts], whole=whole)
        for name, mapped in world.measurements.items()
    }


def is_complete(trace: Trace) -> bool:
    """Whether every stream holds as many operations as its recorder counted. Else an instance that is not there may have been lost."""
    present: dict[str, set[str]] = {}
    for step in trace.steps:
        for stream in step.streams:
            present.setdefault(stream, set()).add(step.call or step.id)
    return all(len(present.get(c.stream, ())) >= c.count for c in trace.header.claims if c.sort == "recording" and c.count is not None)


def judged(world: World, *traces: Trace) -> list[Result]:
    """Every result of the world's page of policy on these traces."""
    with tempfile.TemporaryDirectory(prefix="seamwise-") as folder:
        path = Path(folder) / "trace.jsonl"
        write_traces(path, traces)
        return list(audit(path, Pack.load(world.policy), prove=False, redact=False).results)


def without(trace: Trace, gone: Iterable[str]) -> Trace:
    """The trace without some of its steps: what points at them goes too, and the claims keep their counts."""
    lost = frozenset(gone)
    kept = tuple(_detached(step, lost) for step in trace.steps if step.id not in lost)
    return Trace(header=trace.header, steps=kept)


def _detached(step: Step, lost: frozenset[str]) -> Step:
    import msgspec

    refs = tuple(r for r in step.refs if r.step not in lost)
    order = tuple(a for a in step.order if a.step not in lost)
    return step if (refs, order) == (step.refs, step.order) else msgspec.structs.replace(step, refs=refs, order=order)


def _read(mapped: Mapped, results: Sequence[Result], *, whole: bool) -> bool | None:
    statuses = {r.status for r in results}
    if "supported" in statuses:
        return mapped.supported
    if statuses - {"ruled_out", "not_applicable"}:
        return None
    if "ruled_out" in statuses:
        return not mapped.supported
    return mapped.absent if statuses or whole else None
