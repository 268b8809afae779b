"""OTLP as bytes: containers, damage, limits. Something is kept or somebody is told; nothing is lost in silence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from seamwise.errors import FormatError, LimitError
from seamwise.importers import Limits, open_recording
from seamwise.importers._shared.loose import Damage, values
from unit.importers.otlp_fixtures import TRACE, agent, imported, read, read_bytes, request, span, tool, value

OTHER = "b2" * 16


def lines(*requests: Any) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in requests)


# ---- containers ----


def test_one_run_in_every_container(tmp_path: Path) -> None:
    first, second = request(agent(1, "a")), request(tool(2, "t", 1, arguments={"x": 1}))
    both = [first, second]
    expected = read_bytes(tmp_path, lines(*both)).traces
    whole = {"resourceSpans": [g for r in both for g in r["resourceSpans"]]}
    for content in (
        json.dumps(both).encode(),
        json.dumps(both, indent=1).encode(),
        json.dumps(whole).encode(),
        json.dumps(whole, indent=2).encode(),
        b"\n\n".join(json.dumps(r, indent=4).encode() for r in both),
        b"[\n" + b",\n".join(json.dumps(r).encode() for r in both) + b"\n]\n",
        lines(*both).replace(b"\n", b"\r\n"),
        b"\n\n" + lines(*both),
        lines(*both)[:-1],
    ):
        got = read_bytes(tmp_path, content)
        assert got.traces == expected, content[:80]
        assert got.codes == {}
    for content in (b"\xef\xbb\xbf" + lines(*both), lines(*both).decode().encode("utf-16"), json.dumps(whole, indent=1).encode("utf-16")):
        got = read_bytes(tmp_path, content)
        assert got.traces == expected
        assert got.codes == {"encoding": 1}
    assert read_bytes(tmp_path, gzip.compress(lines(*both))).traces == expected
    assert read_bytes(tmp_path, zstandard.compress(lines(*both))).traces == expected


def test_children_come_before_parents_and_traces_interleave(tmp_path: Path) -> None:
    content = lines(
        request(tool(2, "t", 1)),
        request(tool(4, "u", 3, trace=OTHER)),
        request(agent(1, "a")),
        request(agent(3, "b", trace=OTHER)),
    )
    got = read_bytes(tmp_path, content)
    assert [(step.tool, step.actor) for step in got.of("tool_call")] == [("t", "a"), ("u", "b")]


def test_a_large_file_gives_each_trace_out_at_its_last_line_and_the_same_traces(tmp_path: Path) -> None:
    requests = []
    for i in range(300):
        trace = f"{i + 1:032x}"
        requests.append(request(tool(2, "t", 1, trace=trace, arguments={"note": "x" * 300}), resource={"service.name": "s"}))
        requests.append(request(agent(1, f"a{i}", trace=trace), resource={"service.name": "s"}))
    path = tmp_path / "large"
    path.write_bytes(lines(*requests))
    streamed = read(path)
    assert len(streamed.traces) == 300
    assert all(list(trace.header.clocks) == ["s"] for trace in streamed.traces)
    recording = open_recording(path)
    next(recording.traces)
    assert recording.report.records < 10
    path.write_bytes(json.dumps(requests).encode())
    assert read(path).traces == streamed.traces


def test_a_second_resource_far_below_takes_the_clock_from_all(tmp_path: Path) -> None:
    requests = [request(span(1, trace=f"{i + 1:032x}", note="x" * 300), resource={"service.name": "s"}) for i in range(300)]
    requests.append(request(span(1), resource={"service.name": "other"}))
    got = read_bytes(tmp_path, lines(*requests))
    assert {tuple(trace.header.clocks) for trace in got.traces} == {()}


# ---- damage ----


def test_one_bad_line_never_stops_the_file(tmp_path: Path) -> None:
    content = lines(request(agent(1, "a"))) + b'{"resourceSpans": [oops\n' + lines(request(tool(2, "t", 1)))
    got = read_bytes(tmp_path, content)
    assert len(got.steps) == 4
    assert got.report.dropped == {"unreadable": 1}
    (note,) = got.report.notes
    assert note.where.endswith("line 2")


def test_the_first_line_may_be_the_bad_one(tmp_path: Path) -> None:
    got = read_bytes(tmp_path, b"garbage {\n" + lines(request(agent(1, "a"))))
    assert got.one("agent_start").actor == "a"
    assert got.report.dropped == {"unreadable": 1}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_that_breaks_off_keeps_its_whole_records(tmp_path: Path, indent: int | None) -> None:
    content = json.dumps(request(*[span(i, f"s{i}", note='a "quoted" {brace') for i in range(1, 6)]), indent=indent).encode()
    cut = content[: content.index(b'"s4"') + 60]
    got = read_bytes(tmp_path, cut)
    assert [(step.data or {})["name"] for step in got.of("span")] == ["s1", "s2", "s3"]
    assert got.report.dropped == {"unreadable": 1}
    assert {"unreadable", "cut_off"} <= set(got.codes)


def test_a_list_that_breaks_off_keeps_its_whole_requests(tmp_path: Path) -> None:
    content = json.dumps([request(span(i)) for i in range(1, 4)]).encode()
    got = read_bytes(tmp_path, content[: len(content) - 200])
    assert len(got.of("span")) == 2
    assert got.codes["broken_list"] == 1


def test_a_request_that_breaks_off_does_not_take_the_next_with_it(tmp_path: Path) -> None:
    first = json.dumps(request(*[span(i, f"s{i}") for i in range(1, 4)]), indent=1)
    cut = first[: first.index('"s3"') + 2]
    got = read_bytes(tmp_path, (cut + "\n" + json.dumps(request(span(9, "s9")), indent=1)).encode())
    assert [(step.data or {})["name"] for step in got.of("span")] == ["s1", "s2", "s9"]


def test_control_characters_inside_strings_are_kept_with_a_note(tmp_path: Path) -> None:
    got = read_bytes(tmp_path, json.dumps(request(span(1, note="a MARK"))).replace("MARK", "\t").encode())
    assert (got.one("span").data or {})["attributes"] == {"note": "a \t"}
    assert got.codes == {"control_character": 1}


def test_encodings_are_repaired_with_a_note(tmp_path: Path) -> None:
    text = lines(request(span(1, note="MARK")))
    for bad, code in ((b"\xff\xfe", "bad_utf8"), (b"\\ud800", "lone_surrogate")):
        got = read_bytes(tmp_path, text.replace(b"MARK", b"a" + bad + b"b"))
        assert got.codes == {code: 1}
        note = (got.one("span").data or {})["attributes"]["note"]
        assert note.startswith("a\N{REPLACEMENT CHARACTER}")
        note.encode()


def test_json_that_is_not_quite_json(tmp_path: Path) -> None:
    text = json.dumps(request(span(1))).encode()
    twice = read_bytes(tmp_path, text.replace(b'"name": "work"', b'"name": "first", "name": "work", "flag": NaN'))
    assert (twice.one("span").data or {})["name"] == "work"
    assert twice.codes == {"duplicate_key": 1, "not_a_number": 1}
    nul = read_bytes(tmp_path, text + b"\n\0\0")
    assert nul.codes == {"nul": 1}


def test_fields_that_do_not_fit_are_left_out_with_a_note(tmp_path: Path) -> None:
    made = span(1, "work", more={"events": [{"name": 5}, {"name": "ok"}], "status": [1], "startTimeUnixNano": "soon", "attributes": ["x"]})
    got = imported(tmp_path, made, {"spanId": "x"}, {"traceId": [1], "spanId": "y"})
    step = got.one("span")
    assert (step.time_ns, step.status) == (None, None)
    assert [e["name"] for e in (step.data or {})["events"]] == ["", "ok"]
    assert got.codes == {"bad_field": 2, "bad_attribute": 1, "no_id": 2}
    assert got.report.dropped == {"a span without an id": 2}


def test_a_time_that_is_no_whole_number_is_not_rounded(tmp_path: Path) -> None:
    text = json.dumps(request(span(1))).replace('"1700000000000000000"', "1700000000000000000.5")
    got = read_bytes(tmp_path, text.encode())
    assert got.steps[0].time_ns is None
    exact = read_bytes(tmp_path, text.replace("1700000000000000000.5", "1.700000000000000001e18").encode())
    assert exact.steps[0].time_ns == 1_700_000_000_000_000_001


def test_ids_of_other_shapes_are_kept(tmp_path: Path) -> None:
    got = imported(tmp_path, span(1, trace="run-7"), span(2, "x", 1, trace="run-7", more={"spanId": "step two"}))
    assert got.traces[0].id == "run-7"
    assert got.codes == {"odd_id": 1}
    none = imported(tmp_path, span(1, trace=""), span(2, trace="0" * 32))
    assert [trace.id for trace in none.traces] == ["untraced"]


def test_attributes_as_a_plain_map(tmp_path: Path) -> None:
    got = imported(tmp_path, span(1, more={"attributes": {"a": 1, "b": [True, None], "c": {"d": "e"}}}))
    assert (got.one("span").data or {})["attributes"] == {"a": 1, "b": [True, None], "c": {"d": "e"}}


def test_metrics_are_counted_and_hold_no_steps(tmp_path: Path) -> None:
    got = read_bytes(tmp_path, json.dumps({"resourceMetrics": [{"x": 1}]}).encode())
    assert got.traces == []
    assert sum(got.report.dropped.values()) == 1


def test_nothing_readable_is_an_error_with_a_place(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b'{"resourceSpans": [{"scopeSpans": oops')
    recording = open_recording(path)
    with pytest.raises(FormatError, match="expected OTLP") as caught:
        list(recording.traces)
    assert caught.value.where == str(path)
    assert "oops" in (caught.value.hint or "")
    with pytest.raises(FormatError):
        list(open_recording(path, format="otlp").traces)


# ---- limits ----


def nested(depth: int) -> Any:
    made: Any = "deep"
    for _ in range(depth):
        made = [made]
    return made


def test_deep_nesting_is_kept_as_text_or_dropped_but_never_crashes(tmp_path: Path) -> None:
    got = imported(tmp_path, span(1, attrs={"x": nested(100)}))
    assert "deep" in repr(got.one("span").data)
    deep_json = imported(tmp_path, tool(1, "t", arguments="[" * 100 + "]" * 100))
    assert (deep_json.one("tool_call").data or {})["arguments"] == "[" * 100 + "]" * 100
    assert deep_json.codes == {"unparsable_arguments": 1}
    for depth in (600, 100_000):
        content = b'{"resourceSpans": ' + b"[" * depth + b"]" * depth + b"}"
        hostile = read_bytes(tmp_path, lines(request(span(1))) + content)
        assert hostile.report.kept == 1
        assert hostile.report.dropped == {"nested too deeply": 1}


def test_limits_are_named(tmp_path: Path) -> None:
    many = lines(*[request(span(i)) for i in range(1, 6)])
    over = read_bytes(tmp_path, many, limits=Limits(spans_per_trace=3))
    assert over.report.dropped == {"over the limit of records in one trace": 2}
    wide = imported(tmp_path, span(1, attrs={str(i): i for i in range(9)}), limits=Limits(attributes_per_span=5))
    assert len((wide.one("span").data or {})["attributes"]) == 5
    assert wide.codes == {"attributes_cut": 1}
    long = read_bytes(tmp_path, lines(request(span(1)), request(span(2, note="x" * 5000))), limits=Limits(line_bytes=3000))
    assert long.report.dropped == {"a line over the limit": 1}
    with pytest.raises(LimitError):
        open_recording(tmp_path / "recording", limits=Limits(file_bytes=100))


def test_notes_of_one_sort_are_counted_but_not_all_held(tmp_path: Path) -> None:
    got = imported(tmp_path, *[tool(i, "t", 99) for i in range(1, 80)], limits=Limits(notes_per_code=10))
    assert got.codes == {"orphan": 79}
    assert len(got.report.notes) == 10


def test_a_broken_list_of_lists_costs_no_more_than_its_length() -> None:
    from seamwise.importers import ImportReport

    report = ImportReport(format="otlp", file="x")
    list(values(b"[" * 900 + b"1," * 200_000, Damage(report, "x", 64)))
    assert report.records == 1


def test_value_builder_is_sound() -> None:
    assert value([]) == {"arrayValue": {}}
    assert TRACE != OTHER
