"""An interrupt that reaches the first process alone ends all of them, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unit.binding.traces import run, saved

PAGE = """\
version: 1
streams:
  ledger:
    from: [{tool: pay, fields: {customer: arguments.customer, amount: {path: arguments.amount, unit: EUR}}}]
    key: customer
contracts:
  cap: {kind: within_total, stream: ledger, per: [customer, month], limit: 10 EUR, reversals: {none: true, because: final}}
"""
SLOW = """
import os, sys, time
from pathlib import Path
import {module} as module

def slow(*args, **named):
    marks = Path({marks!r})
    try:
        (marks / f"{{os.getpid()}}").touch()
        time.sleep(100)
    finally:
        (marks / f"{{os.getpid()}}").rename(marks / f"{{os.getpid()}}.cleaned")

module.{name} = slow
from seamwise.cli import main
sys.exit(main(sys.argv[1:]))
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="only there is a signal sent to one process")
@pytest.mark.parametrize(
    ("args", "module", "name"),
    [
        (["audit", "--org", "org.yaml"], "seamwise.audit._jobs", "scan_or_recall"),
        (["leads"], "seamwise.leads._find", "leads_of"),
    ],
)
def test_an_interrupt_of_the_first_process_ends_its_workers(tmp_path: Path, args: list[str], module: str, name: str) -> None:
    for n in range(4):
        saved(tmp_path / "runs" / f"{n}.jsonl", run(f"r{n}", "a:pay(c1,2)=done"))
    (tmp_path / "org.yaml").write_text(PAGE)
    marks, temporary = tmp_path / "marks", tmp_path / "temporary"
    marks.mkdir()
    temporary.mkdir()
    code = SLOW.format(module=module, name=name, marks=str(marks))
    process = subprocess.Popen(
        [sys.executable, "-c", code, *args, "runs", "--jobs", "2"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + 60
        while len(list(marks.iterdir())) < 2 and time.monotonic() < until and process.poll() is None:
            time.sleep(0.02)
        workers = [int(path.name) for path in marks.iterdir()]
        assert len(workers) == 2
        process.send_signal(signal.SIGINT)  # to it alone
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130
    assert told.strip() == "interrupted"
    assert not any(map(alive, workers))
    assert sorted(path.name for path in marks.iterdir()) == sorted(f"{pid}.cleaned" for pid in workers)
    assert not list(temporary.iterdir())
