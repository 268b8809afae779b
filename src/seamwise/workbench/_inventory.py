"""Looking through recordings for what a page could bind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seamwise.binding import decoded
from seamwise.record import Step, masked, masked_value
from seamwise.workbench._reading import Traces
from seamwise.workbench._seen import Inventory, KindSeen, PathSeen, ToolSeen

MOST_TOOLS = 300
MOST_PATHS = 40
"""Paths of one tool."""
MOST_SAMPLES = 3
MOST_DISTINCT = 1000
MOST_AGENTS = 300
DEPTH = 3
LONGEST = 48
"""Characters of a sample."""

_CALLS = frozenset({"tool_call", "tool_result"})


def inventory(paths: str | Path | Iterable[str | Path], *, format: str | None = None) -> Inventory:
    """What the recordings hold: agents, tools with their fields, how calls ended; values masked and shortened.

    Args:
        paths: Files and folders, or ``-``.
        format: Read all files as this format, unsniffed.

    Raises:
        UsageError: There is no path, or nothing lies at one.
        FormatError: There is no such format.
    """
    traces = Traces(paths, format=format)
    look = _Look()
    for _, trace in traces:
        look.at(trace.steps)
    out = look.out
    out.n_files, out.n_traces, out.n_steps = len(traces.paths), traces.n_traces, traces.n_steps
    out.errors = tuple((error.where, error.message) for error in traces.errors)
    out.agents = _by_number(out.agents)
    out.tools = dict(sorted(out.tools.items()))
    out.kinds = dict(sorted(out.kinds.items()))
    return out


class _Look:
    def __init__(self) -> None:
        self.out = Inventory()
        self._values: dict[int, set[str]] = {}

    def at(self, steps: Iterable[Step]) -> None:
        """Looks at one trace."""
        openings: dict[str, Step] = {}
        ended: set[str] = set()
        steps = tuple(steps)
        for step in steps:
            if step.kind == "tool_call" and step.call is not None:
                openings.setdefault(step.call, step)
        for step in steps:
            self._moment(step)
            if step.actor is not None:
                _count(self.out.agents, masked(step.actor), MOST_AGENTS)
            if step.kind not in _CALLS:
                self._of_kind(step)
                continue
            opening = openings.get(step.call or "")
            name = step.tool if step.tool is not None or opening is None else opening.tool
            tool = None if name is None else self._tool(name)
            if tool is None:
                continue
            if step.kind == "tool_call":
                self._call(tool, step)
            else:
                self._result(tool, step, ended)
        for call, opening in openings.items():
            tool = None if opening.tool is None else self.out.tools.get(opening.tool)
            if tool is not None and call not in ended:
                tool.open += 1

    def _moment(self, step: Step) -> None:
        out, t = self.out, step.time_ns
        if t is not None:
            out.first_ns = t if out.first_ns is None else min(out.first_ns, t)
            out.last_ns = t if out.last_ns is None else max(out.last_ns, t)

    def _tool(self, name: str) -> ToolSeen | None:
        tool = self.out.tools.get(name)
        if tool is None:
            if len(self.out.tools) >= MOST_TOOLS:
                _count(self.out.left_out, "calls of further tools")
                return None
            tool = self.out.tools[name] = ToolSeen(name=name)
        return tool

    def _call(self, tool: ToolSeen, step: Step) -> None:
        tool.calls += 1
        if step.actor is not None:
            _count(tool.callers, masked(step.actor), MOST_AGENTS)
        if step.call is None:
            tool.open += 1
        arguments = None if step.data is None else step.data.get("arguments")
        self._paths(tool.paths, "arguments", arguments)

    def _result(self, tool: ToolSeen, step: Step, ended: set[str]) -> None:
        if step.status == "timeout":
            return
        if step.call is not None:
            if step.call in ended:
                return
            ended.add(step.call)
        if step.status == "ok":
            tool.ok += 1
        elif step.status == "failed":
            tool.failed += 1
        else:
            tool.unstated += 1
        result = None if step.data is None else step.data.get("result")
        value = decoded(result) if isinstance(result, str) else result
        if isinstance(value, str) or (value is None and step.text is not None):
            text = _short(masked(value if isinstance(value, str) else step.text or ""))
            if text and text not in tool.texts and len(tool.texts) < MOST_SAMPLES:
                tool.texts = (*tool.texts, text)
        else:
            self._paths(tool.paths, "result", value)

    def _of_kind(self, step: Step) -> None:
        kind = self.out.kinds.get(step.kind)
        if kind is None:
            if len(self.out.kinds) >= MOST_TOOLS:
                _count(self.out.left_out, "steps of further kinds")
                return
            kind = self.out.kinds[step.kind] = KindSeen(name=step.kind)
        kind.n += 1
        if step.actor is not None:
            _count(kind.actors, masked(step.actor), MOST_AGENTS)
        if step.kind not in ("model_call", "model_result", "input"):
            self._paths(kind.paths, "data", step.data)

    def _paths(self, into: dict[str, PathSeen], root: str, value: Any) -> None:
        for path, name, leaf in _leaves(root, value, DEPTH):
            seen = into.get(path)
            if seen is None:
                if len(into) >= MOST_PATHS:
                    _count(self.out.left_out, "values at further paths")
                    continue
                seen = into[path] = PathSeen(path=path)
            seen.n += 1
            _count(seen.types, _type(leaf))
            text = _short(str(masked_value(_plain(leaf), name)))
            values = self._values.setdefault(id(seen), set())
            if text not in values and len(values) < MOST_DISTINCT:
                values.add(text)
                seen.distinct = len(values)
                if len(seen.samples) < MOST_SAMPLES:
                    seen.samples = (*seen.samples, text)


def _leaves(path: str, value: Any, depth: int, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Each path below a value, with the last name in it and what stands there."""
    if isinstance(value, str):
        inner = decoded(value)
        value = inner if isinstance(inner, Mapping) else value
    if isinstance(value, Mapping) and depth and value:
        for key, item in value.items():
            if not ("'" in key and '"' in key):  # a name with both quotes is in no path
                yield from _leaves(path + _part(str(key)), item, depth - 1, str(key))
    elif value is not None and path not in ("arguments", "result", "data"):
        yield path, name, value


def _part(name: str) -> str:
    if name and not any(c in name for c in ".[]'\"") and not any(c.isspace() for c in name) and name.isprintable():
        return f".{name}"
    return f'["{name}"]' if "'" in name else f"['{name}']"


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"{len(value)} items"
    return "{...}" if isinstance(value, Mapping) else str(value)


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "number"
    return "list" if isinstance(value, (list, tuple)) else "mapping" if isinstance(value, Mapping) else "text"


def _short(text: str) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in text[: LONGEST * 4]).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _count(into: dict[str, int], name: str, most: int | None = None) -> None:
    if name in into or most is None or len(into) < most:
        into[name] = into.get(name, 0) + 1


def _by_number(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
