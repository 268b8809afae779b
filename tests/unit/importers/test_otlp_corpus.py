"""Every file beside the checkout that looks like OTLP imports, and its report adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.importers import recordings
from unit.importers.otlp_fixtures import ROOT, SHARED, read

FOLDERS = [SHARED / "corpus", SHARED / "bugcases"]
FILES = [found.path for folder in FOLDERS if folder.is_dir() for found in recordings([folder]) if found.format == "otlp"]


@pytest.mark.skipif(not FILES, reason="../shared holds no recordings on this machine")
@pytest.mark.parametrize("path", FILES, ids=lambda p: Path(p).name)
def test_a_file_of_the_corpus_imports(path: str) -> None:
    read(Path(path))


@pytest.mark.skipif(not FILES, reason="../shared holds no recordings on this machine")
def test_nothing_of_the_corpus_is_skipped_in_silence() -> None:
    files = {str(p) for folder in FOLDERS for p in folder.rglob("*") if p.is_file()}
    found = {found.path: found for found in recordings(FOLDERS)}
    assert set(found) == files
    assert all(bool(f.format) != bool(f.refused) for f in found.values())
    assert len(FILES) >= 15


def test_a_real_agent_framework_over_tempo() -> None:
    path = SHARED / "corpus" / "agentevals" / "samples__tempo_export_with_batches.json"
    if not path.is_file():
        pytest.skip(f"../shared/{path.relative_to(SHARED)} is not on this machine")
    got = read(path)
    call = got.one("tool_call")
    assert (call.actor, call.tool, call.call) == ("helm_agent", "helm_list_releases", "call_w0eKlvnaE7S9GQJeSSs0gn05")
    assert got.one("tool_result").status == "ok"
    assert [step.actor for step in got.of("model_call")] == ["helm_agent", "helm_agent"]
    assert len(got.traces[0].header.claims) == 2
    assert got.codes["names_alike"] == 1


def test_the_example_recording() -> None:
    path = ROOT / "examples" / "refund_desk" / "recording.otlp.jsonl"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(ROOT)} is not in this checkout")
    got = read(path)
    assert got.report.dropped == {}
    assert all(step.actor is not None for step in got.of("tool_call"))
    assert len(got.of("input")) == sum(len(trace.header.claims) for trace in got.traces)
