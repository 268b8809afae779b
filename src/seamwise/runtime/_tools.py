"""Tools: plain functions with injected state, called by agents with arguments that are checked."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import docstring_parser
import msgspec

if TYPE_CHECKING:
    from seamwise.runtime._runtime import Runtime


class ToolRefused(Exception):
    """Raised inside a tool: nothing took effect, and the agent is told why. The trace holds a failed call."""


@dataclass(frozen=True)
class Call:
    """What a tool function gets besides its arguments."""

    runtime: Runtime
    caller: str
    """The role that called."""
    id: str
    """Id of the call in the trace."""
    step: str
    """Id of the ``tool_call`` step."""

    @property
    def state(self) -> Any:
        """The world's own state."""
        return self.runtime.state


@dataclass(frozen=True)
class Tool:
    """A function that agents may call.

    ``run`` takes the `Call` first and then the arguments by name; what it returns (any JSON value) is the tool's answer. It may be
    ``async``. ``ends_turn``: with this call the agent's turn is over.
    """

    name: str
    description: str
    schema: dict[str, Any]
    """JSON Schema of the arguments, an object."""
    run: Callable[..., Any]
    arguments: type[msgspec.Struct]
    ends_turn: bool = False

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, converted; ``msgspec.ValidationError`` where they do not fit."""
        checked = msgspec.convert(dict(given), self.arguments, strict=False)
        return {name: getattr(checked, name) for name in self.arguments.__struct_fields__}


@overload
def tool(run: Callable[..., Any], /) -> Tool: ...
@overload
def tool(*, name: str | None = None, ends_turn: bool = False) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    run: Callable[..., Any] | None = None, *, name: str | None = None, ends_turn: bool = False
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function, whose docstring (Google style) is what agents read.

    Its first argument is the `Call`; the others are the tool's. ``name`` is the function's where it is not given. With ``ends_turn`` a call
    that went through ends the agent's turn.

        @tool
        def read_ledger(call: Call, customer_id: str) -> list[dict[str, str]]: ...
    """

    def make(function: Callable[..., Any]) -> Tool:
        hints = typing.get_type_hints(function, include_extras=True)
        doc = docstring_parser.parse(function.__doc__ or "")
        about = {p.arg_name: p.description or "" for p in doc.params}
        fields: list[Any] = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.name not in about:
                raise TypeError(f"tool `{function.__name__}`: argument `{parameter.name}` is not described in its docstring")
            kind = hints[parameter.name]
            if parameter.default is parameter.empty:
                fields.append((parameter.name, kind))
            else:
                fields.append((parameter.name, kind, parameter.default))
        struct = msgspec.defstruct(function.__name__, fields, frozen=True, kw_only=True, forbid_unknown_fields=True)
        described = " ".join(part.strip() for part in (doc.short_description, doc.long_description) if part)
        return Tool(name or function.__name__, described, _schema(struct, about), function, struct, ends_turn)

    return make if run is None else make(run)


def _schema(struct: type[msgspec.Struct], about: Mapping[str, str]) -> dict[str, Any]:
    whole = msgspec.json.schema(struct)
    schema = whole["$defs"][struct.__name__]
    properties = {name: {**prop, "description": about[name]} for name, prop in schema.get("properties", {}).items()}
    return {"type": "object", "properties": properties, "required": list(schema.get("required", [])), "additionalProperties": False}
