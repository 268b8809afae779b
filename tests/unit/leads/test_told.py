"""How leads are told: that there are none is no all-clear, and what was not read has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamwise.leads import find_leads
from seamwise.record import Header, Step, Trace, write_traces
from seamwise.render.leads_text import leads_text


def quiet(path: Path) -> Path:
    with path.open("wb") as file:
        write_traces(file, [Trace(header=Header(id=name), steps=(Step(id="s", kind="note"),)) for name in ("t1", "t2")])
    return path


def test_no_leads_is_said_of_the_rules_and_of_nothing_else(tmp_path: Path) -> None:
    text = leads_text(find_leads([quiet(tmp_path / "r.jsonl")]), width=200)
    assert "no leads: the rules of the generic pack met nothing" in text
    assert "looks wrong" not in text
    assert "not read" not in text


def test_where_nothing_was_read_nothing_is_clear(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("no recording")
    text = leads_text(find_leads([tmp_path / "r.jsonl"]), width=200)
    assert "no leads" not in text
    assert "no trace was read" in text


OTLP = (
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"628b49d96dcde97a430dd4f597705899","spanId":"74b599c861f63356",'
    '"name":"chat m","startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[]}]}]}]}\n'
)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_cut_is_told(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "cut.jsonl").write_text(OTLP + OTLP[:150])
    (tmp_path / "whole.jsonl").write_text(OTLP)
    found = find_leads([tmp_path], jobs=jobs)
    assert [(Path(file).name, lost) for file, lost in found.damaged] == [("cut.jsonl", "1 unreadable")]
    assert "a part was not read: " in leads_text(found, width=400)
    assert "cut.jsonl: 1 unreadable" in leads_text(found, width=400)
