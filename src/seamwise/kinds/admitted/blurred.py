"""What of admissions decides whether the rule was held to: of a weight, whether it is zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.admitted.p import Params


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read."""
    read = ["accepted", "status"]
    if params.rule.verified:
        read.append("verified")
    if params.rule.one_count_per_origin:
        read.append("origin")
    if params.decision is not None:
        read.append("for")
    out = []
    for record in records:
        fields = record.fields
        told: dict[str, Any] = {name: fields[name] for name in read if name in fields}
        if params.rule.one_count_per_origin and fields.get("weight") is not None:
            told["counts"] = bool(fields["weight"] != 0)
        out.append(told)
    return out
