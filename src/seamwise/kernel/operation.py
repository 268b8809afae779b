"""From records to operations: copies are one record, records of one call are one operation.

The moment of an operation is that of its ending. Where only its opening was recorded, or its ending is a timeout, it may have taken
effect at any moment after the opening. Where several records tell of its ending, they tell of one moment: what lies between them
contradicts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from seamwise.kernel.evidence import Record

OPENINGS = frozenset({"tool_call", "action", "model_call"})
"""Kinds of record that open an operation; every other kind tells of its ending."""

STATED = frozenset({"tool_result", "check", "receipt"})
"""Kinds of ending whose status must be recorded; of any other kind the record itself says that it took effect, unless it says `failed`."""

ASKED = frozenset({"payload", "text"})
"""Fields of an opening that say what was asked for, not what was done: no facts of the operation, they may differ from its ending's."""


class Op:
    """One recorded operation, possibly with fields unknown. The field ``t`` is its recorded moment in Unix nanoseconds."""

    __slots__ = ("call", "ends", "fields", "ids", "kind", "opening", "openings", "since", "streams", "timed", "trace")

    def __init__(self, records: list[Record]) -> None:
        ends = [r for r in records if r.kind not in OPENINGS]
        opens = [r for r in records if r.kind in OPENINGS]
        settled = [r for r in ends if r.fields.get("status") != "timeout"]
        self.ids: tuple[str, ...] = tuple(dict.fromkeys(r.id for r in records))
        """Ids of the records that tell of it."""
        # none of these may depend on which record arrived first
        self.kind: str = min(r.kind for r in (settled or ends or opens))
        """The kind of its ending, where there is one."""
        self.call: str | None = min((r.call for r in records if r.call is not None), default=None)
        self.trace: str | None = min((r.trace for r in records if r.trace is not None), default=None)
        self.opening: dict[str, Any] = {k: v for r in opens for k, v in r.fields.items()}
        """What its opening says (a submitted payload, a requested amount)."""
        fields = {k: v for k, v in self.opening.items() if k not in ASKED}
        if ends:
            fields.pop("status", None)
        for r in ends:
            if r not in settled:
                fields.update({k: v for k, v in r.fields.items() if k not in fields and k not in ("status", "t")})
        for r in settled:
            fields.update(r.fields)
        if not settled:
            fields.pop("t", None)  # when it was asked for is not when it took effect
            if ends:
                fields["status"] = "timeout"
        self.fields: dict[str, Any] = fields
        """What is known of it; the ending's word over the opening's."""
        streams = dict.fromkeys(s for r in records for s in r.streams)
        # a keyed stream says more than its prefix
        self.streams: tuple[str, ...] = tuple(s for s in streams if not any(o.startswith(s + "/") for o in streams))
        self.openings: tuple[Record, ...] = tuple(opens)
        self.ends: tuple[Record, ...] = tuple(settled)
        """Records that fix its moment."""
        starts = [r.fields["t"] for r in opens if r.time is not None and isinstance(r.fields.get("t"), int)]
        self.since: int | None = None if settled or not starts else max(starts)
        """Where only its opening was recorded: the moment before which it cannot have taken effect."""
        self.timed: bool = bool(settled) and all(r.time is not None and r.time[0] == r.time[1] for r in settled)
        """Whether its recorded moment is that of a clock that orders records."""

    @classmethod
    def blank(cls, kind: str) -> Op:
        """An operation of which nothing is known but its kind."""
        return cls([Record(id="~", kind=kind)])

    @property
    def id(self) -> str:
        """The id of its first record."""
        return self.ids[0]

    @property
    def ended(self) -> bool:
        """Whether an ending other than a timeout was recorded."""
        return bool(self.ends)

    def get(self, field: str) -> Any:
        """The field's value, or None where it was not recorded."""
        return self.fields.get(field)

    def has(self, field: str) -> bool:
        """Whether the field was recorded."""
        return field in self.fields

    def __repr__(self) -> str:
        return f"Op({'+'.join(self.ids)} {self.kind} {self.fields})"


class Clash(NamedTuple):
    """Evidence that contradicts itself."""

    members: frozenset[str]
    """Names of the members (see ``Member.__str__``) that cannot all be true."""
    why: str


class Merged(NamedTuple):
    """Operations, and the records that could not be merged into one."""

    ops: list[Op]
    clashes: list[Clash]


