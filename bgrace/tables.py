"""Solvers that fill arrays in memory: one player alone, and equities of every pair of positions, in 16 bits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import bgrace._kernels.one_sided as one_sided_kernel
import bgrace._kernels.two_sided as two_sided_kernel
from bgrace._base.arrays import AnyIntegers, Floats, ShortRepr
from bgrace._base.files import CAN_CLAIM
from bgrace._base.limits import checked_threads
from bgrace._kernels.lazy_numpy import np, npt
from bgrace.board import HOME_POINTS
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace
from bgrace.errors import ArgumentError

if TYPE_CHECKING:
    from bgrace._kernels.kinds import KernelPairs, LevelProgress


_MAX_POSITIONS: Final = 2**31 - 1
"""The most positions of a space: results of plays are stored as int32."""


@dataclass(frozen=True, slots=True, repr=False)
class OneSidedTable(ShortRepr):
    """Every position of a space with its rolls to bear off; the row number is the index.

    Attributes
    ----------
    space : PositionSpace
    mean_rolls, variance_rolls : float64 ndarray, shape (len(space),)
        Mean and variance of the number of rolls until the last checker is off, if each roll is played to the least
        mean.
    roll_distribution : float64 ndarray, shape (len(space), width)
        Chances of bearing off in exactly 0, 1, ..., width - 1 rolls.
    best : int32 ndarray, shape (len(space), 21)
        Index of the result chosen for each of `bgrace.board.dice.ROLLS`; among equal ones the smallest.
    first_checker_distribution : float64 ndarray, shape (positions with 15 checkers, width), or None
        Chances that the first checker comes off on exactly roll 0, 1, ..., if each roll is played to the least mean of
        that number.  Row 0 belongs to the first index with 15 checkers.  None if the space has fewer checkers.
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
    """Number of positions of a space with fewer than `checkers` checkers: they have the lowest indices."""
    return len(PositionSpace(space.points, checkers - 1)) if checkers > 1 else 1


def solve_one_sided(space: PositionSpace, threads: int | None = None) -> OneSidedTable:
    """Solve every position of a space for one player alone.

    Parameters
    ----------
    space : PositionSpace
        At most 2**31 - 1 positions.  About ``(8 * rolls + 180)`` bytes a position are needed.
    threads : int, optional
        By default one per processor.  The result does not depend on it.

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
    n_threads = checked_threads(threads)
    if len(space) > _MAX_POSITIONS:
        raise ArgumentError(
            f"{len(space):,} positions of {space.checkers} checkers on {space.points} points are too many to solve: "
            f"{_MAX_POSITIONS:,} at most; ask for fewer points or checkers"
        )
    mean_rolls, best, longest = one_sided_kernel.means(space.kernel, 1, n_threads)[:3]
    distribution, variance = one_sided_kernel.distributions(space.kernel, 1, n_threads, best, longest)
    first = None
    if space.checkers == GAMMON_CHECKERS:
        _, first_best, first_longest = one_sided_kernel.means(space.kernel, GAMMON_CHECKERS, n_threads)[:3]
        rows, _ = one_sided_kernel.distributions(space.kernel, GAMMON_CHECKERS, n_threads, first_best, first_longest)
        first = np.ascontiguousarray(rows[n_fewer_checkers(space, GAMMON_CHECKERS) :])
    return OneSidedTable(space, mean_rolls, variance, distribution, best, first)


def one_sided_win(on_roll: npt.NDArray[np.float64], opponent: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chance to win a race if each side plays for its own least mean number of rolls.

    Parameters
    ----------
    on_roll, opponent : float64 ndarray, shape (..., width)
        Chances of bearing off in exactly 0, 1, ... rolls; the leading axes broadcast, the widths may differ.

    Returns
    -------
    float64 ndarray, shape (...)
        `one_sided_error` gives the error against two-sided play.

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
    at_least[..., 0] = 1  # exactly, without rounding, for a side that has finished
    width = min(on_roll.shape[-1], at_least.shape[-1])
    won = np.einsum("...k,...k->...", on_roll[..., :width], at_least[..., :width])
    return np.minimum(np.where(on_roll[..., 0] == 1, 1.0, won), 1.0)


def one_sided_error(variance: float) -> float:
    """Error of the cubeless equity from `one_sided_win`, in points: 99 of 100 errors are within it.

    Parameters
    ----------
    variance : float
        Sum of the variances of both sides' rolls: the error is small in longer races, and almost none if few numbers of
        rolls are possible.

    Returns
    -------
    float
        Fitted to whole tables of pairs: see docs/race-tables.md.
    """
    return 0.016 / max(1.0, variance) if variance > 0.3 else 0.0001


def one_sided_gammons(
    on_roll: Floats,
    opponent: Floats,
    first_on_roll: Floats | None,
    first_opponent: Floats | None,
) -> tuple[float, float]:
    """Chances to win and to lose a gammon, if each side plays for its own least mean number of rolls.

    Parameters
    ----------
    on_roll, opponent : float64 ndarray, shape (width,)
        Chances of bearing off in exactly 0, 1, ... rolls.
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
"""A loser who still has this many checkers, and so has borne off none, loses double."""

