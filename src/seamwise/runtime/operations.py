"""The twelve repair operations: each takes a workflow and gives back a changed one.

Nothing here reaches a world's environment, policy, task, roster or scoring, so what an operation cannot say, it cannot change.
Source: the EAIR paper, appendix D; parameters as there.

    apply(workflow, "add_approval_gate", {"edge": "rep->customer", "approver_role": "finance", "condition": {"always": True}})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from seamwise.errors import UsageError, did_you_mean
from seamwise.runtime._workflow import Channel, CrossCheck, Edge, Gate, Memory, When, Workflow, check_workflow

PatchType = Literal["append_policy_reminder", "add_skepticism_clause", "clarify_authority_scope", "add_kpi_guardrail"]

_PATCH_HEADINGS: dict[str, str] = {
    "append_policy_reminder": "Policy reminder",
    "add_skepticism_clause": "Before you rely on a claim",
    "clarify_authority_scope": "What you may decide",
    "add_kpi_guardrail": "What comes before any target",
}


class AddApprovalGate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask ``approver_role`` before something passes ``edge`` (``a->b`` or ``a->tool:name``) where ``condition`` holds."""

    edge: str
    approver_role: str
    condition: dict[str, Any] = {}
    """``{}`` or ``{always: true}``: every time; else ``{field, above}`` or ``{field, equals}``."""


