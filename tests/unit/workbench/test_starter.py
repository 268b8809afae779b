"""The starter: whatever the recordings hold, the page that is written loads, as it is and with all of it switched on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.binding import Pack
from seamwise.record import Header, Step, Trace
from seamwise.workbench import Inventory, inventory, preview, starter
from seamwise.workbench._inventory import _Look
from unit.binding.traces import run, saved

ROOT = Path(__file__).parents[3]
RECORDINGS = [ROOT / "examples" / "refund_desk" / "recording.otlp.jsonl", ROOT / "examples" / "first" / "trace.jsonl"]


def switched_on(page: str) -> str:
    """The page with every line that is switched off switched on."""
    return re.sub(r"^( *)# ", r"\1", page, flags=re.MULTILINE)


def seen_in(*steps: Step) -> Inventory:
    look = _Look()
    look.at(steps)
    return look.out


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.parent.name)
def test_it_loads_as_it_is_and_with_everything_switched_on(path: Path) -> None:
    page = starter(inventory(path))
    pack = Pack.parse(page)
    assert pack.contracts == ()
    whole = Pack.parse(switched_on(page))
    assert set(pack.streams) <= set(whole.streams)
    shown = preview(path, pack)
    assert all(stream.n for stream in shown.streams)
    assert not any(field.unparsed for stream in shown.streams for field in stream.fields)


def test_the_refund_desk_suggests_its_contracts() -> None:
    seen = inventory(RECORDINGS[0])
    assert (seen.n_traces, seen.n_steps) == (29, 1075)
    credit = seen.tools["issue_credit"]
    assert (credit.calls, credit.ok, credit.failed, credit.unstated, credit.open) == (17, 15, 1, 1, 0)
    assert credit.paths["arguments.customer_id"].samples == ("c17", "c3", "c8")
    assert credit.paths["arguments.customer_id"].distinct == 7
    assert seen.tools["refund"].texts[0] == "issued (ref 471)"
    page = switched_on(starter(seen))
    assert {c.name: c.kind.name for c in Pack.parse(page).contracts} == {
        "total-within-limit": "within_total",
        "checked-before": "check_done",
        "only-holders": "rights_held",
        "nothing-beyond-scope": "within_scope",
        "to-whom-can-do-it": "routed_to_qualified",
    }
    assert "unit: USD cents" in page
    assert "ok: {path: result.status, equals: done}" in page


def test_currencies_nested_names_refunds_and_approvals_are_guessed_at() -> None:
    def called(n: int, tool: str, actor: str, **arguments: Any) -> Step:
        return Step(id=f"s{n}", kind="tool_call", tool=tool, actor=actor, call=f"k{n}", data={"arguments": arguments})

    steps = (
        called(1, "book_flight", "booker", customer="K-1", price_eur=700),
        called(2, "book_hotel", "claims", guest={"id": "K-1"}, total_cents=70050),
        called(3, "refund", "claims", customer="K-1", booking="B1", amount_eur=700),
        called(4, "approve_refund", "concierge", booking="B1", amount=700),
    )
    page = starter(seen_in(*steps))
    whole = Pack.parse(switched_on(page))
    assert "USD" not in page
    assert "unit: EUR}" in page
    cap, checked = (next(c for c in whole.contracts if c.name == name) for name in ("total-within-limit", "checked-before"))
    assert cap.params(key="K-1").currency == "EUR"
    assert [rule.tools for rule in whole.streams["ledger"].rules] == [("book_flight",), ("book_hotel",)]
    assert "{party: arguments.guest.id, amount: {path: arguments.total_cents, unit: EUR cents}}" in page
    assert "refund may take some of it back, and is left out" in page
    assert checked.given["check"] == "approve_refund"
    assert "{tool: refund, as: sign_off, fields: {subject: arguments.booking}}" in page
    assert "    # key: id" in page


def test_secrets_are_masked() -> None:
    secret = "ghp_" + "a1B2" * 9
    steps = (
        Step(id="a", kind="tool_call", tool="login", call="k", data={"arguments": {"password": "hunter2222", "note": f"use {secret}"}}),
        Step(id="b", kind="tool_result", tool="login", call="k", text=f"token {secret}"),
    )
    page = starter(seen_in(*steps))
    assert secret not in page
    assert "hunter2222" not in page
    assert "[masked token]" in page
    assert "[masked password]" in page


def test_ends_of_calls_are_counted_once() -> None:
    trace = run("r1", "a:pay(c1,20)=done a:pay(c1,5)=error a:pay(c1,7)")
    extra = (
        Step(id="x", kind="tool_result", tool="pay", call="k0", status="ok", data={"result": {"status": "done"}}),
        Step(id="y", kind="tool_call", tool="pay", call="late", data={}),
        Step(id="z", kind="tool_result", tool="pay", call="late", status="timeout"),
        Step(id="w", kind="tool_call", tool="pay", data={}),
    )
    pay = seen_in(*trace.steps, *extra).tools["pay"]
    assert (pay.calls, pay.ok, pay.failed, pay.unstated, pay.open) == (5, 1, 1, 0, 3)


def test_too_much_is_counted_and_left_out() -> None:
    steps = [
        Step(id=f"s{n}", kind="tool_call", tool=f"tool{n}", call=f"k{n}", data={"arguments": {f"a{i}": i for i in range(50)}})
        for n in range(320)
    ]
    seen = seen_in(*steps)
    assert len(seen.tools) == 300
    assert seen.left_out["calls of further tools"] == 20
    assert len(seen.tools["tool0"].paths) == 40
    page = starter(seen)
    assert "## left out: 20 calls of further tools" in page
    Pack.parse(switched_on(page))


names = st.text(min_size=1, max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def hostile(draw: st.DrawFn) -> list[Step]:
    out: list[Step] = []
    for n in range(draw(st.integers(1, 6))):
        tool, actor, call = draw(names), draw(st.none() | names), f"k{n}"
        arguments: Any = draw(values)
        out.append(Step(id=f"a{n}", kind="tool_call", tool=tool, actor=actor, call=call, data={"arguments": arguments}))
        status: Any = draw(st.sampled_from([None, "ok", "failed", "timeout"]))
        out.append(
            Step(
                id=f"b{n}",
                kind="tool_result",
                tool=tool,
                call=call,
                status=status,
                data={"result": draw(values)},
                text=draw(st.none() | names),
            )
        )
        kind = draw(st.sampled_from(["check", "decision", "state", "message"]) | names)
        out.append(Step(id=f"c{n}", kind=kind, actor=actor, data=draw(st.none() | st.dictionaries(names, values, max_size=3))))
    return out


@given(hostile())
@settings(max_examples=150, deadline=None)
def test_whatever_names_and_values_hold_the_page_loads(steps: list[Step]) -> None:
    page = starter(seen_in(*steps))
    assert all(line.isprintable() for line in page.splitlines())
    pack = Pack.parse(page)
    Pack.parse(switched_on(page))
    bound = pack.binder().bind(Trace(header=Header(id="t"), steps=tuple(steps)))
    calls = {step.id for step in steps if step.kind in ("tool_call", "tool_result")}
    taken = {b.step.id for part in bound for b in part} | {b.opening.id for part in bound for b in part if b.opening is not None}
    assert calls <= taken


def test_a_name_that_ends_its_line_is_bound_with_its_end() -> None:
    steps = [
        Step(id="a", kind="tool_call", tool="book\n", call="k", data={"arguments": {"n": 1}}),
        Step(id="b", kind="tool_result", tool="book\n", call="k", status="ok", data={"result": "done"}),
    ]
    page = starter(seen_in(*steps))
    assert r'tool: "book\x0a"' in page
    assert [len(part) for part in Pack.parse(page).binder().bind(Trace(header=Header(id="t"), steps=tuple(steps)))] == [1]


def test_a_folder_with_nothing_to_bind(tmp_path: Path) -> None:
    page = starter(inventory(saved(tmp_path / "a.jsonl", run("r1", "a>b:hello"))))
    assert Pack.parse(page).streams == {}
    assert "## steps that are no calls of tools: message (1)" in page
