"""What one recorded operation may say: what it gives away, to whom, and whether it took effect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec

from seamwise.kernel import Op, Record, stream_covers, took_effect
from seamwise.kernel.operation import DONE, NOT_DONE
from seamwise.kinds.within_scope.p import Params

ACTIONS = frozenset({"action", "tool_call", "tool_result", "receipt"})
"""Kinds of record that can tell of something executed; a message in the actions' stream only says so."""
MOVES = frozenset({"message", "tool_result", "delivery", "handoff"})
"""Kinds of record in which a value may be on its way to a requester."""
JUDGEMENT = "judgement"
"""Where a judge's recorded word is kept, so that it counts only where the contract lets it."""
MISPLACED = "misplaced"
"""Set on a record that stands among another's answers alone and names the requester as a recipient: it contradicts itself."""


class Disclosed(NamedTuple):
    """What a record gives away of the judged fields."""

    sure: tuple[str, ...]
    open: tuple[str, ...]
    """What it may give away as well: an exact match finds, it cannot exclude a paraphrase."""


def disclosed(op: Op, params: Params) -> Disclosed:
    """What an operation discloses of the judged fields."""
    told = op.fields
    fields, text, meaning = told.get("fields"), told.get("text"), told.get("discloses")
    word = told.get(JUDGEMENT) if params.judge else None
    listed = (*_listed(fields), *_several(word), *_several(meaning))
    # a judge's word is about a text; of a text that is not recorded it says no more than what it found
    whole = meaning is not None or (word is not None and text is not None) or _is_structured(told)
    sure = tuple(f for f, value in params.fields.items() if f in listed or (value is not None and holds((text, fields), str(value))))
    return Disclosed(sure, () if whole else tuple(f for f in params.fields if f not in sure))


def refutes_judge(op: Op, params: Params) -> bool:
    """Whether a record shows that a judge's word on it is wrong: what it denies stands there, or what it found cannot be there."""
    if not op.has(JUDGEMENT):
        return False
    word = [f for f in params.fields if f in _several(op.fields[JUDGEMENT])]
    plain, unsure = disclosed(op, msgspec.structs.replace(params, judge=False))
    denied = op.get("text") is not None and any(f not in word for f in plain)
    return denied or any(f not in plain and f not in unsure for f in word)


def contradicts(op: Op, params: Params) -> bool:
    """Whether an operation contradicts itself: as one of the answers there is no way that it can have been."""
    return MISPLACED in op.fields or says_more(op.fields, params)


def says_more(told: Mapping[str, Any], params: Params) -> bool:
    """Whether what is said to be nothing but its fields has a text that gives away another one."""
    text = told.get("text")
    if text is None or not _is_structured(told):
        return False
    fields = told["fields"]
    return any(
        value is not None and f not in fields and holds(text, str(value)) and not holds(fields, str(value))
        for f, value in params.fields.items()
    )


def _is_structured(told: Mapping[str, Any]) -> bool:
    return told.get("structured") is True and isinstance(told.get("fields"), (Mapping, tuple, list))


def _listed(fields: Any) -> tuple[Any, ...]:
    return tuple(fields) if isinstance(fields, (Mapping, tuple, list)) else ()


def _several(told: Any) -> tuple[str, ...]:
    """Names that a record gives as one or as a list; an empty list is none that was recorded."""
    return (told,) if isinstance(told, str) else tuple(n for n in told if isinstance(n, str)) if isinstance(told, (tuple, list)) else ()


@cache
def _alone(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(value)}(?!\w)(?![.,]\d)")


def holds(told: Any, value: str) -> bool:
    """Whether an exact value stands somewhere in a text or structure; one inside a longer word or number is another value."""
    if isinstance(told, str):
        return value in told and _alone(value).search(told) is not None
    if isinstance(told, Mapping):
        return any(holds(v, value) for v in told.values())
    if isinstance(told, (tuple, list)):
        return any(holds(v, value) for v in told)
    return told is not None and str(told) == value


class Whom(NamedTuple):
    """Whom an operation of the answers' stream is for, of those whom the contract judges."""

    sure: tuple[str, ...]
    """Requesters that it surely is for."""
    open: bool
    """Whether it may be for somebody else as well; unknown is not nobody."""


def recipients(r: Record | Op) -> tuple[str, ...]:
    """The recorded recipients; none: they were not recorded."""
    return _several(r.fields.get("recipients"))


def whom(op: Op | Record, params: Params) -> Whom:
    """Whom an operation that is in the answers' stream is for.

    The key of a stream is somebody whom it is for. The recorded recipients are everybody.
    """
    if params.keyed:
        return Whom((str(params.requester),), open=False)
    named = recipients(op)
    if params.requester is not None:
        return Whom((params.requester,) if params.requester in named else (), open=not named)
    keys = [s[len(params.where) + 1 :] for s in op.streams if s.startswith(params.where + "/")]
    return Whom(tuple(dict.fromkeys([*keys, *named])), open=not named)


def stands_inside(op: Op, stream: str) -> bool:
    """Whether an operation is recorded in a stream, and not only in its prefix."""
    return any(stream_covers(stream, s) for s in op.streams)


def behalf(op: Op | Record) -> str | None:
    """On whose behalf something was executed; None: on nobody's (where the field was recorded)."""
    who = op.fields.get("on_behalf_of")
    return who if who is None or isinstance(who, str) else str(who)


def ways(op: Op) -> tuple[bool, ...]:
    """Whether a message may have reached those it is for, or an action may have been executed."""
    took = took_effect(op)
    if took is None and not op.ended and op.call is None:  # an action that stands alone tells of its own ending
        word = str(op.get("status")).lower()
        took = True if word in DONE else False if word in NOT_DONE else None
    return (True, False) if took is None else (took,)


def hops(op: Op, params: Params) -> tuple[bool, ...]:
    """Whether it came through enough hops."""
    if params.min_hops <= 0:
        return (True,)
    n = op.get("hops")
    return (n >= params.min_hops,) if isinstance(n, int) else (True, False)
