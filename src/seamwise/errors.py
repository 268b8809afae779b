"""The one tree of errors.

A message is one lowercase sentence without a final period: what was expected, what was got (in backticks), where. The mend stands
apart, in ``hint``. Everything here is something a person can put right, so the command line prints it without a traceback.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches


class SeamwiseError(Exception):
    """Base of all errors that Seamwise raises on purpose.

    Args:
        message: One sentence: expected, got.
        where: File, line, path into the document; whatever finds the place.
        hint: What to do about it.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.where is None else f"{self.message} - at {self.where}"


class UsageError(SeamwiseError, ValueError):
    """A command or a call was given arguments that do not fit."""


class FormatError(SeamwiseError, ValueError):
    """A recording could not be read as the format that it claims or that was named."""


class LimitError(FormatError):
    """A recording is larger or deeper than the stated limits allow."""


class SchemaError(SeamwiseError, ValueError):
    """A document of ours (a native trace, a result file) does not fit its schema."""


class PackError(SeamwiseError, ValueError):
    """A contract pack or an ``org.yaml`` does not fit its language."""


class CaseError(SeamwiseError, ValueError):
    """A verdict case cannot be expressed."""


class MissingExtraError(SeamwiseError, ImportError):
    """An optional dependency is needed and not installed."""


def did_you_mean(got: str, known: Iterable[str]) -> str | None:
    """A hint naming the closest known word, or None where nothing is close."""
    close = get_close_matches(got, list(known), n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else None


def near_name(path: str) -> str | None:
    """A hint naming what lies in the same folder under nearly the name of a file that is not there; None where nothing does."""
    folder, name = os.path.split(path)
    try:
        hint = did_you_mean(name, sorted(os.listdir(folder or ".")))
    except (OSError, ValueError):
        return None
    return hint.replace("`", f"`{folder}/" if folder else "`", 1) if hint else None
