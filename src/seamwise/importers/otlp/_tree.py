"""The spans of one trace as a tree: parents found, rings cut, the agent and the call above each span."""

from __future__ import annotations

from seamwise.importers._report import ImportReport
from seamwise.importers.otlp._ids import hex_id, is_absent
from seamwise.importers.otlp._nodes import Node, place


def connect(nodes: list[Node], trace: str, report: ImportReport) -> None:
    """Every node knows its parent and what stands above it. What is wrong with the tree is noted, and no node is lost."""
    by_id: dict[str, Node] = {}
    for node in reversed(nodes):
        by_id[node.id] = node
    for node in nodes:
        written = node.span.parentSpanId
        if not written:
            continue
        parent = by_id.get(written)
        if parent is None:
            parent = _elsewhere(node, written, by_id, trace, report)
        if parent is node:
            report.note("self_parent", place(trace, node), "the span names itself as its parent; it stands as a root")
        elif parent is not None:
            node.parent = parent
            parent.is_leaf = False
    for node in nodes:
        if node.settled:
            continue
        above = node.parent
        if above is None or above.settled:
            _settle(node, trace, report)
        else:
            for member in reversed(_way_up(node, trace, report)):
                _settle(member, trace, report)


def _elsewhere(node: Node, written: str, by_id: dict[str, Node], trace: str, report: ImportReport) -> Node | None:
    """The parent under another notation of its id; None for a root, and for an orphan, which is noted."""
    if is_absent(written):
        return None
    identifier = hex_id(written)
    if is_absent(identifier):
        return None
    parent = by_id.get(identifier)
    if parent is None:
        report.note("orphan", place(trace, node), f"its parent `{identifier[:60]}` is not in the file; it stands as a root")
    return parent


def _way_up(node: Node, trace: str, report: ImportReport) -> list[Node]:
    """The unsettled nodes from this one up. A ring among them is cut: its members stand as roots."""
    path: dict[Node, None] = {}
    at: Node | None = node
    while at is not None and not at.settled:
        if at in path:
            members = list(path)
            ring = members[members.index(at) :]
            names = ", ".join(n.id for n in ring[:10])
            report.note("parent_cycle", place(trace, at), f"spans {names} are each other's parents; the ring was cut")
            for member in ring:
                member.parent = None
            break
        path[at] = None
        at = at.parent
    return list(path)


def _settle(node: Node, trace: str, report: ImportReport) -> None:
    """What stands above a node whose parent is settled."""
    node.settled = True
    parent = node.parent
    if parent is None:
        return
    near: Node | None = parent
    scope: Node | None = parent
    role = parent.role
    if role != "agent":
        scope = parent.scope
        node.outside = parent.outside
        if role not in _NEAR:
            near = parent.near
    start = node.start
    if start is not None:
        if (end := parent.end) is not None and end < start:
            _began_late(node, parent, trace, report)
        elif scope is not None and scope is not parent and (end := scope.end) is not None and end < start:
            _began_late(node, scope, trace, report)
    node.near = near
    node.scope = None if node.outside else scope
    if near is not None and near.role == node.role:
        if node.role == "model":
            near.wraps = [*(near.wraps or ()), node]
        elif node.role == "tool" and _same_call(node, near):
            node.inner = near.inner or near


_NEAR = frozenset({"model", "tool", "handoff"})


def _began_late(node: Node, above: Node, trace: str, report: ImportReport) -> None:
    """Notes a node that began after a span above it had ended; by one writer's times, whose it is is then not certain."""
    if above.start is None or above.end is None or above.end < above.start:
        return
    doubt = node.source == above.source
    words = f"it began after `{above.id}` above it had ended"
    if doubt:
        node.outside = True
        if node.agent is None:
            words += "; which agent it belongs to is not certain"
    report.note("outside_parent", place(trace, node), words)


def _same_call(node: Node, outer: Node) -> bool:
    """Whether a tool span inside another records the same call once more."""
    return outer.tool == node.tool and (node.call is None or outer.call is None or node.call == outer.call)
