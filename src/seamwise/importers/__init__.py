"""Recordings that others made, as traces.

An importer turns outside bytes into traces and an *import report*: what it kept, merged and dropped, what the recording does not say,
and which claims it makes and why. It invents nothing: a recipient, an order, an ending or a permission that was not recorded stays
absent. Evaluation labels inside recordings are put aside, sealed, and never stand in a trace.

    recording = open_recording("run.otlp.jsonl")
    for trace in recording.traces:
        ...
    recording.report.check()

One file of this package is one format; its object ``IMPORTER`` has the shape of :class:`Importer`. Third parties add formats through the
entry point group ``seamwise.importers``. Formats are told by content, never by the name of a file.
"""

from seamwise.importers._limits import Limits
from seamwise.importers._open import Found, Recording, open_recording, recordings
from seamwise.importers._registry import FormatFacts, Importer, Sink, format_facts, formats, importers
from seamwise.importers._report import ImportReport, Label, Note
from seamwise.importers._source import Line, Source
from seamwise.importers._wanted import LEFT_OUT, Partial, ScatteredError, Wanted, whole
from seamwise.importers._workers import Workers, workers

__all__ = [
    "LEFT_OUT",
    "FormatFacts",
    "Found",
    "ImportReport",
    "Importer",
    "Label",
    "Limits",
    "Line",
    "Note",
    "Partial",
    "Recording",
    "ScatteredError",
    "Sink",
    "Source",
    "Wanted",
    "Workers",
    "format_facts",
    "formats",
    "importers",
    "open_recording",
    "recordings",
    "whole",
    "workers",
]
