"""Opening recordings, finding them, and the registry of formats."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard

from seamwise.errors import FormatError, LimitError, SchemaError, UsageError
from seamwise.importers import ImportReport, Limits, Sink, Source, _registry, formats, open_recording, recordings
from seamwise.record import Header, Step, Trace, write_traces
from unit.importers.otlp_fixtures import imported, read, request, span


def otlp() -> bytes:
    return json.dumps(request(span(1))).encode()


def test_formats_are_told_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(otlp())
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(otlp()))
    write_traces(tmp_path / "c.otlp.json", [Trace(header=Header(id="t"), steps=(Step(id="1", kind="note"),))])
    found = {Path(f.path).name: f.format for f in recordings([tmp_path])}
    assert found == {"a.txt": "otlp", "b.csv.gz": "otlp", "c.otlp.json": "native"}


def test_every_file_is_found_once_in_order_and_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "x.json").write_bytes(otlp())
    (tmp_path / "a.json").write_bytes(otlp())
    (tmp_path / "empty").touch()
    (tmp_path / "readme.md").write_text("# hello", encoding="utf-8")
    (tmp_path / "bad.gz").write_bytes(gzip.compress(otlp())[:20])
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    found = list(recordings([tmp_path / "z", tmp_path, tmp_path / "nowhere"]))
    assert [f.path for f in found] == [
        str(tmp_path / name) for name in ("z/x.json", "loop", "a.json", "bad.gz", "empty", "readme.md", "nowhere")
    ]
    reasons = {Path(f.path).name: f.refused for f in found if f.refused}
    assert set(reasons) == {"loop", "bad.gz", "empty", "readme.md", "nowhere"}
    assert reasons["empty"] == "the file is empty"
    assert reasons["readme.md"] == "no importer recognises the content"
    assert "damaged" in (reasons["bad.gz"] or "")


def test_a_named_format_is_not_sniffed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"hello")
    assert [f.format for f in recordings([path], format="otlp")] == ["otlp"]
    with pytest.raises(FormatError):
        list(open_recording(path, format="otlp").traces)
    with pytest.raises(FormatError) as caught:
        open_recording(path, format="oltp")
    assert caught.value.hint == "did you mean `otlp`?"
    with pytest.raises(FormatError) as caught:
        list(recordings([path], format="x"))
    assert (caught.value.hint or "").startswith("known formats: ")
    assert {"native", "otlp"} <= set((caught.value.hint or "").removeprefix("known formats: ").split(", "))


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot read the file") as caught:
        open_recording(tmp_path / "nowhere")
    assert caught.value.where == str(tmp_path / "nowhere")
    (tmp_path / "x").write_bytes(b"hello")
    with pytest.raises(FormatError, match="no importer recognises"):
        open_recording(tmp_path / "x")
    (tmp_path / "x").touch()
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(FormatError, match="the file is empty"):
        open_recording(tmp_path / "x")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(zstandard.compress(otlp()))))
    assert [f.path for f in recordings(["-"])] == ["-"]
    recording = open_recording("-")
    assert len(list(recording.traces)) == 1
    recording.report.check()


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_decompression_bombs_are_refused(tmp_path: Path, compress: object) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(compress(otlp() + b" " * (80 << 20)))  # type: ignore[operator]
    with pytest.raises(LimitError, match="decompression"):
        list(open_recording(path, limits=Limits(expansion=100)).traces)
    with pytest.raises(LimitError, match="at most"):
        list(open_recording(path, limits=Limits(file_bytes=1 << 20)).traces)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_damaged_compression_is_named(tmp_path: Path, compress: object) -> None:
    packed = compress(b"\n".join(json.dumps(request(span(i, note=str(hash(str(i)))))).encode() for i in range(3000)))  # type: ignore[operator]
    path = tmp_path / "x"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FormatError, match=r"damaged|break"):
        list(open_recording(path, format="otlp").traces)


def test_a_report_is_final_only_when_the_file_was_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(otlp())
    recording = open_recording(path)
    with pytest.raises(SchemaError, match="finished"):
        recording.report.check()
    list(recording.traces)
    recording.report.check()
    recording.report.kept += 1
    with pytest.raises(SchemaError, match="to be kept, merged or dropped"):
        recording.report.check()


def test_native_files_come_back_equal(tmp_path: Path) -> None:
    traces = imported(tmp_path, span(1), span(2, "x", 1)).traces
    path = tmp_path / "native.jsonl"
    write_traces(path, traces)
    path.write_bytes(gzip.compress(path.read_bytes()))
    got = read(path)
    assert got.traces == traces
    assert got.report.format == "native"
    assert got.report.kept == 2


def test_damage_in_a_native_file_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "native.jsonl"
    write_traces(path, [Trace(header=Header(id="t"), steps=(Step(id="1", kind="note"),))])
    path.write_bytes(path.read_bytes() + b'{"id": "2", "kind": 5}\n{"id": "1", "kind": "note"}\n')
    got = read(path)
    assert (got.report.kept, got.report.merged, got.report.records) == (1, 1, 3)
    assert sum(got.report.dropped.values()) == 1
    path.write_bytes(b'{"seamwise": "x"}\n')
    with pytest.raises(FormatError):
        list(open_recording(path).traces)


class Lines:
    """An importer of somebody else's."""

    name = "lines"
    version = 1
    summary = "one step a line"

    def sniff(self, head: bytes) -> int:
        return 99 if head.startswith(b"LINES") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        steps = [Step(id=str(n), kind="note", text=(content or b"").decode()) for n, content in source.lines()]
        sink.report.records = sink.report.kept = len(steps)
        yield Trace(header=Header(id="t"), steps=tuple(steps))


