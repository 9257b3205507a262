"""Solve one side of a race on the spot, without a database: only the positions that it can come to."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import bgrace._kernels.one_sided as kernel
from bgrace._base.arrays import Floats
from bgrace._base.limits import DEFAULT_MEMORY, allowed_text, checked_memory, checked_threads, memory_text
from bgrace._kernels.lazy_numpy import np, npt
from bgrace.answers import Gammons, PositionAnswer, Solution, Values
from bgrace.answers.reasons import side_of
from bgrace.board import HOME_POINTS, OnePosition, Position, PositionLike, parse_position
from bgrace.board.dice import MEAN_PIPS, ROLLS, parse_roll
from bgrace.board.plays import Play, RollPlays, legal_plays, rank_plays, results_of
from bgrace.board.position import check_no_contact
from bgrace.board.spaces import space_of
from bgrace.errors import BOTH_FINISHED, CoverageError, MemoryLimitError, PositionError
from bgrace.match.stakes import MONEY_PLACES, Stakes
from bgrace.tables import (
    GAMMON_CHECKERS,
    n_fewer_checkers,
    one_sided_error,
    one_sided_gammons,
    one_sided_win,
    solve_one_sided,
)

_PlaysOf: TypeAlias = Callable[[tuple[int, int]], list[Play]]

_MAX_POSITIONS: Final = 2**31 - 100_000  # csrc/solve/layer.c has int32 slots, also for the home board
_CARRIED_BYTES: Final = 16  # per position, to carry the probability forward
_BESIDE_BYTES: Final = 128 << 20  # for the home board, and the start of carrying


def solve_alone(
    pos: PositionLike,
    roll: str | Iterable[int] | None = None,
    *,
    all_rolls: bool = False,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> PositionAnswer:
    """Solve one side of a race exactly, wherever its checkers are.

    Parameters
    ----------
    pos : position
        One position of up to 15 checkers on up to 24 points.
    roll : str or pair of int, optional
        Dice to play.
    all_rolls : bool
        Whether to list the plays of all 21 rolls, too.
    memory_bytes : int
        The most memory to use.  A solution takes 0.13 GB, and 96 bytes for each position that `pos` can become before a
        checker is off.
    threads : int, optional
        By default one per processor.  The result does not depend on it.

    Returns
    -------
    PositionAnswer
        Computed in float64 throughout.

    Raises
    ------
    MemoryLimitError
        If there are too many positions; the message says how many.
    PositionError
        If `pos` is not a position, or has no checker to play `roll` with.
    RollError
        If `roll` is not a roll.

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
    if (all_rolls or dice is not None) and not position.checkers:
        raise PositionError("there is no checker left to play")
    n_threads, memory_bytes = checked_threads(threads), checked_memory(memory_bytes)
    if any(position[HOME_POINTS:]):
        answer, plays_of = _solve_layer(position, memory_bytes, n_threads)
    else:
        answer, plays_of = _solve_home(position, n_threads)
    plays = None if dice is None else tuple(plays_of(dice))
    rolls = RollPlays({each: plays_of(each) for each in ROLLS}) if all_rolls else None
    return replace(answer, roll=dice, plays=plays, rolls=rolls)


def _solve_layer(position: Position, memory_bytes: int, threads: int) -> tuple[PositionAnswer, _PlaysOf]:
    """Solve a position with checkers outside the home board; also return the function that compares its plays."""
    points = position.highest
    short = np.array(position[:points], dtype=np.int8)
    most = np.ascontiguousarray(np.cumsum(short[::-1])[::-1], dtype=np.int8)
    first = None
    if position.checkers == GAMMON_CHECKERS:
        first = _layer(position, most, True, memory_bytes, threads).distribution()
    layer = _layer(position, most, False, memory_bytes, threads)
    chances = layer.distribution()

    def plays_of(dice: tuple[int, int]) -> list[Play]:
        results = legal_plays(position, dice)
        values = [-MEAN_PIPS * layer.mean(np.array(result[:points], dtype=np.int8)) for result in results]
        return rank_plays(position, dice, results, values)

    mean = layer.mean(short)
    # A sum from first to last has the same bits on every machine; the order of additions in `@` depends on it.
    variance = float(np.cumsum(chances * (np.arange(len(chances)) - mean) ** 2)[-1])
    return PositionAnswer(position, mean, variance, chances, first, positions_solved=layer.size), plays_of


def follow_alone(pos: OnePosition) -> PositionAnswer:
    """Answer for one position wherever its checkers are, in seconds: exactly if that is quick, else turn by turn.

    Turn by turn, each roll is played to the least estimated mean number of rolls, and if there are many positions,
    similar ones are merged: csrc/answer/alone.c.

    Parameters
    ----------
    pos : position
        One position of up to 15 checkers on up to 24 points.

    Returns
    -------
    PositionAnswer
        Its `positions_solved` is 0 if the position was followed turn by turn: then the mean is up to a hundredth of a
        roll too high in long races.  There is no distribution of the first checker.

    Raises
    ------
    PositionError
        If `pos` is not a position.

    Examples
    --------
    >>> answer = follow_alone("24x2 13x5 8x3 6x5")      # how a game begins, alone on the board
    >>> answer.positions_solved, 20 < answer.mean_rolls < 22
    (0, True)
    """
    position = parse_position(pos)
    mean, variance, n_solved, chances = side_of(position)
    return PositionAnswer(position, mean, variance, chances, positions_solved=n_solved)


