"""The evidence specification: what a contract reads, and which completions there are.

A kind says here, once and declaratively, what its predicate reads: the sorts of operation (slots), the fields of each with a small set
of representative values, the parts of the context, and what holds in every execution (axioms). The enumerator and the verifier fill
evidence in from this; the monitors do not use it, so that the two ways to a verdict share nothing but the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import msgspec

from seamwise.kernel.evidence import Context, Evidence, Record, stream_covers
from seamwise.kernel.execution import Execution
from seamwise.kernel.operation import Op
from seamwise.kernel.outcome import ALL_OUTCOMES, Outcome

Fill = Callable[[Op], Iterable[dict[str, Any]]]
"""All representative ways to complete an operation's fields; for an unrecorded one it is given an operation without any."""


def _always(_: Execution) -> bool:
    return True


def _as_it_is(record: Record) -> Record:
    return record


def _says_something(_: str, __: Any) -> bool:
    return True


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One sort of operation that a predicate reads."""

    name: str
    """For people: ``payments``, ``approvals``."""
    kinds: frozenset[str]
    """Kinds of record that can be of this sort; empty: whatever is in the stream."""
    stream: str
    """The stream that holds them all; a claim on it, or on a stream that holds it, closes the slot."""
    only: str = ""
    """The id of a record: the slot is of the one operation that it tells of, wherever that stands. Empty: of any."""
    range: str | None = None
    """The range of the stream that matters (a decision's input); None: all of it."""
    range_field: str = "for"
    """The field that says which range an operation is in."""
    leaves: tuple[str, ...] = ()
    """Streams that an operation of this sort can be in where its own key was not recorded (and where unrecorded ones are tried)."""
    also_in: tuple[str, ...] = ()
    """Streams one of which an operation of this sort may be in besides: another record of its call may stand there."""
    aside: bool = False
    """Whether it is read for notes alone: whatever else an operation is, it may be of this sort as well."""
    hidden_kind: str = ""
    """The kind of an unrecorded operation; empty: there are none (anchors that nothing else stands for)."""
    hidden_max: int = 2
    """How many unrecorded operations the enumerator tries where nothing bounds them."""
    closes: Mapping[str, str] = {}
    """Field -> flag that says it lists everything (``items`` -> ``whole``)."""
    judged: frozenset[str] = frozenset()
    """Fields that nothing records: somebody must judge them (what a text means)."""
    fill: Fill
    """Representative completions. Where the predicate reads times they hold ``t`` (Unix nanoseconds), which must agree with the order."""

    def holds(self, record: Record | Op) -> bool:
        """Whether a record can be of this sort."""
        if self.kinds and record.kind not in self.kinds:
            return False
        if self.only and self.only not in (record.ids if isinstance(record, Op) else (record.id,)):
            return False
        return not self.stream or any(may_be_inside(s, self.stream) for s in record.streams)


class Parts(NamedTuple):
    """Parts of a stream that claims can count by themselves, where no field of the operations names them: calendar periods."""

    known: Callable[[str], bool]
    """Whether a claim's range is such a part."""
    holds: Callable[[str, Mapping[str, Any]], bool]
    """Whether a completed operation with these fields lies in the part."""
    ways: Callable[[Op], Sequence[Mapping[str, Any]]]
    """Every way in which an operation that is counted, and not read, can lie in them: fields that ``holds`` looks at."""


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance of a contract reads."""

    slots: tuple[Slot, ...]
    context: Mapping[str, Mapping[str, Sequence[Any]]] = {}
    """Part -> entry -> values that an unrecorded entry may have; None among them: the entry may not exist."""
    axioms: Callable[[Execution], bool] = _always
    """What holds in every execution of this world (one input per decision, versions rise)."""
    prepare: Callable[[Record], Record] = _as_it_is
    """Reads a record's key off its fields (a delivery's recipients name the inbox); never adds what was not recorded."""
    says: Callable[[str, Any], bool] = _says_something
    """Whether the recorded value of a context part's entry says anything; one that does not is missing, and a completeness knows it."""
    parts: Parts | None = None
    """The parts of its streams that claims may count, where a field of the operations does not say it (see ``Slot.range_field``)."""
    outcomes: frozenset[Outcome] = ALL_OUTCOMES
    """The outcomes that the predicate can have at all."""
    apart: bool = False
    """Whether an operation is read as one sort alone; one that stands in the streams of two is then beyond the fragment."""
    reads_actor: bool = True
    """Whether the predicate depends on who did what. Where it does not, who asked and who answered may be two people."""
    reads_order: bool = True
    """Whether the predicate depends on the order of operations at all."""

    def slot_of(self, record: Record | Op) -> Slot | None:
        """The slot that a record can be of, or None: the contract does not read it."""
        for slot in self.slots:
            if slot.holds(record):
                return slot
        return None

    def is_part(self, range: str | None) -> bool:
        """Whether a claim's range names one of the parts."""
        return self.parts is not None and range is not None and self.parts.known(range)

    def select(self, evidence: Evidence) -> Evidence:
        """The part of the evidence that the instance reads.

        Records of its slots and the rest of their calls, claims on them, and what those claims count.
        """
        if self.prepare is not _as_it_is:
            evidence = msgspec.structs.replace(evidence, records=tuple(map(self.prepare, evidence.records)))
        claims = tuple(
            c
            for c in evidence.claims
            if any((c.range in (None, s.range) or self.is_part(c.range)) and _claim_bears(c.stream, s.stream, evidence) for s in self.slots)
        )
        counted = [c.stream for c in claims if c.sort == "recording"]
        read = [r for r in evidence.records if self.slot_of(r) is not None or any(stream_covers(c, s) for c in counted for s in r.streams)]
        # an operation is read whole: the ending of a call that is read is read, wherever it was written
        ids, calls = {r.id for r in read}, {r.call for r in read if r.call is not None}
        records = tuple(r for r in evidence.records if r.id in ids or r.call in calls)
        if not self.reads_actor and calls:
            records = tuple(_anonymous(r) if r.call is not None and "actor" in r.fields else r for r in records)
        parts = {part: evidence.context.parts.get(part, {}) for part in self.context}
        if self.says is not _says_something:
            parts = {part: {e: v for e, v in entries.items() if self.says(part, v)} for part, entries in parts.items()}
        complete = {part: n for part, n in evidence.context.complete.items() if part in self.context}
        context = Context(parts=parts, complete=complete)
        return msgspec.structs.replace(evidence, records=records, claims=claims, context=context)


