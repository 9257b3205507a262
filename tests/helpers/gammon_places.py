"""Places of pairs in the tables of pairs in which a gammon matters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bgrace.tables import GammonPairs

Integers = npt.NDArray[np.integer]


def places_of(pairs: GammonPairs, on_roll: Integers, opponent: Integers) -> tuple[Integers, Integers]:
    """Return the rows of pairs of ranks in the winning and in the losing table, -1 for pairs without one."""

    def places(starts: Integers, row: Integers, column: Integers) -> Integers:
        place = starts[row] + column
        return np.where((column >= 0) & (place < starts[np.add(row, 1)]), place, -1)

    winning = places(pairs.winning_starts, on_roll, pairs.column[opponent])
    losing = places(pairs.losing_starts, opponent, pairs.column[on_roll])
    return winning, np.where(winning < 0, losing, -1)
