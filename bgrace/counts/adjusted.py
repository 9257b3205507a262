"""Adjusted counts: pips, and penalties for what wastes them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from bgrace.board import MAX_CHECKERS
from bgrace.counts.count import CountOfPair, CountOfPairs, counted, of_positions
from bgrace.counts.sides import AnyPositions
from bgrace.errors import ArgumentError


@of_positions
def thorp(
    on_roll: AnyPositions,
    opponent: AnyPositions,
    *,
    from_30: bool = False,
    round_down: bool = False,
    strict_take: bool = False,
) -> CountOfPair | CountOfPairs:
    """Thorp's count: pips, 2 for every checker, 1 for every checker on the ace point, less 1 for every home point held.

    Parameters
    ----------
    from_30 : bool
        Whether the player on roll adds a tenth from a count of 30 on (C. Bower 1997), not only above it.
    round_down : bool
        Whether the tenth is rounded down (J. Greenwood 1997).
    strict_take : bool
        Whether a lead of exactly 2 is a pass (Greenwood, GNU Backgammon), not a take.

    Returns
    -------
    Count
        The win probability is Bower's, 74 % and 2 % more for each pip of lead.

    Notes
    -----
    The player on roll adds a tenth to a count above 30; then double from a lead of -2, redouble from -1, take up to 2.
    E. O. Thorp, "The Mathematics of Gambling", made known by B. Robertie, "Advanced Backgammon" volume 2, as retold in
    the glossary at bkgm.com, by S. Woodhead 1991 and by C. Bower 1997.  For bearoffs; poor with checkers outside, and
    with five or fewer a side.

    Examples
    --------
    >>> print(thorp("1,1,2,2,2,2", "0,1,2,2,2,3"))
    thorp 59.4 : 59, wins 73.2 %: double, redouble, take
    """
    return counted("thorp", on_roll, opponent, from_30=from_30, round_down=round_down, strict_take=strict_take)


WardVersion: TypeAlias = Literal["storer", "glossary", "bgaddict"]
_WARD_DEUCES: Final[dict[str, int]] = {"storer": 2, "glossary": MAX_CHECKERS, "bgaddict": 3}


@of_positions
def ward(
    on_roll: AnyPositions, opponent: AnyPositions, *, version: WardVersion = "storer"
) -> CountOfPair | CountOfPairs:
    """Ward's count: pips with penalties for low points, and for more checkers or fewer points than the other side.

    Parameters
    ----------
    version : {"storer", "glossary", "bgaddict"}
        From which checker on the deuce point costs a pip: the third, none, or the fourth.

    Raises
    ------
    ArgumentError
        If `version` is unknown.

    Notes
    -----
    2 for the third checker on the ace point and each further one, 1 for the third on the deuce point and each further
    one; for each more than the other side has, 2 for a checker, half for a checker outside the home board, and 1 less
    for a home point held.  The player on roll adds a tenth.  Double from a lead of -2, redouble from -1, take up to 2,
    3 or 4 where the raw counts average 50 or fewer, 75, 100 or more; straight lines between them.  J. Ward, "The
    Doubling Cube in Backgammon" volume 1, pages 74 to 76, as retold by M. Storer 1992 in rec.games.backgammon.  Ward's
    case by case treatment of gaps is left out.

    Examples
    --------
    >>> print(ward("2,2,2,3,3,3", "1,1,2,3,4,4"))
    ward 62.7 : 65: double, redouble, take
    """
    if not isinstance(version, str) or version not in _WARD_DEUCES:
        raise ArgumentError(f"version={version!r} is unknown: use one of {', '.join(_WARD_DEUCES)}")
    return counted("ward", on_roll, opponent, deuces=_WARD_DEUCES[version])


@of_positions
def keith(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Keith's count: pips with penalties for low points and for gaps.

    Notes
    -----
    2 for each checker but one on the ace point, 1 for each but one on the deuce point, 1 for each but three on the 3
    point, and 1 for each empty one of the 4, 5 and 6 points.  The player on roll adds a seventh of that, rounded down.
    Double from a lead of -4, redouble from -3, take up to -2.  T. Keith, "Cube Handling in Noncontact Positions", 2004,
    bkgm.com, as retold there and at bgonline.org.  GNU Backgammon did not round down before February 2025, and passed
    at -2.

    Examples
    --------
    >>> print(keith("2,2,2,3,3,3", "1,1,2,3,4,4"))
    keith 68 : 65: double, redouble, take
    """
    return counted("keith", on_roll, opponent)


@of_positions
def isight(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Reichert's Isight count: pips with few penalties, most of them relative to the other side.

    Returns
    -------
    Count
        The win probability is Isight's own: 80 % less a third of the count, and 2 % more for each pip of lead before
        the sixth.  It goes below 0 and above 1 in one-sided races and is cut off there.

    Notes
    -----
    1 for each checker more than the other side; 2 for each beyond two on the ace point, 1 for each beyond two on the
    deuce point and beyond three on the 3 point; 1 for each empty one of the 4, 5, 6 points that the other side holds; 1
    for each crossover more.  The player on roll adds a sixth, not rounded.  Double from a lead of -6, redouble from -5,
    take up to -2, which are 68, 70 and 76 %.  A. Reichert, "Improved Cube Handling in Races: Insights with Isight",
    2014.

    Examples
    --------
    >>> print(isight("1,1,2,2,2,2", "0,1,2,2,2,3"))
    isight 45.5 : 44, wins 77.0 %: double, redouble, pass
    """
    return counted("isight", on_roll, opponent)


@of_positions
def grace(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The Grace count: pips, checkers, few penalties, and never less than the rolls that a side needs.

    Returns
    -------
    Count
        The win probability is 82 % and 2 % more for each pip of lead, cut off at 0 and 1.

    Notes
    -----
    1 for each checker, 12 at most; 2 for each checker but one on the ace point, 1 for each but one on the deuce point;
    1 for each empty one of the 4 and 5 points; at least 7 for every two checkers, rounded up, and 1.  The player on
    roll adds a fifth of the pips, from 40 pips on a tenth and 4.  Double from a lead of -6, redouble from -5, take up
    to -2, which are 70, 72 and 78 %.  Found by a search over exact equities, 2026: docs/better-count.md.

    Examples
    --------
    >>> print(grace("1,1,2,2,2,2", "0,1,2,2,2,3"))
    grace 56.8 : 54, wins 76.4 %: double, redouble, take
    """
    return counted("grace", on_roll, opponent)
