"""Bad input: one clear entry each, nothing lost in silence, one bad trace never stops the others."""

from __future__ import annotations

import io
import random
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.errors import FormatError, LimitError, SchemaError, SeamwiseError, UsageError
from seamwise.record import Damage, Header, Limits, ReadReport, Step, Trace, encode_trace, read_traces

zstandard = pytest.importorskip("zstandard")


class Read(NamedTuple):
    traces: dict[str, list[str]]
    damage: list[Damage]
    report: ReadReport


def read(content: bytes, **limits: int) -> Read:
    """Reads with a report: trace id -> step ids, and what was wrong."""
    report = ReadReport()
    traces = list(read_traces(io.BytesIO(content), limits=Limits(**limits), report=report))
    assert report.n_traces == len(traces)
    assert report.n_steps == sum(len(trace.steps) for trace in traces)
    return Read({trace.id: [step.id for step in trace.steps] for trace in traces}, report.damage, report)


def error_of(content: bytes, **limits: int) -> SeamwiseError:
    with pytest.raises(SeamwiseError) as caught:
        list(read_traces(io.BytesIO(content), limits=Limits(**limits)))
    return caught.value


H1, H2 = b'{"seamwise":1,"id":"t1"}\n', b'{"seamwise":1,"id":"t2"}\n'
A, B, C = (b'{"id":"%s","kind":"note"}\n' % name for name in (b"a", b"b", b"c"))

BAD_STEPS: dict[str, tuple[bytes, str, str | None, str]] = {
    "bad utf-8": (b'{"id":"x","kind":"note","text":"\xff"}', "bad_encoding", None, "expected UTF-8, got the byte `0xff` at offset 32"),
    "a surrogate in utf-8": (
        b'{"id":"x","kind":"note","text":"\xed\xa0\x80"}',
        "bad_encoding",
        None,
        "expected UTF-8, got the byte `0xed`",
    ),
    "nul": (b'{"id":"x","kind":"note","text":"\0"}', "not_json", None, "expected JSON, got NUL bytes"),
    "control": (b'{"id":"x","kind":"note","text":"\x01"}', "not_json", None, "expected JSON (invalid control character at)"),
    "nan": (b'{"id":"x","kind":"note","data":{"a":NaN}}', "not_json", None, "expected a number, got `NaN`, which JSON does not have"),
    "infinity": (b'{"id":"x","kind":"note","data":{"a":-Infinity}}', "not_json", None, "got `-Infinity`"),
    "overflow": (
        b'{"id":"x","kind":"note","data":{"a":1e999}}',
        "not_json",
        None,
        "expected a number in the range of a double, got `1e999`",
    ),
    "two on a line": (b'{"id":"x","kind":"note"}{"id":"y","kind":"note"}', "not_json", None, "expected JSON (extra data), got `{"),
    "cut": (b'{"id":"x","kind":"no', "not_json", None, "expected JSON (unterminated string starting at)"),
    "array": (b'[1, "kind"]', "wrong_shape", "$", "expected `object`, got `array`"),
    "number": (b"7", "wrong_shape", "$", "expected `object`, got `int`"),
    "type": (b'{"id":"x","kind":"note","recipients":[1]}', "wrong_shape", "$.recipients[0]", "expected `str`, got `int`"),
    "word": (b'{"id":"x","kind":"note","status":"done"}', "wrong_shape", "$.status", "invalid enum value 'done'"),
    "half a pair as a word": (b'{"id":"x","kind":"note","status":"\\ud800"}', "wrong_shape", "$", "half of a UTF-16 pair"),
    "no id": (b'{"kind":"note"}', "wrong_shape", "$", "object missing required field `id`"),
    "time as float": (b'{"id":"x","kind":"note","time_ns":1.5}', "wrong_shape", "$.time_ns", "expected `int | null`, got `float`"),
    "deep": (b'{"id":"x","kind":"note","data":{"a":' + b"[" * 250 + b"]" * 250 + b"}}", "too_deep", None, "nesting of at most 200"),
    "very deep": (b'{"id":"x","kind":"note","data":{"a":' + b"[" * 99999 + b"]" * 99999 + b"}}", "too_deep", None, "too deep"),
}


@pytest.mark.parametrize(("line", "code", "path", "message"), BAD_STEPS.values(), ids=BAD_STEPS)
def test_a_bad_step_costs_itself(line: bytes, code: str, path: str | None, message: str) -> None:
    content = H1 + A + line + b"\n" + B + H2 + C
    found = read(content)
    assert found.traces == {"t1": ["a", "b"], "t2": ["c"]}
    (damage,) = found.damage
    assert (damage.code, damage.line, damage.path, damage.trace, damage.lost) == (code, 3, path, "t1", True)
    assert message in damage.message
    assert "\n" not in damage.message
    error = error_of(content)
    assert error.message == damage.message
    assert error.where == "<stream>:3" + (f" `{path}`" if path else "")


