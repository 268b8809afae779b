"""How large, deep and numerous an outside recording may be."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on hostile input. Each can be raised by the caller; what goes over one is named in an error or in the import report."""

    file_bytes: int = 4 << 30
    """Bytes of one file after decompression; a larger file is refused."""
    line_bytes: int = 256 << 20
    """Bytes of one line; a longer line is skipped and counted."""
    expansion: int = 2000
    """How many times larger a file may become by decompression, once it is larger than 64 MiB; beyond that it is refused."""
    depth: int = 64
    """Levels of nesting inside one recorded value; what lies deeper stays text."""
    spans_per_trace: int = 2_000_000
    """Spans and log records of one trace; more are dropped and counted."""
    attributes_per_span: int = 20_000
    """Attributes of one span; more are cut off and noted."""
    notes_per_code: int = 50
    """Notes of one sort that the report holds in full; all are counted."""
