"""The operation that a contract is of, found by the name that the contract gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from seamwise.kernel import Op, View, field_is


def anchors_of(
    view: View, ops: Iterable[Op], name: tuple[str, str], how: Callable[[Op], tuple[str, ...]], *, may_hide: bool
) -> tuple[list[Op | None], bool]:
    """The operations of which the named one can be the one that took place, and whether it can also be that none did.

    Args:
        view: What is known; two recorded operations of the name clash in it.
        ops: The recorded operations that can stand in the anchors' stream.
        name: The field that names an anchor, and the name: ``("sign_off", "s1")``.
        how: The ways in which an operation can have ended: of ``ok``, ``failed``, ``none`` those that its records leave open.
        may_hide: Whether the stream can hold an operation that was not recorded.

    Returns:
        Recorded operations, with None for one that was not recorded. Where the named one was recorded, it alone counts: the contract is of
        this operation, and where it failed there is nothing to judge, whatever else took place.
    """
    field, value = name
    named: list[Op] = []
    maybe: list[Op | None] = []
    for op in ops:
        is_it = field_is(op, field, value)
        if is_it and how(op) != ("none",):
            named.append(op)
        elif is_it is None and "ok" in how(op):
            maybe.append(op)
    if len(named) > 1:
        view.clash(named, f"{field.replace('_', '-')} `{value}` is recorded more than once")
    if named:
        ways = how(named[0])
        return ([named[0]] if "ok" in ways else []), "failed" in ways
    return ([*maybe, None] if may_hide else maybe), True
