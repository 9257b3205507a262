"""The jumps of recorded games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Summarised

__all__ = ["HIGH", "LOW", "Game", "JumpStatistics", "conditional_jumps", "jump_statistics", "window_jumps"]

Window: TypeAlias = tuple[float, float]

LOW: Final[Window] = (0.20, 0.35)
"""Where a side would take: chances of winning, ends included."""

HIGH: Final[Window] = (0.65, 0.80)
"""Where it would redouble."""


@dataclass(frozen=True, slots=True, repr=False)
class Game(Summarised):
    """The course of a game.

    Attributes
    ----------
    chances : tuple of float
        Chance of winning, without a cube, of the side on roll at each turn; the sides alternate.
    starter_won : bool
        Whether the side with the first turn won.
    """

    chances: tuple[float, ...]
    starter_won: bool

    def sides(self) -> list[tuple[Floats, Floats]]:
        """For either side, the chances at its own turns, and those one round later (1 or 0 at the end)."""
        listed = []
        for side, won in ((0, self.starter_won), (1, not self.starter_won)):
            own = np.array(self.chances[side::2])
            listed.append((own, np.append(own[1:], float(won))[: len(own)]))
        return listed


@dataclass(frozen=True, slots=True)
class JumpStatistics:
    """A set of jumps.

    Attributes
    ----------
    n : int
        How many.
    mean, standard_deviation, mean_absolute_jump : float
        Their mean, their deviation about it, and their mean absolute value; NaN if there are none.
    """

    n: int
    mean: float
    standard_deviation: float
    mean_absolute_jump: float


def jump_statistics(jumps: npt.ArrayLike) -> JumpStatistics:
    """Number, mean, standard deviation and mean absolute size of jumps.

    Parameters
    ----------
    jumps : array_like, shape (n,)
        Changes of the chance of winning over full rounds.

    Returns
    -------
    JumpStatistics

    Examples
    --------
    >>> jump_statistics([0.1, -0.1]).mean_absolute_jump
    0.1
    """
    values = np.asarray(jumps, dtype=np.float64)
    if values.size == 0:
        return JumpStatistics(0, np.nan, np.nan, np.nan)
    # The paper removes the mean from the deviation; the absolute size counts from no change, as the model does.
    return JumpStatistics(values.size, float(values.mean()), float(values.std()), float(np.abs(values).mean()))


def _within(q: Floats, window: Window) -> npt.NDArray[np.bool_]:
    return (q >= window[0] - 1e-12) & (q <= window[1] + 1e-12)


def conditional_jumps(games: Iterable[Game], low: Window = LOW, high: Window = HIGH) -> Floats:
    """Jumps at turns where the game has turned round: the paper's filter for the remote volatility.

    Parameters
    ----------
    games : iterable of Game
    low, high : tuple of two float
        Windows of the chance of winning, ends included.

    Returns
    -------
    float64 ndarray, shape (n,)
        The jump from each of a side's own turns that lies in one window after an earlier own turn in the other.  Every
        such turn counts once; the paper does not say how it counts repeated visits.

    Notes
    -----
    Higgins, section 2, who finds a mean absolute jump of 0.094, in races 0.148.
    """
    jumps = [np.zeros(0)]
    for game in games:
        for own, later in game.sides():
            lows, highs = _within(own, low), _within(own, high)
            was_low, was_high = (np.concatenate([[False], np.maximum.accumulate(w)[:-1]]) for w in (lows, highs))
            counts = (highs & was_low) | (lows & was_high) if len(own) else np.zeros(0, dtype=bool)
            jumps.append((later - own)[counts])
    return np.concatenate(jumps)


def window_jumps(games: Iterable[Game], low: Window = LOW, high: Window = HIGH) -> Floats:
    """Jumps at all turns within either window: the paper's unconditional average, 0.077.

    Parameters and returned value are as for `conditional_jumps`.
    """
    jumps = [np.zeros(0)]
    for game in games:
        jumps += [(later - own)[_within(own, low) | _within(own, high)] for own, later in game.sides()]
    return np.concatenate(jumps)
