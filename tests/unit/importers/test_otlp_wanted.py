"""Reading only what is asked for gives the same trace with gaps, the same report, and the whole trace on demand."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.errors import SeamwiseError
from seamwise.importers import LEFT_OUT, Partial, Wanted, open_recording, recordings, whole
from seamwise.importers._source import HEAD_BYTES
from unit.importers.otlp_fixtures import SHARED, TRACE, Got, agent, chat, read, read_bytes, request, said, span, tool
from unit.importers.test_otlp_fuzz import SETTINGS, changed

PAY = Wanted([(("tool_call", "tool_result"), ("pay",))], claimed=())
SORTS = [
    PAY,
    Wanted([(("tool_*",), ("p*", "transfer_to_a"))]),
    Wanted([(("message",), ())], claimed=("input",)),
    Wanted([(("span", "handoff"), ())]),
    Wanted([((), ("pay",))]),
]


def same(content: bytes, wanted: Wanted) -> tuple[Got, Got] | None:
    """The import of everything and of what is wanted, compared; None where the file is refused, either way for one reason."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            full = read_bytes(Path(folder), content, format="otlp")
        except SeamwiseError as error:
            with pytest.raises(type(error), match=re.escape(error.message)):
                list(open_recording(Path(folder) / "recording", format="otlp", wanted=wanted).traces)
            return None
        part = open_recording(Path(folder) / "recording", format="otlp", wanted=wanted)
        traces = []
        for trace, complete in zip(part.traces, full.traces, strict=True):
            traces.append(trace)
            assert whole(trace) == complete
            assert whole(trace).header == complete.header
    assert part.report == full.report
    assert list(part.report.unknown) == list(full.report.unknown)
    assert part.labels == full.labels
    for trace, complete in zip(traces, full.traces, strict=True):
        assert trace.header.clocks == complete.header.clocks
        assert trace.header.origin == complete.header.origin
        asked = [c for c in complete.header.claims if wanted.claimed is None or c.stream.split("/")[0] in wanted.claimed]
        assert list(trace.header.claims) == asked
        ids = {step.id for step in trace.steps}
        for step, true in zip(trace.steps, complete.steps, strict=True):
            if step.kind != LEFT_OUT:
                assert step == true
                assert {after.step for after in step.order} <= ids, "what orders a step that is there is there"
            else:
                assert not wanted.has((true.kind,), true.tool)
                assert (step.source, step.time_ns is None) == (true.source, true.time_ns is None)
                assert step == type(step)(id="", kind=LEFT_OUT, source=true.source, time_ns=None if true.time_ns is None else 0)
    return full, Got(traces, part.report, part.labels)


def test_what_is_not_wanted_keeps_its_place(tmp_path: Path) -> None:
    spans = [
        agent(1, "a"),
        tool(2, "pay", 1, arguments={"x": 1}, result="y"),
        tool(3, "other", 1, arguments={"x": 1}, result="y"),
        span(4, "below", 3),
        tool(5, "other", 1, arguments={"x": 1}),
        chat(6, 1, told=[said("user", "u"), said("user", "v")], answered=[said("assistant", "x")]),
        chat(7, 1, told=[said("user", "u"), said("user", "v"), said("assistant", "x"), said("user", "w")], answered=[]),
    ]
    got = same(json.dumps(request(*spans)).encode(), PAY)
    assert got is not None
    full, part = got
    left_out = [true.id for step, true in zip(part.steps, full.steps, strict=True) if step.kind == LEFT_OUT]
    numbers = ("", "/in/0", "/in/1", "/input", "/end")
    assert sorted(left_out) == sorted(
        [
            f"{4:016x}",
            *(f"{5:016x}{end}" for end in ("", "/end")),
            *(f"{6:016x}{end}" for end in numbers),
            *(f"{7:016x}{end}" for end in ("", "/in/3", "/input", "/end")),
        ]
    )
    assert isinstance(part.traces[0], Partial)
    assert not part.traces[0].header.claims
    assert len(full.traces[0].header.claims) == 2


