"""A run of a workflow: a header and its steps."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from seamwise.record._claim import Claim
from seamwise.record._organization import Organization
from seamwise.record._step import Step

SCHEMA_VERSION = 1
"""The version that is written; older ones are upgraded on reading (``_upgrade.py``), newer ones refused."""


class Clock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known of a source's clock."""

    skew_ns: int
    """Two steps of sources on clocks are ordered by time only when they lie further apart than the sum of their skews."""
    basis: str = ""
    """Why one may believe it."""
    reach: Literal["all", "source", "trace"] = "all"
    """What its moments compare with: those of all clocks that reach as far; those of its own source, in any trace; or those of its own
    source in this trace. One process's clock says nothing of another's, however exact it is."""


class Header(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename={"schema_version": "seamwise"},
):
    """What stands before the steps.

    In a file the schema version stands under the key ``seamwise``, which no step has: that key is how a header line is told from a step.
    """

    id: str
    """Trace id, unique in a corpus."""
    schema_version: int = SCHEMA_VERSION
    organization: Organization = Organization()
    """The organization, as far as recorded."""
    claims: tuple[Claim, ...] = ()
    """Which streams the recorder says are complete."""
    clocks: dict[str, Clock] = {}
    """Clocks by source (``""`` for the trace's one recorder). A source without a clock gives no order by time."""
    origin: dict[str, Any] = {}
    """Where it came from: format, file, exporter; for people, never for verdicts."""


class Trace(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One run: header and ordered steps. List position is file order and means nothing by itself; see ``Step.seq`` and ``order``."""

    header: Header
    steps: tuple[Step, ...]

    @property
    def id(self) -> str:
        """The header's id."""
        return self.header.id
