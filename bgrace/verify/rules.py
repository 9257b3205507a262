"""The rules once more: positions, plays and rounding in plain Python, from the rules of the game alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Counts: TypeAlias = tuple[int, ...]

MEAN_PIPS: Final = 49 / 6
ROLLS: Final = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
WEIGHTS: Final = tuple(1 if a == b else 2 for a, b in ROLLS)
HOME_POINTS: Final = 6
GAMMON_CHECKERS: Final = 15


class Rules:
    """Positions of a space, their numbers and plays, in plain Python."""

    def __init__(self, points: int, checkers: int) -> None:
        self.points = points
        self.checkers = checkers
        self.size: int = comb(points + checkers, points)
        # By point: C(t + m - 1, m) for t = 0, 1, ... checkers on the point or beyond, m points from there on.
        self._binomials = [
            np.array([comb(t + m - 1, m) for t in range(checkers + 1)], dtype=np.int64) for m in range(points, 0, -1)
        ]
        # Bounded, because a space may have more positions than there is memory for this.
        self._one_die: Callable[[int, int], tuple[int, ...]] = lru_cache(maxsize=1 << 20)(self._after_one_die)
        self._two_dice: Callable[[int, int, int], frozenset[int]] = lru_cache(maxsize=1 << 18)(self._after_two_dice)
        self.counts: Callable[[int], Counts] = lru_cache(maxsize=1 << 18)(self._counts)

    def index(self, counts: Counts) -> int:
        """Sum over points j of C(t_j + p - j, p - j + 1), t_j the checkers on point j or beyond."""
        above, index = 0, 0
        for j in range(self.points, 0, -1):
            above += counts[j - 1]
            index += comb(above + self.points - j, self.points - j + 1)
        return index

    def _counts(self, index: int) -> Counts:
        """Invert `index`: point by point the greatest t_j whose binomial fits."""
        sums, most = [], self.checkers
        for m in range(self.points, 0, -1):
            while comb(most + m - 1, m) > index:
                most -= 1
            index -= comb(most + m - 1, m)
            sums.append(most)
        return tuple(t - beyond for t, beyond in zip(sums, [*sums[1:], 0], strict=True))

    def _after_one_die(self, index: int, die: int) -> tuple[int, ...]:
        """Every result of one die; of the empty board, itself."""
        counts = self.counts(index)
        if not any(counts):
            return (index,)
        highest = max(point for point, count in enumerate(counts, 1) if count)
        results = []
        for point, count in enumerate(counts, 1):
            moves_down = point > die
            # Off only when all are home: with the exact die, or from the highest point with a larger one.
            bears_off = highest <= HOME_POINTS and (point == die or (point < die and point == highest))
            if count and (moves_down or bears_off):
                result = list(counts)
                result[point - 1] -= 1
                if moves_down:
                    result[point - die - 1] += 1
                results.append(self.index(tuple(result)))
        return tuple(results)

    def _after_two_dice(self, index: int, first: int, second: int) -> frozenset[int]:
        return frozenset(end for middle in self._one_die(index, first) for end in self._one_die(middle, second))

    def results(self, index: int, roll: tuple[int, int]) -> frozenset[int]:
        """Every result of a roll, by index.  A die is left over only on the empty board."""
        a, b = roll
        if a != b:
            return self._two_dice(index, a, b) | self._two_dice(index, b, a)
        return frozenset(end for middle in self._two_dice(index, a, a) for end in self._two_dice(middle, a, a))

    def counts_of(self, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Find the counts of many indices at once: int64, shape (n, points)."""
        left = np.array(indices, dtype=np.int64)
        counts = np.empty((len(left), self.points), dtype=np.int64)
        for j, binomials in enumerate(self._binomials):
            counts[:, j] = np.searchsorted(binomials, left, side="right") - 1
            left -= binomials[counts[:, j]]
        counts[:, :-1] -= counts[:, 1:]
        return counts

    def index_of(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Find the indices of many counts at once: int64, shape (n,)."""
        above = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
        indices = np.zeros(len(counts), dtype=np.int64)
        for j, binomials in enumerate(self._binomials):
            indices += binomials[above[:, j]]
        return indices

    def name(self, index: int) -> str:
        """Write counts in brackets, for messages."""
        return "(" + ",".join(map(str, self.counts(int(index)))) + ")"


def pips_of(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Pip counts of rows of checker counts."""
    pips: npt.NDArray[np.int64] = counts @ np.arange(1, counts.shape[1] + 1)
    return pips


def round_36(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Divide by 36, to the nearest integer, halves to the even one: in integers throughout."""
    quotient, remainder = np.divmod(sums, 36)
    rounded: npt.NDArray[Any] = quotient + ((remainder > 18) | ((remainder == 18) & (quotient % 2 == 1)))
    return rounded
