"""``two_pairs_of_eyes``: a release was approved by two people, other than the one who released it, before it went out."""

from importlib.resources import files

from seamwise.kernel import Anchor, Kind
from two_pairs_of_eyes.evidence import spec
from two_pairs_of_eyes.monitor import possible
from two_pairs_of_eyes.p import Params, outcome

KIND = Kind(
    name="two_pairs_of_eyes",
    doc=files(__name__).joinpath("README.md").read_text(encoding="utf-8"),
    params=Params,
    outcome=outcome,
    spec=spec,
    possible=possible,
    opaque=frozenset({"actor", "release", "t"}),
    anchor=Anchor(by="record", kind="release", stream="releases", field="release", param="release"),
    fragment="any order; any fields missing; claims nested or disjoint",
    memory="the release and the approvals of its trace",
)
