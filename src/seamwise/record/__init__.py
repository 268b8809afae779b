"""The record: what a run left behind.

A :class:`Trace` is a header and steps. Unknown stays unknown: a field that was not recorded is absent, and an absent field never means
"nobody", "nothing" or "zero". Order and completeness are not presumed either: order comes from a stated source (:func:`precedence` says
which step is known to precede which, and why), completeness from a :class:`Claim`.

A native file is JSON Lines: a header line, then one step a line (:func:`read_traces`, :func:`write_traces`). What cannot be read is
:class:`Damage`, reported next to the traces that can.
"""

from seamwise.record._claim import Claim, ClaimSort
from seamwise.record._damage import Damage, DamageCode, Limits, ReadReport
from seamwise.record._digest import trace_digest
from seamwise.record._flaw import flaw_in, flaw_of, is_whole
from seamwise.record._io import encode_record, encode_trace, read_traces, write_traces
from seamwise.record._mask import mask_words, masked, masked_step, masked_trace, masked_value, masks_in, names_secret, secrets_in
from seamwise.record._mask_library import library_installed
from seamwise.record._order import Cycle, Link, Order, precedence
from seamwise.record._organization import Organization
from seamwise.record._schema import trace_schema
from seamwise.record._step import STEP_KINDS, After, OrderBasis, Ref, RefKind, Status, Step
from seamwise.record._trace import SCHEMA_VERSION, Clock, Header, Trace

__all__ = [
    "SCHEMA_VERSION",
    "STEP_KINDS",
    "After",
    "Claim",
    "ClaimSort",
    "Clock",
    "Cycle",
    "Damage",
    "DamageCode",
    "Header",
    "Limits",
    "Link",
    "Order",
    "OrderBasis",
    "Organization",
    "ReadReport",
    "Ref",
    "RefKind",
    "Status",
    "Step",
    "Trace",
    "encode_record",
    "encode_trace",
    "flaw_in",
    "flaw_of",
    "is_whole",
    "library_installed",
    "mask_words",
    "masked",
    "masked_step",
    "masked_trace",
    "masked_value",
    "masks_in",
    "names_secret",
    "precedence",
    "read_traces",
    "secrets_in",
    "trace_digest",
    "trace_schema",
    "write_traces",
]
