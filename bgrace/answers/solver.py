"""The solver and cache of every answer, made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace._kernels import answer as kernel
from bgrace._kernels.kinds import ChancesFound
from bgrace.answers.reasons import PlayReason
from bgrace.board import MAX_POINTS, Position


@lru_cache(maxsize=1)
def solver() -> kernel.Solver:
    """The solver of every answer: one player's home board is solved when the first one needs it."""
    return kernel.Solver()


def counts_of(position: Position) -> npt.NDArray[np.int8]:
    """The counts as the C library takes them."""
    counts = np.zeros(MAX_POINTS, dtype=np.int8)
    counts[: len(position)] = position
    return counts


@lru_cache(maxsize=256)
def side_of(position: Position) -> tuple[float, float, int, Floats]:
    """One side by itself, as `bgrace._kernels.answer.Solver.side` gives it: who answers a pair asks more than once."""
    return solver().side(counts_of(position))


def play_reason(
    opponent: Position, better: Position, other: Position, chances: Sequence[ChancesFound | None] = ()
) -> PlayReason:
    """The difference of what a play leaves from what a better one does; chances after both, if they are known."""
    known = [each for each in chances if each is not None]
    return PlayReason.of(solver().play_reason(counts_of(opponent), counts_of(better), counts_of(other), known))
