"""``seamwise formats``: formats listed, one told of; third parties' among them."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from seamwise.cli._main import run
from seamwise.importers import _registry, formats

ROOT = Path(__file__).parents[2]


class Theirs:
    """An importer of a third party."""

    name = "their_log"
    version = 3
    summary = "their log"
    page = "theirs.example/log"

    def sniff(self, head: bytes) -> int:
        return 0


Theirs.__module__ = "their_package.importers"


@pytest.fixture
def third_party(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name, value = "their_log", "their_package.importers:Theirs"

        def load(self) -> Any:
            return Theirs

    entries = metadata.entry_points
    monkeypatch.setattr(metadata, "entry_points", lambda **which: [Entry()] if which == {"group": _registry.GROUP} else entries(**which))
    monkeypatch.setattr(_registry, "_known", {})


def test_each_format_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == 0
    begun = [line.split()[0] for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert begun == list(formats())


def test_one_format_names_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    for name in formats():
        assert run(["formats", name, "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert facts["name"] == name
        page = ROOT / facts["page"]
        assert page.is_file(), f"{name} has no page {facts['page']}"


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", "--json"]) == 0
    assert {f["name"]: f["summary"] for f in json.loads(capsys.readouterr().out)} == formats()


@pytest.mark.usefixtures("third_party")
def test_a_third_party_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == 0
    assert any(line.split() == ["their_log", "their", "log", "(from", "their_package)"] for line in capsys.readouterr().out.splitlines())
    assert run(["formats", "their_log"]) == 0
    text = capsys.readouterr().out
    assert "documentation  theirs.example/log\n" in text
    assert "version        3\n" in text


def test_an_unknown_format_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["formats", "otpl"]) == 2
    assert "did you mean `otlp`?" in capsys.readouterr().err


def test_a_mapping_is_read_by_every_process_and_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, runs, org = tmp_path / "fields.yaml", tmp_path / "runs", tmp_path / "org.yaml"
    runs.mkdir()
    page.write_text("list: turns\nspeaker: from\ntool: tool\ncall: id\narguments: input\nresult: output\n", encoding="utf-8")
    turns = [
        {"from": who, "tool": "pay", "id": who, **more}
        for who, eur in (("desk", 30), ("bar", 20))
        for more in ({"input": {"guest": "g", "eur": eur}}, {"output": {"status": "done"}})
    ]
    for number, name in enumerate(("log0", "log1", "copy of log1")):
        log = {"day": min(number, 1), "turns": turns}
        (runs / f"{name}.json").write_text(json.dumps(log), encoding="utf-8")
    org.write_text(
        """
version: 1
streams:
  ledger:
    from:
      - {tool: pay, fields: {guest: arguments.guest, amount: arguments.eur}, ok: {path: result.status, equals: done}}
    key: guest
    route: {by: user, because: "the only way"}
contracts:
  cap: {kind: within_total, stream: ledger, per: [guest], limit: 40, reversals: {none: true, by: user, because: "none"}}
""",
        encoding="utf-8",
    )
    command = ["audit", str(runs), "--org", str(org), "--format", f"chat:{page}"]
    assert run([*command, "--jobs", "2"]) == 1
    assert "100 of 40 by 2 actors" in capsys.readouterr().out, "a copy of a file is no further run"
    before = page.read_bytes()
    assert run([*command, "--out", str(page)]) == 2
    assert "--out would overwrite" in capsys.readouterr().err
    assert page.read_bytes() == before
    assert run(["show", str(runs / "log0.json"), "--format", f"chat:{tmp_path}/nowhere.yaml"]) == 2
    assert "cannot read the mapping" in capsys.readouterr().err
