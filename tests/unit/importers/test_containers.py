"""The same run in two exporters is the same trace, up to what each records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamwise.importers import Wanted, open_recording, whole
from unit.importers.containers import RUN, WRITERS
from unit.importers.otlp_fixtures import TRACE, Got, read_bytes

NO_RESOURCE = {"otel_js", "otel_flat", "phoenix"}
"""Formats that do not say who wrote a span: what is known of clocks and sources differs, and nothing else may."""

ADDED = {"otel_flat": ("session.id",), "langfuse": ("session.id", "langfuse.observation.type")}
"""Attributes that say what the packing says beside the span's own."""

TWICE = {"langfuse"}
"""Formats that name every span twice."""

KINDS_ADDED = {"phoenix"}
"""Formats that write an OpenInference kind for every span."""


def steps_of(got: Got, format: str) -> list[Any]:
    made = []
    for step in msgspec.to_builtins(got.traces[0].steps):
        if format == "langfuse" and step["kind"] == "note":
            continue  # What Langfuse says of the trace itself.
        step.pop("source", None)
        attributes = step.get("data", {}).get("attributes", {})
        if format in KINDS_ADDED and attributes.get("openinference.span.kind") == "UNKNOWN":
            del attributes["openinference.span.kind"]
        for key in ADDED.get(format, ()):
            attributes.pop(key, None)
        if "data" in step and step["data"].get("attributes") == {}:
            del step["data"]["attributes"]
        if step.get("data") == {}:
            del step["data"]
        made.append(step)
    return made


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_one_run_in_two_exporters_is_one_trace(tmp_path: Path, written: str) -> None:
    format = written.partition("/")[0]
    expected = read_bytes(tmp_path, WRITERS["otlp"](RUN))
    got = read_bytes(tmp_path, WRITERS[written](RUN))
    assert got.report.format == format
    assert [trace.id for trace in got.traces] == [TRACE]
    assert steps_of(got, format) == steps_of(expected, "otlp")
    header, other = got.traces[0].header, expected.traces[0].header
    assert header.organization == other.organization
    assert header.origin["conversations"] == ["case-7"]
    assert [(c.stream, c.range, c.count, c.basis) for c in header.claims] == [(c.stream, c.range, c.count, c.basis) for c in other.claims]
    assert {c.by for c in header.claims} == {f"importer:{format}"}
    sealed = ("eval", {"score": "0.4"}) if written == "phoenix" else ("eval.score", "0.4")
    assert [(label.step, label.key, label.value) for label in got.labels] == [(f"{8:016x}", *sealed)]
    copies = len(RUN) if format in TWICE else 0
    others = 1 if format == "langfuse" else 0
    assert (got.report.records, got.report.kept, got.report.merged) == (len(RUN) + copies + others, len(RUN) + others, copies)
    assert got.report.dropped == {}
    assert got.codes == expected.codes | ({"duplicate": copies} if copies else {})
    assert bool(header.clocks) == (format not in {"zipkin", *NO_RESOURCE} or written == "otel_flat/cloudwatch")


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_the_format_is_told_by_content_alone(tmp_path: Path, written: str) -> None:
    content = WRITERS[written](RUN)
    for bytes_ in (content, b"\xef\xbb\xbf" + content, content.decode().encode("utf-16")):
        got = read_bytes(tmp_path, bytes_)
        assert got.report.format == written.partition("/")[0]
        assert got.report.kept == len(RUN) + (1 if written == "langfuse" else 0)


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_a_copy_is_merged_and_a_ring_is_cut(tmp_path: Path, written: str) -> None:
    ring = [{**RUN[0], "parentSpanId": RUN[3]["spanId"]}, *RUN[1:]]
    if written == "trail":
        ring = RUN  # A ring cannot be written as spans inside spans.
    got = read_bytes(tmp_path, WRITERS[written]([*ring, RUN[5]]))
    copies, others = (len(RUN) + 2, 1) if written in TWICE else (1, 0)
    assert (got.report.kept, got.report.merged) == (len(RUN) + others, copies)
    assert got.codes["duplicate"] == copies
    assert got.codes.get("parent_cycle", 0) == (0 if written == "trail" else 1)


