"""When two choices are too close for an answer to tell them apart."""

from __future__ import annotations

from typing import Final

from bgrace._base.arrays import as_number

_ROUNDED: Final = 0.00005
"""Points that would print as 0.0000."""

_NOTICED: Final = 0.002
"""Points that a player would notice."""


def closeness(error: float) -> float:
    """Greatest difference of two choices that counts as none.

    Parameters
    ----------
    error : float
        Of the answer, in points: `bgrace.Solution.error`.  Stated errors are larger than most that occur, so a
        difference that a player would notice is never taken for none.

    Returns
    -------
    float
        Points.

    Examples
    --------
    >>> closeness(0.0), closeness(0.0004), closeness(0.1)
    (5e-05, 0.0004, 0.002)
    """
    number = as_number(error, f"error={error!r:.80} is not a number of points: give that of an answer")
    return min(max(number, _ROUNDED), _NOTICED)
