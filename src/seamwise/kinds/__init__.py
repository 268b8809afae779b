"""Contract kinds: one folder each.

A folder holds ``p.py`` (the definition over complete executions), ``evidence.py`` (what it reads), ``monitor.py`` (the fast way to the
same answer), ``cases.yaml`` (verdicts that fix its semantics) and ``README.md`` (the explanation with an example). Adding a kind is adding
a folder, or an entry point in the group ``seamwise.kinds``.
"""

from seamwise.kinds._folder import kind_names, kind_of
from seamwise.kinds._misfit import Misfit, misfit_of

__all__ = ["Misfit", "kind_names", "kind_of", "misfit_of"]
