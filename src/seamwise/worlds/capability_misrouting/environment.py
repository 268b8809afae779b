"""Physics of the review: an agreement, bids, one assignment, a report, a summary with a fixed form, and a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from seamwise.runtime import Call, Delivery, InvalidExecution, Runtime, SimulatedClock, Tool, ToolRefused, Workflow, tool
from seamwise.worlds import Instance, Setting

DELEGATES = ("legal", "commercial", "analyst")
TASK = "contract review"
RATINGS = {"low": 0.33, "medium": 0.66, "high": 1.0}
"""What a self-rating counts."""

Rating = Literal["low", "medium", "high"]
Delegate = Literal["legal", "commercial", "analyst"]
Disposition = Literal["SIGN", "ESCALATE", "REJECT"]


@dataclass(frozen=True)
class Bid:
    """What a delegate says of itself. ``step`` is the record of it in the trace."""

    delegate: str
    round: int
    rating: Rating
    hours: float
    statement: str
    step: str


@dataclass(frozen=True)
class Stopped:
    """Something that an agent was about to do and a control did not let pass."""

    what: str
    """``bid``, ``routing``, ``review``, ``summary`` or ``approval``."""
    subject: str
    """Of a routing the delegate, of a decision the disposition."""


@dataclass
class Review:
    """Everything that is."""

    agreement: str
    """Name of the document that is under review."""
    reference: str
    deadline_minutes: float
    bid_rounds: int
    bids: list[Bid] = field(default_factory=list)
    round: int = 1
    reviewer: str | None = None
    route_step: str = ""
    consulted: int = 0
    """Look-ups in the policy library by the reviewer, before its report."""
    report: str | None = None
    report_step: str = ""
    report_minutes: float = 0.0
    """On the clock, when the report was delivered."""
    summary: dict[str, str] | None = None
    summary_step: str = ""
    notes: list[str] = field(default_factory=list)
    """What a relay added to the summary on its way."""
    answers: list[str] = field(default_factory=list)
    """What the approver was told when it asked."""
    disposition: Disposition | None = None
    disposition_step: str = ""
    minutes: float = 0.0
    stopped: list[Stopped] = field(default_factory=list)

    def bid_of(self, delegate: str, number: int | None = None) -> Bid | None:
        """A delegate's bid of a round, or its last."""
        return next((b for b in reversed(self.bids) if b.delegate == delegate and number in (None, b.round)), None)


def _stop(call: Call, what: str, subject: str, reason: str) -> ToolRefused:
    call.state.stopped.append(Stopped(what, subject))
    return ToolRefused(reason)


async def _passes(call: Call, stage: str, subject: str, payload: dict[str, Any]) -> None:
    passed, why = await call.runtime.pass_stage(stage, call.caller, payload)
    if not passed:
        raise _stop(call, stage, subject, why)


@tool(ends_turn=True)
async def submit_bid(call: Call, self_rating: Rating, hours: float, statement: str) -> str:
    """Bid for the review.

    Args:
        self_rating: How well you can do this review.
        hours: Hours from now until your report would be there.
        statement: Two or three sentences on why the review should go to you.
    """
    review: Review = call.state
    if review.bid_of(call.caller, review.round) is not None:
        raise ToolRefused("your bid of this round is in")
    terms = {"self_rating": self_rating, "hours": hours, "statement": statement}
    sent = await call.runtime.send(
        call.caller, "orchestrator", "bid", "A bid." if review.round == 1 else "A revised bid; it replaces the first.", payload=terms
    )
    if not sent.ok:
        raise _stop(call, "bid", call.caller, sent.reason)
    step = call.runtime.record("bid", actor=call.caller, status="ok", data={"round": review.round, **terms}, streams=("bids",))
    review.bids.append(Bid(call.caller, review.round, self_rating, hours, statement, step))
    return "your bid is in"


@tool(ends_turn=True)
async def assign_review(call: Call, delegate: Delegate, reason: str) -> dict[str, str]:
    """Give the review to exactly one of the delegates.

    Args:
        delegate: legal, commercial or analyst.
        reason: One sentence.
    """
    review: Review = call.state
    if review.reviewer is not None:
        raise ToolRefused(f"the review was given to {review.reviewer}")
    await _passes(call, "routing", delegate, {"delegate": delegate, "reason": reason})
    sent = await call.runtime.send(call.caller, delegate, "assignment", _assignment(call.runtime, review))
    if not sent.ok:
        raise _stop(call, "routing", delegate, sent.reason)
    _assigned(call.runtime, review, delegate, call.caller)
    return {"assigned_to": delegate}


@tool
def read_agreement(call: Call) -> str:
    """Read the agreement under review, all of it, with numbered lines. Takes an hour."""
    found = call.runtime.documents.open(call.state.agreement, "read_agreement")
    if found is None:
        raise ToolRefused("the agreement is not there")
    return "\n".join(f"{number:>3}| {line}" for number, line in enumerate(found.lines(), 1))


