"""The import picture of the project, held by parsing the imports.

    errors <- record <- kernel <- kinds <- binding <- audit <- live
    audit <- workbench        importers, sources -> record        leads -> importers, binding        render -> records of all of them
    record <- models <- runtime <- worlds <- study        audit <- worlds
    cli -> everything        nothing -> cli

`MAY` below is that picture, written out. A part that does not exist yet is tolerated; a part that is not in the picture is not.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "seamwise"

CHAIN = ("errors", "record", "kernel", "kinds", "binding", "audit", "live")
"""Each may import those before it."""

MAY: dict[str, frozenset[str]] = {part: frozenset(CHAIN[:i]) for i, part in enumerate(CHAIN)} | {
    "importers": frozenset({"errors", "record"}),
    "sources": frozenset({"errors", "record"}),
    "stats": frozenset({"errors"}),
    "risks": frozenset({"errors", "kinds"}),
    "leads": frozenset({"errors", "record", "kernel", "kinds", "binding", "importers"}),
    "render": frozenset({"errors", "record", "kernel", "kinds", "binding", "audit", "live", "importers", "sources", "leads", "risks"}),
    "testing": frozenset({"errors", "record", "kernel", "kinds"}),
}
"""Part -> the other parts that it may import. `cli` and the entry module may import everything."""

# a page names the risk of a contract by its code in the taxonomy, which is data beside the chain
MAY["binding"] |= {"risks"}
MAY["audit"] |= {"importers", "sources"}
MAY["live"] |= {"importers", "sources"}
# reads recordings and binds them as an audit does, so that what it shows is what will be judged; judges nothing
MAY["workbench"] = frozenset({"errors", "record", "kernel", "kinds", "binding", "audit", "importers", "sources"})
MAY["render"] |= {"workbench"}
# worlds run on the runtime, whose agents speak through models; their truth is compared with the kernel's word on the exported trace
MAY["models"] = frozenset({"errors", "record"})
MAY["runtime"] = frozenset({"errors", "record", "models"})
MAY["worlds"] = frozenset({"errors", "record", "kernel", "kinds", "binding", "audit", "risks", "models", "runtime"})
MAY["study"] = frozenset({"errors", "record", "stats", "risks", "models", "runtime", "worlds"})
MAY["render"] |= {"stats", "study", "worlds"}

FREE = {"cli", "__main__"}
"""Parts that may import everything; nothing may import them (but each other)."""

FORBIDDEN_INSIDE: dict[str, frozenset[str]] = {
    "record": frozenset({"yaml", "click", "rich"}),
    "kernel": frozenset(
        "yaml io os pathlib shutil tempfile glob zipfile gzip zstandard socket http urllib ssl asyncio subprocess sqlite3 "
        "click rich google opentelemetry".split()
    ),
    "kinds": frozenset({"yaml", "click", "rich", "socket", "http", "urllib", "subprocess"}),
    "render": frozenset({"yaml", "socket", "http", "urllib", "subprocess"}),
}
"""Part -> outside modules that it may not import: the kernel knows no file, no network and no notation."""

RENDER_MAY_NOT_CALL = frozenset({"judge", "audit", "verify_witness", "possible", "verdict", "observe"})
"""Names that compute: the renderer may import the types of results, never these."""

NOT_AT_IMPORT = (
    "yaml zstandard click rich google.protobuf opentelemetry http urllib.request socket asyncio sqlite3 concurrent.futures "
    "multiprocessing inspect_ai ray duckdb scipy numpy"
).split()
"""Modules that `import seamwise` does not load."""


class Import(NamedTuple):
    """One import statement of the package."""

    file: str
    line: int
    part: str
    module: str
    name: str | None


def imports_of(package: Path) -> list[Import]:
    """Every import under a package folder, also those inside functions and type-checking blocks."""
    found: list[Import] = []
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        part = inside.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))):
            if isinstance(node, ast.Import):
                found += [Import(str(inside), node.lineno, part, alias.name, None) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    above = (package.name, *inside.parts[:-1])
                    base = ".".join((*above[: len(above) - node.level + 1], *([node.module] if node.module else [])))
                found += [Import(str(inside), node.lineno, part, base, alias.name) for alias in node.names]
    return found


def part_of(imported: Import, package: Path) -> str | None:
    """The part of the package that an import reaches, or None for one from outside."""
    words = imported.module.split(".")
    if words[0] != package.name:
        return None
    if len(words) > 1:
        return words[1]
    if imported.name and ((package / imported.name).is_dir() or (package / f"{imported.name}.py").is_file()):
        return imported.name
    return "__init__"


def breaches(package: Path) -> list[str]:
    """What in the package contradicts the picture, one line each."""
    out: list[str] = []
    for item in imports_of(package):
        place = f"{item.file}:{item.line}"
        reached = part_of(item, package)
        if reached is None:
            banned = FORBIDDEN_INSIDE.get(item.part, frozenset())
            if item.module.split(".")[0] in banned:
                out.append(f"{place}: {item.part} imports {item.module}")
            continue
        if item.part in FREE or reached == item.part:
            continue
        if reached == "__init__":
            if item.name != "__version__":
                out.append(f"{place}: {item.part} imports {item.name or item.module} from the package's front instead of its part")
        elif item.part == "__init__":
            if reached in FREE:
                out.append(f"{place}: the package's front imports {reached}")
        elif item.part not in MAY:
            out.append(f"{place}: {item.part} is not in the picture")
        elif reached not in MAY[item.part]:
            out.append(f"{place}: {item.part} imports {reached}")
        elif item.part == "render" and item.name in RENDER_MAY_NOT_CALL:
            out.append(f"{place}: render imports {item.name}, which computes")
    return out


def test_the_picture_holds() -> None:
    assert breaches(PACKAGE) == []


def test_no_part_stands_outside_the_picture() -> None:
    parts = {p.name.removesuffix(".py") for p in PACKAGE.iterdir() if (p.is_dir() and any(p.rglob("*.py"))) or p.suffix == ".py"}
    assert parts - set(MAY) - FREE - {"__init__"} == set()


ALLOWED = [
    ("record/_step.py", "from seamwise.errors import SchemaError"),
    ("kernel/possible.py", "from seamwise.record import Step\nimport itertools"),
    ("kinds/within_total/monitor.py", "from seamwise.kernel import Outcome"),
    ("audit/driver.py", "from seamwise.kinds import registry\nimport yaml\nfrom seamwise.importers import read"),
    ("render/html.py", "from seamwise.kernel import Verdict\nfrom seamwise import __version__"),
    ("cli/audit.py", "from seamwise.live import watch\nfrom seamwise import render"),
    ("testing/cases.py", "from seamwise.kinds import registry\nimport yaml"),
    ("errors.py", "import difflib"),
]

FORBIDDEN = [
    ("record/_step.py", "from seamwise.kernel import Verdict", "record imports kernel"),
    ("errors.py", "import seamwise.record", "errors imports record"),
    ("kernel/possible.py", "from seamwise.kinds.within_total import p", "kernel imports kinds"),
    ("kernel/possible.py", "from seamwise import kinds", "kernel imports kinds"),
    ("kernel/possible.py", "from ..kinds import registry", "kernel imports kinds"),
    ("kernel/possible.py", "def f():\n    import yaml", "kernel imports yaml"),
    ("kernel/possible.py", "from pathlib import Path", "kernel imports pathlib"),
    ("kinds/a.py", "from seamwise.binding import compile_binding", "kinds imports binding"),
    ("importers/otlp.py", "from seamwise.kernel import Verdict", "importers imports kernel"),
    ("sources/csv.py", "from seamwise.audit import run", "sources imports audit"),
    ("binding/lock.py", "from seamwise.audit import run", "binding imports audit"),
    ("audit/driver.py", "from seamwise.cli import main", "audit imports cli"),
    ("audit/driver.py", "from seamwise.render import html", "audit imports render"),
    ("render/html.py", "from seamwise.kernel import verify_witness", "render imports verify_witness, which computes"),
    ("render/html.py", "if True:\n    from seamwise.cli import main", "render imports cli"),
    ("testing/cases.py", "from seamwise.audit import run", "testing imports audit"),
    ("__init__.py", "from seamwise.cli import main", "the package's front imports cli"),
    ("kinds/a.py", "from seamwise import Verdict", "kinds imports Verdict from the package's front instead of its part"),
    ("helpers.py", "from seamwise.record import Step", "helpers is not in the picture"),
]


def tree(root: Path, file: str, text: str) -> Path:
    """A package of empty parts with one file of the given text."""
    package = root / "seamwise"
    for part in (*CHAIN[1:], "importers", "sources", "render", "testing", "cli"):
        (package / part).mkdir(parents=True)
        (package / part / "__init__.py").touch()
    for name in ("__init__.py", "errors.py"):
        (package / name).touch()
    target = package / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")
    return package


@pytest.mark.parametrize(("file", "text"), ALLOWED, ids=[f"{file}: {text}" for file, text in ALLOWED])
def test_what_the_picture_allows(tmp_path: Path, file: str, text: str) -> None:
    assert breaches(tree(tmp_path, file, text)) == []


@pytest.mark.parametrize(("file", "text", "said"), FORBIDDEN, ids=[said for *_, said in FORBIDDEN])
def test_what_the_picture_forbids_is_found(tmp_path: Path, file: str, text: str, said: str) -> None:
    found = breaches(tree(tmp_path, file, text))
    assert len(found) == 1
    assert found[0].endswith(said)


def test_importing_the_package_does_no_work() -> None:
    code = f"import sys; old = set(sys.modules); import seamwise; print([m for m in {NOT_AT_IMPORT!r} if m in set(sys.modules) - old])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
