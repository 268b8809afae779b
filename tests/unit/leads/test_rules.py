"""Each rule of the generic pack sees its shape, and none of the innocent shapes that look alike."""

from __future__ import annotations

from typing import Any

import pytest

from seamwise.leads import RULES, Lead, leads_of
from seamwise.record import Header, Step, Trace


def found(rule: str, *steps: dict[str, Any], **origin: Any) -> list[Lead]:
    made = [Step(**{"id": f"s{n}", **step}) for n, step in enumerate(steps, 1)]
    return leads_of(Trace(header=Header(id="t", origin=origin), steps=tuple(made)), [RULES[rule]])


def indexes(leads: list[Lead]) -> list[list[int]]:
    return [[step.index for step in lead.steps] for lead in leads]


def call(tool: str, name: str, arguments: Any = None, actor: str = "clerk") -> dict[str, Any]:
    return {"kind": "tool_call", "actor": actor, "tool": tool, "call": name, "data": {"arguments": arguments or {}}}


def answer(tool: str, name: str, status: str | None = "ok", **data: Any) -> dict[str, Any]:
    return {"kind": "tool_result", "actor": "clerk", "tool": tool, "call": name, "status": status, "data": data or {"result": "x"}}


SAID = {"kind": "message", "actor": "clerk", "text": "all good"}
LOOK = (call("look", "a"), answer("look", "a"))


# ---- unanswered-call ----


def test_a_call_without_a_result_whose_caller_went_on() -> None:
    leads = found("unanswered-call", *LOOK, call("look", "b", {"id": 2}), SAID)
    assert indexes(leads) == [[3, 4]]
    assert "#3 (clerk, look)" in leads[0].words
    assert leads[0].cause == "tool look"


def test_a_result_without_a_call() -> None:
    assert indexes(found("unanswered-call", *LOOK, answer("look", "z"))) == [[3]]


@pytest.mark.parametrize(
    "steps",
    [
        (call("look", "b"), SAID),  # no answers of this tool are recorded at all
        (*LOOK, call("look", "b")),  # the run ends with it
        (*LOOK, call("look", "b", {"id": 2}), {"kind": "agent_end", "actor": "boss"}),  # its caller did nothing more
        (*LOOK, call("look", "b", {"id": 2}), call("look", "c", {"id": 2}), answer("look", "c"), SAID),  # made again
        (call("ask_human", "a"), answer("ask_human", "a"), call("ask_human", "b"), SAID),  # waits for a person
        (call("transfer_to_b", "a"), answer("transfer_to_b", "a"), call("transfer_to_b", "b"), SAID),
        (answer("look", "z"), *LOOK),  # the recording begins in the middle
    ],
)
def test_innocent_open_calls(steps: tuple[dict[str, Any], ...]) -> None:
    assert found("unanswered-call", *steps) == []


def test_a_trimmed_history_explains_a_result_without_a_call() -> None:
    assert found("unanswered-call", *LOOK, answer("look", "z"), trimmed=True) == []


# ---- said-done ----

EXPORT = (call("export", "a", {"job": "job-17"}), answer("export", "a", "failed"))
REPORT = {"kind": "state", "actor": "boss", "data": {"items": {"job": "job-17", "status": "done"}}}


def test_a_failed_operation_reported_done() -> None:
    leads = found("said-done", *EXPORT, REPORT)
    assert indexes(leads) == [[1, 2, 3]]
    assert leads[0].words == "#3 (boss) reports `status: done`, but #1 (clerk, export) failed"


def test_a_tool_call_may_report_it_too() -> None:
    leads = found("said-done", *EXPORT, call("update_task", "b", {"task": "job-17", "status": "completed"}, "boss"))
    assert indexes(leads) == [[1, 2, 3]]


