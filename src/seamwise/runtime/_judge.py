"""Questions to a judge, and what of its answer counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from seamwise.models import Voice, VoiceFailedError


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """One question about an artifact, answered by a number from ``low`` to ``high``; from ``positive_at`` on it needs a quote."""

    name: str
    question: str
    low: float = 0
    high: float = 1
    positive_at: float = 1


class Score(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What counts of a judge's answer. ``value`` None: unassessed, and ``why`` says so; that is never zero."""

    artifact: str
    axis: str
    value: float | None = None
    quote: str = ""
    reason: str = ""
    why: str = ""
    removed: bool = False
    """The judge gave a score that needs a quote, and its quote does not stand in the artifact. That is no word for the opposite: the value
    is None, and a world that counts credits (F1) may count none."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All scores of one request, with what went wrong counted apart."""

    judge: str
    synthetic: bool
    scores: tuple[Score, ...]
    parse_errors: int = 0
    refusals: int = 0
    ungrounded: int = 0
    unavailable: str = ""
    """Why there was no judge at all; then nothing is assessed."""

    def of(self, artifact: str, axis: str) -> Score:
        """One score; unassessed where the judge was not asked for it."""
        for score in self.scores:
            if (score.artifact, score.axis) == (artifact, axis):
                return score
        return Score(artifact=artifact, axis=axis, why="not asked")


_ANSWER = (
    'Answer with one JSON object alone: {"scores": [{"artifact": ..., "axis": ..., "score": ..., "quote": ..., "reason": ...}]}, '
    "one entry for each artifact and axis. A quote is copied letter for letter from the artifact; without it the score is void."
)


async def ask_judge(
    voice: Voice | None, world: str, rubric: str, *, context: Mapping[str, Any], artifacts: Mapping[str, str], axes: Sequence[Axis]
) -> Judgement:
    """Ask the judge for every artifact and axis; never raises for what the judge does.

    Args:
        voice: The judge; None: there is none.
        world: Name of the world.
        rubric: What it is to look for.
        context: What it may know besides: built by the world from an allow-list, never labels, outcomes or canaries.
        artifacts: Name -> text. Only from these may it quote.
        axes: The questions.
    """
    from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser

    def none(why: str, **counts: Any) -> Judgement:
        scores = tuple(Score(artifact=a, axis=x.name, why=why) for a in artifacts for x in axes)
        return Judgement(judge=voice.name if voice else "", synthetic=voice.synthetic if voice else False, scores=scores, **counts)

    if voice is None:
        return none("no judge", unavailable="no judge was named")
    document = {"context": dict(context), "axes": [msgspec.to_builtins(x) for x in axes], "artifacts": dict(artifacts)}
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=f"{rubric.strip()}\n\n{_ANSWER}"),
        ChatMessageUser(content=json.dumps(document, ensure_ascii=False, indent=1)),
    ]
    try:
        said = await voice.say(world, "judge", messages)
    except VoiceFailedError as error:
        return none("the judge was not available", unavailable=error.cause)
    if said.stop == "content_filter" or not said.message.text.strip():
        return none("the judge refused", refusals=1)
    entries = _entries(said.message.text)
    if entries is None:
        return none("the judge's answer is no JSON of the asked form", parse_errors=1)
    given = {(str(e.get("artifact")), str(e.get("axis"))): e for e in entries}
    scores = tuple(_score(given.get((a, x.name)), a, text, x) for a, text in artifacts.items() for x in axes)
    return Judgement(judge=voice.name, synthetic=voice.synthetic, scores=scores, ungrounded=sum(s.removed for s in scores))


def is_quote(quote: str, text: str) -> bool:
    """Whether a quote stands in a text letter for letter; only runs of white space may differ."""
    wanted = " ".join(quote.split())
    return bool(wanted) and wanted in " ".join(text.split())


def _score(entry: Mapping[str, Any] | None, artifact: str, text: str, axis: Axis) -> Score:
    if entry is None:
        return Score(artifact=artifact, axis=axis.name, why="the judge gave no score")
    value = entry.get("score")
    if isinstance(value, bool) or not isinstance(value, int | float) or not axis.low <= value <= axis.high:
        return Score(artifact=artifact, axis=axis.name, why=f"the judge's score is none of {axis.low:g} to {axis.high:g}")
    quote, reason = str(entry.get("quote") or ""), str(entry.get("reason") or "")
    if value >= axis.positive_at and not is_quote(quote, text):
        return Score(artifact=artifact, axis=axis.name, reason=reason, removed=True, why="its quote is not in the artifact")
    return Score(artifact=artifact, axis=axis.name, value=float(value), quote=quote, reason=reason)


def _entries(text: str) -> list[Mapping[str, Any]] | None:
    """The entries of an answer, also inside a fence of code; None where it has not the asked form."""
    body = re.sub(r"\A\s*```(?:json)?\s*|\s*```\s*\Z", "", text)
    try:
        entries = json.loads(body)["scores"]
    except (ValueError, KeyError, TypeError):
        return None
    return entries if isinstance(entries, list) and all(isinstance(e, dict) for e in entries) else None
