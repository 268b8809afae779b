"""One run, packed in whatever container of spans, gets one verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.cli._main import run
from unit.importers.containers import RUN, WRITERS

ORG = """\
version: 1
streams:
  ledger:
    from:
      - tool: refund
        fields: {order: arguments.order, amount: {path: arguments.cents, unit: cents}}
        ok: {path: result.status, equals: done}
    key: order
contracts:
  cap:
    kind: within_total
    stream: ledger
    per: [order]
    limit: LIMIT USD
"""


@pytest.mark.parametrize("written", sorted(WRITERS))
def test_the_verdict_does_not_depend_on_the_exporter(tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str) -> None:
    recording, org = tmp_path / "recording", tmp_path / "org.yaml"
    recording.write_bytes(WRITERS[written](RUN))
    org.write_text(ORG.replace("LIMIT", "10"))
    assert run(["audit", str(recording), "--org", str(org)]) == 1
    text = capsys.readouterr().out
    assert "SUPPORTED  cap  order 7" in text
    assert "15.00 of 10 by 1 actor" in text
    org.write_text(ORG.replace("LIMIT", "20"))
    assert run(["audit", str(recording), "--org", str(org)]) == 3  # No claim says that these are all refunds.
    assert "UNKNOWN" in capsys.readouterr().out
