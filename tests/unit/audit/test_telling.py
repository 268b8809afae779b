"""How results are told: what the agent that crossed had been given, secrets, words of gaps and claims."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamwise.audit import Pack, Result, audit
from seamwise.audit._known import Knowing, Sought, _number, sought_in
from seamwise.audit._redact import MAX_TEXT, words_of
from seamwise.audit._refs import told
from seamwise.audit._result import StepRef
from seamwise.kernel import Status
from seamwise.record import Header, Step, Trace
from unit.binding.traces import CAP, LEDGER, START, run, saved

CONTRACT = {**CAP, "reversals": {"none": True, "because": "final"}}


def crossing(tmp_path: Path, *before: Step, across: str = "corpus", **more: Any) -> Result:
    """A cap crossed by a third payment in a trace of its own, with these steps before it."""
    story = run("r3", "c:pay(c1,10)=done", day=5)
    late = [msgspec.structs.replace(s, seq=100 + n, time_ns=(s.time_ns or 0) + 60 * 10**9) for n, s in enumerate(story.steps)]
    last = Trace(header=story.header, steps=(*before, *late))
    traces = [run("r1", "a:pay(c1,15)=done"), run("r2", "b:pay(c1,20)=done", day=3), last]
    if across == "trace":
        steps = [
            s
            for n, t in enumerate(traces)
            for s in (
                msgspec.structs.replace(s, id=f"{n}{s.id}", call=None if s.call is None else f"{n}{s.call}", seq=None) for s in t.steps
            )
        ]
        traces = [Trace(header=last.header, steps=tuple(steps))]
    pack = Pack(streams={"ledger": LEDGER}, contracts={"cap": {**CONTRACT, "across": across}})
    (result,) = audit(saved(tmp_path / "r.jsonl", *traces), pack, **more).results
    assert result.status is Status.SUPPORTED
    return result


def known(result: Result) -> list[str]:
    (step,) = [s for s in result.witness or () if "crossing" in s.marks]
    return list(step.known_before)


def given(n: int, kind: str, **fields: Any) -> Step:
    return Step(id=f"g{n}", kind=kind, seq=n, source="desk", time_ns=START + 5 * 86_400 * 10**9 + n * 10**9, **fields)


def test_the_running_total_in_the_input(tmp_path: Path) -> None:
    history = given(0, "tool_result", actor="c", tool="history", call="h", data={"result": {"customer": "c1", "total": "35.00"}})
    whole = given(1, "input", actor="c", data={"messages": [{"role": "tool", "content": "c1 so far 35.00"}]})
    assert known(crossing(tmp_path, history, whole)) == ["the total 35.00 was in its input at #2".replace("35.00", "35")]
    assert known(crossing(tmp_path, history)) == ["the total 35 was in the answer of its tool history at #1"]
    assert known(crossing(tmp_path, whole, across="trace"))[0].startswith("the total 35 was in its input")


@pytest.mark.parametrize(
    "step",
    [
        given(0, "input", actor="somebody_else", data={"messages": "c1: 35.00"}),
        given(0, "input", actor="c", data={"messages": "c1: 135.00 and 35.5 and 2035-01 and c35 and 35%"}),
        given(0, "message", actor="a", recipients=("b",), text="c1: 35.00"),
        given(0, "message", actor="a", text="c1: 35.00"),
        given(200, "input", actor="c", data={"messages": "c1: 35.00"}),
        given(0, "note", actor="c", text="c1: 35.00"),
    ],
)
def test_where_nothing_is_found_nothing_is_said(tmp_path: Path, step: Step) -> None:
    assert known(crossing(tmp_path, step)) == []


def test_earlier_amounts_beside_the_key(tmp_path: Path) -> None:
    note = given(0, "message", actor="a", recipients=("c",), text="c1 has had 15.00 from us")
    assert known(crossing(tmp_path, note)) == ["the 15 of trace r1 #2 was in a message to it at #1"]
    assert known(crossing(tmp_path, given(0, "message", actor="a", recipients=("c",), text="someone has had 15.00"))) == []


@pytest.mark.parametrize(
    ("earlier", "key", "own", "text"),
    [
        (["800"], "S-1", "800", "Please handle S-1, price 800"),  # the amount that is asked for now
        (["800", "300"], "S-1", "1100", "Please handle S-1, price 1100"),  # the same of the total
        (["800", "300"], "S-1", "50", "so far 1100"),  # of whom, it does not say
        (["35"], "35", "50", "35 EUR"),  # one word is not both
        (["800"], "", "50", "800 for S-1"),
        (["800"], "S-1", "50", "S-1 asks: budget 800, pay 50"),  # an argument of the call, see below
    ],
)
def test_an_equal_number_alone_shows_nothing(earlier: list[str], key: str, own: str, text: str) -> None:
    start = Step(id="c", kind="tool_call", call="k", actor="a", seq=1, source="s", data={"arguments": {"budget": 800, "pay": 50}})
    end = Step(id="x", kind="tool_result", call="k", actor="a", seq=2, source="s")
    asked = Step(id="i", kind="input", actor="a", seq=0, source="s", data={"messages": [{"role": "user", "content": text}]})
    trace = Trace(header=Header(id="r"), steps=(asked, start, end))
    amounts = [(Decimal(a), StepRef(trace="e", step="y", index=1, kind="tool_result")) for a in earlier]
    sought = sought_in(amounts, key, Decimal(own))
    assert sought is not None
    assert Knowing(trace).before(StepRef(trace="r", step="x", index=3, kind="tool_result", actor="a"), sought) == ()


def test_key_and_amount_in_two_messages_of_an_input_are_not_together(tmp_path: Path) -> None:
    apart = given(0, "input", actor="c", data={"messages": [{"content": "c1 wants 10"}, {"content": "the fee is 15.00"}]})
    assert known(crossing(tmp_path, apart)) == []
    joined = given(0, "input", actor="c", data={"messages": [{"content": "c1 wants 10"}, {"content": "c1 has had 15.00"}]})
    assert known(crossing(tmp_path, joined)) == ["the 15 of trace r1 #2 was in its input at #1"]


@pytest.mark.parametrize("text", ["35", "35.00", "$35.00", '"total":35', '"total": 35.0', "(35)", "35, 36", "was 35."])
def test_ways_to_write_a_number(text: str) -> None:
    assert _number(Decimal("35.00")).search(text)


@pytest.mark.parametrize("text", ["135", "35.5", "3.35", "35,000", "1,035", "c35", "35c", "12:35", "35:12", "35%", "-35", "#35", "35.001"])
def test_other_numbers(text: str) -> None:
    assert not _number(Decimal("35.00")).search(text)


def test_thousands_and_cents() -> None:
    assert _number(Decimal("1234.5")).search("at 1,234.50 or so")
    assert not _number(Decimal("1234.5")).search("at 1,234.51 or so")


def test_a_crossing_step_that_is_not_there_says_nothing() -> None:
    trace = Trace(header=Header(id="r"), steps=())
    assert Knowing(trace).before(StepRef(trace="r", step="x", index=1, kind="tool_result", actor="a"), Sought(Decimal(1), (), "k")) == ()


def test_texts_are_cut_unless_asked_otherwise(tmp_path: Path) -> None:
    long = "word " * 500
    assert len(words_of(long, redact=True) or "") <= MAX_TEXT
    assert words_of(long, redact=False) == long
    opening = Step(
        id="a",
        kind="tool_call",
        actor="a",
        tool="pay",
        call="k",
        data={"arguments": {"customer": "c1", "amount": 5, "why": "password: hunter22x " + long}},
    )
    path = saved(tmp_path / "r.jsonl", Trace(header=Header(id="r1"), steps=(opening,)))
    pack = Pack(
        streams={
            "ledger": {
                **LEDGER,
                "from": [
                    {"tool": "pay", "fields": {"customer": "arguments.customer", "amount": "arguments.amount", "why": "arguments.why"}}
                ],
            }
        },
        contracts={"cap": {**CAP, "limit": 4, "min_actors": 1}},
    )
    (told,) = audit(path, pack).results[0].gaps[0].steps
    assert "hunter22x" not in str(told)
    assert len(told.text or "") <= MAX_TEXT
    (told,) = audit(path, pack, redact=False).results[0].gaps[0].steps
    assert long.strip() in str(told.fields["why"])


def test_sentences_name_traces_whole() -> None:
    ref = StepRef(trace="37fe43eb87a9ec13a5497863210f4de3", step="x", index=16, kind="tool_result", actor="billing", tool="pay")
    assert told(ref) == "trace 37fe43eb87a9ec13a5497863210f4de3 #16, billing, pay"


def test_a_claim_is_told_with_its_number(tmp_path: Path) -> None:
    pack = Pack(streams={"ledger": LEDGER}, contracts={"cap": CAP})
    (result,) = audit(saved(tmp_path / "r.jsonl", run("r1", "a:pay(c1,15)=done b:pay(c1,5)=done")), pack).results
    assert {c.words for c in result.claims} == {
        "all 2 operations of `ledger` for c1 are recorded",
        "nothing of this kind happens beside `ledger`",
    }
    assert {s.because for s in result.leaning_on} == {"all calls are exported", "there is no other way to pay"}
    assert result.without is Status.UNKNOWN
