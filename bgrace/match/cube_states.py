"""The cube states of a match score, as planes for the solver.

A cube state is a value c and an owner: (1, nobody), or (c, a player) for c = 2, 4, 8, ...  Whoever owns the cube, or
either side while nobody does, may turn it to 2c and hand it over, unless c already wins that side the match: then the
cube is dead for it.  From (1, nobody) two chains of states start, one for each first doubler, and each ends where the
owner's cube is dead.  With R(k) the chance of winning the match after winning the game by k points, for the player on
roll

    N[c, owner]  = mean over the rolls of the best play: R(c) or R(2c) if it ends the game, else 1 - E of the opponent
    E[c, owner]  = N, or max(N, min(N[2c, other], R(c))) for a player who may turn the cube

Zadeh, "On doubling in tournament backgammon", Management Science 23 (1977), has the same rules of what a cube can do,
but no positions.

Every plane is in normalised equities of its own cube, and a double leads to a plane on another scale.  Where no gammon
can happen that makes all dead cubes the same plane, 2W - 1, W the chance to win the game; and the planes of a score are
those of the score with the sides exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.cube.action import Cube
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.tables.exact import CubePlane

__all__ = ["MIN_SCALE", "CubeState", "CubeStates", "Payoff", "View", "chain_length"]

Owner: TypeAlias = Literal["nobody", "on roll", "opponent"]

MIN_SCALE: Final = 1e-5
"""Where winning and losing differ by less than twice this, planes hold chances, and ties are told by them."""

_OWNERS: Final[dict[Cube, Owner]] = {"centered": "nobody", "mine": "on roll", "theirs": "opponent"}
_WIN: Final = CubePlane((1.0, 1.0), (1.0, 1.0))

_Number = TypeVar("_Number", int, float)


class Payoff(NamedTuple):
    """What a match is worth after a game, to the side that its table and score are seen by."""

    table: MatchEquityTable
    score: Score

    def __call__(self, points: int) -> float:
        """Chance to win the match after winning so many points, or losing them if negative."""
        return self.table.after(self.score, points)


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

    @property
    def swapped(self) -> CubeState:
        """The same seen by the other side."""
        first, second = self.turned
        return CubeState(
            self.now.swapped,
            (None if second is None else second.swapped, None if first is None else first.swapped),
        )


class CubeStates:
    """The planes of all cube states that have been asked for.

    `gammons` is whether a gammon can happen at all.  Plane 0 is the chance to win the game, as 2W - 1.
    """

    def __init__(self, gammons: bool) -> None:
        self.gammons = gammons
        self.planes: list[CubePlane] = [_WIN]
        self._known = {_WIN: 0}

    def state(self, payoff: Payoff, cube_value: int, cube: Cube) -> CubeState:
        """A cube of a value in a place seen by the player on roll; doubled states are added before it."""
        owner, score = _OWNERS.get(cube), payoff.score
        may = (
            owner in ("nobody", "on roll") and score.may_double(cube_value),
            owner in ("nobody", "opponent") and score.swapped.may_double(cube_value),
        )
        turned = (
            self.state(payoff, 2 * cube_value, "theirs").now if may[0] else None,
            self.state(payoff, 2 * cube_value, "mine").now if may[1] else None,
        )
        won, lost = payoff(cube_value), payoff(-cube_value)
        middle, scale = (won + lost) / 2, (won - lost) / 2
        normalised = scale > MIN_SCALE
        if not normalised:
            scale = 1.0
        gammon = (payoff(2 * cube_value), payoff(-2 * cube_value)) if self.gammons else (won, lost)
        win = (1.0, 1.0) if normalised else (won - middle, middle - lost)
        plane = CubePlane(
            win=win,
            gammon=((gammon[0] - middle) / scale, (middle - gammon[1]) / scale) if self.gammons else win,
            turned=_both(turned, lambda view, side: view.plane, -1),
            factor=_both(turned, lambda view, side: view.scale / scale, 0.0),
            # The middle of the doubled cube, seen by the side that doubles.
            offset=_both(turned, lambda view, side: (1 - 2 * side) * (view.middle - middle) / scale, 0.0),
            # A double that is passed pays what a single win at the present cube pays.
            passed=_both(turned, lambda view, side: win[side], 0.0),
        )
        if plane not in self._known:
            self._known[plane] = len(self.planes)
            self.planes.append(plane)
        return CubeState(View(self._known[plane], middle, scale), turned)

    @classmethod
    def of_score(cls, payoff: Payoff, gammons: bool) -> CubeStates:
        """Every state that a cube can have at a score: each value that is of use to a side, in each place."""
        states, cube_value = cls(gammons), 1
        while True:
            places: tuple[Cube, ...] = ("none", "centered") if cube_value == 1 else ("none", "mine", "theirs")
            for cube in places:
                states.state(payoff, cube_value, cube)
            if cube_value >= max(payoff.score.on_roll_needs, payoff.score.opponent_needs):
                return states
            cube_value *= 2

    def to_array(self) -> npt.NDArray[np.float64]:
        """Every plane as numbers, (planes, 2, 6): win, gammon, turned, factor, offset, passed of either side."""
        return np.array([np.array(plane, float).T for plane in self.planes])

    def needed(self, plane: int) -> set[int]:
        """A plane and every plane that doubling leads to, and plane 0."""
        planes = {plane, 0}
        for each in self.planes[plane].turned:
            if each >= 0:
                planes |= self.needed(each)
        return planes


def _both(
    turned: tuple[View | None, View | None], value: Callable[[View, int], _Number], otherwise: _Number
) -> tuple[_Number, _Number]:
    first, second = turned
    return (
        otherwise if first is None else value(first, 0),
        otherwise if second is None else value(second, 1),
    )


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