MIN_CHANCE: Final = 1e-5
"""Pairs in which a gammon is less likely than this are not listed."""

SINGLE_PLANES: Final = ("cubeless", "centered")
"""Values of a listed pair for which gammons count once: 2 W - 1 with W the chance to win, and the equity of rolling now
with a centered cube under the Jacoby rule."""


@dataclass(frozen=True, slots=True, repr=False)
class GammonPairs(ShortRepr):
    """The pairs with a likely gammon, and their places in two tables, by rank (see `bgrace.tables.two_sided_order`).

    Positions with all 15 checkers are the columns, in order of the first checker borne off, latest first.  Each
    position has a row of pairs with the first few columns in both tables: *winning*, in which it is on roll and may win
    a gammon, and *losing*, in which the position with 15 checkers is on roll and may lose one.

    Attributes
    ----------
    column : int32 ndarray, shape (positions,)
        Column of a rank; -1 for positions with fewer than 15 checkers.
    winning_starts, losing_starts : int64 ndarray, shape (positions + 1,)
        Start of each rank's row; the last entry is the length of the table.  A row ends where the next begins.
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

    The chance is estimated from each side by itself: the sum over k of the chance that one bears off its last checker
    on roll k and the other none until then, if each plays for speed.

    Parameters
    ----------
    table : OneSidedTable
        Table of a space with 15 checkers.
    order : int ndarray, shape (len(space),)
        Index of each rank.

    Returns
    -------
    GammonPairs
        Every pair in which the chance is more than `MIN_CHANCE`, and a few more, so that each row has the first columns
        without a gap.

    Examples
    --------
    >>> space = PositionSpace(points=2, checkers=15)
    >>> pairs = find_gammon_pairs(solve_one_sided(space), two_sided_order(space))
    >>> len(space), int(pairs.winning_starts[-1]), int(pairs.losing_starts[-1])
    (136, 224, 0)
    """
    first = table.first_checker_distribution
    assert first is not None, "a space with 15 checkers has this table"
    # Chances of at least k rolls until the first checker is off; columns in falling order of the mean.
    at_least = np.cumsum(first[:, ::-1], axis=1)[:, ::-1]
    means = np.cumsum(at_least[:, 1:], axis=1)[:, -1]
    by_column = np.argsort(-means, kind="stable")
    columns = np.empty(len(first), dtype=np.int32)
    columns[by_column] = np.arange(len(first), dtype=np.int32)
    # Made to fall from column to column, so that bisection finds where the chance falls below the limit.
    falling = np.maximum.accumulate(at_least[by_column][::-1], axis=0)[::-1]
    rolls = table.roll_distribution[order]
    # When the last checker comes off on roll k, the other side has had k - 1 rolls if it was not on roll first, else k.
    winning = _row_lengths(rolls, falling)
    losing = _row_lengths(rolls, np.hstack((falling[:, 1:], np.zeros((len(falling), 1)))))
    fewer = n_fewer_checkers(table.space, GAMMON_CHECKERS)
    losing[order >= fewer] = 0
    column = np.full(len(order), -1, dtype=np.int32)
    column[order >= fewer] = columns[order[order >= fewer] - fewer]
    return GammonPairs(column, _starts(winning), _starts(losing))


