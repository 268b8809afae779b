"""A loopback gateway: any model of Inspect, personas and recorded replies with them, behind OpenAI's chat interface.

    with Gateway(journal=Journal(Path("replies.jsonl"))) as gateway:
        openai.OpenAI(base_url=gateway.base_url, api_key="none").chat.completions.create(model="seamwise/careful", ...)

It is for frameworks that bring a client of their own, and for testing such clients against a provider that fails. Who a persona plays
stands in the headers ``x-seamwise-world`` and ``x-seamwise-role``, the seed in the request's ``seed``. It listens on this machine alone,
asks for no key, and is no server for others.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, get_args

from seamwise.errors import UsageError
from seamwise.models._budget import Budget, BudgetSpentError
from seamwise.models._journal import Journal
from seamwise.models._personas import PERSONAS
from seamwise.models._voice import Voice, VoiceFailedError

Fault = Literal["error", "rate_limit", "timeout", "malformed"]
"""What a provider may do wrong: answer 500, answer 429, close after a silence without an answer, or send what is no JSON."""

LARGEST = 32 * 1024 * 1024
"""Bytes of a request that are read at most."""

_CLIENT_GONE = (BrokenPipeError, ConnectionResetError)


class _RefusedError(Exception):
    """A request that gets an error for an answer."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


