"""One contract of a pack: a kind, its parameters, and what its instances are anchored at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from seamwise.binding._anchors import anchor_of
from seamwise.binding._composed import all_composed
from seamwise.binding._cursor import Cursor, shown
from seamwise.binding._field import frozen
from seamwise.binding._params import Given, Param, given_params, params_of
from seamwise.binding._policy import PolicyRef, compile_policy
from seamwise.binding._stream import Stream
from seamwise.errors import PackError, UsageError, did_you_mean
from seamwise.kernel import Anchor, Kind
from seamwise.kinds import kind_names, kind_of, misfit_of
from seamwise.risks import risk_code, risks

OWN_KEYS = ("kind", "risk", "policy", "required", "across", "where", "by_subject")
Across = Literal["corpus", "trace"]
PERIODS = ("day", "month", "quarter", "year")
PLACEHOLDER = "~"
"""Stands for what an instance fills in while a contract is only being checked."""


class Spoken(NamedTuple):
    """What a user says for an assumption: who, and why."""

    by: str
    because: str


@dataclass(frozen=True, kw_only=True)
class Contract:
    """A contract, ready to be instantiated."""

    name: str
    index: int
    """Its place in the pack."""
    kind: Kind[Any]
    anchor: Anchor
    streams: tuple[str, ...]
    """The streams of its anchors or keys; none where it is anchored at traces."""
    given: Mapping[str, Any]
    """Parameters as plain values, without those that an instance fills in."""
    fixed: str | None
    """The one anchor or key that the contract names, where it does."""
    policy: PolicyRef | None
    risk: str | None
    required: bool
    across: Across
    where: Mapping[str, frozenset[Any]]
    """Field of the anchor -> the values that concern the contract."""
    period: str | None
    """``day``, ``month``, ``quarter`` or ``year`` where each has an instance of its own."""
    spoken: Mapping[str, Spoken]
    """Parameter -> whose word it is."""

    def params(self, **instance: Any) -> Any:
        """The kind's parameters for one instance.

        Raises:
            msgspec.ValidationError: A value of the instance does not fit its parameter.
        """
        return msgspec.convert({**self.given, **instance}, self.kind.params, strict=False)


def compile_contract(name: str, index: int, cursor: Cursor, streams: Mapping[str, Stream], base: Path | None) -> Contract:
    """The contract under the cursor.

    Raises:
        PackError: It is none: an unknown kind or parameter, a value that does not fit, a stream that the pack does not have.
    """
    entries = cursor.entries()
    if "kind" not in entries:
        raise cursor.error("expected `kind`, got nothing", hint=f"known kinds: {', '.join(kind_names())}")
    kind = _kind(entries["kind"])
    params = params_of(kind)
    parts = cursor.fields((*OWN_KEYS, *params), what=f"parameter of `{kind.name}`")
    anchor = anchor_of(kind)
    own = "required" in parts and ("required" not in params or isinstance(parts["required"].value, bool))
    given = given_params({n: c for n, c in parts.items() if n in params and not (own and n == "required")}, params)
    anchor = _or_trace(kind, anchor, given)
    found = _anchor_streams(anchor, given, params, streams, cursor)
    if given.values.get("statements") is not None and anchor.by == "record":
        anchor = msgspec.structs.replace(anchor, kind="")  # the streams themselves say what is a statement
    stream = found[0] if found else None
    period = _per(parts["per"], given, stream) if "per" in parts and "per" in params else None
    fixed = given.values.pop(anchor.param, None) if anchor.param else None
    _currency(given, params, streams, parts, cursor)
    if anchor.by == "record" and "by_subject" in parts and parts["by_subject"].flag():
        anchor = msgspec.structs.replace(anchor, join=(*anchor.join, "subject"))
    contract = Contract(
        name=name,
        index=index,
        kind=kind,
        anchor=anchor,
        streams=tuple(s.name for s in found),
        given=given.values,
        fixed=None if fixed is None else str(fixed),
        policy=compile_policy(parts["policy"], base) if "policy" in parts else None,
        risk=_risk(parts["risk"]) if "risk" in parts else None,
        required=parts["required"].flag() if own else True,  # a kind's own parameter of this name is never a yes or no
        across=_across(parts, kind, anchor),
        where=_where(parts["where"]) if "where" in parts else {},
        period=period,
        spoken={name: Spoken(*words) for name, words in given.spoken.items()},
    )
    _check(contract, params, cursor)
    return contract


def _risk(cursor: Cursor) -> str:
    """One of the thirteen risks, or a part of one that is judged by itself (``C1a``), as the taxonomy writes it."""
    code = cursor.text()
    try:
        return risk_code(code)
    except UsageError as error:
        known = ", ".join(risks())
        raise cursor.error(f"expected a risk, got `{shown(code)}`", hint=error.hint or f"the risks are {known}") from error


def _kind(cursor: Cursor) -> Kind[Any]:
    name = cursor.text()
    try:
        return kind_of(name)
    except PackError as error:
        raise cursor.error(error.message, hint=error.hint) from error


def _or_trace(kind: Kind[Any], anchor: Anchor, given: Given) -> Anchor:
    """The anchor, or the trace itself where the parameters speak of all of a run and leave no room for an anchor."""
    if anchor.by != "record" or anchor.param in given.values:
        return anchor
    for identity in ({anchor.param: PLACEHOLDER}, {}):
        try:
            msgspec.convert({**given.values, **identity}, kind.params, strict=False)
        except (ValueError, ArithmeticError):  # told later, with its place
            continue
        return anchor if identity else Anchor(by="trace")
    return anchor


def _anchor_streams(
    anchor: Anchor, given: Given, params: Mapping[str, Param], streams: Mapping[str, Stream], cursor: Cursor
) -> list[Stream]:
    """The pack's streams that hold the anchors, or the one whose keys they are."""
    if anchor.by == "trace":
        return []
    word = next((w for w in ("stream", "statements") if w in params and (anchor.by == "key" or w == "statements")), None)
    named = given.values.get(word) if word else None
    names = [named] if isinstance(named, str) else list(named) if isinstance(named, list) else [anchor.stream] if anchor.stream else []
    if not names:
        names = [name for name, stream in streams.items() if stream.may_hold(anchor.kind)]
        if not names:
            raise cursor.error(
                f"expected a stream with records of kind `{anchor.kind}`, got none", hint=f"bind one with `as: {anchor.kind}`"
            )
    for name in names:
        if name not in streams:
            at = cursor.at(word) if word and named is not None else cursor
            raise at.error(
                f"expected a stream of the pack, got `{name}`, which it does not have",
                hint=did_you_mean(str(name), streams) or f"bind it under `streams: {name}:`; the pack has {', '.join(streams) or 'none'}",
            )
    return [streams[name] for name in names]


