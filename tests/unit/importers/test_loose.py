"""JSON that is damaged: much damage costs no more than its length, and is counted."""

from __future__ import annotations

from typing import Any

from seamwise.importers import ImportReport
from seamwise.importers._shared.loose import Damage, values


def read(text: str) -> tuple[list[Any], ImportReport]:
    report = ImportReport(format="x", file="f")
    return list(values(text.encode(), Damage(report, "f", 64))), report


def test_what_stands_between_damage_is_read() -> None:
    found, report = read('{"a": 1}\nnoise\n{"b": \n{"c": 2}\n')
    assert found == [{"a": 1}, {"c": 2}]
    assert report.dropped == {"unreadable": 2}


def test_far_into_a_text_places_are_told_from_its_beginning() -> None:
    padding = "x" * (1 << 20) + "\n"
    found, report = read(padding + padding + '{"a": 1}\n{"b" 2}\n{"c": 3}')
    assert found == [{"a": 1}, {"c": 3}]
    place = len(padding) * 2 + len('{"a": 1}\n{"b" ')
    assert report.notes[-1].words.startswith(f"character {place}: ")


def test_too_much_damage_is_given_up_with_a_note() -> None:
    found, report = read('{"a": 1}\n' + "{\n" * 200_000 + '{"b": 2}')
    assert found == [{"a": 1}]
    assert report.dropped == {"unreadable": 10_000, "behind too many unreadable pieces": 1}
    assert report.note_counts["gave_up"] == 1
    assert report.records == 10_001


def test_a_list_of_records_that_breaks_off_keeps_those_before() -> None:
    found, report = read('{"trace": {"id": "t"}, "observations": [{"id": 1}, {"id": 2}, {"id": ')
    assert found == [{"trace": {"id": "t"}, "observations": [{"id": 1}, {"id": 2}]}]
    assert report.note_counts == {"unreadable": 1, "cut_off": 1}
