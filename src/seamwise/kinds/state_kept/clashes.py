"""Naming what contradicts itself, once it is known that something does."""

from __future__ import annotations

from itertools import combinations

from seamwise.kernel import Evidence, Member, Op, Pool, View, stream_covers, took_effect
from seamwise.kinds.state_kept.evidence import access, version_of, written
from seamwise.kinds.state_kept.p import Params
from seamwise.kinds.state_kept.walk import Walk

MAX_MEMBERS = 8
"""Of so few members every set is tried."""
WHY = "these writes and reads cannot all be: versions rise with every write, and a read returns one that was written before it"


def name_clashes(view: View, params: Params, states: Pool) -> None:
    """Records every minimal contradiction among few members; among many, pairs that contradict one another, else one minimal set.

    What was recorded on the way about these members (a count that is too small) is said anew, and only where it is minimal.
    """
    members = [m for m in view.evidence.members() if _bears(m, view, params)]
    if len(members) <= MAX_MEMBERS:
        told = {clash.members: clash.why for clash in view.clashes}
        names = frozenset(map(str, members))
        view.clashes[:] = [clash for clash in view.clashes if not clash.members <= names]
        for clash in _minimal_sets(members, view.evidence, params):
            known = frozenset(map(str, clash))
            view.clash(known, told.get(known, WHY))
        return
    for a, b in _pairs(view, params, states):
        view.clash([a, b], WHY)
    if not view.clashes:
        kept = members
        for m in members:
            rest = [x for x in kept if x != m]
            if not _agrees(view.evidence.keep(rest), params):
                kept = rest
        view.clash(map(str, kept), WHY)


def _bears(member: Member, view: View, params: Params) -> bool:
    """Whether a member can be part of a contradiction: writes, reads, claims that count them, and what orders them."""
    if member.sort == "claim":
        claims = (c for m, c in view.evidence.claim_members() if m == member)
        return any(stream_covers(c.stream, params.state_stream) or stream_covers(params.state_stream, c.stream) for c in claims)
    if any(r.after for r in view.evidence.records):
        return True
    streams = (s for r in view.evidence.records if r.id == member.name for s in r.streams)
    return any(stream_covers(params.state_stream, s) or stream_covers(s, params.state_stream) for s in streams)


def _minimal_sets(members: list[Member], evidence: Evidence, params: Params) -> list[frozenset[Member]]:
    found: list[frozenset[Member]] = []
    for size in range(1, len(members) + 1):
        for some in map(frozenset, combinations(members, size)):
            if not any(known <= some for known in found) and not _agrees(evidence.keep(some), params):
                found.append(some)
    return found


def _agrees(evidence: Evidence, params: Params) -> bool:
    """Whether the evidence has a completion."""
    view = View(evidence)
    states = view.pool(params.state_stream)
    outcomes = Walk(view, params, states, None).outcomes()
    _ = view.order  # an order that contradicts itself is a clash, whoever reads it
    return bool(outcomes) and not view.clashes


def _pairs(view: View, params: Params, states: Pool) -> list[tuple[Op, Op]]:
    """Two writes that do not rise, and a read that came before a write of its version or a lower one."""
    recorded = [op for op in states.sure if any(stream_covers(params.state_stream, s) for s in op.streams)]
    writes = sorted(((v, i) for i, op in enumerate(recorded) if (v := written(op)) is not None))
    out = [(recorded[i], recorded[j]) for (v, i), (w, j) in combinations(writes, 2) if v == w or view.precedes(recorded[j], recorded[i])]
    for read in recorded:
        version = version_of(read)
        if access(read) == "read" and took_effect(read) and version is not None:
            out += [(read, recorded[i]) for v, i in writes if v <= version and view.precedes(read, recorded[i])]
    return out