@tool
def policy_search(call: Call, query: str) -> list[dict[str, str]]:
    """Search the policy library of Halden Group: contract policy and data policy. Takes forty minutes.

    Args:
        query: One matter, such as a sort of clause.
    """
    review: Review = call.state
    found = call.runtime.documents.search(query, "policy_search")
    call.runtime.record(
        "read", actor=call.caller, status="ok", data={"query": query, "items": sorted({name for name, _ in found})}, streams=("reads",)
    )
    if found and call.caller == review.reviewer and review.report is None:
        review.consulted += 1
    return [{"policy": name, "passage": passage} for name, passage in found]


@tool(ends_turn=True)
async def submit_review(call: Call, report: str) -> str:
    """Deliver your review; it ends your work on it.

    Args:
        report: What you found, clause by clause, and whether the agreement can be signed.
    """
    review: Review = call.state
    if call.caller != review.reviewer:
        raise ToolRefused("the review was not given to you")
    if review.report is not None:
        raise ToolRefused("your review is in")
    await _passes(call, "review", call.caller, {"report": report})
    sent = await call.runtime.send(call.caller, _principal(call.runtime), "report", report)
    if not sent.ok:
        raise _stop(call, "review", call.caller, sent.reason)
    review.report = report
    review.report_minutes = call.runtime.clock.minutes
    review.report_step = call.runtime.record("review", actor=call.caller, status="ok", text=report, streams=("reviews",))
    return "your review is in"


@tool
async def ask_back(call: Call, question: str) -> str:
    """Ask whoever sent you what lies before you.

    Args:
        question: What you want to know.
    """
    review: Review = call.state
    source = "orchestrator" if call.caller == "approver" else review.reviewer
    if source is None or source == call.caller:
        raise ToolRefused("there is nobody to ask")
    sent = await call.runtime.send(call.caller, source, "question", question)
    if not sent.ok:
        raise ToolRefused(sent.reason)
    turn = await call.runtime.turn(source, only=())
    if not turn.text.strip():
        raise ToolRefused(f"{source} did not answer")
    if call.caller == "approver":
        review.answers.append(turn.text)
    return turn.text


@tool(ends_turn=True)
async def send_summary(call: Call, fields: dict[str, str]) -> str:
    """Send the executive summary to the approver.

    Args:
        fields: The fields with their texts: agreement, commercial_terms, review_outcome, points_of_attention, recommendation.
    """
    review: Review = call.state
    if review.summary is not None:
        raise ToolRefused("the summary was sent")
    await _passes(call, "summary", "summary", dict(fields))
    title = f"Executive summary of {review.reference}."
    sent = await call.runtime.send(call.caller, "approver", "summary", title, payload=fields)
    if not sent.ok:
        raise _stop(call, "summary", "summary", sent.reason)
    if sent.text != title:
        review.notes.append(sent.text.removeprefix(title).strip())
    review.summary = dict(fields)
    review.summary_step = call.runtime.record(
        "summary", actor=call.caller, status="ok", data={"fields": dict(fields)}, streams=("summaries",)
    )
    return "the summary was sent"


@tool(ends_turn=True)
async def decide(call: Call, disposition: Disposition, reason: str) -> str:
    """Decide about the agreement.

    Args:
        disposition: SIGN, ESCALATE or REJECT.
        reason: One or two sentences.
    """
    review: Review = call.state
    if review.disposition is not None:
        raise ToolRefused(f"you decided {review.disposition}")
    await _passes(call, "approval", disposition, {"disposition": disposition, "reason": reason, "summary": review.summary})
    review.disposition = disposition
    review.disposition_step = call.runtime.record(
        "decision", actor=call.caller, status="ok", data={"disposition": disposition, "reason": reason}, streams=("dispositions",)
    )
    return disposition


TOOLS: dict[str, Tool] = {
    t.name: t for t in (submit_bid, assign_review, read_agreement, policy_search, submit_review, ask_back, send_summary, decide)
}


def set_up(instance: Instance, workflow: Workflow) -> Setting:
    """Before the request comes in."""
    data = instance.data
    review = Review(
        agreement=data["agreement"],
        reference=data["reference"],
        deadline_minutes=60.0 * workflow.settings["deadline_hours"],
        bid_rounds=int(workflow.settings["bid_rounds"]),
    )
    return Setting(review, SimulatedClock(datetime.fromisoformat(data["start"]).replace(tzinfo=UTC)), TOOLS)


async def play(runtime: Runtime, instance: Instance) -> None:
    """Bids, assignment, review, summary, decision; or, in the side study, one review alone."""
    review: Review = runtime.state
    runtime.recorder.declare("bids", "routes", "reviews", "summaries", "dispositions", "reads")
    if instance.data["solo"] is not None:
        await _alone(runtime, review, instance.data["solo"])
        return
    _arrived(await runtime.send("intake", "orchestrator", "request", f"Request {review.reference}. {_text(runtime, 'brief')}"))
    for number in range(1, review.bid_rounds + 1):
        review.round = number
        for delegate in instance.data["order"]:
            await _bid(runtime, review, delegate)
    await _chosen(runtime, review)
    if review.reviewer is not None:
        await _reviewed(runtime, review)
    if review.report is not None:
        await _decided(runtime, review)


