"""Bytes in and out: files, standard streams, zstd by content."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, cast

from seamwise.errors import FormatError, LimitError, MissingExtraError, UsageError
from seamwise.record._damage import MIB, Limits

Source = str | os.PathLike[str] | BinaryIO
"""A path, ``-`` for the standard stream, or an open binary file."""

_BLOCK_BYTES = MIB
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SNIFF_BYTES = 4
"""The first block has at least so many, where the file has: enough to know zstd and a byte order mark by."""
_ZSTD_FEED_BYTES = 4096
"""Little enough that the worst frame makes at most 128 MiB of it in one call."""
_RATIO_FROM_BYTES = 16 * MIB


def source_name(source: Source) -> str:
    """The name by which messages call a source."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == "-" else os.fspath(source)
    return str(getattr(source, "name", "<stream>"))


def read_blocks(source: Source, limits: Limits) -> Iterator[bytes]:
    """The bytes of a source in large blocks, decompressed where they are zstd.

    Raises:
        UsageError: There is no such file, or it is not one that may be read.
        FormatError: The operating system or the compression failed on the way.
        LimitError: More bytes, or a higher ratio, than the limits allow.
    """
    name = source_name(source)
    with _opened_for_reading(source, name) as file:
        blocks = _raw_blocks(file, name)
        first = next(blocks, b"")
        while 0 < len(first) < _SNIFF_BYTES and (more := next(blocks, b"")):
            first += more
        if first.startswith(_ZSTD_MAGIC):
            yield from _decompressed(first, blocks, name, limits)
            return
        n_bytes = 0
        block: bytes | None = first
        while block:
            n_bytes += len(block)
            if n_bytes > limits.max_bytes:
                raise LimitError(f"expected at most {limits.max_bytes} bytes, got more", where=name, hint="raise `max_bytes`")
            yield block
            block = next(blocks, None)


@contextmanager
def opened_for_writing(target: Source) -> Iterator[IO[bytes]]:
    """A binary file to write to; compressed where the path ends in ``.zst``."""
    if not isinstance(target, (str, os.PathLike)):
        yield target
        return
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = os.fspath(target)
    compressor = _zstandard(path).ZstdCompressor(level=10, write_checksum=True) if path.endswith(".zst") else None
    try:
        file = open(path, "wb")  # noqa: SIM115 - closed below; only the opening is in the try
    except OSError as error:
        raise UsageError(f"cannot write `{path}`: {(error.strerror or str(error)).lower()}") from error
    with file:
        if compressor is None:
            yield file
            return
        with compressor.stream_writer(file, closefd=False) as stream:
            yield cast("IO[bytes]", stream)


@contextmanager
def _opened_for_reading(source: Source, name: str) -> Iterator[BinaryIO]:
    if not isinstance(source, (str, os.PathLike)):
        yield source
        return
    if source == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(source, "rb")  # noqa: SIM115 - closed below; only the opening is in the try
    except (OSError, ValueError) as error:
        what = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(f"cannot read `{name}`: {what}") from error
    with file:
        yield file


def _raw_blocks(file: BinaryIO, name: str) -> Iterator[bytes]:
    while True:
        try:
            block = file.read(_BLOCK_BYTES)
        except OSError as error:
            raise FormatError(f"cannot read on: {(error.strerror or str(error)).lower()}", where=name) from error
        if not block:
            return
        yield block


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError(f"`{name}` is zstd and `zstandard` is not installed", hint="pip install zstandard") from error
    return zstandard


def _decompressed(first: bytes, blocks: Iterator[bytes], name: str, limits: Limits) -> Iterator[bytes]:
    """Every frame of a zstd file, in blocks. A frame that does not end is an error, after all that it held was given."""
    zstandard = _zstandard(name)
    n_in = n_out = 0
    engine: Any = None
    gathered: list[bytes] = []
    n_gathered = 0
    feed = b""
    source: bytes | None = first
    while source:
        at = 0
        while feed or at < len(source):
            if not feed:
                feed, at = source[at : at + _ZSTD_FEED_BYTES], at + _ZSTD_FEED_BYTES
                n_in += len(feed)
            if engine is None:
                engine = zstandard.ZstdDecompressor(max_window_size=128 * MIB).decompressobj()
            try:
                out = engine.decompress(feed)
            except zstandard.ZstdError as error:
                if gathered:
                    yield b"".join(gathered)
                raise FormatError(f"expected zstd, got damaged bytes ({error})", where=name) from error
            feed = b""
            if engine.eof:
                feed, engine = engine.unused_data, None
            if out:
                n_out += len(out)
                n_gathered += len(out)
                gathered.append(out)
                refusal = _refuse_expansion(n_in, n_out, name, limits)
                if refusal is not None or n_gathered >= _BLOCK_BYTES:
                    yield b"".join(gathered)
                    gathered, n_gathered = [], 0
                if refusal is not None:
                    raise refusal
        source = next(blocks, None)
    if gathered:
        yield b"".join(gathered)
    if engine is not None:
        raise FormatError(
            "expected the end of the zstd frame, got the end of the file", where=name, hint="the file was cut off; copy it again"
        )


def _refuse_expansion(n_in: int, n_out: int, name: str, limits: Limits) -> LimitError | None:
    if n_out > limits.max_bytes:
        return LimitError(f"expected at most {limits.max_bytes} bytes after decompression, got more", where=name, hint="raise `max_bytes`")
    if n_out > _RATIO_FROM_BYTES and n_out > n_in * limits.max_ratio:
        return LimitError(
            f"expected at most {limits.max_ratio} bytes for one compressed byte, got {n_out // n_in}",
            where=name,
            hint="decompress the file by hand if it is trusted, or raise `max_ratio`",
        )
    return None
