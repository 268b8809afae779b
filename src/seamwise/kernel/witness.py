"""Minimal witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from seamwise.kernel.evidence import CLOCK, Evidence, Member
from seamwise.kernel.kind import Kind
from seamwise.kernel.outcome import Status
from seamwise.kernel.reading import ask

MANY = 8
"""Up to so many members are tried from the first on, without trying all of them at once."""
FEW_NEEDED = 2
"""After so many needed members it is still likely that the rest is not."""
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
    sorts = _apart(records[::-1], evidence)
    kept = frozenset(members)

    def enough(rest: Evidence) -> bool:
        return forces(kind, params, rest, status)

    for less in _droppable([m for m in members if m.sort != "record"], enough, evidence):
        evidence, kept = less.evidence, kept - less.gone
    if len(sorts) > 1:  # sorts of which nothing is needed go first, so that all other readings are of fewer records
        for sort in sorts:
            rest = evidence.without(sort)
            if enough(rest):
                evidence, kept = rest, kept.difference(sort)
    for sort in sorts:
        for less in _droppable([m for m in sort if m in kept], enough, evidence):
            evidence, kept = less.evidence, kept - less.gone
    return tuple(m for m in members if m in kept)


def _apart(records: list[Member], evidence: Evidence) -> list[list[Member]]:
    """Many records, those of one sort together: of some sorts all are needed and of others none, which few readings then show."""
    if len(records) <= FEW:
        return [records]
    of: dict[str, tuple[str, ...]] = {}
    for r in evidence.records:
        of[r.id] = (*of.get(r.id, ()), *(s.partition("/")[0] for s in r.streams))
    groups: dict[tuple[str, ...], list[Member]] = {}
    for m in records:
        groups.setdefault(of[m.name], []).append(m)
    return list(groups.values())


class _Less(NamedTuple):
    """Evidence without members that it can do without."""

    evidence: Evidence
    gone: frozenset[Member]


def _droppable(members: list[Member], enough: Callable[[Evidence], bool], evidence: Evidence) -> Iterator[_Less]:
    """Leaves out one member after the other, each for good where what is left is enough.

    Of many mostly none or few are needed: so all are tried at once, and in halves until a needed one is found, and again all after it.
    Where more are, runs are tried that grow for as long as they can be left out. INVARIANT: what stays is what trying them one by one
    leaves.
    """
    many = len(members) > MANY
    at, n_needed, reach = 0, 0, len(members) if many else 1
    while at < len(members):
        size = min(reach, len(members) - at)
        gone = frozenset(members[at : at + size])
        rest = evidence.without(gone)
        if enough(rest):
            yield _Less(rest, gone)
            evidence, at, reach = rest, at + size, 2 * reach
            continue
        # one of these is needed: the first of them is what is left when halves of what may hold it are left out
        while size > 1:
            half = frozenset(members[at : at + size // 2])
            rest = evidence.without(half)
            if enough(rest):
                yield _Less(rest, half)
                evidence, at, size = rest, at + size // 2, size - size // 2
            else:
                size //= 2
        at, n_needed = at + 1, n_needed + 1
        reach = len(members) if many and n_needed <= FEW_NEEDED else 1


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
