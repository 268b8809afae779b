"""The page about CI: its commands run, its workflow is one, and the file that it shows is what the program writes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from seamwise.audit import read_baseline

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
WORKFLOW = next(block for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "runs-on" in block)
SHOWN = next(block for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "accepted:" in block)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's repository with recordings, as the page presumes."""
    desk = ROOT / "examples" / "refund_desk"
    (tmp_path / "runs").mkdir()
    shutil.copy(desk / "recording.otlp.jsonl", tmp_path / "runs")
    for name in ("org.yaml", "handbook.md"):
        shutil.copy(desk / name, tmp_path)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "seamwise"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from seamwise.cli import main; main()" "$@"\n')
    command.chmod(0o755)
    return tmp_path


def run(repository: Path, command: str) -> int:
    paths = {"PATH": f"{repository / 'bin'}{os.pathsep}{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(repository / "summary.md")}
    return subprocess.run(command, shell=True, cwd=repository, env={**os.environ, **paths}, capture_output=True, check=False).returncode


def accepting() -> list[str]:
    """The commands of the page that accept findings; their last day is put far away."""
    lines = re.findall(r"^seamwise (?:audit .*--out results\.jsonl.*|baseline .*)$", PAGE, re.MULTILINE)
    assert len(lines) == 2
    return [line.replace("2027-03-31", "2999-12-31") for line in lines]


def test_the_workflow_passes_once_its_findings_are_accepted_and_fails_before(repository: Path) -> None:
    steps = yaml.safe_load(WORKFLOW)["jobs"]["audit"]["steps"]
    (audit,) = [step["run"] for step in steps if step.get("run", "").startswith("seamwise")]
    without = audit.replace("--baseline baseline.yaml", "--new-only")
    assert without != audit
    assert run(repository, audit) == 2
    assert run(repository, without) == 1
    write, accept = accepting()
    assert run(repository, write) == 1
    assert run(repository, accept) == 0
    assert run(repository, audit) == 0
    assert "5 accepted by baseline.yaml" in (repository / "summary.md").read_text(encoding="utf-8").replace("\\", "")
    assert ElementTree.parse(repository / "seamwise.xml").getroot().attrib["failures"] == "0"
    assert (repository / "seamwise.html").stat().st_size > 10_000


def test_the_baseline_that_the_page_shows_is_what_is_written(repository: Path) -> None:
    for command in accepting():
        run(repository, command)
    written = (repository / "baseline.yaml").read_text(encoding="utf-8").replace("2999-12-31", "2027-03-31")
    assert SHOWN.strip() in written
    assert list(read_baseline(SHOWN.encode(), "page").entries) == ["d88669c6c485ea6f"]
