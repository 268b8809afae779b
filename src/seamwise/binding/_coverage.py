"""How much of a recording a stream's rules reached, and what they did not find there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unicodedata import is_normalized

import msgspec

from seamwise.binding._composed import composed
from seamwise.binding._cursor import shown
from seamwise.binding._field import UNPARSED, frozen

MAX_SPELLINGS = 10_000
"""Of so many keys it is remembered how they were written."""
MAX_SEEN = 3
"""Values that do not pass a test are told, so many of them."""
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


class Endings(msgspec.Struct, kw_only=True):
    """What the results of one rule say where ``ok`` looks for a value."""

    place: str
    """Where the page says it."""
    asks: str
    """The test, in words."""
    n_ok: int = 0
    """Results that pass it."""
    seen: list[str] = []
    """The first values that do not, in one short line each."""

    def saw(self, value: str) -> None:
        """Remembers a value that does not pass."""
        if len(self.seen) <= MAX_SEEN and value not in self.seen:
            self.seen.append(value)


class Coverage(msgspec.Struct, kw_only=True):
    """Counts of one stream; those of several files add up."""

    stream: str
    n_records: int = 0
    """Records that were bound."""
    n_traces: int = 0
    """Traces that hold some."""
    n_without_key: int = 0
    """Records whose key was not recorded."""
    n_undecided: int = 0
    """Rows of a table that do not say whether a rule takes them: what it asks for is empty there."""
    missing: dict[str, int] = {}
    """Field -> for how many records its path led nowhere."""
    unparsed: dict[str, int] = {}
    """Field -> for how many records something was recorded that does not parse as the binding says."""
    spellings: dict[str, set[str]] = {}
    """Key -> how it was written, where a character of it can be written in two ways."""
    failures: dict[str, Failure] = {}
    """Field -> the first of them."""
    rules: dict[int, int] = {}
    """Rule, by its place in the stream -> the records that it made."""
    endings: dict[int, Endings] = {}
    """Rule that looks for a value in results -> what it found."""

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
        self.n_undecided += other.n_undecided
        for mine, theirs in ((self.missing, other.missing), (self.unparsed, other.unparsed)):
            for name, n in theirs.items():
                mine[name] = mine.get(name, 0) + n
        self.failures = {**other.failures, **self.failures}
        for rule, n in other.rules.items():
            self.rules[rule] = self.rules.get(rule, 0) + n
        for rule, more in other.endings.items():
            endings = self.endings.setdefault(rule, Endings(place=more.place, asks=more.asks))
            endings.n_ok += more.n_ok
            for value in more.seen:
                endings.saw(value)
        for key, ways in other.spellings.items():
            self.spellings.setdefault(key, set()).update(ways)

    def spelled(self, key: Any) -> None:
        """Remembers how a key was written, where it can be written in two ways."""
        for text in key if isinstance(key, tuple) else (key,):
            if isinstance(text, str) and not text.isascii() and (not is_normalized("NFC", text) or not is_normalized("NFD", text)):
                one = composed(text)
                if one in self.spellings or len(self.spellings) < MAX_SPELLINGS:
                    self.spellings.setdefault(one, set()).add(text)

    def failed(self, name: str, place: str, expects: str, value: Any, at: str) -> None:
        """Remembers the first step on which a field did not parse."""
        if name not in self.failures:
            self.failures[name] = Failure(place=place, expects=expects, value=shown(value), at=at)

    def ended(self, rule: int, place: str, asks: str, value: Any = None) -> None:
        """Counts a result in which a rule looked for a value; without ``value`` it is the one that was looked for."""
        endings = self.endings.get(rule)
        if endings is None:
            endings = self.endings[rule] = Endings(place=place, asks=asks)
        if value is None:
            endings.n_ok += 1
        elif not endings.n_ok:
            endings.saw(shown(value))

    def without_success(self, words: Callable[[str], str] = str) -> tuple[str, ...]:
        """A sentence for each rule that looks for a value in results which none of them has: most often it is misspelt.

        Args:
            words: What is done to recorded words before they are told.
        """
        return tuple(
            f"{e.place}: no result has {e.asks}; seen: {', '.join(map(words, e.seen[:MAX_SEEN]))}"
            + (" ..." if len(e.seen) > MAX_SEEN else "")
            for _, e in sorted(self.endings.items())
            if e.seen and not e.n_ok
        )

    def told(self, words: Callable[[str], str] = str) -> dict[str, Any]:
        """The counts as plain values, names sorted, zeros left out.

        Args:
            words: What is done to recorded words before they are told.
        """
        out: dict[str, Any] = {"records": self.n_records, "traces": self.n_traces}
        if self.n_without_key:
            out["without_key"] = self.n_without_key
        if self.n_undecided:
            out["undecided"] = self.n_undecided
        for word, counts in (("missing", self.missing), ("unparsed", self.unparsed)):
            if counts:
                out[word] = dict(sorted(counts.items()))
        joined = sorted(key for key, ways in self.spellings.items() if len(ways) > 1)
        if joined:
            out["joined_spellings"] = [words(key) for key in joined]
        if self.failures:
            out["first_unparsed"] = {
                name: f"{f.place}: expected {f.expects}, got `{words(f.value)}` - at {f.at}" for name, f in sorted(self.failures.items())
            }
        if unmet := self.without_success(words):
            out["no_success"] = unmet
        return out
