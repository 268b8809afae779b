"""What ``source_kept`` reads: statements with their labels, and what licenses a change of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Slot, Spec, leaves_of, merge, took_effect, values_of
from seamwise.kernel.operation import OPENINGS, STATED
from seamwise.kinds.source_kept.p import ABSENT, Params

OTHER, ANOTHER = "~", "~~"
"""Two values that nothing mentions."""
NOTHING = ""
"""What a statement passes on that passes on nothing."""
CALLS = OPENINGS | STATED | {"model_result"}
TELLING = CALLS | {"statement", "message", "handoff", "note", "state", "approval", "decision"}
LICENSING = CALLS | {"licence", "check", "verification", "approval"}
"""Kinds of record that license. A message only says that something was verified."""
REFUSED = frozenset({"rejected", "refused", "denied"})
DONE = frozenset({"sent", "verified", "approved", "accepted", "passed"})
ENDINGS: dict[bool | None, tuple[str, ...]] = {True: ("ok",), False: ("failed",), None: ("ok", "failed")}


def told_how(op: Op) -> tuple[str, ...]:
    """Whether a statement may have been made."""
    return ENDINGS[took_effect(op, done=DONE, refused=REFUSED)] if op.kind in TELLING else ("none",)


def licensed_how(op: Op) -> tuple[str, ...]:
    """Whether a licence may have been given."""
    return ENDINGS[took_effect(op, done=DONE, refused=REFUSED)] if op.kind in LICENSING else ("none",)


def value_of(op: Op, label: str) -> str | None:
    """The label's value: what is recorded, :data:`ABSENT` where all labels are and it is not among them; None: not recorded."""
    labels = op.get("labels")
    if isinstance(labels, Mapping):
        if label in labels:
            value = labels[label]
            return ABSENT if value is None else str(value)
        if op.get("whole"):
            return ABSENT
    return None


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one statement."""
    label = params.label
    named = [op for op in merge(evidence.weighty().records).ops if op.get("statement") == params.statement and told_how(op) != ("none",)]
    sources = {str(op.fields["of"]) for op in named if op.has("of")} if all(op.has("of") for op in named) else set()
    names = tuple(dict.fromkeys([params.statement, *(str(v) for f in ("statement", "of") for v in values_of(evidence, f))]))
    recorded = [str(v) for v in values_of(evidence, "to")]
    for record in evidence.records:
        labels = record.fields.get("labels")
        if isinstance(labels, Mapping) and labels.get(label) is not None:
            recorded.append(str(labels[label]))
    values = tuple(dict.fromkeys([*recorded, ABSENT, OTHER, ANOTHER]))
    licensed = values
    if named:  # it is told once, so no other is it; and where what it passes on is recorded, no other name is read
        names = tuple(n for n in names if n != params.statement and (not sources or n in sources))
        after = {value_of(op, label) for op in named}
        licensed = values if None in after else tuple(v for v in (*after, OTHER) if v is not None)
    people = tuple(dict.fromkeys([*([params.authority] if params.authority else []), OTHER]))

    def of(op: Op) -> tuple[str, ...]:
        return (str(op.fields["of"]),) if op.has("of") else (*names, OTHER, NOTHING)

    def statements(op: Op) -> Iterator[dict[str, Any]]:
        known = value_of(op, label)
        for name, status in product((str(op.fields["statement"]),) if op.has("statement") else (*names, OTHER), told_how(op)):
            if status != "ok":
                yield {"statement": name, "status": status, "of": NOTHING, "value": ABSENT}
                continue
            passed_on = of(op) if name == params.statement else (NOTHING,)  # what others pass on is not read
            told = (ABSENT,) if name == OTHER and sources else values if known is None else (known,)  # nor what nobody passes on
            for source, value in product(passed_on, told):
                yield {"statement": name, "status": status, "of": source, "value": value}

    def licences(op: Op) -> Iterator[dict[str, Any]]:
        actors = ("",) if params.authority is None else (str(op.fields["actor"]),) if op.has("actor") else people
        to = (str(op.fields["to"]),) if op.has("to") else licensed
        for status in licensed_how(op):
            for n, (source, value, actor) in enumerate(product(of(op), to, actors)):
                if n and status != "ok":
                    break
                yield {"status": status, "of": source, "to": value, "actor": actor}

    def told_once(run: Execution) -> bool:
        """The statement is one operation, and so is the one that it passes on."""
        inside = run.inside(params.statements)
        named = [op for op in inside if op["statement"] == params.statement and op["status"] != "none"]
        if len(named) > 1:
            return False
        if not named or named[0]["status"] != "ok":
            return True
        return len([op for op in inside if op["statement"] == named[0]["of"] and op["status"] != "none"]) <= 1

    return Spec(
        slots=(
            Slot(
                name="statements",
                kinds=frozenset(),
                stream=params.statements,
                leaves=leaves_of(params.statements, evidence),
                hidden_kind="statement",
                hidden_max=1 if named else 2,
                fill=statements,
            ),
            Slot(
                name="licences",
                kinds=frozenset(),
                stream=params.licences,
                leaves=leaves_of(params.licences, evidence),
                hidden_kind="licence",
                hidden_max=1,
                fill=licences,
            ),
        ),
        axioms=told_once,
        apart=True,
        reads_actor=params.authority is not None,
    )
