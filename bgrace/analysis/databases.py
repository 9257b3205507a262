"""What a database knows, put together."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from bgrace.analysis.results import PairAnalysis, PositionAnalysis
from bgrace.board import Position, parse_position
from bgrace.board.dice import parse_roll
from bgrace.board.plays import Play
from bgrace.board.spaces import PositionLike
from bgrace.cube.action import Cube, check_cube
from bgrace.database.money import Database
from bgrace.errors import CoverageError, PositionError

__all__ = ["describe", "describe_pair"]


def describe(db: Database, pos: PositionLike, roll: str | Iterable[int] | None = None) -> PositionAnalysis:
    """Everything that a database knows about one position.

    Parameters
    ----------
    db : Database
    pos : position
        One position; no array of several.
    roll : str or pair of int, optional
        Dice to play.

    Returns
    -------
    PositionAnalysis

    Raises
    ------
    PositionError
        If `pos` does not fit the database, or has no checker to play `roll` with.
    RollError
        If `roll` is no roll.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     answer = describe(db, (0, 0, 0, 0, 0, 1), "21")
    >>> round(answer.epc, 4), round(answer.wastage, 4), [play.play for play in answer.plays]
    (10.2083, 4.2083, ['6/3'])
    """
    given = parse_position(pos)
    if any(given[db.space.points :]):
        farthest = given.highest
        raise PositionError(
            f"{given} has a checker on point {farthest}, {db.path} has {db.space.points} points: "
            f"build one with --points {farthest}, or solve the position by itself (bgrace solve)"
        )
    index = db.space.index(pos)
    position = db.space.position(index)
    first = None
    if position.checkers == 15:
        with suppress(CoverageError):  # a file of GNU Backgammon's may have left it out
            first = tuple(db.first_checker_distribution(position).tolist())
    dice = None if roll is None else parse_roll(roll)
    return PositionAnalysis(
        position=position,
        index=index,
        epc=db.epc(position),
        mean_rolls=db.mean_rolls(position),
        variance_rolls=db.variance_rolls(position),
        roll_distribution=tuple(db.roll_distribution(position).tolist()),
        first_checker_distribution=first,
        roll=dice,
        plays=None if dice is None else tuple(db.best_plays(position, None, dice)),
    )


def describe_pair(
    db: Database,
    on_roll: PositionLike,
    opponent: PositionLike,
    roll: str | Iterable[int] | None = None,
    *,
    cube: str = "centered",
    jacoby: bool = False,
    strict: bool = False,
) -> PairAnalysis:
    """Everything that a database knows about two positions.

    Parameters
    ----------
    db : Database
    on_roll, opponent : position
        One position each.
    roll : str or pair of int, optional
        Dice to play.
    cube : str
        ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.
    jacoby : bool
        Whether gammons count once as long as the cube is centered.
    strict : bool
        What to do where there is a cube and the two-sided table does not reach: raise an error, or leave out what
        depends on the cube and compare plays by estimates without one.

    Returns
    -------
    PairAnalysis

    Raises
    ------
    ArgumentError
        If `cube` is unknown.
    CoverageError
        If `strict` and the two-sided table does not reach.
    PositionError
        If a position does not fit the database, both sides are empty, or one is and there is a roll.
    RollError
        If `roll` is no roll.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     answer = describe_pair(db, "6x1", "1x1", "61")
    >>> answer.win_probability, answer.cube_action.verdict, str(answer.plays[0])
    (0.75, 'double/take', '6/off: +1.0000')
    """
    where = check_cube(cube)
    dice = None if roll is None else parse_roll(roll)
    mine, theirs = describe(db, on_roll), describe(db, opponent)
    # Asked first, because it refuses two finished sides.
    win_probability = db.win_probability(mine.position, theirs.position)
    method = db.method(mine.position, theirs.position)
    finished = not (mine.position.checkers and theirs.position.checkers)
    equities = action = missing = None
    try:
        equities = db.equities(mine.position, theirs.position, jacoby=jacoby)
        if not finished:
            action = db.cube_action(mine.position, theirs.position, where, jacoby=jacoby)
    except CoverageError as error:
        if strict and where != "none":
            raise
        missing = str(error)
    plays = plays_method = None
    if dice is not None:
        plays, plays_method = _plays(db, mine.position, theirs.position, dice, where, jacoby)
    return PairAnalysis(
        on_roll=mine,
        opponent=theirs,
        win_probability=win_probability,
        method=method,
        cube=where,
        equities=equities,
        cube_action=action,
        roll=dice,
        plays=plays,
        plays_method=plays_method,
        missing=missing,
    )


def _plays(
    db: Database, mine: Position, theirs: Position, dice: tuple[int, int], cube: Cube, jacoby: bool
) -> tuple[tuple[Play, ...], str]:
    try:
        plays = tuple(db.best_plays(mine, theirs, dice, cube, jacoby=jacoby))
    except CoverageError:
        plays = tuple(db.best_plays(mine, theirs, dice, "none"))
    # With or without the cube, all values are of the table or none is.
    exact = max(theirs.checkers, *(play.position.checkers for play in plays)) <= db.two_sided_checkers
    return plays, "two-sided" if exact else "one-sided"
