"""What each container of spans says in its own way: references, warnings, stray output, nested attributes, labels, times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.importers import ImportReport
from seamwise.importers._shared.loose import Damage
from seamwise.importers._spans import code_of, duration_ns, flattened, iso_ns, scaled
from unit.importers.containers import RUN, iso, otel_console, phoenix, start, trail
from unit.importers.otlp_fixtures import T0, TRACE, Got, read, read_bytes

Fields = dict[str, Any]


def imported(folder: Path, value: Any, format: str) -> Got:
    got = read_bytes(folder, value if isinstance(value, bytes) else json.dumps(value).encode())
    assert got.report.format == format
    return got


# ---- times and values ----


def damage() -> Damage:
    return Damage(ImportReport(format="x", file="f"), "f", 64)


@pytest.mark.parametrize(
    ("text", "ns", "noted"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000_000, None),
        ("2025-05-01T10:00:00.000001+00:00", 1_746_093_600_000_001_000, None),
        ("2025-05-01T12:00:00.123456789+02:00", 1_746_093_600_123_456_789, None),
        ("2025-05-01 07:30:00,5 -0230", 1_746_093_600_500_000_000, None),
        ("2025-05-01T10:00:00.1234567891Z", 1_746_093_600_123_456_789, None),
        ("2025-05-01T10:00:00", None, "naive_time"),
        ("2025-13-01T10:00:00Z", None, "bad_time"),
        ("yesterday", None, "bad_time"),
        (17, None, "bad_time"),
        (None, None, None),
        ("", None, None),
    ],
)
def test_moments_are_exact_or_left_out(text: Any, ns: int | None, noted: str | None) -> None:
    told = damage()
    assert iso_ns(text, told) == ns
    assert list(told.report.note_counts) == ([noted] if noted else [])


def test_a_moment_without_a_zone_is_utc_only_where_the_format_says_so() -> None:
    assert iso_ns("1970-01-01T00:00:01", damage(), naive_is_utc=True) == 1_000_000_000


@pytest.mark.parametrize(
    ("text", "ns"),
    [("PT24.688187S", 24_688_187_000), ("PT1H2M3S", 3_723_000_000_000), ("P1DT1S", 86_401_000_000_000), ("24 s", None), (3, None)],
)
def test_durations(text: Any, ns: int | None) -> None:
    assert duration_ns(text, damage()) == ns


@pytest.mark.parametrize(("value", "ns"), [(3, 3000), ("3", 3000), (1.5, 1500), (True, None), ("x", None), (1e300, None), ([], None)])
def test_counts_of_time(value: Any, ns: int | None) -> None:
    assert scaled(value, 1000, damage()) == ns


def test_status_codes_of_any_notation() -> None:
    assert [code_of(c) for c in ("OK", "Ok", "StatusCode.ERROR", "STATUS_CODE_ERROR", "Unset", 1, 2, 7, True, None)] == [
        1,
        1,
        2,
        2,
        0,
        1,
        2,
        0,
        0,
        0,
    ]


def test_only_names_of_the_conventions_are_taken_apart() -> None:
    nested = {
        "llm": {"input_messages": [{"message": {"role": "user"}}], "model_name": "m", "invocation_parameters": {}},
        "input": {"value": {"a": 1}},
        "tool": {"parameters": {"x": {"y": 1}}},
        "metadata": {"k": {"v": 1}},
        "mine": {"a": {"b": 1}},
        "none": None,
    }
    assert flattened(nested) == {
        "llm.input_messages.0.message.role": "user",
        "llm.model_name": "m",
        "llm.invocation_parameters": {},
        "input.value": {"a": 1},
        "tool.parameters": {"x": {"y": 1}},
        "metadata": {"k": {"v": 1}},
        "mine": {"a": {"b": 1}},
    }


# ---- console exports ----


def test_a_console_export_in_the_output_of_a_program(tmp_path: Path) -> None:
    records = otel_console(RUN).decode().split("\n}\n")
    text = "Starting ...\n\x1b[32mready\x1b[0m\n" + "\n}\nworking {not json}\n[info] step\n".join(records)
    got = imported(tmp_path, text.encode(), "otel_console")
    assert got.report.kept == len(RUN)
    assert got.report.dropped == {"text between the records": 1 + len(RUN)}
    assert got.codes["terminal_escapes"] == 1
    assert len(got.of("handoff")) == 1


def test_log_prefixes_lists_and_lines(tmp_path: Path) -> None:
    records = [json.loads(r + "\n}") for r in otel_console(RUN).decode().split("\n}\n")[:-1]]
    for content in (
        "".join("2025-01-31 12:00:00,123 INFO " + json.dumps(r, indent=4) + "\n" for r in records),
        json.dumps(records, indent=4),
        "".join(json.dumps(r) + "\n" for r in records),
    ):
        got = imported(tmp_path, content.encode(), "otel_console")
        assert (got.report.kept, got.report.dropped) == (len(RUN), {})


def test_log_records_of_the_console(tmp_path: Path) -> None:
    log = {
        "body": {"content": "price?"},
        "severity_number": 9,
        "severity_text": "INFO",
        "attributes": {},
        "dropped_attributes": 0,
        "timestamp": iso(T0),
        "observed_timestamp": iso(T0),
        "trace_id": f"0x{TRACE}",
        "span_id": f"0x{2:016x}",
        "event_name": "gen_ai.user.message",
        "resource": {"attributes": {"service.name": "desk"}},
    }
    outside = log | {"trace_id": "0x" + "0" * 32, "span_id": "0x" + "0" * 16, "event_name": "hello", "body": "x"}
    got = imported(tmp_path, "".join(json.dumps(r, indent=4) + "\n" for r in (log, outside)).encode(), "otel_console")
    assert got.one("message").text == "price?"
    assert got.report.dropped == {"a log record outside any trace": 1}


# ---- Jaeger and Zipkin ----


def jaeger_span(number: int, references: list[Fields], tags: list[Fields], **more: Any) -> Fields:
    return {
        "traceID": TRACE,
        "spanID": f"{number:016x}",
        "operationName": f"op {number}",
        "references": references,
        "startTime": T0 // 1000 + number,
        "duration": 5,
        "tags": tags,
        "logs": [],
        "processID": "p1",
    } | more


def test_references_tags_and_logs_of_jaeger(tmp_path: Path) -> None:
    def refers(kind: str, number: int, trace: str = TRACE) -> Fields:
        return {"refType": kind, "traceID": trace, "spanID": f"{number:016x}"}

    spans = [
        jaeger_span(1, [], [{"key": "n", "type": "int64", "value": "9007199254740993"}, {"key": "b", "type": "bool", "value": "true"}]),
        jaeger_span(
            2,
            [refers("FOLLOWS_FROM", 3), refers("CHILD_OF", 1), refers("CHILD_OF", 9, "b" * 32)],
            [{"key": "error", "type": "bool", "value": True}],
        ),
        jaeger_span(
            3,
            [refers("FOLLOWS_FROM", 1)],
            [{"key": "otel.status_code", "type": "string", "value": "ERROR"}, {"key": "otel.status_description", "value": "boom"}],
            logs=[{"timestamp": T0 // 1000, "fields": [{"key": "event", "value": "exception"}, {"key": "exception.type", "value": "E"}]}],
            warnings=["clock skew adjustment of 3ms was applied"],
        ),
    ]
    processes = {"p1": {"serviceName": "desk", "tags": [{"key": "hostname", "type": "string", "value": "h"}]}}
    got = imported(tmp_path, {"data": [{"traceID": TRACE, "spans": spans, "processes": processes}]}, "jaeger")
    one, two, three = got.of("span")
    assert (one.data or {})["attributes"] == {"n": 9007199254740993, "b": True}
    assert [after.step for after in two.order] == [f"{1:016x}"]
    assert {link["span"] for link in (two.data or {})["links"]} == {f"{3:016x}", f"{9:016x}"}
    assert (two.status, three.status) == ("failed", "failed")
    assert (three.data or {})["error"] == {"message": "boom", "type": "E"}
    assert [after.step for after in three.order] == [f"{1:016x}"]
    assert one.source == "desk"
    assert got.codes["jaeger_warning"] == 1
    assert got.traces[0].header.clocks == {}  # A backend gathers replicas; nothing says that this is one process.


def test_spans_of_jaeger_in_lines(tmp_path: Path) -> None:
    lines = [jaeger_span(n, [], [], process={"serviceName": "desk", "tags": []}) for n in (1, 2)]
    got = imported(tmp_path, "".join(json.dumps(line) + "\n" for line in lines).encode(), "jaeger")
    assert got.report.kept == 2


def test_errors_annotations_and_short_ids_of_zipkin(tmp_path: Path) -> None:
    def made(number: int, **more: Any) -> Fields:
        return {"traceId": "00000000000000aa", "id": f"{number:016x}", "name": "x", "timestamp": T0 // 1000, "duration": 5} | more

    spans = [
        made(1, tags={"error": "no such order"}, localEndpoint={"serviceName": "desk"}),
        made(2, tags={"error": "false"}, annotations=[{"timestamp": T0 // 1000, "value": "ws"}]),
        made(3, parentId=f"{1:016x}", kind="CLIENT", shared=True),
        made(3, parentId=f"{1:016x}", kind="SERVER", duration=3),
    ]
    got = imported(tmp_path, [spans], "zipkin")
    one, two = got.of("span")[:2]
    assert (one.status, (one.data or {})["error"]) == ("failed", {"message": "no such order"})
    assert two.status is None
    assert (two.data or {})["events"][0]["name"] == "ws"
    assert got.codes == {"same_id": 1}
    assert got.report.kept == 4


# ---- Phoenix and TRAIL ----


def test_frames_and_labels_of_phoenix(tmp_path: Path) -> None:
    spans = json.loads(phoenix(RUN))
    rows = []
    for span in spans:
        row = {"context.trace_id": span["context"]["trace_id"], "context.span_id": span["context"]["span_id"]}
        row |= {key: span[key] for key in ("name", "span_kind", "parent_id", "start_time", "end_time", "status_code", "status_message")}
        row |= {f"attributes.{key}": content for key, content in span["attributes"].items()}
        rows.append(row)
    expected = [s.id for s in imported(tmp_path, spans, "phoenix").steps]
    assert [s.id for s in imported(tmp_path, rows, "phoenix").steps] == expected
    assert [s.id for s in imported(tmp_path, {"data": spans, "next_cursor": None}, "phoenix").steps] == expected
    spans[0]["annotations"] = [{"name": "correct", "score": 1}]
    labelled = imported(tmp_path, spans, "phoenix")
    assert (f"{1:016x}", "annotations") in {(label.step, label.key) for label in labelled.labels}
    assert "correct" not in str(labelled.traces)


def test_annotations_of_trail_are_sealed(tmp_path: Path) -> None:
    path = tmp_path / f"{TRACE}.json"
    errors = [
        {"category": "Tool Misuse", "location": f"{6:016x}", "evidence": "x", "description": "y", "impact": "HIGH"},
        {"category": "Goal Deviation", "location": None},
    ]
    path.write_text(json.dumps({"errors": errors, "scores": [{"overall": 3}]}))
    got = read(path)
    assert got.report.format == "trail"
    assert got.traces == []
    assert got.report.dropped == {"evaluation labels: sealed": 3}
    assert [(label.trace, label.step, label.key) for label in got.labels] == [
        (TRACE, f"{6:016x}", "errors"),
        (TRACE, None, "errors"),
        (TRACE, None, "scores"),
    ]


def test_a_child_that_names_no_parent_is_one_of_the_span_around_it(tmp_path: Path) -> None:
    trace = json.loads(trail(RUN))
    child = trace["spans"][0]["child_spans"][0]
    child["parent_span_id"] = None
    del child["duration"]
    child["logs"] = [{"timestamp": iso(start(RUN[1])), "body": {"note": "hm"}}]
    got = imported(tmp_path, trace, "trail")
    call = next(s for s in got.of("model_call") if s.id == child["span_id"])
    assert [after.step for after in call.order] == [f"{1:016x}"]
    end = next(s for s in got.of("model_result") if s.id == f"{child['span_id']}/end")
    assert end.time_ns is None
    assert (end.data or {})["events"][0]["attributes"] == {"note": "hm"}


# ---- JavaScript and flat spans ----


def test_older_dumps_of_javascript(tmp_path: Path) -> None:
    span = {
        "name": "x",
        "_spanContext": {"traceId": TRACE, "spanId": f"{2:016x}"},
        "parentSpanId": f"{1:016x}",
        "startTime": [1_700_000_000, 5],
        "endTime": [0, 0],
        "status": {"code": 2, "message": "boom"},
        "attributes": {"gen_ai.input.messages": "[]"},
        "droppedAttributesCount": 3,
        "resource": {"attributes": {"service.name": "web", "process.pid": 7, "host.name": "h"}},
    }
    got = imported(tmp_path, span, "otel_js")
    assert got.codes["attributes_dropped"] == 1
    assert got.codes["orphan"] == 1
    first = got.steps[0]
    assert (first.time_ns, first.source) == (1_700_000_000_000_000_005, "web/h#7")
    assert list(got.traces[0].header.clocks) == ["web/h#7"]


def test_log_lines_beside_flat_spans(tmp_path: Path) -> None:
    span = {
        "traceId": TRACE,
        "spanId": f"{1:016x}",
        "name": "chat",
        "startTimeUnixNano": T0,
        "endTimeUnixNano": T0 + 5,
        "attributes": {"gen_ai.operation.name": "chat"},
    }
    log = {
        "traceId": TRACE,
        "spanId": f"{1:016x}",
        "timeUnixNano": T0 + 1,
        "body": {"content": "price?"},
        "attributes": {"event.name": "gen_ai.user.message"},
    }
    got = imported(tmp_path, "".join(json.dumps(r) + "\n" for r in (span, log)).encode(), "otel_flat")
    assert got.one("message").text == "price?"
    assert (got.report.records, got.report.kept) == (2, 2)
