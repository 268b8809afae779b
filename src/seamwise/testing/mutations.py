"""Bundles of evidence for property tests: cases, bent in every way that records are bent in practice.

A bundle starts from one of a kind's cases and loses fields, records, claims, order or context, gets counts short or long by one or two,
duplicates, fuller second copies, reversals of order, foreign records, clashes, other keys and other traces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from seamwise.kernel import Context, Evidence, Record, stream_covers
from seamwise.kinds.within_total.periods import lies_in, period_of
from seamwise.record import Claim
from seamwise.testing._cases import Case

Draw = Callable[[st.SearchStrategy[Any]], Any]
replace = msgspec.structs.replace


@st.composite
def bundles(draw: Draw, cases: Sequence[Case], *, max_bends: int = 4, max_records: int = 5) -> tuple[Case, Evidence]:
    """A case of the kind and its evidence, bent up to ``max_bends`` times."""
    case = draw(st.sampled_from(list(cases)))
    evidence = case.evidence
    if draw(st.integers(0, 3)) == 3:
        case = replace(case, params=bent_params(draw, case.params, cases))
    for _ in range(draw(st.integers(0, max_bends))):
        bend = draw(st.sampled_from(BENDS))
        evidence = bend(draw, evidence, cases)
    if len(evidence.records) > max_records:
        evidence = replace(evidence, records=evidence.records[:max_records])
    return case, evidence


def bent_params(draw: Draw, params: Any, cases: Sequence[Case]) -> Any:
    """The contract with one parameter changed: a flag turned, another of the allowed words, a number moved, another case's value."""
    names = msgspec.structs.fields(type(params))
    field = _pick(draw, names)
    value = getattr(params, field.name)
    others = [getattr(c.params, field.name) for c in cases]
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, int):
        others = [value + 1, max(0, value - 1)]
    elif isinstance(field.type, type(Literal["x"])) or get_origin(field.type) is Literal:
        others = list(get_args(field.type))
    elif isinstance(value, str):
        return params  # a name: another case's would make it another instance
    try:
        bent = replace(params, **{field.name: _pick(draw, others)})
        return msgspec.convert(msgspec.to_builtins(bent), type(params), strict=False)
    except (ValueError, TypeError):
        return params  # the parameters do not go together


def _pick(draw: Draw, items: Sequence[Any]) -> Any:
    return draw(st.sampled_from(list(items)))


def _edited(evidence: Evidence, i: int, record: Record) -> Evidence:
    records = list(evidence.records)
    records[i] = record
    return replace(evidence, records=tuple(records))


def _some(draw: Draw, evidence: Evidence) -> int:
    return int(draw(st.integers(0, len(evidence.records) - 1)))


