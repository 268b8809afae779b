"""Minimal witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from seamwise.kernel.evidence import CLOCK, Evidence, Member
from seamwise.kernel.kind import Kind
from seamwise.kernel.outcome import Status
from seamwise.kernel.reading import ask

FEW = 32
"""Up to so many records are tried in one order, the latest first, whatever they are of."""


def forces(kind: Kind[Any], params: Any, evidence: Evidence, status: Status) -> bool:
    """Whether this evidence, contradiction-free, already forces the status by the monitor's word."""
    return ask(kind, params, evidence).status is status


def minimal_witness(kind: Kind[Any], params: Any, evidence: Evidence, status: Status) -> tuple[Member, ...]:
    """A smallest-by-deletion set of members that forces the status: no member of it can be left out.

    Since deleting evidence never shrinks the set of outcomes, one pass suffices: what was needed once is needed among fewer. Context and
    claims are tried first: what records prove alone needs no claim.
    """
    members = evidence.members()
    records = [m for m in members if m.sort == "record"]
    # latest first, so that the records left are those that forced it first, and the last of them is the one that crosses
    groups = [[m for m in members if m.sort != "record"], *_apart(records[::-1], evidence)]
    kept = frozenset(members)
    for group in groups:
        for some in _droppable(group, lambda rest: forces(kind, params, rest, status), evidence):
            evidence, kept = some.evidence, kept - some.gone
    return tuple(m for m in members if m in kept)


def _apart(records: list[Member], evidence: Evidence) -> list[list[Member]]:
    """Many records, those of one sort together: of some sorts all are needed and of others none, which few readings then show."""
    if len(records) <= FEW:
        return [records]
    sorts: dict[str, tuple[str, ...]] = {}
    for r in evidence.records:
        sorts[r.id] = (*sorts.get(r.id, ()), *(s.partition("/")[0] for s in r.streams))
    groups: dict[tuple[str, ...], list[Member]] = {}
    for m in records:
        groups.setdefault(sorts[m.name], []).append(m)
    return list(groups.values())


class _Less(NamedTuple):
    """Evidence without members that it can do without."""

    evidence: Evidence
    gone: frozenset[Member]


def _droppable(members: list[Member], enough: Callable[[Evidence], bool], evidence: Evidence) -> Iterator[_Less]:
    """Leaves out one member after the other, each for good where what is left is enough.

    All of them are tried at once, and then runs that grow for as long as they can be left out, so that it takes few readings where few are
    needed. INVARIANT: what stays is what trying them one by one leaves.
    """
    at, size = 0, len(members)
    while at < len(members):
        gone = frozenset(members[at : at + size])
        rest = evidence.without(gone)
        if enough(rest):
            yield _Less(rest, gone)
            evidence, at, size = rest, at + size, 2 * size
        elif size == 1:
            at += 1
        else:
            size = 1 if size == len(members) else size // 2


def order_bases(kind: Kind[Any], params: Any, witness: Evidence, status: Status) -> tuple[str, ...]:
    """On whose word the order in a witness rests; empty where the records force the status in any order."""
    timeless = not any(r.after or r.time is not None for r in witness.records)
    if (timeless and len(witness.records) < 2) or forces(kind, params, witness.unordered(), status):
        return ()
    bases: set[str] = set()
    for chain in {r.chain[0] for r in witness.records if r.chain}:
        bases.add("clock" if chain.startswith(CLOCK) else "sequence")
    if any(r.after for r in witness.records):
        bases.add("message")
    if any(r.time for r in witness.records):
        bases.add("clock")
    return tuple(sorted(bases))
