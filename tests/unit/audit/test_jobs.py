"""Keys live across traces and files: however the files are shared out among processes, the same bytes come out."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, State, audit, write_results
from seamwise.record import Trace
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved

FINAL: dict[str, Any] = {**CAP, "reversals": {"none": True, "because": "final"}}
TABLE = {"table": "payments.csv", "fields": {"customer": "customer", "amount": "amount", "ref": "ref"}, "actor": "by"}
CALLS = {**LEDGER["from"][0], "fields": {**LEDGER["from"][0]["fields"], "ref": "arguments.ref"}}


def written(done: Audit) -> bytes:
    out = io.BytesIO()
    write_results(out, *done)
    return out.getvalue()


def corpus(folder: Path, rng: random.Random) -> list[str]:
    """Files of several sizes: keys, parts of one trace and joined subjects lie across them, some calls fail or stay open."""
    traces: list[Trace] = []
    n = 0
    for k in range(14):
        words = []
        for _ in range(rng.randint(1, 8)):
            end = rng.choice(["=done", "=done", "=done", "=refused", "=error", ""])
            words.append(f"{rng.choice('abc')}:pay(c{rng.randint(1, 5)},{rng.randint(1, 22)},p{n}){end}")
            n += 1
        subject = f"k{rng.randint(1, 4)}"
        words += rng.sample([f"legal:check({subject},1)=passed", f"closer:sign({subject},1)=signed", f"legal:check({subject},1)"], 2)
        traces.append(run(f"r{k}", " ".join(words), day=rng.randint(0, 120), clock=rng.random() < 0.7))
    cut = traces.pop()
    at = len(cut.steps) // 2
    traces += [Trace(header=cut.header, steps=cut.steps[:at]), Trace(header=cut.header, steps=cut.steps[at:])]
    rng.shuffle(traces)
    paths = []
    while traces:
        size = rng.randint(1, 4)
        paths.append(saved(folder / "runs" / f"{rng.randrange(10**6):06}.jsonl", *traces[:size]))
        traces = traces[size:]
    rows = [f"p{i},c{rng.randint(1, 5)},{rng.randint(1, 22)},{rng.choice('abc')}\n" for i in rng.sample(range(n), n // 2)]
    (folder / "payments.csv").write_text("ref,customer,amount,by\n" + "".join(rows))
    return paths


PAGES: dict[str, dict[str, Any]] = {
    "traces": {"ledger": LEDGER},
    "counted": {"ledger": {**LEDGER, "recording": {"because": "all", "count": 60}}},
    "table": {"ledger": {"from": [TABLE, CALLS], "key": "customer", "route": LEDGER["route"], "same_as": "ref"}},
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_number_of_jobs_changes_a_verdict(tmp_path: Path, page: str, seed: int) -> None:
    rng = random.Random(seed)
    paths = corpus(tmp_path, rng)
    pack = Pack(
        streams={**PAGES[page], **SIGNING},
        contracts={
            "cap": FINAL,
            "quarterly": {**FINAL, "per": ["customer", "quarter"]},
            "checked": CHECKED,
            "ever-checked": {**CHECKED, "across": "corpus"},
        },
        base=tmp_path,
    )
    whole = written(audit(paths, pack))
    assert whole.count(b'"type":"result"') > 20
    shuffled = rng.sample(paths, len(paths))
    assert written(audit(shuffled, pack)) == whole
    assert written(audit(shuffled, pack, jobs=rng.randint(2, 5))) == whole
    half = paths[: len(paths) // 2]
    audit(half, pack, state=State(tmp_path / "state"), jobs=2)
    assert written(audit(paths, pack, state=State(tmp_path / "state"), jobs=rng.randint(1, 3))) == whole
