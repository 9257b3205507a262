"""Games played out, block by block, and their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Final, TypeVar

import numpy as np

import bgrace._kernels.rollout as kernel
from bgrace import scm
from bgrace._base.arrays import JSON, Integers, Summarised, as_integer, as_json, as_number
from bgrace._base.limits import how_many
from bgrace.board import Position, PositionLike
from bgrace.errors import ArgumentError
from bgrace.rollout.plays import Policy, Side, check_contact, side_of

__all__ = ["BLOCK", "MAX_GAMES", "MAX_SEED", "OnePlayerRollout", "TwoPlayerRollout", "one_player", "two_player"]


@dataclass(frozen=True, slots=True, repr=False)
class OnePlayerRollout(Summarised):
    """How many rolls one player needed.

    Attributes
    ----------
    position : Position
    policy : str
        ``"hi"`` or ``"epc"``.
    points : int
        Points of the table of best results.
    seed : int
    games : int
    counts : tuple of int
        Games that took exactly 0, 1, ... rolls.
    adjusted_mean, adjusted_standard_error : float
        Mean number of rolls, less the luck of the dice, and its standard error: infinite for fewer than 64 games,
        which are too few to tell.
    """

    position: Position
    policy: Policy
    points: int
    seed: int
    games: int
    counts: tuple[int, ...]
    adjusted_mean: float
    adjusted_standard_error: float

    @property
    def distribution(self) -> tuple[float, ...]:
        """Share of the games that took exactly 0, 1, ... rolls."""
        return tuple(n / self.games for n in self.counts)

    @property
    def mean(self) -> float:
        """Mean number of rolls."""
        return sum(k * n for k, n in enumerate(self.counts)) / self.games

    @property
    def variance(self) -> float:
        """Variance of the number of rolls, the unbiased estimate."""
        return self._central(2) * self.games / (self.games - 1)

    @property
    def standard_error(self) -> float:
        """Standard error of `mean`."""
        return sqrt(self.variance / self.games)

    @property
    def variance_standard_error(self) -> float:
        """Standard error of `variance`."""
        return sqrt(max(0.0, self._central(4) - self._central(2) ** 2) / self.games)

    def _central(self, power: int) -> float:
        mean = self.mean
        return sum(n * (k - mean) ** power for k, n in enumerate(self.counts)) / self.games

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            "position": list(self.position),
            "pips": self.position.pips,
            **as_json(self, "policy", "points", "seed", "games"),
            "mean_rolls": self.mean,
            "standard_error": self.standard_error,
            "adjusted_mean_rolls": self.adjusted_mean,
            "adjusted_standard_error": _finite(self.adjusted_standard_error),
            "variance_rolls": self.variance,
            "variance_standard_error": self.variance_standard_error,
            "roll_distribution": list(self.distribution),
        }

    def __str__(self) -> str:
        return (
            f"{self.position}: {self.mean:.4f} +- {self.standard_error:.4f} rolls in {self.games:,} games, "
            f"adjusted {self.adjusted_mean:.4f} +- {self.adjusted_standard_error:.4f}"
        )


@dataclass(frozen=True, slots=True)
class TwoPlayerRollout:
    """How often the player on roll won.

    Attributes
    ----------
    on_roll, opponent : OnePlayerRollout
        How many rolls either side needed; both play on until off.
    wins : int
        Games in which the player on roll needed no more rolls than the opponent.
    adjusted_win_probability, adjusted_standard_error : float
        Chance that the player on roll wins, less the luck of the dice, and its standard error, infinite for fewer than
        64 games.  As an estimate the chance may lie a little outside 0 .. 1.
    blocking : bool
        Whether neither side landed where the other stood.
    """

    on_roll: OnePlayerRollout
    opponent: OnePlayerRollout
    wins: int
    adjusted_win_probability: float
    adjusted_standard_error: float
    blocking: bool

    @property
    def games(self) -> int:
        """Number of games."""
        return self.on_roll.games

    @property
    def seed(self) -> int:
        """Seed of the dice."""
        return self.on_roll.seed

    @property
    def win_probability(self) -> float:
        """Share of the games that the player on roll won."""
        return self.wins / self.games

    @property
    def mean(self) -> float:
        """Another name of `win_probability`."""
        return self.win_probability

    @property
    def variance(self) -> float:
        """Variance of winning one game, 1 or 0: w (1 - w)."""
        return self.win_probability * (1 - self.win_probability)

    @property
    def standard_error(self) -> float:
        """Standard error of `win_probability`: sqrt(w (1 - w) / games)."""
        return sqrt(self.variance / self.games)

    @property
    def distribution(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Share of the games in which the player on roll, and the opponent, needed exactly 0, 1, ... rolls."""
        return self.on_roll.distribution, self.opponent.distribution

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            **as_json(self, "on_roll", "opponent"),
            "method": "rollout",
            **as_json(self, "seed", "games", "win_probability", "standard_error", "adjusted_win_probability"),
            "adjusted_standard_error": _finite(self.adjusted_standard_error),
            "blocking": self.blocking,
        }

    def __str__(self) -> str:
        return (
            f"{self.on_roll.position} on roll against {self.opponent.position}: "
            f"{100 * self.win_probability:.3f} % +- {100 * self.standard_error:.3f} % in {self.games:,} games, "
            f"adjusted {100 * self.adjusted_win_probability:.3f} % +- {100 * self.adjusted_standard_error:.3f} %"
        )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


