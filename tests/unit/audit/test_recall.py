"""What is told from a shape that was met before is what judging and telling the instance by itself gives, byte for byte."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import yaml

from seamwise.audit import Audit, Pack, audit
from seamwise.audit._recall import Recall
from seamwise.record import Step, Trace, read_traces
from unit.binding.traces import saved

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
OTHER_WORDS = ("c1", "c2", "t1s0", "2026-03", "approved", "draft", "", "a/b", "50%", "#~", "naïve", "7", "\ud800", "committee", "legal")
OTHER_VALUES: tuple[Any, ...] = (*OTHER_WORDS, 7, 7.5, 1000, -3, True, False, None, [], ["deadline"], {"deadline": "x"}, {})


@cache
def page() -> Pack:
    return Pack.parse((BENCHMARKS / "org.yaml").read_text())


@cache
def bounded_page() -> Pack:
    """The same with clocks that order, and nobody's word for anything."""
    page = yaml.safe_load((BENCHMARKS / "org.yaml").read_text())
    for stream in page["streams"].values():
        stream.pop("recording", None)
    return Pack.parse(yaml.safe_dump(page, sort_keys=False))


@cache
def corpus() -> tuple[Trace, ...]:
    """Traces of the benchmarks' scenes, without what no contract reads."""
    import sys

    sys.path.insert(0, str(BENCHMARKS))
    try:
        from formats import Call, native_lines
        from formats import Trace as Story
        from motifs import SCENES, Scene, World
    finally:
        sys.path.remove(str(BENCHMARKS))
    out: list[Trace] = []
    rng = Random(3)
    with tempfile.TemporaryDirectory() as folder:
        for n in range(60):
            events: list[Call] = []
            for i in range(rng.randrange(1, 4)):
                chance = rng.random()
                scene = Scene(rng, f"t{n}s{i}", World(n_customers=4), fault=chance < 0.2, hole=0.2 <= chance < 0.35)
                events += rng.choice(SCENES)(scene)
            path = Path(folder) / f"{n}.jsonl"
            path.write_bytes(native_lines(Story(f"{rng.getrandbits(128):032x}", 1_767_225_600_000_000_000 + n * 10**15, events)))
            out += read_traces(str(path))
    return tuple(out)


def changed(trace: Trace, rng: Random) -> Trace:
    """The trace with something else recorded, or less."""
    steps = list(trace.steps)
    for n in range(rng.randrange(4)):
        at = rng.randrange(len(steps))
        how = rng.choice(["drop", "twice", "swap", "actor", "status", "seq", "time_ns", "call", "value", "source"])
        step = steps[at]
        if how == "drop":
            if len(steps) > 1:
                del steps[at]
        elif how == "twice":
            steps.insert(at, msgspec.structs.replace(step, id=f"{step.id}/{n}"))
        elif how == "swap":
            other = rng.randrange(len(steps))
            steps[at], steps[other] = steps[other], steps[at]
        elif how == "call":
            steps[at] = msgspec.structs.replace(step, call=rng.choice([None, *(s.call for s in steps)]))
        elif how == "value":
            steps[at] = with_value(step, rng)
        else:
            value = rng.choice(OTHER_WORDS) if how in ("actor", "source") else ""
            steps[at] = msgspec.structs.replace(step, **{how: value or None})
    return Trace(header=trace.header, steps=tuple(steps))


def with_value(step: Step, rng: Random) -> Step:
    """The step with another value in what was asked or answered."""
    if step.data is None:
        return step
    part = rng.choice(sorted(step.data))
    content = step.data[part]
    if not isinstance(content, dict) or not content:
        return step
    name, value = rng.choice(sorted(content)), rng.choice(OTHER_VALUES)
    content = {n: v for n, v in content.items() if n != name} if value is None else {**content, name: value}
    return msgspec.structs.replace(step, data={**step.data, part: content})


def lines(done: Audit) -> list[bytes]:
    return list(done.results.lines())


def both_ways(traces: list[Trace], pack: Pack, **more: Any) -> tuple[list[bytes], list[bytes], int]:
    """The results told from shapes, and each by itself; and how many lots were told from a shape."""
    told: list[Recall] = []
    as_ever = Recall.__init__

    def watched(self: Recall, *args: Any, **options: Any) -> None:
        as_ever(self, *args, **options)
        told.append(self)

    def by_itself(self: Recall, *args: Any, **options: Any) -> None:
        as_ever(self, *args, **{**options, "remember": False})

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = saved(Path(folder) / "r.jsonl", *traces)
        patch.setattr(Recall, "__init__", watched)
        recalled = lines(audit(path, pack, **more))
        patch.setattr(Recall, "__init__", by_itself)
        return recalled, lines(audit(path, pack, **more)), sum(recall.hits for recall in told)


@pytest.mark.parametrize("pack", [page, bounded_page])
@pytest.mark.parametrize("redact", [True, False])
def test_a_corpus_told_from_shapes(pack: Any, redact: bool) -> None:
    recalled, judged, hits = both_ways(list(corpus()), pack(), redact=redact)
    assert recalled == judged
    assert hits > len(recalled) / 4


@pytest.mark.parametrize("seed", range(12))
def test_changed_recordings_told_from_shapes(seed: int) -> None:
    rng = Random(seed)
    traces = []
    for n in range(24):
        trace = rng.choice(corpus())
        named = msgspec.structs.replace(trace, header=msgspec.structs.replace(trace.header, id=f"run/{n}"))
        traces.append(changed(named, rng))
    recalled, judged, _ = both_ways(traces, page())
    assert recalled == judged


def test_processes_that_know_shapes_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What processes are forked with, and who judged what, is in no result."""
    monkeypatch.setattr("seamwise.audit._jobs.LEARN_BYTES", 1)
    monkeypatch.setattr("seamwise.audit._jobs.LEARN_TRACES", 7)
    for n in range(3):
        saved(tmp_path / f"{n}.jsonl", *corpus()[n::3])
    alone, shared = audit(tmp_path, page()), audit(tmp_path, page(), jobs=2)
    assert (alone.summary, lines(alone)) == (shared.summary, lines(shared))
