"""Bounds of a race from random dice: the dual bound of Brown, Smith and Sun (2010).

csrc/rollout/dual.c has the mathematics.  In every game one side is shown all dice beforehand, pays for the luck in
them, and chooses the best of all legal plays and cube actions; the other side plays by the solution.  The mean over
games is at least as good for the first side as the race.  So two such means, one for each side, bound every value, but
for the luck of the dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import inf, isnan, sqrt
from typing import Final

import numpy as np

from bgrace._base.arrays import JSON, Floats, as_json
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers.turns import Budget, solve_for_games
from bgrace.board import Position, PositionLike
from bgrace.cube.action import TIE, Cube, Verdict, decide
from bgrace.match.stakes import MIN_SCALE, Stakes
from bgrace.rollout.cubeful import checked_question
from bgrace.rollout.games import checked_run

MAX_BOUND_GAMES: Final = 10_000_000

_BLOCK: Final = 16
_FEW: Final = 64
_ERRORS_OF_99: Final = 3.0  # of means that are not quite normal; for these it would be 2.58
_ROUNDING: Final = 2e-6  # the solution may be in single precision
_UNSEEN: Final = 4.6  # events expected, of which there is none once in 100 times


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """Two numbers that hold a value between them, in 99 of 100 rollouts at least.

    Attributes
    ----------
    low, high : float
        The means, less and more three standard errors, 2e-6 for rounding, and what games that happen less than 4.6
        times would change, if they are off by as much as the solution states; infinite for fewer than 64 games.
    low_mean, high_mean : float
        What games give at most and at least, in the mean.
    low_error, high_error : float
        Standard errors of these means.
    """

    low: float
    high: float
    low_mean: float
    high_mean: float
    low_error: float
    high_error: float

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for what is infinite."""
        return {
            name: value if abs(value) < inf else None
            for name, value in ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        }


@dataclass(frozen=True, slots=True)
class BoundsRollout:
    """Confidence intervals of a race, for the player on roll; made by `bounds`.

    Attributes
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    cube : str
        Where it is, as seen by the player on roll.
    seed, games : int
    win : ConfidenceInterval
        The chance to win, both sides playing to win.
    no_double, double_take : ConfidenceInterval
        As in `CubefulRollout`: for money points per unit of the cube, at a score chances to win the match.  double_take
        is None where the player cannot double.
    """

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube
    seed: int
    games: int
    win: ConfidenceInterval
    no_double: ConfidenceInterval
    double_take: ConfidenceInterval | None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, if it is the same for all values within these intervals."""
        taken = (None,) if self.double_take is None else (self.double_take.low, self.double_take.high)
        won, unit = self.stakes.payoff(1), (self.stakes.payoff(1) - self.stakes.payoff(-1)) / 2
        tie = TIE * max(unit, MIN_SCALE)
        corners = product((self.no_double.low, self.no_double.high), taken)
        verdicts = {decide(rolled, doubled, won, "centered", tie).verdict for rolled, doubled in corners}
        return verdicts.pop() if len(verdicts) == 1 else None

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold."""
        return {
            "on_roll": {"position": list(self.on_roll), "pips": self.on_roll.pips},
            "opponent": {"position": list(self.opponent), "pips": self.opponent.pips},
            "method": "rollout",
            "stakes": str(self.stakes),
            **as_json(self, "cube", "seed", "games"),
            "confidence": 0.99,
            **as_json(self, "win", "no_double", "double_take", "verdict"),
        }


def bounds(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 256,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> BoundsRollout:
    """Confidence intervals of the chance to win and of the cube's values, at any stakes.

    Unlike those of `cubeful` they hold whether or not the solution's decisions are right: they are of the true value.

    Parameters
    ----------
    on_roll, opponent, stakes, cube, seed, budget, threads
        As for `cubeful`.
    games : int
        At least 2; from 64 on errors are known.  Each is played once for either bound, and takes some ten times as long
        as one of `cubeful`.
    standard_error : float, optional
        Stop as soon as no standard error is larger, in points per unit of the cube, at a score in normalised points.

    Returns
    -------
    BoundsRollout

    Raises
    ------
    ArgumentError
        If a number is out of range, or the cube cannot be there.
    PositionError
        If a position cannot be read, has no checker left, or there is contact.

    Examples
    --------
    >>> found = bounds("6x2 5x2 4x1", "6x2 5x2 3x2", games=64, budget=Budget(delta=0.0))
    >>> found.win.low <= 0.765353 <= found.win.high, found.verdict
    (True, 'double/take')
    """
    *_, last = stream_bounds(
        on_roll,
        opponent,
        stakes,
        cube,
        games=games,
        seed=seed,
        budget=budget,
        standard_error=standard_error,
        threads=threads,
    )
    return last


def stream_bounds(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 256,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> Iterator[BoundsRollout]:
    """As `bounds`, but yield the result so far after every 16 games, and at the end."""
    sides, chosen, place, workers = checked_question(on_roll, opponent, stakes, cube, threads)
    games, seed = checked_run(games, seed, standard_error, MAX_BOUND_GAMES)
    answer, played = solve_for_games(*sides, chosen, budget or Budget(), place, threads=workers, with_chance=True)
    solved = answer.cube(CUBE_ORDER.index(place))
    exact = np.array([answer.chances().win, solved.no_double, solved.double_take])
    found: list[Floats] = []
    unit = max((chosen.payoff(1) - chosen.payoff(-1)) / 2, MIN_SCALE)
    off = answer.info().error * np.array([0.5, unit, unit])
    for begin in range(0, games, _BLOCK):
        n = min(_BLOCK, games - begin)
        found.append(np.tile(exact, (n, 2, 1)) if played is None else played.bound(seed, begin, n, workers))
        win, no_double, double_take = _intervals(np.concatenate(found), off, known=played is None)
        yield BoundsRollout(
            *sides,
            chosen,
            place,
            seed,
            begin + n,
            win,
            no_double,
            None if isnan(double_take.low_mean) else double_take,
        )
        widest = max(max(of.low_error, of.high_error) for of in (no_double, double_take) if not isnan(of.low_mean))
        if standard_error is not None and widest <= standard_error * unit:
            return


def _intervals(values: Floats, off: Floats, *, known: bool) -> list[ConfidenceInterval]:
    """Of the values of games, (n, 2, k): low and high, of k quantities.

    off: (k,), how far a rare game may be from the others, which hardly differ if the solution is nearly right.
    """
    n = len(values)
    means = values.mean(axis=0)
    errors = np.full(means.shape, inf)
    if known:
        errors[:] = 0
    elif n >= _FEW:
        errors = values.std(axis=0, ddof=1) / sqrt(n)
    room = np.zeros(len(off)) if known else _UNSEEN / n * off + _ROUNDING
    ends = means + np.array([[-1], [1]]) * (_ERRORS_OF_99 * errors + room)
    return [
        ConfidenceInterval(*ends[:, k].tolist(), *means[:, k].tolist(), *errors[:, k].tolist())
        for k in range(means.shape[1])
    ]
