"""Unknowns rolled up: fewest changes first, what is sure and what is not, what became of an earlier run's unknowns."""

from __future__ import annotations

from typing import Any

from seamwise.audit import GapRef, Result, StepRef, Summary, gap_plan
from seamwise.audit._advice import advice_for
from seamwise.kernel import Outcome, Status
from seamwise.render.plan_text import plan_text

READS = ({"format": "otlp", "file": "a"}, {"format": "native", "file": "b"}, {"format": "zip", "file": "c", "refused": "no"})
SUMMARY = Summary(reads=READS)
BOTH = (Outcome.VIOLATED, Outcome.KEPT)


def gap(*wants: str, tool: str = "refund", sort: Any = "resolves") -> GapRef:
    step = StepRef(trace="t", step="s", index=1, kind="tool_call", tool=tool)
    return GapRef(sort=sort, needs=tuple(f"need {want}" for want in wants), steps=(step,), wants=wants)


def unknown(n: int, *gaps: GapRef, contract: str = "cap") -> Result:
    return Result(contract=contract, kind="within_total", instance={"customer": f"c{n}"}, status=Status.UNKNOWN, possible=BOTH, gaps=gaps)


def decided(n: int, status: Status) -> Result:
    return Result(contract="cap", kind="within_total", instance={"customer": f"c{n}"}, status=status, witness=())


def test_one_change_that_decides_many_comes_before_many_that_decide_one() -> None:
    results = [
        *(unknown(n, gap("ending #0"), gap("route ledger")) for n in range(5)),
        unknown(5, gap("ending #0", tool="credit")),
        unknown(6, gap("ending #0", "field amount #0")),
    ]
    plan = gap_plan(SUMMARY, results)
    assert [change.wants for change in plan.changes] == [("ending refund",), ("ending credit",), ("field amount refund",)]
    assert [(c.decides, c.may_decide) for c in plan.changes] == [(5, 0), (1, 0), (1, 0)]
    assert [round(c.share, 2) for c in plan.changes] == [0.71, 0.86, 1.0]
    assert plan.left == 0


def test_what_may_decide_is_told_apart() -> None:
    plan = gap_plan(SUMMARY, [unknown(1, gap("ending #0", sort="may_resolve")), unknown(2, gap("ending #0"))])
    (change,) = plan.changes
    assert (change.decides, change.may_decide) == (1, 1)
    assert "decides 1 of 2, can decide 1 more, depending on what it says (100% so far)" in plan_text(plan)


def test_judgements_and_what_lies_beyond_are_counted_and_not_promised() -> None:
    beyond = Result(contract="cap", kind="k", instance={}, status=Status.UNKNOWN, possible=BOTH, reason="beyond_fragment: two currencies")
    plan = gap_plan(SUMMARY, [unknown(1, gap("meaning text #0", sort="judgement")), beyond])
    assert plan.changes == ()
    assert (plan.judgement, plan.beyond, plan.left) == (1, 1, 0)


def test_only_unknowns_count() -> None:
    plan = gap_plan(SUMMARY, [decided(1, Status.RULED_OUT), decided(2, Status.SUPPORTED)])
    assert (plan.n_unknown, plan.n_instances, plan.changes) == (0, 2, ())
    assert plan_text(plan) == "0 unknown of 2 instances\n"


def test_what_became_of_the_unknowns_of_an_earlier_run() -> None:
    before = [unknown(1, gap("ending #0")), unknown(2, gap("ending #0")), unknown(3, gap("ending #0")), decided(4, Status.RULED_OUT)]
    now = [unknown(1, gap("ending #0")), decided(2, Status.SUPPORTED), unknown(4, gap("ending #0"))]
    since = gap_plan(SUMMARY, now, before=before).since
    assert since is not None
    assert (since.still, since.new, since.resolved, since.gone) == (1, 1, {"supported": 1}, 1)


def test_advice_is_that_of_the_formats_read_and_told_once() -> None:
    assert {a.format for a in advice_for("ending refund", ("native", "otlp"))} == {"native", "otlp"}
    assert advice_for("route ledger", ("otlp",)) == ()
    plan = gap_plan(SUMMARY, [unknown(1, gap("ending #0")), unknown(2, gap("ending #0", tool="credit"))])
    text = plan_text(plan)
    assert text.count("gen_ai.tool.call.result") == 1
    assert text.count("as for 1") == 2, "once for each format"


def test_the_plan_as_markdown() -> None:
    text = plan_text(gap_plan(SUMMARY, [unknown(1, gap("route ledger"))]), markdown=True)
    assert text.startswith("**1 unknown of 1 instance; 1 change decides 1**\n")
    assert "1. state that nothing of this kind happens beside `ledger` (org.yaml: streams.ledger.route), if that is so: decides 1" in text
