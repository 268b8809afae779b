"""What an analysis is made of: tables of typed cells. Nothing here lays out or prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from seamwise.stats import Estimate, rate

Kind = Literal["text", "count", "number", "share", "estimate", "p", "flag"]
"""What a column holds. ``share`` and ``estimate`` are several numbers that stand together."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """How many of how many, with the Wilson interval; an empty cohort has no rate, which is not 0."""

    k: int
    n: int
    share: float | None
    low: float | None
    high: float | None
    unassessed: int = 0
    """Eligible cases about which nothing is known; they are in neither k nor n."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean or a difference; the interval is that of whole models resampled, and absent with fewer than two."""

    value: float | None
    low: float | None
    high: float | None
    models: int
    n: int


class Column(msgspec.Struct, frozen=True):
    """A column: its name in files, its heading, and what its cells are."""

    name: str
    label: str
    kind: Kind = "text"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table. A cell None: nothing is known, or nothing applies; the notes say which."""

    name: str
    """Unique, and a file name."""
    title: str
    about: str
    """What a row is, and of how many cases."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()
    world: str = ""
    """Name of the world that it is about; empty: all."""
    synthetic: bool = False
    """A script spoke in one of its episodes."""
    main: bool = False
    """Told in the terminal too."""
    brief: tuple[str, ...] = ()
    """Columns that do in the terminal; empty: all."""

    def records(self) -> list[dict[str, Any]]:
        """The rows by names of columns."""
        names = [c.name for c in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What was drawn."""

    resamples: int
    seed: int
    level: float = 0.95


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is said of one or more run directories."""

    format: str = "seamwise-analysis/1"
    episodes: int
    """Cells with a readable episode that counts."""
    valid: int
    worlds: tuple[str, ...]
    models: tuple[str, ...]
    judge: str | None
    synthetic: int
    """Valid episodes in which a script spoke."""
    parameters: Parameters
    damaged: tuple[tuple[str, str], ...]
    """Files that could not be read, with the reason."""
    notes: tuple[str, ...]
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """The table of that name, or None."""
        return next((t for t in self.tables if t.name == name), None)


def share_of(values: Iterable[bool | None]) -> Share:
    """The share of yes among what is assessed."""
    seen = list(values)
    known = [v for v in seen if v is not None]
    told = rate(sum(known), len(known))
    return Share(k=told.k, n=told.n, share=told.share, low=told.low, high=told.high, unassessed=len(seen) - len(known))


def interval_of(estimate: Estimate) -> Interval:
    """An estimate of `seamwise.stats` as a cell."""
    return Interval(value=estimate.value, low=estimate.low, high=estimate.high, models=estimate.n_clusters, n=estimate.n)


def mean_of(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None
