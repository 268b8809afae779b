"""Who wrote the spans: one name per resource, and whether it is one process with one clock."""

from __future__ import annotations

from typing import Any

import msgspec

from seamwise.importers.otlp import _wire as wire
from seamwise.record import Clock

_PLACES = ("host.name", "host.id", "container.id", "k8s.pod.name", "k8s.pod.uid")
_SHOWN = ("service.name", "service.namespace", "service.version", "service.instance.id", "telemetry.sdk.language", "telemetry.sdk.name")


class _Attributes(msgspec.Struct):
    attributes: list[wire.KeyValue] | None = None


_decode = msgspec.json.Decoder(_Attributes).decode


class Resources:
    """The resources of one file."""

    def __init__(self) -> None:
        self._by_bytes: dict[bytes, str] = {}
        self._by_content: dict[str, str] = {}
        self._attributes: dict[str, dict[str, Any]] = {}
        self.may_be_one = True
        """Whether all records so far are of one resource that does not say which process it is. False is final."""

    def source(self, raw: msgspec.Raw) -> str:
        """The name of a resource as it stands in the file: the same for the same attributes.

        Raises:
            msgspec.DecodeError: It is not of the common dialect.
        """
        content = bytes(raw)
        source = self._by_bytes.get(content)
        if source is None:
            source = self._by_bytes[content] = self._name(
                wire.flatten(_decode(content).attributes) if content not in (b"", b"null") else {}
            )
        return source

    def _name(self, attributes: dict[str, Any]) -> str:
        key = repr(sorted(attributes.items(), key=lambda item: item[0]))
        if key in self._by_content:
            return self._by_content[key]
        name = str(attributes.get("service.name") or "resource")
        if (instance := attributes.get("service.instance.id")) is not None:
            name = f"{name}/{instance}"
        elif (pid := attributes.get("process.pid")) is not None:
            places = [str(attributes[p]) for p in _PLACES if p in attributes]
            name = f"{name}/{places[0] if places else ''}#{pid}"
        alone, number = name, 2
        while name in self._attributes:
            name, number = f"{alone}~{number}", number + 1
        self._by_content[key] = name
        if self._attributes or "service.instance.id" in attributes or "process.pid" in attributes:
            self.may_be_one = False
        self._attributes[name] = attributes
        return name

    def clock(self, source: str) -> Clock | None:
        """The clock of a source, where it is known to be one process."""
        attributes = self._attributes.get(source, {})
        if "service.instance.id" in attributes:
            return Clock(skew_ns=0, basis="one process's clock (its resource has a service.instance.id)", reach="source")
        if "process.pid" in attributes and (attributes["process.pid"] != 1 or any(p in attributes for p in _PLACES)):
            return Clock(skew_ns=0, basis="one process's clock (its resource has a process.pid)", reach="source")
        if self.may_be_one and self._attributes:
            # other files may hold other processes of that name, so it reaches no further than the trace
            return Clock(skew_ns=0, basis="one process's clock (the file holds exactly one resource)", reach="trace")
        return None

    def shown(self, source: str) -> dict[str, Any]:
        """The few attributes of a source that people want to see; others may hold secrets."""
        attributes = self._attributes.get(source, {})
        return {k: attributes[k] for k in _SHOWN if k in attributes}
