"""Logs as loguru writes them by default: ``2025-01-17 11:33:03.607 | INFO     | package.module:function:391 - words``."""

from __future__ import annotations

import re
from typing import NamedTuple

HEADER = re.compile(
    r"^(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+) \| (?P<level>[A-Z]+) *\| "
    r"(?P<module>[\w.<>]+):(?P<function>[\w<>]+):(?P<line>\d+) - ",
    re.MULTILINE,
)


class Logged(NamedTuple):
    """One entry; all but ``text`` are None for text that stands before the first."""

    time: str | None
    """As written: local, without a zone."""
    level: str | None
    module: str | None
    function: str | None
    text: str


def entries(text: str) -> list[Logged]:
    """The entries of a log, each with the lines that follow it."""
    found = list(HEADER.finditer(text))
    first = text[: found[0].start()] if found else text
    made = [Logged(None, None, None, None, first.strip("\n"))] if first.strip() else []
    for i, header in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(text)
        made.append(Logged(header["time"], header["level"], header["module"], header["function"], text[header.end() : end].strip("\n")))
    return made
