"""Turns of a transcript whose speaker's label may say more than a name: Who&When, Magentic-One and what records like them.

One turn makes one step, so that a benchmark's number of a turn is the id of a step.
"""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.addressed import addressed
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.names import somebody
from seamwise.importers._shared.spoken import PERSPECTIVES
from seamwise.importers._shared.talk import Talk
from seamwise.record import flaw_of


def kept(talk: Talk, entry: Any, identifier: str, words: str = "an entry that is no message; it was kept as a note") -> None:
    """Keeps an entry that is no message as a note, without labels."""
    talk.note("no_message", words)
    content = entry if isinstance(entry, dict) else {"entry": entry}
    talk.put("note", id=identifier, data=without_labels(content, talk.sink, talk.id, identifier))


def turn(talk: Talk, entry: Any, index: int) -> None:
    """The step of one turn: a message of who bears its name or its label, or a note where the label says that nobody is addressed."""
    talk.arrived(f"turn {index}")
    if not isinstance(entry, dict) or not isinstance(entry.get("role", entry.get("name")), str):
        kept(talk, entry, str(index))
        return
    content, role, name = entry.get("content"), entry.get("role"), somebody(entry.get("name"))
    text = content if isinstance(content, str) else None
    rest = {key: value for key, value in entry.items() if key not in ("content", "role", "name") and value is not None}
    data: dict[str, Any] = without_labels(rest, talk.sink, talk.id, str(index))
    if text is None:
        talk.report.not_known("what a message said")
        if content is not None:
            data["content"] = content
    elif (flaw := flaw_of(text)) is not None:
        talk.note("not_whole", f"a message is not what was said: {flaw}")
    if name is not None:
        talk.say(text, actor=name, role=role if isinstance(role, str) else None, data=data, id=str(index))
        return
    label = addressed(str(role))
    if label.aside is not None:
        talk.put("note", actor=label.name, text=text, data={**data, "aside": label.aside, "role": role}, id=str(index))
    elif label.name in PERSPECTIVES - {"human"}:
        talk.say(text, actor=None, role=role, data=data, id=str(index))
    else:
        talk.say(text, actor=label.name, recipients=label.recipients, role=role, data=data, id=str(index))
