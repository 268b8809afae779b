"""A monitor with a mistake, for docs/writing-a-kind.md: it takes an approval without a name for one more person."""

from __future__ import annotations

from dataclasses import replace

from seamwise.kernel import Outcome, View, field_is
from two_pairs_of_eyes import KIND
from two_pairs_of_eyes.p import Params


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The right outcomes, except where enough records, not people, approved."""
    for release in view.pool("releases").sure:
        approvals = [
            op
            for op in view.pool("approvals").sure
            if field_is(op, "release", params.release) and field_is(op, "approved", True) and view.precedes(op, release)
        ]
        names = {op.get("actor") or op.id for op in approvals}  # the mistake: nobody's name is somebody's name
        if field_is(release, "release", params.release) and len(names - {release.get("actor")}) >= 2:
            return frozenset({Outcome.KEPT})
    return KIND.possible(view, params)


WRONG = replace(KIND, possible=possible)
