"""All results of an audit in their order, read off a file when they are looked at, and their counts."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, NamedTuple, overload

from seamwise.audit._place import contract_of
from seamwise.audit._result import Result, Summary
from seamwise.audit._spool import Kept
from seamwise.audit._told import decode, marked_status
from seamwise.binding import Contract
from seamwise.kernel import combine

_IN_MEMORY = 1 << 20
"""Results of so many bytes need no file."""
_CHUNK = 1 << 16


class Results(Sequence[Result]):
    """The results of an audit, most severe first, then in the order of the pack, then by instance.

    It is a sequence like any other. A result is made when it is asked for and is let go with its last reference, so looking at a
    million of them one after the other needs the memory of one.
    """

    def __init__(self, file: IO[bytes], starts: Sequence[int]) -> None:
        self._file = file
        self._starts = starts
        """Where each line begins, and where the last one ends."""

    def __del__(self) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...

    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self._at(n) for n in range(*index.indices(len(self)))]
        n = range(len(self))[index]
        return self._at(n)

    def _at(self, n: int) -> Result:
        self._file.seek(self._starts[n])
        return decode(self._file.read(self._starts[n + 1] - self._starts[n]))

    def __iter__(self) -> Iterator[Result]:
        return map(decode, self.lines())

    def lines(self) -> Iterator[bytes]:
        """The results as they are written, each with its newline."""
        at, end = 0, self._starts[-1]
        rest = b""
        while at < end:
            self._file.seek(at)  # others may look at other places meanwhile
            more = self._file.read(min(_CHUNK, end - at))
            at += len(more)
            lines = (rest + more).splitlines(keepends=True)
            rest = b"" if lines[-1].endswith(b"\n") else lines.pop()
            yield from lines

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Results):
            return len(self) == len(other) and all(a == b for a, b in zip(self.lines(), other.lines(), strict=True))
        if not isinstance(other, list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} results>"


class Ordered(NamedTuple):
    """A summary and the results that it counts."""

    summary: Summary
    results: Results


def ordered(results: Iterable[Kept], contracts: Sequence[Contract], **told: Any) -> Ordered:
    """The results and their counts.

    Args:
        results: In their order.
        contracts: The pack's contracts.
        told: What else the summary says.
    """
    file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, prefix="seamwise-")  # noqa: SIM115  open as long as the results
    starts = array("Q", [0])
    at = 0
    counts: list[dict[int, int]] = [{} for _ in contracts]
    met: dict[int, None] = {}
    for place, mark, line in results:
        file.write(line)
        file.write(b"\n")
        at += len(line) + 1
        starts.append(at)
        mine = counts[contract_of(place)]
        mine[mark] = mine.get(mark, 0) + 1
        met[mark] = None
    by_contract: dict[str, dict[str, int]] = {}
    for contract, found in zip(contracts, counts, strict=True):
        by_status = by_contract[contract.name] = {}
        for mark, n in found.items():
            status = marked_status(mark)[0].value
            by_status[status] = by_status.get(status, 0) + n
    every = [marked_status(mark) for mark in met]
    summary = Summary(
        contracts=by_contract,
        worst=combine(status for status, _ in every),
        worst_required=combine(status for status, required in every if required),
        **told,
    )
    return Ordered(summary, Results(file, starts))
