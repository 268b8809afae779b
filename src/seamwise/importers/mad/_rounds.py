"""Rounds of reasoners: ``########## Round 1``, ``***** Reasoner 1 output: *****``."""

from __future__ import annotations

import re

from seamwise.importers._shared.talk import Talk

_ROUND = re.compile(r"#{5,} ?Round (\d+).*")
_OUTPUT = re.compile(r"\*{3,} ?(?P<name>[\w -]{1,60}?) output:? ?\*{3,}")


def fits(text: str) -> bool:
    """Whether the text holds outputs of named reasoners."""
    return any(_OUTPUT.fullmatch(line.strip()) for line in text.split("\n"))


def tell(talk: Talk, text: str) -> None:
    """Each output is a message of the one that it is named after."""
    speaker: str | None = None
    number: int | None = None
    body: list[str] = []
    n = 0

    def close() -> None:
        nonlocal n
        words = "\n".join(body).strip()
        body.clear()
        if not words and speaker is None:
            return
        talk.arrived(f"output {n}")
        data = {} if number is None else {"round": number}
        if speaker is not None:
            talk.say(words, actor=speaker, data=data, id=f"output/{n}")
        else:
            talk.put("note", text=words, data=data | {"printed": True}, id=f"output/{n}")
        n += 1

    for line in text.split("\n"):
        stripped = line.strip()
        round_, output = _ROUND.fullmatch(stripped), _OUTPUT.fullmatch(stripped)
        if round_ is None and output is None:
            body.append(line)
            continue
        close()
        if round_ is not None:
            number, speaker = int(round_[1]) if len(round_[1]) < 9 else None, None
        elif output is not None:
            speaker = output["name"].strip()
    close()
