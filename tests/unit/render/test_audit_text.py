"""The audit on a terminal: its decisive lines, its width, and that recorded text stays text."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.audit import GapRef, NoteRef, Statement, StepRef
from seamwise.kernel import Status
from seamwise.render._names import short_names
from seamwise.render.audit_markdown import audit_markdown
from seamwise.render.audit_text import audit_text
from seamwise.render.html import audit_html
from seamwise.render.plain import cells
from unit.render import sample
from unit.render.sample import PAID, results, ruled_out, summary, supported, unknown

HOSTILE = "\x1b]0;owned\x07\x1b[2J</script><img src=x onerror=alert(1)>\u202eevil\ud800\r\nSUPPORTED  nothing-to-see  all is well"


def test_a_supported_verdict_is_told_step_by_step() -> None:
    text = audit_text(summary(), results(), width=110)
    told = text.index("SUPPORTED  quarterly-cap (A1)  customer c17, 2026-Q1")
    lines = text[told:].splitlines()
    assert lines[1:11] == [
        "  65.00 of 40.00 by 5 agents, each within 20.00",
        '  handbook.md: "no customer may receive more than $40 in one quarter"',
        '    f38b2ffc #12  2026-01-09  support     issue_credit  15.00  "goodwill for the outage"',
        '    90624fe3 #9   2026-01-22  retention   issue_credit  20.00  "wants to leave; twenty keeps them"',
        '    ed1ba5c8 #11  2026-02-11  recovery    issue_credit  10.00  "parcel arrived late"',
        "      <- crosses the cap: 45.00 of 40.00",
        "         known to recovery before: the total 35.00 was in its input (customer_history, #9)",
        '    47cd07f7 #7   2026-02-26  billing     refund        12.65  "issued (ref 471)"',
        '    e39f13d7 #14  2026-03-17  escalation  issue_credit   7.35  "rounding off the complaint"',
        '  leaning on your statement "a credit cannot be taken back" (on the records alone: unknown)',
    ]


def test_unknown_says_what_would_decide_it() -> None:
    text = audit_text(summary(), results(), width=110)
    assert "UNKNOWN  quarterly-cap (A1)  customer c3, 2026-Q1" in text
    assert "    [ ] the result of call_8 (trace 37fe43eb #8, billing, issue_credit) (decides it, whatever it says)" in text
    assert "    [ ] the payments table for 2026-Q1 (can decide it, depending on what it says)" in text
    assert "can decide 2 of 2 unknown" in text


def test_ruled_out_is_rolled_up_with_what_it_leans_on() -> None:
    text = audit_text(summary(), results(), width=110)
    assert (
        "ruled out  quarterly-cap  5 customers, 2026-Q1\n"
        "  c8, c9, c12, c21, c42\n"
        '  leaning on your claim "these two tools are the only way to pay" (on the records alone: unknown)\n'
    ) in text


def test_what_leans_on_nothing_is_rolled_up_apart() -> None:
    free = sample.msgspec_replace(ruled_out("c50"), leaning_on=(), without=None)
    text = audit_text(summary(), (ruled_out("c8"), ruled_out("c9"), free), width=110)
    assert "ruled out  quarterly-cap  2 customers, 2026-Q1" in text
    assert "ruled out  quarterly-cap  customer c50, 2026-Q1" in text


def test_invalid_not_judged_and_weightless_are_told() -> None:
    text = audit_text(summary(), results(), width=110)
    assert "INVALID  checked-signing (D2)  trace 6779082c, sign off k3" in text
    assert "these contradict one another: status done and status failed of one call" in text
    assert "NOT JUDGED  checked-signing (D2)  trace b76dc0c3, sign off k5" in text
    assert "ZeroDivisionError: division by zero" in text
    assert "without weight, since their word does not count here:" in text
    assert "resting on all 3 runs of policy_check are in the export, says otlp: counted at reading" in text


def test_the_summary_comes_first_with_what_could_not_be_read() -> None:
    lines = audit_text(summary(), results(), width=140).splitlines()
    read, counted = (
        "29 traces, 412 steps, 1 file; 3 contracts, 13 instances",
        "2 supported, 1 invalid, 1 not judged, 2 unknown, 6 ruled out",
    )
    assert lines[0] == f"{read}: {counted}, 1 not applicable"
    assert lines[2].split() == "contract supported invalid not judged unknown ruled out not applicable".split()
    assert lines[3].split() == ["quarterly-cap", "1", ".", ".", "2", "5", "."]
    assert "! runs/broken.jsonl:3: expected an object, got `[` (see `seamwise show`)" in lines
    assert "! recording.otlp.jsonl: records left out: 1 no trace id" in lines
    assert "! stream `ledger`: 1 of 18 records without a key" in lines


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
@pytest.mark.parametrize("colour", [False, True])
def test_no_line_is_wider_than_the_terminal(width: int, colour: bool) -> None:
    text = audit_text(summary(), results(), width=width, colour=colour)
    bare = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert max(map(cells, bare.splitlines())) <= width
    assert bare == audit_text(summary(), results(), width=width)
    assert ("\x1b" in text) is colour


def test_hostile_text_is_shown_and_does_not_act() -> None:
    step = StepRef(trace=HOSTILE, step=HOSTILE, index=1, kind=HOSTILE, actor=HOSTILE, tool=HOSTILE, fields={HOSTILE: HOSTILE}, text=HOSTILE)
    bad = supported(
        contract=HOSTILE,
        instance={HOSTILE: HOSTILE},
        headline=HOSTILE,
        witness=(step,),
        notes=(),
        leaning_on=(Statement(name=HOSTILE, words=HOSTILE, by=HOSTILE, because=HOSTILE),),
    )
    text = audit_text(summary((bad,)), (bad, unknown(gaps=(GapRef(sort="judgement", needs=(HOSTILE,), steps=(step,)),))), width=100)
    assert not any(c in text for c in "\x1b\x07\r\u202e\ud800")
    assert not [line for line in text.splitlines() if line.startswith("SUPPORTED  nothing-to-see")]
    text.encode()


def test_many_unknowns_are_told_in_part_and_named_in_number() -> None:
    many = tuple(unknown(f"c{i}") for i in range(40))
    text = audit_text(summary(many), many, width=100)
    assert text.count("UNKNOWN  ") == 12
    assert "unknown  quarterly-cap  more: 28 customers, 2026-Q1" in text
    assert audit_text(summary(many), many, width=100, everything=True).count("UNKNOWN  ") == 40


def test_a_status_without_instances_is_not_told() -> None:
    text = audit_text(summary(()), ())
    assert text == "29 traces, 412 steps, 1 file; 0 contracts, 0 instances: nothing to judge\n" + text.split("\n", 1)[1]
    only = (ruled_out("c8"),)
    assert "supported" not in audit_text(summary(only), only)


def test_two_traces_with_one_beginning_are_told_apart() -> None:
    a, b = "f38b2ffc" + "0" * 24, "f38b2ffc" + "1" * 24
    steps = tuple(StepRef(trace=t, step="s", index=1, kind="tool_call") for t in (a, b))
    text = audit_text(summary(), (supported(witness=steps, notes=()),), width=140)
    assert f"{a[:9]} #1" in text
    assert f"{b[:9]} #1" in text


def test_beyond_the_fragment_is_told_apart() -> None:
    s = unknown(gaps=(), reason="beyond_fragment: 9 contributions without a key")
    assert "outside what this contract decides exactly: 9 contributions without a key" in audit_text(summary((s,)), (s,))
    assert s.status is Status.UNKNOWN


def test_what_the_headline_counts_beyond_the_proof_is_told_apart() -> None:
    s = supported(witness=sample.PAID[:3], notes=(NoteRef(code="headline", words="65.00 of 40.00", steps=sample.PAID), sample.CROSSES))
    text = audit_text(summary((s,)), (s,), width=110)
    proof, others = text.split("  counted too, and not needed for the proof:\n")
    assert "47cd07f7" not in proof
    assert others.splitlines()[:2] == [
        '    47cd07f7 #7   2026-02-26  billing     refund        12.65  "issued (ref 471)"',
        '    e39f13d7 #14  2026-03-17  escalation  issue_credit   7.35  "rounding off the complaint"',
    ]


def test_a_call_is_told_by_what_its_fields_do_not_say() -> None:
    call = msgspec.structs.replace(
        sample.PAID[0],
        fields={"customer": "c17", "amount": "15.00", "currency": "USD", "reason": "goodwill for the outage", "status": "ok"},
        text='{"customer_id": "c17","amount": 15.0,"reason": "goodwill for the outage"} -> {"status": "done"}',
    )
    s = supported(witness=(call,), notes=())
    assert 'support  issue_credit  15.00 USD  "goodwill for the outage -> done"' in audit_text(summary((s,)), (s,), width=110)
    failed = msgspec.structs.replace(call, fields={"amount": "15.00", "status": "failed"}, text="closed")
    s = supported(witness=(failed,), notes=())
    assert 'issue_credit  15.00, status failed  "closed"' in audit_text(summary((s,)), (s,), width=110)


def test_a_mark_is_told_at_its_step_and_not_again() -> None:
    step = msgspec.structs.replace(sample.PAID[0], marks=("anomaly",))
    s = supported(witness=(step,), notes=(NoteRef(code="anomaly", words="it is of another version", steps=(step,)),))
    text = audit_text(summary((s,)), (s,), width=110)
    assert "      <- anomaly: it is of another version" in text
    assert text.count("another version") == 1


def test_words_with_quotation_marks_stand_in_others() -> None:
    s = supported(leaning_on=(Statement(name="claim:x", words="", because='handbook 1.1: "the only way"'),))
    text = audit_text(summary((s,)), (s,), width=110)
    assert 'leaning on your claim “handbook 1.1: "the only way"” (on the records alone: unknown)' in text


def test_instances_of_several_periods_are_named_by_period() -> None:
    later = sample.msgspec_replace(ruled_out("c8"), instance={"customer": "c8", "quarter": "2026-Q2"})
    text = audit_text(summary(), (ruled_out("c8"), ruled_out("c9"), later), width=110)
    assert "ruled out  quarterly-cap  3 instances of 2 customers\n  2026-Q1: c8, c9\n  2026-Q2: c8\n" in text


def test_ids_are_shortened_only_so_far_that_they_stay_apart() -> None:
    alone, padded = "f38b2ffc80a4df5a51c9bc701e7ea419", [f"{n:032x}" for n in (1, 2)]
    close = ["ab" * 8 + "0" * 16, "ab" * 5 + "c" * 22]
    names = short_names([alone, *padded, *close, "run 12"])
    assert names[alone] == "f38b2ffc"
    assert [names[p] for p in padded] == padded
    assert [names[c] for c in close] == ["ab" * 5 + "a", "ab" * 5 + "c"]
    assert names["run 12"] == "run 12"


@given(st.sets(st.text("01a", min_size=16, max_size=20), max_size=12))
def test_short_names_name_one_id_each(ids: set[str]) -> None:
    names = short_names(ids)
    assert len(set(names.values())) == len(ids)
    for name, told in names.items():
        assert len(told) >= 8
        assert name.startswith(told)
        assert told == name or [i for i in ids if i.startswith(told)] == [name]


def test_traces_with_padded_ids_are_told_apart_everywhere() -> None:
    steps = [msgspec.structs.replace(PAID[n], trace=f"{n + 1:032x}") for n in (0, 1)]
    rows = tuple(supported(witness=(s,), notes=(), instance={"trace": s.trace, "sign_off": f"{i:016x}"}) for i, s in enumerate(steps))
    text, markdown, page = audit_text(summary(rows), rows), audit_markdown(summary(rows), rows), audit_html(summary(rows), rows)
    for i, s in enumerate(steps):
        assert f"{s.trace} #" in text
        assert f"{s.trace} #" in markdown
        assert f"trace {s.trace}, sign off {i:016x}" in page
    assert "00000000 #" not in text.replace(steps[0].trace, "")


def test_ids_that_begin_alike_stay_apart_in_sentences_too() -> None:
    ids = [f"{n:032x}" for n in (1, 2)]
    needs = tuple(f"the result of `k{n}` (trace {trace} #4, billing, pay)" for n, trace in enumerate(ids))
    steps = tuple(StepRef(trace=trace, step="s", index=4, kind="tool_call", actor="billing", tool="pay") for trace in ids)
    open_calls = unknown(gaps=tuple(GapRef(sort="resolves", needs=(need,), steps=(s,)) for need, s in zip(needs, steps, strict=True)))
    text = audit_text(summary((open_calls,)), (open_calls,), width=200)
    assert [trace in text for trace in ids] == [True, True]
    other = msgspec.structs.replace(steps[1], trace="a1b2c3d4" + ids[1][8:])
    apart = unknown(gaps=(GapRef(sort="resolves", needs=(f"the result of `k` (trace {other.trace} #4, billing, pay)",), steps=(other,)),))
    assert "(trace a1b2c3d4 #4, billing, pay)" in audit_text(summary((apart,)), (apart,), width=200)


def test_what_the_headline_says_is_not_said_again() -> None:
    words = "escalation says `paid`"
    said = msgspec.structs.replace(PAID[0], marks=("crossing",))
    notes = (NoteRef(code="crossing", words=words, steps=(said,)), NoteRef(code="raised", words=words, steps=(said,)))
    text = audit_text(summary(), (supported(headline=words, witness=(said,), notes=notes),), width=110)
    assert text.count(words) == 1
    assert "<- this is the step" in text
    assert "raised" not in text


def test_notes_that_weaken_nothing_need_no_look() -> None:
    from seamwise.render._rollup import damage

    read = {"file": "a.jsonl", "note_counts": {"suspected_failure": 1, "told_twice": 2, "cut_line": 3}}
    lines = damage(sample.msgspec_replace(summary(), reads=(read,)))
    assert "a.jsonl: noted: 3 cut line" in lines
    assert not any("suspected" in line or "twice" in line for line in lines)
