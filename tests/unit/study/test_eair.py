"""The paper's matrix, over ten models."""

from __future__ import annotations

import pytest

from seamwise.errors import UsageError
from seamwise.study import COHORTS, Cohort, eair_blocks
from seamwise.worlds import BUILT_IN

MODELS = [f"provider/m{n}" for n in range(10)]
HERE = [c for c in COHORTS.values() if c.world in BUILT_IN]


@pytest.mark.parametrize("cohort", HERE, ids=lambda c: c.name)
def test_with_as_many_models_a_cohort_has_the_episodes_of_the_paper(cohort: Cohort):
    (block,) = eair_blocks(MODELS, names=[cohort.name])
    assert len(block.models) == cohort.models
    assert block.size == cohort.episodes == len({c.id for c in block.cells()})


def test_the_cohorts_sum_up_to_the_paper():
    sizes = {name: c.episodes for name, c in COHORTS.items()}
    assert sizes == {"A1": 60, "B1": 480, "B1-power": 48, "C1": 150, "D1": 90, "F1": 240, "F1-solo": 90}
    assert sum(sizes.values()) == 1158


def test_a_cohort_that_there_is_not_is_told():
    with pytest.raises(UsageError, match="Z9"):
        eair_blocks(MODELS, names=["Z9"])


def test_a_cohort_without_a_world_is_told_and_left_out_of_the_whole():
    absent = [name for name, c in COHORTS.items() if c.world not in BUILT_IN]
    for name in absent:
        with pytest.raises(UsageError, match="a world"):
            eair_blocks(MODELS, names=[name])
    assert len(eair_blocks(MODELS)) == len(COHORTS) - len(absent)
