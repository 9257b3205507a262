"""What decisions by values that are off lose: verdicts of the cube, and plays.

A loss is the exact value of the best choice less that of the one which is best by other values, in points per unit of
the cube, for money.  Values are those of tables of pairs, in steps: see `bgrace.tables.two_sided`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.plays import results_of
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import CUBES
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Stakes
from bgrace.tables.two_sided import Plane, two_sided_order

__all__ = ["Losses", "Rolls", "Tally", "Values", "verdict_losses", "worth_of_moving"]

Values = npt.NDArray[np.int16]

_CHANCES: Final = np.array(WEIGHTS) / 36


def verdict_losses(
    exact: Mapping[Plane, Values], found: Mapping[Plane, Values], scale: float
) -> tuple[float, float, float]:
    """What doubling, redoubling and taking by other values costs in the mean: points per unit of the cube."""
    true, seen = ({p: v[p] / scale for p in (Plane.MINE, Plane.CENTERED, Plane.THEIRS)} for v in (exact, found))
    losses = []
    turned = {name: np.minimum(2 * one[Plane.THEIRS], 1) for name, one in (("true", true), ("seen", seen))}
    for plane in (Plane.CENTERED, Plane.MINE):
        wrong = (turned["seen"] > seen[plane]) != (turned["true"] > true[plane])
        losses.append(float((wrong * np.abs(turned["true"] - true[plane])).mean()))
    wrong = (2 * seen[Plane.THEIRS] > 1) != (2 * true[Plane.THEIRS] > 1)
    losses.append(float((wrong * np.abs(2 * true[Plane.THEIRS] - 1)).mean()))
    return losses[0], losses[1], losses[2]


def worth_of_moving(values: Mapping[Plane, Values], scale: float) -> Floats:
    """What pairs are worth to who has just moved, as `bgrace.Solution.best_plays` has it.

    Parameters
    ----------
    values : mapping of Plane to int16 ndarray
        Of the opponent, who is on roll now and may double first if the cube is theirs to turn.
    scale : float
        Steps per point.

    Returns
    -------
    float64 ndarray, shape (4, ...)
        For each of `CUBES`, where the cube is for who has moved.
    """
    rows, worth = np.stack([values[plane] for plane in SEEN_BY_OTHER], axis=-1) / scale, Stakes.money().kernel.worth
    flat = rows.reshape(-1, rows.shape[-1])
    return np.array([worth(MONEY_PLACES[cube], flat).reshape(rows.shape[:-1]) for cube in CUBES])


@dataclass(frozen=True, slots=True, eq=False)
class Rolls:
    """The results of every roll of some positions.

    Attributes
    ----------
    ranks : int64 ndarray
        Of each result, in the order of tables of pairs; position by position, and of each by the order of `ROLLS`.
    lengths : int64 ndarray, shape (positions, rolls)
        How many results each roll has.
    """

    ranks: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def of(cls, space: PositionSpace, ranks: npt.NDArray[np.int64]) -> Rolls:
        """Play every roll of the positions of these ranks."""
        order = two_sided_order(space)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        found = [results_of(space, index, roll)[0] for index in order[ranks].tolist() for roll in ROLLS]
        lengths = np.array([len(results) for results in found], np.int64).reshape(len(ranks), len(ROLLS))
        return cls(rank[np.concatenate([np.array(results, np.int64) for results in found])], lengths)

    def losses(self, exact: Floats, found: Floats) -> Floats:
        """What choosing by other values loses.

        Parameters
        ----------
        exact, found : float64 ndarray, shape (..., results)
            What each result is worth to who moves there.  That of a game which is over is known, whatever is found.

        Returns
        -------
        float64 ndarray, shape (..., positions, rolls)
        """
        lengths = self.lengths.reshape(-1)
        starts = np.cumsum(lengths) - lengths
        seen = np.where(self.ranks == 0, exact, found)
        best = np.maximum.reduceat(exact, starts, axis=-1)
        taken = np.empty_like(best)
        tops = np.maximum.reduceat(seen, starts, axis=-1)
        for place in np.ndindex(best.shape[:-1]):
            # Of plays that are worth the same the first is chosen, as `best_plays` does.
            highest = np.flatnonzero(seen[place] == np.repeat(tops[place], lengths))
            taken[place] = exact[place][highest[np.searchsorted(highest, starts)]]
        return (best - taken).reshape(*best.shape[:-1], *self.lengths.shape)


class Losses(NamedTuple):
    """What plays lose, by place of the cube, as `CUBES` has them: per decision, a roll by its chance.

    Attributes
    ----------
    mean, error : float64 ndarray
        And the standard error of the mean, by opponents and by positions on roll.
    worse : float64 ndarray
        Share of the rolls in which a play is chosen that is not one of the best.
    greatest : float64 ndarray
    """

    mean: Floats
    error: Floats
    worse: Floats
    greatest: Floats


class Tally:
    """Adds up what plays lose, the same number of positions against each of some opponents, or single pairs."""

    def __init__(self) -> None:
        self._means: list[Floats] = []
        self._worse: list[Floats] = []
        self._greatest: list[Floats] = []

    def add(self, losses: Floats) -> None:
        """Add losses of shape (cubes, positions, rolls): those against one opponent, or all of single pairs."""
        self._means.append(losses @ _CHANCES)
        self._worse.append(((losses > 0) @ _CHANCES).mean(axis=1))
        self._greatest.append(losses.max(axis=(1, 2)))

    def losses(self) -> Losses:
        """What it comes to."""
        means = np.array(self._means)  # opponents, cubes, positions
        variance = _variance_of_mean(means.mean(axis=0).T) + _variance_of_mean(means.mean(axis=2))
        return Losses(
            means.mean(axis=(0, 2)),
            np.sqrt(variance),
            np.mean(self._worse, axis=0),
            np.max(self._greatest, axis=0),
        )


def _variance_of_mean(values: Floats) -> Floats:
    """Of the mean of rows; nothing can be said from one, and none is added."""
    found: Floats = values.var(axis=0, ddof=1) / len(values) if len(values) > 1 else np.zeros(values.shape[1])
    return found
