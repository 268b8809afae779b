"""An audit as JUnit XML: one test case per contract, for the test report of any CI.

A contract fails where a violation is supported, is an error where a verdict is invalid or the contract could not judge, and is skipped
where nothing but unknowns are left (with what would decide them) or where it has no instance. Findings that a baseline accepts do not
fail it.
What could not be read is an error of a case of its own, so that a broken export does not look like a passed run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from seamwise.audit import Result, Summary
from seamwise.kernel import Status
from seamwise.render._names import plural
from seamwise.render._rollup import count_words, damage, fresh_words, masked_words, read_words
from seamwise.render._story import LABELS, Story, stories
from seamwise.render.audit_text import story_text
from seamwise.render.plain import one_line, visible

MAX_TOLD = 20
"""Findings of one contract that are told in full."""
_ERRORS = (Status.MEASUREMENT_INVALID, Status.NOT_JUDGED)


def audit_junit(summary: Summary, results: Iterable[Result]) -> str:
    """The report, which ends in a newline."""
    told = stories(results)
    by_contract: dict[str, list[Story]] = {one_line(name): [] for name in summary.contracts}
    for s in told.stories:
        by_contract.setdefault(s.contract, []).append(s)
    cases = [_Case(name, members, told.names) for name, members in by_contract.items()]
    problems = [f"{one_line(e.where)}: {one_line(e.message)}" + (f" ({one_line(e.hint)})" if e.hint else "") for e in summary.errors]
    return "\n".join(_lines(summary, cases, problems)) + "\n"


class _Case:
    """One contract and how it ends."""

    def __init__(self, name: str, members: Sequence[Story], names: dict[str, str]) -> None:
        self.name = name
        self.members = members
        self._names = names
        self.new = [s for s in members if not s.accepted]
        self.failing = [s for s in self.new if s.status is Status.SUPPORTED]
        self.errors = [s for s in self.new if s.status in _ERRORS]
        self.unknown = [s for s in self.new if s.status is Status.UNKNOWN]
        self.end = "failure" if self.failing else "error" if self.errors else "skipped" if self.unknown or not members else ""

    def lines(self) -> Iterator[str]:
        kind = self.members[0].kind if self.members else "contract"
        yield f"    <testcase classname={_attribute(f'seamwise.{kind}')} name={_attribute(self.name)}>"
        if self.end == "skipped":
            yield f"      <skipped message={_attribute(self._open())}/>"
        elif self.end:
            worst = [*self.failing, *self.errors]
            message = f"{self._counted()}: {worst[0].instance}: {worst[0].headline or worst[0].reason}"
            yield f'      <{self.end} type="{worst[0].status.value}" message={_attribute(message)}>{_text(self._told(worst))}</{self.end}>'
        out = [f"{self._counted()}"] + [f"{s.instance}: {s.accepted}" for s in self.members if s.accepted]
        yield f"      <system-out>{_text(chr(10).join(out))}</system-out>"
        yield "    </testcase>"

    def _counted(self) -> str:
        counts = [(LABELS[status], sum(s.status is status for s in self.members)) for status in LABELS]
        return ", ".join(f"{n:,} {label}" for label, n in counts if n) or "no instance"

    def _open(self) -> str:
        if not self.members:
            return "no instance: nothing in these recordings is what it judges"
        first = self.unknown[0]
        needs = " or ".join(" and ".join(gap.needs) for gap in first.gaps[:3]) or first.reason
        return f"{self._counted()}; to decide {first.instance}: {needs}"

    def _told(self, worst: Sequence[Story]) -> str:
        parts = ["\n".join(story_text(s, self._names, width=120)) for s in worst[:MAX_TOLD]]
        more = len(worst) - MAX_TOLD
        return "\n\n".join([*parts, *([f"and {more:,} more, in the result file"] if more > 0 else [])])


def _lines(summary: Summary, cases: Sequence[_Case], problems: Sequence[str]) -> Iterator[str]:
    failures, errors, skipped = (sum(case.end == end for case in cases) for end in ("failure", "error", "skipped"))
    unread = bool(problems) or not summary.n_steps
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="seamwise" tests="{len(cases) + 1}" failures="{failures}" errors="{errors + unread}" skipped="{skipped}">'
    yield f'  <testsuite name="contracts" tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}">'
    for case in cases:
        yield from case.lines()
    about = [f"{read_words(summary)}: {count_words(summary)}", fresh_words(summary), masked_words(summary), *damage(summary)]
    yield f"    <system-out>{_text(chr(10).join(filter(None, about)))}</system-out>"
    yield "  </testsuite>"
    yield f'  <testsuite name="recordings" tests="1" failures="0" errors="{int(unread)}" skipped="0">'
    yield '    <testcase classname="seamwise.recordings" name="everything could be read">'
    if unread:
        message = f"{plural(len(problems), 'problem')}: {problems[0]}" if problems else "no step was read"
        yield f'      <error type="unread" message={_attribute(message)}>{_text(chr(10).join(problems))}</error>'
    yield "    </testcase>"
    yield "  </testsuite>"
    yield "</testsuites>"


def _attribute(text: str) -> str:
    return quoteattr(one_line(text))


def _text(text: str) -> str:
    """Text that XML can hold: what acts instead of being read is written as its escape."""
    return escape("".join(c if c in "\n\t" or (c.isprintable() and c not in "\ufffe\uffff") else visible(c) for c in visible(text)))
