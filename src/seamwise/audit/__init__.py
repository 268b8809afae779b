"""The audit: recordings and a pack in, verdicts with their proof out.

    from seamwise.audit import Pack, audit

    summary, results = audit("runs/", Pack.load("org.yaml"))
    for result in results:
        print(result.status, result.contract, result.instance, result.headline)

Every file is read once, trace by trace. Contracts that live in one trace are judged at its end and the trace is let go; of contracts across
traces only the bound records are kept, and judged when all files are read. Results are plain records: :func:`write_results` and
:func:`read_results` keep them as JSON Lines, :func:`exit_code` tells a script how it went.

Reading order: ``_result`` (what is said), ``_reads`` and ``_items`` (where an instance looks), ``_layout`` (its evidence and claims),
``_instances`` (anchors, verdicts), ``_story`` and ``_words`` (results), ``_scan`` (one file), ``_tables`` and ``_disagree`` (systems of
record), ``_corpus`` (across traces), ``_driver``; what is told once for all that differ in names alone: ``_shape``, ``_template``,
``_recall``; how results come into their order without filling the memory: ``_place``, ``_spool``, ``_results``; then what is made of
results: ``_look`` (scenes and inputs), ``_redact``, ``_baseline``.
"""

from seamwise.audit._advice import Advice
from seamwise.audit._baseline import Baseline, baseline_text, day_of, finding_of, read_baseline, with_baseline
from seamwise.audit._disagree import Compared, compare
from seamwise.audit._driver import Audit, audit, audit_with_scenes
from seamwise.audit._files import Files, Reading, find, standard_input
from seamwise.audit._jobs import Progress
from seamwise.audit._plan import Change, Plan, Since, gap_plan
from seamwise.audit._redact import redacted
from seamwise.audit._result import (
    RESULT_VERSION,
    Accepted,
    ClaimRef,
    Disagreement,
    Fresh,
    GapRef,
    Given,
    Inbox,
    Ledger,
    LedgerLine,
    NoteRef,
    Pictured,
    Policy,
    ReadError,
    Result,
    Scene,
    Seen,
    Statement,
    StepRef,
    Summary,
    TableTold,
)
from seamwise.audit._results import Results
from seamwise.audit._state import State
from seamwise.audit._summary import exit_code
from seamwise.audit._write import lines_of, read_results, read_written, write_results
from seamwise.binding import Pack

__all__ = [
    "RESULT_VERSION",
    "Accepted",
    "Advice",
    "Audit",
    "Baseline",
    "Change",
    "ClaimRef",
    "Compared",
    "Disagreement",
    "Files",
    "Fresh",
    "GapRef",
    "Given",
    "Inbox",
    "Ledger",
    "LedgerLine",
    "NoteRef",
    "Pack",
    "Pictured",
    "Plan",
    "Policy",
    "Progress",
    "ReadError",
    "Reading",
    "Result",
    "Results",
    "Scene",
    "Seen",
    "Since",
    "State",
    "Statement",
    "StepRef",
    "Summary",
    "TableTold",
    "audit",
    "audit_with_scenes",
    "baseline_text",
    "compare",
    "day_of",
    "exit_code",
    "find",
    "finding_of",
    "gap_plan",
    "lines_of",
    "read_baseline",
    "read_results",
    "read_written",
    "redacted",
    "standard_input",
    "with_baseline",
    "write_results",
]
