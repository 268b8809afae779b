"""The benchmarks run from end to end on very little; what they measure is nobody's business here."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Pack
from seamwise.kinds import kind_names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    command = [sys.executable, "benchmarks/run.py", "--scale", "0.002", "--rounds", "1", "--json"]
    folder = tmp_path_factory.mktemp("bench")
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "src"))
    done = subprocess.run([*command, "--folder", str(folder)], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_every_row_has_a_figure(told: dict[str, Any]) -> None:
    assert {row["unit"] for row in told["rows"]} == {"x", "MB", "ms"}
    assert all(row["value"] > 0 for row in told["rows"])


def test_the_share_of_matching_steps_is_stated(told: dict[str, Any]) -> None:
    about = told["about"]
    assert about["traces"] == 40
    assert 0.1 < about["matching"] / about["steps"] < 0.2
    assert about["instances"] == sum(about["verdicts"].values()) > 0


def test_both_formats_tell_the_same(told: dict[str, Any]) -> None:
    jobs = told["rounds"][0]
    assert jobs["audit"]["verdicts"] == jobs["otlp audit"]["verdicts"] == jobs["audit --jobs 2"]["verdicts"]
    assert jobs["audit"]["traces"] == jobs["otlp audit"]["traces"]


def test_twenty_contracts_of_ten_kinds() -> None:
    kinds = [contract.kind.name for contract in Pack.load(ROOT / "benchmarks" / "org.yaml").contracts]
    assert len(kinds) == 20
    assert all(kinds.count(kind) == 2 for kind in kinds)
    assert set(kinds) <= set(kind_names())
    assert len(set(kinds)) == 10


def test_judging_is_timed_for_each_kind(told: dict[str, Any]) -> None:
    assert {cost["kind"] for cost in told["judging"]} <= set(kind_names())
    assert all(cost["proved_us"] > 0 and cost["cached_us"] > 0 for cost in told["judging"])


def test_importers_are_measured_on_files_of_their_formats() -> None:
    command = [sys.executable, "benchmarks/importing.py", "--scale", "0.002", "--rounds", "1", "--json"]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ, PYTHONPATH=str(ROOT / "src")), capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()
    rows = json.loads(done.stdout)
    assert len(rows) >= 10
    assert all(row["steps"] > 0 and row["import_s"] > 0 for row in rows)
