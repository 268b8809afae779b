"""``seamwise show``: what a person sees, and that nothing recorded can act on a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from seamwise.cli.show import command
from seamwise.errors import UsageError
from seamwise.record import After, Claim, Header, Ref, Step, Trace, read_traces, write_traces
from seamwise.render.plain import cells
from seamwise.render.sequence_text import sequence_view
from seamwise.render.step_text import colour_of
from seamwise.render.trace_text import select_steps, trace_view
from seamwise.testing.strategies import traces

START = 1_767_434_400_000_000_000


def step(i: int, kind: str, **fields: Any) -> Step:
    return Step(id=f"s{i}", kind=kind, time_ns=START + i * 1_250_000_000, **fields)


DESK = Trace(
    header=Header(
        id="run 31",
        claims=(Claim(sort="recording", stream="ledger/c17", count=2, basis="the exporter wrote all"),),
        origin={"format": "otlp"},
    ),
    steps=(
        step(1, "message", actor="customer", recipients=("triage",), text="My export failed and\nI want \x1b[31mmoney\x1b[0m back"),
        step(2, "handoff", actor="triage", recipients=("support",), text="please handle"),
        step(
            3,
            "tool_call",
            actor="support",
            tool="issue_credit",
            call="k1",
            data={"arguments": {"amount": "15.00"}},
            streams=("ledger/c17",),
        ),
        step(
            4, "tool_result", actor="support", tool="issue_credit", call="k1", status="ok", data={"result": "done"}, streams=("ledger/c17",)
        ),
        step(5, "message", actor="support", recipients=("billing", "retention"), channel="mail", text="credited 15.00"),
        step(6, "tool_result", actor="billing", tool="export", call="k2", status="timeout"),
        step(7, "message", actor="billing", text="the export finished 日本語 \u202eevil"),
        step(8, "message", actor="retention", recipients=(), text="note to self"),
        Step(id="s9", kind="message", recipients=("support",), text="who said this? \ud800", seq=4),
        Step(id="s10", kind="decision", actor="support", data={"value": True}, refs=(Ref(kind="answers", step="s1"),)),
        step(11, "message", actor="support", recipients=("customer",), text="x" * 300, order=(After(step="s10", basis="sequence"),)),
    ),
)

LIST = """\
trace run 31  11 steps  5 agents  2026-01-03 UTC  from otlp
  claim: recording of ledger/c17, 2 operations, by source (the exporter wrote all)
 #1  10:00:01.250  message      customer -> triage     My export failed and (+1 line)
 #2  10:00:02.500  handoff      triage -> support      please handle
 #3  10:00:03.750  tool_call    support                issue_credit [k1] {"amount":"15.00…
 #4  10:00:05.000  tool_result  support                issue_credit [k1] ok "done"
 #5  10:00:06.250  message      support -> billing +1  credited 15.00
 #6  10:00:07.500  tool_result  billing                export [k2] timeout
 #7  10:00:08.750  message      billing -> ?           the export finished 日本語 \\u202ee…
 #8  10:00:10.000  message      retention -> nobody    note to self
 #9  seq 4         message      ? -> support           who said this? \\ud800
#10                decision     support                {"value":true}
#11  10:00:13.750  message      support -> customer    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
"""

SEQUENCE = """\
trace run 31  11 steps  5 agents  2026-01-03 UTC  from otlp
  claim: recording of ledger/c17, 2 operations, by source (the exporter wrote all)
    customer          triage            support           billing           retention
#1   │ My export failed and (+1 line)    │                 │                 │
     │────────────────▶│                 │                 │                 │
#2   │                 │ handoff please handle             │                 │
     │                 │────────────────▶│                 │                 │
#3   │                 │                 ● tool_call issue_credit [k1] {"amount":"15.00"}
#4   │                 │                 ● tool_result issue_credit [k1] ok "done"
#5   │                 │                 │ credited 15.00  │                 │
     │                 │                 │────────────────▶│────────────────▶│
#6   │                 │                 │                 ● tool_result export [k2] timeout
#7   │                 │                 │                 ● ──▶ ? the export finished 日本語 \\…
#8   │                 │                 │           note to self ──▶ nobody ●
#9   │                 │                 │ who said this? \\ud800             │
     │                 │             ?──▶│                 │                 │
#10  │                 │                 ● decision {"value":true}           │
#11  │ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
     │◀──────────────────────────────────│                 │                 │
