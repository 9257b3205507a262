"""Playing the games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from bgrace import rollout
from bgrace._base.arrays import Floats
from bgrace._base.progress import Progress
from bgrace.board import Position
from bgrace.errors import ArgumentError
from bgrace.studies import initial_positions
from bgrace.studies.played_races.results import (
    GAMES,
    LEADS,
    PAIRS,
    PIPS,
    SEED,
    SHAPES,
    BoardRaces,
    Chances,
    Played,
)
from bgrace.tables.one_sided import one_sided_win

__all__ = ["play"]


def play(
    games: int = GAMES, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> BoardRaces:
    """Play the races.

    Parameters
    ----------
    games : int
        Of each position and of each pair, 2 or more; in all about 1700 times as many.
    seed : int
        0 or more; it and the next ones are used, each for one position or pair.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.
    progress : callable, optional
        Called with the positions and pairs that are done, and with their number.

    Returns
    -------
    BoardRaces

    Raises
    ------
    ArgumentError
        If `games` or `seed` cannot be used.

    Notes
    -----
    RBM, sections 3.2 and 3.3: positions of each pip count alone; and in pairs the player on roll with 60, 70, ..., 130
    pips against 10 fewer to 30 more.

    Examples
    --------
    >>> from bgrace.studies.played_races import PRINTED
    >>> races = play(games=100)
    >>> bool(abs(races.alone["base"].fit("mean", 70).slope - PRINTED["mean"].slope) < 0.003)
    True
    """
    if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or games < 2:
        raise ArgumentError(f"games={games!r} cannot be used: give a whole number of at least 2")
    boards = {shape: {pips: _MAKERS[shape](pips) for pips in _PIPS[shape]} for shape in SHAPES}
    cells = [(k, n) for k in range(len(PIPS)) for n in range(len(LEADS))]
    total, done = sum(map(len, boards.values())) + len(PAIRS) * len(cells), 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    alone = {}
    for shape, positions in boards.items():
        rolled = []
        for position in positions.values():
            # Dice of its own for each, so that errors are independent.
            rolled.append(rollout.one_player(position, games, seed + done, threads=threads))
            step()
        distribution = np.zeros((len(rolled), max(len(each.distribution) for each in rolled)))
        for row, each in zip(distribution, rolled, strict=True):
            row[: len(each.distribution)] = each.distribution
        alone[shape] = Played(
            np.array(list(positions)),
            games,
            np.array([each.adjusted_mean for each in rolled]),
            np.array([each.adjusted_standard_error for each in rolled]),
            np.array([each.variance for each in rolled]),
            np.array([each.variance_standard_error for each in rolled]),
            distribution,
        )
    chances = {}
    for own, other in PAIRS:
        win, error = np.full((2, len(PIPS), len(LEADS)), np.nan)
        for k, n in cells:
            x, y = PIPS[k], PIPS[k] + LEADS[n]
            if x in boards[own] and y in boards[other]:
                played = rollout.two_player(boards[own][x], boards[other][y], games, seed + done, threads=threads)
                win[k, n], error[k, n] = played.adjusted_win_probability, played.adjusted_standard_error
            step()
        x_all = np.array(PIPS)[:, np.newaxis]
        rolls = alone[own].rows(x_all), alone[other].rows(x_all + np.array(LEADS))
        chances[own, other] = Chances(win, error, one_sided_win(*_same_width(*rolls)))
    return BoardRaces(games, seed, alone, chances)


_MAKERS: Final[dict[str, Callable[[int], Position]]] = {
    "base": initial_positions.base,
    "extra crossover": initial_positions.extra_crossovers,
    "two extra crossovers": lambda pips: initial_positions.extra_crossovers(pips, 2),
    "gap": initial_positions.gap,
}

_PIPS: Final = {
    shape: initial_positions.PIPS if shape == "base" else initial_positions.VARIANT_PIPS for shape in SHAPES
}


def _same_width(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    width = max(left.shape[-1], right.shape[-1])
    wide = [
        np.concatenate([side, np.zeros((*side.shape[:-1], width - side.shape[-1]))], axis=-1) for side in (left, right)
    ]
    return wide[0], wide[1]
