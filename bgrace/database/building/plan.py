"""The size, contents and duration of a build; worked out without making anything."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from math import ceil, isqrt, sqrt
from typing import Any, Final

import numpy as np

from bgrace._base.limits import how_many
from bgrace._base.memory import allowed_text, memory_limit, memory_text
from bgrace.board.spaces import PositionSpace
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.match.met import MatchEquityTable, checked_table
from bgrace.match.score import Score, check_score
from bgrace.match.stakes import ScoreStates, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.layers import is_packed, layer_bytes, layer_size, row_bytes
from bgrace.tables.two_sided import MAX_STATES, Plane, padded_columns, working_set_bytes

DEFAULT_TWO_SIDED: Final = 8
"""Checkers a side that a table of pairs for money covers unless something else is asked for."""

DEFAULT_MATCH_TWO_SIDED: Final = 6
"""Maximum checkers per side in the table of pairs for a match score, whose values take several times the room."""

PAIRS_A_POSITION: Final = 20
"""So many pairs for money take as long as one position of one player."""

_PAIRS_A_SECOND: Final = 16e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 0.6e6
_LOADS_A_SECOND: Final = 4e9  # float64 values out of the caches, a thread
_DISK: Final = 3e8  # bytes a second
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
_GRAPH_BYTES: Final = 2500  # a position: about 170 results, and what finds them
_MAX_ROWS: Final = 1 << 18  # of a table of pairs: all of the bearoff is 54,264


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
    values: int = len(Plane)
    match: Score | None = None
    met: MatchEquityTable | None = field(default=None, compare=False)
    planes: int = 0

    @property
    def gammons(self) -> bool:
        """Whether gammons count in pairs: a loser with all 15 checkers loses double."""
        return self.two_sided == GAMMON_CHECKERS


def plan_build(
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    *,
    match: Score | None = None,
    met: MatchEquityTable | None = None,
    compress: bool = False,
) -> BuildPlan:
    """Plan a build: contents, size, memory and time, without building.

    Parameters
    ----------
    points, checkers : int
        1 to 24, 1 to 15.
    two_sided : int, optional
        Checkers a side that the table of pairs covers, 0 for none.  Unless given: 8 for money on six points and none on
        others, 6 for a match score; or all if there are fewer.
    threads : int, optional
        As many as there are processors, unless given.
    memory_bytes : int, optional
        The most memory that the build may use, file cache aside; three quarters of the machine's, unless given.
    match : Score, optional
        What the first player and the second still need: pairs are for this score, with every state of the cube in
        double precision.  For money unless given.
    met : MatchEquityTable, optional
        With `match`, what scores are worth: the table that comes with bgrace, unless given.
    compress : bool
        Whether to make an archive: smaller, slower, and not to be mapped.

    Returns
    -------
    BuildPlan

    Raises
    ------
    ArgumentError
        If a number is out of range, or the match equity table does not go as far as the score.
    MemoryLimitError
        If the build can't be done in that much memory.
    """
    space = PositionSpace(points, checkers)
    points, checkers = space.points, space.checkers
    if met is not None and match is None:
        raise ArgumentError(f"met={met!r} is the equity table of a match: give match=, the score, too")
    two_sided = _checked_two_sided(space, two_sided, at_score=match is not None)
    n_threads, limit = how_many(threads), memory_limit(memory_bytes)
    pair_space = PositionSpace(points, two_sided) if two_sided else None
    n = len(pair_space) if pair_space else 0
    table, planes, values, value_bytes = None, 0, len(Plane), 2
    if match is not None:
        table, value_bytes = checked_table(met), 8
        planes, values = _count_values(table, check_score(match), two_sided)
    pairs_bytes = value_bytes * values * n * n
    rows_bytes, one_sided = _one_sided_bytes(space)
    if pair_space is None or n > _MAX_ROWS:
        least = most = 0
    elif match is None:
        least, most = working_set_bytes(pair_space, n_threads, in_file=True)
    else:
        least = most = 8 * n * padded_columns(pair_space, np.arange(n)) * values + _GRAPH_BYTES * n
    if n > _MAX_ROWS or max(one_sided, _PROGRAM_BYTES + least) > limit:
        needed = max(one_sided, _PROGRAM_BYTES + (pairs_bytes if n > _MAX_ROWS else least))
        states = "" if match is None else f" at {match}, {values} values a pair,"
        raise MemoryLimitError(
            f"{points} points, {checkers} checkers and {two_sided} checkers two-sided{states} need "
            f"{memory_text(needed)} of memory, {allowed_text(limit)}: ask for fewer points or fewer "
            "two-sided checkers (--two-sided), or allow more"
        )
    working_set = min(most, limit - _PROGRAM_BYTES)
    seconds = (max(len(space), layers_work(points, checkers) / PAIRS_A_POSITION) / _POSITIONS_A_SECOND) / n_threads
    if match is None:
        seconds += n * n / _PAIRS_A_SECOND / n_threads
        pairs_bytes += round(4 * n * n * _LISTED_SHARE) * (two_sided == GAMMON_CHECKERS)
    else:
        results = 7 + 11.4 * two_sided  # of a position, on average
        seconds += n * n * values * results / (_LOADS_A_SECOND * n_threads) + 2 * pairs_bytes / _DISK
    n_tables = _n_tables(space, two_sided, at_score=match is not None)
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
        values=values,
        match=match,
        met=table,
        planes=planes,
    )


def packed_bytes(rest: int, pairs: int) -> int:
    """About how large a packed file is, rather too large, from the bytes beside its pairs and the number of pairs."""
    codes = round(_CODES_SHARE * 2 * len(Plane) * pairs)
    return rest + codes + _FACTORS_BYTES * isqrt(pairs) + _SMALL_PACKED_BYTES


def _checked_two_sided(space: PositionSpace, two_sided: int | None, *, at_score: bool) -> int:
    if two_sided is None:
        if at_score:
            return min(DEFAULT_MATCH_TWO_SIDED, space.checkers)
        return min(DEFAULT_TWO_SIDED, space.checkers) if space.points == 6 else 0
    two_sided = _integer("two_sided", two_sided)
    if not at_score and not 0 <= two_sided <= space.checkers:
        raise ArgumentError(
            f"{two_sided} checkers two-sided: give 0, for no such table, to {space.checkers}, as many as the file is "
            "for"
        )
    if at_score and not 1 <= two_sided <= space.checkers:
        raise ArgumentError(
            f"{two_sided} checkers two-sided: only pairs have a match score, so give 1 to {space.checkers}, as many as "
            "the file is for"
        )
    return two_sided


def _count_values(met: MatchEquityTable, score: Score, two_sided: int) -> tuple[int, int]:
    """How many planes a score has, and how many values a pair."""
    states = ScoreStates.of(Stakes.at(score, met), two_sided == GAMMON_CHECKERS)
    values = len(states.views()[0])
    if values > MAX_STATES:
        raise ArgumentError(f"{score} has {values} cube states, the solver takes {MAX_STATES}: ask for fewer points")
    return len(states.planes), values


def _integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name}={value!r} is not a whole number: give one, such as 8") from None


def _n_tables(space: PositionSpace, two_sided: int, *, at_score: bool) -> int:
    """How many tables the file has: of one side, of the first checker off, of pairs, and of gammons."""
    n_tables = 4 + (not is_packed(space.points))
    if space.checkers == GAMMON_CHECKERS:
        n_tables += 2 if is_packed(space.points) else 1
    if two_sided:
        n_tables += 6 if at_score else 3
        n_tables += 5 * (two_sided == GAMMON_CHECKERS and not at_score)
    return n_tables


def _one_sided_bytes(space: PositionSpace) -> tuple[int, int]:
    """About how large the one-sided tables are in a file, and how much memory making them takes."""
    if is_packed(space.points):
        # The spread of a sum of rolls grows with the root of their number, and so do the columns.
        row = row_bytes(ceil(1.5 * sqrt(space.points * space.checkers)))
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
    """How long that takes, in units of a pair of positions."""
    return PAIRS_A_POSITION * sum(layer_size(points, k) for k, _ in layers(points, checkers))
