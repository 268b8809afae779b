"""Calls of a model in a run that was recorded as a list: what went in, whether that is all of it, and what came out.

The steps are those that the OpenTelemetry importer writes: a ``message`` for each message that no earlier input held, the ``model_call``,
its ``input`` and the ``model_result``.
"""

from __future__ import annotations

from typing import Any

from seamwise.importers._shared.messages import Message, Said, text_of, texts_of
from seamwise.importers._shared.talk import Talk
from seamwise.importers.otlp._history import Conversation, Histories
from seamwise.record import After, Claim, Ref, Status


class ModelCalls:
    """The model calls of one trace.

    Args:
        talk: The trace.
        basis: Why an input that is whole may be believed to be, in words.
    """

    def __init__(self, talk: Talk, basis: str) -> None:
        self._talk = talk
        self._basis = basis
        self._histories = Histories()
        self._conversations: dict[str, Conversation] = {}
        self._ended: dict[int, tuple[Conversation, str, int]] = {}
        """Conversation -> its last answer, and how many messages stand up to its end."""

    def call(
        self,
        *,
        id: str,
        actor: str | None,
        told: Said | None,
        model: str | None = None,
        tools: list[Any] | None = None,
        data: dict[str, Any] | None = None,
        time_ns: int | None = None,
    ) -> str:
        """A model was called; returns the id of the call, by which :meth:`result` finds it.

        Args:
            id: The id that was recorded for it.
            actor: The agent that called; None: not recorded.
            told: Its input; None: not recorded.
            model: The model's name.
            tools: Tools that were offered to it, as recorded.
            data: More about it.
            time_ns: When.
        """
        talk = self._talk
        content = dict(data or {})
        if model is not None:
            content["model"] = model
            if actor is not None and (name := talk.agent(actor)) is not None:
                known = talk.agents[name].setdefault("models", [])
                if model not in known:
                    known.append(model)
        if tools:
            content["tools"] = tools
            if names := [tool["name"] for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]:
                content["tool_names"] = names
        if told is None or not told.messages:
            talk.report.not_known("the input of a model call")
            if told is not None and told.flaw is not None:
                talk.note("input_unreadable", f"`{told.basis}`: {told.flaw}")
            return talk.put("model_call", id=id, actor=actor, data=content, time_ns=time_ns, own_call=True)
        conversation, first, reset = self._histories.add(actor, None, told, None)
        if reset is not None:
            talk.note("context_reset", reset)
        new = [self._message(told.messages[number], f"{id}/in/{number}") for number in range(first, len(told.messages))]
        order = self._repeated(conversation, first)
        call = talk.put("model_call", id=id, actor=actor, data=content, time_ns=time_ns, order=order, own_call=True)
        self._conversations[call] = conversation
        self._input(call, actor, told, new, time_ns)
        return call

    def _repeated(self, conversation: Conversation, first: int) -> tuple[After, ...]:
        """A call follows the answer that its input repeats."""
        _, answer, n = self._ended.get(id(conversation), (conversation, None, 0))
        return (After(step=answer, basis="message"),) if answer is not None and first >= n else ()

    def _input(self, call: str, actor: str | None, told: Said, new: list[str], time_ns: int | None) -> None:
        talk = self._talk
        order = [After(step=call, basis="sequence"), *(After(step=step, basis="message") for step in new)]
        data: dict[str, Any] = {"for": call, "messages": told.messages}
        stream = f"input/{actor}" if actor is not None else "input"
        if told.whole:
            data["whole"] = True
            by = f"importer:{talk.report.format}"
            talk.claims.append(Claim(sort="recording", stream=stream, range=call, count=1, by=by, basis=self._basis))
            talk.report.claims[self._basis] = talk.report.claims.get(self._basis, 0) + 1
        else:
            talk.report.not_known("whether the recorded input of a model call is whole")
            talk.note("input_not_whole", f"`{told.basis}`: {told.flaw}")
        talk.put(
            "input",
            id=f"{call}/input",
            actor=actor,
            data=data,
            refs=(Ref(kind="part_of", step=call),),
            streams=(stream,),
            order=order,
            time_ns=time_ns,
        )

    def _message(self, message: Message, identifier: str) -> str:
        """A message that was in no earlier input. Who said it is known where it bears a name; a role is a perspective, not an identity."""
        role, name = message.get("role"), message.get("name")
        data: dict[str, Any] = {"role": role}
        if others := [p for p in message["parts"] if not (isinstance(p, dict) and p.get("type") == "text")]:
            data["parts"] = others
        if name is not None:
            data["name"] = name
        actor = name if isinstance(name, str) and name and role != "tool" else None
        return self._talk.put("message", id=identifier, actor=actor, text=text_of(message), data=data)

    def result(
        self,
        call: str,
        *,
        actor: str | None,
        answered: list[Message] | None,
        status: Status | None,
        error: Any = None,
        usage: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        time_ns: int | None = None,
    ) -> str:
        """The model answered; ``answered`` is what it said, None where that was not recorded."""
        content = dict(data or {})
        text = None
        if answered:
            content["messages"] = answered
            text = texts_of(answered)
            conversation = self._conversations.pop(call, None)
            if conversation is not None:
                conversation.answered(answered)
                self._ended[id(conversation)] = (conversation, f"{call}/end", len(conversation.keys))
        else:
            self._talk.report.not_known("the output of a model call that ended")
        if usage:
            content["usage"] = usage
        if error is not None:
            content["error"] = error
        return self._talk.put(
            "model_result",
            id=f"{call}/end",
            actor=actor,
            call=call,
            status=status,
            text=text,
            data=content,
            refs=(Ref(kind="answers", step=call),),
            order=(After(step=call, basis="sequence"),),
            time_ns=time_ns,
        )

    def unfinished(self) -> None:
        """Counts a call whose ending was not recorded."""
        self._talk.report.not_known("the ending of a model call")
