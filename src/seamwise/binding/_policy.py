"""Where a contract comes from: a document and a sentence of it, which must really stand there."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from seamwise.binding._cursor import Cursor, shown
from seamwise.errors import PackError

MAX_DOCUMENT_BYTES = 16 << 20
TEXTS = (".md", ".txt", ".rst", ".adoc", ".html", ".org")
MAX_LINES_COMPARED = 5_000


class PolicyRef(NamedTuple):
    """A document and a quote from it."""

    doc: str
    quote: str


def compile_policy(cursor: Cursor, base: Path | None) -> PolicyRef:
    """The policy under the cursor; a quote of a document that can be opened stands in it word for word, white space aside.

    Args:
        cursor: ``{doc: handbook.md, quote: "..."}``.
        base: The folder that documents lie beside; None: the working folder, and a document that is not there is only named.

    Raises:
        PackError: The document is missing, or the quote is not in it.
    """
    parts = cursor.fields(("doc", "quote"))
    if not parts:
        raise cursor.expected("`doc` or `quote`")
    doc = parts["doc"].text() if "doc" in parts else ""
    quote = parts["quote"].text() if "quote" in parts else ""
    if not doc:
        return PolicyRef(doc, quote)
    path = (base or Path()) / doc
    try:
        found = path.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        if base is not None and doc.lower().endswith(TEXTS):
            hint = f"looked beside the pack, in `{base}`"
            raise parts["doc"].error(f"expected a document, got `{shown(doc)}`, which is not there", hint=hint)
        return PolicyRef(doc, quote)
    if quote and doc.lower().endswith(TEXTS):
        _check(parts["quote"], quote, path, doc)
    return PolicyRef(doc, quote)


def _check(cursor: Cursor, quote: str, path: Path, doc: str) -> None:
    try:
        if path.stat().st_size > MAX_DOCUMENT_BYTES:
            raise PackError(f"expected a document of at most {MAX_DOCUMENT_BYTES} bytes, got a larger one", where=str(path))
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise cursor.error(f"cannot read the document `{shown(doc)}`: {error}") from error
    if folded(quote) in folded(text):
        return
    near = _nearest(quote, text)
    hint = f'nearest: line {near[0]} of {doc}: "{shown(near[1])}"' if near else f"nothing in {doc} is like it"
    raise cursor.error(f"expected a sentence of `{shown(doc)}`, got `{shown(quote)}`, which does not stand there", hint=hint)


def folded(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def _nearest(quote: str, text: str) -> tuple[int, str] | None:
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded(quote))
    best: tuple[float, int, str] = (0.3, 0, "")
    for number, line in enumerate(text.splitlines()[:MAX_LINES_COMPARED], 1):
        matcher.set_seq1(folded(line)[:500])
        if matcher.quick_ratio() > best[0] and (ratio := matcher.ratio()) > best[0]:
            best = (ratio, number, line.strip())
    return (best[1], best[2]) if best[1] else None
