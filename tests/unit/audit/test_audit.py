"""Audits of small traces: instances, claims, scope, order, and what is never said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, Result, audit, exit_code
from seamwise.kernel import Status
from seamwise.record import After, Claim, Header, Organization, Step, Trace
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved, steps

SUPPORTED, RULED_OUT, UNKNOWN = Status.SUPPORTED, Status.RULED_OUT, Status.UNKNOWN
NONE_BACK = {"none": True, "because": "a credit cannot be taken back"}
Auditing = Callable[..., Audit]


@pytest.fixture
def auditing(tmp_path: Path) -> Auditing:
    """Audits traces that are given as such, in one file unless told otherwise."""

    def go(*traces: Trace, streams: Any = None, contracts: Any = None, files: int = 1, pack: Any = None, **more: Any) -> Audit:
        for n in range(files):
            saved(tmp_path / "runs" / f"f{n}.jsonl", *traces[n::files])
        made = Pack(streams=streams or {"ledger": LEDGER, **SIGNING}, contracts=contracts or {"cap": CAP}, **(pack or {}))
        return audit(tmp_path / "runs", made, **more)

    return go


def only(done: Audit, **instance: str) -> Result:
    (found,) = [r for r in done.results if instance.items() <= r.instance.items()]
    return found


def without(stream: dict[str, Any], *words: str) -> dict[str, Any]:
    return {k: v for k, v in stream.items() if k not in words}


def test_keys_across_traces(auditing: Auditing) -> None:
    done = auditing(
        run("r1", "support:pay(c1,15)=done"),
        run("r2", "sales:pay(c1,20)=done", day=3),
        run("r3", "recovery:pay(c1,10)=done support:pay(c2,5)=done", day=5),
        contracts={"cap": {**CAP, "reversals": NONE_BACK}},
    )
    crossed = only(done, customer="c1")
    assert crossed.status is SUPPORTED
    assert [(s.trace, s.actor, s.fields["amount"]) for s in crossed.witness or ()] == [
        ("r1", "support", "15"),
        ("r2", "sales", "20"),
        ("r3", "recovery", "10"),
    ]
    assert [s.trace for s in crossed.witness or () if "crossing" in s.marks] == ["r3"]
    assert crossed.headline.startswith("45 of 40 by 3 actors")
    (leaning,) = crossed.leaning_on
    assert (leaning.name, leaning.because) == ("reversals: none", "a credit cannot be taken back")
    assert crossed.without is UNKNOWN or crossed.without is SUPPORTED
    assert only(done, customer="c2").status is RULED_OUT
    assert (done.summary.n_traces, done.summary.worst, exit_code(done.summary)) == (3, SUPPORTED, 1)


def test_without_claims_silence_is_not_absence(auditing: Auditing) -> None:
    traces = [run("r1", "support:pay(c1,15)=done sales:pay(c1,5)=done")]
    for missing in (("route",), ("recording",), ("route", "recording")):
        done = auditing(*traces, streams={"ledger": without(LEDGER, *missing)})
        result = only(done, customer="c1")
        assert result.status is UNKNOWN
        assert result.gaps
    assert exit_code(done.summary) == 3
    assert only(auditing(*traces), customer="c1").status is RULED_OUT


def test_a_count_that_is_not_met_closes_nobody(auditing: Auditing) -> None:
    traces = [run("r1", "support:pay(c1,15)=done sales:pay(c2,5)=done")]
    ledger = {**LEDGER, "recording": {"because": "the table says so", "count": 3}}
    done = auditing(*traces, streams={"ledger": ledger}, contracts={"cap": {**CAP, "limit": 30}})
    assert only(done, customer="c1").status is UNKNOWN
    assert only(done, customer="c1").gaps
    met = {**LEDGER, "recording": {"because": "the table says so", "count": 2}}
    assert only(auditing(*traces, streams={"ledger": met}, contracts={"cap": {**CAP, "limit": 30}}), customer="c1").status is RULED_OUT


def test_more_than_counted_is_a_contradiction(auditing: Auditing) -> None:
    ledger = {**LEDGER, "recording": {"because": "the table says so", "count": 1}}
    done = auditing(run("r1", "support:pay(c1,15)=done sales:pay(c1,5)=done"), streams={"ledger": ledger})
    result = only(done, customer="c1")
    assert result.status is Status.MEASUREMENT_INVALID
    assert result.clashes
    assert exit_code(done.summary) == 3


def test_an_operation_without_its_key_may_be_anybody_s(auditing: Auditing) -> None:
    done = auditing(run("r1", "support:pay(c1,20)=done sales:pay(c1,15)=done billing:pay(?,10)=done"))
    result = only(done, customer="c1")
    assert result.status is UNKNOWN
    needs = [need for gap in result.gaps for need in gap.needs]
    assert any("customer" in need and "#6, billing, pay" in need for need in needs), needs


def test_what_would_decide_an_open_call(auditing: Auditing) -> None:
    done = auditing(run("r1", "support:pay(c1,20)=done sales:pay(c1,15)=done billing:pay(c1,10)"))
    (gap,) = [g for g in only(done, customer="c1").gaps if g.sort == "resolves"]
    assert gap.needs == ("the result of `k4` (trace r1 #5, billing, pay)",)
    assert [s.index for s in gap.steps] == [5]


def test_each_period_is_an_instance_of_its_own(auditing: Auditing) -> None:
    traces = [run("r1", "a:pay(c1,20)=done b:pay(c1,15)=done"), run("r2", "a:pay(c1,15)=done", day=95)]
    done = auditing(*traces, contracts={"cap": {**CAP, "per": ["customer", "quarter"]}})
    assert {r.instance["quarter"]: r.status for r in done.results} == {"2026-Q1": RULED_OUT, "2026-Q2": RULED_OUT}
    assert {list(r.instance) == ["customer", "quarter"] for r in done.results} == {True}


def test_anchors_in_their_traces(auditing: Auditing) -> None:
    done = auditing(
        run("r1", "legal:check(k1,2)=passed closer:sign(k1,2)=signed"),
        run("r2", "closer:sign(k2,1)=signed"),
        run("r3", "legal:check(k3,1)=error closer:sign(k3,1)=signed"),
        run("r4", "closer:sign(k4,1)=signed legal:check(k4,1)=passed"),
        run("r5", "legal:check(k5,1) closer:sign(k5,1)=signed"),
        contracts={"checked": CHECKED},
    )
    assert {r.instance["subject"]: r.status for r in done.results} == {
        "k1": RULED_OUT,
        "k2": SUPPORTED,
        "k3": SUPPORTED,
        "k4": SUPPORTED,
        "k5": UNKNOWN,
    }
    assert only(done, subject="k2").claims
    assert all(r.instance["trace"] for r in done.results)


def test_what_is_of_another_subject_is_left_out_of_the_count(auditing: Auditing) -> None:
    done = auditing(run("r1", "legal:check(k1,1)=passed closer:sign(k1,1)=signed closer:sign(k2,1)=signed"), contracts={"checked": CHECKED})
    unchecked = only(done, subject="k2")
    assert unchecked.status is SUPPORTED
    assert [s.fields["subject"] for s in unchecked.witness or ()] == ["k2"]
    assert any("holds no operation" in c.words for c in unchecked.claims)


def test_a_check_without_its_subject_may_be_of_any(auditing: Auditing) -> None:
    done = auditing(run("r1", "legal:check(?,1)=passed closer:sign(k1,1)=signed"), contracts={"checked": CHECKED})
    assert only(done, subject="k1").status is UNKNOWN


def test_across_traces_a_check_elsewhere_counts(auditing: Auditing) -> None:
    traces = [run("r1", "legal:check(k1,1)=passed"), run("r2", "closer:sign(k1,1)=signed", day=1)]
    assert only(auditing(*traces, contracts={"checked": CHECKED}), subject="k1").status is SUPPORTED
    done = auditing(*traces, contracts={"checked": {**CHECKED, "across": "corpus"}})
    assert only(done, subject="k1").status is RULED_OUT


def test_a_sign_off_that_never_ended_is_an_instance(auditing: Auditing) -> None:
    done = auditing(run("r1", "closer:sign(k1,1)"), contracts={"checked": CHECKED})
    assert only(done, subject="k1").status is UNKNOWN


def test_two_operations_of_one_trace_are_two_instances(auditing: Auditing) -> None:
    done = auditing(run("r1", "closer:sign(k1,1)=signed closer:sign(k1,2)=signed"), contracts={"checked": CHECKED})
    assert [r.instance["sign_off"] for r in done.results] == ["s1", "s3"]
    assert {r.status for r in done.results} == {SUPPORTED}


def test_where_leaves_out_what_is_of_no_concern(auditing: Auditing) -> None:
    traces = [run("r1", "closer:sign(k1,1)=signed closer:sign(k2,2)=signed closer:sign(k3)=signed")]
    done = auditing(*traces, contracts={"checked": {**CHECKED, "where": {"version": [2, 3]}}})
    assert {r.instance["subject"]: r.status for r in done.results} == {"k2": SUPPORTED, "k3": UNKNOWN}
    (gap,) = only(done, subject="k3").gaps
    assert gap.needs == ("the version of trace r1 #6, closer, sign",)


def test_one_named_key_or_anchor(auditing: Auditing) -> None:
    traces = [run("r1", "a:pay(c1,20)=done b:pay(c2,15)=done")]
    assert [r.instance for r in auditing(*traces, contracts={"cap": {**CAP, "key": "c2"}}).results] == [{"customer": "c2"}]


def test_a_ledger_without_keys_is_one_instance(auditing: Auditing) -> None:
    done = auditing(run("r1", "a:pay(c1,20)=done b:pay(c2,15)=done"), streams={"ledger": without(LEDGER, "key")})
    (result,) = done.results
    assert result.status is RULED_OUT
    assert "35 of 40" in result.headline


def test_stated_order_counts_through_steps_between(auditing: Auditing) -> None:
    def trace(*order: tuple[int, int]) -> Trace:
        story = steps("legal:check(k1,1)=passed ann:hello closer:sign(k1,1)=signed")
        before: dict[int, list[After]] = {}
        for early, late in order:
            before.setdefault(late, []).append(After(step=f"s{early}", basis="message"))
        loose = [
            Step(
                id=s.id,
                kind=s.kind,
                actor=s.actor,
                tool=s.tool,
                call=s.call,
                status=s.status,
                text=s.text,
                data=s.data,
                order=tuple(before.get(n, ())),
            )
            for n, s in enumerate(story)
        ]
        return Trace(header=Header(id="r1"), steps=tuple(loose))

    contracts = {"checked": CHECKED}
    ordered = only(auditing(trace((0, 1), (1, 2), (2, 3), (3, 4)), contracts=contracts), subject="k1")
    assert ordered.status is RULED_OUT
    assert ordered.order == ("message",)
    assert only(auditing(trace(), contracts=contracts), subject="k1").status is UNKNOWN
    assert only(auditing(trace((1, 2), (2, 3), (3, 4), (4, 2)), contracts=contracts), subject="k1").status is UNKNOWN


def test_a_clock_of_the_user_s_is_named_and_the_verdict_without_it_stands_beside(auditing: Auditing) -> None:
    def loose(story: str) -> Trace:
        return Trace(
            header=Header(id="r1"),
            steps=tuple(Step(**{**{f: getattr(s, f) for f in s.__struct_fields__}, "seq": None}) for s in steps(story)),
        )

    trace = loose("legal:check(k1,1)=passed closer:sign(k1,1)=signed")
    contracts = {"checked": CHECKED}
    assert only(auditing(trace, contracts=contracts), subject="k1").status is UNKNOWN
    result = only(auditing(trace, contracts=contracts, pack={"clock": {"skew": 0, "because": "one rack"}}), subject="k1")
    assert result.status is RULED_OUT
    assert ("clock", "one rack") in [(s.name, s.because) for s in result.leaning_on]
    assert result.without is UNKNOWN


def test_a_record_without_authority_is_named_and_does_not_count(auditing: Auditing) -> None:
    mine = run("r1", "a:pay(c1,20)=done b:pay(c1,15)=done")
    theirs = Trace(
        header=mine.header,
        steps=(
            *mine.steps,
            Step(
                id="x",
                kind="tool_result",
                actor="z",
                tool="pay",
                source="rumour",
                data={"arguments": {"customer": "c1", "amount": 20}, "result": {"status": "done"}},
            ),
        ),
    )
    done = auditing(theirs, streams={"ledger": {**LEDGER, "authority": ["desk"]}})
    result = only(done, customer="c1")
    assert result.status is RULED_OUT
    assert [s.step for s in result.weightless] == ["x"]


def test_what_a_header_records_of_the_organization_is_context(auditing: Auditing) -> None:
    streams = {
        "edits": {"from": [{"tool": "edit", "as": "edit", "fields": {"action": "arguments.action"}}]},
        "authorizations": {"from": [{"kind": "approval"}], "route": {"because": "x"}, "recording": {"because": "y"}},
    }
    contracts = {"rights": {"kind": "rights_held", "action": "liability"}}
    story = "sales:edit(k1,liability)=saved"
    recorded = Organization(rights={"liability": ("legal",)}, complete=("rights",))
    assert only(auditing(run("r1", story, organization=recorded), streams=streams, contracts=contracts), trace="r1").status is SUPPORTED
    assert only(auditing(run("r1", story), streams=streams, contracts=contracts), trace="r1").status is UNKNOWN
    # what the user states counts over what was recorded
    stated = {"organization": {"rights": {"liability": ["sales"]}}}
    done = auditing(run("r1", story, organization=recorded), streams=streams, contracts=contracts, pack=stated)
    assert only(done, trace="r1").status is not SUPPORTED


def test_claims_of_the_recording_itself_are_passed_on(auditing: Auditing) -> None:
    streams = {"sign_offs": SIGNING["sign_offs"], "checks": {**without(SIGNING["checks"], "recording")}}
    claims = [Claim(sort="recording", stream="checks/policy", count=0, basis="the service's own log")]
    story = "closer:sign(k1,1)=signed"
    assert only(auditing(run("r1", story), streams=streams, contracts={"checked": CHECKED}), subject="k1").status is UNKNOWN
    done = auditing(run("r1", story, claims=claims), streams=streams, contracts={"checked": CHECKED})
    assert only(done, subject="k1").status is SUPPORTED


def test_a_contract_without_instances_is_counted_with_none(auditing: Auditing) -> None:
    done = auditing(run("r1", "ann:hello"), contracts={"cap": CAP, "checked": CHECKED})
    assert done.results == []
    assert done.summary.contracts == {"cap": {}, "checked": {}}
    assert exit_code(done.summary) == 0


def test_results_stand_most_severe_first_then_by_contract_and_instance(auditing: Auditing) -> None:
    done = auditing(
        run("r1", "closer:sign(k1,1)=signed a:pay(c10,5)=done a:pay(c9,5)=done a:pay(c2,20)=done b:pay(c2,20)"),
        contracts={"cap": {**CAP, "limit": 30}, "checked": CHECKED},
    )
    assert [(r.status.value, list(r.instance.values())[-1]) for r in done.results] == [
        ("supported", "k1"),
        ("unknown", "c2"),
        ("ruled_out", "c9"),
        ("ruled_out", "c10"),
    ]


def test_a_contract_that_crashes_stays_alone(tmp_path: Path) -> None:
    def crash(*_: Any) -> Any:
        raise ZeroDivisionError("boom")

    pack = Pack(streams={"ledger": LEDGER, **SIGNING}, contracts={"cap": CAP, "checked": CHECKED})
    checked = pack.contracts[1]
    pack.contracts = (pack.contracts[0], replace(checked, kind=replace(checked.kind, possible=crash)))
    done = audit(saved(tmp_path / "r.jsonl", run("r1", "closer:sign(k1,1)=signed a:pay(c1,5)=done")), pack)
    assert only(done, subject="k1").status is Status.NOT_JUDGED
    assert "boom" in (only(done, subject="k1").reason or "")
    assert only(done, customer="c1").status is RULED_OUT
    assert exit_code(done.summary) == 3


def test_without_proof_the_statuses_are_the_same(auditing: Auditing) -> None:
    traces = [
        run("r1", "a:pay(c1,20)=done b:pay(c1,20)=done a:pay(c1,15)=done closer:sign(k1,1)=signed legal:check(k2,1)=passed b:pay(c2,1)")
    ]
    contracts = {"cap": {**CAP, "reversals": NONE_BACK}, "checked": CHECKED}
    proved, quick = auditing(*traces, contracts=contracts), auditing(*traces, contracts=contracts, prove=False)
    assert [(r.instance, r.status) for r in proved.results] == [(r.instance, r.status) for r in quick.results]


def test_a_long_trace_stays_linear(auditing: Auditing) -> None:
    import time

    def took(n: int) -> float:
        story = " ".join(f"legal:check(k{i},1)=passed ann:hi closer:sign(k{i},1)=signed bob:hi" for i in range(n))
        trace = run("r1", story)
        began = time.process_time()
        done = auditing(trace, contracts={"checked": CHECKED})
        assert len(done.results) == n
        return time.process_time() - began

    small = took(250)
    assert took(2500) < 25 * max(small, 0.05)


def test_a_page_and_a_recording_that_disagree_are_shown(auditing: Auditing) -> None:
    streams = {"edits": {"from": [{"tool": "edit", "as": "edit", "fields": {"action": "arguments.action"}}]}}
    contracts = {"reserved": {"kind": "rights_held", "action": "liability"}}
    recorded = Organization(rights={"liability": ("legal",), "price": ("sales",)})
    stated = {"organization": {"rights": {"liability": ["sales"]}, "complete": ["rights"]}}
    done = auditing(run("r1", "sales:edit(k1,liability)=saved", organization=recorded), streams=streams, contracts=contracts, pack=stated)
    assert done.summary.remarks == (
        "`organization.rights.liability`: a recording says otherwise; the page counts",
        "`organization.rights`: the page says that its 1 entries are all there are, and a recording holds `price` besides; both count, "
        "and no others",
    )
    assert not done.summary.errors
    stated["organization"]["rights"] = {"liability": ["legal"], "price": ["sales"]}
    done = auditing(run("r1", "sales:edit(k1,liability)=saved", organization=recorded), streams=streams, contracts=contracts, pack=stated)
    assert done.summary.remarks == ()


@pytest.mark.parametrize(("param", "slip", "right"), [("owner", "legl", "legal"), ("check", "policiy", "policy")])
def test_a_name_that_is_nearly_recorded_is_told(auditing: Auditing, param: str, slip: str, right: str) -> None:
    story = run("r1", "legal:check(k1,1)=passed closer:sign(k1,1)=done")
    done = auditing(story, contracts={"signed": {**CHECKED, param: slip}})
    assert done.summary.remarks == (f"contract `signed`: no record names its {param} `{slip}`; did you mean `{right}`?",)
    assert auditing(story, contracts={"signed": CHECKED}).summary.remarks == ()
    assert auditing(story, contracts={"signed": {**CHECKED, param: "somebody else"}}).summary.remarks == ()


def test_one_customer_in_two_spellings_of_unicode_is_one(auditing: Auditing) -> None:
    composed, split = "caf\u00e9", "cafe\u0301"
    done = auditing(
        run("r1", f"ren\u00e9:pay({composed},15)=done rene\u0301:pay({split},20)=done"),
        run("r2", f"billing:pay({split},10)=done", day=2),
        contracts={"cap": {**CAP, "reversals": NONE_BACK}},
    )
    (result,) = done.results
    assert result.instance["customer"] == composed
    assert result.headline.startswith("45 of 40 by 2 actors")
    assert done.summary.binding["ledger"]["joined_spellings"] == [composed]
    once = auditing(run("r1", f"rene:pay({split},15)=done"))
    assert "joined_spellings" not in once.summary.binding["ledger"]


def test_a_contract_in_the_other_spelling_finds_its_anchor(auditing: Auditing) -> None:
    story = run("r1", "support:pay(cafe\u0301,15)=done sales:pay(c2,20)=done")
    done = auditing(story, contracts={"cap": {**CAP, "key": "caf\u00e9", "per": ["customer"]}})
    assert [r.instance["customer"] for r in done.results] == ["caf\u00e9"]
