"""What every kind's folder holds, and how it is found."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from seamwise.errors import PackError, did_you_mean
from seamwise.kernel import Kind


def explanation(package: str) -> str:
    """The text of a kind's ``README.md``."""
    return files(package).joinpath("README.md").read_text(encoding="utf-8")


def kind_names() -> list[str]:
    """Names of all kinds, our own and registered ones, sorted."""
    return sorted({*_own(), *_registered()})


@cache
def _own() -> tuple[str, ...]:
    package = import_module("seamwise.kinds")
    return tuple(m.name for m in iter_modules(package.__path__) if m.ispkg)


@cache
def _registered() -> dict[str, Any]:
    return {e.name: e for e in entry_points(group="seamwise.kinds")}


@cache
def kind_of(name: str) -> Kind[Any]:
    """The kind of this name.

    Raises:
        PackError: There is none.
    """
    if name in _own():
        kind = import_module(f"seamwise.kinds.{name}").KIND
    elif name in _registered():
        kind = _registered()[name].load()
    else:
        raise PackError(f"unknown contract kind `{name}`", hint=did_you_mean(name, kind_names()) or "see `seamwise contracts`")
    if not isinstance(kind, Kind):
        raise PackError(f"contract kind `{name}` is not a Kind but a `{type(kind).__name__}`")
    return kind
