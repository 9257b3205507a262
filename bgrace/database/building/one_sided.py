"""The tables of one player alone, in a file."""

from __future__ import annotations

from typing import Final

from bgrace._base.progress import Progress
from bgrace.board.spaces import PositionSpace
from bgrace.database.building.plan import PAIRS_A_POSITION, BuildPlan, layers, layers_work
from bgrace.database.store.schema import one_sided_tables
from bgrace.database.store.writer import Writer
from bgrace.tables.layers import LayerSolver, layer_size
from bgrace.tables.one_sided import OneSidedTable, n_fewer_checkers, solve_one_sided
from bgrace.tables.packed_rows import CHANCE_SCALE, is_packed

_ROLL_ROWS: Final = ("one_sided/first_roll", "one_sided/roll_chances")
_MOMENTS: Final = ("one_sided/mean_rolls", "one_sided/variance_rolls")
_FIRST_CHECKER_ROWS: Final = ("one_sided/first_checker_first_roll", "one_sided/first_checker_chances")

_ROWS: Final = 1 << 22
"""That are written at a time: what is in the file need not be in memory."""


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
