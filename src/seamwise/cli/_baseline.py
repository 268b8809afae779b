"""The file of accepted findings, and the day by which its entries are judged."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamwise.audit import Baseline


def load_baseline(path: str) -> Baseline:
    """The accepted findings.

    Raises:
        UsageError: The file cannot be read.
        SchemaError: It does not fit.
    """
    from seamwise.audit import read_baseline
    from seamwise.errors import UsageError

    try:
        content = Path(path).read_bytes()
    except OSError as error:
        hint = "`seamwise baseline RESULTS --out FILE` writes one" if isinstance(error, FileNotFoundError) else None
        raise UsageError(f"cannot read the baseline `{path}`: {(error.strerror or str(error)).lower()}", hint=hint) from error
    return read_baseline(content, path)


def today() -> date:
    """The day in UTC, so that a run means the same everywhere."""
    return datetime.now(UTC).date()
