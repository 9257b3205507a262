"""One player alone: expected pip count and the distribution of the number of rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

import bgrace._kernels.layer as layer_kernel
import bgrace._kernels.one_sided as kernel
from bgrace._base.arrays import AnyIntegers, Floats, Summarised
from bgrace._base.limits import how_many
from bgrace.board import HOME_POINTS
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
    mean_rolls, best, longest = kernel.means(space.kernel, 1, n_threads)[:3]
    distribution, variance = kernel.distributions(space.kernel, 1, n_threads, best, longest)
    first = None
    if space.checkers == 15:
        _, first_best, first_longest = kernel.means(space.kernel, 15, n_threads)[:3]
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


GAMMON_CHECKERS: Final = 15
"""A loser who has borne off none of this many checkers loses double."""

MIN_CHANCE: Final = 1e-5
"""Pairs in which a gammon is less likely than this are not listed."""

SINGLE_PLANES: Final = ("cubeless", "centered")
"""Values of a listed pair, in which gammons count once: 2 W - 1 with W the chance to win, and the equity of rolling now
with the cube in the middle under the Jacoby rule."""


@dataclass(frozen=True, slots=True, repr=False)
class GammonPairs(Summarised):
    """Which pairs are listed, and where, by rank (see `bgrace.tables.two_sided.two_sided_order`).

    Positions with all 15 checkers are the columns, those first that bear off their first checker latest.  Each position
    has a row of pairs with the first few columns in either of two tables: *winning*, in which it is on roll and may win
    a gammon, and *losing*, in which the position with 15 checkers is on roll and may lose one.

    Attributes
    ----------
    column : int32 ndarray, shape (positions,)
        -1 for positions with fewer than 15 checkers.
    winning_starts, losing_starts : int64 ndarray, shape (positions + 1,)
        Where the row of a rank begins, and with the last the length of the table.  Rows follow one another, so a row
        ends where the next begins.
    """

    column: npt.NDArray[np.int32]
    winning_starts: npt.NDArray[np.int64]
    losing_starts: npt.NDArray[np.int64]

    def columns(self, order: AnyIntegers) -> npt.NDArray[np.int32]:
        """Columns of the positions with 15 checkers, in order of their index."""
        full = self.column >= 0
        return self.column[full][np.argsort(order[full])]


def find_gammon_pairs(table: OneSidedTable, order: AnyIntegers) -> GammonPairs:
    """List the pairs in which a gammon is likely enough to matter.

    The chance is estimated from the two sides alone: the sum over k of the chance that one bears off its last checker
    on roll k and the other none until then, each playing for speed.

    Parameters
    ----------
    table : OneSidedTable
        Of a space with 15 checkers.
    order : int ndarray, shape (len(space),)
        Index of each rank.

    Returns
    -------
    GammonPairs
        Every pair in which the chance is more than `MIN_CHANCE`, and a few more, so that each row is the first few
        columns.

    Examples
    --------
    >>> from bgrace.tables.one_sided import solve_one_sided
    >>> from bgrace.board.spaces import PositionSpace
    >>> from bgrace.tables.two_sided import two_sided_order
    >>> space = PositionSpace(points=2, checkers=15)
    >>> pairs = find_gammon_pairs(solve_one_sided(space), two_sided_order(space))
    >>> len(space), int(pairs.winning_starts[-1]), int(pairs.losing_starts[-1])
    (136, 224, 0)
    """
    first = table.first_checker_distribution
    assert first is not None, "a space with 15 checkers has this table"
    # At least k rolls until the first checker is off; columns in falling order of its mean.
    at_least = np.cumsum(first[:, ::-1], axis=1)[:, ::-1]
    means = np.cumsum(at_least[:, 1:], axis=1)[:, -1]
    by_column = np.argsort(-means, kind="stable")
    columns = np.empty(len(first), dtype=np.int32)
    columns[by_column] = np.arange(len(first), dtype=np.int32)
    # Made to fall from column to column, so that where the chance falls below the limit can be found by bisection.
    falling = np.maximum.accumulate(at_least[by_column][::-1], axis=0)[::-1]
    rolls = table.roll_distribution[order]
    # On roll, the other has had k - 1 rolls when the last checker comes off on roll k; not on roll, k.
    winning = _row_lengths(rolls, falling)
    losing = _row_lengths(rolls, np.hstack((falling[:, 1:], np.zeros((len(falling), 1)))))
    fewer = n_fewer_checkers(table.space, GAMMON_CHECKERS)
    losing[order >= fewer] = 0
    column = np.full(len(order), -1, dtype=np.int32)
    column[order >= fewer] = columns[order[order >= fewer] - fewer]
    return GammonPairs(column, _starts(winning), _starts(losing))


def _row_lengths(rolls: npt.NDArray[np.float64], at_least: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """By rank: how many columns have sum over k of rolls[rank, k] * at_least[column, k] above the limit.

    The sums fall from column to column.  They are added up in a fixed order, so that every machine finds the same.
    """
    n_rolls = min(rolls.shape[1], at_least.shape[1])
    low = np.zeros(len(rolls), dtype=np.int64)
    high = np.full(len(rolls), len(at_least))
    while (low < high).any():
        middle = np.minimum((low + high) // 2, len(at_least) - 1)
        chance = np.zeros(len(rolls))
        for k in range(1, n_rolls):
            chance += rolls[:, k] * at_least[middle, k]
        above = (chance > MIN_CHANCE) & (low < high)
        high = np.where(above, high, np.where(low < high, middle, high))
        low = np.where(above, middle + 1, low)
    return low


def _starts(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths)))


# ------------------------------------------------------------------ more than six points
#
# Tables too large for float64 distributions are made a layer at a time.  A layer is all positions with one number of
# checkers.  As long as a checker is outside the home board none comes off, so that a layer depends on itself and on the
# home board alone; ``csrc/solve/layer.c`` says how it is solved.

CHANCE_SCALE: Final[int] = layer_kernel.CHANCE_SCALE
"""Certainty in 16 bits."""


def is_packed(points: int) -> bool:
    """Whether a database for `points` points holds its distributions in 16 bits: beyond the home board."""
    return points > HOME_POINTS


_HOME_BYTES: Final = 1200  # for each position on six points: its results, distributions and their origins


def layer_size(points: int, checkers: int) -> int:
    """Number of positions with exactly `checkers` checkers on `points` points."""
    space = PositionSpace(points, checkers)
    return len(space) - n_fewer_checkers(space, checkers)


def layer_bytes(points: int, checkers: int) -> int:
    """Memory that solving the layer of `checkers` checkers takes; smaller layers take less."""
    home = len(PositionSpace(6, checkers))
    return _HOME_BYTES * home + layer_kernel.layer_bytes(points, checkers)
