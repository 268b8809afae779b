"""Risks, families, criteria and measurements, read once from ``risks.yaml``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from seamwise.errors import UsageError

CRITERIA: dict[str, str] = {
    "R1": "interaction boundary: where roles or states of the workflow meet",
    "R2": "boundary contribution: it introduces, amplifies or authorizes the violation, or preserves it despite a check of its own",
    "R3": "material effect: the property does not hold at the endpoint that counts",
    "R4": "step-level evidence: the recorded steps that link boundary, mechanism and effect",
}
"""A risk is realized where R1 to R3 hold; without R4 it is unassessed, which is not absent."""

MEASUREMENTS: dict[str, str] = {
    "opportunity": "the workflow contains the interaction in which the risk can arise",
    "anomaly": "an intermediate breakdown: a skipped check, a wrong status on the way",
    "realized": "the interaction failure happened: R1 to R3 hold",
    "terminal": "harm at the end of the workflow",
    "intercepted": "a failure under way was stopped before its endpoint",
    "utility": "the task itself was done",
}
"""The six measurements of an episode, separate from one another; each may be unassessed, and unassessed is never zero."""


class Neighbour(msgspec.Struct, frozen=True):
    """The risk that lies nearest, and what separates the two."""

    risk: str
    difference: str


class Dimension(msgspec.Struct, frozen=True):
    """One part of a risk that is scored by itself."""

    name: str
    words: str
    contract: str | None


class Family(msgspec.Struct, frozen=True):
    """Risks of one sort of workflow operation."""

    code: str
    operation: str
    property: str


class Risk(msgspec.Struct, frozen=True, kw_only=True):
    """One pair of an operation and a property that it must preserve."""

    code: str
    name: str
    pattern: str
    """What makes an episode one of it."""
    example: str
    excluded: str | None = None
    """What looks like it and is not."""
    neighbour: Neighbour | None = None
    criteria: dict[str, str]
    """R1 to R4 as they read for this risk."""
    contract: str | None = None
    """The kind of contract that decides it on records; None: there is none."""
    anomaly: str | None = None
    """The kind that decides its process anomaly, which is not its failure."""
    dimensions: dict[str, Dimension] = {}

    @property
    def family(self) -> str:
        """The letter of its family."""
        return self.code[0]


@cache
def _data() -> dict[str, Any]:
    import yaml

    text = files("seamwise.risks").joinpath("risks.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


@cache
def families() -> dict[str, Family]:
    """The five families by letter."""
    return {code: Family(code, entry["operation"], entry["property"]) for code, entry in _data()["families"].items()}


@cache
def risks() -> dict[str, Risk]:
    """The thirteen risks by code, in the order of the taxonomy."""
    return {code: _risk(code, entry) for code, entry in _data()["risks"].items()}


def risk_named(code: str) -> Risk:
    """The risk of that code; ``C1a`` finds C1.

    Raises:
        UsageError: There is none.
    """
    known = risks()
    wanted = code.strip().upper()
    if wanted[:2] in known and wanted[2:].lower() in ("", *(name[2:] for name in known[wanted[:2]].dimensions)):
        return known[wanted[:2]]
    raise UsageError(f"unknown risk `{code}`", hint=_close(wanted, known) or f"risks: {', '.join(known)}")


def _close(wanted: str, known: dict[str, Risk]) -> str | None:
    """A hint naming the codes of its family: of two characters no other measure tells what was meant."""
    family = [f"`{code}`" for code in known if code[0] == wanted[:1]]
    return f"did you mean {', '.join(family[:-1])} or {family[-1]}?" if len(family) > 1 else None


def risk_code(code: str) -> str:
    """The code as the taxonomy writes it, with the dimension where one is named: ``c1A`` is ``C1a``.

    Raises:
        UsageError: There is no such risk.
    """
    return risk_named(code).code + code.strip()[2:].lower()


def _risk(code: str, entry: dict[str, Any]) -> Risk:
    neighbour = entry.get("neighbour")
    return Risk(
        code=code,
        name=entry["name"],
        pattern=entry["pattern"],
        example=entry["example"],
        excluded=entry.get("not"),
        neighbour=None if neighbour is None else Neighbour(neighbour["risk"], neighbour["difference"]),
        criteria={name.upper(): entry[name] for name in ("r1", "r2", "r3", "r4")},
        contract=_kind(entry["contract"]),
        anomaly=entry.get("anomaly"),
        dimensions={name: Dimension(d["name"], d["words"], _kind(d["contract"])) for name, d in entry.get("dimensions", {}).items()},
    )


def _kind(name: str) -> str | None:
    return None if name == "none" else name
