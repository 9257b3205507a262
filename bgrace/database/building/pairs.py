"""The tables of pairs in a file, for money or for a match score.

Both are solved level by level, a level being all positions of as many pips, and what is solved is finished: pairs in
which a side is up to a level will not change any more.  So a stage is a level, and a build that was stopped goes on
with the level after the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._base.files import CAN_CLAIM
from bgrace._base.progress import Progress
from bgrace._kernels.exact import Exact
from bgrace._kernels.two_sided import Graph
from bgrace.board.spaces import PositionSpace
from bgrace.database.building.plan import BuildPlan, layers, layers_work
from bgrace.database.store.writer import Writer
from bgrace.match.cube_states import ScoreStates
from bgrace.match.met import checked_table
from bgrace.match.stakes import Stakes
from bgrace.tables.gammons import SINGLE_PLANES, GammonPairs, find_gammon_pairs
from bgrace.tables.one_sided import OneSidedTable, solve_one_sided
from bgrace.tables.two_sided import (
    GAMMON_CHECKERS,
    LARGE_TABLE,
    PLANES,
    SMALL_TABLE,
    GammonValues,
    PairFile,
    pairs_to_write,
    scale_for,
    solve_two_sided,
    two_sided_order,
    working_set_bytes,
)

__all__ = ["write_match_pairs", "write_money_pairs"]


class _Levels:
    """Stages of a file in which levels come after the layers of its one-sided tables."""

    def __init__(self, writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
        pips = space.position(np.arange(len(space))).astype(np.int64) @ np.arange(1, space.points + 1)
        self._ends = np.cumsum(np.bincount(pips)).tolist()  # ranks up to a level
        self._writer = writer
        self._before = len(layers(plan.points, plan.checkers))
        self._work = layers_work(plan.points, plan.checkers)
        self._progress = progress

    def ranks(self, level: int) -> tuple[int, int]:
        """Ranks up to the level below, and up to the level; the lowest level has the empty board with it."""
        return self._ends[level - 1] if level > 1 else 0, self._ends[level]

    @property
    def first(self) -> int:
        """The level to begin with."""
        return max(1, self._writer.stage - self._before + 1)

    def checkpoint(self, level: int, finished: Iterator[npt.NDArray[Any]]) -> None:
        """Note that a level is solved, or see that what an earlier build left of it holds."""
        self._writer.checkpoint(self._before + level, finished)

    def report(self, done: int, total: int) -> None:
        """Report how many pairs are solved."""
        if self._progress is not None:
            self._progress(self._work + done, self._work + total)


def _solved_with(table: npt.NDArray[Any], old: int, new: int) -> Iterator[npt.NDArray[Any]]:
    """Pairs in which a side has one of the ranks old .. new - 1, and neither a lower one."""
    yield table[old:new, old:]
    yield table[new:, old:new]


def write_money_pairs(
    writer: Writer, space: PositionSpace, plan: BuildPlan, one_sided: OneSidedTable | None, progress: Progress | None
) -> None:
    """Solve every pair for money, and write the tables.

    Parameters
    ----------
    writer : Writer
    space : PositionSpace
        Of either side.
    plan : BuildPlan
    one_sided : OneSidedTable, optional
        Of a space with all 15 checkers, if it is there.
    progress : callable, optional
    """
    n, scale = len(space), scale_for(space)
    row_crc32 = np.zeros(n, np.uint32)
    levels = _Levels(writer, space, plan, progress)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    order[...] = two_sided_order(space)
    gammons = None
    if plan.gammons:
        pairs = find_gammon_pairs(one_sided or solve_one_sided(space, plan.threads), two_sided_order(space))
        gammons = _add_gammons(writer, pairs, order, scale)

    def finished(level: int) -> Iterator[npt.NDArray[Any]]:
        old, new = levels.ranks(level)
        yield row_crc32
        if gammons is not None:
            yield gammons.winning[_listed(gammons.pairs, gammons.pairs.winning_starts, old, new)]
            yield gammons.losing[_listed(gammons.pairs, gammons.pairs.losing_starts, old, new)]

    def report(level: int, done: int, total: int) -> None:
        levels.checkpoint(level, finished(level))
        levels.report(done, total)

    first = levels.first
    # What memory has no room for is read again and again, and had better stay in the system's cache.
    roomy = plan.working_set_bytes >= working_set_bytes(space, plan.threads, in_file=True)[1]
    with writer.writing("two_sided/equities", past_cache=roomy and equities.nbytes >= LARGE_TABLE) as place:
        ends = np.array([levels.ranks(level)[1] for level in range(1, first)], np.int64)
        for level, found in enumerate(kernel.check_rows(place.descriptor, place.offset, n, ends), 1):
            row_crc32[:] = found
            levels.checkpoint(level, finished(level))
        solve_two_sided(
            space,
            plan.threads,
            report,
            equities,
            gammons=gammons,
            file=PairFile(
                place.descriptor,
                place.direct,
                place.offset,
                row_crc32,
                pairs_to_write(space),
                mapped=equities.nbytes <= SMALL_TABLE and CAN_CLAIM,
            ),
            first_level=first if first > 1 else 0,
            memory_bytes=plan.working_set_bytes,
        )
    writer.set_crc32("two_sided/equities", kernel.table_crc32(row_crc32))


def _listed(pairs: GammonPairs, starts: npt.NDArray[np.int64], old: int, new: int) -> npt.NDArray[np.int64]:
    """Rows of a table of listed pairs in which a side has one of the ranks old .. new - 1, and neither a lower one."""
    full = np.flatnonzero(pairs.column >= 0)
    rank_of_column = np.empty(len(full), np.int64)
    rank_of_column[pairs.column[full]] = full
    lengths = np.diff(starts)
    rows = [
        starts[rank] + np.flatnonzero(rank_of_column[: lengths[rank]] >= old)
        for rank in range(old, new)
        if lengths[rank]
    ]
    rows += [
        starts[new:-1][lengths[new:] > column] + column
        for column in np.flatnonzero((rank_of_column >= old) & (rank_of_column < new))
    ]
    return np.concatenate(rows) if rows else np.empty(0, np.int64)


def _add_gammons(writer: Writer, pairs: GammonPairs, order: npt.NDArray[np.int32], scale: int) -> GammonValues:
    """Write which pairs these are, and make room for their values."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "gammon/columns": pairs.columns(order),
        "gammon/winning_starts": pairs.winning_starts,
        "gammon/losing_starts": pairs.losing_starts,
    }
    for name, array in arrays.items():
        writer.add(name, array.shape)[...] = array
    winning, losing = (
        writer.add(name, (n, len(SINGLE_PLANES)), scale=scale, planes=list(SINGLE_PLANES))
        for name, n in (("gammon/winning", pairs.n_winning), ("gammon/losing", pairs.n_losing))
    )
    return GammonValues(pairs, winning, losing)


