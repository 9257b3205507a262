"""Woolsey's law: what two counts say together."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from bgrace._base.arrays import Booleans, scalar
from bgrace.counts.count import Count, CountOfPair, CountOfPairs
from bgrace.errors import ArgumentError


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
