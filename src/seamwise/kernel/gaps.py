"""What is missing where the verdict is unknown: the smallest sets of things that would resolve it.

Candidates come from the evidence specification: unrecorded fields, endings, streams that nothing closes, unrecorded operations that a
claim counts, unknown order, context entries, meanings. Each is tried with representative contents against the monitor. A set whose every
content resolves the verdict ``resolves`` it whatever it says; one for which some content does ``may_resolve`` it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any, NamedTuple

import msgspec

from seamwise.kernel.evidence import Context, Evidence, Record, stream_covers
from seamwise.kernel.kind import Kind
from seamwise.kernel.operation import Op
from seamwise.kernel.outcome import RESOLVED
from seamwise.kernel.reading import ask
from seamwise.kernel.spec import Parts, Slot, Spec
from seamwise.kernel.verdict import Gap, GapSort, Need
from seamwise.kernel.view import Pool, View
from seamwise.record import Claim

Change = Callable[[Evidence], Evidence]
FEW_RECORDS = 32
"""A filling of up to so many records counts as one of so many."""
MAX_RECORDS_READ = 600 * FEW_RECORDS
"""Fillings of so many records together are tried for one verdict; what is not tried is not claimed."""
MAX_CONTENTS = 10
MAX_PAIRS = 15


class Candidate(NamedTuple):
    """A missing thing, and contents it could have, each as a change of the evidence."""

    need: Need
    contents: tuple[Change, ...]


def find_gaps(kind: Kind[Any], params: Any, evidence: Evidence) -> tuple[Gap, ...]:
    """The smallest gaps of an unknown verdict; never empty."""
    spec = kind.spec(params, evidence)
    candidates = candidate_needs(spec, View(evidence))
    left = MAX_RECORDS_READ
    least = max(FEW_RECORDS, len(evidence.records))

    def sort_of(group: Sequence[Candidate]) -> GapSort | None:
        nonlocal left
        resolved = tried = 0
        whole = True
        for changes in islice(product(*(c.contents for c in group)), 60):
            filled = evidence
            for change in changes:
                filled = change(filled)
            cost = max(FEW_RECORDS, len(filled.records))
            if cost > left:  # one of fewer records may still be tried
                whole = False
                left -= FEW_RECORDS
                break
            left -= cost
            answer = _resolved(kind, params, filled)
            if answer is None:
                continue
            tried += 1
            resolved += answer
        if not resolved:
            return None
        if any(c.need.what == "meaning" for c in group):
            return "judgement"
        return "resolves" if resolved == tried and whole else "may_resolve"

    gaps: list[Gap] = []
    for size in (1, 2, 3):
        for group in combinations(candidates, size):
            if left < least:
                break
            sort = sort_of(group)
            if sort is not None:
                gaps.append(Gap(needs=tuple(c.need for c in group), sort=sort))
        if gaps:
            return tuple(gaps)
    judged = any(c.need.what == "meaning" for c in candidates)
    return (Gap(needs=tuple(c.need for c in candidates), sort="judgement" if judged else "may_resolve"),)


def _resolved(kind: Kind[Any], params: Any, evidence: Evidence) -> bool | None:
    """Whether filled evidence resolves; None where the filling contradicts what is recorded."""
    said = ask(kind, params, evidence)
    return None if said.clashes else said.status in RESOLVED


def candidate_needs(spec: Spec, view: View) -> list[Candidate]:
    """Everything that is not recorded and that the contract reads."""
    out: list[Candidate] = []
    closers: list[Candidate] = []
    for slot in spec.slots:
        for op in view.ops:
            if spec.slot_of(op) is slot:
                out += _about(op, slot, view.evidence)
        if slot.hidden_kind:
            closers += _about_parts(slot, spec, view)
            closers += _about_stream(slot, view)
    for part, entries in spec.context.items():
        for entry, values in entries.items():
            if not view.context.known(part, entry):
                need = Need("context", f"{part}/{entry}", f"the {part} of `{entry}`")
                out.append(Candidate(need, tuple(_with_entry(part, entry, v) for v in values)))
        if not view.context.is_complete(part):
            need = Need("context", f"complete:{part}", f"that the recorded {part} are all there are")
            out.append(Candidate(need, (_all_there_is(part),)))
    out = closers + out
    if spec.reads_order:
        out += list(islice(_about_order(view), MAX_PAIRS))
    return [c for c in out if c.contents]


def _about(op: Op, slot: Slot, evidence: Evidence) -> Iterator[Candidate]:
    fills = list(islice(slot.fill(op), 400))
    if not fills:
        return
    for field in fills[0]:
        values: list[Any] = []
        for fill in fills:
            if fill[field] not in values:
                values.append(fill[field])
        if len(values) < 2:
            continue
        if field == "status" and not op.ended:
            need = Need("ending", op.call or op.id, f"the result of call `{op.call or op.id}` ({op.id})")
            yield Candidate(need, tuple(_with_ending(op, slot, fill) for fill in fills[:MAX_CONTENTS]))
        elif field in slot.judged:
            need = Need("meaning", f"{op.id}.{field}", f"a judgement of what {op.id} says ({field})")
            yield Candidate(need, tuple(_with_field(op, field, v, None) for v in values[:MAX_CONTENTS]))
        else:
            who = (op.ends or op.openings or [op])[0].id
            closed = op.has(field) and field in slot.closes
            words = f"the {'complete ' if closed else ''}{'time' if field == 't' else field} of {who}"
            need = Need("field", f"{who}.{field}", words)
            yield Candidate(need, tuple(_with_field(op, field, v, slot.closes.get(field)) for v in values[:MAX_CONTENTS]))
    if slot.leaves and not any(s in slot.leaves or "/" in s for s in op.streams):
        need = Need("field", f"{op.id}.key", f"the key of {op.id} (which of {slot.stream.rsplit('/', 1)[0]}/... it belongs to)")
        yield Candidate(need, tuple(_with_stream(op, leaf) for leaf in slot.leaves))


def _about_stream(slot: Slot, view: View) -> Iterator[Candidate]:
    if not slot.stream:
        # nothing closes a slot without a stream: only the record itself can be there
        yield Candidate(Need("record", slot.name, f"the record of {slot.name}"), tuple(_added(slot, 1)))
        return
    pool = view.pool(slot.stream, range=slot.range, range_field=slot.range_field)
    where = slot.stream if slot.range is None else f"{slot.stream}@{slot.range}"
    if not view.routed(slot.stream):
        route = Claim(sort="route", stream=slot.stream, by="source")
        yield Candidate(
            Need("route", slot.stream, f"that nothing of this kind happens beside `{slot.stream}`"),
            (lambda e: msgspec.structs.replace(e, claims=(*e.claims, route)),),
        )
    if not pool.may_hide and not pool.must_hide:
        return
    shown = slot.stream if slot.range is None else f"{slot.stream} for {slot.range}"
    if pool.hidden is None or not any(c.range == slot.range and c.stream == slot.stream for c in view.recording()):
        need = Need("stream", where, f"a complete record of `{shown}`")
        yield Candidate(need, tuple(_completed(slot, pool, view.evidence)))
    else:
        n = pool.hidden
        need = Need("record", where, f"the {n} operation{'s' if n != 1 else ''} of `{shown}` that are counted and not recorded")
        yield Candidate(need, tuple(_added(slot, n)))


def _about_parts(slot: Slot, spec: Spec, view: View) -> Iterator[Candidate]:
    """What claims on parts of the stream count beyond what is recorded in them."""
    for claim in view.recording():
        if spec.parts is None or claim.range is None or not spec.is_part(claim.range) or claim.stream != slot.stream:
            continue
        n = (claim.count or 0) - sum(_lies_in(op, claim, spec.parts) for op in view.ops)
        if n > 0:
            part = f"the {n} operation{'s' if n != 1 else ''} of `{claim.stream} for {claim.range}`"
            fills = (f for f in islice(slot.fill(Op.blank(slot.hidden_kind)), 400) if spec.parts.holds(claim.range, f))
            contents = tuple(_with_records(slot, [fill] * n, None) for fill in islice(fills, MAX_CONTENTS))
            yield Candidate(Need("record", f"{claim.stream}@{claim.range}", f"{part} that are counted and not recorded"), contents)


def _lies_in(op: Op, claim: Claim, parts: Parts) -> bool:
    """Whether an operation surely is one of those that a claim on a part of a stream counts."""
    inside = any(stream_covers(claim.stream, s) for s in op.streams)
    return inside and all(parts.holds(claim.range or "", way) for way in parts.ways(op))


def _completed(slot: Slot, pool: Pool, evidence: Evidence) -> Iterator[Change]:
    """The stream closed as it stands, and closed with one more operation of each representative sort."""
    extra = [()] + [(fill,) for fill in islice(slot.fill(Op.blank(slot.hidden_kind)), MAX_CONTENTS - 1)]
    for fills in extra:
        claim = Claim(sort="recording", stream=slot.stream, range=slot.range, count=len(pool.sure) + len(pool.candidates) + len(fills))
        yield _with_records(slot, list(fills), claim)


def _added(slot: Slot, n: int) -> Iterator[Change]:
    for fill in islice(slot.fill(Op.blank(slot.hidden_kind)), MAX_CONTENTS):
        yield _with_records(slot, [fill] * n, None)


def _with_records(slot: Slot, fills: list[dict[str, Any]], claim: Claim | None) -> Change:
    leaf = slot.leaves[0] if slot.leaves else slot.stream[:-2] + "/~" if slot.stream.endswith("/*") else slot.stream

    def change(e: Evidence) -> Evidence:
        new = []
        for i, fill in enumerate(fills):
            fields = dict(fill)
            for field, flag in slot.closes.items():
                if field in fields:
                    fields[flag] = True
            t = fill.get("t")
            new.append(
                Record(id=f"~{slot.name}{i}", kind=slot.hidden_kind, streams=(leaf,), fields=fields, time=None if t is None else (t, t))
            )
        claims = e.claims if claim is None else (*e.claims, claim)
        return msgspec.structs.replace(e, records=(*e.records, *new), claims=claims)

    return change


def _edit(op: Op, edit: Callable[[Record], Record]) -> Change:
    ids = frozenset(op.ids)

    def change(e: Evidence) -> Evidence:
        return msgspec.structs.replace(e, records=tuple(edit(r) if r.id in ids else r for r in e.records))

    return change


def _with_field(op: Op, field: str, value: Any, flag: str | None) -> Change:
    def edit(r: Record) -> Record:
        if field == "t":
            return msgspec.structs.replace(r, time=(value, value), fields={**r.fields, "t": value})
        more = {field: value} if flag is None else {field: value, flag: True}
        return msgspec.structs.replace(r, fields={**r.fields, **more})

    return _edit(op, edit)


def _with_stream(op: Op, leaf: str) -> Change:
    return _edit(op, lambda r: msgspec.structs.replace(r, streams=(*r.streams, leaf)))


def _with_ending(op: Op, slot: Slot, fill: dict[str, Any]) -> Change:
    """An ending that tells everything that the opening does not, in the stream that endings of this sort go to."""
    call = op.call or f"~{op.id}"
    told = {k: v for k, v in fill.items() if k not in op.fields or k == "status"}
    home = slot.stream or (slot.leaves[0] if slot.leaves else "")
    inside = not home or any(stream_covers(home, s) for s in op.streams)
    streams = op.streams if inside else (home,)

    def change(e: Evidence) -> Evidence:
        records = tuple(msgspec.structs.replace(r, call=call) if r.id in op.ids else r for r in e.records)
        first = next(r for r in records if r.id == op.id)
        kind = slot.hidden_kind or "tool_result"
        end = Record(id=f"~{op.id}", kind=kind, call=call, streams=streams, fields=told, chain=first.chain)
        return msgspec.structs.replace(e, records=(*records, end))

    return change


def _with_entry(part: str, entry: str, value: Any) -> Change:
    def change(e: Evidence) -> Evidence:
        parts = {**e.context.parts, part: {**e.context.parts.get(part, {}), entry: value}}
        return msgspec.structs.replace(e, context=Context(parts=parts, complete=e.context.complete))

    return change


def _all_there_is(part: str) -> Change:
    def change(e: Evidence) -> Evidence:
        count = len(e.context.parts.get(part, {}))
        return msgspec.structs.replace(e, context=Context(parts=e.context.parts, complete={**e.context.complete, part: count}))

    return change


def _about_order(view: View) -> Iterator[Candidate]:
    order = view.order
    for a, b in combinations(view.ops, 2):
        if order.precedes(a, b) or order.precedes(b, a):
            continue
        need = Need("order", f"{a.id} ? {b.id}", f"whether {a.id} came before {b.id}")
        yield Candidate(need, (_after(b, a), _after(a, b)))


def _after(late: Op, early: Op) -> Change:
    return _edit(late, lambda r: msgspec.structs.replace(r, after=(*r.after, *(x.id for x in early.ends or early.openings))))
