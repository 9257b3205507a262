"""Counts by percentages of the pip count."""

from __future__ import annotations

from bgrace.counts.count import CountOfPair, CountOfPairs, decided, of_positions
from bgrace.counts.sides import AnyPositions, sides

__all__ = ["eight_nine_twelve", "ten_percent"]


@of_positions
def eight_nine_twelve(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The 8-9-12 rule: double with a lead of 8 %, redouble with 9 %, take up to 12 %.

    Returns
    -------
    Count
        Raw pip counts; the win probability is Bower's, 54 % and 2 % more for each per cent of lead.

    Notes
    -----
    Per cent of the pips of the player on roll, limits included.  For long, smooth races; backgammon glossary at
    bkgm.com, S. Woodhead 1991 and C. Bower 1998 in rec.games.backgammon, who quotes B. Robertie for the 12 %.  GNU
    Backgammon leaves the limits out, and exchanges the words double and redouble.

    Examples
    --------
    >>> print(eight_nine_twelve("4x2 5x3 6x4 8x3 10x3", "5x4 6x5 8x3 13x3"))
    eight_nine_twelve 101 : 113, wins 77.8 %: double, redouble, take
    """
    own, other = sides(on_roll, opponent)
    p, q = own.pips, other.pips
    return decided("eight_nine_twelve", 100, p, 100 * p, 100 * q, (8 * p, 9 * p, 12 * p), 0.54 + 2 * (q - p) / p)


@of_positions
def ten_percent(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The 10 % rule: take up to a lead of 10 % and 2 pips, redouble from 3 pips less, double from 4 pips less.

    Returns
    -------
    Count
        Raw pip counts.

    Notes
    -----
    Double from P/10 - 2, redouble from P/10 - 1, take up to P/10 + 2, P the pips of the player on roll, not rounded.
    For 50 to 120 pips; D. Zare, 2003, bkgm.com, and the glossary there.

    Examples
    --------
    >>> print(ten_percent("1,1,2,2,2,2", "0,1,2,2,2,3"))
    ten_percent 39 : 44: double, redouble, take
    """
    own, other = sides(on_roll, opponent)
    p = own.pips
    return decided("ten_percent", 10, p, 10 * p, 10 * other.pips, (p - 20, p - 10, p + 20))
