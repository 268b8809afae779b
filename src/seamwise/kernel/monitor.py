"""The streaming face of a kind: observe, claim, verdict."""

from __future__ import annotations

from typing import Any

from seamwise.kernel.evidence import Context, Evidence, Record
from seamwise.kernel.judge import judge
from seamwise.kernel.kind import Kind
from seamwise.kernel.verdict import Verdict
from seamwise.record import Claim


class Monitor:
    """One open instance: it holds the evidence that bears on it and answers at any time.

    Memory: the records of the instance (see ``Kind.memory``). By law 2 a resolved answer stands as more arrives.
    """

    __slots__ = ("_claims", "_context", "_records", "_verdict", "all_routes", "kind", "params")

    def __init__(self, kind: Kind[Any], params: Any, *, context: Context | None = None, all_routes: bool = False) -> None:
        self.kind = kind
        self.params = params
        self.all_routes = all_routes
        self._records: list[Record] = []
        self._claims: list[Claim] = []
        self._context = context or Context()
        self._verdict: Verdict | None = None

    def observe(self, record: Record) -> None:
        """Takes one record into account; the order of arrival does not matter."""
        self._records.append(record)
        self._verdict = None

    def claim(self, claim: Claim) -> None:
        """Takes one claim into account."""
        self._claims.append(claim)
        self._verdict = None

    @property
    def evidence(self) -> Evidence:
        """What the instance holds."""
        return Evidence(records=tuple(self._records), claims=tuple(self._claims), context=self._context, all_routes=self.all_routes)

    def verdict(self) -> Verdict:
        """The verdict on what has been observed so far."""
        if self._verdict is None:
            self._verdict = judge(self.kind, self.params, self.evidence)
        return self._verdict
