"""What ``delivered`` reads: decisions, what was produced upstream, what was delivered, and whole inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, product
from typing import Any

import msgspec

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, by_name, leaves_of, merge, took_effect
from seamwise.kinds.delivered.p import Params, inputs

OTHER = "~"
"""Stands for any name that the contract does not mention."""


def outbox() -> str:
    """The stream of what is produced upstream."""
    return "outbox/*"


def inbox(params: Params) -> str:
    """The stream of what is delivered to the receiver."""
    return f"inbox/{params.receiver}"


def taken(op: Op) -> tuple[bool, ...]:
    """Whether a decision may have been taken, and may not: its record says that it was, unless it says `failed`."""
    if not op.ended:
        return (True, False)
    return (op.get("status") != "failed",)


def items_of(op: Op) -> tuple[str, ...]:
    """The items that a record lists; a failed delivery lists none."""
    if took_effect(op) is False:
        return ()
    listed = op.get("items")
    if listed is None:
        one = op.get("item")
        return () if one is None else (one,)
    return (listed,) if isinstance(listed, str) else tuple(listed) if isinstance(listed, (tuple, list, Mapping)) else ()


def is_whole(op: Op) -> bool:
    """Whether the record lists everything that it would hold: it says so, and there is a list."""
    return bool(op.get("whole")) and (op.has("items") or op.has("item"))


def lists_all(op: Op) -> bool:
    """Whether the record says that it lists everything it holds."""
    done = took_effect(op)
    return done is False or (done is True and is_whole(op))


def keyed(record: Record) -> Record:
    """A delivery without an inbox is in its recipients'."""
    recipients = record.fields.get("recipients")
    if record.kind == "delivery" and recipients and not any("/" in s for s in record.streams):
        return msgspec.structs.replace(record, streams=tuple(f"inbox/{r}" for r in recipients))
    return record


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one decision."""
    home = by_name(("decision", params.decision), "decision", "decisions", evidence)
    told = dict.fromkeys(i for op in merge(evidence.records).ops for i in items_of(op))
    wanted = tuple(dict.fromkeys([*params.required, *([params.marker] if params.marker else []), *told]))

    def decisions(op: Op) -> Iterator[dict[str, Any]]:
        names = (op.fields["decision"],) if op.has("decision") else (params.decision, OTHER)
        yield from ({"decision": name, "taken": done} for name, done in product(names, taken(op)))

    def messages(op: Op) -> Iterator[dict[str, Any]]:
        if op.has("item") or op.has("items"):
            yield {"items": items_of(op)}
        else:
            yield from ({"items": (item,)} for item in (*wanted, OTHER))

    def contents(op: Op, actor: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        listed = items_of(op)
        more = [i for i in wanted if i not in listed]
        sets: list[tuple[str, ...]] = [listed]
        if not lists_all(op) and not is_whole(op):
            sets = [(*listed, *s) for s in chain.from_iterable(combinations(more, k) for k in range(len(more) + 1))]
        if took_effect(op) is None:
            sets.append(())
        whose = op.fields.get("for")
        for name, for_, items in product(actor, (whose,) if op.has("for") else (params.decision, OTHER), sets):
            yield {"actor": name, "for": for_, "items": items}

    def deliveries(op: Op) -> Iterator[dict[str, Any]]:
        return contents(op, ("",))

    def whole_inputs(op: Op) -> Iterator[dict[str, Any]]:
        return contents(op, (op.fields["actor"],) if op.has("actor") else (params.receiver, OTHER))

    def one_input(run: Execution) -> bool:
        """A decision is taken once, and all that tells of its input tells the same: what was delivered for it."""
        if sum(op.get("decision") == params.decision for op in run.of_kind("decision")) > 1:
            return False
        mine = inputs(run, params)
        delivered = {i for op in mine if op.kind == "delivery" for i in op["items"]}
        return all(set(op["items"]) == delivered for op in mine if op.kind == "input")

    return Spec(
        slots=(
            Slot(name="decisions", kinds=frozenset({"decision"}), stream="decisions", hidden_kind="decision", hidden_max=1, fill=decisions),
            Slot(
                name="productions",
                kinds=frozenset({"message"}),
                stream=outbox(),
                leaves=leaves_of(outbox(), evidence),
                hidden_kind="message",
                hidden_max=1,
                fill=messages,
            ),
            Slot(
                name="deliveries",
                kinds=frozenset({"delivery"}),
                stream=inbox(params),
                range=params.decision,
                leaves=leaves_of(inbox(params), evidence),
                hidden_kind="delivery",
                hidden_max=1,
                closes={"items": "whole"},
                fill=deliveries,
            ),
            Slot(name="inputs", kinds=frozenset({"input"}), stream="", closes={"items": "whole"}, fill=whole_inputs),
        ),
        axioms=one_input,
        prepare=lambda record: home(keyed(record)),
    )
