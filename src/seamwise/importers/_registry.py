"""Which importers there are: those of this package, one file each, and third parties' by entry point."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from typing import NamedTuple, Protocol

import msgspec

from seamwise.errors import FormatError, UsageError, did_you_mean
from seamwise.importers._limits import Limits
from seamwise.importers._report import ImportReport, Label
from seamwise.importers._source import Source
from seamwise.importers._wanted import Wanted
from seamwise.record import Trace

GROUP = "seamwise.importers"
"""Entry point group. An entry point loads to an object with the shape of :class:`Importer`."""


class Sink(NamedTuple):
    """What an importer writes to beside its traces."""

    report: ImportReport
    """Every record is counted here."""
    labels: list[Label]
    """Evaluation labels go here and nowhere else."""
    limits: Limits
    """What one file may cost."""
    wanted: Wanted | None = None
    """Which steps are asked for; None: all. An importer may give more."""
    only: frozenset[str] | None = None
    """Ids of the traces that are asked for; None: all. An importer may give more."""
    hasty: bool = False
    """A trace may be given out as soon as it seems complete; where that was wrong, ``ScatteredError`` is raised and all is read again."""


class Importer(Protocol):
    """What turns the bytes of one format into traces."""

    name: str
    """The word for ``--format``."""
    version: int
    """Raised when the same bytes give other traces."""
    summary: str
    """What it reads, in one line."""

    def sniff(self, head: bytes) -> int:
        """How surely the first bytes are of this format: 0 (not at all) to 100. It never raises."""

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The traces of a file, counted in ``sink.report``.

        Raises:
            FormatError: Nothing in the file could be read as this format.
        """


_known: dict[str, Importer] = {}


def importers() -> dict[str, Importer]:
    """All importers by name; third parties' are loaded on first use.

    Raises:
        UsageError: Two importers have one name, or an entry point does not load.
    """
    if not _known:
        found: list[tuple[str, Importer]] = []
        package = import_module(GROUP)
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                found.append((module.name, import_module(f"{GROUP}.{module.name}").IMPORTER))
        for entry in sorted(metadata.entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
            try:
                loaded = entry.load()
            except Exception as error:
                raise UsageError(f"the importer `{entry.name}` does not load: {error}", where=f"entry point {entry.value}") from error
            found.append((entry.value, loaded() if isinstance(loaded, type) else loaded))
        names: dict[str, str] = {}
        for origin, importer in found:
            if importer.name in names:
                raise UsageError(f"two importers are named `{importer.name}`", where=f"{names[importer.name]} and {origin}")
            names[importer.name] = origin
        _known.update(sorted((importer.name, importer) for _, importer in found))
    return _known


def importer_named(name: str) -> Importer:
    """The importer of that name; what stands behind a colon (``chat:fields.yaml``) configures it.

    Raises:
        FormatError: There is none, or it takes no configuration, or cannot read it.
    """
    known = importers()
    name, colon, configuration = name.partition(":")
    if name not in known:
        raise FormatError(f"unknown format `{name}`", hint=did_you_mean(name, known) or f"known formats: {', '.join(known)}")
    if not colon:
        return known[name]
    configured: Callable[[str], Importer] | None = getattr(known[name], "configured", None)
    if configured is None:
        raise FormatError(f"the format `{name}` takes no file of its own, got `{configuration}`", hint=f"write `--format {name}`")
    return configured(configuration)


def formats() -> dict[str, str]:
    """What can be read: name -> one line on it."""
    return {name: importer.summary for name, importer in importers().items()}


class FormatFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to know of a format before reading a file of it."""

    name: str
    """The word for ``--format``."""
    summary: str
    """What is read, in one line."""
    version: int
    """Raised when the same bytes give other traces."""
    page: str | None = None
    """Where its documentation stands: a path in this project, or what a third party's importer names as its ``page``."""
    by: str = "seamwise"
    """The package that it comes from."""


def format_facts() -> list[FormatFacts]:
    """What there is to know of each format, third parties' too, by name."""
    return [_facts(importer) for importer in importers().values()]


def _facts(importer: Importer) -> FormatFacts:
    by = type(importer).__module__.partition(".")[0]
    page = getattr(importer, "page", None)
    if by == "seamwise":
        page = f"docs/formats/{importer.name}.md"
    return FormatFacts(
        name=importer.name, summary=importer.summary, version=importer.version, page=page if isinstance(page, str) else None, by=by
    )
