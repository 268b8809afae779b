"""The command line: one file per command.

A module of this package that does not begin with ``_`` is a command: it exposes a click command named ``command``. Adding one is adding
a file. Modules of commands import nothing heavy at the top, so that ``seamwise --help`` stays quick.
"""

from seamwise.cli._main import main

__all__ = ["main"]
