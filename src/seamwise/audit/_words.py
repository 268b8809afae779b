"""What is missing, and what is claimed, in words that a person can act on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from seamwise.audit._refs import told
from seamwise.audit._result import ClaimRef, GapRef, StepRef
from seamwise.binding import Stream, key_shown
from seamwise.kernel import Context, Evidence, Gap, Member, Need
from seamwise.record import Claim

MAX_GAPS = 12
"""Gaps of one verdict that are told; of many alternatives the first are enough."""

_CONTEXT = {
    "rights": "who holds the right to `{}` -> org.yaml: organization.rights",
    "scope": "what `{}` is authorized for -> org.yaml: organization.scopes",
    "tools": "which tools `{}` holds -> org.yaml: organization.tools",
    "attested": "the attested capability of `{}` -> org.yaml: organization.attested",
}


class Speaker:
    """Puts the needs and claims of one instance into words.

    Args:
        refs: Record id -> its step.
        calls: Operation -> the step that stands for it.
        streams: The pack's streams.
        foreign: Record id -> the currency of the limits, where its amount is recorded in another one or in none.
    """

    def __init__(
        self,
        refs: Mapping[str, StepRef],
        calls: Mapping[str, StepRef],
        streams: Sequence[Stream],
        foreign: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self._foreign = foreign
        self._refs = refs
        self._calls = calls
        self._streams = streams

    def gap(self, gap: Gap) -> GapRef:
        """The gap in words, with the steps that it is about."""
        steps: dict[tuple[str, str], StepRef] = {}
        words = []
        wants = []
        for need in gap.needs:
            words.append(self._need(need, steps))
            wants.append(self._want(need, list(steps)))
        return GapRef(sort=gap.sort, needs=tuple(dict.fromkeys(words)), steps=tuple(steps.values()), wants=tuple(dict.fromkeys(wants)))

    def _want(self, need: Need, steps: Sequence[tuple[str, str]]) -> str:
        """What is wanted, without the instance: what sort of thing, which field, of which of the gap's steps or which stream."""
        what, name, field = need.what, need.name, ""
        if what in ("field", "meaning"):
            name, _, field = name.rpartition(".")
            if field == "status" and what == "field":
                what, field = "ending", ""
            elif field == "key":
                field = self._key_of(need)
        if what in ("ending", "field", "meaning"):
            ref = self._calls.get(name) or self._refs.get(name)
            of = "?" if ref is None else f"#{steps.index((ref.trace, ref.step))}"
            currency = self._foreign(name) if field == "amount" else None
            if currency is not None:
                return f"worth {currency} {of}"
            return " ".join(word for word in (what, "time" if field == "t" else field, of) if word)
        if what in ("stream", "route", "record"):
            family = name.partition("@")[0].partition("/")[0]
            return f"{what} {self._stream_named(family) or family}"
        if what == "context":
            part = name.removeprefix("complete:").partition("/")[0]
            return f"complete {part}" if name.startswith("complete:") else f"context {part}"
        return what

    def _need(self, need: Need, steps: dict[tuple[str, str], StepRef]) -> str:
        if need.what == "ending":
            ref = self._calls.get(need.name) or self._refs.get(need.name)
            return self._result(ref, steps) if ref else self.plain(need.words)
        if need.what in ("field", "meaning"):
            name, _, field = need.name.rpartition(".")
            ref = self._refs.get(name)
            if ref is None:
                return self.plain(need.words)
            if field == "status" and need.what == "field":
                return self._result(ref, steps)
            steps.setdefault((ref.trace, ref.step), ref)
            if need.what == "meaning":
                return f"a judgement of what {told(ref)} says ({field})"
            if field == "key":
                return f"the {self._key_of(need)} of {told(ref)}"
            currency = self._foreign(name) if field == "amount" else None
            if currency is not None:
                return f"the worth in {currency} of {told(ref)}, whose recorded amount is in another currency or none"
            if need.words.startswith("the complete "):
                return f"the complete {field} of {told(ref)}"
            return f"the {'time' if field == 't' else field} of {told(ref)}"
        if need.what == "stream":
            return f"a complete record of {self.stream(need.name)}: {self._whole(need.name)}"
        if need.what == "route":
            return f"that nothing of this kind happens beside {self.stream(need.name)}: a route claim{self._key(need.name, 'route')}"
        if need.what == "record":
            stream = self.stream(need.name)
            return self.plain(need.words).replace(f"`{need.name.split('@')[0]}`", stream)
        if need.what == "context":
            part, _, entry = need.name.partition("/")
            return _CONTEXT.get(part, f"the {part} of `{{}}`").format(entry)
        for name in need.name.split(" ? "):
            if name in self._refs:
                steps.setdefault((self._refs[name].trace, self._refs[name].step), self._refs[name])
        return self.plain(need.words)

    def _result(self, ref: StepRef, steps: dict[tuple[str, str], StepRef]) -> str:
        steps.setdefault((ref.trace, ref.step), ref)
        return f"the result of {f'`{ref.call}`' if ref.call else 'the step'} ({told(ref)})"

    def _whole(self, name: str) -> str:
        """What makes a stream complete: where it reads tables, nothing but the tables themselves, as the page takes no other word."""
        family = self._stream_named(name.partition("@")[0].partition("/")[0])
        stream = next((s for s in self._streams if s.name == family), None)
        if stream is None or not stream.tables:
            return f"a recording claim, or the system's own table{self._key(name, 'recording')}"
        tables = " and ".join(f"`{table.name}`" for table in stream.tables)
        if stream.counted_by_tables:
            return f"the table {tables} with the rows that it lacks, so that no trace tells of more than it holds"
        return f"the whole of the table {tables}; then without `complete: false` -> org.yaml: streams.{stream.name}.from"

    def _key(self, name: str, claim: str) -> str:
        """Where in the page of policy the claim on a stream is written."""
        stream = self._stream_named(name.partition("@")[0].partition("/")[0])
        return f" -> org.yaml: streams.{stream}.{claim}" if stream else ""

    def _stream_named(self, family: str) -> str | None:
        """The page's stream of that family."""
        return next((s.name for s in self._streams if s.name == family or s.name.startswith(family + "/")), None)

    def _key_of(self, need: Need) -> str:
        found = re.search(r"which of (.+)/\.\.\.", need.words)
        stream = next((s for s in self._streams if found and s.name == found[1]), None)
        return stream.key_name if stream else "key"

    def stream(self, name: str) -> str:
        """A stream in words: `` `ledger` for c3 ``."""
        name, at, part = name.partition("@")
        for stream in self._streams:
            if stream.keyed and name.startswith(stream.name + "/") and not name.endswith("/*"):
                name = f"`{stream.name}` for {key_shown(name[len(stream.name) + 1 :])}"
                break
        else:
            name = f"`{name}`"
        return f"{name} ({part})" if at else name

    def plain(self, words: str) -> str:
        """Words of the kernel with its records named as steps."""
        if "#" not in words or not self._refs:
            return words
        there = [name for name in self._refs if name in words]
        if not there:
            return words
        ids = "|".join(re.escape(name) for name in sorted(there, key=len, reverse=True))
        return re.sub(ids, lambda m: told(self._refs[m[0]]), words)

    def claim(self, member: Member, claim: Claim) -> ClaimRef:
        """A claim of a witness."""
        stream = self.stream(claim.stream if claim.range is None else f"{claim.stream}@{claim.range}")
        if claim.sort == "route":
            words = f"nothing of this kind happens beside {stream}"
        else:
            n = claim.count or 0
            words = f"all {n} operations of {stream} are recorded" if n != 1 else f"the one operation of {stream} is recorded"
            if n == 0:
                words = f"{stream} holds no operation, and every one would be recorded"
        return ClaimRef(name=str(member), words=words, by=claim.by, basis=claim.basis)

    def context(self, member: Member, context: Context) -> ClaimRef:
        """An entry of the organization in a witness, or that a part of it is complete."""
        if member.sort == "complete":
            return ClaimRef(name=str(member), words=f"the {member.name} are all that there are")
        part, _, entry = member.name.partition("/")
        value = context.get(part, entry)
        listed = ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
        return ClaimRef(name=str(member), words=f"{part} of {entry}: {listed or 'none'}")


def claims_of(witness: Sequence[Member], evidence: Evidence, speaker: Speaker) -> tuple[ClaimRef, ...]:
    """The claims and context entries of a witness."""
    claims = evidence.claim_members()
    out = []
    for member in witness:
        if member.sort == "claim":
            out += [speaker.claim(member, claim) for other, claim in claims if other == member]
        elif member.sort in ("context", "complete"):
            out.append(speaker.context(member, evidence.context))
    return tuple(out)
