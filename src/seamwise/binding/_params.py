"""Parameters of a contract as a person writes them, as the plain values that the kind's type takes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, get_args

import msgspec

from seamwise.binding._amount import amount_of
from seamwise.binding._composed import composed
from seamwise.binding._cursor import Cursor
from seamwise.kernel import Kind


class Param(NamedTuple):
    """One field of a kind's parameters."""

    name: str
    type: Any
    default: Any
    """None where it has none (or none is the default)."""

    @property
    def is_amount(self) -> bool:
        """Whether it is an exact number."""
        return self.type is Decimal or Decimal in get_args(self.type)


class Given:
    """What a contract gives: plain values, whose word some of them are, and the currency of its amounts."""

    __slots__ = ("currency", "spoken", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.spoken: dict[str, tuple[str, str]] = {}
        self.currency: str | None = None


def params_of(kind: Kind[Any]) -> dict[str, Param]:
    """The parameters of a kind, by name."""
    out = {}
    for field in msgspec.structs.fields(kind.params):
        default = None if field.default is msgspec.NODEFAULT else field.default
        out[field.encode_name] = Param(field.encode_name, field.type, default)
    return out


def given_params(parts: Mapping[str, Cursor], params: Mapping[str, Param]) -> Given:
    """The parameters of a contract as plain values.

    Raises:
        PackError: An amount is none, two amounts are of two currencies, or an assumption does not say whose it is.
    """
    given = Given()
    for name, cursor in parts.items():
        cursor = _assumed(name, cursor, given)
        if params[name].is_amount:
            given.values[name] = _amount(cursor, given)
        else:
            given.values[name] = _plain(cursor.value)
    _one_currency(parts, params, given)
    return given


def _one_currency(parts: Mapping[str, Cursor], params: Mapping[str, Param], given: Given) -> None:
    """A limit without a currency does not take its own from a smaller amount beside it, as it may well be of another."""
    name = next((p.name for p in params.values() if p.is_amount), None)
    if given.currency is None or "currency" in parts or name is None or name not in parts:
        return
    amount = amount_of(parts[name].value)
    if amount is not None and amount.currency is None:
        words = f"expected an amount in {given.currency}, as the others of this contract, got one without a currency"
        raise parts[name].error(words, hint=f"write `{name}: {amount.number} {given.currency}`")


def _assumed(name: str, cursor: Cursor, given: Given) -> Cursor:
    """``{none: true, by: user, because: ...}``: a value together with whose word it is."""
    if not isinstance(cursor.value, Mapping) or not {"by", "because"} & set(cursor.value):
        return cursor
    entries = cursor.entries()
    words = [word for word, entry in entries.items() if word not in ("by", "because") and entry.value is True]
    if len(words) != 1 or len(entries) != 1 + sum(word in entries for word in ("by", "because")):
        raise cursor.error(f"expected one statement, as in `{name}: {{none: true, by: user, because: ...}}`, got {len(words)}")
    if "because" not in entries:
        raise cursor.error("expected `because`, got nothing", hint="say why one may believe it; the verdict quotes it")
    given.spoken[name] = (entries["by"].text() if "by" in entries else "user", entries["because"].text())
    return cursor.at(words[0], value=words[0])


def _amount(cursor: Cursor, given: Given) -> Decimal | None:
    if cursor.value is None:
        return None
    amount = amount_of(cursor.value)
    if amount is None:
        raise cursor.expected("an amount", hint="`40`, `40.00` or `40 USD`")
    if amount.currency is not None:
        if given.currency not in (None, amount.currency):
            raise cursor.error(f"expected an amount in {given.currency}, as the others of this contract, got one in {amount.currency}")
        given.currency = amount.currency
    return amount.number


def _plain(value: Any) -> Any:
    """The value without what a document remembers of it."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, Mapping):
        return {composed(str(name)): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
