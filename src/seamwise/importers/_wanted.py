"""What of a recording a reader asks for, and what stands where he asked for nothing.

Reading a large corpus for a few contracts costs a fraction of reading all of it: of a step that no rule can take only its place counts.
INVARIANT: what is left out changes nothing else. Places, clocks, the order among the steps that are there, and the import report are those
of the whole recording.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

from seamwise.record import Step, Trace

LEFT_OUT = "left_out"
"""The kind of a step that was not asked for. It stands for its place, for its writer, and for having a moment (not for which)."""

_MOST = 50_000
"""So many answers are remembered."""


class Wanted:
    """Which steps are asked for.

    Args:
        takes: Pairs of kinds and tools; a step is wanted if some pair names both its kind and its tool. There may be patterns with ``*``
            among them, and where none is named, all are.
        claimed: First words of the streams of which claims are asked for (``input`` for ``input/<agent>``); None: of all.
    """

    def __init__(self, takes: Iterable[tuple[Collection[str], Collection[str]]], *, claimed: Collection[str] | None = None) -> None:
        self.claimed = None if claimed is None else frozenset(claimed)
        self._takes = tuple((frozenset(kinds), frozenset(tools)) for kinds, tools in takes)
        self._known: dict[tuple[tuple[str, ...], str | None], bool] = {}

    def tools(self) -> set[str]:
        """The tools of the steps that were asked about since :meth:`begin`, as far as they are remembered."""
        return {tool for _, tool in self._known if tool is not None}

    def begin(self) -> None:
        """Forgets which tools were asked about; the answers are the same."""
        self._known.clear()

    def has(self, kinds: tuple[str, ...], tool: str | None = None) -> bool:
        """Whether a step of one of these kinds, of this tool (None: of some tool, or of none) is asked for."""
        known = self._known.get((kinds, tool))
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[(kinds, tool)] = any(
                any(_named(some, kind) for kind in kinds) and (tool is None or _named(tools, tool)) for some, tools in self._takes
            )
        return known


def _named(words: frozenset[str], value: str) -> bool:
    return not words or value in words or any("*" in word and fnmatchcase(value, word) for word in words)


class ScatteredError(Exception):
    """A trace goes on that was given out in haste (``Sink.hasty``), or what was given out would be otherwise known what came later.

    It is no damage: the recording is to be read again, without haste.
    """


class Partial(Trace, frozen=True, kw_only=True, gc=False):
    """A trace in which steps that were not asked for are left out, each by a step of kind :data:`LEFT_OUT`.

    Its header lacks claims that were not asked for, and what only the content of those steps says of the organization's agents.
    """

    whole: Callable[[], Trace]
    """Reads the same trace again with everything in it. To be called before the next trace is asked for."""


def whole(trace: Trace) -> Trace:
    """The trace with everything that its recording holds of it."""
    return trace.whole() if isinstance(trace, Partial) else trace


@lru_cache(maxsize=4096)
def left_out(source: str | None, *, timed: bool) -> Step:
    """What stands for a step of this writer that was not asked for.

    Args:
        source: The writer.
        timed: Whether the step has a moment.
    """
    return Step(id="", kind=LEFT_OUT, source=source, time_ns=0 if timed else None)
