"""Audits that continue: the same bytes as an audit of everything at once, without reading the old files again."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from seamwise.audit import Audit, Pack, State, audit, audit_with_scenes, write_results
from seamwise.audit._kept_parts import BESIDE
from seamwise.audit._scan import Scanner
from seamwise.cli._main import run as cli
from seamwise.errors import UsageError
from seamwise.record import Organization, Trace
from unit.binding.traces import CAP, CHECKED, LEDGER, SIGNING, run, saved

FINAL = {**CAP, "per": ["customer", "quarter"], "reversals": {"none": True, "because": "final"}}
STREAMS: dict[str, Any] = {"ledger": LEDGER, **SIGNING}
CONTRACTS: dict[str, Any] = {"cap": FINAL, "checked": CHECKED, "ever-checked": {**CHECKED, "across": "corpus"}}
PACK = Pack(streams=STREAMS, contracts=CONTRACTS)
PAGE = """version: 1
streams: {ledger: {from: [{tool: pay, fields: {customer: arguments.customer, amount: arguments.amount}}], key: customer}}
"""
NIGHTS = [
    [
        run("r1", "a:pay(c1,20)=done legal:check(k1,1)=passed closer:sign(k1,1)=signed"),
        run("r2", "b:pay(c1,15)=done closer:sign(k2,1)=signed", day=1),
    ],
    [run("r3", "c:pay(c1,10)=done d:pay(c2,10) legal:check(k3,1) closer:sign(k3,1)=signed", day=2)],
    [run("r4", "c:pay(c3,10)=done d:pay(c3,10)=refused closer:sign(k1,1)=signed", day=3)],
]


def written(done: Audit) -> bytes:
    out = io.BytesIO()
    write_results(out, *done)
    return out.getvalue()


class Nights:
    """A folder that grows, and a count of what is really read."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs, self.state = root / "runs", root / "state"
        self.scanned: list[str] = []
        scan = Scanner.scan

        def counted(scanner: Scanner, path: str, place: int) -> Any:
            self.scanned.append(Path(path).name)
            return scan(scanner, path, place)

        monkeypatch.setattr(Scanner, "scan", counted)

    def add(self, name: str, *traces: Trace) -> None:
        saved(self.runs / name, *traces)

    def same(self, pack: Pack = PACK, **options: Any) -> State:
        """Audits with the state and without: the same bytes come out."""
        whole = written(audit(self.runs, pack, **options))
        state = State(self.state)
        self.scanned.clear()
        assert written(audit(self.runs, pack, state=state, **options)) == whole
        return state


@pytest.fixture
def nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    return Nights(tmp_path, monkeypatch)


def names(paths: tuple[str, ...]) -> list[str]:
    return [Path(path).name for path in paths]


def test_tonight_continues_last_night(nights: Nights) -> None:
    for n, traces in enumerate(NIGHTS):
        nights.add(f"{n}.jsonl", *traces)
        state = nights.same()
        assert nights.scanned == [f"{n}.jsonl"]
        assert names(state.known) == [f"{i}.jsonl" for i in range(n)]
        assert (state.changed, state.gone, state.forgotten) == ((), (), False)
    nights.same()
    assert nights.scanned == []


def test_a_file_that_comes_before_the_others_moves_them(nights: Nights) -> None:
    nights.add("m.jsonl", *NIGHTS[0])
    nights.add("n.jsonl", *NIGHTS[1])
    nights.same()
    nights.add("a.jsonl", *NIGHTS[2])
    nights.same()
    assert nights.scanned == ["a.jsonl"]


def test_a_changed_file_is_read_again_and_a_vanished_one_named(nights: Nights) -> None:
    for n, traces in enumerate(NIGHTS):
        nights.add(f"{n}.jsonl", *traces)
    nights.same()
    nights.add("1.jsonl", run("r3", "c:pay(c1,1)=done", day=2))
    state = nights.same()
    assert (nights.scanned, names(state.changed)) == (["1.jsonl"], ["1.jsonl"])
    (nights.runs / "0.jsonl").unlink()
    state = nights.same()
    assert (nights.scanned, names(state.gone)) == ([], ["0.jsonl"])
    assert len(list(nights.state.glob("*.kept"))) == 2


