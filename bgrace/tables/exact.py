"""The memory and work of all pairs of a set of positions in double precision."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace.board.spaces import PositionSpace

MAX_STATES: Final = 64
"""The most states that the solver takes: planes as a side sees them.  BGR_MAX_STATES."""

_COLUMNS: Final = 8  # positions of equal pips are padded to multiples of this


def padded_columns(space: PositionSpace, indices: npt.NDArray[np.int64]) -> int:
    """How many columns the solver makes of positions: those of equal pips rounded up to eights."""
    pips = space.position(indices).astype(np.int64) @ np.arange(1, space.points + 1)
    return int((-(-np.bincount(pips) // _COLUMNS)).sum()) * _COLUMNS
