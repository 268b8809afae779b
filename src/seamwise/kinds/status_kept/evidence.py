"""What ``status_kept`` reads: statements, and the words of an authority."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import msgspec

from seamwise.kernel import OPENINGS, Evidence, Execution, Op, Record, Slot, Spec, field_is, leaves_of, stream_covers, took_effect
from seamwise.kernel.operation import DONE, NOT_DONE, STATED
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.status_kept.p import Params

OTHER = "~"
"""Stands for any name that the contract does not mention."""
OFF = "~off"
"""Stands for any status that is not on the scale."""
JUDGED = "judged"
"""The level that a judge read off a statement's text."""
TWO_LEVELS = "two levels"
"""Set on a record whose status and level are two different levels: it contradicts itself."""
ENDINGS = DONE | NOT_DONE | {"timeout"}
"""What ``status`` says of an operation's outcome; any other status, where no ``level`` is recorded, is a level."""
STATEMENTS = frozenset({"action", "statement", "message", "tool_call", "tool_result"})
"""Kinds of record that a statement is usually told by."""
MENTIONS = frozenset({"message", "state", "action", "statement"})
"""Kinds of record in which a level may turn up on its way to a statement."""


class Said(NamedTuple):
    """What a record may say on the scale."""

    levels: tuple[int, ...]
    """The levels that it may be."""
    nothing: bool
    """Whether it may be none: no word of the authority, no level on the scale."""


def _levels(op: Op, params: Params) -> Said:
    if not op.has("level"):
        return Said(tuple(range(len(params.scale))), nothing=True)
    return _exactly(op.fields["level"], params)


def _exactly(level: Any, params: Params) -> Said:
    return Said((params.scale.index(level),), nothing=False) if level in params.scale else Said((), nothing=True)


def _stated(op: Op, params: Params) -> Said:
    """What a statement says; a judge's word stands in for a level that is not recorded, where the contract lets it."""
    if params.judge and op.has(JUDGED) and not op.has("level"):
        return _exactly(op.fields[JUDGED], params)
    return _levels(op, params)


def refutes_judge(op: Op) -> bool:
    """Whether a record shows that a judge's word on it is wrong: the level that it states is recorded, and is another."""
    return op.has(JUDGED) and op.has("level") and op.fields[JUDGED] != op.fields["level"]


def effect(op: Op) -> bool | None:
    """Whether an operation took effect; None where it is open."""
    alone = not op.ended and op.call is None
    return False if alone and str(op.get("status")).lower() in NOT_DONE else took_effect(op)


def is_approval(op: Op) -> bool | None:
    """Whether an operation is an approval; None: another record of its call may say so."""
    if op.kind == "approval" or any(r.kind == "approval" for r in op.ends):
        return True
    return None if op.call is not None or not op.ended else False


def word(op: Op, params: Params) -> Said:
    """What an operation of the approvals' stream may be as a word of the authority about the subject."""
    facts = [is_approval(op), field_is(op, "actor", params.authority)]
    if params.subject is not None:
        facts.append(field_is(op, "subject", params.subject))
    took = effect(op)
    if False in facts or took is False:
        return Said((), nothing=True)
    said = _levels(op, params)
    return said if took and None not in facts else Said(said.levels, nothing=True)


class Statement(NamedTuple):
    """What a statement may be."""

    about: bool | None
    """Whether it is about the subject."""
    sent: tuple[bool, ...]
    """Whether it reached anybody."""
    said: Said


def statement(op: Op, params: Params) -> Statement:
    """What an operation may be as a statement."""
    about = True if params.subject is None else field_is(op, "subject", params.subject)
    return Statement(about, _sent(op), _stated(op, params))


