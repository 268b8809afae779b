"""What is decided across traces: the kept records of all of them, put together by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seamwise.audit._items import Placed
from seamwise.audit._layout import Ground
from seamwise.audit._recall import Scope
from seamwise.audit._refs import Held, Made
from seamwise.audit._scan import HeldTrace, Scanner
from seamwise.audit._told import Told
from seamwise.binding import Recording, joined
from seamwise.kernel import Context

_NO_TIME = 1 << 70


def across(
    scanner: Scanner,
    traces: Sequence[HeldTrace],
    recorded: Mapping[str, Mapping[str, Any]],
    *,
    trusted: bool,
    tables: Mapping[str, Recording] | None = None,
    distrusted: frozenset[str] = frozenset(),
) -> Iterator[Told]:
    """The results of all contracts that live across traces.

    Args:
        scanner: The pack and the options.
        traces: What was kept of each trace.
        recorded: Part of the organization -> entry -> values that traces record.
        trusted: Whether all files were read whole.
        tables: Stream -> what its systems of record say of its completeness.
        distrusted: Streams whose recording claim is not used.
    """
    agreed = {part: {entry: values[0] for entry, values in entries.items() if len(values) == 1} for part, entries in recorded.items()}
    context = joined(scanner.pack.context, Context(parts=agreed))
    counts = {
        s.name: s.recording.count
        for s in scanner.streams
        if s.recording is not None and s.recording.count is not None and s.name not in distrusted
    }
    for f, family in enumerate(scanner.families):
        mine = [t for t in traces if f in t.items]
        clock = scanner.clock if any(t.clock for t in mine) else None
        ground = Ground(context, trusted=trusted, distrusted=distrusted, counts=counts, tables=tables or {}, clock=clock)
        items = _in_order(mine, f, family.streams)
        for contract in family.contracts:
            yield from scanner.recall.told(contract, Scope("", items, Made(redact=True)), ground)


def _in_order(traces: Sequence[HeldTrace], family: int, streams: tuple[int, ...]) -> dict[int, list[Placed]]:
    """The kept records, oldest first; those without a time stand last, by trace."""
    every: list[tuple[int, str, int, int, Held]] = []
    for trace in traces:
        for n, part in trace.items[family].items():
            for item in part:
                t = item.record.fields.get("t")
                every.append((t if isinstance(t, int) else _NO_TIME, trace.trace, item.place, n, item))
    every.sort(key=_order)
    out: dict[int, list[Placed]] = {n: [] for n in streams}
    for at, (_, _, _, n, item) in enumerate(every):
        out[n].append(Placed(at, item.record, item))
    return out


def _order(entry: tuple[int, str, int, int, Held]) -> tuple[int, str, int, int]:
    return entry[:4]
