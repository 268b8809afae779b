"""Whose word counts, and what is one thing: claims of recordings, ids that hold separators, names that are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamwise.audit import Audit, Pack, audit
from seamwise.kernel import Status
from seamwise.record import Claim, Header, Step, Trace
from unit.binding.traces import CHECKED, saved

SAID = {"because": "so it is"}
DESK: dict[str, Any] = {
    "sign_offs": {"from": [{"kind": "sign_off"}], "route": SAID, "recording": SAID},
    "checks": {"from": [{"kind": "check"}], "key": "check", "route": SAID, "recording": SAID},
}


def audited(path: Path, *traces: Trace, streams: Mapping[str, Any] | None = None, contracts: Any = None, **more: Any) -> Audit:
    pack = Pack(streams=streams or DESK, contracts=contracts or {"checked": CHECKED}, **more)
    return audit(saved(path / "r.jsonl", *traces), pack)


def trace(name: str, *steps: Step, **header: Any) -> Trace:
    return Trace(header=Header(id=name, **header), steps=steps)


def signed(n: int, subject: Any, name: Any = "S", **more: Any) -> Step:
    return Step(id=f"so{n}", kind="sign_off", actor="x", source="r", seq=n, data={"sign_off": name, "subject": subject}, **more)


def checked(n: int, subject: Any) -> Step:
    data = {"check": "policy", "subject": subject}
    return Step(id=f"ck{n}", kind="check", actor="legal", source="r", seq=n, status="ok", data=data)


def test_a_route_claim_of_a_recording_does_not_count(tmp_path: Path) -> None:
    streams = {"sign_offs": DESK["sign_offs"], "checks": {"from": [{"kind": "check"}], "key": "check"}}
    claims = (Claim(sort="recording", stream="checks/policy", count=0), Claim(sort="route", stream="checks/policy"))
    (result,) = audited(tmp_path, trace("t", signed(1, "a"), claims=claims), streams=streams).results
    assert result.status is Status.UNKNOWN
    routed = {**streams, "checks": {**streams["checks"], "route": SAID}}
    (result,) = audited(tmp_path, trace("t", signed(1, "a"), claims=claims[:1]), streams=routed).results
    assert result.status is Status.SUPPORTED