def _sent(op: Op) -> tuple[bool, ...]:
    sent, took = op.get("sent"), effect(op)
    if took is False or sent is False:
        return (False,)
    # a call may have failed, whatever it was to do, until its ending says how it went
    return (True,) if sent is True and (took or op.kind == "action") else (True, False)


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one statement, or of the statements of a run."""
    mine = [r for r in evidence.records if r.source is None]
    recorded = params.statement is not None and any(r.id == params.statement for r in mine)
    scale = params.scale
    n_statements = sum(_is_statement(r, params) for r in mine) + 1 if params.over else 1

    def subjects(op: Op) -> tuple[Any, ...]:
        if params.subject is None:
            return (None,)
        return (op.fields["subject"],) if op.has("subject") else (params.subject, OTHER)

    def words(op: Op) -> Iterator[dict[str, Any]]:
        if op.has(TWO_LEVELS):
            return  # there is no way that it can have been
        if op.id == "~":  # one that says nothing for one reason need not be tried with a second one
            yield from ({"actor": params.authority, "level": level, "subject": params.subject, "status": "ok"} for level in scale)
            yield {"actor": OTHER, "level": OFF, "subject": OTHER, "status": "ok"}
            return
        said = word(op, params)
        if not said.levels:
            yield {"actor": op.get("actor"), "level": OFF, "subject": op.get("subject"), "status": "ok"}
            return
        levels = [*(scale[i] for i in said.levels), *([] if op.has("level") else [OFF])]
        actors = (op.fields["actor"],) if op.has("actor") else (params.authority, OTHER)
        statuses = ("ok",) if effect(op) and is_approval(op) else ("ok", "failed")
        for actor, level, subject, status in product(actors, levels, subjects(op), statuses):
            yield {"actor": actor, "level": level, "subject": subject, "status": status}

    def names(op: Op) -> tuple[str | None, ...]:
        if params.statement is None:
            return (op.id,)
        if params.statement in op.ids:
            return (params.statement,)
        if recorded:
            return (None,)
        # another record of its call may bear the statement's id
        return (params.statement, None) if op.call is not None or op.id == "~" else (None,)

    def statements(op: Op) -> Iterator[dict[str, Any]]:
        if op.has(TWO_LEVELS) and (params.where or params.statement in op.ids):
            return
        nothing = {"statement_id": None, "sent": False, "level": OFF, "subject": None}
        for name in names(op):
            if name is None or op.has(TWO_LEVELS):
                yield nothing if op.ended else {**nothing, "status": "ok"}
            elif op.id == "~":
                yield from ({"statement_id": name, "sent": True, "level": level, "subject": params.subject} for level in (*scale, OFF))
                yield {"statement_id": name, "sent": False, "level": OFF, "subject": params.subject}
            else:
                _, sent, said = statement(op, params)
                levels = [*(scale[i] for i in said.levels), *([OFF] if said.nothing else [])]
                for reached, level, subject in product(sent, levels, subjects(op)):
                    ending = {} if op.ended else {"status": "ok" if reached else "failed"}
                    yield {"statement_id": name, "sent": reached, "level": level, "subject": subject, **ending}

    def mentions(_: Op) -> Iterator[dict[str, Any]]:
        yield {"statement_id": None, "level": OFF}

    def one(run: Execution) -> bool:
        return params.statement is None or sum(op.get("statement_id") == params.statement for op in run) <= 1

    anchors = {r.kind for r in mine if r.id == params.statement}
    also_in = params.where if _stands_elsewhere(params, mine) else ()
    hidden = "" if recorded and not params.where else "statement"
    return Spec(
        slots=(
            Slot(
                name="approvals",
                kinds=frozenset(),
                stream=params.approvals,
                leaves=leaves_of(params.approvals, evidence),
                hidden_kind="approval",
                hidden_max=n_statements,
                fill=words,
            ),
            *(
                Slot(
                    name="statements" if params.over else f"statement {params.statement}",
                    kinds=frozenset() if stream else STATEMENTS | anchors,
                    stream=stream,
                    leaves=leaves_of(stream, evidence),
                    hidden_kind=hidden,
                    hidden_max=1,
                    fill=statements,
                )
                for stream in params.where or ("",)
            ),
            *(
                Slot(name=f"statement {name}", kinds=frozenset(), stream="", only=name, also_in=also_in, fill=statements)
                for name in ((params.statement,) if params.statement is not None and also_in else ())
            ),
            Slot(name="mentions", kinds=MENTIONS | anchors, stream="", aside=True, fill=mentions),
        ),
        axioms=one,
        prepare=_reader(params, mine),
    )


def _is_statement(r: Record, params: Params) -> bool:
    """Whether a record is surely a statement: it says whether it was sent, or is an action at a level."""
    if any(may_be_inside(s, params.approvals) for s in r.streams):
        return False
    level = r.fields.get("level", r.fields.get("status"))
    return "sent" in r.fields or (r.kind in ("action", "statement") and level in params.scale)


def infer(params: Params, evidence: Evidence) -> Params:
    """The streams of the recorded statements, where a case judges a run and does not name them."""
    if params.over is None or params.statements is not None:
        return params
    found = dict.fromkeys(s for r in evidence.records if r.source is None and _is_statement(r, params) for s in r.streams[:1])
    streams = tuple(s for s in found if not any(o != s and stream_covers(o, s) for o in found))
    return msgspec.structs.replace(params, statements=streams) if streams else params


def _stands_elsewhere(params: Params, mine: list[Record]) -> bool:
    """Whether the statement's call is recorded, and nothing of it in the statements' streams or among the approvals."""
    calls = {r.call for r in mine if r.id == params.statement and r.call is not None}
    told = [r for r in mine if r.id == params.statement or r.call in calls]
    return bool(calls and params.where) and not any(
        may_be_inside(s, stream) for r in told for s in r.streams for stream in (*params.where, params.approvals)
    )


def _reader(params: Params, mine: list[Record]) -> Callable[[Record], Record]:
    """Reads levels off statuses. All copies of a record are read alike.

    An action that says whether it was sent tells of its own ending. Where no streams are named, a statement is one wherever it stands.
    """
    settled = {r.id for r in mine if r.kind == "action" and "sent" in r.fields}
    linked = {r.id for r in mine if r.call is not None}
    levels = {r.id: r.fields["level"] for r in mine if "level" in r.fields}
    anywhere = {r.id for r in mine if _is_statement(r, params)} if params.over and params.statements is None else frozenset()

    def read(r: Record) -> Record:
        fields, kind = dict(r.fields), "statement" if r.id in settled and r.kind == "action" else r.kind
        status = fields.get("status")
        if status is not None and (status in params.scale or str(status).lower() not in ENDINGS):
            if levels.get(r.id, status) != status:
                fields[TWO_LEVELS] = True
            fields["level"] = fields.pop("status")
            if kind in STATED:
                fields["status"] = "ok"  # what has a level is no failure
        elif status is not None and kind in OPENINGS and r.id in linked:
            del fields["status"]  # what the opening of a call says of its own ending is nothing
        streams = (*r.streams, *params.where) if r.id in anywhere and params.where[0] not in r.streams else r.streams
        if fields == r.fields and kind == r.kind and streams == r.streams:
            return r
        return msgspec.structs.replace(r, fields=fields, kind=kind, streams=streams)

    return read
