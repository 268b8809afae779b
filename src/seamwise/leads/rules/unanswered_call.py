"""Tool calls without results, and results without calls.

Innocent, and known as such: a tool whose answers this recording never holds (then it is the recording that lacks them), a call at the very
end of a run or of its agent's work, a call that waits for a person, a handoff, a call that was made again and answered, a history whose
beginning was trimmed.
"""

from __future__ import annotations

from collections.abc import Iterator

from seamwise.leads._facts import Facts, told
from seamwise.leads._lead import Hit


def find(facts: Facts) -> Iterator[Hit]:
    """Calls that nothing answers although others of their tool were answered, and answers to calls that are not there."""
    calls = facts.calls.values()
    answered = {call.tool for call in calls if call.answers and call.at >= 0}
    last = len(facts.steps) - 1
    for call in calls:
        if call.at >= 0 and not call.answers:
            if call.tool not in answered or call.is_handoff or call.waits or facts.retried(call) is not None:
                continue
            if call.at >= facts.last_of.get(call.actor, last) or _only_calls_after(facts, call.at):
                continue  # the agent did nothing more: the run was cut or it is still waiting
            yield Hit(
                f"tool {call.tool}",
                f"{told(facts.steps[call.at], call.at)} was called, no result of it is recorded, and its caller went on; other calls of "
                f"`{call.tool}` were answered",
                ((call.at, "the call without a result"), (facts.last_of[call.actor], "its caller's last step")),
            )
        elif call.at < 0 and not facts.is_trimmed:
            at = call.answers[0]
            earlier = next((c for c in calls if 0 <= c.at < at), None)
            if earlier is None:
                continue  # the recording begins in the middle of the run
            yield Hit(
                f"tool {call.tool}",
                f"{told(facts.steps[at], at)} answers a call that is not in the recording, though earlier calls are",
                ((at, "the result without a call"),),
            )


def _only_calls_after(facts: Facts, at: int) -> bool:
    """Whether nothing but further calls and their answers of the same round stands after a call: the run ended while it was open."""
    return all(step.kind in ("tool_call", "tool_result", "agent_end") for step in facts.steps[at + 1 :])
