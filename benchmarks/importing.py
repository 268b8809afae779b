"""Measures importers against the plain decode of the same bytes: what reading a format costs beyond reading its JSON (or YAML).

    python benchmarks/importing.py              # about 8 MB of each format
    python benchmarks/importing.py --quick      # a twentieth of it
    python benchmarks/importing.py --only tau inspect
    python benchmarks/importing.py --corpus DIR # all recordings below a folder, format by format

Figures are CPU seconds of this process; a ratio divides figures of one round and is the median over rounds. The plain decode is untyped:
the cheapest way to the same JSON values. The files are made by ``importing_files.py``, one function a format; a new format brings one.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).parent))

from importing_files import FILES

from seamwise.errors import SeamwiseError
from seamwise.importers import open_recording, recordings

TURNS = 6_000
QUICK = 0.05


class Row(NamedTuple):
    """What one format costs."""

    format: str
    megabytes: float
    traces: int
    steps: int
    decode_s: float
    import_s: float
    ratio: float


def decoded(content: bytes) -> None:
    """The plain values of the bytes, and nothing else."""
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                msgspec.json.decode(archive.read(name))
    elif content[:1] in (b"{", b"["):
        try:
            msgspec.json.decode(content)
        except msgspec.DecodeError:
            for line in content.splitlines():
                msgspec.json.decode(line)
    else:
        import yaml

        yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def imported(path: Path) -> tuple[str, int, int]:
    """Format, traces and steps."""
    recording = open_recording(path)
    for _ in recording.traces:
        pass
    recording.report.check()
    return recording.report.format, recording.report.traces, recording.report.steps


def measured(name: str, make: Callable[[int], bytes], turns: int, rounds: int, folder: Path) -> Row:
    """One row, from a file of that many turns."""
    content = make(turns)
    path = folder / name
    path.write_bytes(content)
    plain, whole, ratios, found = [], [], [], ("", 0, 0)
    for _ in range(rounds):
        decode, _ = timed(lambda: decoded(content))
        cost, found = timed(lambda: imported(path))
        plain.append(decode)
        whole.append(cost)
        ratios.append(cost / max(decode, 1e-9))
    if found[0] != name.partition(" ")[0]:
        raise SystemExit(f"the file of {name} was taken for {found[0]}")
    return Row(name, len(content) / 1e6, found[1], found[2], median(plain), median(whole), median(ratios))


def corpus(folder: Path) -> list[Row]:
    """One row a format for all recordings below a folder; what is refused costs nothing here."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0, 0, 0.0, 0.0])
    for found in recordings([folder]):
        if found.format is None:
            continue
        path = Path(found.path)
        content = path.read_bytes()
        try:
            decode, _ = timed(lambda content=content: decoded(content))  # type: ignore[misc]
        except Exception:
            decode = 0.0  # text, or damaged on purpose
        try:
            cost, (_, traces, steps) = timed(lambda path=path: imported(path))  # type: ignore[misc]
        except SeamwiseError:
            continue
        known = sums[found.format]
        for i, value in enumerate((len(content) / 1e6, traces, steps, decode, cost)):
            known[i] += value
    return [Row(name, s[0], int(s[1]), int(s[2]), s[3], s[4], s[4] / s[3] if s[3] else 0.0) for name, s in sorted(sums.items())]


def table(rows: list[Row]) -> str:
    lines = [f"{'format':<22} {'MB':>7} {'traces':>7} {'steps':>8} {'decode ms':>10} {'import ms':>10} {'ratio':>7} {'MB/s':>7}"]
    for row in rows:
        speed = row.megabytes / row.import_s if row.import_s else 0.0
        ratio = f"{row.ratio:.1f}" if row.ratio else "-"
        cost = f"{row.decode_s * 1e3:>10.1f} {row.import_s * 1e3:>10.1f} {ratio:>7} {speed:>7.1f}"
        lines.append(f"{row.format:<22} {row.megabytes:>7.2f} {row.traces:>7} {row.steps:>8} {cost}")
    lines.append(f"in all {sum(row.import_s for row in rows):.1f} s of CPU for {sum(row.megabytes for row in rows):.1f} MB")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.corpus is not None:
        rows = corpus(options.corpus)
    else:
        turns = max(10, int(TURNS * options.scale * (QUICK if options.quick else 1)))
        with tempfile.TemporaryDirectory() as folder:
            chosen = {name: make for name, make in FILES.items() if not options.only or name.partition(" ")[0] in options.only}
            rows = [measured(name, make, turns, options.rounds, Path(folder)) for name, make in chosen.items()]
    print(json.dumps([row._asdict() for row in rows], indent=1) if options.json else table(rows))


if __name__ == "__main__":
    main()
