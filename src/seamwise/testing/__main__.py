"""``python -m seamwise.testing verdicts FILE``: runs any file of verdict cases and prints one line per case.

Exit codes: 0 all as expected, 1 a difference, 2 the file cannot be read, 141 the reader of the output went away.
"""

from __future__ import annotations

import argparse
import os
import sys

import msgspec

from seamwise.errors import SeamwiseError
from seamwise.testing._cases import load_cases
from seamwise.testing._run import Result, run_case

BROKEN_PIPE = 141
"""128 + SIGPIPE, as a program that the signal ends; `seamwise` answers the same."""


def main(argv: list[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m seamwise.testing", description="Check verdict cases.")
    commands = parser.add_subparsers(dest="command", required=True)
    verdicts = commands.add_parser("verdicts", help="run a file of verdict cases")
    verdicts.add_argument("file")
    verdicts.add_argument("--json", action="store_true", help="one JSON object a line")
    verdicts.add_argument("--only", default="", help="only cases whose name holds this")
    args = parser.parse_args(argv)
    try:
        return _verdicts(args)
    except BrokenPipeError:
        # whoever read the lines has seen enough; nothing more is written, at exit neither
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _verdicts(args: argparse.Namespace) -> int:
    try:
        cases = load_cases(args.file)
    except SeamwiseError as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    failed = total = 0
    for case in cases:
        result = run_case(case)
        if args.only not in result.name:
            continue
        total += 1
        failed += not result.ok
        print(msgspec.json.encode(result).decode() if args.json else line(result), flush=True)
    if not args.json:
        print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


def line(result: Result) -> str:
    """One case on one line."""
    if result.witness is not None:
        proof = f"witness: {', '.join(result.witness) or '(none needed)'}"
        proof += " (checked by the monitor only)" if result.checked == "monitor" else ""
    else:
        proof = f"gaps: {'; '.join(result.gaps)}" if result.gaps else ""
    faults = f"  <- {'; '.join(result.faults)}" if result.faults else ""
    return f"{'ok  ' if result.ok else 'FAIL'} {result.name}  expected {result.expected}  got {result.got}  {proof}{faults}"


if __name__ == "__main__":
    sys.exit(main())
