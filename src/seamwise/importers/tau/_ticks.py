"""Conversations by ticks: in each, agent and user may both speak, call tools and be answered.

What happens in one tick follows what happened in earlier ones; which side was first inside a tick is not recorded. A message is complete,
and stands, at the last tick of the stretch in which its side spoke without a pause.
"""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.talk import Talk
from seamwise.importers.tau._messages import answer, call, moment
from seamwise.record import After

_SIDES = (("agent", "assistant"), ("user", "user"))


class _Stretch:
    """Ticks in a row in which one side speaks."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.words: list[str] = []


class Ticks:
    """Reads the ticks of one conversation."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._before: tuple[str, ...] = ()
        """The last steps of the last tick that had any, one of each side."""
        self._speaking: dict[str, _Stretch] = {}

    def read(self, ticks: list[Any]) -> None:
        """All of them."""
        for i, entry in enumerate(ticks):
            if not isinstance(entry, dict):
                self._talk.dropped("no tick", f"tick {i} is no object")
                continue
            self._talk.arrived(f"tick {i}")
            at = moment(self._talk, entry)
            last = [step for side, role in _SIDES if (step := self._side(entry, ticks, i, at, side, role)) is not None]
            self._before = tuple(last) or self._before

    def _side(self, entry: dict[str, Any], ticks: list[Any], i: int, at: int | None, side: str, role: str) -> str | None:
        """The steps of one side in a tick; returns the last of them."""
        talk, last = self._talk, self._before
        chunk, n = entry.get(f"{side}_chunk"), talk.n_steps

        def order() -> tuple[After, ...]:
            return tuple(After(step=step, basis="sequence") for step in last)

        within = chunk.get("tool_calls") if isinstance(chunk, dict) else None
        apart = entry.get(f"{side}_tool_calls")
        for k, one in enumerate(apart if isinstance(apart, list) and apart else within if isinstance(within, list) else ()):
            call(talk, one, f"{i}.{side}.{k}", role, at, order=order())
            last = (talk.last,) if talk.n_steps > n else last
        results = entry.get(f"{side}_tool_results")
        for k, one in enumerate(results if isinstance(results, list) else ()):
            if isinstance(one, dict):
                answer(talk, one, f"{i}.{side}.result.{k}", order=order())
                last = (talk.last,)
        words = _words(entry, side)
        if words is not None:
            stretch = self._speaking.setdefault(side, _Stretch(i))
            stretch.words.append(words)
            following = ticks[i + 1] if i + 1 < len(ticks) else None
            if not isinstance(following, dict) or _words(following, side) is None:
                del self._speaking[side]
                text = "".join(stretch.words)
                if not text:
                    talk.report.not_known("the words of speech")
                spoken = {"ticks": [stretch.start, i]}
                talk.say(text or None, actor=role, role=role, id=f"{i}.{side}", data=spoken, time_ns=at, order=order())
        return talk.last if talk.n_steps > n else None


def _words(entry: dict[str, Any], side: str) -> str | None:
    """What a side said in a tick: nothing where only a mark tells that it spoke; None where it was silent."""
    chunk = entry.get(f"{side}_chunk")
    if not isinstance(chunk, dict):
        return None
    content = chunk.get("content") if chunk.get("is_audio") is not True else None
    if not isinstance(content, str) and side == "user":
        content = entry.get("user_transcript")
    if isinstance(content, str) and content:
        return content
    return "" if chunk.get("contains_speech") is True else None
