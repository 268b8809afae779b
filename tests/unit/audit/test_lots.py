"""Kept records lie on disk: read back one lot after the other they give, byte for byte, what all of them in memory give."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest

from seamwise.audit import Pack, State, audit, write_results
from seamwise.audit import _corpus as corpus
from seamwise.audit import _recall as recalling
from seamwise.audit._lots import Lots
from seamwise.record import Header, Step, Trace
from unit.binding.traces import DAY, START, saved

SAID = {"because": "so it is"}
LEDGER: dict[str, Any] = {
    "from": [
        {
            "kind": "receipt",
            "fields": {"customer": "data.customer", "amount": {"path": "data.amount", "unit": "USD"}, "ref": "data.ref"},
        },
        {
            "kind": "reversal",
            "fields": {"customer": "data.customer", "amount": {"path": "data.amount", "unit": "USD"}, "reverses": "data.of"},
        },
    ],
    "key": "customer",
    "route": SAID,
    "recording": SAID,
}
STREAMS: dict[str, Any] = {
    "ledger": LEDGER,
    "sign_offs": {"from": [{"kind": "sign_off"}], "route": SAID, "recording": SAID},
    "checks": {"from": [{"kind": "check"}], "key": "check", "route": SAID, "recording": SAID},
}
CONTRACTS: dict[str, Any] = {
    "cap": {"kind": "within_total", "stream": "ledger", "per": "customer", "limit": "40 USD", "each": "20 USD"},
    "quarter": {"kind": "within_total", "stream": "ledger", "per": ["customer", "quarter"], "limit": "30 USD", "min_actors": 2},
    "checked": {"kind": "check_done", "check": "policy", "across": "corpus"},
}


class World:
    """A seeded corpus.

    Args:
        seed: The seed.
        bare: How often something that says whose a record is was not recorded.
        back: How often something is taken back.
    """

    def __init__(self, seed: int, *, bare: float = 0.0, back: float = 0.02) -> None:
        self.rng, self.bare, self.back = Random(seed), bare, back

    def traces(self, n: int) -> list[Trace]:
        return [Trace(header=Header(id=f"t/{i}%é"), steps=tuple(self._steps())) for i in range(n)]

    def _steps(self) -> list[Step]:
        rng = self.rng
        out: list[Step] = []
        subjects: list[Any] = ["a", "b", 7, "7", ["x", "y"], True]
        for i in range(rng.randrange(2, 7)):
            sort = rng.choices(["receipt", "check", "sign_off", "reversal"], [5, 2, 2, 10 * self.back])[0]
            data: dict[str, Any] = {}
            if sort in ("receipt", "reversal"):
                data = {"amount": str(rng.choice([5, 10, 20, 25])), "customer": rng.choice(["c1", "c2", 3, "a b", "ü", "d", "e", "f"])}
                data["of" if sort == "reversal" else "ref"] = f"r{rng.randrange(30)}"
                if rng.random() < self.bare:
                    del data["customer"]
            else:
                data = {"subject": rng.choice(subjects)} | ({"check": "policy"} if sort == "check" else {})
                if rng.random() < self.bare:
                    del data["subject"]
            when = None if rng.random() < 0.1 else START + rng.randrange(120) * DAY
            status = None if sort == "sign_off" else rng.choice(["ok", "ok", "ok", "failed"])
            call = f"k{rng.randrange(4)}" if rng.random() < 0.3 else None
            actor = rng.choice("xyz")
            out.append(Step(id=f"s{i}", kind=sort, actor=actor, call=call, source="r", seq=i, status=status, time_ns=when, data=data))
        return out


def written(path: Path, pack: Pack, **options: Any) -> bytes:
    out = io.BytesIO()
    write_results(out, *audit(path, pack, **options))
    return out.getvalue()


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Reads everything lot by lot; whether the lots of each contract lay apart."""
    monkeypatch.setattr(corpus, "IN_MEMORY", -1)
    apart: list[bool] = []
    was = Lots.apart

    def noted(lots: Lots) -> Any:
        found = was(lots)
        apart.append(found is not None)
        return found

    monkeypatch.setattr(Lots, "apart", noted)
    return apart


def same(tmp_path: Path, traces: list[Trace], pack: Pack, **options: Any) -> bytes:
    """What an audit writes, which is the same with everything in memory."""
    half = len(traces) // 2
    saved(tmp_path / "runs" / "0.jsonl", *traces[:half])
    saved(tmp_path / "runs" / "1.jsonl", *traces[half:])
    out = written(tmp_path / "runs", pack, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "IN_MEMORY", 1 << 40)
        assert written(tmp_path / "runs", pack) == out
    return out


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bare", [0.0, 0.1])
def test_lot_by_lot_is_all_at_once(tmp_path: Path, on_disk: list[bool], seed: int, bare: float) -> None:
    same(tmp_path, World(seed, bare=bare).traces(9), Pack(streams=STREAMS, contracts=CONTRACTS))
    assert len(on_disk) == len(CONTRACTS)