def with_entry_points(monkeypatch: pytest.MonkeyPatch, *loaded: object) -> None:
    entries = [SimpleNamespace(name=f"e{i}", value=f"m:{i}", load=lambda one=one: one) for i, one in enumerate(loaded)]
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: entries if group == "seamwise.importers" else [])
    monkeypatch.setattr(_registry, "_known", {})


def test_third_parties_add_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_entry_points(monkeypatch, Lines)
    assert formats()["lines"] == "one step a line"
    path = tmp_path / "x"
    path.write_bytes(b"LINES\nab")
    assert read(path).report.format == "lines"


def test_a_name_used_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with_entry_points(monkeypatch, Lines(), Lines())
    with pytest.raises(UsageError, match="two importers are named `lines`"):
        formats()


def test_an_importer_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise RuntimeError("boom")

    entry = SimpleNamespace(name="bad", value="m:bad", load=broken)
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: [entry])
    monkeypatch.setattr(_registry, "_known", {})
    with pytest.raises(UsageError, match="`bad` does not load: boom"):
        formats()


def test_a_report_reads_as_data() -> None:
    report = ImportReport(format="otlp", file="x", notes_per_code=1)
    report.note("a", "here", "one")
    report.note("a", "there", "two")
    assert [note.where for note in report.notes] == ["here"]
    assert report.note_counts == {"a": 2}


def test_folders_of_version_control_hold_no_recordings(tmp_path: Path) -> None:
    for folder in (".git", ".hg", "runs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.jsonl").write_bytes(otlp())
    assert [Path(found.path).parent.name for found in recordings([tmp_path])] == ["runs"]


def test_what_lies_near_is_named(tmp_path: Path) -> None:
    (tmp_path / "travel.jsonl").write_bytes(otlp())
    with pytest.raises(FormatError) as caught:
        open_recording(tmp_path / "travl.jsonl")
    assert caught.value.hint == f"did you mean `{tmp_path}/travel.jsonl`?"
    with pytest.raises(FormatError) as caught:
        open_recording(tmp_path)
    assert caught.value.hint == f"name a file of it, as in `{tmp_path}/travel.jsonl`"
    with pytest.raises(FormatError) as caught:
        open_recording(tmp_path / "quite_another")
    assert caught.value.hint is None
