"""Traces looked at again: running sums, what an agent had in its input, scenes, and the result file that holds them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from seamwise.audit import Pack, Pictured, audit_with_scenes, read_results, read_written, write_results
from seamwise.audit import _look as looking
from seamwise.errors import SchemaError
from seamwise.kernel import Status
from seamwise.record import Step, Trace
from unit.binding.traces import CAP, LEDGER, run, saved

PACK = Pack(streams={"ledger": LEDGER}, contracts={"cap": {**CAP, "reversals": {"none": True, "because": "final"}}})


def told(tmp_path: Path, *traces: Trace) -> Pictured:
    return audit_with_scenes(saved(tmp_path / "r.jsonl", *traces), PACK)


def paid(trace: str = "r1") -> Trace:
    return run(trace, "a:pay(c1,15)=done b:pay(c1,20)=failed b:pay(c1,15)=done c:pay(c1,12)=done a:pay(c2,5)=done")


def test_the_running_sum_leaves_out_what_failed_and_marks_what_is_open(tmp_path: Path) -> None:
    results = told(tmp_path, paid(), run("r2", "a:pay(c3,15)=done b:pay(c3,15)=done c:pay(c3,15)")).results
    ledgers = {r.instance["customer"]: r.ledger for r in results}
    assert ledgers["c2"] is None
    assert ledgers["c1"] is not None
    assert ledgers["c1"].limit == "40"
    assert [(line.amount, line.total, line.counts) for line in ledgers["c1"].lines] == [
        ("15", "15", True),
        ("15", "30", True),
        ("12", "42", True),
    ]
    assert ledgers["c3"] is not None
    assert [(line.amount, line.total, line.counts) for line in ledgers["c3"].lines][-1] == ("15", "30", None)


def test_a_long_ledger_keeps_its_end_and_its_sums(tmp_path: Path) -> None:
    many = run("r1", " ".join(f"{'abc'[n % 3]}:pay(c1,1)=done" for n in range(450)))
    (result,) = told(tmp_path, many).results
    assert result.ledger is not None
    assert (result.ledger.skipped, len(result.ledger.lines)) == (50, 400)
    assert [result.ledger.lines[n].total for n in (0, -1)] == ["51", "450"]


def _with_input(trace: Trace, place: int) -> Trace:
    data = {
        "messages": [
            {"role": "system", "content": "You are c."},
            {"role": "user", "name": "desk", "parts": [{"type": "text", "content": "total: 30; password: hunter22x"}]},
        ],
        "whole": True,
    }
    given = Step(
        id="given", kind="input", actor="c", data=data, source="desk", seq=trace.steps[place].seq, time_ns=trace.steps[place].time_ns
    )
    later = [msgspec.structs.replace(s, seq=None if s.seq is None else s.seq + 1) for s in trace.steps[place:]]
    return Trace(header=trace.header, steps=(*trace.steps[:place], given, *later))


def test_the_crossing_agent_s_input_is_told_message_by_message(tmp_path: Path) -> None:
    trace = paid()
    place = next(n for n, s in enumerate(trace.steps) if s.actor == "c")
    result = told(tmp_path, _with_input(trace, place)).results[0]
    assert result.status is Status.SUPPORTED
    inbox = result.inbox
    assert inbox is not None
    assert (inbox.actor, inbox.whole) == ("c", True)
    assert [(g.index, g.kind, g.source, g.text) for g in inbox.items] == [
        (place + 1, "system", "", "You are c."),
        (place + 1, "user", "desk", "total: 30; password: [masked password]"),
    ]


def test_scenes_are_the_traces_that_open_verdicts_cite(tmp_path: Path) -> None:
    done = told(tmp_path, paid("r1"), run("r2", "a:pay(c9,5)=done"))
    assert [scene.trace for scene in done.scenes] == ["r1"]
    assert [seen.kind for seen in done.scenes[0].steps] == [s.kind for s in paid().steps]
    assert (done.summary.n_scenes, done.summary.n_unseen) == (1, 0)


def test_too_many_steps_are_left_out_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MAX_STEPS", 3)
    done = told(tmp_path, paid())
    assert done.scenes == ()
    assert done.summary.n_unseen == 1


def test_a_result_file_holds_its_scenes(tmp_path: Path) -> None:
    done = told(tmp_path, paid())
    file = tmp_path / "results.jsonl"
    write_results(file, *done)
    assert read_written(file) == done
    assert read_results(file) == (done.summary, done.results)
    cut = b"".join(file.read_bytes().splitlines(keepends=True)[:-1])
    with pytest.raises(SchemaError, match="counts 1 scenes, there are 0"):
        read_written(BytesIO(cut))


def test_texts_that_cannot_be_written_are_mended(tmp_path: Path) -> None:
    trace = paid()
    odd = Step(id="odd", kind="message", actor="\ud800", text="a\x00b\udfff")
    from seamwise.audit._look import _scene

    scene = _scene(Trace(header=trace.header, steps=(odd,)), redact=True)
    assert msgspec.json.encode(scene)
    assert scene.steps[0].actor == "?"
