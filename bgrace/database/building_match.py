"""Making a database for one score of a match."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.memory import memory_limit, memory_text
from bgrace._base.progress import Progress
from bgrace._kernels.exact import Exact
from bgrace._kernels.threads import how_many
from bgrace._kernels.two_sided import Graph
from bgrace.board.spaces import PositionSpace
from bgrace.database.building import generator_name
from bgrace.database.store import creation_time, write_match_file
from bgrace.database.store.files import check_target
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.match.cube_states import CubeStates, Payoff
from bgrace.match.met import MatchEquityTable, checked_table
from bgrace.match.score import Score, check_score
from bgrace.tables.exact import MOST_STATES, State, padded_columns, see_together
from bgrace.tables.two_sided import GAMMON_CHECKERS, two_sided_order

__all__ = ["DEFAULT_CHECKERS", "MatchBuildPlan", "build_match", "plan_match_build"]

DEFAULT_CHECKERS: Final = 6
"""Checkers a side unless something else is asked for."""

_LARGEST_SPACE: Final = 60_000
_GRAPH_BYTES: Final = 2500  # a position: about 170 results, and what finds them
_PROGRAM_BYTES: Final = 100 << 20
_LOADS_A_SECOND: Final = 4e9  # values out of the caches, a thread
_DISK: Final = 3e8  # bytes a second


@dataclass(frozen=True, slots=True)
class MatchBuildPlan:
    """What a build will make, and what it takes.

    Attributes
    ----------
    score : Score
    table : MatchEquityTable
    space : PositionSpace
    gammons : bool
        Whether a loser with all 15 checkers loses double.
    planes : int
        Different cube states of the score.
    columns : int
        Values of a pair: the planes as either player sees them, each once.
    pairs : int
    threads : int
    file_bytes, memory_bytes : int
        About how large the file will be, and how much memory the build will use, file cache aside.
    seconds : float
        Roughly how long it will take.
    """

    score: Score
    table: MatchEquityTable
    space: PositionSpace
    gammons: bool
    planes: int
    columns: int
    pairs: int
    threads: int
    file_bytes: int
    memory_bytes: int
    seconds: float
    _states: CubeStates
    _columns: tuple[list[State], tuple[list[int], list[int]]]


def plan_match_build(
    score: Score,
    checkers: int = DEFAULT_CHECKERS,
    points: int = 6,
    *,
    met: MatchEquityTable | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
) -> MatchBuildPlan:
    """Say what `build_match` will make, and what it takes.

    Parameters
    ----------
    score : Score
        What the first player and the second still need.
    checkers, points : int
        Every pair of positions of at most so many checkers a side is in the file.  With 15 checkers gammons count.
    met : MatchEquityTable, optional
        The one that comes with bgrace, unless given.
    threads : int, optional
        As many as there are processors, unless given.
    memory_bytes : int, optional
        The most memory to use, file cache aside; three quarters of the machine's, unless given.

    Returns
    -------
    MatchBuildPlan

    Raises
    ------
    ArgumentError
        If a number is out of range, or the table does not go as far as the score.
    MemoryLimitError
        If the build can't be done in that much memory.
    """
    table = checked_table(met)
    space = PositionSpace(points, checkers)
    n, n_threads = len(space), how_many(threads)
    gammons = checkers == GAMMON_CHECKERS
    states = CubeStates.of_score(Payoff(table, check_score(score)), gammons)
    seen = see_together(states.planes)
    n_columns = len(seen[0])
    if n_columns > MOST_STATES:
        raise ArgumentError(
            f"{score} has {n_columns} cube states, the solver takes {MOST_STATES}: ask for fewer points"
        )
    limit = memory_limit(memory_bytes)
    # Counting what equal pips are rounded up to takes all positions at once; beyond this the table is too large anyway.
    padded = padded_columns(space, np.arange(n)) if n <= _LARGEST_SPACE else n
    needed = _PROGRAM_BYTES + 8 * n * padded * n_columns + _GRAPH_BYTES * n
    if needed > limit or n > _LARGEST_SPACE:
        raise MemoryLimitError(
            f"{n:,} positions a side and {n_columns} cube states need {memory_text(needed)} of memory, "
            f"{memory_text(limit)} are allowed: ask for fewer checkers (--two-sided), or allow more"
        )
    file_bytes = 8 * n * n * n_columns + (64 << 10)
    results = 7 + 11.4 * checkers
    return MatchBuildPlan(
        score,
        table,
        space,
        gammons,
        len(states.planes),
        n_columns,
        n * n,
        n_threads,
        file_bytes,
        needed,
        n * n * n_columns * results / (_LOADS_A_SECOND * n_threads) + 2 * file_bytes / _DISK,
        states,
        seen,
    )


def build_match(
    path: str | os.PathLike[str],
    plan: MatchBuildPlan,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> None:
    """Make a database for one score of a match: every pair of positions, every cube state, in float64.

    Parameters
    ----------
    path : path-like
        The file to make: complete, or what was there before.
    plan : MatchBuildPlan
        From `plan_match_build`.
    force : bool
        Whether to replace a file that is there.
    progress : callable, optional
        Called with the pairs that are done, and how many there are.

    Raises
    ------
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    MemoryLimitError
        If there is not enough memory.
    """
    target = Path(path)
    check_target(target, plan.file_bytes, force=force, smaller="fewer checkers (--two-sided)")
    states, columns = plan._columns
    table = plan.table

    def solve(values: npt.NDArray[np.float64]) -> None:
        graph = Graph(plan.space.kernel, np.arange(len(plan.space)), plan.threads)
        Exact(
            graph,
            None,
            states,
            None,
            values,
            gammon_checkers=GAMMON_CHECKERS,
            n_threads=plan.threads,
            progress=None if progress is None else lambda _, done, total: progress(done, total),
        )

    write_match_file(
        target,
        {
            "points": plan.space.points,
            "checkers": plan.space.checkers,
            "first_needs": plan.score.on_roll_needs,
            "second_needs": plan.score.opponent_needs,
            "crawford": plan.score.kind == "Crawford",
            "gammons": plan.gammons,
            "met_name": table.name[:200],
            "met_sha256": table.sha256,
            "generator": generator_name(),
            "created": creation_time(),
        },
        {
            "order": two_sided_order(plan.space),
            "columns": np.array(columns, np.int32),
            "planes": plan._states.to_array(),
            "pre_crawford": table.pre_crawford,
            "post_crawford": table.post_crawford,
        },
        (len(plan.space), len(plan.space), plan.columns),
        solve,
        met_description=table.description,
    )
