"""What was said is kept before it is used, found again in its order, and a torn line is no reply."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, Model, get_model
from tenacity import Future, RetryError

import seamwise.models.registry  # noqa: F401
from seamwise.models import Budget, BudgetSpentError, Journal, Voice, VoiceFailedError
from unit.models.scripts import answering, fails, saying


def voice(model: Model, *, path: Path | None = None, offline: bool = False, **more: Any) -> Voice:
    return Voice(model, "agent", journal=Journal(path, offline=offline), **more)


def ask(v: Voice, text: str = "hello") -> str:
    messages = [ChatMessageSystem(content="You are a test."), ChatMessageUser(content=text)]
    return asyncio.run(v.say("none", "tester", messages)).message.text


def test_the_same_request_twice_gives_both_replies_again_in_order(tmp_path: Path):
    first = voice(saying("one", "two"), path=tmp_path / "j")
    assert [ask(first), ask(first)] == ["one", "two"]
    again = voice(saying(), path=tmp_path / "j", offline=True)
    assert [ask(again), ask(again)] == ["one", "two"]
    with pytest.raises(VoiceFailedError, match="hold no answer"):
        ask(again)


def test_a_torn_last_line_is_dropped_and_asked_again(tmp_path: Path):
    path = tmp_path / "j"
    ask(voice(saying("one"), path=path))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    resumed = voice(saying("two"), path=path)
    assert path.read_bytes() == whole
    assert [ask(resumed), ask(resumed)] == ["one", "two"]


def test_a_provider_that_fails_is_named_with_its_part():
    with pytest.raises(VoiceFailedError, match="agent mockllm/model: ConnectionError: the wire is cut") as caught:
        ask(voice(answering(fails), retries=0))
    assert caught.value.part == "agent"


def test_a_budget_refuses_the_next_call_and_counts_no_replayed_one(tmp_path: Path):
    v = voice(saying("one"), path=tmp_path / "j", budget=Budget(max_tokens=0))
    with pytest.raises(BudgetSpentError):
        ask(v)
    ask(voice(saying("one"), path=tmp_path / "j"))
    replayed = voice(saying(), path=tmp_path / "j", budget=Budget(max_tokens=0))
    assert ask(replayed) == "one"


def test_who_is_played_reaches_personas_and_no_prompt():
    from seamwise.models import register_playbook, say

    register_playbook("stage-1", lambda scene: say(f"{scene.world}/{scene.role}/{scene.persona.name}: {scene.system}"))
    v = Voice(get_model("seamwise/careful"), "agent")
    messages = [ChatMessageSystem(content="Prompt."), ChatMessageUser(content="hi")]
    assert asyncio.run(v.say("stage-1", "clerk", messages)).message.text == "stage-1/clerk/careful: Prompt."
    assert messages[0].metadata is None


def test_after_several_tries_the_last_cause_is_told_and_no_address() -> None:
    def given_up(*_: Any, **__: Any) -> Any:
        attempt: Future[Any] = Future(attempt_number=3)
        attempt.set_exception(ConnectionError("the wire is cut"))
        raise RetryError(attempt)

    with pytest.raises(VoiceFailedError) as caught:
        ask(voice(answering(given_up), retries=0))
    assert caught.value.cause == "ConnectionError: the wire is cut"
