"""Two approvals of one request.

Innocent: the request was refused, changed or reopened in between, the approvals are of different versions, several approvers are asked by
design (different actors on one request are named as such, once), a resumed run that repeats the approval it was interrupted at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from seamwise.leads._facts import Facts, told
from seamwise.leads._lead import Hit
from seamwise.record import Step

_TOOL = re.compile(r"approve(?:_\w+)?|(?:\w+_)?approval|grant_\w*approval|authori[sz]e(?:_\w+)?|sign_?off(?:_\w+)?", re.IGNORECASE)
_SUBJECT = ("subject", "request", "request_id", "approval_id", "case_id", "ticket_id", "order_id", "id")
_YES = frozenset({"approved", "approve", "yes", "ok", "granted", "true", "accepted"})


def find(facts: Facts) -> Iterator[Hit]:
    """Approvals of a subject that stands approved already."""
    given: dict[Any, int] = {}
    for i, step in enumerate(facts.steps):
        said = _approval(facts, i, step)
        if said is None:
            continue
        subject, version, yes = said
        if not yes:
            given = {key: at for key, at in given.items() if key[0] != subject}
            continue
        key = (subject, version)
        first = given.setdefault(key, i)
        if first == i:
            continue
        earlier = facts.steps[first]
        if earlier.actor == step.actor and _content(earlier) == _content(step):
            continue  # a resumed run repeats what it was interrupted at
        yield Hit(
            f"request {subject}",
            f"{told(earlier, first)} and {told(step, i)} both approve `{subject}`, and nothing between them reopens it",
            ((first, "approves"), (i, "approves again")),
        )


def _approval(facts: Facts, at: int, step: Step) -> tuple[str, str, bool] | None:
    """Subject, version and whether it is a yes, where a step is an approval that took effect."""
    data = step.data or {}
    if step.kind == "approval":
        content: Any = data
    elif step.kind == "tool_call" and step.call is not None and _TOOL.fullmatch(step.tool or ""):
        call = facts.calls[step.call]
        if call.at != at or not any(facts.steps[i].status == "ok" for i in call.answers):
            return None
        content = data.get("arguments")
    else:
        return None
    if not isinstance(content, dict):
        return None
    subject = next((content[key] for key in _SUBJECT if isinstance(content.get(key), (str, int))), None)
    if subject is None:
        return None
    word = content.get("status", content.get("approved", content.get("decision", "approved")))
    return str(subject), str(content.get("version", "")), str(word).lower() in _YES


def _content(step: Step) -> bytes:
    return msgspec.json.encode([step.data, step.text], order="sorted")
