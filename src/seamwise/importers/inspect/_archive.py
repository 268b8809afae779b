"""The members of a ZIP archive, also of one that breaks off, holds members twice, or means harm.

The list of members is the archive's own (its central directory) where it can be read; else the members are found one after another by the
headers before them, which is how far a killed run got. Members are unpacked here and not by ``zipfile``, because newer logs are packed with
zstd, which it does not know, and because what a member grows to has to be bounded while it grows.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from seamwise.errors import FormatError, LimitError, MissingExtraError, SeamwiseError
from seamwise.importers._registry import Sink
from seamwise.importers._source import Source

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_HEADER, _DIRECTORY, _DESCRIPTOR = b"PK\x03\x04", b"PK\x01\x02", b"PK\x07\x08"
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_FREE = 64 << 20
_BLOCK = 1 << 18
_NO_SIZE = 0xFFFFFFFF


class Member(NamedTuple):
    """One member of an archive."""

    name: str
    start: int
    """Where its packed bytes begin."""
    packed: int | None
    """How many they are; None: nobody says."""
    method: int
    crc: int | None
    """Checksum of the content, where it is known."""


class Archive:
    """An archive in memory.

    Args:
        source: The file.
        sink: Report and limits.
    """

    def __init__(self, source: Source, sink: Sink) -> None:
        self._content = memoryview(source.read())
        self._path = source.path
        self._sink = sink
        self._made = 0
        """Bytes unpacked so far, of all members."""
        self.members: dict[str, Member] = {}
        """The last member of each name."""
        for member in self._listed():
            if member.name in self.members:
                self._lost(
                    self.members[member.name], "an earlier copy of a member of the archive", "the archive holds it again; the last counts"
                )
            self.members[member.name] = member

    def read(self, name: str) -> bytes | None:
        """The content of a member; None where it is damaged, which is noted and counted.

        Raises:
            LimitError: It grows beyond the limits.
        """
        member = self.members[name]
        try:
            content = b"".join(self._unpacked(member))
        except SeamwiseError:
            raise  # such an error is a ValueError too
        except (zlib.error, EOFError, ValueError) as error:
            self._lost(member, "a damaged member of the archive", str(error))
            return None
        if member.crc is not None and zlib.crc32(content) != member.crc:
            self._sink.report.note("bad_checksum", self._where(member), "the member's content is not what its checksum says; it was kept")
        return content

    def _where(self, member: Member) -> str:
        return f"{self._path}, member {ascii(member.name)[1:-1][:120]}"

    def _lost(self, member: Member, reason: str, words: str) -> None:
        self._sink.report.records += 1
        self._sink.report.drop(reason)
        self._sink.report.note("archive", self._where(member), words)

    # ---- which members there are ----

    def _listed(self) -> Iterator[Member]:
        try:
            with zipfile.ZipFile(io.BytesIO(self._content)) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OverflowError, EOFError, IndexError, OSError) as error:
            self._sink.report.note(
                "no_directory",
                self._path,
                f"the archive has no list of members that can be read ({error}); they were found by their headers",
            )
            yield from self._found()
            return
        self._apart(entries)
        for entry in entries:
            head = self._local(entry.header_offset)
            member = Member(entry.filename, head[1] if head else 0, entry.compress_size, entry.compress_type, entry.CRC)
            if head is None:
                self._lost(member, "a damaged member of the archive", "its header is not where the list of members says")
            elif entry.flag_bits & 1:
                self._lost(member, "an encrypted member of the archive", "it is encrypted")
            elif not entry.is_dir():
                yield member

    def _apart(self, entries: list[zipfile.ZipInfo]) -> None:
        """Returns if the members lie one after another: many that share their bytes grow to more than any of them is said to."""
        end = 0
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            if entry.header_offset < end:
                raise FormatError(
                    "expected an archive whose members lie one after another, got members that overlap",
                    where=f"{self._path}, member {ascii(entry.filename)[1:-1][:120]}",
                    hint="this looks like a decompression bomb",
                )
            end = entry.header_offset + _LOCAL.size + entry.compress_size

    def _local(self, offset: int) -> tuple[Member, int] | None:
        """The member whose header stands at an offset, and where its bytes begin."""
        try:
            signature, _, flags, method, _, _, crc, packed, size, n_name, n_extra = _LOCAL.unpack_from(self._content, offset)
        except (struct.error, ValueError, OverflowError):
            return None
        if signature != _HEADER:
            return None
        at = offset + _LOCAL.size
        name = bytes(self._content[at : at + n_name]).decode("utf-8" if flags & 0x800 else "cp437", "replace")
        start = at + n_name + n_extra
        if packed == _NO_SIZE or size == _NO_SIZE:
            packed = _zip64(bytes(self._content[at + n_name : start]), size == _NO_SIZE)
        known = not flags & 8
        return Member(name, start, packed if known else None, method, crc if known else None), start

    def _found(self) -> Iterator[Member]:
        """Members by their headers; one that breaks off is the last."""
        content = bytes(self._content)
        at, n = content.find(_HEADER), 0
        while at >= 0 and n < self._sink.limits.spans_per_trace:
            head = self._local(at)
            if head is None:
                return
            member, n = head[0], n + 1
            end = self._end(member, content)
            if not member.name.endswith("/"):
                yield member
            at = content.find(_HEADER, max(end, at + 4))

    def _end(self, member: Member, content: bytes) -> int:
        """Where the bytes of a member end."""
        if member.packed is not None:
            return min(member.start + member.packed, len(content))
        if member.method == _STORED:
            ends = [e for e in (content.find(sign, member.start) for sign in (_DESCRIPTOR, _HEADER, _DIRECTORY)) if e >= 0]
            return min(ends, default=len(content))
        at, n = member.start, 0
        try:
            made = _unpacker(member.method, self._path)
            while at < len(content) and not made.eof:
                block = content[at : at + _BLOCK]
                n += len(made.decompress(block, _BLOCK) if member.method == _DEFLATED else made.decompress(block))
                at += len(block)
                while member.method == _DEFLATED and not made.eof:
                    grown = len(made.decompress(made.unconsumed_tail, _BLOCK))
                    if not grown and not made.unconsumed_tail:
                        break
                    n += grown
                    self._bounded(n, member)
                self._bounded(n, member)
            return at - len(made.unused_data)
        except SeamwiseError:
            raise
        except (zlib.error, ValueError):
            return member.start

    # ---- what is in them ----

    def _unpacked(self, member: Member) -> Iterator[bytes]:
        packed = self._content[member.start : None if member.packed is None else member.start + member.packed]
        if member.packed is not None and len(packed) < member.packed:
            raise EOFError("the archive breaks off inside it")
        if member.method == _STORED:
            if member.packed is None:
                packed = packed[: self._end(member, bytes(self._content)) - member.start]
            self._grown(len(packed), member)
            yield bytes(packed)
            return
        made = _unpacker(member.method, self._path)
        at = 0
        while at < len(packed) and not made.eof:
            block = bytes(packed[at : at + (_BLOCK if member.method == _DEFLATED else 4096)])
            at += len(block)
            if member.method == _DEFLATED:
                while not made.eof:
                    grown = made.decompress(block, _BLOCK)
                    block = made.unconsumed_tail
                    if not grown and not block:
                        break
                    self._grown(len(grown), member)
                    yield grown
            else:
                grown = made.decompress(block)
                self._grown(len(grown), member)
                yield grown
        if not made.eof:
            raise EOFError("it breaks off")

    def _grown(self, n: int, member: Member) -> None:
        """Counts unpacked bytes against the limits."""
        self._made += n
        self._bounded(self._made, member)

    def _bounded(self, made: int, member: Member) -> None:
        limits = self._sink.limits
        if made > limits.file_bytes:
            raise LimitError(
                f"expected at most `{limits.file_bytes}` bytes in the members of the archive, got more",
                where=self._where(member),
                hint="raise `Limits.file_bytes`",
            )
        if made > _FREE and made > limits.expansion * max(len(self._content), 1):
            raise LimitError(
                f"expected an archive that grows at most {limits.expansion}-fold, got more",
                where=self._where(member),
                hint="this looks like a decompression bomb; raise `Limits.expansion` if it is not",
            )


def _unpacker(method: int, path: str) -> Any:
    if method == _DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS)
    if method == _ZSTD:
        try:
            import zstandard
        except ImportError as error:
            raise MissingExtraError("a member of the archive is compressed with zstd", where=path, hint="install `zstandard`") from error
        return _Zstd(zstandard)
    raise ValueError(f"it is packed by method {method}, which is not known")


class _Zstd:
    """A frame of zstd with the errors of this module."""

    def __init__(self, library: Any) -> None:
        self._frame = library.ZstdDecompressor().decompressobj()
        self._error = library.ZstdError

    def decompress(self, block: bytes) -> bytes:
        try:
            return bytes(self._frame.decompress(block))
        except self._error as error:
            raise ValueError(f"its compression is damaged: {error}") from error

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)


def _zip64(extra: bytes, size_too: bool) -> int | None:
    """The packed size that stands in the extra field of a large member."""
    at = 0
    while at + 4 <= len(extra):
        tag, length = struct.unpack_from("<HH", extra, at)
        if tag == 1:
            place = at + 4 + (8 if size_too else 0)
            return int(struct.unpack_from("<Q", extra, place)[0]) if place + 8 <= len(extra) else None
        at += 4 + length
    return None


def not_an_archive(path: str) -> FormatError:
    """The error for an archive in which nothing was found."""
    return FormatError("expected an evaluation log, got an archive without samples that can be read", where=path)
