"""The laws of the kernel, over every registered kind.

The enumerator (``seamwise.kernel.completions``) is the oracle: it knows the definition and the evidence specification, and nothing of the
monitors.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.kernel import (
    RESOLVED,
    Evidence,
    Kind,
    Outcome,
    ShapeCache,
    Status,
    TooLargeError,
    View,
    ask,
    judge,
    possible_by_enumeration,
    status_of,
    verify_witness,
)
from seamwise.kernel import witness as finding
from seamwise.kernel.operation import STATED
from seamwise.testing.mutations import bundles
from tests.laws.conftest import DRAWN, cases_of

BUDGET = 25_000


def by_monitor(kind: Kind[Any], params: Any, evidence: Evidence) -> frozenset[Outcome] | None:
    """The monitor's outcomes: empty for contradictory evidence, None beyond its fragment."""
    said = ask(kind, params, kind.spec(params, evidence).select(evidence.weighty()))
    return None if said.beyond else said.possible


def by_definition(kind: Kind[Any], params: Any, evidence: Evidence) -> frozenset[Outcome] | None:
    """The enumerator's outcomes, or None where its universe is too large."""
    try:
        return possible_by_enumeration(evidence, kind.spec(params, evidence), lambda run: kind.outcome(run, params), budget=BUDGET)
    except TooLargeError:
        return None


def bare(kind: Kind[Any], params: Any, evidence: Evidence) -> Any:
    """The parameters that the verdict is given on: without the assumptions that records refute."""
    refuting = kind.refuted(View(kind.spec(params, evidence).select(evidence.weighty())), params)
    return kind.relaxed(params) if refuting else params


def test_law_6_the_monitor_agrees_with_the_definition(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases))
    def check(bundle: tuple[Any, Evidence]) -> None:
        case, evidence = bundle
        kind = case.kind
        params = bare(kind, case.params, evidence)
        mine = by_monitor(kind, params, evidence)
        if mine is None:
            DRAWN["agreement", kind_name, "beyond_fragment"] += 1
            return
        truth = by_definition(kind, params, evidence)
        if truth is None:
            DRAWN["agreement", kind_name, "(too large)"] += 1
            return
        DRAWN["agreement", kind_name, status_of(truth)] += 1
        assert mine == truth, f"monitor {sorted(mine)}, definition {sorted(truth)}\n{params}\n{show(evidence)}"

    check()


def test_law_2_deleting_evidence_never_flips_a_verdict(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases, max_records=7), st.data())
    def check(bundle: tuple[Any, Evidence], data: st.DataObject) -> None:
        case, evidence = bundle
        kind, params = case.kind, case.params
        full = judge(kind, params, evidence, prove=False)
        assert full.status is not Status.NOT_JUDGED, f"{full.reason}\n{params}\n{show(evidence)}"
        members = evidence.members()
        if not members:
            return
        gone = data.draw(st.lists(st.sampled_from(members), min_size=1, max_size=3, unique=True))
        less_evidence = evidence.without(gone)
        if full.dropped:  # an assumption that records refute is no longer evidence: compare without it
            params = kind.relaxed(params)
        less = judge(kind, params, less_evidence, prove=False)
        DRAWN["deletion", kind_name, f"{full.status}"] += 1
        if full.status in RESOLVED and not full.clashes:
            allowed = {full.status, Status.UNKNOWN}
            if full.status is Status.NOT_APPLICABLE:
                allowed.add(Status.RULED_OUT)
            assert less.status in allowed, f"{full.status} -> {less.status} without {gone}\n{params}\n{show(evidence)}"
        if full.status is Status.UNKNOWN and not less.clashes and not (full.reason or "").startswith("beyond"):
            assert full.possible <= less.possible, f"{full.possible} -> {less.possible} without {gone}\n{params}\n{show(evidence)}"

    check()


SORTING = frozenset({"reverses", "withdrawn"})
"""Fields whose presence says of what sort a record is: without them it would be another record, not the same one with less known.

So is a status that says that an event did not happen, on records that need none to say that it did.
"""


def test_law_2_deleting_fields_and_order_never_flips_a_verdict(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases, max_records=7), st.data())
    def check(bundle: tuple[Any, Evidence], data: st.DataObject) -> None:
        case, evidence = bundle
        kind, params = case.kind, case.params
        full = judge(kind, params, evidence, prove=False)
        fields = [
            (i, name)
            for i, r in enumerate(evidence.records)
            for name, value in r.fields.items()
            if name not in SORTING and not str(value).startswith("-") and (r.kind in STATED or value not in ("failed", "timeout"))
        ]
        if fields and data.draw(st.booleans()):
            i, name = data.draw(st.sampled_from(fields))
            r = evidence.records[i]
            ids = {x.id for x in evidence.records if x.id == r.id}
            records = tuple(
                msgspec.structs.replace(x, fields={k: v for k, v in x.fields.items() if k != name}, time=None if name == "t" else x.time)
                if x.id in ids
                else x
                for x in evidence.records
            )
            less_evidence, gone = msgspec.structs.replace(evidence, records=records), f"{r.id}.{name}"
        else:
            less_evidence, gone = evidence.unordered(), "the order"
        if full.dropped:
            params = kind.relaxed(params)
        less = judge(kind, params, less_evidence, prove=False)
        DRAWN["field deletion", kind_name, f"{full.status}"] += 1
        if full.status in RESOLVED and not full.clashes:
            allowed = {full.status, Status.UNKNOWN}
            if full.status is Status.NOT_APPLICABLE:
                allowed.add(Status.RULED_OUT)
            assert less.status in allowed, f"{full.status} -> {less.status} without {gone}\n{params}\n{show(evidence)}"

    check()


