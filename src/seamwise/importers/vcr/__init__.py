"""VCR cassettes: the requests to language models that a test recorded, and their answers.

What is read, how it maps and what the format cannot tell stands in ``docs/formats/vcr.md``. In short:

- A cassette is one trace; each call of a model in it is a ``model_call`` with its whole input, which is claimed, and a ``model_result``.
- No header is read, and of an address only host and path: keys and cookies never come in.
- Nothing says which agent called. The order of two calls is known where the later one repeats the earlier one's answer.
- A trace that Bedrock's agents stream as they work tells more: who worked, who was asked, which tools were called.

Modules in reading order: ``_yaml`` (documents that mean harm), ``_bodies`` (packed bodies, streams), ``_providers`` (whose call it is),
``_streams`` (an answer from its pieces), ``_calls`` (the steps), ``_bedrock_agents``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamwise.importers._registry import Sink
from seamwise.importers._shared.sniff import outline
from seamwise.importers._source import Source, plain_text
from seamwise.record import Trace

_YAML = re.compile(rb"(?:\A|\n)interactions:\s*\n\s*- ")
_SDK = re.compile(rb"(?:\A|\n)messages:\s*\n\s*- (?:response|type|message|request_id|session_id)\b")


class Vcr:
    """The importer of VCR cassettes."""

    name = "vcr"
    version = 1
    summary = "VCR cassettes (YAML or JSON) with calls of language models"

    def sniff(self, head: bytes) -> int:
        """Whether interactions stand there, in YAML or JSON, or the messages of an SDK that were recorded in YAML."""
        text = plain_text(head)[0]
        if text.lstrip()[:1] in (b"{", b"["):
            seen = outline(head)
            return 88 if seen.has("interactions[].request") and seen.has("interactions[].request.uri") else 0
        if _YAML.search(text) and b"request:" in text:
            return 88
        return 72 if _SDK.search(text) and b"session_id:" in text else 0

    def read(self, source: Source, sink: Sink) -> Iterator[Trace]:
        """The trace of a cassette.

        Raises:
            FormatError: There is no call of a model in it.
        """
        from seamwise.importers.vcr._cassette import traces

        return traces(source, sink)


IMPORTER = Vcr()
