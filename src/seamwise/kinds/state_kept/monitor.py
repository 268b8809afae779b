"""The fast way to ``state_kept``'s verdict."""

from __future__ import annotations

from seamwise.kernel import Outcome, View
from seamwise.kinds.state_kept.clashes import name_clashes
from seamwise.kinds.state_kept.p import Params
from seamwise.kinds.state_kept.walk import Walk


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions; none where writes, reads and their counts contradict one another.

    Raises:
        BeyondFragmentError: The known order leaves too much open.
    """
    states = view.pool(params.state_stream)
    licences = None if params.item is None else view.pool(params.licence_stream)
    _ = view.order  # it may contradict itself
    found: frozenset[Outcome] = frozenset() if view.clashes else Walk(view, params, states, licences).outcomes()
    if not found:
        name_clashes(view, params, states)
    return found
