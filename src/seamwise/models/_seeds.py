"""Randomness that one seed and a name decide, in every process alike."""

from __future__ import annotations

import hashlib
import random


def seeded(seed: int, *names: str | int) -> random.Random:
    """A generator of its own for what the names name, so that one more draw here changes nothing there.

    Built on SHA-256 and not on ``hash``, which differs from process to process.
    """
    text = "\x1f".join([str(seed), *map(str, names)])
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16]))
