"""Inspect AI: archives of all sorts, whose event is whose, what a model was told, and that nothing of the scoring leaks."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from seamwise.errors import FormatError, LimitError, SeamwiseError
from seamwise.importers import Limits, recordings
from seamwise.record import Claim, encode_trace
from unit.importers.inspect_fixtures import (
    EVENTS,
    LOG,
    MEMBERS,
    MESSAGES,
    SAMPLE,
    START,
    archive,
    at,
    begin,
    end,
    model,
    tool,
    user,
    zstd_archive,
)
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes


def imported(folder: Path, value: Any, **more: Any) -> Got:
    got = read_bytes(folder, value if isinstance(value, bytes) else json.dumps(value).encode(), **more)
    assert got.report.format == "inspect"
    return got


def of(folder: Path, *events: Any, **sample: Any) -> Got:
    return imported(folder, {**START, "status": "success", "samples": [{"id": 1, "epoch": 1, "events": list(events), **sample}]})


# ---- archives ----

PACKED = {
    "deflated": archive(MEMBERS),
    "stored": archive(MEMBERS, zipfile.ZIP_STORED),
    "zstd": zstd_archive(MEMBERS),
    "without a list of members": archive(MEMBERS, directory=False),
    "zstd without a list of members": zstd_archive(MEMBERS).partition(b"PK\x01\x02")[0],
    "json": json.dumps(LOG).encode(),
}


@pytest.mark.parametrize("content", PACKED.values(), ids=PACKED)
def test_a_log_in_every_packing_is_the_same(tmp_path: Path, content: bytes) -> None:
    got = imported(tmp_path, content)
    assert [trace.id for trace in got.traces] == ["u1", "ev1/b/1"]
    whole = imported(tmp_path, PACKED["json"])
    assert [trace.steps for trace in got.traces] == [trace.steps for trace in whole.traces]
    assert got.report.sealed["reductions" if content[:2] == b"PK" else "results"] == 1


def streamed(members: list[tuple[str, Any]]) -> bytes:
    """An archive as a program writes it that cannot go back: sizes stand after the members; it breaks off before its list."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *args: Any) -> int:
            raise io.UnsupportedOperation

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members:
            made.writestr(name, json.dumps(value))
    return out.getvalue().partition(b"PK\x01\x02")[0]


def test_members_whose_sizes_stand_behind_them(tmp_path: Path) -> None:
    assert [trace.id for trace in imported(tmp_path, streamed(MEMBERS)).traces] == ["u1", "ev1/b/1"]


def test_a_log_that_breaks_off_inside_a_member_keeps_the_members_before_it(tmp_path: Path) -> None:
    whole = archive(MEMBERS, directory=False)
    got = imported(tmp_path, whole[: whole.index(b"samples/b_epoch_1.json") + 80])
    assert [trace.id for trace in got.traces] == ["u1"]
    assert got.report.dropped["a damaged member of the archive"] == 1
    assert got.codes["no_directory"] == got.codes["no_header"] == 1


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_run_that_was_killed(tmp_path: Path) -> None:
    later = {**MESSAGES, "messages": [user("attachment://h1")], "attachments": {"h1": "long text"}}
    got = imported(
        tmp_path, archive([("_journal/start.json", START), ("samples/b_epoch_1.json", MESSAGES), ("samples/b_epoch_1.json", later)])
    )
    assert [s.text for s in got.steps] == ["long text"]
    assert got.traces[0].header.origin["recorded"]["status"] == "unknown"
    assert got.report.dropped == {"an earlier copy of a member of the archive": 1}


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    content = archive([("_journal/start.json", START), ("samples/a_epoch_1.json", b"[" + b" " * (96 << 20))])
    with pytest.raises(LimitError, match="grows at most 50-fold"):
        imported(tmp_path, content, limits=Limits(expansion=50))
    with pytest.raises(LimitError, match="in the members of the archive"):
        imported(tmp_path, content, limits=Limits(file_bytes=80 << 20))


