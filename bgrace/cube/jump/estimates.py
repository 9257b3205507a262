"""Jump volatility from real positions: of one position by looking two rolls ahead, and of recorded games.

The model is defined by the mean absolute jump, E|J|; the paper says so, but computes and prints the standard deviation.
This module gives both, under their names.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", section 2 of both versions, and appendix 4 of the
version of March 2012 for the profile by chance of winning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Integers, ShortRepr, as_choice, broadcast, check_open, elementwise, scalar
from bgrace.board import OnePosition, PositionArray, Positions
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.plays import legal_plays
from bgrace.board.spaces import PositionSpace
from bgrace.board.text import check_sides
from bgrace.cube.action import V
from bgrace.cube.jump.distributions import VolatilityRamp, from_standard_deviation
from bgrace.cube.model import check_probability
from bgrace.errors import ArgumentError, PositionError

__all__ = [
    "HIGH",
    "LOW",
    "PLAYED_LINEAR",
    "PLAYED_NONLINEAR",
    "Buckets",
    "Game",
    "JumpStatistics",
    "LocalVolatility",
    "bucket_jumps",
    "conditional_jumps",
    "jump_statistics",
    "local_volatility",
    "outcome_volatility",
    "play_races",
    "played_points",
    "window_jumps",
]

# ---- the most successful volatilities in play

PLAYED_NONLINEAR: Final[float] = 0.091
"""The constant volatility with which the nonlinear approximation won most against Janowski's model at x = 0.70 in the
paper's money games (version of April 2012, figure 1)."""

PLAYED_LINEAR: Final[float] = 0.113
"""The same for the linear approximation (figure 2): 1.24 times as much, which compensates for the approximation."""


@elementwise
def played_points(volatility: npt.ArrayLike) -> Floats:
    """Points per game that the linear approximation won against Janowski's model: the parabola fitted in figure 2.

    Parameters
    ----------
    volatility : array_like of float
        Constant volatility of the linear approximation in play: about 0.08 to 0.145 in the figure.

    Returns
    -------
    float, or ndarray of float64
        Each of the fitted points has a standard error of 0.003.

    Examples
    --------
    >>> round(played_points(PLAYED_LINEAR), 6)
    0.00161
    """
    percent = 100 * np.asarray(volatility, dtype=np.float64)
    return (-0.6866 * percent**2 + 15.502 * percent - 85.891) / 1000


# ---- the jumps of recorded games

Window: TypeAlias = tuple[float, float]

LOW: Final[Window] = (0.20, 0.35)
"""Window in which a side would take: chances of winning, ends included."""

HIGH: Final[Window] = (0.65, 0.80)
"""Window in which it would redouble."""


@dataclass(frozen=True, slots=True, repr=False)
class Game(ShortRepr):
    """The course of a game.

    Attributes
    ----------
    chances : tuple of float
        Chance of winning, without a cube, of the side on roll at each turn; the sides alternate.
    starter_won : bool
        Whether the side with the first turn won.
    """

    chances: tuple[float, ...]
    starter_won: bool

    def sides(self) -> list[tuple[Floats, Floats]]:
        """For each side, the chances at its own turns, and those one round later (1 or 0 at the end)."""
        listed = []
        for side, won in ((0, self.starter_won), (1, not self.starter_won)):
            own = np.array(self.chances[side::2])
            listed.append((own, np.append(own[1:], float(won))[: len(own)]))
        return listed


@dataclass(frozen=True, slots=True)
class JumpStatistics:
    """A set of jumps.

    Attributes
    ----------
    n : int
        Number of jumps.
    mean, standard_deviation, mean_absolute_jump : float
        Mean, standard deviation about the mean, and mean absolute value; NaN if there are no jumps.
    """

    n: int
    mean: float
    standard_deviation: float
    mean_absolute_jump: float


