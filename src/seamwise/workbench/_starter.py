"""A first page from what recordings hold: one stream for each tool, and contracts that could be bound, switched off.

Lines that begin with ``##`` explain. Lines that begin with one ``#`` are parts of the page that are switched off; without their ``# `` they
stand where they belong. The page loads as it is, and with all of them switched on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from seamwise.workbench._candidates import candidates
from seamwise.workbench._guess import amount_of, currency_of, leaf_of, party_of, success_of, unit_of
from seamwise.workbench._scalar import comment, scalar
from seamwise.workbench._seen import Inventory, KindSeen, PathSeen, ToolSeen

MOST_FIELDS = 12
_OWN = frozenset({"t", "status", "actor", "recipients"})
"""Fields that a record has by itself; an entry of a call that is called so is something else."""
_STREAM_OF = {
    "decision": ("decisions", None),
    "approval": ("approvals", None),
    "check": ("checks", "check"),
    "sign_off": ("sign_offs", None),
    "edit": ("edits", None),
    "route": ("routes", None),
    "admission": ("admission", None),
    "receipt": ("receipts", None),
    "state": ("state", "object"),
}
"""Kinds of step that contracts read as they are -> the stream by which they know them, and its key."""


def starter(seen: Inventory, *, command: str = "seamwise init") -> str:
    """A page that binds every tool that was seen, and shows in comments what else it could say.

    Args:
        seen: What the recordings hold.
        command: How it was asked for, for the first line.
    """
    return "\n".join(line.rstrip() for line in _page(seen, command)) + "\n"


def _page(seen: Inventory, command: str) -> Iterator[str]:
    yield f"## Written by `{comment(command)}`: what these recordings hold, ready to be bound. Nothing here judges anything yet."
    yield "## Lines with ## explain. Blocks with one # are switched off: take the `# ` away to use one, then look at the preview:"
    yield "##   seamwise bind org.yaml PATH... --preview"
    yield "version: 1"
    yield ""
    span = _span(seen)
    yield f"## {_n(seen.n_traces, 'trace')}, {_n(seen.n_steps, 'step')} in {_n(seen.n_files, 'file')}{span}"
    if seen.agents:
        yield from _wrapped("## agents: ", (f"{comment(name)} ({n})" for name, n in seen.agents.items()))
    for what, n in seen.left_out.items():
        yield f"## left out: {n} {what}"
    for where, why in seen.errors:
        yield f"## could not be read: {comment(where)}: {comment(why)}"
    yield ""
    kinds = [kind for kind in seen.kinds.values() if kind.name in _STREAM_OF]
    taken = {_STREAM_OF[kind.name][0] for kind in kinds}
    found = [c for c in candidates(seen) if not taken & set(c.names)]
    names = _Names({*taken, *(name for c in found for name in c.names)})
    if any(c.organization for c in found):
        yield "organization:"
        for c in found:
            if c.organization:
                yield f"  ## for the contract {c.name}"
                yield from (f"# {line}" for line in c.organization)
        yield ""
    yield "streams:"
    for tool in seen.tools.values():
        yield from _stream_of_tool(tool, names)
    for kind in kinds:
        yield from _stream_of_kind(kind)
    for c in found:
        yield ""
        yield f"  ## for the contract {c.name}"
        yield from (f"# {line}" for line in c.streams)
    others = [f"{comment(k.name)} ({k.n})" for k in seen.kinds.values() if k.name not in _STREAM_OF]
    if others:
        yield ""
        yield from _wrapped("## steps that are no calls of tools: ", others)
        yield "## a rule takes them by `kind`, `channel` and `agent`: {kind: message, channel: approvals, as: approval, fields: {...}}"
    yield ""
    yield "contracts:"
    yield "## `seamwise contracts` lists the kinds. Whatever is said under `because` is quoted by every verdict that leans on it."
    if not found:
        yield "## No contract suggests itself by the names of tools and fields; a policy of yours can be bound all the same."
    for c in found:
        yield ""
        yield f"  ## {comment(c.why)}"
        yield from (f"# {line}" for line in c.contract)


def _stream_of_tool(tool: ToolSeen, names: _Names) -> Iterator[str]:
    ended = [
        f"{n} {word}"
        for n, word in ((tool.ok, "ok"), (tool.failed, "failed"), (tool.unstated, "of unstated outcome"), (tool.open, "open"))
        if n
    ]
    callers = ", ".join(f"{comment(name)} ({n})" for name, n in list(tool.callers.items())[:6]) or "nobody that was recorded"
    yield ""
    yield f"  ## {_n(tool.calls, 'call')} by {callers}; results: {', '.join(ended) or 'none'}"
    for text in tool.texts:
        yield f"  ##   says: {comment(text)}"
    yield f"  {scalar(names.stream(tool.name))}:"
    yield "    from:"
    yield f"      - tool: {scalar(tool.name)}"
    amount, party = amount_of(tool), party_of(tool)
    fields = list(_fields(tool.paths.values(), amount))
    if fields:
        yield "        fields:"
        yield from (f"          {line}" for line in fields[:MOST_FIELDS])
        if len(fields) > MOST_FIELDS:
            yield f"          ## and {len(fields) - MOST_FIELDS} more"
            yield from (f"          # {line}" for line in fields[MOST_FIELDS:])
    else:
        yield "        fields: {}"
    success = success_of(tool)
    if success is not None:
        yield f"        # ok: {{path: {scalar(success[0])}, equals: {scalar(success[1])}}}"
    elif tool.texts and not tool.failed:
        yield "        ## a result in words: say by which of them it took effect, as in `ok: {match: '(?i)issued|done'}`"
    key = names_of(tool.paths.values()).get(party.path) if party is not None else None
    if key is not None:
        yield f"    # key: {scalar(key)}"
    yield '    # route: {by: user, because: "..."}      ## nothing of this kind happens beside this tool'
    yield '    # recording: {by: user, because: "..."}  ## every call of it is in the recordings'


def _stream_of_kind(kind: KindSeen) -> Iterator[str]:
    stream, key = _STREAM_OF[kind.name]
    actors = ", ".join(comment(name) for name in list(kind.actors)[:6])
    yield ""
    who = f" by {actors}" if actors else ""
    yield f"  ## {_n(kind.n, 'step')} of the kind {kind.name}{who}; every entry of their data is a field of its name"
    for path in list(kind.paths.values())[:MOST_FIELDS]:
        yield f"  ##   {comment(path.path)}: {_samples(path)}"
    yield f"  {stream}:"
    yield "    from:"
    yield f"      - kind: {scalar(kind.name)}"
    if key is not None and f"data.{key}" in kind.paths:
        yield f"    key: {key}"


def _fields(paths: Iterable[PathSeen], amount: PathSeen | None) -> Iterator[str]:
    paths = list(paths)
    names = names_of(paths)
    for path in paths:
        if path.path not in names:
            continue
        name = names[path.path]
        told = f"  ## {path.n}: {_samples(path)}"
        if amount is not None and path.path == amount.path:
            yield f"{scalar(name)}: {{path: {scalar(path.path)}, unit: {unit_of(path, currency_of(path))}}}{told}"
        else:
            yield f"{scalar(name)}: {scalar(path.path)}{told}"


def names_of(paths: Iterable[PathSeen]) -> dict[str, str]:
    """The fields that a starter makes of paths: each path with a name of its own; what has none is left out."""
    out: dict[str, str] = {}
    for path in paths:
        name = field_name(path.path)
        if name in out.values() or name in _OWN:
            name = "_".join([path.path.split(".")[0].split("[")[0], name])
        if name not in out.values():
            out[path.path] = name
    return out


def field_name(path: str) -> str:
    """The name that a starter gives to what stands at a path."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", leaf_of(path)).strip("_")
    return name or "value"


