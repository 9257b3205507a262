"""Two players: equities of every pair of positions, in 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._base.limits import how_many
from bgrace.board.spaces import PositionSpace
from bgrace.tables.one_sided import GAMMON_CHECKERS

if TYPE_CHECKING:
    from bgrace._kernels.kinds import KernelPairs


LevelProgress: TypeAlias = Callable[[int, int, int], None]
"""Called with a number of pips up to which all pairs are solved, how many pairs that are, and how many there will be.
May raise to stop the work."""


class Plane(IntEnum):
    """The four values of a pair, by where the cube is: equity of rolling now, without doubling.

    A member is the number of its plane in every table of pairs, in the C library and in files.
    """

    CUBELESS = 0
    MINE = 1
    CENTERED = 2
    THEIRS = 3


PLANES: Final = tuple(plane.name.lower() for plane in Plane)
"""Names of the planes, in order."""


_WINDOW: Final = 24  # levels that one roll can reach down, and
_EASE: Final = 1 / 8  # room more than windows need, as in csrc/solve/two_sided_windows.c
_ROW_BYTES: Final = 128
_PAIRS_AT_ONCE: Final = (2 << 20, 16 << 20)  # to write: at least, at most
_PARTS: Final = 64  # of a table of a size between
SMALL_TABLE: Final = 1 << 27  # bytes, up to which a table had better be written to its mapping
_COMPARED: Final = 5000  # positions, from which on finding plays that others beat takes less time than it saves
_GAMMON_SHARE: Final = 1 / 8  # of the pairs that are in memory, those with two more values, in whole pages


def scale_for(space: PositionSpace) -> int:
    """Steps per unit of equity: 32760, or 16380 where gammons double the range.

    Both are multiples of 72, so that every one-roll value, and the take at -1/2, is exact.
    """
    return 16380 if space.checkers == GAMMON_CHECKERS else 32760


class PairFile(NamedTuple):
    """Where a table of pairs is in a file that is being written.

    Attributes
    ----------
    descriptor : int
        Open for reading and writing.
    offset : int
        Where the table begins.
    row_crc32 : uint32 ndarray, shape (ranks,)
        CRC-32 of what the file has of each row; rows grow from left to right.  Zeros if there is nothing in it.
    pairs_at_once : int
        How many pairs to write at once.
    mapped : bool
        Whether to write to the mapping instead, as is quicker with a `SMALL_TABLE`.
    """

    descriptor: int
    offset: int
    row_crc32: npt.NDArray[np.uint32]
    pairs_at_once: int
    mapped: bool


def pairs_to_write(space: PositionSpace) -> int:
    """How many pairs of a table to write to a file at once.

    Many, since V is read again for each time; but no more than memory that is touched for the first time is worth.
    """
    least, most = _PAIRS_AT_ONCE
    return min(max(len(space) ** 2 // _PARTS, least), most)


def two_sided_order(space: PositionSpace) -> npt.NDArray[np.int32]:
    """Index of each rank: in order of pips, then of index; int32, shape (len(space),)."""
    positions = space.position(np.arange(len(space)))
    pips = positions.astype(np.int64) @ np.arange(1, space.points + 1)
    return np.argsort(pips, kind="stable").astype(np.int32)


def working_set_bytes(space: PositionSpace, threads: int, *, in_file: bool = False) -> tuple[int, int]:
    """Memory that `solve_two_sided` works with, beside the table: the least it can do with, and the most it will use.

    Parameters
    ----------
    space : PositionSpace
    threads : int
    in_file : bool
        Whether the table goes to a file, from two buffers.

    Returns
    -------
    tuple of two int
        Bytes.
    """
    pips = space.position(np.arange(len(space))).astype(np.int64) @ np.arange(1, space.points + 1)
    blocks = -(-np.bincount(pips) // 16)
    past = np.cumsum(blocks)
    first = past - blocks
    below = first - first[np.maximum(np.arange(len(blocks)) - _WINDOW, 0)]
    window = 16 * np.maximum(below, np.append(below[1:], 0))
    newest = 16 * int((blocks * (past[-1] - (first - below))).max())
    least = newest + 2 * (threads + 1) * int(window.max())
    most = least + round(int((window * (past[-1] - first)).max()) * (1 + _EASE))
    if space.checkers == GAMMON_CHECKERS:
        least, most = round(least * 1.5), round(most * (1 + _GAMMON_SHARE))
    # What else there is: the graph of plays, about 170 results a position, 12 bytes each.
    graph = 2500 * len(space)
    pairs_at_once = min(max(pairs_to_write(space), 16 * int(np.bincount(pips).max())), len(space) ** 2)
    buffers = 2 * pairs_at_once * len(PLANES) * 2 if in_file else 0
    return _ROW_BYTES * least + graph + buffers, _ROW_BYTES * most + graph + buffers


def solve_two_sided(
    space: PositionSpace,
    threads: int | None = None,
    progress: LevelProgress | None = None,
    out: npt.NDArray[np.int16] | None = None,
    *,
    gammons: KernelPairs | None = None,
    file: PairFile | None = None,
    memory_bytes: int = 0,
) -> npt.NDArray[np.int16]:
    """Solve every pair of positions of a space, for money, with a cube without limit.

    Parameters
    ----------
    space : PositionSpace
        If it holds 15 checkers, gammons count.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.
    progress : callable, optional
        See `LevelProgress`.
    out : int16 ndarray, shape (len(space), len(space), 4), optional
        Where the equities are to go, such as a mapped file; ``8 * len(space)**2`` bytes.
    gammons : tuple of ndarray, optional
        Pairs to compute two more values for if gammons count once, and where those are to go, in steps: `column`,
        `winning_starts`, winning, `losing_starts` and losing of `bgrace.tables.one_sided.GammonPairs`.  The values are
        equities of rolling now: cubeless, which is 2 W - 1 with W the chance to win, and centered, which is that of the
        Jacoby rule.  With a space of 15 checkers.
    file : PairFile, optional
        Write the table to a file, of which `out` is a mapping: by large writes, which take the system a fraction of
        the time that it needs for pages of mapped memory that are written to, unless the table is small.
    memory_bytes : int
        Bound of the working set beside `out`; 0 for none: then it is the most that `working_set_bytes` says.  The less,
        the slower; the result does not depend on it.

    Returns
    -------
    int16 ndarray, shape (len(space), len(space), 4)
        ``[rank on roll, rank of the opponent, plane]``, planes as in `PLANES`, in steps of `scale_for`, ranks in the
        order of `two_sided_order`.  Gammons count where a loser still has 15 checkers.  Greatest error found against
        float64 (docs/accuracy.md): 7e-5 without gammons, up to 10 checkers a side, and 1.1e-4 with them; without bias.

    Raises
    ------
    ArgumentError
        If the space is too large.
    MemoryLimitError
        If there is not enough memory.
    OSError
        If the file cannot be written or read.

    Notes
    -----
    Money play with centered, owned and unavailable cube as in Dotsenko and Marynych, "Optimal doubling strategies in
    backgammon", section 4, on real positions.  The recurrences and how they are solved stand in
    ``csrc/solve/two_sided.c``.

    Examples
    --------
    >>> space = PositionSpace(points=6, checkers=1)
    >>> six, ace = (two_sided_order(space).tolist().index(space.index(p)) for p in ("6x1", "1x1"))
    >>> (solve_two_sided(space)[six, ace] / scale_for(space)).tolist()     # 27 of 36 rolls bear off from the six point
    [0.5, 0.5, 0.5, 0.5]
    """
    n = len(space)
    n_threads = how_many(threads)
    graph = kernel.Graph(space.kernel, np.arange(n), n_threads)
    gammon_checkers = GAMMON_CHECKERS if space.checkers == GAMMON_CHECKERS else 0
    if n >= _COMPARED:
        graph.compare(gammon_checkers, n_threads)
    table = np.empty((n, n, len(PLANES)), dtype=np.int16) if out is None else out
    kernel.solve(
        graph,
        table,
        scale_for(space),
        gammon_checkers=gammon_checkers,
        gammon_pairs=gammons,
        file=file,
        memory_bytes=memory_bytes,
        n_threads=n_threads,
        progress=progress,
    )
    return table
