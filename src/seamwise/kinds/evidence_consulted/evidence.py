"""What ``evidence_consulted`` reads: judgements with what they cite, and reads with what came back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Slot, Spec, by_name, leaves_of, took_effect, values_of
from seamwise.kernel.operation import OPENINGS, STATED
from seamwise.kinds.evidence_consulted.p import JUDGEMENTS, Params

OTHER, NOBODY = "~", "~~"
"""Two names that nothing mentions: for a judge who is not recorded, and for a reader who is not the judge."""
CALLS = OPENINGS | STATED | {"model_result"}
"""Kinds of record that tell of anything done by a call."""
JUDGED = CALLS | {"judgement", "decision", "sign_off"}
READ = CALLS | {"read"}
"""Kinds of record that tell of a read. A message only says that something was read."""
REFUSED = frozenset({"rejected", "refused", "denied"})
FOUND = frozenset({"found", "read"})
MADE = frozenset({"filed", "accepted", "published"})
ENDINGS: dict[bool | None, tuple[str, ...]] = {True: ("ok",), False: ("failed",), None: ("ok", "failed")}


def read_how(op: Op) -> tuple[str, ...]:
    """How a read may have ended. Its record says that it went well, unless it says otherwise; a result must have a status."""
    return ENDINGS[took_effect(op, done=FOUND, refused=REFUSED)] if op.kind in READ else ("none",)


def judged_how(op: Op) -> tuple[str, ...]:
    """Whether a judgement may have been made."""
    return ENDINGS[took_effect(op, done=MADE, refused=REFUSED)] if op.kind in JUDGED else ("none",)


def listed(op: Op, field: str, one: str) -> tuple[str, ...] | None:
    """The names that a record lists; None: not recorded."""
    value = op.get(field) if op.has(field) else op.get(one) if op.has(one) else None
    if value is None:
        return None
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, (tuple, list, Mapping)) else (str(value),)


def items_of(op: Op) -> tuple[str, ...] | None:
    """What a read brought back; None: not recorded."""
    return listed(op, "items", "item")


def cites_of(op: Op) -> tuple[str, ...] | None:
    """What a judgement cites; None: not recorded."""
    return listed(op, "cites", "cite")


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one judgement."""
    people = (*(str(v) for v in values_of(evidence, "actor")), OTHER, NOBODY)
    extremes = ((), params.required)
    """The more was consulted the better, so nothing and all stand for whatever is in between."""

    def actors(op: Op) -> tuple[str, ...]:
        return ("",) if params.by == "anyone" else (str(op.fields["actor"]),) if op.has("actor") else people

    def judgements(op: Op) -> Iterator[dict[str, Any]]:
        names = (op.fields["judgement"],) if op.has("judgement") else (params.judgement, OTHER)
        cited = cites_of(op)
        cites = ((),) if not params.cites else extremes if cited is None else (cited,)
        for name, status in product(names, judged_how(op)):
            for n, (actor, what) in enumerate(product(actors(op), cites)):
                if n and (name != params.judgement or status != "ok"):
                    break  # of another judgement, and of one that failed, nothing is read
                yield {"judgement": name, "status": status, "actor": actor, "cites": what}

    def reads(op: Op) -> Iterator[dict[str, Any]]:
        known = items_of(op)
        for status in read_how(op):
            for n, (actor, what) in enumerate(product(actors(op), extremes if known is None else (known,))):
                if n and (status != "ok" or (not what and actor != NOBODY)):
                    continue  # a read that brings nothing is one, whoever's it is
                yield {"status": status, "actor": actor, "items": what}

    def judged_once(run: Execution) -> bool:
        """The contract is of one operation."""
        return len([op for op in run.inside(JUDGEMENTS) if op["judgement"] == params.judgement and op["status"] != "none"]) <= 1

    return Spec(
        slots=(
            Slot(name="judgements", kinds=frozenset(), stream=JUDGEMENTS, hidden_kind="judgement", hidden_max=1, fill=judgements),
            Slot(
                name="reads",
                kinds=frozenset(),
                stream=params.stream,
                leaves=leaves_of(params.stream, evidence),
                hidden_kind="read",
                hidden_max=1,
                fill=reads,
            ),
        ),
        axioms=judged_once,
        prepare=by_name(("judgement", params.judgement), "judgement", JUDGEMENTS, evidence, beside=(params.stream,)),
        apart=True,
        reads_actor=params.by == "judge",
    )
