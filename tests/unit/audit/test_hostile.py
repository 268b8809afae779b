"""Hostile recordings: whatever is in them, an audit ends and its results can be written and read again."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.audit import Audit, Pack, audit, read_results, write_results
from seamwise.record import After, Clock, Header, Organization, Step, Trace
from unit.binding.traces import LEDGER, SIGNING, saved

PACK = Pack(
    streams={
        "ledger": {
            **LEDGER,
            "from": [
                {**LEDGER["from"][0], "fields": {"customer": "arguments.customer", "amount": {"path": "arguments.amount", "unit": "USD"}}}
            ],
        },
        **SIGNING,
        "decisions": {"from": [{"kind": "decision"}]},
        "receipts": {"from": [{"kind": "receipt"}]},
        "edits": {"from": [{"kind": "edit"}]},
        "authorizations": {"from": [{"kind": "approval"}]},
        "routes": {"from": [{"kind": "route"}]},
        "admission": {"from": [{"kind": "admission"}]},
        "answers": {"from": [{"kind": "message"}], "key": "recipients"},
    },
    contracts={
        "cap": {"kind": "within_total", "stream": "ledger", "limit": "40 USD", "each": "20 USD", "per": ["customer", "day"]},
        "checked": {"kind": "check_done", "check": "policy", "owner": "legal", "versioned": True},
        "rights": {"kind": "rights_held", "action": "x"},
        "route": {"kind": "routed_to_qualified", "requires_tool": "x"},
        "carried": {"kind": "carried_out"},
        "admitted": {"kind": "admitted", "rule": {"verified": True, "one_count_per_origin": True}},
    },
)
TEXT = st.text(st.characters(), max_size=6)
NAME = st.sampled_from(["a", "legal", "c1", "x", "", "~", "*", "a/b", "#", "r#s", "\ud800"])
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), TEXT, NAME),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAME, inner, max_size=3)),
    max_leaves=6,
)
WORDS = [
    "customer",
    "amount",
    "subject",
    "version",
    "status",
    "action",
    "decision",
    "value",
    "correct",
    "payload",
    "item",
    "accepted",
    "origin",
    "verified",
    "weight",
    "to",
    "task",
    "for",
]
FIELDS = st.dictionaries(st.sampled_from(WORDS), JSON, max_size=5)
STEPS = st.lists(
    st.builds(
        dict,
        kind=st.sampled_from(
            ["tool_call", "tool_result", "decision", "receipt", "edit", "approval", "route", "admission", "message", "action"]
        ),
        actor=st.one_of(st.none(), NAME),
        recipients=st.one_of(st.none(), st.lists(NAME, max_size=2).map(tuple)),
        tool=st.one_of(st.none(), st.sampled_from(["pay", "check", "sign"])),
        call=st.one_of(st.none(), st.sampled_from(["k", "l"])),
        status=st.sampled_from([None, "ok", "failed", "timeout"]),
        text=st.one_of(st.none(), TEXT),
        data=st.one_of(
            st.none(), FIELDS, st.fixed_dictionaries({"arguments": JSON}), st.fixed_dictionaries({"arguments": FIELDS, "result": FIELDS})
        ),
        time_ns=st.one_of(st.none(), st.sampled_from([0, -1, 10**18, -(10**30), 10**30])),
        seq=st.one_of(st.none(), st.integers(0, 3)),
        source=st.sampled_from([None, "w"]),
        order=st.lists(st.builds(After, step=st.sampled_from(["0", "1", "2", "gone"]), basis=st.just("message")), max_size=2).map(tuple),
    ),
    max_size=6,
)


def audited(trace: Trace) -> Audit:
    with tempfile.TemporaryDirectory() as folder:
        return audit(saved(Path(folder) / "r.jsonl", trace), PACK)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.sampled_from(["r1", "r#1", "a/b", "~"]), st.booleans())
def test_an_audit_ends_and_can_be_kept(told: list[dict[str, Any]], name: str, clock: bool) -> None:
    steps = tuple(Step(id=str(n), **fields) for n, fields in enumerate(told))
    header = Header(id=name, clocks={"w": Clock(skew_ns=0)} if clock else {}, organization=Organization(rights={"x": ("a",)}))
    done = audited(Trace(header=header, steps=steps))
    assert not [r for r in done.results if r.reason and "cannot be told" in r.reason]
    file = io.BytesIO()
    write_results(file, *done)
    file.seek(0)
    assert read_results(file) == tuple(done)


def test_a_text_that_utf8_cannot_hold_is_told_without_it() -> None:
    step = Step(id="s", kind="tool_call", actor="\ud800", tool="sign", call="k", data={"arguments": {"subject": "\udfff", "version": 1}})
    done = audited(Trace(header=Header(id="r"), steps=(step,)))
    (result,) = done.results
    assert result.instance["subject"] == "?"


@pytest.mark.parametrize("n", [300])
def test_many_tools_of_one_use_do_not_fill_the_memory(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import seamwise.binding._binder as module

    monkeypatch.setattr(module, "MAX_PLANS", 100)
    binder = PACK.binder()
    binder.bind(Trace(header=Header(id="r"), steps=tuple(Step(id=str(i), kind="tool_call", tool=f"t{i}") for i in range(n))))
    assert len(binder._plans) <= 100
