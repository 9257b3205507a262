"""Rollouts: races played to the end with random dice.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", sections 3.1 to 3.3.  Two ways to
play:

``"hi"``
    The paper's: checkers are borne in by strategies H and I, and once all are home every roll is played to the least
    expected pip count (EPC).  ``csrc/rollout/rollout.c`` and ``docs/rollouts.md`` describe H and I where the paper does
    not.  With `points` greater than 6, the table is used earlier: as soon as all checkers are within it.
``"epc"``
    Least EPC from the first roll on, by a table of as many points as the position needs.

A game's dice depend only on the seed, the number of the game, the side and the turn: results are the same for any
number of threads, and two rollouts of the same seed have the same dice, which shows differences between positions or
policies more clearly.  All sums are of whole numbers.

In addition to plain estimates there are adjusted ones, whose error is smaller.  A single checker runs beside each side
with the same dice.  The mean result of two single checkers is known exactly (`bgrace.scm`), so their actual result
measures the luck of the dice.  The factor for the games of even number comes from those of odd number, and the other
way round, so that the adjustment has mean 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, nextafter, sqrt, ulp
from typing import Final, Literal, TypeAlias, TypeVar, get_args

import numpy as np
import numpy.typing as npt

import bgrace._kernels.rollout as kernel
from bgrace import scm
from bgrace._base.arrays import JSON, Floats, Integers, ShortRepr, as_integer, as_json, as_number, check_flags
from bgrace._base.limits import checked_threads
from bgrace.board import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, PositionLike, parse_position
from bgrace.board.dice import MEAN_PIPS, ROLLS, WEIGHTS, parse_roll
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.board.text import check_sides
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.tables import solve_one_sided

__all__ = [
    "BLOCK",
    "MAX_GAMES",
    "MAX_SEED",
    "POLICIES",
    "OnePlayerRollout",
    "Policy",
    "TwoPlayerRollout",
    "one_player",
    "play",
    "roll_distribution",
    "two_player",
]

Policy: TypeAlias = Literal["hi", "epc"]

POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
"""Names of the ways to play."""

_MAX_TABLE: Final = 1 << 22

_USUAL_WASTAGE: Final = 7.7
"""Typical wastage of races in pips; only the gain of the adjustment depends on it."""

_MODEL_PIPS: Final = 400
"""Most pips of a single checker; positions of 15 checkers on 24 points need fewer."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side, ready to play."""

    position: Position
    policy: Policy
    space: PositionSpace
    kernel: kernel.Policy
    model_pips: int

    @property
    def counts(self) -> tuple[int, ...]:
        """Checkers on all 24 points."""
        return self.position.resized(MAX_POINTS)


def side_of(position: PositionLike, name: str, policy: str, points: int | None, threads: int | None = None) -> Side:
    """Check the arguments of a side, and solve its table of best results; errors call the side `name`."""
    side = parse_position(position)
    if not side.checkers:
        raise PositionError(f"{name} has no checker left: the race is over")
    if policy not in POLICIES:
        raise ArgumentError(f"policy {policy!r} is unknown: use {' or '.join(POLICIES)}")
    highest = side.highest
    if points is None:
        points = max(HOME_POINTS, highest) if policy == "epc" else HOME_POINTS
    problem = f"points={points!r}: give a whole number from {HOME_POINTS} to {MAX_POINTS}"
    points = as_integer(points, problem, HOME_POINTS, MAX_POINTS)
    if policy == "epc" and highest > points:
        raise ArgumentError(
            f"{name} has a checker on point {highest}, and the table ends at {points}: give points={highest}, "
            'or the policy "hi"'
        )
    # Up to 15 checkers, so that one table serves every position; fewer if that would be too large.
    checkers = MAX_CHECKERS if points == HOME_POINTS else side.checkers
    space = space_of(points, checkers)
    if len(space) > _MAX_TABLE:
        raise MemoryLimitError(
            f"a table of {checkers} checkers on {points} points has {len(space):,} positions, and {_MAX_TABLE:,} "
            'are allowed: use the policy "hi" with fewer points'
        )
    tables = tables_of(space, checked_threads(threads))
    mean_rolls = (side.pips + _USUAL_WASTAGE) / MEAN_PIPS
    if highest <= points:
        mean_rolls = float(tables.mean_rolls[space.index(side.resized(points))])
    return Side(side, policy, space, tables, int(np.searchsorted(_model_means(), mean_rolls)))


