"""Tools that were offered to a model call or declared for an agent. An offer is not a permission."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared.text import parsed

_LLM_TOOL = re.compile(r"llm\.tools\.(\d+)\.tool\.(json_schema|name|description)")
_FUNCTION = re.compile(r"llm\.request\.functions\.(\d+)\.(name|description|parameters)")
_read: dict[str, Any] = {}
"""Definitions repeat from call to call: text -> what it says."""


def tools_offered(attributes: dict[str, Any]) -> dict[str, Any]:
    """``{"tools": [...], "tool_names": [...]}`` as recorded, taken out of the attributes; empty where none are recorded."""
    listed = attributes.pop("gen_ai.tool.definitions", None)
    if listed is None:
        listed = attributes.pop("ai.prompt.tools", None)
    if listed is not None:
        definitions = _parsed(listed)
        tools = [_parsed(d) for d in definitions] if isinstance(definitions, list) else [definitions]
    else:
        tools = _flattened(attributes)
        if not tools:
            return {}
    names = [name for name in map(_name, tools) if name is not None]
    return {"tools": tools, "tool_names": names} if names else {"tools": tools}


def _flattened(attributes: dict[str, Any]) -> list[Any]:
    by_number: dict[int, dict[str, Any]] = {}
    for key in [k for k in attributes if k.startswith(("llm.tools.", "llm.request.functions."))]:
        found = _LLM_TOOL.fullmatch(key) or _FUNCTION.fullmatch(key)
        if found:
            by_number.setdefault(int(found[1]), {})[found[2]] = attributes.pop(key)
    tools = []
    for number in sorted(by_number):
        fields = by_number[number]
        if "json_schema" in fields:
            schema = _parsed(fields.pop("json_schema"))
            tools.append({**schema, **fields} if isinstance(schema, dict) else schema)
        else:
            if "parameters" in fields:
                fields["parameters"] = _parsed(fields["parameters"])
            tools.append(fields)
    return tools


def _parsed(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return _read[text]
    except KeyError:
        if len(_read) > 1000:
            _read.clear()
        value = _read[text] = parsed(text)
        return value


def _name(tool: Any) -> str | None:
    if isinstance(tool, str):
        return tool
    if not isinstance(tool, dict):
        return None
    function = tool.get("function")
    name = tool.get("name", function.get("name") if isinstance(function, dict) else None)
    return name if isinstance(name, str) else None
