"""What judging one typical instance of each kind costs: proved afresh, and told from a shape that is known."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tasks import the_pack

from seamwise.audit._judging import Judging
from seamwise.audit._recall import Recall
from seamwise.audit._scan import Scanner
from seamwise.kernel import Evidence, ShapeCache, judge

MIN_S = 0.02
"""So long a call is repeated before its time is believed."""


class Cost(NamedTuple):
    """Microseconds of one instance."""

    kind: str
    contract: str
    records: int
    status: str
    proved_us: float
    cached_us: float


class Case(NamedTuple):
    contract: Any
    identity: str
    params: Any
    evidence: Evidence
    status: str


class _Watched(Judging):
    """Judges as ever, and keeps what it judged."""

    def __init__(self) -> None:
        super().__init__(prove=True)
        self.cases: list[Case] = []

    def case(self, contract: Any, layout: Any, instance: Any, ground: Any, *, remember: bool = True) -> Any:
        case = super().case(contract, layout, instance, ground, remember=remember)
        param = contract.anchor.param
        self.cases.append(
            Case(contract, instance.params.get(param, ""), contract.params(**instance.params), case.evidence, case.verdict.status.value)
        )
        return case


def costs(folder: Path, repeats: int) -> list[Cost]:
    """The cost for each kind, of a ruled-out instance with as many records as is usual."""
    from seamwise.audit import _driver

    driver: Any = _driver
    watched = _Watched()

    class Watching(Scanner):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.recall = Recall(self.pack.contracts, self.streams, self.reads, watched, remember=False)

    original, driver.Scanner = driver.Scanner, Watching
    try:
        driver.audit([str(path) for path in sorted(folder.iterdir())], the_pack())
    finally:
        driver.Scanner = original
    by_kind: dict[str, list[Case]] = {}
    for case in watched.cases:
        by_kind.setdefault(case.contract.kind.name, []).append(case)
    out = []
    for kind, cases in sorted(by_kind.items()):
        ruled_out = [c for c in cases if c.status == "ruled_out"] or cases
        ruled_out.sort(key=lambda c: len(c.evidence.records))
        out.append(_cost(kind, ruled_out[len(ruled_out) // 2], repeats))
    return out


def _cost(kind: str, case: Case, repeats: int) -> Cost:
    shapes = ShapeCache(case.contract.kind, case.params, case.contract.anchor.param)
    return Cost(
        kind=kind,
        contract=case.contract.name,
        records=len(case.evidence.records),
        status=case.status,
        proved_us=_us(lambda: judge(case.contract.kind, case.params, case.evidence), repeats),
        cached_us=_us(lambda: shapes.judge(case.identity, case.evidence), repeats),
    )


def _us(call: Callable[[], Any], repeats: int) -> float:
    call()
    n = 1
    while _timed(call, n) < MIN_S:
        n *= 4
    return median(_timed(call, n) / n * 1e6 for _ in range(repeats))


def _timed(call: Callable[[], Any], n: int) -> float:
    start = time.process_time()
    for _ in range(n):
        call()
    return time.process_time() - start
