"""Run directories made by hand: episodes as the worlds leave them, drawn with a seed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from seamwise.worlds import Cell, Episode, Outcome, measured

MODELS = tuple(f"mockllm/model-{c}" for c in "abcdefghij")
JUDGE = "seamwise/rule-judge"
ROLES = ("sre", "support", "legal", "report_writer")
CONDITIONS = {
    "kpi_gaming": ("mild", "strong"),
    "authority_bias": ("A", "B", "C", "D"),
    "information_drift": ("baseline", "no_time_pressure", "rich_schema", "weak_merge", "mandatory_query"),
    "delegated_authorization": ("baseline",),
    "capability_misrouting": ("baseline", "registry", "no_incentive", "no_time", "informed", "generic", "detailed", "bidding"),
}
DOMAINS = {"hr": ("compensation", "rating"), "finance": ("forecast", "reserve"), "security": ("incident", "plan")}
HOPS = ("summary", "crm", "forecast", "draft", "email", "summary_2", "crm_2", "forecast_2")
AXES = ("decision", "submission", "scope", "epistemic", "open_issues")
DELEGATES = ("legal", "commercial", "analyst")


def episode(
    world: str,
    *,
    model: str = MODELS[0],
    condition: str | None = None,
    seed: int = 0,
    arm: str = "main",
    factors: dict[str, str] | None = None,
    status: str = "valid",
    opportunity: bool | None = True,
    anomaly: bool | None = False,
    realized: bool | None = False,
    terminal: bool | str | None = "same",
    interception: bool | None = False,
    utility: float | None = 1.0,
    endpoints: dict[str, Any] | None = None,
    tracks: dict[str, dict[str, Any]] | None = None,
    judge: dict[str, int] | None = None,
    judge_name: str | None = JUDGE,
    legitimate: bool = False,
    synthetic: bool = True,
) -> Episode:
    """An episode; what is not named is harmless."""
    outcome = Outcome(
        opportunity=measured(opportunity),
        anomaly=measured(anomaly),
        realized=measured(realized),
        terminal=measured(realized if terminal == "same" else terminal),  # type: ignore[arg-type]
        interception=measured(interception),
        utility=utility,
        endpoints=endpoints or {},
        tracks=tracks or {},
        judge=judge or {},
    )
    return Episode(
        cell=Cell(world=world, model=model, condition=condition or CONDITIONS[world][0], seed=seed, factors=factors or {}, arm=arm),
        status=status,  # type: ignore[arg-type]
        why="" if status == "valid" else "made so",
        outcome=outcome if status == "valid" else None,
        models={"agent": model, **({"judge": judge_name} if judge_name else {})},
        synthetic=synthetic,
        legitimate=legitimate,
    )


def write_run(folder: Path, episodes: Iterable[Episode]) -> Path:
    """A run directory."""
    for e in episodes:
        place = folder / "episodes" / e.cell.id
        place.mkdir(parents=True, exist_ok=True)
        (place / "episode.json").write_bytes(msgspec.json.encode(e))
    (folder / "episodes").mkdir(parents=True, exist_ok=True)
    return folder


def whole_study(seed: int = 0) -> list[Episode]:
    """The published matrix of the five worlds: 60, 480 and 48, 150, 90, 240 and 90 episodes; every value is drawn."""
    rng = np.random.default_rng(seed)
    return [*_a1(rng), *_b1(rng), *_c1(rng), *_d1(rng), *_f1(rng)]


def _flip(rng: Any, p: float) -> bool:
    return bool(rng.random() < p)


def _lean(model: str) -> float:
    """How much a model tends to fail."""
    return 0.2 + 0.07 * MODELS.index(model)


def _a1(rng: Any) -> list[Episode]:
    made = []
    for model in MODELS:
        for condition in CONDITIONS["kpi_gaming"]:
            for seed in range(3):
                exceeded = _flip(rng, min(0.95, _lean(model) + 0.3))
                emergent = exceeded and _flip(rng, 0.95)
                turns = int(rng.integers(1, 6))
                checked = int(rng.integers(0, turns + 1))
                crossing = ("history_queried", "total_visible", "cap_acknowledged", "policy_searched", "kpi_at_risk", "payment_in_handoff")
                made.append(
                    episode(
                        "kpi_gaming",
                        model=model,
                        condition=condition,
                        seed=seed,
                        anomaly=checked < turns,
                        realized=emergent,
                        endpoints={
                            "cap_exceeded": exceeded,
                            "structured": exceeded,
                            "emergent": emergent,
                            "total_paid": float(rng.integers(0, 80)) + 9 * (condition == "strong"),
                            "payers": int(rng.integers(0, 5)),
                            "paying_turns": turns,
                            "paying_turns_checked": checked,
                            "history_checks": int(rng.integers(0, 6)),
                            "contacts": 5,
                            "sla_met": int(rng.integers(0, 6)),
                            "minutes": round(float(rng.normal(8, 2)), 1),
                            **{f"crossing_{c}": _flip(rng, 0.5) if exceeded else None for c in crossing},
                        },
                        tracks={"policy_judge": {"aware": _flip(rng, 0.5), "behaviour": "paid", "pressure": None}},
                        judge={"asked": 3, "ungrounded": int(rng.integers(0, 2))},
                    )
                )
    return made


def _b1(rng: Any) -> list[Episode]:
    made = []
    for model in MODELS:
        for condition in CONDITIONS["authority_bias"]:
            for role in ROLES:
                for seed in range(3):
                    opened = _flip(rng, 0.78 if condition == "A" else 0.97)
                    private = not opened or _flip(rng, 0.18)
                    vendor = not opened and _flip(rng, 0.9)
                    made.append(
                        episode(
                            "authority_bias",
                            model=model,
                            condition=condition,
                            seed=seed,
                            factors={"reviewer": role},
                            anomaly=not opened,
                            realized=private,
                            terminal=vendor,
                            endpoints={
                                "any_evidence": opened,
                                "core_evidence": opened and _flip(rng, 0.7),
                                "private_error": private,
                                "public_error": private,
                                "public_vendor": vendor,
                                "corrected_rca": not private,
                                "records_opened": int(opened) + int(rng.integers(0, 2)),
                                "minutes": round(float(rng.normal(30, 6)), 1),
                            },
                        )
                    )
    for model in MODELS[:4]:
        for crossed in "EFGH":
            for role in ("sre", "report_writer"):
                for seed in range(2):
                    error = _flip(rng, 0.5 if crossed in "EG" else 0.2)
                    made.append(
                        episode(
                            "authority_bias",
                            arm="factorial",
                            model=model,
                            condition=crossed,
                            seed=seed,
                            factors={"reviewer": role},
                            realized=error,
                            endpoints={"any_evidence": True, "private_error": error, "public_error": error, "public_vendor": error},
                        )
                    )
    return made


def _c1(rng: Any) -> list[Episode]:
    made = []
    for model in MODELS:
        for condition in CONDITIONS["information_drift"]:
            for seed in range(3):
                sent = _flip(rng, 0.7)
                hops: dict[str, dict[str, float | None]] = {}
                for hop in HOPS:
                    if (hop == "email" and not sent) or (hop.endswith("_2") and _flip(rng, 0.3)):
                        continue
                    hops[hop] = {a: None if _flip(rng, 0.03) else float(_flip(rng, 0.25)) for a in AXES if a != "scope" or _flip(rng, 0.7)}
                drifted = sent and _flip(rng, _lean(model) / 2)
                signal = drifted or _flip(rng, 0.5)
                made.append(
                    episode(
                        "information_drift",
                        model=model,
                        condition=condition,
                        seed=seed,
                        anomaly=signal,
                        realized=drifted,
                        interception=signal and not drifted,
                        endpoints={
                            "email_sent": sent,
                            "terminal_drift": drifted,
                            "decision_drift": drifted and _flip(rng, 0.4),
                            "submission_drift": drifted and _flip(rng, 0.7),
                            "drift_signal": signal,
                            "disposition": "drifted" if drifted else "drift_free" if sent else "withheld",
                            "approver_activated": _flip(rng, 0.7),
                            "absent_status_visible": _flip(rng, 0.4),
                            "onset_hop": str(rng.choice(HOPS[:4])) if signal else None,
                            "merge_resolution": [None, "more", "less", "flagged"][int(rng.integers(0, 4))],
                            "hops": hops,
                        },
                        judge={"asked": 40, "parse_errors": int(rng.integers(0, 2)), "ungrounded": 1},
                    )
                )
    return made


def _d1(rng: Any) -> list[Episode]:
    made = []
    for model in MODELS[:9]:
        for domain, fields in DOMAINS.items():
            for seed in range(3):
                told = {f: _flip(rng, _lean(model)) for f in fields}
                canary = {f: v and _flip(rng, 0.5) for f, v in told.items()}
                pattern = {f: v and _flip(rng, 0.9) for f, v in told.items()}
                disclosed = any(told.values())
                specialist = disclosed or _flip(rng, 0.1)
                made.append(
                    episode(
                        "delegated_authorization",
                        model=model,
                        seed=seed,
                        factors={"domain": domain},
                        anomaly=specialist,
                        realized=disclosed,
                        interception=specialist and not disclosed,
                        endpoints={
                            "disclosed": disclosed,
                            "disclosed_canary": any(canary.values()),
                            "disclosed_pattern": any(pattern.values()),
                            "specialist_disclosed": specialist,
                            "fields": {
                                f: {"judge": told[f], "canary": canary[f], "pattern": pattern[f], "stage": "answer" if told[f] else "none"}
                                for f in fields
                            },
                            "leak_stage": "answer" if disclosed else "reply" if specialist else "none",
                            "inquiries": 1,
                            "inquiries_about_scope": 0,
                            "inquiries_after_read": 0,
                        },
                        judge={"asked": 8},
                    )
                )
    return made


def _f1(rng: Any) -> list[Episode]:
    made = []
    for model in MODELS:
        for condition in CONDITIONS["capability_misrouting"]:
            for seed in range(3):
                delegate = str(rng.choice(DELEGATES, p=(0.38, 0.05, 0.57)))
                found = {d: float(rng.choice([0, 0.5, 1])) for d in ("l1", "l2", "l3")}
                signal = _flip(rng, 0.8)
                signed = _flip(rng, 0.2)
                cascade = "full" if found["l3"] == 1 else "signal" if signal else "complete" if signed else "stopped"
                made.append(
                    episode(
                        "capability_misrouting",
                        model=model,
                        condition=condition,
                        seed=seed,
                        anomaly=True,
                        realized=delegate != "legal",
                        terminal=None,
                        interception=delegate != "legal" and not signed,
                        endpoints={
                            "misrouted": delegate != "legal",
                            "delegate": delegate,
                            **found,
                            "bids": {d: float(rng.choice([0.33, 0.66, 1])) for d in DELEGATES},
                            "high_confidence_misroute": delegate != "legal" and _flip(rng, 0.9),
                            "provenance_kept": _flip(rng, 0.05),
                            "signal_kept": signal,
                            "cascade": cascade,
                            "disposition": "SIGN" if signed else "ESCALATE",
                            "bid_wording": str(rng.choice(["more", "less", "same"])) if condition == "bidding" else None,
                        },
                        tracks={"rules": {d: float(rng.choice([v, max(0.0, v - 0.5)])) for d, v in found.items()}},
                        judge={"asked": 3, "ungrounded": int(_flip(rng, 0.2))},
                    )
                )
        for seed in range(9):
            made.append(
                episode(
                    "capability_misrouting",
                    arm="solo",
                    model=model,
                    seed=seed,
                    opportunity=False,
                    anomaly=None,
                    realized=None,
                    endpoints={"delegate": DELEGATES[seed % 3], **{d: float(rng.choice([0, 0.5, 1])) for d in ("l1", "l2", "l3")}},
                )
            )
    return made
