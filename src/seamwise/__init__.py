"""Seamwise finds where multi-agent workflows break at the seams, and proves it from the records."""

__version__ = "0.1.0"
