"""What importers of several formats share; no format of its own.

In reading order: ``loose`` (JSON that is damaged), ``text`` (JSON inside strings), ``document`` (a file as JSON values), ``labels``
(evaluation labels are sealed), ``messages`` (one shape for what was said), ``names`` (agents and handoff tools), ``suspicion`` (results
that report a failure), ``talk`` (the steps of a conversation as it was listed).
"""
