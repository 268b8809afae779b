"""Writes the recordings that the benchmarks read: seeded, the same bytes every time.

    python benchmarks/generate.py out/bench              # 20,000 traces of 50 steps, and single traces of 2,000 to 200,000 steps
    python benchmarks/generate.py out/bench --scale 0.01

A trace is a run of a desk of agents: model calls with their input, searches and notes that no contract reads, and scenes of ``motifs.py``
that contracts do read, about 15 % of all steps. Everything is told twice, as native JSON Lines and as OTLP JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from formats import Chat, Event, Trace, native_lines, otlp_line, steps_of
from motifs import Call, World, scene

SEED = 7
N_TRACES = 20_000
N_STEPS = 50
N_LONG = (2_000, 20_000, 200_000)
N_FILES = 4
"""The corpus lies in so many files, so that it can be shared out among processes."""
SCENES_PER_TRACE = 2
START_NS = 1_767_225_600_000_000_000
YEAR_NS = 365 * 86_400 * 10**9
IDLE_TOOLS = ("search", "open_ticket", "lookup_order", "take_note", "fetch_page", "summarize", "calendar", "draft_reply")
AGENTS = ("triage", "support", "research", "analyst", "planner", "legal", "editor", "lead")

_WORDS = (
    "the order parcel customer policy quarter report figures committee offer deadline draft release review credit refund answer question "
    'supplier clause price plan page version approval ledger café naïve Zürich €20 “as agreed” a\\b "quoted" line\nbreak and of to for '
    "with from before after nobody everybody because therefore which whether unless until late early open closed"
).split(" ")


class Plan(NamedTuple):
    """How much is made."""

    scale: float

    @property
    def n_traces(self) -> int:
        return max(8, round(N_TRACES * self.scale))

    @property
    def n_long(self) -> list[int]:
        return [max(N_STEPS, round(n * self.scale) // N_STEPS * N_STEPS) for n in N_LONG]

    @property
    def world(self) -> World:
        return World(n_customers=max(4, self.n_traces // 8))


def sentences() -> list[str]:
    """Things that agents say, some hundred bytes each."""
    rng = Random(SEED)
    return [" ".join(rng.choices(_WORDS, k=rng.randrange(33, 60))) for _ in range(1000)]


class About(NamedTuple):
    """What a corpus holds."""

    traces: int
    steps: int
    matching: int
    """Steps that some contract's stream takes."""


def trace(number: int, n_steps: int, world: World, said: list[str], *, name: str = "t") -> Trace:
    """The events of one trace."""
    rng = Random(f"{SEED}/{name}/{number}")
    events: list[Event] = []
    for block in range(n_steps // N_STEPS):
        events += _block(rng, f"{name}{number}b{block}" if n_steps > N_STEPS else f"{name}{number}", world, said)
    return Trace(f"{rng.getrandbits(128):032x}", START_NS + rng.randrange(YEAR_NS - n_steps * 10**9), events)


def _block(rng: Random, name: str, world: World, said: list[str]) -> list[Event]:
    """About fifty steps: eight model calls of four steps each, and nine tool calls, with the scenes somewhere among them."""
    scenes = [scene(rng, f"{name}s{i}", world) for i in range(SCENES_PER_TRACE)]
    n_idle = max(1, 9 - sum(map(len, scenes)))
    queues: list[list[Event]] = [list(calls) for calls in scenes]
    queues.append([_idle(rng, said) for _ in range(n_idle)])
    queues.append([Chat(rng.choice(AGENTS), rng.choice(said), rng.choice(said)) for _ in range(8)])
    order = [n for n, queue in enumerate(queues) for _ in queue]
    rng.shuffle(order)
    at = [iter(queue) for queue in queues]
    return [next(at[n]) for n in order]


def _idle(rng: Random, said: list[str]) -> Call:
    return Call(rng.choice(AGENTS), rng.choice(IDLE_TOOLS), {"query": rng.choice(said)[:160]}, {"found": rng.choice(said)})


def write(folder: Path, plan: Plan) -> None:
    """The corpus stands in ``native/`` and ``otlp/``, a tenth of it in ``tenth/``, the long traces in ``long-20000.jsonl`` and so on."""
    said = sentences()
    for part in ("native", "otlp", "tenth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    per_file = -(-plan.n_traces // N_FILES)
    n_tenth = plan.n_traces // 10
    n_steps = n_matching = 0
    with (folder / "tenth" / "0.jsonl").open("wb") as tenth:
        for n in range(N_FILES):
            numbers = range(n * per_file, min((n + 1) * per_file, plan.n_traces))
            with (folder / "native" / f"{n}.jsonl").open("wb") as native, (folder / "otlp" / f"{n}.jsonl").open("wb") as otlp:
                for made in _traces(numbers, plan.world, said):
                    lines = native_lines(made)
                    n_steps += lines.count(b"\n") - 1
                    n_matching += sum(steps_of(e) for e in made.events if isinstance(e, Call) and e.tool not in IDLE_TOOLS)
                    native.write(lines)
                    otlp.write(otlp_line(made))
                    if n_tenth > 0:
                        tenth.write(lines)
                        n_tenth -= 1
    for full, n_long in zip(N_LONG, plan.n_long, strict=True):
        (folder / f"long-{full}.jsonl").write_bytes(native_lines(trace(0, n_long, plan.world, said, name=f"long{full}-")))
    (folder / "about.json").write_text(json.dumps(About(plan.n_traces, n_steps, n_matching)._asdict()))


def _traces(numbers: range, world: World, said: list[str]) -> Iterator[Trace]:
    for number in numbers:
        yield trace(number, N_STEPS, world, said)


def ready(folder: Path, plan: Plan) -> Path:
    """The folder with the recordings of this plan, made if they are not there."""
    done = folder / f"seed{SEED}-scale{plan.scale:g}"
    if not (done / "about.json").exists():
        write(done, plan)
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the recordings that the benchmarks read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0, help="1: 20,000 traces")
    args = parser.parse_args()
    print(ready(args.folder, Plan(args.scale)))


if __name__ == "__main__":
    main()
