"""Where pairs stand in the tables of those in which a gammon matters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bgrace.tables import GammonPairs

Integers = npt.NDArray[np.integer]


def places_of(pairs: GammonPairs, on_roll: Integers, opponent: Integers) -> tuple[Integers, Integers]:
    """Rows of the winning and of the losing table, by ranks, -1 for pairs that are not in them."""

    def places(starts: Integers, row: Integers, column: Integers) -> Integers:
        place = starts[row] + column
        return np.where((column >= 0) & (place < starts[np.add(row, 1)]), place, -1)

    winning = places(pairs.winning_starts, on_roll, pairs.column[opponent])
    losing = places(pairs.losing_starts, opponent, pairs.column[on_roll])
    return winning, np.where(winning < 0, losing, -1)
