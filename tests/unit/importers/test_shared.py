"""Small things that importers share: moments, names for runs without one, calls of models."""

from __future__ import annotations

from typing import Any

import pytest

from seamwise.importers import ImportReport, Limits, Sink
from seamwise.importers._shared.ids import fingerprint, named
from seamwise.importers._shared.messages import Said, text_part
from seamwise.importers._shared.models import ModelCalls
from seamwise.importers._shared.names import transfer_label
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import clean
from seamwise.importers._shared.times import iso_ns, moment_ns, seconds_ns
from seamwise.record import After, Clock


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("2024-11-05T18:32:37Z", 1730831557_000000000),
        ("2024-11-05T13:32:37-05:00", 1730831557_000000000),
        ("2024-11-05T18:32:37.123456789Z", 1730831557_123456789),
        ("2024-11-05T18:32:37,5+00:00", 1730831557_500000000),
        ("2024-11-05T18:32:37", None),
        ("2024-11-05", None),
        ("1969-12-31T23:59:59Z", None),
        ("9999-12-31T23:59:59Z", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_time_is_a_moment_where_it_names_its_zone(text: str, ns: int | None) -> None:
    assert iso_ns(text) == moment_ns(text) == ns


@pytest.mark.parametrize(
    ("seconds", "ns"),
    [
        (1734292270.899412, 1734292270_899412000),
        (1734292270, 1734292270_000000000),
        (0, None),
        (-1, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        (True, None),
        ("1734292270", None),
        (None, None),
    ],
)
def test_seconds_are_a_moment(seconds: Any, ns: int | None) -> None:
    assert seconds_ns(seconds) == ns


def test_a_run_without_an_id_is_named_after_its_content() -> None:
    assert named("run", {"a": 1, "b": [2]}) == named("run", {"b": [2], "a": 1})
    assert fingerprint([1]) != fingerprint([2])
    assert len(fingerprint({"half a pair": "\ud800", "deep": [float("nan")]})) == 12


def test_tools_that_hand_over_to_any_agent_say_so_in_their_arguments() -> None:
    assert transfer_label("transfer_to_agent", {"agent_name": "billing"}) == "billing"
    assert transfer_label("transfer_to_billing", {}) == "billing"
    assert transfer_label("transfer_to_agent", {}) is None


def test_deep_values_are_cleaned_without_recursion() -> None:
    deep: Any = ["\ud800", 1]
    for n in range(5000):
        deep = [deep] if n % 2 else {"k": deep}
    made = clean(deep)
    for _ in range(5000):
        made = made["k"] if isinstance(made, dict) else made[0]
    assert made == ["\N{REPLACEMENT CHARACTER}", 1]
    sound = {"a": [1, {"b": "x"}]}
    assert clean(sound) is sound
    assert clean({"keys": {1: b"x"}, "t": (1, 2)}) == {"keys": {"1": "x"}, "t": [1, 2]}


@pytest.fixture
def sink() -> Sink:
    return Sink(ImportReport(format="talk", file="talk.json"), [], Limits())


def told(*texts: str, whole: bool = True) -> Said:
    return Said([{"role": "user", "parts": [text_part(text)]} for text in texts], whole, "input", None if whole else "cut")


def test_a_call_follows_the_answer_that_its_input_repeats(sink: Sink) -> None:
    talk = Talk("t", sink, where="x", in_sequence=False)
    models = ModelCalls(talk, "because")
    first = models.call(id="m", actor="a", told=told("x"))
    models.result(first, actor="a", answered=[{"role": "user", "parts": [text_part("y")]}], status="ok")
    models.call(id="m", actor="a", told=told("x", "y", "z"))
    models.call(id="m", actor="a", told=told("other", whole=False))
    trace = talk.trace()
    calls = [s for s in trace.steps if s.kind == "model_call"]
    assert [(s.id, s.call, s.order) for s in calls] == [
        ("m", "m", ()),
        ("m~2", "m~2", (After(step="m/end", basis="message"),)),
        ("m~3", "m~3", ()),
    ]
    assert [s.text for s in trace.steps if s.kind == "message"] == ["x", "z", "other"]
    assert [(claim.stream, claim.range) for claim in trace.header.claims] == [("input/a", "m"), ("input/a", "m~2")]
    assert sink.report.note_counts["input_not_whole"] == 1


def test_parts_of_one_trace_are_chained_and_share_a_clock_that_does_not_go_back(sink: Sink) -> None:
    talk = Talk("t", sink, where="x", source="program", chained=True)
    for n, at in enumerate((5, 7, None, 6)):
        talk.say(str(n), actor="a", time_ns=at)
    talk.on_clock("program", Clock(skew_ns=1))
    steps = talk.trace().steps
    assert [s.order for s in steps] == [(), *((After(step=str(n), basis="sequence"),) for n in range(3))]
    assert {s.seq for s in steps} == {None}
    assert talk.clocks == {"program": Clock(skew_ns=1)}, "one nanosecond back is within twice the skew"
    talk.say("x", actor="a", time_ns=1)
    talk.clocks.clear()
    talk.on_clock("program", Clock(skew_ns=1))
    assert talk.clocks == {}


def test_what_is_no_part_of_a_run_is_dropped_without_loss(sink: Sink) -> None:
    talk = Talk("t", sink, where="x")
    talk.dropped("a label", harmless=True)
    assert (sink.report.n_lost, sink.report.dropped, sink.report.harmless) == (0, {"a label": 1}, {"a label": 1})
    talk.dropped("unreadable")
    assert sink.report.n_lost == 1
    sink.report.finished = True
    sink.report.check()
