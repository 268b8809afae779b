r"""Secrets in recorded text: masked in whatever is written, unless somebody asks otherwise.

One policy, used by every command: keys and tokens of known shape, whatever stands behind the name of a secret (``password: ...``, also
in JSON inside strings), payment card numbers, and, where it is installed (the extra ``redact``), what ``detect-secrets`` finds. The
structure stays: a mask stands where the value stood, and says what it was: ``[masked token]``. So the masks of any output can be counted.
Names, addresses and customers are no secrets here: a verdict without them proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from seamwise.record._mask_library import found_by_library
from seamwise.record._organization import Organization
from seamwise.record._step import Step
from seamwise.record._trace import Trace

SHORTEST: Final = 10
"""A text of fewer characters is too short for a secret with its name."""
SHORTEST_NUMBER: Final = 100_000
"""A smaller whole number is no secret, whatever it stands under: it may count them."""
LONGEST_NUMBER: Final = 10**19
"""A larger one is the number of no card."""

_SHAPES = re.compile(
    r"""
    (?P<private_key>-----BEGIN[ ][A-Z0-9 ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z0-9 ]*PRIVATE[ ]KEY-----|$))
  | (?P<service_key>
      (?<![A-Za-z0-9])(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,24}[-_]){0,4}[A-Za-z0-9_]{16,256}\b
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
    | \bAIza[0-9A-Za-z_-]{30,}
    )
  | (?P<token>
      \bgh[pousr]_[A-Za-z0-9]{20,}\b | \bgithub_pat_[A-Za-z0-9_]{20,}\b | \bglpat-[A-Za-z0-9_-]{20,}
    | \bxox[abprs]-[A-Za-z0-9-]{10,}
    | \beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?
    )
  | (?P<password>(?<=://)[^\s/:@"'\[\]]{1,64}:[^\s/@"'\[\]]{3,256}(?=@))                # a name and a password in an address
  | (?P<card_number>(?<![\w.])(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6011|65\d{2})(?P<gap>[ -]?)\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?![\w.]*\d)
    | (?<![\w.])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\w.]*\d))
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = (
    r"(?:(?<![A-Za-z])|(?-i:(?<=[a-z])(?=[A-Z])))(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token"
    r"|id[_-]?token|bearer[_-]?token|session[_-]?token|passwords?|passwd|passphrase|pwd|secret|client[_-]?secret|credentials?)"
)
_NAMED = re.compile(
    rf"(?i)(?P<name>(?P<bearer>(?<![A-Za-z])(?:bearer\s+|basic\s+(?=[A-Za-z0-9+/=]{{12,}})))|{_NAME}\\*[\"']?\s*[:=]\s*)"
    r"(?:(?P<quote>\\*[\"'])|(?P<bare>(?![\[{])[^\s\"',;}\]\\]{6,}))"
)
_QUOTED_NAME = re.compile(r"(\\*[\"'])\s*:\s*\Z")
_PASSWORD = re.compile("(?i)pass|pwd")
_LEAST, _LONGEST = 4, 4_000
"""Characters of a quoted secret."""
_SECRET_NAME = re.compile(rf"(?i){_NAME}\Z")
_MARK = re.compile(r"\[masked ([a-z ]+)\]")
_HINTS = (
    "-----begin sk- sk_ pk- pk_ rk- rk_ akia asia aiza gho_ ghp_ ghu_ ghs_ ghr_ _pat_ glpat xox eyj :// bearer key token passw passp pwd "
    "secret credential"
).split()
"""Beginnings of what the patterns find; a text without any of them, and without a long number, need not be searched."""
_NAMES = ("actor", "recipients", "channel", "tool", "streams", "source")
"""What of a step is a name."""
_FIRST = "k- k_ akia key token asia aiza gh _pat_ glpat xox eyj :// bearer pass pwd secret credential -----begin".split()
"""Each of the beginnings holds one of these: they are fewer."""
_LONG_NUMBER = re.compile(r"[2-6]\d{3}[ -]?\d{4}[ -]?\d{4}|3\d{3}[ -]?\d{6}[ -]?\d")


def masked(text: str) -> str:
    """The text with its secrets masked; masking it again changes nothing."""
    return _masked(text) if len(text) >= SHORTEST and _may_hold(text) else text


def _may_hold(text: str) -> bool:
    folded = text.casefold()
    for first in _FIRST:  # a loop, as this is asked of every text
        if first in folded:
            if any(hint in folded for hint in _HINTS):
                return True
            break
    return _LONG_NUMBER.search(text) is not None


@lru_cache(maxsize=4096)
def _masked(text: str) -> str:
    out = _SHAPES.sub(_shape, text)
    out = _without_named(out)
    for kind, secret in found_by_library(out):
        out = out.replace(secret, mark(kind))
    return out


def secrets_in(text: str) -> tuple[tuple[str, str], ...]:
    """The secrets of known shape in a text, each with its kind: keys, tokens, passwords in addresses. Card numbers are none.

    What merely stands behind the name of a secret (``password: see below``) is masked as well, but nobody can tell whether it is one.
    """
    if len(text) < SHORTEST or not _may_hold(text):
        return ()
    found = []
    for match in _SHAPES.finditer(text):
        if match["card_number"] is None:
            found.append(((match.lastgroup or "token").replace("_", " "), match[0]))
    return tuple(found)