class EdgeOnly(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One edge, ``a->b`` or ``a->b:channel``."""

    edge: str


class AddHandoffEdge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A new edge; ``channel`` is `handoff` where it is not said."""

    src: str
    dst: str
    channel: str = "handoff"


class RerouteInformation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What went along ``from_edge`` goes to ``via_role`` first, who passes it on."""

    from_edge: str
    via_role: str


class AddCrossCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``checker_role`` looks at what is about to happen at ``stage``, and stops it where it does not hold."""

    stage: str
    checker_role: str


class PatchRolePrompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Add a clause of a stated sort to an agent's prompt."""

    agent_id: str
    patch_type: PatchType
    text: str


class RewriteRolePrompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Replace an agent's prompt."""

    agent_id: str
    new_prompt: str


class AgentTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One tool of one agent."""

    agent_id: str
    tool_id: str


class EnforceMessageSchema(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Messages of ``channel`` must fit ``schema``: the name of one the workflow holds, or a JSON Schema itself."""

    channel: str
    schema: str | dict[str, Any]


class SetMemoryPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How long ``agent_id`` remembers: ``{keep: episode | stage | turn, last: n}``."""

    agent_id: str
    policy: Memory


class SetGateParam(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One parameter of one gate."""

    gate_id: str
    key: str
    value: Any


def add_approval_gate(workflow: Workflow, params: AddApprovalGate) -> Workflow:
    """A new gate, under the first free name ``gate_<n>``."""
    condition = {k: v for k, v in params.condition.items() if k != "always"}
    try:
        when = msgspec.convert(condition, When)
    except msgspec.ValidationError as error:
        raise UsageError(f"expected a condition with `field`, `above`, `equals` or `always`, got: {error}") from None
    number = 1
    while f"gate_{number}" in workflow.gates:
        number += 1
    gate = Gate(edge=params.edge, approver=params.approver_role, when=when)
    return msgspec.structs.replace(workflow, gates={**workflow.gates, f"gate_{number}": gate})


def remove_handoff_edge(workflow: Workflow, params: EdgeOnly) -> Workflow:
    """The edge is gone: nothing is delivered along it."""
    gone = _edge(workflow, params.edge)
    return msgspec.structs.replace(workflow, edges=tuple(e for e in workflow.edges if e is not gone))


def add_handoff_edge(workflow: Workflow, params: AddHandoffEdge) -> Workflow:
    """A way that was not there."""
    if workflow.edge(params.src, params.dst, params.channel) is not None:
        raise UsageError(f"expected an edge that is not there yet, got `{params.src}->{params.dst}:{params.channel}`")
    new = Edge(source=params.src, target=params.dst, channel=params.channel)
    return msgspec.structs.replace(workflow, edges=(*workflow.edges, new))


def reroute_information(workflow: Workflow, params: RerouteInformation) -> Workflow:
    """A relay stands on the edge from now on."""
    old = _edge(workflow, params.from_edge)
    if params.via_role in (old.source, old.target):
        raise UsageError(f"expected a third role, got `{params.via_role}`, which stands at an end of `{params.from_edge}`")
    new = msgspec.structs.replace(old, via=params.via_role)
    return msgspec.structs.replace(workflow, edges=tuple(new if e is old else e for e in workflow.edges))


def add_cross_check(workflow: Workflow, params: AddCrossCheck) -> Workflow:
    """One more look at a stage."""
    return msgspec.structs.replace(workflow, checks=(*workflow.checks, CrossCheck(stage=params.stage, checker=params.checker_role)))


def patch_role_prompt(workflow: Workflow, params: PatchRolePrompt) -> Workflow:
    """A clause under its heading, at the end of the prompt."""
    old = _role(workflow, params.agent_id)
    clause = f"{old.prompt.rstrip()}\n\n{_PATCH_HEADINGS[params.patch_type]}: {_literal(params.text)}\n"
    return _with_role(workflow, params.agent_id, prompt=clause)


def rewrite_role_prompt(workflow: Workflow, params: RewriteRolePrompt) -> Workflow:
    """Another prompt; it may use the texts that the old one used."""
    _role(workflow, params.agent_id)
    return _with_role(workflow, params.agent_id, prompt=params.new_prompt)


def restrict_tool(workflow: Workflow, params: AgentTool) -> Workflow:
    """The agent holds the tool no longer."""
    old = _role(workflow, params.agent_id)
    if params.tool_id not in old.tools:
        raise UsageError(
            f"expected a tool that `{params.agent_id}` holds, got `{params.tool_id}`", hint=did_you_mean(params.tool_id, old.tools)
        )
    return _with_role(workflow, params.agent_id, tools=tuple(t for t in old.tools if t != params.tool_id))


def grant_tool(workflow: Workflow, params: AgentTool) -> Workflow:
    """The agent holds one more of the tools that the workflow knows."""
    old = _role(workflow, params.agent_id)
    known = {tool for role in workflow.roles.values() for tool in role.tools}
    if params.tool_id in old.tools:
        raise UsageError(f"expected a tool that `{params.agent_id}` does not hold, got `{params.tool_id}`")
    if params.tool_id not in known:
        raise UsageError(f"expected a tool of the workflow, got `{params.tool_id}`", hint=did_you_mean(params.tool_id, known))
    return _with_role(workflow, params.agent_id, tools=(*old.tools, params.tool_id))


def enforce_message_schema(workflow: Workflow, params: EnforceMessageSchema) -> Workflow:
    """What does not fit is not delivered, and the sender is told why."""
    if isinstance(params.schema, str):
        name, schemas = params.schema, workflow.schemas
    else:
        name = f"{params.channel}_enforced"
        schemas = {**workflow.schemas, name: params.schema}
    channels = {edge.channel for edge in workflow.edges} | set(workflow.channels)
    if params.channel not in channels:
        raise UsageError(f"expected a channel of the workflow, got `{params.channel}`", hint=did_you_mean(params.channel, channels))
    old = workflow.channels.get(params.channel, Channel())
    new = {**workflow.channels, params.channel: msgspec.structs.replace(old, schema=name)}
    return msgspec.structs.replace(workflow, channels=new, schemas=schemas)


def set_memory_policy(workflow: Workflow, params: SetMemoryPolicy) -> Workflow:
    """The agent remembers for so long."""
    _role(workflow, params.agent_id)
    return _with_role(workflow, params.agent_id, memory=params.policy)


def set_gate_param(workflow: Workflow, params: SetGateParam) -> Workflow:
    """A bound of a gate, or another number that it reads."""
    gate = workflow.gates.get(params.gate_id)
    if gate is None:
        raise UsageError(f"expected a gate of the workflow, got `{params.gate_id}`", hint=did_you_mean(params.gate_id, workflow.gates))
    new = msgspec.structs.replace(gate, params={**gate.params, params.key: params.value})
    return msgspec.structs.replace(workflow, gates={**workflow.gates, params.gate_id: new})


OPERATIONS: Mapping[str, tuple[type[msgspec.Struct], Callable[[Workflow, Any], Workflow]]] = {
    "add_approval_gate": (AddApprovalGate, add_approval_gate),
    "remove_handoff_edge": (EdgeOnly, remove_handoff_edge),
    "add_handoff_edge": (AddHandoffEdge, add_handoff_edge),
    "reroute_information": (RerouteInformation, reroute_information),
    "add_cross_check": (AddCrossCheck, add_cross_check),
    "patch_role_prompt": (PatchRolePrompt, patch_role_prompt),
    "rewrite_role_prompt": (RewriteRolePrompt, rewrite_role_prompt),
    "restrict_tool": (AgentTool, restrict_tool),
    "grant_tool": (AgentTool, grant_tool),
    "enforce_message_schema": (EnforceMessageSchema, enforce_message_schema),
    "set_memory_policy": (SetMemoryPolicy, set_memory_policy),
    "set_gate_param": (SetGateParam, set_gate_param),
}
"""Name -> its parameters and what it does."""


def apply(workflow: Workflow, operation: str, params: Mapping[str, Any]) -> Workflow:
    """Apply one operation by name; the result is checked as a workflow that was read.

    Raises:
        UsageError: No such operation, parameters that do not fit, or a target that the workflow does not hold.
        SchemaError: The changed workflow names something that it does not hold.
    """
    if operation not in OPERATIONS:
        raise UsageError(f"expected one of the twelve operations, got `{operation}`", hint=did_you_mean(operation, OPERATIONS))
    kind, change = OPERATIONS[operation]
    try:
        given = msgspec.convert(dict(params), kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"expected the parameters of `{operation}`, got: {error}") from None
    changed = change(workflow, given)
    check_workflow(changed, where=operation)
    return changed


def _literal(text: str) -> str:
    """A text that is put into a prompt as it stands: its dollar signs name no other text."""
    return text.replace("$", "$$")


def _edge(workflow: Workflow, name: str) -> Edge:
    ends, _, channel = name.partition(":")
    source, _, target = ends.partition("->")
    found = workflow.edge(source, target, channel or None)
    if found is None:
        known = [f"{e.source}->{e.target}" for e in workflow.edges]
        raise UsageError(f"expected an edge of the workflow, got `{name}`", hint=did_you_mean(ends, known))
    return found


def _role(workflow: Workflow, name: str) -> Any:
    if name not in workflow.roles:
        raise UsageError(f"expected a role of the workflow, got `{name}`", hint=did_you_mean(name, workflow.roles))
    return workflow.roles[name]


def _with_role(workflow: Workflow, name: str, **changes: Any) -> Workflow:
    role = msgspec.structs.replace(workflow.roles[name], **changes)
    return msgspec.structs.replace(workflow, roles={**workflow.roles, name: role})