def drop_record(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record is lost."""
    if not e.records:
        return e
    i = _some(draw, e)
    return replace(e, records=e.records[:i] + e.records[i + 1 :])


def drop_field(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A field was not recorded."""
    if not e.records:
        return e
    i = _some(draw, e)
    fields = dict(e.records[i].fields)
    if fields:
        fields.pop(_pick(draw, sorted(fields)))
    return _edited(e, i, replace(e.records[i], fields=fields, time=e.records[i].time if "t" in fields else None))


def drop_claim(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A claim is lost."""
    if not e.claims:
        return e
    i = int(draw(st.integers(0, len(e.claims) - 1)))
    return replace(e, claims=e.claims[:i] + e.claims[i + 1 :])


def miscount(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A claim counts one or two more, or fewer, than are recorded."""
    if not e.claims:
        return e
    i = int(draw(st.integers(0, len(e.claims) - 1)))
    claims = list(e.claims)
    claims[i] = replace(claims[i], count=max(0, (claims[i].count or 0) + _pick(draw, (1, 1, 2, -1))))
    return replace(e, claims=tuple(claims))


def claim_more(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A stream, or the family it belongs to, is claimed complete."""
    streams = sorted({s for r in e.records for s in r.streams if s})
    if not streams:
        return e
    stream = _pick(draw, streams)
    if "/" in stream and draw(st.booleans()):
        stream = stream.rsplit("/", 1)[0]
    present = len({r.call or r.id for r in e.records if any(s == stream or s.startswith(stream + "/") for s in r.streams)})
    claim = Claim(sort="recording", stream=stream, count=present + _pick(draw, (0, 0, 1)))
    return replace(e, claims=(*e.claims, claim))


def count_a_period(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """The operations of one calendar period are counted by themselves, of one key or of all, and perhaps not rightly."""
    moments = [r.fields["t"] for r in e.records if isinstance(r.fields.get("t"), int)]
    streams = sorted({s for r in e.records for s in r.streams})
    if not moments or not streams:
        return e
    period = period_of(_pick(draw, moments) + _pick(draw, (0, 0, 0, 40 * 86_400 * 10**9)), _pick(draw, ("day", "month", "quarter", "year")))
    stream = _pick(draw, streams)
    stream = stream.rsplit("/", 1)[0] if draw(st.integers(0, 3)) == 3 else stream
    inside = {r.call or r.id for r in e.records if r.source is None and any(stream_covers(stream, s) for s in r.streams)}
    counted = {r.call or r.id for r in e.records if isinstance(r.fields.get("t"), int) and lies_in(r.fields["t"], period)} & inside
    claim = Claim(sort="recording", stream=stream, range=period, count=max(0, len(counted) + _pick(draw, (0, 0, 0, 1, 1, -1))))
    return replace(e, claims=(*e.claims, claim))


def change_field(draw: Draw, e: Evidence, cases: Sequence[Case]) -> Evidence:
    """A field has a value that the same field has elsewhere, or one seen nowhere."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    if not r.fields:
        return e
    name = _pick(draw, sorted(r.fields))
    pool = [x.fields[name] for c in cases for x in c.evidence.records if name in x.fields]
    value = _pick(draw, [*pool, "zz"] if isinstance(r.fields[name], str) else pool or [r.fields[name]])
    time = (value, value) if name == "t" and r.time is not None else r.time
    return _edited(e, i, replace(r, fields={**r.fields, name: value}, time=time))


def add_record(draw: Draw, e: Evidence, cases: Sequence[Case]) -> Evidence:
    """One more record, like one of another case of the kind."""
    pool = [r for c in cases for r in c.evidence.records]
    if not pool:
        return e
    new = _pick(draw, pool)
    at = int(draw(st.integers(0, len(e.records))))
    call = None if new.call is None else _pick(draw, (new.call, f"{new.call}x"))
    new = replace(new, id=f"n{len(e.records)}", call=call)
    if draw(st.booleans()):
        new = replace(new, time=None, fields={k: v for k, v in new.fields.items() if k != "t"})
    return in_sequence(replace(e, records=(*e.records[:at], new, *e.records[at:])))


def in_sequence(e: Evidence) -> Evidence:
    """Chain positions as the records stand, copies of one id at the first one's place."""
    places: dict[str, int] = {}
    records = [replace(r, chain=(r.chain[0], places.setdefault(r.id, i)) if r.chain else None) for i, r in enumerate(e.records)]
    return replace(e, records=tuple(records))


def copy_record(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record comes twice; the second copy may hold less."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    fields = {k: v for k, v in r.fields.items() if draw(st.booleans())}
    return replace(e, records=(*e.records, replace(r, fields=fields)))


def second_instrument(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """One call is told of by two records of different ids."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    call = r.call or f"call-{r.id}"
    e = _edited(e, i, replace(r, call=call))
    return replace(e, records=(*e.records[: i + 1], replace(r, id=f"{r.id}b", call=call), *e.records[i + 1 :]))


def swap(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """Two records change places."""
    if len(e.records) < 2:
        return e
    i, j = _some(draw, e), _some(draw, e)
    records = list(e.records)
    records[i], records[j] = records[j], records[i]
    return in_sequence(replace(e, records=tuple(records)))


def unorder(_: Draw, e: Evidence, __: Sequence[Case]) -> Evidence:
    """No order was recorded."""
    return replace(e, records=tuple(replace(r, chain=None) for r in e.records))


def chains_apart(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """Every record stands in one of two sequences that nothing relates."""
    side = {r.id: _pick(draw, ("a", "b")) for r in e.records}
    return replace(e, records=tuple(replace(r, chain=(side[r.id], r.chain[1]) if r.chain else None) for r in e.records))


def lose_time(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record's time was not recorded."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    return _edited(e, i, replace(r, time=None, fields={k: v for k, v in r.fields.items() if k != "t"}))


def lose_key(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record's key was not recorded."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    return _edited(e, i, replace(r, streams=tuple(s.rsplit("/", 1)[0] for s in r.streams)))


def other_key(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record belongs to another key."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    return _edited(e, i, replace(r, streams=tuple(f"{s.rsplit('/', 1)[0]}/other" if "/" in s else s for s in r.streams)))


def foreign(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record was written by somebody without authority."""
    if not e.records:
        return e
    i = _some(draw, e)
    return _edited(e, i, replace(e.records[i], source="public_transcript"))


def settle_differently(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """An operation failed, timed out, or its status was not recorded."""
    mine = [i for i, r in enumerate(e.records) if r.fields.get("status") in ("ok", "failed", "timeout", "accepted", "rejected")]
    if not mine:
        return e
    i = _pick(draw, mine)
    r = e.records[i]
    return _edited(e, i, replace(r, fields={**r.fields, "status": _pick(draw, ("failed", "timeout", "ok"))}))


def only_opened(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A call has no result."""
    mine = [i for i, r in enumerate(e.records) if r.kind == "tool_result"]
    if not mine:
        return e
    i = _pick(draw, mine)
    r = e.records[i]
    fields = {k: v for k, v in r.fields.items() if k != "status"}
    return _edited(e, i, replace(r, kind="tool_call", call=r.call or f"call-{r.id}", fields=fields))


def opened_too(draw: Draw, e: Evidence, cases: Sequence[Case]) -> Evidence:
    """The call of a result was recorded as well, and may say something else."""
    mine = [i for i, r in enumerate(e.records) if r.kind == "tool_result"]
    if not mine:
        return e
    i = _pick(draw, mine)
    r = e.records[i]
    call = r.call or f"call-{r.id}"
    e = _edited(e, i, replace(r, call=call))
    fields = {k: v for k, v in r.fields.items() if k != "status" and draw(st.booleans())}
    pool = [x.fields["amount"] for c in cases for x in c.evidence.records if "amount" in x.fields]
    if "amount" in fields and pool and draw(st.booleans()):
        fields["amount"] = _pick(draw, pool)
    opening = replace(r, id=f"{r.id}o", kind="tool_call", call=call, fields=fields, time=r.time if "t" in fields else None)
    return in_sequence(replace(e, records=(*e.records[:i], opening, *e.records[i:])))


def ends_elsewhere(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A call's ending was written to a stream of its own, and says nothing but how it ended."""
    mine = [i for i, r in enumerate(e.records) if r.kind in ("tool_result", "check", "receipt")]
    if not mine:
        return e
    i = _pick(draw, mine)
    r = e.records[i]
    call = r.call or f"call-{r.id}"
    fields = {k: v for k, v in r.fields.items() if k != "status"}
    ending = {k: v for k, v in r.fields.items() if k in ("status", "t")}
    opening = replace(r, id=f"{r.id}o", kind="tool_call", call=call, fields=fields)
    ended = replace(r, call=call, kind="tool_result", streams=("tool_results",), fields=ending)
    return in_sequence(replace(e, records=(*e.records[:i], opening, ended, *e.records[i + 1 :])))


def written_elsewhere(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A decision, a sign-off, a judgement, an edit or a route was written to another stream than its kind's."""
    mine = [i for i, r in enumerate(e.records) if r.kind in ("decision", "sign_off", "judgement", "edit", "route")]
    if not mine:
        return e
    i = _pick(draw, mine)
    return _edited(e, i, replace(e.records[i], streams=("board",)))


def opens_elsewhere(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record is that of a call made, in a stream of its own; how it ended is recorded, under another id, where the record was."""
    if not e.records:
        return e
    i = _some(draw, e)
    r = e.records[i]
    call = r.call or f"call-{r.id}"
    fields = {k: v for k, v in r.fields.items() if k not in ("status", "t") and draw(st.booleans())}
    opening = replace(r, call=call, kind="tool_call", streams=("tool_calls",), fields=fields, time=None)
    ended = replace(r, id=f"{r.id}e", call=call)
    return in_sequence(replace(e, records=(*e.records[:i], opening, ended, *e.records[i + 1 :])))


def toggle_whole(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A record says, or does not say, that it lists everything."""
    mine = [i for i, r in enumerate(e.records) if "items" in r.fields]
    if not mine:
        return e
    i = _pick(draw, mine)
    r = e.records[i]
    return _edited(e, i, replace(r, fields={**r.fields, "whole": not r.fields.get("whole", False)}))


def drop_context(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """A context entry, or the completeness of a part, is lost."""
    entries = [(p, x) for p, es in e.context.parts.items() for x in es]
    complete = dict(e.context.complete)
    if entries and (not complete or draw(st.booleans())):
        part, entry = _pick(draw, entries)
        parts = {p: {x: v for x, v in es.items() if (p, x) != (part, entry)} for p, es in e.context.parts.items()}
        return replace(e, context=Context(parts=parts, complete=e.context.complete))
    if complete:
        complete.pop(_pick(draw, sorted(complete)))
        return replace(e, context=Context(parts=e.context.parts, complete=complete))
    return e


def lose_routes(draw: Draw, e: Evidence, _: Sequence[Case]) -> Evidence:
    """Nobody says that the streams are the only way, or somebody does of some of them."""
    families = sorted({s.split("/")[0] for r in e.records for s in r.streams} | {c.stream.split("/")[0] for c in e.claims})
    routes = tuple(Claim(sort="route", stream=f, by="user") for f in families if draw(st.booleans()))
    return replace(e, all_routes=False, claims=(*(c for c in e.claims if c.sort != "route"), *routes))


BENDS = (
    drop_record, drop_field, drop_field, drop_claim, miscount, claim_more, count_a_period, change_field, change_field, add_record,
    add_record, copy_record, second_instrument, swap, swap, unorder, chains_apart, lose_time, lose_key, other_key, foreign,
    settle_differently, only_opened, opened_too, ends_elsewhere, written_elsewhere, opens_elsewhere, toggle_whole, drop_context,
    lose_routes,
)  # fmt: skip
