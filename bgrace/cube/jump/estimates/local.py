"""The local volatility of a position, from exact chances after the next two rolls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Integers, Summarised, scalar
from bgrace.board import OnePosition, PositionArray, Positions
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.plays import legal_plays
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import V
from bgrace.cube.jump.distributions import from_standard_deviation
from bgrace.cube.model import check_probability
from bgrace.errors import ArgumentError, PositionError

__all__ = ["LocalVolatility", "RaceDatabase", "best_results", "local_volatility", "outcome_volatility"]

_ROLL_WEIGHTS: Final = np.array(WEIGHTS) / 36

_PAIR_WEIGHTS: Final = np.outer(_ROLL_WEIGHTS, _ROLL_WEIGHTS)


class RaceDatabase(Protocol):
    """What is asked of a database: how likely the player on roll is to win a race."""

    @property
    def space(self) -> PositionSpace:
        """The positions that it holds."""

    def win_probability(self, on_roll: PositionArray, opponent: PositionArray) -> Floats:
        """Chance of winning of the player on roll, for arrays of positions too."""


@dataclass(frozen=True, slots=True, repr=False)
class LocalVolatility(Summarised, Generic[V]):
    """How far the chance of winning moves in a full round, one roll of each side.

    Attributes
    ----------
    mean : float, or float64 ndarray
        Mean chance of winning after the round.
    standard_deviation, mean_absolute_jump : float, or float64 ndarray
        Of the jump: the first is what the paper prints, the second what its model is defined by.
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
        if measure == "mean_absolute_jump":
            return self.mean_absolute_jump
        if measure == "standard_deviation":
            converted: V = scalar(from_standard_deviation(self.standard_deviation, jumps))
            return converted
        raise ArgumentError(f"measure={measure!r} is unknown: use mean_absolute_jump or standard_deviation")


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
        Chance of winning now, to count jumps from; the mean of `outcomes` if not given, which removes the bias of an
        evaluator that contradicts itself.

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
    """Every result of every roll, shape (n, points), and where each roll's begin, shape (21,)."""
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
    after[~results.any(axis=-1)] = 1.0  # the last checker is off
    best = np.maximum.reduceat(after, starts)
    roll = np.repeat(np.arange(len(ROLLS)), np.diff([*starts, len(results)]))
    hits = np.flatnonzero(after == best[roll])
    return results[hits[np.unique(roll[hits], return_index=True)[1]]], best


def _outcomes(db: RaceDatabase, on_roll: tuple[int, ...], opponent: tuple[int, ...]) -> Floats:
    """Chance of winning after every pair of rolls, both sides playing to win; shape (21, 21)."""
    mine, _ = best_results(db, on_roll, opponent)
    theirs, starts = _results(opponent)
    different, which = np.unique(mine, axis=0, return_inverse=True)
    # The opponent moves to where the player, on roll again, is least likely to win; ending the game is best of all.
    chances = _chances(db, different[:, None, :], theirs[None, :, :])
    chances[:, ~theirs.any(axis=-1)] = 0.0
    chances[~different.any(axis=-1)] = 1.0
    least: Floats = np.minimum.reduceat(chances, starts, axis=1)[which.reshape(-1)]
    return least


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
        What `bgrace.open` returns.  Where its two-sided table reaches, plays and chances are exact.
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; the two sides broadcast.
    center : str
        ``"mean"``: jumps are counted from the mean after the round.  ``"start"``: from the chance now.

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
    Plays that tie are settled by the smaller index.  About a millisecond a pair.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     local = local_volatility(db, (0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0))    # 27/36 or lose
    >>> round(local.mean, 4), round(local.standard_deviation, 4), round(local.mean_absolute_jump, 4)
    (0.75, 0.433, 0.375)
    """
    if center not in ("mean", "start"):
        raise ArgumentError(f"center={center!r} is unknown: use 'mean' or 'start'")
    space = db.space
    mine, theirs = (np.asarray(space.position(space.index(side)), dtype=np.int64) for side in (on_roll, opponent))
    if not (mine.any(axis=-1).all() and theirs.any(axis=-1).all()):
        raise PositionError("a side has no checker left: the game is over and its chances don't move")
    mine, theirs = np.broadcast_arrays(mine, theirs)
    shape = mine.shape[:-1]
    rows = [tuple(side.reshape(-1, side.shape[-1]).tolist()) for side in (mine, theirs)]
    outcomes = np.array([_outcomes(db, tuple(m), tuple(t)) for m, t in zip(*rows, strict=True)])
    start = np.asarray(db.win_probability(mine, theirs)) if center == "start" else None
    return outcome_volatility(outcomes.reshape(*shape, len(ROLLS), len(ROLLS)), start)
