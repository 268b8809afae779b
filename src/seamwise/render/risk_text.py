"""Risks for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seamwise.render.plain import pad, wrap
from seamwise.risks import CRITERIA, Family, Risk


def risks_text(risks: Iterable[Risk], families: dict[str, Family], *, width: int = 100) -> str:
    """All risks by family, a line each."""
    return "\n".join(_list(risks, families, width)) + "\n"


def _list(risks: Iterable[Risk], families: dict[str, Family], width: int) -> Iterator[str]:
    before = ""
    for risk in risks:
        if risk.family != before:
            if before:
                yield ""
            family = families[risk.family]
            yield from wrap(family.operation, width, first=f"{family.code}  ", rest="   ")
            yield from wrap(f"must preserve {family.property}", width, first="   ", rest="   ")
            before = risk.family
        yield f"  {pad(risk.code, 4)}{pad(risk.name, 44)}{risk.contract or 'no contract yet'}"


def risk_text(risk: Risk, family: Family, *, width: int = 100) -> str:
    """One risk in full."""
    return "\n".join(_one(risk, family, width)) + "\n"


def _one(risk: Risk, family: Family, width: int) -> Iterator[str]:
    yield f"{risk.code}  {risk.name}"
    yield ""
    yield from wrap(risk.pattern, width)
    yield ""
    rows = [("operation", family.operation), ("property", family.property), ("example", risk.example)]
    if risk.excluded is not None:
        rows.append(("not", risk.excluded))
    if risk.neighbour is not None:
        rows.append(("nearest", f"{risk.neighbour.risk}: {risk.neighbour.difference}"))
    rows.append(("contract", risk.contract or "none yet"))
    if risk.anomaly is not None:
        rows.append(("anomaly", f"{risk.anomaly} (the process anomaly, not the failure itself)"))
    for name, words in rows:
        yield from wrap(words, width, first=pad(name, 11), rest=" " * 11)
    for code, dimension in risk.dimensions.items():
        words = f"{dimension.name}: {dimension.words} ({dimension.contract or 'no contract yet'})"
        yield from wrap(words, width, first=pad(code, 11), rest=" " * 11)
    yield ""
    for code, words in risk.criteria.items():
        yield from wrap(words, width, first=pad(code, 11), rest=" " * 11)
        yield from wrap(CRITERIA[code], width, first=" " * 11, rest=" " * 11)
