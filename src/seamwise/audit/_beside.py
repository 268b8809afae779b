"""Sources that a table beside it gives to a traced record that then has no weight: they say why, and name nobody."""

from __future__ import annotations

UNNAMED = "(unnamed beside a table)"
"""Source of a traced record whose name was not recorded: whether it is one of the table's rows cannot be told."""
OPEN = "(open beside a table)"
"""Source of a traced record whose outcome was not recorded, and that is in no row of a table that holds all."""
