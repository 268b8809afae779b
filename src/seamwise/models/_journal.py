"""What models said in one episode, so that it can be played again and nothing that was paid for is lost."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any

import msgspec


class Journal:
    """Replies by request, in a file that grows by one line a call, handed to the system before the reply is used.

    That outlives the process however it ends. It is not forced to the disk: a machine that loses power costs the last calls, and a forced
    write for each call would cost every run more than its scripted models do.

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
        self._file: FileIO | None = None
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
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab", buffering=0)
        self._file.write(msgspec.json.encode({"key": key, "reply": reply}) + b"\n")

    def close(self) -> None:
        """Let go of the file; the next reply opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read(self, path: Path) -> None:
        data = path.read_bytes()
        whole, _, rest = data.rpartition(b"\n")
        for line in whole.splitlines():
            entry = msgspec.json.decode(line)
            self._replies[entry["key"]].append(entry["reply"])
        if rest:
            with path.open("r+b") as file:
                file.truncate(len(data) - len(rest))
