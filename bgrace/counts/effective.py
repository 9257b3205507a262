"""Counts of players that estimate expected pips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, ToDict, as_floats, as_integer, as_number, scalar
from bgrace._kernels import counts as kernel
from bgrace.board import HOME_POINTS, MAX_CHECKERS, PositionLike, parse_position
from bgrace.board.position import AnyPositions, counts_of
from bgrace.board.spaces import space_of
from bgrace.counts.count import Count, CountOfPair, CountOfPairs, Side, counted, of_positions
from bgrace.errors import ArgumentError, PositionError
from bgrace.tables import solve_one_sided

__all__ = [
    "EpcEstimate",
    "almost_n_roll_epc",
    "effective_by_hand",
    "effective_pips",
    "estimate_epc",
    "flat_epc",
    "is_pippish",
    "low_wastage_epc",
    "n_roll_epc",
    "stack_epc",
    "woolsey_doubles",
]


@cache
def _home_epc() -> Floats:
    return solve_one_sided(space_of(HOME_POINTS, MAX_CHECKERS)).epc


def _exact_epc(side: Side, name: str) -> Floats:
    if np.any(side[..., HOME_POINTS:]):
        raise PositionError(
            f"{name} has checkers outside home: give both expected pip counts as epc, or use effective_by_hand"
        )
    return np.asarray(_home_epc()[space_of(HOME_POINTS, MAX_CHECKERS).index(side[..., :HOME_POINTS])])


@of_positions
def effective_pips(
    on_roll: AnyPositions,
    opponent: AnyPositions,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    allowance: float = 0.0,
) -> CountOfPair | CountOfPairs:
    """Trice's rule for expected pip counts: take up to a lead of a seventh less 3 pips.

    Parameters
    ----------
    epc : pair of float or array_like, optional
        Expected pip counts of the two sides.  By default exact ones, for which all checkers must be home.
    allowance : float
        Pips added to the greatest lead for a take: 1 is advised for two smooth sides, -2 or less for two wasteful ones.

    Returns
    -------
    Count
        The counts are expected pip counts.

    Raises
    ------
    PositionError
        If a side has checkers outside the home board and `epc` is not given.
    ArgumentError
        If `epc` is not a pair of numbers above 0 in the shape of the positions.

    Notes
    -----
    Take up to EPC / 7 - 3, with the EPC of the player on roll, not rounded; redouble from 1 pip less, double from 2
    pips less.  W. Trice, 2007 and 2008, as retold on bkgm.com and bgonline.org.

    Examples
    --------
    >>> print(effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_pips 46.9468 : 51.3598: double, redouble, pass
    >>> effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3", allowance=1).advice
    'double, redouble, take'
    """
    added = as_number(allowance, f"allowance={allowance!r:.80} is not a number of pips: give one")

    def both(own: Side, other: Side) -> tuple[Floats, Floats]:
        return (_exact_epc(own, "on_roll"), _exact_epc(other, "opponent")) if epc is None else _as_epc(epc, own, other)

    return counted("effective_pips", on_roll, opponent, both, allowance=added)


def _as_epc(epc: tuple[npt.ArrayLike, npt.ArrayLike], own: Side, other: Side) -> tuple[Floats, Floats]:
    try:
        left, right = (as_floats(value, "") for value in epc)
        left = np.broadcast_to(left, own.shape[:-1])
        right = np.broadcast_to(right, other.shape[:-1])
    except (TypeError, ValueError):  # an ArgumentError is a ValueError
        raise ArgumentError(f"epc={epc!r} is not a pair of expected pip counts: give (on_roll, opponent)") from None
    if not (np.all(left > 0) and np.all(right > 0)):
        raise ArgumentError(f"epc={epc!r}: expected pip counts are above 0")
    return left, right


@of_positions
def effective_by_hand(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The rule of `effective_pips` with expected pip counts estimated by hand: `estimate_epc`.

    Examples
    --------
    >>> print(effective_by_hand("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_by_hand 49 : 51: double, no redouble, take
    """
    return counted("effective_by_hand", on_roll, opponent)


@overload
def woolsey_doubles(first: CountOfPair, second: CountOfPair) -> bool: ...
@overload
def woolsey_doubles(first: CountOfPairs, second: CountOfPairs) -> Booleans: ...
def woolsey_doubles(first: Count[Any, Any], second: Count[Any, Any]) -> bool | Booleans:
    """Woolsey's law in a form for programs: double if two trusted counts disagree on the take.

    Parameters
    ----------
    first, second : Count
        Counts of the same pair or pairs.

    Returns
    -------
    bool, or bool ndarray
        False does not mean that doubling is wrong.

    Raises
    ------
    ArgumentError
        If either count has no rule for the take.

    Notes
    -----
    "If it is not absolutely certain whether the position is a take or a pass, double": K. Woolsey, 1991; as retold at
    bkgm.com.  It is our reading to use the disagreement of two counts as the doubt.

    Examples
    --------
    >>> from bgrace.counts import keith, thorp
    >>> pair = "1,1,2,2,2,2", "0,1,2,2,2,3"
    >>> woolsey_doubles(thorp(*pair), keith(*pair))
    True
    """
    takes = []
    for count in (first, second):
        if count.take is None:
            raise ArgumentError(f"{count.name} says nothing about the take: use a count that does, such as keith")
        takes.append(count.take)
    doubles: bool | Booleans = scalar(np.not_equal(*takes))
    return doubles


Shape: TypeAlias = Literal["rolls", "almost rolls", "stack", "low wastage", "flat"]

_MAX_STRAGGLERS: Final = 3


@dataclass(frozen=True, slots=True)
class EpcEstimate(ToDict):
    """An expected pip count estimated by hand.

    Attributes
    ----------
    epc : float
        Pips.
    shape : str
        The rule: ``"rolls"``, ``"almost rolls"``, ``"stack"``, ``"low wastage"`` or ``"flat"``.
    """

    epc: float
    shape: Shape


def _checked_checkers(checkers: int) -> int:
    return as_integer(checkers, f"checkers={checkers!r} cannot be counted: give a whole number from 1 to 15", 1, 15)


def _checked_pips(pips: float) -> float:
    problem = f"pips={pips!r:.80} cannot be counted: give a number of 0 or more"
    return as_number(pips, problem, 0, math.nextafter(math.inf, 0))


def n_roll_epc(checkers: int, missing: int = 0) -> float:
    """EPC of an n-roll position, all checkers on the ace point: 7 n + 1.

    Parameters
    ----------
    checkers : int
        1 to 15; a roll bears off two of them.
    missing : int
        Number of rolls out of 36 that bear off fewer than two checkers (with doubles, four): 0.2 pips each.

    Returns
    -------
    float
        Pips.  Without missing rolls the error is at most 1/6 for two checkers or fewer, and less than 0.03 for more.

    Raises
    ------
    ArgumentError
        If either number is out of range.

    Notes
    -----
    W. Trice.  Exact: 7 n + 1 - (-1/6)^n.  A missing roll of a two-roll position is worth 49/216 = 0.227 pips.

    Examples
    --------
    >>> n_roll_epc(10), n_roll_epc(4, missing=1)
    (36.0, 15.2)
    """
    missing = as_integer(missing, f"missing={missing!r} cannot be counted: give 0 to 36 rolls", 0, 36)
    return kernel.shape_epc(kernel.ROLLS, 0.0, _checked_checkers(checkers)) + 0.2 * missing


def almost_n_roll_epc(pips: float, checkers: int) -> float:
    """EPC of an almost n-roll position, low but not all on the ace point: 7 n + 1 + a.

    Parameters
    ----------
    pips : float
        Pip count.
    checkers : int
        1 to 15.

    Returns
    -------
    float
        Pips.

    Raises
    ------
    ArgumentError
        If there are more than 3 pips a checker, or 3.6 with an odd number of checkers, or fewer than 1: the rule is not
        for these.

    Notes
    -----
    a is 1, 2, 3, 4, 5 at 2, 2.3, 2.6, 2.8, 3 pips a checker with an even number of checkers, at 2.6, 2.9, 3.2, 3.4, 3.6
    with an odd one (W. Trice, 2008, as retold); straight lines between them, from 0 at 1 pip a checker, are ours.  The
    rule is for the best distribution of these pips: the mean over all distributions is 2 to 4 pips more.

    Examples
    --------
    >>> almost_n_roll_epc(20, 10), almost_n_roll_epc(26, 10)
    (37.0, 39.0)
    """
    limit = kernel.almost_rolls_limit(_checked_checkers(checkers))
    epc = kernel.shape_epc(kernel.ALMOST_ROLLS, _checked_pips(pips), checkers)
    if math.isnan(epc):
        raise ArgumentError(
            f"{pips} pips of {checkers} checkers: an almost n-roll position has {checkers} to "
            f"{limit * checkers:g}; see low_wastage_epc and flat_epc"
        )
    return epc


def low_wastage_epc(pips: float, checkers: int) -> float:
    """EPC of a smooth position, most checkers on high points: pips + 7, less with few checkers.

    Parameters
    ----------
    pips : float
        Pip count.
    checkers : int
        1 to 15.

    Returns
    -------
    float
        The pip count plus 7 with 9 checkers or more, 6.5 with 7 or 8, 6 with 5 or 6, 5.5 with 4, 5 with fewer.

    Raises
    ------
    ArgumentError
        If either number is out of range.

    Notes
    -----
    "Half the checkers" of the rule is read as 7 or 8, "few" as 4 or fewer.  The least possible wastage is 7.07 with 15
    checkers, 6.51 with 8, 6.15 with 6, 5.53 with 4.

    Examples
    --------
    >>> low_wastage_epc(79, 15), low_wastage_epc(40, 8)
    (86.0, 46.5)
    """
    n = _checked_checkers(checkers)
    return kernel.shape_epc(kernel.LOW_WASTAGE, _checked_pips(pips), n)


def flat_epc(pips: float) -> float:
    """EPC of a position spread evenly over the home board: pips + 10.

    Parameters
    ----------
    pips : float
        Pip count.

    Returns
    -------
    float
        Pips.

    Raises
    ------
    ArgumentError
        If `pips` is negative.

    Examples
    --------
    >>> flat_epc(42)     # two checkers on each point: 51.943
    52.0
    """
    return kernel.shape_epc(kernel.FLAT, _checked_pips(pips), 0)


def stack_epc(checkers: int, stragglers: Sequence[int]) -> float:
    """EPC of a stack on the ace point with one to three stragglers: 3.5 n + p, less 4 for each after the first.

    Parameters
    ----------
    checkers : int
        All checkers, stragglers included.
    stragglers : sequence of int
        The points of the one, two or three stragglers.

    Returns
    -------
    float
        Pips, in examples from 1.4 too high to 0.5 too low.

    Raises
    ------
    ArgumentError
        If there are not one to three stragglers, or more stragglers than checkers.

    Examples
    --------
    >>> stack_epc(9, [6]), stack_epc(10, [6, 6])     # exact: 36.73 and 43.39
    (37.5, 43.0)
    """
    n = _checked_checkers(checkers)
    problem = f"stragglers={stragglers!r:.80} of {n} checkers: give the points of one to three of them"
    if not isinstance(stragglers, Sequence) or not 1 <= len(stragglers) <= min(_MAX_STRAGGLERS, n):
        raise ArgumentError(problem)
    points = [as_integer(point, problem, 1, 24) for point in stragglers]
    return kernel.shape_epc(kernel.STACK, sum(points), n, len(points))


def is_pippish(pos: PositionLike) -> bool:
    """Whether a position wastes so few pips that it can be judged by its pip count.

    Parameters
    ----------
    pos : position
        Checker counts, ace point first, or text.

    Returns
    -------
    bool
        At most 1 checker on the ace point, 2 on the two lowest points and 3 on the three lowest.

    Raises
    ------
    PositionError
        If it is not a position.

    Notes
    -----
    A. Benjamin, as retold by backgammondrills.com.  Its least number of checkers, 8 to 14, depends on profiles that we
    could not read, and is left out.

    Examples
    --------
    >>> is_pippish("0,1,2,3,4,5"), is_pippish("2,2,2,2,2,2")
    (True, False)
    """
    return kernel.is_pippish(counts_of(parse_position(pos)))


def estimate_epc(pos: PositionLike) -> EpcEstimate:
    """EPC by the rule for the shape of a position.

    Parameters
    ----------
    pos : position
        Checker counts, ace point first, or text.

    Returns
    -------
    EpcEstimate

    Raises
    ------
    PositionError
        If it is not a position, or no checker is left.

    Notes
    -----
    The sources do not say when to use which rule.  Our choice, in this order: all on the ace point, rolls; 5 or more
    there and one to three on the 4 point and beyond, stack; `is_pippish`, or a checker outside the home board, low
    wastage; few enough pips a checker, almost rolls; else flat.  Over all 54,263 positions of up to 15 checkers in the
    home board, common or not, estimates are 2.7 pips too low on average, with a standard deviation of 2.3.

    Examples
    --------
    >>> estimate_epc("0,1,2,3,4,5"), estimate_epc("8,0,0,0,0,1").shape, estimate_epc("2,2,2,2,2,2").epc
    (EpcEstimate(epc=77.0, shape='low wastage'), 'stack', 52.0)
    """
    position = parse_position(pos)
    if not position.checkers:
        raise PositionError("no checker is left: give a position with at least one")
    epc, shape = kernel.epc_by_hand(counts_of(position))
    return EpcEstimate(epc, cast(Shape, shape))
