"""The definition of ``evidence_consulted``."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from seamwise.kernel import Done, Execution, Outcome

JUDGEMENTS = "judgements"
"""The stream of what is judged."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One judgement and the records that it needs."""

    judgement: str
    """Which judgement: the value of its field ``judgement``."""
    required: tuple[str, ...]
    """The records that it needs, by name."""
    at_least: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How many of them are enough; None: all."""
    cites: bool = True
    """Whether citing a record in the judgement counts as consulting it. Where judgements cannot cite, say no; then it is not read."""
    by: Literal["judge", "anyone"] = "judge"
    """Whose reading counts."""
    stream: str = "reads"
    """The stream of reads."""

    @property
    def need(self) -> int:
        """How many of the required records are enough."""
        return len(set(self.required)) if self.at_least is None else min(self.at_least, len(set(self.required)))


def outcome(run: Execution, params: Params) -> Outcome:
    """Whoever judged had read before, or cites, enough of the records that the judgement needs."""
    judged = next((op for op in run.inside(JUDGEMENTS) if op["judgement"] == params.judgement and op["status"] == "ok"), None)
    if judged is None:
        return Outcome.NOT_APPLICABLE

    def counts(read: Done) -> bool:
        return read.is_in(params.stream) and read["status"] == "ok" and (params.by == "anyone" or read["actor"] == judged["actor"])

    consulted = {item for op in run.before(judged) if counts(op) for item in op["items"]}
    if params.cites:
        consulted |= set(judged["cites"])
    return Outcome.KEPT if len(consulted & set(params.required)) >= params.need else Outcome.VIOLATED
