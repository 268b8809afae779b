"""Results in their order, counted; what a script is told by an exit code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from seamwise.audit._result import Result, Summary
from seamwise.binding import Contract
from seamwise.kernel import SEVERITY, Status, combine

_DIGITS = re.compile(r"(\d+)")
EXIT_SUPPORTED = 1
EXIT_UNDECIDED = 3


class Ordered(NamedTuple):
    """A summary and the results that it counts."""

    summary: Summary
    results: list[Result]


def summary_of(results: Iterable[Result], contracts: Sequence[Contract], **told: Any) -> Ordered:
    """The results, most severe first, and their counts; identical ones stand once.

    Args:
        results: In any order.
        contracts: The pack's contracts.
        told: What else the summary says.
    """
    place = {contract.name: n for n, contract in enumerate(contracts)}
    natural = cache(_natural)

    def order(result: Result) -> Any:
        values = [natural(value) for value in result.instance.values()]
        return -SEVERITY[result.status], place[result.contract], values, list(result.instance)

    ordered = sorted(_once(results), key=order)
    counts: dict[str, dict[str, int]] = {contract.name: {} for contract in contracts}
    for result in ordered:
        mine = counts[result.contract]
        mine[result.status.value] = mine.get(result.status.value, 0) + 1
    summary = Summary(
        contracts=counts,
        worst=combine(r.status for r in ordered),
        worst_required=combine(r.status for r in ordered if r.required),
        **told,
    )
    return Ordered(summary, ordered)


def _once(results: Iterable[Result]) -> list[Result]:
    """Each result once: a recording that was given twice says nothing twice."""
    out: list[Result] = []
    seen: dict[tuple[str, tuple[tuple[str, str], ...]], list[int]] = {}
    for result in results:
        same = seen.setdefault((result.contract, tuple(result.instance.items())), [])
        if not any(out[n] == result for n in same):
            same.append(len(out))
            out.append(result)
    return out


def _natural(text: str) -> list[tuple[int, int, str]]:
    """``c9`` before ``c17``."""
    return [
        (1, int(part), part) if part.isdecimal() and part.isascii() and len(part) < 4000 else (0, 0, part) for part in _DIGITS.split(text)
    ]


def exit_code(summary: Summary) -> int:
    """0: nothing is supported; 1: a violation is; 3: something required is unknown, invalid, not judged or could not be read.

    Where no step was read at all there is nothing that could be clear: 3.
    """
    if summary.worst is Status.SUPPORTED:
        return EXIT_SUPPORTED
    undecided = summary.worst_required in (Status.UNKNOWN, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED)
    return EXIT_UNDECIDED if undecided or summary.errors or not summary.n_steps else 0
