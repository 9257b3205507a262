"""Races solved by turns, with the number of plays that are compared under control: for tests and measurements.

Where every play can be compared within the budget the values are exact.  Else the plays of a roll are that can gain
something in the time that the opponent leaves, and the answer's error says what that costs.  csrc/turns/pairs.c and
csrc/turns/candidates.c explain the method.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bgrace._base.limits import checked_seconds, how_many
from bgrace._kernels import answer as kernel
from bgrace.answers.question import MIN_MEMORY, Boundary
from bgrace.answers.reasons import counts_of, solver
from bgrace.board import Position
from bgrace.board.position import check_race
from bgrace.errors import ArgumentError
from bgrace.match.stakes import Stakes


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of an answer.

    Attributes
    ----------
    seconds : float
        On a common processor: work is counted beforehand, so answers don't depend on the machine.
    memory_bytes : int
    delta : float, or None
        Rolls: compare the plays whose mean number of rolls is within this of the least; infinity compares all.  None
        leaves it to the budget.
    least_gain : float, or None
        Compare the plays that can gain more than this, in chance to win now, whatever it takes.  None leaves it to the
        budget, and so does a `delta`.
    boundary_checkers : int
        Look up pairs of this many checkers a side in a table that is solved once for each stakes; 0 leaves it to the
        race whether a table is worth its while.
    """

    seconds: float = 1.0
    memory_bytes: int = 1 << 30
    delta: float | None = None
    boundary_checkers: int = 0
    least_gain: float | None = None

    def __post_init__(self) -> None:
        """Raise ArgumentError for what is out of range."""
        checked_seconds(self.seconds)
        if self.memory_bytes < MIN_MEMORY:
            raise ArgumentError(f"memory_bytes={self.memory_bytes!r}: give {MIN_MEMORY} at least")
        if self.delta is not None and not self.delta >= 0:
            raise ArgumentError(f"delta={self.delta!r} rolls: give 0 or more, or None")
        if self.least_gain is not None and (not self.least_gain > 0 or self.delta is not None):
            raise ArgumentError(f"least_gain={self.least_gain!r}, delta={self.delta!r}: give one, more than 0")
        if not 0 <= self.boundary_checkers <= 8:
            raise ArgumentError(f"boundary_checkers={self.boundary_checkers!r}: give 0 to 8")


def solve_turns(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes | None = None,
    budget: Budget | None = None,
    *,
    rolls: bool = False,
    roll: tuple[int, int] | None = None,
    boundary: Boundary | None = None,
    threads: int | None = None,
) -> kernel.Answer:
    """Solve any race by turns, for money with gammons unless `stakes` are given.

    rolls: compare every play of every first roll, so that `Answer.after` has any result.  roll: compare every play of
    this one.  boundary: a file to look pairs up in, for money: both sides at home with at most 14 checkers.
    """
    chosen, spent = stakes or Stakes.money(), budget or Budget()
    check_race(on_roll, opponent)
    answer = _prepare(chosen, spent).ask(
        counts_of(on_roll),
        counts_of(opponent),
        chosen.kernel,
        "turns",
        spent.seconds,
        spent.memory_bytes,
        _exactness(spent),
        how_many(threads),
        (0, 0) if roll is None else (max(roll), min(roll)),
        rolls,
        boundary,
        least_gain=spent.least_gain or 0.0,
    )
    assert answer is not None
    return answer


@lru_cache(maxsize=8)
def _prepared(stakes: Stakes, checkers: int) -> kernel.Solver:
    """A solver of its own with a table for these stakes, because a solver that is in use cannot be given one."""
    solver = kernel.Solver()
    solver.prepare(stakes.kernel, checkers)
    return solver


def _prepare(stakes: Stakes, budget: Budget) -> kernel.Solver:
    return _prepared(stakes, budget.boundary_checkers) if budget.boundary_checkers else solver()


def _exactness(budget: Budget) -> float:
    """As the C library has it."""
    return 0.0 if budget.delta is None else budget.delta or -1.0
