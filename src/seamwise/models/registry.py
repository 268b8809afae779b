"""Makes the provider ``seamwise`` known to Inspect AI (``get_model("seamwise/careful")``).

Inspect's entry point is `seamwise.study.inspect_tasks`, which imports this and adds every world as a task.
"""

from seamwise.models._provider import SeamwiseAPI

__all__ = ["SeamwiseAPI"]
