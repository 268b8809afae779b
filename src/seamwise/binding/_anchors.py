"""What instances of the kinds are anchored at, for kinds that do not say it themselves yet."""

from __future__ import annotations

from typing import Any

from seamwise.kernel import Anchor, Kind

ANCHORS: dict[str, Anchor] = {
    "within_total": Anchor(by="key", stream="ledger", param="key"),
    "check_done": Anchor(by="record", kind="sign_off", stream="sign_offs", field="sign_off", param="sign_off", join=("subject",)),
    "rights_held": Anchor(by="record", kind="edit", stream="edits", param="edit"),
    "routed_to_qualified": Anchor(by="record", kind="route", stream="routes", param="route"),
    "status_kept": Anchor(by="record", kind="action", stream="statements", param="statement"),
    "carried_out": Anchor(by="record", kind="decision", stream="decisions", field="decision", param="decision"),
    "delivered": Anchor(by="record", kind="decision", stream="decisions", field="decision", param="decision"),
    "admitted": Anchor(by="trace"),
    "state_kept": Anchor(by="key", stream="state", param="object"),
    "within_scope": Anchor(by="key", stream="answers", param="requester"),
}
"""Used only where ``KIND.anchor`` is the default."""

_DEFAULT = Anchor(by="trace")


def anchor_of(kind: Kind[Any]) -> Anchor:
    """The kind's anchor."""
    return ANCHORS.get(kind.name, kind.anchor) if kind.anchor == _DEFAULT else kind.anchor
