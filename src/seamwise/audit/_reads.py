"""Which of a pack's streams a contract reads, and where in them an instance looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from seamwise.binding import Contract, Stream
from seamwise.kernel import Evidence, Slot
from seamwise.kernel.spec import may_be_inside

MARK = "~"


class Look(NamedTuple):
    """A stream of the pack that an instance reads."""

    stream: int
    """Its place in the pack."""
    leaf: str | None
    """The one leaf of it that is read; None: all of it."""
    own: bool = False
    """The leaf ends in the instance's own key, which is to be added to it."""


class Reads:
    """Where the instances of a contract look."""

    def __init__(self, contract: Contract, streams: Sequence[Stream]) -> None:
        self._contract = contract
        self._streams = streams
        first, second = self._ask(MARK), self._ask(MARK * 2)
        found = {look.stream for look in first}
        found.update(n for n, s in enumerate(streams) if s.name in contract.streams)
        self.streams: tuple[int, ...] = tuple(sorted(found))
        """The streams that its instances may read, by place in the pack."""
        self._always = _template(first, second)
        slots = contract.kind.spec(self._prototype(MARK), Evidence()).slots
        self.families = frozenset(slot.stream.split("/")[0] for slot in slots if slot.stream)
        """First words of the streams that it reads: only claims on these can bear on it."""

    def concerns(self, claimed: str) -> bool:
        """Whether a claim on this stream can bear on the contract."""
        return claimed.split("/")[0] in self.families

    def own_leaves(self) -> tuple[int, ...] | None:
        """The streams, where an instance reads nothing but the leaves of its own key; else None."""
        if self._always is None or not all(look.own for look in self._always):
            return None
        own = tuple(look.stream for look in self._always)
        return own if sorted(set(own)) == list(self.streams) and len(set(own)) == len(own) else None

    def looks(self, identity: str) -> list[Look]:
        """Where the instance of this identity looks."""
        if self._always is None:
            return self._ask(identity)
        return [look._replace(leaf=f"{look.leaf}{identity}") if look.own else look for look in self._always]

    def _ask(self, identity: str) -> list[Look]:
        return places(self._contract.kind.spec(self._prototype(identity), Evidence()).slots, self._streams)

    def _prototype(self, identity: str) -> Any:
        return self._contract.params(**({self._contract.anchor.param: identity} if self._contract.anchor.param else {}))


def _template(first: list[Look], second: list[Look]) -> list[Look] | None:
    """What two different instances have in common; None where they differ in more than their own key."""
    if len(first) != len(second):
        return None
    out = []
    for a, b in zip(first, second, strict=True):
        if a == b:
            out.append(a)
        elif a.stream == b.stream and a.leaf and b.leaf == a.leaf + MARK and a.leaf.endswith("/" + MARK):
            out.append(Look(a.stream, a.leaf.removesuffix(MARK), own=True))
        else:
            return None
    return out


def places(slots: Sequence[Slot], streams: Sequence[Stream]) -> list[Look]:
    """The streams that slots name, each whole or one leaf of it; of a stream that is read whole no leaf is named."""
    out: dict[Look, None] = {}
    for slot in slots:
        if slot.only:
            continue  # the anchor of an instance stands in the contract's own streams
        for n, stream in enumerate(streams):
            if not slot.stream:
                if _may_hold(stream, slot.kinds):
                    out[Look(n, None)] = None
            elif stream.keyed and slot.stream.removesuffix("/*").startswith(stream.name + "/"):
                out[Look(n, None if slot.stream.endswith("/*") else slot.stream)] = None
            elif may_be_inside(stream.name, slot.stream):
                out[Look(n, None)] = None
    whole = {look.stream for look in out if look.leaf is None}
    return [look for look in out if look.leaf is None or look.stream not in whole]


def _may_hold(stream: Stream, kinds: frozenset[str]) -> bool:
    """Whether a record of one of these kinds can be in the stream."""
    if not kinds:
        return True
    for rule in stream.rules:
        told = (rule.kind,) if rule.kind is not None else rule.kinds
        if not told or any(kind in kinds or "*" in kind for kind in told):
            return True
    return False
