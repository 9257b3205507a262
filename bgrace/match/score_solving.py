"""Solving a pair at many match scores at once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from bgrace._base.memory import DEFAULT_MEMORY, allowed_text, checked_memory, memory_text
from bgrace._base.threads import how_many
from bgrace.board import Position
from bgrace.cube.action import Cube, CubeAction
from bgrace.errors import MemoryLimitError
from bgrace.match.cube_states import CubeState, CubeStates
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes
from bgrace.tables.exact import Plan, PositionPair

__all__ = ["check_solver_memory", "solve_scores"]

_MAX_PLANES: Final = 16  # either side sees its own; what many planes work in fits no cache


def check_solver_memory(pair: PositionPair, plan: Plan, n_planes: int, memory_bytes: int) -> None:
    """Raise MemoryLimitError if a solution in double precision does not fit."""
    needed = plan.n_bytes + pair.graph_bytes
    if needed > memory_bytes:
        raise MemoryLimitError(
            f"these positions lead to {pair.pairs:,} pairs for either side on roll, with {n_planes} cube states "
            f"{memory_text(needed)}; {allowed_text(memory_bytes)}: allow more, or ask for smaller "
            "positions"
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
    memory_bytes = checked_memory(memory_bytes)
    pair, n_threads = PositionPair(on_roll, opponent), how_many(threads)
    planes = CubeStates(gammons and pair.has_gammons)
    states, stakes = [], []
    for score, cube_value, cube in cases:
        stakes.append(Stakes.at(score, met, cube_value, gammons=gammons))
        stakes[-1].check_cube(cube)
        states.append(planes.state(stakes[-1].match_payoff, cube_value, cube))
    batches = _batches(pair, planes, cases, states)
    largest = max(batches, key=lambda batch: batch.plan.n_bytes, default=None)
    if largest is None:
        return []
    workers = min(n_threads, len(batches))
    while workers > 1 and largest.plan.n_bytes * workers + pair.graph_bytes > memory_bytes:
        workers -= 1
    check_solver_memory(pair, largest.plan, len(largest.order), memory_bytes)
    for batch in batches:
        pair.graphs(batch.plan.together, n_threads)

    def solve_batch(batch: _Batch) -> list[tuple[int, CubeAction]]:
        row = np.full(len(planes.planes), np.nan)
        row[batch.order] = pair.solve(batch.plan, max(1, n_threads // workers)).now()
        return [(k, stakes[k].cube_action(cases[k][2], states[k], row)) for k in batch.members]

    # One thread a batch: threads that share the small work of one batch would mostly wait for each other.
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (takes a while)

    with ThreadPoolExecutor(workers) as pool:
        answers = dict(itertools.chain.from_iterable(pool.map(solve_batch, batches)))
    return [answers[k] for k in range(len(cases))]


class _Batch:
    """Cases that are solved together, and the planes that they need."""

    def __init__(self, pair: PositionPair, states: CubeStates, members: list[int], needed: set[int]) -> None:
        self.members, self.order = members, sorted(needed)
        place = {plane: k for k, plane in enumerate(self.order)}
        chosen = [states.planes[k] for k in self.order]
        self.plan = pair.plan(
            [each._replace(turned=(place.get(each.turned[0], -1), place.get(each.turned[1], -1))) for each in chosen]
        )


def _batches(
    pair: PositionPair, states: CubeStates, cases: Sequence[tuple[Score, int, Cube]], wanted: Sequence[CubeState]
) -> list[_Batch]:
    """Batches of as many planes as the solver takes, a score beside the one with the sides exchanged."""

    def kind(k: int) -> tuple[int, int, bool]:
        a, b = cases[k][0].on_roll_needs, cases[k][0].opponent_needs
        return min(a, b), max(a, b), cases[k][0].crawford

    groups: list[tuple[list[int], set[int]]] = []
    for _, same in itertools.groupby(sorted(range(len(cases)), key=kind), key=kind):
        members = list(same)
        needed = set().union(*(states.needed(wanted[k].now.plane) for k in members))
        if groups and len(groups[-1][1] | needed) <= _MAX_PLANES:
            groups[-1][0].extend(members)
            groups[-1][1].update(needed)
        else:
            groups.append((members, needed))
    return [_Batch(pair, states, *group) for group in groups]
