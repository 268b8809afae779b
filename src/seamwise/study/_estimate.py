"""What a plan would take, before anything is spent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgspec

from seamwise.models import Journal
from seamwise.study._engine import Order, Spending, play_once
from seamwise.study._matrix import Plan
from seamwise.worlds import load_world


@dataclass(frozen=True)
class Estimate:
    """What a plan would take, told from one scripted episode of each world, condition and arm."""

    cells: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """USD; None: the price of a model is not known."""


def estimate(plan: Plan, spending: Spending | None = None) -> Estimate:
    """How many calls and tokens a plan would take: every condition is played once by the scripted reference, in memory and for free."""
    spending = spending or Spending()
    calls = read = written = cells = 0
    cost: float | None = 0.0
    with asyncio.Runner() as runner:
        for block in plan.blocks:
            world = load_world(block.world)
            scripted = f"seamwise/{world.reference}"
            for condition in block.conditions:
                one = msgspec.structs.replace(block, models=(scripted,), conditions=(condition,), seeds=block.seeds[:1])
                order = Order("", block.world, one.cells()[0], "seamwise/compliant", "seamwise/rule-judge", 1, None, {})
                usage = runner.run(play_once(world, order, Journal())).episode.usage
                share = block.size // len(block.conditions)
                cells += share
                calls += usage["calls"] * share
                read += usage["input_tokens"] * share
                written += usage["output_tokens"] * share
                for model in block.models:
                    price = spending.price(model)
                    if price is None or cost is None:
                        cost = None
                    else:
                        each = share // len(block.models)
                        cost += each * (usage["input_tokens"] * price[0] + usage["output_tokens"] * price[1]) / 1e6
    return Estimate(cells, calls, read, written, cost)
