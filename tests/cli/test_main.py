"""The command as a process: help, errors in one line with a hint, exit codes, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from seamwise.cli._main import commands, run

HEAVY = ("rich", "yaml", "zstandard", "msgspec", "opentelemetry", "google.protobuf", "asyncio", "multiprocessing", "concurrent.futures")


def seamwise(*args: str, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a process."""
    code = "from seamwise.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *args], input=stdin, capture_output=True, env=os.environ | env, timeout=120)


def test_help_tells_the_commands_and_the_exit_codes() -> None:
    done = seamwise("--help")
    text = done.stdout.decode()
    assert done.returncode == 0
    for name in commands.list_commands(commands.make_context("seamwise", ["--help"], resilient_parsing=True)):
        assert f"  {name} " in text
    for line in ("0  nothing is supported", "1  a violation is supported", "2  usage", "3  something required is unknown", "4  internal"):
        assert line in text


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, contextlib, io\nfrom seamwise.cli._main import run\n"
        f"with contextlib.redirect_stdout(io.StringIO()): run(['--help'])\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("args", [("--help",), ("-h",), ("--version",)])
def test_asking_is_no_error(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["contrcts"], "error: no command `contrcts`", "hint: did you mean `contracts`?"),
        (["contracts", "within_totl"], "error: unknown contract kind `within_totl`", "hint: did you mean `within_total`?"),
        (["contracts", "--jsn"], "error: no such option `--jsn`", "hint: did you mean `--json`?"),
        (["contracts", "a", "b"], "error: got unexpected extra argument (b)", "hint: see `seamwise contracts --help`"),
        (["show", "nowhere.jsonl"], "error: ", None),
        (["contracts", "a\x1b[31m\nb"], "error: unknown contract kind `a\\x1b[31m b`", "hint: "),
    ],
)
def test_an_error_is_one_line_and_its_hint_another(
    args: list[str], error: str, hint: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert lines[0].startswith(error)
    assert len(lines) <= 2
    if hint is not None:
        assert lines[1].startswith(hint)


def break_it(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def broken() -> list[str]:
        raise error

    monkeypatch.setattr("seamwise.kinds.kind_names", broken)
    monkeypatch.delenv("SEAMWISE_DEBUG", raising=False)


def test_a_defect_is_one_line_and_its_traceback_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    break_it(monkeypatch, RuntimeError("lost\nmy\x1b[0m way"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(["contracts"]) == 4
    told = capsys.readouterr()
    error, hint = told.err.splitlines()
    assert error == "error: internal: RuntimeError: lost my\\x1b[0m way"
    (kept,) = tmp_path.iterdir()
    assert str(kept) in hint
    assert "Traceback (most recent call last)" in kept.read_text(encoding="utf-8")
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("args", [["--debug", "contracts"], ["contracts", "--debug"]])
def test_debug_shows_the_traceback(args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(monkeypatch, RuntimeError("lost"))
    assert run(args) == 4
    told = capsys.readouterr().err
    assert "Traceback (most recent call last)" in told
    assert told.splitlines()[-1] == "error: internal: RuntimeError: lost"


def test_an_interrupt_is_no_defect(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(monkeypatch, KeyboardInterrupt())
    assert run(["contracts"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_a_reader_that_stops_reading_is_no_error() -> None:
    code = "from seamwise.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "contracts", "within_total", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.wait(60) == 141


FIRST = Path(__file__).parents[2] / "examples" / "first"
AUDIT = ("audit", str(FIRST / "trace.jsonl"), "--org", str(FIRST / "org.yaml"))


@pytest.mark.parametrize("args", [("show", str(FIRST / "trace.jsonl")), ("show", str(FIRST / "trace.jsonl"), "--json"), AUDIT])
def test_every_command_ends_alike_on_a_closed_pipe(args: tuple[str, ...]) -> None:
    code = "from seamwise.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.wait(60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("args", [("show", str(FIRST / "trace.jsonl")), ("contracts",), AUDIT, (*AUDIT, "--json"), (*AUDIT, "--html", "-")])
def test_a_full_disk_is_an_error_and_no_defect(args: tuple[str, ...]) -> None:
    code = "from seamwise.cli import main; main()"
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-c", code, *args], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.stderr == b"error: cannot write the output: no space left on device\n"
    assert done.returncode == 2


def test_an_ascii_terminal_gets_escapes() -> None:
    done = seamwise("contracts", "within_total", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_two_pages_are_one_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(tmp_path), "--org", "a.yaml", "--org", "b.yaml"]) == 2
    assert "expected --org once, got `a.yaml` and `b.yaml`" in capsys.readouterr().err
