"""The laws through the whole way from steps to results: deleting what was recorded never turns one answer into the other."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwise.audit import Audit, Pack, audit
from seamwise.kernel import RESOLVED, Status
from seamwise.record import Step, Trace
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved

PAY = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from(["c1", "c2", "?"]),
    st.sampled_from(["5", "15", "20", "25"]),
    st.sampled_from(["=done", "=refused", "=error", ""]),
).map(lambda p: f"{p[0]}:pay({p[1]},{p[2]}){p[3]}")
CHECK = st.tuples(
    st.sampled_from(["legal", "ann"]), st.sampled_from(["k1", "k2", "?"]), st.sampled_from(["=passed", "=refused", "=error", ""])
).map(lambda p: f"{p[0]}:check({p[1]},1){p[2]}")
SIGN = st.sampled_from(["k1", "k2"]).map(lambda k: f"closer:sign({k},1)=signed")
STORY = st.lists(st.one_of(PAY, PAY, CHECK, SIGN, st.just("ann:hello")), min_size=1, max_size=6).map(" ".join)
CORPUS = st.lists(STORY, min_size=1, max_size=3)


def pack_for(n_paid: int, n_checks: int, n_signed: int) -> Pack:
    """A pack whose counts are stated, so that what is deleted is missing and not absent."""

    def counted(stream: dict[str, object], n: int) -> dict[str, object]:
        return {**stream, "recording": {"because": "the table", "count": n}}

    streams = {
        "ledger": counted(LEDGER, n_paid),
        "checks": counted(SIGNING["checks"], n_checks),
        "sign_offs": counted(SIGNING["sign_offs"], n_signed),
    }
    contracts = {"cap": CAP, "checked": CHECKED, "anywhere": {**CHECKED, "across": "corpus"}}
    return Pack(streams=streams, contracts=contracts)


def operations(traces: list[Trace], tool: str) -> int:
    return len({(t.id, s.call) for t in traces for s in t.steps if s.tool == tool})


def audited(traces: list[Trace], pack: Pack) -> Audit:
    with tempfile.TemporaryDirectory() as folder:
        return audit(saved(Path(folder) / "r.jsonl", *traces), pack)


def told(done: Audit) -> dict[tuple[str, ...], Status]:
    return {(r.contract, *r.instance.values()): r.status for r in done.results}


@settings(max_examples=80, deadline=None)
@given(CORPUS, st.data())
def test_deleting_a_step_a_field_or_the_order_flips_nothing(corpus: list[str], data: st.DataObject) -> None:
    traces = [run(f"r{n}", story, day=n) for n, story in enumerate(corpus)]
    pack = pack_for(*(operations(traces, tool) for tool in ("pay", "check", "sign")))
    before = told(audited(traces, pack))
    places = [(t, s) for t, trace in enumerate(traces) for s in range(len(trace.steps))]
    t, s = data.draw(st.sampled_from(places))
    steps = list(traces[t].steps)
    how = data.draw(st.sampled_from(["step", "actor", "arguments", "status", "order", "time"]))
    if how == "step":
        del steps[s]
    elif how == "actor":
        steps[s] = msgspec.structs.replace(steps[s], actor=None)
    elif how == "arguments":
        steps[s] = msgspec.structs.replace(steps[s], data=None, text=None)
    elif how == "status":
        steps[s] = msgspec.structs.replace(steps[s], status=None)
    elif how == "order":
        steps[s] = msgspec.structs.replace(steps[s], seq=None)
    else:
        steps[s] = msgspec.structs.replace(steps[s], time_ns=None)
    traces[t] = Trace(header=traces[t].header, steps=tuple(steps))
    after = told(audited(traces, pack))
    for instance in before.keys() & after.keys():
        if before[instance] in RESOLVED and after[instance] in RESOLVED:
            assert before[instance] is after[instance] or {before[instance], after[instance]} == {
                Status.RULED_OUT,
                Status.NOT_APPLICABLE,
            }, (how, instance)


@settings(max_examples=30, deadline=None)
@given(CORPUS, st.randoms(use_true_random=False))
def test_the_place_of_steps_in_the_file_and_copies_say_nothing(corpus: list[str], random: object) -> None:
    traces = [run(f"r{n}", story, day=n) for n, story in enumerate(corpus)]
    pack = pack_for(*(operations(traces, tool) for tool in ("pay", "check", "sign")))

    def shuffled(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        mixed = list(steps)
        random.shuffle(mixed)  # type: ignore[attr-defined]
        return tuple(mixed)

    mixed = [Trace(header=t.header, steps=shuffled(t.steps)) for t in traces]
    assert told(audited(mixed, pack)) == told(audited(traces, pack))
