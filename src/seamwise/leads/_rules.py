"""Which rules there are, what they say of themselves, and which are switched on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from seamwise.errors import UsageError, did_you_mean
from seamwise.leads._facts import Facts
from seamwise.leads._lead import Hit
from seamwise.leads.rules import (
    approved_twice,
    credential_crossing,
    not_in_input,
    origin_twice,
    said_done,
    stale_version,
    unanswered_call,
)


class Rule(NamedTuple):
    """One rule of the generic pack."""

    name: str
    words: str
    """What it looks for, in one line."""
    find: Callable[[Facts], Iterator[Hit]]
    on: bool = True
    """Whether it runs unless it is named. A rule whose measured precision (``make precision``) is under 0.8 ships switched off."""


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("said-done", "an operation that failed or never finished is later reported done in structured state", said_done.find),
        Rule("not-in-input", "an addressed message is absent from its receiver's whole input", not_in_input.find),
        Rule("approved-twice", "one request is approved twice", approved_twice.find),
        Rule("stale-version", "an older version of a shared object is read, or an unread update is written over", stale_version.find),
        Rule("origin-twice", "one origin is counted twice in a decision", origin_twice.find),
        Rule("credential-crossing", "what looks like a credential goes to an agent without a tool for it", credential_crossing.find),
        Rule("unanswered-call", "a tool call has no result, or a result has no call", unanswered_call.find),
    )
}
"""The rules by name, weightiest first; leads are told in this order."""


def chosen(names: tuple[str, ...] = ()) -> list[Rule]:
    """The rules of those names; without names, those that are switched on.

    Raises:
        UsageError: There is no such rule.
    """
    for name in names:
        if name not in RULES:
            raise UsageError(f"unknown rule `{name}`", hint=did_you_mean(name, RULES) or f"rules: {', '.join(RULES)}")
    return [rule for rule in RULES.values() if (rule.name in names if names else rule.on)]
