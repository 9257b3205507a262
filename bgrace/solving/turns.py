"""Any race at any stakes, on the spot: both sides carried forward turn by turn.

Where every play can be compared within the budget the values are exact.  Else the plays of a roll are that can gain
something in the time that the opponent leaves; `TurnsAnswer.error` says what that costs.  csrc/turns/pairs.c and
csrc/turns/candidates.c explain the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from bgrace._base.arrays import Floats
from bgrace._base.limits import checked_seconds, how_many
from bgrace._kernels import answer as kernel
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers.solver import counts_of, solver
from bgrace.board import Position
from bgrace.board.position import check_race
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError
from bgrace.match.stakes import Stakes
from bgrace.solving.question import MIN_MEMORY, Boundary

Method: TypeAlias = Literal["exact", "turns"]

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


class TurnsChances(NamedTuple):
    """Chances of the player on roll.

    To win, both sides playing to win; to win or to lose at least so much, both sides playing for the most points
    without a cube, and to win if they do.
    """

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float
    cubeless_win: float


class TurnsCube(NamedTuple):
    """The values of the cube in a place, for the player on roll, in points or as a chance to win the match.

    `value` is that of the better of rolling and doubling; `double_take` has a beaver in it where that is right, and is
    not a number, as `double_pass`, where the player may not double.
    """

    no_double: float
    double_take: float
    double_pass: float
    value: float
    doubles: bool
    takes: bool
    beavers: bool

    @property
    def may_double(self) -> bool:
        """Whether the player on roll has the right to double."""
        return not isnan(self.double_take)


class TurnsAnswer:
    """A race solved turn by turn; made by `solve_turns`.

    Attributes
    ----------
    on_roll, opponent : Position
    method : str
        ``"exact"`` if every play was compared, else ``"turns"``.
    delta : float
        Plays were looked at whose mean number of rolls is within this of the least; infinity if exact.
    least_gain : float
        Of these, those that can gain more than this were compared, in chance to win now; infinity: one play of each
        roll, 0: all.
    error : float
        The error that 99 of 100 answers stay within, in any place of the cube and after a double that is taken: in
        points per unit of the cube, at a score in normalised points.  From what is left out, and what merging adds; no
        bound.
    boundary_checkers : int
        Checkers a side of the pairs that were looked up; 0: none were.
    from_file : bool
        Whether they were looked up in the file of a `Boundary`, whose values are rounded.
    positions : tuple of two int
        That the sides come to.
    pairs : int
        Pairs of equal turns that were solved.
    merged : int
        Positions that shared the place of another, because there were too many; 0: none.
    chances : TurnsChances
    """

    def __init__(
        self,
        on_roll: Position,
        opponent: Position,
        stakes: Stakes,
        answer: kernel.Answer,
    ) -> None:
        self.on_roll: Position = on_roll
        self.opponent: Position = opponent
        self._stakes, self._answer = stakes, answer
        exact, delta, error, checkers, from_file, positions, pairs, merged, least_gain = answer.info()
        self.method: Method = "exact" if exact else "turns"
        self.delta: float = delta
        self.least_gain: float = least_gain
        self.error: float = error
        self.boundary_checkers: int = checkers
        self.from_file: bool = from_file
        self.positions: tuple[int, int] = positions
        self.pairs: int = pairs
        self.merged: int = merged
        self.chances: TurnsChances = TurnsChances(*answer.chances())

    def now(self) -> Floats:
        """Values of rolling now by plane, without doubling, for the player on roll, (planes,)."""
        return self._answer.now()

    def after(self, results: Sequence[Position]) -> Floats:
        """Values by plane for the opponent, who is on roll then, after a move to each result, (results, planes).

        Parameters
        ----------
        results : sequence of Position
            Of one roll; none without checkers.

        Raises
        ------
        CoverageError
            If a result was not compared: solve with its roll, or with `rolls`.
        """
        return self._answer.after(np.array([counts_of(result) for result in results], dtype=np.int8))

    def cube(self, cube: Cube) -> TurnsCube:
        """The values of the cube in a place.

        Raises
        ------
        ArgumentError
            If a cube of this value cannot be there.
        """
        return TurnsCube(*self._answer.cube(CUBE_ORDER.index(self._stakes.check_cube(cube)))[:-1])

    def planes(self) -> Floats:
        """The planes that were solved, (planes, 2, 8).

        Win singly, with a gammon, with a backgammon, turned, factor, beaver, offset, passed, of the player on roll and
        of the opponent: see `bgrace.tables.two_sided.CubePlane`.
        """
        return self._answer.planes()

    def places(self) -> Floats:
        """Where places of the cube stand, (4, 3, 3): none, centered, mine, theirs; plane -1 where there is none.

        For each: plane, middle and scale now, after the player on roll has doubled, after the opponent has.
        """
        return self._answer.places()


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
) -> TurnsAnswer:
    """Solve any race.

    Parameters
    ----------
    on_roll, opponent : Position
    stakes : Stakes, optional
        Money with gammons, unless given.
    budget : Budget, optional
    rolls : bool
        Whether to compare every play of every first roll, so that `TurnsAnswer.after` has whatever is asked for.
    roll : tuple of two int, optional
        A roll of which every play is compared, if not those of all.
    boundary : Boundary, optional
        A file to look pairs up in where it reaches, for money: both sides at home with at most 14 checkers.
    threads : int, optional
        As many as there are processors, unless given.  The answer does not depend on it.

    Returns
    -------
    TurnsAnswer

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
    >>> answer.method, round(answer.chances.win, 6)
    ('exact', 0.690355)
    """
    chosen, spent = stakes or Stakes.money(), budget or Budget()
    _check(on_roll, opponent)
    dice = (0, 0) if roll is None else (max(roll), min(roll))
    answer = _ask(on_roll, opponent, chosen, spent, how_many(threads), dice=dice, rolls=rolls, boundary=boundary)
    return TurnsAnswer(on_roll, opponent, chosen, answer)


def solve_for_games(
    on_roll: Position, opponent: Position, stakes: Stakes, budget: Budget, cube: Cube, *, threads: int
) -> tuple[TurnsAnswer, Games | None]:
    """Solve a race with the cube in a place, and keep what games are played by; None if the answer is exact.

    Raises
    ------
    ArgumentError, PositionError
        As for `solve_turns`, or if a cube of this value cannot be there.
    """
    _check(on_roll, opponent)
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
    )
    answer = TurnsAnswer(on_roll, opponent, stakes, games.answer)
    return answer, None if answer.method == "exact" else games


def _check(on_roll: Position, opponent: Position) -> None:
    check_race(on_roll, opponent)


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


def _ask(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes,
    budget: Budget,
    threads: int,
    *,
    dice: tuple[int, int] = (0, 0),
    rolls: bool = False,
    boundary: Boundary | None = None,
) -> kernel.Answer:
    answer = _prepare(stakes, budget).ask(
        counts_of(on_roll),
        counts_of(opponent),
        stakes.kernel,
        "turns",
        budget.seconds,
        budget.memory_bytes,
        _exactness(budget),
        threads,
        dice,
        rolls,
        boundary,
        least_gain=budget.least_gain or 0.0,
    )
    assert answer is not None
    return answer
