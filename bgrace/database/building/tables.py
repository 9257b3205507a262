"""The tables of one player alone, in a file."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.files import CAN_CLAIM
from bgrace._base.limits import Progress
from bgrace.board.spaces import PositionSpace
from bgrace.database.building.plan import PAIRS_A_POSITION, BuildPlan, layers, layers_work
from bgrace.database.store.schema import one_sided_tables
from bgrace.database.store.writer import Writer
from bgrace.tables.layers import CHANCE_SCALE, LayerSolver, is_packed, layer_size
from bgrace.tables.one_sided import (
    SINGLE_PLANES,
    GammonPairs,
    OneSidedTable,
    find_gammon_pairs,
    n_fewer_checkers,
    solve_one_sided,
)
from bgrace.tables.two_sided import (
    PLANES,
    SMALL_TABLE,
    GammonValues,
    LevelProgress,
    PairFile,
    pairs_to_write,
    scale_for,
    solve_two_sided,
    two_sided_order,
)

_ROLL_ROWS: Final = ("one_sided/first_roll", "one_sided/roll_chances")
_MOMENTS: Final = ("one_sided/mean_rolls", "one_sided/variance_rolls")
_FIRST_CHECKER_ROWS: Final = ("one_sided/first_checker_first_roll", "one_sided/first_checker_chances")

_ROWS: Final = 1 << 22
"""Bytes written per step, which bounds memory."""


def write_one_sided(
    writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None = None
) -> OneSidedTable | None:
    """Solve a space for one player alone, and write the tables; None if it was solved layer by layer."""
    if is_packed(space.points):
        _write_layers(writer, space, plan, progress)
        return None
    return _write_dense(writer, space, plan.threads)


def _write_dense(writer: Writer, space: PositionSpace, threads: int) -> OneSidedTable:
    table = solve_one_sided(space, threads)
    for name, array in one_sided_tables(table).items():
        writer.add(name, array.shape)[...] = array
    return table


def _write_layers(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    """One-sided tables on more than six points, layer by layer."""
    total = layers_work(space.points, space.checkers) + plan.pairs
    done = 0
    for checkers, first_checker in layers(space.points, space.checkers):
        size = layer_size(space.points, checkers)

        def report(part: int, parts: int, done: int = done, size: int = size) -> None:
            if progress is not None:
                progress((done + size * part // parts) * PAIRS_A_POSITION, total)

        if checkers == space.checkers:
            solver = LayerSolver(space.points, space.checkers, first_checker=first_checker, threads=plan.threads)
        layer = solver.solve(checkers, report)
        if checkers == space.checkers:  # the largest comes first, and is the widest
            n = layer.size if first_checker else len(space)
            names = _FIRST_CHECKER_ROWS if first_checker else _ROLL_ROWS
            first_roll = writer.add(names[0], (n,))
            chances = writer.add(names[1], (n, layer.width), scale=CHANCE_SCALE)
            moments = [] if first_checker else [writer.add(name, (n,)) for name in _MOMENTS]
        start = 0 if first_checker else n_fewer_checkers(space, checkers)
        for first in range(0, layer.size, _ROWS):
            rows = slice(start + first, start + min(first + _ROWS, layer.size))
            mean_rolls, variance_rolls = (table[rows] for table in moments) if moments else (None, None)
            layer.write(mean_rolls, variance_rolls, first_roll[rows], chances[rows], first)
            writer.let_go()
        done += size
        if checkers == 1 and moments:  # and before it comes the empty board
            for table in (*moments, first_roll):
                table[0] = 0
            chances[0] = 0
            chances[0, 0] = CHANCE_SCALE


def _reporter(writer: Writer, plan: BuildPlan, progress: Progress | None) -> LevelProgress:
    """Progress of the pairs, after the layers of the one-sided tables."""
    work = layers_work(plan.points, plan.checkers)

    def report(level: int, done: int, total: int) -> None:
        writer.let_go()
        if progress is not None:
            progress(work + done, work + total)

    return report


def write_pairs(
    writer: Writer, space: PositionSpace, plan: BuildPlan, one_sided: OneSidedTable | None, progress: Progress | None
) -> None:
    """Solve every pair, and write the tables."""
    n, scale, report = len(space), scale_for(space), _reporter(writer, plan, progress)
    row_crc32 = np.zeros(n, np.uint32)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    order[...] = two_sided_order(space)
    gammons = None
    if plan.gammons:
        pairs = find_gammon_pairs(one_sided or solve_one_sided(space, plan.threads), two_sided_order(space))
        gammons = _add_gammons(writer, pairs, order, scale)
    with writer.writing("two_sided/equities") as place:
        solve_two_sided(
            space,
            plan.threads,
            report,
            equities,
            gammons=gammons,
            file=PairFile(
                place.descriptor,
                place.offset,
                row_crc32,
                pairs_to_write(space),
                mapped=equities.nbytes <= SMALL_TABLE and CAN_CLAIM,
            ),
            memory_bytes=plan.working_set_bytes,
        )
    writer.set_row_sums(row_crc32)


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
