"""Stated precedence between bound records, through the steps between them that no rule took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from seamwise.record import Step

_order, _seq, _source = attrgetter("order"), attrgetter("seq"), attrgetter("source")
MAX_BEFORE = 24
"""Nearest bound steps before another that are named; more are left out, which says less and nothing false."""


class Precedence:
    """The stated order of one trace's steps (``Step.order``), asked for bound ones.

    What one writer's sequence or a clock says is not repeated here: records carry both. Where the stated order runs in a circle, nobody can
    know which part of it is wrong, and none of it is used.
    """

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps
        self._index: dict[str, int] | None = None
        self.silent = not any(map(_order, steps)) or _one_sequence(steps)
        """Whether nothing is stated."""
        self.circular = False

    def before(self, wanted: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        """For each of these steps (by place), the nearest others of them that are stated to come before it."""
        wanted = frozenset(wanted)
        if self.silent or len(wanted) < 2 or self.circular:
            return {}
        if self._index is None:
            self._index = {step.id: i for i, step in enumerate(self._steps)}
        nearest: dict[int, tuple[int, ...]] = {}
        for i in sorted(wanted):
            if not self._reach(i, wanted, nearest):
                self.circular = True
                return {}
        return {i: nearest[i] for i in wanted if nearest[i]}

    def _parents(self, i: int) -> list[int]:
        index = self._index or {}
        return [index[after.step] for after in self._steps[i].order if after.step in index]

    def _reach(self, start: int, wanted: frozenset[int], nearest: dict[int, tuple[int, ...]]) -> bool:
        """Works out ``nearest`` for a step and all before it; False where that runs in a circle. No recursion: traces are long."""
        if start in nearest:
            return True
        open_steps: set[int] = {start}
        work: list[tuple[int, list[int], int]] = [(start, self._parents(start), 0)]
        while work:
            i, parents, at = work.pop()
            if at < len(parents):
                work.append((i, parents, at + 1))
                up = parents[at]
                if up in open_steps:
                    return False
                if up not in nearest:
                    open_steps.add(up)
                    work.append((up, self._parents(up), 0))
                continue
            found: dict[int, None] = {}
            for up in parents:
                for j in (up,) if up in wanted else nearest[up]:
                    found.setdefault(j)
            nearest[i] = tuple(found)[:MAX_BEFORE]
            open_steps.discard(i)
        return True


def _one_sequence(steps: tuple[Step, ...]) -> bool:
    """Whether one writer numbered all steps: then their order is known without looking further."""
    if not steps:
        return True
    return None not in set(map(_seq, steps)) and len(set(map(_source, steps))) == 1
