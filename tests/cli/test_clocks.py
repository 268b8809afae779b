"""One process's clock says nothing of another's: order across processes needs somebody's word on how well their clocks agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Pack, Result, audit

APPROVE, REFUND = "approve_refund", "refund"
SECOND = 1_000_000_000
START = 1_767_225_600 * SECOND
BY = {"by": "user", "because": "the rule"}


def request(trace: int, tool: str, at: int, resource: dict[str, str]) -> str:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.result": '{"status": "ok"}'}
    attributes["gen_ai.tool.call.arguments"] = '{"booking": "B-1"}'
    span = {
        "traceId": f"{trace:032x}",
        "spanId": f"{trace * 100 + at:016x}",
        "name": f"execute_tool {tool}",
        "startTimeUnixNano": str(START + at * SECOND),
        "endTimeUnixNano": str(START + at * SECOND + 1000),
        "attributes": pairs(attributes),
        "status": {"code": 1},
    }
    return json.dumps({"resourceSpans": [{"resource": {"attributes": pairs(resource)}, "scopeSpans": [{"spans": [span]}]}]})


def pairs(attributes: dict[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]


def page(skew: str | None = None) -> Pack:
    rule = {"fields": {"subject": "arguments.booking"}}
    return Pack(
        streams={
            "sign_offs": {"from": [{"tool": REFUND, "as": "sign_off", **rule}], "route": BY, "recording": BY},
            "checks": {
                "from": [{"tool": APPROVE, "as": "check", "fields": {**rule["fields"], "check": {"value": "approval"}}}],
                "key": "check",
                "route": BY,
                "recording": BY,
            },
        },
        contracts={"approved": {"kind": "check_done", "check": "approval", "across": "corpus"}},
        clock=None if skew is None else {"skew": skew, "because": "two machines, one time service"},
    )


def judged(tmp_path: Path, files: dict[str, list[str]], skew: str | None = None) -> Result:
    folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    (result,) = audit(folder, page(skew)).results
    return result


A, B = ({"service.name": "desk", "service.instance.id": name} for name in "AB")
NAMELESS = {"service.name": "desk"}


@pytest.mark.parametrize(("first", "second"), [(APPROVE, REFUND), (REFUND, APPROVE)])
def test_two_processes_are_not_ordered_by_their_clocks(first: str, second: str, tmp_path: Path) -> None:
    lines = [request(1, first, 0, A), request(2, second, 21, B)]
    assert judged(tmp_path, {"x.jsonl": lines}).status == "unknown"
    assert judged(tmp_path, {"x.jsonl": [request(1, first, 0, A), request(1, second, 21, B)]}).status == "unknown", "nor inside one trace"


def test_a_stated_skew_orders_them_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = [request(1, APPROVE, 0, A), request(2, REFUND, 21, B)]
    assert judged(tmp_path, {"x.jsonl": lines}, "60s").status == "unknown"
    told = judged(tmp_path, {"x.jsonl": lines}, "2s")
    assert told.status == "ruled_out"
    assert told.order == ("clock",)
    assert "clock" in [statement.name for statement in told.leaning_on]


def test_one_process_orders_its_own_steps_in_any_trace(tmp_path: Path) -> None:
    told = judged(tmp_path, {"x.jsonl": [request(1, APPROVE, 0, A), request(2, REFUND, 21, A)]})
    assert told.status == "ruled_out"
    assert told.order == ("clock",)
    assert judged(tmp_path, {"x.jsonl": [request(1, REFUND, 0, A), request(2, APPROVE, 21, A)]}).status == "supported"


def test_a_resource_without_an_instance_is_one_process_inside_its_trace_at_most(tmp_path: Path) -> None:
    one = [request(1, APPROVE, 0, NAMELESS), request(1, REFUND, 21, NAMELESS)]
    assert judged(tmp_path, {"x.jsonl": one}).status == "ruled_out"
    two = {"a.jsonl": [request(1, APPROVE, 0, NAMELESS)], "b.jsonl": [request(2, REFUND, 21, NAMELESS)]}
    assert judged(tmp_path, two).status == "unknown", "two files may be two replicas"
