"""Match play: winning chances at a score, the cube arithmetic of a match, and exact bearoffs.

`MatchEquityTable` and `Score` give the value of points, `ZadehModel` makes such a table from a few numbers,
`cube_points` gives the least chances to double and to take, `score_map` the cube action at every score.
`bgrace.solve` with ``match=`` answers exactly for a bearoff.

The modules are loaded when their names are first used, since questions about money need few of them.
"""

from bgrace._base.lazy import names_of_modules

TYPE_CHECKING = False

if TYPE_CHECKING:
    from bgrace.match.maps import ScoreMap, score_map
    from bgrace.match.met import MatchEquityTable, TableDifference, mwc_of, normalised_equity
    from bgrace.match.score import CubePoints, Score, cube_points, cube_points_at_every_cube, gammon_value, parse_score
    from bgrace.match.zadeh import Cell, ZadehModel, skill_from_expectation
else:
    __getattr__, __dir__ = names_of_modules(
        __name__,
        maps=("ScoreMap", "score_map"),
        met=("MatchEquityTable", "TableDifference", "mwc_of", "normalised_equity"),
        score=("CubePoints", "Score", "cube_points", "cube_points_at_every_cube", "gammon_value", "parse_score"),
        zadeh=("Cell", "ZadehModel", "skill_from_expectation"),
    )

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