def _anonymous(record: Record) -> Record:
    return msgspec.structs.replace(record, fields={k: v for k, v in record.fields.items() if k != "actor"})


def by_name(
    name: tuple[str, str], kind: str | None, stream: str, evidence: Evidence, *, beside: Sequence[str] = ()
) -> Callable[[Record], Record]:
    """Reads a record of the anchor's kind that names itself as one of the anchors' stream, wherever it was written.

    Where that stream is the only route, whatever is of its sort is in it, and its count holds it. Otherwise such a record is not read.

    Args:
        name: The field that names the anchor, and its name; ``id`` is the record's own.
        kind: The anchor's kind; None: of any.
        stream: The stream of the anchors.
        evidence: Where claims say whether the stream is the only route.
        beside: Streams whose records are read as something else.
    """
    field, value = name

    def prepare(record: Record) -> Record:
        if kind not in (None, record.kind) or (record.id if field == "id" else record.fields.get(field)) != value:
            return record
        if any(may_be_inside(s, of) for s in record.streams for of in (stream, *beside)):
            return record
        return msgspec.structs.replace(record, streams=(*record.streams, stream))

    return prepare if evidence.routed(stream) else _as_it_is


def leaves_of(stream: str, evidence: Evidence) -> tuple[str, ...]:
    """The streams that an operation without its key can be in.

    Of a keyed stream (``ledger/c1``): itself, its claimed or recorded siblings, and some other. Of a pattern (``outbox/*``): the streams
    below it that are claimed or recorded, and some other. Of a flat stream: itself and what is claimed or recorded below it.
    """
    pattern = stream.endswith("/*")
    base = stream[:-2] if pattern else stream
    named = {s for r in evidence.records for s in r.streams} | {c.stream for c in evidence.claims if c.sort == "recording"}
    below = sorted(s for s in named if s.startswith(base + "/") and not s.endswith("/*"))
    if pattern:
        return (*below, f"{base}/~")
    beside: list[str] = []
    if "/" in stream:
        family = stream.rsplit("/", 1)[0]
        beside = [*sorted(s for s in named if s.startswith(family + "/") and not s.endswith("/*")), f"{family}/~"]
    leaves = tuple(dict.fromkeys([stream, *below, *beside]))
    return leaves if len(leaves) > 1 else ()


def may_be_inside(recorded: str, stream: str) -> bool:
    """Whether an operation recorded in one stream may lie in another: the same, below it, or above it with its key not recorded."""
    return stream_covers(stream, recorded) or stream_covers(recorded, stream[:-2] if stream.endswith("/*") else stream)


def _claim_bears(claimed: str, stream: str, evidence: Evidence) -> bool:
    """Whether a claim on one stream says anything about another.

    A claim on a sibling does only where something bounds the two together.
    """
    if not stream:
        return False
    base = stream[:-2] if stream.endswith("/*") else stream
    if may_be_inside(claimed, stream):
        return True
    return _siblings(claimed, base) and any(
        c.sort == "recording" and c.stream != stream and stream_covers(c.stream, stream) and stream_covers(c.stream, claimed)
        for c in evidence.claims
    )


def _siblings(a: str, b: str) -> bool:
    return "/" in a and "/" in b and a.rsplit("/", 1)[0] == b.rsplit("/", 1)[0]


def choices(op: Op, domains: Mapping[str, Sequence[Any]]) -> Iterable[dict[str, Any]]:
    """All ways to give each field its recorded value, or one of its representative values where it was not recorded."""
    names = list(domains)
    for values in product(*((op.fields[n],) if n in op.fields else domains[n] for n in names)):
        yield dict(zip(names, values, strict=True))


def values_of(evidence: Evidence, field: str, *extra: Any) -> tuple[Any, ...]:
    """The distinct recorded values of a field, and the extra ones, in a stable order."""
    out: dict[Any, None] = {}
    for r in evidence.records:
        value = r.fields.get(field)
        if isinstance(value, (str, int, float, bool)) or (value is None and field in r.fields):
            out.setdefault(value)
    for value in extra:
        out.setdefault(value)
    return tuple(out)