def _per(cursor: Cursor, given: Given, stream: Stream | None) -> str | None:
    """The period of ``per``; besides it stands at most the name of the stream's key."""
    words = list(cursor.texts())
    keys = [word for word in words if word not in PERIODS]
    known = [stream.key_name] if stream is not None and stream.keyed else []
    for word in keys:
        if word not in known:
            raise cursor.error(
                f"expected {' or '.join(f'`{w}`' for w in (*known, *PERIODS))}, got `{word}`",
                hint=did_you_mean(word, (*known, *PERIODS)) or f"the periods are {', '.join(PERIODS)}; there is no other",
            )
    periods = [word for word in words if word in PERIODS]
    if len(periods) > 1:
        raise cursor.error(f"expected one period, got {' and '.join(periods)}")
    given.values.pop("per", None)
    if periods:
        given.values["per"] = periods[0]
    return periods[0] if periods else None


def _currency(given: Given, params: Mapping[str, Param], streams: Mapping[str, Stream], parts: dict[str, Cursor], cursor: Cursor) -> None:
    """Gives the contract the currency of its amounts where the records say theirs."""
    if given.currency and "currency" not in params:
        raise cursor.error(f"expected a number, got an amount in {given.currency}: this kind knows no currencies")
    if "currency" not in params:
        return
    stream = streams.get(str(given.values.get("stream", params["stream"].default if "stream" in params else "")))
    spoken = stream.currencies if stream is not None else frozenset()
    own = given.values.get("currency")
    if own and given.currency not in (None, own):
        raise parts["currency"].error(f"expected {given.currency}, the currency of this contract's amounts, got {own}")
    stated = own or given.currency
    if stated and spoken and stream is not None and not stream.may_speak_of(stated):
        units, at = " or ".join(sorted(spoken)), parts["currency" if own else next(n for n in parts if n in params and params[n].is_amount)]
        hint = "nothing is converted: state the amount in the unit of the records, or mend the `unit` that the stream gives them"
        raise at.error(f"expected an amount in {units}, as the stream `{stream.name}` holds, got one in {stated}", hint=hint)
    if own:
        return
    if given.currency and spoken:
        given.values["currency"] = given.currency
    elif spoken and (len(spoken) > 1 or "*" in spoken):
        at = parts.get("limit", cursor)
        raise at.error("expected a currency, as the records of the stream are of several, got none", hint="write `40 USD`")


def _across(parts: dict[str, Cursor], kind: Kind[Any], anchor: Anchor) -> Across:
    default: Across = "corpus" if kind.name == "within_total" else "trace"
    if "across" not in parts:
        return default
    chosen = parts["across"].one_of(("corpus", "trace"))
    if anchor.by == "trace" and chosen == "corpus":
        raise parts["across"].error("expected `trace`, got `corpus`: this kind is anchored at a trace")
    return "corpus" if chosen == "corpus" else "trace"


def _where(cursor: Cursor) -> dict[str, frozenset[Any]]:
    out = {}
    for name, entry in cursor.entries().items():
        values = entry.items() if isinstance(entry.value, (list, tuple)) else [entry]
        try:
            out[name] = frozenset(all_composed(frozen(value.value)) for value in values)
        except TypeError:
            raise entry.expected("a value or a list of values") from None
    return out


def _check(contract: Contract, params: Mapping[str, Param], cursor: Cursor) -> None:
    """Builds the parameters once, with placeholders for what an instance fills in, and asks the kind what it reads."""
    instance: dict[str, Any] = {contract.anchor.param: PLACEHOLDER} if contract.anchor.param else {}
    try:
        made = contract.params(**instance)
    except msgspec.ValidationError as error:
        raise _misfit(error, contract, cursor) from error
    except (ValueError, ArithmeticError) as error:
        raise cursor.error(str(error)) from error
    try:
        from seamwise.kernel import Evidence

        contract.kind.spec(made, Evidence())
    except Exception as error:
        raise cursor.error(f"the kind `{contract.kind.name}` refuses these parameters: {type(error).__name__}: {error}") from error


def _misfit(error: msgspec.ValidationError, contract: Contract, cursor: Cursor) -> PackError:
    """The complaint of the kind's parameters, at the value that it is about."""
    misfit = misfit_of(error, contract.kind.params)
    at = cursor
    for part in misfit.path:
        at = at.at(part)
    return at.error(misfit.message, hint=misfit.hint)
