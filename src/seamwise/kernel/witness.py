"""Minimal witnesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seamwise.kernel.evidence import CLOCK, Evidence, Member
from seamwise.kernel.kind import Kind
from seamwise.kernel.outcome import Status
from seamwise.kernel.reading import ask


def forces(kind: Kind[Any], params: Any, evidence: Evidence, status: Status) -> bool:
    """Whether this evidence, contradiction-free, already forces the status by the monitor's word."""
    return ask(kind, params, evidence).status is status


def minimal_witness(kind: Kind[Any], params: Any, evidence: Evidence, status: Status) -> tuple[Member, ...]:
    """A smallest-by-deletion set of members that forces the status: no member of it can be left out.

    Since deleting evidence never shrinks the set of outcomes, one pass suffices; members are tried in halves, so that a small witness in
    a large bag takes few readings. Context and claims are tried first: what records prove alone needs no claim.
    """
    members = evidence.members()
    records = [m for m in members if m.sort == "record"]
    # latest first, so that the records left are those that forced it first, and the last of them is the one that crosses
    tried = [m for m in members if m.sort != "record"] + records[::-1]
    kept = frozenset(_shrink(tried, lambda some: forces(kind, params, evidence.keep(some), status)))
    return tuple(m for m in members if m in kept)


def _shrink(members: list[Member], enough: Callable[[list[Member]], bool]) -> tuple[Member, ...]:
    kept = list(members)
    start = 0
    size = max(1, len(kept) // 2) if len(kept) > 8 else 1
    while True:
        i = start
        while i < len(kept):
            rest = kept[:i] + kept[i + size :]
            if enough(rest):
                kept = rest
            else:
                i += size
        if size == 1:
            return tuple(kept)
        size //= 2


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
