"""Bearing off against men behind: the risk of being hit.

Every position of a bearoff has a least chance ever to be hit, by one or two men who wait on the bar or on a point, and
a chance never to be hit that no play of a single man can lower.  docs/contact.md shows what they teach;
docs/contact-mathematics.md says how they come about, and what is refused.
"""

from bgrace.contact.behind import Sides
from bgrace.contact.risks import ASSUMPTIONS, PlayRisk, Risk, risk

__all__ = ["ASSUMPTIONS", "PlayRisk", "Risk", "Sides", "risk"]
