"""From steps to records."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from seamwise.binding import Pack
from seamwise.kernel import Record
from seamwise.record import Clock, Header, Step, Trace
from unit.binding.traces import LEDGER, SIGNING, START, run


def bound(trace: Trace, streams: dict[str, Any], **more: Any) -> dict[str, list[Record]]:
    pack = Pack(streams=streams, **more)
    return {name: [b.record for b in part] for name, part in zip(pack.streams, pack.binder().bind(trace), strict=True)}


def trace(*steps: Step, **header: Any) -> Trace:
    return Trace(header=Header(id="r1", **header), steps=steps)


def test_a_call_and_its_answer_are_one_record_with_the_fields_of_both() -> None:
    (record,) = bound(run("r1", "support:pay(c1,20)=done"), {"ledger": LEDGER})["ledger"]
    assert record == Record(
        id="r1#s1",
        kind="tool_result",
        fields={"actor": "support", "customer": "c1", "amount": 20, "status": "ok", "t": START + 10**9},
        streams=("ledger/c1",),
        call="r1/k0",
        time=(START + 10**9, START + 10**9),
        chain=("r1/desk", 1),
        trace="r1",
    )
    assert isinstance(record.fields["amount"], Decimal)


@pytest.mark.parametrize(("result", "status"), [("done", "ok"), ("refused", "failed"), ("error", "failed")])
def test_success_is_told_by_the_result(result: str, status: str) -> None:
    (record,) = bound(run("r1", f"support:pay(c1,20)={result}"), {"ledger": LEDGER})["ledger"]
    assert record.fields["status"] == status


def test_a_call_without_an_answer_stays_open() -> None:
    (record,) = bound(run("r1", "support:pay(c1,20)"), {"ledger": LEDGER})["ledger"]
    assert record.kind == "tool_call"
    assert "status" not in record.fields
    assert record.streams == ("ledger/c1",)


def test_an_answer_without_a_result_has_no_status_though_its_span_was_fine() -> None:
    opening = Step(id="a", kind="tool_call", tool="pay", call="k", data={"arguments": {"customer": "c1"}})
    (record,) = bound(trace(opening, Step(id="b", kind="tool_result", tool="pay", call="k", status="ok")), {"ledger": LEDGER})["ledger"]
    assert "status" not in record.fields


def test_a_timeout_keeps_its_opening() -> None:
    steps = (
        Step(id="a", kind="tool_call", tool="pay", call="k", data={"arguments": {"customer": "c1", "amount": 1}}),
        Step(id="b", kind="tool_result", tool="pay", call="k", status="timeout"),
    )
    kinds = [r.kind for r in bound(trace(*steps), {"ledger": LEDGER})["ledger"]]
    assert kinds == ["tool_call", "tool_result"]


def test_an_answer_finds_its_call_by_id_alone_and_in_any_order_of_the_file() -> None:
    opening = Step(id="a", kind="tool_call", actor="sam", tool="pay", call="k", data={"arguments": {"customer": "c1", "amount": 5}})
    ending = Step(id="b", kind="tool_result", actor="pay", call="k", data={"result": {"status": "done"}})
    for order in ((opening, ending), (ending, opening)):
        (record,) = bound(trace(*order), {"ledger": LEDGER})["ledger"]
        assert record.id == "r1#b"
        assert record.fields == {"actor": "sam", "customer": "c1", "amount": 5, "status": "ok"}


def test_what_is_not_recorded_stays_absent_and_is_counted() -> None:
    pack = Pack(streams={"ledger": LEDGER})
    binder, counts = pack.binder(), pack.binder().coverage()
    out = binder.bind(run("r1", "a:pay(?,20)=done a:pay(c2,lots)=done a:pay(c3)=done"), counts)
    first, second, third = (b.record for b in out[0])
    assert first.streams == ("ledger",)
    assert "customer" not in first.fields
    assert second.streams == ("ledger/c2",)
    assert "amount" not in second.fields
    assert "amount" not in third.fields
    assert counts[0].told() == {
        "records": 3,
        "traces": 1,
        "without_key": 1,
        "missing": {"amount": 1, "customer": 1},
        "unparsed": {"amount": 1},
        "first_unparsed": {"amount": "<pack> `streams.ledger.from[0].fields.amount`: expected an amount, got `lots` - at trace r1 #4"},
    }


def test_the_first_rule_that_takes_a_step_binds_it() -> None:
    streams = {
        "s": {
            "from": [
                {"kind": "message", "agent": "ann", "fields": {"who": {"value": "first"}}},
                {"kind": "mess*", "fields": {"who": {"value": "second"}}},
            ]
        }
    }
    assert [r.fields["who"] for r in bound(run("r1", "ann:hi bob:hi"), streams)["s"]] == ["first", "second"]


@pytest.mark.parametrize(
    ("when", "taken"),
    [
        ({"path": "arguments.amount", "equals": 20}, ["s1"]),
        ({"path": "arguments.amount", "in": [5, 20]}, ["s1", "s3"]),
        ({"path": "arguments.amount", "present": False}, ["s5"]),
        ([{"path": "arguments.amount", "present": True}, {"path": "result.status", "match": "^ref"}], ["s3"]),
        ({"path": "arguments.nowhere", "equals": 1}, []),
        ({"path": "arguments.amount", "equals": True}, []),
    ],
)
def test_rules_may_look_at_the_content(when: object, taken: list[str]) -> None:
    ledger = {**LEDGER, "from": [{**LEDGER["from"][0], "when": when}]}
    out = bound(run("r1", "a:pay(c1,20)=done a:pay(c1,5)=refused a:pay(c1)=done"), {"ledger": ledger})
    assert [r.id.removeprefix("r1#") for r in out["ledger"]] == taken


def test_without_fields_the_content_of_a_step_is_taken_as_it_is() -> None:
    step = Step(
        id="a", kind="decision", actor="agg", text="beta", data={"decision": "d1", "value": 0.5, "of": [1, None], "none": None, "t": 3}
    )
    (record,) = bound(trace(step), {"decisions": {"from": [{"kind": "decision"}]}})["decisions"]
    assert record.fields == {"actor": "agg", "decision": "d1", "value": Decimal("0.5"), "of": (1, None), "text": "beta"}


def test_agents_may_act_for_others() -> None:
    rule = {**LEDGER["from"][0], "actor": "arguments.customer"}
    constant = {**LEDGER["from"][0], "actor": "treasury"}
    for rules, actor in (([rule], "c1"), ([constant], "treasury")):
        (record,) = bound(run("r1", "sam:pay(c1,2)=done"), {"ledger": {**LEDGER, "from": rules}})["ledger"]
        assert record.fields["actor"] == actor


def test_keys_are_normalised_and_their_field_with_them() -> None:
    ledger = {**LEDGER, "key": {"field": "customer", "lower": True, "strip": "CUST-"}}
    (record,) = bound(run("r1", "sam:pay(CUST-C1,2)=done"), {"ledger": ledger})["ledger"]
    assert (record.streams, record.fields["customer"]) == (("ledger/c1",), "c1")


def test_a_record_may_have_several_keys() -> None:
    step = Step(id="a", kind="delivery", recipients=("agg", "sub"), data={"items": ["q1"]})
    (record,) = bound(trace(step), {"inbox": {"from": [{"kind": "delivery"}], "key": "recipients"}})["inbox"]
    assert record.streams == ("inbox/agg", "inbox/sub")


def test_a_source_without_authority_has_no_weight() -> None:
    ledger = {**LEDGER, "authority": ["payments"]}
    streams = {"ledger": ledger}
    assert bound(run("r1", "sam:pay(c1,2)=done"), streams)["ledger"][0].source == "desk"
    steps = Step(id="a", kind="tool_call", tool="pay", call="k", source="payments"), Step(id="b", kind="tool_call", tool="pay", call="l")
    assert [r.source for r in bound(trace(*steps), streams)["ledger"]] == [None, "(not recorded)"]


def test_moments_order_only_by_a_clock_that_somebody_states() -> None:
    story = "sam:pay(c1,2)=done"
    assert bound(run("r1", story, clock=False), {"ledger": LEDGER})["ledger"][0].time is None
    clock = {"skew": "2s", "because": "one rack, NTP"}
    (record,) = bound(run("r1", story, clock=False), {"ledger": LEDGER}, clock=clock)["ledger"]
    assert record.time == (START - 10**9, START + 3 * 10**9)
    # what the recording states of its own clock comes first
    assert bound(run("r1", story), {"ledger": LEDGER}, clock=clock)["ledger"][0].time == (START + 10**9, START + 10**9)
    negative = trace(*run("r1", story).steps, clocks={"desk": Clock(skew_ns=-1)})
    assert bound(negative, {"ledger": LEDGER})["ledger"][0].time is None


def test_one_step_read_as_two_kinds_is_two_operations() -> None:
    streams = {
        "sign_offs": SIGNING["sign_offs"],
        "edits": {"from": [{"tool": "sign", "as": "edit", "fields": {"subject": "arguments.subject"}}]},
        "same": {"from": [{"tool": "sign", "as": "sign_off", "fields": {"subject": "arguments.subject"}}]},
    }
    out = bound(run("r1", "closer:sign(k1,2)=signed"), streams)
    assert (out["sign_offs"][0].id, out["sign_offs"][0].call) == ("r1#s1", "r1/k0")
    assert (out["edits"][0].id, out["edits"][0].call) == ("r1#s1~edit", "r1/k0~edit")


def test_steps_that_no_rule_takes_leave_no_record() -> None:
    assert bound(run("r1", "ann:hi ann>bob:hi"), {"ledger": LEDGER}) == {"ledger": []}


def test_hostile_steps_bind_or_do_not_and_never_raise() -> None:
    values: list[Any] = [None, True, "x", 5, [], [[]], {}, {"arguments": 3}, {"arguments": None}, {"arguments": {"customer": {"a": []}}}]
    steps = [
        Step(
            id=f"{kind}{n}",
            kind=kind,
            tool="pay",
            call="k" if n % 2 else None,
            data=value if isinstance(value, dict) else {"result": value},
        )
        for n, value in enumerate(values)
        for kind in ("tool_call", "tool_result")
    ]
    bound(trace(*steps), {"ledger": LEDGER, **SIGNING})


PAID = {"path": "result.state", "equals": "paid"}


def ending(name: str = "b", **more: Any) -> Step:
    return Step(id=name, kind="tool_result", tool="pay_out", call="k", **more)


@pytest.mark.parametrize("kind", ["sign_off", "edit", "approval", "admission", "message"])
def test_an_event_whose_call_does_not_say_how_it_ended_stays_open(kind: str) -> None:
    def status(step: Step, **rule: Any) -> Any:
        (record,) = bound(trace(step), {"s": {"from": [{"tool": "pay_out", "as": kind, "fields": {}, **rule}]}})["s"]
        return record.fields.get("status")

    assert status(ending(status="ok"), ok=PAID) == "unknown"
    assert status(ending()) == "unknown"
    assert status(ending(status="ok")) == "ok"
    assert status(ending(status="timeout"), ok=PAID) == "timeout"
    assert status(ending(status="ok", data={"result": {"state": "paid"}}), ok=PAID) == "ok"
    assert status(ending(status="ok", data={"result": {"state": "no"}}), ok=PAID) == "failed"


def test_steps_that_are_no_calls_say_by_being_there_that_they_happened() -> None:
    streams = {"s": {"from": [{"kind": "message", "as": "sign_off"}]}, "c": {"from": [{"tool": "pay_out", "as": "check"}]}}
    out = bound(trace(Step(id="a", kind="message"), ending()), streams)
    assert ["status" in out[name][0].fields for name in ("s", "c")] == [False, False]


def test_a_second_ending_that_says_nothing_contradicts_nothing() -> None:
    said = ending("c", data={"result": {"state": "paid"}})
    streams = {"s": {"from": [{"tool": "pay_out", "as": "sign_off", "fields": {}, "ok": PAID}]}}
    assert [r.fields.get("status") for r in bound(trace(ending(), said), streams)["s"]] == [None, "ok"]


def test_an_ending_without_authority_does_not_replace_its_opening() -> None:
    opening = Step(id="a", kind="tool_call", tool="pay", call="k", source="app", data={"arguments": {"customer": "c1"}})
    result = Step(id="b", kind="tool_result", tool="pay", call="k", source="proxy", status="failed")
    records = bound(trace(opening, result), {"ledger": {**LEDGER, "authority": ["app"]}})["ledger"]
    assert [(r.id, r.source) for r in records] == [("r1#a", None), ("r1#b", "proxy")]
    (record,) = bound(trace(opening, result), {"ledger": {**LEDGER, "authority": ["proxy"]}})["ledger"]
    assert (record.id, record.source) == ("r1#b", None)
