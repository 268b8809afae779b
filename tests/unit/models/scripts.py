"""Models that say what a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model


def output(text: str, *, input_tokens: int = 1, output_tokens: int = 1) -> ModelOutput:
    """A reply with its usage told: where it is not, the library would count tokens with a table from the network."""
    said = ModelOutput.from_content("mockllm/model", text)
    said.usage = ModelUsage(input_tokens=input_tokens, output_tokens=output_tokens, total_tokens=input_tokens + output_tokens)
    return said


def saying(*texts: str) -> Model:
    """Says these, one after another."""
    return get_model("mockllm/model", custom_outputs=[output(t) for t in texts], memoize=False)


def answering(act: Callable[..., Any]) -> Model:
    """Answers by a function of what it is asked."""
    return get_model("mockllm/model", custom_outputs=act, memoize=False)


def fails(*_: Any, **__: Any) -> Sequence[ModelOutput]:
    """Cannot be reached."""
    raise ConnectionError("the wire is cut")
