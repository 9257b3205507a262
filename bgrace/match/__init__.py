"""Match play: winning chances at a score, the cube arithmetic of a match, and exact bearoffs.

`MatchEquityTable` and `Score` say what points are worth, `ZadehModel` makes such a table from a few numbers,
`cube_points` tells where doubles and takes begin, `score_map` what to do at every score.  `bgrace.solve` with
``match=`` answers exactly for a bearoff.
"""

from bgrace.match.arithmetic import CubePoints, cube_points, cube_points_at_every_cube, gammon_value
from bgrace.match.equities import mwc_of, normalised_equity
from bgrace.match.met import MatchEquityTable, TableDifference
from bgrace.match.score import Score, parse_score
from bgrace.match.score_map import ScoreMap, score_map
from bgrace.match.zadeh import Cell, ZadehModel, skill_from_expectation

__all__ = [
    "Cell",
    "CubePoints",
    "MatchEquityTable",
    "Score",
    "ScoreMap",
    "TableDifference",
    "ZadehModel",
    "cube_points",
    "cube_points_at_every_cube",
    "gammon_value",
    "mwc_of",
    "normalised_equity",
    "parse_score",
    "score_map",
    "skill_from_expectation",
]
