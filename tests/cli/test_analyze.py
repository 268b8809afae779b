"""``seamwise analyze``: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seamwise.cli._main import run
from unit.study.analysis.made import episode, whole_study, write_run


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("study"), whole_study())


FAST = ("--resamples", "100")


def test_main_tables_in_the_terminal(study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["analyze", str(study), *FAST]) == 0
    out = capsys.readouterr().out
    assert "synthetic: in" in out
    for title in ("Realized failures by condition", "Interception", "Paired contrasts", "Judge health", "Validity", "how far a miss went"):
        assert title in out
    assert "p, unadjusted" in out
    assert max(map(len, out.splitlines())) <= 100


def test_json_csv_and_page_are_the_same_bytes_again(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = []
    for name in ("1", "2"):
        page, folder = tmp_path / f"{name}.html", tmp_path / name
        assert run(["analyze", str(study), *FAST, "--json", "--html", str(page), "--csv", str(folder)]) == 0
        out = capsys.readouterr().out
        written.append((out, page.read_bytes(), {p.name: p.read_bytes() for p in sorted(folder.iterdir())}))
    assert written[0] == written[1]
    told, _, files = written[0]
    assert files["analysis.json"].decode() == told
    tables = json.loads(told)["tables"]
    assert {f"{t['name']}.csv" for t in tables} | {"analysis.json"} == set(files)
    for table in tables:
        lines = list(csv.reader(files[f"{table['name']}.csv"].decode().splitlines()))
        assert len(lines) == len(table["rows"]) + 1
        assert {len(line) for line in lines} == {len(lines[0])}


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        assert "style" not in given
        assert not any(name.startswith("on") for name in given)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        if tag not in ("meta", "link", "rect", "line", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_the_page_needs_nothing_else_and_every_figure_has_a_name_and_a_table(study: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert run(["analyze", str(study), *FAST, "--html", str(file)]) == 0
    text = file.read_text(encoding="ascii")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert "script" not in page.tags
    assert not re.search(r"https?://", text)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    articles = re.findall(r"<article.*?</article>", text, re.DOTALL)
    drawn = [a for a in articles if "<svg" in a]
    assert len(drawn) >= 12
    for article in drawn:
        assert "<table>" in article
        assert '<span class="badge">synthetic</span>' in article
        for svg in re.findall(r"<svg.*?</svg>", article, re.DOTALL):
            root = ElementTree.fromstring(svg)
            assert root.get("role") == "img"
            assert root.get("aria-label")
            width, height = (float(v) for v in str(root.get("viewBox")).split()[2:])
            for mark in root.iter():
                x, y = float(mark.get("x") or mark.get("cx") or 0), float(mark.get("y") or mark.get("cy") or 0)
                assert 0 <= x <= width + 0.01
                assert 0 <= y <= height + 0.01


def test_what_was_recorded_cannot_act(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "<script>alert(1)</script>\x1b[31m\u202e=1+1"
    made = [episode("kpi_gaming", model=m, condition=evil, seed=s) for m in (evil, "a/b") for s in range(2)]
    study = write_run(tmp_path / "run", made)
    assert run(["analyze", str(study), *FAST, "--html", str(tmp_path / "p.html"), "--csv", str(tmp_path / "csv")]) == 0
    text = (tmp_path / "p.html").read_text(encoding="ascii")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_a_real_study_bears_no_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_run(tmp_path / "run", [episode("kpi_gaming", synthetic=False)])
    assert run(["analyze", str(study), *FAST, "--html", str(tmp_path / "p.html")]) == 0
    assert "synthetic" not in capsys.readouterr().out
    assert 'class="badge"' not in (tmp_path / "p.html").read_text(encoding="ascii")


def test_an_empty_cohort_prints_no_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_run(tmp_path / "run", [episode("kpi_gaming", realized=None)])
    assert run(["analyze", str(study), *FAST]) == 0
    assert "no rate (1 unassessed)" in capsys.readouterr().out


def test_a_damaged_file_is_named_and_ends_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = episode("kpi_gaming", seed=1)
    study = write_run(tmp_path / "run", [episode("kpi_gaming"), bad])
    (study / "episodes" / bad.cell.id / "episode.json").write_bytes(b"\xff{")
    assert run(["analyze", str(study), *FAST]) == 3
    told = capsys.readouterr()
    assert "1 file could not be read" in told.out
    assert f"{bad.cell.id}/episode.json: not an episode" in told.err


def test_what_cannot_be_analysed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = write_run(tmp_path / "two", [episode("kpi_gaming"), episode("kpi_gaming", seed=1, judge_name="openai/other")])
    for path, words in ((two, "expected one judge"), (tmp_path / "none", "no such directory"), (write_run(tmp_path / "e", []), "got none")):
        assert run(["analyze", str(path)]) == 2
        assert words in capsys.readouterr().err


def test_without_the_extra_a_hint_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    study = write_run(tmp_path / "run", [episode("kpi_gaming")])
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "scipy" else found(name, *rest))
    assert run(["analyze", str(study)]) == 2
    assert "seamwise[stats]" in capsys.readouterr().err
