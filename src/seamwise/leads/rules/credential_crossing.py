"""A value of the shape of a credential goes to an agent that has no tool for it.

Innocent, and known as such: identifiers that merely look like credentials (hashes, UUIDs, ids of the run itself), examples and placeholders
(``sk-xxxxxxxx``, ``AKIA...EXAMPLE``), a receiver that used the value in a call of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.leads._facts import Facts, scalars, told
from seamwise.leads._lead import Hit
from seamwise.record import secrets_in

_PLACEHOLDER = re.compile(
    r"example|placeholder|your[_-]|dummy|fake|sample|test|redacted|xxxx|\*\*\*|\.\.\.|<[^>]*>|1234|abcd", re.IGNORECASE
)
_CROSSING = frozenset({"message", "handoff", "delivery"})


def find(facts: Facts) -> Iterator[Hit]:
    """Messages and handoffs that carry a credential to another agent."""
    used: set[tuple[str, str | None]] | None = None
    for i, step in enumerate(facts.steps):
        if step.kind not in _CROSSING or not step.recipients:
            continue
        texts = [step.text] if step.text else []
        texts += scalars({k: v for k, v in (step.data or {}).items() if k != "messages"}, 1000) if step.data else ()
        for text in texts:
            for kind, secret in secrets_in(text):
                if not is_real(secret):
                    continue
                if used is None:
                    used = set(_used(facts))
                to = [r for r in step.recipients if r != step.actor and (secret, r) not in used]
                if to:
                    yield Hit(
                        f"{step.actor or '?'} -> {to[0]}",
                        f"{told(step, i)} carries what looks like a {kind} to {', '.join(to)}, who used it in no call",
                        ((i, f"carries a {kind}"),),
                    )
                    break
            else:
                continue
            break


def _used(facts: Facts) -> Iterator[tuple[str, str | None]]:
    """Secrets in the arguments of calls, with the caller: whoever uses one has a tool for it."""
    for call in facts.calls.values():
        for text in scalars(call.arguments, 1000):
            for _, secret in secrets_in(text):
                yield secret, call.actor


def is_real(secret: str) -> bool:
    """Whether it does not look like an example or a placeholder: those repeat a sign or say so."""
    body = secret.split("-", 1)[-1]
    return not _PLACEHOLDER.search(secret) and len(set(body)) > min(8, len(body) // 2)
