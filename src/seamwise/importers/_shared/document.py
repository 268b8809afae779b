"""A file as JSON values or as lines of text, whatever is wrong with it; every repair is noted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.loose import Damage, lost, values
from seamwise.importers._shared.text import nesting
from seamwise.importers._source import Source, plain_text

_decode = msgspec.json.Decoder().decode
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")


class Piece(NamedTuple):
    """One JSON value of a file."""

    line: int
    """Line on which it stands, from 1; 0: not in a line of its own."""
    value: Any


def documents(source: Source, sink: Sink) -> Iterator[Piece]:
    """The JSON values of a file that is one document, or several one after another.

    What cannot be read is counted as one dropped record and noted.
    """
    content, repair = plain_text(source.read())
    damage = Damage(sink.report, source.path, sink.limits.depth)
    if repair is not None:
        damage.note("encoding", repair)
    value = _plainly(content, sink)
    if value is not _DAMAGED:
        yield Piece(0, value)
        return
    for value in values(content, damage):
        yield Piece(0, value)


def lines(source: Source, sink: Sink) -> Iterator[Piece]:
    """The JSON values of a file of lines (JSON Lines); a line over the limit, or unreadable, is counted as one dropped record."""
    report = sink.report
    if source.head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield from documents(source, sink)
        return
    for number, content in source.lines():
        where = f"{source.path}, line {number}"
        if content is None:
            report.note("line_too_long", where, f"longer than {sink.limits.line_bytes} bytes; skipped")
            lost(Damage(report, where, sink.limits.depth), "a line over the limit")
            continue
        if not content.strip():
            continue
        damage = Damage(report, where, sink.limits.depth)
        if number == 1:
            content, repair = plain_text(content)
            if repair is not None:
                damage.note("encoding", repair)
        value = _plainly(content, sink)
        if value is not _DAMAGED:
            yield Piece(number, value)
            continue
        for value in values(content, damage):
            yield Piece(number, value)


def pieces(source: Source, sink: Sink) -> Iterator[Piece]:
    """The JSON values of a file of either sort: of lines, where its first line is a whole object or list and not the only one."""
    first, _, after = source.head.partition(b"\n")
    if after.strip() and first.strip()[:1] in (b"{", b"[") and first.strip()[-1:] in (b"}", b"]"):
        try:
            _decode(plain_text(first)[0])
        except (msgspec.DecodeError, RecursionError):
            pass
        else:
            return lines(source, sink)
    return documents(source, sink)


def one_document(source: Source, sink: Sink, expected: str) -> Any:
    """The one JSON value of a file; of several, the first.

    Args:
        source: The file.
        sink: Report and limits.
        expected: What the file should hold, for the error.

    Raises:
        FormatError: Nothing in it can be read.
    """
    for piece in documents(source, sink):
        return piece.value
    notes = "; ".join(f"{note.where}: {note.words}" for note in sink.report.notes[:3])
    raise FormatError(f"expected {expected}, got nothing that can be read as JSON", where=source.path, hint=notes or None)


def run_name(source: Source) -> str:
    """A name for the run in a file that names none: the file's own, without folder and endings."""
    if source.path == "-":
        return "stdin"
    return PurePath(source.path).name.split(".")[0] or PurePath(source.path).name


def content_name(word: str, source: Source) -> str:
    """A name for the run in a file that names none: the word and a fingerprint of the file's content.

    So the same file twice is one run, wherever it lies, and two files of one name are two.
    """
    digest = blake2b(digest_size=6)
    with closing(source.open()) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return f"{word}-{digest.hexdigest()}"


def plain(text: str) -> str:
    """A text without terminal escapes."""
    return _ANSI.sub("", text) if "\x1b" in text else text


def text_of_file(source: Source, sink: Sink, *, escapes: bool = False) -> str:
    """The whole text of a file: UTF-8 with what is not replaced, no NUL, no terminal escapes (unless wanted), one sort of line end."""
    content, repair = plain_text(source.read())
    report = sink.report
    if repair is not None:
        report.note("encoding", source.path, repair)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        report.note("bad_utf8", source.path, f"byte {error.start} is not UTF-8; such bytes were replaced")
        text = content.decode("utf-8", "replace")
    if "\0" in text:
        report.note("nul", source.path, "NUL characters were removed")
        text = text.replace("\0", "")
    if "\x1b" in text and not escapes:
        report.note("terminal_escapes", source.path, "terminal escapes (colours) were removed")
        text = plain(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


_DAMAGED = object()


def _plainly(content: bytes, sink: Sink) -> Any:
    """The value of sound JSON; otherwise a mark that it must be read with care."""
    try:
        value = _decode(content)
    except (msgspec.DecodeError, RecursionError):
        return _DAMAGED
    return _DAMAGED if content.count(b"{") + content.count(b"[") > sink.limits.depth and nesting(value) > sink.limits.depth else value
