"""Counts by expected pips, exact ones and those that are worked out by hand."""

from __future__ import annotations

from functools import cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, as_floats, as_number, scalar
from bgrace.board import HOME_POINTS, MAX_CHECKERS, OnePosition, Positions
from bgrace.board.spaces import PositionSpace
from bgrace.counts.count import Count, CountOfPair, CountOfPairs, decided
from bgrace.counts.hand_epc import estimate_epc
from bgrace.counts.sides import AnyPositions, Side, sides
from bgrace.errors import ArgumentError, PositionError
from bgrace.tables.one_sided import solve_one_sided


@cache
def _home_epc() -> tuple[PositionSpace, Floats]:
    space = PositionSpace(HOME_POINTS, MAX_CHECKERS)
    return space, solve_one_sided(space).epc


def _exact_epc(side: Side, name: str) -> Floats:
    if np.any(side.outside):
        raise PositionError(
            f"{name} has checkers outside home: give both expected pip counts as epc, or use effective_by_hand"
        )
    space, epc = _home_epc()
    return np.asarray(epc[space.index(side.points[..., :HOME_POINTS])])


@overload
def effective_pips(
    on_roll: OnePosition,
    opponent: OnePosition,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = ...,
    allowance: float = ...,
) -> CountOfPair: ...
@overload
def effective_pips(
    on_roll: Positions,
    opponent: AnyPositions,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = ...,
    allowance: float = ...,
) -> CountOfPairs: ...
@overload
def effective_pips(
    on_roll: OnePosition,
    opponent: Positions,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = ...,
    allowance: float = ...,
) -> CountOfPairs: ...
def effective_pips(
    on_roll: AnyPositions,
    opponent: AnyPositions,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    allowance: float = 0.0,
) -> Count[Any, Any]:
    """Trice's rule for expected pip counts: take up to a lead of a seventh less 3 pips.

    Parameters
    ----------
    epc : pair of float or array_like, optional
        Expected pip counts of the two sides.  Exact ones unless given, for which all checkers must be home.
    allowance : float
        Pips added to the lead that is a take: 1 is advised for two smooth sides, -2 or less for two wasteful ones.

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
    Take up to EPC / 7 - 3, EPC that of the player on roll, not rounded; redouble from 1 pip less, double from 2 pips
    less.  W. Trice, 2007 and 2008, as retold on bkgm.com and bgonline.org.

    Examples
    --------
    >>> print(effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_pips 46.9468 : 51.3598: double, redouble, pass
    >>> effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3", allowance=1).advice
    'double, redouble, take'
    """
    own, other = sides(on_roll, opponent)
    if epc is None:
        left, right = _exact_epc(own, "on_roll"), _exact_epc(other, "opponent")
    else:
        left, right = _given_epc(epc, own, other)
    return _by_epc("effective_pips", left, right, allowance)


def _given_epc(epc: tuple[npt.ArrayLike, npt.ArrayLike], own: Side, other: Side) -> tuple[Floats, Floats]:
    try:
        left, right = (as_floats(value, "") for value in epc)
        left = np.broadcast_to(left, own.points.shape[:-1])
        right = np.broadcast_to(right, other.points.shape[:-1])
    except (TypeError, ValueError):  # an ArgumentError is one
        raise ArgumentError(f"epc={epc!r} is not a pair of expected pip counts: give (on_roll, opponent)") from None
    if not (np.all(left > 0) and np.all(right > 0)):
        raise ArgumentError(f"epc={epc!r}: expected pip counts are above 0")
    return left, right


def _by_epc(name: str, left: Floats, right: Floats, allowance: float = 0.0) -> Count[Any, Any]:
    take_to = left / 7 - 3 + as_number(allowance, f"allowance={allowance!r:.80} is not a number of pips: give one")
    return decided(name, 1, left, left, right, (take_to - 2, take_to - 1, take_to))


def effective_by_hand(on_roll: OnePosition, opponent: OnePosition) -> CountOfPair:
    """The rule of `effective_pips` with expected pip counts by hand, `estimate_epc`.

    Parameters
    ----------
    on_roll, opponent : position
        Checker counts, ace point first, or text: one pair, no arrays.

    Examples
    --------
    >>> print(effective_by_hand("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_by_hand 49 : 51: double, no redouble, take
    """
    left, right = (np.asarray(estimate_epc(pos).epc, dtype=np.float64) for pos in (on_roll, opponent))
    return _by_epc("effective_by_hand", left, right)


@overload
def woolsey_doubles(first: CountOfPair, second: CountOfPair) -> bool: ...
@overload
def woolsey_doubles(first: CountOfPairs, second: CountOfPairs) -> Booleans: ...
def woolsey_doubles(first: Count[Any, Any], second: Count[Any, Any]) -> bool | Booleans:
    """Woolsey's law, as far as a program can follow it: double where two trusted counts disagree on the take.

    Parameters
    ----------
    first, second : Count
        Of the same pair or pairs.

    Returns
    -------
    bool, or bool ndarray
        False does not say that doubling is wrong.

    Raises
    ------
    ArgumentError
        If either count says nothing about the take.

    Notes
    -----
    "If it is not absolutely certain whether the position is a take or a pass, double": K. Woolsey, 1991; as retold at
    bkgm.com.  That the disagreement of two counts stands for the doubt is our reading.

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
