"""What of records decides whether what was due was delivered: which items were given, for which decision, and to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.delivered.p import Params

READ = ("actor", "decision", "for", "item", "items", "recipients", "status", "whole")


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read."""
    return [{name: r.fields[name] for name in READ if name in r.fields} for r in records]
