"""What ``check_done`` reads: sign-offs, and the performances of one check."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from seamwise.kernel import Evidence, Execution, Op, Record, Slot, Spec, by_name, leaves_of
from seamwise.kernel.operation import OPENINGS, STATED
from seamwise.kernel.operation import took_effect as effect_of
from seamwise.kernel.spec import may_be_inside
from seamwise.kinds.check_done.p import SIGN_OFFS, Params

OTHER = "~"
"""Stands for any name, subject or version that nothing mentions."""
CALLS = OPENINGS | STATED | {"model_result"}
"""Kinds of record that tell of anything done by a call. A message only says that it was done."""
OPEN = ("ok", "failed")
REFUSED = frozenset({"rejected", "refused", "denied"})
"""What a record's status can say where nothing took effect, beside ``failed``."""
PASSED = frozenset({"passed"})
SIGNED = frozenset({"accepted", "approved", "signed"})
"""What it can say where it took effect, beside ``ok``."""
ENDINGS: dict[bool | None, tuple[str, ...]] = {True: ("ok",), False: ("failed",), None: OPEN}


def performed(op: Op) -> tuple[str, ...]:
    """How a check may have ended. What was not recorded, and what an opening says of its own ending, leaves it open."""
    if op.kind != "check" and op.kind not in CALLS:
        return ("none",)
    return OPEN if op.get("status") is None else ENDINGS[effect_of(op, done=PASSED, refused=REFUSED)]


def signed(op: Op) -> tuple[str, ...]:
    """Whether a sign-off may have taken effect. Its record says that it did, unless it says otherwise; a result must have a status."""
    if op.kind != "sign_off" and op.kind not in CALLS:
        return ("none",)
    return ENDINGS[effect_of(op, done=SIGNED, refused=REFUSED)]


def spec(params: Params, evidence: Evidence) -> Spec:
    """The evidence specification of one sign-off."""
    home = by_name(("sign_off", params.sign_off), "sign_off", SIGN_OFFS, evidence, beside=(params.where,))
    told = [r for r in map(home, evidence.records) if any(may_be_inside(s, SIGN_OFFS) or may_be_inside(s, params.where) for s in r.streams)]
    subjects = _domain(told, "subject")
    versions = _domain(told, "version")

    def about(op: Op) -> Iterator[dict[str, Any]]:
        """Subjects, and versions where the contract reads them."""
        for subject in (op.fields["subject"],) if op.has("subject") else subjects:
            if not params.versioned:
                yield {"subject": subject}
            else:
                yield from ({"subject": subject, "version": v} for v in ((op.fields["version"],) if op.has("version") else versions))

    def sign_offs(op: Op) -> Iterator[dict[str, Any]]:
        names = (op.fields["sign_off"],) if op.has("sign_off") else (params.sign_off, OTHER)
        for name, status in product(names, signed(op)):
            for n, what in enumerate(about(op)):
                if n and (name != params.sign_off or status != "ok"):
                    break  # of another sign-off, and of one that failed, nothing is read
                yield {"sign_off": name, "status": status, **what}

    def checks(op: Op) -> Iterator[dict[str, Any]]:
        actors = (None,) if params.owner is None else (op.fields["actor"],) if op.has("actor") else (params.owner, OTHER)
        for status, actor in product(performed(op), actors):
            for n, what in enumerate(about(op)):
                if n and (status != "ok" or actor != params.owner):
                    break  # a check that cannot serve for one reason need not be tried with a second one
                yield {"status": status, "actor": actor, **what}

    def signed_once(run: Execution) -> bool:
        """The contract is of one operation: an attempt that is repeated is another sign-off, with a name of its own."""
        return len([op for op in run.inside(SIGN_OFFS) if op["sign_off"] == params.sign_off and op["status"] != "none"]) <= 1

    return Spec(
        slots=(
            Slot(name="sign-offs", kinds=frozenset(), stream=SIGN_OFFS, hidden_kind="sign_off", hidden_max=1, fill=sign_offs),
            Slot(
                name="checks",
                kinds=frozenset(),
                stream=params.where,
                leaves=leaves_of(params.where, evidence),
                hidden_kind="check",
                hidden_max=1,
                fill=checks,
            ),
        ),
        axioms=signed_once,
        prepare=home,
        apart=True,
    )


def _domain(told: list[Record], field: str) -> tuple[Any, ...]:
    """The recorded values, and others, two at least: enough to be equal or not to any of them, and to one another."""
    known = list(dict.fromkeys(r.fields[field] for r in told if field in r.fields))
    return (*known, OTHER) if known else (OTHER, f"{OTHER}{OTHER}")
