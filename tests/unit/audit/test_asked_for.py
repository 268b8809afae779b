"""An audit asks importers only for the steps that its rules can take; what it says is the same, byte for byte, as if it had read all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from seamwise.audit import Pack, audit
from seamwise.audit import _scan as scan
from seamwise.importers import open_recording, recordings

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared"
FOLDERS = [folder for folder in (SHARED / "corpus", SHARED / "bugcases") if folder.is_dir()]
FILES = [found.path for found in recordings(FOLDERS) if found.format == "otlp"]


def says_the_same(paths: Any, pack: Pack, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many results both audits gave."""
    short = audit(paths, pack)
    with monkeypatch.context() as patched:
        patched.setattr(scan, "wanted_by", lambda *_: None)
        full = audit(paths, pack)
    assert msgspec.json.encode(short.summary) == msgspec.json.encode(full.summary)
    assert [msgspec.json.encode(r) for r in short.results] == [msgspec.json.encode(r) for r in full.results]
    return len(full.results)


def of_tools(tools: Iterable[str], *, clock: bool = False) -> Pack:
    """A pack that binds all these tools: no agent may call more than two of them, and whoever calls one gets a word of it first."""
    said = {"by": "user", "because": "it is a test"}
    calls = [{"tool": tool, "fields": {"amount": {"value": 1}}} for tool in tools]
    page: dict[str, Any] = {
        "version": 1,
        "streams": {"calls": {"from": calls, "key": "actor", "recording": said, "route": said}},
        "contracts": {
            "few": {"kind": "within_total", "stream": "calls", "per": "actor", "limit": 2, "across": "trace"},
            "few-in-all": {"kind": "within_total", "stream": "calls", "per": "actor", "limit": 2},
        },
    }
    if clock:
        page["clock"] = {"skew": "1 s", **said}
    return Pack.parse(yaml.safe_dump(page, sort_keys=False))


def test_the_refund_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ROOT / "examples" / "refund_desk"
    assert says_the_same(desk, Pack.load(desk / "org.yaml"), monkeypatch) == 33


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from generate import Plan, ready
    finally:
        sys.path.pop(0)
    folder: Path = ready(tmp_path_factory.mktemp("bench"), Plan(0.005))
    return folder


def test_the_benchmark(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert says_the_same(corpus / "otlp", Pack.load(ROOT / "benchmarks" / "org.yaml"), monkeypatch) > 100


@pytest.mark.parametrize("clock", [False, True])
def test_with_few_tools_and_a_clock(corpus: Path, monkeypatch: pytest.MonkeyPatch, *, clock: bool) -> None:
    assert says_the_same(corpus / "otlp", of_tools(["publish", "search"], clock=clock), monkeypatch) > 20


def _tools(path: str) -> Sequence[str]:
    return sorted({step.tool for trace in open_recording(path).traces for step in trace.steps if step.tool is not None})


@pytest.mark.skipif(not FILES, reason=f"{SHARED} holds no recordings on this machine")
@pytest.mark.parametrize("path", FILES, ids=lambda path: Path(path).name)
def test_the_corpus(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = _tools(path)
    for some in (tools, tools[::2], ["no_such_tool"]):
        if some:
            says_the_same(path, of_tools(some), monkeypatch)


def test_a_rule_without_kinds_asks_for_all() -> None:
    pack = Pack.parse("version: 1\nstreams: {all: {from: [{agent: a}]}}\ncontracts: {}\n")
    assert scan.wanted_by(tuple(pack.streams.values()), ()) is None
