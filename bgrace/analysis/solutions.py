"""What is known without a database: of pairs that were solved, and of sides solved one by one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bgrace.analysis.results import MatchAnalysis, PairAnalysis, PositionAnalysis
from bgrace.board.contact import check_no_contact
from bgrace.board.dice import parse_roll
from bgrace.board.spaces import PositionLike, space_of
from bgrace.cube.action import check_cube
from bgrace.errors import PositionError
from bgrace.match.exact import MatchSolution
from bgrace.solving.alone import DEFAULT_MEMORY, solve_alone
from bgrace.solving.money import Solution
from bgrace.tables.one_sided import one_sided_win

__all__ = ["describe_alone", "describe_match_solution", "describe_race", "describe_solution"]


def describe_solution(
    solution: Solution, roll: str | Iterable[int] | None = None, *, cube: str = "centered"
) -> PairAnalysis:
    """Everything about two positions that were solved without a database.

    Parameters
    ----------
    solution : Solution
    roll : str or pair of int, optional
        Dice to play.
    cube : str
        ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.

    Returns
    -------
    PairAnalysis

    Raises
    ------
    ArgumentError
        If `cube` is unknown.
    RollError
        If `roll` is no roll.

    Examples
    --------
    >>> from bgrace.solving.money import solve
    >>> answer = describe_solution(solve("6x1", "1x1"), "61")
    >>> answer.method, answer.win_probability, answer.on_roll.mean_rolls, str(answer.plays[0])
    ('solved', 0.75, 1.25, '6/off: +1.0000')
    """
    where = check_cube(cube)
    dice = None if roll is None else parse_roll(roll)
    return PairAnalysis(
        on_roll=describe_alone(solution.on_roll),
        opponent=describe_alone(solution.opponent),
        win_probability=solution.win_probability,
        method="solved",
        cube=where,
        equities=solution.equities,
        cube_action=solution.cube_action(where),
        roll=dice,
        plays=None if dice is None else tuple(solution.best_plays(dice, where)),
        plays_method=None if dice is None else "solved",
    )


def describe_match_solution(
    solution: MatchSolution, roll: str | Iterable[int] | None = None, *, cube: str | None = None
) -> MatchAnalysis:
    """Everything about two positions that were solved at a match score.

    Parameters
    ----------
    solution : MatchSolution
    roll : str or pair of int, optional
        Dice to play.
    cube : str, optional
        As for `bgrace.match.MatchSolution.cube_action`.

    Returns
    -------
    MatchAnalysis

    Raises
    ------
    ArgumentError
        If `cube` is unknown, or a cube of this value cannot be there.
    RollError
        If `roll` is no roll.

    Examples
    --------
    >>> from bgrace.match import Score
    >>> from bgrace.solving.money import solve
    >>> answer = describe_match_solution(solve("6x1", "1x1", match=Score(3, 5)), "61")
    >>> answer.cube_action.verdict, answer.plays[0].play, answer.to_dict()["match"]["table"]
    ('double/pass', '6/off', 'Kazaross XG2')
    """
    dice = None if roll is None else parse_roll(roll)
    return MatchAnalysis(
        PairAnalysis(
            on_roll=describe_alone(solution.on_roll),
            opponent=describe_alone(solution.opponent),
            win_probability=solution.win_probability,
            method=solution.method,
            cube="none",
        ),
        solution,
        solution.cube_action(cube),
        dice,
        None if dice is None else tuple(solution.best_plays(dice, cube)),
    )


def describe_alone(
    pos: PositionLike,
    roll: str | Iterable[int] | None = None,
    *,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> PositionAnalysis:
    """Everything about one position, solved without a database.

    Parameters
    ----------
    pos, roll, memory_bytes, threads
        As for `bgrace.solving.alone.solve_alone`.

    Returns
    -------
    PositionAnalysis

    Raises
    ------
    MemoryLimitError
        If it leads to too many positions.
    PositionError
        If `pos` is no position, or has no checker to play `roll` with.
    RollError
        If `roll` is no roll.

    Examples
    --------
    >>> round(describe_alone("13x1 6x1").epc, 4)
    24.2791
    """
    found = solve_alone(pos, roll, memory_bytes=memory_bytes, threads=threads)
    position, first = found.position, found.first_checker_distribution
    return PositionAnalysis(
        position=position,
        index=space_of(position.points, max(position.checkers, 1)).index(position),
        epc=found.epc,
        mean_rolls=found.mean_rolls,
        variance_rolls=found.variance_rolls,
        roll_distribution=tuple(found.roll_distribution.tolist()),
        first_checker_distribution=None if first is None else tuple(first.tolist()),
        roll=found.roll,
        plays=found.plays,
    )


def describe_race(
    on_roll: PositionLike,
    opponent: PositionLike,
    *,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> PairAnalysis:
    """Both sides of a race that is too long to be solved as a pair: each alone, and the estimate that follows.

    Parameters
    ----------
    on_roll, opponent : position
        One position each, of up to 15 checkers on up to 24 points.
    memory_bytes, threads
        As for `bgrace.solving.alone.solve_alone`; one side is solved after the other.

    Returns
    -------
    PairAnalysis
        Without equities; the method is ``"one-sided"``.

    Raises
    ------
    MemoryLimitError
        If either side leads to too many positions.
    PositionError
        If either is no position, both sides have finished, or they still have contact.

    Examples
    --------
    >>> answer = describe_race("13x2 6x3", "11x2 6x3")
    >>> round(answer.win_probability, 4), answer.method
    (0.5033, 'one-sided')
    """
    mine, theirs = (describe_alone(side, memory_bytes=memory_bytes, threads=threads) for side in (on_roll, opponent))
    if not (mine.position.checkers or theirs.position.checkers):
        raise PositionError("both sides have borne off all checkers: at most one side can have finished")
    check_no_contact(mine.position, theirs.position, f"{mine.position} against {theirs.position}")
    return PairAnalysis(
        on_roll=mine,
        opponent=theirs,
        win_probability=float(one_sided_win(np.array(mine.roll_distribution), np.array(theirs.roll_distribution))),
        method="one-sided",
        cube="none",
        missing="equities with a cube need both sides solved as a pair, without --one-sided",
    )
