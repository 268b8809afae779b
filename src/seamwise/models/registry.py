"""Inspect AI's entry point: makes the provider ``seamwise`` known (``--model seamwise/careful``) and every installed world a task."""

from seamwise.models._provider import SeamwiseAPI

__all__ = ["SeamwiseAPI"]
