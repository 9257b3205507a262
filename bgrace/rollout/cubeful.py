"""Rollouts with the cube: races played out by what one solution says of every pair on the way.

The race is solved once (`bgrace.answers.turns`), and all values are kept.  Both sides play, double and take by them; a
game ends at a pair that is known exactly, when a double is passed, or when a side is off.  How positions that the
solution does not have are judged, and how luck is taken from the outcome, csrc/rollout/games.c explains.

Luck has the mean 0 whatever errors the values have, so the adjusted outcomes estimate the same as the plain ones: what
play by these decisions is worth.  The rest of their spread is by how much values of one turn and the next disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, inf, isnan, sqrt
from typing import Final

import numpy as np

from bgrace._base.arrays import JSON, Floats, as_json
from bgrace._base.limits import how_many
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers.turns import Budget, Games, solve_for_games
from bgrace.board import Position, PositionLike, parse_position
from bgrace.cube.action import TIE, Cube, Verdict, decide
from bgrace.match.stakes import MIN_SCALE, Stakes
from bgrace.rollout.games import checked_run

CUBEFUL_BLOCK: Final = 256
"""Games between two results of `stream_cubeful`."""

MAX_CUBEFUL_GAMES: Final = 100_000_000

_ERRORS_OF_99: Final = 2.58
"""Standard errors that 99 of 100 means lie within."""

_TOLD: Final = 0.01
"""Games of merged positions tell what these are off by if their spread is this much of what the solution states."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of an outcome, for the player on roll.

    Attributes
    ----------
    mean, standard_error : float
        Less the luck of the dice.  The error is infinite for fewer than two games.
    plain_mean, plain_standard_error : float
        With it.
    luck_standard_error : float
        Of the mean luck, ``plain_mean - mean``, which tends to 0.
    error : float
        What the mean is off by at most in 99 of 100 rollouts: 2.58 standard errors, and where games come to the values
        of the solution again, without any spread, what that one states.
    """

    mean: float
    standard_error: float
    plain_mean: float
    plain_standard_error: float
    luck_standard_error: float
    error: float

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            "mean": self.mean,
            "standard_error": _finite(self.standard_error),
            "plain_mean": self.plain_mean,
            "plain_standard_error": _finite(self.plain_standard_error),
            "error": _finite(self.error),
        }


@dataclass(frozen=True, slots=True)
class CubefulRollout:
    """The values of rolling and of doubling, by playing the race out; made by `cubeful`.

    Values for money are points per unit of the present cube, at a score chances to win the match; `normalised` makes
    points of these.

    Attributes
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    cube : str
        Where it is: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.
    seed, games : int
    no_double : Estimate
        Rolling now, and doubling as the solver does later.
    double_take : Estimate, or None
        If the player on roll doubles and the opponent takes; None where the player cannot double.
    double_pass : float, or None
    ended_exactly : float
        Share of the games that ended at a pair that is known exactly, with checkers left; 1 if the race itself is.
    error : float
        What the solution that games are played by says of itself (`bgrace.Solution.error`); 0 if it is exact.  Where it
        merges nothing, games come to its own values again, without any spread, and this is what is left to doubt.
    """

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube
    seed: int
    games: int
    no_double: Estimate
    double_take: Estimate | None
    double_pass: float | None
    ended_exactly: float
    error: float

    @property
    def verdict(self) -> Verdict:
        """The verdict of the means."""
        won, unit = self.stakes.payoff(1), (self.stakes.payoff(1) - self.stakes.payoff(-1)) / 2
        taken = None if self.double_take is None else self.double_take.mean
        return decide(self.no_double.mean, taken, won, "centered", TIE * max(unit, MIN_SCALE)).verdict

    def normalised(self, estimate: Estimate) -> Estimate | None:
        """An estimate in points per unit of the present cube: money as it is.

        None where the match equity table does not tell winning from losing.
        """
        mean, plain = self.stakes.normalised(estimate.mean), self.stakes.normalised(estimate.plain_mean)
        if mean is None or plain is None:
            return None
        unit = (self.stakes.payoff(1) - self.stakes.payoff(-1)) / 2
        return Estimate(
            mean,
            estimate.standard_error / unit,
            plain,
            estimate.plain_standard_error / unit,
            estimate.luck_standard_error / unit,
            estimate.error / unit,
        )

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold."""
        estimates = {"no_double": self.no_double, "double_take": self.double_take}
        answer: dict[str, JSON] = {
            "on_roll": {"position": list(self.on_roll), "pips": self.on_roll.pips},
            "opponent": {"position": list(self.opponent), "pips": self.opponent.pips},
            "method": "rollout",
            "stakes": str(self.stakes),
            **as_json(self, "cube", "seed", "games", "no_double", "double_take", "double_pass", "verdict"),
            **as_json(self, "ended_exactly", "error"),
        }
        if self.stakes.score is not None:
            in_points = {name: self.normalised(estimate) for name, estimate in estimates.items() if estimate}
            answer["normalised"] = {name: points.to_dict() if points else None for name, points in in_points.items()}
        return answer

    def __str__(self) -> str:
        parts = [f"no double {self._shown(self.no_double)}"]
        if self.double_take is not None:
            parts.append(f"double/take {self._shown(self.double_take)}")
        return (
            f"{self.on_roll} against {self.opponent}, {self.stakes}: {self.verdict}, {', '.join(parts)}, "
            f"in {self.games:,} games"
        )

    def _shown(self, estimate: Estimate) -> str:
        if self.stakes.score is None:
            return f"{estimate.mean:+.4f} +- {estimate.error:.4f}"
        return f"{100 * estimate.mean:.2f} % +- {100 * estimate.error:.2f}"


