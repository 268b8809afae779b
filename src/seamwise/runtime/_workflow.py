"""A workflow: what a world declares of its roles, edges and controls, and what a repair may change."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any, Literal

import msgspec
import yaml

from seamwise.errors import SchemaError, did_you_mean

Keep = Literal["episode", "stage", "turn"]
"""How long an agent remembers: the whole episode, until the next stage begins, or one turn only."""


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an agent remembers of its own conversation."""

    keep: Keep = "episode"
    last: int | None = None
    """Of what is kept, only the last so many turns before the present one; None: all."""


class Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One role. Its prompt may hold ``${name}``; the task fills these in (`Workflow.prompt`)."""

    prompt: str
    tools: tuple[str, ...] = ()
    memory: Memory = Memory()
    max_calls: int = 12
    """Model calls in one turn at most; the turn ends there and says so."""


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A way that messages take. ``via``: a role that gets the message first and passes on what it will."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    channel: str
    via: str | None = None


class Channel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Rules of a channel. ``schema`` names a message schema; a text in which a pattern of ``refuse`` is found is not delivered."""

    schema: str | None = None
    refuse: tuple[str, ...] = ()
    because: str = "this channel does not carry that"


class When(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """When a gate asks. Without a field: always. A number that is a word stands for the gate's parameter of that name."""

    field: str | None = None
    above: float | str | None = None
    equals: Any = None


class Gate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An approval that is asked for before something passes an edge.

    ``edge`` is ``role->role`` or ``role->tool:name``; ``*`` stands for any role.
    """

    edge: str
    approver: str
    when: When = When()
    params: dict[str, Any] = {}


class CrossCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A second look at a stage: what is about to happen there goes to the checker first, and stops where the checker says no."""

    stage: str
    checker: str


class Workflow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """All that a world declares of its workflow; the twelve operations (`seamwise.runtime.operations`) change it and nothing else."""

    version: int = 1
    roles: dict[str, Role]
    parties: tuple[str, ...] = ()
    """Who takes part from outside and is no agent of the roster: a customer, a requester."""
    edges: tuple[Edge, ...] = ()
    channels: dict[str, Channel] = {}
    schemas: dict[str, dict[str, Any]] = {}
    gates: dict[str, Gate] = {}
    stages: tuple[str, ...] = ()
    """Points at which a cross-check may stand."""
    checks: tuple[CrossCheck, ...] = ()
    costs: dict[str, dict[str, float]] = {}
    """Tool -> ``minutes`` and ``points`` that a call of it is charged."""
    texts: dict[str, str] = {}
    """Blocks of text by name; conditions choose among them."""
    settings: dict[str, Any] = {}
    """Numbers and switches of this world that its environment reads."""

    def edge(self, source: str, target: str, channel: str | None = None) -> Edge | None:
        """The edge between two roles, or None."""
        for edge in self.edges:
            if (edge.source, edge.target) == (source, target) and channel in (None, edge.channel):
                return edge
        return None

    def prompt(self, role: str, texts: Mapping[str, str]) -> str:
        """The role's prompt with every ``${name}`` filled in, from the task's texts and then from the workflow's own.

        Raises:
            SchemaError: A name stands for nothing.
        """
        try:
            return Template(self.roles[role].prompt).substitute({**self.texts, **texts}).strip()
        except (KeyError, ValueError) as error:
            raise SchemaError(
                f"expected a text for {error} in the prompt of role `{role}`", hint="add it to `texts` of the workflow"
            ) from None


def load_workflow(path: Path | Traversable) -> Workflow:
    """Read and check a ``workflow.yaml``.

    Raises:
        SchemaError: It does not fit, or names a role, channel, schema or stage that it does not hold.
    """
    try:
        workflow = msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")), Workflow)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise SchemaError(f"expected a workflow, got: {error}", where=str(path)) from None
    check_workflow(workflow, where=str(path))
    return workflow


def dump_workflow(workflow: Workflow) -> str:
    """The workflow as YAML, in one fixed way of writing."""
    return str(yaml.safe_dump(msgspec.to_builtins(workflow), sort_keys=True, allow_unicode=True, width=100))


def check_workflow(workflow: Workflow, *, where: str = "workflow") -> None:
    """Every name that the workflow uses stands for something in it.

    Raises:
        SchemaError: One does not.
    """

    def known(name: str, among: Mapping[str, Any] | tuple[str, ...], what: str, at: str) -> None:
        if name not in among:
            raise SchemaError(f"expected a {what} of the workflow, got `{name}`", where=f"{where} {at}", hint=did_you_mean(name, among))

    somebody = (*workflow.roles, *workflow.parties)
    for number, edge in enumerate(workflow.edges):
        for name in (edge.source, edge.target):
            known(name, somebody, "role or party", f"edges[{number}]")
        if edge.via is not None:
            known(edge.via, workflow.roles, "role", f"edges[{number}].via")
    for name, channel in workflow.channels.items():
        if channel.schema is not None:
            known(channel.schema, workflow.schemas, "schema", f"channels.{name}")
    for name, gate in workflow.gates.items():
        known(gate.approver, workflow.roles, "role", f"gates.{name}.approver")
        source, arrow, target = gate.edge.partition("->")
        if not arrow:
            raise SchemaError(f"expected `role->role` or `role->tool:name`, got `{gate.edge}`", where=f"{where} gates.{name}.edge")
        if source != "*":
            known(source, workflow.roles, "role", f"gates.{name}.edge")
        if not target.startswith("tool:"):
            known(target, somebody, "role or party", f"gates.{name}.edge")
    for number, check in enumerate(workflow.checks):
        known(check.stage, workflow.stages, "stage", f"checks[{number}]")
        known(check.checker, workflow.roles, "role", f"checks[{number}]")
