"""What models said in one episode, so that it can be played again and nothing that was paid for is lost."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec


class Journal:
    """Replies by request, in a file that grows by one line a call (flushed to disk before the reply is used).

    A request that was made before is answered from here: in the order of the file where the same request was made several times. A last
    line that was cut short (the process died) is dropped and the call made again.

    Args:
        path: The file; None keeps it in memory.
        offline: Refuse a request that is not here instead of making it.
    """

    def __init__(self, path: Path | None = None, *, offline: bool = False) -> None:
        self.path = path
        self.offline = offline
        self.hits = 0
        self._replies: dict[str, deque[dict[str, Any]]] = defaultdict(deque)
        if path is not None and path.exists():
            self._read(path)

    def take(self, key: str) -> dict[str, Any] | None:
        """The next recorded reply to a request, or None."""
        waiting = self._replies.get(key)
        if not waiting:
            return None
        self.hits += 1
        return waiting.popleft()

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Record a reply."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode({"key": key, "reply": reply}) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self, path: Path) -> None:
        data = path.read_bytes()
        whole, _, rest = data.rpartition(b"\n")
        for line in whole.splitlines():
            entry = msgspec.json.decode(line)
            self._replies[entry["key"]].append(entry["reply"])
        if rest:
            with path.open("r+b") as file:
                file.truncate(len(data) - len(rest))