def jump_statistics(jumps: npt.ArrayLike) -> JumpStatistics:
    """Number, mean, standard deviation and mean absolute size of jumps.

    Parameters
    ----------
    jumps : array_like, shape (n,)
        Changes of the chance of winning over full rounds.

    Returns
    -------
    JumpStatistics

    Examples
    --------
    >>> jump_statistics([0.1, -0.1]).mean_absolute_jump
    0.1
    """
    values = np.asarray(jumps, dtype=np.float64)
    if values.size == 0:
        return JumpStatistics(0, np.nan, np.nan, np.nan)
    # As in the paper, the deviation is about the mean; as in the model, the absolute size is about no change.
    return JumpStatistics(values.size, float(values.mean()), float(values.std()), float(np.abs(values).mean()))


def _within(q: Floats, window: Window) -> npt.NDArray[np.bool_]:
    return (q >= window[0] - 1e-12) & (q <= window[1] + 1e-12)


def conditional_jumps(games: Iterable[Game], low: Window = LOW, high: Window = HIGH) -> Floats:
    """Jumps at turns where the game has turned round: the paper's filter for the remote volatility.

    Parameters
    ----------
    games : iterable of Game
    low, high : tuple of two float
        Windows of the chance of winning, ends included.

    Returns
    -------
    float64 ndarray, shape (n,)
        The jump from each of a side's own turns that lies in one window after an earlier own turn in the other window.
        Each of these turns counts once; the paper does not say how it counts repeated visits.

    Notes
    -----
    Higgins, section 2, who finds a mean absolute jump of 0.094, in races 0.148.
    """
    jumps = [np.zeros(0)]
    for game in games:
        for own, later in game.sides():
            lows, highs = _within(own, low), _within(own, high)
            was_low, was_high = (np.concatenate([[False], np.maximum.accumulate(w)[:-1]]) for w in (lows, highs))
            counts = (highs & was_low) | (lows & was_high) if len(own) else np.zeros(0, dtype=bool)
            jumps.append((later - own)[counts])
    return np.concatenate(jumps)


def window_jumps(games: Iterable[Game], low: Window = LOW, high: Window = HIGH) -> Floats:
    """Jumps at all turns within either window: the paper's unconditional average, 0.077.

    Parameters and returned value are as for `conditional_jumps`.
    """
    jumps = [np.zeros(0)]
    for game in games:
        jumps += [(later - own)[_within(own, low) | _within(own, high)] for own, later in game.sides()]
    return np.concatenate(jumps)


# ---- the jumps of recorded games by the chance of winning before them


_MEASURES: Final = ("mean_absolute_jump", "standard_deviation")


@dataclass(frozen=True, slots=True, repr=False)
class Buckets(ShortRepr):
    """Jumps by the chance of winning before them.

    Attributes
    ----------
    edges : float64 ndarray, shape (n + 1,)
        Limits of the buckets, from 0 to 1.
    counts : int64 ndarray, shape (n,)
        Number of jumps in each bucket.
    standard_deviation, mean_absolute_jump : float64 ndarray, shape (n,)
        Statistics of each bucket's jumps; NaN for an empty bucket.
    """

    edges: Floats
    counts: npt.NDArray[np.int64]
    standard_deviation: Floats
    mean_absolute_jump: Floats

    @property
    def centers(self) -> Floats:
        """Middle of each bucket, float64 of shape (n,)."""
        return (self.edges[1:] + self.edges[:-1]) / 2

    def fit(self, width: float = 0.1, measure: str = "standard_deviation") -> VolatilityRamp:
        """Fit the paper's heuristic form: constant in the middle, straight to zero over `width` at both ends.

        Parameters
        ----------
        width : float
            Width of the falling part at each end.
        measure : str
            The statistic to fit: ``"standard_deviation"``, as in figure 6, or ``"mean_absolute_jump"``.

        Returns
        -------
        VolatilityRamp
            The level is that of least squares, every bucket weighted by its number of jumps.

        Raises
        ------
        ArgumentError
            If the measure is unknown or there are no jumps.

        Notes
        -----
        Higgins, version of March 2012, appendix 4, figure 6, which finds a standard deviation of 0.114.
        """
        if not self.counts.sum():
            raise ArgumentError("there are no jumps to fit")
        shape = VolatilityRamp(1.0, width)(self.centers)
        values = np.nan_to_num(getattr(self, as_choice("measure", measure, _MEASURES)))
        level = (self.counts * shape * values).sum() / (self.counts * shape**2).sum()
        return VolatilityRamp(float(level), width)