def test_the_same_size_and_time_do_not_make_the_same_file(nights: Nights) -> None:
    nights.add("0.jsonl", run("r1", "a:pay(c1,20)=done"))
    nights.same()
    path = nights.runs / "0.jsonl"
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"20", b"19"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert names(nights.same().changed) == ["0.jsonl"]


def test_a_trace_that_goes_on_in_another_file(nights: Nights) -> None:
    whole = run("r1", "a:pay(c1,20)=done b:pay(c1,15)=done c:pay(c1,10)=done")
    for n, steps in enumerate((whole.steps[:3], whole.steps[3:])):
        nights.add(f"{n}.jsonl", Trace(header=whole.header, steps=steps))
        nights.same()
        assert nights.scanned == [f"{n}.jsonl"]
    nights.same(jobs=2)


def test_any_number_of_jobs(nights: Nights) -> None:
    for n, traces in enumerate(NIGHTS):
        nights.add(f"{n}.jsonl", *traces)
    nights.same(jobs=3)
    state = nights.same(jobs=2)
    assert len(state.known) == 3
    assert nights.same(jobs=1).read == ()


@pytest.mark.parametrize("options", [{"prove": False}, {"redact": False}, {"format": "native"}], ids=str)
def test_other_options_are_another_audit(nights: Nights, options: dict[str, Any]) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    assert nights.same(**options).forgotten
    assert nights.scanned == ["0.jsonl"]
    assert not nights.same(**options).forgotten
    assert nights.scanned == []


def test_another_page_is_another_audit(nights: Nights, tmp_path: Path) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    page = tmp_path / "org.yaml"
    text = PAGE
    contract = "contracts: {cap: {kind: within_total, stream: ledger, limit: 30}}\n"
    page.write_text(text + contract)
    nights.same(Pack.load(page))
    nights.same(Pack.load(page))
    assert nights.scanned == []
    for changed in (text + contract.replace("30", "30.0"), "# line\n" + text + contract, text + contract.replace("cap", "cup")):
        page.write_text(changed)
        assert nights.same(Pack.load(page)).forgotten
        assert nights.scanned == ["0.jsonl"]


def test_another_build_is_another_audit(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    monkeypatch.setattr("seamwise.audit._state._build", lambda: "another")
    assert nights.same().forgotten


def test_counts_that_are_not_met_are_told_the_same(nights: Nights) -> None:
    ledger = {**LEDGER, "recording": {"because": "all", "count": 5}}
    sign_offs = {**SIGNING["sign_offs"], "recording": {"because": "all", "count": 3}}
    pack = Pack(streams={**STREAMS, "ledger": ledger, "sign_offs": sign_offs}, contracts=CONTRACTS)
    for n, traces in enumerate(NIGHTS):
        nights.add(f"{n}.jsonl", *traces)
        nights.same(pack)
        nights.same(pack)
        assert nights.scanned == []


def test_what_recordings_say_of_the_organization_goes_with_their_file(nights: Nights) -> None:
    pack = Pack(streams=STREAMS, contracts=CONTRACTS, organization={"rights": {"edit": ["legal"]}})
    told = Organization(rights={"edit": ("sales",)})
    nights.add("0.jsonl", run("r1", "closer:sign(k1,1)=signed", organization=told))
    nights.add("1.jsonl", run("r2", "closer:sign(k2,1)=signed", organization=told))
    nights.same(pack)
    (nights.runs / "0.jsonl").unlink()
    nights.same(pack)
    assert nights.scanned == []
    (nights.runs / "1.jsonl").unlink()
    nights.add("2.jsonl", run("r3", "closer:sign(k3,1)=signed"))
    nights.same(pack)


def test_damage_is_told_again(nights: Nights) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.add("1.jsonl", *NIGHTS[1])
    with (nights.runs / "1.jsonl").open("ab") as file:
        file.write(b'{"id": "torn\n')
    nights.same()
    nights.same()
    assert nights.scanned == []


def test_a_state_that_is_damaged_is_not_used(nights: Nights) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    (kept,) = nights.state.glob("*.kept")
    whole = kept.read_bytes()
    rng = random.Random(7)
    for _ in range(40):
        at = rng.randrange(len(whole))
        kept.write_bytes(rng.choice([whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[at:], b"", whole + b"x"]))
        nights.same()
        assert nights.scanned == ["0.jsonl"]
        assert kept.read_bytes() == whole
    for manifest in (b"", b"[]", b'{"version": 1, "key": "", "files": {"a": 1}}', b"\xff"):
        (nights.state / "seamwise-state.json").write_bytes(manifest)
        nights.same()
        assert nights.scanned == []


def test_a_state_runs_no_code(nights: Nights, tmp_path: Path) -> None:
    from seamwise.audit._kept_parts import _TAIL, MAGIC, _digest_to

    class Evil:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "owned"),)

    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    (kept,) = nights.state.glob("*.kept")
    content = pickle.dumps(Evil())
    with kept.open("w+b") as file:
        file.write(content)
        file.write(_TAIL.pack(0, 0, len(content), _digest_to(file, len(content))) + MAGIC)
    nights.same()
    assert not (tmp_path / "owned").exists()


