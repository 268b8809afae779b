"""The digest of a world tells whether an episode could come out differently."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from seamwise.worlds import load_world


@pytest.mark.parametrize(("changed", "differs"), [("documents/handbook.md", True), ("workflow.yaml", True), ("README.md", False)])
def test_every_file_that_can_change_an_episode_counts(tmp_path: Path, changed: str, differs: bool) -> None:
    world = load_world("kpi_gaming")
    folder = tmp_path / "world"
    shutil.copytree(world.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    copy = dataclasses.replace(world, folder=folder)
    assert copy.digest == world.digest
    (folder / changed).write_text((folder / changed).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert (dataclasses.replace(world, folder=folder).digest != world.digest) is differs
