"""Rules of streams that take nothing: most often the name of a tool is misspelt, and what was to be judged is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from seamwise.binding import Coverage, Rule, Stream
from seamwise.errors import did_you_mean

MAX_TOOLS = 1_000
"""More tools than these of one file are not looked through for a name that is nearly a rule's."""


def near_names(streams: Sequence[Stream], coverage: Sequence[Coverage], tools: set[str]) -> set[str]:
    """Of the tools in a file those whose names are nearly those that rules without a record ask for; the nearest of each.

    Args:
        streams: The pack's streams.
        coverage: What was bound of the file, one for each stream.
        tools: The tools of the file's steps.
    """
    if len(tools) > MAX_TOOLS:
        return set()
    out: set[str] = set()
    for _, rule in unmet(streams, coverage):
        for name in _literal(rule):
            out.update([name] if name in tools else get_close_matches(name, tools, n=1, cutoff=0.6))
    return out


def unmet_rules(streams: Sequence[Stream], coverage: Sequence[Coverage], near: Iterable[str]) -> Iterator[str]:
    """A sentence for each rule that took nothing, with the tool that was probably meant.

    Of a stream that took nothing at all only those are told of which that is known.

    Args:
        streams: The pack's streams.
        coverage: What was bound of all recordings, one for each stream.
        near: The names that :func:`near_names` found in them.
    """
    near = sorted(set(near))
    empty = {stream.name for stream, counts in zip(streams, coverage, strict=True) if not counts.n_records}
    for stream, rule in unmet(streams, coverage):
        names = _literal(rule)
        hints = [hint for name in names if name not in near and (hint := did_you_mean(name, near))]
        if any(name in near for name in names) and rule.looks:
            hints = ["its other conditions hold of no step"]
        if hints or stream.name not in empty:
            what = f"tool {' or '.join(rule.tools)}" if rule.tools else "this rule"
            yield f"{rule.place}, stream `{stream.name}`: {what} takes nothing" + (f"; {hints[0]}" if hints else "")


def unmet(streams: Sequence[Stream], coverage: Sequence[Coverage]) -> Iterator[tuple[Stream, Rule]]:
    """The rules that made no record."""
    for stream, counts in zip(streams, coverage, strict=True):
        for at, rule in enumerate(stream.rules):
            if at not in counts.rules:
                yield stream, rule


def _literal(rule: Rule) -> list[str]:
    return [name for name in rule.tools if "*" not in name]
