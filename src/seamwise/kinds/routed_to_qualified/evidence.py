"""What ``routed_to_qualified`` reads: the route, what agents hold or are attested, and changes to what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, by_name, leaves_of
from seamwise.kernel.operation import OPENINGS, STATED
from seamwise.kernel.operation import took_effect as effect_of
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.routed_to_qualified.p import GRANT_KINDS, GRANTS, ROUTES, Params, score_of, tools_of

OTHER = "~"
"""Stands for any other task or tool."""
ANYBODY = "somebody else"
"""Stands for an agent that nothing mentions."""
STRANGER = "~~"
"""An agent that nothing mentions and that holds nothing, chosen where the delegate was not recorded."""
CALLS = OPENINGS | STATED | {"model_result"}
"""Kinds of record that tell of anything done by a call."""
ROUTE_KINDS = frozenset({"route", "handoff"})
OPEN = ("ok", "failed")
REFUSED = frozenset({"rejected", "refused", "denied"})
"""What a record's status can say where nothing took effect, beside ``failed``."""
GRANTED = frozenset({"accepted", "granted"})
"""What it can say where it took effect, beside ``ok``."""
ENDINGS: dict[bool | None, tuple[str, ...]] = {True: ("ok",), False: ("failed",), None: OPEN}


def took_effect(op: Op, kinds: frozenset[str]) -> tuple[str, ...]:
    """How an operation may have ended. Its record says that it took effect, unless it says otherwise; a result must have a status."""
    if op.kind not in kinds and op.kind not in CALLS:
        return ("none",)
    return ENDINGS[effect_of(op, done=GRANTED, refused=REFUSED)]


def gives(op: Op) -> tuple[bool, ...]:
    """Whether a change gives the tool or takes it: by its kind or a field ``gives``; a call that tells neither may do either."""
    if op.has("gives"):
        return (bool(op.fields["gives"]),)
    return (True,) if op.kind == "grant" else (False,) if op.kind == "revocation" else (True, False)


def may_be_told(op: Op, name: str) -> bool | None:
    """Whether the record of this id tells of the operation; None: it may, being another record of the same call."""
    return True if name in op.ids else None if op.call is not None else False


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one route."""
    records = [r for r in evidence.records if r.source is None]
    recorded = any(r.id == params.route for r in records)
    part = "tools" if params.requires_tool is not None else "attested"
    entries = evidence.context.parts.get(part, {})
    calls = {r.call for r in records if r.id == params.route and r.call is not None}
    mine = [r for r in records if r.id == params.route or r.call in calls or _in(r, ROUTES)]
    delegates = [r.fields["to"] for r in mine if r.fields.get("to") is not None]
    grantees = (
        [r.fields["grantee"] for r in records if "grantee" in r.fields and (r.kind in GRANT_KINDS or _in(r, GRANTS))]
        if params.changes
        else []
    )
    named = tuple(dict.fromkeys([*delegates, *(params.candidates or ()), *grantees, ANYBODY]))
    agents = tuple(dict.fromkeys([*named, *entries]))

    def routes(op: Op) -> Iterator[dict[str, Any]]:
        if params.route in op.ids:
            which: Sequence[tuple[str, ...]] = [(params.route,)]
        elif recorded or (op.id != "~" and may_be_told(op, params.route) is False):
            which = [()]
        else:
            which = [(), (params.route,)]
        for names in which:
            if not names:
                yield {"names": (), "status": "ok", "task": OTHER, "to": STRANGER}  # another route: nothing of it is read
                continue
            tasks = (op.fields["task"],) if op.has("task") else (OTHER,) if params.task is None else (params.task, OTHER)
            for status in took_effect(op, ROUTE_KINDS):
                for task in tasks:
                    for n, to in enumerate((op.fields["to"],) if op.get("to") is not None else (*agents, STRANGER)):
                        if n and (status != "ok" or params.task not in (None, task)):
                            break  # of a route that is none of the contract's concern, nothing is read
                        yield {"names": names, "status": status, "task": task, "to": to}

    def grants(op: Op) -> Iterator[dict[str, Any]]:
        if not params.changes:
            yield {"status": "failed", "tool": OTHER, "grantee": STRANGER, "gives": True}  # assumed away
            return
        tools = (op.fields["tool"],) if op.has("tool") else (params.requires_tool, OTHER)
        for status in took_effect(op, GRANT_KINDS):
            for tool in tools:
                bears = status == "ok" and tool == params.requires_tool
                for n, grantee in enumerate((op.fields["grantee"],) if op.has("grantee") else agents):
                    for way in (True, False) if op.id == "~" else gives(op):
                        if bears or (n == 0 and way is gives(op)[0]):
                            yield {"status": status, "tool": tool, "grantee": grantee, "gives": way}

    def told_once(run: Execution) -> bool:
        return sum(params.route in op.get("names", ()) for op in run) <= 1

    slots = [
        Slot(
            name="routes",
            kinds=frozenset(),
            stream=ROUTES,
            leaves=leaves_of(ROUTES, evidence),
            hidden_kind="route",
            hidden_max=1,
            fill=routes,
        ),
        Slot(name="routes", kinds=frozenset(), stream="", only=params.route, fill=routes),
    ]
    if params.requires_tool is not None:
        held = sum(params.requires_tool in tools_of(entry) for entry in entries.values())
        slots.append(
            Slot(
                name="grants",
                kinds=frozenset(),
                stream=GRANTS,
                leaves=leaves_of(GRANTS, evidence),
                hidden_kind="grant",
                # the delegate can lose it and another be given it; and whoever holds it can lose it
                hidden_max=max(2, min(3, held)) if params.changes else 0,
                fill=grants,
            )
        )
        slots.append(Slot(name="grants", kinds=GRANT_KINDS, stream="", fill=grants))
        values: Sequence[Any] = ((params.requires_tool,), ())
    else:
        top = max((s for e in entries.values() if (s := score_of(e)) is not None), default=0)
        values = (None, top + 1, top + 2)
    return Spec(
        slots=tuple(slots),
        context={part: dict.fromkeys(named, values)},
        axioms=told_once,
        prepare=by_name(("id", params.route), None, ROUTES, evidence, beside=(GRANTS,)),
        apart=True,
        reads_actor=False,
        says=lambda part, value: part != "attested" or score_of(value) is not None,
        reads_order=params.changes,
    )


def _in(record: Record, stream: str) -> bool:
    return any(may_be_inside(s, stream) for s in record.streams)
