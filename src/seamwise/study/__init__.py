"""One engine for matrices of episodes: cells, resumption, budgets, and what is read off the results.

from seamwise.study import Plan, make_block, read_episodes, run_plan

block = make_block(load_world("kpi_gaming"), models=["seamwise/careful"], seeds=3)
run_plan(Plan(blocks=(block,), counterpart="seamwise/compliant", judge="seamwise/rule-judge"), Path("out"))
read_episodes("out")
"""

from seamwise.study._again import Again, score_again
from seamwise.study._eair import COHORTS, Cohort, eair_blocks
from seamwise.study._engine import Progress, Ran, Spending, run_plan
from seamwise.study._estimate import Estimate, estimate
from seamwise.study._matrix import ALL, Block, Plan, make_block, pairing_key
from seamwise.study._store import Attempt, Manifest, Replaced, RunDirectory, read_episodes, read_trace

__all__ = [
    "ALL",
    "COHORTS",
    "Again",
    "Attempt",
    "Block",
    "Cohort",
    "Estimate",
    "Manifest",
    "Plan",
    "Progress",
    "Ran",
    "Replaced",
    "RunDirectory",
    "Spending",
    "eair_blocks",
    "estimate",
    "make_block",
    "pairing_key",
    "read_episodes",
    "read_trace",
    "run_plan",
    "score_again",
]
