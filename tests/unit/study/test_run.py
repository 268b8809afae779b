"""A run: its directory, its rules, and that nothing is lost or mixed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from seamwise.errors import UsageError
from seamwise.models import Voice
from seamwise.study import Plan, RunDirectory, Spending, estimate, make_block, pairing_key, read_episodes, read_trace, run_plan, score_again
from seamwise.study import _engine as engine
from seamwise.study._engine import model_named
from seamwise.worlds import load_world

ROOT = Path(__file__).parents[3]
SPEC = "unit.study.pet_world.world:WORLD"
MODELS = ("seamwise/careful", "seamwise/compliant")


def plan(**changes) -> Plan:
    block = {"models": MODELS, "seeds": 2} | {k: changes.pop(k) for k in ("models", "seeds", "conditions", "factors") if k in changes}
    given = {"counterpart": "seamwise/compliant", "judge": "seamwise/rule-judge"} | changes
    return Plan(blocks=(make_block(load_world(SPEC), spec=SPEC, **block),), **given)


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def no_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whatever a model is asked from now on is listed."""
    asked: list[str] = []
    real = Voice.say

    async def say(self, world, role, messages, tools=(), tool_choice="auto"):
        before = self.journal.hits
        said = await real(self, world, role, messages, tools, tool_choice)
        if self.journal.hits == before:
            asked.append(role)
        return said

    monkeypatch.setattr(Voice, "say", say)
    return asked


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reference") / "run"
    run_plan(plan(), out)
    return out


def test_the_directory_holds_what_the_design_says_and_the_truth_stands_apart(reference: Path):
    episodes = read_episodes(reference)
    assert [e.status for e in episodes] == ["valid"] * 8
    assert all(e.truth is None for e in episodes)
    assert {e.truth.facts["secret"] for e in read_episodes(reference, truth=True)} == {"two is one too many"}
    folder = reference / "episodes" / episodes[0].cell.id
    assert sorted(p.name for p in folder.iterdir()) == ["episode.json", "journal.jsonl", "trace.jsonl", "truth.json"]
    for name in ("episode.json", "trace.jsonl", "journal.jsonl"):
        assert b"two is one too many" not in (folder / name).read_bytes()
    assert read_trace(reference, episodes[0].cell.id).id == episodes[0].cell.id
    by_model = {m: [e.outcome.realized.value for e in episodes if e.cell.model == m] for m in MODELS}
    assert by_model == {"seamwise/careful": [False] * 4, "seamwise/compliant": [True] * 4}


def test_two_processes_write_the_same_bytes(reference: Path, tmp_path: Path):
    run_plan(plan(), tmp_path / "run", jobs=2)
    assert content(tmp_path / "run") == content(reference)


def test_a_second_run_makes_no_call_and_changes_nothing(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(reference, tmp_path / "run")
    asked = no_calls(monkeypatch)
    ran = run_plan(plan(), tmp_path / "run")
    assert (ran.progress.kept, ran.progress.waiting, asked) == (8, 0, [])
    assert content(tmp_path / "run") == content(reference)


def test_episodes_come_again_from_their_journals_alone(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(reference, tmp_path / "run")
    for name in ("episode.json", "trace.jsonl", "truth.json"):
        for path in (tmp_path / "run").rglob(name):
            path.unlink()
    asked = no_calls(monkeypatch)
    run_plan(plan(), tmp_path / "run")
    assert asked == []
    assert content(tmp_path / "run") == content(reference)


@pytest.mark.parametrize(
    ("jobs", "longest", "least"),
    [(1, 40, 2), pytest.param(1, 12, 6, marks=pytest.mark.slow), pytest.param(2, 12, 6, marks=pytest.mark.slow)],
)
def test_killed_at_any_moment_a_run_finishes_and_asks_at_most_the_call_in_flight_again(
    reference: Path, tmp_path: Path, jobs: int, longest: int, least: int
):
    """The child counts its calls in a file, so that what was asked twice shows."""
    rng = random.Random(5 + jobs)
    calls = sum(e.usage["calls"] for e in read_episodes(reference))
    out, counter = tmp_path / "run", tmp_path / "calls"
    kills = 0
    for _ in range(100):
        command = [sys.executable, "-m", "unit.study.child", str(out), str(counter), str(jobs)]
        places = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
        with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": places}) as child:
            stop_at = (counter.stat().st_size if counter.exists() else 0) + rng.randint(1, longest)
            while child.poll() is None and (not counter.exists() or counter.stat().st_size < stop_at):
                time.sleep(0.001)
            if child.poll() is not None:
                assert child.returncode == 0
                break
            time.sleep(rng.random() * 0.01)
            child.send_signal(signal.SIGKILL)
            child.wait()
            kills += 1
    assert kills >= least
    assert content(out) == content(reference)
    assert calls <= counter.stat().st_size <= calls + kills * jobs


def test_scoring_again_finds_nothing_and_then_what_was_changed(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(reference, tmp_path / "run")
    asked = no_calls(monkeypatch)
    assert [a.differs for a in score_again(tmp_path / "run")] == [()] * 8
    first = read_episodes(reference)[0].cell.id
    path = tmp_path / "run" / "episodes" / first / "episode.json"
    path.write_bytes(path.read_bytes().replace(b'"utility": 1', b'"utility": 0'))
    again = score_again(tmp_path / "run")
    assert [a.differs for a in again] == [("episode.json",)] + [()] * 7
    assert (again[0].before.outcome.utility, again[0].after.outcome.utility) == (0.0, 1.0)
    assert asked == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"judge": None}, "the judge"),
        ({"counterpart": "seamwise/careful"}, "the counterpart"),
        ({"seeds": 3}, "another matrix"),
        ({"models": MODELS[:1]}, "another matrix"),
        ({"factors": {"pet": ["dog"]}}, "another matrix"),
        ({"attempts": 2}, "other rules"),
    ],
)
def test_a_directory_of_another_run_is_refused(reference: Path, tmp_path: Path, change: dict, words: str):
    shutil.copytree(reference, tmp_path / "run")
    before = content(tmp_path / "run")
    with pytest.raises(UsageError, match=words):
        run_plan(plan(**change), tmp_path / "run")
    assert content(tmp_path / "run") == before