def bucket_jumps(games: Iterable[Game], n_buckets: int = 20) -> Buckets:
    """Collect the jumps of all turns of both sides by the chance of winning before them.

    Parameters
    ----------
    games : iterable of Game
    n_buckets : int
        Equal parts of [0, 1]; 20 in the paper.  The last one includes 1.

    Returns
    -------
    Buckets
    """
    pairs = [side for game in games for side in game.sides()]
    own = np.concatenate([np.zeros(0), *(pair[0] for pair in pairs)])
    jumps = np.concatenate([np.zeros(0), *(pair[1] - pair[0] for pair in pairs)])
    bucket = np.minimum((own * n_buckets).astype(np.int64), n_buckets - 1)
    statistics = [jump_statistics(jumps[bucket == k]) for k in range(n_buckets)]
    return Buckets(
        np.linspace(0, 1, n_buckets + 1),
        np.array([s.n for s in statistics], dtype=np.int64),
        np.array([s.standard_deviation for s in statistics]),
        np.array([s.mean_absolute_jump for s in statistics]),
    )


# ---- the local volatility of a position, from exact chances after the next two rolls

_ROLL_WEIGHTS: Final = np.array(WEIGHTS) / 36

_PAIR_WEIGHTS: Final = np.outer(_ROLL_WEIGHTS, _ROLL_WEIGHTS)


class RaceDatabase(Protocol):
    """The part of a database that estimates need: chances to win a race."""

    @property
    def space(self) -> PositionSpace:
        """The positions that it holds."""

    def win_probability(self, on_roll: PositionArray, opponent: PositionArray) -> Floats:
        """Chance of winning of the player on roll, for arrays of positions too."""


@dataclass(frozen=True, slots=True, repr=False)
class LocalVolatility(ShortRepr, Generic[V]):
    """The change of the chance of winning in a full round, one roll of each side.

    Attributes
    ----------
    mean : float, or float64 ndarray
        Mean chance of winning after the round.
    standard_deviation, mean_absolute_jump : float, or float64 ndarray
        Of the jump: the first is printed in the paper, the second is the one that defines its model.
    """

    mean: V
    standard_deviation: V
    mean_absolute_jump: V

    def volatility(self, measure: str = "mean_absolute_jump", jumps: str = "gaussian") -> V:
        """Jump volatility for the models.

        Parameters
        ----------
        measure : str
            ``"mean_absolute_jump"``, as it is; or ``"standard_deviation"``, converted for the shape `jumps`.
        jumps : str
            Shape of the jumps, ``"gaussian"`` or ``"double-exponential"``, for the conversion.

        Returns
        -------
        float, or float64 ndarray

        Raises
        ------
        ArgumentError
            If a name is unknown.
        """
        if as_choice("measure", measure, _MEASURES) == "mean_absolute_jump":
            return self.mean_absolute_jump
        converted: V = scalar(from_standard_deviation(self.standard_deviation, jumps))
        return converted


