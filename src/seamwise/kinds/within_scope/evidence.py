"""What ``within_scope`` reads: what reaches requesters, what is executed for them, and their scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any, NamedTuple

import msgspec

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, leaves_of, stream_covers
from seamwise.kernel.operation import STATED
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.within_scope.p import Params

OTHER = "~"
"""Stands for any name that nothing mentions."""
ACTIONS = frozenset({"action", "tool_call", "tool_result", "receipt"})
"""Kinds of record that can tell of something executed; a message in the actions' stream only says so."""
MOVES = frozenset({"message", "tool_result", "delivery", "handoff"})
"""Kinds of record in which a value may be on its way to a requester."""
JUDGEMENT = "judgement"
"""Where a judge's recorded word is kept, so that it counts only where the contract lets it."""

MISPLACED = "misplaced"
"""Set on a record that stands among another's answers alone and names the requester as a recipient: it contradicts itself."""


class Disclosed(NamedTuple):
    """What a record gives away of the judged fields."""

    sure: tuple[str, ...]
    open: tuple[str, ...]
    """What it may give away as well: an exact match finds, it cannot exclude a paraphrase."""


def disclosed(op: Op, params: Params) -> Disclosed:
    """What an operation discloses of the judged fields."""
    fields, text, meaning = op.get("fields"), op.get("text"), op.get("discloses")
    word = op.get(JUDGEMENT) if params.judge else None
    listed = {*_listed(fields), *(word or ()), *(meaning or ())}
    # a judge's word is about a text; of a text that is not recorded it says no more than what it found
    whole = meaning is not None or (word is not None and text is not None) or is_structured(op.fields)
    sure = tuple(f for f, value in params.fields.items() if f in listed or (value is not None and _holds((text, fields), str(value))))
    return Disclosed(sure, () if whole else tuple(f for f in params.fields if f not in sure))


def refutes_judge(op: Op, params: Params) -> bool:
    """Whether a record shows that a judge's word on it is wrong: what it denies stands there, or what it found cannot be there."""
    if not op.has(JUDGEMENT):
        return False
    word = op.fields[JUDGEMENT] or ()
    plain, unsure = disclosed(op, msgspec.structs.replace(params, judge=False))
    return (op.get("text") is not None and not {*plain} <= {*word}) or not {*word} & {*params.fields} <= {*plain, *unsure}


def is_structured(told: Mapping[str, Any]) -> bool:
    """Whether a record says that it is nothing but its fields."""
    return told.get("structured") is True and isinstance(told.get("fields"), (Mapping, tuple, list))


def says_more(told: Mapping[str, Any], params: Params) -> bool:
    """Whether a record that is nothing but its fields has a text that gives away another one: it contradicts itself."""
    if not is_structured(told) or told.get("text") is None:
        return False
    fields = told["fields"]
    return any(
        value is not None and f not in fields and _holds(told["text"], str(value)) and not _holds(fields, str(value))
        for f, value in params.fields.items()
    )


def contradicts(op: Op, params: Params) -> bool:
    """Whether an operation contradicts itself: as one of the answers there is no way that it can have been."""
    return op.has(MISPLACED) or says_more(op.fields, params)


def _listed(fields: Any) -> tuple[str, ...]:
    return tuple(fields) if isinstance(fields, (Mapping, tuple, list)) else ()


def _holds(told: Any, value: str) -> bool:
    """Whether an exact value stands somewhere in a text or structure."""
    if isinstance(told, str):
        return value in told
    if isinstance(told, Mapping):
        return any(_holds(v, value) for v in told.values())
    if isinstance(told, (tuple, list)):
        return any(_holds(v, value) for v in told)
    return told is not None and str(told) == value


class Whom(NamedTuple):
    """Whom an operation of the answers' stream is for, of those whom the contract judges."""

    sure: tuple[str, ...]
    """Requesters that it surely is for."""
    open: bool
    """Whether it may be for somebody else as well; unknown is not nobody."""


