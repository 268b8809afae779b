"""What of states decides whether they were kept: their versions, and what they hold of the one item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.state_kept.p import Params

READ = ("access", "item", "status", "to", "version", "whole")


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read, and of each state no more than the item."""
    out = []
    for record in records:
        fields = record.fields
        told: dict[str, Any] = {name: fields[name] for name in READ if name in fields}
        items = fields.get("items")
        if params.item is not None and items is not None:
            known = isinstance(items, Mapping)
            told["items"] = {params.item: items[params.item]} if known and params.item in items else known
        out.append(told)
    return out
