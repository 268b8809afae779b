"""One peer on the events of a file: ``python peer.py NAME EVENTS.json`` prints its verdicts and what they cost, as JSON.

It runs in the peers' own environment.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

LIMIT = 40
Events = list[dict[str, Any]]
Judge = Callable[[Events], dict[str, bool]]
"""Events of a trace -> rule -> whether it is violated."""


def invariant() -> Judge:
    """Pairs of tool calls, by the analyzer's own policy language."""
    os.environ["INVARIANT_MAX_ITERATIONS"] = "1000000000"
    from invariant.analyzer import LocalPolicy

    policy = LocalPolicy.from_string(
        """
from invariant import count

raise "unapproved deploy" if:
    (d: ToolCall)
    d is tool:deploy
    count(max=0):
        (a: ToolCall)
        a -> d
        a is tool:approve
        a.function.arguments.subject == d.function.arguments.subject
"""
    )

    def judge(events: Events) -> dict[str, bool]:
        messages = [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": str(n), "type": "function", "function": {"name": e["act"], "arguments": {"subject": e.get("subject", "")}}}
                ],
            }
            for n, e in enumerate(events)
        ]
        return {"approval": bool(policy.analyze(messages).errors)}

    return judge


def reelay() -> Judge:
    """Past-time temporal logic with data."""
    import reelay

    def judge(events: Events) -> dict[str, bool]:
        monitor = reelay.discrete_timed_monitor(
            pattern="forall[s]. {act: deploy, subject: *s} -> once {act: approve, subject: *s}", semantics="boolean", condense=False
        )
        bad = False
        for n, event in enumerate(events):
            out = monitor.update({"time": n, "act": event["act"], "subject": event.get("subject", "-")})
            bad |= not out["value"]
        return {"approval": bad}

    return judge


def rtamt() -> Judge:
    """Signal temporal logic on a running sum."""
    import rtamt

    spec = rtamt.StlDiscreteTimeSpecification()
    spec.declare_var("spent", "float")
    spec.declare_var("most", "float")
    spec.spec = "always(spent <= most)"
    spec.parse()

    def judge(events: Events) -> dict[str, bool]:
        spent: dict[str, float] = {}
        largest: list[float] = []
        for event in events:
            if event["act"] == "pay":
                spent[event["customer"]] = spent.get(event["customer"], 0) + event["amount"]
            largest.append(max(spent.values(), default=0))
        data = {"time": list(range(len(events))), "spent": largest, "most": [LIMIT] * len(events)}
        return {"budget": spec.evaluate(data)[0][1] < 0}

    return judge


def regopy() -> Judge:
    """Rego, one input a trace."""
    from regopy import Interpreter

    rego = Interpreter()
    rego.add_module(
        "rules",
        """
package rules

unapproved contains d.subject if {
  some i, d in input.events
  d.act == "deploy"
  not approved(d.subject, i)
}

approved(subject, i) if {
  some j, a in input.events
  a.act == "approve"
  a.subject == subject
  j < i
}

over contains customer if {
  some e in input.events
  e.act == "pay"
  customer := e.customer
  sum([x.amount | some x in input.events; x.act == "pay"; x.customer == customer]) > input.limit
}
""",
    )

    def judge(events: Events) -> dict[str, bool]:
        rego.set_input({"events": events, "limit": LIMIT})
        answer = json.loads(str(rego.query("unapproved = data.rules.unapproved; over = data.rules.over")))
        return {"approval": bool(answer["bindings"]["unapproved"]), "budget": bool(answer["bindings"]["over"])}

    return judge


PEERS: dict[str, Callable[[], Judge]] = {"invariant": invariant, "reelay": reelay, "rtamt": rtamt, "regopy": regopy}


def main() -> None:
    """Judges every trace of the file."""
    judge = PEERS[sys.argv[1]]()
    with open(sys.argv[2], encoding="utf-8") as file:
        traces: dict[str, Events] = json.load(file)
    judge([{"act": "note"}, {"act": "note"}])  # what is made once is no cost of a trace
    before = resource.getrusage(resource.RUSAGE_SELF)
    verdicts = {name: judge(events) for name, events in traces.items()}
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"cpu_s": cpu, "verdicts": verdicts}))


if __name__ == "__main__":
    main()
