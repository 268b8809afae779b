"""What a kind says that it does not tell apart, it does not: records with other contents and one blurred shape have one clear verdict."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.kernel import Evidence, Record, Status, judge
from seamwise.kinds import kind_names, kind_of
from seamwise.testing.mutations import bundles
from tests.laws.conftest import DRAWN, cases_of

CLEAR = (Status.RULED_OUT, Status.NOT_APPLICABLE)
BLURRING = [name for name in kind_names() if kind_of(name).blurred is not None]


def other(value: Any) -> st.SearchStrategy[Any]:
    """Another content of a field, near enough to be blurred into the same now and then."""
    if isinstance(value, Decimal):
        return st.integers(-5, 5).map(lambda n: value + n)
    if isinstance(value, str) and value.replace(".", "", 1).isdecimal():
        return st.integers(-5, 5).map(lambda n: str(Decimal(value) + n))
    if isinstance(value, str):
        return st.sampled_from([value, value + " and more", "something else"])
    if isinstance(value, dict):
        return st.sampled_from([value, {**value, "another": "thing"}, {name: item for name, item in value.items() if name != "another"}])
    return st.just(value)


@st.composite
def rewritten(draw: st.DrawFn, evidence: Evidence) -> Evidence:
    """The evidence with other contents in some fields, and with fields that nobody reads."""
    records = []
    for record in evidence.records:
        fields = {name: draw(other(value)) for name, value in record.fields.items()}
        if draw(st.booleans()):
            fields["remark"] = draw(st.sampled_from(["first", "second"]))
        records.append(msgspec.structs.replace(record, fields=fields))
    return msgspec.structs.replace(evidence, records=tuple(records))


def blurred(kind: Any, params: Any, records: tuple[Record, ...]) -> Any:
    """What the kind tells apart of them; records that share an operation are compared whole."""
    calls, ids = Counter(r.call for r in records if r.call is not None), Counter(r.id for r in records)
    return [
        dict(record.fields if calls[record.call] > 1 or ids[record.id] > 1 else fields)
        for record, fields in zip(records, kind.blurred(records, params), strict=True)
    ]


@pytest.mark.parametrize("name", BLURRING)
def test_what_is_blurred_has_one_clear_verdict(name: str) -> None:
    cases = cases_of(name)

    @given(bundles(cases, max_records=4), st.data())
    def check(bundle: tuple[Any, Evidence], data: st.DataObject) -> None:
        case, evidence = bundle
        kind, params = case.kind, case.params
        changed = data.draw(rewritten(evidence))
        here, there = blurred(kind, params, evidence.records), blurred(kind, params, changed.records)
        if here != there:
            DRAWN["blurred", name, "(told apart)"] += 1
            return
        first, second = judge(kind, params, evidence), judge(kind, params, changed)
        if first.status not in CLEAR and second.status not in CLEAR:
            DRAWN["blurred", name, "(not clear)"] += 1
            return
        DRAWN["blurred", name, f"{first.status}"] += 1
        shown = "\n".join(
            f"{r.id} {r.kind} {dict(r.fields)} | {dict(c.fields)}" for r, c in zip(evidence.records, changed.records, strict=True)
        )
        assert (first.status, first.possible, first.witness, first.without, first.order) == (
            second.status,
            second.possible,
            second.witness,
            second.without,
            second.order,
        ), f"{params}\n{shown}"
        others = [[n for n in v.notes if n.code != "headline"] for v in (first, second)]
        if not any(others):
            heads = [[n.words for n in v.notes] for v in (first, second)]
            assert kind.headline is not None or heads[0] == heads[1], shown
        else:
            assert all(others[:2]), shown

    check()


@pytest.mark.parametrize("name", [n for n in BLURRING if kind_of(n).headline is not None])
def test_the_headline_is_the_one_that_is_noted(name: str) -> None:
    cases = cases_of(name)

    @given(bundles(cases, max_records=4))
    def check(bundle: tuple[Any, Evidence]) -> None:
        case, evidence = bundle
        kind, params = case.kind, case.params
        if blurred(kind, params, evidence.records) == [dict(r.fields) for r in evidence.records]:
            return
        verdict = judge(kind, params, evidence)
        if verdict.status not in CLEAR or any(n.code != "headline" for n in verdict.notes) or not verdict.notes:
            return
        stream = f"{params.stream}/{params.key}"
        if not all(stream in r.streams for r in evidence.records):
            return  # a lot holds the records of one key
        DRAWN["headline", name, f"{verdict.status}"] += 1
        assert kind.headline(evidence.records, params) == verdict.notes[0].words

    check()
