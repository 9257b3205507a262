"""One player alone on more than six points: tables too large for float64 distributions, made a layer at a time.

A layer is all positions with one number of checkers.  As long as a checker is outside the home board none comes off, so
that a layer depends on itself and on the home board alone; ``csrc/solve/layer.c`` says how it is solved.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

import bgrace._kernels.layer as kernel
from bgrace._base.arrays import AnyIntegers, Rows
from bgrace._base.limits import Progress, how_many
from bgrace._kernels.layer import CHANCE_SCALE as _CHANCE_SCALE
from bgrace.board import HOME_POINTS
from bgrace.board.spaces import PositionSpace
from bgrace.tables.one_sided import n_fewer_checkers

CHANCE_SCALE: Final[int] = _CHANCE_SCALE
"""Certainty in 16 bits."""


def is_packed(points: int) -> bool:
    """Whether a database for `points` points holds its distributions in 16 bits: beyond the home board."""
    return points > HOME_POINTS


def unpack(
    first_roll: AnyIntegers, chances: AnyIntegers, scale: float = CHANCE_SCALE, width: int | None = None
) -> npt.NDArray[np.float64]:
    """Turn packed rows into chances of exactly 0, 1, ... rolls.

    Parameters
    ----------
    first_roll : array of int, shape (...)
    chances : array of int, shape (..., n)
    scale : float
        What certainty is.
    width : int, optional
        Columns of the result; as many as needed for the last chance that is not 0, unless given, and at least that.

    Returns
    -------
    float64 ndarray, shape (..., width)

    Examples
    --------
    >>> unpack(np.array(2), np.array([3, 1, 0]), scale=4).tolist()
    [0.0, 0.0, 0.75, 0.25]
    """
    columns = np.asarray(first_roll, dtype=np.int64)[..., np.newaxis] + np.arange(np.shape(chances)[-1])
    used = int(columns[np.asarray(chances) > 0].max(initial=-1)) + 1
    if width is None:
        width = used
    elif width < used:
        raise ValueError(f"{used} columns are needed, {width} are there")
    rows = np.zeros((*columns.shape[:-1], max(width, int(columns.max(initial=-1)) + 1)))
    np.put_along_axis(rows, columns, np.asarray(chances) / scale, axis=-1)
    return rows[..., :width]


class _Rows(Protocol):
    """An array, or what is indexed like one."""

    def __getitem__(self, index: Rows, /) -> npt.NDArray[Any]: ...


class PackedRows:
    """A table of distributions in 16 bits.

    ``rows[index]`` unpacks: chances of exactly 0, 1, ... rolls, float64, shape (..., width) for an index or an array of
    shape (...), as wide as the longest of these rows.
    """

    def __init__(self, first_roll: _Rows, chances: _Rows, scale: float) -> None:
        self._first_roll = first_roll
        self._chances = chances
        self._scale = scale

    def __getitem__(self, index: Rows) -> npt.NDArray[np.float64]:
        if isinstance(index, int):  # the short way for one row
            first = int(self._first_roll[index])
            chances = np.trim_zeros(self._chances[index], "b")
            row = np.zeros(first + len(chances))
            row[first:] = chances / self._scale
            return row
        return unpack(self._first_roll[index], self._chances[index], self._scale)


_HOME_BYTES: Final = 1200  # for each position on six points: its results, distributions and their origins


def layer_size(points: int, checkers: int) -> int:
    """Number of positions with exactly `checkers` checkers on `points` points."""
    space = PositionSpace(points, checkers)
    return len(space) - n_fewer_checkers(space, checkers)


def layer_bytes(points: int, checkers: int) -> int:
    """Memory that solving the layer of `checkers` checkers takes; smaller layers take less."""
    home = len(PositionSpace(6, checkers))
    return _HOME_BYTES * home + kernel.layer_bytes(points, checkers)


def row_bytes(width: int) -> int:
    """Bytes of a row of the packed tables: mean, variance, first roll, and `width` chances."""
    return 8 + 8 + 1 + 2 * width


class LayerSolver:
    """Solves layers of one number of points.

    Parameters
    ----------
    points : int
        7 to 24.
    checkers : int
        The most checkers of a layer to be asked for, 1 to 15.
    first_checker : bool
        Whether what counts is the roll on which the first checker comes off a layer of `checkers` checkers, not the
        roll on which the last one does.
    threads : int, optional
        As many as there are processors, unless given.  The results do not depend on it.
    """

    def __init__(self, points: int, checkers: int, *, first_checker: bool = False, threads: int | None = None) -> None:
        self._points = points
        self._threads = how_many(threads)
        self._home = kernel.Home(checkers, checkers if first_checker else 1, self._threads)

    def solve(self, checkers: int, progress: Progress | None = None) -> RaceLayer:
        """Solve the layer of `checkers` checkers.

        Raises
        ------
        ArgumentError
            If the layer has 2**31 positions or more, has more checkers than this solver is for, or with `first_checker`
            fewer.
        MemoryLimitError
            If there is not enough memory.
        """

        def report(level: int, done: int, total: int) -> None:
            if progress is not None:
                progress(done, total)

        most = np.full(self._points, checkers, dtype=np.int8)
        return RaceLayer(kernel.Layer(self._home, most, True, self._threads, report), self._threads)


class RaceLayer:
    """A layer that is solved; its rows, in rising index, go into tables of the caller's.

    Attributes
    ----------
    size : int
        How many positions it has.
    width : int
        How many numbers of rolls a distribution covers at most.
    """

    def __init__(self, layer: kernel.Layer, threads: int) -> None:
        self._layer = layer
        self._threads = threads
        self.size: int = layer.size
        self.width: int = layer.width()

    def write(
        self,
        mean_rolls: npt.NDArray[np.float64] | None,
        variance_rolls: npt.NDArray[np.float64] | None,
        first_roll: npt.NDArray[np.uint8],
        chances: npt.NDArray[np.uint16],
        start: int = 0,
    ) -> None:
        """Fill n rows, those of the positions from `start` on.

        Parameters
        ----------
        mean_rolls, variance_rolls : float64 ndarray, shape (n,), or None
            Of the number of rolls; None if they are not wanted.
        first_roll : uint8 ndarray, shape (n,)
            The least number of rolls whose chance is not 0.
        chances : uint16 ndarray, shape (n, at least width)
            Chance of exactly ``first_roll + k`` rolls, in units of 1 / `bgrace.tables.layers.CHANCE_SCALE`.
        start : int
            Of the positions of the layer, in rising index.

        Raises
        ------
        ArgumentError
            If rows of `chances` are shorter than `width`.
        ValueError
            If the arrays are not of one length, or have another number of positions.
        """
        self._layer.tables(start, mean_rolls, variance_rolls, first_roll, chances, self._threads)