def outcome_volatility(
    outcomes: npt.ArrayLike, start: npt.ArrayLike | None = None
) -> LocalVolatility[float] | LocalVolatility[Floats]:
    """Jump volatility from the chances of winning after every pair of rolls.

    Parameters
    ----------
    outcomes : array_like, shape (..., 21, 21)
        Chance of winning when the player is on roll again (1 or 0 if the game has ended), by their roll and the
        opponent's, both in the order of `bgrace.board.dice.ROLLS`.
    start : float or array_like, optional
        Chance of winning before the jumps; by default the mean of `outcomes`, which removes the bias of an inconsistent
        evaluator.

    Returns
    -------
    LocalVolatility

    Raises
    ------
    ArgumentError
        If the shape is wrong or a chance outside [0, 1].

    Examples
    --------
    >>> pips = np.array([(a + b) * (2 if a == b else 1) for a, b in ROLLS])
    >>> local = outcome_volatility(0.5 + 0.02 * (pips[:, None] - pips[None, :]))
    >>> round(local.mean, 6), round(local.standard_deviation, 6), round(local.mean_absolute_jump, 6)
    (0.5, 0.121564, 0.083827)
    """
    chances = check_probability(outcomes, "outcomes")
    if chances.shape[-2:] != (len(ROLLS), len(ROLLS)):
        raise ArgumentError(f"outcomes of shape {chances.shape}: give one of 21 x 21 rolls, (..., 21, 21)")
    mean = (chances * _PAIR_WEIGHTS).sum(axis=(-2, -1))
    center = mean if start is None else check_probability(start, "start")
    jump = chances - np.asarray(center)[..., None, None]
    deviation = np.sqrt((jump**2 * _PAIR_WEIGHTS).sum(axis=(-2, -1)))
    return LocalVolatility(scalar(mean), scalar(deviation), scalar((np.abs(jump) * _PAIR_WEIGHTS).sum(axis=(-2, -1))))


