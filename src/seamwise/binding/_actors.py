"""Who is meant by a recorded actor: ``actors: [{actor: svc-bot, channel: billing, is: billing_agent}, ...]``.

Several agents may share one account, and one agent may be recorded under several names. The first rule that fits says who it is; where
none fits, the recorded name stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import UNPARSED, compile_field
from seamwise.binding._path import MISSING, Getter
from seamwise.binding._when import When, compile_when
from seamwise.record import Step

ACTOR_KEYS = ("actor", "channel", "kind", "tool", "when", "is", "path")
_SELECTORS = ("actor", "channel", "kind", "tool")


class _ActorRule(NamedTuple):
    wanted: tuple[tuple[str, tuple[str, ...]], ...]
    when: tuple[When, ...]
    name: str | None
    get: Getter | None


class Actors:
    """Says who acts, and who is addressed.

    Args:
        rules: In their order; the first that fits counts.
    """

    def __init__(self, rules: tuple[_ActorRule, ...]) -> None:
        self._rules = rules
        self._aliases = {w[0][1][0]: r.name for r in rules for w in [r.wanted] if len(w) == 1 and w[0][0] == "actor" and _plain(r)}

    def acting(self, actor: Any, opening: Step | None, step: Step) -> Any:
        """Who acts in a step, given the recorded name (None: none was recorded)."""
        for rule in self._rules:
            if not _fits(rule, actor, opening, step):
                continue
            if rule.get is None:
                return rule.name
            value = rule.get(opening, step)
            if value is not MISSING and value is not UNPARSED:
                return str(value)
        return actor

    def addressed(self, recipients: Any) -> Any:
        """Recipients by their names, where a rule names an actor and nothing else."""
        if not isinstance(recipients, tuple) or not self._aliases:
            return recipients
        return tuple(self._aliases.get(name, name) if isinstance(name, str) else name for name in recipients)


def _plain(rule: _ActorRule) -> bool:
    return rule.name is not None and not rule.when and len(rule.wanted[0][1]) == 1 and "*" not in rule.wanted[0][1][0]


def compile_actors(cursor: Cursor) -> Actors:
    """The rules under the cursor: a list of them, or a mapping of recorded names to names.

    Raises:
        PackError: They are none.
    """
    if isinstance(cursor.value, Mapping):
        entries = cursor.entries()
        return Actors(tuple(_ActorRule((("actor", (name,)),), (), entry.text(), None) for name, entry in entries.items()))
    return Actors(tuple(_rule(item) for item in cursor.items()))


def _rule(cursor: Cursor) -> _ActorRule:
    parts = cursor.fields(ACTOR_KEYS)
    if ("is" in parts) == ("path" in parts):
        got = "both" if "is" in parts else "neither"
        raise cursor.error(f"expected either `is` (a name) or `path` (where the name is recorded), got {got}")
    wanted = tuple((word, parts[word].texts()) for word in _SELECTORS if word in parts)
    when = compile_when(parts["when"]) if "when" in parts else ()
    if not wanted and not when and "is" in parts:
        words = ", ".join(f"`{s}`" for s in (*_SELECTORS, "when"))
        raise cursor.error(f"expected at least one of {words}, got none", hint="else every actor would be the same one")
    get = compile_field("actor", parts["path"]).get if "path" in parts else None
    return _ActorRule(wanted, when, parts["is"].text() if "is" in parts else None, get)


_RECORDED: dict[str, Callable[[Step], str | None]] = {
    "channel": lambda step: step.channel,
    "kind": lambda step: step.kind,
    "tool": lambda step: step.tool,
}


def _fits(rule: _ActorRule, actor: Any, opening: Step | None, step: Step) -> bool:
    for word, wanted in rule.wanted:
        value = actor if word == "actor" else _RECORDED[word](step)
        if value is None and opening is not None and word != "actor":
            value = _RECORDED[word](opening)
        if not isinstance(value, str) or not any(value == w or ("*" in w and fnmatchcase(value, w)) for w in wanted):
            return False
    return all(test(opening, step) for test in rule.when)
