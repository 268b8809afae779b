"""What importers of several formats share; no format of its own.

In reading order: ``loose`` (JSON that is damaged), ``text`` (JSON inside strings), ``ids`` (runs without one), ``times`` (moments),
``document`` (a file as JSON values or text), ``loguru`` (logs as loguru writes them), ``sniff`` (what its first bytes hold), ``labels``
(evaluation labels are sealed), ``messages`` (one shape for what was said), ``names`` (agents and handoff tools), ``addressed`` (labels that
say to whom), ``arguments`` (of tool calls), ``suspicion`` (results that report a failure), ``talk`` (the steps of a listed conversation),
``spoken`` (one message of whoever's shape, and its steps), ``turns`` (transcripts in which one turn is one step).
"""
