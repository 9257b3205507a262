"""The tables of risk: made when they are first asked for, and kept."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

import bgrace._kernels.contact as kernel
from bgrace._base.arrays import Floats
from bgrace._kernels.one_sided import means
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS
from bgrace.board.spaces import PositionSpace, space_of

__all__ = ["TO_BEAR_OFF", "TO_HIT", "epcs", "hit_by_runner", "home_space", "least_risks"]

TO_HIT, TO_BEAR_OFF = 0, 1
"""Rows of every table of risk: with the side of the men behind to roll, and with the other one."""


def home_space() -> PositionSpace:
    """The positions of a bearoff, by whose index every table here is read."""
    return space_of(HOME_POINTS, MAX_CHECKERS)


def least_risks(place: int, men: int) -> npt.NDArray[np.float64]:
    """Least chances ever to be hit by men who wait, float64 (2, positions); NaN where a checker is on their point."""
    return _one(False)[:, place] if men == 1 else _two(place)


def hit_by_runner(place: int) -> npt.NDArray[np.float64]:
    """Chances ever to be hit by one man who does what is best for that, as `least_risks`."""
    return _one(True)[:, place]


@lru_cache(maxsize=2)
def _one(runs: bool) -> npt.NDArray[np.float64]:
    return kernel.risk_of_one(home_space().kernel, runs)


@lru_cache(maxsize=HOME_POINTS)
def _two(place: int) -> npt.NDArray[np.float64]:
    return kernel.risk_of_two(home_space().kernel, place)


@lru_cache(maxsize=1)
def epcs() -> Floats:
    """Expected pip counts of all positions, as if there were no men behind."""
    return means(home_space().kernel, 1, 1)[0] * MEAN_PIPS
