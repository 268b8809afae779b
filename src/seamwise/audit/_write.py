"""Result files: JSON Lines, the summary first, then the results, most severe first, then the scenes of traces, if there are any."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, BinaryIO

import msgspec

from seamwise.audit._baseline import FAILING
from seamwise.audit._result import RESULT_VERSION, Pictured, Result, Scene, Summary
from seamwise.audit._results import Results
from seamwise.errors import SchemaError, UsageError
from seamwise.kernel import RESOLVED, Status, combine, status_of

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Summary | Result | Scene).decode

_EDITED = "the file was edited or cut; audit again"

Target = str | os.PathLike[str] | BinaryIO


def write_results(target: Target, summary: Summary, results: Iterable[Result], scenes: Iterable[Scene] = ()) -> int:
    """The summary and the results stand in the file, one a line; returns how many results.

    Args:
        target: A path, ``-`` for standard output, or an open binary file.
        summary: The summary.
        results: The results, in their order.
        scenes: The scenes that the summary counts.

    Raises:
        UsageError: The file cannot be written.
    """
    if not isinstance(target, (str, os.PathLike)):
        return _write(target, summary, results, scenes)
    if target == "-":
        n = _write(sys.stdout.buffer, summary, results, scenes)
        sys.stdout.buffer.flush()
        return n
    try:
        with open(target, "wb") as file:
            return _write(file, summary, results, scenes)
    except OSError as error:
        raise UsageError(f"cannot write `{os.fspath(target)}`: {(error.strerror or str(error)).lower()}") from error


def _write(file: IO[bytes], summary: Summary, results: Iterable[Result], scenes: Iterable[Scene]) -> int:
    file.write(_encode(summary) + b"\n")
    n = 0
    for line in lines_of(results):
        file.write(line)
        n += 1
    for scene in scenes:
        file.write(_encode(scene) + b"\n")
    return n


def lines_of(results: Iterable[Result]) -> Iterator[bytes]:
    """The results as they are written, each with its newline."""
    return results.lines() if isinstance(results, Results) else (_encode(result) + b"\n" for result in results)


def read_results(source: Target) -> tuple[Summary, list[Result]]:
    """Summary and results of a result file; :func:`read_written` gives its scenes too, and says what is raised."""
    summary, results, _ = read_written(source)
    return summary, list(results)


def read_written(source: Target) -> Pictured:
    """What :func:`write_results` wrote, equal to the last field.

    Raises:
        UsageError: There is no such file.
        SchemaError: A line is no summary or result, or says what no audit says; the message names it.
    """
    name = "<stdin>" if source == "-" else os.fspath(source) if isinstance(source, (str, os.PathLike)) else "<stream>"
    summary: Summary | None = None
    results: list[Result] = []
    scenes: list[Scene] = []
    for number, line in enumerate(_lines(source, name), 1):
        if not line.strip():
            continue
        try:
            record = _decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise SchemaError(_said(error), where=f"{name}:{number}", hint="is it a result file of `seamwise audit --json`?") from error
        if isinstance(record, Result):
            if summary is None:
                raise SchemaError("expected the summary first, got a result", where=f"{name}:{number}")
            if wrong := _unsound(record):
                raise SchemaError(wrong, where=f"{name}:{number}", hint=_EDITED)
            results.append(record)
        elif isinstance(record, Scene):
            scenes.append(record)
        elif summary is not None:
            raise SchemaError("expected one summary, got a second one", where=f"{name}:{number}", hint="two files were put together")
        elif record.result_version > RESULT_VERSION:
            hint = "written by a newer seamwise; update this one"
            raise SchemaError(
                f"expected result version {RESULT_VERSION}, got `{record.result_version}`", where=f"{name}:{number}", hint=hint
            )
        else:
            summary = record
    if summary is None:
        raise SchemaError("expected a summary, got an empty file", where=name)
    if wrong := _miscounted(summary, results):
        raise SchemaError(wrong, where=name, hint=_EDITED)
    if summary.n_scenes != len(scenes):
        raise SchemaError(f"the summary counts {summary.n_scenes} scenes, there are {len(scenes)}", where=name, hint=_EDITED)
    return Pictured(summary, results, tuple(scenes))


def _unsound(result: Result) -> str | None:
    """What in the result does not go with its status; None where it can be what an audit wrote."""
    status, what = result.status, f"{result.contract}: `{result.status}`"
    if (status in RESOLVED) != (result.witness is not None):
        return f"{what} {'needs' if status in RESOLVED else 'cannot have'} a witness"
    fits = status_of(frozenset(result.possible))
    if fits is not status and (result.possible or status in RESOLVED):
        return f"{what} does not go with the outcomes `{', '.join(result.possible) or 'none'}`"
    if status is Status.UNKNOWN and not result.gaps and not result.reason:
        return f"{what} needs its gaps or a reason"
    if status is Status.MEASUREMENT_INVALID and not result.clashes:
        return f"{what} needs the records that contradict one another"
    if status is Status.NOT_JUDGED and not result.reason:
        return f"{what} needs a reason"
    if result.confirmed is not None and status is not Status.SUPPORTED:
        return f"{what} cannot be `{result.confirmed}`: only a violation is confirmed"
    if result.confirmed == "refuted":
        return f"{what} cannot be `refuted`: what the definition does not confirm is no violation"
    return _alien(result, what) or _uncounted(result, what)


def _alien(result: Result, what: str) -> str | None:
    """A part that no result of this status has."""
    resolved = result.status in RESOLVED
    for name, belongs in (
        ("gaps", result.status is Status.UNKNOWN),
        ("claims", resolved),
        ("order", resolved),
        ("leaning_on", resolved),
        ("without", resolved),
    ):
        if getattr(result, name) and not belongs:
            return f"{what} cannot have `{name}`"
    if bool(result.leaning_on) != (result.without is not None):
        return f"{what} needs both what it leans on and the verdict without that, or neither"
    allowed = {result.status, Status.RULED_OUT} if result.status is Status.NOT_APPLICABLE else {result.status}
    if result.without in RESOLVED and result.without not in allowed and not result.clashes:
        return f"{what} cannot be `{result.without}` without what it leans on: with less it is open at most"
    return None


def _uncounted(result: Result, what: str) -> str | None:
    """Numbers of records that cannot be."""
    if result.evidence_steps < 0:
        return f"{what} read {result.evidence_steps} records"
    steps = {(s.trace, s.step) for s in result.witness or ()}
    if len(steps) > result.evidence_steps:
        return f"{what} read {result.evidence_steps} records, and its witness holds {len(steps)}"
    return None


def _miscounted(summary: Summary, results: Iterable[Result]) -> str | None:
    """What the summary says otherwise than the results; None where they agree."""
    results = list(results)
    if min(summary.n_files, summary.n_traces, summary.n_steps) < 0:
        return "the summary's numbers of files, traces and steps cannot be negative"
    counted: dict[str, dict[str, int]] = {}
    one: dict[str, tuple[str, bool]] = {}
    for result in results:
        if one.setdefault(result.contract, (result.kind, result.required)) != (result.kind, result.required):
            return f"the results of `{result.contract}` are of two kinds, or required and not required"
        mine = counted.setdefault(result.contract, {})
        mine[result.status.value] = mine.get(result.status.value, 0) + 1
    for contract in dict.fromkeys([*summary.contracts, *counted]):
        said, found = summary.contracts.get(contract), counted.get(contract, {})
        if said != found:
            return f"the summary counts {_counts(said)} of `{contract}`, the results are {_counts(found)}"
    if summary.fresh is not None:
        new = dict(Counter(r.status.value for r in results if r.status in FAILING and r.accepted is None))
        if summary.fresh.new != new:
            return f"the summary counts {_counts(summary.fresh.new)} as new, the results are {_counts(new)}"
    for word, said_worst, worst in (
        ("worst", summary.worst, combine(r.status for r in results)),
        ("worst_required", summary.worst_required, combine(r.status for r in results if r.required)),
    ):
        if said_worst is not worst:
            return f"the summary's {word} is `{said_worst}`, that of the results `{worst}`"
    return None


def _counts(counts: dict[str, int] | None) -> str:
    return ", ".join(f"{n} {status}" for status, n in (counts or {}).items()) or "none"


def _said(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


def _lines(source: Target, name: str) -> Iterator[bytes]:
    if not isinstance(source, (str, os.PathLike)):
        yield from source
    elif source == "-":
        yield from sys.stdin.buffer
    else:
        try:
            with open(source, "rb") as file:
                yield from file
        except OSError as error:
            raise UsageError(f"cannot read `{name}`: {(error.strerror or str(error)).lower()}") from error
