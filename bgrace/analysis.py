"""Everything that is known about a position, or about a pair of them, in one answer.

`bgrace.Database` answers one question at a time; here the answers are put together, and what the database has no answer
for is left out and explained instead of ending in an error.  Every value is for the player on roll, before the dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from bgrace.cube.action import Cube, CubeAction, Equities, check_cube
from bgrace.database import Database
from bgrace.dice import parse_roll
from bgrace.errors import CoverageError, PositionError
from bgrace.match.exact import MatchAction, MatchPlay, MatchSolution
from bgrace.notation import Position, parse_position
from bgrace.notation.contact import check_no_contact
from bgrace.one_sided import one_sided_win
from bgrace.plays import Play
from bgrace.positions import PositionLike, space_of
from bgrace.solve import Solution
from bgrace.solve_alone import DEFAULT_MEMORY, solve_alone

__all__ = [
    "MatchAnalysis",
    "PairAnalysis",
    "PositionAnalysis",
    "describe",
    "describe_alone",
    "describe_match_solution",
    "describe_pair",
    "describe_race",
    "describe_solution",
]


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """What is known about one side of a race.

    Attributes
    ----------
    position : Position
        With as many points as the database.
    index : int
        Its number in the database's space.
    epc, mean_rolls, variance_rolls : float
        Expected pip count, and mean and variance of the number of rolls to bear off.
    roll_distribution : tuple of float
        Chance of being off in exactly 0, 1, ... rolls.
    first_checker_distribution : tuple of float, or None
        Chance that the first checker comes off on exactly roll 0, 1, ...; None unless there are 15 and the database
        knows it.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, best first, compared by the expected pip count left; None without a roll.
    """

    position: Position
    index: int
    epc: float
    mean_rolls: float
    variance_rolls: float
    roll_distribution: tuple[float, ...]
    first_checker_distribution: tuple[float, ...] | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None

    @property
    def pips(self) -> int:
        """Pip count."""
        return self.position.pips

    @property
    def wastage(self) -> float:
        """Pips that will be wasted on average: expected pip count less pip count."""
        return self.epc - self.pips

    @property
    def sd_rolls(self) -> float:
        """Standard deviation of the number of rolls."""
        return sqrt(self.variance_rolls)

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it; with ``"plays"`` only if there was a roll."""
        answer: dict[str, Any] = {
            "position": list(self.position),
            "index": self.index,
            "pips": self.pips,
            "epc": self.epc,
            "mean_rolls": self.mean_rolls,
            "variance_rolls": self.variance_rolls,
            "roll_distribution": list(self.roll_distribution),
        }
        if self.plays is not None:
            answer["plays"] = [play.to_dict() for play in self.plays]
        return answer


@dataclass(frozen=True, slots=True)
class PairAnalysis:
    """What is known about both sides of a race.

    Attributes
    ----------
    on_roll, opponent : PositionAnalysis
    win_probability : float
        Of the player on roll, without a cube.
    method : str
        Where it comes from: ``"two-sided"`` or ``"solved"`` (exact), or ``"one-sided"`` (an estimate).
    cube : str
        Where the cube is, for `cube_action` and `plays`.
    equities : Equities, or None
        None where the two-sided table does not reach.
    cube_action : CubeAction, or None
        None where the two-sided table does not reach, or the game is over.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, best first; None without a roll.
    plays_method : str, or None
        Where the equities of `plays` come from: ``"two-sided"`` or ``"solved"``, or ``"one-sided"`` for estimates
        without a cube.
    missing : str, or None
        What is left out, and what would give it.
    """

    on_roll: PositionAnalysis
    opponent: PositionAnalysis
    win_probability: float
    method: str
    cube: Cube
    equities: Equities | None = None
    cube_action: CubeAction | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None
    plays_method: str | None = None
    missing: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all of its checkers."""
        return not (self.on_roll.position.checkers and self.opponent.position.checkers)

    @property
    def double_margin(self) -> float | None:
        """By how much doubling is better than rolling, the opponent answering well; below 0 where it is worse.

        None where there is no cube to turn.
        """
        action = self.cube_action
        if action is None or action.double_take is None:
            return None
        return float(min(action.double_take, action.double_pass) - action.no_double)

    @property
    def take_margin(self) -> float | None:
        """By how much taking is better than passing for the opponent, if doubled; below 0 where it is worse.

        None where there is no cube to turn.
        """
        action = self.cube_action
        if action is None or action.double_take is None:
            return None
        return float(action.double_pass - action.double_take)

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it; what is not known is None."""
        return {
            "on_roll": self.on_roll.to_dict(),
            "opponent": self.opponent.to_dict(),
            "win_probability": self.win_probability,
            "method": self.method,
            "equities": self.equities.to_dict() if self.equities else None,
            "cube_action": self.cube_action.to_dict() if self.cube_action else None,
            "plays": None if self.plays is None else [play.to_dict() for play in self.plays],
        }


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """What is known about both sides of a race at a match score.

    Attributes
    ----------
    pair : PairAnalysis
        Both sides, and the chance to win the game without a cube; no equities for money.
    solution : MatchSolution
    cube_action : MatchAction
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of MatchPlay, or None
        Every play of `roll`, best first; None without a roll.
    """

    pair: PairAnalysis
    solution: MatchSolution
    cube_action: MatchAction
    roll: tuple[int, int] | None = None
    plays: tuple[MatchPlay, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it: equities are normalised ones, the cube action is in match winning chances."""
        score = self.solution.score
        return {
            "on_roll": self.pair.on_roll.to_dict(),
            "opponent": self.pair.opponent.to_dict(),
            "win_probability": self.pair.win_probability,
            "method": self.pair.method,
            "match": {
                "on_roll_needs": score.on_roll_needs,
                "opponent_needs": score.opponent_needs,
                "crawford": score.kind == "Crawford",
                "cube_value": self.solution.cube_value,
                "table": self.solution.table.name,
            },
            "match_chances": self.solution.match_chances.to_dict(),
            "equities": self.solution.equities.to_dict(),
            "cube_action": self.cube_action.to_dict(),
            "plays": None if self.plays is None else [play.to_dict() for play in self.plays],
        }


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
        farthest = max(point for point, count in enumerate(given, 1) if count)
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
    >>> from bgrace.solve import solve
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
    >>> from bgrace.solve import solve
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
        As for `bgrace.solve_alone.solve_alone`.

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
        As for `bgrace.solve_alone.solve_alone`; one side is solved after the other.

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
