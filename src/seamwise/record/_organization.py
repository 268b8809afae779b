"""What surrounds the traces."""

from __future__ import annotations

from typing import Any

import msgspec


class Organization(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Roles, policies, permissions, scopes, documents, tools, workflow edges, stages, gates and facts, as far as anybody recorded them.

    Every part maps an entry's name to its value; an entry is whole or absent, never half. ``complete`` names the parts that hold every
    entry there is; in all others a missing entry is unknown.
    """

    agents: dict[str, Any] = {}
    """Agents seen or declared: name -> description, model, role ..."""
    roles: dict[str, Any] = {}
    """Role -> who holds it."""
    policies: dict[str, Any] = {}
    """Policy id -> text or reference."""
    rights: dict[str, tuple[str, ...]] = {}
    """Reserved action -> holders."""
    scopes: dict[str, tuple[str, ...]] = {}
    """Requester -> fields and actions that it is authorized for."""
    documents: dict[str, Any] = {}
    tools: dict[str, tuple[str, ...]] = {}
    """Agent -> tools granted to it in this run. A registry that a tool exists is not a grant."""
    attested: dict[str, float] = {}
    """Agent -> independently attested capability."""
    edges: dict[str, Any] = {}
    """Declared workflow edges."""
    stages: dict[str, Any] = {}
    gates: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    """Ground facts of a world; withheld from auditors."""
    complete: tuple[str, ...] = ()
    """Names of the parts above that hold every entry there is."""
