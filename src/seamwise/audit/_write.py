"""Result files: JSON Lines, the summary first, then the results, most severe first."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO, BinaryIO

import msgspec

from seamwise.audit._result import RESULT_VERSION, Result, Summary
from seamwise.errors import SchemaError, UsageError

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Summary | Result).decode

Target = str | os.PathLike[str] | BinaryIO


def write_results(target: Target, summary: Summary, results: Iterable[Result]) -> int:
    """The summary and the results stand in the file, one a line; returns how many results.

    Args:
        target: A path, ``-`` for standard output, or an open binary file.
        summary: The summary.
        results: The results, in their order.

    Raises:
        UsageError: The file cannot be written.
    """
    if not isinstance(target, (str, os.PathLike)):
        return _write(target, summary, results)
    if target == "-":
        n = _write(sys.stdout.buffer, summary, results)
        sys.stdout.buffer.flush()
        return n
    try:
        with open(target, "wb") as file:
            return _write(file, summary, results)
    except OSError as error:
        raise UsageError(f"cannot write `{os.fspath(target)}`: {(error.strerror or str(error)).lower()}") from error


def _write(file: IO[bytes], summary: Summary, results: Iterable[Result]) -> int:
    file.write(_encode(summary) + b"\n")
    n = 0
    for result in results:
        file.write(_encode(result) + b"\n")
        n += 1
    return n


def read_results(source: Target) -> tuple[Summary, list[Result]]:
    """What :func:`write_results` wrote, equal to the last field.

    Raises:
        UsageError: There is no such file.
        SchemaError: A line is no summary or result; the message names it.
    """
    name = "<stdin>" if source == "-" else os.fspath(source) if isinstance(source, (str, os.PathLike)) else "<stream>"
    summary: Summary | None = None
    results: list[Result] = []
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
            results.append(record)
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
    return summary, results


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
