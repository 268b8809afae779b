"""What worlds run on.

A clock that stands still until something takes time, messages that reach sender and receiver alone, private memories, tools, documents,
controls, costs, and one recorder.

The runtime enforces what a :class:`Workflow` declares, so that the twelve repair operations (:mod:`seamwise.runtime.operations`) change
what happens. Running agents needs ``pip install 'seamwise[worlds]'``; reading and changing workflows does not.
"""

from seamwise.models import VoiceFailedError, seeded
from seamwise.runtime._clock import SimulatedClock
from seamwise.runtime._costs import CostLedger, Entry
from seamwise.runtime._documents import Document, DocumentStore, load_documents
from seamwise.runtime._judge import Axis, Judgement, Score, ask_judge, is_quote
from seamwise.runtime._memory import PrivateMemory
from seamwise.runtime._recorder import Recorder
from seamwise.runtime._runtime import Delivery, InvalidExecution, Made, Play, Runtime, Turn, Voices
from seamwise.runtime._tools import Call, Tool, ToolRefused, tool
from seamwise.runtime._workflow import (
    Channel,
    CrossCheck,
    Edge,
    Gate,
    Memory,
    Role,
    When,
    Workflow,
    check_workflow,
    dump_workflow,
    load_workflow,
)

__all__ = [
    "Axis",
    "Call",
    "Channel",
    "CostLedger",
    "CrossCheck",
    "Delivery",
    "Document",
    "DocumentStore",
    "Edge",
    "Entry",
    "Gate",
    "InvalidExecution",
    "Judgement",
    "Made",
    "Memory",
    "Play",
    "PrivateMemory",
    "Recorder",
    "Role",
    "Runtime",
    "Score",
    "SimulatedClock",
    "Tool",
    "ToolRefused",
    "Turn",
    "VoiceFailedError",
    "Voices",
    "When",
    "Workflow",
    "ask_judge",
    "check_workflow",
    "dump_workflow",
    "is_quote",
    "load_documents",
    "load_workflow",
    "seeded",
    "tool",
]
