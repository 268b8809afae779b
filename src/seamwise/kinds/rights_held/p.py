"""The definition of ``rights_held``, in its two forms: an edit that needs a right, and a duty of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from seamwise.kernel import Done, Execution, Outcome

EDITS = "edits"
"""The stream of what is done under a right."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edit and the right it needs (``edit``, ``action``), or one duty and its window (``duty``, ``owner``)."""

    edit: str | None = None
    """Id of the record of the edit."""
    action: str | None = None
    """The reserved action; the context's ``rights`` say who holds it. An edit of another action is none of this contract's concern."""
    revocable: bool = True
    """Whether an authorization can be withdrawn, so that the last word counts. ``false`` is the user's assumption."""
    duty: str | None = None
    """What must be done; the doings are in the stream ``duties/<duty>``, unless ``stream`` names another."""
    owner: str | None = None
    """Whose duty it is."""
    after: str | None = None
    """Id of the record that makes it due; it must be done after that. None: from the beginning."""
    before: str | None = None
    """Id of the record by which it must be done. None: by the end."""
    events: str | None = None
    """The stream that holds ``after`` and ``before``: a complete record of it without them says that they never happened."""
    subject: str | None = None
    """What the duty must be done about; None: whatever it is about."""
    stream: str | None = None
    """The stream of authorizations, or of the duty's doings; None: ``authorizations``, or ``duties/<duty>``."""

    def __post_init__(self) -> None:
        """Exactly one of the two forms is told, and nothing of the other.

        Raises:
            ValueError: It is not.
        """
        if (self.edit is None) == (self.duty is None):
            raise ValueError("expected one of `edit` (with `action`) and `duty` (with `owner`)")
        mine: tuple[str, ...] = ("edit", "action")
        other: tuple[str, ...] = ("owner", "after", "before", "events", "subject")
        if self.duty is not None:
            mine, other = ("duty", "owner"), ("action",)
        missing = [name for name in mine if getattr(self, name) is None]
        if missing:
            raise ValueError(f"`{mine[0]}` needs `{missing[0]}`")
        alien = [name for name in other if getattr(self, name) is not None]
        if alien or (self.duty is not None and not self.revocable):
            raise ValueError(f"`{alien[0] if alien else 'revocable'}` does not go with `{mine[0]}`")
        if self.after is not None and self.after == self.before:
            raise ValueError("`after` and `before` are the same record: nothing lies between")

    @property
    def where(self) -> str:
        """The stream of the authorizations, or of the duty's doings."""
        if self.stream is not None:
            return self.stream
        return "authorizations" if self.duty is None else f"duties/{self.duty}"

    @property
    def edges(self) -> tuple[str, ...]:
        """The records that the window of a duty is told by."""
        return tuple(name for name in (self.after, self.before) if name is not None)

    @property
    def edge_stream(self) -> str:
        """Where they are looked for: in their stream, or (by their ids alone) in one that nothing can close."""
        return self.events if self.events is not None else f"events {', '.join(self.edges)}"


def holders_of(rights: Mapping[str, Any], action: str | None) -> tuple[str, ...]:
    """Who holds the right; nobody where there is no entry."""
    value = None if action is None else rights.get(action)
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def told(run: Execution, name: str | None) -> Done | None:
    """The operation that the record of this id tells of, if it took effect."""
    return next((op for op in run if name in op.get("names", ()) and op["status"] == "ok"), None)


def outcome(run: Execution, params: Params) -> Outcome:
    """An action reserved to a role is done by a holder or under a grant from one; a duty of one's own is done."""
    return edit_outcome(run, params) if params.duty is None else duty_outcome(run, params)


def edit_outcome(run: Execution, params: Params) -> Outcome:
    """The actor holds the right, or a holder's last word to the actor before the edit grants it."""
    edit = told(run, params.edit)
    if edit is None or edit["action"] != params.action:
        return Outcome.NOT_APPLICABLE
    holders = holders_of(run.context["rights"], params.action)
    words = [op for op in run.before(edit) if op in run.inside(params.where) and op["status"] == "ok"]
    mine = [op for op in words if op["actor"] in holders and op["grantee"] == edit["actor"] and op["action"] == params.action]
    grants = [not op["withdrawn"] for op in mine]
    granted = grants[-1:] == [True] if params.revocable else any(grants)
    return Outcome.KEPT if edit["actor"] in holders or granted else Outcome.VIOLATED


def duty_outcome(run: Execution, params: Params) -> Outcome:
    """Between what makes it due and what it is due by, the owner did the duty, successfully."""
    start, end = told(run, params.after), told(run, params.before)
    if (params.after is not None and start is None) or (params.before is not None and end is None):
        return Outcome.NOT_APPLICABLE
    first = 0 if start is None else run.ops.index(start) + 1
    last = len(run.ops) if end is None else run.ops.index(end)
    if last < first:
        return Outcome.NOT_APPLICABLE
    window = [op for op in run.ops[first:last] if op in run.inside(params.where) and op["status"] == "ok"]
    done = any(op["actor"] == params.owner and params.subject in (None, op.get("subject")) for op in window)
    return Outcome.KEPT if done else Outcome.VIOLATED