def _row_lengths(rolls: npt.NDArray[np.float64], at_least: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Number of columns, by rank, with a sum over k of rolls[rank, k] * at_least[column, k] above the limit.

    The sums fall from column to column.  They are added in a fixed order, so that every machine gets the same result.
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
# Tables too large for float64 distributions are solved one layer at a time.  A layer is all positions with the same
# number of checkers.  While a checker is outside the home board, none comes off, so a layer depends only on itself and
# on the home board; ``csrc/solve/layer.c`` solves it.

CHANCE_SCALE: Final[int] = one_sided_kernel.CHANCE_SCALE
"""A chance of 1 in 16 bits."""


def in_16_bits(points: int) -> bool:
    """Whether a database for `points` points has distributions in 16 bits: if it goes beyond the home board."""
    return bool(points > HOME_POINTS)


_HOME_BYTES: Final = 1200  # for each position on six points: its results, distributions and their origins


def layer_size(points: int, checkers: int) -> int:
    """Number of positions with exactly `checkers` checkers on `points` points."""
    space = PositionSpace(points, checkers)
    return len(space) - n_fewer_checkers(space, checkers)


def layer_bytes(points: int, checkers: int) -> int:
    """Bytes needed to solve the layer of `checkers` checkers; smaller layers need fewer."""
    home = len(PositionSpace(6, checkers))
    return _HOME_BYTES * home + one_sided_kernel.layer_bytes(points, checkers)


class Plane(IntEnum):
    """The four values of a pair, by the place of the cube: equity of rolling now, without doubling.

    A member is the number of its plane in every table of pairs, in the C library and in files.
    """

    CUBELESS = 0
    MINE = 1
    CENTERED = 2
    THEIRS = 3


PLANES: Final = tuple(plane.name.lower() for plane in Plane)
"""Names of the planes, in order."""


_WINDOW: Final = 24  # number of levels that one roll can reach down, and
_EASE: Final = 1 / 8  # share of additional room, as in csrc/solve/two_sided_windows.c
_ROW_BYTES: Final = 128
_PAIRS_AT_ONCE: Final = (2 << 20, 16 << 20)  # pairs to write at a time: least, most
_PARTS: Final = 64  # number of parts in which a table of a size in between is written
_SMALL_TABLE: Final = 1 << 27  # bytes; up to this size, writing a table to its mapping is faster
_COMPARED: Final = 5000  # positions; from here on, finding plays that others beat takes less time than it saves
_GAMMON_SHARE: Final = 1 / 8  # share of the pairs in memory that have two more values, in whole pages


def scale_for(space: PositionSpace) -> int:
    """Steps per unit of equity: 32760, or 16380 if gammons double the range.

    Both are multiples of 72, so that every one-roll value, and the take at -1/2, is exact.
    """
    return 16380 if space.checkers == GAMMON_CHECKERS else 32760


def pairs_to_write(space: PositionSpace) -> int:
    """Number of pairs of a table to write to a file at once.

    Each time V is read again, so the number is large; but not so large that fresh memory costs more than that.
    """
    least, most = _PAIRS_AT_ONCE
    return min(max(len(space) ** 2 // _PARTS, least), most)


def two_sided_order(space: PositionSpace) -> npt.NDArray[np.int32]:
    """Index of each rank: in order of pips, then of index; int32, shape (len(space),)."""
    positions = space.position(np.arange(len(space)))
    pips = positions.astype(np.int64) @ np.arange(1, space.points + 1)
    return np.argsort(pips, kind="stable").astype(np.int32)


def working_set_bytes(space: PositionSpace, threads: int, *, in_file: bool = False) -> tuple[int, int]:
    """Memory of `solve_two_sided` beside the table: the least that it needs, and the most that it uses.

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
    # The rest is the graph of plays: about 170 results a position, 12 bytes each.
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
    file: tuple[int, int, npt.NDArray[np.uint32]] | None = None,
    memory_bytes: int = 0,
) -> npt.NDArray[np.int16]:
    """Solve every pair of positions of a space, for money, with a cube without limit.

    Parameters
    ----------
    space : PositionSpace
        If it holds 15 checkers, gammons count.
    threads : int, optional
        By default one per processor.  The result does not depend on it.
    progress : callable, optional
        Called with the number of pips up to which all pairs are solved, the number of these pairs, and that of all
        pairs.  May raise to stop the work.
    out : int16 ndarray, shape (len(space), len(space), 4), optional
        Array for the equities, such as a mapped file; ``8 * len(space)**2`` bytes.
    gammons : tuple of ndarray, optional
        For a space of 15 checkers, the pairs for which to compute two more values, with gammons counting once, and the
        arrays for these values in steps: `column`, `winning_starts`, winning, `losing_starts` and losing of
        `bgrace.tables.GammonPairs`.  The values are equities of rolling now: cubeless, which is 2 W - 1 with W the
        chance to win, and centered under the Jacoby rule.
    file : tuple, optional
        A file to write the table to, of which `out` is a mapping: its descriptor, open for reading and writing, the
        start of the table, and an array for the CRC-32 of each row, uint32, 0 at first.  Unless the table is small, it
        is written by large calls, which take the system a fraction of the time of writing to mapped memory.
    memory_bytes : int
        Limit of the working set beside `out`; 0 for no limit, so that it is the greatest of `working_set_bytes`.  Less
        memory is slower; the result does not depend on it.

    Returns
    -------
    int16 ndarray, shape (len(space), len(space), 4)
        ``[rank on roll, rank of the opponent, plane]``, planes as in `PLANES`, in steps of `scale_for`, ranks in the
        order of `two_sided_order`.  Gammons count if a loser still has 15 checkers.  Greatest error found against
        float64 (docs/accuracy.md): 7e-5 without gammons, up to 10 checkers a side, and 1.6e-4 with them; without bias.

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
    backgammon", section 4, on real positions.  ``csrc/solve/two_sided.c`` has the recurrences and their solution.

    Examples
    --------
    >>> space = PositionSpace(points=6, checkers=1)
    >>> six, ace = (two_sided_order(space).tolist().index(space.index(p)) for p in ("6x1", "1x1"))
    >>> (solve_two_sided(space)[six, ace] / scale_for(space)).tolist()     # 27 of 36 rolls bear off from the six point
    [0.5, 0.5, 0.5, 0.5]
    """
    n = len(space)
    n_threads = checked_threads(threads)
    graph = two_sided_kernel.Graph(space.kernel, np.arange(n), n_threads)
    gammon_checkers = GAMMON_CHECKERS if space.checkers == GAMMON_CHECKERS else 0
    if n >= _COMPARED:
        graph.compare(gammon_checkers, n_threads)
    table = np.empty((n, n, len(PLANES)), dtype=np.int16) if out is None else out
    two_sided_kernel.solve(
        graph,
        table,
        scale_for(space),
        gammon_checkers=gammon_checkers,
        gammon_pairs=gammons,
        file=None if file is None else (*file, pairs_to_write(space), table.nbytes <= _SMALL_TABLE and CAN_CLAIM),
        memory_bytes=memory_bytes,
        n_threads=n_threads,
        progress=progress,
    )
    return table
