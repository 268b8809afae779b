"""What of a page and the recordings does not go together and yet stops nothing: told beside the verdicts, it changes none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from seamwise.audit._reads import Reads
from seamwise.binding import Bound, Contract, Stream
from seamwise.errors import did_you_mean

ACTORS = ("authority", "owner")
"""Parameters that name somebody who acts."""
KEYS = {"check": "checks", "duty": "duties"}
"""Parameters that name a leaf of a keyed stream, unless the contract names the stream itself."""
MAX_NAMES = 1_000
"""More names than this of one stream are not kept: nobody misspells with so many at hand."""


class Names:
    """The names that recordings hold where contracts name somebody or something: a name that nothing recorded has is told.

    Args:
        contracts: The pack's contracts.
        reads: Contract -> where it looks.
        streams: The pack's streams.
    """

    def __init__(self, contracts: Sequence[Contract], reads: Mapping[str, Reads], streams: Sequence[Stream]) -> None:
        self._asked: list[_Asked] = []
        for contract in contracts:
            mine = reads[contract.name].streams
            if any(streams[n].tables for n in mine):
                continue  # what a table names is not seen here
            for param in ACTORS:
                if isinstance(name := contract.given.get(param), str):
                    self._asked.append(_Asked(contract.name, param, name, mine, ""))
            for param, stream in KEYS.items():
                if isinstance(name := contract.given.get(param), str) and contract.given.get("stream") is None:
                    keyed = tuple(n for n in mine if streams[n].name == stream)
                    self._asked.append(_Asked(contract.name, param, name, keyed, f"{stream}/"))
        self.watched = tuple(sorted({n for asked in self._asked for n in asked.streams}))
        """The streams whose names are needed, by place in the pack."""

    @staticmethod
    def of(bounds: Iterable[Bound], into: set[str]) -> None:
        """Adds what the records of one stream name: actors and recipients as they are, leaves with their stream."""
        if len(into) > MAX_NAMES:
            return
        for bound in bounds:
            fields = bound.record.fields
            if isinstance(actor := fields.get("actor"), str):
                into.add(actor)
            if isinstance(recipients := fields.get("recipients"), tuple):
                into.update(r for r in recipients if isinstance(r, str))
            into.update(s for s in bound.record.streams if "/" in s)

    def unknown(self, found: Mapping[int, set[str]]) -> Iterator[str]:
        """A sentence for each name of a contract that no record has, where records have one that is nearly the same."""
        for asked in self._asked:
            every = set().union(*(found.get(n, set()) for n in asked.streams))
            known = {n.removeprefix(asked.prefix) for n in every if n.startswith(asked.prefix) and ("/" in n) == bool(asked.prefix)}
            if not known or asked.name in known or any(len(found.get(n, ())) > MAX_NAMES for n in asked.streams):
                continue
            # who never acted may be just what is to be found; a name that is nearly there is a slip
            if hint := did_you_mean(asked.name, sorted(known)):
                yield f"contract `{asked.contract}`: no record names its {asked.param} `{asked.name}`; {hint}"


class _Asked(NamedTuple):
    contract: str
    param: str
    name: str
    streams: tuple[int, ...]
    prefix: str
