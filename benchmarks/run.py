"""Measures Seamwise against the plain decode of the same bytes, and prints ratios.

    python benchmarks/run.py              # 20,000 traces of 50 steps: some minutes, and 1.1 GB under out/bench
    python benchmarks/run.py --quick      # a twentieth of it
    python benchmarks/run.py --json

Every figure is CPU seconds (user and system, child processes included) of a process of its own, the median of several that ran in turn
with the others, so that a busy machine slows all of them alike. A ratio divides figures of the same round and is the median over rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from generate import N_LONG, SEED, Plan, ready

HERE = Path(__file__).parent
FOLDER = HERE.parent / "out" / "bench"
QUICK = 0.05

Round = dict[str, dict[str, Any]]
"""What each job of one round cost and found."""


class Job(NamedTuple):
    """Something that is run once a round."""

    name: str
    command: tuple[str, ...]
    measured_outside: bool = False
    """The whole process counts, not what it says of itself."""


class Row(NamedTuple):
    """A line of the table."""

    what: str
    value: float
    unit: str
    target: float | None = None
    seconds: float | None = None
    """The absolute figure behind a ratio."""


def jobs(data: Path) -> list[Job]:
    """Everything that is measured by running a process."""

    def task(name: str, work: str, path: Path) -> Job:
        return Job(name, (sys.executable, str(HERE / "tasks.py"), work, str(path)))

    python = sys.executable
    return [
        task("decode", "decode", data / "native"),
        task("read", "read", data / "native"),
        task("audit", "audit", data / "native"),
        task("audit --jobs 2", "audit_jobs", data / "native"),
        task("audit of a tenth", "audit", data / "tenth"),
        task("otlp decode", "decode_otlp", data / "otlp"),
        task("otlp import", "read", data / "otlp"),
        task("otlp asked", "read_asked", data / "otlp"),
        task("otlp audit", "audit", data / "otlp"),
        *(task(f"long by key {n}", "audit_by_key", data / f"long-{n}.jsonl") for n in N_LONG[1:]),
        *(task(f"long {n}", "audit", data / f"long-{n}.jsonl") for n in N_LONG[:2]),
        task("persona", "persona", data / "native"),
        Job("pass", (python, "-c", "pass"), measured_outside=True),
        Job("import", (python, "-c", "import seamwise"), measured_outside=True),
        Job("help", (python, "-c", "from seamwise.cli import main; main(['--help'])"), measured_outside=True),
    ]


def run(job: Job, environment: dict[str, str]) -> dict[str, Any]:
    """What one process of the job cost."""
    with subprocess.Popen(job.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"`{job.name}` failed with {process.returncode}:\n{err.decode('utf-8', 'replace')}")
    cpu = usage.ru_utime + usage.ru_stime
    return {"cpu_s": cpu} if job.measured_outside else {**json.loads(out), "process_cpu_s": cpu}


def rows(rounds: list[Round]) -> Iterator[Row]:
    """The ratios."""

    def of(figure: Callable[[Round], float]) -> float:
        return median(figure(r) for r in rounds)

    def ratio(what: str, top: str, bottom: str, target: float | None = None, *, field: str = "cpu_s", unit: str = "x") -> Row:
        return Row(what, of(lambda r: r[top][field] / r[bottom][field]), unit, target, of(lambda r: r[top][field]))

    yield Row("plain typed decode of native JSON Lines", 1.0, "x", seconds=of(lambda r: r["decode"]["cpu_s"]))
    yield ratio("reading it as traces / decode", "read", "decode")
    yield ratio("audit, twenty contracts / decode", "audit", "decode", 3.0)
    yield Row("plain typed decode of OTLP JSON", 1.0, "x", seconds=of(lambda r: r["otlp decode"]["cpu_s"]))
    yield ratio("importing it / its decode", "otlp import", "otlp decode")
    yield ratio("importing what an audit asks for / its decode", "otlp asked", "otlp decode")
    yield ratio("audit of OTLP, twenty contracts / its decode", "otlp audit", "otlp decode", 3.0)
    short, middle, long = N_LONG
    yield ratio("one trace, 200,000 / 20,000 steps, contracts by key", f"long by key {long}", f"long by key {middle}", 11.0)
    yield ratio("one trace, 20,000 / 2,000 steps, all contracts", f"long {middle}", f"long {short}", 11.0)
    yield ratio("audit of ten times the traces", "audit", "audit of a tenth", 10.5)
    yield Row("peak memory, all traces", of(lambda r: r["audit"]["peak_mb"]), "MB", 100.0)
    yield Row("peak memory, all traces / a tenth", of(lambda r: r["audit"]["peak_mb"] / r["audit of a tenth"]["peak_mb"]), "x", 1.15)
    yield ratio("--jobs 2, CPU / one process", "audit --jobs 2", "audit", 1.1)
    yield Row("--jobs 2, wall / one process", of(lambda r: r["audit --jobs 2"]["wall_s"] / r["audit"]["wall_s"]), "x", 0.65)
    yield Row("a world's own time, by model call", of(lambda r: 1000 * r["persona"]["cpu_s"] / r["persona"]["calls"]), "ms", 5.0)
    yield ratio("import seamwise / python -c pass", "import", "pass", 7.5)
    yield ratio("seamwise --help / python -c pass", "help", "pass", 15.0)


def table(about: dict[str, Any], found: list[Row], judged: list[Any]) -> str:
    """The measurements for people."""
    lines = [
        f"seed {SEED}, {about['traces']:,} traces, {about['steps']:,} steps, {about['native_mb']:.0f} MB native, "
        f"{about['otlp_mb']:.0f} MB OTLP",
        f"{about['matching']:,} steps ({about['matching'] / about['steps']:.1%}) match a contract; {about['instances']:,} instances: "
        + ", ".join(f"{n:,} {status}" for status, n in about["verdicts"].items()),
        f"CPU seconds, median of {about['rounds']} interleaved rounds",
        "",
        f"{'':52}{'measured':>10} {'target':>10} {'CPU s':>9}",
    ]
    for row in found:
        target = "" if row.target is None else f"{row.target:g} {row.unit}"
        seconds = "" if row.seconds is None else f"{row.seconds:9.3f}"
        lines.append(f"{row.what:52}{row.value:>8.2f} {row.unit:2}{target:>10} {seconds}")
    lines += ["", f"{'judging one instance':52}{'records':>8}{'proved us':>12}{'known shape us':>16}"]
    lines += [f"  {c.kind:22}{c.contract:28}{c.records:>8}{c.proved_us:>12.0f}{c.cached_us:>16.0f}" for c in judged]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Seamwise against the plain decode of the same bytes.")
    parser.add_argument("--scale", type=float, default=1.0, help="1: 20,000 traces, and one trace of 200,000 steps")
    parser.add_argument("--quick", action="store_true", help=f"scale {QUICK}, three rounds")
    parser.add_argument("--rounds", type=int, default=None, help="how often everything is measured (5)")
    parser.add_argument("--only", metavar="WORD", action="append", help="measure only jobs whose name holds a word; prints their figures")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the recordings lie or are made")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    scale = QUICK if args.quick else args.scale
    n_rounds = args.rounds or (3 if args.quick else 5)
    data = ready(args.folder, Plan(scale))
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in (str(HERE.parent / "src"), os.environ.get("PYTHONPATH")) if p))
    wanted = [job for job in jobs(data) if not args.only or any(word in job.name for word in args.only)]
    rounds: list[Round] = []
    for n in range(n_rounds):
        _tell(f"round {n + 1} of {n_rounds}")
        rounds.append({job.name: run(job, environment) for job in wanted})
    if args.only:
        for job in wanted:
            print(f"{job.name:20} {median(r[job.name]['cpu_s'] for r in rounds):9.3f} CPU s  {rounds[-1][job.name]}")
        return
    _tell("judging")
    from judging import costs

    judged = costs(data / "tenth", n_rounds)
    size = {part: sum(path.stat().st_size for path in (data / part).iterdir()) / 1e6 for part in ("native", "otlp")}
    audited = rounds[-1]["audit"]
    about = {
        "seed": SEED,
        "scale": scale,
        "rounds": n_rounds,
        **json.loads((data / "about.json").read_text()),
        "native_mb": size["native"],
        "otlp_mb": size["otlp"],
        "instances": audited["instances"],
        "verdicts": audited["verdicts"],
    }
    found = list(rows(rounds))
    if args.json:
        told = {"about": about, "rows": [r._asdict() for r in found], "judging": [c._asdict() for c in judged], "rounds": rounds}
        print(json.dumps(told, indent=1))
    else:
        print(table(about, found, judged))


def _tell(words: str) -> None:
    if sys.stderr.isatty():
        print(words, file=sys.stderr)


if __name__ == "__main__":
    main()