def test_errors_have_their_class() -> None:
    assert isinstance(error_of(H1 + b'{"id":"x","kind":1}\n'), SchemaError)
    assert isinstance(error_of(H1 + b"x\n"), FormatError)
    assert isinstance(error_of(H1 + BAD_STEPS["deep"][0]), LimitError)


def test_an_unknown_field_is_named_and_the_step_kept() -> None:
    content = H1 + b'{"id":"a","kind":"note","recipient":"b"}\n' + B
    found = read(content)
    assert found.traces == {"t1": ["a", "b"]}
    (damage,) = found.damage
    assert (damage.code, damage.path, damage.hint) == ("unknown_field", "$.recipient", "did you mean `recipients`?")
    assert error_of(content).hint == "did you mean `recipients`?"


def test_a_claim_that_is_not_understood_licenses_nothing() -> None:
    claims = b'[{"sort":"recording","stream":"s","count":1,"rang":"2026-Q1"},{"sort":"route","stream":"s"}]'
    content = b'{"seamwise":1,"id":"t","claims":%s,"clocks":{"x":{"skew_ns":1,"drift":2}},"organization":{"role":{}}}\n' % claims
    report = ReadReport()
    (trace,) = read_traces(io.BytesIO(content), report=report)
    assert [claim.sort for claim in trace.header.claims] == ["route"]
    assert trace.header.clocks == {}
    assert [damage.path for damage in report.damage] == ["$.claims[0]", "$.clocks.x", "$.organization.role"]


BAD_HEADERS: dict[str, tuple[bytes, str, str]] = {
    "newer": (b'{"seamwise":2,"id":"x"}', "newer_version", "expected schema version 1 or older, got `2`"),
    "older than any": (b'{"seamwise":-1,"id":"x"}', "bad_header", "ever published, got `-1`"),
    "no version": (b'{"seamwise":null,"id":"x"}', "bad_header", "expected a schema version such as `1`, got `None`"),
    "float version": (b'{"seamwise":1.0,"id":"x"}', "bad_header", "expected a schema version such as `1`, got `1.0`"),
    "true": (b'{"seamwise":true,"id":"x"}', "bad_header", "expected a schema version such as `1`, got `True`"),
    "no id": (b'{"seamwise":1}', "bad_header", "object missing required field `id`"),
    "bad claim": (b'{"seamwise":1,"id":"x","claims":[{"sort":"no","stream":"s"}]}', "bad_header", "invalid enum value 'no'"),
    "cut": (b'{"seamwise":1,"id":"x', "not_json", "unterminated string"),
    "deep": (b'{"seamwise":1,"id":"x","origin":{"a":' + b"[" * 250 + b"]" * 250 + b"}}", "too_deep", "nesting"),
    "perhaps": (b'\x00\x00\x00"id":"x"}', "not_json", "may have been a header"),
    "neither": (b'{"id":"x","seamwisX":1}', "wrong_shape", "expected a step with `kind` or a header with `seamwise`, got neither"),
}


@pytest.mark.parametrize(("line", "code", "message"), BAD_HEADERS.values(), ids=BAD_HEADERS)
def test_a_bad_header_costs_its_trace_and_never_lends_its_steps_to_the_one_before(line: bytes, code: str, message: str) -> None:
    content = H1 + A + line + b"\n" + B + B + H2 + C
    found = read(content)
    assert found.traces == {"t1": ["a"], "t2": ["c"]}
    (damage,) = found.damage
    assert (damage.code, damage.line, damage.count) == (code, 3, 2)
    assert message in damage.message
    assert "2 lines without a header left out" in damage.message
    assert error_of(content).where.startswith("<stream>:3")  # type: ignore[union-attr]


def test_a_newer_version_has_a_hint() -> None:
    assert error_of(BAD_HEADERS["newer"][0]).hint == "the file was written by a newer Seamwise; update this one to read it"


def test_steps_before_any_header_are_one_entry() -> None:
    found = read(A + B + H1 + C)
    assert found.traces == {"t1": ["c"]}
    (damage,) = found.damage
    assert (damage.code, damage.line, damage.count) == ("no_header", 1, 2)
    assert error_of(A).message == 'expected a header line before anything else, got `{"id":"a","kind":"note"}`'


@pytest.mark.parametrize(
    "content",
    [random.Random(2).randbytes(50_000), "{}\nhé\n".encode("utf-16"), b"PK\x03\x04\n\n\0\0\n", b"a,b\n1,2\n" * 50, b"\n".join([b"{}"] * 9)],
)
def test_what_is_no_native_file_is_one_entry(content: bytes) -> None:
    found = read(content)
    assert found.traces == {}
    assert len(found.damage) == 1
    assert found.damage[0].line == 1


