"""Results that report a failure in their own words. That is no status: what counts as success is for a binding's ``ok:`` rule to say."""

from __future__ import annotations

import re
from typing import Any

_BAD_WORDS = frozenset("error failed failure fail errored exception".split())
_BAD_START = re.compile(r"\s*(?:\w*(?:error|exception)\b\s*[:(]|traceback \(most recent|tool (?:call )?failed)", re.IGNORECASE)


def is_innocent(text: str) -> bool:
    """Whether a result of this text cannot look like a failure, whatever it says."""
    lowered = text.lower()
    if "err" in lowered or "fail" in lowered or "succe" in lowered:
        return False
    # a letter is found in a tenth of the time of a word
    if "x" in lowered and "exception" in lowered:
        return False
    return not ("k" in lowered and ('"ok"' in lowered or "traceback" in lowered))


def suspicion(text: str | None, result: Any) -> str | None:
    """Why a recorded result looks like a failure, or None."""
    if text is not None and is_innocent(text):
        return None
    if isinstance(result, dict):
        for key, value in result.items():
            name = key.lower()
            if name in ("success", "ok", "succeeded") and value in (False, 0, "false", "False", "0"):
                return f"its result says `{key}: {value}`"
            if name in ("error", "errors", "iserror", "is_error", "exception") and value not in (
                None,
                False,
                0,
                "",
                "false",
                "False",
                "None",
                [],
                {},
            ):
                return f"its result says `{key}: {str(value)[:60]}`"
            if name in ("status", "state", "outcome") and isinstance(value, str) and value.lower() in _BAD_WORDS:
                return f"its result says `{key}: {value}`"
        return None
    return f"its result begins `{result[:40]}`" if isinstance(result, str) and _BAD_START.match(result) else None
