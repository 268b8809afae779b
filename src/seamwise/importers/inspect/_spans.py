"""Whose an event is: spans by their ids, and steps of older logs by the order in which they were opened."""

from __future__ import annotations

from typing import Any, NamedTuple

_SCORING = frozenset({"scorer", "scorers"})
_DEEPEST = 200
"""Spans around an event that are looked at."""


class Span(NamedTuple):
    """A stretch of work that the log names."""

    id: str
    name: str
    type: str
    parent: str | None


class Spans:
    """The spans of one sample."""

    def __init__(self) -> None:
        self._known: dict[str, Span] = {}
        self._stack: list[Span] = []
        """Steps of older logs, whose events name no span."""

    def begin(self, event: dict[str, Any], *, older: bool = False) -> Span:
        """A span that begins; ``older``: it is a step, which the events inside do not name."""
        number = event.get("id")
        parent = event.get("parent_id")
        inside = self._stack[-1].id if self._stack else None
        span = Span(
            number if isinstance(number, str) and not older else f"step {len(self._known)}",
            str(event.get("name")) if event.get("name") is not None else "",
            event["type"] if isinstance(event.get("type"), str) else "",
            parent if isinstance(parent, str) else inside,
        )
        self._known[span.id] = span
        if older:
            self._stack.append(span)
        return span

    def end(self, event: dict[str, Any]) -> Span | None:
        """The span that ends, if it began."""
        number = event.get("id")
        return self._known.get(number) if isinstance(number, str) else None

    def end_step(self) -> Span | None:
        """The step of an older log that ends: the last that began, whatever its name."""
        return self._stack.pop() if self._stack else None

    def around(self, event: dict[str, Any]) -> list[Span]:
        """The spans around an event, the nearest first."""
        number = event.get("span_id")
        at = number if isinstance(number, str) else self._stack[-1].id if self._stack else None
        found: list[Span] = []
        seen: set[str] = set()
        while at is not None and at in self._known and at not in seen and len(found) < _DEEPEST:
            seen.add(at)
            span = self._known[at]
            found.append(span)
            at = span.parent
        return found

    @staticmethod
    def actor(around: list[Span]) -> str | None:
        """The agent of an event: the nearest of type ``agent``, else the nearest solver."""
        for types in (("agent",), ("solver",)):
            for span in around:
                if span.type in types and span.name:
                    return span.name
        return None

    @staticmethod
    def scoring(around: list[Span]) -> bool:
        """Whether an event belongs to the grading and not to the run."""
        return any(span.type in _SCORING for span in around)
