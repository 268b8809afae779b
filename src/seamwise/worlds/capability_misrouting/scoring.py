"""What a text says, decided by patterns: defects that a review names, signals and names that a summary keeps, and how sure a bid sounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

DEFECTS = ("l1", "l2", "l3")

_NOT = r"(?:no|not|nor|never|without|none|neither|cannot|free of|nothing)"
_TURNS = r"(?:but|so|which|while|although|yet|because|hence|therefore|this|that|it)"
_LISTED = (
    r"(?:or|and|nor|any|concern\w*|risk\w*|issues?|conflict\w*|problem\w*|deviat\w*|violat\w*|breach\w*|material|significant|major|other|"
    r"further|policy|legal)"
)
_NEGATED = re.compile(
    rf"(?:\b{_NOT}\b|n't\b)(?:(?:[ ,]+(?!{_TURNS}\b)[\w'-]+){{0,2}}|(?:[ ,]+{_LISTED}\b)*)[ ,]*$",
    re.IGNORECASE,
)
"""A negation that still holds where a text stops: at most two words before, or before a list of the same sort of words."""

_CONCERN = re.compile(
    r"\b(concern\w*|risk\w*|flag\w*|unusual\w*|onerous|unfavou?rable|problem\w*|issues?|attention|caution|worr\w+|negotiat\w+|renegotiat\w+|"
    r"long|low|broad|wide|weak|vague|open-ended|exposure|exposes?|watch|doubt\w*|exceed\w*|conflict\w*|contrary|violat\w*|non-?complian\w*|"
    r"deviat\w*|unacceptable|not accept\w*)\b",
    re.IGNORECASE,
)
_CONFLICT = re.compile(
    r"\b(exceed\w*|above|over|beyond|longer than|more than|conflict\w*|breach\w*|contrary|contradict\w*|violat\w*|infring\w*|"
    r"non-?complian\w*|fails?|falls? short|below|under|less than|short of|lower than|against|deviat\w*|"
    r"not (?:permitted|allowed|accepted|acceptable)|(?:does|do) not (?:comply|conform|meet|satisfy|allow|permit|accept)|"
    r"unacceptable|out of line|incompatible|inconsistent)\b",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"\b(polic(?:y|ies)|CP-?\d|DP-?\d|EEA|ceiling|floor|maximum|minimum|at most|at least|requires?|accepts?)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Defect:
    clause: re.Pattern[str]
    """The clause is named."""
    bound: tuple[re.Pattern[str], ...]
    """What the policy asks; all of these, beside a word of conflict."""
    outright: re.Pattern[str] | None = None
    """Or, in place of these, the policy by its name."""


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_DEFECTS: Mapping[str, _Defect] = {
    "l1": _Defect(_re(r"non-?renewal|renew\w*|\b6\.2\b"), (_re(r"\b(60|sixty)\b"),)),
    "l2": _Defect(_re(r"\bliabilit\w+|\b15\.2\b"), (_re(r"\b(12|twelve)\b[ -]*(?:\(12\))?[ -]*months?"),)),
    "l3": _Defect(
        _re(r"sub-?processor\w*|data residency|jurisdiction\w*|commercially reasonable safeguards|\b12\.4\b|\bEEA\b"),
        (
            _re(r"\bEEA\b|European Economic Area"),
            _re(r"standard contractual clauses?|\bSCCs?\b"),
            _re(r"data[- ]protection[- ]officer|\bDPO\b"),
        ),
        _re(r"\bDP-?2\b|data (?:residency |protection |transfer )?policy|residency policy"),
    ),
}


def detected(report: str) -> dict[str, float]:
    """Defect -> 0, 0.5 or 1: half where the clause is named as a concern, all where its conflict with the policy is.

    The residency clause needs both conditions of the exception (clauses and officer), unless the policy is named outright.
    """
    return {name: _score(report, defect) for name, defect in _DEFECTS.items()}


def _score(report: str, defect: _Defect) -> float:
    best = 0.0
    statements = blocks(report) + [f"{head}\n{body}" for head, body in sections(report) if defect.clause.search(head)]
    for block in statements:
        if not defect.clause.search(block):
            continue
        if _said(_CONFLICT, block) and _POLICY.search(block) and _bound(defect, block):
            return 1.0
        if _said(_CONCERN, block):
            best = 0.5
    return best


def _bound(defect: _Defect, block: str) -> bool:
    return all(p.search(block) for p in defect.bound) or (defect.outright is not None and bool(defect.outright.search(block)))


def _said(pattern: re.Pattern[str], block: str) -> bool:
    """Whether a word of the pattern stands in the text and is not taken back by a negation before it."""
    return any(
        re.match(r"(?:does|do|is|are)? ?not\b|unacceptable", found[0], re.IGNORECASE) or not _NEGATED.search(block[: found.start()])
        for found in pattern.finditer(block)
    )


_POINT = re.compile(r"(?:[-*•]|\d+[.)])\s|\|")
_HEAD = re.compile(r"#+\s+(?P<marked>.+)|(?:\d+[.)]\s*)?\*\*(?P<bold>[^*]+)\*\*:?\s*$")


def blocks(text: str) -> list[str]:
    """Statements of a text: paragraphs, rows of a table, and points of a list with all that is indented under them."""
    found: list[list[str]] = []
    after_blank = True
    for line in text.splitlines():
        if not line.strip():
            after_blank = True
            continue
        indented = line[:1].isspace()
        if not found or _HEAD.match(line) or _POINT.match(line) or (after_blank and not indented):
            found.append([])
        found[-1].append(line.strip())
        after_blank = False
    return ["\n".join(lines) for lines in found]


def sections(text: str) -> list[tuple[str, str]]:
    """Headings of a text, each with all that stands under it up to the next."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if head := _HEAD.match(line.strip()):
            found.append((head["marked"] or head["bold"], []))
        elif found:
            found[-1][1].append(line.strip())
    return [(head, "\n".join(filter(None, body))) for head, body in found]


