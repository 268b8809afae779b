"""Native traces: reading and writing.

A native file is JSON Lines in UTF-8, optionally zstd (told by content). A header line begins a trace, its steps follow, one a line; a
file may hold many traces. The header carries the schema version under the key ``seamwise``, which no step has.

What comes back is what was written, to the last bit: integers of any size, every string (a lone surrogate is written as its escape),
nested data. What JSON cannot hold (NaN, infinities, tuples or non-string keys inside ``data``, a high surrogate followed by a low one)
is refused when it is written, never changed. Where one JSON object names a key twice, the last one counts, as in every JSON reader of
Python.

Reading decodes the steps of a trace in one call of msgspec over their bytes, so it costs what decoding costs; every line that is not
plainly a good step is looked at again by :mod:`seamwise.record._line`, which explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec

from seamwise.errors import LimitError, MissingExtraError, SchemaError, SeamwiseError, UsageError
from seamwise.record._canonical import check_exact, json_bytes, record_name, without_copies
from seamwise.record._damage import DEFAULT_LIMITS, Limits, ReadReport
from seamwise.record._line import HEADER_PREFIX, read_line
from seamwise.record._reader import Reader
from seamwise.record._source import Source, opened_for_writing, read_blocks, source_name
from seamwise.record._step import Step
from seamwise.record._trace import SCHEMA_VERSION, Header, Trace

_ENCODER = msgspec.json.Encoder()
_STEPS = msgspec.json.Decoder(Step)
_id_of = attrgetter("id")


def read_traces(source: Source, *, limits: Limits = DEFAULT_LIMITS, report: ReadReport | None = None) -> Iterator[Trace]:
    """The traces of a native file, one after another; memory holds one at a time.

    With a ``report``, what is damaged is left out, listed there, and reading goes on: a bad line costs its step, a bad header its trace.
    Without one, the first loss raises. A step that stands twice in a trace is given once and counted; two different steps with one id
    are both given and noted.

    Args:
        source: A path, ``-`` for standard input, or an open binary file.
        limits: How much is read before it is refused.
        report: Where damage and counts go.

    Raises:
        UsageError: There is no such file.
        FormatError: Something could not be read (without a report).
        LimitError: Something is larger or deeper than the limits allow (without a report).
        SchemaError: A line does not fit the schema (without a report).
    """
    reader = Reader(source_name(source), limits, report)
    try:
        for block in read_blocks(source, limits):
            yield from reader.feed(block)
    except (UsageError, MissingExtraError):
        raise
    except SeamwiseError as error:
        if report is None:
            raise
        yield from reader.break_off(error)
        return
    yield from reader.finish()


def write_traces(target: Source, traces: Iterable[Trace], *, limits: Limits = DEFAULT_LIMITS) -> int:
    """The traces stand in the file, header and steps, and read back equal; returns how many.

    A trace is written whole or not at all: every line is read back before it leaves.

    Args:
        target: A path (``.zst`` compresses), ``-`` for standard output, or an open binary file.
        traces: What to write.
        limits: What a reader will accept.

    Raises:
        UsageError: The file cannot be written.
        SchemaError: A trace holds what JSON or the schema cannot, so that it would not read back equal.
        LimitError: A line is deeper or longer than a reader with these limits accepts.
    """
    n_traces = 0
    with opened_for_writing(target) as file:
        for trace in traces:
            file.write(encode_trace(trace, limits=limits))
            n_traces += 1
    return n_traces


def encode_trace(trace: Trace, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The lines of a trace, which read back equal.

    Raises:
        SchemaError: It holds what cannot be written.
        LimitError: It is larger or deeper than ``limits``.
    """
    name = f"trace `{trace.id}`"
    if trace.header.schema_version != SCHEMA_VERSION:
        message = f"expected schema version {SCHEMA_VERSION} in a trace that is written, got `{trace.header.schema_version}`"
        raise SchemaError(message, where=name)
    if len(trace.steps) > limits.max_steps:
        raise LimitError(f"expected at most {limits.max_steps} steps, got {len(trace.steps)}", where=name)
    if len(set(map(_id_of, trace.steps))) != len(trace.steps) and len(without_copies(trace.steps)[0]) != len(trace.steps):
        hint = "a reader drops copies; drop them before writing"
        raise SchemaError("expected every step once, got identical copies", where=name, hint=hint)
    return encode_record(trace.header, limits=limits) + _encode_steps(trace.steps, limits)


def encode_record(record: Header | Step, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """One line, which reads back equal; see :func:`encode_trace`."""
    line = json_bytes(record)
    if isinstance(record, Header):
        line = HEADER_PREFIX + b":%d," % SCHEMA_VERSION + line[1:]
    if len(line) >= limits.max_line_bytes:
        raise LimitError(f"expected a line of at most {limits.max_line_bytes} bytes, got {len(line) + 1}", where=record_name(record))
    back = read_line(line, max_depth=limits.max_depth)
    if back.damage:
        raise msgspec.structs.replace(back.damage[0], file=record_name(record)).error()
    check_exact(record, back.record)
    return line + b"\n"


def _encode_steps(steps: tuple[Step, ...], limits: Limits) -> bytes:
    """All steps at once where they are plainly good, else one by one, so that the error names the one that is not."""
    try:
        lines = _ENCODER.encode_lines(steps)
        plain = lines.count(b"}") + lines.count(b"]") - len(steps) < limits.max_depth and len(lines) <= limits.max_line_bytes
        if plain and tuple(_STEPS.decode_lines(lines)) == steps:
            return lines
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError, OverflowError):
        pass
    return b"".join(encode_record(step, limits=limits) for step in steps)
