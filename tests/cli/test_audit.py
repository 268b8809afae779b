"""``seamwise audit`` and ``seamwise report``: what they print, write and end with."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.test_main import seamwise
from seamwise.audit import Summary, write_results
from seamwise.cli._main import run
from seamwise.kernel import Status
from seamwise.render._rollup import damage
from unit.render.sample import results, ruled_out, summary, supported, unknown

DESK = Path(__file__).parents[2] / "examples" / "refund_desk"
RECORDING, ORG = str(DESK / "recording.otlp.jsonl"), str(DESK / "org.yaml")


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def kept(tmp_path: Path) -> str:
    file = tmp_path / "results.jsonl"
    write_results(file, summary(), results())
    return str(file)


def test_an_audit_tells_what_is_supported(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", RECORDING, "--org", ORG]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    assert "SUPPORTED  quarterly-cap (A1)  customer c17, 2026-Q1\n" in told.out
    assert "<- crosses the limit" in told.out
    assert "known to recovery before: the total 35.00 was in its input" in told.out
    assert "UNKNOWN  quarterly-cap (A1)  customer c3, 2026-Q1\n" in told.out


def test_a_report_gives_the_same_bytes_and_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    first.mkdir()
    again.mkdir()

    def written(folder: Path) -> list[str]:
        return ["--html", str(folder / "page.html"), "--markdown", str(folder / "page.md")]

    assert run(["audit", RECORDING, "--org", ORG, "--out", str(tmp_path / "r.jsonl"), *written(first)]) == 1
    audited = capsys.readouterr().out
    assert run(["report", str(tmp_path / "r.jsonl"), *written(again)]) == 1
    assert capsys.readouterr().out == audited
    for name in ("page.html", "page.md"):
        assert (first / name).read_bytes() == (again / name).read_bytes()
    assert run(["report", str(tmp_path / "r.jsonl"), "--json"]) == 1
    assert capsys.readouterr().out.encode() == (tmp_path / "r.jsonl").read_bytes()


def test_json_is_the_result_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", RECORDING, "--org", ORG, "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines[:2]] == ["summary", "result"]
    assert lines[0]["n_traces"] == 29


def test_standard_input_is_a_recording_and_a_result_file(kept: str) -> None:
    done = seamwise("audit", "-", "--org", ORG, stdin=Path(RECORDING).read_bytes())
    assert done.returncode == 1, done.stderr
    assert b"customer c17, 2026-Q1" in done.stdout
    done = seamwise("report", "-", stdin=Path(kept).read_bytes())
    assert done.returncode == 1
    assert b"customer c17, 2026-Q1" in done.stdout


@pytest.mark.parametrize(
    ("of", "code"),
    [
        ((), 0),
        ((ruled_out("c8"),), 0),
        ((supported(), unknown()), 1),
        ((unknown(),), 3),
        ((unknown(required=False),), 0),
        (tuple(r for r in results() if r.status is Status.NOT_JUDGED), 3),
        (tuple(r for r in results() if r.status is Status.MEASUREMENT_INVALID), 3),
    ],
    ids=["nothing", "ruled-out", "supported", "unknown", "unknown-not-required", "not-judged", "invalid"],
)
def test_exit_codes(of: tuple[object, ...], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from seamwise.kernel import combine

    worst = combine(r.status for r in of)  # type: ignore[attr-defined]
    needed = combine(r.status for r in of if r.required)  # type: ignore[attr-defined]
    write_results(tmp_path / "r.jsonl", summary(of, errors=(), worst=worst, worst_required=needed), of)  # type: ignore[arg-type]
    assert run(["report", str(tmp_path / "r.jsonl")]) == code
    assert capsys.readouterr().out


def test_one_contract_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", RECORDING, "--org", ORG, "--contract", "quarterly-cap", "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert list(lines[0]["contracts"]) == ["quarterly-cap"]
    assert {line["contract"] for line in lines[1:]} == {"quarterly-cap"}


def test_a_chosen_pack_stays_chosen_in_another_process() -> None:
    import pickle

    from seamwise.cli._pack import load_pack

    pack = load_pack(ORG, ("quarterly-cap",))
    assert [c.name for c in pickle.loads(pickle.dumps(pack)).contracts] == ["quarterly-cap"]


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["audit", RECORDING, "--html", "x.html"], "error: --html needs a page of contracts", "hint: name it with --org"),
        (["audit", "--org", ORG], "error: missing argument `PATH...`", "hint: see `seamwise audit --help`"),
        (["audit", RECORDING, "--org", "nowhere.yaml"], "error: cannot read the pack", None),
        (
            ["audit", RECORDING, "--org", ORG, "--contract", "quartrly-cap"],
            "error: no contract `quartrly-cap`",
            "hint: did you mean `quarterly-cap`?",
        ),
        (["audit", RECORDING, "--org", ORG, "--format", "otpl"], "error: unknown format `otpl`", "hint: did you mean `otlp`?"),
        (["audit", RECORDING, "--org", ORG, "--jobs", "0"], "error: invalid value for `--jobs`", "hint: see `seamwise audit --help`"),
        (["audit", RECORDING, "--org", ORG, "--html", "no/where/x.html"], "error: expected a file that can be written for --html", None),
        (
            ["audit", RECORDING, "--org", ORG, "--html", "-", "--json"],
            "error: --html and --json both go to standard output",
            "hint: name a file",
        ),
        (["audit", RECORDING, "--org", ORG, "--html", "x", "--markdown", "x"], "error: --markdown and --html name the same file `x`", None),
        (["report", "nowhere.jsonl"], "error: cannot read `nowhere.jsonl`", None),
        (["report", RECORDING], "error: ", "hint: is it a result file"),
    ],
)
def test_errors_are_one_line_with_a_hint(args: list[str], error: str, hint: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert lines[0].startswith(error)
    assert len(lines) <= 2
    assert "Traceback" not in told.err
    if hint is not None:
        assert lines[1].startswith(hint)


def test_files_are_written_whole_and_named(kept: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    page.write_text("old")
    page.chmod(0o640)
    assert run(["report", kept, "--html", str(page), "--markdown", str(text)]) == 1
    assert capsys.readouterr().err == f"wrote {text}\nwrote {page}\n"
    assert page.read_text().startswith("<!doctype html>")
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["page.html", "page.md", "results.jsonl"]
    assert run(["report", kept, "--html", os.devnull, "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")


def test_markdown_and_page_go_to_standard_output(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", kept, "--markdown", "-"]) == 1
    assert capsys.readouterr().out.startswith("# Seamwise audit\n")
    assert run(["report", kept, "--html", "-"]) == 1
    assert capsys.readouterr().out.startswith("<!doctype html>")


def test_colours_are_for_terminals(kept: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["report", kept]) == 1
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(["report", kept]) == 1
    assert "\x1b[1;31mSUPPORTED" in capsys.readouterr().out
    assert run(["report", kept, "--no-color"]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_a_reader_that_stops_reading_ends_the_report_quietly(tmp_path: Path) -> None:
    write_results(tmp_path / "r.jsonl", summary(), results())
    code = "from seamwise.cli import main; main()"
    command = [sys.executable, "-c", code, "report", str(tmp_path / "r.jsonl")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141


def test_a_stream_that_met_no_step_and_a_contract_without_instance_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    org = tmp_path / "org.yaml"
    text = Path(ORG).read_text()
    assert "tool: policy_check" in text
    assert "tool: sign_contract" in text
    org.write_text(text.replace("tool: policy_check", "tool: polcy_check").replace("tool: sign_contract", "tool: sing_contract"))
    (tmp_path / "handbook.md").write_text((DESK / "handbook.md").read_text())
    page, note = tmp_path / "x.html", tmp_path / "x.md"
    run(["audit", RECORDING, "--org", str(org), "--html", str(page), "--markdown", str(note), "--out", str(tmp_path / "r.jsonl")])
    stream = "stream `checks`: no step of these recordings matches its rules"
    contract = "contract `check-before-signing` has no instance: nothing in these recordings is what it judges"
    told = capsys.readouterr().out
    assert f"! {stream}\n" in told
    assert f"! {contract}\n" in told
    problems = page.read_text()
    assert stream in problems
    assert contract in problems
    assert "> - stream \\`checks\\`: no step" in note.read_text()
    binding = {"checks": {"records": 0, "traces": 0}, "ledger": {"records": 1, "traces": 1}}
    assert stream in damage(summary(binding=binding))
    assert not any("ledger" in line for line in damage(summary(binding=binding)))
    assert stream not in damage(summary(binding=binding, n_steps=0))


@pytest.mark.parametrize("option", ["--out", "--html", "--markdown"])
def test_nothing_that_is_read_is_overwritten(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, link = tmp_path / "runs", tmp_path / "link.jsonl"
    folder.mkdir()
    recording, org = folder / "r.jsonl", folder / "org.yaml"
    recording.write_bytes((DESK / "../first/trace.jsonl").read_bytes())
    org.write_bytes((DESK / "../first/org.yaml").read_bytes())
    link.symlink_to(recording)
    before = recording.read_bytes(), org.read_bytes()
    for given, target in (
        (recording, recording),
        (recording, link),
        (link, recording),
        (folder, recording),
        (folder, link),
        (recording, org),
        (recording, folder / ".." / "runs" / "org.yaml"),
    ):
        assert run(["audit", str(given), "--org", str(org), option, str(target)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert f"error: {option} would overwrite `{target}`" in told.err
        assert (recording.read_bytes(), org.read_bytes()) == before
        assert link.is_symlink()


def test_a_file_of_an_earlier_audit_is_written_again(tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.md").write_bytes((DESK / "../first/policy.md").read_bytes())
    (tmp_path / "r.jsonl").write_bytes((DESK / "../first/trace.jsonl").read_bytes())
    (tmp_path / "org.yaml").write_bytes((DESK / "../first/org.yaml").read_bytes())
    for _ in range(2):
        assert run(["audit", str(tmp_path), "--org", str(tmp_path / "org.yaml"), "--out", kept, "--html", str(tmp_path / "x.html")]) != 2
    assert run(["report", kept, "--html", kept]) == 2
    assert "error: --html would overwrite" in capsys.readouterr().err


def _forged(changes: dict[str, object], which: str) -> Callable[[list[dict[str, Any]]], None]:
    def forge(lines: list[dict[str, Any]]) -> None:
        line = lines[0] if which == "summary" else next(x for x in lines if x.get("status") == which)
        for name, value in changes.items():
            line.pop(name, None) if value is None else line.__setitem__(name, value)

    return forge


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (_forged({"status": "ruled_out"}, "supported"), "does not go with the outcomes"),
        (_forged({"status": "ruled_out", "possible": ["kept"]}, "supported"), "the summary counts"),
        (_forged({"worst": "ruled_out"}, "summary"), "the summary's worst is `ruled_out`, that of the results `supported`"),
        (_forged({"worst_required": "ruled_out"}, "summary"), "the summary's worst_required"),
        (_forged({"witness": None}, "supported"), "`supported` needs a witness"),
        (_forged({"witness": []}, "not_judged"), "`not_judged` cannot have a witness"),
        (_forged({"possible": ["kept"]}, "supported"), "does not go with the outcomes `kept`"),
        (_forged({"possible": ["kept", "violated"]}, "ruled_out"), "does not go with the outcomes"),
        (_forged({"possible": ["kept"]}, "unknown"), "does not go with the outcomes"),
        (_forged({"gaps": None}, "unknown"), "needs its gaps or a reason"),
        (_forged({"contracts": {"quarterly-cap": {"supported": -5}}}, "summary"), "the summary counts -5 supported"),
        (_forged({"n_steps": -1}, "summary"), "cannot be negative"),
        (_forged({"evidence_steps": -1}, "supported"), "read -1 records"),
        (_forged({"confirmed": "refuted"}, "supported"), "cannot be `refuted`"),
        (_forged({"confirmed": "confirmed"}, "unknown"), "only a violation is confirmed"),
        (_forged({"gaps": [{"sort": "resolves", "needs": ["x"]}]}, "supported"), "cannot have `gaps`"),
        (_forged({"without": "unknown"}, "unknown"), "`unknown` cannot have `without`"),
        (_forged({"leaning_on": None, "without": "unknown"}, "supported"), "or neither"),
        (_forged({"without": "ruled_out", "leaning_on": [{"name": "x", "words": "x"}]}, "supported"), "with less it is open at most"),
        (_forged({"reason": None}, "not_judged"), "`not_judged` needs a reason"),
        (_forged({"possible": ["kept"]}, "not_judged"), "does not go with the outcomes"),
        (_forged({"evidence_steps": 1}, "supported"), "and its witness holds"),
        (_forged({"required": False}, "supported"), "required and not required"),
        (_forged({"kind": "admitted"}, "supported"), "of two kinds"),
        (lambda lines: lines.__delitem__(slice(1, None)), "the results are none"),
        (lambda lines: lines.pop(), "the summary counts"),
        (lambda lines: lines.append(lines[-1] | {"contract": "another"}), "the summary counts none of `another`"),
    ],
)
def test_a_forged_or_cut_result_file_is_refused(
    forge: Callable[[list[dict[str, Any]]], None], message: str, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in Path(kept).read_bytes().splitlines()]
    forge(lines)
    Path(kept).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["report", kept]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert "hint: the file was edited or cut; audit again\n" in told.err


def test_a_result_file_of_a_later_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_results(tmp_path / "r.jsonl", Summary(result_version=99), ())
    assert run(["report", str(tmp_path / "r.jsonl")]) == 2
    assert "expected result version" in capsys.readouterr().err


def test_without_a_page_of_contracts_leads_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", RECORDING]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("29 traces, 1,075 steps, 1 file; generic pack, no policy read")
    assert "seamwise init" in told.err


def test_without_a_page_what_cannot_be_read_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("no recording of anything")
    assert run(["audit", RECORDING, str(broken)]) == 3
    assert f"not read: {broken}: " in capsys.readouterr().out
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "notes.md").write_text("# what lies beside recordings is no failure")
    (tmp_path / "runs" / "r.jsonl").write_bytes(Path(RECORDING).read_bytes())
    assert run(["audit", str(tmp_path / "runs")]) == 0


def test_a_page_among_the_recordings_is_met_with_the_option_that_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", ORG, RECORDING]) == 3
    assert f"hint: no policy was read; did you mean `--org {ORG}`?" in capsys.readouterr().err
    other = tmp_path / "other.yaml"
    other.write_text("name: a workflow\n")
    assert run(["audit", str(other), RECORDING]) == 3
    assert "seamwise init" in capsys.readouterr().err


def test_leads_stand_after_the_verdicts_where_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", RECORDING, "--org", ORG, "--leads"]) == 1
    out = capsys.readouterr().out
    assert out.index("SUPPORTED") < out.index("generic pack, no policy read")
