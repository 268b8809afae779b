"""What the contracts of ``org.yaml`` are about: small scenes of tool calls, most of them in order, some with a fault or a hole."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

P_FAULT = 0.01
"""Share of scenes in which the contract is violated."""
P_HOLE = 0.01
"""Share of scenes in which the record that would decide it is missing."""


class Call(NamedTuple):
    """One operation of an agent: a tool call and what came back."""

    actor: str
    tool: str
    arguments: dict[str, Any]
    result: Any = None
    """None: no ending was recorded."""


class World(NamedTuple):
    """What scenes of all traces share."""

    n_customers: int


class Scene(NamedTuple):
    """The randomness and the names of one scene."""

    rng: Random
    name: str
    """Distinct in the corpus."""
    world: World
    fault: bool
    hole: bool

    def unless_hole(self, result: Any) -> Any:
        return None if self.hole else result


def credit(s: Scene) -> list[Call]:
    """A goodwill payment; a faulty one is the last of several that cross the cap together."""
    rng = s.rng
    customer = f"c{rng.randrange(s.world.n_customers)}"
    payers = rng.sample(("support", "retention", "billing", "recovery"), 4)
    out = []
    for payer in payers if s.fault else payers[:1]:
        cents = rng.randrange(1300, 1900) if s.fault else rng.randrange(100, 900)
        if payer == "billing":
            answer: Any = f"refund issued (ref {rng.randrange(10**6)})"
            out.append(Call(payer, "refund", {"cust": customer, "cents": cents, "note": "wrong charge"}, s.unless_hole(answer)))
        else:
            arguments = {"customer_id": customer, "amount": cents / 100, "reason": "goodwill"}
            out.append(Call(payer, "issue_credit", arguments, s.unless_hole({"status": "done"})))
    return out


def voucher(s: Scene) -> list[Call]:
    value = s.rng.randrange(110, 150) if s.fault else s.rng.randrange(2, 12)
    arguments = {"guest": f"g{s.rng.randrange(s.world.n_customers)}", "value": value}
    return [Call("concierge", "grant_voucher", arguments, s.unless_hole({"granted": True}))]


def contract(s: Scene) -> list[Call]:
    version = s.rng.randrange(1, 6)
    checked = version - 1 if s.fault else version
    arguments = {"contract": s.name, "version": checked}
    return [
        Call("legal", "policy_check", arguments, s.unless_hole({"status": "passed"})),
        Call("closer", "sign_contract", {"contract": s.name, "version": version}, {"signed": True}),
    ]


def release(s: Scene) -> list[Call]:
    review = Call("qa", "qa_review", {"build": s.name}, s.unless_hole({"verdict": s.rng.choice(("pass", "pass_with_notes"))}))
    ship = Call("operator", "ship_release", {"build": s.name}, {"url": f"release/{s.name}"})
    return [ship, review] if s.fault else [review, ship]


def _decide(s: Scene, actor: str, topic: str, verdict: str, result: Any = None) -> Call:
    arguments = {"decision": s.name, "topic": topic, "verdict": verdict}
    return Call(actor, "record_decision", arguments, {"policy_match": True} if result is None else result)


def credit_file(s: Scene) -> list[Call]:
    items = ["credit_report", "id_check"]
    brief = {"to": ["analyst"], "decision": s.name, "items": items[:1] if s.fault or s.hole else items, "whole": not s.hole}
    return [
        Call("research", "publish", {"items": items}, {"published": 2}),
        Call("triage", "send_brief", brief, {"delivered": True}),
        _decide(s, "analyst", "credit", s.rng.choice(("grant", "refuse"))),
    ]


def survey(s: Scene) -> list[Call]:
    brief = {"to": ["planner"], "decision": s.name, "items": [] if s.fault else ["site_survey"], "whole": True}
    return [
        Call("surveyor", "publish", {"items": ["site_survey"]}, {"published": 1}),
        Call("triage", "send_brief", brief, s.unless_hole({"delivered": True})),
        _decide(s, "planner", "build", s.rng.choice(("start", "wait"))),
    ]


def _carried(s: Scene, topic: str, tool: str, done: str) -> list[Call]:
    verdict = s.rng.choice(("alpha", "beta", "gamma"))
    answer = {"status": "rejected" if s.fault else "accepted", done: {"verdict": verdict}}
    return [
        _decide(s, "lead", topic, verdict),
        Call("clerk", tool, {"decision": s.name, "payload": {"verdict": verdict}}, s.unless_hole(answer)),
    ]


def order(s: Scene) -> list[Call]:
    return _carried(s, "order", "submit_order", "executed")


def shipment(s: Scene) -> list[Call]:
    return _carried(s, "shipment", "dispatch", "shipped")


def reports(s: Scene) -> list[Call]:
    n = s.rng.randrange(1, 4)
    out = []
    for i in range(n):
        odd = i == n - 1
        answer: dict[str, Any] = {"accepted": True, "verified": not (odd and s.fault), "weight": s.rng.randrange(1, 4)}
        if odd and s.hole:
            del answer["verified"]
        out.append(Call("desk", "admit_report", {"report": f"{s.name}-{i}"}, answer))
    return out


def sources(s: Scene) -> list[Call]:
    n = s.rng.randrange(1, 4)
    out = []
    for i in range(n):
        arguments: dict[str, Any] = {"source": f"{s.name}-{i}", "origin": f"wire-{s.name}-{0 if s.fault else i}"}
        if s.hole and i == n - 1:
            del arguments["origin"]
        out.append(Call("desk", "cite_source", arguments, {"accepted": True, "weight": 1}))
    if s.fault and n == 1:
        out.append(Call("desk", "cite_source", {"source": f"{s.name}-b", "origin": f"wire-{s.name}-0"}, {"accepted": True, "weight": 2}))
    return out


def plan(s: Scene) -> list[Call]:
    rng = s.rng
    items = {"deadline": "2026-06-30", "owner": rng.choice(("lead", "clerk")), "budget": rng.randrange(100)}
    out = [Call("planner", "save_plan", {"plan": s.name, "items": items, "whole": True}, {"version": 1})]
    later = {**items, "budget": rng.randrange(100, 200)}
    if rng.random() < 0.5 and not s.fault:
        later["deadline"] = "2026-07-31"
        allowed = Call("lead", "allow_change", {"plan": s.name, "item": "deadline", "to": "2026-07-31"}, {"allowed": True})
        out.append(allowed)
    if s.fault:
        del later["deadline"]
    out.append(Call("clerk", "save_plan", {"plan": s.name, "items": later, "whole": not s.hole}, {"version": 2}))
    return out


def page(s: Scene) -> list[Call]:
    out = []
    for version in (1, 2):
        arguments = {"page": s.name, "items": {"text": f"draft {s.rng.randrange(1000)}"}}
        out.append(Call("editor", "save_page", arguments, {"version": version}))
    read = {"version": 1 if s.fault else 2} if not s.hole else {}
    out.append(Call("publisher", "load_page", {"page": s.name}, read))
    return out


def offer(s: Scene) -> list[Call]:
    levels = ("recommended", "in_review", "approved")
    level = s.rng.randrange(3)
    said = min(level + 1, 2) if s.fault else level
    word = level - 1 if s.fault and level == 2 else level
    return [
        Call("committee", "committee_vote", {"deal": s.name, "level": levels[word]}, s.unless_hole({"noted": True})),
        Call("seller", "send_offer", {"deal": s.name, "level": levels[said]}, {"sent": True}),
    ]


def forecast(s: Scene) -> list[Call]:
    word, said = ("reviewed", "final") if s.fault else ("final", "final") if s.rng.random() < 0.5 else ("reviewed", "reviewed")
    return [
        Call("controller", "release_figures", {"figures": s.name, "level": word}, s.unless_hole({"noted": True})),
        Call("analyst", "post_forecast", {"figures": s.name, "level": said}, {"posted": True}),
    ]


def _answer(s: Scene, requester: str, field: str, canary: str) -> list[Call]:
    text = f"the {field} is {canary}" if s.fault else f"owner and status of {s.name}: as agreed"
    arguments: dict[str, Any] = {"to": [requester], "text": text, "fields": [field] if s.fault else ["owner", "status"], "structured": True}
    if s.hole:
        arguments["structured"] = False
    return [Call("assistant", "answer", arguments, {"sent": True})]


def bid(s: Scene) -> list[Call]:
    return _answer(s, "alex", "bid", "CANARY-77")


def salary(s: Scene) -> list[Call]:
    return _answer(s, "dana", "salary", "CANARY-31")


def _edit(s: Scene, holder: str, other: str, action: str) -> list[Call]:
    edit = Call(other if s.fault else holder, "edit_clause", {"action": action, "clause": s.name}, s.unless_hole({"saved": True}))
    if s.fault or s.hole or s.rng.random() < 0.5:
        return [edit._replace(actor=other)] if s.hole else [edit]
    grant = {"action": action, "grantee": other, "withdrawn": False}
    return [Call(holder, "authorize", grant, {"noted": True}), edit._replace(actor=other)]


def liability(s: Scene) -> list[Call]:
    return _edit(s, "counsel", "closer", "edit_liability")


def pricing(s: Scene) -> list[Call]:
    return _edit(s, "pricing", "seller", "edit_pricing")


def analysis(s: Scene) -> list[Call]:
    arguments = {"task": "analysis", "delegate": "planner" if s.fault or s.hole else "analyst"}
    return [Call("lead", "assign_task", arguments, s.unless_hole({"accepted": True}))]


def translation(s: Scene) -> list[Call]:
    arguments = {"task": "translation", "delegate": "polyglot" if s.fault or s.hole else "lingua"}
    return [Call("lead", "assign_task", arguments, s.unless_hole({"accepted": True}))]


SCENES: tuple[Callable[[Scene], list[Call]], ...] = (
    credit,
    voucher,
    contract,
    release,
    credit_file,
    survey,
    order,
    shipment,
    reports,
    sources,
    plan,
    page,
    offer,
    forecast,
    bid,
    salary,
    liability,
    pricing,
    analysis,
    translation,
)
"""One a contract, in the order of ``org.yaml``."""


def scene(rng: Random, name: str, world: World) -> list[Call]:
    """The calls of one scene of a random sort."""
    chance = rng.random()
    fault, hole = chance < P_FAULT, P_FAULT <= chance < P_FAULT + P_HOLE
    return rng.choice(SCENES)(Scene(rng, name, world, fault, hole))