def mark(kind: str) -> str:
    """What stands for a secret of that kind: ``[masked token]``."""
    return f"[masked {kind}]"


def _shape(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if match["card_number"] is not None:
        around = _quotes(match.string, match.start(), match.end())
        return f"{around}{mark('card number')}{around}" if _luhn(match["card_number"]) else match[0]
    return mark((kind or "token").replace("_", " "))


def _without_named(text: str) -> str:
    """The text with the values masked that stand behind the name of a secret."""
    out: list[str] = []
    at = 0
    for match in _NAMED.finditer(text):
        if match.start() < at:
            continue
        kind = "token" if match["bearer"] else "password" if _PASSWORD.search(match["name"]) else "secret"
        value, quote = match.end("name"), match["quote"]
        if quote is None:
            around = _quotes(text, match.start("bare"), match.end())
            out += (text[at:value], around, mark(kind), around)
            at = match.end()
            continue
        value += len(quote)
        end = _closing(text, value, quote)
        if end - value >= _LEAST and not text.startswith("[masked ", value):
            out += (text[at:value], mark(kind))
            at = end
    return "".join((*out, text[at:]))


def _quotes(text: str, start: int, end: int) -> str:
    """What a mask needs around it where a bare number of JSON stood, as text needs there; nothing elsewhere."""
    named = _QUOTED_NAME.search(text, max(0, start - 80), start)
    if named is not None:
        return named[1]
    inside = text[max(0, start - 40) : start].rstrip()[-1:] in ("[", ",") and text[end : end + 8].lstrip()[:1] in (",", "]")
    return '"' if inside else ""


def _closing(text: str, start: int, quote: str) -> int:
    """Where a quoted text ends; its start where it does not. A quote of JSON inside a string has backslashes before it."""
    outer = len(quote) - 1
    end = text.find(quote[-1], start, start + _LONGEST)
    while end >= 0:
        before = end
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (end - before) % (2 * (outer + 1)) == outer:
            return end - outer if "\n" not in text[start:end] else start
        end = text.find(quote[-1], end + 1, start + _LONGEST)
    return start


def _luhn(number: str) -> bool:
    digits = [int(d) for d in number if d.isdigit()]
    return sum(d if n % 2 == 0 else (d * 2 - 9 if d > 4 else d * 2) for n, d in enumerate(reversed(digits))) % 10 == 0


@lru_cache(maxsize=4096)
def names_secret(name: str) -> bool:
    """Whether what stands under a name is a secret, whatever it looks like."""
    return _SECRET_NAME.search(name) is not None


def masked_value(value: Any, name: str = "") -> Any:
    """A JSON value with the secrets in its texts masked, its structure kept.

    Args:
        value: The value.
        name: The name that it stands under; a text under the name of a secret is masked whole.
    """
    if isinstance(value, str):
        if name and value and names_secret(name) and _MARK.fullmatch(value) is None:
            return mark("password" if _PASSWORD.search(name) else "secret")
        return masked(value)
    if isinstance(value, Mapping):
        return {masked(key) if isinstance(key, str) else key: masked_value(item, str(key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(masked_value(item, name) for item in value)
    if type(value) is int and abs(value) >= SHORTEST_NUMBER:
        return masked_number(value, name)
    return value


def masked_number(number: int, name: str = "") -> int | str:
    """A whole number, or the mask of it where it is a card's or stands under the name of a secret, as in text."""
    if name and names_secret(name):
        return mark("password" if _PASSWORD.search(name) else "secret")
    words = str(number) if abs(number) < LONGEST_NUMBER else ""
    return number if masked(words) == words else masked(words)


def masked_step(step: Step) -> Step:
    """The step with the secrets in its text and data masked; itself where there are none."""
    text = None if step.text is None else masked(step.text)
    data = None if step.data is None else masked_value(step.data)
    # names stay, but a key is none; ids stay too, since steps point at them
    names = {name: told for name in _NAMES if (said := getattr(step, name)) is not None and (told := masked_value(said)) != said}
    same = text == step.text and data == step.data and not names
    return step if same else msgspec.structs.replace(step, text=text, data=data, **names)


def masked_trace(trace: Trace) -> Trace:
    """The trace with the secrets in its steps masked, and those in what its header says of the organization and of where it came from."""
    head = trace.header
    told = (head.organization, head.origin)
    if masked_value(plain := msgspec.to_builtins(told)) != plain:
        organization, origin = msgspec.convert(masked_value(plain), tuple[Organization, dict[str, Any]])
        head = msgspec.structs.replace(head, organization=organization, origin=origin)
    return Trace(header=head, steps=tuple(map(masked_step, trace.steps)))


def masks_in(text: str) -> Counter[str]:
    """The kinds of the masks in a text, and how many there are of each."""
    return Counter(_MARK.findall(text))


def mask_words(counts: Mapping[str, int]) -> str:
    """``2 passwords, 1 token``; nothing where there is no mask."""
    return ", ".join(f"{n:,} {kind}{'s' * (n != 1)}" for kind, n in sorted(counts.items()) if n)