@pytest.mark.parametrize("content", [b"", b"\n\r\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file(content: bytes) -> None:
    found = read(content)
    assert found.damage[-1].code == "empty"
    assert error_of(content).message == "expected a header line, got an empty file"


def test_a_header_alone_is_a_trace() -> None:
    assert read(H1.strip()) == ({"t1": []}, [], ReadReport(n_traces=1))


@pytest.mark.parametrize("cut", range(1, len(C)))
def test_a_cut_last_line(cut: int) -> None:
    content = H1 + A + C[:-cut]
    found = read(content)
    if cut == 1:
        assert found.traces == {"t1": ["a", "c"]}
        assert found.damage == []
    else:
        assert found.traces == {"t1": ["a"]}
        assert [damage.code for damage in found.damage] == ["truncated"]
        assert isinstance(error_of(content), FormatError)


def test_a_recorder_that_was_started_again_in_the_middle_of_a_line() -> None:
    found = read(H1 + A + B[:9] + H2 + C)
    assert found.traces == {"t1": ["a"], "t2": ["c"]}
    assert [(damage.code, damage.line, damage.trace) for damage in found.damage] == [("not_json", 3, "t1")]


def test_line_ends_blank_lines_and_marks_are_forgiven() -> None:
    crlf = (H1 + A + b"\n   \n" + B).replace(b"\n", b"\r\n")
    assert read(crlf) == ({"t1": ["a", "b"]}, [], ReadReport(n_traces=1, n_steps=2))
    marked = read(b"\xef\xbb\xbf" + H1 + A)
    assert marked.traces == {"t1": ["a"]}
    assert [(damage.code, damage.lost) for damage in marked.damage] == [("byte_order_mark", False)]
    assert len(list(read_traces(io.BytesIO(b"\xef\xbb\xbf" + H1)))) == 1


def test_duplicate_ids() -> None:
    other = b'{"id":"a","kind":"note","text":"fuller"}\n'
    found = read(H1 + A + B + b'{"kind":"note", "id":"a"}\n' + other + H2 + A)
    assert found.traces == {"t1": ["a", "b", "a"], "t2": ["a"]}
    assert found.report.n_copies_dropped == 1
    assert [(damage.code, damage.count, damage.lost, damage.trace) for damage in found.damage] == [
        ("duplicate_step", 1, False, "t1"),
        ("conflicting_step", 2, False, "t1"),
    ]
    assert found.report.n_lost == 0
    assert [len(trace.steps) for trace in read_traces(io.BytesIO(H1 + A + A + other))] == [2]


def test_numbers_that_differ_in_kind_are_not_copies() -> None:
    one, two, three = (b'{"id":"a","kind":"note","data":{"x":%s}}\n' % value for value in (b"1", b"1.0", b"true"))
    assert read(H1 + one + two + three).traces == {"t1": ["a", "a", "a"]}


@pytest.mark.parametrize("block", [64, 1 << 20])
def test_a_line_over_the_limit(block: int) -> None:
    class Slow(io.BytesIO):
        def read(self, n: int | None = -1) -> bytes:
            return super().read(block)

    long = b'{"id":"x","kind":"note","text":"' + b"x" * 1000 + b'"}\n'
    report = ReadReport()
    content = H1 + A + long + B + H2 + C
    traces = list(read_traces(Slow(content), limits=Limits(max_line_bytes=100), report=report))
    assert [[step.id for step in trace.steps] for trace in traces] == [["a", "b"], ["c"]]
    assert [(damage.code, damage.line) for damage in report.damage] == [("too_long", 3)]
    assert isinstance(error_of(content, max_line_bytes=100), LimitError)
    assert read(H1 + long[:-1], max_line_bytes=100).damage[0].code == "too_long"
    header = read(H1 + A + b'{"seamwise":1,"id":"' + b"x" * 1000 + b'"}\n' + B, max_line_bytes=100)
    assert header.traces == {"t1": ["a"]}
    assert header.damage[0].code == "too_long"


def test_too_many_steps() -> None:
    content = H1 + b"".join(b'{"id":"%d","kind":"note"}\n' % i for i in range(10)) + H2 + A
    found = read(content, max_steps=4)
    assert found.traces == {"t1": ["0", "1", "2", "3"], "t2": ["a"]}
    assert [(damage.code, damage.count, damage.trace) for damage in found.damage] == [("too_many_steps", 6, "t1")]
    assert isinstance(error_of(content, max_steps=4), LimitError)


def test_depth_counts_brackets_of_data_only_where_they_nest() -> None:
    wide = b'{"id":"x","kind":"note","data":{"a":[' + b",".join([b"[{}]"] * 5000) + b"]}}\n"
    text = b'{"id":"y","kind":"note","text":"' + b"]}" * 5000 + b'"}\n'
    exact = b'{"id":"z","kind":"note","data":{"a":' + b"[" * 198 + b"]" * 198 + b"}}\n"
    assert read(H1 + wide + text + exact) == ({"t1": ["x", "y", "z"]}, [], ReadReport(n_traces=1, n_steps=3))
    assert read(H1 + exact, max_depth=199).damage[0].code == "too_deep"


def test_a_hostile_file_cannot_fill_memory_with_complaints() -> None:
    report = ReadReport(max_listed=10)
    list(read_traces(io.BytesIO(H1 + b'{"id":"x","kind":1}\n' * 500), report=report))
    assert len(report.damage) == 10
    assert report.n_by_code == {"wrong_shape": 500}
    assert report.n_lost == 500


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "no.jsonl", tmp_path, "a\0b"):
        with pytest.raises(UsageError, match="cannot read"):
            list(read_traces(path, report=ReadReport()))


def compressed(content: bytes) -> bytes:
    return bytes(zstandard.ZstdCompressor(level=1, write_checksum=True).compress(content))


def test_damaged_compression_keeps_what_came_before() -> None:
    chance = random.Random(1)
    lines = [
        encode_trace(Trace(header=Header(id=str(i)), steps=(Step(id="s", kind="note", text=chance.randbytes(500).hex()),)))
        for i in range(3000)
    ]
    whole = compressed(b"".join(lines))
    for broken in (
        whole[: len(whole) // 2],
        whole[:-3],
        whole[: len(whole) // 2] + b"\xff" * 20 + whole[len(whole) // 2 + 20 :],
        whole + b"rest",
    ):
        found = read(broken)
        assert len(found.traces) > 500
        assert found.damage[-1].code == "unreadable"
        assert isinstance(error_of(broken), FormatError)


def test_a_decompression_bomb() -> None:
    bomb = compressed(H1 + b'{"id":"x","kind":"note","text":"' + b"x" * 200_000_000)
    started = time.monotonic()
    found = read(bomb)
    assert found.damage[-1].code == "too_large"
    assert found.traces == {"t1": []}
    assert time.monotonic() - started < 20
    assert isinstance(error_of(bomb), LimitError)
    assert "at most 1000 bytes for one compressed byte" in error_of(bomb).message
    assert "after decompression" in error_of(bomb, max_ratio=10**9, max_bytes=10**6).message
    assert "at most 30 bytes" in error_of(H1 + A, max_bytes=30).message


PIECES = [
    H1,
    H2,
    A,
    B,
    C,
    b"\n",
    b"\r\n",
    b"{",
    b"}",
    b'"',
    b"\0",
    b"\xff",
    b"[[",
    b'{"seamwise":',
    b'"kind"',
    b"\xef\xbb\xbf",
    b'{"id":"a","kind":"x","data":{"a":"\\ud800"}}\n',
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=14).map(b"".join))
@settings(max_examples=400, deadline=None)
def test_nothing_crashes_and_no_loss_is_silent(content: bytes) -> None:
    found = read(content)
    lines: list[Any] = [line for line in content.split(b"\n") if line.strip(b" \t\r\n\x0b\x0c")]
    kept = found.report.n_traces + found.report.n_steps + found.report.n_copies_dropped
    assert kept == len(lines) or found.damage
    if found.report.n_lost:
        with pytest.raises(SeamwiseError):
            list(read_traces(io.BytesIO(content)))
    else:
        list(read_traces(io.BytesIO(content)))


LINES = (
    A,
    B,
    C,
    b'{"id":"d","kind":"note","data":{"a":[[{"b":1}],{}]}}\n',
    b'{"kind":"note","id":"e"}\n',
    b'{"id":"f","kind":"note"}{"id":"g","kind":"note"}\n',
    b'{"id":"h",\n"kind":"note"}\n',
    b'{"id":"i","kind":"note","data":{}\n}\n',
    b'{"id":"j","kind":"note"}\r\n',
    b'{"id":"k","kind":"note","data":{"a":1e999}}\n',
    b'{"id":"l","kind":"note","more":1}\n',
    b'{"id":"m","kind":"note","data":{"a":[[[[[[[[[[]]]]]]]]]]}}\n',
    b' {"id":"n","kind":"note"} \n',
    b"\n",
    H1,
    H2,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=12), st.integers(1, 80))
def test_lines_read_at_once_are_read_as_one_by_one(pieces: list[bytes], cut: int) -> None:
    content = H1 + b"".join(pieces)
    for whole in (content, content[:-cut]):
        with pytest.MonkeyPatch.context() as patch:
            at_once = read(whole, max_depth=10, max_steps=6)
            patch.setattr("seamwise.record._reader.Reader._plainly_good", lambda *_: False)
            one_by_one = read(whole, max_depth=10, max_steps=6)
        assert at_once == one_by_one