def test_only_its_owner_reads_it(nights: Nights) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    assert stat.S_IMODE(nights.state.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in nights.state.iterdir()} == {0o600}


def test_scenes_are_the_same(nights: Nights) -> None:
    for n, traces in enumerate(NIGHTS):
        nights.add(f"{n}.jsonl", *traces)
    audit(nights.runs, PACK, state=State(nights.state))
    one, other = audit_with_scenes(nights.runs, PACK), audit_with_scenes(nights.runs, PACK, state=State(nights.state))
    assert (one.summary, list(one.results), one.scenes) == (other.summary, list(other.results), other.scenes)


def test_folders_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="which is a file"):
        State(tmp_path / "file")
    with pytest.raises(UsageError, match="which holds other things"):
        State(tmp_path)
    with pytest.raises(UsageError, match="cannot use the folder"):
        State(tmp_path / "none" / "state")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    saved(Path("runs/0.jsonl"), *NIGHTS[0])
    Path("org.yaml").write_text(
        PAGE + "contracts: {cap: {kind: within_total, stream: ledger, limit: 30, reversals: {none: true, because: final}}}\n"
    )
    command = ["audit", "runs", "--org", "org.yaml", "--json"]
    assert cli(command) == 1
    whole = capsys.readouterr().out
    for told in ("state: 0 of 1 files known from before\n", "state: 1 of 1 files known from before\n"):
        assert cli([*command, "--state", "kept"]) == 1
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == (whole, told)
    saved(Path("runs/1.jsonl"), *NIGHTS[1])
    Path("runs/0.jsonl").unlink()
    cli([*command, "--state", "kept"])
    assert capsys.readouterr().err == "state: 0 of 1 files known from before; not there any more: runs/0.jsonl\n"
    assert cli([*command, "--state", "runs/kept"]) == 2
    assert "which lies below `runs`" in capsys.readouterr().err
    assert json.loads(Path("kept/seamwise-state.json").read_text())["version"] == 1


def test_what_a_format_reads_beside_a_file_belongs_to_it(nights: Nights) -> None:
    nights.add("0.jsonl", *NIGHTS[0])
    nights.same()
    (nights.runs / "0.meta.json").write_text("{}")
    audit(nights.runs / "0.jsonl", PACK, state=State(nights.state))
    nights.scanned.clear()
    (nights.runs / "0.meta.json").write_text('{"agent": "x"}')
    state = State(nights.state)
    audit(nights.runs / "0.jsonl", PACK, state=state)
    assert (nights.scanned, names(state.changed)) == (["0.jsonl"], ["0.jsonl"])


def test_no_importer_reads_another_file_beside_its_own_that_a_state_does_not_know() -> None:
    root = Path(__file__).parents[3] / "src" / "seamwise" / "importers"
    found = [
        (path.relative_to(root).as_posix(), line.strip())
        for path in sorted(root.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"with_name\(|with_suffix\(|\.parent / |listdir\(|\.glob\(", line)
    ]
    assert all(any(ending in line for ending in BESIDE) for _, line in found), found
