"""One thing that is measured, in a process of its own: ``python tasks.py NAME FOLDER`` prints what it cost and found as JSON.

Only the work itself is counted, not the start of the interpreter and the imports, which have rows of their own.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Work = Callable[[], dict[str, Any]]


def decode(folder: Path) -> Work:
    """The native bytes into the same typed steps, and nothing else."""
    import msgspec

    from seamwise.record import Header, Step

    step, header = msgspec.json.Decoder(Step).decode, msgspec.json.Decoder(Header).decode

    def work() -> dict[str, Any]:
        n = 0
        for path in _files(folder):
            with path.open("rb") as file:
                for line in file:
                    if line.startswith(b'{"seamwise"'):
                        header(line)
                    else:
                        step(line)
                        n += 1
        return {"steps": n}

    return work


def decode_otlp(folder: Path) -> Work:
    """The OTLP bytes into the typed messages that the importer reads them into, and nothing else."""
    from seamwise.importers.otlp._wire import decode_request

    def work() -> dict[str, Any]:
        n = 0
        for path in _files(folder):
            with path.open("rb") as file:
                for line in file:
                    request = decode_request(line)
                    n += sum(len(s.spans or ()) for group in request.resourceSpans or () for s in group.scopeSpans or ())
        return {"spans": n}

    return work


def read(folder: Path) -> Work:
    """The recordings as traces, with their reports."""
    from seamwise.importers import open_recording

    files = [str(path) for path in _files(folder)]

    def work() -> dict[str, Any]:
        return {"steps": sum(len(trace.steps) for path in files for trace in open_recording(path).traces)}

    return work


def read_asked(folder: Path) -> Work:
    """The recordings as an audit reads them: only the steps that the page's rules can take, each file once."""
    from seamwise.audit._reads import Reads
    from seamwise.audit._scan import wanted_by
    from seamwise.importers import open_recording

    pack, files = the_pack(), [str(path) for path in _files(folder)]
    streams = tuple(pack.streams.values())
    wanted = wanted_by(streams, [Reads(contract, streams) for contract in pack.contracts])

    def work() -> dict[str, Any]:
        return {"steps": sum(len(t.steps) for path in files for t in open_recording(path, wanted=wanted, hasty=True).traces)}

    return work


def audit(folder: Path, jobs: int = 1, kinds: tuple[str, ...] | None = None) -> Work:
    """The library's call, from the files to all results."""
    from seamwise.audit import audit

    pack = the_pack(kinds)

    def work() -> dict[str, Any]:
        summary, results = audit([str(path) for path in _files(folder)], pack, jobs=jobs)
        found: dict[str, int] = {}
        for counts in summary.contracts.values():
            for status, n in counts.items():
                found[status] = found.get(status, 0) + n
        return {"traces": summary.n_traces, "steps": summary.n_steps, "instances": len(results), "verdicts": found}

    return work


def audit_jobs(folder: Path) -> Work:
    """The same in two processes."""
    return audit(folder, jobs=2)


def persona(_: Path) -> Work:
    """Episodes of a world that scripts play, with everything written: what a model call costs beside the model."""
    import seamwise.models.registry  # noqa: F401  # Inspect itself, whose import is not measured
    from seamwise.study import Plan, make_block, read_episodes, run_plan
    from seamwise.worlds import load_world

    world = load_world("kpi_gaming")
    block = make_block(world, models=["seamwise/careful", "seamwise/compliant"], seeds=5)
    plan = Plan(blocks=(block,), counterpart="seamwise/compliant", judge="seamwise/rule-judge")

    def work() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            run_plan(plan, Path(folder) / "run")
            return {"calls": sum(e.usage["calls"] for e in read_episodes(Path(folder) / "run"))}

    return work


def the_pack(kinds: tuple[str, ...] | None = None) -> Any:
    """The page of contracts; with kinds, only those."""
    import yaml

    from seamwise.audit import Pack

    if kinds is None:
        return Pack.load(HERE / "org.yaml")
    page = yaml.safe_load((HERE / "org.yaml").read_text())
    page["contracts"] = {name: c for name, c in page["contracts"].items() if c["kind"] in kinds}
    return Pack.parse(yaml.safe_dump(page, sort_keys=False))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else [folder]


def cpu_s() -> float:
    """User and system seconds of this process and of its children that ended."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def audit_by_key(folder: Path) -> Work:
    """The same for contracts of which each instance reads its own key or subject alone, so that a long trace is many small ones."""
    return audit(folder, kinds=("within_total", "check_done", "state_kept"))


def peak_mb() -> float:
    """The most memory that this process had; not what it had from the process that started it, as ``ru_maxrss`` has on Linux."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)


TASKS: dict[str, Callable[[Path], Work]] = {
    "decode": decode,
    "decode_otlp": decode_otlp,
    "read": read,
    "read_asked": read_asked,
    "audit": audit,
    "audit_jobs": audit_jobs,
    "audit_by_key": audit_by_key,
    "persona": persona,
}


def main() -> None:
    name, folder = sys.argv[1:]
    work = TASKS[name](Path(folder))
    cpu, wall = cpu_s(), time.perf_counter()
    told = work()
    cpu, wall = cpu_s() - cpu, time.perf_counter() - wall
    print(json.dumps({"cpu_s": cpu, "wall_s": wall, "peak_mb": peak_mb(), **told}))


if __name__ == "__main__":
    main()
