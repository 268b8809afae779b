"""Routes while tools change: who can hold the required tool at the moment of the route.

The moments are walked through: a *prefix* is a set of changes that can have taken effect, nothing before them being left out, and of each
prefix the states that can hold after it are kept. A known total order has one prefix more than there are changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from seamwise.kernel import BeyondFragmentError, Op, Outcome, Pool, View
from seamwise.kinds.routed_to_qualified.evidence import ANYBODY, STRANGER, gives, took_effect
from seamwise.kinds.routed_to_qualified.p import GRANT_KINDS, GRANTS, Params, tools_of

MAX_AGENTS = 10
MAX_PREFIXES = 600

State = frozenset[str]
"""Who holds the tool."""


class Change(NamedTuple):
    """A recorded grant or revocation that can bear on the tool."""

    op: Op
    sure: bool
    """Whether it surely took effect, on this tool, in this stream."""
    gives: tuple[bool, ...]
    grantee: str | None
    """None: anybody."""


def grants_of(view: View) -> Pool:
    """The stream of changes, and with it the grants and revocations that were recorded elsewhere: no count holds those."""
    pool = view.pool(GRANTS)
    inside = {op.id for op in (*pool.sure, *pool.maybe)}
    return pool._replace(sure=[*pool.sure, *(op for op in view.ops if op.kind in GRANT_KINDS and op.id not in inside)])


def changes_of(grants: Pool, params: Params) -> list[Change]:
    """The changes that can bear on the required tool."""
    out: list[Change] = []
    for op in (*grants.sure, *grants.candidates):
        status = took_effect(op, GRANT_KINDS)
        if "ok" in status and op.fields.get("tool", params.requires_tool) == params.requires_tool:
            sure = len(status) == 1 and op.has("tool")
            out.append(Change(op, sure, gives(op), op.fields["grantee"] if op.has("grantee") else None))
    return out


def outcomes_amid_changes(view: View, params: Params, anchor: Op | None, changes: list[Change], hidden: int | None) -> set[Outcome]:
    """The outcomes of a route.

    Args:
        view: The evidence.
        params: The contract.
        anchor: The route; None: an unrecorded one.
        changes: What is recorded of changes.
        hidden: How many more there can be; None: any number.

    Raises:
        BeyondFragmentError: More agents or more orders than are tried exactly.
    """
    to: str | None = None if anchor is None else anchor.get("to")
    if hidden is None:
        # the last changes before the route can be anything
        others = params.candidates is None or any(agent != to for agent in params.candidates)
        return {Outcome.KEPT, Outcome.NOT_APPLICABLE} | ({Outcome.VIOLATED} if others else set())
    agents, first = _at_first(view, params, to, changes, hidden)
    if len(agents) > MAX_AGENTS:
        raise BeyondFragmentError(f"changes of `{params.requires_tool}` that can concern {len(agents)} agents")
    states = _before(view, params, anchor, changes, agents, first)
    for _ in range(min(hidden, len(agents))):
        states |= {state ^ {agent} for state in states for agent in agents}
    rivals = frozenset(agents if params.candidates is None else params.candidates)
    delegates = [to] if to is not None else [*agents, STRANGER]
    found: set[Outcome] = set()
    for state in states:
        rest = Outcome.VIOLATED if state & rivals else Outcome.NOT_APPLICABLE
        found |= {Outcome.KEPT if delegate in state else rest for delegate in delegates}
    return found


def _at_first(view: View, params: Params, to: str | None, changes: list[Change], hidden: int) -> tuple[list[str], set[State]]:
    """The agents that matter, and who of them can hold the tool at the start of the case.

    Agents that neither the contract nor a change names are alike if the context says the same of them: of those that hold the tool, one
    more is kept than can lose it unnoticed, and of the others one stands for all.
    """
    entries = view.context.parts.get("tools", {})
    named = dict.fromkeys(
        [*([] if to is None else [to]), *(params.candidates or ()), *(c.grantee for c in changes if c.grantee is not None)]
    )
    held = [agent for agent, entry in entries.items() if params.requires_tool in tools_of(entry)]
    unnamed = [agent for agent in held if agent not in named]
    losable = hidden + sum(c.grantee is None and False in c.gives for c in changes)
    agents = [*named, *unnamed[: losable + 1], ANYBODY]
    states: set[State] = {frozenset(a for a in agents if a in held)}
    for agent in agents:
        if not view.context.known("tools", agent):
            states |= {state | {agent} for state in states}
    return agents, states


def _before(view: View, params: Params, anchor: Op | None, changes: list[Change], agents: Iterable[str], first: set[State]) -> set[State]:
    """Every state that can hold when the route is taken, in any order that the known one allows."""
    n = len(changes)
    earlier = [sum(1 << j for j in range(n) if view.precedes(changes[j].op, changes[i].op)) for i in range(n)]
    must = 0 if anchor is None else sum(1 << i for i in range(n) if view.precedes(changes[i].op, anchor))
    may = (1 << n) - 1 if anchor is None else sum(1 << i for i in range(n) if view.may_precede(changes[i].op, anchor))
    reached: dict[int, set[State]] = {0: first}
    level = [0]
    found: set[State] = set()
    total = 1
    while level:
        following: dict[int, set[State]] = {}
        for prefix in level:
            states = reached.pop(prefix)
            if prefix & must == must:
                found |= states
            for i in range(n):
                bit = 1 << i
                if bit & may and not bit & prefix and earlier[i] & prefix == earlier[i]:
                    following.setdefault(prefix | bit, set()).update(_after(params, changes[i], states, agents))
        total += len(following)
        if total > MAX_PREFIXES:
            raise BeyondFragmentError(f"{n} changes of tools in no known order")
        reached, level = following, list(following)
    return found


def _after(params: Params, change: Change, states: set[State], agents: Iterable[str]) -> set[State]:
    """The states that can hold after a change."""
    # what was taken from somebody, or given to one who could not be chosen, may be of no concern; what was given to anybody else is
    idle = not change.sure or (change.grantee is None and (False in change.gives or params.candidates is not None))
    out: set[State] = set(states) if idle else set()
    for agent in agents if change.grantee is None else (change.grantee,):
        for way in change.gives:
            out |= {state | {agent} if way else state - {agent} for state in states}
    return out
