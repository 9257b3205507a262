"""One side of a race, solved on the spot: only what the position can come to, and no database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

import bgrace._kernels.layer as kernel
from bgrace._base.memory import checked_memory, memory_text
from bgrace._kernels.threads import how_many
from bgrace.board import HOME_POINTS, Position, parse_position
from bgrace.board.dice import MEAN_PIPS, parse_roll
from bgrace.board.plays import Play, legal_plays, rank_plays
from bgrace.board.spaces import PositionLike, space_of
from bgrace.errors import MemoryLimitError, PositionError
from bgrace.tables.one_sided import n_fewer_checkers, solve_one_sided
from bgrace.tables.two_sided import GAMMON_CHECKERS

__all__ = ["DEFAULT_MEMORY", "AloneSolution", "solve_alone"]

DEFAULT_MEMORY: Final = 8 << 30
"""Bytes that a solution may use unless something else is asked for."""

_MOST_POSITIONS: Final = 2**31 - 100_000  # slots of csrc/solve/layer.c are int32, and some are those of the home board
_CARRIED_BYTES: Final = 16  # a position, where the probability may come by
_BESIDE_BYTES: Final = 128 << 20  # the home board, and what carries the probability


@dataclass(frozen=True, slots=True)
class AloneSolution:
    """One side of a race, each roll played to lower the mean number of rolls most.

    Attributes
    ----------
    position : Position
    positions_solved : int
        How many positions that took.
    mean_rolls, variance_rolls : float
        Of the number of rolls until the last checker is off.
    roll_distribution : float64 ndarray, shape (width,)
        Chance of being off in exactly 0, 1, ..., width - 1 rolls.
    first_checker_distribution : float64 ndarray, or None
        Chance that the first checker comes off on exactly roll 0, 1, ..., played to lower the mean of that number
        most; None unless there are 15.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, compared by the expected pip count left, best first; None without a roll.
    """

    position: Position
    positions_solved: int
    mean_rolls: float
    variance_rolls: float
    roll_distribution: npt.NDArray[np.float64]
    first_checker_distribution: npt.NDArray[np.float64] | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None

    @property
    def epc(self) -> float:
        """Expected pip count: mean rolls times 49/6."""
        return self.mean_rolls * MEAN_PIPS


def solve_alone(
    pos: PositionLike,
    roll: str | Iterable[int] | None = None,
    *,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> AloneSolution:
    """Solve one side of a race exactly, wherever its checkers are.

    Parameters
    ----------
    pos : position
        One position of up to 15 checkers on up to 24 points.
    roll : str or pair of int, optional
        Dice to play.
    memory_bytes : int
        The most memory to use: 96 bytes for each position that `pos` can become before a checker comes off.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    AloneSolution
        In float64 throughout.

    Raises
    ------
    MemoryLimitError
        If there are too many such positions; the message says how many.
    PositionError
        If `pos` is no position, or has no checker to play `roll` with.
    RollError
        If `roll` is no roll.

    Notes
    -----
    Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.

    Examples
    --------
    >>> solution = solve_alone("13x2 8x3 6x1", "65")
    >>> round(solution.epc, 4), solution.positions_solved, solution.plays[0].play
    (62.6862, 10514, '13/7 8/3')
    """
    position = parse_position(pos)
    dice = None if roll is None else parse_roll(roll)
    if dice is not None and not position.checkers:
        raise PositionError("there is no checker left to play")
    n_threads, memory_bytes = how_many(threads), checked_memory(memory_bytes)
    if not any(position[HOME_POINTS:]):
        return _solve_home(position, dice, n_threads)
    points = position.highest
    short = np.array(position[:points], dtype=np.int8)
    most = np.ascontiguousarray(np.cumsum(short[::-1])[::-1], dtype=np.int8)
    first = None
    if position.checkers == GAMMON_CHECKERS:
        first = _layer(position, most, True, memory_bytes, n_threads).distribution()
    layer = _layer(position, most, False, memory_bytes, n_threads)
    chances = layer.distribution()
    plays = None
    if dice is not None:
        results = legal_plays(position, dice)
        worth = [-MEAN_PIPS * layer.mean(np.array(result[:points], dtype=np.int8)) for result in results]
        plays = tuple(rank_plays(position, dice, results, np.array(worth)))
    mean = layer.mean(short)
    variance = float(chances @ (np.arange(len(chances)) - mean) ** 2)
    return AloneSolution(position, layer.size, mean, variance, chances, first, dice, plays)


def _layer(
    position: Position, most: npt.NDArray[np.int8], first_checker: bool, memory_bytes: int, threads: int
) -> kernel.Layer:
    home = kernel.Home(position.checkers, position.checkers if first_checker else 1, threads)
    size = home.layer_size(most)
    needed = _BESIDE_BYTES + size * (kernel.slot_bytes(False) + _CARRIED_BYTES)
    if needed > memory_bytes or size > _MOST_POSITIONS:
        remedy = "allow more, or" if size <= _MOST_POSITIONS else f"{_MOST_POSITIONS:,} at most can be solved:"
        raise MemoryLimitError(
            f"{position} can become {size:,} positions before a checker comes off, which takes "
            f"{memory_text(needed)}; {memory_text(memory_bytes)} are allowed: {remedy} take a position "
            "nearer home"
        )
    return kernel.Layer(home, most, False, threads)


def _solve_home(position: Position, dice: tuple[int, int] | None, threads: int) -> AloneSolution:
    # All positions of so many checkers: 54,264 at most, which takes no time.
    space = space_of(min(position.points, HOME_POINTS), max(position.checkers, 1))
    table = solve_one_sided(space, threads)
    index = space.index(position)
    first = None
    if position.checkers == GAMMON_CHECKERS and table.first_checker_distribution is not None:
        first = np.trim_zeros(table.first_checker_distribution[index - n_fewer_checkers(space, GAMMON_CHECKERS)], "b")
    plays = None
    if dice is not None:
        results = legal_plays(position, dice)
        plays = tuple(rank_plays(position, dice, results, -table.epc[[space.index(result) for result in results]]))
    return AloneSolution(
        position,
        len(space),
        float(table.mean_rolls[index]),
        float(table.variance_rolls[index]),
        np.trim_zeros(table.roll_distribution[index], "b"),
        first,
        dice,
        plays,
    )
