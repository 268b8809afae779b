"""The address of an episode is the same in every process and after it was read back."""

from __future__ import annotations

import pickle

import msgspec

from seamwise.worlds import Cell

CELL = Cell(world="w", model="a/b", condition="c", seed=3, factors={"f": "x"})


def test_a_cell_that_was_read_or_passed_to_a_process_keeps_its_id_and_its_bytes():
    encoded = msgspec.json.encode(CELL)
    for copy in (msgspec.json.decode(encoded, type=Cell), pickle.loads(pickle.dumps(CELL)), Cell(**msgspec.structs.asdict(CELL))):
        assert copy.id == CELL.id
        assert msgspec.json.encode(copy) == encoded
    spelled = msgspec.json.decode(b'{"world":"w","model":"a/b","condition":"c","seed":3,"factors":{"f":"x"},"arm":"main"}', type=Cell)
    assert spelled.id == CELL.id
    assert msgspec.json.encode(spelled) == encoded


def test_every_part_of_the_address_is_in_the_id():
    changes = {"world": "v", "model": "a/c", "condition": "d", "seed": 4, "arm": "solo", "factors": {"f": "y"}}
    others = [msgspec.structs.replace(CELL, **{name: value}) for name, value in changes.items()]
    assert len({c.id for c in (CELL, *others)}) == 7
