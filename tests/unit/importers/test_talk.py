"""What importers of listed conversations share: calls and answers find each other, nothing is made up, every record is counted."""

from __future__ import annotations

from typing import Any

import pytest

from seamwise.importers import ImportReport, Limits, Sink
from seamwise.importers._shared.arguments import arguments_of
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.text import clean, is_sound


@pytest.fixture
def sink() -> Sink:
    return Sink(ImportReport(format="talk", file="talk.json"), [], Limits())


def talk_of(sink: Sink, **more: Any) -> Talk:
    return Talk("t", sink, where="talk.json", **more)


def test_answers_find_their_calls_by_id_in_any_order(sink: Sink) -> None:
    talk = talk_of(sink)
    for name in "abc":
        talk.call("read_file", f'{{"p": "{name}"}}', actor="clerk", call=name)
    talk.answer("c", "three")
    talk.say("hurry up", actor="user")
    talk.answer("a", "one")
    steps = talk.trace().steps
    results = {s.call: s.text for s in steps if s.kind == "tool_result"}
    assert results == {"c": "three", "a": "one"}
    assert talk.unanswered == ["b"]
    assert sink.report.unknown["the ending of a tool call"] == 1


def test_a_recorded_null_is_a_result_and_no_record_is_none(sink: Sink) -> None:
    talk = talk_of(sink)
    talk.call("f", {}, actor="a", call="1")
    talk.answer("1", None)
    talk.call("f", {}, actor="a", call="2")
    talk.answer("2")
    null, nothing = (s for s in talk.trace().steps if s.kind == "tool_result")
    assert null.data == {"result": None}
    assert null.status == "ok"
    assert nothing.data is None
    assert nothing.status is None


@pytest.mark.parametrize(
    ("recorded", "value", "readable"),
    [
        ('"{\\"city\\": \\"Bonn\\"}"', {"city": "Bonn"}, True),
        ("{'city': 'Bonn', 'n': None, 'note': \"it's\"}", {"city": "Bonn", "n": None, "note": "it's"}, True),
        ('{"path": "C:\\dir", "v": \\n[1]}', '{"path": "C:\\dir", "v": \\n[1]}', False),
        ({"city": "Bonn"}, {"city": "Bonn"}, True),
        ("", "", False),
        ("{'a': {1}}", "{'a': {1}}", False),
    ],
)
def test_arguments_are_read_or_kept_but_never_become_empty(recorded: Any, value: Any, readable: bool) -> None:
    assert arguments_of(recorded) == (value, readable)


def test_an_answer_without_an_id_is_that_of_the_oldest_call_of_its_tool(sink: Sink) -> None:
    talk = talk_of(sink)
    first = talk.call("f", {}, actor="a")
    talk.call("g", {}, actor="a")
    talk.call("f", {}, actor="a")
    talk.answer(None, "x", tool="f")
    talk.answer(None, "y")
    results = [s for s in talk.trace().steps if s.kind == "tool_result"]
    assert results[0].call == first
    assert results[1].call is None, "which of two calls it answers nobody says"
    assert sink.report.note_counts["paired_by_order"] == 1
    assert sink.report.note_counts["result_without_call"] == 1


def test_a_call_without_an_id_is_answered_by_the_name_it_was_given(sink: Sink) -> None:
    talk = talk_of(sink)
    name = talk.call("f", {}, actor="a")
    talk.answer(name, "x")
    assert [(s.call, s.actor) for s in talk.trace().steps] == [(name, "a"), (name, "a")]
    assert sink.report.note_counts == {}


def test_two_calls_of_one_id_and_a_second_answer_are_kept_apart(sink: Sink) -> None:
    talk = talk_of(sink)
    one, two = talk.call("f", {}, actor="a", call="1"), talk.call("f", {}, actor="a", call="1")
    for text in ("x", "y", "z"):
        talk.answer("1", text)
    assert one == "1" != two
    assert [s.call for s in talk.trace().steps if s.kind == "tool_result"] == [one, two, two]
    assert sink.report.note_counts["answered_twice"] == 1


