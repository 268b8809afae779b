"""``seamwise init`` and ``seamwise bind``: from recordings to a bound page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.binding import Pack
from seamwise.cli._main import run

ROOT = Path(__file__).parents[2]
RECORDING = str(ROOT / "examples" / "refund_desk" / "recording.otlp.jsonl")
ORG = str(ROOT / "examples" / "refund_desk" / "org.yaml")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


def test_a_first_page_and_its_preview(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", RECORDING]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == ["wrote org.yaml: 20 agents, 17 tools", f"next: seamwise bind org.yaml {RECORDING} --preview"]
    assert len(Pack.load("org.yaml").streams) == 17
    assert run(["bind", "org.yaml", RECORDING, "--preview"]) == 0
    told = capsys.readouterr()
    assert "issue_credit  17 records in 17 traces\n" in told.out
    assert "takes nothing" not in told.out
    assert told.err == ""


def test_a_page_is_never_overwritten_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("org.yaml").write_text("mine")
    assert run(["init", RECORDING]) == 2
    assert "error: expected a file that is not there, got `org.yaml`" in capsys.readouterr().err
    assert Path("org.yaml").read_text() == "mine"
    assert run(["init", RECORDING, "--force"]) == 0
    assert "streams:" in Path("org.yaml").read_text()


def test_a_recording_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs").mkdir()
    copy = Path("runs/a.jsonl")
    copy.write_bytes(Path(RECORDING).read_bytes())
    for paths in (["runs"], ["runs/a.jsonl"]):
        assert run(["init", *paths, "-o", "runs/a.jsonl", "--force"]) == 2
        assert "would overwrite `runs/a.jsonl`" in capsys.readouterr().err
    assert copy.read_bytes() == Path(RECORDING).read_bytes()


def test_what_was_seen_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", RECORDING, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tools"]["issue_credit"]["calls"] == 17
    assert not Path("org.yaml").exists()


def test_nothing_to_begin_with(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert run(["init", "empty"]) == 2
    assert "got none" in capsys.readouterr().err
    assert run(["init", "nowhere"]) == 2
    assert "no such file or folder `nowhere`" in capsys.readouterr().err
    assert run(["bind", ORG, "empty"]) == 3


def test_the_page_on_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["init", RECORDING, "-o", "-"]) == 0
    assert Pack.parse(capsysbinary.readouterr().out).streams
    assert not Path("org.yaml").exists()


def test_a_preview_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bind", ORG, RECORDING, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {stream["name"]: stream["n"] for stream in told["streams"]}["ledger"] == 20


def test_a_lock_and_an_audit_by_it(capsys: pytest.CaptureFixture[str]) -> None:
    page = "\n".join(line for line in Path(ORG).read_text().splitlines() if "policy:" not in line)
    Path("org.yaml").write_text(
        page.replace('recording: {by: user, because: "the exporter writes every span of the desk\'s one process"}', "recording: {by: lock}")
    )
    assert run(["audit", RECORDING, "--org", "org.yaml"]) == 2
    assert "hint: write it: seamwise bind org.yaml PATH... --lock" in capsys.readouterr().err
    assert run(["bind", "org.yaml", RECORDING, "--lock"]) == 0
    assert capsys.readouterr().err == "wrote org.lock.json\n"
    assert run(["audit", RECORDING, "--org", "org.yaml", "--contract", "quarterly-cap", "--json"]) == 1
    summary, *results = map(json.loads, capsys.readouterr().out.splitlines())
    assert "errors" not in summary
    assert "lock" in {claim["by"] for result in results for claim in result.get("claims", ())}
    assert run(["bind", "org.yaml", RECORDING, "--lock", "--json"]) == 2
    assert "expected either --preview or --lock" in capsys.readouterr().err
