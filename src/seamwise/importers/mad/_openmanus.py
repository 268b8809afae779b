"""OpenManus's log: one agent that thinks, chooses tools and is told what they returned."""

from __future__ import annotations

import re
from typing import Any

from seamwise.importers._shared import loguru
from seamwise.importers._shared.talk import NOT_RECORDED, Talk

_THINKS = re.compile(r"\W*(?P<name>[\w-]{1,60})'s thoughts:[ \t]*")
_CHOOSES = re.compile(r"\W*(?P<name>[\w-]{1,60}) selected (?P<n>\d+) tools to use")
_ARGUMENTS = re.compile(r"\W*Tool arguments:[ \t]*(?P<arguments>.*)", re.DOTALL)
_CALLS = re.compile(r"\W*Activating tool: '(?P<tool>[^'\n]+)'")
_RETURNS = re.compile(r"\W*Tool '(?P<tool>[^'\n]+)' completed its mission! Result:[ \t]*(?P<result>.*)", re.DOTALL)
_OBSERVED = re.compile(r"Observed output of cmd `[^`\n]*` executed:\n?")


def fits(text: str) -> bool:
    """Whether lines of its modules stand in the text."""
    return any(header["module"].startswith("app.") for header in loguru.HEADER.finditer(text))


def tell(talk: Talk, text: str) -> None:
    """The steps of a log. Arguments are logged of the first chosen tool alone; those of the others are not recorded."""
    agent: str | None = None
    arguments: Any = NOT_RECORDED
    for index, entry in enumerate(loguru.entries(text)):
        talk.arrived(f"entry {index}")
        identifier = str(index)
        data: dict[str, Any] = {} if entry.time is None else {"logged": entry.time, "at": f"{entry.module}:{entry.function}"}
        if entry.time is not None:
            talk.report.not_known("the moment of a record, whose zone is not recorded")
        thinks, chooses, given = _THINKS.match(entry.text), _CHOOSES.match(entry.text), _ARGUMENTS.match(entry.text)
        calls, returns = _CALLS.match(entry.text), _RETURNS.match(entry.text)
        if thinks is not None:
            agent = thinks["name"]
            words = entry.text[thinks.end() :].strip()
            talk.put("note", actor=agent, text=words or None, data=data | {"aside": "thought"}, id=identifier)
        elif calls is not None:
            talk.call(calls["tool"], arguments, actor=agent, data=data, id=identifier)
            arguments = NOT_RECORDED
        elif returns is not None:
            result = _OBSERVED.sub("", returns["result"], count=1)
            talk.answer(None, result, tool=returns["tool"], data=data, id=identifier)
        else:
            if chooses is not None:
                agent, arguments = chooses["name"], NOT_RECORDED
            elif given is not None:
                arguments = given["arguments"].strip()
            talk.put("note", actor=agent if chooses is not None else None, text=entry.text, data=data, id=identifier)
