"""What the documentation shows is what the programs print.

A fenced block marked ``console`` holds commands (lines that begin with ``$ ``) and, below each, its whole output. Every such block of every
page is run, in the root of the checkout. A line ``...`` stands for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings

from seamwise.kernel import Evidence
from seamwise.testing import Case, load_cases
from seamwise.testing.mutations import bundles

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
EXPLANATIONS = [ROOT / "src" / "seamwise" / "kinds" / kind / "README.md" for kind in ("delivered", "within_total")]
NOTES = sorted((ROOT / "design").glob("*.md"))
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Shown(NamedTuple):
    """One command of a page, and the output that the page shows."""

    page: Path
    line: int
    command: str
    output: str


def fenced(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language, with their line numbers."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 1, m[3]) for m in FENCE.finditer(text) if m[2] == language]


def shown() -> list[Shown]:
    """Every command that a page shows with its output."""
    out: list[Shown] = []
    for page in PAGES:
        for line, block in fenced(page, "console"):
            for i, part in enumerate(re.split(r"^\$ ", block, flags=re.MULTILINE)):
                command, _, output = part.partition("\n")
                if i:
                    out.append(Shown(page, line, command, output))
                else:
                    assert not part.strip(), f"{page}:{line}: output without a command"
    return out


SHOWN = shown()


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of the commands; the kind of writing-a-kind.md is registered by a real entry point."""
    site = tmp_path_factory.mktemp("site")
    info = site / "two_pairs_of_eyes-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: two_pairs_of_eyes\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[seamwise.kinds]\ntwo_pairs_of_eyes = two_pairs_of_eyes:KIND\n", encoding="utf-8")
    return {
        **{k: v for k, v in os.environ.items() if not k.startswith(("SEAMWISE_", "PYTEST_"))},
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", EXAMPLES, site))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "COLUMNS": "110",
        "NO_COLOR": "1",
    }


def run(command: str, environment: dict[str, str]) -> str:
    """What a command prints, on both streams."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "\n".join(row.rstrip() for row in done.stdout.splitlines())


@pytest.fixture(scope="session")
def printed(environment: dict[str, str]) -> dict[str, str]:
    """What each shown command prints; they run side by side."""
    commands = list(dict.fromkeys(s.command for s in SHOWN))
    with ThreadPoolExecutor(4) as pool:
        return dict(zip(commands, pool.map(lambda command: run(command, environment), commands), strict=True))


@pytest.mark.parametrize("example", SHOWN, ids=[f"{s.page.stem}:{s.line}:{s.command[-40:]}" for s in SHOWN])
def test_a_page_shows_what_the_program_prints(example: Shown, printed: dict[str, str]) -> None:
    output = "\n".join(row.rstrip() for row in example.output.splitlines())
    pattern = ".*".join(re.escape(part) for part in re.split(r"^\.\.\.$", output, flags=re.MULTILINE))
    got = printed[example.command]
    assert re.fullmatch(pattern, got, re.DOTALL), f"{example.page.name}:{example.line}: $ {example.command} prints\n{got}"


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda f: f.relative_to(EXAMPLES).as_posix())
def test_the_cases_of_the_pages_hold(file: Path, environment: dict[str, str]) -> None:
    printed = run(f"python -m seamwise.testing verdicts {file.relative_to(ROOT)}", environment)
    assert printed.endswith(" passed, 0 failed"), printed
    assert "checked by the monitor only" not in printed, printed


def test_the_cases_that_a_page_prints_hold(environment: dict[str, str], tmp_path: Path) -> None:
    found = [b for page in (*PAGES, *EXPLANATIONS) for _, b in fenced(page, "yaml") if b.lstrip().startswith("- ") and "expect:" in b]
    assert found
    for i, block in enumerate(found):
        file = tmp_path / f"{i}.yaml"
        file.write_text(block, encoding="utf-8")
        printed = run(f"python -m seamwise.testing verdicts {file}", environment)
        assert printed.endswith(" passed, 0 failed"), f"{block}\n{printed}"


def flush_left(text: str) -> str:
    """The text without indentation, as a page may quote an inner line."""
    return "\n".join(row.strip() for row in text.splitlines())


@pytest.mark.parametrize("page", [DOCS / "writing-a-kind.md"], ids=lambda p: p.name)
def test_the_code_that_a_page_prints_is_the_code_that_runs(page: Path) -> None:
    files = [f for f in (EXAMPLES / "two_pairs_of_eyes").iterdir() if f.suffix == ".py"]
    sources = [flush_left(f.read_text(encoding="utf-8")) for f in (*files, Path(__file__))]
    for line, block in fenced(page, "python"):
        assert any(flush_left(block).strip() in source for source in sources), f"{page.name}:{line} stands in no file of the example"


@pytest.mark.parametrize("name", ["KIND", "WRONG"])
def test_law_6_on_the_kind_of_the_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from two_pairs_of_eyes import law

    kind = getattr(law, name)
    monkeypatch.setattr("seamwise.testing._cases.kind_of", {"two_pairs_of_eyes": kind}.__getitem__)
    by_monitor, by_definition = law.by_monitor, law.by_definition
    cases = [c for c in load_cases(EXAMPLES / "two_pairs_of_eyes" / "cases.yaml") if isinstance(c, Case)]

    @settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(bundles(cases))
    def check(bundle: tuple[Case, Evidence]) -> None:
        case, evidence = bundle
        truth = by_definition(kind, case.params, evidence)
        if truth is not None:
            assert by_monitor(kind, case.params, evidence) == truth

    if name == "KIND":
        check()
    else:
        with pytest.raises(AssertionError):
            check()


@pytest.mark.parametrize("page", [*PAGES, *NOTES], ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_every_picture_is_shown_and_well_formed() -> None:
    import xml.etree.ElementTree as ElementTree

    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in sorted((DOCS / "pictures").glob("*.svg")):
        assert f"pictures/{picture.name}" in text, f"no page shows {picture.name}"
        root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
        assert root.find("{http://www.w3.org/2000/svg}title") is not None, f"{picture.name} has no title"


@pytest.mark.parametrize(("language", "file"), [("json", "trace.jsonl"), ("yaml", "org.yaml")])
def test_the_readme_shows_the_first_example_as_it_is(language: str, file: str) -> None:
    blocks = [block for _, block in fenced(ROOT / "README.md", language)]
    assert (ROOT / "examples" / "first" / file).read_text(encoding="utf-8") in blocks