def test_of_two_transfers_at_once_the_answered_one_is_a_handoff(sink: Sink) -> None:
    talk = talk_of(sink)
    talk.say("hello", actor="Carol")
    talk.call("transfer_to_Bob", {}, actor="Alice", call="x2")
    talk.call("transfer_to_Carol", {}, actor="Alice", call="x3")
    talk.answer("x2", "Transferred to Bob")
    talk.say("Arr", actor="Bob")
    handoffs = [s for s in talk.trace().steps if s.kind == "handoff"]
    assert [(s.actor, s.recipients) for s in handoffs] == [("Alice", ("Bob",))]
    assert sink.report.note_counts["possible_handoff"] == 1


def test_a_handoff_that_is_recorded_itself_is_told_once(sink: Sink) -> None:
    talk = talk_of(sink)
    talk.call("transfer_to_Bob", {}, actor="Alice", call="x2")
    talk.answer("x2", "Transferred to Bob")
    talk.handoff("Alice", "Bob", text="Transferred to Bob")
    assert [s.kind for s in talk.trace().steps].count("handoff") == 1


def test_failures_are_told_by_the_record_and_suspected_from_the_content(sink: Sink) -> None:
    talk = talk_of(sink)
    for call, said in (("1", {"failed": True}), ("2", {}), ("3", {"failed": False})):
        talk.call("f", {}, actor="a", call=call)
        talk.answer(call, '{"error": "no such order"}', **said)
    assert [s.status for s in talk.trace().steps if s.kind == "tool_result"] == ["failed", None, "ok"]
    assert sink.report.note_counts["suspected_failure"] == 3


def test_the_sequence_is_known_only_where_one_writer_wrote_it(sink: Sink) -> None:
    one, many = talk_of(sink), talk_of(sink, in_sequence=False)
    for talk in (one, many):
        talk.say("x", actor="a")
        talk.say("y", actor="b")
    assert [s.seq for s in one.trace().steps] == [0, 1]
    assert [s.seq for s in many.trace().steps] == [None, None]


def test_hostile_content_is_kept_as_text(sink: Sink) -> None:
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    talk = talk_of(sink)
    talk.say("broken \ud83e emoji", actor="a\ud83e", data={"deep": deep, "n": float("nan")})
    step = talk.trace().steps[0]
    assert step.text == "broken \N{REPLACEMENT CHARACTER} emoji"
    assert step.data is not None
    assert step.data["n"] == "NaN"
    assert isinstance(step.data["deep"], str)
    assert sink.report.note_counts["too_deep"] == 1


def test_the_sums_add_up(sink: Sink) -> None:
    talk = talk_of(sink)
    talk.arrived("message 0")
    talk.merged("copy", "the same again")
    talk.dropped("no message")
    sink.report.finished = True
    sink.report.check()
    assert (sink.report.records, sink.report.kept, sink.report.merged, sink.report.dropped) == (3, 1, 1, {"no message": 1})


def test_an_outline_names_keys_and_short_values_of_a_file_that_breaks_off() -> None:
    seen = outline(b'{"history": [{"role": "user", "content": "x"}, {"role": "assis')
    assert seen.has("history[].role", "history[].content")
    assert seen.says("history[].role", "user")
    assert outline(b'{"type": "a"}\n{"type": "b", "m": {"k": [1, "').has("m.k")
    assert outline(b"plain words").start == "p"
    assert outline(b"").start == ""


def test_an_outline_of_hostile_bytes_is_quick() -> None:
    for head in (b"{" + b'\\"' * 30_000, b'{"' + b"\\" * 60_001, b"[" * 60_000, b'{"a":' * 10_000):
        outline(head)


@pytest.mark.parametrize(
    ("value", "sound"),
    [
        ({"a": [1, "x", None, True, 1.5, {"b": "ü"}]}, True),
        ([[["deep"]]], True),
        ([[[["too deep"]]]], False),
        ({"a": "\ud800"}, False),
        ({"\ud800": 1}, False),
        ([float("nan")], False),
        ([float("inf")], False),
        ({1: "x"}, False),
        ({"a": b"bytes"}, False),
        ({"a": (1, 2)}, False),
    ],
)
def test_what_may_stand_in_a_step_as_it_is(value: Any, sound: bool) -> None:
    assert is_sound(value, 3) is sound
    if sound:
        assert clean(value) == value