def test_laws_3_and_4_the_witness_forces_the_verdict_and_is_minimal(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases), st.data())
    def check(bundle: tuple[Any, Evidence], data: st.DataObject) -> None:
        case, evidence = bundle
        verdict = judge(case.kind, case.params, evidence)
        assert verdict.status is not Status.NOT_JUDGED, f"{verdict.reason}\n{case.params}\n{show(evidence)}"
        if verdict.status not in RESOLVED or verdict.witness is None:
            return
        answer = verify_witness(case.kind, case.params, evidence, verdict, budget=BUDGET, minimal=True)
        DRAWN["witness", kind_name, f"{verdict.status} {answer}"] += 1
        assert answer != "refuted", f"{verdict}\n{case.params}\n{show(evidence)}"
        spare = [m for m in evidence.members() if m not in verdict.witness]
        if spare:
            gone = data.draw(st.lists(st.sampled_from(spare), min_size=1, unique=True))
            params = case.kind.relaxed(case.params) if verdict.dropped else case.params
            less = judge(case.kind, params, evidence.without(gone), prove=False)
            wider = {verdict.status} if verdict.status is not Status.RULED_OUT else {Status.RULED_OUT, Status.NOT_APPLICABLE}
            assert less.status in wider, f"{verdict.status} -> {less.status} without {gone}\n{case.params}\n{show(evidence)}"

    check()


def test_law_3_holds_where_records_of_one_sort_are_tried_together(kind_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases))
    def check(bundle: tuple[Any, Evidence]) -> None:
        case, evidence = bundle
        with monkeypatch.context() as patch:
            patch.setattr(finding, "FEW", 1)
            apart = judge(case.kind, case.params, evidence)
        together = judge(case.kind, case.params, evidence)
        assert (apart.status, apart.possible) == (together.status, together.possible), f"{case.params}\n{show(evidence)}"
        if apart.status not in RESOLVED or apart.witness is None:
            return
        answer = verify_witness(case.kind, case.params, evidence, apart, budget=BUDGET, minimal=True)
        DRAWN["witness by sorts", kind_name, f"{apart.status} {answer}"] += 1
        assert answer != "refuted", f"{apart}\n{case.params}\n{show(evidence)}"

    check()


def test_law_5_every_unknown_has_gaps(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases))
    def check(bundle: tuple[Any, Evidence]) -> None:
        case, evidence = bundle
        verdict = judge(case.kind, case.params, evidence)
        if verdict.status is not Status.UNKNOWN:
            return
        sorts = {g.sort for g in verdict.gaps}
        DRAWN["gaps", kind_name, " ".join(sorted(sorts)) or "beyond_fragment"] += 1
        assert verdict.gaps or (verdict.reason or "").startswith("beyond_fragment"), f"{case.params}\n{show(evidence)}"
        assert all(g.needs for g in verdict.gaps), f"{verdict.gaps}\n{case.params}\n{show(evidence)}"

    check()


def test_law_7_arrival_order_and_copies_change_nothing(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases, max_records=6), st.data())
    def check(bundle: tuple[Any, Evidence], data: st.DataObject) -> None:
        case, evidence = bundle
        before = judge(case.kind, case.params, evidence, prove=False)
        records = list(data.draw(st.permutations(evidence.records)))
        if records:
            again = data.draw(st.sampled_from(records))
            fields = {k: v for k, v in again.fields.items() if data.draw(st.booleans()) or k == "status"}
            records.insert(data.draw(st.integers(0, len(records))), msgspec.structs.replace(again, fields=fields))
        after = judge(case.kind, case.params, msgspec.structs.replace(evidence, records=tuple(records)), prove=False)
        DRAWN["arrival", kind_name, f"{before.status}"] += 1
        assert (after.status, after.possible) == (before.status, before.possible), f"{case.params}\n{show(evidence)}\n{records}"

    check()


def test_a_shape_is_judged_like_its_instances(kind_name: str) -> None:
    cases = cases_of(kind_name)

    @given(bundles(cases, max_records=6))
    def check(bundle: tuple[Any, Evidence]) -> None:
        case, evidence = bundle
        kind, param = case.kind, case.kind.anchor.param
        identity = getattr(case.params, param) if param else ""
        if param and (identity is None or not isinstance(identity, str)):
            return
        template = msgspec.structs.replace(case.params, **{param: "~"}) if param else case.params
        cache = ShapeCache(kind, template, param)
        direct = judge(kind, case.params, evidence)
        for _ in range(2):
            told = cache.judge(identity, evidence)
            assert (told.status, told.possible, told.without) == (direct.status, direct.possible, direct.without), (
                f"{case.params}\n{show(evidence)}"
            )
            assert len(told.gaps) == len(direct.gaps), f"{told.gaps}\n{direct.gaps}\n{case.params}\n{show(evidence)}"
            assert "\x02" not in repr(told), f"a token is left in {told}"
            if told.witness is not None and not told.clashes and not told.dropped:
                alone = kind.spec(case.params, evidence).select(evidence.weighty()).keep(told.witness)
                assert ask(kind, case.params, alone).status is told.status, f"{told.witness}\n{case.params}\n{show(evidence)}"
        DRAWN["shapes", kind_name, f"{direct.status}"] += 1
        assert cache.hits == 1

    check()


def show(evidence: Evidence) -> str:
    """A bundle as a person reads it."""
    lines = [
        f"  {r.id} {r.kind} {r.streams} {dict(r.fields)} call={r.call} chain={r.chain} t={r.time} source={r.source}"
        for r in evidence.records
    ]
    lines += [f"  claim {c.stream} range={c.range} count={c.count}" for c in evidence.claims]
    lines.append(f"  context {evidence.context.parts} complete={sorted(evidence.context.complete)}")
    return "\n".join(lines)
