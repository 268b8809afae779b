"""Helpers for tests, ours and other people's: verdict cases, strategies, laws.

``python -m seamwise.testing verdicts FILE`` runs a file of cases. :mod:`seamwise.testing.mutations` and
:mod:`seamwise.testing.strategies` need Hypothesis; this package does not import them by itself.
"""

from seamwise.testing._cases import Case, load_cases, parse_case, parse_evidence
from seamwise.testing._run import Result, run_case

__all__ = ["Case", "Result", "load_cases", "parse_case", "parse_evidence", "run_case"]
