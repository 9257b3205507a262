"""Solving a pair at many match scores at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

import bgrace._kernels.answer as kernel
from bgrace._base.memory import DEFAULT_MEMORY, allowed_text, checked_memory, memory_text
from bgrace._base.threads import how_many
from bgrace.board import MAX_POINTS, Position
from bgrace.board.position import check_race
from bgrace.board.spaces import space_of
from bgrace.cube.action import Cube, CubeAction
from bgrace.errors import MemoryLimitError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

_MAX_INDEX: Final = 1 << 28  # as in csrc/answer/sides.c


def too_large(
    sides: tuple[Position, Position],
    needs: kernel.MemoryNeededError,
    memory_bytes: int,
    kind: str = "",
    remedy: str = "allow more, or ask for smaller positions",
) -> MemoryLimitError:
    """The error for pairs that do not fit; `kind` names the values to solve."""
    n, m, n_bytes, int16_bytes, n_planes = needs.args
    if not n:
        index, side = max((space_of(side.points, side.checkers).index(side), side) for side in sides)
        return MemoryLimitError(
            f"{side} is position {index:,} of its board, and {_MAX_INDEX:,} are allowed: pairs of fewer checkers, "
            "or nearer home, can be solved; bgrace solve --one-sided and bgrace rollout estimate the chance of any race"
        )
    text = memory_text(int(int16_bytes if kind == "in int16" else n_bytes))
    named = f"{text} {kind}" if kind else f"with {n_planes} cube states {text}"
    return MemoryLimitError(
        f"these positions lead to {n * m:,} pairs for either side on roll, {named}; {allowed_text(memory_bytes)}: "
        f"{remedy}"
    )


def solve_scores(
    on_roll: Position,
    opponent: Position,
    cases: Sequence[tuple[Score, int, Cube]],
    *,
    met: MatchEquityTable | None = None,
    gammons: bool = True,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> list[CubeAction]:
    """The cube action of one pair at many scores, sharing whatever cube states they share.

    Parameters
    ----------
    on_roll, opponent : Position
    cases : sequence of (Score, int, str)
        Score, cube value, and where the cube is.
    met, gammons, memory_bytes, threads
        As for `bgrace.solve`.

    Returns
    -------
    list of CubeAction
        One for each case.

    Raises
    ------
    ArgumentError, MemoryLimitError, PositionError
        As for `bgrace.solve`.
    """
    memory_bytes, n_threads = checked_memory(memory_bytes), how_many(threads)
    check_race(on_roll, opponent)
    stakes = [Stakes.at(score, met, cube_value, gammons=gammons) for score, cube_value, _ in cases]
    places = [kernel.CUBES.index(each.check_cube(case[2])) for each, case in zip(stakes, cases, strict=True)]
    try:
        found = kernel.ask_map(
            np.array(on_roll.resized(MAX_POINTS), dtype=np.int8),
            np.array(opponent.resized(MAX_POINTS), dtype=np.int8),
            [each.kernel for each in stakes],
            np.array(places, dtype=np.intc),
            memory_bytes,
            n_threads,
        )
    except kernel.MemoryNeededError as needs:
        raise too_large((on_roll, opponent), needs, memory_bytes) from None
    return [each.cube_action(case[2], values) for each, case, values in zip(stakes, cases, found, strict=True)]
