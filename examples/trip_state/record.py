"""Runs three trips through a LangGraph graph and writes what its stream gives: one JSON Lines file a run, a line ``[mode, data]`` each.

The nodes are scripts; the graph, its reducers, its checkpoints and its stream are LangGraph's own.

    pip install langgraph==1.2.24
    python examples/trip_state/record.py
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

HERE = Path(__file__).parent

Brief = dict[str, str]


class Trip(TypedDict):
    """What the agents share."""

    brief: Brief
    """What the guest needs; each node that writes it writes all of it."""
    changes: Annotated[list[dict[str, str]], operator.add]
    """What the guest has changed, in the guest's own words; nodes add to it."""
    offers: Annotated[list[str], operator.add]
    booked: str


GUESTS: dict[str, Brief] = {
    "trip-1": {"city": "Lyon", "nights": "3", "access": "wheelchair", "diet": "no nuts"},
    "trip-2": {"city": "Bonn", "nights": "2", "access": "wheelchair", "diet": "any"},
    "trip-3": {"city": "Graz", "nights": "4", "access": "wheelchair", "diet": "vegan"},
}


def intake(name: str) -> Callable[[Trip], dict[str, Any]]:
    """Writes down what the guest said."""
    return lambda _: {"brief": dict(GUESTS[name])}


def guest(name: str) -> Callable[[Trip], dict[str, Any]]:
    """Asks the guest once more; the guest of trip-2 comes with a friend now and needs no special access."""

    def node(state: Trip) -> dict[str, Any]:
        if name != "trip-2":
            return {"changes": []}
        brief = {key: value for key, value in state["brief"].items() if key != "access"}
        return {"changes": [{"item": "access", "to": "absent", "because": "my friend will help"}], "brief": brief}

    return node


def hotels(state: Trip) -> dict[str, Any]:
    """Finds rooms, beside the trains."""
    return {"offers": [f"hotel in {state['brief']['city']} for {state['brief']['nights']} nights"]}


def trains(state: Trip) -> dict[str, Any]:
    """Finds trains, beside the hotels."""
    return {"offers": [f"train to {state['brief']['city']}"]}


def price(name: str) -> Callable[[Trip], dict[str, Any]]:
    """Shortens the brief to what prices depend on; for trip-1 from a form that has no line for access."""

    def node(state: Trip) -> dict[str, Any]:
        brief = dict(state["brief"])
        if name == "trip-1":
            brief = {key: brief[key] for key in ("city", "nights", "diet")}
        return {"brief": {**brief, "price": "standard"}}

    return node


def book(state: Trip) -> dict[str, Any]:
    """Books what the brief says."""
    room = "step-free room" if state["brief"].get("access") == "wheelchair" else "room on the third floor"
    return {"booked": f"{room}, {' and '.join(state['offers'])}"}


def graph(name: str) -> Any:
    """The trip desk."""
    g = StateGraph(Trip)
    for node, run in (
        ("intake", intake(name)),
        ("guest", guest(name)),
        ("hotels", hotels),
        ("trains", trains),
        ("price", price(name)),
        ("book", book),
    ):
        g.add_node(node, run)
    g.add_edge(START, "intake")
    g.add_edge("intake", "guest")
    g.add_edge("guest", "hotels")
    g.add_edge("guest", "trains")
    g.add_edge(["hotels", "trains"], "price")
    g.add_edge("price", "book")
    g.add_edge("book", END)
    return g.compile(checkpointer=InMemorySaver())


def main() -> None:
    """Records all trips."""
    (HERE / "runs").mkdir(exist_ok=True)
    for name in GUESTS:
        config = {"configurable": {"thread_id": name}}
        start = {"brief": {}, "changes": [], "offers": [], "booked": ""}
        stream = graph(name).stream(start, config, stream_mode=["values", "updates", "tasks", "checkpoints"])
        lines = [json.dumps(event, default=str, ensure_ascii=False) for event in stream]
        (HERE / "runs" / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