def test_a_bomb_without_a_list_of_members_is_refused(tmp_path: Path) -> None:
    content = streamed([("_journal/start.json", START), ("samples/a_epoch_1.json", [" " * (96 << 20)])])
    with pytest.raises(LimitError, match="grows at most 50-fold"):
        imported(tmp_path, content, limits=Limits(expansion=50))


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    content = archive(MEMBERS[:2])
    first = content.index(b"PK\x01\x02")
    last = content.rindex(b"PK\x01\x02")
    end = content.rindex(b"PK\x05\x06")
    entry = content[last:end]
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 3, 3, end - first + len(entry), first, 0)
    with pytest.raises(FormatError, match="members that overlap"):
        imported(tmp_path, content[:end] + entry + tail)


def test_members_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    content = bytearray(archive([*MEMBERS, ("samples/c_epoch_1.json", "{broken"), ("samples/d_epoch_1.json", MESSAGES)]))
    last = content.rindex(b"PK\x01\x02")
    struct.pack_into("<H", content, last + 8, 1)  # says that the last member is encrypted
    got = imported(tmp_path, bytes(content))
    assert len(got.traces) == 2
    assert got.report.dropped["an encrypted member of the archive"] == 1
    assert got.report.dropped["unreadable"] == 1


def test_archives_that_are_nothing(tmp_path: Path) -> None:
    for content in (archive([("_journal/start.json", START)]), b"PK\x03\x04" + b"_journal/" * 9, PACKED["deflated"][:60]):
        with pytest.raises(SeamwiseError):
            read_bytes(tmp_path, content, format="inspect")


# ---- events ----


def test_whose_event_is_whose(tmp_path: Path) -> None:
    got = imported(tmp_path, LOG)
    steps = [s for s in got.traces[0].steps if s.kind not in ("span", "note", "message", "input")]
    assert [(s.kind, s.actor, s.call, s.status) for s in steps] == [
        ("agent_start", "planner", None, None),
        ("model_call", "planner", "m1", None),
        ("model_result", "planner", "m1", "ok"),
        ("tool_call", "planner", "c1", None),
        ("handoff", "planner", None, None),
        ("tool_result", "planner", "c1", "ok"),
        ("agent_start", "clerk", None, None),
        ("tool_call", "clerk", "c2", None),
        ("tool_result", "clerk", "c2", "ok"),
        ("tool_call", "clerk", "c3", None),
        ("tool_result", "clerk", "c3", "timeout"),
        ("state", "clerk", None, None),
        ("state", "clerk", None, None),
        ("state", "clerk", None, None),
        ("approval", "boss", None, None),
        ("agent_end", "clerk", None, None),
        ("agent_end", "planner", None, None),
    ]
    assert got.traces[0].steps[0].time_ns == 1767222000_000_000_000


def test_what_a_model_was_told_is_claimed_where_it_is_whole(tmp_path: Path) -> None:
    got = imported(tmp_path, LOG)
    asked = next(s for s in got.traces[0].steps if s.kind == "input")
    assert asked.streams == ("input/planner",)
    assert (asked.data or {})["messages"] == [{"role": "user", "parts": [{"type": "text", "content": "a long question"}]}]
    claim = got.traces[0].header.claims[0]
    assert (claim.sort, claim.stream, claim.range, claim.count) == ("recording", "input/planner", "m1", 1)
    assert isinstance(claim, Claim)


@pytest.mark.parametrize(
    "event",
    [
        model("m", None, 1, [user("attachment://gone")], "a"),
        model("m", None, 1, ["no message"], "a"),
        model("m", None, 1, [{"role": "user", "content": [{"type": "image", "image": "data:<base64-data-removed>"}]}], "a"),
        model("m", None, 1, [user("x")], "a", input_refs=[[0, 9]]),
    ],
)
def test_what_a_model_was_told_is_not_claimed_where_a_part_is_missing(tmp_path: Path, event: dict[str, Any]) -> None:
    got = of(tmp_path, event, events_data={"messages": [user("pooled")]})
    assert got.traces[0].header.claims == ()
    assert got.codes["input_not_whole"] == 1


