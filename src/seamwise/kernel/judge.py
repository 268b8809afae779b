"""From evidence to a verdict: select, weigh, check integrity, ask the monitor, minimise the witness, name the gaps."""

from __future__ import annotations

from typing import Any

import msgspec

from seamwise.kernel.evidence import Evidence, Member
from seamwise.kernel.gaps import find_gaps
from seamwise.kernel.kind import Assumption, Kind
from seamwise.kernel.operation import OPENINGS, Clash, forget
from seamwise.kernel.outcome import RESOLVED, Outcome, Status
from seamwise.kernel.reading import ask
from seamwise.kernel.spec import Spec
from seamwise.kernel.verdict import Gap, Verdict
from seamwise.kernel.verify import verify_witness
from seamwise.kernel.view import View
from seamwise.kernel.witness import minimal_witness, order_bases

NOT_USER = ("source", "importer", "lock", "derived")


class Reading(msgspec.Struct, frozen=True):
    """What the monitor says of evidence, before proof and words."""

    status: Status
    possible: frozenset[Outcome]
    evidence: Evidence
    """The selected evidence that the status stands on, without what was set aside."""
    clashes: tuple[Clash, ...] = ()
    beyond: str | None = None


def judge(kind: Kind[Any], params: Any, evidence: Evidence, *, prove: bool = True, confirm: int = 0) -> Verdict:
    """The verdict of one instance.

    Args:
        kind: The contract kind.
        params: Its validated parameters.
        evidence: Everything at hand; what the contract does not read is left out.
        prove: Whether to minimise the witness, name gaps and notes. Without it the witness is everything that was read: quick, for
            counting.
        confirm: How many executions the definition may look at to confirm the witness of a supported verdict; 0: it is not asked. A
            violation that the definition does not confirm is not reported as one.

    Returns:
        A verdict. A monitor that crashes, or that the definition contradicts, gives ``not_judged`` with its error, never an exception.
    """
    try:
        verdict = _judge(kind, params, evidence, prove)
        if not confirm or verdict.status is not Status.SUPPORTED:
            return verdict
        answer = verify_witness(kind, params, evidence, verdict, budget=confirm)
        if answer == "refuted":
            return Verdict(status=Status.NOT_JUDGED, reason="the definition does not confirm the monitor's witness")
        return msgspec.structs.replace(verdict, confirmed=answer)
    except Exception as e:  # a crashing contract must not hide its neighbours' verdicts
        return Verdict(status=Status.NOT_JUDGED, reason=f"{type(e).__name__}: {e}")
    finally:
        forget()


def read(kind: Kind[Any], params: Any, evidence: Evidence) -> Reading:
    """Status and outcomes of already selected, weighty evidence, members of clashes set aside."""
    clashes: list[Clash] = []
    for _ in range(1 + len(evidence.records) + len(evidence.claims)):
        said = ask(kind, params, evidence)
        if not said.clashes:
            invalid = clashes and (said.beyond is not None or said.status not in RESOLVED)
            status = Status.MEASUREMENT_INVALID if invalid or not said.possible else said.status
            return Reading(status, frozenset() if invalid else said.possible, evidence, tuple(clashes), said.beyond)
        clashes += said.clashes
        names = {name for clash in said.clashes for name in clash.members}
        aside = [m for m in evidence.members() if str(m) in names]
        if not aside:
            raise AssertionError(f"a clash names no member of the evidence: {said.clashes[0]}")
        evidence = evidence.without(aside)
    raise AssertionError("clashes did not come to an end")


