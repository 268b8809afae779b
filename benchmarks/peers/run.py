"""Compares Seamwise with other engines on the same rules and traces; ``--python`` names the interpreter of their environment."""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from seamwise.audit import Pack, audit
from seamwise.record import Claim, Header, Step, Trace, write_traces

HERE = Path(__file__).parent
SHAPES = {"50 events": (200, 50), "200 events": (40, 200), "1,000 events": (4, 1000)}
"""Name -> traces, events of each."""
SLOW = {("invariant", "1,000 events")}
"""Left out: it takes minutes (its search is quadratic in the messages)."""
QUICK = {"50 events": (30, 50)}

ORG: dict[str, Any] = {
    "streams": {
        "sign_offs": {
            "from": [{"kind": "sign_off", "fields": {"subject": "data.subject"}}],
            "route": {"by": "user", "because": "the rule of the comparison"},
            "recording": {"by": "user", "because": "whole traces"},
        },
        "checks": {
            "from": [{"kind": "check", "fields": {"check": {"value": "approve"}, "subject": "data.subject"}}],
            "key": "check",
            "route": {"by": "user", "because": "the rule of the comparison"},
            "recording": {"by": "user", "because": "whole traces"},
        },
        "ledger": {
            "from": [{"kind": "receipt", "fields": {"customer": "data.customer", "amount": {"path": "data.amount", "unit": "number"}}}],
            "key": "customer",
            "route": {"by": "user", "because": "the rule of the comparison"},
            "recording": {"by": "user", "because": "whole traces"},
        },
    },
    "contracts": {
        "approval": {"kind": "check_done", "check": "approve"},
        "budget": {
            "kind": "within_total",
            "stream": "ledger",
            "per": ["customer"],
            "limit": 40,
            "across": "trace",
            "reversals": {"none": True, "by": "user", "because": "the rule of the comparison"},
        },
    },
}
KINDS = {"deploy": "sign_off", "approve": "check", "pay": "receipt", "note": "note"}


class Line(NamedTuple):
    """One engine on one shape."""

    engine: str
    shape: str
    us_an_event: float
    ratio: float
    rules: str
    different: int


def traces_of(n_traces: int, n_events: int, seed: int) -> dict[str, list[dict[str, Any]]]:
    """Seeded traces: in one of four a deploy without its approval, in one of four a customer who gets too much."""
    rng = random.Random(seed)
    out = {}
    for t in range(n_traces):
        events: list[dict[str, Any]] = [{"act": "note"} for _ in range(n_events)]
        at = rng.sample(range(n_events), min(n_events, 2 * (n_events // 12) + 8))
        pairs = [tuple(sorted(at[i : i + 2])) for i in range(0, len(at) - 8, 2)]
        for n, (first, second) in enumerate(pairs):
            events[first] = {"act": "approve", "subject": f"r{n}"}
            events[second] = {"act": "deploy", "subject": f"r{n}"}
        if t % 4 == 0:
            events[pairs[0][0]] = {"act": "note"}
        for n, place in enumerate(at[-8:]):
            events[place] = {"act": "pay", "customer": f"c{n % 4}", "amount": rng.randrange(5, 20)}
        if t % 4 == 1:
            events[at[-1]]["amount"] = 39
        out[f"t{t}"] = events
    return out


def written(traces: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """The same as native traces."""

    def trace(name: str, events: list[dict[str, Any]]) -> Trace:
        steps = []
        for n, event in enumerate(events):
            data = {key: value for key, value in event.items() if key != "act"}
            data |= {"sign_off": f"{name}-{n}"} if event["act"] == "deploy" else {}
            steps.append(Step(id=f"s{n}", kind=KINDS[event["act"]], actor="a", status="ok", seq=n, data=data or None))
        return Trace(header=Header(id=name, claims=(Claim(sort="route", stream="notes"),)), steps=tuple(steps))

    write_traces(str(path), (trace(name, events) for name, events in traces.items()))


def ours(path: Path) -> tuple[float, dict[str, dict[str, bool]]]:
    """CPU seconds of the audit, reading included, and its verdicts by trace."""
    pack = Pack(**ORG)
    audit(path, pack)  # warm, as the peers are
    before = resource.getrusage(resource.RUSAGE_SELF)
    results = audit(path, pack).results
    after = resource.getrusage(resource.RUSAGE_SELF)
    verdicts: dict[str, dict[str, bool]] = {}
    for result in results:
        mine = verdicts.setdefault(result.instance["trace"], {})
        if result.status not in ("supported", "ruled_out"):
            raise SystemExit(f"peers: expected a decided verdict, got {result.status} of {result.contract} in {result.instance}")
        mine[result.contract] = mine.get(result.contract, False) or result.status == "supported"
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, verdicts


def main() -> int:
    """Prints the table; 1 where verdicts differ."""
    parser = argparse.ArgumentParser(description="Other engines on the same rules.")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the peers' environment")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        for shape, (n_traces, n_events) in (QUICK if given.quick else SHAPES).items():
            traces = traces_of(n_traces, n_events, seed=7)
            native, events = Path(folder, "t.jsonl"), Path(folder, "t.json")
            written(traces, native)
            events.write_text(json.dumps(traces))
            cpu, verdicts = ours(native)
            n = n_traces * n_events
            lines.append(Line("seamwise", shape, cpu / n * 1e6, 1.0, "approval, budget", 0))
            for engine in ("invariant", "reelay", "rtamt", "regopy"):
                if (engine, shape) in SLOW:
                    continue
                done = subprocess.run(
                    [given.python, str(HERE / "peer.py"), engine, str(events)], capture_output=True, text=True, timeout=900, check=False
                )
                if done.returncode:
                    print(f"peers: {engine} did not run: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
                    return 2
                told = json.loads(done.stdout)
                rules = sorted(next(iter(told["verdicts"].values())))
                differ = sum(told["verdicts"][t][r] != verdicts[t].get(r, False) for t in traces for r in rules)
                lines.append(Line(engine, shape, told["cpu_s"] / n * 1e6, told["cpu_s"] / cpu, ", ".join(rules), differ))
    print(f"{'engine':12}{'traces of':15}{'us an event':>12}{'x of ours':>11}   verdicts")
    for line in lines:
        said = "equal" if not line.different else f"{line.different} differ"
        print(f"{line.engine:12}{line.shape:15}{line.us_an_event:12.2f}{line.ratio:11.1f}   {said} ({line.rules})")
    return 1 if any(line.different for line in lines) else 0


if __name__ == "__main__":
    raise SystemExit(main())
