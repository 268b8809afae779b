"""What became of one item, as writes and licences are met in order."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

from seamwise.kinds.state_kept.evidence import Absent


class Held(Enum):
    """What is known of the item beside a value."""

    NOT = "not held, or nothing was written yet: whatever comes next loses nothing"
    ANY = "whatever suits: its value was not recorded"


ANYTHING = object()
"""The target of a licence that does not say what it licenses: whatever suits."""


class Item(NamedTuple):
    """The item after the last write, and what it may become."""

    now: Any = Held.NOT
    licensed: frozenset[Any] = frozenset()

    def license(self, to: Any) -> Item:
        """The item once a licence was given."""
        return self if self.now is Held.NOT else self._replace(licensed=self.licensed | {to})


class After(NamedTuple):
    """One way that a write can go."""

    item: Item | None
    """None: it violated the contract."""
    unrecorded: bool = False
    """Whether it takes a licence that was not recorded."""


def after(item: Item, content: Any, removal: Any) -> Iterator[After]:
    """Every way that the next write can go, given what it says of the item (``Absent``, a value, or None: nothing)."""
    now, licensed = item
    if content is None:
        yield from _after_any(now, licensed, removal)
        return
    then = After(Item(Held.NOT if content is Absent else content))
    if now is Held.NOT or now == content:
        yield then
        return
    allowed = (removal if content is Absent else content) in licensed or ANYTHING in licensed
    if allowed or now is Held.ANY:
        yield then
    if not allowed:
        yield After(None)
        if now is not Held.ANY:
            yield then._replace(unrecorded=True)


def _after_any(now: Any, licensed: frozenset[Any], removal: Any) -> Iterator[After]:
    if now is Held.NOT:
        yield After(Item(Held.ANY))
        return
    yield After(None)  # to something that nothing licenses
    if now is Held.ANY or ANYTHING in licensed:
        yield After(Item(Held.ANY))
        return
    yield After(Item(now))
    for to in licensed:
        yield After(Item(Held.NOT if to == removal else to))
    yield After(Item(Held.ANY), unrecorded=True)
