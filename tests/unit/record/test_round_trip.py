"""What is written is what is read."""

from __future__ import annotations

import io
import json
import random
import string
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamwise.errors import LimitError, SchemaError, UsageError
from seamwise.record import (
    Claim,
    Header,
    Limits,
    ReadReport,
    Step,
    Trace,
    encode_record,
    encode_trace,
    read_traces,
    trace_digest,
    write_traces,
)
from seamwise.testing.strategies import headers, steps, traces


def read_back(content: bytes, **arguments: Any) -> list[Trace]:
    return list(read_traces(io.BytesIO(content), **arguments))


def trace_of(*several: Step, id: str = "t") -> Trace:
    return Trace(header=Header(id=id), steps=several)


@given(st.lists(traces(), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_trace_comes_back(several: list[Trace]) -> None:
    content = b"".join(encode_trace(trace) for trace in several)
    report = ReadReport()
    assert read_back(content, report=report) == several
    assert report.damage == []
    assert read_back(content) == several
    assert report.n_traces == len(several)
    assert report.n_steps == sum(len(trace.steps) for trace in several)


@given(traces())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_trace_comes_back_from_lines_of_another_writer(trace: Trace) -> None:
    """Keys in another order, spaces, CRLF, everything escaped: the same trace."""
    lines = [{"seamwise": 1, **msgspec.to_builtins(trace.header)}, *map(msgspec.to_builtins, trace.steps)]
    text = "\r\n".join(json.dumps(dict(reversed(line.items()))) for line in lines)
    assert read_back(text.encode()) == [trace]


@given(steps() | headers())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_line_is_one_line_of_utf8(record: Step | Header) -> None:
    line = encode_record(record)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert line.startswith(b'{"seamwise":1,') == isinstance(record, Header)
    line.decode("utf-8")


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.zst"])
def test_files(tmp_path: Path, name: str) -> None:
    several = [trace_of(Step(id="s", kind="message", text="x" * 1000 + str(i)), id=str(i)) for i in range(2000)]
    path = tmp_path / name
    assert write_traces(path, iter(several)) == 2000
    assert list(read_traces(path)) == several
    assert list(read_traces(str(path))) == several
    assert (path.read_bytes()[:4] == b"\x28\xb5\x2f\xfd") == name.endswith(".zst")


def test_zstd_is_told_by_content_and_frames_may_follow_one_another(tmp_path: Path) -> None:
    one, two = tmp_path / "1.zst", tmp_path / "2.zst"
    write_traces(one, [trace_of(id="1")])
    write_traces(two, [trace_of(id="2")])
    both = tmp_path / "both.jsonl"
    both.write_bytes(one.read_bytes() + two.read_bytes())
    assert [trace.id for trace in read_traces(both)] == ["1", "2"]


def test_standard_streams(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    write_traces("-", [trace_of(Step(id="s", kind="note"))])
    written = capfdbinary.readouterr().out
    assert written == b'{"seamwise":1,"id":"t"}\n{"id":"s","kind":"note"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert [trace.id for trace in read_traces("-")] == ["t"]


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_the_size_of_blocks_does_not_matter(size: int) -> None:
    class Slow(io.BytesIO):
        def read(self, n: int | None = -1) -> bytes:
            return super().read(size)

    several = [trace_of(Step(id="s", kind="message", text="é\ud800\n" * i), Step(id="r", kind="note"), id=str(i)) for i in range(30)]
    content = b"\xef\xbb\xbf" + b"".join(map(encode_trace, several))
    assert list(read_traces(Slow(content))) == several
    report = ReadReport()
    assert list(read_traces(Slow(content[:-5]), report=report)) == [*several[:-1], trace_of(several[-1].steps[0], id="29")]
    assert set(report.n_by_code) == {"byte_order_mark", "truncated"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"a": {"b": [1, float("nan")]}}, "$.data.a.b[1]"),
        ({"a": float("inf")}, "$.data.a"),
        ({"a": [(1, 2)]}, "$.data.a[0]"),
        ({"a": {1: 2}}, "$.data.a"),
        ({"a": b"x"}, "$.data.a"),
        ({"a": "\ud83d\ude00"}, "$.data.a"),
        ({"a": "\ud800", "b": (1,)}, "$.data.b"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_place(data: dict[str, Any], path: str) -> None:
    bad = Step(id="s7", kind="note", data=data)
    with pytest.raises(SchemaError) as caught:
        encode_trace(trace_of(Step(id="s", kind="note"), bad))
    assert caught.value.where == f"step `s7` `{path}`"
    assert caught.value.hint
    with pytest.raises(SchemaError):
        trace_digest(trace_of(bad))


@pytest.mark.parametrize("value", [object(), {1, 2}, 10**5000], ids=["object", "set", "huge"])
def test_what_nothing_can_write_is_refused(value: object) -> None:
    for make in (encode_trace, trace_digest):
        with pytest.raises(SchemaError, match="expected values that JSON can hold"):
            make(trace_of(Step(id="s7", kind="note", data={"a": value})))


def test_what_a_reader_would_refuse_is_not_written(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    with pytest.raises(LimitError, match="nesting of at most 200"):
        encode_trace(trace_of(Step(id="s", kind="note", data={"a": deep})))
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(LimitError):
        encode_trace(trace_of(Step(id="s", kind="note", data={"a": deep})))
    with pytest.raises(LimitError, match="at most 50 bytes"):
        encode_trace(trace_of(Step(id="s", kind="note", text="x" * 50)), limits=Limits(max_line_bytes=50))
    with pytest.raises(SchemaError, match="identical"):
        encode_trace(trace_of(Step(id="s", kind="note"), Step(id="s", kind="note")))
    with pytest.raises(SchemaError, match="schema version 1"):
        encode_trace(Trace(header=Header(id="t", schema_version=2), steps=()))
    with pytest.raises(SchemaError, match="expected `str"):
        encode_trace(trace_of(Step(id="s", kind=5)))  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        write_traces(tmp_path / "no" / "such", [])


def test_a_refused_trace_leaves_whole_traces_behind(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with pytest.raises(SchemaError):
        write_traces(path, [trace_of(id="good"), trace_of(Step(id="s", kind="note"), Step(id="b", kind="note", data={"a": float("nan")}))])
    assert [trace.id for trace in read_traces(path)] == ["good"]


@given(traces(), st.randoms())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_the_digest_is_of_what_a_trace_says(trace: Trace, chance: random.Random) -> None:
    digest = trace_digest(trace)
    assert len(digest) == 64
    assert set(digest) <= set(string.hexdigits.lower())
    shuffled = list(trace.steps)
    chance.shuffle(shuffled)
    turned = [msgspec.structs.replace(s, data=None if s.data is None else dict(reversed(s.data.items()))) for s in shuffled]
    moved = Trace(header=msgspec.structs.replace(trace.header, origin={"file": "elsewhere"}), steps=tuple(turned))
    assert trace_digest(moved) == digest
    assert trace_digest(read_back(encode_trace(moved))[0]) == digest
    other = msgspec.structs.replace(trace.header, claims=(*trace.header.claims, Claim(sort="route", stream="new")))
    assert trace_digest(Trace(header=other, steps=trace.steps)) != digest
    if trace.steps:
        assert trace_digest(Trace(header=trace.header, steps=trace.steps[1:])) != digest
        assert trace_digest(Trace(header=trace.header, steps=(*trace.steps, trace.steps[0]))) == digest


def test_a_digest_does_not_move_between_versions() -> None:
    trace = trace_of(Step(id="s", kind="message", actor="a", recipients=("b",), text="hé", data={"b": 1, "a": ["12.00", 1.5]}, time_ns=1))
    assert trace_digest(trace)[:12] == "9b029fa9d30e"
