"""Verdicts of instances, each shape of evidence judged once."""

from __future__ import annotations

import msgspec

from seamwise.audit._instances import Instance
from seamwise.audit._items import Placed
from seamwise.audit._layout import Ground, Layout
from seamwise.audit._result import Statement
from seamwise.audit._story import Case
from seamwise.binding import Contract
from seamwise.kernel import Evidence, Gap, Need, Outcome, ShapeCache, Status, Verdict, judge

MAX_CACHES = 2_000
"""Contracts (and their periods) with a memory of shapes of their own; beyond that all are forgotten, which changes no verdict."""


MAX_SHAPES = 20_000
"""So many verdicts are kept for each."""
CONFIRM = 3_000
"""Executions that the definition may look at to confirm the witness of one shape of violation."""


class Judging:
    """Judges instances.

    Args:
        prove: Whether witnesses are minimal and unknowns carry their gaps.
    """

    def __init__(self, *, prove: bool) -> None:
        self._prove = prove
        self._shapes: dict[tuple[str, str | None, bool], ShapeCache] = {}

    def case(self, contract: Contract, layout: Layout, instance: Instance, ground: Ground, *, remember: bool = True) -> Case:
        """The instance with its verdict. Whatever goes wrong with it stays with it.

        Args:
            contract: The contract.
            layout: What it reads in the scope.
            instance: The instance.
            ground: What else holds there.
            remember: Whether the verdict is kept for others of its shape.
        """
        evidence, items = Evidence(), list[Placed]()
        extra: tuple[Statement, ...] = ()
        try:
            evidence, items = layout.evidence(instance.identity, instance.anchor)
            verdict = _in_doubt(self._verdict(contract, instance, evidence, remember=remember), instance)
            if ground.clock is not None and "clock" in verdict.order:
                verdict, extra = self._leaning(contract, instance, evidence, verdict, ground.clock)
        except Exception as error:  # a contract that crashes must not hide its neighbours
            verdict = Verdict(status=Status.NOT_JUDGED, reason=f"{type(error).__name__}: {error}")
        return Case(contract, instance.label, evidence, items, verdict, extra, instance.params)

    def forget(self) -> None:
        """Lets go of all shapes, and of the contexts that they hold."""
        self._shapes.clear()

    def _verdict(self, contract: Contract, instance: Instance, evidence: Evidence, *, remember: bool) -> Verdict:
        param = contract.anchor.param
        if not self._prove or (param and param not in instance.params):
            return judge(contract.kind, contract.params(**instance.params), evidence, prove=self._prove)
        name = (contract.name, instance.params.get("period"), remember)
        shapes = self._shapes.get(name)
        if shapes is None:
            if len(self._shapes) >= MAX_CACHES:
                self.forget()
            template = contract.params(**instance.params)
            shapes = self._shapes[name] = ShapeCache(
                contract.kind, template, param, confirm=CONFIRM, max_shapes=MAX_SHAPES if remember else 0
            )
        return shapes.judge(str(instance.params[param]) if param else "", evidence)

    def _leaning(
        self, contract: Contract, instance: Instance, evidence: Evidence, verdict: Verdict, clock: Statement
    ) -> tuple[Verdict, tuple[Statement, ...]]:
        """A clock that the user states is a statement like any other: what the verdict is without it stands beside it."""
        timeless = msgspec.structs.replace(evidence, records=tuple(msgspec.structs.replace(r, time=None) for r in evidence.records))
        bare = judge(contract.kind, contract.params(**instance.params), timeless, prove=False)
        without = bare.status if bare.without is None else bare.without
        return msgspec.structs.replace(verdict, without=without), (clock,)


def _in_doubt(verdict: Verdict, instance: Instance) -> Verdict:
    """The verdict of an instance that the contract may not concern at all: the field that would say so was not recorded."""
    if not instance.doubt or instance.anchor is None or verdict.status in (Status.NOT_JUDGED, Status.MEASUREMENT_INVALID):
        return verdict
    possible = verdict.possible | {Outcome.NOT_APPLICABLE}
    if verdict.status is not Status.SUPPORTED:
        return msgspec.structs.replace(verdict, possible=possible)
    name = instance.anchor.id
    needs = tuple(Need("field", f"{name}.{field}", f"the {field} of {name}") for field in instance.doubt)
    return Verdict(
        status=Status.UNKNOWN,
        possible=possible,
        gaps=(Gap(needs=needs, sort="resolves"),),
        clashes=verdict.clashes,
        weightless=verdict.weightless,
        dropped=verdict.dropped,
        notes=verdict.notes,
    )
