"""Single checkers moved or borne off, for all positions at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.board.spaces import PositionSpace

__all__ = ["Indices", "Moves", "all_borne_off", "best_of_die", "best_value", "value_of"]

Indices = npt.NDArray[np.int64]


class Moves:
    """What single dice do to every position of a space, as arrays of indices; -1 where a move can't be made."""

    def __init__(self, space: PositionSpace) -> None:
        n = len(space)
        self.space = space
        self.counts: Indices = space.position(np.arange(n)).astype(np.int64)
        self.checkers: Indices = self.counts.sum(axis=1)
        points = np.arange(1, space.points + 1)
        self.pips: Indices = self.counts @ points
        self.highest: Indices = (points * (self.counts > 0)).max(axis=1)
        self.off: dict[int, Indices] = {die: self._borne_off(die) for die in range(1, 7)}
        # By die and source point: every result.  Bearing off is the last one.
        self.results: dict[int, list[Indices]] = {
            die: [self._moved(np.full(n, point), die) for point in range(die + 1, space.points + 1)] + [self.off[die]]
            for die in range(1, 7)
        }

    def _borne_off(self, die: int) -> Indices:
        """Bear a checker off: from the point of the die, or from the highest if that is nearer."""
        source = np.minimum(die, np.maximum(self.highest, 1))
        return self._moved(source, die)

    def _moved(self, source: Indices, die: int) -> Indices:
        rows = np.flatnonzero(self.counts[np.arange(len(source)), source - 1] > 0)
        after = self.counts[rows]
        after[np.arange(len(rows)), source[rows] - 1] -= 1
        target = source[rows] - die
        stays = np.flatnonzero(target > 0)
        after[stays, target[stays] - 1] += 1
        result = np.full(len(source), -1)
        result[rows] = self.space.index(after)
        return result


def follow(first: Indices, then: Indices) -> Indices:
    """Make one move after another; -1 where either can't be made."""
    return np.where(first >= 0, then[first], -1)


def value_of(values: Floats, index: Indices) -> Floats:
    """Look up values; infinite where a move can't be made."""
    return np.where(index >= 0, values[index], np.inf)


def all_borne_off(moves: Moves, roll: tuple[int, int], values: Floats) -> Indices:
    """Best result of bearing off with every die, -1 where that can't be done."""
    a, b = roll
    if a == b:
        result = np.arange(len(values))
        for _ in range(4):
            result = follow(result, moves.off[a])
        return result
    one, other = follow(moves.off[a], moves.off[b]), follow(moves.off[b], moves.off[a])
    return np.where(value_of(values, one) <= value_of(values, other), one, other)


def best_value(moves: Moves, roll: tuple[int, int], values: Floats) -> Floats:
    """Least of `values` over all results of a roll; 0 rolls on the empty board."""
    a, b = roll
    value = values
    if a == b:
        for _ in range(4):
            value = best_of_die(moves, a, value)
        return value
    return np.minimum(
        best_of_die(moves, a, best_of_die(moves, b, values)), best_of_die(moves, b, best_of_die(moves, a, values))
    )


def best_of_die(moves: Moves, die: int, values: Floats) -> Floats:
    """Least of `values` over all results of a die."""
    least: Floats = np.min([value_of(values, result) for result in moves.results[die]], axis=0)
    least[0] = values[0]
    return least
