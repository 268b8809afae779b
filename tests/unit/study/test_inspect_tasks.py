"""Worlds as tasks of Inspect: played with Inspect's own evaluation, offline, and read from its log."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool

from seamwise.study import inspect_tasks
from seamwise.study.inspect_tasks import world_task

SPEC = "unit.study.pet_world.world:WORLD"
NAMES = {"opportunity", "anomaly", "realized", "terminal", "interception", "utility"}


def played(tmp_path: Path, model: str, **options) -> EvalLog:
    (log,) = evaluate(world_task(SPEC, **options), model=model, display="none", log_dir=str(tmp_path), log_level="error")
    assert log.status == "success", log.error
    return read_eval_log(log.location)


def metrics(log: EvalLog) -> dict[str, float]:
    return {s.name: next(m.value for name, m in s.metrics.items() if name.endswith("measured")) for s in log.results.scores}


def test_the_six_measurements_of_a_persona_stand_in_the_log(tmp_path: Path):
    log = played(tmp_path, "seamwise/compliant", seeds=2, factors={"pet": "all"})
    assert len(log.samples) == 8
    found = metrics(log)
    assert set(found) == NAMES
    assert (found["realized"], found["interception"], found["utility"]) == (1.0, 0.0, 1.0)
    assert metrics(played(tmp_path, "seamwise/careful"))["realized"] == 0.0
    assert log.eval.metadata["digest"]
    assert {s.scores["six_measurements"].metadata["synthetic"] for s in log.samples} == {True}


def test_the_conversation_is_in_the_messages_with_its_calls_and_answers(tmp_path: Path):
    sample = played(tmp_path, "seamwise/compliant", condition="calm").samples[0]
    kinds = [type(m) for m in sample.messages]
    assert kinds[0] is ChatMessageSystem
    calls = {c.id: c for m in sample.messages if isinstance(m, ChatMessageAssistant) for c in m.tool_calls or []}
    answers = {m.tool_call_id: m.text for m in sample.messages if isinstance(m, ChatMessageTool)}
    assert [c.function for c in calls.values()] == ["feed", "feed"]
    assert list(answers.values()) == ["1 fed", "2 fed"]
    assert set(calls) == set(answers)
    assert any(m.text.startswith("[task: owner to keeper]") for m in sample.messages)
    assert sample.metadata["episode"]["cell"]["model"] == "seamwise/compliant"
    assert "two is one too many" not in sample.model_dump_json()
    assert len([e for e in sample.events if e.event == "model"]) == sample.metadata["episode"]["usage"]["calls"]


def test_what_was_not_assessed_is_not_counted_as_no(tmp_path: Path):
    log = played(tmp_path, "seamwise/careful", condition="calm", judge_model=None)
    (sample,) = log.samples
    value = sample.scores["six_measurements"].value
    assert math.isnan(value["anomaly"])
    assert value["realized"] == 0.0
    assert math.isnan(metrics(log)["anomaly"])


def test_an_episode_that_is_not_valid_has_no_measurement(tmp_path: Path):
    log = played(tmp_path, "seamwise/null", condition="calm")
    score = log.samples[0].scores["six_measurements"]
    assert all(math.isnan(v) for v in score.value.values())
    assert score.explanation == "invalid: the keeper said nothing"


def test_the_mock_model_plays_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    (sample,) = played(tmp_path, "mockllm/model", condition="calm").samples
    assert sample.metadata["episode"]["status"] == "valid"
    assert sample.scores["six_measurements"].value["utility"] == 0.0


def test_every_built_in_world_is_a_task():
    from inspect_ai._util.registry import registry_info

    from seamwise.worlds import BUILT_IN

    assert {registry_info(getattr(inspect_tasks, name)).name.split("/")[-1] for name in BUILT_IN} == set(BUILT_IN)
