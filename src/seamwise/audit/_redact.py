"""What of a recording's words goes into results: cut short, and with what looks like a secret masked."""

from __future__ import annotations

import re
from typing import Any

MAX_TEXT = 300
"""Characters of a step's text in a result."""
MAX_FIELD = 200
SHORT = 10
"""A text of fewer characters is too short for a secret with its name."""
MASK = "[masked]"

_SECRETS = re.compile(
    r"""
    -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|$)   # a key file
  | \b(?:sk|pk|rk)[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9_]{16,}\b                               # service keys
  | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
  | \bgh[pousr]_[A-Za-z0-9]{20,}\b
  | \bxox[abprs]-[A-Za-z0-9-]{10,}
  | \bAIza[0-9A-Za-z_-]{30,}
  | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?                        # a signed token
    """,
    re.VERBOSE | re.DOTALL,
)
_NAMED = re.compile(
    r"(?i)\b(bearer\s+|(?:api[_-]?key|access[_-]?token|auth[_-]?token|password|passwd|secret|client[_-]?secret)[\"']?\s*[:=]\s*[\"']?)"
    r"([^\s\"',;}]{6,})"
)
_HINTS = "-----begin k- k_ akia asia ghp_ gho_ ghu_ ghs_ ghr_ xox aiza eyj bearer key token passw secret".split()
"""Beginnings of what the patterns find; a text without any of them need not be searched."""


def masked(text: str) -> str:
    """The text with what looks like a secret masked."""
    if len(text) < SHORT or not _hints(text):
        return text
    return _NAMED.sub(lambda m: m[1] + MASK, _SECRETS.sub(MASK, text))


def _hints(text: str) -> bool:
    folded = text.casefold()
    for hint in _HINTS:  # noqa: SIM110  a loop, as this is asked of every text
        if hint in folded:
            return True
    return False


def cut(text: str, length: int) -> str:
    """The beginning of a text, with a mark where it goes on."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def words_of(text: str | None, *, redact: bool) -> str | None:
    """A step's text as it may stand in a result."""
    if text is None or not redact:
        return text
    return cut(masked(text[: MAX_TEXT * 8]), MAX_TEXT)


def field_of(value: Any, *, redact: bool) -> Any:
    """A field's value as it may stand in a result."""
    if not redact or type(value) is bool or type(value) is int:
        return value
    if isinstance(value, str):
        return cut(masked(value[: MAX_FIELD * 8]), MAX_FIELD)
    if isinstance(value, list):
        return [field_of(item, redact=redact) for item in value]
    if isinstance(value, dict):
        return {name: field_of(item, redact=redact) for name, item in value.items()}
    return value
