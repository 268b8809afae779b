"""The definition of ``within_scope``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from seamwise.kernel import Execution, Outcome


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who asks, and what is judged."""

    fields: Mapping[str, str | int | None] = {}
    """The fields that are judged, each with an exact value by which a text gives it away, or null."""
    actions: tuple[str, ...] = ()
    """The actions that are judged; none: what is executed is not looked at."""
    requester: str | None = None
    """Whose scope counts; None: every recipient is judged by its own."""
    detector: Literal["exact"] = "exact"
    """How a text is searched: for the exact value. It finds; it cannot exclude a paraphrase."""
    judge: bool = False
    """Whether a judge's word on what a record discloses (its field ``discloses``) counts; the user's assumption where it does."""
    min_hops: int = 0
    """Through so many hops at least (field ``hops``); fewer are an isolated violation, not this one."""
    answers: str | None = None
    """The stream of what reaches the requester; None: ``answers/<requester>``, or ``answers`` where no requester is given."""
    executed: str = "actions"
    """The stream of what is executed on behalf of requesters."""

    def __post_init__(self) -> None:
        if not self.fields and not self.actions:
            raise ValueError("expected `fields`, `actions` or both: nothing else is judged")
        for name, value in self.fields.items():
            if value == "":
                raise ValueError(f"expected an exact value or null for `{name}`, got an empty text, which every text holds")

    @property
    def where(self) -> str:
        """The stream of what reaches the requester."""
        if self.answers is not None:
            return self.answers
        return "answers" if self.requester is None else f"answers/{self.requester}"

    @property
    def keyed(self) -> bool:
        """Whether the stream's key is the requester: then all that is in it is for the requester."""
        return self.requester is not None and self.where.endswith(f"/{self.requester}")


def outcome(run: Execution, params: Params) -> Outcome:
    """Nothing that reached a requester, and nothing executed on its behalf, is outside its scope."""
    dealings = [(who, op["discloses"], op) for op in run.inside(params.where) if params.fields for who in op["recipients"]]
    dealings += [(op["on_behalf_of"], (op["action"],), op) for op in run.inside(params.executed) if params.actions]
    mine = [(who, names, op) for who, names, op in dealings if who is not None and params.requester in (None, who)]
    if not mine:
        return Outcome.NOT_APPLICABLE
    judged = {*params.fields, *params.actions}
    for who, names, op in mine:
        allowed = run.context["scope"].get(who) or ()
        if op["status"] == "ok" and op["hops"] >= params.min_hops and any(n in judged and n not in allowed for n in names):
            return Outcome.VIOLATED
    return Outcome.KEPT
