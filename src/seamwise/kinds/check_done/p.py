"""The definition of ``check_done``."""

from __future__ import annotations

import msgspec

from seamwise.kernel import Done, Execution, Outcome

SIGN_OFFS = "sign_offs"
"""The stream of what is signed."""


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sign-off and the check that it relies on."""

    check: str
    """The required check; its performances are in the stream ``checks/<check>``, unless ``stream`` names another."""
    sign_off: str
    """Which sign-off: the value of its field ``sign_off``."""
    owner: str | None = None
    """Who must have performed the check; None: anybody."""
    versioned: bool = False
    """Whether the check must have been of the very version that was signed."""
    stream: str | None = None
    """The stream of the check's performances; None: ``checks/<check>``."""

    @property
    def where(self) -> str:
        """The stream of the check's performances."""
        return self.stream if self.stream is not None else f"checks/{self.check}"


def outcome(run: Execution, params: Params) -> Outcome:
    """Before the sign-off, the owner performed the check, successfully, on what was signed."""
    signed = next((op for op in run.inside(SIGN_OFFS) if op["sign_off"] == params.sign_off and op["status"] == "ok"), None)
    if signed is None:
        return Outcome.NOT_APPLICABLE

    def serves(check: Done) -> bool:
        same = check["subject"] == signed["subject"] and (not params.versioned or check["version"] == signed["version"])
        return same and check["status"] == "ok" and params.owner in (None, check["actor"])

    earlier = [op for op in run.before(signed) if op in run.inside(params.where)]
    return Outcome.KEPT if any(map(serves, earlier)) else Outcome.VIOLATED
