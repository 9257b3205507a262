"""Pairs of positions solved slowly, straight from the rules: every play, plane by plane."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from bgrace.board import Position
from bgrace.board.dice import ROLLS
from bgrace.board.plays import legal_plays

Floats = npt.NDArray[np.float64]


def how_lost(loser: Position) -> int:
    """0: singly, 1: a gammon, 2: a backgammon."""
    if loser.checkers < 15:
        return 0
    return 2 if loser.highest >= 19 else 1


def solve(on_roll: Position, opponent: Position, planes: Floats) -> Floats:
    """Values of rolling now by plane, (planes,); planes as `Answer.planes` has them."""

    @cache
    def rolling(side: int, mine: Position, theirs: Position) -> tuple[float, ...]:
        total = np.zeros(len(planes))
        for roll in ROLLS:
            worth = np.array([moved(side, result, theirs) for result in legal_plays(mine, roll)])
            total += (1 if roll[0] == roll[1] else 2) * worth.max(axis=0)
        return tuple(total / 36)

    @cache
    def moved(side: int, result: Position, theirs: Position) -> tuple[float, ...]:
        if not result.checkers:
            return tuple(planes[:, side, how_lost(theirs)])
        now, other = np.array(rolling(1 - side, theirs, result)), 1 - side
        best = now.copy()
        for k, (_, _, _, turned, factor, beaver, offset, passed) in enumerate(planes[:, other]):
            if turned >= 0:
                taken = min(factor * now[int(turned)], beaver * now[int(turned)]) + offset
                best[k] = max(now[k], min(taken, passed))
        return tuple(-best)

    return np.array(rolling(0, on_roll, opponent))
