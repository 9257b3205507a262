"""How many rolls races on the board take, by pip count: the played races of Ross, Benjamin and Munson.

"Estimating Winning Probabilities in Backgammon Races" (below RBM), section 3, plays positions of every pip count from
60 to 160 by strategy H and I, and fits lines to the mean and the variance of the number of rolls, (17) and (18).  Their
initial boards exist as drawings only; `bgrace.studies.initial_positions` has a set that keeps their rules.  Numbers
here are of that set, so what depends on the boards agrees with the print only so far.
"""

from bgrace.studies.played_races.playing import play
from bgrace.studies.played_races.results import (
    GAMES,
    LEADS,
    PAIRS,
    PIPS,
    PRINTED,
    SEED,
    SHAPES,
    BoardRaces,
    Chances,
    Fit,
    Played,
    markdown,
    table_1,
)

__all__ = [
    "GAMES",
    "LEADS",
    "PAIRS",
    "PIPS",
    "PRINTED",
    "SEED",
    "SHAPES",
    "BoardRaces",
    "Chances",
    "Fit",
    "Played",
    "markdown",
    "play",
    "table_1",
]
