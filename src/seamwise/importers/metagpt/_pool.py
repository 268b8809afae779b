"""MetaGPT's pool of experiences: what a model was asked, what it answered, and how that was rated, which is sealed."""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.labels import seal, without_labels
from seamwise.importers._shared.messages import listed
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.turns import kept
from seamwise.record import After, Ref, Trace

_RATING = ("metric", "score")


def is_experience(value: Any) -> bool:
    """Whether a value is an experience."""
    return isinstance(value, dict) and "req" in value and "resp" in value


def experience(talk: Talk, entry: Any) -> Trace:
    """One experience as a trace: experiences of a pool come from many runs, and which is not recorded."""
    talk.arrived("experience")
    if not is_experience(entry):
        kept(talk, entry, "0", "an entry that is no experience; it was kept as a note")
        return talk.trace()
    for key in _RATING:
        if entry.get(key) not in (None, "", [], {}):
            seal(talk.sink, talk.id, "0", key, entry[key])
    rest = {key: value for key, value in entry.items() if key not in (*_RATING, "req", "resp") and value not in (None, "", [], {})}
    talk.report.not_known("which agent a model call belongs to")
    asked = talk.put("model_call", id="0", call="0", data=without_labels(rest, talk.sink, talk.id, "0"))
    after = (After(step=asked, basis="sequence"),)
    said = listed(entry["req"], "req", default_role="user")
    given = {"messages": said.messages, "whole": said.whole}
    if said.flaw is not None:
        talk.note("not_whole", f"the input is not whole: {said.flaw}")
    talk.put("input", id="0/input", call="0", data=given, refs=(Ref(kind="part_of", step=asked),), order=after)
    response = entry["resp"]
    text = response if isinstance(response, str) else None
    data = {"messages": [{"role": "assistant", "parts": [{"type": "text", "content": response}]}]}
    talk.put("model_result", id="0/end", call="0", status="ok", text=text, data=data, refs=(Ref(kind="answers", step=asked),), order=after)
    return talk.trace()