def test_messages_in_a_pool(tmp_path: Path) -> None:
    pool = [user("one"), user("two"), user("three")]
    got = of(tmp_path, model("m", None, 1, [], "a", input_refs=[[2, 3], [0, 1]]), events_data={"messages": pool})
    texts = [m["parts"][0]["content"] for m in (got.one("input").data or {})["messages"]]
    assert texts == ["three", "one"]
    assert len(got.traces[0].header.claims) == 1


def test_a_pool_that_is_pointed_at_too_often(tmp_path: Path) -> None:
    pool = [user("one")] * 100
    events = [model(f"m{n}", None, n, [], "a", input_refs=[[0, 100]] * 20) for n in range(5)]
    content = json.dumps({**START, "status": "success", "samples": [{"id": 1, "epoch": 1, "events": events, "message_pool": pool}]})
    got = imported(tmp_path, content.encode(), limits=Limits(spans_per_trace=3000))
    assert got.report.claims == {"the model event of this call holds its complete input messages": 1}


def test_answers_of_agents_that_work_at_once_stand_where_they_came(tmp_path: Path) -> None:
    got = of(
        tmp_path,
        begin("A", "left", "agent", 1),
        begin("B", "right", "agent", 1.1),
        tool("a", "A", 2, "look", "slow", 9),
        tool("b", "B", 3, "look", "quick", 4),
        model("m", "B", 5, [user("x")], "y", 6),
        end("B", 7),
        end("A", 10),
    )
    order = [(s.kind, s.call or s.actor) for s in got.steps if s.kind not in ("message", "input")]
    assert order == [
        ("agent_start", "left"),
        ("agent_start", "right"),
        ("tool_call", "a"),
        ("tool_call", "b"),
        ("tool_result", "b"),
        ("model_call", "m"),
        ("model_result", "m"),
        ("agent_end", "right"),
        ("tool_result", "a"),
        ("agent_end", "left"),
    ]


def test_an_agent_works_after_it_was_handed_to_and_before_the_tool_answers(tmp_path: Path) -> None:
    got = of(
        tmp_path,
        begin("A", "planner", "agent", 1),
        tool("c", "A", 2, "transfer_to_clerk", "done", 9, agent="clerk"),
        begin("B", "clerk", "agent", 3, "A"),
        tool("x", "B", 4, "look", "found", 5),
        end("B", 6),
        end("A", 10),
    )
    assert [(s.kind, s.actor) for s in got.steps] == [
        ("agent_start", "planner"),
        ("tool_call", "planner"),
        ("handoff", "planner"),
        ("agent_start", "clerk"),
        ("tool_call", "clerk"),
        ("tool_result", "clerk"),
        ("agent_end", "clerk"),
        ("tool_result", "planner"),
        ("agent_end", "planner"),
    ]
    assert got.one("handoff").recipients == ("clerk",)


def test_older_logs(tmp_path: Path) -> None:
    steps = [
        {"event": "step", "action": action, "name": "generate", "type": "solver", "timestamp": at(n)}
        for n, action in enumerate(("begin", "end"))
    ]
    inner = tool("c", None, 2, "look")
    outer = {**tool("o", None, 1, "delegate"), "events": [inner]}
    older = {"transcript": {"events": [steps[0], outer, model("m", None, 3, [user("tc://z")], "y"), steps[1]], "content": {"z": "told"}}}
    got = imported(tmp_path, {**START, "status": "error", "samples": [{"id": 1, "epoch": 1, **older}]})
    kinds = [(s.kind, s.actor, s.call) for s in got.steps if s.kind.startswith("tool")]
    assert kinds == [
        ("tool_call", "generate", "o"),
        ("tool_call", "generate", "c"),
        ("tool_result", "generate", "c"),
        ("tool_result", "generate", "o"),
    ]
    assert got.of("message")[0].text == "told"
    assert got.one("model_result").status == "ok"


