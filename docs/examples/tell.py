"""Tells one verdict in full, and the completions behind it.

python docs/examples/tell.py docs/examples/hotel.yaml hotel/no-answer
python docs/examples/tell.py docs/examples/hotel.yaml hotel/no-answer --completions
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

import msgspec

from seamwise.kernel import Done, Verdict, completions, judge
from seamwise.testing import Case, load_cases


def main() -> None:
    """Reads the arguments and prints."""
    parser = argparse.ArgumentParser(description="Tells one verdict in full.")
    parser.add_argument("file")
    parser.add_argument("case")
    parser.add_argument("--completions", action="store_true", help="list the complete executions of the small universe instead")
    parser.add_argument("--no-routes", action="store_true", help="only claims say that a stream is the only route")
    args = parser.parse_args()
    case = next(c for c in load_cases(args.file) if isinstance(c, Case) and c.name == args.case)
    if args.no_routes:
        case = msgspec.structs.replace(case, evidence=msgspec.structs.replace(case.evidence, all_routes=False))
    for row in list_completions(case) if args.completions else tell(judge(case.kind, case.params, case.evidence)):
        print(row)


def tell(verdict: Verdict) -> Iterator[str]:
    """The verdict, a line for each thing it says."""
    yield row("verdict", str(verdict.status))
    yield row("possible", ", ".join(sorted(verdict.possible)) or "(no completion)")
    if verdict.witness is not None:
        yield row("witness", ", ".join(map(str, verdict.witness)) or "(none needed)")
    if verdict.order:
        yield row("order from", ", ".join(verdict.order))
    for gap in verdict.gaps:
        yield row("gap", f"[{gap.sort}] " + " and ".join(need.words for need in gap.needs))
    if verdict.reason:
        yield row("reason", verdict.reason)
    for assumption in verdict.leaning_on:
        yield row("leaning on", f"{assumption.words} (by {assumption.by}{f': {assumption.because}' if assumption.because else ''})")
    if verdict.without is not None:
        yield row("without it", str(verdict.without))
    for dropped in verdict.dropped:
        yield row("dropped", dropped)
    for clash in verdict.clashes:
        yield row("set aside", f"{', '.join(sorted(clash.members))}: {clash.why}")
    if verdict.weightless:
        yield row("no weight", ", ".join(verdict.weightless))


def list_completions(case: Case) -> Iterator[str]:
    """Every complete execution of the small universe that differs in something, and what the definition says of it."""
    spec = case.kind.spec(case.params, case.evidence)
    for run in completions(case.evidence, spec):
        yield f"{case.kind.outcome(run, case.params):<9} {'  '.join(map(short, run.ops))}"


def short(op: Done) -> str:
    """An operation and what was decided about it."""
    words = [str(op[field]) for field in ("actor", "amount", "status") if op.get(field) is not None]
    words += [f"reverses {op['reverses']}"] if op.get("reverses") is not None else []
    return f"{op.id}({' '.join(words)})"


def row(name: str, text: str) -> str:
    """One line: a name, and a text that is broken where it is long."""
    return textwrap.fill(text, width=110, initial_indent=f"{name:<11}", subsequent_indent=" " * 11)


if __name__ == "__main__":
    main()
