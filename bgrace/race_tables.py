"""One player alone on more than six points: tables too large for float64 distributions, made a layer at a time.

A layer is all positions with one number of checkers.  As long as a checker is outside the home board none comes off, so
that a layer depends on itself and on the home board alone; ``csrc/layer.c`` says how it is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace._kernels.layer as kernel
from bgrace._kernels.threads import how_many
from bgrace.positions import PositionSpace

__all__ = ["LayerSolver", "Progress", "RaceLayer", "layer_bytes", "layer_size", "row_bytes"]

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is to do; may raise to stop the work."""

_HOME_BYTES: Final = 1200  # for each position on six points: its results, distributions and what leads to them


def layer_size(points: int, checkers: int) -> int:
    """How many positions have exactly so many checkers on `points` points."""
    fewer = len(PositionSpace(points, checkers - 1)) if checkers > 1 else 1
    return len(PositionSpace(points, checkers)) - fewer


def layer_bytes(points: int, checkers: int) -> int:
    """Memory that solving the layer of so many checkers takes; smaller layers take less."""
    home = len(PositionSpace(6, checkers))
    return _HOME_BYTES * home + kernel.slot_bytes(True) * (home + layer_size(points, checkers))


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
        """Solve the layer of so many checkers.

        Raises
        ------
        ArgumentError
            If the layer has 2**31 positions or more.
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
        self.size = layer.size
        self.width = layer.width()

    def write(
        self,
        mean_rolls: npt.NDArray[np.float64] | None,
        variance_rolls: npt.NDArray[np.float64] | None,
        first_roll: npt.NDArray[np.uint8],
        chances: npt.NDArray[np.uint16],
    ) -> None:
        """Fill rows; this can be done once.

        Parameters
        ----------
        mean_rolls, variance_rolls : float64 ndarray, shape (size,), or None
            Of the number of rolls; None if they are not wanted.
        first_roll : uint8 ndarray, shape (size,)
            The least number of rolls whose chance is not 0.
        chances : uint16 ndarray, shape (size, at least width)
            Chance of exactly ``first_roll + k`` rolls, in units of 1 / `bgrace.roll_rows.CHANCE_SCALE`.
        """
        self._layer.tables(mean_rolls, variance_rolls, first_roll, chances, self._threads)