def whom(op: Op | Record, params: Params) -> Whom:
    """Whom an operation that is in the answers' stream is for.

    The key of a stream is somebody whom it is for. The recorded recipients are everybody.
    """
    if params.keyed:
        return Whom((str(params.requester),), open=False)
    named = _several(op.fields.get("recipients"))
    if params.requester is not None:
        mine = params.requester in named
        return Whom((params.requester,) if mine else (), open=not named)
    keys = [s[len(params.where) + 1 :] for s in op.streams if s.startswith(params.where + "/")]
    return Whom(tuple(dict.fromkeys([*keys, *named])), open=not named)


def _several(told: Any) -> tuple[str, ...]:
    """Recorded recipients; an empty list is none that was recorded."""
    return () if told is None else (told,) if isinstance(told, str) else tuple(told)


def reached(op: Op) -> tuple[bool, ...]:
    """Whether a message may have reached those it is for: it did unless a record says that it failed, or its ending is open.

    What a tool returns must say how it went; any other record says by being there that it took effect.
    """
    if _status(op) == "failed":
        return (False,)
    return (True,) if op.ended and (op.has("status") or not any(r.kind in STATED for r in op.ends)) else (True, False)


def executed(op: Op) -> tuple[bool, ...]:
    """Whether an action may have taken effect: only its recorded outcome says so."""
    return {"ok": (True,), "failed": (False,)}.get(_status(op), (True, False))


def _status(op: Op) -> Any:
    """The recorded outcome; what the opening of a call says of its own ending is none."""
    return op.get("status") if op.ended or op.call is None else None


def hops(op: Op, params: Params) -> tuple[bool, ...]:
    """Whether it came through enough hops."""
    if params.min_hops <= 0:
        return (True,)
    n = op.get("hops")
    return (n >= params.min_hops,) if isinstance(n, int) else (True, False)


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one requester, or of all."""
    mine = [r for r in evidence.records if r.source is None]
    judged = (*params.fields, *params.actions)
    read = _reader(params, mine)
    told = [read(r) for r in mine]
    names = [params.requester] if params.requester is not None else _names(params, told, evidence)
    anybody = [*names, OTHER] if params.requester is not None else names
    enough = {True: params.min_hops, False: params.min_hops - 1}

    def readers(op: Op) -> list[tuple[str, ...]]:
        sure, unsure = whom(op, params)
        more = [(*sure, name) for name in anybody if name not in sure] if unsure else []
        return [sure, *more] if sure or not unsure else more

    def messages(op: Op) -> Iterator[dict[str, Any]]:
        if contradicts(op, params):
            if not any(stream_covers(params.where, s) for s in op.streams):
                yield {"recipients": (), "discloses": (), "status": "failed", "hops": 0, "contradicts": True}  # it may be another's
            return
        sure, unsure = disclosed(op, params)
        contents = dict.fromkeys([sure, *((*sure, f) for f in unsure), (*sure, *unsure)])
        for who, what, ok, far in product(readers(op), contents, reached(op), hops(op, params)):
            if op.id != "~" or (ok and (far or not what)):  # an unrecorded one need not be harmless for two reasons
                yield {"recipients": who, "discloses": what, "status": "ok" if ok else "failed", "hops": enough[far]}

    def actions(op: Op) -> Iterator[dict[str, Any]]:
        if op.kind not in ACTIONS:
            yield {"on_behalf_of": None, "action": OTHER, "status": "failed", "hops": 0}
            return
        someone = (op.fields["on_behalf_of"],) if op.has("on_behalf_of") else (*names, None)
        what = (op.fields["action"],) if op.has("action") else (*params.actions, OTHER)
        for who, action, ok, far in product(someone, what, executed(op), hops(op, params)):
            if op.id != "~" or (ok and far):
                yield {"on_behalf_of": who, "action": action, "status": "ok" if ok else "failed", "hops": enough[far]}

    def sound(run: Execution) -> bool:
        return not any(op.get("contradicts") for op in run.inside(params.where))

    def moves(_: Op) -> Iterator[dict[str, Any]]:
        yield {"recipients": (), "on_behalf_of": None}

    slots: list[Slot] = []
    if params.fields:
        leaves = leaves_of(params.where, evidence)
        slots.append(
            Slot(
                name="answers",
                kinds=frozenset(),
                stream=params.where,
                leaves=leaves,
                hidden_kind="message",
                hidden_max=1,
                judged=frozenset({"discloses"}),
                fill=messages,
            )
        )
    if params.actions:
        slots.append(
            Slot(
                name="actions",
                kinds=frozenset(),
                stream=params.executed,
                leaves=leaves_of(params.executed, evidence),
                hidden_kind="action",
                hidden_max=1,
                fill=actions,
            )
        )
    slots.append(Slot(name="moves", kinds=MOVES | _kinds_told(params, told), stream="", fill=moves))
    scopes = dict.fromkeys(names, _scopes(judged, len(names)))
    return Spec(slots=tuple(slots), context={"scope": scopes}, axioms=sound, prepare=read, reads_order=False)


def _names(params: Params, records: list[Record], evidence: Evidence) -> list[str]:
    """Everybody who may be a requester, and somebody else."""
    found: dict[str, None] = dict.fromkeys(evidence.context.parts.get("scope", {}))
    for r in records:
        if params.fields and any(may_be_inside(s, params.where) for s in r.streams):
            found.update(dict.fromkeys(whom(r, params).sure))
        if params.actions and isinstance(who := r.fields.get("on_behalf_of"), str):
            found[who] = None
    return [*found, OTHER]


def _scopes(judged: Sequence[str], n_names: int) -> list[tuple[str, ...]]:
    """What an unrecorded scope may allow. Allowing all and nothing decide; the sets between show what a scope would have to say."""
    if n_names > 1 or len(judged) > 3:
        return [tuple(judged), ()]
    return list(chain.from_iterable(combinations(judged, k) for k in range(len(judged), -1, -1)))


def infer(params: Params, evidence: Evidence) -> Params:
    """The stream of the recorded actions on somebody's behalf, where a case does not name it and there is just one."""
    if not params.actions or params.executed != "actions":
        return params
    found = {s for r in evidence.records if r.source is None and _is_action(r) for s in r.streams[:1]}
    return msgspec.structs.replace(params, executed=found.pop()) if len(found) == 1 else params


