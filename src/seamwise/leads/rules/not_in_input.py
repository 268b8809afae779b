"""A message that names its receiver is absent from the receiver's whole input.

Only inputs that the recording itself calls whole are looked at. Innocent: a history that was trimmed or summarised (older messages to the
same receiver are gone too), a receiver that never ran again, a message that the input holds in another form (its words are compared
without white space and marks).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.leads._facts import Facts, scalars, told
from seamwise.leads._lead import Hit

_SIGNS = re.compile(r"[\W_]+")
_LEAST = 24
"""Shorter messages, without white space and marks, are too common to be told apart."""


def find(facts: Facts) -> Iterator[Hit]:
    """Addressed messages that no later whole input of their receiver holds."""
    inputs: dict[str, list[int]] = {}
    for i, step in enumerate(facts.steps):
        if step.kind == "input" and (step.data or {}).get("whole") is True and step.actor is not None:
            inputs.setdefault(step.actor, []).append(i)
    if not inputs:
        return
    words: dict[int, str] = {}

    def held(at: int) -> str:
        if at not in words:
            words[at] = _plain(" ".join(scalars(facts.steps[at].data, 200_000)))
        return words[at]

    addressed: dict[str, list[tuple[int, bool]]] = {}
    for i, step in enumerate(facts.steps):
        text = _plain(step.text or "")
        if step.kind not in ("message", "handoff") or len(text) < _LEAST:
            continue
        for receiver in step.recipients or ():
            later = [at for at in inputs.get(receiver, ()) if at > i]
            if later:
                addressed.setdefault(receiver, []).append((i, any(text in held(at) for at in later)))
    for receiver, found in addressed.items():
        for n, (i, arrived) in enumerate(found):
            if arrived:
                continue
            if n and not any(there for _, there in found[:n]):
                continue  # everything before is gone too: the history was trimmed or summarised
            at = next(k for k in inputs[receiver] if k > i)
            sender = facts.steps[i].actor or "?"
            yield Hit(
                f"{sender} -> {receiver}",
                f"{told(facts.steps[i], i)} is addressed to {receiver}, and no whole input of {receiver} after it holds it",
                ((i, "the message"), (at, f"the next whole input of {receiver}")),
            )


def _plain(text: str) -> str:
    return _SIGNS.sub("", text.lower())
