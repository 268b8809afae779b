"""What every file of the project keeps: no place of one machine, no registry's address, a docstring, a readable length."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))

LONGEST = 600
"""Lines of a module under src; at 500 look for the second idea inside."""

# Patterns and pieces, so that this file does not hold what it looks for.
FOLDERS = ("work", "root", "opt/py" + "pi", "opt/wheels")
HOSTS = (r"py[p]i[.]org", r"python[h]osted[.]org", r"npm[j]s[.](?:org|com)", r"deb[.]d[e]bian[.]org", r"anac[o]nda[.]org")
PLACE = re.compile(r"(?<![\w.~})$-])/(?:" + "|".join(FOLDERS) + r")/[\w.]|" + r"[A-Z]:\\Users" + r"\\|\.py" + "env/")
REGISTRY = re.compile("|".join(HOSTS) + "|--(?:extra-)?index-" + "url|--find-" + "links")

TEXTS_OF_TOOLS = {"Makefile"}
"""Files that may name the options by which they keep addresses out."""


def tracked() -> list[Path]:
    """Files that git tracks, or every file of an unpacked copy without git."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str | None:
    """A file's text, or None where it is not text."""
    content = path.read_bytes()
    if b"\0" in content[:8192]:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def offences(text: str, name: str) -> list[str]:
    """Places of a machine and addresses of registries in a text, one line each."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        found = PLACE.search(line) or (None if name in TEXTS_OF_TOOLS else REGISTRY.search(line))
        if found:
            out.append(f"{name}:{number}: {found.group()}")
    return out


def test_no_place_of_a_machine_and_no_registry_is_named() -> None:
    out = []
    for path in tracked():
        text = text_of(path)
        if text is not None:
            out += offences(text, path.relative_to(ROOT).as_posix())
    assert out == []


WORK = "/" + "work"


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "work/notes.md",
        'open("/' + 'root/x")',
        "file:///" + "work/main",
        "~/.py" + "env/shims",
        "C:\\" + "Users\\ann",
        "from py" + "pi.org",
        "--index-" + "url x",
    ],
)
def test_such_a_line_is_found(line: str) -> None:
    assert offences(line, "a.md") != []


@pytest.mark.parametrize("host", HOSTS)
def test_each_registry_is_found(host: str) -> None:
    name = re.sub(r"[\[\]]", "", host).replace("(?:org|com)", "org")
    assert offences(f"see https://{name}/simple", "a.md") != []


@pytest.mark.parametrize(
    "line", [f"a{WORK}/b", "root/x", "/ work", f"~{WORK}/x", "src/root/file.py", f"https://example.com{WORK}/1", f"{{base}}{WORK}/x"]
)
def test_an_innocent_line_is_not(line: str) -> None:
    assert offences(line, "a.md") == []


@pytest.mark.parametrize("path", MODULES, ids=[p.relative_to(ROOT).as_posix() for p in MODULES])
def test_a_module_says_what_it_is_and_fits_a_sitting(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "the module has no docstring"
    assert len(text.splitlines()) <= LONGEST
