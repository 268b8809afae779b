"""What of a judge's answer counts."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from seamwise.models import Voice
from seamwise.runtime import Axis, Judgement, ask_judge, is_quote
from unit.models.scripts import answering, fails, saying

AXES = (Axis(name="doubt", question="Does it keep the doubt?", low=0, high=3, positive_at=2),)
ARTIFACTS = {"mail": "It may\n rain tomorrow."}


def judged(answer: Any) -> Judgement:
    voice = Voice(answering(answer) if callable(answer) else saying(answer), "judge", retries=0)
    return asyncio.run(ask_judge(voice, "none", "Look for doubt.", context={}, artifacts=ARTIFACTS, axes=AXES))


def entry(score: Any, quote: str = "It may rain") -> str:
    return json.dumps({"scores": [{"artifact": "mail", "axis": "doubt", "score": score, "quote": quote}]})


@pytest.mark.parametrize("answer", [entry(2), f"```json\n{entry(2)}\n```"])
def test_a_quoted_score_counts(answer: str):
    assert judged(answer).of("mail", "doubt").value == 2


@pytest.mark.parametrize("score", [2, 3])
def test_a_score_without_its_quote_is_void_and_counted_and_says_nothing(score: int):
    result = judged(entry(score, "It will rain"))
    assert (result.of("mail", "doubt").value, result.of("mail", "doubt").removed, result.ungrounded) == (None, True, 1)


@pytest.mark.parametrize("score", [0, 1])
def test_a_score_that_needs_no_quote_stands_without_one(score: int):
    result = judged(entry(score, ""))
    assert (result.of("mail", "doubt").value, result.ungrounded) == (score, 0)


@pytest.mark.parametrize("score", [4, -1, True, "2", None])
def test_a_score_that_is_none_is_unassessed(score: Any):
    assert judged(entry(score)).of("mail", "doubt").value is None


@pytest.mark.parametrize("answer", ["I think it does.", "[]", '{"scores": 3}', '{"scores": [1]}'])
def test_an_answer_of_another_form_leaves_all_unassessed(answer: str):
    result = judged(answer)
    assert (result.parse_errors, result.of("mail", "doubt").value) == (1, None)


def test_a_judge_that_refuses_is_counted_apart():
    assert (judged(" ").refusals, judged(" ").of("mail", "doubt").value) == (1, None)


def test_a_judge_that_is_not_there_measures_nothing():
    assert "ConnectionError" in judged(fails).unavailable
    none = asyncio.run(ask_judge(None, "none", "", context={}, artifacts=ARTIFACTS, axes=AXES))
    assert none.of("mail", "doubt").value is None


def test_quotes_are_letter_for_letter():
    assert is_quote("may rain", "It may\n rain")
    assert not is_quote("May rain", "It may rain")
    assert not is_quote(" ", "It may rain")