def cubeful(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 2048,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> CubefulRollout:
    """Play a race out with the cube, at any stakes.

    Parameters
    ----------
    on_roll, opponent : position
        Without contact, at least one checker each.
    stakes : Stakes, optional
        Money with gammons, unless given.
    cube : str, optional
        Where it is, seen by the player on roll; unless given, in the middle, at a score with a larger cube mine.
    games : int
        At least 2.  As dice are adjusted for, some thousands will do.
    seed : int
        0 to `MAX_SEED`.
    budget : Budget, optional
        Of the solution; a second unless given.  With more of it fewer games do, and decisions are better.
    standard_error : float, optional
        Stop as soon as, after a multiple of `CUBEFUL_BLOCK` games, no adjusted standard error is larger, in points per
        unit of the cube, at a score in normalised points.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    CubefulRollout

    Raises
    ------
    ArgumentError
        If a number is out of range, or the cube cannot be there.
    PositionError
        If a position cannot be read, has no checker left, or there is contact.

    Examples
    --------
    >>> print(cubeful("5x1 6x1", "4x1 5x1", games=2))    # every game ends exactly at once
    5x1 6x1 against 4x1 5x1, money: double/take, no double +0.4038 +- 0.0000, double/take +0.6585 +- 0.0000, in 2 games
    """
    *_, last = stream_cubeful(
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


def checked_question(
    on_roll: PositionLike, opponent: PositionLike, stakes: Stakes | None, cube: str | None, threads: int | None
) -> tuple[tuple[Position, Position], Stakes, Cube, int]:
    """The question of a rollout with the cube, checked: sides, stakes, the place of the cube, threads."""
    chosen = stakes or Stakes.money()
    return (parse_position(on_roll), parse_position(opponent)), chosen, chosen.check_cube(cube), how_many(threads)


def stream_cubeful(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 2048,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> Iterator[CubefulRollout]:
    """As `cubeful`, but yield the result so far after every `CUBEFUL_BLOCK` games, and at the end."""
    sides, chosen, place, workers = checked_question(on_roll, opponent, stakes, cube, threads)
    games, seed = checked_run(games, seed, standard_error, MAX_CUBEFUL_GAMES)
    answer, played = solve_for_games(*sides, chosen, budget or Budget(), place, threads=workers)
    solved, info = answer.cube(CUBE_ORDER.index(place)), answer.info()
    starts = [(0, solved.no_double)]
    if not isnan(solved.double_take):
        starts.append((2 if solved.beavers else 1, solved.double_take))
    unit = (chosen.payoff(1) - chosen.payoff(-1)) / 2
    # Merged positions are judged by others: games tell what that is off by, unless they come to the same values again.
    unseen = 0.0 if played is None else info.error * unit
    told = _TOLD * info.error * unit if info.merged else inf
    sums = [_Sums(value, unseen, told) for _, value in starts]
    exactly = 0
    for begin in range(0, games, CUBEFUL_BLOCK):
        end = min(begin + CUBEFUL_BLOCK, games)
        for (start, _), outcomes in zip(starts, sums, strict=True):
            exactly += outcomes.add(played, start, seed, begin, end - begin, workers)
        estimates = [outcomes.estimate() for outcomes in sums]
        yield CubefulRollout(
            *sides,
            chosen,
            place,
            seed,
            end,
            estimates[0],
            estimates[1] if len(starts) > 1 else None,
            chosen.payoff(1) if len(starts) > 1 else None,
            exactly / (end * len(starts)),
            info.error if played else 0.0,
        )
        worst = max(estimate.standard_error for estimate in estimates)
        if standard_error is not None and worst <= standard_error * max(unit, MIN_SCALE):
            return


class _Sums:
    """Of the outcomes of games so far: adjusted, plain, luck; as differences from about what they are."""

    def __init__(self, about: float, unseen: float, told: float) -> None:
        self._about = about
        self._unseen = unseen
        self._told = told
        self._games = 0
        self._sums = np.zeros((2, 3))

    def add(self, played: Games | None, start: int, seed: int, first: int, n: int, threads: int) -> int:
        """Play some games, unless the value is exact, and give how many of them ended at an exact pair."""
        self._games += n
        if played is None:
            return n
        outcomes, luck, exactly = played.play(start, seed, first, n, threads)
        columns: Floats = np.stack([outcomes - luck - self._about, outcomes - self._about, luck])
        self._sums += [columns.sum(axis=1), (columns**2).sum(axis=1)]
        return int(exactly.sum())

    def estimate(self) -> Estimate:
        n = self._games
        mean = self._sums[0] / n
        squares = np.maximum(self._sums[1] - n * mean**2, 0.0)
        errors = [sqrt(square / (n - 1) / n) if n > 1 else inf for square in squares.tolist()]
        about = self._about
        spread = errors[0] * sqrt(n)
        error = hypot(_ERRORS_OF_99 * errors[0], 0.0 if spread > self._told else self._unseen)
        return Estimate(about + float(mean[0]), errors[0], about + float(mean[1]), errors[1], errors[2], error)


def _finite(value: float) -> float | None:
    return value if value < inf else None