def test_records_that_say_whose_they_are_lie_apart(tmp_path: Path, on_disk: list[bool]) -> None:
    traces = [t for t in World(3).traces(40) if all(s.call is None for s in t.steps)]
    assert len(traces) > 5
    same(tmp_path, traces, Pack(streams=STREAMS, contracts=CONTRACTS))
    assert on_disk == [True] * 3


def paid(n: int, customer: str, call: str | None = None, **more: Any) -> Step:
    data = {"customer": customer, "amount": "20", "ref": f"r{n}", **more}
    return Step(id=f"s{n}", kind="receipt", actor=f"a{n}", call=call, status="ok", source="r", seq=n, data=data)


def test_one_call_of_two_customers_lies_in_no_lot_alone(tmp_path: Path, on_disk: list[bool]) -> None:
    pack = Pack(streams={"ledger": LEDGER}, contracts={"cap": CONTRACTS["cap"]})
    one = Trace(header=Header(id="t1"), steps=(paid(1, "c1", "k"), paid(2, "c2", "k")))
    same(tmp_path, [one, Trace(header=Header(id="t2"), steps=(paid(3, "c3"),))], pack)
    assert on_disk == [False]


def test_rows_of_a_table_lie_beside_what_traces_tell(tmp_path: Path, on_disk: list[bool]) -> None:
    rows = "".join(f"r{n},c{n % 2},20,2026-02-0{n}\n" for n in range(1, 6))
    (tmp_path / "paid.csv").write_text("ref,customer,amount,at\n" + rows)
    fields = {"customer": "customer", "amount": {"path": "amount", "unit": "USD"}, "ref": "ref"}
    table = {"table": "paid.csv", "fields": fields, "time": {"path": "at", "zone": "UTC"}}
    ledger = {"from": [table, LEDGER["from"][0]], "key": "customer", "route": SAID, "same_as": "ref"}
    pack = Pack(streams={"ledger": ledger}, contracts={n: CONTRACTS[n] for n in ("cap", "quarter")}, base=tmp_path)
    steps = tuple(paid(n, f"c{n % 2}", f"k{n}") for n in (2, 3, 7))
    told = same(
        tmp_path, [Trace(header=Header(id="t"), steps=steps), Trace(header=Header(id="u"), steps=(paid(8, "c1", "k8", ref=None),))], pack
    )
    assert b'"sort":"traced_only"' in told
    assert on_disk == [True] * 2


def test_what_is_taken_back_in_another_trace_is_found(tmp_path: Path, on_disk: list[bool]) -> None:
    def step(n: int, kind: str, **data: Any) -> Trace:
        own = Step(
            id="s", kind=kind, actor=f"a{n}", status="ok", source="r", seq=0, time_ns=START + n * DAY, data={"customer": "c", **data}
        )
        return Trace(header=Header(id=f"t{n}"), steps=(own,))

    pack = Pack(streams={"ledger": LEDGER}, contracts={"cap": CONTRACTS["cap"]}, clock={"skew": "1s", **SAID})
    given = [step(n, "receipt", amount="20", ref=f"r{n}") for n in (1, 2, 4)]
    told = same(tmp_path, [*given, step(3, "reversal", amount="20", of="r2")], pack)
    assert b'"status":"ruled_out"' in told
    assert b'"status":"ruled_out"' not in same(tmp_path, [*given, step(3, "reversal", amount="20", of="r9")], pack)
    assert on_disk == [True, True]


def test_a_stated_count_holds_lot_by_lot(tmp_path: Path, on_disk: list[bool]) -> None:
    traces = [t for t in World(5, back=0).traces(30) if all(s.call is None and s.kind == "receipt" for s in t.steps)]
    assert traces
    n = sum(len(t.steps) for t in traces)
    seen = set()
    for count in (n, n + 1, n - 1):
        pack = Pack(streams={"ledger": {**LEDGER, "recording": {**SAID, "count": count}}}, contracts={"cap": CONTRACTS["cap"]})
        seen.add(same(tmp_path, traces, pack))
    assert len(seen) == 3
    assert on_disk == [True] * 3


def test_processes_and_states_change_nothing(tmp_path: Path, on_disk: list[bool]) -> None:
    pack = Pack(streams=STREAMS, contracts=CONTRACTS)
    traces = World(11, bare=0.05).traces(8)
    for options in (
        {"jobs": 2},
        {"state": State(tmp_path / "s")},
        {"state": State(tmp_path / "s")},
        {"state": State(tmp_path / "s"), "jobs": 2},
    ):
        same(tmp_path, traces, pack, **options)


def test_a_trace_in_two_files_is_judged_as_one(tmp_path: Path, on_disk: list[bool]) -> None:
    traces = World(13).traces(6)
    (first, *_) = traces
    same(tmp_path, [*traces, Trace(header=first.header, steps=first.steps[:1])], Pack(streams=STREAMS, contracts=CONTRACTS))


def test_shapes_that_are_not_remembered_give_the_same(tmp_path: Path, on_disk: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    traces = World(17).traces(10)
    told = same(tmp_path, traces, Pack(streams=STREAMS, contracts=CONTRACTS))
    monkeypatch.setattr(recalling, "MAX_RECORDS", 0)
    assert same(tmp_path, traces, Pack(streams=STREAMS, contracts=CONTRACTS)) == told