def _is_action(r: Record) -> bool:
    return r.kind == "action" and "on_behalf_of" in r.fields


def _reader(params: Params, mine: list[Record]) -> Callable[[Record], Record]:
    """Reads streams off recipients, and sets a judge's word apart. All copies of a record are read alike.

    What is for the requester belongs to its answers, whatever the channel; an action on somebody's behalf belongs to the actions.
    """
    base = params.where.rsplit("/", 1)[0]
    streams: dict[str, tuple[str, ...]] = {}
    misplaced: set[str] = set()
    for r in mine:
        if more := tuple(_belongs(r, params, base)):
            streams[r.id] = more
            if params.where in more and any(s.startswith(f"{base}/") for s in r.streams):
                misplaced.add(r.id)

    def read(r: Record) -> Record:
        more = tuple(s for s in streams.get(r.id, ()) if s not in r.streams)
        if not more and "discloses" not in r.fields:
            return r
        fields = dict(r.fields)
        word = fields.pop("discloses", None)
        if word is not None and params.judge:
            fields[JUDGEMENT] = word
        if r.id in misplaced:
            fields[MISPLACED] = True
        return msgspec.structs.replace(r, fields=fields, streams=(*r.streams, *more))

    return read


def _kinds_told(params: Params, records: list[Record]) -> frozenset[str]:
    """The kinds of the records that tell of answers and actions, wherever the other records of their calls were written."""
    calls = {r.call for r in records if any(stream_covers(w, s) for w in (params.where, params.executed) for s in r.streams)} - {None}
    return frozenset(r.kind for r in records if r.call in calls)


def _belongs(r: Record, params: Params, base: str) -> Iterator[str]:
    """The streams that a record is in by what it says."""
    named = _several(r.fields.get("recipients"))
    if params.fields and params.requester is not None and named and not any(stream_covers(params.where, s) for s in r.streams):
        if params.requester in named:
            yield params.where
        elif base != params.where and base in r.streams:
            yield f"{base}/{named[0]}"
    if params.actions and _is_action(r):
        family = params.executed.rsplit("/", 1)[0]
        # one that stands under another key of the same family is another's
        if not any(stream_covers(params.executed, s) or s.startswith(f"{family}/") for s in r.streams):
            yield params.executed