def test_whatever_a_span_that_is_not_wanted_does_to_the_report() -> None:
    dropped = {"droppedAttributesCount": 1}
    whole_input = [said("user", "u"), said("user", "v")]
    calls = [
        agent(1, "a"),
        tool(2, "look", 1, arguments="{bad"),
        tool(3, "look", 1, arguments={"x": 1}, attrs={"error.type": "timeout"}, result="y"),
        tool(4, "look", 1, arguments={"x": 1}, result={"error": "no"}),
        tool(5, "look", 1, (3, 2), status=1),
        tool(6, "look", (3), (3, None)),
        tool(7, "look", 1, (3, None), result="[" * 300),
        tool(8, "look", 1, arguments="[" * 70 + "]" * 70 + " " * 99, status=2),
        tool(9, "transfer_to_b", 1),
        tool(10, "Delegate work to co-worker", 1, arguments={"coworker": "c"}),
        tool(12, "look", 1, result="y", status=1, attrs={"error.type": "x"}),
        tool(13, "look", arguments='{"a":' * 70 + "1" + "}" * 70),
        tool(14, "look", 1, result="y", events=[("gen_ai.evaluation.result", {"score": 1}), ("exception", {"exception.type": "E"})]),
        tool(15, "look", 1, events=[("gen_ai.choice", {"message": "y"})]),
        span(11, "work", attrs={"eval.score": 1, "metadata": '{"score": 1, "x": 2}'}),
    ]
    chats = [
        chat(20, 1, told=whole_input, answered=[said("assistant", "x")]),
        chat(21, 1, (11, 12), told=[said("user", "new")], answered=[said("assistant", "y")]),
        chat(22, 1, (13, 14), told=whole_input[:1], answered=[said("assistant", "y")]),
        chat(23, 1, (15, 16), told=[said("user", "[REDACTED]")], answered="{bad"),
        chat(24, 1, (17, 18), told="{bad", answered=[]),
        chat(25, 1, (19, 20), told=whole_input, answered=[said("assistant", "y")], more=dropped),
        chat(26, 1, (21, None), told=whole_input, answered=[said("assistant", "y")], attrs={"gen_ai.system_instructions": "s"}),
        chat(27, 1, (23, 24), told=[{"role": "user", "parts": []}], answered=[{"role": "assistant", "content": "z"}]),
    ]
    for spans in (calls, chats, calls + chats, [*calls, *chats, chat(28, 1, told=whole_input)]):
        for wanted in SORTS:
            assert same(json.dumps(request(*spans)).encode(), wanted)
    got = same(json.dumps(request(*calls, *chats)).encode(), PAY)
    assert got is not None
    codes = (
        "unparsable_arguments suspected_failure negative_duration possible_handoff context_reset input_not_whole input_unreadable "
        "output_unreadable attributes_dropped"
    )
    assert set(codes.split()) <= set(got[1].codes)
    assert len(got[1].report.unknown) >= 6
    assert sum(step.kind != LEFT_OUT for step in got[1].steps) < 16


@SETTINGS
@given(changed(), st.sampled_from(SORTS))
def test_changed_structure(content: bytes, wanted: Wanted) -> None:
    same(content, wanted)


TEXTS = st.sampled_from(
    [
        "u",
        "v",
        'é "quoted" \\ \n',
        "[REDACTED]",
        "... [truncated]",
        "\ud800",
        "{",
        '{"ok": false}',
        '{"error": "no"}',
        '{"a": [1, {"b": null}]}',
    ]
)
PARTS = st.one_of(
    TEXTS.map(lambda text: {"type": "text", "content": text}),
    st.sampled_from(
        [{"type": "tool_call", "id": "c1", "name": "pay", "arguments": {"x": 1}}, {"type": "reasoning", "content": "hm"}, "bare", 5]
    ),
)
MESSAGE = st.one_of(
    TEXTS.map(lambda text: said("user", text)),
    TEXTS.map(lambda text: said("assistant", text, finish_reason="stop")),
    st.builds(lambda role, parts: {"role": role, "parts": parts}, st.sampled_from(["system", "user", "tool"]), st.lists(PARTS, max_size=3)),
    st.builds(lambda text: {"role": "user", "content": text}, TEXTS),
)


