"""Contracts that read a table live across traces: no trace holds its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seamwise.binding._contract import PLACEHOLDER, Contract
from seamwise.binding._cursor import Cursor
from seamwise.binding._stream import Stream
from seamwise.kernel import Evidence
from seamwise.kernel.spec import may_be_inside


def reaching(contract: Contract, streams: Mapping[str, Stream], cursor: Cursor) -> Contract:
    """The contract, judged across traces where one of its streams reads a table.

    Raises:
        PackError: The page says otherwise, or the kind is anchored at a trace.
    """
    read = next((s for s in streams.values() if s.tables and _reads(contract, s)), None)
    if read is None:
        return contract
    table = read.tables[0].name
    said = cursor.entries().get("across")
    if contract.anchor.by == "trace":
        hint = f"bind the records that it needs from traces alone, in another stream than `{read.name}`"
        raise cursor.error(f"expected a contract judged across traces, got `{contract.kind.name}`, which is judged in one", hint=hint)
    if said is not None and said.value == "trace":
        raise said.error(f"expected `corpus`, got `trace`: `{read.name}` reads the table `{table}`, which is in no trace")
    return contract if contract.across == "corpus" else replace(contract, across="corpus")


def _reads(contract: Contract, stream: Stream) -> bool:
    if stream.name in contract.streams:
        return True
    params = contract.params(**({contract.anchor.param: PLACEHOLDER} if contract.anchor.param else {}))
    for slot in contract.kind.spec(params, Evidence()).slots:
        if not slot.stream:
            if not slot.kinds or any(stream.may_hold(kind) for kind in slot.kinds):
                return True
        elif slot.stream.removesuffix("/*").startswith(stream.name + "/") or may_be_inside(stream.name, slot.stream):
            return True
    return False