MIN_GAMES: Final = 64
"""Fewer games say nothing of the standard error of an adjusted mean: the regression may then fit them exactly."""

# Columns of the sums over games: y is what is asked for, c the same of the single checkers.
_N, Y, _YY, _C, _CC, _YC = range(6)


def adjusted(moments: Integers, expected: float) -> tuple[float, float]:
    """Mean of y less its regression on c - expected, and its standard error, infinite below `MIN_GAMES` games."""
    # Python's numbers: squares of sums of 2**40 games pass 64 bits.
    halves = [[int(value) for value in half] for half in moments]
    n = sum(half[_N] for half in halves)
    total, variance = 0.0, 0.0
    for half, other in (halves, halves[::-1]):
        games = half[_N]
        spread = other[_N] * other[_CC] - other[_C] ** 2
        factor = (other[_N] * other[_YC] - other[Y] * other[_C]) / spread if spread else 0.0
        yy = half[_YY] - half[Y] ** 2 / games
        yc = half[_YC] - half[Y] * half[_C] / games
        cc = half[_CC] - half[_C] ** 2 / games
        total += half[Y] - factor * (half[_C] - games * expected)
        # The sum over a half has variance games * s^2, s^2 the sample variance of y - factor c.
        variance += max(0.0, yy - 2 * factor * yc + factor**2 * cc) * games / max(1, games - 1)
    return total / n, sqrt(variance) / n if n >= MIN_GAMES else inf


BLOCK: Final = 16_384
"""Games between two reports of progress, and between two looks at the standard error."""

_UNWATCHED: Final = 16 * BLOCK
"""Games at a time where nobody looks at what there is so far: a quarter of a second at most, which Ctrl-C waits."""

MAX_GAMES: Final = 2**40
"""Most games of a rollout."""

MAX_SEED: Final = 2**64 - 1
"""Greatest seed."""

_Result = TypeVar("_Result", OnePlayerRollout, TwoPlayerRollout)


def one_player(
    position: PositionLike,
    games: int,
    seed: int,
    policy: Policy = "hi",
    *,
    points: int | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
    progress: Callable[[OnePlayerRollout], object] | None = None,
) -> OnePlayerRollout:
    """Play a position until the last checker is off, again and again, without an opponent.

    Parameters
    ----------
    position : position
        One position on up to 24 points, at least one checker.
    games : int
        2 to 2**40; fewer are played if `standard_error` is reached.
    seed : int
        0 to 2**64 - 1.
    policy : str
        ``"hi"`` or ``"epc"``: see `bgrace.rollout`.
    points : int, optional
        Points of the table of best results: 6 for ``"hi"``, as many as the position needs for ``"epc"``, unless given.
        It is solved when it is first used; tables of up to 4,194,304 positions (15 checkers on 10 points) are.
    standard_error : float, optional
        Stop as soon as, after a multiple of `BLOCK` games, the standard error of the adjusted mean is no larger.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.
    progress : callable, optional
        Called with the result so far after every `BLOCK` games, and at the end.

    Returns
    -------
    OnePlayerRollout

    Raises
    ------
    ArgumentError
        If an option is out of range, or the table does not reach the position as ``"epc"`` needs it to.
    MemoryLimitError
        If the table would be too large.
    PositionError
        If `position` cannot be read or has no checkers.

    Examples
    --------
    >>> result = one_player("6x1", 100_000, seed=1)     # one checker on the six point: exactly 1.25 rolls
    >>> print(result)
    6x1: 1.2507 +- 0.0014 rolls in 100,000 games, adjusted 1.2500 +- 0.0000
    """
    run = _checked(games, seed, standard_error, threads, watched=progress is not None)
    side = side_of(position, "the position", policy, points, threads)
    return run.played([side], False, lambda rolls, moments: _of_side(side, run.seed, rolls[0], moments[0]), progress)


