"""How witnesses and gaps are looked for where records are many: in few readings, with the answer that the slow way gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seamwise.kernel import Context, Evidence, Member, Record, ShapeCache, Status, judge
from seamwise.kernel import gaps as searching
from seamwise.kernel.reading import Said, ask
from seamwise.kernel.witness import _droppable
from seamwise.record import Claim
from seamwise.testing import parse_case


def of(n: int) -> Evidence:
    return Evidence(records=tuple(Record(id=f"r{i}", kind="message") for i in range(n)))


def one_by_one(members: list[Member], enough: Callable[[Evidence], bool], evidence: Evidence) -> list[Member]:
    """The slow way."""
    for member in members:
        rest = evidence.without([member])
        evidence = rest if enough(rest) else evidence
    return evidence.members()


@given(n=st.integers(1, 40), sets=st.lists(st.frozensets(st.integers(0, 39), max_size=8), min_size=1, max_size=4))
def test_runs_leave_what_trying_records_one_by_one_leaves(n: int, sets: list[frozenset[int]]) -> None:
    evidence = of(n)
    sufficient = [{f"r{i % n}" for i in some} for some in sets]

    def enough(e: Evidence) -> bool:
        there = {r.id for r in e.records}
        return any(some <= there for some in sufficient)

    left = evidence
    for less in _droppable(evidence.members(), enough, evidence):
        left = less.evidence
    assert left.members() == one_by_one(evidence.members(), enough, evidence)


def test_few_readings_show_that_few_of_many_records_are_needed() -> None:
    evidence, read = of(1_000), []

    def enough(e: Evidence) -> bool:
        read.append(e)
        return {"r100", "r900"} <= {r.id for r in e.records}

    assert [m.name for less in _droppable(evidence.members(), enough, evidence) for m in less.gone].count("r100") == 0
    assert len(read) < 60


@given(
    gone=st.lists(st.sampled_from(["r0", "r1", "r2", "pay", "pay by user", "rights/edit", "rights"]), unique=True),
)
def test_deleting_members_is_keeping_the_others(gone: list[str]) -> None:
    evidence = Evidence(
        records=of(3).records,
        claims=(Claim(sort="recording", stream="pay", count=1), Claim(sort="recording", stream="pay", count=1, by="user")),
        context=Context(parts={"rights": {"edit": ("a",), "sign": ("b",)}}, complete={"rights": 2}),
    )
    members = [m for m in evidence.members() if m.name in gone]
    assert evidence.without(members) == evidence.keep(m for m in evidence.members() if m not in members)


def unsubjected(n: int) -> Any:
    """A sign-off, and so many checks of which nobody recorded what they checked."""
    records: list[dict[str, Any]] = [
        {"id": f"c{i}", "kind": "check", "check": "policy", "actor": "legal", "stream": "checks/policy", "status": "ok"} for i in range(n)
    ]
    records.append({"id": "s", "kind": "sign_off", "subject": "a", "stream": "sign_offs"})
    params = {"check": "policy", "sign_off": "s"}
    return parse_case({"name": "n", "expect": "unknown", "kind": "check_done", "params": params, "records": records})


def test_the_search_for_gaps_reads_no_more_records_than_it_may(monkeypatch: Any) -> None:
    case, read = unsubjected(400), []

    def counted(kind: Any, params: Any, evidence: Evidence) -> Said:
        read.append(len(evidence.records))
        return ask(kind, params, evidence)

    monkeypatch.setattr(searching, "ask", counted)
    verdict = judge(case.kind, case.params, case.evidence)
    assert verdict.status is Status.UNKNOWN
    assert verdict.gaps
    assert 0 < sum(read) <= searching.MAX_RECORDS_READ


def test_evidence_of_many_records_is_judged_alike_once_its_shapes_are_no_longer_looked_for() -> None:
    case = unsubjected(80)
    cache = ShapeCache(case.kind, case.params)
    cases = [unsubjected(80 + i) for i in range(20)]
    told = [cache.judge("", c.evidence) for c in cases]
    assert [(v.status, v.witness, v.gaps) for v in told] == [
        (v.status, v.witness, v.gaps) for v in (judge(c.kind, c.params, c.evidence) for c in cases)
    ]
    assert cache.misses < len(cases)
