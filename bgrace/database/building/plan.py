"""The size, contents and duration of a build; worked out without making anything."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isqrt, sqrt
from typing import Final

from bgrace._base.arrays import as_integer
from bgrace._base.limits import allowed_text, how_many, memory_limit, memory_text
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.directory import Contents
from bgrace.errors import MemoryLimitError
from bgrace.tables.one_sided import GAMMON_CHECKERS, is_packed, layer_bytes, layer_size
from bgrace.tables.two_sided import Plane, working_set_bytes

DEFAULT_TWO_SIDED: Final = 8
"""Checkers a side that a table of pairs covers unless something else is asked for."""

PAIR_BYTES: Final = 2 * len(Plane)
"""Bytes of one pair in a table."""

PAIRS_A_POSITION: Final = 20
"""Pairs that take as long as one position of one player."""

_PAIRS_A_SECOND: Final = 16e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 0.6e6
_LISTED_SHARE: Final = 0.02  # of all pairs, those in which a gammon matters
_PACKED_SHARE: Final = 0.75  # of a table that is left when it is compressed
_CODES_SHARE: Final = 0.2  # of a table of pairs that is left when it is packed, beside what follows
_FACTORS_BYTES: Final = 2600  # of a packed file, a position
_SMALL_PACKED_BYTES: Final = 80 << 10  # around those, where there are few
_HEAD_BYTES: Final = 8 << 10  # the directory, and what HDF5 says of the whole file
_TABLE_BYTES: Final = 9 << 10  # around each table of a file that can be mapped, where they begin on pages
_PACKED_TABLE_BYTES: Final = 1 << 10  # around those of an archive
_PACKED_A_SECOND: Final = 6e6  # bytes that compressing makes
_PROGRAM_BYTES: Final = 200 << 20  # Python, numpy, HDF5, and what is read of the file while it is written
_MAX_ROWS: Final = 1 << 18  # of a table of pairs: all of the bearoff is 54,264

__all__ = ["BuildPlan"]


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """The contents, size and memory of a build.

    Attributes
    ----------
    points, checkers, two_sided : int
        What the file will cover; 0 for no two-sided table.
    positions, pairs : int
        Rows of the one-sided tables, entries of the two-sided one.
    file_bytes, memory_bytes : int
        About how large the file will be, and how much memory the build will use.
    working_set_bytes : int
        The part of the memory that the two-sided solver may use; the less, the slower.
    seconds : float
        About how long it will take on an ordinary machine.
    threads : int
    compress : bool
        Whether the file will be an archive.
    disk_bytes : int
        About how much of the disk the build will need.
    """

    points: int
    checkers: int
    two_sided: int
    positions: int
    pairs: int
    file_bytes: int
    memory_bytes: int
    working_set_bytes: int
    seconds: float
    threads: int
    compress: bool
    disk_bytes: int

    @property
    def gammons(self) -> bool:
        """Whether gammons count in pairs: a loser with all 15 checkers loses double."""
        return self.two_sided == GAMMON_CHECKERS

    @property
    def contents(self) -> Contents:
        """The same as the file has it."""
        return Contents(self.points, self.checkers, self.two_sided, self.gammons)


def plan_build(
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    *,
    compress: bool = False,
) -> BuildPlan:
    """Plan a build: contents, size, memory and time, without building.

    Parameters
    ----------
    points, checkers : int
        1 to 24, 1 to 15.
    two_sided : int, optional
        Checkers a side that the table of pairs covers, 0 for none.  Unless given: 8 on six points, or all if there
        are fewer, and none on others.
    threads : int, optional
        As many as there are processors, unless given.
    memory_bytes : int, optional
        The most memory that the build may use, file cache aside; three quarters of the machine's, unless given.
    compress : bool
        Whether to make an archive: smaller, slower, and not to be mapped.

    Returns
    -------
    BuildPlan

    Raises
    ------
    ArgumentError
        If a number is out of range.
    MemoryLimitError
        If the build can't be done in that much memory.
    """
    space = PositionSpace(points, checkers)
    points, checkers = space.points, space.checkers
    two_sided = _checked_two_sided(space, two_sided)
    n_threads, limit = how_many(threads), memory_limit(memory_bytes)
    pair_space = PositionSpace(points, two_sided) if two_sided else None
    n = len(pair_space) if pair_space else 0
    pairs_bytes = PAIR_BYTES * n * n
    rows_bytes, one_sided = _one_sided_bytes(space)
    if pair_space is None or n > _MAX_ROWS:
        least = most = 0
    else:
        least, most = working_set_bytes(pair_space, n_threads, in_file=True)
    if n > _MAX_ROWS or max(one_sided, _PROGRAM_BYTES + least) > limit:
        needed = max(one_sided, _PROGRAM_BYTES + (pairs_bytes if n > _MAX_ROWS else least))
        raise MemoryLimitError(
            f"{points} points, {checkers} checkers and {two_sided} checkers two-sided need "
            f"{memory_text(needed)} of memory, {allowed_text(limit)}: ask for fewer points or fewer "
            "two-sided checkers (--two-sided), or allow more"
        )
    working_set = min(most, limit - _PROGRAM_BYTES)
    contents = Contents(points, checkers, two_sided, two_sided == GAMMON_CHECKERS)
    seconds = (max(len(space), layers_work(points, checkers) / PAIRS_A_POSITION) / _POSITIONS_A_SECOND) / n_threads
    seconds += n * n / _PAIRS_A_SECOND / n_threads
    pairs_bytes += round(4 * n * n * _LISTED_SHARE) * contents.gammons
    # Beside them: labels of the positions of a home board, and checksums of rows of pairs.
    n_tables = len(contents.shapes) + (not is_packed(points)) + (two_sided > 0)
    plain_bytes = rows_bytes + pairs_bytes + _HEAD_BYTES + n_tables * _TABLE_BYTES
    packed_bytes = 0
    if compress:
        packed_bytes = round(_PACKED_SHARE * (rows_bytes + pairs_bytes)) + _HEAD_BYTES + n_tables * _PACKED_TABLE_BYTES
    return BuildPlan(
        points=points,
        checkers=checkers,
        two_sided=two_sided,
        positions=len(space),
        pairs=n * n,
        file_bytes=packed_bytes or plain_bytes,
        memory_bytes=max(one_sided, _PROGRAM_BYTES + working_set),
        working_set_bytes=working_set,
        seconds=seconds + packed_bytes / _PACKED_A_SECOND,
        threads=n_threads,
        compress=bool(compress),
        disk_bytes=plain_bytes + packed_bytes,
    )


def packed_bytes(rest: int, pairs: int) -> int:
    """Estimated size of a packed file, from the bytes beside its pairs and the number of pairs; rather too large."""
    codes = round(_CODES_SHARE * PAIR_BYTES * pairs)
    return rest + codes + _FACTORS_BYTES * isqrt(pairs) + _SMALL_PACKED_BYTES


def _checked_two_sided(space: PositionSpace, two_sided: int | None) -> int:
    if two_sided is None:
        return min(DEFAULT_TWO_SIDED, space.checkers) if space.points == 6 else 0
    problem = (
        f"{two_sided!r} checkers two-sided: give 0, for no such table, to {space.checkers}, as many as the file is for"
    )
    return as_integer(two_sided, problem, 0, space.checkers)


def _one_sided_bytes(space: PositionSpace) -> tuple[int, int]:
    """Estimated size of the one-sided tables in a file, and the memory that making them takes."""
    if is_packed(space.points):
        # The spread of a sum of rolls grows with the root of their number, and so do the columns.
        width = ceil(1.5 * sqrt(space.points * space.checkers))
        row = 8 + 8 + 1 + 2 * width  # mean, variance, first roll, and chances
        n_rows = len(space)
        if space.checkers == GAMMON_CHECKERS:
            n_rows += layer_size(space.points, space.checkers)
        return n_rows * row, _PROGRAM_BYTES + layer_bytes(space.points, space.checkers)
    # A row of the distribution has a column more than the longest bearoff takes rolls of 2-1: 31 for 15 on six points.
    row = 8 * (max(ceil(space.points * space.checkers / 3), ceil(space.checkers / 2)) + 1 + 3)
    n_bytes = len(space) * (row + space.points)
    if space.checkers == GAMMON_CHECKERS:
        n_bytes += layer_size(space.points, space.checkers) * 8 * (space.points + 5)  # the first checker's; 11 on six
    return n_bytes, _PROGRAM_BYTES + len(space) * (row + 4 * (21 + 18) + 16)


def layers(points: int, checkers: int) -> list[tuple[int, bool]]:
    """The steps of a build: each number of checkers, and all 15 again for the first one off."""
    if not is_packed(points):
        return []
    # The largest layer comes first: its distributions are the widest.
    return [(k, False) for k in range(checkers, 0, -1)] + [(checkers, True)] * (checkers == GAMMON_CHECKERS)


def layers_work(points: int, checkers: int) -> int:
    """Cost of the steps, in pairs of positions."""
    return PAIRS_A_POSITION * sum(layer_size(points, k) for k, _ in layers(points, checkers))
