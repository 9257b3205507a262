"""Everything that is known about a position, or about a pair of them, in one answer.

`bgrace.Database` answers one question at a time; here the answers are put together, and what the database has no answer
for is left out and explained instead of ending in an error.  Every value is for the player on roll, before the dice.
"""

from bgrace.analysis.databases import describe, describe_pair
from bgrace.analysis.results import MatchAnalysis, PairAnalysis, PositionAnalysis
from bgrace.analysis.solutions import describe_alone, describe_match_solution, describe_race, describe_solution

__all__ = [
    "MatchAnalysis",
    "PairAnalysis",
    "PositionAnalysis",
    "describe",
    "describe_alone",
    "describe_match_solution",
    "describe_pair",
    "describe_race",
    "describe_solution",
]
