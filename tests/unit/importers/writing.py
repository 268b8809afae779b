"""How seeds are written, and what traces are called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from seamwise.record import Trace


def encoded(*files: Any) -> list[bytes]:
    return [file if isinstance(file, bytes) else file.encode() if isinstance(file, str) else json.dumps(file).encode() for file in files]


def stems(traces: Iterable[Trace]) -> list[str]:
    """Ids of traces without the fingerprint of their content."""
    return [re.sub(r"-[0-9a-f]{12}", "", trace.id) for trace in traces]


def lines(*values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()
