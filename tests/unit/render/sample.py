"""An audit made by hand, with every status in it; the refund desk's own numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from seamwise.audit import ClaimRef, GapRef, NoteRef, Policy, ReadError, Result, Statement, StepRef, Summary
from seamwise.kernel import Outcome, Status, combine

msgspec_replace = msgspec.structs.replace

NONE_TAKEN_BACK = Statement(name="reversals: none", words="no reversal takes place", because="a credit cannot be taken back")
ONLY_WAY = Statement(name="claim:route/ledger", words="`ledger` is the only way", because="these two tools are the only way to pay")
CAP = Policy(doc="handbook.md", quote="no customer may receive more than $40 in one quarter")
CHECK = Policy(doc="handbook.md", quote="A contract is signed only after legal has run the policy check on it.")


def ns(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 10**9


def paid(trace: str, n: int, day: str, actor: str, tool: str, amount: str | None, text: str, **more: Any) -> StepRef:
    fields = {"customer": more.pop("customer", "c17"), "t": ns(day)} | ({"amount": amount} if amount else {})
    return StepRef(
        trace=trace.ljust(32, "0"),
        step=f"s{n}",
        index=n,
        kind="tool_call",
        actor=actor,
        tool=tool,
        call=f"call_{n}",
        time_ns=ns(day),
        fields=fields,
        text=text,
        **more,
    )


PAID = (
    paid("f38b2ffc", 12, "2026-01-09T10:12", "support", "issue_credit", "15.00", "goodwill for the outage"),
    paid("90624fe3", 9, "2026-01-22T16:40", "retention", "issue_credit", "20.00", "wants to leave; twenty keeps them"),
    paid(
        "ed1ba5c8",
        11,
        "2026-02-11T09:05",
        "recovery",
        "issue_credit",
        "10.00",
        "parcel arrived late",
        marks=("crossing",),
        known_before=("the total 35.00 was in its input (customer_history, #9)",),
    ),
    paid("47cd07f7", 7, "2026-02-26T11:30", "billing", "refund", "12.65", "issued (ref 471)"),
    paid("e39f13d7", 14, "2026-03-17T14:02", "escalation", "issue_credit", "7.35", "rounding off the complaint"),
)
CROSSES = NoteRef(code="crossing", words="crosses the cap: 45.00 of 40.00", steps=(PAID[2],))


def supported(**more: Any) -> Result:
    return Result(
        **{
            "contract": "quarterly-cap",
            "kind": "within_total",
            "instance": {"customer": "c17", "quarter": "2026-Q1"},
            "status": Status.SUPPORTED,
            "possible": (Outcome.VIOLATED,),
            "headline": "65.00 of 40.00 by 5 agents, each within 20.00",
            "risk": "A1",
            "policy": CAP,
            "witness": PAID,
            "order": ("clock (skew 2s)",),
            "leaning_on": (NONE_TAKEN_BACK,),
            "without": Status.UNKNOWN,
            "notes": (NoteRef(code="headline", words="65.00 of 40.00"), CROSSES),
            "evidence_steps": 5,
        }
        | more
    )


def unknown(customer: str = "c3", **more: Any) -> Result:
    pending = paid("37fe43eb", 8, "2026-02-19T10:00", "billing", "issue_credit", "15.00", "", customer=customer)
    return Result(
        **{
            "contract": "quarterly-cap",
            "kind": "within_total",
            "instance": {"customer": customer, "quarter": "2026-Q1"},
            "status": Status.UNKNOWN,
            "possible": (Outcome.KEPT, Outcome.VIOLATED),
            "headline": "30.00 recorded; call_8 (trace 37fe43eb #8, billing) has no result",
            "risk": "A1",
            "policy": CAP,
            "gaps": (
                GapRef(sort="resolves", needs=("the result of call_8 (trace 37fe43eb #8, billing, issue_credit)",), steps=(pending,)),
                GapRef(sort="may_resolve", needs=("the payments table for 2026-Q1",)),
            ),
            "evidence_steps": 3,
        }
        | more
    )


def ruled_out(customer: str) -> Result:
    return Result(
        contract="quarterly-cap",
        kind="within_total",
        instance={"customer": customer, "quarter": "2026-Q1"},
        status=Status.RULED_OUT,
        possible=(Outcome.KEPT,),
        headline="22.50 of 40.00",
        risk="A1",
        policy=CAP,
        witness=(paid("7608d942", 6, "2026-01-19T08:00", "support", "issue_credit", "10.00", "sorry", customer=customer),),
        claims=(
            ClaimRef(
                name="claim:ledger", words="all 18 calls of these tools are here", by="otlp", basis="counted when the export was read"
            ),
            ClaimRef(
                name="claim:route/ledger", words="`ledger` is the only way", by="user", basis="these two tools are the only way to pay"
            ),
        ),
        leaning_on=(ONLY_WAY,),
        without=Status.UNKNOWN,
        evidence_steps=2,
    )


POSSIBLE = {Status.SUPPORTED: (Outcome.VIOLATED,), Status.RULED_OUT: (Outcome.KEPT,)}


def signing(status: Status, subject: str, **more: Any) -> Result:
    trace = {"k2": "4619e5db", "k3": "6779082c"}.get(subject, "b76dc0c3").ljust(32, "0")
    return Result(
        contract="checked-signing",
        kind="check_done",
        instance={"trace": trace, "sign_off": subject},
        status=status,
        possible=POSSIBLE.get(status, ()),
        risk="D2",
        policy=CHECK,
        evidence_steps=len(more.get("witness", ())),
        **more,
    )


def step(trace: str, n: int, kind: str, actor: str, tool: str, fields: dict[str, Any], text: str = "") -> StepRef:
    return StepRef(trace=trace.ljust(32, "0"), step=f"s{n}", index=n, kind=kind, actor=actor, tool=tool, fields=fields, text=text)


def invalid() -> Result:
    return signing(
        Status.MEASUREMENT_INVALID,
        "k3",
        headline="two checks of version 1 say different things",
        clashes=(
            NoteRef(
                code="clash",
                words="status done and status failed of one call",
                steps=(
                    step("6779082c", 5, "check", "legal", "policy_check", {"version": "1", "status": "failed"}, "timeout"),
                    step("6779082c", 6, "check", "legal", "policy_check", {"version": "1", "status": "done"}, "passed"),
                ),
            ),
        ),
    )


def not_judged() -> Result:
    return signing(Status.NOT_JUDGED, "k5", reason="ZeroDivisionError: division by zero (kinds/check_done/monitor.py:40)")


def results() -> tuple[Result, ...]:
    signed = step("4619e5db", 9, "sign_off", "closer", "sign_contract", {"subject": "k2", "version": "1"}, "signed version 1 of k2")
    word = step("4619e5db", 6, "handoff", "legal", "transfer_to_closer", {"subject": "k2"}, "checked it, all good")
    return (
        supported(),
        signing(
            Status.SUPPORTED,
            "k2",
            headline="k2 version 1 was signed by closer without a check by legal",
            witness=(signed,),
            claims=(
                ClaimRef(name="claim:checks", words="all 3 runs of policy_check are in the export", by="otlp", basis="counted at reading"),
            ),
            weightless=(word,),
            notes=(NoteRef(code="information_loss", words="the hand-over says that it was checked; nothing else does", steps=(word,)),),
        ),
        invalid(),
        not_judged(),
        unknown(),
        unknown("c5"),
        *(ruled_out(c) for c in ("c8", "c9", "c12", "c21", "c42")),
        signing(Status.RULED_OUT, "k1", witness=(signed,)),
        Result(
            contract="said-done",
            kind="carried_out",
            instance={"trace": "4c046460".ljust(32, "0")},
            status=Status.NOT_APPLICABLE,
            possible=(Outcome.NOT_APPLICABLE,),
            witness=(),
        ),
    )


def summary(of: tuple[Result, ...] | None = None, **more: Any) -> Summary:
    of = results() if of is None else of
    contracts: dict[str, dict[str, int]] = {}
    for r in of:
        row = contracts.setdefault(r.contract, {})
        row[r.status.value] = row.get(r.status.value, 0) + 1
    return Summary(
        **{
            "seamwise": "0.1.0",
            "n_files": 1,
            "n_traces": 29,
            "n_steps": 412,
            "contracts": contracts,
            "worst": combine(r.status for r in of),
            "worst_required": combine(r.status for r in of if r.required),
            "reads": ({"format": "otlp", "file": "recording.otlp.jsonl", "records": 341, "kept": 340, "dropped": {"no_trace_id": 1}},),
            "errors": (ReadError(where="runs/broken.jsonl:3", message="expected an object, got `[`", hint="see `seamwise show`"),),
            "binding": {
                "ledger": {"records": 18, "traces": 17, "without_key": 1, "missing": {"ref": 2}},
                "checks": {"records": 3, "traces": 3},
            },
        }
        | more
    )
