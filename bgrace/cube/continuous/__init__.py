"""The cube in a game whose win probability moves continuously: Keeler and Spencer's Brownian model.

The chance of player A to win is a Brownian motion on [0, 1] that stops at either end.  A doubles when it reaches a
threshold `high`, B when it comes down to `low`.  Winnings are A's, in units of the stake at the beginning; a taken
double doubles the stake and gives the taker the sole right to the next one.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 3.  Three opponents there: the rational
one (Theorem 1), the insolent one, who doubles too early, and the excessively cautious one, who doubles too late.
"""

from bgrace.cube.continuous.central_limit import chance_within_norming, norming_constant, truncated_second_moment
from bgrace.cube.continuous.distributions import Winnings, cautious, insolent, two_thresholds, winnings
from bgrace.cube.continuous.simulation import Simulation, simulate
from bgrace.cube.continuous.thresholds import HIGH, LOW, equity, hitting_probability

__all__ = [
    "HIGH",
    "LOW",
    "Simulation",
    "Winnings",
    "cautious",
    "chance_within_norming",
    "equity",
    "hitting_probability",
    "insolent",
    "norming_constant",
    "simulate",
    "truncated_second_moment",
    "two_thresholds",
    "winnings",
]
