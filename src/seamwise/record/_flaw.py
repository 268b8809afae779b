"""Marks by which a recorded text says of itself that it is not whole: something was cut out of it, or masked."""

from __future__ import annotations

import re
from typing import Any

# A text may be the JSON of what was said, in which an ellipsis is spelt out.
_DOTS = r"(?:\u2026|\\u2026|\.\.\.)"
_UNITS = ("chars?", "characters?", "bytes?", "lines?", "tokens?", "words?", "messages?", "[kKM]i?B")
_N_UNITS = r"\d[\d,._]{0,15}+ ?(?:more )?(?:" + "|".join(_UNITS) + ")"
_GONE = "(?:(?:were|was|have been|has been) )?(?:omitted|elided|truncated|clipped|removed|skipped|hidden|left out|not shown)"
_CUT = re.compile(
    r"\[\s*(?:\.\.\.)?\s*truncated[^\]]*\]|<\s*truncated[^>]*>|\(truncated[^)]*\)|" + _DOTS + r"\s*truncated|\"truncated\"", re.IGNORECASE
)
_COUNTED = re.compile(
    rf"(?:[\[(<{{]|{_DOTS})[^\[\](){{}}<>\n\u2026\d]{{0,20}}+{_N_UNITS} {_GONE}\b"
    rf"|{_DOTS}[ \[(+]{{0,4}}+\d[\d,._]{{0,15}}+ more (?:{'|'.join(_UNITS)})\b",
    re.IGNORECASE,
)
_COUNTED_WORDS = ("mitted", "lided", "uncated", "lipped", "emoved", "kipped", "idden", "left out", "not shown")
"""Pieces without a first letter, which may be a capital."""
_MORE_UNITS = (" more char", " more byte", " more line", " more token", " more word", " more message")
_MASKED = re.compile(
    r"__REDACTED__|\[Filtered\]|\[Scrubbed|\[(?i:mask)ed[^\]\n]{0,40}\]"
    r"|[\[<(*]+[^\[<(*\]>)\n]{0,24}(?:(?i:redacted)|MASKED|FILTERED|SCRUBBED)[^\[<(*\]>)\n]{0,40}[\]>)*]"
    r"|(?:\A|\")\s*(?:REDACTED|\*{3,}|\u2588{3,})\s*(?:\"|\Z)"
)


def flaw_of(text: str) -> str | None:
    """What makes a recorded text less than what was said: a mark of truncation or of masking."""
    # a letter is found in a tenth of the time of a word, and capitals are rare
    in_capitals = "D" in text and "E" in text
    if ("runcated" in text or (in_capitals and "RUNCATED" in text)) and _CUT.search(text):
        return "it bears a mark of truncation"
    counted = any(word in text for word in _COUNTED_WORDS) or (" more " in text and any(word in text for word in _MORE_UNITS))
    if counted and _COUNTED.search(text):
        return "it bears a mark of truncation"
    if (
        (in_capitals and any(word in text for word in ("REDACTED", "MASKED", "FILTERED", "SCRUBBED")))
        or "edacted" in text
        or "[mask" in text
        or ("*" in text and "***" in text)
        or "\u2588" in text
        or ("F" in text and "[Filtered]" in text)
        or ("S" in text and "[Scrubbed" in text)
    ) and _MASKED.search(text):
        return "parts of it are masked"
    return None


def flaw_in(value: Any) -> str | None:
    """The same of all texts of a value that was recorded as JSON, not as the text of it."""
    todo = [value]
    while todo:
        inner = todo.pop()
        if isinstance(inner, str):
            if len(inner) > 2 and (flaw := flaw_of(inner)) is not None:
                return flaw
        elif isinstance(inner, dict):
            todo.extend(inner.values())
        elif isinstance(inner, (list, tuple)):
            todo.extend(inner)
    return None


_HINT = re.compile(r"[\[(<{*\u2588\u2026\\]|\.\.\.|REDACTED|runcated")
"""One of these stands in every text that bears a mark."""


def is_whole(value: Any) -> bool:
    """Whether a value bears no mark that a part of it is missing, however deep; quick for the short values of fields.

    What is masked or cut is another value than what was masked: two of them that read alike may have been two.
    """
    if type(value) is str:
        return _HINT.search(value) is None or flaw_of(value) is None
    return isinstance(value, (bool, int)) or flaw_in(value) is None
