"""What the tests of match play start from: a small table, its slow twin, and positions at random."""

import random
from typing import Final

from bgrace.match import MatchEquityTable
from helpers.paths import GOLDEN

TABLE: Final = MatchEquityTable.load(GOLDEN / "match_table.csv")
OWNERS: Final = {"centered": 0, "mine": 1, "theirs": -1}
"""Who has the cube, as the slow twin says it."""


def random_position(source: random.Random, most: int, points: int = 6) -> tuple[int, ...]:
    """One to `most` checkers anywhere."""
    counts = [0] * points
    for _ in range(source.randint(1, most)):
        counts[source.randrange(points)] += 1
    return tuple(counts)
