"""What of records decides whether a status was kept: who gave or stated which level, of what, and whether it reached anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamwise.kernel import Record
from seamwise.kinds.status_kept.p import Params

READ = ("actor", "judged", "level", "sent", "status", "subject")


def blurred(records: Sequence[Record], params: Params) -> Sequence[Mapping[str, Any]]:
    """The records' fields, without those that are not read."""
    return [{name: r.fields[name] for name in READ if name in r.fields} for r in records]