"""


def plain(view: RenderableType, *, width: int = 96, encoding: str = "utf-8", colour: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="\n")
    Console(file=file, width=width, color_system="standard" if colour else None, force_terminal=colour, legacy_windows=False).print(view)
    file.flush()
    return raw.getvalue().decode(encoding)


def test_the_list() -> None:
    assert plain(trace_view(DESK), width=90) == LIST


def test_the_sequence() -> None:
    assert plain(sequence_view(DESK)) == SEQUENCE


def test_terminals_without_more_than_ascii() -> None:
    text = plain(sequence_view(DESK), encoding="ascii")
    assert "     |---------------->|" in text
    assert "▶" not in text
    assert "\\u2026" not in text + plain(trace_view(DESK), encoding="ascii")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_lines_fit(width: int) -> None:
    for view, least in ((trace_view(DESK), 60), (sequence_view(DESK), 40)):
        assert max(cells(line) for line in plain(view, width=width).splitlines()) <= max(width, least)


def test_more_agents_than_fit_share_a_column() -> None:
    talk = [step(i, "message", actor=f"agent{i}", recipients=("hub",)) for i in range(30)]
    text = plain(sequence_view(Trace(header=Header(id="t"), steps=tuple(talk))), width=80)
    assert "26 others" in text.splitlines()[1]


def test_full_shows_all_that_is_recorded() -> None:
    text = plain(trace_view(DESK, full=True), width=90)
    for fact in ("I want \\x1b[31mmoney\\x1b[0m back", '"amount": "15.00"', "recipients: billing, retention", "channel: mail"):
        assert fact in text
    for fact in ("streams: ledger/c17", "refs: answers s1", "follows: s10 (sequence)", "seq: 4", "id: s11"):
        assert fact in text
    assert text.count("x") >= 300


def test_the_gist_of_data_and_many_claims() -> None:
    claims = tuple(Claim(sort="route", stream=f"s{i}", by="user") for i in range(5))
    steps = (
        step(1, "span", data={"name": "desk", "attributes": {"a": 1}}),
        step(2, "input", data={"messages": [1, 2]}),
        step(3, "note", data={"b": 1}),
    )
    trace = Trace(header=Header(id="t", claims=claims), steps=steps)
    lines = plain(trace_view(trace)).splitlines()
    assert [line.split("  ")[-1] for line in lines[-3:]] == ["desk", "2 messages", '{"b":1}']
    assert lines[1:4] == ["  claim: route of s0, by user", "  claim: route of s1, by user", "  3 more claims"]
    assert plain(trace_view(trace, full=True)).count("claim: ") == 5


def test_full_breaks_long_lines_and_leaves_nothing_out() -> None:
    long = step(1, "note", data={"a": "é日" * 200, "b": list(range(300))}, text="word " * 200 + "日" * 300)
    text = plain(trace_view(Trace(header=Header(id="t"), steps=(long,)), full=True), width=70)
    assert text.count("é") == 200
    assert text.count("日") >= 500
    assert text.count("word") >= 200


def test_filters() -> None:
    def places(**filters: Any) -> list[int]:
        return [place for place, _ in select_steps(DESK, **filters)]

    assert places() == list(range(1, 12))
    assert places(agents=["retention"]) == [5, 8]
    assert places(kinds=["handoff", "decision"]) == [2, 10]
    assert places(streams=["ledger/c17"]) == places(streams=["ledger/*"]) == [3, 4]
    assert places(streams=["mail"]) == [5]
    assert places(agents=["support"], kinds=["message"]) == [5, 9, 11]
    assert "  3 of 11 steps  " in plain(trace_view(DESK, agents=["support"], kinds=["message"]))
    assert plain(trace_view(DESK, limit=2)).endswith("  9 more steps\n")
    assert plain(trace_view(DESK, kinds=["none"])).endswith("  no step to show\n")


def test_an_agent_has_one_colour() -> None:
    assert colour_of("support") == colour_of("support")
    assert len({colour_of(f"agent {i}") for i in range(50)}) > 5
    assert "\x1b[" in plain(trace_view(DESK), colour=True)


@given(traces(), st.sampled_from([50, 100]), st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_record_can_act_on_the_terminal(trace: Trace, width: int, full: bool) -> None:
    for text in (plain(trace_view(trace, full=full), width=width), plain(sequence_view(trace), width=width)):
        assert {char for char in text if ord(char) < 32 or 127 <= ord(char) < 160} <= {"\n"}
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u200e\u200f")


def show(path: Path | str, *arguments: str, input: bytes | None = None) -> Result:
    return CliRunner().invoke(command, [str(path), *arguments], input=input, env={"COLUMNS": "90"})


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "desk.jsonl"
    write_traces(path, [DESK, Trace(header=Header(id="run 44"), steps=(step(1, "note", actor="audit"),))])
    return path


def test_the_command(recording: Path) -> None:
    result = show(recording)
    assert result.exit_code == 0
    assert result.stdout.startswith(LIST + "\ntrace run 44  1 step  1 agent")
    assert show(recording, "--trace", "run 44").stdout.startswith("trace run 44")
    assert "│" in show(recording, "--sequence").stdout
    assert show("-", input=recording.read_bytes()).stdout == result.stdout


def test_json_is_a_native_file_of_what_was_chosen(recording: Path) -> None:
    result = show(recording, "--json", "--agent", "support", "--limit", "2")
    first, second = read_traces(io.BytesIO(result.stdout_bytes))
    assert [s.id for s in first.steps] == ["s2", "s3"]
    assert second.steps == ()
    assert json.loads(result.stdout.splitlines()[0])["seamwise"] == 1
    whole = show(recording, "--json").stdout_bytes
    assert list(read_traces(io.BytesIO(whole))) == list(read_traces(recording))


def test_slips_of_the_pen(recording: Path) -> None:
    assert "note: no kind `mesage` in this recording\nhint: did you mean `message`?" in show(recording, "--kind", "mesage").stderr
    result = show(recording, "--trace", "run 32")
    assert isinstance(result.exception, UsageError)
    assert result.exception.hint == "did you mean `run 31`?"
    assert show(recording, "--json", "--full").exit_code == 2


def test_damage_is_told(recording: Path) -> None:
    recording.write_bytes(recording.read_bytes() + b'{"id":"s2","kind":"no')
    result = show(recording)
    assert result.exit_code == 0
    assert "trace run 44  1 step" in result.stdout
    assert result.stderr.startswith("note: ")
