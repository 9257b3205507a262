"""One player alone: expected pip count and the distribution of the number of rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

import bgrace._kernels.one_sided as kernel
from bgrace._base.arrays import Floats, Summarised
from bgrace._base.limits import how_many
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace
from bgrace.errors import ArgumentError

ONE_SIDED_ERROR: Final = 0.028
"""The greatest error found of an equity without a cube that follows from `one_sided_win`, on up to six checkers."""

_MAX_POSITIONS: Final = 2**31 - 1
"""Results of plays are stored as int32."""


@dataclass(frozen=True, slots=True, repr=False)
class OneSidedTable(Summarised):
    """Every position of a space with its rolls to bear off; row number is the index.

    Attributes
    ----------
    space : PositionSpace
    mean_rolls, variance_rolls : float64 ndarray, shape (len(space),)
        Of the number of rolls until the last checker is off, each roll played to lower the mean most.
    roll_distribution : float64 ndarray, shape (len(space), width)
        Chance of being off in exactly 0, 1, ..., width - 1 rolls.
    best : int32 ndarray, shape (len(space), 21)
        Index of the result chosen for each of `bgrace.board.dice.ROLLS`; among equal ones the smallest.
    first_checker_distribution : float64 ndarray, shape (positions with 15 checkers, width), or None
        Chance that the first checker comes off on exactly roll 0, 1, ..., played to lower the mean of that number
        most.  Row 0 belongs to the first index with 15 checkers.  None where the space holds fewer.
    """

    space: PositionSpace
    mean_rolls: npt.NDArray[np.float64]
    variance_rolls: npt.NDArray[np.float64]
    roll_distribution: npt.NDArray[np.float64]
    best: npt.NDArray[np.int32]
    first_checker_distribution: npt.NDArray[np.float64] | None

    @property
    def epc(self) -> npt.NDArray[np.float64]:
        """Expected pip counts: mean rolls times 49/6, shape (len(space),)."""
        return self.mean_rolls * MEAN_PIPS


def n_fewer_checkers(space: PositionSpace, checkers: int) -> int:
    """How many positions of a space have fewer than `checkers` checkers: they are the first ones."""
    return len(PositionSpace(space.points, checkers - 1)) if checkers > 1 else 1


def solve_one_sided(space: PositionSpace, threads: int | None = None) -> OneSidedTable:
    """Solve every position of a space for one player alone.

    Parameters
    ----------
    space : PositionSpace
        At most 2**31 - 1 positions.  About ``(8 * rolls + 180)`` bytes a position are needed.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    OneSidedTable

    Raises
    ------
    ArgumentError
        If the space is too large.
    MemoryLimitError
        If there is not enough memory.

    Notes
    -----
    Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3 and Fig. 9:
    E = 1 + (1/36) sum over rolls of weight * min over results of E.

    Examples
    --------
    >>> table = solve_one_sided(PositionSpace(points=6, checkers=2))
    >>> float(table.mean_rolls[table.space.index((0, 0, 0, 0, 0, 1))])
    1.25
    """
    n_threads = how_many(threads)
    if len(space) > _MAX_POSITIONS:
        raise ArgumentError(
            f"{len(space):,} positions of {space.checkers} checkers on {space.points} points are too many to solve: "
            f"{_MAX_POSITIONS:,} at most; ask for fewer points or checkers"
        )
    mean_rolls, best, longest = kernel.means(space.kernel, 1, n_threads)
    distribution, variance = kernel.distributions(space.kernel, 1, n_threads, best, longest)
    first = None
    if space.checkers == 15:
        _, first_best, first_longest = kernel.means(space.kernel, 15, n_threads)
        rows, _ = kernel.distributions(space.kernel, 15, n_threads, first_best, first_longest)
        first = np.ascontiguousarray(rows[n_fewer_checkers(space, 15) :])
    return OneSidedTable(space, mean_rolls, variance, distribution, best, first)


def one_sided_win(on_roll: npt.NDArray[np.float64], opponent: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chance to win a race in which both sides play to save rolls, each by itself.

    Parameters
    ----------
    on_roll, opponent : float64 ndarray, shape (..., width)
        Chances of being off in exactly 0, 1, ... rolls; the leading axes broadcast, the widths may differ.

    Returns
    -------
    float64 ndarray, shape (...)
        Against two-sided play it is off by up to 0.014 (0.0016 rms, on up to six checkers at home).

    Notes
    -----
    Sum over k of P(on roll needs k rolls) * P(opponent needs at least k); Ross, Benjamin and Munson, "Estimating
    Winning Probabilities in Backgammon Races", section 2.

    Examples
    --------
    >>> float(one_sided_win(np.array([0, 0.75, 0.25]), np.array([0, 1.0])))
    0.75
    """
    at_least = np.cumsum(opponent[..., ::-1], axis=-1)[..., ::-1]
    at_least[..., 0] = 1  # the side that has finished has won, rounding or not
    width = min(on_roll.shape[-1], at_least.shape[-1])
    won = np.einsum("...k,...k->...", on_roll[..., :width], at_least[..., :width])
    return np.minimum(np.where(on_roll[..., 0] == 1, 1.0, won), 1.0)


def one_sided_gammons(
    on_roll: Floats,
    opponent: Floats,
    first_on_roll: Floats | None,
    first_opponent: Floats | None,
) -> tuple[float, float]:
    """Chances to win and to lose a gammon, both sides playing to save rolls, each by itself.

    Parameters
    ----------
    on_roll, opponent : float64 ndarray, shape (width,)
        Chances of being off in exactly 0, 1, ... rolls.
    first_on_roll, first_opponent : float64 ndarray, shape (width,), or None
        Chances that the first checker comes off on exactly roll 0, 1, ...; None for a side that cannot lose a gammon.

    Returns
    -------
    tuple of two float
        Sum over k of P(on roll is off on roll k) * P(opponent's first checker needs at least k), and the chance that
        the first checker of the player on roll needs more rolls than the opponent needs to be off.

    Examples
    --------
    >>> one_sided_gammons(np.array([0, 0.75, 0.25]), np.array([0, 0, 1.0]), None, np.array([0, 0.5, 0.5]))
    (0.875, 0.0)
    """
    won = 0.0 if first_opponent is None else float(one_sided_win(on_roll, first_opponent))
    lost = 0.0 if first_on_roll is None else 1 - float(one_sided_win(first_on_roll, opponent))
    return won, max(lost, 0.0)