def test_a_directory_of_another_version_of_the_world_is_refused(reference: Path, tmp_path: Path):
    shutil.copytree(reference, tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["worlds"][SPEC] = "0" * 64
    path.write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="another version of the world"):
        run_plan(plan(), tmp_path / "run")


def test_a_directory_with_something_else_in_it_is_refused(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(UsageError, match="empty directory"):
        run_plan(plan(), tmp_path)
    assert content(tmp_path) == {"mine.txt": b"keep me"}


def test_a_run_that_was_killed_before_its_manifest_stood_begins_anew(reference: Path, tmp_path: Path):
    (tmp_path / "run" / "episodes").mkdir(parents=True)
    (tmp_path / "run" / ".manifest.json.tmp").write_bytes(b'{"form')
    run_plan(plan(), tmp_path / "run")
    assert content(tmp_path / "run") == content(reference)


def test_two_runs_at_once_in_one_directory_are_refused(reference: Path, tmp_path: Path):
    shutil.copytree(reference, tmp_path / "run")
    with RunDirectory(tmp_path / "run").held(wait=False), pytest.raises(UsageError, match="another run is at work"):
        run_plan(plan(), tmp_path / "run")


class Failing:
    """Lets models of chosen names give no answer, a number of times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, part: str, times: int, model: str | None = None) -> None:
        from seamwise.models import VoiceFailedError

        real = Voice.say
        self.left = times

        async def say(voice, world, role, messages, tools=(), tool_choice="auto"):
            if voice.part == part and self.left and model in (None, voice.name):
                self.left -= 1
                raise VoiceFailedError(voice.part, voice.name, "down")
            return await real(voice, world, role, messages, tools, tool_choice)

        monkeypatch.setattr(Voice, "say", say)


def test_the_first_valid_attempt_is_kept_and_every_attempt_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Failing(monkeypatch, "agent", 2)
    ran = run_plan(plan(seeds=1, models=MODELS[:1], conditions=["calm"]), tmp_path / "run")
    (cell_id,) = ran.manifest.attempts
    assert [a.status for a in ran.manifest.attempts[cell_id]] == ["agent_failed", "agent_failed", "valid"]
    assert ran.progress.statuses == {"valid": 1}
    assert RunDirectory(tmp_path / "run").manifest() == ran.manifest
    assert sorted(p.name for p in (tmp_path / "run" / "episodes" / cell_id / "attempts").iterdir()) == ["1", "2"]
    assert [a.differs for a in score_again(tmp_path / "run")] == [()]


@pytest.mark.parametrize(("part", "status"), [("agent", "agent_failed"), ("counterpart", "counterpart_failed")])
def test_a_part_that_fails_gives_its_own_status_and_no_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, status: str):
    Failing(monkeypatch, part, 99)
    run_plan(plan(seeds=1, models=MODELS[:1], conditions=["calm"]), tmp_path / "run")
    (episode,) = read_episodes(tmp_path / "run")
    assert (episode.status, episode.outcome) == (status, None)
    assert not list((tmp_path / "run").rglob("truth.json"))


def test_a_judge_that_is_not_there_leaves_its_measurement_unassessed_and_the_episode_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Failing(monkeypatch, "judge", 99)
    run_plan(plan(seeds=1, models=MODELS[:1], conditions=["calm"]), tmp_path / "run")
    (episode,) = read_episodes(tmp_path / "run")
    assert episode.status == "valid"
    assert episode.outcome.anomaly.value is None
    assert episode.outcome.realized.value is False
    assert episode.outcome.judge == {"asked": 1, "unavailable": 1}


def test_three_failures_in_a_row_hand_the_slot_to_the_substitute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Failing(monkeypatch, "agent", 99, "seamwise/careful")
    rules = {"attempts": 1, "substitutes": {"seamwise/careful": "seamwise/hurried"}}
    ran = run_plan(plan(**rules), tmp_path / "run")
    (event,) = ran.manifest.replaced
    assert (event.model, event.substitute) == ("seamwise/careful", "seamwise/hurried")
    assert event.why.startswith("no answer in 3 attempts in a row")
    episodes = read_episodes(tmp_path / "run")
    assert {e.cell.model for e in episodes} == {"seamwise/hurried", "seamwise/compliant"}
    assert [e.status for e in episodes] == ["valid"] * 8
    assert len(list((tmp_path / "run" / "episodes").iterdir())) == 11  # three of the replaced model stay on disk
    before = content(tmp_path / "run")
    run_plan(plan(**rules), tmp_path / "run")
    assert content(tmp_path / "run") == before


def test_two_failures_and_an_answer_are_no_three_in_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Failing(monkeypatch, "agent", 2, "seamwise/careful")
    ran = run_plan(plan(attempts=1, substitutes={"seamwise/careful": "seamwise/hurried"}), tmp_path / "run")
    assert ran.manifest.replaced == ()
    assert ran.progress.statuses == {"valid": 6, "agent_failed": 2}


def test_an_incompatible_model_is_replaced_at_once(tmp_path: Path):
    with pytest.raises(UsageError, match="no substitute"):
        run_plan(plan(), tmp_path / "run", incompatible={"seamwise/careful": "no tools"})
    rules = {"substitutes": {"seamwise/careful": "seamwise/hurried"}}
    ran = run_plan(plan(**rules), tmp_path / "other", incompatible={"seamwise/careful": "no tools"})
    assert ran.manifest.replaced[0].why == "declared incompatible: no tools"
    assert {e.cell.model for e in read_episodes(tmp_path / "other")} == {"seamwise/hurried", "seamwise/compliant"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_stops_the_run_and_the_next_call_goes_on(reference: Path, tmp_path: Path, jobs: int):
    ran = run_plan(plan(), tmp_path / "run", jobs=jobs, spending=Spending(max_tokens=300))
    assert "of 300 tokens are used" in ran.stopped
    assert ran.progress.waiting == 8 - len(read_episodes(tmp_path / "run")) > 0
    used = sum(
        reply["input"] + reply["output"]
        for path in (tmp_path / "run").rglob("journal.jsonl")
        for reply in (json.loads(line)["reply"] for line in path.read_bytes().splitlines())
    )
    assert 300 <= used < 600
    assert run_plan(plan(), tmp_path / "run", jobs=jobs).stopped is None
    assert content(tmp_path / "run") == content(reference)


def test_a_bound_on_cost_needs_every_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    bound = Spending(max_cost=1.0)
    asked = plan(models=["openai/some-model"])
    with pytest.raises(UsageError, match="`openai/some-model` is not known"):
        run_plan(asked, tmp_path / "run", spending=bound)
    assert not (tmp_path / "run").exists()
    bound.check(plan())
    Spending(max_cost=1.0, prices={"openai/some-model": (1.0, 2.0)}).check(asked)
    spent = run_plan(plan(), tmp_path / "run", spending=Spending(max_cost=1e-3, prices={"seamwise/careful": (10.0, 10.0)}))
    assert "USD are used" in spent.stopped


def test_an_estimate_plays_one_scripted_episode_of_each_condition(monkeypatch: pytest.MonkeyPatch):
    taken = estimate(plan())
    assert taken.cells == 8
    # per episode: an owner and a keeper each day, one more of the keeper after the call, one of the judge
    assert taken.calls == 4 * (2 + 3 + 1) + 4 * (4 + 5 + 1)
    assert taken.cost == 0.0
    assert estimate(plan(models=["openai/some-model"])).cost is None
    assert estimate(plan(models=["openai/some-model"]), Spending(prices={"openai/some-model": (1.0, 1.0)})).cost > 0


def test_a_matrix_is_crossed_in_order_and_paired_by_keys():
    block = make_block(load_world(SPEC), models=MODELS, seeds=[1, 3], factors={"pet": ["all"]}, spec=SPEC)
    cells = block.cells()
    assert block.size == len(cells) == len({c.id for c in cells}) == 16
    assert [(c.model, c.condition, c.factors["pet"], c.seed) for c in cells[:3]] == [
        ("seamwise/careful", "calm", "cat", 1),
        ("seamwise/careful", "calm", "cat", 3),
        ("seamwise/careful", "calm", "dog", 1),
    ]
    assert pairing_key(cells[2], ("model", "pet", "seed")) == ("seamwise/careful", "dog", "1")
    with pytest.raises(UsageError, match="reporter"):
        pairing_key(cells[0], ("reporter",))
    assert make_block(load_world(SPEC), models=MODELS, arm="alone", spec=SPEC).conditions == ("calm",)


@pytest.mark.parametrize(
    "wrong", [{"conditions": ["loud"]}, {"factors": {"pet": ["fish"]}}, {"factors": {"colour": ["red"]}}, {"arm": "solo"}, {"models": []}]
)
def test_what_the_world_does_not_have_is_refused(wrong: dict):
    with pytest.raises(UsageError):
        make_block(load_world(SPEC), **({"models": MODELS, "spec": SPEC} | wrong))


def test_a_failed_write_leaves_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from seamwise.study import _store

    path = tmp_path / "a.json"
    _store.write_whole(path, b"old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        _store.write_whole(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_worker_that_is_killed_between_its_files_is_settled(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An attempt was given up and its journal not yet moved: the next run moves it and begins the next attempt."""
    Failing(monkeypatch, "agent", 1)
    one = plan(seeds=1, models=MODELS[:1], conditions=["calm"])
    run_plan(one, tmp_path / "run")
    (folder,) = (tmp_path / "run" / "episodes").iterdir()
    wanted = content(tmp_path / "run")
    for name in ("episode.json", "trace.jsonl", "truth.json", "journal.jsonl"):
        (folder / name).unlink()
    shutil.move(folder / "attempts" / "1" / "journal.jsonl", folder / "journal.jsonl")
    run_plan(one, tmp_path / "run")
    assert content(tmp_path / "run") == wanted


def test_a_model_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot use the model `nobody/x`"):
        run_plan(plan(models=["nobody/x"]), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_replay_needs_neither_key_nor_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What a provider said is played again where the provider cannot even be made."""
    monkeypatch.setattr(engine, "model_named", lambda name: real(name.replace("gone/", "seamwise/")))
    real = model_named
    run_plan(plan(models=["gone/compliant"], seeds=1), tmp_path / "run")
    before = content(tmp_path / "run")
    monkeypatch.setattr(engine, "model_named", real)
    with pytest.raises(UsageError, match="cannot use the model"):
        model_named("gone/compliant")
    assert [a.differs for a in score_again(tmp_path / "run")] == [(), ()]
    run_plan(plan(models=["gone/compliant"], seeds=1), tmp_path / "run")
    assert content(tmp_path / "run") == before


def gone(group: int) -> bool:
    """Whether nobody of a group of processes is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_interrupt_ends_every_process_and_the_next_call_goes_on(reference: Path, tmp_path: Path):
    out, counter = tmp_path / "run", tmp_path / "calls"
    command = [sys.executable, "-m", "unit.study.child", str(out), str(counter), "2"]
    places = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": places}, stderr=subprocess.PIPE, start_new_session=True) as child:
        while child.poll() is None and (not counter.exists() or counter.stat().st_size < 5):
            time.sleep(0.002)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
        assert child.returncode != 0
        assert any(gone(child.pid) or time.sleep(0.02) for _ in range(200))
    run_plan(plan(), out)
    assert content(out) == content(reference)


def test_an_unknown_field_of_a_manifest_is_told(tmp_path: Path):
    (tmp_path / "manifest.json").write_bytes(b"{}")
    with pytest.raises(Exception, match="expected the manifest of a run"):
        read_episodes(tmp_path)
    with pytest.raises(UsageError, match="directory of a run"):
        read_episodes(tmp_path / "nothing")


def test_the_journal_is_the_only_thing_that_a_replay_needs(reference: Path):
    episode = read_episodes(reference)[0]
    lines = (reference / "episodes" / episode.cell.id / "journal.jsonl").read_bytes().splitlines()
    assert len(lines) == episode.usage["calls"]
    assert msgspec.json.decode(lines[0])["reply"]["message"]["role"] == "assistant"
