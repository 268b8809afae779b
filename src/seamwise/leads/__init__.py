"""Leads: what a recording shows that deserves a look, before anybody has written a policy.

A lead is no verdict. Rules read structure only (calls and answers, addressed messages, versions, approvals), know the innocent shapes
that look alike, and say which steps to look at. What a lead says can be proved or ruled out by a contract.

    from seamwise.leads import find_leads

    for lead in find_leads("runs/").leads:
        print(lead.rule, lead.trace, lead.words)

How often a rule is right is measured on real recordings (``make precision``); one that is right less than four times in five is off.
Reading order: ``_lead``, ``_facts`` (a trace as rules see it), ``rules/`` (one file each), ``_rules``, ``_find``, ``_group``.
"""

from seamwise.leads._accepted import Accepted, Sorted, accepted_text, read_accepted, without_accepted
from seamwise.leads._find import Leads, find_leads, leads_of
from seamwise.leads._group import Cause, by_cause
from seamwise.leads._lead import Lead, Seen
from seamwise.leads._rules import RULES, Rule, chosen

__all__ = [
    "RULES",
    "Accepted",
    "Cause",
    "Lead",
    "Leads",
    "Rule",
    "Seen",
    "Sorted",
    "accepted_text",
    "by_cause",
    "chosen",
    "find_leads",
    "leads_of",
    "read_accepted",
    "without_accepted",
]
