"""A run in a process of its own, which a test kills. Each model call adds a byte to a file before it is made."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from inspect_ai.model import Model

_real = Model.generate
_counter = os.environ.get("PET_COUNTER", "")


async def _counted(self, *given, **named):
    with open(os.environ["PET_COUNTER"], "ab") as file:
        file.write(b".")
    time.sleep(0.002)
    return await _real(self, *given, **named)


if _counter:
    Model.generate = _counted  # also in workers, which import this module as the main one

if __name__ == "__main__":
    os.environ["PET_COUNTER"] = sys.argv[2]
    Model.generate = _counted
    from seamwise.study import run_plan
    from unit.study.test_run import plan

    run_plan(plan(), Path(sys.argv[1]), jobs=int(sys.argv[3]))
