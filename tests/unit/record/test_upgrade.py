"""Older schema versions are upgraded in one place."""

from __future__ import annotations

import io

import pytest

from seamwise.errors import SchemaError, UsageError
from seamwise.record import ReadReport, Step, read_traces
from seamwise.record._upgrade import Upgrade, check_version, register_upgrade, upgrade_header, upgrade_step

DRAFT = b"""\
{"seamwise": 0, "id": "old", "claims": [{"sort": "route", "stream": "ledger"}]}
{"id": "a", "kind": "message", "to": "billing", "time": 1700000000.25, "text": "\\ud800"}
{"id": "b", "kind": "message", "to": ["x", "y"], "time": "1700000000.123456789"}
{"id": "c", "kind": "message", "to": [], "time": 1700000000}
{"id": "d", "kind": "message", "to": null, "time": null}
{"seamwise": 1, "id": "new"}
{"id": "a", "kind": "message", "time_ns": 1}
"""


def test_the_draft_before_the_first_release() -> None:
    old, new = read_traces(io.BytesIO(DRAFT))
    assert old.header.schema_version == 1
    assert old.header.claims[0].stream == "ledger"
    assert old.steps == (
        Step(id="a", kind="message", recipients=("billing",), time_ns=1_700_000_000_250_000_000, text="\ud800"),
        Step(id="b", kind="message", recipients=("x", "y"), time_ns=1_700_000_000_123_456_789),
        Step(id="c", kind="message", recipients=(), time_ns=1_700_000_000_000_000_000),
        Step(id="d", kind="message"),
    )
    assert new.steps == (Step(id="a", kind="message", time_ns=1),)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b'{"id":"a","kind":"m","time":"soon"}', "$.time"),
        (b'{"id":"a","kind":"m","time":true}', "$.time"),
        (b'{"id":"a","kind":"m","time":"NaN"}', "$.time"),
        (b'{"id":"a","kind":"m","time":"1e999999999"}', "$.time"),
        (b'{"id":"a","kind":"m","time":[1]}', "$.time"),
        (b'{"id":"a","kind":"m","to":7}', "$.recipients"),
        (b'{"id":"a","kind":"m","to":"x","recipients":["x"]}', "$"),
    ],
)
def test_what_cannot_be_upgraded_is_named(line: bytes, path: str) -> None:
    report = ReadReport()
    (trace,) = read_traces(io.BytesIO(b'{"seamwise":0,"id":"t"}\n' + line + b'\n{"id":"b","kind":"m"}\n'), report=report)
    assert [step.id for step in trace.steps] == ["b"]
    assert [(damage.code, damage.line, damage.path) for damage in report.damage] == [("wrong_shape", 2, path)]


def test_fields_of_the_draft_are_unknown_in_version_1() -> None:
    report = ReadReport()
    (trace,) = read_traces(io.BytesIO(b'{"seamwise":1,"id":"t"}\n{"id":"a","kind":"m","to":"x"}\n'), report=report)
    assert trace.steps[0].recipients is None
    assert report.damage[0].path == "$.to"


def test_the_chain() -> None:
    assert check_version(0) == 0
    assert upgrade_header({"seamwise": 0, "id": "t"}, 0) == {"seamwise": 1, "id": "t"}
    assert upgrade_step({"id": "s", "to": "x"}, 0) == {"id": "s", "recipients": ["x"]}
    assert upgrade_step({"id": "s", "to": "x"}, 1) == {"id": "s", "to": "x"}
    with pytest.raises(UsageError):
        register_upgrade(0, Upgrade(header=dict, step=dict))
    with pytest.raises(SchemaError):
        check_version("1")