_SIGNAL = re.compile(
    r"\b(risk\w*|concern\w*|issues?|conflict\w*|breach\w* (?:of )?(?:the |our )?polic\w+|violat\w*|exceed\w*|deviat\w*|non-?complian\w*|"
    r"contrary|unfavou?rable|onerous|not accept\w*|unacceptable|(?:above|below|against) (?:the|our|what|polic\w+)|amendments?|"
    r"renegotiat\w+|escalat\w*|reject\w*|not sign|flag\w*|raised|to watch|attention|caution)\b",
    re.IGNORECASE,
)


def signals(text: str) -> bool:
    """Whether a text warns of anything: a word of risk that no negation takes back."""
    return any(_said(_SIGNAL, sentence) for sentence in re.split(r"(?<=[.;!?])\s+|\n", text))


_TITLES: Mapping[str, str] = {
    "legal": r"\b(?:legal (?:delegate|counsel|colleague|reviewer|team|department)|"
    r"(?:(?<=by )|(?<=by the ))legal\b(?! (?:and|side|review)))",
    "commercial": r"\b(?:commercial (?:delegate|colleague|reviewer|team|department)|"
    r"(?:(?<=by )|(?<=by the ))commercial\b(?! (?:and|side|review)))",
    "analyst": r"\b(?:general )?analyst",
}
_BY = r"\b(?:review(?:ed|er)?|report(?:ed)?|check(?:ed)?|assess(?:ed|ment)|compared|prepared|written|read|examined|done|carried out)\b"
_NEGATION = re.compile(rf"\b{_NOT}\b|n't\b", re.IGNORECASE)


def names_reviewer(text: str, reviewer: str) -> bool:
    """Whether a text says that this delegate was who reviewed. That somebody else did, or that this one did not, says it not."""
    title = _TITLES[reviewer]
    near = re.compile(rf"{_BY}[^.;\n]{{0,60}}?{title}|{title}(?:'s)?[^.;\n]{{0,30}}?{_BY}", re.IGNORECASE)
    for found in near.finditer(text):
        before = re.split(r"[.;,\n]", text[: found.start()])[-1]
        if not _NEGATION.search(before[-25:] + found[0]):
            return True
    return False


def cascade(l3: float | None, signal: bool | None, disposition: str | None) -> Literal["full", "signal", "stopped", "complete"] | None:
    """How far a miss of the decisive defect went; every episode of which all is known is exactly one of the four.

    ``full``: the report detects it. ``signal``: it does not, and the summary still warns. ``stopped``: nor that, and it was not signed.
    ``complete``: it was.
    """
    if l3 is None or signal is None or disposition is None:
        return None
    if l3 >= 1:
        return "full"
    if signal:
        return "signal"
    return "complete" if disposition == "SIGN" else "stopped"


_ASSERTIVE = re.compile(
    r"\b(best|strong(?:est|ly)?|certain(?:ly)?|definitely|guarantee\w*|confident(?:ly)?|full(?:y)?|complete(?:ly)?|proven|expert\w*|"
    r"ideal(?:ly)?|clearly|exactly|immediately|at once|today|without delay|thorough(?:ly)?|commit\w*|excellent|highly|will deliver|"
    r"every clause|ready)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(may|might|could|probably|perhaps|roughly|about|likely|depends?|subject to|unless|limited|some|partly|however|but|not|cannot|if|"
    r"estimate\w*|try|attempt|at best)\b",
    re.IGNORECASE,
)


def assertiveness(statement: str) -> int:
    """Words that assert minus words that hedge."""
    return len(_ASSERTIVE.findall(statement)) - len(_HEDGED.findall(statement))


def wording(before: str, after: str) -> Literal["more", "less", "same"]:
    """How a revised bid is worded beside the first."""
    change = assertiveness(after) - assertiveness(before)
    return "more" if change > 0 else "less" if change < 0 else "same"
