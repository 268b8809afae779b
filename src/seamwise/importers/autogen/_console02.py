"""What the console of AutoGen 0.2 prints: messages under ``Sender (to Recipient):``, each ended by a line of dashes.

A message may hold such a line itself, and programs print between messages. In coloured text a header is known by its colour; in plain text
it counts only where a message may begin.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.document import plain
from seamwise.importers._shared.talk import NOT_RECORDED, Talk
from seamwise.importers.autogen._notation import notation
from seamwise.record import Trace

_COLOURED = re.compile(r"\x1b\[33m(.+?)\x1b\[0m \(to (.+?)\):\s*")
_PLAIN = re.compile(r"(\S[^\n]{0,80}?) \(to ([^()\n]{1,80})\):\s*")
_RULE = "-" * 80
_STARS = re.compile(r"\*{60,}\s*")
_NEXT = re.compile(r"Next speaker: (.+?)\s*")
_MARK = re.compile(r">{6,} .*|Provide feedback to .*|Replying as .*")
_CALL = re.compile(r"\*{5} Suggested (?:tool|function) call(?: \((?P<id>.*?)\))?: (?P<tool>.*?) \*{5}\s*", re.IGNORECASE)
_ANSWER = re.compile(
    r"\*{5} Response from (?:calling )?(?P<sort>tool|function)(?: calling)? (?:\"(?P<quoted>.*?)\"|\((?P<id>.*?)\)|(?P<bare>.*?)) \*{5}\s*",
    re.IGNORECASE,
)
_END = re.compile(r"\*{10,}\s*")
_LONGEST = 1000
"""Characters of a line that may be a header or a banner; a longer line is content."""


def fits(text: str) -> bool:
    """Whether the text holds a header and a line that ends a message."""
    return _RULE in text and any(_COLOURED.fullmatch(line) or _PLAIN.fullmatch(plain(line)) for line in text.split("\n"))


def read(text: str, name: str, where: str, sink: Sink) -> Iterator[Trace]:
    """The one run of a text; each message, and each piece of text between messages, is a record."""
    reader = _Reader(Talk(name, sink, where=where), "\x1b[33m" in text)
    for line in text.split("\n"):
        reader.line(line)
    reader.close()
    yield reader.talk.trace()


class _Reader:
    """The text line by line."""

    def __init__(self, talk: Talk, coloured: bool) -> None:
        self.talk = talk
        self.coloured = coloured
        self.speaker: tuple[str, str] | None = None
        self.body: list[str] = []
        self.banner: list[str] | None = None
        self.n = 0
        self.messages = 0
        self.may_begin = True
        """Whether a header may stand here: at the start, after the end of a message, after what stands between messages."""

    def line(self, raw: str) -> None:
        header = _COLOURED.fullmatch(raw) if self.coloured and len(raw) < _LONGEST else None
        line = plain(raw)
        if not self.coloured and len(line) < _LONGEST and (self.may_begin or not any(map(str.strip, self.body))):
            header = _PLAIN.fullmatch(line)
        if header is not None:
            if self.speaker is not None and not any(map(str.strip, self.body)):
                self.body = []  # The header of a tool's answer is printed twice.
            self.close()
            self.speaker = (header[1], header[2])
            self.may_begin = False
        elif self.banner is not None:
            self._in_banner(line)
        elif self.speaker is not None:
            if line.rstrip() == _RULE:
                self.close()
            else:
                self.body.append(line)
        else:
            self._between(line)

    def close(self) -> None:
        """Ends the message or the piece of text that is open."""
        body, self.body = self.body, []
        speaker, self.speaker = self.speaker, None
        self.may_begin = True
        if speaker is not None:
            if any(map(str.strip, body)):
                self._message(speaker, body)
        elif any(map(str.strip, body)):
            self._text("\n".join(body).strip())
        if self.banner is not None:
            banner, self.banner = self.banner, None
            self._text("\n".join(banner).strip())

    def _between(self, line: str) -> None:
        """A line that stands between messages."""
        stripped = line.strip()
        if _STARS.fullmatch(stripped):
            self.close()
            self.banner = []
        elif len(stripped) < _LONGEST and (said := _NEXT.fullmatch(stripped)):
            self.close()
            self._at()
            self.talk.put("route", id=self._id(), actor=None, text=stripped, data={"to": [said[1]]})
        elif _MARK.fullmatch(stripped):
            self.close()
            self._text(stripped)
        elif stripped.startswith("ChatResult(") and stripped.endswith(")") and "chat_history=" in stripped:
            self.close()
            self._result(stripped)
        elif stripped == _RULE:
            if any(map(str.strip, self.body)) and self.messages:
                self.talk.note("text_after_message", "text stands between the end of a message and the next speaker; it may belong to it")
            self.close()
        else:
            self.body.append(line)

    def _in_banner(self, line: str) -> None:
        assert self.banner is not None
        if _STARS.fullmatch(line.strip()):
            self.close()
        else:
            self.banner.append(line)

    def _at(self) -> None:
        self.talk.arrived(f"piece {self.n}")

    def _id(self) -> str:
        self.n += 1
        return str(self.n - 1)

    def _text(self, text: str) -> None:
        self._at()
        self.talk.put("note", id=self._id(), text=text, data={"printed": True})

    def _result(self, text: str) -> None:
        """The printed result of a chat repeats the chat."""
        value = notation(text)
        history = value.get("chat_history") if isinstance(value, dict) else None
        if isinstance(history, list) and len(history) <= self.messages:
            self.talk.merged("printed_twice", "the printed result of a chat repeats its messages")
            rest = {key: inner for key, inner in value.items() if key not in ("chat_history", "type") and inner not in (None, [], {})}
            self.talk.about({f"result_{self.n}": rest} if rest else {})
        else:
            self._text(text)

    def _message(self, speaker: tuple[str, str], body: list[str]) -> None:
        """A message: its words, the calls that it suggests, the answers that it gives."""
        self._at()
        self.messages += 1
        identifier = self._id()
        actor, recipient = speaker
        number = 0

        def next_id() -> str:
            nonlocal number
            number += 1
            return identifier if number == 1 else f"{identifier}/{number - 1}"

        words: list[str] = []

        def say() -> None:
            if text := "\n".join(words).strip("\n"):
                self.talk.say(text, actor=actor, recipients=(recipient,), id=next_id())
            words.clear()

        ends = [i for i, line in enumerate(body) if _END.fullmatch(line)]
        at = 0
        while at < len(body):
            banner = body[at] if body[at].startswith("*****") and len(body[at]) < _LONGEST else ""
            call, answer = _CALL.fullmatch(banner), _ANSWER.fullmatch(banner)
            if call is None and answer is None:
                words.append(body[at])
                at += 1
                continue
            say()
            later = bisect_right(ends, at)
            end = ends[later] if later < len(ends) else len(body)
            inner = "\n".join(body[at + 1 : end]).strip("\n")
            if call is not None:
                arguments = inner.removeprefix("Arguments:").strip()
                self.talk.call(call["tool"], arguments or NOT_RECORDED, actor=actor, call=call["id"], id=next_id(), recipients=(recipient,))
            elif answer is not None:
                identified = answer["quoted"] or answer["id"] or answer["bare"]
                tool = identified if answer["sort"].lower() == "function" else None
                self.talk.answer(None if tool else identified, inner, tool=tool, actor=actor, id=next_id(), recipients=(recipient,))
            at = end + 1
        say()
