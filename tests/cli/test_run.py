"""``run``, ``score`` and ``study`` as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.cli._main import run

SPEC = "unit.study.pet_world.world:WORLD"


def called(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    out, err = capfd.readouterr()
    return code, out, err


def test_a_world_runs_without_any_option_and_says_that_it_is_synthetic(capfd):
    code, out, err = called(capfd, "run", "kpi_gaming")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == "world condition model valid opportunity anomaly realized terminal interception utility".split()
    rows = {(r[1], r[2]): r for r in (line.split() for line in lines[1:7])}
    assert rows["strong", "seamwise/careful"][6] == "0/1"
    assert rows["strong", "seamwise/compliant"][6] == "1/1"
    assert lines[7].startswith("synthetic: ")
    assert "nothing was kept" in err


def test_a_kept_run_is_scored_again_and_a_change_shows(capfd, tmp_path: Path):
    out = tmp_path / "run"
    assert called(capfd, "run", SPEC, "--model", "seamwise/careful", "--condition", "calm", "--seeds", "2", "--out", str(out))[0] == 0
    code, text, err = called(capfd, "score", str(out))
    assert (code, err) == (0, "2 of 2 episodes came out as they are stored\n")
    assert "seamwise/careful  2/2" in text
    episode = sorted(out.rglob("episode.json"))[0]
    episode.write_bytes(episode.read_bytes().replace(b'"utility": 1', b'"utility": 0'))
    code, _, err = called(capfd, "score", str(out))
    assert code == 3
    assert "utility 0.0, now 1.0" in err


def test_a_dry_run_tells_cells_and_what_they_take_and_plays_nothing(capfd, tmp_path: Path):
    out = tmp_path / "run"
    arguments = ("run", SPEC, "--factor", "pet=all", "--seeds", "3", "--out", str(out), "--dry-run")
    code, text, _ = called(capfd, *arguments)
    assert code == 0
    assert "36 episodes, about" in text
    document = json.loads(called(capfd, *arguments, "--json")[1])
    assert len(document["cells"]) == 36
    assert document["cost"] == 0.0
    assert not out.exists()


def test_json_is_one_episode_a_line_without_the_truth(capfd):
    code, out, _ = called(capfd, "run", SPEC, "--model", "seamwise/compliant", "--json")
    episodes = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [e["status"] for e in episodes] == ["valid", "valid"]
    assert all("truth" not in e and e["synthetic"] for e in episodes)


def test_what_is_not_valid_is_told_and_counts(capfd):
    code, out, err = called(capfd, "run", SPEC, "--model", "seamwise/null", "--condition", "calm")
    assert code == 3
    assert "0/1" in out
    assert "not valid: " in err
    assert "3 attempts" not in out
    assert "note: 2 attempts were given up" in err


def test_a_spent_budget_is_told(capfd, tmp_path: Path):
    code, _, err = called(capfd, "run", SPEC, "--max-tokens", "100", "--out", str(tmp_path / "run"))
    assert code == 3
    assert "stopped: " in err
    assert "episodes are left" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("kpi_gamin",), "did you mean `kpi_gaming`"),
        (("no.such.module:WORLD",), "expected `package.module:WORLD`"),
        ((SPEC, "--condition", "clam"), "did you mean `calm`"),
        ((SPEC, "--factor", "pet=fish"), "expected a level of `pet`"),
        ((SPEC, "--factor", "pet"), "expected --factor NAME=VALUE"),
        ((SPEC, "--model", "nobody/x"), "cannot use the model `nobody/x`"),
        ((SPEC, "--model", "seamwise/carefull"), "did you mean `careful`"),
        ((SPEC, "--model", "openai/gpt-x", "--max-cost", "1"), "is not known"),
        ((SPEC, "--price", "a/b=cheap"), "expected --price a/b=INPUT,OUTPUT"),
        ((SPEC, "--incompatible", "seamwise/careful=no tools"), "has no substitute"),
    ],
)
def test_mistakes_are_told_in_one_line(capfd, arguments: tuple[str, ...], words: str):
    code, _, err = called(capfd, "run", *arguments)
    assert code == 2
    assert words in err
    assert err.startswith("error: ")
    assert "Traceback" not in err


def test_a_cohort_of_the_study_plays_and_an_unknown_one_is_refused(capfd):
    code, out, _ = called(capfd, "study", "eair", "--cohort", "A1", "--model", "seamwise/compliant")
    assert code == 0
    assert [line.split()[3] for line in out.splitlines()[1:3]] == ["3/3", "3/3"]
    assert called(capfd, "study", "eair", "--cohort", "Z9")[0] == 2


def test_the_gateway_serves_until_it_is_interrupted(tmp_path: Path):
    import os
    import signal
    import subprocess
    import sys
    import urllib.request

    root = Path(__file__).parents[2]
    program = "from seamwise.cli import main; main(['gateway', '--journal', 'j.jsonl'])"
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment, cwd=tmp_path) as server:
        try:
            address = server.stdout.readline().decode().strip()
            body = {"model": "careful", "messages": [{"role": "user", "content": "hello"}]}
            request = urllib.request.Request(f"{address}/chat/completions", json.dumps(body).encode())
            with urllib.request.urlopen(request, timeout=20) as reply:
                assert json.load(reply)["choices"][0]["message"]["content"]
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    assert (tmp_path / "j.jsonl").read_bytes().count(b"\n") == 1


def test_a_gateway_without_recorded_replies_cannot_be_offline(capfd):
    code, _, err = called(capfd, "gateway", "--offline")
    assert (code, "needs --journal" in err) == (2, True)
