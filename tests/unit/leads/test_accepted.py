"""Accepted causes are counted and not told, until their last day; a file that does not fit is one clear error."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from seamwise.cli import main
from seamwise.errors import SeamwiseError
from seamwise.leads import Lead, Seen, accepted_text, read_accepted, without_accepted
from seamwise.record import Header, Step, Trace, write_traces

DAY = date(2027, 1, 31)


def lead(cause: str, rule: str = "unanswered-call") -> Lead:
    seen = Seen(step="s", index=1, kind="tool_call")
    return Lead(rule=rule, trace="t", file="f", words="w", cause=cause, steps=(seen,))


def test_what_is_written_is_read_and_keeps_reason_and_day() -> None:
    text = accepted_text([lead("tool a"), lead('tool "b"\n')], reason="known", until=DAY)
    accepted = read_accepted(text.encode(), "a.yaml")
    assert {cause for _, cause in accepted} == {"tool a", 'tool "b"\n'}
    again = accepted_text([lead("tool a"), lead("tool c")], reason="new", until=date(2028, 1, 1), old=accepted)
    read = read_accepted(again.encode(), "a.yaml")
    assert read[("unanswered-call", "tool a")][:2] == ("known", DAY)
    assert read[("unanswered-call", "tool c")][:2] == ("new", date(2028, 1, 1))
    assert ("unanswered-call", 'tool "b"\n') not in read, "what no lead has any more is left out"


def test_accepted_until_the_last_day() -> None:
    accepted = read_accepted(accepted_text([lead("tool a"), lead("gone")], reason="known", until=DAY).encode(), "a.yaml")
    leads = [lead("tool a"), lead("tool a", "said-done"), lead("tool b")]
    on_time = without_accepted(leads, accepted, today=DAY)
    assert [x.cause for x in on_time.leads] == ["tool a", "tool b"]
    assert (on_time.n_accepted, on_time.n_unmet, on_time.expired) == (1, 1, [])
    late = without_accepted(leads, accepted, today=date(2027, 2, 1))
    assert len(late.leads) == 3
    assert len(late.expired) == 2


ENTRY = "version: 1\nleads:\n  - {rule: said-done, cause: x, reason: y, until: '2027-01-31'}\n"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (ENTRY.replace("version: 1", "version: 2"), "version: 1"),
        (ENTRY.replace("said-done", "said-don"), "unknown rule `said-don`"),
        (ENTRY.replace("reason: y, ", ""), "expected a text as `reason`"),
        (ENTRY.replace("2027-01-31", "soon"), "expected a day such as 2027-01-31, got `soon`"),
        (ENTRY.replace("cause: x", "cuase: x"), "unknown key `cuase`"),
        (ENTRY + "  - {rule: said-done, cause: x, reason: y, until: '2027-01-31'}\n", "expected every cause once"),
        ("version: 1\nleads: 3\n", "expected a list"),
        ("- 1\n", "expected `version: 1` and `leads`"),
        ("version: [", ""),
    ],
)
def test_a_file_that_does_not_fit(broken: str, words: str) -> None:
    with pytest.raises(SeamwiseError) as caught:
        read_accepted(broken.encode(), "a.yaml")
    assert words in caught.value.message
    assert (caught.value.where or "").startswith("a.yaml")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = (
        Step(id="1", kind="tool_call", actor="a", tool="look", call="1"),
        Step(id="2", kind="tool_result", actor="a", tool="look", call="1", status="ok"),
        Step(id="3", kind="tool_call", actor="a", tool="look", call="2", data={"arguments": {"x": 1}}),
        Step(id="4", kind="message", actor="a", text="all good"),
    )
    run, file = tmp_path / "run.jsonl", tmp_path / "accepted.yaml"
    write_traces(str(run), [Trace(header=Header(id="t"), steps=steps)])

    def leads(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["leads", str(run), *args])
        out = capsys.readouterr()
        return int(ended.value.code or 0), out.out, out.err

    assert "LEAD  unanswered-call" in leads()[1]
    assert leads("--accept", str(file), "--because", "known", "--until", "2999-01-01")[0] == 0
    code, out, err = leads("--accepted", str(file))
    assert code == 0
    assert "LEAD" not in out
    assert "1 accepted" in err
    assert leads("--accept", str(file))[0] == 2
    assert leads("--accepted", str(tmp_path / "none.yaml"))[0] == 2
    assert leads("--accept", str(file), "--because", "x", "--until", "2001-01-01")[0] == 2
