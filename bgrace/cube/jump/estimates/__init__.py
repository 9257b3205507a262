"""Jump volatility from real positions: of one position by looking two rolls ahead, and of recorded games.

The model is defined by the mean absolute jump, E|J|; the paper says so and then prints, and computes, the standard
deviation.  Here both come out, under their names.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", section 2 of both versions, and appendix 4 of the
version of March 2012 for the profile by chance of winning.
"""

from bgrace.cube.jump.estimates.buckets import Buckets, bucket_jumps
from bgrace.cube.jump.estimates.local import LocalVolatility, local_volatility, outcome_volatility
from bgrace.cube.jump.estimates.played import play_races
from bgrace.cube.jump.estimates.recorded import (
    HIGH,
    LOW,
    Game,
    JumpStatistics,
    conditional_jumps,
    jump_statistics,
    window_jumps,
)

__all__ = [
    "HIGH",
    "LOW",
    "Buckets",
    "Game",
    "JumpStatistics",
    "LocalVolatility",
    "bucket_jumps",
    "conditional_jumps",
    "jump_statistics",
    "local_volatility",
    "outcome_volatility",
    "play_races",
    "window_jumps",
]
