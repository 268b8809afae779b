"""Events of a stream as steps; several modes tell the same, and it is told once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from seamwise.importers._registry import Sink
from seamwise.importers._shared.labels import without_labels
from seamwise.importers._shared.talk import Talk
from seamwise.importers._shared.times import moment_ns
from seamwise.importers.langgraph._events import Event
from seamwise.importers.langgraph._messages import Messages, is_message
from seamwise.importers.langgraph._values import channels, configured, digest, given, object_of, removes, whole_messages
from seamwise.record import After, Ref, Trace

_KEPT = ("thread_id", "checkpoint_id", "checkpoint_ns", "run_id", "graph_id", "assistant_id")
"""What of a configuration is read; the rest may hold headers of HTTP with their secrets."""

_HARMLESS = frozenset({*_KEPT, "checkpoint_map"})

_BRANCH = "branch:to:"

_Data = dict[str, Any]

_Key = tuple[tuple[str, ...], str]
"""Graph and id of a task."""


class Stream:
    """One run as it is streamed.

    Args:
        name: Name of the trace.
        where: The file.
        sink: Report, labels and limits.
    """

    def __init__(self, name: str, where: str, sink: Sink) -> None:
        self.talk = Talk(name, sink, where=where)
        self.messages = Messages(self.talk)
        self._at = "start"
        self._number = 0
        self._tasks: dict[_Key, str] = {}
        """Task -> the step with which it began."""
        self._ended: set[_Key] = set()
        self._checkpoints: set[str] = set()
        self._states: dict[tuple[str, ...], bytes] = {}
        self._writes: Counter[tuple[tuple[str, ...], str, bytes]] = Counter()
        """Graph, node and writes that were told and that another mode may repeat -> how often."""
        self._headers = False

    def trace(self, events: list[Event]) -> Trace:
        """The trace of these events."""
        self.messages.whole = whole_messages(events)
        for number, event in enumerate(events):
            if event.mode in ("messages", "messages-tuple") and event.part not in ("metadata", "complete"):
                self.messages.expects(event.data, number)
        for number, event in enumerate(events):
            self._event(event, number)
        return self.talk.trace()

    def _event(self, event: Event, number: int) -> None:
        self._at = f"event {number + 1}"
        self._number = number
        data = event.data
        if event.mode == "debug" and isinstance(data, dict) and isinstance(data.get("payload"), dict):
            self._debug(str(data.get("type")), data["payload"], event.ns, data)
        elif event.mode == "tasks" and isinstance(data, dict):
            self._debug("task_result" if "result" in data or "error" in data else "task", data, event.ns, {})
        elif event.mode == "checkpoints" and isinstance(data, dict):
            self._debug("checkpoint", data, event.ns, {})
        elif event.mode == "values" and isinstance(data, dict):
            self._state(data, event.ns, {}, None)
        elif event.mode == "updates" and isinstance(data, dict):
            self._updates(data, event.ns)
        elif event.mode in ("messages", "messages-tuple"):
            self._messages(event)
        elif event.mode == "metadata" and isinstance(data, dict):
            self.talk.arrived(self._at)
            self.talk.about({key: data[key] for key in ("run_id", "attempt", "thread_id") if key in data})
        else:
            self.talk.arrived(self._at)
            content = data if isinstance(data, dict) else {} if data is None else {"content": data}
            kept = without_labels(content, self.talk.sink, self.talk.id, None)
            self.talk.put("note", id=self._own, data={"mode": event.mode, **self._below(event.ns), **kept})

    # ---- inside ----

    @property
    def _own(self) -> str:
        """An id for a step that has none in the recording; messages and tasks have theirs."""
        return f"event/{self._number + 1}"

    def _below(self, ns: tuple[str, ...]) -> dict[str, Any]:
        return {"ns": list(ns)} if ns else {}

    def _actor(self, ns: tuple[str, ...], node: str | None) -> str | None:
        """Whose work it is: the node's, or, in the graph below a node, that node's."""
        return ns[-1].partition(":")[0] or node if ns else node

    def _debug(self, sort: str, payload: dict[str, Any], ns: tuple[str, ...], around: dict[str, Any]) -> None:
        common: dict[str, Any] = {"time_ns": moment_ns(around.get("timestamp"))}
        data = {**self._below(ns), **({"superstep": around["step"]} if "step" in around else {})}
        if sort == "checkpoint":
            self._checkpoint(payload, ns, data, common)
            return
        identifier, node = str(payload.get("id")), payload.get("name") if isinstance(payload.get("name"), str) else None
        key, actor = (ns, identifier), self._actor(ns, node)
        data |= {"task": identifier, **({"node": node} if node != actor else {})}
        if sort == "task":
            if key in self._tasks:
                self.talk.merged("told_twice", "another mode of the stream told this task before")
                return
            self.talk.arrived(self._at)
            self._task(payload, key, actor, data, common)
        elif sort == "task_result":
            if key in self._ended:
                self.talk.merged("told_twice", "another mode of the stream told this result before")
                return
            self._ended.add(key)
            self.talk.arrived(self._at)
            self._result(payload, key, node, actor, data, common)
        else:
            self.talk.arrived(self._at)
            self.talk.put("note", id=self._own, data={"mode": "debug", "type": sort, **data, "payload": payload}, **common)

    def _task(self, payload: _Data, key: _Key, actor: str | None, data: _Data, common: _Data) -> None:
        """A node began: what it received is its input."""
        parent = self._parent(key[0])
        refs = () if parent is None else (Ref(kind="part_of", step=parent),)
        order = () if parent is None else (After(step=parent, basis="parent"),)
        triggers = payload.get("triggers")
        started = self.talk.put(
            "agent_start",
            id=key[1],
            actor=actor,
            data={**data, **({"triggers": triggers} if triggers else {})},
            refs=refs,
            order=order,
            **common,
        )
        self._tasks[key] = started
        if "input" in payload:
            received = given(payload["input"])
            self.talk.put(
                "input",
                id=f"{key[1]}/input",
                data={"for": actor, **received, "whole": True},
                refs=(Ref(kind="part_of", step=started),),
                **common,
            )

    def _result(self, payload: _Data, key: _Key, node: str | None, actor: str | None, data: _Data, common: _Data) -> None:
        """A node ended: what it wrote, then its end."""
        started = self._tasks.get(key)
        if started is None:
            self.talk.note("no_task", f"the result of task `{key[1][:80]}` has no event that says that it began")
        written = channels(payload.get("result"))
        if not self._repeated(key[0], node, written):
            self._write(written, key[0], actor, data, common)
            self._writes[key[0], node or "", digest(written)] += 1
        error = payload.get("error")
        content = {**data, **{name: payload[name] for name in ("error", "interrupts") if payload.get(name)}}
        refs = () if started is None else (Ref(kind="answers", step=started),)
        status: Any = "failed" if error else None
        self.talk.put("agent_end", id=f"{key[1]}/end", actor=actor, status=status, data=content, refs=refs, **common)

    def _parent(self, ns: tuple[str, ...]) -> str | None:
        """The step with which the task began whose graph this is."""
        if not ns:
            return None
        return self._tasks.get((ns[:-1], ns[-1].partition(":")[2]))

    def _updates(self, data: dict[str, Any], ns: tuple[str, ...]) -> None:
        """What nodes wrote, by node."""
        told = False
        for node, update in data.items():
            for one in update if isinstance(update, list) and node != "__interrupt__" else [update]:
                written = channels(one)
                if node.startswith("__") or not (isinstance(one, dict) or written):
                    if one is not None:
                        told = self._arrive(told)
                        self.talk.put("note", id=self._own, data={"mode": "updates", **self._below(ns), node: one})
                elif not self._repeated(ns, node, written):
                    told = self._arrive(told)
                    actor = self._actor(ns, node)
                    more = {**self._below(ns), **({"node": node} if node != actor else {})}
                    self._write(written, ns, actor, more, {})
                    self._writes[ns, node, digest(written)] += 1
        if not told:
            self.talk.merged("told_twice", "another mode of the stream told these writes before")

    def _arrive(self, told: bool) -> bool:
        if not told:
            self.talk.arrived(self._at)
        return True

    def _repeated(self, ns: tuple[str, ...], node: str | None, written: dict[str, Any]) -> bool:
        """Whether another mode told these writes; each telling is used up once."""
        key = (ns, node or "", digest(written))
        if self._writes[key] == 0:
            return False
        self._writes[key] -= 1
        return True

    def _write(self, written: dict[str, Any], ns: tuple[str, ...], actor: str | None, more: dict[str, Any], common: dict[str, Any]) -> None:
        """Writes of a node: messages are told, branches are routes, anything else changes the state."""
        rest: dict[str, Any] = {}
        for channel, value in written.items():
            listed = value if isinstance(value, list) else [value]
            if listed and all(is_message(entry) or removes(entry) for entry in listed):
                self.messages.written(value, ns, actor, more)
            elif channel.startswith(_BRANCH):
                self.talk.put("route", id=self._own, actor=actor, data={**more, "to": [channel.removeprefix(_BRANCH)]}, **common)
            else:
                rest[channel] = value
        if rest:
            self.talk.put(
                "state", id=self._own, actor=actor, data={**more, "object": object_of(ns), "items": rest, "whole": False}, **common
            )

    def _checkpoint(self, payload: dict[str, Any], ns: tuple[str, ...], data: dict[str, Any], common: dict[str, Any]) -> None:
        config = configured(payload.get("config"))
        if config.keys() - _HARMLESS and not self._headers:
            self._headers = True
            self.talk.note("headers_left_out", "a configuration holds more than ids, such as headers; only ids were read")
        if "thread_id" in config:
            self.talk.about({key: config[key] for key in _KEPT if key in config and not key.startswith("checkpoint")})
        identifier = config.get("checkpoint_id") or configured(payload.get("checkpoint")).get("checkpoint_id")
        if isinstance(identifier, str):
            if identifier in self._checkpoints:
                self.talk.merged("told_twice", "another mode of the stream told this checkpoint before")
                return
            self._checkpoints.add(identifier)
        more = {**data, **({"next": payload["next"]} if payload.get("next") else {})}
        parent = configured(payload.get("parent_config")).get("checkpoint_id")
        if isinstance(parent, str):
            more["parent_version"] = parent
        metadata = payload.get("metadata")
        if isinstance(metadata, dict):
            more |= {key: metadata[key] for key in ("source", "step") if key in metadata}
        values = payload.get("values", payload.get("channel_values"))
        self._state(values if isinstance(values, dict) else {}, ns, more | common, identifier if isinstance(identifier, str) else None)

    def _state(self, values: dict[str, Any], ns: tuple[str, ...], more: dict[str, Any], version: str | None) -> None:
        """A whole state: its new messages, and a version of it."""
        time = more.pop("time_ns", None)
        content = digest(values)
        if version is None and self._states.get(ns) == content:
            self.talk.merged("told_twice", "another mode of the stream told this state before")
            return
        self._states[ns] = content
        self.talk.arrived(self._at)
        for value in values.values():
            if isinstance(value, list) and any(map(is_message, value)):
                self.messages.held(value, ns, self._below(ns))
        data = {**more, "object": object_of(ns), "items": values, "whole": True}
        if version is not None:
            data["version"] = version
        self.talk.put("state", id=version or self._own, data=data, time_ns=time)

    def _messages(self, event: Event) -> None:
        """Pieces of messages, as snapshots (``partial``) or as what is added (tuples), and what is known of them."""
        data, ns = event.data, event.ns
        if event.part == "metadata" and isinstance(data, dict):
            self.talk.arrived(self._at)
            for identifier, told in data.items():
                self.messages.speaks(identifier, self._node(told.get("metadata") if isinstance(told, dict) else None, ns))
            return
        adds = event.part is None
        pair = adds and isinstance(data, list) and len(data) == 2 and isinstance(data[1], dict) and not is_message(data[1])
        actor = self._node(data[1], ns) if pair else self._actor(ns, None)
        more = self._below(ns)
        entries = [data[0]] if pair else data if isinstance(data, list) else [data]
        if event.part == "complete":
            self.talk.arrived(self._at)
            self.messages.written(entries, ns, actor, more)
            return
        for entry in entries:
            self.messages.piece(entry, actor, more, adds=adds)
        broken = [done for entry in entries if (done := self.messages.ended(entry, self._number)) is not None]
        nameless = [entry for entry in entries if is_message(entry) and not entry.get("id")]
        if not broken and not nameless:
            self.talk.merged("streamed_piece", "a piece of a streamed message; the message stands for it")
            return
        self.talk.arrived(self._at)
        for identifier in broken:
            self.messages.partly(identifier)
        self.messages.written(nameless, ns, actor, more)

    def _node(self, metadata: Any, ns: tuple[str, ...]) -> str | None:
        if not isinstance(metadata, dict):
            return self._actor(ns, None)
        node = metadata.get("langgraph_node")
        below = metadata.get("langgraph_checkpoint_ns", metadata.get("checkpoint_ns"))
        if not ns and isinstance(below, str) and below:
            # The last name is that of the node itself; those before it name the graphs that it is in.
            ns = tuple(below.split("|"))[:-1]
        return self._actor(ns, node if isinstance(node, str) else None)
