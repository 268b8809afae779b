"""The entries of a log of ChatDev, and their steps."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from seamwise.importers._shared.talk import Talk
from seamwise.record import flaw_of

_HEADER = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) ([A-Z]+)\] ", re.MULTILINE)
_SAID = re.compile(r"(?P<name>[^:\n*]{1,80}): \*\*(?P<one>.+?)<->(?P<other>.+?) on ?: ?(?P<phase>.+?), turn (?P<turn>\d+)\*\*")
_STARTS = re.compile(r"(?P<name>[^:\n*]{1,80}): \*\*\[Start Chat\]\*\*")
_HEADING = re.compile(r"(?:(?P<name>[^:\n*]{1,80}): )?\*\*\[(?P<heading>[^\]\n]+)\]\*\*:?")
_USAGE = re.compile(r"^(\w+_tokens): (\d+)$", re.MULTILINE)
_TASK = re.compile(r"^\*\*task_prompt\*\*: (.+)$", re.MULTILINE)
_LONGEST = 500
"""Characters of a header's words that are looked at."""
_NOISE = ("flask app.py did not start", "HTTP Request: ")


class Entry(NamedTuple):
    """One entry: from a header to the next."""

    logged: str | None
    """The time in its header, as written; None: text before the first header."""
    level: str | None
    text: str


def entries(text: str) -> list[Entry]:
    """The entries of a log."""
    found = list(_HEADER.finditer(text))
    first = text[: found[0].start()] if found else text
    made = [Entry(None, None, first.strip())] if first.strip() else []
    for i, header in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(text)
        made.append(Entry(header[1], header[2], text[header.end() : end].strip("\n")))
    return made


def tell(talk: Talk, listed: list[Entry]) -> None:
    """The steps of a log."""
    pair: dict[str, str] = {}
    """The roles of the chat that runs, as its table names them."""
    n = 0
    for entry in listed:
        head = entry.text.partition("\n")[0]
        if head.startswith(_NOISE):
            talk.dropped("a line about the logging itself", harmless=True)
            continue
        talk.arrived(f"entry {n}")
        identifier, n = str(n), n + 1
        data: dict[str, Any] = {} if entry.logged is None else {"logged": entry.logged}
        if entry.logged is not None:
            talk.report.not_known("the moment of a record, whose zone is not recorded")
        if entry.level not in (None, "INFO"):
            data["level"] = entry.level
        head = head[:_LONGEST]
        said, starts, heading = _SAID.match(head), _STARTS.match(head), _HEADING.match(head)
        if said is not None:
            name = said["name"].strip()
            others = [role.strip() for role in (said["one"], said["other"])]
            to = next((role for role in others if role != name), None) if name in others else None
            data |= {"phase": said["phase"], "turn": int(said["turn"])}
            _message(talk, entry.text[said.end() :], name, to, data, identifier)
        elif starts is not None:
            name = starts["name"].strip()
            to = pair.get("assistant_role_name") if pair.get("user_role_name") == name else None
            if "phase_name" in pair:
                data["phase"] = pair["phase_name"]
            _message(talk, entry.text[starts.end() :], name, to, data | {"starts": True}, identifier)
        elif heading is not None:
            rows = _rows(entry.text)
            if "assistant_role_name" in rows:
                same = all(pair.get(key) == rows.get(key) for key in ("assistant_role_name", "user_role_name"))
                pair = pair | rows if same else rows
            elif task := _TASK.search(entry.text):
                talk.about({"task": task[1]})
            usage = {key: int(value) for key, value in _USAGE.findall(entry.text)}
            data |= {"heading": heading["heading"], **({"table": rows} if rows else {}), **({"usage": usage} if usage else {})}
            talk.put("note", id=identifier, text=entry.text[heading.end() :].strip() or None, data=data)
        else:
            talk.put("note", id=identifier, text=entry.text.strip(), data=data)


def _rows(text: str) -> dict[str, str]:
    """The rows of a table of parameters."""
    rows = (line[4:-2].partition("** | ") for line in text.split("\n") if line.startswith("| **") and line.endswith(" |"))
    return {name: value for name, between, value in rows if between}


def _message(talk: Talk, body: str, actor: str, to: str | None, data: dict[str, Any], identifier: str) -> None:
    """What one of a pair said. The prompt that stands in brackets before it was printed with it and is no part of it."""
    body = body.strip("\n")
    if body.startswith("["):
        prompt, closed, rest = body[1:].partition("]\n\n")
        if closed:
            data["prompt"] = prompt
            body = rest
    if (flaw := flaw_of(body)) is not None:
        talk.note("not_whole", f"a message is not what was said: {flaw}")
    talk.say(body.strip("\n"), actor=actor, recipients=None if to is None else (to,), data=data, id=identifier)
