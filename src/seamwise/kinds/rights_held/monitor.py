"""The fast way to ``rights_held``'s verdict on an edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from seamwise.kernel import Op, Outcome, Pool, View, field_is
from seamwise.kinds.rights_held.evidence import APPROVALS, EDIT_KINDS
from seamwise.kinds.rights_held.monitor_duty import possible_duty
from seamwise.kinds.rights_held.p import EDITS, Params, holders_of
from seamwise.kinds.rights_held.readings import may_be_told, took_effect, withdraws

EITHER = frozenset({Outcome.VIOLATED, Outcome.KEPT})


def possible(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions."""
    return possible_edit(view, params) if params.duty is None else possible_duty(view, params)


def possible_edit(view: View, params: Params) -> frozenset[Outcome]:
    """The outcomes over all completions of an edit."""
    edit = params.edit or ""
    edits = view.pool(EDITS)
    words = view.pool(params.where)
    anchors: list[Op | None] = [op for op in view.ops if edit in op.ids]
    recorded = bool(anchors)
    if not recorded:
        anchors = [op for op in edits.sure if may_be_told(op, edit) is None]
        if edits.may_hide:
            anchors.append(None)
    found: set[Outcome] = set()
    for anchor in anchors:
        found |= _outcomes(view, params, words, anchor)
    if not recorded:
        found.add(Outcome.NOT_APPLICABLE)
    return frozenset(found)


def _outcomes(view: View, params: Params, words: Pool, anchor: Op | None) -> set[Outcome]:
    """The outcomes given the edit: a recorded one, or (None) an unrecorded one."""
    action = params.action or ""
    found: set[Outcome] = set()
    if anchor is not None:
        ways = took_effect(anchor, kinds=EDIT_KINDS)
        mine = field_is(anchor, "action", action)
        if mine is False or "ok" not in ways:
            return {Outcome.NOT_APPLICABLE}
        if mine is None or len(ways) > 1:
            found.add(Outcome.NOT_APPLICABLE)
    if not view.context.known("rights", action):
        return found | EITHER  # the actor may hold it, and nobody may
    holders = holders_of(view.context.parts.get("rights", {}), action)
    if anchor is None or "actor" not in anchor.fields:
        found.add(Outcome.VIOLATED)  # anybody without a word from a holder
        return found | EITHER if holders else found
    if anchor.fields["actor"] in holders:
        found.add(Outcome.KEPT)
        return found
    if not holders:
        found.add(Outcome.VIOLATED)
        return found
    return found | _granted(view, params, words, anchor, holders)


class Word(NamedTuple):
    """An authorization that can bear on the edit: from a holder, to the editor, for the action, before it."""

    op: Op
    sure: bool
    """Whether it surely does, if it stands in this register."""
    grants: bool
    withdraws: bool
    """Both, where it is not known which."""


def _granted(view: View, params: Params, words: Pool, anchor: Op, holders: tuple[str, ...]) -> set[Outcome]:
    """Whether the last word that a holder gave the editor before the edit can grant, and can fail to."""
    sure = [w for op in words.sure if (w := _word(view, op, params, anchor, holders))]
    maybe = [w for op in words.candidates if (w := _word(view, op, params, anchor, holders))]

    def can_stand(word: Word | None, opposes: Callable[[Word], bool]) -> bool:
        """Whether nothing that surely bears on the edit, and is known to come after the word, opposes it (None: nothing at all does).

        Whatever is not known to lie between can be placed before the word or after the edit, all of it at once.
        """

        def harmless(w: Word) -> bool:
            return w is word or not (w.sure and opposes(w)) or (word is not None and not view.precedes(word.op, w.op))

        return all(map(harmless, sure)) and len(words.candidates) - sum(not harmless(w) for w in maybe) >= words.forced

    found: set[Outcome] = set()
    grants = [w for w in (*sure, *maybe) if w.grants]
    if words.may_hide or any(not params.revocable or can_stand(w, lambda v: not v.grants) for w in grants):
        found.add(Outcome.KEPT)
    denies = [w for w in (*sure, *maybe) if w.withdraws] if params.revocable else []
    unrecorded = words.may_hide and params.revocable
    if unrecorded or can_stand(None, lambda v: not v.withdraws) or any(can_stand(w, lambda v: not v.withdraws) for w in denies):
        found.add(Outcome.VIOLATED)
    return found


def _word(view: View, op: Op, params: Params, anchor: Op, holders: tuple[str, ...]) -> Word | None:
    """The authorization as it bears on the edit, or None where it surely does not."""
    status = took_effect(op, kinds=APPROVALS)
    if "ok" not in status or op is anchor:
        return None
    sure = len(status) == 1
    fields = op.fields
    for field, wanted in (("action", (params.action,)), ("grantee", (anchor.fields["actor"],)), ("actor", holders)):
        if field not in fields:
            sure = False
        elif fields[field] not in wanted:
            return None
    if not view.may_precede(op, anchor):
        return None
    polarity = withdraws(op)
    return Word(op, sure and view.precedes(op, anchor), False in polarity, True in polarity)
