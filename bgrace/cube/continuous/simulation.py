"""Games of the continuous model, played by fair coins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Summarised
from bgrace.cube.continuous.thresholds import HIGH, LOW, check_levels
from bgrace.errors import ArgumentError

__all__ = ["Simulation", "simulate"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Summarised):
    """Results of simulated games.

    Attributes
    ----------
    games : int
    seed : int
    values : int64 ndarray, shape (n,)
        Winnings of A that occurred, rising.
    counts : int64 ndarray, shape (n,)
        In how many games.
    """

    games: int
    seed: int
    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @property
    def frequencies(self) -> npt.NDArray[np.float64]:
        """Share of the games with each value, float64, shape (n,)."""
        return self.counts / self.games

    @property
    def mean(self) -> float:
        """Mean winnings."""
        return float(self.values @ self.counts / self.games)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, as far as the sample tells.

        Where the true variance is infinite, as it is when both sides take, the mean is off by more than this suggests.
        """
        squares = float(self.values.astype(np.float64) ** 2 @ self.counts / self.games)
        return math.sqrt(max(squares - self.mean**2, 0) / self.games)

    def frequency(self, value: int) -> float:
        """Share of the games in which A won exactly `value`."""
        at = np.flatnonzero(self.values == value)
        return float(self.frequencies[at[0]]) if at.size else 0.0


BATCH: Final = 1 << 18
"""Games that are simulated side by side: enough for numpy to be fast, few enough for memory."""


def simulate(
    games: int,
    seed: int,
    *,
    start: float = 0.5,
    low: float = LOW,
    high: float = HIGH,
    a_takes: bool = True,
    b_takes: bool = True,
) -> Simulation:
    """Play games of the continuous model.

    The motion is followed by fair coins, without the formulas of this module: from where it is it goes, by symmetry,
    with equal chance to either end of the widest interval around it that holds no level beyond its ends.

    Parameters
    ----------
    games : int
        1 or more.
    seed : int
        Of the random numbers; the same games come out of the same seed on any machine.
    start, low, high, a_takes, b_takes
        As in `two_thresholds`.

    Returns
    -------
    Simulation

    Raises
    ------
    ArgumentError
        If the levels are not in order, or `games` is less than 1.

    Examples
    --------
    >>> from bgrace.cube.continuous import cautious
    >>> played = simulate(100_000, seed=1, low=0.1, a_takes=False)       # a cautious opponent who takes
    >>> played.values.tolist()
    [-2, -1, 2]
    >>> abs(played.frequency(2) - cautious(0.1, takes=True).probability(2)) < 0.005
    True
    """
    check_levels(start, low, high)
    if games < 1:
        raise ArgumentError(f"games={games} are too few: give 1 or more")
    try:
        generator = np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise ArgumentError(f"seed={seed!r} is not a seed: give a whole number of 0 or more") from None
    totals: dict[int, int] = {}
    for done in range(0, games, BATCH):
        results = _play(generator, np.full(min(BATCH, games - done), start), (low, high), (a_takes, b_takes))
        for value, count in zip(*np.unique(results, return_counts=True), strict=True):
            totals[int(value)] = totals.get(int(value), 0) + int(count)
    values = sorted(totals)
    return Simulation(
        games,
        seed,
        np.array(values, dtype=np.int64),
        np.array([totals[value] for value in values], dtype=np.int64),
    )


CENTER, WITH_A, WITH_B = 0, 1, 2


def _play(
    generator: np.random.Generator,
    place: npt.NDArray[np.float64],
    levels: tuple[float, float],
    takes: tuple[bool, bool],
) -> npt.NDArray[np.int64]:
    """Play a game from each place; returns A's winnings."""
    low, high = levels
    a_takes, b_takes = takes
    results = np.zeros(place.size, dtype=np.int64)
    game = np.arange(place.size)
    cube, stake = np.full(place.size, CENTER), np.ones(place.size, dtype=np.int64)
    while game.size:
        top = np.where(cube == WITH_B, 1.0, high)
        bottom = np.where(cube == WITH_A, 0.0, low)
        up = generator.random(game.size) < 0.5
        step = np.minimum(top - place, place - bottom)
        # The nearer end is reached exactly, whatever rounding would make of place +- step.
        at_top = up & (top - place <= place - bottom)
        at_bottom = ~up & (place - bottom <= top - place)
        place = np.where(at_top, top, np.where(at_bottom, bottom, np.where(up, place + step, place - step)))

        won, lost = at_top & (top == 1), at_bottom & (bottom == 0)
        a_doubles, b_doubles = at_top & ~won, at_bottom & ~lost
        if not b_takes:
            won |= a_doubles
            a_doubles[:] = False
        if not a_takes:
            lost |= b_doubles
            b_doubles[:] = False
        results[game[won]] = stake[won]
        results[game[lost]] = -stake[lost]
        stake = np.where(a_doubles | b_doubles, 2 * stake, stake)
        cube = np.where(a_doubles, WITH_B, np.where(b_doubles, WITH_A, cube))
        on = ~(won | lost)
        game, place, cube, stake = game[on], place[on], cube[on], stake[on]
    return results
