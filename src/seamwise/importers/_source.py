"""A file as an importer sees it: bytes, decompressed, within limits, from the beginning as often as wanted."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from seamwise.errors import FormatError, LimitError, MissingExtraError, near_name
from seamwise.importers._limits import Limits

HEAD_BYTES = 1 << 16
"""How many bytes, after decompression, sniffing may look at."""

_BLOCK = 1 << 20
_FREE_EXPANSION = 64 << 20
_FEED = 4096
"""Compressed bytes taken at a time: few enough that the worst of them make 128 MiB."""
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Line(NamedTuple):
    """One line of a file; ``content`` is None where the line was longer than the limit."""

    number: int
    content: bytes | None


class Source:
    """One file, or standard input (``-``). Gzip and zstd are undone, by content.

    Args:
        path: The file, or ``-``.
        limits: What it may cost.

    Raises:
        FormatError: The file cannot be opened, or its compression is damaged (while reading).
        LimitError: It is larger than the limits allow (while reading).
    """

    def __init__(self, path: str | Path, limits: Limits) -> None:
        self.path = str(path)
        self.limits = limits
        self._stdin: bytes | None = None
        try:
            if self.path == "-":
                self._stdin = sys.stdin.buffer.read(limits.file_bytes + 1)
            with closing(self.open()) as stream:
                self.head = stream.read(HEAD_BYTES)
                self.is_short = len(self.head) < HEAD_BYTES
        except OSError as error:
            raise FormatError(f"cannot read the file: {error.strerror or error}", where=self.path, hint=_at_hand(self.path)) from error

    def open(self) -> IO[bytes]:
        """The bytes from the beginning.

        Raises:
            LimitError: The file is too large; a compressed one says so while it is read.
        """
        raw: IO[bytes] = io.BytesIO(self._stdin) if self._stdin is not None else open(self.path, "rb", buffering=_BLOCK)  # noqa: SIM115
        magic = raw.read(4)
        raw.seek(0)
        if magic[:2] == _GZIP:
            return _buffered(_Counted(cast("IO[bytes]", gzip.GzipFile(fileobj=raw)), raw, self))
        if magic == _ZSTD:
            return _buffered(_Counted(cast("IO[bytes]", _Zstd(raw, self.path)), raw, self))
        size = len(self._stdin) if self._stdin is not None else os.fstat(raw.fileno()).st_size
        if size > self.limits.file_bytes:
            raw.close()
            raise _too_large(self)
        return raw

    def read(self) -> bytes:
        """The whole content."""
        with closing(self.open()) as stream:
            parts = []
            while block := stream.read(_BLOCK):
                parts.append(block)
        return b"".join(parts)

    def lines(self) -> Iterator[Line]:
        """The lines with their numbers from 1, line ends kept; a line over the limit is skipped, its content None."""
        longest = self.limits.line_bytes
        with closing(self.open()) as stream:
            number = 0
            while content := stream.readline(longest + 1):
                number += 1
                if len(content) > longest:
                    while content and not content.endswith(b"\n"):
                        content = stream.readline(_BLOCK)
                    yield Line(number, None)
                else:
                    yield Line(number, content)


def _at_hand(path: str) -> str | None:
    """What could be read instead: a file inside, where a folder is named, or one of nearly that name beside it."""
    if os.path.isdir(path):
        return f"name a file of it, as in `{os.path.join(path, _first_file(path))}`"
    return None if os.path.exists(path) else near_name(path)


def _first_file(folder: str) -> str:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file() and not entry.name.startswith("."))
    except OSError:
        names = []
    return names[0] if names else "FILE"


def _buffered(stream: io.RawIOBase) -> IO[bytes]:
    return cast("IO[bytes]", io.BufferedReader(stream, _BLOCK))


def _too_large(source: Source) -> LimitError:
    return LimitError(
        f"expected at most `{source.limits.file_bytes}` bytes, got more",
        where=source.path,
        hint="raise `Limits.file_bytes`, or split the file",
    )


class _Counted(io.RawIOBase):
    """A stream that stops with an error where the limits end."""

    def __init__(self, stream: IO[bytes], packed: IO[bytes], source: Source) -> None:
        super().__init__()
        self._stream = stream
        self._packed = packed
        self._source = source
        self._n = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def read(self, size: int = -1) -> bytes:
        try:
            content = self._stream.read(size)
        except Exception as error:
            if not isinstance(error, (OSError, EOFError, zlib.error)) and type(error).__name__ != "ZstdError":
                raise
            raise FormatError(f"the compressed file is damaged: {error}", where=f"{self._source.path}, after byte {self._n}") from error
        self._n += len(content)
        limits = self._source.limits
        if self._n > limits.file_bytes:
            raise _too_large(self._source)
        if self._n > _FREE_EXPANSION and self._n > limits.expansion * max(1, self._packed.tell()):
            raise LimitError(
                f"expected a file that grows at most {limits.expansion}-fold by decompression, got more",
                where=self._source.path,
                hint="this looks like a decompression bomb; raise `Limits.expansion` if it is not",
            )
        return content

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            self._packed.close()
        super().close()


class _Zstd(io.RawIOBase):
    """Frames of zstd, one after another; unlike the library's own reader it says when a frame breaks off."""

    def __init__(self, raw: IO[bytes], path: str) -> None:
        super().__init__()
        try:
            import zstandard
        except ImportError as error:
            raise MissingExtraError("the file is compressed with zstd", where=path, hint="install `zstandard`") from error
        self._frame = zstandard.ZstdDecompressor
        self._raw = raw
        self._open: Any = None
        self._rest = b""
        self._made = b""
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        while self._at == len(self._made):
            fed = self._rest or self._raw.read(_FEED)
            self._rest = b""
            if not fed:
                if self._open is not None:
                    raise EOFError("it breaks off")
                return b""
            if self._open is None:
                self._open = self._frame().decompressobj()
            self._made, self._at = self._open.decompress(fed), 0
            if self._open.eof:
                self._rest = self._open.unused_data
                self._open = None
        start = self._at
        self._at = len(self._made) if size < 0 else min(len(self._made), start + size)
        return self._made[start : self._at]


def plain_text(content: bytes) -> tuple[bytes, str | None]:
    """UTF-8 without a byte order mark, and what had to be done for it (None: nothing).

    UTF-16 is transcoded; what is not valid UTF-8 stays as it is, for the reader to find.
    """
    if content.startswith(b"\xef\xbb\xbf"):
        return content[3:], "a UTF-8 byte order mark was removed"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content[: len(content) & ~1].decode("utf-16", "replace").encode("utf-8", "replace"), "UTF-16 was converted to UTF-8"
    return content, None
