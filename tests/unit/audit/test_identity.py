"""Whose word counts, and what is one thing: claims of recordings, ids that hold separators, names that are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, audit
from seamwise.kernel import Status
from seamwise.record import Claim, Header, Organization, Step, Trace
from unit.binding.traces import CHECKED, saved

SAID = {"because": "so it is"}
RIGHTS = {"kind": "rights_held", "action": "pay"}
DESK: dict[str, Any] = {
    "sign_offs": {"from": [{"kind": "sign_off"}], "route": SAID, "recording": SAID},
    "checks": {"from": [{"kind": "check"}], "key": "check", "route": SAID, "recording": SAID},
}


def audited(path: Path, *traces: Trace, streams: Mapping[str, Any] | None = None, contracts: Any = None, **more: Any) -> Audit:
    pack = Pack(streams=streams or DESK, contracts=contracts or {"checked": CHECKED}, **more)
    return audit(saved(path / "r.jsonl", *traces), pack)


def trace(name: str, *steps: Step, **header: Any) -> Trace:
    return Trace(header=Header(id=name, **header), steps=steps)


def signed(n: int, subject: Any, name: Any = "S", **more: Any) -> Step:
    return Step(id=f"so{n}", kind="sign_off", actor="x", source="r", seq=n, data={"sign_off": name, "subject": subject}, **more)


def checked(n: int, subject: Any) -> Step:
    data = {"check": "policy", "subject": subject}
    return Step(id=f"ck{n}", kind="check", actor="legal", source="r", seq=n, status="ok", data=data)


def test_a_route_claim_of_a_recording_does_not_count(tmp_path: Path) -> None:
    streams = {"sign_offs": DESK["sign_offs"], "checks": {"from": [{"kind": "check"}], "key": "check"}}
    claims = (Claim(sort="recording", stream="checks/policy", count=0), Claim(sort="route", stream="checks/policy"))
    (result,) = audited(tmp_path, trace("t", signed(1, "a"), claims=claims), streams=streams).results
    assert result.status is Status.UNKNOWN
    routed = {**streams, "checks": {**streams["checks"], "route": SAID}}
    (result,) = audited(tmp_path, trace("t", signed(1, "a"), claims=claims[:1]), streams=routed).results
    assert result.status is Status.SUPPORTED


LEDGER: dict[str, Any] = {
    "from": [{"tool": "pay", "fields": {"customer": "arguments.customer", "amount": "arguments.amount"}}],
    "key": "customer",
    "route": SAID,
    "recording": SAID,
}
CAP: dict[str, Any] = {"kind": "within_total", "stream": "ledger", "limit": 30, "reversals": {"none": True, **SAID}}


def paid(name: str, **more: Any) -> Step:
    more = {"call": name, "status": "ok", **more}
    return Step(id=name, kind="tool_result", tool="pay", actor="a", data={"arguments": {"customer": "c1", "amount": 20}}, **more)


def test_ids_of_two_traces_never_run_together(tmp_path: Path) -> None:
    def total(*traces: Trace) -> str:
        (result,) = audited(tmp_path, *traces, streams={"ledger": LEDGER}, contracts={"cap": CAP}).results
        return f"{result.status.value} {result.headline.partition(' by')[0]}"

    assert total(trace("a", paid("b/c")), trace("a/b", paid("c"))) == "supported 40 of 30"
    assert total(trace("a", paid("s#1", call=None)), trace("a#s", paid("1", call=None))) == "supported 40 of 30"
    assert total(trace("a", paid("b%2Fc")), trace("a", paid("b/c"))) == "supported 40 of 30"


def test_writers_of_two_traces_are_two(tmp_path: Path) -> None:
    late = Step(id="s1", kind="sign_off", actor="x", source="b/c", seq=5, data={"sign_off": "S", "subject": "c9"})
    early = Step(id="s1", kind="check", actor="legal", source="c", seq=1, status="ok", data={"check": "policy", "subject": "c9"})
    done = audited(tmp_path, trace("a", late), trace("a/b", early), contracts={"checked": {**CHECKED, "across": "corpus"}})
    assert [r.status for r in done.results] == [Status.UNKNOWN]


def test_true_ids_are_shown(tmp_path: Path) -> None:
    names = ("a/b", "c#d", "e%2F~")
    nameless = [Step(id=f"{name}/#~%s", kind="sign_off", actor="x", data={"subject": "k"}) for name in names]
    done = audited(tmp_path, *[trace(name, step) for name, step in zip(names, nameless, strict=True)])
    assert [(r.instance["trace"], r.instance["sign_off"]) for r in done.results] == [(n, f"{n}/#~%s") for n in names]
    assert [[(s.trace, s.step) for s in r.witness or ()] for r in done.results] == [[(n, f"{n}/#~%s")] for n in names]
    assert not any("%2F" in g.replace("e%2F~", "") for r in done.results for g in [r.headline, *(c.words for c in r.claims)])


def test_names_that_are_numbers(tmp_path: Path) -> None:
    done = audited(tmp_path, trace("t", checked(1, "a"), signed(2, "b", 7)))
    assert [(r.status, r.instance["sign_off"]) for r in done.results] == [(Status.SUPPORTED, "7")]
    done = audited(tmp_path, trace("t", checked(1, "7"), signed(2, 7)), trace("u", checked(1, 8), signed(2, "7")))
    assert [(r.instance["trace"], r.status) for r in done.results] == [("u", Status.SUPPORTED), ("t", Status.RULED_OUT)]
    where = {"checked": {**CHECKED, "where": {"subject": 7}}}
    done = audited(tmp_path, trace("t", signed(1, 7, "A"), signed(2, "7", "B"), signed(3, 8, "C")), contracts=where)
    assert [r.instance["sign_off"] for r in done.results] == ["A", "B"]


def test_a_decision_named_by_a_number_was_carried_out(tmp_path: Path) -> None:
    kinds = {"decisions": "decision", "receipts": "receipt"}
    streams = {name: {"from": [{"kind": kind}], "route": SAID, "recording": SAID} for name, kind in kinds.items()}
    told = {"caller": "agg", "decision": "7", "status": "accepted", "payload": {"v": "b"}}
    steps = (
        Step(id="c1", kind="decision", actor="agg", source="r", seq=1, data={"decision": 7, "value": "b", "correct": True}),
        Step(id="c3", kind="receipt", call="k1", source="r", seq=2, data=told),
    )
    done = audited(tmp_path, trace("t", *steps), streams=streams, contracts={"co": {"kind": "carried_out"}})
    assert [(r.status, r.instance["decision"]) for r in done.results] == [(Status.RULED_OUT, "7")]


def test_a_recorded_part_is_not_complete_where_the_user_knows_more(tmp_path: Path) -> None:
    streams = {
        "edits": {"from": [{"kind": "edit"}]},
        "authorizations": {"from": [{"kind": "approval"}], "route": SAID, "recording": SAID},
    }
    edit = Step(id="e1", kind="edit", actor="sales", data={"action": "pay"})
    recorded = Organization(rights={"view": ("z",)}, complete=("rights",))

    def status(**rights: list[str]) -> Status:
        more = {"organization": {"rights": rights}} if rights else {}
        done = audited(tmp_path, trace("t", edit, organization=recorded), streams=streams, contracts={"r": RIGHTS}, **more)
        return done.results[0].status

    assert status() is Status.SUPPORTED
    assert status(view=["y"]) is Status.SUPPORTED
    assert status(sign=["bob"]) is Status.UNKNOWN


@pytest.mark.parametrize("across", ["trace", "corpus"])
@pytest.mark.parametrize("more", [(), (Step(id="open", kind="check", actor="legal", source="r", seq=90, data={"check": "policy"}),)])
def test_one_name_for_two_subjects_is_two_instances(tmp_path: Path, across: str, more: tuple[Step, ...]) -> None:
    steps = (checked(1, "a"), signed(2, "a"), signed(3, "b"), *more)
    done = audited(tmp_path, trace("t", *steps), contracts={"checked": {**CHECKED, "across": across}})
    assert [(r.instance["sign_off"], r.instance["subject"], r.status) for r in done.results] == [
        ("S", "b", Status.SUPPORTED),
        ("S", "a", Status.RULED_OUT),
    ]
    again = audited(tmp_path, trace("t", *steps, signed(4, "a")), contracts={"checked": {**CHECKED, "across": across}})
    assert sorted(r.instance["subject"] for r in again.results) == ["a", "b"]


def test_one_name_of_which_one_subject_was_not_recorded(tmp_path: Path) -> None:
    nameless = Step(id="so9", kind="sign_off", actor="x", source="r", seq=9, data={"sign_off": "S"})
    done = audited(tmp_path, trace("t", checked(1, "a"), signed(2, "a"), nameless))
    assert Status.RULED_OUT not in [r.status for r in done.results]
