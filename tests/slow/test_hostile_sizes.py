"""Recordings that are hostile by size: a line of a gigabyte, a million attributes, a bomb. Memory and time stay bounded.

Each is read in a process of its own whose memory is limited, so that a fault ends that process and not the tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

pytestmark = pytest.mark.slow

GIB = 1 << 30
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
from seamwise.errors import SeamwiseError
from seamwise.importers import open_recording
try:
    recording = open_recording(sys.argv[1])
    n = sum(len(trace.steps) for trace in recording.traces)
    report = recording.report
    report.check()
    print(n, report.dropped, report.note_counts)
except SeamwiseError as error:
    print("refused:", error.message)
"""


def read(path: Path, memory: int) -> str:
    done = subprocess.run([sys.executable, "-c", READ, str(path), str(memory)], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def span(number: int, attributes: str = "[]") -> str:
    inner = f'"traceId":"{1:032x}","spanId":"{number:016x}","name":"x","startTimeUnixNano":"1","attributes":{attributes}'
    return f'{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{{inner}}}]}}]}}]}}'


@pytest.mark.parametrize("kind", ["otlp", "native", "lines"])
def test_a_line_of_a_gigabyte_is_skipped_and_counted(kind: str, tmp_path: Path) -> None:
    first, begun, last = {
        "otlp": (span(1), '{"resourceSpans":["', span(2)),
        "native": (
            '{"seamwise":1,"id":"t"}\n{"id":"a","kind":"note"}',
            '{"id":"x","kind":"note","text":"',
            '{"id":"b","kind":"note"}',
        ),
        "lines": ('{"role":"user","content":"a"}', '{"role":"user","content":"', '{"role":"assistant","content":"b"}'),
    }[kind]
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        file.write(f"{first}\n{begun}".encode())
        block = b"x" * (1 << 20)
        for _ in range(1024):
            file.write(block)
        file.write(f'"}}\n{last}\n'.encode())
    told = read(path, 2 * GIB)
    assert told.startswith("2 "), told
    assert "1" in told.split("{", 1)[1], "the line that was skipped is counted"


def test_a_million_attributes_are_cut_off_and_noted(tmp_path: Path) -> None:
    attributes = json.dumps([{"key": f"k{n}", "value": {"intValue": str(n)}} for n in range(1_000_000)])
    path = tmp_path / "wide.json"
    path.write_text(span(1, attributes))
    assert "attributes_cut" in read(path, 3 * GIB)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.zst"
    with path.open("wb") as raw, zstandard.ZstdCompressor(level=19).stream_writer(raw) as file:
        file.write(span(1).encode() + b"\n")
        block = b" " * (1 << 20)
        for _ in range(600):
            file.write(block)
    told = read(path, 2 * GIB)
    assert told.startswith("refused: expected a file that grows at most"), told


def test_a_value_nested_a_million_deep_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text(span(1) + "\n" + "[" * 1_000_000 + "\n" + span(2) + "\n")
    assert read(path, 2 * GIB).startswith("2 ")
