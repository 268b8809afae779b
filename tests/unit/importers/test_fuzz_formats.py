"""Hostile input for every importer: whatever is done to a recording, it imports with a report that adds up, or fails with an error of ours.

Sound files come from the modules ``seeds_*.py`` beside this one (``SEEDS``: format -> files); a new format brings one. Files of the corpus,
where it lies beside the checkout, are damaged in the same ways. ``SEAMWISE_FUZZ_EXAMPLES`` sets how many files are made of each format.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamwise.errors import SeamwiseError
from seamwise.importers import importers, open_recording, recordings
from seamwise.record import encode_trace
from unit.importers.otlp_fixtures import SHARED, read_bytes

EXAMPLES = int(os.environ.get("SEAMWISE_FUZZ_EXAMPLES", "25"))
LONGEST_S = 30
"""Longer than this no damaged file of these sizes may take."""
LARGEST_BYTES = 100_000
"""Larger files of the corpus are not damaged: they teach nothing more."""

OWN = sorted(name for name, importer in importers().items() if type(importer).__module__.startswith("seamwise."))


def seeds() -> dict[str, list[bytes]]:
    """Sound files by format."""
    found: dict[str, list[bytes]] = {}
    for path in sorted(Path(__file__).parent.glob("seeds_*.py")):
        for format, files in import_module(f"unit.importers.{path.stem}").SEEDS.items():
            found.setdefault(format, []).extend(files)
    return found


SEEDS = seeds()


@cache
def corpus() -> dict[str, list[Path]]:
    """Small files of the corpus by the format that they are recognised as."""
    found: dict[str, list[Path]] = {}
    if SHARED.is_dir():
        for entry in recordings([SHARED / "corpus", SHARED / "bugcases"]):
            if entry.format is not None and os.path.getsize(entry.path) <= LARGEST_BYTES:
                found.setdefault(entry.format, []).append(Path(entry.path))
    return found


ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("-inf"),
    "",
    "x",
    "0" * 32,
    "f" * 16,
    "\ud800",
    "{",
    "[[",
    '{"a": 1}',
    '"[1]"',
    "2024-13-45T99:99:99Z",
    "2024-01-01T00:00:00",
    "2024-01-01T00:00:00.123456789012345+23:59",
    "PT1e9S",
    [],
    {},
    [[]],
    [None],
    {"a": {"b": [1, {"c": None}]}},
    [{"role": "user"}],
    [{"role": "user", "content": [None, 5, {"type": "text"}]}],
    {"role": "assistant", "tool_calls": [{}, None, 7]},
]
"""Values that no format has in mind."""


def deep(levels: int) -> Any:
    made: Any = "x"
    for level in range(levels):
        made = [made] if level % 2 else {"k": made}
    return made


def places(of: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, inner in of.items() if isinstance(of, dict) else enumerate(of) if isinstance(of, list) else ():
        yield from places(inner, (*path, key))


def changed(value: Any, chance: random.Random) -> Any:
    """The value with a few changes of its structure."""
    made = deepcopy(value)
    for _ in range(chance.randint(1, 6)):
        listed = list(places(made))
        if not listed:
            return chance.choice(ODD)
        path = chance.choice(listed)
        at = made
        for key in path[:-1]:
            at = at[key]
        last = path[-1]
        how = chance.choice(["replace", "delete", "rename", "repeat", "swap", "deepen", "merge"])
        if how == "replace":
            at[last] = deepcopy(chance.choice(ODD))
        elif how == "delete":
            del at[last]
        elif how == "rename" and isinstance(at, dict):
            at[chance.choice([*map(str, at), "id", "x", "trace_id", "type"])] = at.pop(last)
        elif how == "deepen":
            at[last] = deep(chance.choice([3, 70, 300, 500]))
        elif how == "swap":
            other = chance.choice(listed)
            source = made
            try:
                for key in other:
                    source = source[key]
                at[last] = deepcopy(source)
            except (KeyError, IndexError, TypeError):
                continue
        elif how == "merge" and isinstance(at, list) and len(at) > 1:
            at[0], at[-1] = at[-1], at[0]
        elif isinstance(at, list):
            at.append(deepcopy(at[last]))
    return made


def structure(content: bytes, chance: random.Random) -> bytes | None:
    """A file of JSON, or of lines of JSON, changed in structure; None where it is neither, or became too deep to be written."""
    try:
        lines, indent = [content.decode("utf-8-sig")], chance.choice([None, 4])
        try:
            values = [json.loads(lines[0])]
        except ValueError:
            lines, indent = lines[0].split("\n"), None
            values = [json.loads(lines[number := chance.randrange(len(lines))])]
        else:
            number = 0
        lines[number] = json.dumps(changed(values[0], chance), indent=indent)
    except (ValueError, RecursionError):
        return None
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes with a few of them flipped, cut, repeated, or in another encoding."""
    made = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(made)) if made else 0
        how = chance.choice(["flip", "cut", "insert", "end", "repeat", "move"])
        piece = made[at : at + chance.choice([1, 20, 400])]
        if how == "flip" and made:
            made[at] = chance.randrange(256)
        elif how == "cut":
            del made[at : at + len(piece)]
        elif how == "insert":
            made[at:at] = chance.choice([b"\0", b"\xff", b'"', b"{", b"]", b"\\ud800", b"NaN", b"\n", b"\r\n", b"\x1b[31m", b"[" * 500])
        elif how == "end" and chance.random() < 0.3:
            del made[at:]
        elif how == "repeat":
            made[at:at] = piece
        elif how == "move":
            del made[at : at + len(piece)]
            made += piece
    how = chance.random()
    if how < 0.05:
        return bytes(made).decode("utf-8", "replace").encode("utf-16")
    return b"\xef\xbb\xbf" + bytes(made) if how < 0.1 else bytes(made)


