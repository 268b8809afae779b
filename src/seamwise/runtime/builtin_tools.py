"""Tools that every world has: documents, messages, and how approvers, checkers and relays answer."""

from __future__ import annotations

from typing import Any

from seamwise.runtime._tools import Call, Tool, ToolRefused, tool


@tool
def search_documents(call: Call, query: str) -> list[dict[str, str]]:
    """Search the organization's documents; returns the passages that fit best.

    Args:
        query: What to look for.
    """
    found = call.runtime.documents.search(query, call.caller)
    call.runtime.record(
        "read",
        actor=call.caller,
        status="ok",
        data={"query": query, "items": sorted({name for name, _ in found})},
        streams=("reads", f"reads/{call.caller}"),
    )
    return [{"document": name, "passage": passage} for name, passage in found]


@tool
def open_document(call: Call, name: str) -> str:
    """Open one document and read all of it.

    Args:
        name: The document's name.
    """
    found = call.runtime.documents.open(name, call.caller)
    if found is None:
        raise ToolRefused(f"there is no document `{name}` that you may read")
    call.runtime.record("read", actor=call.caller, status="ok", data={"items": [name]}, streams=("reads", f"reads/{call.caller}"))
    return found.text


@tool
async def send_message(call: Call, to: str, channel: str, text: str) -> str:
    """Send a message to a colleague.

    Args:
        to: The colleague.
        channel: On which channel.
        text: What you say.
    """
    sent = await call.runtime.send(call.caller, to, channel, text)
    if not sent.ok:
        raise ToolRefused(sent.reason)
    return "delivered"


@tool(ends_turn=True)
def approve(call: Call, reason: str = "") -> str:
    """Approve the request.

    Args:
        reason: Why.
    """
    return "approved"


@tool(ends_turn=True)
def reject(call: Call, reason: str) -> str:
    """Reject the request.

    Args:
        reason: Why.
    """
    return "rejected"


@tool(ends_turn=True)
def report_check(call: Call, passed: bool, reason: str) -> str:
    """Report whether what you were asked to check holds.

    Args:
        passed: Whether it holds.
        reason: What you found.
    """
    return "reported"


@tool(ends_turn=True)
def pass_on(call: Call, note: str = "") -> str:
    """Pass the message on.

    Args:
        note: What you add to it.
    """
    return "passed on"


@tool(ends_turn=True)
def hold_back(call: Call, reason: str) -> str:
    """Keep the message back.

    Args:
        reason: Why.
    """
    return "kept back"


def _named(*tools: Any) -> dict[str, Tool]:
    return {t.name: t for t in tools}


COMMON_TOOLS = _named(search_documents, open_document, send_message)
APPROVAL_TOOLS = _named(approve, reject)
CHECK_TOOLS = _named(report_check)
RELAY_TOOLS = _named(pass_on, hold_back)
