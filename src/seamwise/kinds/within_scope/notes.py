"""What else the records show: the way of a value, where it left its circle, where it stopped, and what was disclosed directly."""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.kernel import Note, Op, Status, Verdict, View
from seamwise.kinds.within_scope.monitor import Scopes, action_of, message_of
from seamwise.kinds.within_scope.p import Params
from seamwise.kinds.within_scope.readings import MOVES, behalf, disclosed, hops, ways, whom


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """Headline, crossing and path of what reached a requester; anomaly and interception of what did not."""
    scopes = Scopes(view, params)
    answers = view.pool(params.where).sure if params.fields else []
    done = view.pool(params.executed).sure if params.actions else []
    out: list[Note] = []
    for op in answers:
        out += _told(view, op, params, scopes)
    for op in done:
        out += _acted(op, params, scopes)
    if params.fields:
        out += _moved(view, answers, params, scopes, verdict)
    return out


def _told(view: View, op: Op, params: Params, scopes: Scopes) -> Iterator[Note]:
    readers = whom(op, params).sure
    outside = [f for f in disclosed(op, params).sure if any(scopes.within((f,), who) == (False, True) for who in readers)]
    if not outside or ways(op) != (True,):
        return
    words = f"{op.id} tells {' and '.join(readers)} {_list(outside)}, outside the scope"
    if hops(op, params) == (False,):
        yield Note(code="isolated_violation", records=op.ids, words=f"{words}; it came through fewer than {params.min_hops} hops")
        return
    yield Note(code="headline", records=op.ids, words=words)
    if message_of(op, params, scopes).violating:
        yield Note(code="crossing", records=op.ids, words=words)
    path = [x for x in _carriers(view, outside, params) if view.precedes(x, op)]
    if path:
        ids = tuple(x.id for x in path)
        yield Note(code="path", records=(*ids, op.id), words=" -> ".join((*ids, op.id)))


def _acted(op: Op, params: Params, scopes: Scopes) -> Iterator[Note]:
    may = action_of(op, params, scopes)
    if ways(op) != (True,) or may.neither:
        return
    words = f"{op.id} executes `{op.get('action')}` on behalf of {behalf(op)}, outside the scope"
    if may.violating and not may.clean:
        yield Note(code="headline", records=op.ids, words=words)
        yield Note(code="crossing", records=op.ids, words=words)
    elif hops(op, params) == (False,) and (who := behalf(op)) is not None and op.get("action") in params.actions:
        if scopes.within((op.fields["action"],), who) != (False, True):
            return
        yield Note(code="isolated_violation", records=op.ids, words=f"{words}; it came through fewer than {params.min_hops} hops")


def _moved(view: View, answers: list[Op], params: Params, scopes: Scopes, verdict: Verdict) -> Iterator[Note]:
    """Restricted fields that moved between agents, and the answers in which they were no more."""
    if params.requester is None:
        return
    restricted = [f for f in params.fields if scopes.within((f,), params.requester) == (False, True)]
    moved = [x for x in _carriers(view, restricted, params) if x not in answers and ways(x) == (True,)]
    for op in moved:
        words = f"{op.id} moves {_list([f for f in disclosed(op, params).sure if f in restricted])} between agents"
        yield Note(code="anomaly", records=op.ids, words=words)
    if not moved or verdict.status is not Status.RULED_OUT:
        return
    for op in answers:
        sure, unsure = disclosed(op, params)
        if whom(op, params).sure and not {*sure, *unsure} & {*restricted} and any(view.precedes(x, op) for x in moved):
            yield Note(code="interception", records=op.ids, words=f"{op.id} does not tell {params.requester} what {moved[0].id} carried")


def _carriers(view: View, fields: list[str], params: Params) -> list[Op]:
    """The recorded operations that surely carry one of the fields."""
    return [op for op in view.ops if op.kind in MOVES and any(f in fields for f in disclosed(op, params).sure)]


def _list(names: list[str]) -> str:
    return " and ".join(f"`{n}`" for n in names)