_AnswerOfSide: TypeAlias = Callable[[Position], PositionAnswer]


def known_alone(known: _AnswerOfSide, side: Position, follow: _AnswerOfSide = follow_alone) -> PositionAnswer:
    """Answer for one side by `known`, such as `alone` of a database, or by `follow` if that does not have the side."""
    try:
        return known(side)
    except CoverageError:
        return follow(side)


def estimate(on_roll: PositionAnswer, opponent: PositionAnswer) -> Solution:
    """Estimate the chance to win from the answers for both sides, each by itself.

    Parameters
    ----------
    on_roll, opponent : PositionAnswer
        From `solve_alone`, or from a file.

    Returns
    -------
    Solution
        For money, without a cube; the method is ``"one-sided"``.

    Raises
    ------
    PositionError
        If both sides have finished, or they still have contact.

    Examples
    --------
    >>> solution = estimate(solve_alone("13x2 6x3"), solve_alone("11x2 6x3"))
    >>> round(solution.win_probability, 4), solution.method
    (0.5033, 'one-sided')
    """
    sides = (on_roll.position, opponent.position)
    if not (sides[0].checkers or sides[1].checkers):
        raise PositionError(BOTH_FINISHED)
    check_no_contact(*sides)
    return Solution(*sides, Stakes.money(), _OneSidedPair(on_roll, opponent))


class _OneSidedPair:
    """Answers about a pair whose sides are solved by themselves: a `PairAnswers`."""

    def __init__(self, mine: PositionAnswer, theirs: PositionAnswer) -> None:
        self._mine, self._theirs = mine, theirs

    def now(self) -> Values:
        return self._values(array("d", [2 * self.win_probability() - 1]))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        theirs = self._theirs.roll_distribution
        wins = [float(one_sided_win(theirs, solve_alone(each).roll_distribution)) for each in results]
        return self._values(2 * np.array(wins)[:, np.newaxis] - 1)

    def win_probability(self) -> float:
        return float(one_sided_win(self._mine.roll_distribution, self._theirs.roll_distribution))

    def gammons(self) -> Gammons:
        rolls = (self._mine.roll_distribution, self._theirs.roll_distribution)
        firsts = (self._mine.first_checker_distribution, self._theirs.first_checker_distribution)
        return Gammons(*one_sided_gammons(*rolls, *firsts), None, None, "one-sided")

    def _values(self, rows: array[float] | Floats) -> Values:
        error = one_sided_error(self._mine.variance_rolls + self._theirs.variance_rolls)
        missing = "equities with a cube need both sides solved as a pair, without --one-sided"
        return Values(rows, {"none": MONEY_PLACES["none"]}, "one-sided", error, missing=missing)


def _layer(
    position: Position, most: npt.NDArray[np.int8], first_checker: bool, memory_bytes: int, threads: int
) -> kernel.Layer:
    home = kernel.Home(position.checkers, position.checkers if first_checker else 1, threads)
    size = home.layer_size(most)
    needed = _BESIDE_BYTES + size * (kernel.slot_bytes() + _CARRIED_BYTES)
    if needed > memory_bytes or size > _MAX_POSITIONS:
        remedy = "allow more, or" if size <= _MAX_POSITIONS else f"{_MAX_POSITIONS:,} at most can be solved:"
        raise MemoryLimitError(
            f"{position} can become {size:,} positions before a checker comes off, which takes "
            f"{memory_text(needed)}; {allowed_text(memory_bytes)}: {remedy} take a position "
            "nearer home"
        )
    return kernel.Layer(home, most, False, threads)


def _solve_home(position: Position, threads: int) -> tuple[PositionAnswer, _PlaysOf]:
    """Solve a position of the home board; also return the function that compares its plays."""
    # It solves all positions of up to as many checkers: 54,264 at most, which is quick.
    space = space_of(min(position.points, HOME_POINTS), max(position.checkers, 1))
    table = solve_one_sided(space, threads)
    index = space.index(position)
    first = None
    if position.checkers == GAMMON_CHECKERS and table.first_checker_distribution is not None:
        first = np.trim_zeros(table.first_checker_distribution[index - n_fewer_checkers(space, GAMMON_CHECKERS)], "b")

    def plays_of(dice: tuple[int, int]) -> list[Play]:
        ends, results = results_of(space, index, dice)
        return rank_plays(position, dice, results, (-table.epc[ends]).tolist())

    mean, variance = float(table.mean_rolls[index]), float(table.variance_rolls[index])
    chances = np.trim_zeros(table.roll_distribution[index], "b")
    return PositionAnswer(position, mean, variance, chances, first, positions_solved=len(space)), plays_of
