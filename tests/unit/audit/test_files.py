"""Files: any order, any number of processes, parts of one trace, damage; the same bytes come out or it is said why not."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, Progress, audit, exit_code, read_results, write_results
from seamwise.errors import FormatError, SchemaError, UsageError
from seamwise.kernel import Status
from seamwise.record import Trace
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved

PACK = Pack(
    streams={"ledger": LEDGER, **SIGNING},
    contracts={"cap": {**CAP, "per": ["customer", "quarter"], "reversals": {"none": True, "because": "final"}}, "checked": CHECKED},
)
TRACES = [
    run("r1", "a:pay(c1,20)=done legal:check(k1,1)=passed closer:sign(k1,1)=signed"),
    run("r2", "b:pay(c1,15)=done closer:sign(k2,1)=signed", day=1),
    run("r3", "c:pay(c1,10)=done d:pay(c2,10) legal:check(k3,1) closer:sign(k3,1)=signed", day=2),
    run("r4", "c:pay(c3,10)=done d:pay(c3,10)=refused", day=3),
]


def written(done: Audit) -> bytes:
    out = io.BytesIO()
    write_results(out, *done)
    return out.getvalue()


def statuses(done: Audit) -> dict[str, str]:
    return {list(r.instance.values())[-1] if r.contract == "checked" else r.instance["customer"]: r.status.value for r in done.results}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n, trace in enumerate(TRACES):
        saved(tmp_path / "runs" / f"f{n}.jsonl", trace)
    return tmp_path / "runs"


def test_any_number_of_jobs_and_any_order_of_paths(folder: Path) -> None:
    paths = sorted(folder.iterdir())
    first = written(audit(paths, PACK))
    assert statuses(audit(paths, PACK)) == {
        "c1": "supported",
        "c2": "ruled_out",
        "c3": "ruled_out",
        "k1": "ruled_out",
        "k2": "supported",
        "k3": "unknown",
    }
    assert written(audit(paths[::-1], PACK)) == first
    assert written(audit(paths, PACK, jobs=2)) == first
    assert written(audit(folder, PACK, jobs=7)) == first
    assert written(audit([folder, *paths], PACK)) == first


def test_one_file_or_many_say_the_same_of_the_traces(folder: Path, tmp_path: Path) -> None:
    apart = audit(folder, PACK)
    together = audit(saved(tmp_path / "one.jsonl", *TRACES[::-1]), PACK)
    assert together.results == apart.results


def test_progress_is_told(folder: Path) -> None:
    told: list[Progress] = []
    audit(folder, PACK, on_progress=told.append)
    assert [p.files_done for p in told] == [1, 2, 3, 4]
    assert (told[-1].files, told[-1].traces) == (4, 4)


def test_a_recording_that_is_given_twice_says_nothing_twice(folder: Path, tmp_path: Path) -> None:
    once = audit(folder, PACK)
    for path in folder.iterdir():
        (tmp_path / "copy").mkdir(exist_ok=True)
        (tmp_path / "copy" / path.name).write_bytes(path.read_bytes())
    twice = audit([folder, tmp_path / "copy"], PACK)
    assert twice.results == once.results
    assert twice.summary.n_traces == once.summary.n_traces


def test_parts_of_one_trace_are_judged_as_one(tmp_path: Path) -> None:
    whole = TRACES[0]
    for at in range(1, len(whole.steps)):
        first = Trace(header=whole.header, steps=whole.steps[:at])
        second = Trace(header=whole.header, steps=whole.steps[at:])
        paths = [saved(tmp_path / f"{at}a.jsonl", first), saved(tmp_path / f"{at}b.jsonl", second)]
        assert audit(paths, PACK).results == audit(saved(tmp_path / "whole.jsonl", whole), PACK).results, at


def test_where_something_was_lost_nothing_counts_as_complete(folder: Path) -> None:
    path = folder / "f1.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id": "s9", "kind": "tool_result", "to')
    done = audit(folder, PACK)
    # the check of k2 may be in what was lost, and so may a payment to c3; what is known stays known
    assert statuses(done) == {
        "c1": "supported",
        "c2": "unknown",
        "c3": "unknown",
        "k1": "ruled_out",
        "k2": "unknown",
        "k3": "unknown",
    }
    assert sum("cannot be used" in e.message for e in done.summary.errors) == 1
    assert exit_code(done.summary) == 1


def test_a_stated_count_still_counts_where_something_was_lost(folder: Path) -> None:
    path = folder / "f1.jsonl"
    path.write_bytes(path.read_bytes() + b"garbage\n")
    ledger = {**LEDGER, "recording": {"because": "the payments table", "count": 6}}
    done = audit(folder, Pack(streams={"ledger": ledger}, contracts={"cap": CAP}))
    assert {r.instance["customer"]: r.status.value for r in done.results}["c3"] == "ruled_out"


def test_a_stated_count_that_is_not_met_is_told_and_closes_no_trace(folder: Path) -> None:
    streams = {**SIGNING, "checks": {**SIGNING["checks"], "recording": {"because": "legal's log", "count": 5}}}
    done = audit(folder, Pack(streams=streams, contracts={"checked": CHECKED}))
    assert {r.instance["subject"]: r.status.value for r in done.results} == {"k1": "ruled_out", "k2": "unknown", "k3": "unknown"}
    assert [e.message for e in done.summary.errors] == ["expected 5 operations, got 2; within single traces the claim is not used"]
    met = {**SIGNING, "checks": {**SIGNING["checks"], "recording": {"because": "legal's log", "count": 2}}}
    done = audit(folder, Pack(streams=met, contracts={"checked": CHECKED}))
    assert {r.instance["subject"]: r.status.value for r in done.results}["k2"] == "supported"


def test_a_file_that_cannot_be_read_does_not_stop_the_rest(folder: Path) -> None:
    (folder / "notes.md").write_text("nothing to see")
    (folder / "broken.jsonl").write_text("{{{{\n")
    done = audit(folder, PACK)
    assert statuses(done)["c1"] == "supported"
    assert [Path(e.where).name for e in done.summary.errors if "org" not in e.where and "pack" not in e.where] == ["broken.jsonl"]
    assert [r["file"].rsplit("/", 1)[-1] for r in done.summary.reads if "refused" in r] == ["notes.md"]


def test_results_of_an_earlier_audit_may_lie_beside(folder: Path) -> None:
    done = audit(folder, PACK)
    write_results(folder / "results.jsonl", *done)
    again = audit(folder, PACK)
    assert again.results == done.results
    assert again.summary.errors == ()


def test_an_unreadable_file_alone_is_no_all_clear(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("nothing")
    assert exit_code(audit(tmp_path, PACK).summary) == 3


@pytest.mark.parametrize("spelling", ["nope", "nope/", "./nope", "runs/../nope.jsonl"])
def test_a_path_at_which_nothing_lies(folder: Path, spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=re.escape(f"no such file or folder `{spelling}`")):
        audit([folder, spelling], PACK)


@pytest.mark.parametrize("spelling", ["notes.md", "./notes.md", ".//notes.md"])
def test_a_named_file_that_nobody_recognises_is_an_error(folder: Path, spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "notes.md").write_text("nothing to see")
    assert [e.where for e in audit([folder, spelling], PACK).summary.errors if "notes" in e.where] == ["notes.md"]


def test_a_pipe_in_a_folder_is_refused_unopened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    done = audit(folder, PACK)
    assert [Path(r["file"]).name for r in done.summary.reads if "refused" in r] == ["pipe.jsonl"]
    assert statuses(done) == statuses(audit(folder, PACK))


def test_nothing_read_is_no_all_clear(tmp_path: Path) -> None:
    assert exit_code(audit(tmp_path, PACK).summary) == 3
    (tmp_path / "notes.md").write_text("nothing to see")
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert exit_code(audit(tmp_path, PACK).summary) == 3


def test_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    content = Path(saved(tmp_path / "one.jsonl", *TRACES)).read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    done = audit("-", PACK, jobs=2)
    assert done.results == audit(folder, PACK).results
    assert done.summary.reads[0]["file"] == "-"


def test_misuse(folder: Path) -> None:
    with pytest.raises(UsageError, match="at least one recording"):
        audit([], PACK)
    with pytest.raises(UsageError, match="at least one job"):
        audit(folder, PACK, jobs=0)
    with pytest.raises(FormatError, match="unknown format"):
        audit(folder, PACK, format="otpl")


def test_results_come_back_as_they_were(folder: Path, tmp_path: Path) -> None:
    done = audit(folder, PACK)
    path = tmp_path / "out.jsonl"
    assert write_results(path, *done) == len(done.results)
    summary, results = read_results(path)
    assert (summary, results) == (done.summary, done.results)
    again = tmp_path / "again.jsonl"
    write_results(again, summary, results)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("edit", "message", "line"),
    [
        (lambda lines: [], "empty file", None),
        (lambda lines: lines[1:], "the summary first", 1),
        (lambda lines: [*lines, lines[0]], "a second one", 8),
        (lambda lines: [lines[0], b'{"type": "result"}', *lines[1:]], "required field", 2),
        (lambda lines: [lines[0], lines[1][:40]], "", 2),
        (lambda lines: [lines[0].replace(b'"type":"summary"', b'"type":"summary","result_version":99')], "result version", 1),
        (lambda lines: [b'{"type":"other"}'], "invalid", 1),
        (lambda lines: [b"[" * 10000], "", 1),
    ],
)
def test_a_result_file_that_is_none(folder: Path, tmp_path: Path, edit: Any, message: str, line: int | None) -> None:
    path = tmp_path / "out.jsonl"
    write_results(path, *audit(folder, PACK))
    path.write_bytes(b"\n".join(edit(path.read_bytes().splitlines())))
    with pytest.raises(SchemaError) as caught:
        read_results(path)
    assert message in caught.value.message
    assert (caught.value.where or "").endswith("out.jsonl" if line is None else f"out.jsonl:{line}")


def test_a_result_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_results(tmp_path / "gone.jsonl")
    with pytest.raises(UsageError):
        write_results(tmp_path / "no" / "folder.jsonl", *audit(saved(tmp_path / "r.jsonl", TRACES[0]), PACK))


def test_no_instance_is_no_violation(tmp_path: Path) -> None:
    done = audit(saved(tmp_path / "r.jsonl", run("r1", "ann:hello")), PACK)
    assert (done.summary.worst, exit_code(done.summary)) == (Status.NOT_APPLICABLE, 0)
