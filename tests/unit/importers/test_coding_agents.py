"""Claude Code and Codex: one session over several files, whose lines are whose, and what is told once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Pack, audit
from seamwise.errors import FormatError
from seamwise.importers import recordings
from seamwise.kernel import Status
from seamwise.record import precedence
from unit.importers.coding_fixtures import (
    CODEX,
    CODEX_OLD,
    CODEX_SUB,
    MAIN,
    OLD,
    SESSION,
    SUB,
    answered,
    line,
    lines,
    result,
    said,
    text,
    use,
)
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes


def imported(folder: Path, values: list[Any], format: str = "claude_code", *, cut: bytes = b"") -> Got:
    got = read_bytes(folder, lines(values) + cut)
    assert got.report.format == format
    return got


# ---- Claude Code ----


def test_a_session(tmp_path: Path) -> None:
    got = imported(tmp_path, MAIN)
    assert got.traces[0].id == SESSION
    assert [(s.kind, s.actor, s.call, s.status) for s in got.steps] == [
        ("note", None, None, None),
        ("message", "user", None, None),
        ("message", "main", None, None),
        ("tool_call", "main", "t1", None),
        ("handoff", "main", None, None),
        ("tool_call", "main", "t2", None),
        ("tool_result", "main", "t2", "failed"),
        ("tool_result", "main", "t1", "ok"),
        ("note", "main", None, None),
    ]
    assert got.one("handoff").recipients == ("Explore(a1b2)",)
    assert got.of("message")[0].recipients == ("main",)


def test_what_an_answer_cost_is_told_once(tmp_path: Path) -> None:
    costs = [(s.data or {}).get("usage") for s in imported(tmp_path, MAIN).steps if s.actor == "main"]
    assert [cost for cost in costs if cost is not None] == [{"output_tokens": 7}], "two lines are one answer; its last line counts"


def folder_of(tmp_path: Path) -> Path:
    inner = tmp_path / "p" / SESSION / "subagents"
    inner.mkdir(parents=True)
    (tmp_path / "p" / f"{SESSION}.jsonl").write_bytes(lines(MAIN))
    (inner / "agent-a1b2.jsonl").write_bytes(lines(SUB))
    (inner / "agent-a1b2.meta.json").write_text(json.dumps({"agentType": "Explore", "spawnDepth": 1}), encoding="utf-8")
    return tmp_path / "p"


def test_a_sub_agent_in_a_file_of_its_own_is_a_part_of_the_same_trace(tmp_path: Path) -> None:
    found = list(recordings([folder_of(tmp_path)]))
    assert [f.format for f in found] == ["claude_code"] * 3
    main, sub = read(Path(found[0].path)), read(Path(found[1].path))
    assert main.traces[0].id == sub.traces[0].id == SESSION
    assert {s.actor for s in sub.steps} == {None, "Explore(a1b2)"}
    steps = (*main.traces[0].steps, *sub.traces[0].steps)
    assert len({s.id for s in steps}) == len(steps)
    assert main.traces[0].header.clocks == sub.traces[0].header.clocks != {}
    order = precedence(steps, main.traces[0].header.clocks)
    handoff, asked, ended = main.one("handoff").id, sub.of("message")[0].id, next(s.id for s in main.of("tool_result") if s.call == "t1")
    assert order.before(handoff, asked)
    assert order.before(sub.of("message")[1].id, ended)
    small = read(Path(found[2].path))
    assert (small.traces, small.report.records, small.report.merged) == ([], 1, 1), "it adds a name to the log beside it, and is no loss"
    Path(found[1].path).unlink()
    with pytest.raises(FormatError, match="only what a session says of the type of one sub-agent"):
        read(Path(found[2].path))


def test_an_audit_sees_a_session_and_its_sub_agents_as_one_run(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    word = {"by": "user", "because": "so it is"}
    rule = {"tool": "Read", "fields": {"file": "arguments.file", "amount": {"value": 1}}}
    calls = {"from": [rule], "key": "file", "route": word, "recording": word}
    cap = {"kind": "within_total", "stream": "reads", "per": ["file"], "limit": 1, "reversals": {"none": True, **word}}
    more = [answered(30, use("t9", "Read", file="a"), second=6.5, agentId="a1b2", isSidechain=True)]
    more.append(result(31, "t9", "content", second=6.7, agentId="a1b2", isSidechain=True))
    main = [*MAIN[:4], result(3, "t2", "content"), *MAIN[5:]]
    (folder / f"{SESSION}.jsonl").write_bytes(lines(main))
    (folder / SESSION / "subagents" / "agent-a1b2.jsonl").write_bytes(lines([*SUB, *more]))
    done = audit(folder, Pack(streams={"reads": calls}, contracts={"cap": cap}))
    assert done.summary.n_traces == 1
    (verdict,) = done.results
    assert verdict.status is Status.SUPPORTED, "main and sub-agent read the same file once each"


def test_a_log_of_a_sub_agent_without_the_file_beside_it(tmp_path: Path) -> None:
    assert {s.actor for s in imported(tmp_path, SUB).steps} == {None, "agent(a1b2)"}


def test_side_chains_of_older_sessions_are_in_the_same_file(tmp_path: Path) -> None:
    got = imported(tmp_path, OLD)
    assert [s.actor for s in got.steps] == ["user", "main", "main", None, "Explore(u2)", "main"]
    assert got.of("message")[1].recipients == ("Explore(u2)",)
    assert got.one("handoff").recipients is None
    assert got.report.unknown["the target of a handoff"] == 1


def test_the_last_line_that_breaks_off_is_counted(tmp_path: Path) -> None:
    got = imported(tmp_path, MAIN, cut=b'{"type":"assistant","uuid":"u6","par')
    assert got.report.dropped == {"unreadable": 1}
    assert got.report.kept == len(MAIN)


def test_a_first_line_that_is_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    first = {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"files": "x" * 100_000}}
    assert imported(tmp_path, [first, said(0, "x")]).report.kept == 2


def test_lines_that_are_none(tmp_path: Path) -> None:
    odd = [said(0, "x"), {"silly": 1}, "error", line(1, "user", message={"role": "user"}), {**line(2, "user"), "message": "error"}]
    got = imported(tmp_path, odd)
    assert got.report.dropped == {"no entry of a session": 2}
    assert [(s.kind, s.text) for s in got.steps] == [("message", "x"), ("message", None), ("note", "error")]
    assert got.report.unknown["what a message said"] == 1


def test_sessions_in_one_file_are_traces_of_their_own(tmp_path: Path) -> None:
    got = imported(tmp_path, [said(0, "x"), said(1, "y", session="other"), said(0, "x")])
    assert [(trace.id, len(trace.steps)) for trace in got.traces] == [(SESSION, 1), ("other", 1)]
    assert got.report.merged == 1


def test_times_that_go_back_order_nothing(tmp_path: Path) -> None:
    got = imported(tmp_path, [said(0, "x", second=5), said(1, "y", second=4)])
    assert got.traces[0].header.clocks == {}
    assert got.codes["clock_goes_back"] == 1
    assert got.steps[1].order[0].step == got.steps[0].id


def test_what_the_program_adds_is_not_said_by_the_user(tmp_path: Path) -> None:
    assert imported(tmp_path, [said(0, "caveat", isMeta=True)]).steps[0].actor is None


def test_results_that_are_structured(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "A" * 999}}
    got = imported(
        tmp_path, [answered(0, use("t", "Bash", command="ls")), result(1, "t", [text("x"), image], toolUseResult={"stdout": "x"})]
    )
    data = got.one("tool_result").data or {}
    assert data["structured"] == {"stdout": "x"}
    assert data["result"][1]["source"]["data"] == "(999 characters left out)"


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_the_corpus_of_claude_code() -> None:
    counts = {}
    for f in recordings([SHARED / "corpus" / "claude-code"]):
        assert f.format == "claude_code"
        got = read(Path(f.path))
        counts[Path(f.path).name.removeprefix("test__test_data__")] = (got.report.traces, got.report.kept, got.report.dropped)
    assert counts == {
        "edge_cases.jsonl": (2, 15, {"no entry of a session": 4}),
        "representative_messages.jsonl": (1, 12, {}),
    }


@pytest.mark.skipif(not (SHARED / "bugcases" / "28_claude_session").is_dir(), reason="the cases are not on this machine")
def test_a_session_of_a_bug_report() -> None:
    folder = SHARED / "bugcases" / "28_claude_session"
    main, sub = read(folder / "0000.jsonl"), read(folder / "0000" / "subagents" / "agent-a1b2c3d.jsonl")
    agents = {name for got in (main, sub) for name in got.traces[0].header.organization.agents}
    assert agents == {"user", "main", "Explore(a1b2c3d)"}
    assert (main.report.kept, main.report.dropped) == (5, {"unreadable": 1})
    assert len(sub.of("message")) == 2
    assert [s.id for s in main.steps if "usage" in (s.data or {})] == ["u2"]


# ---- Codex ----


def test_a_rollout(tmp_path: Path) -> None:
    got = imported(tmp_path, CODEX, "codex")
    assert got.traces[0].id == "th1"
    assert [(s.kind, s.actor, s.tool or s.text) for s in got.steps] == [
        ("note", None, None),
        ("note", None, None),
        ("message", None, "rules"),
        ("message", "user", "fix it"),
        ("note", "main", "hm"),
        ("tool_call", "main", "shell"),
        ("tool_result", "main", "shell"),
        ("tool_call", "main", "spawn_agent"),
        ("tool_result", "main", "spawn_agent"),
        ("handoff", "main", None),
        ("note", None, None),
        ("message", "main", "done"),
    ]
    assert got.report.merged == 2
    ended = got.of("tool_result")[0]
    assert (ended.text, (ended.data or {})["metadata"]) == ("a.py", {"exit_code": 0})


def test_the_rollout_of_a_sub_agent_is_a_part_of_the_same_trace(tmp_path: Path) -> None:
    got = imported(tmp_path, CODEX_SUB, "codex")
    assert got.traces[0].id == "th1"
    assert [s.actor for s in got.of("message")] == [None, "agent(th2)"]
    assert imported(tmp_path, CODEX, "codex").one("handoff").recipients == ("agent(th2)",)


def test_an_older_rollout(tmp_path: Path) -> None:
    got = imported(tmp_path, CODEX_OLD, "codex")
    assert got.traces[0].id == "th0"
    assert got.one("tool_call").data == {"arguments": {"type": "exec", "command": ["ls"]}}
    assert got.one("tool_result").status == "failed"


def test_an_event_that_repeats_nothing_is_kept(tmp_path: Path) -> None:
    got = imported(tmp_path, [CODEX[0], CODEX[4]], "codex")
    assert got.report.merged == 0
    assert got.of("note")[1].data == {"entry": "user_message", "type": "user_message", "message": "fix it"}