@st.composite
def conversations(draw: st.DrawFn) -> bytes:
    """A file of traces whose agents talk on, call tools and go wrong in the ways that recordings do."""
    spans: list[dict[str, Any]] = []
    said_so_far: dict[str, list[Any]] = {}
    number = 0
    for number in range(1, draw(st.integers(1, 9)) + 1):
        who = draw(st.sampled_from(["a", "b"]))
        start = draw(st.integers(0, 20))
        common: dict[str, Any] = {
            "parent": draw(st.none() | st.integers(1, 9)),
            "at": (start, draw(st.none() | st.integers(0, 30))),
            "status": draw(st.sampled_from([0, 0, 0, 1, 2])),
            "trace": draw(st.sampled_from([TRACE, TRACE, "b2" * 16])),
        }
        attrs: dict[str, Any] = {"gen_ai.agent.name": who} if draw(st.booleans()) else {}
        odd = ["error.type", "eval.score", "gen_ai.response.id", "gen_ai.conversation.id", "gen_ai.tool.definitions", "metadata"]
        attrs |= draw(st.dictionaries(st.sampled_from(odd), st.sampled_from(["x", '{"score": 1}', "timeout"]), max_size=1))
        events = draw(st.sampled_from([(), (), (), (("exception", {"exception.type": "E"}),)]))
        sort = draw(st.sampled_from(["chat", "chat", "chat", "tool", "tool", "span", "agent"]))
        if sort == "chat":
            history = said_so_far.setdefault(who, [])
            how = draw(st.sampled_from(["on", "on", "on", "new", "shorter", "none"]))
            history = history if how == "on" else history[:1] if how == "shorter" else []
            history = [*history, *draw(st.lists(MESSAGE, max_size=2))]
            answer = draw(st.lists(MESSAGE, max_size=1))
            said_so_far[who] = [*history, *answer]
            texts: dict[str, Any] = {"told": history, "answered": answer}
            if draw(st.booleans()):
                attrs["gen_ai.system_instructions"] = draw(st.sampled_from(["be good", '[{"type": "text", "content": "be good"}]']))
            if how == "none":
                texts.pop(draw(st.sampled_from(["told", "answered"])))
            spans.append(chat(number, attrs=attrs, events=events, **texts, **common))
        elif sort == "tool":
            name = draw(st.sampled_from(["pay", "look", "transfer_to_a", "Delegate work to co-worker"]))
            content = {key: draw(TEXTS) for key in draw(st.sampled_from([(), ("arguments",), ("arguments", "result"), ("result",)]))}
            spans.append(tool(number, name, attrs=attrs, events=events, **content, **common))
        elif sort == "agent":
            spans.append(agent(number, who, **common))
        else:
            spans.append(span(number, "work", attrs=attrs, events=events, **common))
    for made in draw(st.lists(st.sampled_from(spans), max_size=2)):
        if draw(st.booleans()):
            spans.append({**made, "attributes": made["attributes"][:-1], "droppedAttributesCount": draw(st.sampled_from([0, 1]))})
    resources = draw(st.sampled_from([None, {"service.name": "x"}, {}]))
    if draw(st.booleans()):
        return json.dumps(request(*spans, resource=resources)).encode("utf-8", "surrogatepass")
    lines = [json.dumps(request(made, resource=resources)) for made in spans]
    padding = " " * (HEAD_BYTES // len(lines) + 1) if draw(st.booleans()) else ""
    return "\n".join(line + padding for line in lines).encode("utf-8", "surrogatepass")


@SETTINGS
@given(conversations(), st.sampled_from(SORTS))
def test_conversations(content: bytes, wanted: Wanted) -> None:
    same(content, wanted)


FILES = [found.path for found in recordings([SHARED / "corpus"]) if found.format == "otlp"] if (SHARED / "corpus").is_dir() else []


@pytest.mark.skipif(not FILES, reason=f"{SHARED} holds no recordings on this machine")
@pytest.mark.parametrize("path", FILES, ids=lambda p: Path(p).name)
def test_the_corpus(path: str) -> None:
    tools = {step.tool for trace in read(Path(path)).traces for step in trace.steps if step.tool is not None}
    for some in (sorted(tools), sorted(tools)[::2], ["nothing"]):
        same(Path(path).read_bytes(), Wanted([(("tool_call", "tool_result"), some)]))


def test_of_many_traces_only_those_asked_for_are_read(tmp_path: Path) -> None:
    lines = [json.dumps(request(tool(1, "pay", trace=f"{n:032x}"), tool(2, "pay", trace=f"{n + 1:032x}"))) for n in range(1, 400)]
    path = tmp_path / "recording"
    path.write_text("\n".join(lines))
    assert path.stat().st_size > HEAD_BYTES
    full = read(path)
    asked = frozenset({f"{7:032x}", f"{300:032x}", "f" * 32})
    part = list(open_recording(path, only=asked).traces)
    assert part == [trace for trace in full.traces if trace.id in asked]
    assert len(part) == 2


@pytest.mark.parametrize("written", ['"trace_id"', '"\\u0074raceId"'])
def test_a_line_whose_ids_are_not_plain_is_read(tmp_path: Path, written: str) -> None:
    lines = [json.dumps(request(tool(1, "pay", trace=f"{n:032x}"))) for n in range(1, 400)]
    lines[100] = lines[100].replace('"traceId"', written)
    path = tmp_path / "recording"
    path.write_text("\n".join(lines))
    assert [trace.id for trace in open_recording(path, only=frozenset({f"{101:032x}"})).traces] == [f"{101:032x}"]


def test_wanted_names_kinds_and_tools_by_pattern() -> None:
    wanted = Wanted([(("tool_*",), ("pay*",)), (("message",), ())])
    assert wanted.has(("tool_call",), "payout")
    assert wanted.has(("tool_call",))
    assert not wanted.has(("tool_call",), "look")
    assert wanted.has(("note", "message"), "look")
    assert not wanted.has(("note",))
    assert Wanted([((), ())]).has(("anything",), "at all")
