"""Bearoffs at a match score, solved exactly, with the real cube states of that score.

What those states are stands in `bgrace.match.cube_states`; the solver is csrc/solve/exact.c.
"""

from bgrace.match.exact.equities import mwc_of, normalised_equity
from bgrace.match.exact.results import MatchAction, MatchPlay, MatchValues
from bgrace.match.exact.solution import MatchSolution
from bgrace.match.exact.solving import solve_match, solve_scores

__all__ = [
    "MatchAction",
    "MatchPlay",
    "MatchSolution",
    "MatchValues",
    "mwc_of",
    "normalised_equity",
    "solve_match",
    "solve_scores",
]