def two_player(
    on_roll: PositionLike,
    opponent: PositionLike,
    games: int,
    seed: int,
    policy: Policy = "hi",
    *,
    opponent_policy: Policy | None = None,
    points: int | None = None,
    blocking: bool = True,
    standard_error: float | None = None,
    threads: int | None = None,
    progress: Callable[[TwoPlayerRollout], object] | None = None,
) -> TwoPlayerRollout:
    """Play a race between two positions, again and again.

    Parameters
    ----------
    on_roll, opponent : position
        One position each on up to 24 points, counted from its own ace point, at least one checker.
    games, seed, policy, points, threads, progress
        As for `one_player`.
    opponent_policy : str, optional
        How the opponent plays: as the player on roll does, unless given.
    blocking : bool
        Whether strategies H and I keep off points where the other side stands, as in the paper, which matters only as
        long as the two have not passed each other.  Least-EPC play always plays as though alone.
    standard_error : float, optional
        Stop as soon as, after a multiple of `BLOCK` games, the standard error of the adjusted win probability is no
        larger.

    Returns
    -------
    TwoPlayerRollout

    Raises
    ------
    ArgumentError
        As for `one_player`.
    MemoryLimitError
        As for `one_player`.
    PositionError
        If a position cannot be read or has no checker; or, with `blocking`, if the sides stand on one point, or one of
        them stands in the other's home board and has yet to pass.

    Examples
    --------
    >>> print(two_player("1,1,1,1,1,1", "1,1,1,1,1,1", 100_000, seed=1))    # exactly 70.101 %
    1x1 2x1 3x1 4x1 5x1 6x1 on roll against 1x1 2x1 3x1 4x1 5x1 6x1: ...
    """
    run = _checked(games, seed, standard_error, threads, watched=progress is not None)
    first = side_of(on_roll, "the player on roll", policy, points, threads)
    second = side_of(opponent, "the opponent", opponent_policy or policy, points, threads)
    blocking = blocking and "hi" in (first.policy, second.policy)
    if blocking:
        check_contact(first.position, second.position)
    expected = float(scm.win_probability(first.model_pips, second.model_pips))

    def result_of(rolls: Integers, moments: Integers) -> TwoPlayerRollout:
        return TwoPlayerRollout(
            _of_side(first, run.seed, rolls[0], moments[0]),
            _of_side(second, run.seed, rolls[1], moments[1]),
            int(moments[2, :, Y].sum()),
            *adjusted(moments[2], expected),
            blocking,
        )

    return run.played([first, second], blocking, result_of, progress)


@dataclass(frozen=True)
class _Run:
    """How many games are played, and how; a standard error of minus infinity is never reached."""

    games: int
    seed: int
    standard_error: float
    n_threads: int
    block: int

    def played(
        self,
        sides: list[Side],
        blocking: bool,
        result_of: Callable[[Integers, Integers], _Result],
        progress: Callable[[_Result], object] | None,
    ) -> _Result:
        """Play block by block, and make the result of the sums over all games; `progress` gets it after every block."""
        arguments = [(side.kernel, side.counts, side.model_pips) for side in sides]
        rolls, moments = None, None
        for first in range(0, self.games, self.block):
            n = min(self.block, self.games - first)
            new_rolls, new_moments = kernel.rollout(arguments, blocking, self.seed, first, n, self.n_threads)
            rolls = new_rolls if rolls is None else rolls + new_rolls
            moments = new_moments if moments is None else moments + new_moments
            result = result_of(rolls, moments)
            if progress is not None:
                progress(result)
            # Without any variance the error is not known to be small: a rare result may not have been seen.
            if result.variance > 0 and result.adjusted_standard_error <= self.standard_error:
                break
        return result  # there are games


def _of_side(side: Side, seed: int, rolls: Integers, moments: Integers) -> OnePlayerRollout:
    longest = int(np.flatnonzero(rolls)[-1])
    return OnePlayerRollout(
        side.position,
        side.policy,
        side.space.points,
        seed,
        int(rolls.sum()),
        tuple(rolls[: longest + 1].tolist()),
        *adjusted(moments, float(scm.mean_rolls(side.model_pips))),
    )


def _checked(games: int, seed: int, standard_error: float | None, threads: int | None, *, watched: bool) -> _Run:
    total = as_integer(games, f"games={games!r:.80}: give a whole number from 2 to {MAX_GAMES:,}", 2, MAX_GAMES)
    number = as_integer(seed, f"seed={seed!r:.80}: give a whole number from 0 to {MAX_SEED}", 0, MAX_SEED)
    problem = f"standard error {standard_error!r:.80}: give a number above 0, such as 0.001"
    if standard_error is not None and not 0 < as_number(standard_error, problem) < inf:
        raise ArgumentError(problem)
    block = BLOCK if watched or standard_error is not None else _UNWATCHED
    return _Run(total, number, -inf if standard_error is None else standard_error, how_many(threads), block)