def _samples(path: PathSeen) -> str:
    shown = ", ".join(comment(sample) or "(empty)" for sample in path.samples)
    more = f" ... ({path.distinct} different)" if path.distinct > len(path.samples) else ""
    types = "" if set(path.types) == {"text"} else f" [{', '.join(path.types)}]"
    return f"{shown}{more}{types}"


class _Names:
    """Names of streams, each given once."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def stream(self, name: str) -> str:
        """A name for a stream: of plain characters, and not taken."""
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_") or "tool"
        out, n = plain, 2
        while out in self._taken:
            out, n = f"{plain}_{n}", n + 1
        self._taken.add(out)
        return out


def _wrapped(first: str, items: Iterable[str], width: int = 120) -> Iterator[str]:
    line = first
    for i, item in enumerate(items):
        piece = item if i == 0 else f", {item}"
        if len(line) + len(piece) > width and line != first:
            yield line + ","
            line, piece = "##   ", item
        line += piece
    yield line


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' * (n != 1)}"


def _span(seen: Inventory) -> str:
    try:
        if seen.first_ns is None or seen.last_ns is None:
            return ""
        first, last = (datetime.fromtimestamp(t // 10**9, UTC).date().isoformat() for t in (seen.first_ns, seen.last_ns))
    except (OverflowError, ValueError, OSError):
        return ""
    return f", {first}" if first == last else f", {first} to {last}"
