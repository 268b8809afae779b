"""Personas as a model provider of Inspect AI."""

from __future__ import annotations

import json
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from seamwise.errors import UsageError, did_you_mean
from seamwise.models._personas import PERSONAS
from seamwise.models._scene import Reply, Scene, playbook_of
from seamwise.models._seeds import seeded


@modelapi(name="seamwise")
class SeamwiseAPI(ModelAPI):
    """A scripted model: ``seamwise/<persona>``.

    Who it plays stands in the metadata of the system message (``[world, role]``); a conversation without it, or of a world that has no
    rules, gets an empty answer from ``null`` and a plain one from the others.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # Inspect's own signature
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name not in PERSONAS:
            raise UsageError(
                f"expected a persona, got `{model_name}`", hint=did_you_mean(model_name, PERSONAS) or f"one of {', '.join(PERSONAS)}"
            )
        self.persona = PERSONAS[model_name]

    async def count_text_tokens(self, text: str) -> int:
        """A quarter of the characters; the library's own way would fetch a table from the network."""
        return max(1, len(text) // 4)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """One reply by the rules of the world."""
        system = next((m for m in input if m.role == "system"), None)
        world, role = _address(system)
        scene = Scene(
            persona=self.persona,
            world=world,
            role=role,
            system=system.text if system else "",
            messages=input,
            tools={t.name: t for t in tools},
            rng=seeded(config.seed or 0, world, role, self.persona.name, len(input)),
        )
        playbook = playbook_of(world)
        if self.persona.name == "null":
            reply = Reply()
        elif playbook is None:
            reply = Reply("I have no rules for this conversation.")
        else:
            reply = playbook(scene)
        message = ChatMessageAssistant(
            content=reply.text,
            source="generate",
            model=self.model_name,
            tool_calls=[
                ToolCall(id=f"call_{len(input)}_{n}", function=c.name, arguments=dict(c.arguments)) for n, c in enumerate(reply.calls)
            ]
            or None,
        )
        read = sum(len(m.text) for m in input) // 4
        written = (len(reply.text) + sum(len(json.dumps(dict(c.arguments))) for c in reply.calls)) // 4
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls" if reply.calls else "stop")],
            usage=ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written),
        )


def _address(system: ChatMessage | None) -> tuple[str, str]:
    metadata = (system.metadata or {}) if system is not None else {}
    pair = metadata.get("seamwise")
    return (str(pair[0]), str(pair[1])) if isinstance(pair, list) and len(pair) == 2 else ("", "")
