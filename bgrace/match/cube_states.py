"""Where values of cube states stand among the planes that were solved; csrc/base/stakes.c makes the planes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

import bgrace._kernels.answer as kernel
from bgrace._base.arrays import Floats
from bgrace.cube.action import Cube

if TYPE_CHECKING:
    from bgrace.match.stakes import Stakes

__all__ = ["MIN_SCALE", "CubeState", "ScoreStates", "View", "chain_length"]

MIN_SCALE: Final = 1e-5
"""Where winning and losing differ by less than twice this, planes hold chances, and ties are told by them."""

_IN_FILES: Final = (0, 1, 3, 4, 6, 7)
"""Of the numbers of a plane: win, gammon, turned, factor, offset, passed."""


class View(NamedTuple):
    """Where the chances of a cube state stand: middle + scale * plane for the player on roll.

    For the opponent on roll it is 1 - middle + scale * plane; for money, where both sides add up to 0,
    - middle + scale * plane.
    """

    plane: int
    middle: float
    scale: float

    def value(self, row: Floats) -> float:
        """For the player on roll, from what the planes hold."""
        return self.middle + self.scale * float(row[self.plane])

    def value_to_other(self, rows: Floats, total: float) -> Floats:
        """For the opponent on roll, from rows of shape (..., planes); `total` is what both add up to."""
        values: Floats = total - self.middle + self.scale * rows[..., self.plane]
        return values

    @property
    def swapped(self) -> View:
        """The same seen by the other side."""
        return View(self.plane, 1 - self.middle, self.scale)


class CubeState(NamedTuple):
    """A place of the cube with what doubling leads to, for either side on roll."""

    now: View
    turned: tuple[View | None, View | None]

    @classmethod
    def of(cls, place: kernel.Place | Floats) -> CubeState:
        """From three rows of plane, middle and scale, as kernels give them."""
        now, first, second = (None if row[0] < 0 else View(int(row[0]), float(row[1]), float(row[2])) for row in place)
        assert now is not None
        return cls(now, (first, second))

    @property
    def swapped(self) -> CubeState:
        """The same seen by the other side."""
        first, second = self.turned
        return CubeState(
            self.now.swapped,
            (None if second is None else second.swapped, None if first is None else first.swapped),
        )


@dataclass(frozen=True, slots=True)
class ScoreStates:
    """Every state that a cube can have at a score: each value that is of use to a side, in each place.

    Attributes
    ----------
    planes : float64 ndarray, shape (planes, 2, 8)
        As `bgrace._kernels.answer.Answer.planes` has them; plane 0 is the chance to win the game, as 2W - 1.
    states : mapping of (int, str) to CubeState
        By value and place of the cube.
    """

    planes: Floats
    states: Mapping[tuple[int, Cube], CubeState]

    @classmethod
    def of(cls, stakes: Stakes, gammons: bool) -> ScoreStates:
        """Those of the score of `stakes`; `gammons` is whether one can happen at all."""
        planes, listed = stakes.kernel.score_states(gammons)
        return cls(planes, {(value, _place(cube)): CubeState.of(place) for value, cube, place in listed})

    def state(self, cube_value: int, cube: Cube) -> CubeState:
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


def _place(cube: str) -> Cube:
    return next(place for place in ("none", "centered", "mine", "theirs") if place == cube)


def chain_length(first: int, second: int) -> int:
    """How often the cube is of use, from 1 on, if the side that needs `first` points doubles first.

    Examples
    --------
    >>> chain_length(3, 5), chain_length(5, 3)
    (2, 3)
    """
    needs, cube, length = (first, second), 1, 0
    while needs[length % 2] > cube:
        cube, length = 2 * cube, length + 1
    return length
