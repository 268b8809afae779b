"""``docs/cli.md`` names every command and every option, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from seamwise.cli._exit import EXIT_CODES
from seamwise.cli._main import commands

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
CONTEXT = click.Context(commands, info_name="seamwise")
NAMES = commands.list_commands(CONTEXT)
EVERYWHERE = {"--help", "-h", "--debug"}


def section(name: str) -> str:
    found = re.search(rf"^## seamwise {re.escape(name)}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section `## seamwise {name}`"
    return found.group(1)


def test_every_command_has_its_section() -> None:
    assert sorted(re.findall(r"^## seamwise (\S+)$", PAGE, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_told_and_none_that_is_not_there(name: str) -> None:
    command = commands.get_command(CONTEXT, name)
    assert command is not None
    options = {flag for p in command.params if isinstance(p, click.Option) for flag in p.opts if flag.startswith("--")} - EVERYWHERE
    told = set(re.findall(r"`(--[\w-]+)", section(name))) - EVERYWHERE
    assert told == options


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_says_what_it_does(name: str) -> None:
    command = commands.get_command(CONTEXT, name)
    assert command is not None
    assert command.help
    assert [p.name for p in command.params if isinstance(p, click.Option) and not p.help] == []


def test_the_exit_codes_are_told() -> None:
    for code, words in re.findall(r"^  (\d)  (.+)$", EXIT_CODES, re.MULTILINE):
        assert f"| {code} | {words}" in PAGE
