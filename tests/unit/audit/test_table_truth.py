"""Worlds in which it is known what was paid: whatever part of it a table and the traces tell, no verdict is wrong."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.audit import Pack, audit
from seamwise.record import Header, Step, Trace
from unit.binding.traces import CAP, LEDGER, saved

LIMIT, EACH = 40, 20
FINAL = {**CAP, "limit": LIMIT, "each": EACH, "min_actors": 2, "reversals": {"none": True, "because": "final"}}
CALLS = {
    "tool": "pay",
    "fields": {"customer": "arguments.customer", "amount": "arguments.amount", "ref": "result.ref"},
    "ok": {"path": "result.status", "equals": "done"},
}
reached: Counter[str] = Counter()


class Payment(NamedTuple):
    customer: str
    amount: int
    actor: str
    paid: bool
    booked: bool
    """Whether it is in the table; what was not paid never is."""
    traced: bool
    answered: bool
    named: bool
    """Whether the answer holds its id."""
    shown: bool
    """Whether the call shows whom it concerns."""
    told: bool
    """Whether the row shows who paid."""


payments = st.builds(
    Payment,
    customer=st.sampled_from(["c1", "c2"]),
    amount=st.sampled_from([5, 10, 15, 20]),
    actor=st.sampled_from("abc"),
    paid=st.booleans() | st.just(True),
    booked=st.booleans(),
    traced=st.booleans() | st.just(True),
    answered=st.booleans() | st.just(True),
    named=st.booleans() | st.just(True),
    shown=st.booleans() | st.just(True),
    told=st.booleans() | st.just(True),
)


def violated(world: list[Payment], customer: str) -> bool:
    mine = [p for p in world if p.customer == customer and p.paid]
    return sum(p.amount for p in mine) > LIMIT and len({p.actor for p in mine}) >= 2


def trace_of(world: list[Payment]) -> Trace:
    steps: list[Step] = []
    for n, p in enumerate(world):
        if not p.traced:
            continue
        arguments = {"amount": p.amount} | ({"customer": p.customer} if p.shown else {})
        steps.append(Step(id=f"a{n}", kind="tool_call", actor=p.actor, tool="pay", call=f"k{n}", data={"arguments": arguments}))
        if p.answered:
            result = {"status": "done" if p.paid else "refused"} | ({"ref": f"p{n}"} if p.named else {})
            steps.append(Step(id=f"b{n}", kind="tool_result", tool="pay", call=f"k{n}", status="ok", data={"result": result}))
    return Trace(header=Header(id="t"), steps=(*steps, Step(id="end", kind="note")))


def check(world: list[Payment], ledger: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [f"p{n},{p.customer},{p.amount},{p.actor if p.told else ''}\n" for n, p in enumerate(world) if p.paid and p.booked]
        (folder / "payments.csv").write_text("ref,customer,amount,by\n" + "".join(rows))
        pack = Pack(streams={"ledger": ledger}, contracts={"cap": FINAL}, base=folder)
        done = audit(saved(folder / "runs.jsonl", trace_of(world)), pack)
    for result in done.results:
        truth = violated(world, result.instance["customer"])
        reached[f"{result.status.value}, {'violated' if truth else 'kept'}"] += 1
        assert result.status.value != "supported" or truth, (result, world)
        assert result.status.value != "ruled_out" or not truth, (result, world)


def stream(**more: Any) -> dict[str, Any]:
    table = {"table": "payments.csv", "fields": {"customer": "customer", "amount": "amount", "ref": "ref"}, "actor": "by"}
    complete = more.pop("complete", True)
    return {"from": [{**table, "complete": complete}, CALLS], "key": "customer", "route": LEDGER["route"], **more}


@given(st.lists(payments, max_size=6))
@settings(max_examples=60, deadline=None)
def test_a_table_that_holds_all(world: list[Payment]) -> None:
    world = [p._replace(booked=True) for p in world]
    check(world, stream(same_as="ref"))
    check(world, stream(authority=["table:payments"]))
    check(world, stream(authority=["table:payments"], same_as="ref"))


@given(st.lists(payments, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_table_that_does_not_hold_all_and_says_so(world: list[Payment]) -> None:
    check(world, stream(same_as="ref", complete=False))
    check(world, stream(authority=["table:payments"], complete=False))


@given(st.lists(payments, max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_table_that_is_refuted_by_a_trace_is_not_believed(world: list[Payment]) -> None:
    if any(p.paid and not p.booked and p.traced and p.answered and p.named for p in world):
        check(world, stream(same_as="ref"))


def test_every_verdict_can_be_reached() -> None:
    crossing = [Payment("c1", 20, a, True, True, True, True, True, True, True) for a in "abc"]
    for world, verdict in ((crossing, "supported, violated"), (crossing[:2], "ruled_out, kept")):
        reached.clear()
        check(world, stream(same_as="ref"))
        check(world, stream(authority=["table:payments"]))
        assert reached == {verdict: 2}
