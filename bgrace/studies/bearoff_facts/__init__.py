"""The bearoff facts of Ross, Benjamin and Munson, computed anew.

Section 3 of "Estimating Winning Probabilities in Backgammon Races" states a handful of facts about all positions of at
most 15 checkers on the six home points.  `bearoff_report` works every one of them out from the one-sided table and puts
the printed figure beside it.

One printed figure is off by one: 1668 pairs of position and roll in which bearing off as many checkers as possible is
not best.  The report makes plausible why, by solving the table once more with the precision that gives exactly 1668.
"""

from bgrace.studies.bearoff_facts.facts import bearoff_report
from bgrace.studies.bearoff_facts.results import AceRule, BearoffReport, GreedyLoss, GreedyPlay, LeastWastage

__all__ = ["AceRule", "BearoffReport", "GreedyLoss", "GreedyPlay", "LeastWastage", "bearoff_report"]