@contextmanager
def no_hang(what: str) -> Iterator[None]:
    """Fails where what is inside takes too long."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"{what}: not done after {LONGEST_S} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def survives(content: bytes, format: str | None) -> None:
    """It imports, its report adds up and its traces can be written; or there is an error of ours."""
    with tempfile.TemporaryDirectory() as folder, no_hang(f"{format}: {content[:200]!r}"):
        try:
            got = read_bytes(Path(folder), content, format=format)
        except SeamwiseError:
            return
        for trace in got.traces:
            encode_trace(trace)


SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], database=None
)


def test_every_format_has_a_sound_file_and_is_told_by_it(tmp_path: Path) -> None:
    assert sorted(SEEDS) == OWN
    for format, files in SEEDS.items():
        for content in files:
            (tmp_path / "file").write_bytes(content)
            assert open_recording(tmp_path / "file").report.format == format
            assert read_bytes(tmp_path, content).report.traces > 0, format


@pytest.mark.parametrize("format", OWN)
@SETTINGS
@given(number=st.integers(0, 2**32))
def test_damaged_files(format: str, number: int) -> None:
    chance = random.Random(number)
    content = chance.choice(SEEDS[format])
    content = (structure(content, chance) if chance.random() < 0.6 else None) or damaged(content, chance)
    survives(content, format)
    survives(content, None)


@pytest.mark.parametrize("format", OWN)
def test_files_of_other_formats(format: str) -> None:
    for other, files in SEEDS.items():
        if other != format:
            for content in files:
                survives(content, format)


@pytest.mark.parametrize("format", OWN)
@SETTINGS
@given(number=st.integers(0, 2**32))
def test_damaged_files_of_the_corpus(format: str, number: int) -> None:
    files = corpus().get(format)
    if not files:
        pytest.skip("no small file of this format lies in ../shared")
    chance = random.Random(number)
    content = chance.choice(files).read_bytes()
    survives((structure(content, chance) if chance.random() < 0.6 else None) or damaged(content, chance), format)
