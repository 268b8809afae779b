"""What contradicts what, and what does not: the clashes that a verdict names."""

from __future__ import annotations

from seamwise.kernel import ShapeCache, Status, judge
from seamwise.testing import parse_case


def judged(**case):
    """The verdict of a case, whatever it expects."""
    made = parse_case({"name": "n", "expect": "unknown", **case})
    return judge(made.kind, made.params, made.evidence)


def named(verdict) -> list[set[str]]:
    return [set(c.members) for c in verdict.clashes]


def test_who_asked_and_who_answered_may_be_two_where_nobody_is_judged() -> None:
    records = [
        {"id": "q1", "kind": "tool_call", "actor": "assistant", "call": "k1"},
        {"id": "q2", "kind": "tool_result", "actor": "finance", "call": "k1", "text": "... CANARY-77 ..."},
        {"id": "q3", "kind": "message", "actor": "assistant", "recipients": ["alex"], "stream": "answers/alex", "text": "it is CANARY-77"},
    ]
    params = {"requester": "alex", "fields": {"bid": "CANARY-77"}}
    verdict = judged(kind="within_scope", params=params, records=records, context={"scope": {"alex": ["owner"]}})
    assert verdict.status is Status.SUPPORTED
    assert named(verdict) == []


def test_two_payers_of_one_payment_are_a_contradiction() -> None:
    records = [
        {"id": "p1", "kind": "tool_call", "actor": "support", "call": "k1", "stream": "ledger/c1", "amount": "20"},
        {"id": "p2", "kind": "tool_result", "actor": "billing", "call": "k1", "stream": "ledger/c1", "status": "ok"},
    ]
    verdict = judged(kind="within_total", params={"limit": 40, "min_actors": 2}, records=records, claims=[{"stream": "ledger/c1"}])
    assert named(verdict) == [{"p1", "p2"}]


def test_a_message_beside_a_call_that_is_read_for_notes_alone_is_no_second_sort() -> None:
    records = [
        {"id": "q2", "kind": "tool_result", "call": "k1", "stream": "tool_results", "text": "yes", "status": "ok"},
        {
            "id": "q3",
            "kind": "message",
            "call": "k1",
            "recipients": ["alex"],
            "stream": "answers/alex",
            "fields": ["owner"],
            "structured": True,
        },
    ]
    params = {"requester": "alex", "fields": {"bid": "CANARY-77"}}
    context = {"scope": {"alex": ["owner"]}}
    verdict = judged(kind="within_scope", params=params, records=records, context=context, claims=[{"stream": "answers/alex"}])
    assert "beyond" not in (verdict.reason or "")


def test_an_operation_of_two_sorts_is_beyond_what_is_decided() -> None:
    records = [
        {"id": "a1", "kind": "approval", "streams": ["authorizations", "edits"], "actor": "rita", "action": "x", "grantee": "bot"},
        {"id": "e1", "kind": "edit", "actor": "bot", "action": "x"},
    ]
    verdict = judged(kind="rights_held", params={"edit": "e1", "action": "x"}, records=records, context={"rights": {"x": ["rita"]}})
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason == "beyond_fragment: one operation is of two sorts: authorizations and edits"


def test_a_count_that_is_too_low_names_what_stands_in_the_stream() -> None:
    records = [
        {"id": "c1", "kind": "decision", "decision": "d1", "value": "beta", "correct": True},
        {"id": "c2", "kind": "action", "actor": "sub", "decision": "d1", "call": "k1", "payload": {"verdict": "beta"}},
        {"id": "c3", "kind": "receipt", "stream": "receipts", "call": "k1", "status": "accepted", "payload": {"verdict": "beta"}},
    ]
    claims = [{"stream": "receipts", "count": 0}]
    verdict = judged(kind="carried_out", params={"decision": "d1"}, records=records, claims=claims)
    assert named(verdict) == [{"c3", "claim:receipts"}]


def test_a_clash_that_holds_another_is_not_told() -> None:
    records = [{"id": f"w{i}", "kind": "admission", "item": f"r{i}", "accepted": True, "verified": True} for i in (1, 2)]
    records = [{**r, "stream": "admission"} for r in records]
    claims = [{"stream": "admission", "count": 1}, {"stream": "admission", "count": 3, "by": "user"}]
    verdict = judged(kind="admitted", params={"rule": {"verified": True}}, records=records, claims=claims)
    assert all(not a < b for a in named(verdict) for b in named(verdict))
    assert len({frozenset(n) for n in named(verdict)}) == len(named(verdict))


def voucher(name: str, day: str, **fields):
    return {"id": name, "kind": "tool_result", "stream": "vouchers/r9", "actor": name, "amount": "40", "status": "ok", "t": day, **fields}


def counted(period: str, count: int):
    return {"stream": "vouchers/r9", "range": period, "count": count}


JUNE = {"stream": "vouchers", "key": "r9", "limit": 90, "each": 50, "per": "month", "period": "2026-06"}


def test_counts_of_periods_clash_with_as_few_records_and_counts_as_contradict_them() -> None:
    records = [voucher("v1", "2026-06-03"), voucher("v2", "2026-06-04"), voucher("v3", "2026-07-04")]
    verdict = judged(kind="within_total", params=JUNE, records=records, claims=[counted("2026-06", 1), counted("2026-07", 1)])
    assert named(verdict) == [{"v1", "v2", "claim:vouchers/r9@2026-06"}]
    months = [counted("2026-06", 2), counted("2026-07", 2), counted("2026", 3)]
    verdict = judged(kind="within_total", params=JUNE, records=records, claims=months)
    assert named(verdict) == [{f"claim:vouchers/r9@{m['range']}" for m in months}], "the records contradict none of them"
    moved = [*records[:2], voucher("v4", "2026-08-01"), voucher("v5", "2026-08-02")]
    verdict = judged(kind="within_total", params=JUNE, records=moved, claims=[counted("2026-06", 2), counted("2026", 3)])
    assert named(verdict) == [{"v1", "v2", "v4", "v5", "claim:vouchers/r9@2026"}]


def test_a_period_that_is_counted_is_no_name_that_shapes_put_away() -> None:
    case = {"kind": "within_total", "params": JUNE, "records": [voucher("v1", "2026-06-03")], "claims": [counted("2026", 1)]}
    made = parse_case({"name": "n", "expect": "ruled_out", **case})
    assert ShapeCache(made.kind, made.params, "key").judge("r9", made.evidence).status is Status.RULED_OUT


def test_a_lost_record_of_what_was_taken_back_decides_nothing() -> None:
    params = {"stream": "vouchers", "key": "r9", "limit": 90, "each": 50}
    told = [voucher("v1", "2026-06-01", amount="50", call="k1"), voucher("w1", "2026-06-01", amount="50", actor="v1", call="k1")]
    later = [
        voucher("v2", "2026-06-02", reverses="v1", amount="-50"),
        voucher("v3", "2026-06-03", amount="50"),
        voucher("v4", "2026-06-04"),
    ]
    claims = [{"stream": "vouchers/r9", "count": 4}]
    assert judged(kind="within_total", params=params, records=[*told, *later], claims=claims).status is Status.RULED_OUT
    assert judged(kind="within_total", params=params, records=[told[1], *later], claims=claims).status is Status.UNKNOWN
