"""Verdict cases: a compact notation for evidence, a contract and the verdict that it must give.

One case is a mapping with ``name``, ``kind``, ``params``, ``records``, ``claims``, ``context``, ``context_complete``, ``unordered`` and
``expect``; ``docs/verdict-cases.md`` describes it. List position is the order that the recorder gave. A record without ``stream`` is in
its ``channel``, else in its kind's plural; a delivery is in its recipients' inboxes and a message that carries an item in its actor's
outbox. Every stream is the only route of what it records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec

from seamwise.errors import CaseError, PackError, did_you_mean
from seamwise.kernel import Context, Evidence, Kind, Record, Status, merge, stream_covers
from seamwise.kinds import kind_of, misfit_of
from seamwise.kinds.within_total.periods import lies_in
from seamwise.record import Claim

CASE_KEYS = (
    "name", "kind", "params", "records", "claims", "context", "context_complete", "unordered", "expect", "witness", "gap", "also", "why",
)  # fmt: skip
RECORD_KEYS = ("id", "kind", "stream", "streams", "trace", "call", "t", "source")
PLURALS = {"reply": "replies", "delivery": "deliveries", "approval": "approvals", "licence": "licences"}


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One case, ready to be judged."""

    name: str
    kind: Kind[Any]
    params: Any
    evidence: Evidence
    expect: Status
    witness: tuple[tuple[str, ...], ...] = ()
    """Witnesses that the case's author names; the product may give another minimal one."""
    gap: tuple[str, ...] = ()
    also: str = ""
    why: str = ""


def load_cases(path: str | Path, *, kind: str | None = None) -> list[Case | CaseError]:
    """All cases of a YAML file (of one kind), in order; a case that cannot be expressed is its error.

    Raises:
        CaseError: The file is not a list of mappings.
    """
    import yaml

    try:
        documents = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise CaseError(f"cannot read the cases: {' '.join(str(e).split())}", where=str(path)) from e
    if not isinstance(documents, list):
        raise CaseError(f"expected a list of cases, got `{type(documents).__name__}`", where=str(path))
    out: list[Case | CaseError] = []
    names: set[str] = set()
    for n, document in enumerate(documents):
        if kind is not None and not (isinstance(document, Mapping) and document.get("kind") == kind):
            continue
        try:
            case = parse_case(document)
            if case.name in names:
                raise CaseError(f"case name `{case.name}` is used twice")
            names.add(case.name)
            out.append(case)
        except CaseError as e:
            name = document.get("name", f"case {n}") if isinstance(document, Mapping) else f"case {n}"
            out.append(CaseError(e.message, where=f"{name}{': ' + e.where if e.where else ''}", hint=e.hint))
    return out


def parse_case(document: Any) -> Case:
    """One case from its mapping.

    Raises:
        CaseError: It cannot be expressed.
    """
    if not isinstance(document, Mapping):
        raise CaseError(f"expected a mapping, got `{type(document).__name__}`")
    for key in document:
        if key not in CASE_KEYS:
            raise CaseError(f"unknown key `{key}`", hint=did_you_mean(str(key), CASE_KEYS))
    for key in ("name", "kind", "expect"):
        if key not in document:
            raise CaseError(f"`{key}` is missing")
    try:
        kind = kind_of(document["kind"])
    except PackError as e:
        raise CaseError(e.message, hint=e.hint) from e
    try:
        params = msgspec.convert(dict(document.get("params") or {}), kind.params, strict=False)
    except msgspec.ValidationError as e:
        misfit = misfit_of(e, kind.params)
        place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in misfit.path)
        raise CaseError(misfit.message, where=f"params{place}", hint=misfit.hint) from e
    try:
        expect = Status(document["expect"])
    except ValueError as e:
        raise CaseError(f"`{document['expect']}` is no verdict", hint=did_you_mean(str(document["expect"]), list(Status))) from e
    params = kind.infer(params, parse_evidence(document))
    return Case(
        name=str(document["name"]),
        kind=kind,
        params=params,
        evidence=_counted(document, kind, params),
        expect=expect,
        witness=tuple(tuple(map(str, w)) for w in document.get("witness") or ()),
        gap=tuple(map(str, document.get("gap") or ())),
        also=str(document.get("also") or ""),
        why=str(document.get("why") or ""),
    )


def _counted(document: Mapping[str, Any], kind: Kind[Any], params: Any) -> Evidence:
    """The evidence of a case, its records in the streams where the kind reads them when they are counted."""
    plain = parse_evidence(document)
    try:
        spec = kind.spec(params, plain.weighty())
    except Exception:  # a kind that cannot read the evidence says so when it judges it
        return plain
    return parse_evidence(document, spec.prepare)


