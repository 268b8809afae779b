"""Sound files of the formats whose content is spans."""

from __future__ import annotations

import json

from unit.importers.containers import RUN, WRITERS
from unit.importers.test_langfuse import EXPORT, OLD
from unit.importers.test_langsmith import GRAPH, batch, body, nested
from unit.importers.test_openai_agents import ITEMS, STATE, lines

SEEDS: dict[str, list[bytes]] = {}
for _written, _write in WRITERS.items():
    SEEDS.setdefault(_written.partition("/")[0], []).append(_write(RUN))

SEEDS["langfuse"] += [json.dumps(EXPORT).encode(), json.dumps(OLD, indent=1).encode()]

SEEDS["langsmith"] = [*(json.dumps(value).encode() for value in (GRAPH, batch(GRAPH), nested(GRAPH))), body(GRAPH)]

SEEDS["openai_agents"] = [lines(ITEMS), json.dumps({"data": ITEMS}).encode()]
SEEDS["openai_runstate"] = [json.dumps(STATE).encode()]

SEEDS["native"] = [
    b'{"seamwise":1,"id":"t"}\n'
    b'{"id":"a","kind":"tool_call","actor":"x","tool":"pay","call":"c","data":{"arguments":{"n":1}}}\n'
    b'{"id":"b","kind":"tool_result","tool":"pay","call":"c","status":"ok","refs":[{"kind":"answers","step":"a"}]}\n'
]
