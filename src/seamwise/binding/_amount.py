"""Amounts as exact decimals: ``15.0``, ``"$1,234.50"``, ``1265`` cents, ``40 USD``; ``1.234,50`` where a decimal comma is stated."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

SHIFTS = {"cents": 2, "mills": 3, "micros": 6, "thousands": -3, "millions": -6, "number": 0}
"""Word of a unit -> by so many places the recorded number is larger than the amount."""
_UNIT = re.compile(r"(?:(?P<code>[A-Z]{3})(?: (?P<part>[a-z]+))?|(?P<bare>[a-z]+))\Z")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "US$": "USD"}
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\Z")
_EXCHANGED = str.maketrans(",.", ".,")
MAX_DIGITS = 100


class Unit(NamedTuple):
    """What a recorded number counts."""

    currency: str | None
    """Three letters, or None where it is not said."""
    shift: int
    """By so many places the recorded number is larger than the amount."""
    comma: bool = False
    """Whether a comma stands before the decimals, and points between thousands."""
    negate: bool = False
    """Whether the recorded number has the other sign."""


def unit_of(text: str) -> Unit | None:
    """The unit that a text names: ``USD``, ``USD cents``, ``EUR micros``, ``cents``, ``number``; None: it names none."""
    match = _UNIT.match(text)
    if match is None:
        return None
    word = match["part"] or match["bare"]
    if word is not None and (word not in SHIFTS or (word == "number" and match["code"])):
        return None
    return Unit(match["code"], SHIFTS[word] if word else 0)


class Amount(NamedTuple):
    """A number and the currency that stands beside it, if one does."""

    number: Decimal
    currency: str | None


def amount_of(value: Any, *, comma: bool = False) -> Amount | None:
    """The amount that a recorded value is, or None where it is none.

    A float counts by its shortest text, which is what was recorded. Thousands may be set apart by commas where they stand in their
    places; ``1,5`` may mean two things and is none, unless a decimal comma is stated.

    Args:
        value: What was recorded.
        comma: Whether texts have a decimal comma, and points between thousands.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, Decimal)):
        return Amount(Decimal(value), None)
    if isinstance(value, float):
        return _finite(getattr(value, "digits", None) or repr(value), None)
    if not isinstance(value, str):
        return None
    text, currency = value.strip(), None
    for sign, code in _SIGNS.items():
        if text.startswith(sign) or (text.startswith(("-" + sign, "+" + sign))):
            text, currency = text.replace(sign, "", 1).strip(), code
    words = text.split()
    if len(words) == 2:
        if re.fullmatch("[A-Z]{3}", words[0]):
            words.reverse()
        if not re.fullmatch("[A-Z]{3}", words[1]) or currency not in (None, words[1]):
            return None
        text, currency = words[0], words[1]
    if comma:
        if "." in text and _GROUPED.match(text.translate(_EXCHANGED)) is None:
            return None  # a point that sets no thousands apart
        text = text.translate(_EXCHANGED)
    return _finite(text, currency)


def _finite(text: str, currency: str | None) -> Amount | None:
    if len(text) > MAX_DIGITS:
        return None
    if _GROUPED.match(text):
        text = text.replace(",", "")
    elif not _PLAIN.match(text):
        return None
    try:
        return Amount(Decimal(text), currency)
    except InvalidOperation:
        return None
