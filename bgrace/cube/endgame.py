"""The last roll or two: chances to bear off at once, and the cube in games of one and of two steps.

In a game of one step the player on roll wins now with chance p, or loses.  In a game of two steps they win now with
chance p; otherwise the opponent rolls and wins with chance q; otherwise the player on roll has won after all.  Every
equity is for the player on roll, before the dice, per unit of the present cube.  Chances are numbers or arrays from 0
to 1, else ArgumentError is raised; results have their shape.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, after Tuck, "Doubling strategies for
backgammon-like games".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, ShortRepr, broadcast, elementwise, scalar
from bgrace.board import parse_position
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.plays import legal_plays
from bgrace.cube.action import EXACT_TIE, CubeAction, CubeActions, V, decide
from bgrace.cube.model import check_probability

__all__ = [
    "EXAMPLES",
    "Example",
    "OneStep",
    "TwoStep",
    "chances",
    "double_threshold",
    "examples",
    "one_checker_chances",
    "one_step",
    "pass_threshold",
    "redouble_threshold",
    "two_checker_chances",
    "two_step",
]

A = TypeVar("A", CubeAction, CubeActions)

# ---- chances of a single roll


def chances(pos: str | Sequence[int]) -> int:
    """Count the rolls, out of 36, that bear everything off at once.

    Parameters
    ----------
    pos : sequence of int, or str
        Checker counts, ace point first, on any number of points up to 24, or text.

    Returns
    -------
    int
        0 to 36; 36 for the empty board.

    Raises
    ------
    PositionError
        If `pos` is not a position.

    Notes
    -----
    Each roll is played in every legal way.  Dotsenko and Marynych give one and two checkers (Tables 2 and 3).

    Examples
    --------
    >>> chances("2x1 5x1"), chances("1x2"), chances("1x4")
    (19, 36, 6)
    """
    position = parse_position(pos)
    # Results are in order of their index, and that of the empty board is the least: if reached, it comes first.
    return sum(
        weight for roll, weight in zip(ROLLS, WEIGHTS, strict=True) if legal_plays(position, roll)[0].checkers == 0
    )


def one_checker_chances() -> npt.NDArray[np.int64]:
    """Count the rolls that bear off one checker, for each point.

    Returns
    -------
    int64 ndarray, shape (6,)
        Out of 36; entry 0 is the ace point.

    Notes
    -----
    Dotsenko and Marynych, Table 2, computed from the rules.

    Examples
    --------
    >>> one_checker_chances().tolist()
    [36, 36, 36, 34, 31, 27]
    """
    return np.array([chances(_counts(point)) for point in range(1, 7)], dtype=np.int64)


def two_checker_chances() -> npt.NDArray[np.int64]:
    """Count the rolls that bear off two checkers, for each pair of points.

    Returns
    -------
    int64 ndarray, shape (6, 6)
        Out of 36; symmetric; entry [0, 0] is two checkers on the ace point.

    Notes
    -----
    Dotsenko and Marynych, Table 3, computed from the rules.

    Examples
    --------
    >>> two_checker_chances()[4].tolist()      # one checker on the five point, the other on 1 to 6
    [23, 19, 14, 10, 6, 6]
    """
    return np.array([[chances(_counts(a, b)) for b in range(1, 7)] for a in range(1, 7)], dtype=np.int64)


def _counts(*points: int) -> tuple[int, ...]:
    return tuple(points.count(point) for point in range(1, 7))


# ---- games of one and two steps


@dataclass(frozen=True, slots=True, repr=False)
class OneStep(ShortRepr, Generic[V, A]):
    """A game that is decided by the next roll.

    Attributes
    ----------
    p : float, or float64 ndarray
        Chance of the player on roll.
    action : CubeAction, or CubeActions
        The decision and the answer.  They do not depend on the owner of the cube, since it is never turned again.
    """

    p: V
    action: A


@dataclass(frozen=True, slots=True, repr=False)
class TwoStep(ShortRepr, Generic[V, A]):
    """A game that is decided by one roll of each player at the latest.

    Attributes
    ----------
    p : float, or float64 ndarray
        Chance that the player on roll wins at once.
    q : float, or float64 ndarray
        Chance that the opponent, if they get to roll, wins.
    centered, mine : CubeAction, or CubeActions
        The decision with a cube in the middle and with an own cube: no double, double/take and double/pass.
    """

    p: V
    q: V
    centered: A
    mine: A


@overload
def one_step(p: float) -> OneStep[float, CubeAction]: ...
@overload
def one_step(p: npt.ArrayLike) -> OneStep[Floats, CubeActions]: ...
def one_step(p: npt.ArrayLike) -> OneStep[Any, Any]:
    """Decide a game of one step: double from p = 1/2, take up to p = 3/4.

    Parameters
    ----------
    p : float or array_like
        Chance that the player on roll wins with this roll.

    Returns
    -------
    OneStep

    Raises
    ------
    ArgumentError
        If `p` is not from 0 to 1.

    Notes
    -----
    Dotsenko and Marynych, section 4.1.

    Examples
    --------
    >>> print(one_step(19 / 36).action)        # checkers on the two and five points
    double/take (cube centered): no double +0.0556, double/take +0.1111, double/pass +1.0000
    >>> one_step(27 / 36).action.verdict, one_step(29 / 36).action.verdict
    ('double/take', 'double/pass')
    """
    chance = check_probability(p)
    roll = 2 * chance - 1
    return OneStep(scalar(chance), decide(roll, 2 * roll, tie=EXACT_TIE))


@overload
def two_step(p: float, q: float) -> TwoStep[float, CubeAction]: ...
@overload
def two_step(p: npt.ArrayLike, q: npt.ArrayLike) -> TwoStep[Floats, CubeActions]: ...
def two_step(p: npt.ArrayLike, q: npt.ArrayLike) -> TwoStep[Any, Any]:
    """Decide a game of two steps.

    Parameters
    ----------
    p, q : float or array_like
        Chance of the player on roll to win at once, and of the opponent to win if they get to roll; they broadcast.

    Returns
    -------
    TwoStep

    Raises
    ------
    ArgumentError
        If either is not from 0 to 1, or the shapes do not broadcast.

    Notes
    -----
    Dotsenko and Marynych, section 4.2. With v(q) the opponent's equity if they may double before their roll, the
    player on roll has p - (1 - p) v(q) with a centered cube and p - (1 - p)(2q - 1) with an own cube, with which the
    opponent may not double; after a double and a take they have twice the first of these.

    Examples
    --------
    >>> game = two_step(19 / 36, 27 / 36)      # 2-5 against a checker on the six point
    >>> print(game.centered)
    double/take (cube centered): no double +0.0556, double/take +0.1111, double/pass +1.0000
    >>> print(game.mine)
    no double (cube mine): no double +0.2917, double/take +0.1111, double/pass +1.0000
    """
    now, then = broadcast(p=check_probability(p), q=check_probability(q, "q"))
    centered = now - (1 - now) * _with_double(then)
    mine = now - (1 - now) * (2 * then - 1)
    return TwoStep(
        scalar(now),
        scalar(then),
        decide(centered, 2 * centered, cube="centered", tie=EXACT_TIE),
        decide(mine, 2 * centered, cube="mine", tie=EXACT_TIE),
    )


def _with_double(q: Floats) -> Floats:
    """Equity of a last roll that wins with chance q, if doubling is allowed: v(q)."""
    return np.maximum(2 * q - 1, np.minimum(4 * q - 2, 1))


# ---- Tuck's three curves


@elementwise
def double_threshold(q: npt.ArrayLike) -> Floats:
    """Least p at which to double with a centered cube: Tuck's curve P_D.

    Notes
    -----
    Dotsenko and Marynych, section 4.2: v / (1 + v) where v = v(q) > 0, else 0.

    Examples
    --------
    >>> double_threshold([0.5, 0.625, 0.75, 1]).round(6).tolist()
    [0.0, 0.333333, 0.5, 0.5]
    """
    value = np.maximum(_with_double(check_probability(q, "q")), 0)
    return np.asarray(value / (1 + value))


@elementwise
def redouble_threshold(q: npt.ArrayLike) -> Floats:
    """Least p at which to redouble with an own cube: Tuck's curve P_R.

    It peaks at q = 3/4: a redouble gives the opponent the right to double, which is worth most to them there.  So a
    redouble can be wrong in one position and right in another that is worse for the player on roll.

    Notes
    -----
    Dotsenko and Marynych, section 4.2.  Doubling is right when p - (1 - p)(2 v(q) - (2q - 1)) is at least 0, hence
    w / (1 + w) with w = 2 v(q) - (2q - 1), a single formula for their three pieces.

    Examples
    --------
    >>> redouble_threshold([0.5, 0.625, 0.75, 1]).round(6).tolist()
    [0.0, 0.428571, 0.6, 0.5]
    """
    chance = check_probability(q, "q")
    value = np.maximum(2 * _with_double(chance) - (2 * chance - 1), 0)
    return np.asarray(value / (1 + value))


@elementwise
def pass_threshold(q: npt.ArrayLike) -> Floats:
    """Greatest p at which to take: Tuck's curve P_Q.

    Parameters
    ----------
    q : float or array_like
        Chance that the side that is doubled wins if it gets to roll.

    Notes
    -----
    Dotsenko and Marynych, section 4.2: (1/2 + v) / (1 + v) where v = v(q) > -1/2, else 0.  Below q = 1/4 even the
    chance p = 0 is a pass.

    Examples
    --------
    >>> pass_threshold([0.25, 0.5, 0.625, 0.75, 1]).round(6).tolist()
    [0.0, 0.5, 0.666667, 0.75, 0.75]
    """
    value = np.maximum(_with_double(check_probability(q, "q")), -0.5)
    return np.asarray((0.5 + value) / (1 + value))


# ---- three examples that form a paradox


@dataclass(frozen=True, slots=True)
class Example:
    """One of Dotsenko and Marynych's examples, with an own cube that shows 2.

    Attributes
    ----------
    name : str
        ``"a"``, ``"b"`` or ``"c"``.
    on_roll, opponent : str
        The checkers, as ``"point x count"`` text.
    game : TwoStep
    cube_value : int
        The factor of `points_no_double` and `points_double_take`.
    """

    name: str
    on_roll: str
    opponent: str
    game: TwoStep[float, CubeAction]
    cube_value: int = 2

    @property
    def points_no_double(self) -> float:
        """Mean points won by rolling without a redouble, at a stake of `cube_value`."""
        return self.cube_value * self.game.mine.no_double

    @property
    def points_double_take(self) -> float:
        """Mean points won by a redouble that is taken, at a stake of `cube_value` before it."""
        taken = self.game.mine.double_take
        assert taken is not None, "the cube is theirs to turn"
        return self.cube_value * taken


EXAMPLES: Final = {"a": ("2x1 5x1", "1x1"), "b": ("2x1 5x1", "6x1"), "c": ("2x1 5x1", "2x1 4x1")}
"""Player on roll and opponent in the examples a, b and c."""


def examples() -> list[Example]:
    """Compute the three examples that form a paradox.

    From a to c the position improves for the player on roll, yet they must redouble in a, must not in b, and must in c.

    Returns
    -------
    list of Example
        a, b and c.

    Notes
    -----
    Dotsenko and Marynych, section 4.2.  They print 0.111 0.222, 0.583 0.222, 0.793 1.062; in a both signs of both
    sums are reversed, and in c "has doubled" and "has not" are exchanged.

    Examples
    --------
    >>> for example in examples():
    ...     points = f"{example.points_no_double:.3f} {example.points_double_take:.3f}"
    ...     print(example.name, points, example.game.mine.verdict)
    a 0.111 0.222 double/take
    b 0.583 0.222 no double
    c 0.793 1.062 double/take
    """
    return [
        Example(name, on_roll, opponent, two_step(chances(on_roll) / 36, chances(opponent) / 36))
        for name, (on_roll, opponent) in EXAMPLES.items()
    ]
