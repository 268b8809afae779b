"""Small traces for tests of bindings and audits, one step a word.

``run("r1", "support:pay(c1,20)=done billing:pay(c1,5) ann>bob:hello")``: a call with its answer, a call that was never answered, a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from seamwise.record import Claim, Clock, Header, Organization, Step, Trace, write_traces

DAY = 86_400 * 10**9
START = 1_767_225_600 * 10**9  # 2026-01-01
_WORD = re.compile(r"(?P<actor>[^\s:>]+)(?:>(?P<to>\w+))?:(?:(?P<tool>\w+)\((?P<args>[^)]*)\)(?:=(?P<result>\S+))?|(?P<text>\S+))$")
NAMES = {
    "pay": ("customer", "amount", "ref"),
    "check": ("subject", "version"),
    "sign": ("subject", "version"),
    "edit": ("subject", "action"),
}
CLOCK = {"desk": Clock(skew_ns=0)}


def number(text: str) -> Any:
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d+\.\d+", text) else text


def steps(story: str, *, day: int = 0) -> list[Step]:
    """The steps that the words of a story tell, in one writer's sequence."""
    out: list[Step] = []

    def add(**fields: Any) -> None:
        n = len(out)
        out.append(Step(id=f"s{n}", seq=n, time_ns=START + day * DAY + n * 10**9, source="desk", **fields))

    for word in story.split():
        found = _WORD.match(word)
        assert found, word
        if found["tool"] is None:
            add(kind="message", actor=found["actor"], recipients=None if found["to"] is None else (found["to"],), text=found["text"])
            continue
        tool = found["tool"]
        values = [number(v) for v in found["args"].split(",") if v != ""]
        arguments = {name: value for name, value in zip(NAMES[tool], values, strict=False) if value != "?"}
        call = f"k{len(out)}"
        add(kind="tool_call", actor=found["actor"], tool=tool, call=call, data={"arguments": arguments})
        if found["result"] is not None:
            failed = found["result"] == "error"
            result = {} if failed else {"data": {"result": {"status": found["result"]}}, "text": f"it is {found['result']}"}
            add(kind="tool_result", actor=found["actor"], tool=tool, call=call, status="failed" if failed else "ok", **result)
    return out


def run(
    name: str,
    story: str,
    *,
    day: int = 0,
    clock: bool = True,
    claims: Iterable[Claim] = (),
    organization: Organization | None = None,
) -> Trace:
    """A trace of a story."""
    header = Header(id=name, clocks=CLOCK if clock else {}, claims=tuple(claims), organization=organization or Organization())
    return Trace(header=header, steps=tuple(steps(story, day=day)))


def saved(path: Path, *traces: Trace) -> str:
    """The file that holds these traces."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_traces(path, traces)
    return str(path)


LEDGER: dict[str, Any] = {
    "from": [
        {
            "tool": "pay",
            "fields": {"customer": "arguments.customer", "amount": "arguments.amount"},
            "ok": {"path": "result.status", "equals": "done"},
        }
    ],
    "key": "customer",
    "route": {"because": "there is no other way to pay"},
    "recording": {"because": "all calls are exported"},
}
CAP: dict[str, Any] = {"kind": "within_total", "stream": "ledger", "limit": 40, "each": 20, "min_actors": 2}
SIGNING: dict[str, Any] = {
    "sign_offs": {
        "from": [{"tool": "sign", "as": "sign_off", "fields": {"subject": "arguments.subject", "version": "arguments.version"}}],
        "route": {"because": "nothing is signed otherwise"},
        "recording": {"because": "all calls are exported"},
    },
    "checks": {
        "from": [
            {
                "tool": "check",
                "as": "check",
                "fields": {"check": {"value": "policy"}, "subject": "arguments.subject", "version": "arguments.version"},
                "ok": {"path": "result.status", "equals": "passed"},
            }
        ],
        "key": "check",
        "route": {"because": "the check is this tool"},
        "recording": {"because": "all calls are exported"},
    },
}
CHECKED: dict[str, Any] = {"kind": "check_done", "check": "policy", "owner": "legal"}
