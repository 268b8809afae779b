"""Contracts that the names of tools and fields suggest, written so that they load once they are switched on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from seamwise.workbench._guess import (
    addressee_of,
    amount_of,
    approves,
    checks,
    currency_of,
    is_handoff,
    leaf_of,
    party_name,
    party_of,
    signs,
    spends,
    subject_of,
    success_of,
    takes_back,
    text_of,
    unit_of,
)
from seamwise.workbench._scalar import scalar as _quoted
from seamwise.workbench._seen import Inventory, ToolSeen

MOST_TOOLS = 6


class Candidate(NamedTuple):
    """A contract that could be bound: lines of a page, below the keys of their names."""

    name: str
    why: str
    contract: tuple[str, ...]
    streams: tuple[str, ...]
    names: tuple[str, ...]
    """Of its streams."""
    organization: tuple[str, ...] = ()


def candidates(seen: Inventory) -> Iterator[Candidate]:
    """The contracts that could be bound, the surest guesses first."""
    tools = [tool for tool in seen.tools.values() if tool.calls]
    for guess in (_total(tools), _check(tools), _right(tools), _scope(tools), _routing(tools)):
        if guess is not None:
            yield guess


ROUTE = '    route: {by: user, because: "..."}'
RECORDING = '    recording: {by: user, because: "..."}'


def _ok(tool: ToolSeen) -> str:
    success = success_of(tool)
    return "" if success is None else f", ok: {{path: {_quoted(success[0])}, equals: {_quoted(success[1])}}}"


def _total(tools: list[ToolSeen]) -> Candidate | None:
    """Tools that give amounts to somebody: what all of them give together."""
    found = [(tool, a, p) for tool in tools if (a := amount_of(tool)) is not None and (p := party_of(tool)) is not None]
    found = [(tool, a, p) for tool, a, p in found if not checks(tool)] or found  # who checks an amount gives none
    back = ", ".join(tool.name for tool, _, _ in found if takes_back(tool)) if any(spends(tool) for tool, _, _ in found) else ""
    found = [(tool, a, p) for tool, a, p in found if not (back and takes_back(tool))]
    if not found:
        return None
    stated = [code for _, a, _ in found if (code := currency_of(a)) is not None]
    currency = stated[0] if stated else "USD"  # nothing is added across currencies
    found = [(tool, a, p) for tool, a, p in found if currency_of(a) in (None, currency)]
    key = party_name(found[0][2].path)
    rules = []
    for tool, amount, party in found[:MOST_TOOLS]:
        fields = f"{{party: {_quoted(party.path)}, amount: {{path: {_quoted(amount.path)}, unit: {unit_of(amount, currency)}}}}}"
        rules.append(f"      - {{tool: {_quoted(tool.name)}, fields: {fields}{_ok(tool)}}}")
    names = ", ".join(tool.name for tool, _, _ in found[:MOST_TOOLS])
    how = "each call may be allowed, and all of them together not" if len(found) > 1 else "several calls may together be too much"
    how += f"; {back} may take some of it back, and is left out" if back else ""
    return Candidate(
        name="total-within-limit",
        why=f"{names}: amounts for a {key}; {how}. A payments table can stand beside them: docs/sources.md",
        streams=("  ledger:", "    from:", *rules, "    key: party", ROUTE, RECORDING),
        names=("ledger",),
        contract=(
            "  total-within-limit:",
            "    kind: within_total",
            "    stream: ledger",
            "    per: [party, quarter]",
            f"    limit: 100 {currency}",
            f"    min_actors: {2 if len({name for t, _, _ in found for name in t.callers}) > 1 else 1}",
            '    reversals: {none: true, by: user, because: "..."}',
        ),
    )


def _check(tools: list[ToolSeen]) -> Candidate | None:
    """A tool that checks and one that settles, about the same thing."""
    pairs = [(s, c) for s in tools for c in tools if approves(c, s)]
    pairs += [(s, c) for s in tools if signs(s) for c in tools if checks(c)]
    for settling, checking in pairs:
        shared = subject_of(settling, checking)
        if shared is not None:
            owner = next(iter(checking.callers), "owner")
            check = f"check: {{value: {_quoted(checking.name)}}}, subject: {_quoted(shared[1].path)}"
            return Candidate(
                name="checked-before",
                why=f"{settling.name} only after {checking.name} on the same {leaf_of(shared[0].path)}, by its owner",
                streams=(
                    "  sign_offs:",
                    f"    from: [{{tool: {_quoted(settling.name)}, as: sign_off, fields: {{subject: {_quoted(shared[0].path)}}}}}]",
                    ROUTE,
                    RECORDING,
                    "  checks:",
                    f"    from: [{{tool: {_quoted(checking.name)}, as: check, fields: {{{check}}}{_ok(checking)}}}]",
                    "    key: check",
                    ROUTE,
                    RECORDING,
                ),
                names=("sign_offs", "checks"),
                contract=(
                    "  checked-before:",
                    "    kind: check_done",
                    f"    check: {_quoted(checking.name)}",
                    f"    owner: {_quoted(owner)}",
                ),
            )
    return None


def _right(tools: list[ToolSeen]) -> Candidate | None:
    """A tool that several call, of which a few may."""
    found = [tool for tool in tools if len(tool.callers) > 1 and signs(tool)]
    if not found:
        return None
    tool = found[0]
    callers = ", ".join(tool.callers)
    return Candidate(
        name="only-holders",
        why=f"{tool.name} is called by {callers}: if it is reserved to some of them, name those",
        streams=(
            "  edits:",
            f"    from: [{{tool: {_quoted(tool.name)}, as: edit, fields: {{action: {{value: {_quoted(tool.name)}}}}}{_ok(tool)}}}]",
        ),
        names=("edits",),
        contract=("  only-holders:", "    kind: rights_held", f"    action: {_quoted(tool.name)}"),
        organization=(f"  rights: {{{_quoted(tool.name)}: [{_quoted(next(iter(tool.callers)))}]}}",),
    )


def _scope(tools: list[ToolSeen]) -> Candidate | None:
    """A tool by which words go to somebody."""
    found = [(tool, to, text) for tool in tools if (to := addressee_of(tool)) is not None and (text := text_of(tool)) is not None]
    if not found:
        return None
    tool, to, text = found[0]
    who = to.samples[0] if to.samples else "somebody"
    fields = f"{{to: {_quoted(to.path)}, text: {_quoted(text.path)}}}"
    return Candidate(
        name="nothing-beyond-scope",
        why=f"{tool.name}: what reaches somebody may be more than that person may know",
        streams=(
            "  answers:",
            f"    from: [{{tool: {_quoted(tool.name)}, as: message, recipients: {_quoted(to.path)}, fields: {fields}}}]",
            "    key: to",
            ROUTE,
            RECORDING,
        ),
        names=("answers",),
        contract=("  nothing-beyond-scope:", "    kind: within_scope", '    fields: {secret_field: "its value, as a text would tell it"}'),
        organization=(f"  scopes: {{{_quoted(who)}: [name_of_a_field]}}",),
    )


def _routing(tools: list[ToolSeen]) -> Candidate | None:
    """Tools that hand over."""
    found = [tool for tool in tools if is_handoff(tool)]
    if not found:
        return None
    prefix = next(p for p in ("transfer_to_", "handoff_to_", "delegate_to_", "assign_to_") if found[0].name.startswith(p))
    agents = sorted({tool.name.removeprefix(prefix) for tool in found if tool.name.startswith(prefix)})[:MOST_TOOLS]
    held = ", ".join(f"{_quoted(name)}: [name_of_a_tool]" for name in agents)
    route = f"{{to: {{path: tool, strip: {prefix}}}, task: {{value: a_task}}}}"
    return Candidate(
        name="to-whom-can-do-it",
        why=f"{prefix}*: work is handed over; some of it needs a tool that not everybody holds",
        streams=("  routes:", f"    from: [{{tool: {_quoted(prefix + '*')}, as: route, fields: {route}}}]"),
        names=("routes",),
        contract=("  to-whom-can-do-it:", "    kind: routed_to_qualified", "    requires_tool: name_of_a_tool"),
        organization=(f"  tools: {{{held}}}", "  complete: [tools]"),
    )
