"""What ``two_pairs_of_eyes`` reads: releases and approvals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Slot, Spec, choices, values_of
from two_pairs_of_eyes.p import Params

OTHER = "~"
"""Stands for any release that the contract does not ask about."""


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one release."""
    people = (*values_of(evidence, "actor"), "~1", "~2", "~3")
    which = (params.release, OTHER)

    def releases(op: Op) -> Iterator[dict[str, Any]]:
        for fields in choices(op, {"release": which, "actor": people}):
            if fields["release"] == params.release or op.has("actor") or fields["actor"] == "~1":
                yield fields

    def approvals(op: Op) -> Iterator[dict[str, Any]]:
        for fields in choices(op, {"release": which, "approved": (True, False), "actor": people}):
            counts = fields["release"] == params.release and fields["approved"]
            if counts or op.has("actor") or fields["actor"] == "~1":  # who gave one that does not count makes no difference
                yield fields

    def released_once(run: Execution) -> bool:
        return sum(op["release"] == params.release for op in run.of_kind("release")) <= 1

    return Spec(
        slots=(
            Slot(name="releases", kinds=frozenset({"release"}), stream="releases", hidden_kind="release", hidden_max=1, fill=releases),
            Slot(name="approvals", kinds=frozenset({"approval"}), stream="approvals", hidden_kind="approval", hidden_max=2, fill=approvals),
        ),
        axioms=released_once,
    )