@pytest.mark.parametrize(
    "steps",
    [
        (*EXPORT, {**REPORT, "data": {"items": {"job": "job-18", "status": "done"}}}),  # another thing
        (*EXPORT, {**REPORT, "data": {"items": {"job": "job-17", "status": "failed"}}}),
        (*EXPORT, call("export", "b", {"job": "job-17"}), answer("export", "b"), REPORT),  # made good by a retry
        (*EXPORT, call("export", "b", {"job": "job-17", "fast": True}), answer("export", "b"), REPORT),
        (REPORT, *EXPORT),  # reported before
        (EXPORT[0], answer("export", "a", None), REPORT),  # how it ended is not recorded: for a contract to say
        (EXPORT[0], answer("export", "a", "timeout"), REPORT),
        (call("export", "a", {"n": 2024}), answer("export", "a", "failed"), {**REPORT, "data": {"n": 2024, "status": "done"}}),
    ],
)
def test_innocent_reports(steps: tuple[dict[str, Any], ...]) -> None:
    assert found("said-done", *steps) == []


# ---- not-in-input ----

NEWS = {"kind": "message", "actor": "a", "recipients": ("b",), "text": "The reserve price is fixed at 9,725."}
OTHER = {"kind": "message", "actor": "a", "recipients": ("b",), "text": "Please write to the customer by noon."}


def heard(*texts: str, whole: bool = True) -> dict[str, Any]:
    return {"kind": "input", "actor": "b", "data": {"whole": whole, "messages": [{"role": "user", "content": t} for t in texts]}}


def test_an_addressed_message_that_never_arrived() -> None:
    leads = found("not-in-input", OTHER, NEWS, heard(OTHER["text"]))
    assert indexes(leads) == [[2, 3]]
    assert leads[0].cause == "a -> b"


@pytest.mark.parametrize(
    "steps",
    [
        (NEWS, heard("...  The reserve price is FIXED at 9,725!")),
        (OTHER, NEWS, heard(OTHER["text"], whole=False)),
        (OTHER, NEWS, heard(OTHER["text"]), heard(OTHER["text"], NEWS["text"])),  # it came with the next
        (OTHER, NEWS, heard("a summary")),  # the history was summarised
        (NEWS,),
        ({**NEWS, "recipients": None}, heard("x")),
        ({**NEWS, "text": "ok"}, heard("x")),
    ],
)
def test_messages_that_arrived_or_of_which_nothing_is_known(steps: tuple[dict[str, Any], ...]) -> None:
    leads = found("not-in-input", *steps)
    assert leads == [] or steps[0] is OTHER, leads
    if len(steps) == 3 and steps[2]["data"]["messages"][0]["content"] == "a summary":
        assert indexes(leads) == [[1, 3]], "the oldest message is told, what follows it is the same loss"
    else:
        assert leads == []


# ---- stale-version ----


def state(version: int, actor: str, **more: Any) -> dict[str, Any]:
    return {"kind": "state", "actor": actor, "data": {"object": "plan", "version": version, **more}}


def read(version: int, actor: str) -> dict[str, Any]:
    return {"kind": "read", "actor": actor, "data": {"object": "plan", "version": version}}


def test_a_stale_read_and_a_lost_update() -> None:
    assert indexes(found("stale-version", state(1, "a"), state(2, "b", based_on=1), read(1, "c"))) == [[2, 3]]
    assert indexes(found("stale-version", state(1, "a"), state(2, "b", based_on=1), state(3, "c", based_on=1))) == [[1, 2, 3]]
    by_reading = found("stale-version", state(1, "a"), read(1, "c"), state(2, "b", based_on=1), state(3, "c"))
    assert indexes(by_reading) == [[1, 3, 4]]


@pytest.mark.parametrize(
    "steps",
    [
        (state(1, "a"), state(2, "b", based_on=1), state(3, "c", based_on=1, reducer="add")),
        (state(1, "a", branch="x"), state(2, "b", branch="y", based_on=1)),
        (state(1, "a"), read(1, "c"), state(2, "b"), read(2, "c"), state(3, "c")),
        (state(1, "a"), state(2, "a", based_on=1), state(3, "a", based_on=1)),  # its own updates
        (state(1, "a"), read(1, "b")),
        # an update, and the checkpoint that it becomes part of
        (state(1, ""), {"kind": "state", "actor": "node", "data": {"object": "plan"}}, state(2, "", based_on=1)),
    ],
)
def test_innocent_versions(steps: tuple[dict[str, Any], ...]) -> None:
    assert found("stale-version", *steps) == []


# ---- origin-twice ----


