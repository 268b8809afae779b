"""What an import kept, merged, dropped, could not know and claims."""

from __future__ import annotations

from typing import Any

import msgspec

from seamwise.errors import SchemaError


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the recording that a reader of verdicts should know."""

    code: str
    """A short stable word: ``negative_duration``, ``parent_cycle`` ..."""
    where: str
    """File position, trace and span, as far as they apply."""
    words: str
    """What was found and what was made of it, in one sentence."""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation label found inside a recording: sealed, never part of a trace."""

    trace: str
    """Id of the trace it was found in."""
    step: str | None = None
    """Id of the step whose record held it."""
    key: str
    """The name under which it was recorded."""
    value: Any = None
    """As recorded."""


class ImportReport(msgspec.Struct, kw_only=True):
    """What became of every record of one file. It is filled while the traces are read, and final once ``finished`` is set.

    INVARIANT: once finished, ``records == kept + merged + sum(dropped.values())``.
    """

    format: str
    """Name of the importer."""
    file: str
    """The file as it was named."""
    records: int = 0
    """Records that arrived: spans and log records, or what the format counts; a piece that cannot be read counts as one."""
    kept: int = 0
    """Records that stand in a trace."""
    merged: int = 0
    """Records that repeated another one and added nothing."""
    dropped: dict[str, int] = {}
    """Reason -> records that stand in no trace."""
    harmless: dict[str, int] = {}
    """Of ``dropped``: records that are no part of the run (metrics, evaluation labels), so that nothing is lost with them."""
    traces: int = 0
    """Traces given out."""
    steps: int = 0
    """Steps in them."""
    notes: list[Note] = []
    """Up to ``Limits.notes_per_code`` notes of each sort; ``note_counts`` counts all."""
    note_counts: dict[str, int] = {}
    """Code -> how often it was noted."""
    unknown: dict[str, int] = {}
    """What the recording does not say -> for how many records."""
    claims: dict[str, int] = {}
    """Basis of claims made -> how many."""
    sealed: dict[str, int] = {}
    """Name of an evaluation label put aside -> how often."""
    finished: bool = False
    """Whether the file was read to its end."""
    notes_per_code: int = 50
    """How many notes of one sort are held in full."""

    def note(self, code: str, where: str, words: str) -> None:
        """One more note; beyond ``notes_per_code`` of its sort it is only counted."""
        n = self.note_counts.get(code, 0)
        self.note_counts[code] = n + 1
        if n < self.notes_per_code:
            self.notes.append(Note(code=code, where=where, words=words))

    @property
    def n_lost(self) -> int:
        """Records that were dropped and may have held a step of the run."""
        return sum(self.dropped.values()) - sum(self.harmless.values())

    def drop(self, reason: str, n: int = 1, *, harmless: bool = False) -> None:
        """Counts records that arrived before and stand in no trace; ``harmless``: they are no part of the run."""
        self.dropped[reason] = self.dropped.get(reason, 0) + n
        if harmless:
            self.harmless[reason] = self.harmless.get(reason, 0) + n

    def not_known(self, what: str, n: int = 1) -> None:
        """Counts records for which the recording does not say something."""
        self.unknown[what] = self.unknown.get(what, 0) + n

    def check(self) -> None:
        """Returns if the counts add up.

        Raises:
            SchemaError: The file was not read to its end, or a record is unaccounted for.
        """
        if not self.finished:
            raise SchemaError("expected a finished import report, got one of a file that was not read to its end", where=self.file)
        dropped = sum(self.dropped.values())
        if self.records != self.kept + self.merged + dropped or min(self.kept, self.merged, *self.dropped.values(), 0) < 0:
            raise SchemaError(
                f"expected records to be kept, merged or dropped, got `{self.records}` records, `{self.kept}` kept, "
                f"`{self.merged}` merged, `{dropped}` dropped",
                where=self.file,
                hint="this is a defect of the importer, please report it",
            )
