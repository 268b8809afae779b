"""Documents with access lists, and two ways to search them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

import yaml

from seamwise.errors import SchemaError

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Document:
    """One document. ``readers`` are the roles that may open it; ``*`` stands for all."""

    name: str
    title: str
    text: str
    readers: frozenset[str]

    def lines(self) -> list[str]:
        """Its lines, as a log is read."""
        return self.text.splitlines()


class DocumentStore:
    """The documents of one world. What a role may not read, it does not find either."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.documents = dict(documents)

    def open(self, name: str, reader: str) -> Document | None:
        """The document, or None where there is none for this reader (who is not told which of the two it is)."""
        found = self.documents.get(name)
        return found if found is not None and _may(reader, found) else None

    def search(self, query: str, reader: str, *, at_most: int = 3) -> list[tuple[str, str]]:
        """Passages (blocks between blank lines) that share most words with the query: (document, passage), best first."""
        wanted = {w for w in _WORD.findall(query.lower()) if len(w) > 2}
        if not wanted:
            return []
        scored = [
            (-len(wanted & set(_WORD.findall(block.lower()))), name, number, block)
            for name, document in sorted(self.documents.items())
            if _may(reader, document)
            for number, block in enumerate(document.text.split("\n\n"))
        ]
        return [(name, block.strip()) for score, name, _, block in sorted(scored) if score < 0][:at_most]

    def lines(self, name: str, query: str, reader: str, *, at_most: int = 5) -> list[tuple[int, str]]:
        """Lines that hold the query letter for letter (case aside), with their numbers from 1: a literal search of a log."""
        found = self.open(name, reader)
        if found is None or not query.strip():
            return []
        needle = query.strip().lower()
        return [(number, line) for number, line in enumerate(found.lines(), 1) if needle in line.lower()][:at_most]


def load_documents(folder: Path | Traversable) -> DocumentStore:
    """Documents of a folder: ``access.yaml`` maps each file to ``{title, readers}``, and a file that it does not name is an error."""
    listed = yaml.safe_load((folder / "access.yaml").read_text(encoding="utf-8")) or {}
    files = {entry.name for entry in folder.iterdir() if entry.name != "access.yaml" and not entry.name.startswith((".", "_"))}
    if set(listed) != files:
        odd = sorted(set(listed) ^ files)
        raise SchemaError(f"expected `access.yaml` to name each document, got a difference in `{'`, `'.join(odd)}`", where=str(folder))
    return DocumentStore(
        {
            name: Document(name, str(entry["title"]), (folder / name).read_text(encoding="utf-8"), frozenset(map(str, entry["readers"])))
            for name, entry in sorted(listed.items())
        }
    )


def _may(reader: str, document: Document) -> bool:
    return "*" in document.readers or reader in document.readers
