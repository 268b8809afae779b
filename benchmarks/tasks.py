"""One thing that is measured, in a process of its own: ``python tasks.py NAME FOLDER`` prints what it cost and found as JSON.

Only the work itself is counted, not the start of the interpreter and the imports, which have rows of their own.
"""

from __future__ import annotations

import json
import resource
import sys
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


def audit(folder: Path, jobs: int = 1) -> Work:
    """The library's call, from the files to all results."""
    from seamwise.audit import audit

    pack = the_pack()

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


def the_pack() -> Any:
    import yaml

    from seamwise.audit import Pack
    from seamwise.kinds import kind_names

    page = yaml.safe_load((HERE / "org.yaml").read_text())
    page["contracts"] = {name: c for name, c in page["contracts"].items() if c["kind"] in kind_names()}
    return Pack.parse(yaml.safe_dump(page, sort_keys=False))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else [folder]


def cpu_s() -> float:
    """User and system seconds of this process and of its children that ended."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


TASKS: dict[str, Callable[[Path], Work]] = {
    "decode": decode,
    "decode_otlp": decode_otlp,
    "read": read,
    "audit": audit,
    "audit_jobs": audit_jobs,
}


def main() -> None:
    name, folder = sys.argv[1:]
    work = TASKS[name](Path(folder))
    cpu, wall = cpu_s(), time.perf_counter()
    told = work()
    cpu, wall = cpu_s() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": cpu, "wall_s": wall, "peak_mb": peak, **told}))


if __name__ == "__main__":
    main()
