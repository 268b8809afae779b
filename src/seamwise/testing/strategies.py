"""Hypothesis strategies for records: everything that a native file can hold.

Use them to test an importer, a renderer or a contract against what nobody thought of::

    @given(traces())
    def test_it_never_crashes(trace): ...

This module needs Hypothesis; nothing else in the package imports it.
"""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from seamwise.record import STEP_KINDS, After, Claim, Clock, Header, OrderBasis, Organization, Ref, RefKind, Status, Step, Trace


def words() -> st.SearchStrategy[str]:
    """Names: mostly short and alike, so that they meet; sometimes anything."""
    return st.sampled_from(["a", "b", "support", "billing", "ledger/c1", "", "é", "日本", "a b"]) | texts()


def texts() -> st.SearchStrategy[str]:
    """Any string that a JSON reader can give: control characters, line separators and lone surrogates included.

    A high surrogate followed by a low one is no such string; as escapes the two are read as one character.
    """
    return st.text(st.characters(exclude_categories=[]), max_size=30).map(_joined)


def json_values() -> st.SearchStrategy[Any]:
    """Any value that JSON holds exactly; nested a little."""
    whole = st.integers() | st.sampled_from([2**63, 2**64, -(2**63) - 1, 10**40])
    scalars = st.none() | st.booleans() | whole | st.floats(allow_nan=False, allow_infinity=False) | texts() | st.just("12.00")
    return st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(), inner, max_size=3), max_leaves=8)


def steps(id: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Step]:
    """Any step; every field may be absent."""
    moments = st.integers(0, 2 * 10**18) | st.integers()
    refs = st.builds(Ref, kind=st.sampled_from(_words_of(RefKind)), step=words())
    afters = st.builds(After, step=words(), basis=st.sampled_from(_words_of(OrderBasis)))
    return st.builds(
        Step,
        id=words() if id is None else id,
        kind=st.sampled_from(sorted(STEP_KINDS)) | words(),
        actor=st.none() | words(),
        recipients=st.none() | _several(words()),
        channel=st.none() | words(),
        tool=st.none() | words(),
        call=st.none() | words(),
        status=st.none() | st.sampled_from(_words_of(Status)),
        text=st.none() | texts(),
        data=st.none() | st.dictionaries(texts(), json_values(), max_size=3),
        refs=_several(refs),
        streams=_several(words()),
        time_ns=st.none() | moments,
        seq=st.none() | st.integers(0, 20) | st.integers(),
        order=_several(afters),
        source=st.none() | words(),
    )


def headers() -> st.SearchStrategy[Header]:
    """Any header of the present schema version."""
    claims = st.builds(
        Claim,
        sort=st.sampled_from(["recording", "route"]),
        stream=words(),
        range=st.none() | words(),
        count=st.none() | st.integers(0, 100),
        by=words(),
        basis=texts(),
    )
    organizations = st.builds(
        Organization,
        agents=st.dictionaries(words(), json_values(), max_size=2),
        policies=st.dictionaries(words(), texts(), max_size=2),
        rights=st.dictionaries(words(), _several(words()), max_size=2),
        attested=st.dictionaries(words(), st.floats(allow_nan=False, allow_infinity=False), max_size=2),
        complete=_several(st.sampled_from(["agents", "rights", "tools"])),
    )
    return st.builds(
        Header,
        id=words(),
        organization=organizations,
        claims=_several(claims),
        clocks=st.dictionaries(words(), st.builds(Clock, skew_ns=st.integers(0, 10**9), basis=texts()), max_size=2),
        origin=st.dictionaries(texts(), json_values(), max_size=2),
    )


def traces(max_steps: int = 6) -> st.SearchStrategy[Trace]:
    """Any trace whose steps have ids of their own."""
    some = st.lists(steps(), max_size=max_steps, unique_by=lambda step: step.id)
    return st.builds(lambda header, several: Trace(header=header, steps=tuple(several)), headers(), some)


def ordered_steps(max_steps: int = 8) -> st.SearchStrategy[list[Step]]:
    """Steps ``s0 .. sn`` with sequences, clocks and stated precedences drawn close together, so that they meet and contradict."""

    def build(n: int) -> st.SearchStrategy[list[Step]]:
        known = st.sampled_from([f"s{i}" for i in range(n)] + ["missing"])
        afters = st.builds(After, step=known, basis=st.sampled_from(_words_of(OrderBasis)))
        fields: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
            {},
            optional={
                "source": st.sampled_from(["x", "y"]),
                "seq": st.integers(0, 4),
                "time_ns": st.integers(0, 30),
                "order": st.lists(afters, max_size=2).map(tuple),
            },
        )
        return st.lists(fields, min_size=n, max_size=n).map(
            lambda rows: [Step(id=f"s{i}", kind="note", **row) for i, row in enumerate(rows)]
        )

    return st.integers(0, max_steps).flatmap(build)


def _several(of: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=3).map(tuple)


def _words_of(literal: object) -> list[Any]:
    return list(get_args(literal))


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
