"""tau-bench and tau2-bench: an agent that serves a simulated user with the tools of a shop or an airline.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/tau.md``. In short:

- One run of a task is one trace. The benchmark's key is (task, trial); it repeats from file to file, so a fingerprint of what was said
  stands behind it.
- There are two speakers, and their roles are their names: ``assistant`` and ``user``. In tau2 the user has tools of its own.
- Rewards, the task with its expected actions, and everything else that grades are sealed.

Modules in reading order: ``_messages`` (what was said and called), ``_runs`` (one run of either benchmark), ``_ticks`` (both speak at
once), ``_display`` (conversations shown as text).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._shared.text import clean
from seamwise.importers._source import Source
from seamwise.record import Trace


class Tau:
    """The importer of tau-bench and tau2-bench."""

    name = "tau"
    version = 1
    summary = "tau-bench and tau2-bench: runs of a task with a simulated user, by messages or by ticks"

    def sniff(self, head: bytes) -> int:
        """Whether the keys of a run stand there."""
        seen = outline(head)
        for at in ("[].", ""):
            if seen.has(f"{at}task_id") and (seen.has(f"{at}traj[].role") or seen.has(f"{at}reward", f"{at}info.task")):
                return 88
            if seen.has(f"{at}task_id", f"{at}termination_reason") or seen.has(f"{at}task_id", f"{at}ticks[].tick_id"):
                return 88
        if seen.has("simulations[].task_id") or seen.has("info.environment_info", "info.user_info"):
            return 88
        if seen.has("timestamp", "info.num_trials") and seen.has("info.user_info"):
            return 80
        return 70 if seen.has("messages_display") or seen.has("[].messages_display") else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The runs of a file.

        Raises:
            FormatError: There is no run in it.
        """
        from seamwise.importers._shared.document import pieces
        from seamwise.importers.tau._display import display
        from seamwise.importers.tau._runs import run, simulation

        n, elsewhere = 0, False
        for piece in pieces(source, sink):
            tasks, policies = _tasks(piece.value), _policies(piece.value)
            for entry in _entries(piece.value):
                trace: Trace | None = None
                if isinstance(entry, dict):
                    if isinstance(entry.get("traj"), list):
                        trace = run(entry, sink, source.path)
                    elif isinstance(entry.get("ticks"), list) or ("task_id" in entry and isinstance(entry.get("messages"), list)):
                        trace = simulation(entry, sink, source.path, tasks, policies)
                    elif isinstance(entry.get("messages_display"), str):
                        trace = display(entry["messages_display"], sink, source.path)
                    elif "environment_info" in entry:
                        elsewhere = True
                        continue
                if trace is None:
                    sink.report.records += 1
                    sink.report.drop("no run of a task")
                    continue
                n += 1
                yield trace
        if n == 0 and elsewhere:
            raise FormatError(
                "expected runs, got only the settings of an experiment whose runs stand in other files",
                where=source.path,
                hint="give the folder `simulations` beside it",
            )
        if n == 0:
            raise FormatError("expected runs of tau-bench or tau2-bench, got none", where=source.path)


def _tasks(value: Any) -> dict[str, Any]:
    """The tasks of an experiment, which say what would be right, by id."""
    listed = value.get("tasks") if isinstance(value, dict) else None
    return {str(task["id"]): task for task in listed if isinstance(task, dict) and "id" in task} if isinstance(listed, list) else {}


def _policies(value: Any) -> dict[str, Any]:
    """The policy that the agents of an experiment were given, by the domain."""
    info = value.get("info") if isinstance(value, dict) else None
    about = info.get("environment_info") if isinstance(info, dict) else None
    if not isinstance(about, dict) or not isinstance(about.get("policy"), str):
        return {}
    domain = about.get("domain_name")
    return {domain if isinstance(domain, str) and domain else "policy": clean(about["policy"])}


def _entries(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from value
    elif isinstance(value, dict) and isinstance(info := value.get("info"), dict) and "environment_info" in info:
        simulations = value.get("simulations")
        yield from simulations if isinstance(simulations, list) and simulations else [info]
    else:
        yield value


IMPORTER = Tau()
