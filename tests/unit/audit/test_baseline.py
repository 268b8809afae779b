"""Accepted findings: their names are stable, what is new fails, what is over or malformed is said once and clearly."""

from __future__ import annotations

import io
from datetime import date

import msgspec
import pytest

from seamwise.audit import (
    Baseline,
    Result,
    baseline_text,
    day_of,
    exit_code,
    finding_of,
    read_baseline,
    read_results,
    with_baseline,
    write_results,
)
from seamwise.errors import SchemaError, SeamwiseError, UsageError
from seamwise.kernel import Status
from unit.render.sample import PAID, invalid, not_judged, ruled_out, summary, supported, unknown

TODAY, LATER = date(2026, 12, 1), date(2027, 1, 31)


def accepting(*found: Result, until: date = LATER) -> Baseline:
    return read_baseline(baseline_text(found, reason="known", until=until).text.encode(), "baseline.yaml")


def test_a_finding_keeps_its_name_when_lines_and_moments_change() -> None:
    moved = tuple(msgspec.structs.replace(p, index=p.index + 7, step=f"other{n}", time_ns=1, trace="z") for n, p in enumerate(PAID))
    assert finding_of(supported(witness=moved)) == finding_of(supported())
    assert finding_of(supported(witness=tuple(reversed(PAID)))) == finding_of(supported())
    assert finding_of(supported(headline="said otherwise")) == finding_of(supported())


@pytest.mark.parametrize(
    "other",
    [
        supported(contract="another"),
        supported(instance={"customer": "c18", "quarter": "2026-Q1"}),
        supported(witness=PAID[:4]),
        supported(witness=(msgspec.structs.replace(PAID[0], actor="sales"), *PAID[1:])),
        supported(witness=(msgspec.structs.replace(PAID[0], tool="gift"), *PAID[1:])),
    ],
)
def test_another_contract_instance_or_witness_is_another_finding(other: Result) -> None:
    assert finding_of(other) != finding_of(supported())


def test_what_is_accepted_does_not_fail_and_what_is_new_does() -> None:
    results = (supported(), invalid(), not_judged(), unknown(), ruled_out("c8"))
    fresh, told = with_baseline(summary(results, errors=()), results, accepting(supported(), invalid(), not_judged()), today=TODAY)
    assert exit_code(fresh) == 0
    assert fresh.fresh is not None
    assert (fresh.fresh.n_accepted, fresh.fresh.new) == (3, {})
    assert told[0].accepted is not None
    assert told[0].status is Status.SUPPORTED
    for accepted, code in ((accepting(invalid(), not_judged()), 1), (accepting(supported(), not_judged()), 3), (None, 1)):
        assert exit_code(with_baseline(summary(results, errors=()), results, accepted, today=TODAY)[0]) == code


def test_unknown_alone_does_not_fail_ci_and_what_was_not_read_does() -> None:
    open_ones = (unknown(),)
    assert exit_code(summary(open_ones, errors=())) == 3
    assert exit_code(with_baseline(summary(open_ones, errors=()), open_ones, None, today=TODAY)[0]) == 0
    assert exit_code(with_baseline(summary(open_ones), open_ones, None, today=TODAY)[0]) == 3


def test_an_entry_whose_day_is_over_accepts_nothing_and_is_named() -> None:
    accepted = accepting(supported(), until=TODAY)
    last_day, _ = with_baseline(summary(), (supported(),), accepted, today=TODAY)
    assert last_day.fresh is not None
    assert (last_day.fresh.n_accepted, last_day.fresh.expired) == (1, ())
    fresh, told = with_baseline(summary(), (supported(),), accepted, today=LATER)
    assert told[0].accepted is None
    assert fresh.fresh is not None
    assert fresh.fresh.new == {"supported": 1}
    (said,) = fresh.fresh.expired
    assert said.startswith("baseline.yaml:4:5 `accepted[0]`: accepted until 2026-12-01, which is over: quarterly-cap customer c17")


GOOD = '  - {finding: "0123456789abcdef", reason: known, until: 2027-01-31}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense", "expected `version` and `accepted` - at b.yaml"),
        ("version: 2\naccepted: []", "expected version 1, got `2` - at b.yaml:1:10"),
        ("version: 1\naccepted: 7", "expected a list of findings - at b.yaml:2:11"),
        (
            "version: 1\naccepted:\n  - {finding: abc, until: 2027-01-31}",
            "expected why it is accepted as `reason`, got nothing - at b.yaml:3:5",
        ),
        ("version: 1\naccepted:\n  - {finding: abc, reason: x}", "expected a day such as 2027-01-31 as `until`, got nothing"),
        (
            "version: 1\naccepted:\n  - {finding: abc, reason: x, until: soon}",
            "expected a day such as 2027-01-31, got `soon` - at b.yaml:3:38",
        ),
        ("version: 1\naccepted:\n  - {finding: abc, reason: x, until: 2027-02-30}", "expected a day such as 2027-01-31, got `2027-02-30`"),
        ("version: 1\naccepted:\n  - {findin: abc}", "unknown key `findin`"),
        ("version: 1\naccepted:\n" + GOOD * 2, "expected every finding once, got `0123456789abcdef` again - at b.yaml:4:5"),
        ("version: [", "expected YAML"),
    ],
)
def test_a_malformed_baseline_is_one_clear_message(text: str, said: str) -> None:
    with pytest.raises(SeamwiseError) as caught:
        read_baseline(text.encode(), "b.yaml")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_new_baseline_keeps_reasons_and_lets_go_of_what_is_gone() -> None:
    old = accepting(supported(), invalid())
    made = baseline_text((supported(), not_judged(), unknown()), reason="later", until=date(2028, 1, 1), old=old)
    assert (made.n_kept, made.n_new, made.n_gone) == (1, 1, 1)
    entries = read_baseline(made.text.encode(), "b").entries
    assert entries[finding_of(supported())].reason == "known"
    assert entries[finding_of(not_judged())].until == date(2028, 1, 1)


def test_hostile_names_can_be_accepted() -> None:
    odd = supported(contract='a: "b"\n- \x7f\u202e\U0001f600', instance={"c: {": "]\\ #"})
    accepted = accepting(odd)
    assert list(accepted.entries) == [finding_of(odd)]


def test_a_result_file_keeps_what_is_accepted() -> None:
    told = with_baseline(summary((supported(),)), (supported(),), accepting(supported()), today=TODAY)
    file = io.BytesIO()
    write_results(file, *told)
    assert read_results(io.BytesIO(file.getvalue())) == told
    edited = file.getvalue().replace(b'"accepted":{', b'"accepted_":{')
    with pytest.raises(SchemaError, match="as new"):
        read_results(io.BytesIO(edited))


def test_a_day_is_a_day() -> None:
    assert day_of("2027-01-31") == LATER
    with pytest.raises(UsageError):
        day_of("20270131")