@lru_cache(maxsize=3)  # the home board, and one for either side
def tables_of(space: PositionSpace, n_threads: int) -> kernel.Policy:
    """Best results of every roll in a space."""
    return kernel.Policy(space.kernel, n_threads)


@lru_cache(maxsize=1)
def _model_means() -> Floats:
    """Midpoints between the mean rolls of x and of x + 1 pips, x = 0, 1, ..., to find the nearest number of pips."""
    means = scm.mean_rolls(np.arange(_MODEL_PIPS + 1))
    halfway: Floats = (means[:-1] + means[1:]) / 2
    halfway[0] = 0  # a single checker has 1 pip or more
    return halfway


def check_apart(side: Position, other: Position) -> None:
    """Raise PositionError if both sides stand on the same point."""
    points = [j for j, n in enumerate(side, start=1) if n and MAX_POINTS - j < len(other) and other[MAX_POINTS - j]]
    if points:
        raise PositionError(
            f"both sides stand on point {points[0]} of the player on roll: without blocking they play as though they "
            "could not meet"
        )


def check_contact(on_roll: Position, opponent: Position) -> None:
    """Raise PositionError unless strategies H and I can play on: see `two_player`."""
    check_apart(on_roll, opponent)
    farthest = on_roll.highest, opponent.highest
    if sum(farthest) > MAX_POINTS and max(farthest) > MAX_POINTS - HOME_POINTS:
        raise PositionError(
            f"a checker on point {max(farthest)} stands in a home board and has yet to pass the other side: that "
            "is not a race; without blocking they play as though they could not meet"
        )


_MAX_CARRIED: Final = 1 << 22


def play(
    position: PositionLike,
    roll: str | Iterable[int],
    policy: Policy = "hi",
    *,
    opponent: PositionLike | None = None,
    points: int | None = None,
) -> Position:
    """Play one roll by a policy.

    Parameters
    ----------
    position : position
        One position on up to 24 points.
    roll : str or pair of int
    policy, points
        As for `one_player`.
    opponent : position, optional
        The side that strategies H and I avoid, counted from its own ace point.

    Returns
    -------
    Position
        The counts after the roll, on as many points as `position`.

    Raises
    ------
    PositionError
        If a position cannot be read, `position` has no checker, or both sides stand on the same point.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> print(play("14x1 13x3 10x1 9x1 8x2 7x1 6x5 5x1", "32"))
    5x1 6x5 7x1 8x2 9x1 10x1 11x2 13x2
    >>> print(play("14x1 13x3 10x1 9x1 8x2 7x1 6x5 5x1", "32", opponent="13x2 14x2"))    # who blocks 12 and 11
    5x1 6x6 7x1 8x1 9x1 10x2 13x2 14x1
    """
    dice = parse_roll(roll)
    side = side_of(position, "the position", policy, points)
    blocked = 0
    if opponent is not None:
        check_sides(position, opponent)
        other = parse_position(opponent)
        check_apart(side.position, other)
        blocked = sum(1 << (MAX_POINTS - 1 - j) for j, n in enumerate(other) if n)
    wide = space_of(MAX_POINTS, side.position.checkers)
    results = kernel.plays(
        side.kernel,
        wide.kernel,
        np.array([side.counts], dtype=np.int8),
        np.array([blocked], dtype=np.uint32),
        1,
    )
    after: Position = wide.position(int(results[0, ROLLS.index(dice)]))
    return after.resized(side.position.points)


