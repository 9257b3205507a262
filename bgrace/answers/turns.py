"""Any race at any stakes, on the spot: both sides carried forward turn by turn.

Where every play can be compared within the budget the values are exact.  Else the plays of a roll are that can gain
something in the time that the opponent leaves, and the answer's error says what that costs.  csrc/turns/pairs.c and
csrc/turns/candidates.c explain the method.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bgrace._base.limits import checked_seconds, how_many
from bgrace._kernels import answer as kernel
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers.question import MIN_MEMORY, Boundary
from bgrace.answers.solver import counts_of, solver
from bgrace.board import Position
from bgrace.board.position import check_race
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError
from bgrace.match.stakes import Stakes

Games = kernel.Games
"""Games of a race that has been solved: see `bgrace.rollout.cubeful`."""


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
    """Solve any race.

    Parameters
    ----------
    on_roll, opponent : Position
    stakes : Stakes, optional
        Money with gammons, unless given.
    budget : Budget, optional
    rolls : bool
        Whether to compare every play of every first roll, so that `Answer.after` has whatever is asked for.
    roll : tuple of two int, optional
        A roll of which every play is compared, if not those of all.
    boundary : Boundary, optional
        A file to look pairs up in where it reaches, for money: both sides at home with at most 14 checkers.
    threads : int, optional
        As many as there are processors, unless given.  The answer does not depend on it.

    Returns
    -------
    Answer

    Raises
    ------
    ArgumentError
        If the score, the cube or the table is impossible.
    CoverageError
        If the boundary has no pairs for money on six points.
    PositionError
        If a side has no checker left, or the sides still have contact.

    Examples
    --------
    >>> answer = solve_turns(Position((0, 0, 0, 0, 2)), Position((0, 0, 0, 2)))
    >>> answer.info().exact, round(answer.chances().win, 6)
    (True, 0.690355)
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


def solve_for_games(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes,
    budget: Budget,
    cube: Cube,
    *,
    threads: int,
    with_chance: bool = False,
) -> tuple[kernel.Answer, Games | None]:
    """Solve a race with the cube in a place, and keep what games are played by; None if the answer is exact.

    with_chance: keep what `Games.bound` needs.

    Raises
    ------
    ArgumentError, PositionError
        As for `solve_turns`, or if a cube of this value cannot be there.
    """
    check_race(on_roll, opponent)
    games = Games(
        _prepare(stakes, budget),
        counts_of(on_roll),
        counts_of(opponent),
        stakes.kernel,
        CUBE_ORDER.index(stakes.check_cube(cube)),
        budget.seconds,
        budget.memory_bytes,
        _exactness(budget),
        threads,
        budget.least_gain or 0.0,
        with_chance,
    )
    return games.answer, None if games.answer.info().exact else games


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