@dataclass(frozen=True)
class Faults:
    """Which requests go wrong, and how: every ``every``-th, beginning with the first, in this order of kinds.

    The header ``x-seamwise-fault`` asks for a fault in one request.
    """

    kinds: tuple[Fault, ...] = ()
    every: int = 1
    silence: float = 30.0
    """Seconds until a ``timeout`` closes the connection."""

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in get_args(Fault):
                raise UsageError(f"expected a fault ({', '.join(get_args(Fault))}), got `{kind}`")
        if self.every < 1:
            raise UsageError(f"expected a fault at every 1st request or more seldom, got `{self.every}`")

    def of(self, number: int) -> Fault | None:
        """The fault of the request with this number, counted from 0."""
        if not self.kinds or number % self.every:
            return None
        return self.kinds[(number // self.every) % len(self.kinds)]


class Gateway:
    """The gateway, running while it is entered as a context.

    Args:
        journal: Where replies are kept and found again; an offline one answers from what was recorded alone.
        budget: What may be used.
        faults: What goes wrong.
        port: Where to listen; 0 takes a free port.
        prepare: Called with the name of a world before its personas speak, so that their rules are known.
        models: Names that ``/v1/models`` lists; the personas where none are given. Any other name that Inspect knows can be asked too.
    """

    def __init__(
        self,
        *,
        journal: Journal | None = None,
        budget: Budget | None = None,
        faults: Faults | None = None,
        port: int = 0,
        prepare: Callable[[str], object] | None = None,
        models: Sequence[str] = (),
    ) -> None:
        self.journal = journal or Journal()
        self.budget = budget or Budget()
        self.faults = faults or Faults()
        self.models = list(models) or [f"seamwise/{name}" for name in PERSONAS]
        self.requests = 0
        self._prepare = prepare
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler_of(self))
        self._server.daemon_threads = True
        self._threads = [
            threading.Thread(target=self._loop.run_forever, daemon=True),
            threading.Thread(target=self._server.serve_forever, daemon=True),
        ]

    @property
    def base_url(self) -> str:
        """What a client is given as its base address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Gateway:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        for thread in self._threads:
            thread.join(5)
        if not self._loop.is_running():
            self._loop.close()

    def next_fault(self, asked: str | None) -> Fault | None:
        """What goes wrong with the request that is next."""
        with self._lock:
            number = self.requests
            self.requests += 1
        if asked is not None:
            return Faults((asked,)).kinds[0]  # type: ignore[arg-type]  # checked there
        return self.faults.of(number)

    def silent(self) -> None:
        """Say nothing for a while."""
        self._closing.wait(self.faults.silence)

    def complete(self, request: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        """The reply to a chat request.

        Raises:
            _RefusedError: It cannot be answered.
        """
        world, role = headers.get("x-seamwise-world", ""), headers.get("x-seamwise-role", "")
        future: Future[dict[str, Any]] = asyncio.run_coroutine_threadsafe(self._complete(request, world, role), self._loop)
        return future.result()

    async def _complete(self, request: Mapping[str, Any], world: str, role: str) -> dict[str, Any]:
        from inspect_ai.model import ChatMessageSystem, get_model

        import seamwise.models.registry  # noqa: F401  # makes the personas known

        name = request.get("model")
        if not isinstance(name, str) or not name:
            raise _RefusedError(400, "invalid_request_error", "the request names no model")
        try:
            if world and self._prepare is not None:
                self._prepare(world)
            messages = [_message(m) for m in _list(request, "messages")]
            tools = [_tool(t) for t in _list(request, "tools", needed=False)]
            choice = _choice(request.get("tool_choice"))
            limit = request.get("max_completion_tokens", request.get("max_tokens"))
            seed = request.get("seed") or 0
            model = get_model(name if "/" in name else f"seamwise/{name}")
        except _RefusedError:
            raise
        except UsageError as error:
            raise _RefusedError(404, "invalid_request_error", str(error)) from error
        except Exception as error:  # whatever a provider or a message says that does not fit
            raise _RefusedError(400, "invalid_request_error", f"{type(error).__name__}: {error}") from error
        if world and not any(m.role == "system" for m in messages):
            messages.insert(0, ChatMessageSystem(content=""))
        voice = Voice(model, "agent", seed=int(seed), journal=self.journal, budget=self.budget, max_tokens=limit)
        try:
            said = await voice.say(world, role, messages, tools, choice)
        except BudgetSpentError as error:
            raise _RefusedError(429, "insufficient_quota", str(error)) from error
        except VoiceFailedError as error:
            raise _RefusedError(502, "api_error", error.cause) from error
        message: dict[str, Any] = {"role": "assistant", "content": said.message.text or None}
        if said.message.tool_calls:
            message["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.function, "arguments": json.dumps(c.arguments)}}
                for c in said.message.tool_calls
            ]
        used = voice.usage
        return {
            "id": f"chatcmpl-{self.requests}",
            "object": "chat.completion",
            "created": 0,
            "model": name,
            "choices": [{"index": 0, "message": message, "finish_reason": _STOPS.get(said.stop, "stop"), "logprobs": None}],
            "usage": {
                "prompt_tokens": used.input_tokens,
                "completion_tokens": used.output_tokens,
                "total_tokens": used.input_tokens + used.output_tokens,
            },
        }


_STOPS = {"tool_calls": "tool_calls", "max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}


def _list(request: Mapping[str, Any], name: str, *, needed: bool = True) -> list[Any]:
    value = request.get(name)
    if value is None and not needed:
        return []
    if not isinstance(value, list) or (needed and not value) or not all(isinstance(v, dict) for v in value):
        raise _RefusedError(400, "invalid_request_error", f"expected `{name}` to be a list of objects")
    return value


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = [p for p in content if isinstance(p, dict)]
        if any(p.get("type") not in ("text", "refusal") for p in parts):
            raise _RefusedError(400, "invalid_request_error", "this gateway passes on text alone")
        return "\n".join(str(p.get("text", p.get("refusal", ""))) for p in parts)
    return "" if content is None else str(content)


def _message(message: Mapping[str, Any]) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    role, text = message.get("role"), _text(message.get("content"))
    if role in ("system", "developer"):
        return ChatMessageSystem(content=text)
    if role == "user":
        return ChatMessageUser(content=text)
    if role == "tool":
        return ChatMessageTool(content=text, tool_call_id=str(message.get("tool_call_id", "")))
    if role != "assistant":
        raise _RefusedError(400, "invalid_request_error", f"expected a role of system, user, assistant or tool, got `{role}`")
    calls = []
    for asked in message.get("tool_calls") or []:
        try:
            arguments = json.loads(asked["function"]["arguments"] or "{}")
            calls.append(ToolCall(id=asked["id"], function=asked["function"]["name"], arguments=arguments))
        except (KeyError, TypeError, ValueError) as error:
            raise _RefusedError(400, "invalid_request_error", f"a tool call of the assistant cannot be read: {error}") from error
    return ChatMessageAssistant(content=text, tool_calls=calls or None)


def _tool(tool: Mapping[str, Any]) -> Any:
    from inspect_ai.tool import ToolInfo, ToolParams

    function = tool.get("function")
    if tool.get("type") != "function" or not isinstance(function, dict) or "name" not in function:
        raise _RefusedError(400, "invalid_request_error", "expected a tool of type `function` with a name")
    schema = function.get("parameters") or {}
    params = ToolParams.model_validate({k: v for k, v in schema.items() if k in ("properties", "required")})
    return ToolInfo(name=function["name"], description=function.get("description") or function["name"], parameters=params)


def _choice(choice: Any) -> Any:
    from inspect_ai.tool import ToolFunction

    if choice is None:
        return "auto"
    if isinstance(choice, dict):
        return ToolFunction(name=choice["function"]["name"])
    return "any" if choice == "required" else choice


def _handler_of(gateway: Gateway) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Requests hold recorded words; they are not written to a log."""

        def do_GET(self) -> None:
            if self.path.rstrip("/") == "/v1/models":
                listed = [{"id": name, "object": "model", "created": 0, "owned_by": name.split("/")[0]} for name in gateway.models]
                self._answer(200, {"object": "list", "data": listed})
            else:
                self._error(404, "invalid_request_error", f"there is nothing at {self.path}")

        def do_POST(self) -> None:
            try:
                body = self._body()
                if self.path.rstrip("/") != "/v1/chat/completions":
                    raise _RefusedError(404, "invalid_request_error", f"there is nothing at {self.path}")
                fault = self._fault()
                if fault is None:
                    request = json.loads(body)
                    if not isinstance(request, dict):
                        raise _RefusedError(400, "invalid_request_error", "expected a JSON object")
                    reply = gateway.complete(request, {k.lower(): v for k, v in self.headers.items()})
                    if request.get("stream"):
                        self._stream(reply, with_usage=bool((request.get("stream_options") or {}).get("include_usage")))
                    else:
                        self._answer(200, reply)
                elif fault == "error":
                    self._error(500, "api_error", "this error was asked for")
                elif fault == "rate_limit":
                    self._error(429, "rate_limit_error", "this refusal was asked for")
                elif fault == "malformed":
                    self._send(200, b'{"id": "chatcmpl-0", "choices": [{"index": 0, "mess', "application/json")
                else:
                    gateway.silent()
                    self.close_connection = True
            except _RefusedError as refused:
                self._error(refused.status, refused.kind, str(refused))
            except ValueError as error:
                self._error(400, "invalid_request_error", f"the request is no JSON: {error}")
            except _CLIENT_GONE:
                self.close_connection = True

        def _fault(self) -> Fault | None:
            try:
                return gateway.next_fault(self.headers.get("x-seamwise-fault"))
            except UsageError as error:
                raise _RefusedError(400, "invalid_request_error", str(error)) from error

        def _body(self) -> bytes:
            length = self.headers.get("content-length", "")
            if not length.isdigit() or int(length) > LARGEST:
                self.close_connection = True
                raise _RefusedError(413, "invalid_request_error", f"expected a request of at most {LARGEST} bytes that says its length")
            return self.rfile.read(int(length))

        def _stream(self, reply: dict[str, Any], *, with_usage: bool) -> None:
            """The whole reply as one chunk; a client sees the same form as from a provider that writes word by word."""
            (choice,) = reply["choices"]
            delta = dict(choice["message"])
            if "tool_calls" in delta:
                delta["tool_calls"] = [{**c, "index": n} for n, c in enumerate(delta["tool_calls"])]
            head = {**reply, "object": "chat.completion.chunk", "usage": None}
            chunks = [
                {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
            ]
            if with_usage:
                chunks.append({**head, "choices": [], "usage": reply["usage"]})
            lines = [json.dumps(c) for c in chunks] + ["[DONE]"]
            self._send(200, "".join(f"data: {line}\n\n" for line in lines).encode(), "text/event-stream")

        def _error(self, status: int, kind: str, message: str) -> None:
            with contextlib.suppress(*_CLIENT_GONE):
                self._answer(status, {"error": {"message": message, "type": kind, "param": None, "code": None}})

        def _answer(self, status: int, body: Any) -> None:
            self._send(status, json.dumps(body).encode(), "application/json")

        def _send(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
