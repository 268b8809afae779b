"""No secret of a recording is in anything that is written, and every output says what was masked; with --no-redact it stands whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamwise.cli._main import run
from seamwise.record import Step, Trace
from unit.binding.traces import run as story
from unit.binding.traces import saved

SECRETS = ("hunter22x", "sk-proj-abcdefghijklmnopqrstuvwx", "ghp_abcdefghijklmnopqrstuvwxyz0123", "4111 1111 1111 1111")
PACK = """
version: 1
streams:
  ledger:
    from:
      - tool: pay
        fields: {customer: arguments.customer, amount: arguments.amount, note: arguments.note}
        ok: {path: result.status, equals: done}
    key: customer
    route: {because: "there is no other way to pay"}
    recording: {because: "all calls are exported"}
contracts:
  cap: {kind: within_total, stream: ledger, per: [customer], limit: 40, reversals: {none: true, because: final}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trace = story("r1", "a:pay(c1,30)=done b:pay(c1,30)=done a:pay(c2,30)")
    steps = list(trace.steps)
    for n, step in enumerate(steps):
        if step.kind == "tool_call":
            note = f"password: {SECRETS[0]}; key {SECRETS[1]}"
            customer = SECRETS[2] if step.data["arguments"]["customer"] == "c2" else "c1"
            arguments = {**step.data["arguments"], "note": note, "customer": customer}
            steps[n] = Step(**{**{f: getattr(step, f) for f in step.__struct_fields__}, "data": {"arguments": arguments}})
    told = Step(id="m", kind="message", actor="a", recipients=("b",), text=f"my card is {SECRETS[3]}", seq=99, source="desk")
    saved(tmp_path / "runs" / "r.jsonl", Trace(header=trace.header, steps=(*steps, told)))
    (tmp_path / "org.yaml").write_text(PACK)
    return tmp_path


def audit(folder: Path, *more: str) -> dict[str, str]:
    names = {"--out": "r.jsonl", "--markdown": "r.md", "--html": "r.html", "--junit": "r.xml"}
    files = [part for option, name in names.items() for part in (option, str(folder / name))]
    assert run(["audit", str(folder / "runs"), "--org", str(folder / "org.yaml"), *files, *more]) == 1
    return {name: (folder / name).read_text(encoding="utf-8") for name in names.values()}


def test_no_secret_is_in_any_output_and_each_says_what_was_masked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = {**audit(folder), "text": capsys.readouterr().out}
    for name, text in written.items():
        assert [secret for secret in SECRETS if secret in text] == [], name
    summary = json.loads(written["r.jsonl"].splitlines()[0])
    assert set(summary["masked"]) == {"password", "service key", "token", "card number"}
    for name in ("text", "r.md", "r.html", "r.xml"):
        assert f"{summary['masked']['password']} passwords" in written[name], name


def test_a_report_of_the_result_file_has_no_secret_either(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(folder)
    assert run(["report", str(folder / "r.jsonl"), "--html", str(folder / "again.html")]) == 1
    assert (folder / "again.html").read_bytes() == (folder / "r.html").read_bytes()
    assert "masked: " in capsys.readouterr().out
    assert run(["baseline", str(folder / "r.jsonl"), "--because", "known", "--until", "2999-12-31"]) == 0
    assert run(["gaps", str(folder / "r.jsonl")]) == 0
    assert not any(secret in capsys.readouterr().out for secret in SECRETS)


def test_with_no_redact_words_stand_whole_and_every_output_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = {**audit(folder, "--no-redact"), "text": capsys.readouterr().out}
    assert json.loads(written["r.jsonl"].splitlines()[0])["whole"] is True
    assert SECRETS[0] in written["r.jsonl"]
    for name in ("text", "r.md", "r.html", "r.xml"):
        assert "secrets too" in written[name], name


@pytest.mark.parametrize("option", [[], ["--full"], ["--sequence"], ["--json"]])
def test_show_masks_too(folder: Path, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(folder / "runs" / "r.jsonl"), *option]) == 0
    shown = capsys.readouterr()
    assert not any(secret in shown.out for secret in SECRETS)
    assert "note: masked: 1 card number, 3 passwords" in shown.err
    assert "hint: --no-redact shows them" in shown.err
    assert run(["show", str(folder / "runs" / "r.jsonl"), "--no-redact", *option]) == 0
    assert "masked" not in capsys.readouterr().err


def test_leads_hold_no_secret(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ([], ["--json"]):
        assert run(["leads", str(folder / "runs"), "--all", *option]) == 0
        assert not any(secret in capsys.readouterr().out for secret in SECRETS)


def test_short_numeric_and_hidden_secrets_are_masked_in_fields_too() -> None:
    from seamwise.audit._redact import MAX_TEXT, field_of, words_of

    token = SECRETS[2]
    assert field_of({token: 1, "password": 12345678, "card": 4111111111111111}, redact=True) == {
        "[masked token]": 1,
        "password": "[masked password]",
        "card": "[masked card number]",
    }
    key = "-----BEGIN RSA PRIVATE KEY-----" + "x" * (MAX_TEXT * 8 - 100) + "-----END RSA PRIVATE KEY-----"
    told = words_of(f'{key} "password": "hunter22x and more"', redact=True)
    assert told == '[masked private key] "password": "[masked password]"'


def test_a_short_field_under_the_name_of_a_secret_is_masked(folder: Path) -> None:
    recording = folder / "runs" / "r.jsonl"
    recording.write_text(recording.read_text().replace("password: hunter22x", "hunter2"))
    (folder / "org.yaml").write_text(PACK.replace("note: arguments.note", "password: arguments.password"))
    lines = recording.read_text().splitlines()
    recording.write_text("\n".join(line.replace('"amount":', '"password":"tiger7","amount":') for line in lines) + "\n")
    for name, text in audit(folder).items():
        assert "tiger7" not in text, name
