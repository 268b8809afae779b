"""The record: what a run left behind.

A :class:`Trace` is a header and steps. Unknown stays unknown: a field that was not recorded is absent, and an absent field never means
"nobody", "nothing" or "zero". Order and completeness are not presumed either: order comes from a stated source, completeness from a
:class:`Claim`.
"""

from seamwise.record._claim import Claim, ClaimSort
from seamwise.record._organization import Organization
from seamwise.record._step import STEP_KINDS, After, OrderBasis, Ref, RefKind, Status, Step
from seamwise.record._trace import SCHEMA_VERSION, Clock, Header, Trace

__all__ = [
    "SCHEMA_VERSION",
    "STEP_KINDS",
    "After",
    "Claim",
    "ClaimSort",
    "Clock",
    "Header",
    "OrderBasis",
    "Organization",
    "Ref",
    "RefKind",
    "Status",
    "Step",
    "Trace",
]
