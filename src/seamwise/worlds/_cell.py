"""The address of one episode in a matrix."""

from __future__ import annotations

import hashlib
import re

import msgspec


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """World, model, condition, seed and the world's own factors; two episodes of one cell are repetitions."""

    world: str
    model: str
    """Of the agents under test, as Inspect names it: ``provider/model``."""
    condition: str
    seed: int
    factors: dict[str, str] = {}
    """The world's own factors: reviewer role, domain, phrasing ..."""
    arm: str = "main"
    """``main``, or a side study of the world (F1's ``solo``, B1's ``factorial``)."""

    def __post_init__(self) -> None:
        # msgspec leaves a default out by identity, and a word that was read or unpickled is another object
        if self.arm == "main":
            msgspec.structs.force_setattr(self, "arm", "main")

    @property
    def id(self) -> str:
        """Readable and unique; a file name."""
        parts = [self.world, self.model, self.condition, *(v for _, v in sorted(self.factors.items())), f"s{self.seed}"]
        if self.arm != "main":
            parts.insert(1, self.arm)
        slug = "--".join(re.sub(r"[^A-Za-z0-9.]+", "-", p).strip("-") for p in parts)
        whole = [self.world, self.model, self.condition, self.seed, self.factors, self.arm]
        digest = hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()[:8]
        return f"{slug[:120]}--{digest}"