def roll_distribution(
    position: PositionLike, policy: Policy = "hi", *, points: int | None = None, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Exact chances of bearing off in exactly 0, 1, ... rolls, without an opponent.

    The chances of all positions that can be reached are carried forward turn by turn, until all checkers are within the
    table of best results, whose distributions are known.

    Parameters
    ----------
    position, policy, points, threads
        As for `one_player`.

    Returns
    -------
    float64 ndarray, shape (longest + 1,)

    Raises
    ------
    ArgumentError
        As for `one_player`.
    MemoryLimitError
        As for `one_player`, or if the positions are too many.
    PositionError
        As for `one_player`.

    Notes
    -----
    The paper's positions of 120 pips come to some 18,000 others before all checkers are home, those of 160 pips to more
    than a million, which takes seconds.  Positions with many checkers far back can take far longer.

    Examples
    --------
    >>> chances = roll_distribution("6x1")
    >>> chances.tolist(), round(float(chances @ range(3)), 12)
    ([0.0, 0.75, 0.25], 1.25)
    """
    n_threads = checked_threads(threads)
    side = side_of(position, "the position", policy, points)
    wide = space_of(MAX_POINTS, side.position.checkers)
    table = _distributions(side.space)
    weights = np.array(WEIGHTS) / 36
    chances = np.zeros(kernel.MAX_ROLLS + 1)
    indices = np.array([wide.index(side.counts)], dtype=np.int64)
    likely: Floats = np.ones(1)
    turn = 0
    while indices.size:
        counts = wide.position(indices)
        home = ~counts[:, side.space.points :].any(axis=1)
        if home.any():
            rows = side.space.index(counts[home][:, : side.space.points])
            chances[turn : turn + table.shape[1]] += likely[home] @ table[rows]
        counts, likely = np.ascontiguousarray(counts[~home]), likely[~home]
        if len(counts) > _MAX_CARRIED:
            raise MemoryLimitError(
                f"{side.position} comes to {len(counts):,} positions after {turn} rolls, and {_MAX_CARRIED:,} are "
                "allowed: use one_player"
            )
        nobody = np.zeros(len(counts), dtype=np.uint32)
        reached = kernel.plays(side.kernel, wide.kernel, counts, nobody, n_threads).ravel()
        indices, inverse = np.unique(reached, return_inverse=True)
        arriving: Floats = np.outer(likely, weights).ravel()
        likely = np.zeros(len(indices))
        np.add.at(likely, inverse.ravel(), arriving)
        turn += 1
    return chances[: np.flatnonzero(chances)[-1] + 1]


@lru_cache(maxsize=1)
def _distributions(space: PositionSpace) -> Floats:
    return solve_one_sided(space).roll_distribution


@dataclass(frozen=True, slots=True, repr=False)
class OnePlayerRollout(ShortRepr):
    """The numbers of rolls that one player needed.

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
        Numbers of games that took exactly 0, 1, ... rolls.
    adjusted_mean, adjusted_standard_error : float
        Mean number of rolls, less the luck of the dice, and its standard error: infinite for fewer than 64 games,
        which are too few for an estimate.
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
        """Unbiased estimate of the variance of the number of rolls."""
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
        """The fields by name, as values of JSON; None for an infinite standard error.

        Numbers of rolls have the same names as for every position, such as `mean_rolls`.
        """
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
    """The games that the player on roll won.

    Attributes
    ----------
    on_roll, opponent : OnePlayerRollout
        Numbers of rolls of each side; both play on until they have borne off all checkers.
    wins : int
        Games in which the player on roll needed no more rolls than the opponent.
    adjusted_win_probability, adjusted_standard_error : float
        Chance that the player on roll wins, less the luck of the dice, and its standard error, infinite for fewer than
        64 games.  As an estimate, the chance may be slightly below 0 or above 1.
    blocking : bool
        Whether neither side landed on points of the other.
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
    def variance(self) -> float:
        """Variance of winning one game, 1 or 0: w (1 - w)."""
        return self.win_probability * (1 - self.win_probability)

    @property
    def standard_error(self) -> float:
        """Standard error of `win_probability`: sqrt(w (1 - w) / games)."""
        return sqrt(self.variance / self.games)

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON; None for an infinite standard error."""
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
"""Least number of games for the standard error of an adjusted mean: the regression may fit fewer games exactly."""

# Columns of the sums over games: y is the quantity to estimate, c the same for the single checkers.
_N, Y, _YY, _C, _CC, _YC = range(6)


def adjusted(moments: Integers, expected: float) -> tuple[float, float]:
    """Mean of y less its regression on c - expected, and its standard error, infinite below `MIN_GAMES` games."""
    # Python's integers, since squares of sums over 2**40 games exceed 64 bits.
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
"""Number of games between two reports of progress, and between two checks of the standard error."""

_UNWATCHED: Final = 16 * BLOCK
"""Number of games at a time if there are no reports: a quarter of a second at most, for which Ctrl-C waits."""

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
        Points of the table of best results: by default 6 for ``"hi"``, as many as the position needs for ``"epc"``.
        The table is solved at its first use; it may have up to 4,194,304 positions (15 checkers on 10 points).
    standard_error : float, optional
        Stop if the standard error of the adjusted mean is at most this, checked after every `BLOCK` games.
    threads : int, optional
        By default one per processor.  The result does not depend on it.
    progress : callable, optional
        Called with the result so far after every `BLOCK` games, and at the end.

    Returns
    -------
    OnePlayerRollout

    Raises
    ------
    ArgumentError
        If an option is out of range, or the table has too few points for the position and the policy ``"epc"``.
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
    run = _Run(games, seed, standard_error, threads, watched=progress is not None)
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
        Policy of the opponent; by default that of the player on roll.
    blocking : bool
        Whether strategies H and I avoid points of the other side, as in the paper, which matters only until the sides
        have passed each other.  Least-EPC play always ignores the other side.
    standard_error : float, optional
        Stop if the standard error of the adjusted win probability is at most this, checked after every `BLOCK` games.

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
        If a position cannot be read or has no checker; or, with `blocking`, if the sides stand on the same point, or
        one of them is in the other's home board and has yet to pass.

    Examples
    --------
    >>> print(two_player("1,1,1,1,1,1", "1,1,1,1,1,1", 100_000, seed=1))    # exactly 70.101 %
    1x1 2x1 3x1 4x1 5x1 6x1 on roll against 1x1 2x1 3x1 4x1 5x1 6x1: ...
    """
    run = _Run(games, seed, standard_error, threads, watched=progress is not None)
    check_sides(on_roll, opponent)
    first = side_of(on_roll, "the player on roll", policy, points, threads)
    second = side_of(opponent, "the opponent", opponent_policy or policy, points, threads)
    check_flags(blocking=blocking)
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


class _Run:
    """The checked parameters of a rollout."""

    def __init__(
        self, games: int, seed: int, standard_error: float | None, threads: int | None, *, watched: bool
    ) -> None:
        problem = f"games={games!r:.80}: give a whole number from 2 to {MAX_GAMES:,}"
        self.games: int = as_integer(games, problem, 2, MAX_GAMES)
        self.seed: int = as_integer(seed, f"seed={seed!r:.80}: give a whole number from 0 to {MAX_SEED}", 0, MAX_SEED)
        problem = f"standard error {standard_error!r:.80}: give a number above 0, such as 0.001"
        if standard_error is not None:
            as_number(standard_error, problem, ulp(0.0), nextafter(inf, 0))
        self._standard_error = -inf if standard_error is None else standard_error
        self._n_threads = checked_threads(threads)
        self._block = BLOCK if watched or standard_error is not None else _UNWATCHED

    def played(
        self,
        sides: list[Side],
        blocking: bool,
        result_of: Callable[[Integers, Integers], _Result],
        progress: Callable[[_Result], object] | None,
    ) -> _Result:
        """Play block by block, and make the result from sums over all games; `progress` gets it after every block."""
        arguments = [(side.kernel, side.counts, side.model_pips) for side in sides]
        rolls = moments = np.zeros(1, dtype=np.int64)
        for first in range(0, self.games, self._block):
            n = min(self._block, self.games - first)
            new_rolls, new_moments = kernel.rollout(arguments, blocking, self.seed, first, n, self._n_threads)
            rolls, moments = rolls + new_rolls, moments + new_moments
            result = result_of(rolls, moments)
            if progress is not None:
                progress(result)
            # A variance of 0 does not mean a small error: a rare result may not have occurred yet.
            if result.variance > 0 and result.adjusted_standard_error <= self._standard_error:
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
