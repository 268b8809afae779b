"""How much of a recording a stream's rules reached, and what they did not find there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from seamwise.binding._cursor import shown
from seamwise.binding._field import UNPARSED, frozen

_OWN = ("actor", "recipients", "t")
"""Fields that a record has from its step."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The first step on which a field did not parse."""

    place: str
    """Where the page says how it is read."""
    expects: str
    value: str
    """What was recorded, in one short line."""
    at: str
    """The step, or the row of a table."""


class Coverage(msgspec.Struct, kw_only=True):
    """Counts of one stream; those of several files add up."""

    stream: str
    n_records: int = 0
    """Records that were bound."""
    n_traces: int = 0
    """Traces that hold some."""
    n_without_key: int = 0
    """Records whose key was not recorded."""
    missing: dict[str, int] = {}
    """Field -> for how many records its path led nowhere."""
    unparsed: dict[str, int] = {}
    """Field -> for how many records something was recorded that does not parse as the binding says."""
    failures: dict[str, Failure] = {}
    """Field -> the first of them."""

    def read_whole(self, fields: dict[str, Any], data: dict[str, Any]) -> None:
        """Takes every entry of a step's data as a field of its name."""
        for name, value in data.items():
            if value is None or name in _OWN:
                continue
            value = frozen(value)
            if value is UNPARSED:
                self.unparsed[name] = self.unparsed.get(name, 0) + 1
            else:
                fields[name] = value

    def add(self, other: Coverage) -> None:
        """Adds the counts of the same stream elsewhere."""
        self.n_records += other.n_records
        self.n_traces += other.n_traces
        self.n_without_key += other.n_without_key
        for mine, theirs in ((self.missing, other.missing), (self.unparsed, other.unparsed)):
            for name, n in theirs.items():
                mine[name] = mine.get(name, 0) + n
        self.failures = {**other.failures, **self.failures}

    def failed(self, name: str, place: str, expects: str, value: Any, at: str) -> None:
        """Remembers the first step on which a field did not parse."""
        if name not in self.failures:
            self.failures[name] = Failure(place=place, expects=expects, value=shown(value), at=at)

    def told(self, words: Callable[[str], str] = str) -> dict[str, Any]:
        """The counts as plain values, names sorted, zeros left out.

        Args:
            words: What is done to recorded words before they are told.
        """
        out: dict[str, Any] = {"records": self.n_records, "traces": self.n_traces}
        if self.n_without_key:
            out["without_key"] = self.n_without_key
        for word, counts in (("missing", self.missing), ("unparsed", self.unparsed)):
            if counts:
                out[word] = dict(sorted(counts.items()))
        if self.failures:
            out["first_unparsed"] = {
                name: f"{f.place}: expected {f.expects}, got `{words(f.value)}` - at {f.at}" for name, f in sorted(self.failures.items())
            }
        return out