@pytest.mark.parametrize("written", sorted(WRITERS.keys() - {"trail"}))  # A duration in ISO 8601 has no sign.
def test_a_negative_duration_is_no_duration(tmp_path: Path, written: str) -> None:
    turned = [*RUN[:5], {**RUN[5], "endTimeUnixNano": str(int(RUN[5]["startTimeUnixNano"]) - 5_000_000)}, *RUN[6:]]
    got = read_bytes(tmp_path, WRITERS[written](turned))
    assert got.codes["negative_duration"] == 1
    assert next(step for step in got.of("tool_result") if step.tool == "refund").time_ns is None


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_an_orphan_stands_and_is_noted(tmp_path: Path, written: str) -> None:
    got = read_bytes(tmp_path, WRITERS[written](RUN[1:]))
    assert got.codes["orphan"] >= 1
    assert got.report.dropped == {}


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_what_nobody_asks_for_changes_nothing_else(tmp_path: Path, written: str) -> None:
    path = tmp_path / "recording"
    path.write_bytes(WRITERS[written](RUN))
    (expected,) = open_recording(path).traces
    wanted = Wanted([({"tool_call", "tool_result"}, {"refund"})], claimed=())
    (got,) = open_recording(path, wanted=wanted).traces
    assert [s for s in got.steps if s.tool == "refund"] == [s for s in expected.steps if s.tool == "refund"]
    assert any(s.kind == "left_out" for s in got.steps)
    assert whole(got) == expected


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_a_file_that_breaks_off_keeps_what_stands_before(tmp_path: Path, written: str) -> None:
    content = WRITERS[written](RUN)
    for part in (0.5, 0.7, 0.9):
        got = read_bytes(tmp_path, content[: int(len(content) * part)], format=written.partition("/")[0])
        assert got.report.kept >= 2
        assert sum(got.report.dropped.values()) >= 1
        assert {trace.id for trace in got.traces} == {TRACE}


def test_what_adot_moved_into_an_event(tmp_path: Path) -> None:
    def of(number: int, told: str, answered: Any) -> dict[str, Any]:
        name = "openinference.instrumentation.langchain"
        body = {
            "input": {"messages": [{"role": "user", "content": told}]},
            "output": {"messages": [{"role": "assistant", "content": json.dumps(answered)}]},
        }
        return {
            "trace_id": TRACE,
            "span_id": f"{number:016x}",
            "parent_span_id": None,
            "name": name,
            "start_time": number,
            "end_time": number + 1,
            "attributes": {"event.name": name},
            "status": {"code": "OK"},
            "span_events": [{"event_name": name, "timestamp": number, "attributes": {}, "body": body}],
        }

    call = {"name": "look", "args": {"order": 7}, "id": "c1"}
    spans = [
        of(1, "price?", {"generations": [[{"text": "One moment.", "message": {"tool_calls": [call]}}]], "llm_output": None}),
        of(2, "{'order': 7}", {"type": "tool", "name": "look", "content": "12 EUR", "tool_call_id": "c1", "status": "success"}),
        of(3, "price?", {"messages": [{"type": "ai", "content": "12 EUR"}]}),
    ]
    got = read_bytes(tmp_path, json.dumps(spans).encode())
    parts = (got.one("model_result").data or {})["messages"][0]["parts"]
    assert parts == [
        {"type": "text", "content": "One moment."},
        {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"order": 7}},
    ]
    assert "whole" not in (got.one("input").data or {})
    asked, answer = got.one("tool_call"), got.one("tool_result")
    assert (asked.tool, asked.call, (asked.data or {})["arguments"]) == ("look", "c1", {"order": 7})
    assert (answer.text, answer.status) == ("12 EUR", "ok")
    assert "12 EUR" in str((got.one("span").data or {})["events"])