def test_calls_that_never_ended(tmp_path: Path) -> None:
    got = of(tmp_path, {**tool("c", None, 1, "look"), "pending": True}, {**model("m", None, 2, [user("x")], "y"), "pending": True})
    assert got.of("tool_result") == got.of("model_result") == []
    assert got.report.unknown["the ending of a tool call"] == got.report.unknown["the ending of a model call"] == 1


def test_a_sample_whose_events_were_not_kept(tmp_path: Path) -> None:
    got = imported(tmp_path, {**START, "status": "success", "samples": [MESSAGES]})
    assert [(s.kind, s.call, s.status) for s in got.steps] == [
        ("message", None, None),
        ("tool_call", "c1", None),
        ("tool_result", "c1", "failed"),
        ("message", None, None),
    ]


# ---- what grades ----


@pytest.mark.parametrize("content", [PACKED["json"], PACKED["deflated"], json.dumps(SAMPLE).encode(), json.dumps(EVENTS).encode()])
def test_nothing_of_the_scoring_leaks(tmp_path: Path, content: bytes) -> None:
    got = imported(tmp_path, content)
    written = b"".join(encode_trace(trace) for trace in got.traces).decode()
    assert "MARK" not in written
    assert "judge" not in written
    assert "MARK" in json.dumps([label.value for label in got.labels], default=str)
    assert not {key for key in got.report.sealed if f'"{key}"' in written}


def test_not_a_number(tmp_path: Path) -> None:
    content = json.dumps({**START, "status": "success", "samples": [{**MESSAGES, "scores": {"m": float("nan")}}]}).encode()
    got = imported(tmp_path, content)
    assert got.codes["not_a_number"] == 1
    assert got.report.sealed["scores"] == 1


def test_a_log_without_samples(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a log without samples \\(its status is `cancelled`\\)"):
        imported(tmp_path, {**START, "status": "cancelled", "samples": []})


# ---- the corpus ----

REFUSED = {"no-samples.json", "log_valid.txt", "log_with_nan.txt"}
KEPT = {
    "browser.json": 42,
    "log_formats.json": 9,
    "log_images.json": 9,
    "log_images_tc.json": 9,
    "log_length_stop_reason.txt": 6,
    "log_read_sample.eval": 14,
    "log_read_sample.json": 14,
    "log_streaming.eval": 36,
    "log_tool_call_error.json": 11,
}


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_the_corpus() -> None:
    found = list(recordings([SHARED / "corpus" / "inspect-logs", SHARED / "corpus" / "inspect-events"]))
    assert [Path(f.path).name for f in found if f.format != "inspect"] == ["log__test_eval_log__log_invalid.txt"]
    for f in found:
        if f.format is None:
            continue
        if any(f.path.endswith(name) for name in REFUSED):
            with pytest.raises(FormatError, match="without samples"):
                read(Path(f.path))
            continue
        got = read(Path(f.path))
        assert got.report.traces == (4 if "streaming" in f.path else 1)
        expected = [n for name, n in KEPT.items() if f.path.endswith(name)]
        assert expected in ([], [got.report.kept]), f.path


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="the corpus is not on this machine")
def test_one_run_in_two_packings() -> None:
    folder = SHARED / "corpus" / "inspect-logs"
    json_log, packed = (read(folder / f"log__test_eval_log__log_read_sample.{ending}") for ending in ("json", "eval"))
    assert [s.kind for s in json_log.steps] == [s.kind for s in packed.steps]


@pytest.mark.parametrize("name", ["29_inspect_no_header_dup_member.eval", "29_inspect_cut.eval"])
def test_crashed_logs_of_bug_reports(name: str) -> None:
    path = SHARED / "bugcases" / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    got = read(path)
    assert [s.text for s in got.steps] == ["long text"]
    assert got.traces[0].header.origin["recorded"]["status"] == "unknown"
    assert [label.value for label in got.labels] == ["t2"], "of two copies of a member the last one counts"


def test_the_scoring_is_no_loss_and_an_unreadable_event_is(tmp_path: Path) -> None:
    assert imported(tmp_path, LOG).report.n_lost == 0
    assert of(tmp_path, EVENTS[3], "no event").report.n_lost == 1
