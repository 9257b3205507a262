"""Doubling windows of real positions, in expected pips, and what the single-checker advice is worth there.

Near the end of a race, and for stacks and gaps, pip counts stop telling how long a position takes.  Its expected pip
count (EPC) still does.  Here the exact decisions of a two-sided database are gathered by the EPC of the player on roll:
which lead in EPC is best to double, to redouble and to take by, and how often, and at what cost, three rules of thumb
are wrong:

pips
    the single-checker table of `bgrace.cube.race`, entered with raw pip counts;
epc
    the same table, entered with the pip counts at which a single checker has the positions' EPC, its equities
    interpolated between whole pips;
lead
    the best single lead in EPC for the group: what is lost even so is what EPCs do not tell.

Only contested pairs count: those in which the player on roll wins 50% to 90% without a cube.  Elsewhere every rule is
right, and no one asks.
"""

from bgrace.studies.race_windows.advice import DECISIONS, Decision, equivalent_pips, interpolated, single_checker_lead
from bgrace.studies.race_windows.results import RULES, WORTH, Accuracy, PositionWindow, Rule, Study
from bgrace.studies.race_windows.studies import study

__all__ = [
    "DECISIONS",
    "RULES",
    "WORTH",
    "Accuracy",
    "Decision",
    "PositionWindow",
    "Rule",
    "Study",
    "equivalent_pips",
    "interpolated",
    "single_checker_lead",
    "study",
]
