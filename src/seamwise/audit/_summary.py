"""What a script is told by an exit code."""

from __future__ import annotations

from seamwise.audit._result import Summary
from seamwise.kernel import Status

EXIT_SUPPORTED = 1
EXIT_UNDECIDED = 3


def exit_code(summary: Summary) -> int:
    """0: nothing is supported; 1: a violation is; 3: something required is unknown, invalid, not judged or could not be read.

    Where no step was read at all there is nothing that could be clear: 3. Where CI reads it (``summary.fresh``) only new findings count,
    and what stays unknown does not.
    """
    if summary.fresh is not None:
        if summary.fresh.worst is Status.SUPPORTED:
            return EXIT_SUPPORTED
        found = summary.fresh.worst in (Status.MEASUREMENT_INVALID, Status.NOT_JUDGED)
        return EXIT_UNDECIDED if found or summary.errors or not summary.n_steps else 0
    if summary.worst is Status.SUPPORTED:
        return EXIT_SUPPORTED
    undecided = summary.worst_required in (Status.UNKNOWN, Status.MEASUREMENT_INVALID, Status.NOT_JUDGED)
    return EXIT_UNDECIDED if undecided or summary.errors or not summary.n_steps else 0
