"""What MetaGPT logs: loguru's lines with the streamed words of a model between them, and the communication log of the MAST study."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from seamwise.errors import FormatError
from seamwise.importers._registry import Sink
from seamwise.importers._shared import loguru
from seamwise.importers._shared.document import content_name, text_of_file
from seamwise.importers._shared.talk import Talk
from seamwise.importers._source import Source
from seamwise.record import Trace

_TO_DO = re.compile(r"(?P<name>[^()\n]{1,80})\((?P<profile>[^()\n]*)\): to do (?P<action>\w+)(?:\([^)\n]*\))?")
_BLOCK = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] ", re.MULTILINE)
_FROM = re.compile(r"FROM: (?P<name>.+?) TO: (?P<to>.*)")
_SPEAKER = re.compile(r"(\w[\w .-]{0,60}?):[ \t]*(?:\n|$|(?=\S))")
_RULE = re.compile(r"^(?:-{20,}|={3}.*={3})\s*$", re.MULTILINE)
_NAMES = re.compile(r"['\"]([^'\"]+)['\"]")
_ALL = "<all>"


def read(source: Source, sink: Sink) -> Iterator[Trace]:
    """The one run of a log.

    Raises:
        FormatError: No line is MetaGPT's.
    """
    text = text_of_file(source, sink)
    talk = Talk(content_name("run", source), sink, where=source.path)
    if not tell(talk, text):
        raise FormatError("expected lines that MetaGPT logs, got none", where=source.path)
    yield talk.trace()


def tell(talk: Talk, text: str) -> bool:
    """The steps of a log of either sort; False: it is none."""
    if _BLOCK.search(text) and ("FROM: " in text or "NEW MESSAGES:" in text):
        communication(talk, text)
        return True
    if loguru.HEADER.search(text):
        log(talk, text)
        return True
    return False


def log(talk: Talk, text: str) -> None:
    """Entries of the log. What stands below ``Alice(Coder): to do WriteCode`` was streamed while Alice acted, and is hers.

    Where a second agent began before the first had said anything, whose words they are is not known.
    """
    waiting: list[tuple[str, dict[str, Any]]] = []
    for index, entry in enumerate(loguru.entries(text)):
        talk.arrived(f"entry {index}")
        head, _, below = entry.text.partition("\n")
        data: dict[str, Any] = {} if entry.time is None else {"logged": entry.time, "at": f"{entry.module}:{entry.function}"}
        if entry.time is not None:
            talk.report.not_known("the moment of a record, whose zone is not recorded")
        if entry.level not in (None, "INFO"):
            data["level"] = entry.level
        if entry.time is None:
            talk.put("note", id=str(index), text=entry.text, data={"printed": True})
            continue
        to_do = _TO_DO.fullmatch(head)
        if to_do is not None:
            name = talk.agent(to_do["name"].strip(), profile=to_do["profile"].strip() or None)
            waiting.append((name or "", data | {"action": to_do["action"]}))
            talk.put("note", id=str(index), actor=name, text=head, data=data | {"action": to_do["action"]})
        else:
            talk.put("note", id=str(index), text=head, data=data)
        if below.strip():
            known = len(waiting) == 1
            if len(waiting) > 1:
                talk.note("interleaved", "several agents had begun before these words were printed; whose they are is not known")
            actor, more = waiting[0] if known else (None, {})
            talk.say(below.strip("\n"), actor=actor or None, data=more or {"printed": True}, id=f"{index}/text")
            waiting = []


def communication(talk: Talk, text: str) -> None:
    """Blocks of the communication log: who wrote to whom by which action, or what a role newly said."""
    found = list(_BLOCK.finditer(text))
    blocks = [(m[1], text[m.end() : found[i + 1].start() if i + 1 < len(found) else len(text)]) for i, m in enumerate(found)]
    leaders = {said[1] for _, body in blocks if (said := _SPEAKER.match(_news(body))) is not None}
    if first := _RULE.sub("", text[: found[0].start()] if found else text).strip():
        talk.arrived("start")
        talk.put("note", text=first, data={"printed": True})
    for index, (logged, body) in enumerate(blocks):
        data: dict[str, Any] = {"logged": logged}
        head, _, below = body.partition("\n")
        written = _FROM.match(head)
        if written is not None:
            talk.arrived(f"block {index}")
            action, _, content = below.partition("CONTENT:")
            data["cause_by"] = action.replace("ACTION:", "").strip() or None
            names = _NAMES.findall(written["to"])
            channel = _ALL if _ALL in names else None
            talk.say(
                _RULE.sub("", content).strip("\n "),
                actor=written["name"].strip(),
                recipients=None if channel or not names else [name for name in names if name != "<none>"],
                channel=channel,
                data={key: value for key, value in data.items() if value is not None},
                id=f"block/{index}",
            )
        elif news := _news(body):
            for n, (speaker, words) in enumerate(_speeches(news, leaders)):
                talk.arrived(f"block {index}")
                talk.say(words, actor=speaker, data=data, id=f"block/{index}" if n == 0 else f"block/{index}/{n}")
        else:
            talk.arrived(f"block {index}")
            talk.put("note", text=_RULE.sub("", body).strip(), data=data, id=f"block/{index}")


def _news(body: str) -> str:
    """What stands under ``NEW MESSAGES:``, without the rule below it."""
    head, _, below = body.partition("\n")
    return _RULE.sub("", below).strip("\n ") if head.strip() == "NEW MESSAGES:" else ""


def _speeches(news: str, leaders: set[str]) -> Iterator[tuple[str | None, str]]:
    """The speeches of a block: a line that is the name of somebody who heads a block, and a colon, begins another."""
    speaker: str | None = None
    said = _SPEAKER.match(news)
    if said is not None:
        speaker, news = said[1], news[said.end() :]
    words: list[str] = []
    for line in news.split("\n"):
        if line.endswith(":") and line[:-1] in leaders and line[:-1] != speaker:
            yield speaker, "\n".join(words).strip("\n ")
            speaker, words = line[:-1], []
        else:
            words.append(line)
    yield speaker, "\n".join(words).strip("\n ")
