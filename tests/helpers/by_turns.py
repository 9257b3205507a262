"""Solve races by turns, with options that decide which plays are compared."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bgrace._base.limits import checked_threads
from bgrace._kernels import answer as kernel
from bgrace._kernels.probe import Probe
from bgrace.answers.reasons import solver
from bgrace.board import Position
from bgrace.board.position import check_race, counts_of
from bgrace.match.stakes import Stakes


class Budget(NamedTuple):
    """The budget of an answer, as in `bgrace.answers.question`.

    delta: compare the plays whose mean number of rolls is within this of the least; infinity compares all.
    least_gain: compare the plays that can gain more than this, in chance to win now, whatever it takes.
    None leaves both to the budget.
    boundary_checkers: look pairs of this many checkers a side up in a table that is solved once.
    """

    seconds: float = 1.0
    memory_bytes: int = 1 << 30
    delta: float | None = None
    boundary_checkers: int = 0
    least_gain: float | None = None


def solve_turns(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes | None = None,
    budget: Budget | None = None,
    *,
    rolls: bool = False,
    roll: tuple[int, int] | None = None,
    boundary: Probe | None = None,
    threads: int | None = None,
) -> kernel.Answer:
    """Solve any race by turns, for money with gammons unless `stakes` are given.

    rolls: compare every play of every first roll, so that `Answer.after` has every result.
    roll: compare every play of this roll.
    boundary: a file to look pairs up in, for money, if both sides are at home with at most 14 checkers.
    """
    stakes, budget = stakes or Stakes.money(), budget or Budget()
    check_race(on_roll, opponent)
    answer = (_prepared(stakes, budget.boundary_checkers) if budget.boundary_checkers else solver()).ask(
        counts_of(on_roll),
        counts_of(opponent),
        stakes.kernel,
        "turns",
        budget.seconds,
        budget.memory_bytes,
        0.0 if budget.delta is None else budget.delta or -1.0,  # as in bgr_solve_options
        checked_threads(threads),
        (0, 0) if roll is None else (max(roll), min(roll)),
        rolls,
        boundary,
        least_gain=budget.least_gain or 0.0,
    )
    assert answer is not None
    return answer


def points_of(answer: kernel.Answer) -> list[float]:
    """List the value of rolling with the cube at each place, in points per unit of the cube."""
    views = [place.views()[0] for place in answer.cubes().values()]
    return [answer.now()[view[0]] for view in views if view]


@lru_cache(maxsize=8)
def _prepared(stakes: Stakes, checkers: int) -> kernel.Solver:
    """Make a solver with a table for these stakes, which a solver in use cannot be given."""
    solver = kernel.Solver()
    solver.prepare(stakes.kernel, checkers)
    return solver
