"""A pack: streams, contracts and what is stated of the organization, from ``org.yaml`` or from Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from seamwise.binding._actors import Actors, compile_actors
from seamwise.binding._binder import Binder
from seamwise.binding._context import compile_context
from seamwise.binding._contract import Contract, compile_contract
from seamwise.binding._cursor import Cursor, document_of
from seamwise.binding._duration import duration_ns
from seamwise.binding._lock import Lock, digest_of_page, lock_path, read_lock, written
from seamwise.binding._reach import reaching
from seamwise.binding._stream import BY_LOCK, Stream, compile_stream
from seamwise.binding._table import TableRef, TableRule
from seamwise.binding._yaml import Document, dotted, read_yaml
from seamwise.errors import PackError, did_you_mean
from seamwise.kernel import Context
from seamwise.record import Clock

VERSION = 1
PACK_KEYS = ("version", "organization", "actors", "clock", "streams", "contracts")


class Pack:
    """What an organization cares about, bound to what its systems record.

        pack = Pack.load("org.yaml")
        pack = Pack(
            streams={"ledger": {"from": [{"tool": "pay", "fields": {"to": "arguments.to", "amount": "arguments.sum"}}], "key": "to"}},
            contracts={"cap": {"kind": "within_total", "stream": "ledger", "limit": 40}},
        )

    Args:
        streams: As under ``streams`` in ``org.yaml``.
        contracts: As under ``contracts``.
        organization: As under ``organization``.
        clock: As under ``clock``.
        actors: As under ``actors``.
        base: The folder that documents of policy lie in; None: they are looked for in the working folder, and need not be there.

    Raises:
        PackError: Something does not fit the language; the message names the place.
    """

    def __init__(
        self,
        *,
        streams: Mapping[str, Any] | None = None,
        contracts: Mapping[str, Any] | None = None,
        organization: Mapping[str, Any] | None = None,
        clock: Mapping[str, Any] | None = None,
        actors: Mapping[str, Any] | list[Any] | None = None,
        base: str | Path | None = None,
    ) -> None:
        value = {"streams": streams, "contracts": contracts, "organization": organization, "clock": clock, "actors": actors}
        given = {name: part for name, part in value.items() if part is not None}
        self._read(document_of(given, "<pack>"), None if base is None else Path(base))

    @classmethod
    def load(cls, path: str | Path, *, lock: bool = True) -> Pack:
        """The pack of a YAML file; documents of policy, tables and the lock file lie beside it.

        Args:
            path: The file.
            lock: Whether streams with ``recording: {by: lock}`` take their counts from the lock file; without it they are not counted.

        Raises:
            PackError: The file cannot be read, or does not fit the language, or its lock file does not fit it.
        """
        path = Path(path)
        try:
            content = path.read_bytes()
        except (OSError, ValueError) as error:
            what = (getattr(error, "strerror", None) or str(error)).lower()
            raise PackError(f"cannot read the pack: {what}", where=str(path), hint=_near(path)) from error
        pack = cls.parse(content, name=str(path), base=path.parent)
        if lock and any(s.recording is not None and s.recording.by == BY_LOCK for s in pack.streams.values()):
            pack._use(read_lock(lock_path(path), pack.digest))
        return pack

    @classmethod
    def parse(cls, content: str | bytes, *, name: str = "<pack>", base: str | Path | None = None) -> Pack:
        """The pack of a YAML text.

        Raises:
            PackError: It does not fit the language.
        """
        document = read_yaml(content.encode() if isinstance(content, str) else content, name)
        pack = cls.__new__(cls)
        pack._read(document, None if base is None else Path(base), versioned=True)
        return pack

    def _read(self, document: Document, base: Path | None, *, versioned: bool = False) -> None:
        self._document, self._base, self._versioned = document, base, versioned
        self.name = document.name
        root = Cursor.root(document)
        if document.value is None:
            raise root.error("expected a pack, got an empty document", hint="it begins with `version: 1`")
        parts = root.fields(PACK_KEYS, required=("version",) if versioned else ())
        if "version" in parts and parts["version"].value != VERSION:
            raise parts["version"].expected(f"`{VERSION}`", hint="this release reads version 1 of the language")
        self.context = compile_context(parts["organization"]) if "organization" in parts else Context()
        self.clock: Clock | None = None
        self.clock_by = "user"
        if "clock" in parts:
            self.clock, self.clock_by = _clock(parts["clock"])
        self.actors: Actors | None = compile_actors(parts["actors"]) if "actors" in parts else None
        entries = parts["streams"].entries() if "streams" in parts else {}
        self.streams: dict[str, Stream] = {name: compile_stream(name, entry) for name, entry in entries.items()}
        _check_families(self.streams, entries)
        _check_names_of_tables(self.streams, entries)
        entries = parts["contracts"].entries() if "contracts" in parts else {}
        self.contracts: tuple[Contract, ...] = tuple(
            reaching(compile_contract(name, i, entry, self.streams, base), self.streams, entry)
            for i, (name, entry) in enumerate(entries.items())
        )

    lock: Lock | None = None
    """The lock file, where a stream takes its count from it."""

    @property
    def digest(self) -> str:
        """Of what decides which records there are."""
        return digest_of_page(self._document.value)

    @property
    def fingerprint(self) -> str:
        """Whatever of the page, its place and its lock a result can depend on, in one text."""
        document = self._document
        places = sorted((dotted(path), tuple(place)) for path, place in document.places.items())
        keys = sorted((dotted(path), tuple(place)) for path, place in document.keys.items())
        contracts = [contract.name for contract in self.contracts]
        return repr((document.name, str(self._base), written(document.value), places, keys, contracts, self.lock))

    def _use(self, lock: Lock) -> None:
        self.lock = lock
        for name, stream in self.streams.items():
            if stream.recording is not None and stream.recording.by == BY_LOCK:
                locked = lock.streams.get(name)
                count = None if locked is None else locked.operations
                self.streams[name] = replace(stream, recording=replace(stream.recording, count=count))

    def binder(self) -> Binder:
        """Binds traces to this pack's streams."""
        return Binder(tuple(self.streams.values()), clock=self.clock, actors=self.actors)

    @property
    def tables(self) -> dict[str, TableRule]:
        """The systems of record that its streams read, by name; each knows all columns that are asked of it."""
        out: dict[str, TableRule] = {}
        for rule in (rule.table for stream in self.streams.values() for rule in stream.rules if rule.table is not None):
            had = out.get(rule.ref.name)
            out[rule.ref.name] = rule if had is None else replace(had, columns={**rule.columns, **had.columns})
        return out

    def beside(self, place: str) -> Path:
        """Where a file lies that the page names: beside the page."""
        return Path(place) if self._base is None else self._base / place

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._document, self._base, self._versioned, self.lock)


