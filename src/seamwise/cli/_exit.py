"""The exit codes, as ``--help`` tells them."""

EXIT_CODES = """\b
Exit codes:
  0  nothing is supported
  1  a violation is supported by the records
  2  usage: a file, an option or a page of contracts is not as it must be
  3  something required is unknown, invalid, not judged or could not be read
  4  internal: a defect of Seamwise"""

USAGE_ONLY = """\b
Exit codes:
  0  it was read, whatever it holds
  2  usage: a file, an option or a page is not as it must be
  3  nothing could be read
  4  internal: a defect of Seamwise"""

USAGE = 2
INTERNAL = 4
INTERRUPTED = 130
BROKEN_PIPE = 141
"""128 + SIGPIPE, as a program that the signal ends."""
