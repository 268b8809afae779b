"""Reading a document part by part, so that every complaint names its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from seamwise.binding._yaml import Document, Path
from seamwise.errors import PackError, did_you_mean


class Cursor:
    """A value of a document, and where it stands."""

    __slots__ = ("document", "path", "value")

    def __init__(self, document: Document, path: Path, value: Any) -> None:
        self.document = document
        self.path = path
        self.value = value

    @classmethod
    def root(cls, document: Document) -> Cursor:
        """The whole document."""
        return cls(document, (), document.value)

    def error(self, message: str, *, hint: str | None = None, key: bool = False) -> PackError:
        """An error about this value (or about its key)."""
        return PackError(message, where=self.document.where(self.path, key=key), hint=hint)

    def expected(self, what: str, *, hint: str | None = None) -> PackError:
        """An error that this value is of another sort."""
        return self.error(f"expected {what}, got {got(self.value)}", hint=hint)

    def at(self, *parts: str | int, value: Any = None) -> Cursor:
        """A value below this one."""
        return Cursor(self.document, (*self.path, *parts), value)

    def entries(self) -> dict[str, Cursor]:
        """The entries of a mapping, whatever their names."""
        if not isinstance(self.value, Mapping):
            raise self.expected("a mapping")
        return {str(name): self.at(str(name), value=value) for name, value in self.value.items()}

    def fields(self, known: Iterable[str], *, required: Iterable[str] = (), what: str = "key") -> dict[str, Cursor]:
        """The entries of a mapping whose names are fixed; those that are null count as not there."""
        known = list(known)
        entries = self.entries()
        for name, entry in entries.items():
            if name not in known:
                hint = did_you_mean(name, known) or f"known here: {', '.join(known)}"
                raise entry.error(f"expected a known {what}, got `{shown(name)}`", hint=hint, key=True)
        for name in required:
            if entries.get(name) is None or entries[name].value is None:
                raise self.error(f"expected `{name}`, got nothing", hint=f"write `{name}: ...`")
        return {name: entry for name, entry in entries.items() if entry.value is not None}

    def items(self) -> list[Cursor]:
        """The items of a list."""
        if not isinstance(self.value, (list, tuple)):
            raise self.expected("a list")
        return [self.at(i, value=value) for i, value in enumerate(self.value)]

    def text(self) -> str:
        """Text that is not empty; whole numbers are read as text, as names may be numbers."""
        if isinstance(self.value, bool) or not isinstance(self.value, (str, int)):
            raise self.expected("text")
        if self.value == "":
            raise self.expected("text that is not empty")
        return str(self.value)

    def texts(self) -> tuple[str, ...]:
        """One text or a list of them."""
        if isinstance(self.value, (list, tuple)):
            out = tuple(item.text() for item in self.items())
            if not out:
                raise self.expected("at least one entry")
            return out
        return (self.text(),)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.expected("`true` or `false`")
        return self.value

    def number(self, *, least: int = 0) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.expected("a whole number")
        if self.value < least:
            raise self.expected(f"a number of at least {least}")
        return self.value

    def one_of(self, words: Iterable[str]) -> str:
        """One of these words."""
        words = list(words)
        if self.value not in words:
            hint = did_you_mean(str(self.value), words) if isinstance(self.value, str) else None
            raise self.expected(" or ".join(f"`{word}`" for word in words), hint=hint)
        return str(self.value)

    def pattern(self) -> re.Pattern[str]:
        """A regular expression."""
        if not isinstance(self.value, str):
            raise self.expected("a regular expression")
        try:
            return re.compile(self.value)
        except (re.error, RecursionError, OverflowError) as error:
            raise self.error(f"expected a regular expression, got `{shown(self.value)}` ({error})") from error


def got(value: Any) -> str:
    """How a message names a value that it did not expect."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}" if value else "an empty list"
    return f"`{shown(value)}`"


def shown(value: Any) -> str:
    """A value in one short printable line."""
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    text = "".join(c if c.isprintable() else "�" for c in text)
    return text if len(text) <= 80 else text[:77] + "..."


def document_of(value: Any, name: str) -> Document:
    """A document of Python values, which have no lines.

    Raises:
        PackError: It holds something that a document cannot.
    """
    for path, item in _walk(value, ()):
        if not isinstance(item, (str, int, float, bool, type(None), Mapping, list, tuple)) and not hasattr(item, "as_tuple"):
            raise PackError(f"expected plain values, got a `{type(item).__name__}`", where=Document(value, name, {}, {}).where(path))
    return Document(value, name, {}, {})


def _walk(value: Any, path: Path, depth: int = 0) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if depth > 100:
        raise PackError("expected at most 100 levels, got more")
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _walk(item, (*path, str(name)), depth + 1)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _walk(item, (*path, i), depth + 1)
