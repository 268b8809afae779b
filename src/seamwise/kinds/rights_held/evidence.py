"""What ``rights_held`` reads of an edit: edits, authorizations, and who holds the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, by_name, leaves_of
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.rights_held.evidence_duty import duty_spec
from seamwise.kinds.rights_held.p import EDITS, Params, holders_of
from seamwise.kinds.rights_held.readings import may_be_told, recorded_or, took_effect, ways, withdraws

OTHER = "~"
"""Stands for any name that nothing mentions and that holds no right."""
HOLDER = "~holder"
"""Stands for a holder that nothing mentions, where the holders were not recorded."""
NOBODY = "~nobody"
"""A grantee who edits nothing."""
APPROVALS = frozenset({"approval"})
EDIT_KINDS = frozenset({"edit"})


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one instance."""
    return edit_spec(params, evidence) if params.duty is None else duty_spec(params, evidence)


def edit_spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one edit."""
    edit, action = params.edit or "", params.action or ""
    records = [r for r in evidence.records if r.source is None]
    recorded = any(r.id == edit for r in records)
    approvals = [r for r in records if _in(r, params.where) and r.fields.get("action", action) == action]
    known = evidence.context.known("rights", action)
    holder = holders_of(evidence.context.parts.get("rights", {}), action)[:1] if known else (HOLDER,)
    calls = {r.call for r in records if r.id == edit and r.call is not None}
    of_it = [r for r in records if r.id == edit or r.call in calls]
    editors = [r.fields["actor"] for r in (*of_it, *(r for r in records if _in(r, EDITS) and r.call is not None)) if "actor" in r.fields]
    told = any("actor" in r.fields for r in of_it)
    names = tuple(dict.fromkeys(editors if told else [*editors, *(r.fields["grantee"] for r in approvals if "grantee" in r.fields), OTHER]))
    grantors = [r.fields["actor"] for r in approvals if "actor" in r.fields]

    def edits(op: Op) -> Iterator[dict[str, Any]]:
        if edit in op.ids:
            which: Sequence[tuple[str, ...]] = [(edit,)]
        elif recorded or (op.id != "~" and may_be_told(op, edit) is False):
            which = [()]
        else:
            which = [(), (edit,)]
        for told_by in which:
            if not told_by:
                yield {"names": (), "status": "ok", "action": action, "actor": OTHER}  # another edit: nothing of it is read
                continue
            domains = {
                "status": took_effect(op, kinds=EDIT_KINDS),
                "action": recorded_or(op, "action", (action, OTHER)),
                "actor": recorded_or(op, "actor", (*holder, *names)),
            }
            yield from ({"names": told_by, **way} for way in ways(domains, {"status": ("ok",), "action": (action,)}))

    def authorizations(op: Op) -> Iterator[dict[str, Any]]:
        domains = {
            "status": took_effect(op, kinds=APPROVALS),
            "action": recorded_or(op, "action", (action, OTHER)),
            "actor": recorded_or(op, "actor", (*holder, OTHER)),
            "grantee": recorded_or(op, "grantee", (*names, NOBODY)),
            "withdrawn": (False, True) if op.id == "~" else withdraws(op),
        }
        holders = holders_of(evidence.context.parts.get("rights", {}), action) if known else (HOLDER, *grantors)
        yield from ways(domains, {"status": ("ok",), "action": (action,), "actor": holders, "grantee": names})

    def told_once(run: Execution) -> bool:
        return sum(edit in op.get("names", ()) for op in run) <= 1

    people = dict.fromkeys([*editors, *grantors, HOLDER])
    sets = chain.from_iterable(combinations(people, k) for k in range(len(people) + 1))
    return Spec(
        slots=(
            Slot(name="edits", kinds=frozenset(), stream=EDITS, hidden_kind="edit", hidden_max=1, fill=edits),
            Slot(name="edits", kinds=frozenset(), stream="", only=edit, fill=edits),
            Slot(
                name="authorizations",
                kinds=frozenset(),
                stream=params.where,
                leaves=leaves_of(params.where, evidence),
                hidden_kind="approval",
                hidden_max=1,
                fill=authorizations,
            ),
        ),
        context={"rights": {action: () if known else tuple(sets)}},
        axioms=told_once,
        prepare=by_name(("id", edit), None, EDITS, evidence, beside=(params.where,)),
        apart=True,
    )


def _in(record: Record, stream: str) -> bool:
    return any(may_be_inside(s, stream) for s in record.streams)
