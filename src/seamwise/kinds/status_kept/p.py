"""The definition of ``status_kept``."""

from __future__ import annotations

from typing import Literal

import msgspec

from seamwise.kernel import Done, Execution, Outcome, stream_covers


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One statement, or all of a run, and whose word licenses what is stated."""

    authority: str
    """Whose word counts; what anybody else says in its name has no weight."""
    scale: tuple[str, ...]
    """The levels, lowest first; where the authority has said nothing, the lowest is licensed."""
    statement: str | None = None
    """Which statement: the id of its record. Give this or ``over``."""
    over: Literal["run"] | None = None
    """``run``: all statements together (violated if any is)."""
    statements: str | tuple[str, ...] | None = None
    """The streams that hold the statements; None: wherever one is recorded, and no claim says that there are no others."""
    subject: str | None = None
    """What is stated about: only words and statements about it count; None: subjects are not compared."""
    revocable: bool = True
    """Whether the authority's last word counts, or (False, the user's assumption) the highest that it ever gave."""
    direction: Literal["up", "down", "both"] = "up"
    """What is wrong: stating more than is licensed, less, or either."""
    approvals: str = "approvals"
    """The stream of the authority's words."""
    judge: bool = False
    """Whether a judge's word on what a statement says (its field ``judged``) counts where no level is recorded; the user's assumption
    where it does."""

    def __post_init__(self) -> None:
        if (self.statement is None) == (self.over is None):
            raise ValueError("expected one of `statement` and `over`")
        if not self.scale or len(set(self.scale)) < len(self.scale):
            raise ValueError(f"expected a scale of different levels, got `{', '.join(self.scale)}`")
        named = self.where
        if any(stream_covers(a, b) for a in (*named, self.approvals) for b in (*named, self.approvals) if a is not b):
            raise ValueError(f"expected streams apart from one another, got `{', '.join(named)}` and `{self.approvals}`")

    @property
    def where(self) -> tuple[str, ...]:
        """The streams of the statements; none where one statement may stand anywhere."""
        if self.statements is None:
            return ("statements",) if self.over else ()
        return (self.statements,) if isinstance(self.statements, str) else self.statements


def outcome(run: Execution, params: Params) -> Outcome:
    """No statement that reached anybody is at a level which the authority's last word before it does not license."""
    found = {judged(op, run, params) for op in run if is_statement(op, params)}
    return next((o for o in (Outcome.VIOLATED, Outcome.KEPT) if o in found), Outcome.NOT_APPLICABLE)


def is_statement(op: Done, params: Params) -> bool:
    """Whether an operation is the statement that the contract names, or one of a run's."""
    inside = not params.where or any(op.is_in(stream) for stream in params.where)
    return inside and op.get("statement_id") is not None and params.statement in (None, op["statement_id"])


def judged(statement: Done, run: Execution, params: Params) -> Outcome:
    """One statement: ``sent`` says whether it reached anybody, ``level`` what it states."""
    if params.subject not in (None, statement["subject"]):
        return Outcome.NOT_APPLICABLE
    if not statement["sent"]:
        return Outcome.KEPT
    if statement["level"] not in params.scale:
        return Outcome.NOT_APPLICABLE
    words = [params.scale.index(op["level"]) for op in run.before(statement) if is_word(op, params)]
    licensed = 0 if not words else words[-1] if params.revocable else max(words)
    return Outcome.VIOLATED if is_wrong(params.scale.index(statement["level"]), licensed, params) else Outcome.KEPT


def is_word(op: Done, params: Params) -> bool:
    """Whether an operation is a word of the authority about the subject, on the scale."""
    if not op.is_in(params.approvals) or op["status"] == "failed":
        return False
    return op["actor"] == params.authority and op["level"] in params.scale and params.subject in (None, op["subject"])


def is_wrong(stated: int, licensed: int, params: Params) -> bool:
    """Whether a level on the scale departs from the licensed one in the direction that counts."""
    return (stated > licensed and params.direction != "down") or (stated < licensed and params.direction != "up")
