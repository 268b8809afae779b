"""Sound files of the formats in which agent frameworks and coding agents keep their runs."""

from __future__ import annotations

import json

from unit.importers import coding_fixtures, inspect_fixtures, tau_fixtures, trajectory_fixtures, vcr_fixtures
from unit.importers.adk_fixtures import DESK, camel

SEEDS: dict[str, list[bytes]] = {
    "adk": [json.dumps(DESK).encode(), json.dumps(camel(DESK), indent=2).encode()],
    "inspect": inspect_fixtures.SEEDS,
    "tau": tau_fixtures.SEEDS,
    "vcr": vcr_fixtures.SEEDS,
    **trajectory_fixtures.SEEDS,
    **coding_fixtures.SEEDS,
}
