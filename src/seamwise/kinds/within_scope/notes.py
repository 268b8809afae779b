"""What else the records show: the way of a value, where it left its circle, where it stopped, and what was disclosed directly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from seamwise.kernel import RESOLVED, Note, Op, Status, Verdict, View
from seamwise.kinds.within_scope.monitor import Scopes, action_of, message_of
from seamwise.kinds.within_scope.p import Params
from seamwise.kinds.within_scope.readings import MOVES, behalf, disclosed, hops, recipients, stands_inside, ways, whom


class Carrier(NamedTuple):
    """A recorded operation that carries judged fields."""

    op: Op
    fields: tuple[str, ...]


def notes(view: View, params: Params, verdict: Verdict) -> list[Note]:
    """Headline, crossing and path of what reached a requester; anomaly and interception of what did not."""
    scopes = Scopes(view, params)
    answers = view.pool(params.where).sure if params.fields else []
    done = view.pool(params.executed).sure if params.actions else []
    carriers = [Carrier(op, fields) for op in view.ops if op.kind in MOVES and (fields := disclosed(op, params).sure)]
    out: list[Note] = []
    for op in answers:
        out += _told(view, op, params, scopes, carriers)
    for op in done:
        out += _acted(op, params, scopes)
    first = next((n for n in out if n.code == "crossing"), None)
    if first is not None:
        out.insert(0, Note(code="headline", records=first.records, words=first.words))
    if params.requester is not None and params.fields:
        out += _moved(view, answers, params, scopes, carriers, verdict)
    # where the records contradict one another and nothing else decides, nothing is said of them
    return [] if verdict.clashes and verdict.status not in RESOLVED else out


def _told(view: View, op: Op, params: Params, scopes: Scopes, carriers: list[Carrier]) -> Iterator[Note]:
    told = disclosed(op, params).sure
    outside = {who: [f for f in told if scopes.within((f,), who) == (False, True)] for who in whom(op, params).sure}
    readers = [who for who, fields in outside.items() if fields]
    if not readers or ways(op) != (True,):
        return
    fields = [f for f in told if any(f in outside[who] for who in readers)]
    words = f"{_shown(op)} tells {' and '.join(readers)} {_list(fields)}, outside {'the scope' if len(readers) == 1 else 'their scopes'}"
    if hops(op, params) == (False,):
        yield Note(code="isolated_violation", records=op.ids, words=f"{words}; it came through fewer than {params.min_hops} hops")
        return
    if not message_of(op, params, scopes).clean:
        yield Note(code="crossing", records=op.ids, words=words)
    path = [_shown(c.op) for c in carriers if any(f in fields for f in c.fields) and view.precedes(c.op, op)]
    if path:
        yield Note(code="path", records=(*path, _shown(op)), words=" -> ".join((*path, _shown(op))))


def _acted(op: Op, params: Params, scopes: Scopes) -> Iterator[Note]:
    who, action = behalf(op), op.get("action")
    if ways(op) != (True,) or who is None or action not in params.actions or scopes.within((action,), who) != (False, True):
        return
    words = f"{_shown(op)} executes `{action}` on behalf of {who}, outside the scope"
    if hops(op, params) == (False,):
        yield Note(code="isolated_violation", records=op.ids, words=f"{words}; it came through fewer than {params.min_hops} hops")
    elif not action_of(op, params, scopes).clean:
        yield Note(code="crossing", records=op.ids, words=words)


def _moved(view: View, answers: list[Op], params: Params, scopes: Scopes, carriers: list[Carrier], verdict: Verdict) -> Iterator[Note]:
    """Restricted fields that moved between agents, and the answers in which they were no more."""
    requester = str(params.requester)
    restricted = {f for f in params.fields if scopes.within((f,), requester) == (False, True)}
    told = {op.id for op in answers}
    family = params.where.rsplit("/", 1)[0]

    def strays(c: Carrier) -> bool:
        """Whether it is on its way between agents: no answer, and not known to be for those only who may have it."""
        if c.op.id in told or ways(c.op) == (False,) or restricted.isdisjoint(c.fields) or stands_inside(c.op, family):
            return False
        to = recipients(c.op)
        return not to or not all(scopes.within([f for f in c.fields if f in restricted], who) == (True, False) for who in to)

    moved = [c for c in carriers if strays(c)]
    for c in moved:
        words = f"{_shown(c.op)} moves {_list([f for f in c.fields if f in restricted])} between agents"
        yield Note(code="anomaly", records=c.op.ids, words=words)
    if not moved or verdict.status is not Status.RULED_OUT:
        return
    for op in answers:
        sure, unsure = disclosed(op, params)
        if restricted.isdisjoint((*sure, *unsure)):
            before = next((c.op for c in moved if view.precedes(c.op, op)), None)
            if before is not None:
                yield Note(
                    code="interception", records=op.ids, words=f"{_shown(op)} does not tell {requester} what {_shown(before)} carried"
                )


def _shown(op: Op) -> str:
    """The record that tells of an operation's ending, where there is one."""
    return (op.ends or op.openings or (op,))[0].id


def _list(names: list[str]) -> str:
    return " and ".join(f"`{n}`" for n in names)
