"""Pairs in which a gammon is likely enough to matter, and where tables keep what they need beside the equities.

With gammons the cubeless equity says nothing of winning alone, and the equity with a centered cube nothing of the
Jacoby rule.  Both differ only where one side still has all of its checkers and the other nearly none: in about 55
million of the three billion pairs of the bearoff, if a chance below 1e-5 counts as none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import AnyIntegers, Summarised
from bgrace.tables.one_sided import OneSidedTable, n_fewer_checkers

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

    @classmethod
    def from_columns(
        cls,
        columns: npt.NDArray[np.int32],
        winning_starts: npt.NDArray[np.int64],
        losing_starts: npt.NDArray[np.int64],
        order: AnyIntegers,
    ) -> GammonPairs:
        """With the columns of the positions with 15 checkers, in order of their index; `order`: index of each rank."""
        first = len(order) - len(columns)
        column = np.full(len(order), -1, dtype=np.int32)
        column[order >= first] = columns[order[order >= first] - first]
        return cls(column, winning_starts, losing_starts)

    def columns(self, order: AnyIntegers) -> npt.NDArray[np.int32]:
        """Columns of the positions with 15 checkers, in order of their index."""
        full = self.column >= 0
        return self.column[full][np.argsort(order[full])]

    @property
    def n_winning(self) -> int:
        """How many pairs the winning table lists."""
        return int(self.winning_starts[-1])

    @property
    def n_losing(self) -> int:
        """How many pairs the losing table lists."""
        return int(self.losing_starts[-1])

    def places(
        self, on_roll: AnyIntegers, opponent: AnyIntegers
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where pairs of ranks stand.

        Parameters
        ----------
        on_roll, opponent : int ndarray, equal shapes

        Returns
        -------
        tuple of two int64 ndarray of that shape
            Rows of the winning and of the losing table, -1 for pairs that are not in them.
        """
        winning = self._places(self.winning_starts, on_roll, self.column[opponent])
        losing = self._places(self.losing_starts, opponent, self.column[on_roll])
        return winning, np.where(winning < 0, losing, -1)

    @staticmethod
    def _places(starts: npt.NDArray[np.int64], row: AnyIntegers, column: AnyIntegers) -> npt.NDArray[np.int64]:
        place = starts[row] + column
        return np.where((column >= 0) & (place < starts[np.add(row, 1)]), place, -1)


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
    >>> len(space), pairs.n_winning, pairs.n_losing
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
    losing[order >= n_fewer_checkers(table.space, GAMMON_CHECKERS)] = 0
    return GammonPairs.from_columns(columns, _starts(winning), _starts(losing), order)


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