def parse_evidence(document: Mapping[str, Any], reading: Callable[[Record], Record] = lambda record: record) -> Evidence:
    """The evidence of a case.

    Args:
        document: The case.
        reading: How a contract reads a record's streams; a claim without a count counts what it reads there.
    """
    places: dict[str, int] = {}
    records = tuple(_record(r, i, places, bool(document.get("unordered"))) for i, r in enumerate(document.get("records") or ()))
    claims = tuple(_claim(c, i, tuple(map(reading, records))) for i, c in enumerate(document.get("claims") or ()))
    parts = {part: {str(e): _frozen(v) for e, v in (entries or {}).items()} for part, entries in (document.get("context") or {}).items()}
    context = Context(parts=parts, complete={str(p): len(parts.get(p, {})) for p in document.get("context_complete") or ()})
    return Evidence(records=records, claims=claims, context=context, all_routes=True)


def _record(document: Any, i: int, places: dict[str, int], unordered: bool) -> Record:
    where = f"records[{i}]"
    if not isinstance(document, Mapping) or "id" not in document or "kind" not in document:
        raise CaseError("expected a mapping with `id` and `kind`", where=where)
    name, kind = str(document["id"]), str(document["kind"])
    fields = {str(k): _frozen(v) for k, v in document.items() if k not in RECORD_KEYS}
    time = None
    if document.get("t") is not None:
        moment = _moment(document["t"], where)
        time = (moment, moment)
        fields["t"] = moment
    return Record(
        id=name,
        kind=kind,
        fields=fields,
        streams=tuple(_streams(document, kind, fields)),
        call=None if document.get("call") is None else str(document["call"]),
        time=time,
        chain=None if unordered else ("case", places.setdefault(name, i)),
        trace=None if document.get("trace") is None else str(document["trace"]),
        source=None if document.get("source") is None else str(document["source"]),
    )


def _streams(document: Mapping[str, Any], kind: str, fields: Mapping[str, Any]) -> Iterator[str]:
    if document.get("streams"):
        yield from map(str, document["streams"])
    elif document.get("stream") is not None:
        yield str(document["stream"])
    elif fields.get("channel") is not None:
        yield str(fields["channel"])
    elif kind == "delivery" and fields.get("recipients"):
        for recipient in fields["recipients"]:
            yield f"inbox/{recipient}"
    elif kind == "message" and (fields.get("item") is not None or fields.get("items") is not None):
        yield f"outbox/{fields['actor']}" if fields.get("actor") else "outbox"
    elif kind == "check" and fields.get("check") is not None:
        yield f"checks/{fields['check']}"
    elif kind in ("state", "read", "licence") and fields.get("object") is not None:
        yield f"{'licences' if kind == 'licence' else 'state'}/{fields['object']}"
    else:
        yield PLURALS.get(kind, kind + "s")


def _claim(document: Any, i: int, records: tuple[Record, ...]) -> Claim:
    where = f"claims[{i}]"
    if not isinstance(document, Mapping) or "stream" not in document:
        raise CaseError("expected a mapping with `stream`", where=where)
    for key in document:
        if key not in ("stream", "range", "count", "by", "basis", "sort"):
            raise CaseError(f"unknown key `{key}`", where=where, hint=did_you_mean(str(key), ("stream", "range", "count", "by")))
    stream, part = str(document["stream"]), document.get("range")
    count = document.get("count")
    if count is None:
        mine = [r for r in records if r.source is None]
        ops = merge(mine).ops
        inside = [op for op in ops if any(stream_covers(stream, s) for s in op.streams)]
        count = sum(part is None or op.get("for") == part or _lies_in(op.get("t"), str(part)) for op in inside)
    if not isinstance(count, int) or count < 0:
        raise CaseError(f"expected a count, got `{count}`", where=f"{where}.count")
    return Claim(
        sort=document.get("sort", "recording"),
        stream=stream,
        range=None if part is None else str(part),
        count=count,
        by=str(document.get("by", "source")),
        basis=str(document.get("basis", "")),
    )


def _lies_in(t: Any, period: str) -> bool:
    """Whether a recorded moment lies in a calendar period."""
    return isinstance(t, int) and lies_in(t, period)


def _moment(value: Any, where: str) -> int:
    """Unix nanoseconds of a date (its midnight UTC), a date and time, or an ISO text."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as e:
            raise CaseError(f"expected a date or time, got `{value}`", where=f"{where}.t") from e
    if isinstance(value, datetime):
        moment: datetime = value if value.tzinfo else value.replace(tzinfo=UTC)
        whole = int((moment.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
        return whole * 10**9 + moment.microsecond * 1000
    if isinstance(value, date):
        return int((value - date(1970, 1, 1)).days) * 86_400 * 10**9
    raise CaseError(f"expected a date or time, got `{value}`", where=f"{where}.t")


def _frozen(value: Any) -> Any:
    """Lists as tuples, keys as text, so that values compare and hash."""
    if isinstance(value, list):
        return tuple(_frozen(v) for v in value)
    if isinstance(value, Mapping):
        return {str(k): _frozen(v) for k, v in value.items()}
    return value
