"""One way to speak to a model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from seamwise.models._budget import Budget, BudgetSpentError
from seamwise.models._journal import Journal

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ChatMessageAssistant, Model
    from inspect_ai.tool import ToolChoice, ToolInfo

Part = Literal["agent", "counterpart", "judge"]
"""For whom a voice speaks. Their failures are different things, and none of them is a measurement."""


class VoiceFailedError(Exception):
    """A model could not be asked, or gave no usable answer, after all retries."""

    def __init__(self, part: Part, model: str, cause: str) -> None:
        super().__init__(f"{part} {model}: {cause}")
        self.part = part
        self.model = model
        self.cause = cause


@dataclass
class Usage:
    """Calls and tokens, as far as the provider told them."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Said:
    """What a model answered."""

    message: ChatMessageAssistant
    stop: str
    """Why it stopped: ``stop``, ``tool_calls``, ``max_tokens``, ``content_filter`` ..."""


@dataclass
class Voice:
    """A model, speaking for one part of an episode.

    Args:
        model: Inspect's model.
        part: For whom.
        seed: The episode's seed; providers that know seeds get it.
        journal: Where replies are kept and found again.
        budget: What may be used; shared by the voices of a run.
        price: USD per million input and output tokens, where known.
        max_tokens: Tokens of one reply at most.
        retries: How often a call that failed is made again.
    """

    model: Model
    part: Part
    seed: int = 0
    journal: Journal = field(default_factory=Journal)
    budget: Budget = field(default_factory=Budget)
    price: tuple[float, float] | None = None
    max_tokens: int | None = None
    retries: int = 3
    usage: Usage = field(default_factory=Usage)

    @property
    def name(self) -> str:
        """The model as people name it: ``provider/model``."""
        return str(self.model)

    @property
    def synthetic(self) -> bool:
        """Whether a script answers and no language model."""
        return self.name.startswith(("seamwise/", "mockllm/"))

    async def say(
        self, world: str, role: str, messages: Sequence[ChatMessage], tools: Sequence[ToolInfo] = (), tool_choice: ToolChoice = "auto"
    ) -> Said:
        """Ask for the next message. The first message is the system's; personas learn from its metadata who they are.

        Raises:
            VoiceFailedError: No answer after all retries, or none in an offline journal.
            BudgetSpentError: Nothing is left to spend.
        """
        from inspect_ai.model import ChatMessageAssistant, GenerateConfig

        asked = [m if m.role != "system" else m.model_copy(update={"metadata": {"seamwise": [world, role]}}) for m in messages]
        key = _key(self.name, self.part, self.seed, asked, tools, tool_choice)
        kept = self.journal.take(key)
        if kept is None:
            if self.journal.offline:
                raise VoiceFailedError(self.part, self.name, "the recorded replies hold no answer to this request")
            self.budget.check()
            config = GenerateConfig(seed=self.seed, max_tokens=self.max_tokens, max_retries=self.retries)
            try:
                output = await self.model.generate(list(asked), list(tools), tool_choice if tools else "none", config)
            except (BudgetSpentError, KeyboardInterrupt):
                raise
            except Exception as error:  # a provider may raise anything; whatever it is, this part gave no answer
                cause = _last(error)
                raise VoiceFailedError(self.part, self.name, f"{type(cause).__name__}: {cause}") from error
            if output.empty:
                raise VoiceFailedError(self.part, self.name, output.error or "the answer holds no choice")
            usage = output.usage
            kept = {
                "message": output.message.model_dump(mode="json", exclude_none=True, exclude={"id", "model"}),
                "stop": output.stop_reason,
                "input": usage.input_tokens if usage else 0,
                "output": usage.output_tokens if usage else 0,
            }
            self.journal.put(key, kept)
            self.budget.add(kept["input"], kept["output"], self.price)
        self.usage.calls += 1
        self.usage.input_tokens += kept["input"]
        self.usage.output_tokens += kept["output"]
        return Said(ChatMessageAssistant.model_validate(kept["message"]), kept["stop"])


def _last(error: BaseException) -> BaseException:
    """What went wrong in the last of several tries: the wrapper tells of it by an address in memory, another each time."""
    last = getattr(error, "last_attempt", None)
    inner = last.exception() if last is not None else None
    return inner if inner is not None else error


def _key(model: str, part: str, seed: int, messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], tool_choice: ToolChoice) -> str:
    """What is asked, without the ids that a library makes up anew each time."""
    said: list[Any] = []
    for message in messages:
        calls = [[c.function, c.arguments] for c in getattr(message, "tool_calls", None) or []]
        said.append([message.role, message.text, calls])
    offered = [[t.name, t.description, t.parameters.model_dump(exclude_none=True)] for t in tools]
    choice = tool_choice if isinstance(tool_choice, str) else tool_choice.name
    whole = [model, part, seed, said, offered, choice]
    return hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()