def write_match_pairs(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    """Solve every pair for a match score, every cube state in float64, and write the tables.

    Parameters
    ----------
    writer : Writer
    space : PositionSpace
        Of either side.
    plan : BuildPlan
    progress : callable, optional
    """
    assert plan.match is not None, "a plan for money has pairs of its own"
    n, table = len(space), checked_table(plan.met)
    levels = _Levels(writer, space, plan, progress)
    cube_states = ScoreStates.of(Stakes.at(plan.match, table), plan.gammons)
    states, columns = cube_states.views()
    arrays: dict[str, npt.NDArray[Any]] = {
        "two_sided/order": two_sided_order(space),
        "match/columns": np.array(columns, np.int32),
        "match/planes": cube_states.to_array(),
        "match/pre_crawford": table.pre_crawford,
        "match/post_crawford": table.post_crawford,
    }
    for name, array in arrays.items():
        writer.add(name, array.shape)[...] = array
    values = writer.add("match/values", (n, n, len(states)))

    def report(level: int, done: int, total: int) -> None:
        levels.checkpoint(level, _solved_with(values, *levels.ranks(level)))
        levels.report(done, total)

    first = levels.first
    for level in range(1, first):
        levels.checkpoint(level, _solved_with(values, *levels.ranks(level)))
    graph = Graph(space.kernel, np.arange(n), plan.threads)
    graph.compare(GAMMON_CHECKERS, plan.threads)
    Exact(
        graph,
        None,
        states,
        None,
        values,
        gammon_checkers=GAMMON_CHECKERS,
        first_level=first,
        n_threads=plan.threads,
        progress=report,
    )
