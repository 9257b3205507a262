"""Two players: equities of every pair of positions, in 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels import two_sided as kernel
from bgrace._kernels.threads import available
from bgrace.errors import ArgumentError
from bgrace.positions import PositionSpace

__all__ = ["MOST_CHECKERS", "PLANES", "SCALE", "Progress", "TwoSidedTable", "solve_two_sided", "two_sided_order"]

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is; may raise to stop the work."""

PLANES: Final = ("cubeless", "mine", "centered", "theirs")
"""The four values of a pair: equity of rolling now, without doubling, by where the cube is."""

SCALE: Final = 32760
"""Steps per unit of equity: 910 * 36, so that every one-roll value, and the take at -1/2, is exact."""


MOST_CHECKERS: Final = 14
"""Most checkers a side that a table can hold: with 15, gammons would count."""


@dataclass(frozen=True, slots=True)
class TwoSidedTable:
    """Equities of every ordered pair of positions of a space.

    Attributes
    ----------
    space : PositionSpace
    order : int32 ndarray, shape (len(space),)
        Index of each rank.  Ranks, the rows and columns of the table, run in order of pips, then of index.
    equities : int16 ndarray, shape (len(space), len(space), 4)
        ``equities[rank on roll, rank of the opponent, plane]``, planes as in `PLANES`, in steps of 1 / `SCALE`.
        Without gammons.  Greatest error found against float64: 5e-5 (see docs/accuracy.md), without bias.
    """

    space: PositionSpace
    order: npt.NDArray[np.int32]
    equities: npt.NDArray[np.int16]


def two_sided_order(space: PositionSpace) -> npt.NDArray[np.int32]:
    """Index of each rank: in order of pips, then of index; int32, shape (len(space),)."""
    positions = space.position(np.arange(len(space)))
    pips = positions.astype(np.int64) @ np.arange(1, space.points + 1)
    return np.argsort(pips, kind="stable").astype(np.int32)


def solve_two_sided(
    space: PositionSpace,
    threads: int | None = None,
    progress: Progress | None = None,
    out: npt.NDArray[np.int16] | None = None,
    path: str = "best",
) -> TwoSidedTable:
    """Solve every pair of positions of a space, for money, with a cube without limit and no gammons.

    Parameters
    ----------
    space : PositionSpace
        Of at most 14 checkers: with 15 gammons would count.  ``16 * len(space)**2`` bytes are needed, half of them
        for the result.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.
    progress : callable, optional
        Called now and then with the pairs done and the pairs to do.
    out : int16 ndarray, shape (len(space), len(space), 4), optional
        Where the equities are to go, such as a mapped file.
    path : str
        How the inner loop runs: ``"best"``, or one that `bgrace._kernels.two_sided.available_paths` lists.  The result
        does not depend on it.

    Returns
    -------
    TwoSidedTable

    Raises
    ------
    ArgumentError
        If the space is too large, or holds 15 checkers.
    MemoryLimitError
        If there is not enough memory.

    Notes
    -----
    Money play with centered, owned and unavailable cube as in Dotsenko and Marynych, "Optimal doubling strategies in
    backgammon", section 4, on real positions.  The recurrences and how they are solved stand in
    ``csrc/two_sided.c``.

    Examples
    --------
    >>> table = solve_two_sided(PositionSpace(points=6, checkers=1))
    >>> six, ace = (table.order.tolist().index(table.space.index(p)) for p in ("6x1", "1x1"))
    >>> (table.equities[six, ace] / SCALE).tolist()     # 27 of 36 rolls bear off from the six point
    [0.5, 0.5, 0.5, 0.5]
    """
    if space.checkers > MOST_CHECKERS:
        raise ArgumentError(
            f"two-sided tables hold at most {MOST_CHECKERS} checkers a side, not {space.checkers}: with 15 gammons would count"
        )
    n = len(space)
    n_threads = threads or available()
    graph = kernel.Graph(space.kernel, np.arange(n), n_threads)
    table = np.empty((n, n, len(PLANES)), dtype=np.int16) if out is None else out
    graph.solve(SCALE, path, n_threads, progress, table)
    return TwoSidedTable(space, graph.indices().astype(np.int32), table)
