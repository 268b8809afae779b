"""What of records decides whether somebody's scope was left: of a text, which of the exact values stand in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.within_scope.p import Params
from seamwise.kinds.within_scope.readings import holds

READ = ("action", "discloses", "fields", "hops", "on_behalf_of", "recipients", "status", "structured")


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read, and of each text the values that it gives away."""
    values = [str(value) for value in params.fields.values() if value is not None]
    out = []
    for record in records:
        fields = record.fields
        told: dict[str, Any] = {name: fields[name] for name in READ if name in fields}
        text = fields.get("text")
        if isinstance(text, str):
            told["values"] = tuple([holds(text, value) for value in values])
        elif text is not None:
            told["text"] = text
        out.append(told)
    return out
