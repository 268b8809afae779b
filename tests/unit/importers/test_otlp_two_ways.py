"""The decoder of the common dialect and the tolerant reader give the same traces and the same report wherever both can read a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given

from seamwise.errors import SeamwiseError
from seamwise.importers import ImportReport, recordings
from seamwise.importers.otlp import _wire as wire
from unit.importers.otlp_fixtures import SHARED, Got, read, read_bytes
from unit.importers.test_otlp_fuzz import SETTINGS, changed
from unit.importers.test_otlp_wanted import conversations


def refuses(_: bytes) -> Any:
    raise msgspec.DecodeError("not to be read so")


def slowly(path: Path) -> Got:
    """The import without the decoder of the common dialect."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(wire, "decode_request", refuses)
        patched.setattr(wire, "decode_document", refuses)
        return read(path, format="otlp")


def the_same(fast: Got, slow: Got) -> None:
    assert fast.traces == slow.traces
    assert fast.labels == slow.labels
    assert without(fast.report) == without(slow.report)


def without(report: ImportReport) -> ImportReport:
    """A report without what only the slow reader can see: a key that stands twice in an object."""
    counts = {code: n for code, n in report.note_counts.items() if code not in ONLY_SLOW}
    return msgspec.structs.replace(report, notes=[note for note in report.notes if note.code not in ONLY_SLOW], note_counts=counts)


ONLY_SLOW = frozenset({"duplicate_key"})


@SETTINGS
@given(changed())
def test_changed_structure(content: bytes) -> None:
    compare(content)


@SETTINGS
@given(conversations())
def test_conversations(content: bytes) -> None:
    compare(content)


def compare(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            fast = read_bytes(Path(folder), content, format="otlp")
        except SeamwiseError as error:
            with pytest.raises(type(error)):
                slowly(Path(folder) / "recording")
            return
        the_same(fast, slowly(Path(folder) / "recording"))


FILES = [found.path for found in recordings([SHARED / "corpus"]) if found.format == "otlp"] if (SHARED / "corpus").is_dir() else []


@pytest.mark.skipif(not FILES, reason=f"{SHARED} holds no recordings on this machine")
@pytest.mark.parametrize("path", FILES, ids=lambda path: Path(path).name)
def test_the_corpus(path: str) -> None:
    if Path(path).read_bytes()[:1] not in (b"{", b"["):
        pytest.skip("it is not JSON")
    the_same(read(Path(path), format="otlp"), slowly(Path(path)))
