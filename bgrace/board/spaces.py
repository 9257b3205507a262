"""The perfect hash between positions and the numbers 0, 1, 2, ....

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.  ``csrc/base/position.c``
defines the index and shows why every play lowers it; GNU Backgammon numbers positions in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, overload

from bgrace._base.arrays import Booleans, Integers, as_integer
from bgrace._kernels.lazy_numpy import np, npt
from bgrace._kernels.positions import Space
from bgrace.board import OnePosition, Position, Positions, parse_position
from bgrace.board.position import MAX_CHECKERS, MAX_POINTS, AnyPositions, checked
from bgrace.errors import PositionError, PositionIndexError


def is_one(pos: object) -> bool:
    """Whether this is one position, as text or counts, and not an array of them.

    Examples
    --------
    >>> is_one("6x1"), is_one((0, 1)), is_one([[0, 1]]), is_one([[0, 1], [0]])
    (True, True, False, False)
    """
    if isinstance(pos, tuple) and pos and isinstance(pos[0], int):
        return True  # a fast check of the most frequent case
    if isinstance(pos, str) or _is_long(pos):
        return True
    try:
        return as_array(pos).ndim == 1
    except ValueError:  # rows that differ in length
        return False


def _is_long(pos: object) -> bool:
    """Whether this is a sequence of more numbers than a position has, which need not be read in full."""
    if isinstance(pos, (range, Sequence)) and not isinstance(pos, str) and len(pos) > MAX_POINTS:
        return isinstance(pos[0], (int, np.integer))
    return False


def as_array(pos: object) -> npt.NDArray[Any]:
    """Read positions from lists, arrays, data frames and their columns of lists; missing counts become NaN.

    Examples
    --------
    >>> as_array([[0, None], [2, 0]]).tolist()
    [[0.0, nan], [2.0, 0.0]]
    """
    if hasattr(pos, "fetchnumpy"):  # a relation of DuckDB
        columns = [as_array(column) for column in pos.fetchnumpy().values()]
        return columns[0] if len(columns) == 1 else np.stack(columns, axis=-1)
    masked = sys.modules.get("numpy.ma")  # loaded if the caller has such an array
    if masked is not None and masked.is_masked(pos):
        pos = np.array(masked.asarray(pos).tolist(), object)  # None for masked entries
    counts = np.asarray(pos)
    if counts.dtype.kind != "O" or not counts.ndim:
        return counts
    missing = [each is None or type(each).__name__ == "NAType" for each in counts.flat]
    read = [None if left else as_array(each) for each, left in zip(counts.flat, missing, strict=True)]
    # An empty column of lists has no number of points.
    shape = next((each.shape for each in read if each is not None), () if read else (0,))
    joined = np.array([np.full(shape, np.nan) if each is None else each for each in read]).reshape(len(read), *shape)
    alone = counts.ndim == 2 and counts.shape[1] == 1 and joined.ndim > 1  # the column of a frame
    return joined.reshape((counts.shape[:1] if alone else counts.shape) + joined.shape[1:])


def read_counts(pos: object) -> npt.NDArray[Any]:
    """Read an array of integers with at least one axis; the caller checks their size and number.

    Examples
    --------
    >>> read_counts([[0, 1], [2, 0]]).shape
    (2, 2)
    """
    counts = _numbers(pos)
    if counts.dtype.kind == "f":
        if not np.all(counts == np.floor(counts)):
            raise PositionError(
                "counts must be integers, and some are missing or fractions: leave these rows out (see "
                "PositionSpace.valid)"
            )
        counts = np.clip(counts.astype(np.float64), -(2.0**62), 2.0**62).astype(np.int64)
    return counts


def _numbers(pos: object) -> npt.NDArray[Any]:
    """Read an array of integers or floats with at least one axis."""
    if _is_long(pos):
        raise PositionError(f"a position with more than {MAX_POINTS} points: give 1 to {MAX_POINTS} counts")
    try:
        counts = as_array(pos)
    except ValueError:
        raise PositionError(f"{pos!r} is not an array of positions: its rows differ in length") from None
    if counts.dtype.kind == "U":
        raise PositionError("text is not an array of positions: read each with bgrace.parse_position, or give counts")
    if counts.dtype.kind not in "iuf":
        raise PositionError(f"counts must be integers up to {MAX_CHECKERS}, not {counts.dtype}: give such as 5,1,8")
    if counts.ndim == 0:
        raise PositionError(f"{pos!r} is a number, not a position: give counts such as 5,1,8")
    return counts


@dataclass(frozen=True, slots=True)
class PositionSpace:
    """All positions of at most `checkers` checkers on `points` points, numbered from 0.

    Parameters
    ----------
    points : int
        1 to 24.
    checkers : int
        1 to 15.

    Raises
    ------
    ArgumentError
        If either is out of range.

    Examples
    --------
    >>> space = PositionSpace(points=6, checkers=15)
    >>> len(space), space.index((5, 1, 8, 1, 0, 0))
    (54264, 41258)
    >>> space.position(41258)
    Position((5, 1, 8, 1, 0, 0))
    >>> space.position(space.index([[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]])).tolist()
    [[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]]
    """

    points: int = 6
    checkers: int = 15
    kernel: Space = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problem = f"points={self.points!r}, checkers={self.checkers!r}: give 1 to 24 points and 1 to 15 checkers"
        object.__setattr__(self, "points", as_integer(self.points, problem, 1, MAX_POINTS))
        object.__setattr__(self, "checkers", as_integer(self.checkers, problem, 1, MAX_CHECKERS))
        object.__setattr__(self, "kernel", Space(self.points, self.checkers))

    def __len__(self) -> int:
        return self.kernel.size

    def __reduce__(self) -> tuple[type[PositionSpace], tuple[int, int]]:
        return PositionSpace, (self.points, self.checkers)

    @overload
    def index(self, pos: OnePosition) -> int: ...

    @overload
    def index(self, pos: Positions) -> Integers: ...

    def index(self, pos: AnyPositions) -> int | Integers:
        """Number of a position.

        Parameters
        ----------
        pos : sequence of int, str, or array_like of int, shape (..., points)
            Checker counts, ace point first, or text.  A single position may list fewer points than the space has, or
            more if they are empty.

        Returns
        -------
        int, or int64 ndarray of shape (...)
            0 for the empty board.

        Raises
        ------
        PositionError
            If any position does not fit the space.
        """
        if isinstance(pos, tuple) and len(pos) == self.points:  # first, as the most frequent case
            try:
                return self.kernel.index(pos)
            except (TypeError, OverflowError):
                pass  # a tuple of rows, or of anything but numbers: read or refused below
        if isinstance(pos, (str, Position)):
            return self.kernel.index(parse_position(pos).resized(self.points))
        counts = self._counts(pos)
        if counts.ndim == 1:
            return int(self.kernel.index_batch(counts[np.newaxis])[0])
        flat = self.kernel.index_batch(counts.reshape(-1, self.points))
        return flat.reshape(counts.shape[:-1])

    def valid(self, pos: Positions) -> Booleans:
        """A mask of the rows of an array that are positions of this space.

        Parameters
        ----------
        pos : array_like of numbers, shape (..., points)
            Checker counts, ace point first; rows with fractions, or with a count that is missing, are not positions.

        Returns
        -------
        bool ndarray of shape (...)

        Raises
        ------
        PositionError
            If they are not numbers, or not as many in a row as the space has points.

        Examples
        --------
        >>> PositionSpace(points=2).valid([[1, 0], [16, 0], [float("nan"), 1]]).tolist()
        [True, False, False]
        """
        counts = _numbers(pos)
        self._check_points(counts)
        whole = (counts >= 0) & (counts <= self.checkers) & (counts == np.floor(counts))
        fits: Booleans = whole.all(axis=-1) & (counts.sum(axis=-1, dtype=np.float64) <= self.checkers)
        return fits

    @overload
    def position(self, index: int | np.integer) -> Position: ...

    @overload
    def position(self, index: npt.NDArray[np.integer] | Sequence[int]) -> npt.NDArray[np.int8]: ...

    def position(
        self, index: int | np.integer | npt.NDArray[np.integer] | Sequence[int]
    ) -> Position | npt.NDArray[np.int8]:
        """The position with a number: the inverse of `index`.

        Parameters
        ----------
        index : int, or array_like of int, shape (...)
            0 to ``len(space) - 1``.

        Returns
        -------
        Position, or int8 ndarray of shape (..., points)
            Checker counts, ace point first.

        Raises
        ------
        PositionIndexError
            If any number is out of range or not an integer.
        """
        if type(index) is int:
            return checked(self.kernel.position(index))
        try:
            numbers = np.asarray(index)
        except ValueError:
            raise PositionIndexError(f"{index!r} is not an array of numbers: its rows differ in length") from None
        if numbers.size and numbers.dtype.kind not in "iu":
            raise PositionIndexError(f"index {index!r} is not an integer: give numbers from 0 to {len(self) - 1}")
        if numbers.ndim == 0:
            return checked(self.kernel.position(int(numbers)))
        if numbers.dtype == np.uint64 and numbers.size and int(numbers.max()) >= len(self):
            raise PositionIndexError(f"index {int(numbers.max())} is outside 0 .. {len(self) - 1}")
        flat = np.ascontiguousarray(numbers.reshape(-1), dtype=np.int64)
        return self.kernel.position_batch(flat).reshape((*numbers.shape, self.points))

    def _counts(self, pos: object) -> npt.NDArray[Any]:
        """An array of counts whose last axis is the points of this space, int8 or int64, contiguous."""
        counts = read_counts(pos)
        if counts.ndim > 1:
            self._check_points(counts)
        elif counts.shape[-1] != self.points:
            counts = np.asarray(Position(counts.tolist()).resized(self.points))
        if counts.dtype == np.uint64 and counts.size and int(counts.max()) > np.iinfo(np.int64).max:
            raise PositionError(f"a point with {counts.max()} checkers: this space holds at most {self.checkers}")
        return np.ascontiguousarray(counts, dtype=np.int8 if counts.dtype == np.int8 else np.int64)

    def _check_points(self, counts: npt.NDArray[Any]) -> None:
        if counts.shape[-1] != self.points and counts.shape != (0, 0):
            raise PositionError(
                f"positions of shape {counts.shape} list {counts.shape[-1]} points: this space has {self.points}"
            )


@lru_cache(maxsize=64)
def space_of(points: int, checkers: int) -> PositionSpace:
    """A space, made once for each size."""
    return PositionSpace(points, checkers)
