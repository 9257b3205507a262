"""Races played to be recorded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube.jump.estimates.local import RaceDatabase, best_results
from bgrace.cube.jump.estimates.recorded import Game
from bgrace.errors import PositionError

__all__ = ["play_races"]


def play_races(
    db: RaceDatabase, starts: Sequence[tuple[Sequence[int], Sequence[int]]], n_games: int, seed: int = 0
) -> list[Game]:
    """Let a database play races against itself without a cube.

    Parameters
    ----------
    db : Database
        What `bgrace.open` returns.
    starts : sequence of pairs of positions
        Positions of the side on roll and of the other; the games begin from them in turn.
    n_games : int
        How many to play.
    seed : int
        Of the dice; the same seed gives the same games.

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
    >>> with bgrace.open("data/small.h5") as db:
    ...     games = play_races(db, [((0, 0, 2, 0, 1, 1), (0, 0, 2, 0, 1, 1))], 100)
    >>> len(games), conditional_jumps(games).size > 0
    (100, True)
    """
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
