"""The binding: how the records of real systems fill the streams and fields that contracts read.

A :class:`Pack` is what stands in ``org.yaml``: *streams* say which steps of a trace tell of what, with paths into their content;
*contracts* say what must hold. A :class:`Binder` turns the steps of a trace into the kernel's records. What was not recorded stays absent:
a path that leads nowhere leaves its field out and is counted, and an amount that does not parse is no amount.

``docs/org-yaml.md`` is the reference of the language. Reading order: ``_path``, ``_field`` and ``_moment`` (values), ``_ok`` (success),
``_match``, ``_table`` and ``_rule``, ``_stream``, ``_actors``, ``_binder`` (steps to records), ``_order`` (stated precedence), ``_params``,
``_contract``, ``_pack``.
"""

from seamwise.binding._anchors import anchor_of
from seamwise.binding._binder import TAKES_BACK, Binder, Bound, escaped, step_shown
from seamwise.binding._context import disagreements, joined, recorded_context
from seamwise.binding._contract import Contract, Spoken
from seamwise.binding._coverage import Coverage, Failure
from seamwise.binding._lock import Lock, LockedFile, LockedStream, digest_of_names, lock_path, write_lock
from seamwise.binding._order import Precedence
from seamwise.binding._pack import Pack
from seamwise.binding._path import decoded
from seamwise.binding._policy import PolicyRef
from seamwise.binding._rule import Rule
from seamwise.binding._stream import BY_LOCK, Recording, Stream, key_shown, key_text
from seamwise.binding._table import ROW, TableRef, TableRule, column_of
from seamwise.binding._yaml import Document, read_yaml

__all__ = [
    "BY_LOCK",
    "ROW",
    "TAKES_BACK",
    "Binder",
    "Bound",
    "Contract",
    "Coverage",
    "Document",
    "Failure",
    "Lock",
    "LockedFile",
    "LockedStream",
    "Pack",
    "PolicyRef",
    "Precedence",
    "Recording",
    "Rule",
    "Spoken",
    "Stream",
    "TableRef",
    "TableRule",
    "anchor_of",
    "column_of",
    "decoded",
    "digest_of_names",
    "disagreements",
    "escaped",
    "joined",
    "key_shown",
    "key_text",
    "lock_path",
    "read_yaml",
    "recorded_context",
    "step_shown",
    "write_lock",
]
