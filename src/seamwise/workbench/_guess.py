"""Guesses from names and values, for a first page: what is an amount, whom something concerns, what checks and what signs.

A guess is only ever written as a comment: nothing here decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from seamwise.workbench._seen import PathSeen, ToolSeen

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_AMOUNT = frozenset("amount sum total price value cents usd eur gbp credit refund fee cost dollars euros".split())
_PARTY = frozenset("customer cust client account user member guest patient payee recipient supplier vendor employee".split())
_SUBJECT = frozenset(
    "booking reservation payment "
    "contract document doc order invoice ticket case request release change deployment pr claim file path version id".split()
)
_CHECKS = frozenset("check verify review approve approval validate audit inspect confirm test lint policy".split())
_SIGNS = frozenset("sign send submit publish deploy release execute finalize merge close pay commit issue".split())
_ADDRESSEE = frozenset("to recipient recipients user customer address channel".split())
_TEXT = frozenset("text body message content reply note".split())
_HANDOFFS = ("transfer_to_", "handoff_to_", "delegate_to_", "assign_to_")
_TAKES_BACK = frozenset("refund refunds cancel void reverse reversal chargeback".split())
_SPENDS = frozenset("book buy charge purchase reserve spend order hire rent".split())
_IDENTITY = frozenset("id name key number no email ref".split())
"""Last names that say nothing without the name above them: ``guest.id``."""
_CURRENCIES = {
    "USD": ("usd", "dollar", "dollars", "$"),
    "EUR": ("eur", "euro", "euros", "€"),
    "GBP": ("gbp", "pound", "pounds", "£"),
    "CHF": ("chf",),
    "JPY": ("jpy", "yen", "¥"),
}
_STATUS = frozenset("status state outcome decision ok success result".split())
_GOOD = frozenset("ok done success succeeded completed sent paid passed approved true accepted issued confirmed".split())


def words_of(name: str) -> list[str]:
    """The words in a name, in lower case: ``customerId`` and ``customer_id`` are ``customer``, ``id``."""
    return [word.lower() for word in _WORDS.findall(name)]


def leaf_of(path: str) -> str:
    """The last name of a path."""
    found = re.search(r"\[(?:'([^']*)'|\"([^\"]*)\")\]\Z", path)
    return (found[1] or found[2] or "") if found else path.rpartition(".")[2]


def _among(paths: Iterable[PathSeen], words: frozenset[str], *, root: str = "arguments") -> list[PathSeen]:
    return [p for p in paths if p.path.startswith(root) and words & set(words_of(leaf_of(p.path)))]


def amount_of(tool: ToolSeen) -> PathSeen | None:
    """Where a call says how much."""
    found = [p for p in _among(tool.paths.values(), _AMOUNT) if _numeric(p)]
    return found[0] if found else None


def _numeric(path: PathSeen) -> bool:
    return set(path.types) <= {"number"} or all(re.search(r"\d", s) for s in path.samples)


def is_minor(path: PathSeen) -> bool:
    """Whether an amount seems to count cents."""
    return "cents" in words_of(leaf_of(path.path))


def currency_of(path: PathSeen) -> str | None:
    """The currency that the name of an amount says, or that stands beside each of its samples; None: neither says one."""
    words = set(words_of(leaf_of(path.path)))
    for code, spelt in _CURRENCIES.items():
        if words & set(spelt) or (path.samples and all(spelt[-1] in s or code in s for s in path.samples)):
            return code
    return None


def unit_of(path: PathSeen, currency: str | None) -> str:
    """The unit of an amount, as the binding language writes it."""
    if is_minor(path):
        return f"{currency} cents" if currency else "cents"
    return currency or "number"


def party_of(tool: ToolSeen) -> PathSeen | None:
    """Where a call says whom it concerns: by the last name, or by the one above an ``id``."""
    found = _among(tool.paths.values(), _PARTY)
    found += [p for p in tool.paths.values() if p.path.startswith("arguments") and _PARTY & set(words_of(_above(p.path)))]
    return found[0] if found else None


def party_name(path: str) -> str:
    """What a person calls the party at a path: ``guest`` of ``arguments.guest.id``."""
    return _above(path) or leaf_of(path)


def _above(path: str) -> str:
    """The name above the last one, where the last one is of no meaning alone; else nothing."""
    parts = path.split(".")
    return parts[-2] if len(parts) > 2 and set(words_of(parts[-1])) and set(words_of(parts[-1])) <= _IDENTITY else ""


def takes_back(tool: ToolSeen) -> bool:
    """Whether a tool seems to undo what another did."""
    return bool(_TAKES_BACK & set(words_of(tool.name)))


def spends(tool: ToolSeen) -> bool:
    """Whether a tool seems to spend: beside it a refund takes back, and adds nothing."""
    return bool(_SPENDS & set(words_of(tool.name)))


def approves(checking: ToolSeen, other: ToolSeen) -> bool:
    """Whether a tool is named as the check of another: ``approve_refund`` and ``refund``."""
    named = set(words_of(checking.name))
    return checks(checking) and bool(named - _CHECKS) and named - _CHECKS == set(words_of(other.name))


def addressee_of(tool: ToolSeen) -> PathSeen | None:
    """Where a call says to whom something goes."""
    found = _among(tool.paths.values(), _ADDRESSEE)
    return found[0] if found and _among(tool.paths.values(), _TEXT) else None


def text_of(tool: ToolSeen) -> PathSeen | None:
    """Where a call holds the words that go out."""
    found = _among(tool.paths.values(), _TEXT)
    return found[0] if found else None


def success_of(tool: ToolSeen) -> tuple[str, str] | None:
    """Where a result seems to say that it worked, and the word for it."""
    for path in _among(tool.paths.values(), _STATUS, root="result"):
        for sample in path.samples:
            if sample.lower() in _GOOD and path.distinct < 20:
                return path.path, sample
    return None


def checks(tool: ToolSeen) -> bool:
    """Whether a tool seems to check something."""
    return bool(_CHECKS & set(words_of(tool.name)))


def signs(tool: ToolSeen) -> bool:
    """Whether a tool seems to settle something."""
    return bool(_SIGNS & set(words_of(tool.name))) and not checks(tool)


def subject_of(a: ToolSeen, b: ToolSeen) -> tuple[PathSeen, PathSeen] | None:
    """Arguments of one name in both tools that seem to name what they are about."""
    mine = {leaf_of(p.path): p for p in a.paths.values() if p.path.startswith("arguments")}
    theirs = {leaf_of(p.path): p for p in b.paths.values() if p.path.startswith("arguments")}
    shared = [name for name in mine if name in theirs]
    best = [name for name in shared if _SUBJECT & set(words_of(name)) and "version" not in words_of(name)] or shared
    return (mine[best[0]], theirs[best[0]]) if best else None


def is_handoff(tool: ToolSeen) -> bool:
    """Whether a tool seems to hand over to another agent."""
    return tool.name.startswith(_HANDOFFS)
