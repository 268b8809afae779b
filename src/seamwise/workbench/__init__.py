"""The workbench: from a folder of recordings to a page that binds them, without judging anything.

    seen = inventory("runs/")              # agents, tools, their fields with masked values, how calls ended
    print(starter(seen))                   # an org.yaml that loads as it is
    shown = preview("runs/", Pack.load("org.yaml", lock=False))
    lock = lock_of("runs/", Pack.load("org.yaml", lock=False))

Reading order: ``_reading`` (traces of files), ``_seen`` and ``_inventory`` (what is there), ``_guess``, ``_candidates`` and ``_starter``
(the first page), ``_rows`` and ``_preview`` (how a page binds), ``_locking`` (counts, frozen).
"""

from seamwise.workbench._inventory import inventory
from seamwise.workbench._locking import lock_of
from seamwise.workbench._preview import preview
from seamwise.workbench._rows import FieldSeen, Preview, RuleSeen, StreamSeen, Untaken
from seamwise.workbench._seen import Inventory, KindSeen, PathSeen, ToolSeen
from seamwise.workbench._starter import starter

__all__ = [
    "FieldSeen",
    "Inventory",
    "KindSeen",
    "PathSeen",
    "Preview",
    "RuleSeen",
    "StreamSeen",
    "ToolSeen",
    "Untaken",
    "inventory",
    "lock_of",
    "preview",
    "starter",
]