def admit(item: str, origin: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "admission", "actor": "lead", "data": {"item": item, "origin": origin, "accepted": True, "decision": "d", **more}}


def test_one_origin_counted_twice() -> None:
    assert indexes(found("origin-twice", admit("e1", "sensor"), admit("e2", "sensor"))) == [[1, 2]]
    for innocent in (
        (admit("e1", "sensor"), admit("e2", "log")),
        (admit("e1", "sensor"), admit("e1", "sensor")),
        (admit("e1", "sensor"), admit("e2", "sensor", weight=0)),
        (admit("e1", "sensor"), admit("e2", "sensor", decision="other")),
        (admit("e1", None), admit("e2", None)),
        (admit("e1", "sensor"), {**admit("e2", "sensor"), "data": {"item": "e2", "origin": "sensor", "accepted": False, "decision": "d"}}),
    ):
        assert found("origin-twice", *innocent) == []


# ---- credential-crossing ----

KEY = "sk-" + "q7Zr2LmX9vB4tKc8Yw3NpS6d"


def pass_on(text: str) -> dict[str, Any]:
    return {"kind": "message", "actor": "a", "recipients": ("b",), "text": text}


def test_a_credential_that_goes_to_an_agent_without_a_tool_for_it() -> None:
    leads = found("credential-crossing", pass_on(f"use {KEY} for the upload"))
    assert indexes(leads) == [[1]]
    assert KEY not in leads[0].words, "a lead does not repeat the secret"


@pytest.mark.parametrize(
    "steps",
    [
        (pass_on(f"use {KEY}"), call("upload", "u", {"key": KEY}, "b")),  # the receiver has a tool for it
        (pass_on("use sk-xxxxxxxxxxxxxxxxxxxxxxxx"),),
        (pass_on("AKIAIOSFODNN7EXAMPLE"),),
        (pass_on("run 3f2b8c1e-9d4a-4f6b-8e7c-1a2b3c4d5e6f, sha 9b4e7634b347787f6a8c46d55a9cfde504c5a542"),),
        ({**pass_on(f"use {KEY}"), "recipients": None},),
        ({**pass_on(f"use {KEY}"), "recipients": ("a",)},),
    ],
)
def test_what_only_looks_like_a_credential_that_crosses(steps: tuple[dict[str, Any], ...]) -> None:
    assert found("credential-crossing", *steps) == []


# ---- approved-twice ----


def approve(subject: str, actor: str, word: str = "approved", **more: Any) -> dict[str, Any]:
    return {"kind": "approval", "actor": actor, "data": {"subject": subject, "status": word, **more}}


def test_two_approvals_of_one_request() -> None:
    assert indexes(found("approved-twice", approve("r1", "ann"), approve("r1", "bob"))) == [[1, 2]]
    by_tool = (call("approve", "a", {"request_id": "r1"}, "ann"), answer("approve", "a"))
    again = (call("approve", "b", {"request_id": "r1"}, "bob"), answer("approve", "b"))
    assert indexes(found("approved-twice", *by_tool, *again)) == [[1, 3]]


@pytest.mark.parametrize(
    "steps",
    [
        (approve("r1", "ann"), approve("r2", "ann")),
        (approve("r1", "ann"), approve("r1", "bob", "rejected"), approve("r1", "ann")),
        (approve("r1", "ann", version=1), approve("r1", "ann", version=2)),
        (approve("r1", "ann"), approve("r1", "ann")),  # a resumed run repeats it
        (call("approve", "a", {"request_id": "r1"}), answer("approve", "a", "failed"), approve("r1", "ann")),
    ],
)
def test_innocent_approvals(steps: tuple[dict[str, Any], ...]) -> None:
    assert found("approved-twice", *steps) == []


def test_hostile_traces_are_read() -> None:
    deep: Any = "done"
    for _ in range(300):
        deep = {"status": deep, "x": [deep]} if isinstance(deep, str) else {"x": deep}
    steps = [
        {"kind": kind, "actor": None, "data": {"arguments": deep, "status": "done"}, "call": None} for kind in ("tool_call", "state", "")
    ]
    for rule in RULES:
        assert found(rule, *steps, {"kind": "tool_result", "call": "c"}, {"kind": "tool_call", "call": "c"}) == []
