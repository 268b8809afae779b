"""Optional dependencies that commands need."""

from __future__ import annotations

from importlib.util import find_spec

from seamwise.errors import MissingExtraError


def need_worlds() -> None:
    """Playing worlds needs Inspect AI.

    Raises:
        MissingExtraError: It is not installed.
    """
    for module in ("inspect_ai", "docstring_parser", "jsonschema"):
        if find_spec(module) is None:
            raise MissingExtraError(f"expected `{module}` to be installed, got none", hint="pip install 'seamwise[worlds]'")
