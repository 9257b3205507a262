"""One player alone on more than six points: tables too large for float64 distributions, made a layer at a time.

A layer is all positions with one number of checkers.  As long as a checker is outside the home board none comes off, so
that a layer depends on itself and on the home board alone; ``csrc/solve/layer.c`` says how it is solved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

import bgrace._kernels.layer as kernel
from bgrace._base.arrays import AnyIntegers, Rows, Summarised
from bgrace._base.limits import how_many
from bgrace._base.progress import Progress
from bgrace._kernels.layer import CHANCE_SCALE as _CHANCE_SCALE
from bgrace.board import HOME_POINTS, MAX_CHECKERS
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


@dataclass(frozen=True, slots=True, repr=False)
class RaceTables(Summarised):
    """Every position of a space of more than six points with its rolls to bear off; row number is the index.

    Attributes
    ----------
    space : PositionSpace
    mean_rolls, variance_rolls : float64 ndarray, shape (len(space),)
        Of the number of rolls until the last checker is off, each roll played to lower the mean most.
    rolls : PackedRows
        Distributions of that number, by index.
    first_checker : PackedRows, or None
        Distributions of the roll on which the first of 15 checkers comes off, played to lower the mean of that most.
        Row 0 belongs to the first index with 15 checkers.  None where the space holds fewer.
    """

    space: PositionSpace
    mean_rolls: npt.NDArray[np.float64]
    variance_rolls: npt.NDArray[np.float64]
    rolls: PackedRows
    first_checker: PackedRows | None


def solve_race_tables(space: PositionSpace, threads: int | None = None) -> RaceTables:
    """Solve every position of a space of more than six points for one player alone, in memory.

    Parameters
    ----------
    space : PositionSpace
        Of 7 points or more.  About `layer_bytes` of memory are needed, and 60 bytes a position for the result.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    RaceTables

    Raises
    ------
    ArgumentError
        If the space has six points or fewer, or is too large.
    MemoryLimitError
        If there is not enough memory.

    Examples
    --------
    >>> tables = solve_race_tables(PositionSpace(points=8, checkers=2))
    >>> index = tables.space.index("8x1")
    >>> round(float(tables.mean_rolls[index]), 4), [round(p, 4) for p in tables.rolls[index].tolist()]
    (1.5401, [0.0, 0.4722, 0.5154, 0.0123])
    """
    solver = LayerSolver(space.points, space.checkers, threads=threads)
    n = len(space)
    means, variances, first_roll = np.zeros(n), np.zeros(n), np.zeros(n, np.uint8)
    chances = np.zeros((n, 0), np.uint16)
    for checkers in range(space.checkers, 0, -1):
        layer = solver.solve(checkers)
        if checkers == space.checkers:  # its distributions are the widest
            chances = np.zeros((n, layer.width), np.uint16)
        start = n_fewer_checkers(space, checkers)
        rows = slice(start, start + layer.size)
        layer.write(means[rows], variances[rows], first_roll[rows], chances[rows])
        del layer  # before the next one takes memory
    chances[0, 0] = CHANCE_SCALE  # of the empty board
    return RaceTables(
        space,
        means,
        variances,
        PackedRows(first_roll, chances, CHANCE_SCALE),
        _first_checker(space, threads) if space.checkers == MAX_CHECKERS else None,
    )


def _first_checker(space: PositionSpace, threads: int | None) -> PackedRows:
    layer = LayerSolver(space.points, space.checkers, first_checker=True, threads=threads).solve(space.checkers)
    first_roll, chances = np.zeros(layer.size, np.uint8), np.zeros((layer.size, layer.width), np.uint16)
    layer.write(None, None, first_roll, chances)
    return PackedRows(first_roll, chances, CHANCE_SCALE)
