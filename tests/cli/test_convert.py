"""``seamwise convert``: nothing lost, labels sealed, sums told, limits settable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.cli import main
from seamwise.importers import open_recording
from seamwise.record import read_traces, trace_digest

RECORDING = Path(__file__).parents[2] / "examples" / "refund_desk" / "recording.otlp.jsonl"


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    return int(ended.value.code or 0)


def test_native_traces_are_those_of_the_importer(tmp_path: Path) -> None:
    out, report = tmp_path / "t.jsonl.zst", tmp_path / "r.jsonl"
    assert run("convert", str(RECORDING), "--out", str(out), "--report", str(report), "--quiet") == 0
    digests = [trace_digest(t) for t in open_recording(RECORDING).traces]
    assert [trace_digest(t) for t in read_traces(str(out))] == digests
    told = json.loads(report.read_text())
    assert told["records"] == told["kept"] + told["merged"] + sum(told["dropped"].values())
    assert told["traces"] == len(digests)


def test_labels_go_to_the_sealed_file_and_nowhere_else(tmp_path: Path) -> None:
    run_file = tmp_path / "run.json"
    run_file.write_text(
        json.dumps(
            {
                "is_correct": False,
                "question": "How many?",
                "ground_truth": "SEALED-7",
                "history": [{"content": "five", "role": "assistant", "name": "Counter"}],
                "mistake_agent": "Counter",
                "mistake_step": "0",
                "mistake_reason": "SEALED-REASON",
            }
        )
    )
    out, labels = tmp_path / "t.jsonl", tmp_path / "labels.jsonl"
    assert run("convert", str(run_file), "--out", str(out), "--labels", str(labels), "--quiet") == 0
    assert "SEALED" not in out.read_text()
    assert "SEALED-7" in labels.read_text()
    assert "SEALED-REASON" in labels.read_text()


def test_a_file_that_cannot_be_read_is_told_and_stops_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.bin").write_bytes(b"\x00\x01\x02")
    (tmp_path / "in" / "b.jsonl").write_bytes(RECORDING.read_bytes())
    assert run("convert", str(tmp_path / "in"), "--out", str(tmp_path / "t.jsonl")) == 3
    err = capsys.readouterr().err
    assert "not read:" in err
    assert "29 traces" in err


@pytest.mark.parametrize("option", ["line_byte=1M", "line_bytes=no", "line_bytes=0", "line_bytes=-1", "line_bytes"])
def test_a_limit_that_is_none_is_one_error(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", str(RECORDING), "--out", str(tmp_path / "t.jsonl"), "--limit", option) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_limit_counts(tmp_path: Path) -> None:
    assert run("convert", str(RECORDING), "--out", str(tmp_path / "t.jsonl"), "--limit", "file_bytes=1K", "--quiet") == 3
