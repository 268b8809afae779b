"""An operation that failed or never finished is later reported done, in structured state.

Words are not read: what a sentence claims is for a judge to say. Structured state is an object with ``status: done`` (or the like) that
names what the operation was about, or its call. Innocent: the operation was made again and went well; something else did it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.leads._facts import Call, Facts, entries, scalars, told
from seamwise.leads._lead import Hit

_DONE = frozenset("done completed complete success successful succeeded ok finished paid sent delivered resolved closed issued".split())
_STATE = re.compile(r"(?:.*[_-])?(?:status|state|outcome|result|phase)", re.IGNORECASE)
_REPORTS = frozenset({"state", "agent_end", "handoff", "message", "decision", "approval", "sign_off", "tool_call"})
_REAL_ID = re.compile(r"(?=.*\d)[\w.:/#-]{4,64}")
"""A value that can tell one thing from another: with a digit, and not just a small number."""
_PLAIN_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d+)?|(?:19|20)\d\d-\d\d(?:-\d\d.*)?")


def find(facts: Facts) -> Iterator[Hit]:
    """Failed or open operations that a later object calls done."""
    bad = [(call, at) for call in facts.calls.values() if (at := _failed_at(facts, call)) is not None]
    if not bad:
        return
    reports = list(_reports(facts))
    for call, at in bad:
        about = _about(call)
        for later, said, names in reports:
            if later <= at or facts.steps[later].call == call.name:
                continue
            shared = call.name in names or not about.isdisjoint(names)
            if not shared or _made_good(facts, call, later, about):
                continue
            how = "failed" if facts.steps[at].kind == "tool_result" else "has no result"
            yield Hit(
                f"tool {call.tool}",
                f"{told(facts.steps[later], later)} reports `{said}`, but {told(facts.steps[call.at], call.at)} {how}",
                ((call.at, "the operation"), (at, f"it {how}"), (later, f"reports `{said}`")),
            )
            break


def _failed_at(facts: Facts, call: Call) -> int | None:
    """Where a call is seen to have failed, or to be open although answers of its tool are recorded; None: it may have gone well."""
    if call.at < 0 or call.is_handoff or call.waits or facts.retried(call) is not None:
        return None
    if not call.answers:
        return call.at if any(c.answers and c.tool == call.tool for c in facts.calls.values()) else None
    statuses = {facts.steps[i].status for i in call.answers}
    return call.answers[-1] if statuses == {"failed"} else None


def _about(call: Call) -> set[str]:
    """Names of things in the arguments of a call, as far as they can be told from mere numbers."""
    return {text for text in scalars(call.arguments, 200) if _REAL_ID.fullmatch(text) and not _PLAIN_NUMBER.fullmatch(text)}


def _reports(facts: Facts) -> Iterator[tuple[int, str, set[str]]]:
    """Objects that call something done: position, what they say, and every name in them."""
    for i, step in enumerate(facts.steps):
        if step.kind not in _REPORTS or not step.data:
            continue
        data: Any = step.data.get("arguments") if step.kind == "tool_call" else step.data
        for key, value, holder in entries(data, 1000):
            if isinstance(value, str) and value.lower() in _DONE and _STATE.fullmatch(key):
                yield i, f"{key}: {value}", set(scalars(holder, 200))


def _made_good(facts: Facts, call: Call, later: int, about: set[str]) -> bool:
    """Whether another operation on the same thing went well before the report."""
    for other in facts.calls.values():
        if other is call or not call.at < other.at < later or other.tool != call.tool:
            continue
        if any(facts.steps[i].status == "ok" for i in other.answers) and (not about or not about.isdisjoint(scalars(other.arguments, 200))):
            return True
    return False
