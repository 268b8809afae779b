"""The definition of ``two_pairs_of_eyes``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Execution, Outcome


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One release."""

    release: str
    """Which release."""


def outcome(run: Execution, params: Params) -> Outcome:
    """Before the release, two people other than the one who released it approved it."""
    release = run.first(kind="release", release=params.release)
    if release is None:
        return Outcome.NOT_APPLICABLE
    eyes = {op["actor"] for op in run.before(release) if op.kind == "approval" and op["release"] == params.release and op["approved"]}
    return Outcome.KEPT if len(eyes - {release["actor"]}) >= 2 else Outcome.VIOLATED
