"""What of records decides whether a decision was carried out: of actions and receipts no more than what is bound and held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.carried_out.p import Params

READ = ("caller", "correct", "decision", "payload", "status", "value")


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read."""
    return [{name: r.fields[name] for name in READ if name in r.fields} for r in records]
