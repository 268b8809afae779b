r"""Text with several things in it: ``match: 'refunded (?P<amount>[0-9.]+) to (?P<customer>\w+)'``.

A rule with ``match`` takes the steps whose text fits; the named groups are fields, or are read as ``match.amount`` by the fields that the
rule names, with their units.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from seamwise.binding._cursor import Cursor
from seamwise.binding._field import PathReader, paths_of
from seamwise.binding._path import MISSING, Getter
from seamwise.errors import did_you_mean
from seamwise.record import Step

_OWN = ("status", "actor", "t")


class Match(NamedTuple):
    """A pattern, and where the text is that it is looked for in."""

    pattern: re.Pattern[str]
    get: Getter

    @property
    def names(self) -> tuple[str, ...]:
        """Its named groups."""
        return tuple(self.pattern.groupindex)

    def takes(self, opening: Step | None, step: Step) -> bool:
        """Whether the text fits."""
        return self.found(opening, step) is not None

    def found(self, opening: Step | None, step: Step) -> re.Match[str] | None:
        """What fits."""
        text = self.get(opening, step)
        return self.pattern.search(text) if isinstance(text, str) else None

    def reader(self, read: PathReader) -> PathReader:
        """Compiles paths like another reader, and ``match.<group>`` besides."""
        return _Groups(self, read)


class _Groups:
    def __init__(self, match: Match, read: PathReader) -> None:
        self._match = match
        self._read = read

    def __call__(self, cursor: Cursor) -> Getter:
        if not isinstance(cursor.value, str) or not cursor.value.startswith("match."):
            return self._read(cursor)
        name, match = cursor.value.removeprefix("match."), self._match
        if name not in match.names:
            hint = did_you_mean(name, match.names) or f"its groups are {', '.join(match.names)}"
            raise cursor.error(f"expected a named group of `match`, got `{name}`", hint=hint)

        def get(opening: Step | None, step: Step) -> Any:
            found = match.found(opening, step)
            return MISSING if found is None or found[name] is None else found[name]

        return get


def compile_match(cursor: Cursor, read: PathReader) -> Match:
    """The pattern under the cursor: a regular expression, or ``{path: result.note, pattern: ...}``.

    Raises:
        PackError: It is none, or has no named group.
    """
    if isinstance(cursor.value, str):
        source, get = cursor, read(cursor.at(value="text"))
    else:
        parts = cursor.fields(("path", "pattern"), required=("path", "pattern"))
        source, get = parts["pattern"], paths_of(parts["path"], read)
    pattern = source.pattern()
    if not pattern.groupindex:
        raise source.error("expected at least one named group, got none", hint="`(?P<amount>[0-9.]+)`; a mere test is written `when`")
    for name in pattern.groupindex:
        if name in _OWN:
            raise source.error(f"expected another name than `{name}` for a group; it is the record's own")
    return Match(pattern, get)
