"""OTLP as protobuf: the same spans give the same traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from seamwise.errors import FormatError
from seamwise.importers import open_recording
from seamwise.importers.otlp._proto import is_protobuf
from unit.importers.otlp_fixtures import T0, TRACE, agent, chat, read_bytes, request, said, span, tool, value

json_format = pytest.importorskip("google.protobuf.json_format")
trace_pb2 = pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2")
logs_pb2 = pytest.importorskip("opentelemetry.proto.logs.v1.logs_pb2")


def encoded(made: dict[str, Any]) -> bytes:
    """A request as protobuf. Ids are hex in OTLP JSON and base64 in that of protobuf."""
    import base64

    def fixed(of: Any) -> Any:
        if isinstance(of, dict):
            ids = {k: base64.b64encode(bytes.fromhex(v)).decode() for k, v in of.items() if k in ("traceId", "spanId", "parentSpanId")}
            return {k: ids.get(k, fixed(v)) for k, v in of.items()}
        return [fixed(v) for v in of] if isinstance(of, list) else of

    shape = logs_pb2.LogsData if "resourceLogs" in made else trace_pb2.TracesData
    content: bytes = json_format.ParseDict(fixed(made), shape()).SerializeToString()
    return content


def varint(n: int) -> bytes:
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


SPANS = [
    agent(1, "a", status=1),
    chat(2, 1, told=[said("user", "hi")], answered=[said("assistant", "ho")], more={"droppedAttributesCount": 2}),
    tool(3, "t", 1, call="c1", arguments={"x": 1}, status=2, events=[("exception", {"exception.type": "KeyError"})]),
    span(
        4,
        parent=1,
        attrs={"i": 2**62, "d": 0.5, "b": True, "l": [1, "a", []], "m": {"k": "v"}, "n": None},
        more={"links": [{"traceId": TRACE, "spanId": f"{1:016x}"}]},
    ),
]


def test_protobuf_equals_json(tmp_path: Path) -> None:
    made = request(*SPANS)
    expected = read_bytes(tmp_path, json.dumps(made).encode())
    got = read_bytes(tmp_path, encoded(made))
    assert got.traces == expected.traces
    assert got.report == expected.report


def test_numbers_that_json_does_not_have(tmp_path: Path) -> None:
    listed = [{"key": k, "value": {"doubleValue": k}} for k in ("NaN", "Infinity", "-Infinity")] + [
        {"key": "b", "value": {"bytesValue": "AAEC"}}
    ]
    made = request(span(1, more={"attributes": listed}))
    assert read_bytes(tmp_path, encoded(made)).traces == read_bytes(tmp_path, json.dumps(made).encode()).traces


def test_streams_of_messages(tmp_path: Path) -> None:
    parts = [request(SPANS[0]), request(*SPANS[1:])]
    expected = read_bytes(tmp_path, "\n".join(map(json.dumps, parts)).encode()).traces
    messages = [encoded(p) for p in parts]
    by_varint = b"".join(varint(len(m)) + m for m in messages)
    by_four = b"".join(len(m).to_bytes(4, "big") + m for m in messages)
    packed = [zstandard.compress(m) for m in messages]
    packed_four = b"".join(len(m).to_bytes(4, "big") + m for m in packed)
    joined = b"".join(messages)
    for content in (by_varint, by_four, packed_four, joined, zstandard.compress(joined)):
        assert read_bytes(tmp_path, content).traces == expected


def test_logs(tmp_path: Path) -> None:
    log = {
        "timeUnixNano": str(T0),
        "traceId": TRACE,
        "spanId": f"{1:016x}",
        "eventName": "gen_ai.user.message",
        "body": value({"content": "hi"}),
    }
    made = {"resourceLogs": [{"resource": {}, "scopeLogs": [{"logRecords": [log]}]}]}
    got = read_bytes(tmp_path, encoded(made))
    assert got.one("message").text == "hi"
    assert got.traces == read_bytes(tmp_path, json.dumps(made).encode()).traces


def test_protobuf_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    content = encoded(request(*SPANS))
    path = tmp_path / "x"
    for cut in (content[:-20], content + b"\x0a\xff"):
        path.write_bytes(cut)
        with pytest.raises(FormatError, match="break off"):
            list(open_recording(path).traces)


@pytest.mark.parametrize(
    "head", [b"", b"\n", b"\n{", b"hello\nworld", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", bytes(range(64)), b"\x00" * 64, b"\x0a" * 64]
)
def test_other_bytes_are_not_taken_for_protobuf(head: bytes) -> None:
    assert not is_protobuf(head)
