"""Versions, as writes and reads are met in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from seamwise.kinds.state_kept.evidence import OTHER, Version


class Versions(NamedTuple):
    """What writes and reads so far leave open.

    Versions rise with every write and may skip, so between two of them another always finds its place. One that was not recorded matters
    only where some read returned it: such versions are the ``loose`` ones.
    """

    first: Version | None = None
    """The first number that was written."""
    top: Version | None = None
    """The last number that was written."""
    last: Version | str | None = None
    """The last write's version; ``OTHER``: none that a read returned; None: nothing was written yet."""
    filled: frozenset[Version] = frozenset()
    """Loose versions that were written."""
    floor: Version | None = None
    """Reads returned this before any number was written: every write is above it."""

    def write(self, version: Version | None, loose: frozenset[Version]) -> Iterator[Versions]:
        """Every way that a write can be numbered; none where its version does not rise."""
        if version is None:
            yield self._replace(last=OTHER)
        for v in loose if version is None else (version,):
            if (self.top is None or v > self.top) and (self.floor is None or v > self.floor):
                filled = self.filled | {v} if v in loose else self.filled
                yield Versions(v if self.first is None else self.first, v, v, filled, self.floor)

    def read(self, version: Version | None, loose: frozenset[Version]) -> Iterator[tuple[Versions, bool]]:
        """Every way that a read can be, and whether it is stale; none where its version cannot have been written."""
        if version is None:
            yield self, False
            if self.last is not None:
                yield self, True
        elif version == self.last:
            yield self, False
        elif version in self.filled or (version not in loose and self.top is not None and version <= self.top):
            yield self, True
        elif self.first is None:
            floor = version if self.floor is None else max(self.floor, version)
            yield self._replace(floor=floor), self.last is not None
        elif version < self.first:
            yield self, True
