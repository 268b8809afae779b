"""How one field of a record is read off a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from seamwise.binding._amount import Unit, amount_of, unit_of
from seamwise.binding._cursor import Cursor
from seamwise.binding._path import MISSING, Getter, compile_path, decoded
from seamwise.binding._spelling import SPELLING_KEYS, spelling_changes
from seamwise.record import Step

FIELD_KEYS = ("path", "value", "json", "pattern", *SPELLING_KEYS, "map", "decimal", "unit", "negate")


class _Unparsed:
    """The type of :data:`UNPARSED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNPARSED"

    def __reduce__(self) -> str:
        return "UNPARSED"  # there is one, in every process


UNPARSED: Final = _Unparsed()
"""A value was recorded and does not parse as what the binding says that it is."""

Change = Callable[[Any], Any]
PathReader = Callable[[Cursor], Getter]
"""Compiles a path: into a step, or into a row of a table."""


class Named(NamedTuple):
    """Something that is done to a value, and what a message calls what it expects."""

    expects: str
    change: Change


class Field(NamedTuple):
    """One field of a stream's records."""

    name: str
    get: Getter
    """The field's value, MISSING or UNPARSED."""
    currency: str | None = None
    """The currency that the binding states for it."""
    is_amount: bool = False
    why: Why | None = None
    """Says of a step where and on what the field did not parse."""


class Why(NamedTuple):
    """Finds out once more, step by step, where reading a field fails."""

    place: str
    raw: Getter
    changes: tuple[Named, ...]

    def __call__(self, opening: Step | None, step: Step) -> tuple[str, Any]:
        """What was expected, and the value that was met there."""
        value = self.raw(opening, step)
        for expects, change in self.changes:
            changed = change(value)
            if changed is UNPARSED:
                return expects, value
            value = changed
        return "a value", value


def compile_field(name: str, cursor: Cursor, read: PathReader = compile_path) -> Field:
    """The field that a path or a mapping describes.

    Args:
        name: What it is called.
        cursor: The path or the mapping.
        read: Compiles paths.

    Raises:
        PackError: It describes none.
    """
    place = cursor.document.where(cursor.path)
    if isinstance(cursor.value, str):
        return _assembled(name, read(cursor), [], _unit_by_name(name), place)
    if not isinstance(cursor.value, Mapping):
        raise cursor.expected("a path or a mapping", hint=f"a constant is written `{name}: {{value: ...}}`")
    parts = cursor.fields(FIELD_KEYS)
    if ("path" in parts) == ("value" in parts):
        raise cursor.error("expected either `path` or `value`, got " + ("both" if "path" in parts else "neither"))
    unit = _unit(parts) or _unit_by_name(name)
    if unit is None and (word := next((w for w in ("decimal", "negate") if w in parts), None)):
        raise parts[word].error(f"expected `{word}` beside a `unit`, got it alone", hint="`unit: number` where it is no money", key=True)
    if "value" in parts:
        constant = frozen(parts["value"].value)
        return _assembled(name, lambda opening, step: constant, _changes(parts), unit, place)
    return _assembled(name, paths_of(parts["path"], read), _changes(parts), unit, place)


def paths_of(cursor: Cursor, read: PathReader = compile_path) -> Getter:
    """Reads a path, or the first of several that leads to something."""
    if not isinstance(cursor.value, (list, tuple)):
        return read(cursor)
    getters = [read(item) for item in cursor.items()]
    if not getters:
        raise cursor.expected("at least one path")

    def first(opening: Step | None, step: Step) -> Any:
        for get in getters:
            value = get(opening, step)
            if value is not MISSING and value is not None:
                return value
        return MISSING

    return first


def _unit_by_name(name: str) -> Unit | None:
    return Unit(None, 0) if name == "amount" else None


def _unit(parts: dict[str, Cursor]) -> Unit | None:
    if "unit" not in parts:
        return None
    text = parts["unit"].text()
    unit = unit_of(text)
    if unit is None:
        hint = "`USD` (any three letters), `USD cents` (or `mills`, `micros`, `thousands`), `cents` or `number`"
        raise parts["unit"].expected("a unit", hint=hint)
    comma = "decimal" in parts and parts["decimal"].one_of((",", ".")) == ","
    return unit._replace(comma=comma, negate="negate" in parts and parts["negate"].flag())


def change_of(parts: dict[str, Cursor]) -> Change | None:
    """What is done to a value once it is read, as one function; None: nothing."""
    changes = _changes(parts)
    if not changes:
        return None

    def change(value: Any) -> Any:
        for _, one in changes:
            value = one(value)
            if value is UNPARSED:
                break
        return value

    return change


def _changes(parts: dict[str, Cursor]) -> list[Named]:
    """What is done to the recorded value, in the order of the words below."""
    out: list[Named] = []
    if "json" in parts and parts["json"].flag():
        out.append(Named("JSON", lambda value: decoded(value) if isinstance(value, str) else value))
    if "pattern" in parts:
        out.append(Named(f"text like `{parts['pattern'].value}`", _matching(parts["pattern"])))
    out += [Named("text", change) for change in spelling_changes(parts)]
    if "map" in parts:
        table = {name: frozen(entry.value) for name, entry in parts["map"].entries().items()}
        known = ", ".join(f"`{name}`" for name in list(table)[:8])
        out.append(Named(f"one of {known}", lambda value: table.get(_key(value), UNPARSED)))
    return out


def _key(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _matching(cursor: Cursor) -> Change:
    pattern = cursor.pattern()
    if pattern.groups > 1 and "value" not in pattern.groupindex:
        hint = "write `(?P<value>...)`; several fields at once are read with `match` of the rule"
        raise cursor.error(f"expected one group or a group named `value`, got {pattern.groups} groups", hint=hint)
    group: str | int = "value" if "value" in pattern.groupindex else 1 if pattern.groups else 0

    def match(value: Any) -> Any:
        found = pattern.search(value if isinstance(value, str) else _key(value))
        return UNPARSED if found is None or found[group] is None else found[group]

    return match


def _assembled(name: str, get: Getter, changes: list[Named], unit: Unit | None, place: str) -> Field:
    if unit is not None:
        changes = [*changes, Named(f"an amount{'' if unit.currency is None else f' in {unit.currency}'}", _amounts(unit))]
        why = Why(place, get, tuple(changes))
        return Field(name, _chained(get, [c for _, c in changes]), unit.currency, is_amount=True, why=why)
    changes = [*changes, Named("a value", frozen)]
    return Field(name, _chained(get, [c for _, c in changes]), why=Why(place, get, tuple(changes)))


_WITHOUT_CENTS = frozenset({"JPY", "KRW", "CLP", "ISK", "VND"})


def _amounts(unit: Unit) -> Change:
    padded = unit.currency is not None and unit.currency not in _WITHOUT_CENTS

    def change(value: Any) -> Any:
        amount = amount_of(value, comma=unit.comma)
        if amount is None or amount.currency not in (None, unit.currency):
            return UNPARSED  # a `$` counts as dollars only where the binding says that it does
        number = amount.number.copy_negate() if unit.negate else amount.number
        return _written(number, unit.shift, padded=padded)

    return change


def _written(number: Decimal, shift: int, *, padded: bool) -> Decimal:
    """The number divided by a power of ten and, where it is money, written with cents; exact, however many digits it has."""
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int) or (not shift and not padded):
        return number
    exponent -= shift
    if padded and -2 < exponent <= 0:
        digits, exponent = (*digits, *(0,) * (exponent + 2)), -2
    return Decimal((sign, digits, exponent))


def _chained(get: Getter, changes: list[Change]) -> Getter:
    if len(changes) == 1:
        change = changes[0]

        def one(opening: Step | None, step: Step) -> Any:
            value = get(opening, step)
            if type(value) is str and change is frozen:
                return value
            return MISSING if value is MISSING or value is None else change(value)

        return one

    def several(opening: Step | None, step: Step) -> Any:
        value = get(opening, step)
        if value is MISSING or value is None:
            return MISSING
        for change in changes:
            value = change(value)
            if value is UNPARSED:
                return UNPARSED
        return value

    return several


class Frozen(dict[str, Any]):
    """A mapping that is not changed any more, so that it may stand in sets and as a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


_EXACT = 2.0**53
"""Below this a float that is whole is one whole number and no other."""


def frozen(value: Any) -> Any:
    """Lists as tuples and floats as the decimals that they were written as, so that values compare exactly."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or kind is Decimal:
        return value
    if isinstance(value, float):
        if value.is_integer() and abs(value) < _EXACT:
            return int(value)  # a column of numbers with gaps holds 17 as 17.0, and both are the customer 17
        amount = amount_of(value)
        return UNPARSED if amount is None else amount.number
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item) for item in value)
    if isinstance(value, Mapping):
        return Frozen((str(name), frozen(item)) for name, item in value.items())
    return value