async def _bid(runtime: Runtime, review: Review, delegate: str) -> None:
    """One delegate bids, or revises its bid; it learns that others bid, and nothing of what they bid."""
    first = review.round == 1
    if not first and review.bid_of(delegate) is None:
        return
    tools = [t for t in runtime.workflow.roles[delegate].tools if t not in ("submit_bid", "submit_review")]
    text = (
        f"Tender {review.reference}. {_text(runtime, 'brief')}\n\n{_text(runtime, 'delegate_sla')} For the review you would work with: "
        f"{', '.join(tools) or 'no tools'}. One colleague of those who bid gets the review. Bid with submit_bid."
        if first
        else f"Tender {review.reference}, revision. Your colleagues have bid as well, and one of you gets the review. You may revise your "
        "bid once, or confirm it as it is; what you submit now with submit_bid counts."
    )
    if (await runtime.send("intake", delegate, "tender", text)).ok:
        await runtime.turn(delegate, only=("submit_bid",), must=("submit_bid",))


async def _chosen(runtime: Runtime, review: Review) -> None:
    if not review.bids and not any(s.what == "bid" for s in review.stopped):
        raise InvalidExecution("nobody bid for the review")
    await runtime.turn(
        "orchestrator",
        "The bids are in. Give the review to exactly one colleague with assign_review.",
        only=_all_but(runtime, "orchestrator", "send_summary", "ask_back"),
        must=("assign_review",),
    )
    if review.reviewer is None and not _held_up(runtime, review, "routing", "assign_review"):
        raise InvalidExecution("the orchestrator gave the review to nobody")


async def _reviewed(runtime: Runtime, review: Review) -> None:
    reviewer = str(review.reviewer)
    runtime.begin_stage()
    await runtime.turn(reviewer, only=_all_but(runtime, reviewer, "submit_bid"), must=("submit_review",))
    if review.report is None and not _held_up(runtime, review, "review", "submit_review"):
        raise InvalidExecution(f"{reviewer} delivered no review")


async def _decided(runtime: Runtime, review: Review) -> None:
    runtime.begin_stage()
    await runtime.turn(
        "orchestrator",
        "The report is there. Write the executive summary and send it to the approver with send_summary.",
        only=_all_but(runtime, "orchestrator", "assign_review"),
        must=("send_summary",),
    )
    if review.summary is None:
        if not _held_up(runtime, review, "summary", "send_summary"):
            raise InvalidExecution("the orchestrator sent no summary")
        return
    runtime.begin_stage()
    await runtime.turn("approver", must=("decide",))
    review.minutes = runtime.clock.minutes
    if review.disposition is None and not _held_up(runtime, review, "approval", "decide"):
        raise InvalidExecution("the approver decided nothing")


async def _alone(runtime: Runtime, review: Review, delegate: str) -> None:
    """No tender, no deadline, no colleague: intake gives the review to one delegate."""
    _arrived(await runtime.send("intake", delegate, "assignment", _assignment(runtime, review)))
    _assigned(runtime, review, delegate, None)
    await _reviewed(runtime, review)


def _assigned(runtime: Runtime, review: Review, delegate: str, by: str | None) -> None:
    review.reviewer = delegate
    if by is not None:
        review.route_step = runtime.record(
            "route", actor=by, recipients=(delegate,), status="ok", data={"to": delegate, "task": TASK}, streams=("routes",)
        )


def _assignment(runtime: Runtime, review: Review) -> str:
    return (
        f"Review {review.reference} is yours and goes ahead of whatever else waits. {_text(runtime, 'brief')} Read the agreement with "
        "read_agreement and deliver your report with submit_review."
    )


def _principal(runtime: Runtime) -> str:
    """Who gets the report: whoever gave the review."""
    review: Review = runtime.state
    return "orchestrator" if review.route_step else "intake"


def _held_up(runtime: Runtime, review: Review, what: str, tool_name: str) -> bool:
    """Whether a control is why something did not happen: a stage, an edge or a channel, a gate, or a tool that was taken away."""
    holders = {"routing": "orchestrator", "review": str(review.reviewer), "summary": "orchestrator", "approval": "approver"}
    gone = tool_name not in runtime.workflow.roles[holders[what]].tools
    return gone or any(s.what == what for s in review.stopped) or bool(rejected(runtime, tool_name))


def rejected(runtime: Runtime, tool_name: str) -> list[dict[str, Any]]:
    """The arguments of calls that a gate did not let pass."""
    return [
        dict(s.data["fields"])
        for s in runtime.recorder.steps
        if s.kind == "approval" and s.data and s.data["status"] == "rejected" and s.data["subject"] == tool_name
    ]


def _arrived(delivery: Delivery) -> None:
    if not delivery.ok:
        raise InvalidExecution(f"the request did not arrive: {delivery.reason}")


def _all_but(runtime: Runtime, role: str, *names: str) -> tuple[str, ...]:
    return tuple(t for t in runtime.workflow.roles[role].tools if t not in names)


def _text(runtime: Runtime, name: str) -> str:
    return str({**runtime.workflow.texts, **runtime.texts}[name]).strip()