def merge(records: Iterable[Record]) -> Merged:
    """Groups records into operations, in the order of their first records."""
    records = list(records)
    ids = {r.id for r in records}
    calls = [r.call for r in records if r.call is not None]
    if len(ids) == len(records) and len(set(calls)) == len(calls):
        return Merged([_alone(r) for r in records], [])
    groups: dict[str, list[Record]] = {}
    by_id: dict[str, str] = {}
    by_call: dict[str, str] = {}
    for r in records:
        key = by_id.get(r.id)
        other = by_call.get(r.call) if r.call is not None else None
        if key is None:
            key = other if other is not None else r.id
        elif other is not None and other != key:
            groups[key].extend(groups.pop(other))
            by_id.update({i: key for i, k in by_id.items() if k == other})
            by_call.update({c: key for c, k in by_call.items() if k == other})
        groups.setdefault(key, []).append(r)
        by_id[r.id] = key
        if r.call is not None:
            by_call[r.call] = key
    clashes: list[Clash] = []
    ops: list[Op] = []
    for group in groups.values():
        if len(group) > 1:
            clashes += _conflicts(group)
        ops.append(Op(group))
    return Merged(ops, clashes)


MAX_ALONE = 10_000
MAX_LEFT = 500
"""So many of them may outlive a judgement."""
_ALONE: dict[int, tuple[Record, Op]] = {}
"""Records that are an operation by themselves, by their identity: a witness is found by looking at the same records many times."""


def _alone(record: Record) -> Op:
    known = _ALONE.get(id(record))
    if known is not None:
        return known[1]  # what is held lives, so that nothing else can have its identity
    if len(_ALONE) >= MAX_ALONE:
        _ALONE.clear()
    op = Op([record])
    _ALONE[id(record)] = (record, op)
    return op


def forget() -> None:
    """Lets go of the records that were looked at, unless they are few: the next instance of a long trace reads mostly the same."""
    if len(_ALONE) > MAX_LEFT:
        _ALONE.clear()


def _conflicts(group: list[Record]) -> list[Clash]:
    """Pairs of records of one operation that say different things of one field."""
    out: list[Clash] = []
    for i, a in enumerate(group):
        for b in group[i + 1 :]:
            shared = a.fields.keys() & b.fields.keys()
            timed_out = "timeout" in (a.fields.get("status"), b.fields.get("status"))
            if timed_out:
                shared = shared - {"t"}  # when one stopped waiting is not when it took effect
            if (a.kind in OPENINGS) != (b.kind in OPENINGS):
                # what was asked for and what was done may differ, and when; of everything else the two tell the same operation
                shared = shared - ASKED - {"status", "t"}
            elif a.id != b.id and _failed_or_not(a, b):
                out.append(Clash(frozenset({a.id, b.id}), "two records of one operation differ: it took effect, and it failed"))
                continue
            for field in sorted(shared):
                x, y = a.fields.get(field), b.fields.get(field)
                if field not in a.fields or field not in b.fields or x == y or (field == "status" and "timeout" in (x, y)):
                    continue
                out.append(Clash(frozenset({a.id, b.id}), f"two records of one operation differ in `{field}`: `{x}` and `{y}`"))
                break
            else:
                if a.id == b.id and a.kind != b.kind:
                    out.append(Clash(frozenset({a.id}), f"two records of one id are of different kinds: `{a.kind}` and `{b.kind}`"))
                elif _elsewhere(a, b):
                    out.append(Clash(frozenset({a.id, b.id}), "two records of one operation stand in streams of different keys"))
    return out


DONE = frozenset({"ok", "success", "succeeded", "done", "completed"})
"""Words of a status, in lower case, that say that it took effect."""
NOT_DONE = frozenset({"failed"})


def took_effect(op: Op, *, done: frozenset[str] = frozenset(), refused: frozenset[str] = frozenset()) -> bool | None:
    """Whether an operation took effect; None where it is open.

    A record says that it did, unless it says otherwise; an opening without an ending, a result without a status, a timeout and a word
    that nobody knows leave it open.

    Args:
        op: The operation.
        done: Further words that say that it did.
        refused: Further words that say that it did not.
    """
    status = op.fields.get("status")
    if not op.ended or (status is None and op.kind in STATED):
        return None
    word = str(status).lower()
    if status is None or word in DONE or word in done:
        return True
    return False if word in NOT_DONE or word in refused else None


def _failed_or_not(a: Record, b: Record) -> bool:
    """Whether one record says that nothing took effect and the other, by being there, that it did."""
    if a.kind in STATED or b.kind in STATED or a.kind in OPENINGS:
        return False
    return (a.fields.get("status") == "failed") != (b.fields.get("status") == "failed") and "status" not in {*a.fields} & {*b.fields}


def _elsewhere(a: Record, b: Record) -> bool:
    """Whether both name keyed streams of one family and none in common."""
    families: dict[str, tuple[set[str], set[str]]] = {}
    for side, record in enumerate((a, b)):
        for s in record.streams:
            if "/" in s:
                families.setdefault(s.rsplit("/", 1)[0], (set(), set()))[side].add(s)
    return any(x and y and not x & y for x, y in families.values())