def _again(document: Document, base: Path | None, versioned: bool, lock: Lock | None) -> Pack:
    pack = Pack.__new__(Pack)
    pack._read(document, base, versioned=versioned)
    if lock is not None:
        pack._use(lock)
    return pack


def _clock(cursor: Cursor) -> tuple[Clock, str]:
    parts = cursor.fields(("skew", "by", "because"), required=("skew", "because"))
    skew = duration_ns(parts["skew"].value)
    if skew is None:
        raise parts["skew"].expected("a duration", hint="`2s`, `50ms`, `0s`")
    return Clock(skew_ns=skew, basis=parts["because"].text()), parts["by"].text() if "by" in parts else "user"


def _check_families(streams: Mapping[str, Stream], entries: Mapping[str, Cursor]) -> None:
    """Streams may lie below others only where the upper one has no keys of its own: else `a/b` would be two things."""
    for name in streams:
        above = name.rsplit("/", 1)[0] if "/" in name else ""
        if above in streams and streams[above].keyed:
            raise entries[name].error(
                f"expected another name than `{name}`: `{above}` has a stream for each {streams[above].key_name} below it", key=True
            )


def _check_names_of_tables(streams: Mapping[str, Stream], entries: Mapping[str, Cursor]) -> None:
    """Two tables are not called the same: verdicts name them."""
    seen: dict[str, TableRef] = {}
    for name, stream in streams.items():
        for ref in stream.tables:
            if seen.setdefault(ref.name, ref) != ref:
                raise entries[name].error(
                    f"expected tables of different names, got two called `{ref.name}`", hint="write `name: ...` into one of their rules"
                )


def _near(path: Path) -> str | None:
    """A hint naming a page of nearly that name beside it."""
    try:
        beside = sorted(entry.name for entry in path.parent.iterdir() if entry.suffix in (".yaml", ".yml"))
    except (OSError, ValueError):
        return None
    return None if path.name in beside else did_you_mean(path.name, beside)