def _judge(kind: Kind[Any], params: Any, evidence: Evidence, prove: bool) -> Verdict:
    weighty = evidence.weighty()
    spec = kind.spec(params, weighty)
    weightless = tuple(r.id for r in evidence.records if r.source is not None)
    if weightless:
        # a record without authority is named only where, with authority, the contract would have read it
        named = {r.id for r in evidence.records if r.source is not None and spec.slot_of(r) is not None}
        weightless = tuple(dict.fromkeys(r for r in weightless if r in named))
    selected = spec.select(weighty)
    dropped: tuple[str, ...] = ()
    assumed = kind.assumptions(params)
    if assumed:
        refuting = kind.refuted(View(selected), params)
        if refuting:
            dropped = tuple(f"{a.name} (refuted by {', '.join(refuting)})" for a in assumed)
            params, assumed = kind.relaxed(params), ()
    twofold = _twofold(spec, selected)
    reading = Reading(Status.UNKNOWN, frozenset(Outcome), selected, (), twofold) if twofold else read(kind, params, selected)
    status = reading.status
    witness: tuple[Member, ...] | None = None
    order: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    reason = f"beyond_fragment: {reading.beyond}" if reading.beyond else None
    if status in RESOLVED:
        witness = minimal_witness(kind, params, reading.evidence, status) if prove else tuple(reading.evidence.members())
        if prove and (spec.reads_order or dropped):
            order = order_bases(kind, params, reading.evidence.keep(witness), status)
    elif status is Status.UNKNOWN and not reason:
        if prove:
            gaps = find_gaps(kind, params, reading.evidence)
        else:
            reason = "not_proved"
    leaning, without = _leaning(kind, params, reading, witness, assumed)
    verdict = Verdict(
        status=status,
        possible=reading.possible,
        witness=witness,
        order=order,
        gaps=gaps,
        reason=reason,
        clashes=reading.clashes,
        weightless=weightless,
        leaning_on=leaning,
        without=without,
        dropped=dropped,
    )
    if not prove:
        return verdict
    notes = kind.notes(View(selected), params, verdict)
    return msgspec.structs.replace(verdict, notes=tuple(notes)) if notes else verdict


def _twofold(spec: Spec, evidence: Evidence) -> str | None:
    """In words, an operation that the contract would read as two things at once (a decision and the receipt that carries it out)."""
    slots = [slot for slot in spec.slots if not slot.aside]
    if len(slots) < 2 or not (spec.apart or any(r.call is not None for r in evidence.records)):
        return None
    sorts: dict[str, dict[str, set[str]]] = {}
    for r in evidence.records:
        if not spec.apart and (r.call is None or r.kind in OPENINGS):
            continue
        mine = {slot.name for slot in slots if slot.holds(r)}
        if mine:
            sorts.setdefault(r.id if r.call is None else f"call {r.call}", {}).setdefault(r.id, set()).update(mine)
    for of in sorts.values():
        several = set.union(*of.values())
        # a record in two streams may be read as both; two records that can be of no sort in common are two things
        if len(several) > 1 and (spec.apart or not set.intersection(*of.values())):
            return f"one operation is of two sorts: {' and '.join(sorted(several))}"
    return None


def _leaning(
    kind: Kind[Any], params: Any, reading: Reading, witness: tuple[Member, ...] | None, assumed: tuple[Assumption, ...]
) -> tuple[tuple[Assumption, ...], Status | None]:
    """The user's statements that a resolved verdict leans on, and the status without any of them."""
    if witness is None:
        return (), None
    by_user = [(m, c) for m, c in reading.evidence.claim_members() if c.by.split(":")[0] not in NOT_USER]
    used = [(m, c) for m, c in by_user if m in witness]
    assumed = tuple(a for a in assumed if a.by != "case")  # ground rules of a case: dropped when refuted, leaned on by nobody
    if not assumed and not used:
        return (), None
    bare = reading.evidence.without(m for m, _ in by_user)
    relaxed = kind.relaxed(params) if assumed else params
    leaning: list[Assumption] = []
    if assumed and read(kind, relaxed, reading.evidence.keep(witness)).status is not reading.status:
        leaning += assumed
    leaning += [
        Assumption(name=str(m), words=f"`{c.stream}` {'is the only way' if c.sort == 'route' else 'is complete'}", by=c.by, because=c.basis)
        for m, c in used
    ]
    if not leaning:
        return (), None
    return tuple(leaning), read(kind, relaxed, bare).status
