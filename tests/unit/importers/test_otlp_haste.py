"""In haste a large file is read once; what comes out is the same, or nothing is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from seamwise.audit import Pack, audit
from seamwise.audit import _scan as scan
from seamwise.importers import ScatteredError, open_recording
from seamwise.importers._source import HEAD_BYTES
from unit.importers.otlp_fixtures import agent, chat, read, request, said, span, tool

RESOURCE = {"service.name": "x"}


def line(number: int, **given: Any) -> dict[str, Any]:
    """A trace of some spans, in one request."""
    trace = f"{number:032x}"
    resource = given.pop("resource", RESOURCE)
    spans = [
        agent(1, "a", trace=trace),
        tool(2, "pay", 1, (2, 3), arguments={"amount": number % 7}, result="done", trace=trace),
        chat(3, 1, (4, 5), told=[said("user", f"trace {number}")], answered=[said("assistant", "yes")], trace=trace),
        span(4, "work", 3 if number % 3 else 99, (4, 5), trace=trace),
    ]
    return request(*spans, resource=resource) | given


def written(path: Path, lines: list[Any]) -> Path:
    path.write_text("\n".join(made if isinstance(made, str) else json.dumps(made) for made in lines) + "\n")
    assert path.stat().st_size > HEAD_BYTES
    return path


LINES = [line(number) for number in range(1, 120)]


def test_the_same_traces_in_the_same_order_with_the_same_report(tmp_path: Path) -> None:
    halves = [request(*part, resource=RESOURCE) for n in range(1, 120) for part in (spans_of(n)[:2], spans_of(n)[2:])]
    together = [{"resourceSpans": [*a["resourceSpans"], *b["resourceSpans"]]} for a, b in zip(LINES[::2], LINES[1::2], strict=False)]
    for lines in (LINES, halves, together, ["", *LINES, " "]):
        path = written(tmp_path / "recording", lines)
        full = read(path)
        quick = open_recording(path, hasty=True)
        assert list(quick.traces) == full.traces
        assert quick.report == full.report
        assert len(full.traces) > 100
        assert full.traces[0].header.clocks


def spans_of(number: int) -> list[dict[str, Any]]:
    return line(number)["resourceSpans"][0]["scopeSpans"][0]["spans"]  # type: ignore[no-any-return]


LATER = {
    "a trace that goes on": request(tool(9, "pay", trace=f"{1:032x}"), resource=RESOURCE),
    "a log record of a trace that was given out": {
        "resourceLogs": [
            {"resource": {}, "scopeLogs": [{"logRecords": [{"traceId": f"{1:032x}", "eventName": "gen_ai.user.message", "body": {}}]}]}
        ]
    },
    "a second writer": line(500, resource={"service.name": "y"}),
    "an id of another shape": request(tool(1, "pay", trace="odd"), resource=RESOURCE),
    "another dialect": {"resource_spans": [{"scope_spans": [{"spans": [{"trace_id": f"{1:032x}", "span_id": "a" * 16, "name": "x"}]}]}]},
    "a line that says nothing of its writer": {"resourceMetrics": []},
    "damage": '{"resourceSpans": [',
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
@pytest.mark.parametrize("at", [60, 119])
def test_where_haste_is_wrong_nothing_counts(tmp_path: Path, later: Any, at: int) -> None:
    path = written(tmp_path / "recording", [*LINES[:at], later, *LINES[at:]])
    with pytest.raises(ScatteredError):
        list(open_recording(path, hasty=True).traces)
    page = {
        "version": 1,
        "streams": {"pay": {"from": [{"tool": "pay", "fields": {"amount": "arguments.amount"}}], "key": "actor"}},
        "contracts": {"few": {"kind": "within_total", "stream": "pay", "per": "actor", "limit": 5, "across": "trace"}},
    }
    pack = Pack.parse(yaml.safe_dump(page, sort_keys=False))
    quick = audit(path, pack)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scan.Scanner, "scan", without_haste)
        slow = audit(path, pack)
    assert msgspec.json.encode(quick.summary) == msgspec.json.encode(slow.summary)
    assert list(quick.results) == list(slow.results)
    assert len(list(quick.results)) >= 119


def without_haste(self: scan.Scanner, path: str, place: int) -> scan.FilePart:
    part = self._scan(path, scan.BATCHES * place, trusted=True)
    if part.lost:
        part.batch = self._scan(path, scan.BATCHES * place + 1, trusted=False).batch
    return part


def test_small_files_and_documents_are_read_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "recording"
    for content in ("\n".join(map(json.dumps, [LINES[0], LATER["a second writer"], LINES[0]])), json.dumps(LINES)):
        path.write_text(content)
        assert list(open_recording(path, hasty=True).traces) == read(path).traces