@lru_cache(maxsize=1 << 14)
def _results(position: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every result of every roll, shape (n, points), and the index of each roll's first result, shape (21,)."""
    listed = [legal_plays(position, roll) for roll in ROLLS]
    starts = np.cumsum([0, *(len(plays) for plays in listed[:-1])])
    return np.array([tuple(play) for plays in listed for play in plays], dtype=np.int64), starts


def _chances(db: RaceDatabase, on_roll: Any, opponent: Any) -> Floats:
    """Chance of winning of the player on roll; 1 if they have finished and 0 if the opponent has."""
    mine, theirs = np.broadcast_arrays(np.asarray(on_roll), np.asarray(opponent))
    me, them = mine.any(axis=-1), theirs.any(axis=-1)
    result = np.where(me, 0.0, 1.0)
    both = me & them
    if both.any():
        result[both] = db.win_probability(mine[both], theirs[both])
    return result


def best_results(db: RaceDatabase, mover: tuple[int, ...], opponent: tuple[int, ...]) -> tuple[Integers, Floats]:
    """Best play of each roll, shape (21, points), and the mover's chance of winning after it, shape (21,)."""
    results, starts = _results(mover)
    after = 1 - _chances(db, np.asarray(opponent), results)
    best = np.maximum.reduceat(after, starts)
    roll = np.repeat(np.arange(len(ROLLS)), np.diff([*starts, len(results)]))
    hits = np.flatnonzero(after == best[roll])
    return results[hits[np.unique(roll[hits], return_index=True)[1]]], best


def _outcomes(db: RaceDatabase, on_roll: tuple[int, ...], opponent: tuple[int, ...]) -> Floats:
    """Chance of winning after every pair of rolls, both sides playing to win; shape (21, 21)."""
    mine, _ = best_results(db, on_roll, opponent)
    theirs, starts = _results(opponent)
    different, which = np.unique(mine, axis=0, return_inverse=True)
    # The opponent chooses the result after which the player, on roll again, has the least chance: 0 if the game ends.
    chances = _chances(db, different[:, None, :], theirs[None, :, :])
    return np.minimum.reduceat(chances, starts, axis=1)[which.reshape(-1)]


@overload
def local_volatility(
    db: RaceDatabase, on_roll: OnePosition, opponent: OnePosition, center: str = ...
) -> LocalVolatility[float]: ...
@overload
def local_volatility(
    db: RaceDatabase, on_roll: Positions, opponent: OnePosition | Positions, center: str = ...
) -> LocalVolatility[Floats]: ...
@overload
def local_volatility(
    db: RaceDatabase, on_roll: OnePosition, opponent: Positions, center: str = ...
) -> LocalVolatility[Floats]: ...
def local_volatility(
    db: RaceDatabase, on_roll: OnePosition | Positions, opponent: OnePosition | Positions, center: str = "mean"
) -> LocalVolatility[Any]:
    """Jump volatility of a race position: every pair of rolls, both sides playing to win without a cube.

    Parameters
    ----------
    db : Database
        From `bgrace.open`.  Within its two-sided table, plays and chances are exact.
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; the two sides broadcast.
    center : str
        ``"mean"``: jumps are differences from the mean after the round.  ``"start"``: from the chance now.

    Returns
    -------
    LocalVolatility
        Of floats, or of float64 ndarrays of the broadcast shape.

    Raises
    ------
    ArgumentError
        If `center` is unknown.
    PositionError
        If a position does not fit the database, or a side has no checker left.

    Notes
    -----
    Of equal plays, that with the smaller index is chosen.  A pair takes about a millisecond.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     local = local_volatility(db, (0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0))    # 27/36 or lose
    >>> round(local.mean, 4), round(local.standard_deviation, 4), round(local.mean_absolute_jump, 4)
    (0.75, 0.433, 0.375)
    """
    as_choice("center", center, ("mean", "start"))
    check_open(db)
    check_sides(on_roll, opponent)
    space = db.space
    mine, theirs = (np.asarray(space.position(space.index(side)), dtype=np.int64) for side in (on_roll, opponent))
    if not (mine.any(axis=-1).all() and theirs.any(axis=-1).all()):
        raise PositionError("a side has no checker left: the game is over and its chances don't move")
    mine, theirs = broadcast(on_roll=mine, opponent=theirs)
    shape = mine.shape[:-1]
    rows = [tuple(side.reshape(-1, side.shape[-1]).tolist()) for side in (mine, theirs)]
    outcomes = np.array([_outcomes(db, tuple(m), tuple(t)) for m, t in zip(*rows, strict=True)])
    start = np.asarray(db.win_probability(mine, theirs)) if center == "start" else None
    return outcome_volatility(outcomes.reshape(*shape, len(ROLLS), len(ROLLS)), start)


# ---- recorded races of a database against itself


def play_races(
    db: RaceDatabase, starts: Sequence[tuple[Sequence[int], Sequence[int]]], n_games: int, seed: int = 0
) -> list[Game]:
    """Let a database play races against itself without a cube.

    Parameters
    ----------
    db : Database
        From `bgrace.open`.
    starts : sequence of pairs of positions
        Positions of the side on roll and of the other; the games begin from them in turn.
    n_games : int
        Number of games.
    seed : int
        Seed of the dice; the same seed gives the same games.

    Returns
    -------
    list of Game
        Each side plays to win.

    Raises
    ------
    PositionError
        If a position does not fit the database, or a side has no checker left.

    Examples
    --------
    >>> import bgrace
    >>> from bgrace.cube.jump import conditional_jumps
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     games = play_races(db, [((0, 0, 2, 0, 1, 1), (0, 0, 2, 0, 1, 1))], 100)
    >>> len(games), conditional_jumps(games).size > 0
    (100, True)
    """
    check_open(db)
    space = db.space
    openings = [tuple(tuple(int(k) for k in space.position(space.index(side))) for side in pair) for pair in starts]
    if not openings or not all(any(side) for pair in openings for side in pair):
        raise PositionError("give at least one pair of positions, both sides with a checker left")
    random = np.random.default_rng(seed)
    rolls = np.repeat(np.arange(len(ROLLS)), WEIGHTS)
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, list[tuple[int, ...]]]] = {}
    games = []
    for number in range(n_games):
        mover, other = openings[number % len(openings)]
        chances: list[float] = []
        while True:
            if (mover, other) not in known:
                best, _ = best_results(db, mover, other)
                chance = float(db.win_probability(np.array(mover), np.array(other)))
                known[mover, other] = chance, [tuple(row) for row in best.tolist()]
            chance, plays = known[mover, other]
            chances.append(chance)
            result = plays[rolls[random.integers(36)]]
            if not any(result):
                break
            mover, other = other, result
        games.append(Game(tuple(chances), len(chances) % 2 == 1))
    return games
