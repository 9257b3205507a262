"""Where values of cube states stand among the planes that were solved; csrc/base/stakes.c makes the planes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

import bgrace._kernels.answer as kernel
from bgrace._base.arrays import Floats
from bgrace.cube.action import Cube

if TYPE_CHECKING:
    from bgrace.match.stakes import Stakes


MIN_SCALE: Final = 1e-5
"""Where winning and losing differ by less than twice this, planes hold chances, and ties are told by them."""

_IN_FILES: Final = (0, 1, 3, 4, 6, 7)
"""Of the numbers of a plane: win, gammon, turned, factor, offset, passed."""


@dataclass(frozen=True, slots=True)
class ScoreStates:
    """Every state that a cube can have at a score: each value that is of use to a side, in each place.

    Attributes
    ----------
    planes : float64 ndarray, shape (planes, 2, 8)
        As `bgrace._kernels.answer.Answer.planes` has them; plane 0 is the chance to win the game, as 2W - 1.
    states : mapping of (int, str) to Place
        By value and place of the cube.
    """

    planes: Floats
    states: Mapping[tuple[int, Cube], kernel.Place]

    @classmethod
    def of(cls, stakes: Stakes, gammons: bool) -> ScoreStates:
        """Those of the score of `stakes`; `gammons` is whether one can happen at all."""
        planes, listed = stakes.kernel.score_states(gammons)
        return cls(planes, {(value, cube): place for value, cube, place in listed})

    def state(self, cube_value: int, cube: Cube) -> kernel.Place:
        """A cube of a value in a place; one that is larger than any of use wins the match, as the largest of those."""
        largest = max(value for value, _ in self.states)
        known = self.states.get((min(cube_value, largest), cube))
        return self.states[largest, "none"] if known is None else known  # double match point has a cube of 1 alone

    def to_array(self) -> Floats:
        """Every plane as numbers, (planes, 2, 6): win, gammon, turned, factor, offset, passed of either side."""
        return np.ascontiguousarray(self.planes[:, :, _IN_FILES])

    def views(self) -> tuple[list[kernel.State], tuple[list[int], list[int]]]:
        """The states that the planes make as either side sees them, each once, and the number of each for either."""
        return kernel.views(self.planes)
