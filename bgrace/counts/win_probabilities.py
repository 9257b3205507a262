"""Counts by a formula for the chance of winning."""

from __future__ import annotations

import numpy as np

from bgrace._base.arrays import scalar
from bgrace.counts.count import Count, CountOfPair, CountOfPairs, of_positions
from bgrace.counts.sides import AnyPositions, sides
from bgrace.errors import PositionError
from bgrace.estimates import gnubg_kleinman, gnubg_kleinman_ratio, least_squares

__all__ = ["kleinman", "lamford"]


@of_positions
def kleinman(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Kleinman's count: K = (D + 4)^2 / (S - 4), D the lead and S the sum of both raw counts.

    Returns
    -------
    Count
        Raw pip counts, K as `ratio`, and its win probability Phi(sqrt(K / 2)).

    Raises
    ------
    PositionError
        If the two add up to 4 pips or fewer.

    Notes
    -----
    Double from K = 0.5, redouble from 0.7, take up to 1.2: O. Johansen, rec.games.backgammon, 2001.  D. Kleinman,
    "Vision Laughs at Counting" and "Normal Race Takes", bkgm.com.  For long, smooth races.

    Examples
    --------
    >>> count = kleinman("1,1,2,2,2,2", "0,1,2,2,2,3")
    >>> print(count, round(count.ratio, 4), sep="; ")
    kleinman 39 : 44, wins 76.3 %: double, redouble, take; 1.0253
    """
    own, other = sides(on_roll, opponent)
    p, q = own.pips, other.pips
    rest = p + q - 4
    if np.any(rest <= 0):
        raise PositionError(f"{(p + q).min()} pips of both sides together: Kleinman's count is for more than 4")
    half_roll_ahead = q - p + 4
    # K of at least k / 10, with the sign of the lead, in whole numbers.
    tenths = 10 * half_roll_ahead * np.abs(half_roll_ahead)
    double_from, redouble_from, take_to = (scalar(np.sqrt(k / 10 * rest) - 4) for k in (5, 7, 12))
    return Count(
        "kleinman",
        scalar(p),
        scalar(p),
        scalar(q),
        double_from,
        redouble_from,
        take_to,
        scalar(tenths >= 5 * rest),
        scalar(tenths >= 7 * rest),
        scalar(tenths <= 12 * rest),
        gnubg_kleinman(p, q),
        gnubg_kleinman_ratio(p, q),
    )


@of_positions
def lamford(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Lamford's formula for the win probability of the leader; it says nothing about the cube.

    Returns
    -------
    Count
        Raw pip counts and the win probability.

    Raises
    ------
    PositionError
        If the player on roll trails: nothing is known about that.

    Notes
    -----
    50 + (900 + R + 400 l) / (R + 7 l + 25) per cent: P. Lamford with S. Gasquoine, "Improve Your Backgammon", as quoted
    in a review at thedoublingcube.com.  The review does not say what R and l are; Dotsenko and Marynych print the same
    formula with the count of the player on roll and their lead, `bgrace.scm.least_squares`.

    Examples
    --------
    >>> print(lamford("2,2,2,3,3,3", "1,1,2,3,4,4"))
    lamford 57 : 65, wins 80.1 %
    """
    own, other = sides(on_roll, opponent)
    p, q = own.pips, other.pips
    lead = q - p
    if np.any(lead < 0):
        raise PositionError(f"a lead of {lead.min()} pips: Lamford's formula is for a leader on roll")
    return Count("lamford", scalar(p), scalar(p), scalar(q), win_probability=least_squares(p, q))
