"""Confirming a verdict from its witness alone, by the definition."""

from __future__ import annotations

from typing import Any

from seamwise.kernel.completions import TooLargeError, possible_by_enumeration
from seamwise.kernel.evidence import Evidence
from seamwise.kernel.kind import Kind
from seamwise.kernel.outcome import status_of
from seamwise.kernel.verdict import Confirmation, Verdict


def verify_witness(
    kind: Kind[Any], params: Any, evidence: Evidence, verdict: Verdict, *, budget: int = 200_000, minimal: bool = False
) -> Confirmation:
    """Whether the witness, with everything else deleted, forces the verdict's status.

    Works from the kind's definition and evidence specification alone: the monitors have no say. ``too_large`` means that the small
    universe of the witness exceeds the budget and nothing is concluded.

    Args:
        kind: The contract kind.
        params: The instance's parameters.
        evidence: The evidence that the verdict was given on.
        verdict: A resolved verdict.
        budget: How many executions may be looked at.
        minimal: Whether to confirm, too, that no member of the witness can be left out.
    """
    if verdict.witness is None:
        return "refuted"
    if verdict.dropped:
        params = kind.relaxed(params)
    alone = evidence.weighty().keep(verdict.witness)
    try:
        if status_of(_outcomes(kind, params, alone, budget)) is not verdict.status:
            return "refuted"
        if minimal:
            for member in verdict.witness:
                less = alone.without([member])
                if status_of(_outcomes(kind, params, less, budget)) is verdict.status:
                    return "refuted"
    except TooLargeError:
        return "too_large"
    return "confirmed"


def _outcomes(kind: Kind[Any], params: Any, evidence: Evidence, budget: int) -> frozenset[Any]:
    return possible_by_enumeration(evidence, kind.spec(params, evidence), lambda run: kind.outcome(run, params), budget=budget)
