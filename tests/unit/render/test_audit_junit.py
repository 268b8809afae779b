"""JUnit: one case per contract, ends as CI reads them, XML whatever was recorded; Markdown that fits a step summary."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from seamwise.audit import Summary, baseline_text, read_baseline, with_baseline
from seamwise.render.audit_junit import audit_junit
from seamwise.render.audit_markdown import MAX_BYTES, audit_markdown
from seamwise.render.audit_text import audit_text
from unit.render.sample import invalid, not_judged, results, ruled_out, summary, supported, unknown
from unit.render.test_audit_text import HOSTILE


def ends(text: str) -> dict[str, str]:
    """How each case ends."""
    root = ElementTree.fromstring(text.encode("utf-8", "replace"))
    return {
        case.attrib["name"]: next((child.tag for child in case if child.tag != "system-out"), "passed") for case in root.iter("testcase")
    }


def test_a_contract_is_a_case_and_ends_as_its_worst_verdict() -> None:
    rows = (
        supported(),
        unknown(),
        msgspec.structs.replace(invalid(), contract="checked"),
        msgspec.structs.replace(not_judged(), contract="failed"),
        unknown(contract="open"),
        msgspec.structs.replace(ruled_out("c8"), contract="kept"),
    )
    told = summary(rows, errors=())
    text = audit_junit(told, rows)
    assert ends(text) == {
        supported().contract: "failure",
        "checked": "error",
        "failed": "error",
        "open": "skipped",
        "kept": "passed",
        "everything could be read": "passed",
    }
    root = ElementTree.fromstring(text)
    assert root.attrib["tests"] == str(len(list(root.iter("testcase"))))
    assert root.attrib["failures"] == str(len(list(root.iter("failure"))))
    assert root.attrib["errors"] == str(len(list(root.iter("error"))))
    skipped = next(root.iter("skipped"))
    assert "to decide customer c3, 2026-Q1: the result of call_8" in skipped.attrib["message"]
    failure = next(root.iter("failure"))
    assert "crosses the cap" in (failure.text or "")


def test_what_was_not_read_is_an_error() -> None:
    assert ends(audit_junit(summary(), results()))["everything could be read"] == "error"
    nothing = Summary(contracts={"cap": {}})
    assert ends(audit_junit(nothing, ())) == {"cap": "skipped", "everything could be read": "error"}


def test_what_is_accepted_passes_and_says_why() -> None:
    rows = (supported(),)
    accepted = read_baseline(baseline_text(rows, reason="a <known> one", until=date(2027, 1, 31)).text.encode(), "b.yaml")
    told, marked = with_baseline(summary(rows, errors=()), rows, accepted, today=date(2026, 12, 1))
    text = audit_junit(told, marked)
    assert set(ends(text).values()) == {"passed"}
    assert "accepted until 2027-01-31: a &lt;known&gt; one" in text


def test_entries_that_met_nothing_are_counted_apart() -> None:
    rows = (supported(),)
    both = (*rows, msgspec.structs.replace(supported(), contract="gone"))
    accepted = read_baseline(baseline_text(both, reason="known", until=date(2027, 1, 31)).text.encode(), "b.yaml")
    told, marked = with_baseline(summary(rows, errors=()), rows, accepted, today=date(2026, 12, 1))
    assert "0 new findings, 1 accepted by b.yaml; 1 entry of it met nothing" in audit_text(told, marked, width=110)


@given(st.text(st.characters(), max_size=40))
def test_whatever_was_recorded_it_is_xml(word: str) -> None:
    for odd in (word, HOSTILE, "]]>\ufffe\x00\ud800&"):
        bad = supported(contract=odd, instance={odd: odd}, headline=odd)
        assert len(ends(audit_junit(summary((bad,)), (bad,)))) == 2


def test_a_summary_fits_where_it_goes_and_says_what_is_left_out() -> None:
    many = (*(supported(instance={"customer": f"c{n}"}) for n in range(2_000)), *(ruled_out(f"r{n}") for n in range(20_000)))
    text = audit_markdown(summary(many), many)
    assert MAX_BYTES - 10_000 < len(text.encode()) <= MAX_BYTES
    assert text.count("<details>") == text.count("</details>")
    assert text.endswith("more are left out, since a summary holds no more; the result file and the page have them.\n")
    few = audit_markdown(summary(), results())
    assert "left out, since" not in few
