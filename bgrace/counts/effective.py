"""Counts by expected pips, exact ones and those that are worked out by hand."""

from __future__ import annotations

from functools import cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, as_floats, as_number, scalar
from bgrace.board import HOME_POINTS, MAX_CHECKERS
from bgrace.board.spaces import PositionSpace
from bgrace.counts.count import Count, CountOfPair, CountOfPairs, counted, of_positions
from bgrace.counts.sides import AnyPositions, Side
from bgrace.errors import ArgumentError, PositionError
from bgrace.tables.one_sided import solve_one_sided


@cache
def _home_epc() -> tuple[PositionSpace, Floats]:
    space = PositionSpace(HOME_POINTS, MAX_CHECKERS)
    return space, solve_one_sided(space).epc


def _exact_epc(side: Side, name: str) -> Floats:
    if np.any(side[..., HOME_POINTS:]):
        raise PositionError(
            f"{name} has checkers outside home: give both expected pip counts as epc, or use effective_by_hand"
        )
    space, epc = _home_epc()
    return np.asarray(epc[space.index(side[..., :HOME_POINTS])])


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
    added = as_number(allowance, f"allowance={allowance!r:.80} is not a number of pips: give one")

    def both(own: Side, other: Side) -> tuple[Floats, Floats]:
        return (_exact_epc(own, "on_roll"), _exact_epc(other, "opponent")) if epc is None else _given(epc, own, other)

    return counted("effective_pips", on_roll, opponent, both, allowance=added)


def _given(epc: tuple[npt.ArrayLike, npt.ArrayLike], own: Side, other: Side) -> tuple[Floats, Floats]:
    try:
        left, right = (as_floats(value, "") for value in epc)
        left = np.broadcast_to(left, own.shape[:-1])
        right = np.broadcast_to(right, other.shape[:-1])
    except (TypeError, ValueError):  # an ArgumentError is one
        raise ArgumentError(f"epc={epc!r} is not a pair of expected pip counts: give (on_roll, opponent)") from None
    if not (np.all(left > 0) and np.all(right > 0)):
        raise ArgumentError(f"epc={epc!r}: expected pip counts are above 0")
    return left, right


@of_positions
def effective_by_hand(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The rule of `effective_pips` with expected pip counts by hand, `estimate_epc`.

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
