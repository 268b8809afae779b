"""Names of agents: in which form two are compared, and which agent a tool named like a handoff points at."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_NOBODY = frozenset({"", "unknown", "none", "null", "undefined"})


def somebody(value: Any) -> str | None:
    """The name in a value, if it is that of somebody."""
    return value.strip() if isinstance(value, str) and value.strip().lower() not in _NOBODY else None


_TRANSFER = re.compile(
    r"(?:transfer|hand[ _-]?off|handover|delegate|route|escalate)(?:[ _-]back)?[ _-]to[ _-](.+)", re.IGNORECASE | re.DOTALL
)


_ANY_AGENT = frozenset({"agent", "other_agent"})
"""What tools that hand over to any agent are named after; their arguments say to whom."""

_COWORKERS = ("delegate work to co", "ask question to co")
"""How tools begin whose arguments say to whom they hand off."""


@lru_cache(maxsize=4096)
def _transfer(tool: str) -> re.Match[str] | None:
    return _TRANSFER.fullmatch(tool)


def transfer_label(tool: str, arguments: Any) -> str | None:
    """The agent that a tool's name or arguments point at, where the tool is named like a handoff; a label, not yet an agent."""
    if tool.lower().startswith(_COWORKERS) and isinstance(arguments, dict):
        return somebody(arguments.get("coworker") or arguments.get("co_worker"))
    said = _transfer(tool)
    if said and alike(said[1]) in _ANY_AGENT and isinstance(arguments, dict):
        return somebody(arguments.get("agent_name") or arguments.get("agentName") or arguments.get("agent"))
    return somebody(said[1]) if said else None


@lru_cache(maxsize=4096)
def may_hand_off(tool: str) -> bool:
    """Whether some arguments make :func:`transfer_label` name somebody."""
    return tool.lower().startswith(_COWORKERS) or _transfer(tool) is not None


@lru_cache(maxsize=4096)
def alike(name: str) -> str:
    """A form in which names are compared: lower case, everything but letters and digits one underscore."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")
