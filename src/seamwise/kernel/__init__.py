"""The kernel: what records license.

A contract is an instance with a predicate over complete executions. The kernel asks for the predicate's outcomes over all completions of
the evidence and answers ``supported``, ``ruled_out`` or ``unknown``, with a witness or with gaps. It knows no kind, no file, no network.

Reading order: ``outcome`` (the verdict table), ``evidence`` (records, claims, context), ``operation`` and ``order`` (what records are
of), ``execution`` and ``spec`` (what predicates are defined on), ``completions`` (the slow obvious way), ``view`` (what monitors see),
``kind``, ``judge``, ``witness``, ``gaps``, ``verify``, ``monitor``.
"""

from seamwise.kernel.completions import TooLargeError, completions, possible_by_enumeration
from seamwise.kernel.evidence import CLOCK, Context, Evidence, Member, Record, stream_covers
from seamwise.kernel.execution import Done, Execution
from seamwise.kernel.judge import judge
from seamwise.kernel.kind import Anchor, Assumption, BeyondFragmentError, Kind, Note, Sum, Sums
from seamwise.kernel.monitor import Monitor
from seamwise.kernel.operation import OPENINGS, Clash, Op, merge, took_effect
from seamwise.kernel.order import Order
from seamwise.kernel.outcome import ALL_OUTCOMES, RESOLVED, SEVERITY, Outcome, Status, combine, status_of
from seamwise.kernel.reading import Said, ask
from seamwise.kernel.shapes import ShapeCache
from seamwise.kernel.spec import Parts, Slot, Spec, by_name, choices, leaves_of, may_be_inside, values_of
from seamwise.kernel.verdict import Confirmation, Gap, Need, Verdict
from seamwise.kernel.verify import verify_witness
from seamwise.kernel.view import Pool, View, field_is
from seamwise.kernel.witness import forces, minimal_witness

__all__ = [
    "ALL_OUTCOMES",
    "CLOCK",
    "OPENINGS",
    "RESOLVED",
    "SEVERITY",
    "Anchor",
    "Assumption",
    "BeyondFragmentError",
    "Clash",
    "Confirmation",
    "Context",
    "Done",
    "Evidence",
    "Execution",
    "Gap",
    "Kind",
    "Member",
    "Monitor",
    "Need",
    "Note",
    "Op",
    "Order",
    "Outcome",
    "Parts",
    "Pool",
    "Record",
    "Said",
    "ShapeCache",
    "Slot",
    "Spec",
    "Status",
    "Sum",
    "Sums",
    "TooLargeError",
    "Verdict",
    "View",
    "ask",
    "by_name",
    "choices",
    "combine",
    "completions",
    "field_is",
    "forces",
    "judge",
    "leaves_of",
    "may_be_inside",
    "merge",
    "minimal_witness",
    "possible_by_enumeration",
    "status_of",
    "stream_covers",
    "took_effect",
    "values_of",
    "verify_witness",
]
