"""The thirteen interaction risks as data: what each is, what lies nearest to it, and how each of the four criteria is read for it.

    from seamwise.risks import RISKS, risk_named

    risk_named("A1").contract   # "within_total"

Source: the EAIR paper, section 2 and appendix B; the words are ours. Codes are those of the paper.
"""

from seamwise.risks._risks import CRITERIA, MEASUREMENTS, Dimension, Family, Neighbour, Risk, families, risk_code, risk_named, risks

__all__ = ["CRITERIA", "MEASUREMENTS", "Dimension", "Family", "Neighbour", "Risk", "families", "risk_code", "risk_named", "risks"]
