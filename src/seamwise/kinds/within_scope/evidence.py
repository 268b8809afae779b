"""What ``within_scope`` reads: what reaches requesters, what is executed for them, and their scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Any

import msgspec

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, leaves_of, stream_covers
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.within_scope.p import Params
from seamwise.kinds.within_scope.readings import (
    ACTIONS,
    JUDGEMENT,
    MISPLACED,
    MOVES,
    behalf,
    contradicts,
    disclosed,
    hops,
    recipients,
    stands_inside,
    ways,
    whom,
)

OTHER = "~"
"""Stands for any name that nothing mentions."""


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one requester, or of all."""
    mine = [r for r in evidence.records if r.source is None]
    judged = (*params.fields, *params.actions)
    read = _reader(params, mine)
    names = [params.requester] if params.requester is not None else _names(params, [read(r) for r in mine], evidence)
    anybody = [*names, OTHER] if params.requester is not None else names
    enough = {True: params.min_hops, False: params.min_hops - 1}

    def readers(op: Op) -> list[tuple[str, ...]]:
        sure, unsure = whom(op, params)
        more = [(*sure, name) for name in anybody if name not in sure] if unsure else []
        return [sure, *more] if sure or not unsure else more

    def contents(op: Op) -> list[tuple[str, ...]]:
        sure, unsure = disclosed(op, params)
        return list(dict.fromkeys([sure, *((*sure, f) for f in unsure), (*sure, *unsure)]))

    def deeds(op: Op) -> list[dict[str, Any]]:
        if not params.actions or op.kind not in ACTIONS or not any(may_be_inside(s, params.executed) for s in op.streams):
            return [{"on_behalf_of": None, "action": OTHER}]
        someone = (behalf(op),) if op.has("on_behalf_of") else (*names, None)
        what = (op.fields["action"],) if op.has("action") else (*params.actions, OTHER)
        return [{"on_behalf_of": who, "action": action} for who, action in product(someone, what)]

    def messages(op: Op) -> Iterator[dict[str, Any]]:
        if contradicts(op, params):
            if not stands_inside(op, params.where):  # it may be another's
                nothing = {"recipients": (), "discloses": (), "status": "failed", "hops": 0}
                yield {**nothing, "on_behalf_of": None, "action": OTHER, "contradicts": True}
            return
        for who, what, ok, far in product(readers(op), contents(op), ways(op), hops(op, params)):
            if op.id != "~" or (ok and (far or not what)):  # an unrecorded one need not be harmless for two reasons
                told = {"recipients": who, "discloses": what, "status": "ok" if ok else "failed", "hops": enough[far]}
                yield from ({**told, **deed} for deed in deeds(op))

    def actions(op: Op) -> Iterator[dict[str, Any]]:
        blank = op.id == "~"
        some = (
            [{"on_behalf_of": who, "action": what} for who in (*names, None) for what in (*params.actions, OTHER)] if blank else deeds(op)
        )
        for deed, ok, far in product(some, ways(op), hops(op, params)):
            if not blank or (ok and far):
                yield {**deed, "status": "ok" if ok else "failed", "hops": enough[far]}

    def moves(_: Op) -> Iterator[dict[str, Any]]:
        yield {"recipients": (), "on_behalf_of": None}

    def sound(run: Execution) -> bool:
        return not any(op.get("contradicts") for op in run.inside(params.where))

    answers = Slot(
        name="answers",
        kinds=frozenset(),
        stream=params.where,
        leaves=leaves_of(params.where, evidence),
        hidden_kind="message",
        hidden_max=1,
        judged=frozenset({"discloses"}),
        fill=messages,
    )
    executions = Slot(
        name="actions",
        kinds=frozenset(),
        stream=params.executed,
        leaves=leaves_of(params.executed, evidence),
        hidden_kind="action",
        hidden_max=1,
        fill=actions,
    )
    slots = [*([answers] if params.fields else []), *([executions] if params.actions else [])]
    return Spec(
        slots=(*slots, Slot(name="moves", kinds=MOVES, stream="", aside=True, fill=moves)),
        context={"scope": dict.fromkeys(names, _scopes(judged, len(names)))},
        axioms=sound,
        prepare=read,
        reads_actor=False,
        reads_order=False,
    )


def _names(params: Params, records: list[Record], evidence: Evidence) -> list[str]:
    """Everybody who may be a requester, and somebody else."""
    found: dict[str, None] = dict.fromkeys(evidence.context.parts.get("scope", {}))
    for r in records:
        if params.fields and any(may_be_inside(s, params.where) for s in r.streams):
            found.update(dict.fromkeys(whom(r, params).sure))
        if params.actions and (who := behalf(r)) is not None:
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


def _belongs(r: Record, params: Params, base: str) -> Iterator[str]:
    """The streams that a record is in by what it says."""
    acts = params.actions and _is_action(r)
    named = recipients(r)
    if named and params.fields and params.requester is not None and not acts and not any(stream_covers(params.where, s) for s in r.streams):
        if params.requester in named:
            yield params.where
        elif base != params.where and base in r.streams:
            yield f"{base}/{named[0]}"
    if acts:
        family = params.executed.rsplit("/", 1)[0]
        # one that stands under another key of the same family is another's
        if not any(stream_covers(params.executed, s) or s.startswith(f"{family}/") for s in r.streams):
            yield params.executed
